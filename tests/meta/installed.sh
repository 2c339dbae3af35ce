#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: installed.sh DESTDIR PKGCONFIGDIR LIBDIR BINDIR TOP_SRCDIR
# Run by make installcheck: a program is compiled, linked and run against the
# installed tree, shared and static; the installed acor runs.
set -eu

destdir=$1
pkgconfigdir=$2
libdir=$3
bindir=$4
top=$5

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
    echo "installcheck: $*" >&2
    exit 1
}

PKG_CONFIG_PATH=$destdir$pkgconfigdir${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PKG_CONFIG_PATH
if [ -n "$destdir" ]; then
    PKG_CONFIG_SYSROOT_DIR=$destdir
    export PKG_CONFIG_SYSROOT_DIR
fi
LD_LIBRARY_PATH=$destdir$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

cat >"$tmp/t.c" <<'C'
#include <acor/acor.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    acor_string word = { "needle", 6 };
    acor_snapshot *snap;
    acor_error err = ACOR_ERROR_INIT;
    uint64_t n = 0;
    if (acor_snapshot_build(&snap, &word, 1, NULL, &err) != ACOR_OK ||
        acor_scan(snap, "hay NEEDLE hay", 14, NULL, NULL, NULL, NULL, &n, &err) != ACOR_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    acor_snapshot_unref(snap);
    return n != 1 || strcmp(acor_version_string(), ACOR_VERSION_STRING) != 0;
}
C

version=$(sed -n 's/^#define ACOR_VERSION_STRING "\(.*\)"$/\1/p' "$top/include/acor/version.h")
[ "$(pkg-config --modversion libacor)" = "$version" ] || fail "pkg-config has another version than $version"

done=0
# build NAME LIBS: compiled against what is installed, then run.
build() {
    cflags=$(pkg-config --cflags libacor)
    # shellcheck disable=SC2086 # lists of options
    ${CC:-cc} ${CFLAGS:-} ${SANITIZE:-} $cflags -o "$tmp/$1" "$tmp/t.c" $2 ||
        fail "$1: does not compile or link"
    "$tmp/$1" || fail "$1: does not run"
    echo "installcheck: $1 program compiles, links and runs"
    done=$((done + 1))
}

if [ -e "$destdir$libdir/libacor.so" ]; then
    build shared "$(pkg-config --libs libacor)"
fi
if [ -e "$destdir$libdir/libacor.a" ]; then
    build static "$(pkg-config --static --libs libacor | sed 's/-lacor/-l:libacor.a/')"
fi
[ "$done" -gt 0 ] || fail "no library in $destdir$libdir"

"$destdir$bindir/acor" version >"$tmp/out" || fail "acor version does not run"
grep -q -F "$version" "$tmp/out" || fail "acor version says: $(cat "$tmp/out")"
echo "installcheck: acor version runs"
