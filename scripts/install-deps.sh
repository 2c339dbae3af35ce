#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: sh scripts/install-deps.sh SECTION...
# Sees to it that the packages of these sections of packages.txt are there. On
# Debian and Ubuntu it installs what is missing; elsewhere it names it.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
list=$here/packages.txt
[ $# -gt 0 ] || { echo "usage: sh scripts/install-deps.sh SECTION..." >&2; exit 2; }

# The lines of one section.
section() {
    awk -v want="[$1]" '
        /^[[:space:]]*(#|$)/ { next }
        /^\[/ { on = $1 == want; found = found || on; next }
        on
        END { exit !found }' "$list"
}

# The package is there as dpkg sees it, or its file is.
present() {
    if [ "$debian" = 1 ] &&
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; then
        return 0
    fi
    case $2 in
        cmd:*) command -v "${2#cmd:}" >/dev/null 2>&1 ;;
        pkg:*) pkg-config --exists "${2#pkg:}" 2>/dev/null ;;
        file:*) [ -e "${2#file:}" ] ;;
        *) return 1 ;;
    esac
}

debian=0
if command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1; then
    debian=1
fi

wanted=
for name in "$@"; do
    lines=$(section "$name") || { echo "install-deps: no section [$name] in $list" >&2; exit 2; }
    wanted="$wanted
$lines"
done

missing=$(printf '%s\n' "$wanted" | while read -r package probe; do
    [ -z "$package" ] || present "$package" "$probe" || printf '%s ' "$package"
done)
[ -n "$missing" ] || exit 0

if [ "$debian" = 0 ]; then
    echo "install-deps: please install what these Debian packages hold, then run this again:" >&2
    printf '  %s\n' "$missing" >&2
    exit 1
fi

if [ "$(id -u)" -eq 0 ]; then
    as_root() { "$@"; }
elif command -v sudo >/dev/null 2>&1; then
    if [ -n "${CI:-}" ]; then
        as_root() { sudo -n "$@"; }
    else
        as_root() { sudo "$@"; }
    fi
else
    echo "install-deps: neither root nor sudo; as root, run: apt-get install $missing" >&2
    exit 1
fi

apt() {
    echo "+ apt-get $*"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" </dev/null
}

apt update || echo "install-deps: the package lists could not be renewed; trying with the old ones" >&2
# shellcheck disable=SC2086 # a list of names
apt install -y --no-install-recommends $missing
