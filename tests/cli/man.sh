#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# acor(1) and the program's own table of options name the same things.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

page=$top_srcdir/man/acor.1
run help
sed -n 's/^  \([a-z][a-z-]*\).*/\1/p' "$tmp/out" | grep -v '^acor$' | sort >commands
# shellcheck disable=SC2013 # names without blanks
for c in $(cat commands); do
    "$ACOR" help "$c"
done >help.txt
# "  -w, --whole-word" and "  -e WORD" give whole-word, w and e.
{
    sed -n 's/^  -\([A-Za-z0-9]\)[, ].*/\1/p' help.txt
    sed -n 's/^.\{6\}--\([a-z][a-z-]*\).*/\1/p' help.txt
} | sort -u >options
try "the table has options" test "$(wc -l <options)" -gt 45

# What stands after .It Fl: names with commas between, each perhaps with a value.
sed -n 's/^\.It Fl //p' "$page" | sed -e 's/ , /\n/g' | sed -e 's/^Fl //' -e 's/^-//' -e 's/ .*//' | sort -u >described
# help may be asked for by -h as well, which is an option of filter.
comm -23 options described >"$tmp/why"
quiet "every option stands in acor(1)" "$tmp/why"
comm -13 options described >"$tmp/why"
quiet "acor(1) names no option that is not there" "$tmp/why"

while read -r c; do
    grep -q -E "^\\.(It )?(Cm|Op Ar options).*\\b$c\\b|^\\.Cm .*\\b$c\\b" "$page" || echo "$c"
done <commands >"$tmp/why"
quiet "every command stands in acor(1)" "$tmp/why"

# What the program says of itself fits a terminal.
awk 'length > 100 { print }' help.txt >"$tmp/why"
quiet "no line of help is over 100 columns" "$tmp/why"
if command -v mandoc >/dev/null 2>&1; then
    mandoc -T lint -W style "$page" 2>&1 | grep -v -e 'referenced manual not found' -e 'outdated mandoc.db' >"$tmp/why" || true
    quiet "acor(1) lints clean" "$tmp/why"
else
    skip "acor(1) lints clean" "no mandoc"
fi
finish
