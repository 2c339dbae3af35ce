# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# For the scripts here to read in: runs the program in a home of its own.
# shellcheck source=tests/meta/tap.sh
. "$top_srcdir/tests/meta/tap.sh"

: "${ACOR:?}"
XDG_DATA_HOME=$tmp/data
HOME=$tmp/home
export XDG_DATA_HOME HOME
unset ACOR_URL
mkdir "$tmp/home" "$tmp/work"
cd "$tmp/work"
rc=0

need_sqlite() {
    [ "${SQLITE:-no}" != no ] || skip_all "built without the embedded store"
}

# run ARGUMENT...: the program; $tmp/out, $tmp/err and $rc have what came of it.
run() {
    rc=0
    "$ACOR" "$@" >"$tmp/out" 2>"$tmp/err" || rc=$?
}

# expect NAME STATUS OUTPUT [ERRORS]: of the last run. Without ERRORS there are
# to be none; ERRORS is a pattern for all of standard error.
expect() {
    : >"$tmp/why"
    [ "$rc" -eq "$2" ] || echo "exit status $rc, not $2" >>"$tmp/why"
    if [ "$(cat "$tmp/out" && echo x)" != "$3${3:+
}x" ]; then
        { echo "standard output:" && cat "$tmp/out" && echo "expected:" && echo "$3"; } >>"$tmp/why"
    fi
    # shellcheck disable=SC2254 # a pattern
    case "$(cat "$tmp/err")" in
    ${4:-}) ;;
    *) { echo "standard error:" && cat "$tmp/err" && echo "expected: ${4:-nothing}"; } >>"$tmp/why" ;;
    esac
    quiet "$1" "$tmp/why"
}

# check NAME STATUS OUTPUT ERRORS ARGUMENT...: run and expect in one.
check() {
    check_name=$1
    check_status=$2
    check_out=$3
    check_err=$4
    shift 4
    run "$@"
    expect "$check_name" "$check_status" "$check_out" "$check_err"
}

# same NAME FILE FILE: byte by byte.
same() {
    cmp "$2" "$3" >"$tmp/why" 2>&1 && : >"$tmp/why"
    quiet "$1" "$tmp/why"
}
