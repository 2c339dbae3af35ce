#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# suggest and suggest-index: order, limits, and what counts as a beginning.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need_sqlite
ACOR_URL=sqlite:$tmp/suggest.db
export ACOR_URL

check "nothing from nothing" 0 '{"matches":[]}' "" suggest h
check "as an index" 0 '{"matches":{}}' "" suggest-index h
try "asking makes no file" test ! -e "$tmp/suggest.db"
run add-many his he HERS she "new york" new 日本語 日本 '<b>'
check "in the order they were added" 0 '{"matches":["his","he","hers"]}' "" suggest h
check "an equal one too" 0 '{"matches":["he","hers"]}' "" suggest he
check "not what is shorter" 0 '{"matches":[]}' "" suggest hersx
check "trimmed and lower-cased" 0 '{"matches":["he","hers"]}' "" suggest "  HE "
check "a blank inside stays" 0 '{"matches":["new york"]}' "" suggest "new y"
check "nothing for nothing" 0 '{"matches":[]}' "" suggest ""
check "nor for blanks" 0 '{"matches":[]}' "" suggest "  "
check "other scripts" 0 '{"matches":["日本語","日本"]}' "" suggest 日
check "a minus is a minus" 0 '{"matches":[]}' "" suggest -
check "Go's escapes" 0 '{"matches":["\u003cb\u003e"]}' "" suggest '<'

check "--limit" 0 '{"matches":["his","he"]}' "" suggest --limit=2 h
check "--limit with the next word" 0 '{"matches":["his"]}' "" suggest h --limit 1
check "--limit=0: all" 0 '{"matches":["his","he","hers"]}' "" suggest --limit=0 h
check "more than there are" 0 '{"matches":["his","he","hers"]}' "" suggest --limit=9223372036854775807 h
check "--sorted" 0 '{"matches":["he","hers","his"]}' "" suggest --sorted h
check "the first in that order" 0 '{"matches":["he"]}' "" --sorted --limit=1 suggest h
check "--sorted=false" 0 '{"matches":["his"]}' "" suggest --sorted=false --limit=1 h
check "sorted by bytes, a shorter one first" 0 '{"matches":["日本","日本語"]}' "" suggest --sorted 日

check "suggest-index: sorted, each at 0" 0 '{"matches":{"he":[0],"hers":[0],"his":[0]}}' "" suggest-index H
check "suggest-index: nothing" 0 '{"matches":{}}' "" suggest-index x
check "suggest-index: limit" 0 '{"matches":{"he":[0],"his":[0]}}' "" suggest-index --limit=2 h
check "suggest-index: limit of the sorted" 0 '{"matches":{"he":[0],"hers":[0]}}' "" suggest-index --limit=2 --sorted h

run remove his
run add his
check "what is added again stands last" 0 '{"matches":["he","hers","his"]}' "" suggest h
run -name cs --case-sensitive add-many He he
check "a case-sensitive collection" 0 '{"matches":["He"]}' "" -name cs suggest H

i=0
while [ "$i" -lt 3000 ]; do
    echo "word $i"
    i=$((i + 1))
done >words
run -name many add-many --file=words
"$ACOR" -name many suggest word >all
try "3,000 suggestions" test "$(tr ',' '\n' <all | wc -l)" -eq 3000
check "the first of many" 0 '{"matches":["word 0","word 1"]}' "" -name many suggest --limit 2 w
echo none >none.db
check "a store that is none" 1 "" 'acor: *' --url=sqlite:none.db suggest he
finish
