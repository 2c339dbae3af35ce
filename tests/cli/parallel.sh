#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# find-parallel and find-index-parallel: what they print is what find-set and
# find-index print, however the text is cut and wherever it comes from.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need_sqlite
ACOR_URL=sqlite:$tmp/parallel.db
export ACOR_URL

check "nothing in nothing" 0 '{"matches":[]}' "" find-parallel he
check "as an index" 0 '{"matches":{}}' "" find-index-parallel he
try "reading makes no file" test ! -e "$tmp/parallel.db"
run add-many he she hers 日本 "new york"
check "each once, in the order they are met" 0 '{"matches":["she","he","hers"]}' "" find-parallel "USHERS he"
check "sorted, in code points" 0 '{"matches":{"he":[3],"日本":[0,5]}}' "" find-index-parallel '日本 he日本'
check "an empty TEXT" 0 '{"matches":[]}' "" find-parallel ""
check "as an index" 0 '{"matches":{}}' "" find-index-parallel ""

# "new york" is longer than any overlap here, and cut in every way.
for options in "-chunk-size=1 -overlap=0" "-chunk-size=2 -overlap=1 -workers=1" "-chunk-size=4 -overlap=0 -workers 3" \
    "-chunk-size=5 -overlap=2 -boundary=sentence" "-chunk-size=12 -overlap=11 -boundary=line" "-workers=64" "-workers=0"; do
    # shellcheck disable=SC2086
    check "$options: as in one piece" 0 '{"matches":{"he":[1,16],"hers":[16],"new york":[4],"she":[15]}}' "" \
        $options find-index-parallel 'the new york. ushers'
done
check "options may follow" 0 '{"matches":["new york"]}' "" find-parallel "a new york" -chunk-size 3 -overlap 1
check "a chunk of all there can be" 0 '{"matches":["he"]}' "" -chunk-size 9223372036854775807 find-parallel he
check "a chunk of nothing" 2 "" 'chunk-size must be positive' -chunk-size 0 find-parallel ""
check "an overlap as large as the chunk" 2 "" 'overlap must be non-negative and smaller than chunk-size' \
    -chunk-size 3 -overlap 3 find-index-parallel x
check "an unknown boundary" 2 "" 'unknown boundary "page"' find-index-parallel -boundary page x

# Standard input is the text, its newline too.
printf 'ushers\nnew york\n' >text
run find-parallel - <text
expect "the text is standard input" 0 '{"matches":["she","he","hers","new york"]}'
run find-index-parallel - <text
expect "a newline is a character of it" 0 '{"matches":{"he":[2],"hers":[2],"new york":[7],"she":[1]}}'
run find-parallel - </dev/null
expect "nothing on standard input" 0 '{"matches":[]}'
printf '\377he\0she\344' >text
run find-index-parallel - <text
expect "undecodable bytes and NUL count" 0 '{"matches":{"he":[1,5],"she":[4]}}'
run find-parallel -- - <text
expect "also behind --" 0 '{"matches":["he","she"]}'
if command -v gzip >/dev/null 2>&1; then
    echo he | gzip >text.gz
    run find-parallel - <text.gz
    expect "a compressed text is bytes like others" 0 '{"matches":[]}'
fi
check "two arguments" 2 "" 'command "find-parallel" requires exactly one argument' find-parallel - x
rc=0
"$ACOR" find-parallel - <&- >"$tmp/out" 2>"$tmp/err" || rc=$?
expect "standard input closed" 1 "" 'acor: (standard input): Bad file descriptor'
echo he >he.txt
check "a TEXT that is a file earns a note" 0 '{"matches":["he"]}' 'acor: note: "he.txt" is also a file*' find-parallel he.txt

# Some MB.
awk 'BEGIN { for (i = 0; i < 200000; i++) print "he saw the line", i % 7 ? "日" : "ushers" }' >big
"$ACOR" find-index-parallel - <big >index 2>"$tmp/err"
cp index "$tmp/out"
try "4 MB of standard input" test "$(wc -c <big)" -gt 4000000
try "three keywords in it" test "$(tr -cd '[' <index | wc -c)" -eq 3
"$ACOR" -workers 1 find-index-parallel - <big >one
same "one thread, many threads" index one
"$ACOR" -workers 4 -chunk-size 100 -overlap 0 -boundary line find-index-parallel - <big >many
same "many small pieces" index many
run find-parallel - <big
expect "each once" 0 '{"matches":["he","she","hers"]}'
# Every "he" of the text, counted line by line.
try "no place is lost" test "$(tr ',' '\n' <index | grep -c '[0-9]')" -eq \
    "$(awk '{ n += gsub(/he/, "") ; m += gsub(/ushrs|usrs/, "") } END { print n + 2 * m }' big)"

echo none >none.db
check "a store that is none" 1 "" 'acor: *' --url=sqlite:none.db find-parallel he
finish
