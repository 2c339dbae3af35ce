#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What docs/compatibility.md names exists: a test's file stands in backquotes, the
# cases of that file in quotes behind it. Its tables count the lines of data.
# shellcheck source=tests/meta/tap.sh
. "$(dirname "$0")/tap.sh"

cd "$top_srcdir"
page=docs/compatibility.md

# FILE<tab>CASE, and FILE<tab> alone for the file itself.
awk '{
    file = ""
    while (match($0, /`tests\/[^`]+`|"[^"]+"/)) {
        s = substr($0, RSTART + 1, RLENGTH - 2)
        quoted = substr($0, RSTART, 1) == "\""
        $0 = substr($0, RSTART + RLENGTH)
        if (!quoted) {
            file = s
            print file "\t"
        } else if (file != "") {
            print file "\t" s
        }
    }
}' "$page" >"$tmp/named"
tab=$(printf '\t')
while IFS=$tab read -r file case; do
    if [ ! -f "$file" ]; then
        echo "no file $file"
    elif ! grep -q -F -e "$case" "$file"; then
        echo "$file has no case \"$case\""
    fi
done <"$tmp/named" >"$tmp/bad"
quiet "every test that is named exists" "$tmp/bad"
try "there are some" test "$(grep -c "$tab." "$tmp/named")" -ge 20

awk '/^## / { on = /weak places/ } on && /^\| [0-9]+ \|/ { print $2 }' "$page" >"$tmp/items"
seq 1 20 >"$tmp/all"
try "all twenty weak places of Go's are there, once" cmp "$tmp/items" "$tmp/all"

for data in tests/interop/deviations-redis.jsonl tests/interop/deviations.jsonl tests/cli/data/deviations.jsonl; do
    awk -v want="\`$data\`" '/^##/ { on = index($0, want) } on && /^\| [0-9]/' "$page" | sort >"$tmp/said"
    sed -n 's/.*"reason": "\(.*\)".*/\1/p' "$data" | sort | uniq -c |
        sed 's/^ *\([0-9]*\) \(.*\)/| \1 | \2 |/' | sort >"$tmp/counted"
    status=0
    diff "$tmp/said" "$tmp/counted" >"$tmp/diff" || status=1
    ok "$status" "the differences in $data are told and counted" "$tmp/diff"
done
finish
