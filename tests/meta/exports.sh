#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The shared object's dynamic symbols, with versions, equal the manifest.
# shellcheck source=tests/meta/tap.sh
. "$(dirname "$0")/tap.sh"

so=$top_builddir/src/.libs/libacor.so
[ -e "$so" ] || skip_all "no shared library in this build"
[ "${SANITIZED:-no}" = no ] || skip_all "the sanitizers add symbols"

nm -D --defined-only --with-symbol-versions "$so" |
    awk '$2 != "A" { print $3 }' | sort >"$tmp/got"
status=0
diff -u "$meta/exports.txt" "$tmp/got" >"$tmp/diff" || status=1
ok "$status" "exported symbols equal exports.txt" "$tmp/diff"
finish
