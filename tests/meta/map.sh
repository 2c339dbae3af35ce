#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the headers declare as public is what the version script lets out.
# shellcheck source=tests/meta/tap.sh
. "$(dirname "$0")/tap.sh"

sh "$meta/functions.sh" "$top_srcdir" >"$tmp/declared"
sed -n 's/^[[:space:]]*\(acor_[a-z0-9_]*\);$/\1/p' "$top_srcdir/src/libacor.map" >"$tmp/order"
sort "$tmp/order" >"$tmp/mapped"

status=0
diff -u "$tmp/declared" "$tmp/mapped" >"$tmp/diff" || status=1
ok "$status" "ACOR_API declarations equal src/libacor.map" "$tmp/diff"
try "there are some" test -s "$tmp/declared"
try "the map is sorted" sort -c "$tmp/order"
finish
