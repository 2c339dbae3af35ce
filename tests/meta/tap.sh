# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# For the scripts here to read in: TAP on standard output, a temporary folder
# that goes away. $top_srcdir and $top_builddir come from the harness.
set -eu
LC_ALL=C
export LC_ALL

tap_n=0
tap_bad=0

# ok STATUS NAME [FILE]: one result; what FILE holds is shown if it failed.
ok() {
    tap_n=$((tap_n + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tap_n - $2"
    else
        tap_bad=$((tap_bad + 1))
        echo "not ok $tap_n - $2"
        if [ -n "${3:-}" ] && [ -s "$3" ]; then
            sed 's/^/# /' "$3"
        fi
    fi
}

# quiet NAME FILE: passes if FILE, a list of complaints, is empty.
quiet() {
    if [ -s "$2" ]; then
        ok 1 "$1" "$2"
    else
        ok 0 "$1"
    fi
}

# try NAME COMMAND...: passes if the command does.
try() {
    tap_name=$1
    shift
    tap_status=0
    "$@" >"$tmp/try.out" 2>&1 || tap_status=$?
    ok "$tap_status" "$tap_name" "$tmp/try.out"
}

skip() {
    tap_n=$((tap_n + 1))
    echo "ok $tap_n - $1 # SKIP $2"
}

skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}

# The last line of every script.
finish() {
    echo "1..$tap_n"
    [ "$tap_bad" -eq 0 ]
    exit
}

: "${top_srcdir:?}"
: "${top_builddir:=$top_srcdir}"
# shellcheck disable=SC2034 # for those who read this in
meta=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
