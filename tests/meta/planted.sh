#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The checks of the layers fail when something wrong is planted, and say where.
# shellcheck source=tests/meta/tap.sh
. "$(dirname "$0")/tap.sh"

tree=$tmp/tree
built=$tmp/built

# A fresh copy of the sources and of the archives.
again() {
    rm -rf "$tree" "$built"
    mkdir -p "$tree" "$built/src/.libs"
    (cd "$top_srcdir" && find src include \( -name '*.[ch]' -o -name layers.txt \) -print) |
        while read -r f; do
            mkdir -p "$tree/$(dirname "$f")"
            cp "$top_srcdir/$f" "$tree/$f"
        done
    for l in base text engine store client; do
        for a in "$top_builddir/src/.libs/lib$l.a" "$top_builddir/src/lib$l.a"; do
            [ ! -e "$a" ] || cp "$a" "$built/src/.libs/lib$l.a"
        done
    done
    chmod -R u+w "$tree" "$built"
}

# check SCRIPT: runs it on the copies; its answer is in $tmp/out, its status in $status.
check() {
    status=0
    env top_srcdir="$tree" top_builddir="$built" sh "$meta/$1" >"$tmp/out" 2>&1 || status=$?
}

# found NAME TEXT...: the check failed, and said this.
found() {
    name=$1
    good=0
    [ "$status" -ne 0 ] || good=1
    shift
    for text; do
        grep -q -F -- "$text" "$tmp/out" || good=1
    done
    ok "$good" "$name" "$tmp/out"
}

# plant FILE LINE: appends an include; its place is in $at.
plant() {
    printf '%s\n' "$2" >>"$tree/$1"
    at=$1:$(awk 'END { print NR }' "$tree/$1")
}

again
check includes.sh
ok "$status" "nothing planted, includes are fine" "$tmp/out"
check layers.sh
ok "$status" "nothing planted, archives are fine" "$tmp/out"

plant src/base/map.c '#include "client/collection.h"'
check includes.sh
found "an upward include" "$at" "base may not include client/collection.h"

again
plant src/text/utf8.h '#  include "store/store.h"'
check includes.sh
found "an upward include in a header" "$at" "text may not include store/store.h"

again
plant src/cli/main.c '#include "base/buf.h"'
check includes.sh
found "an inside of the library in the program" "$at" "cli may include the public headers and its own, not base/buf.h"

again
plant src/store/store.h '#include <sqlite3.h>'
check includes.sh
found "SQLite outside its backend" "$at" "SQLite belongs to"

again
plant src/store/store.h '#include <hiredis/hiredis.h>'
check includes.sh
found "hiredis outside the Redis backend" "$at" "hiredis belongs to"

again
plant src/text/utf8.h '#include <pthread.h>'
check includes.sh
found "threads outside base" "$at" "pthread.h belongs to base"

again
plant include/acor/types.h '#include "base/slice.h"'
check includes.sh
found "an inside in a public header" "$at" "a public header includes <acor/...> only"

again
plant src/text/utf8.h '#include "../store/store.h"'
check includes.sh
found "an include by path" "$at" "an include goes by layer"

again
mkdir "$tree/src/attic"
echo 'int x;' >"$tree/src/attic/old.c"
check includes.sh
found "a folder that is no layer" "src/attic/old.c:1" "a folder that is no layer: attic"

again
sed 's/^base:$/base: store/' "$top_srcdir/src/layers.txt" >"$tree/src/layers.txt"
check includes.sh
found "a table that goes in a circle" "src/layers.txt:1" "base may not include store"

again
cat >"$tmp/planted.c" <<'C'
int acr_store_planted(void);
int acr_base_planted(void);
int acr_base_planted(void)
{
    return acr_store_planted();
}
C
cat >"$tmp/other.c" <<'C'
int acr_store_planted(void);
int acr_store_planted(void)
{
    return 0;
}
C
# shellcheck disable=SC2086 # the compiler may come with options
${CC:-cc} -c -o "$tmp/planted.o" "$tmp/planted.c" && ar r "$built/src/.libs/libbase.a" "$tmp/planted.o" 2>"$tmp/ar.out"
# shellcheck disable=SC2086
${CC:-cc} -c -o "$tmp/other.o" "$tmp/other.c" && ar r "$built/src/.libs/libstore.a" "$tmp/other.o" 2>"$tmp/ar.out"
check layers.sh
found "an object that reaches upward" "base reaches outside its layers: acr_store_planted" "planted.o"
finish
