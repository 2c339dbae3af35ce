#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The JSON form: what each command prints, to the byte, and its exit status.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need_sqlite
ACOR_URL=sqlite:$tmp/json.db
export ACOR_URL

check "info of nothing" 0 '{"keywords":0,"nodes":1}' "" info
check "find in nothing" 0 '{"matches":[]}' "" find he
check "list of nothing" 0 "" "" list
check "remove from nothing" 0 '{"count":0}' "" remove he
check "flush of nothing" 0 '{"status":"ok"}' "" flush
try "reading and removing make no file" test ! -e "$tmp/json.db"
check "add" 0 '{"count":1}' "" add He
check "add again" 0 '{"count":0}' "" add ' he '
check "add a blank" 0 '{"count":0}' "" add ' '
check "add-many: repeats first, then what was there; trimmed, as written" 0 \
    '{"added":["she","his","HERS"],"failed":[{"keyword":"","error":"keyword cannot be empty"}],"skipped":["HIS","he"]}' \
    "" add-many she he " his " HIS "" HERS
check "remove-many" 0 \
    '{"failed":[{"keyword":"","error":"keyword cannot be empty"}],"removed":["HIS"],"skipped":["his","nope"]}' \
    "" remove-many HIS " " nope his
check "remove" 0 '{"count":1}' "" remove Hers
check "remove again" 0 '{"count":0}' "" remove hers
check "add it back" 0 '{"count":1}' "" add hers
check "find: by end, the longest first" 0 '{"matches":["she","he","hers"]}' "" find uSHERS
check "find-set: each once" 0 '{"matches":["she","he","hers"]}' "" find-set "ushers hehe"
check "find-index: sorted" 0 '{"matches":{"he":[2,7],"hers":[2],"she":[1]}}' "" find-index "ushers he"
check "find-index: nothing" 0 '{"matches":{}}' "" find-index x
check "find-matches" 0 \
    '{"matches":[{"keyword":"she","start":1,"end":4},{"keyword":"he","start":2,"end":4},{"keyword":"hers","start":2,"end":6}]}' \
    "" find-matches ushers
check "find-matches, leftmost-longest" 0 '{"matches":[{"keyword":"she","start":1,"end":4}]}' "" \
    find-matches -match-kind=Leftmost-Longest ushers
check "find-matches, whole words" 0 '{"matches":[{"keyword":"he","start":0,"end":2}]}' "" -whole-word find-matches "he ushers"
check "find-matches -w" 0 '{"matches":[{"keyword":"he","start":0,"end":2}]}' "" find-matches -w "he ushers"
check "contains" 0 '{"contains":true}' "" contains xhex
check "contains not" 0 '{"contains":false}' "" contains x
check "contains -q: 0" 0 "" "" contains -q xhex
check "contains -q: 1" 1 "" "" contains x -q
check "find -q: 0" 0 "" "" find -q xhex
check "find -q: 1" 1 "" "" -q find x
check "find of an empty text" 0 '{"matches":[]}' "" find ""
check "info" 0 '{"keywords":3,"nodes":8}' "" info
check "schema-version" 0 '{"schema_version":2}' "" schema-version
run info --verbose
try "info --verbose is JSON with all names" grep -q -E \
    '^\{"backend":"sqlite","case_sensitive":false,"exists":true,"keyword_bytes":9,"keywords":3,"name":"default","nodes":8,.*"version":"[^"]*"\}$' \
    "$tmp/out"
check "another collection of the same file" 0 '{"count":1}' "" -name " other " add x
check "its name is trimmed" 0 '{"matches":["x"]}' "" find -name other x
check "a blank name is the default" 0 '{"matches":["he"]}' "" find -name "" xhe

# Escapes.
tab=$(printf '\t') nl='
'
check "add: Go's escapes" 0 \
    '{"added":["\u003cb\u003e\u0026","a\"b","back\\slash","tab\there","new\nline","esc\u001bape","b\bf\fend"],"failed":[],"skipped":[]}' \
    "" -name esc add-many '<b>&' 'a"b' 'back\slash' "tab${tab}here" "new${nl}line" "$(printf 'esc\033ape')" \
    "$(printf 'b\bf\fend')"
check "find: the same" 0 '{"matches":["\u003cb\u003e\u0026","a\"b","esc\u001bape","new\nline"]}' "" \
    -name esc find "<B>& A\"B $(printf 'esc\033ape') new${nl}line"
check "DEL is raw" 0 "{\"added\":[\"$(printf 'd\177')\"],\"failed\":[],\"skipped\":[]}" "" -name raw add-many "$(printf 'd\177')"
check "line and paragraph separator inside" 0 '{"added":["a\u2028b\u2029c"],"failed":[],"skipped":[]}' "" \
    -name raw add-many "$(printf 'a\342\200\250b\342\200\251c')"
check "bytes that are no UTF-8, in what the caller spelled" 0 '{"added":["a\ufffdb"],"failed":[],"skipped":[]}' "" \
    -name raw add-many "$(printf 'a\377b')"
check "the same, as it is stored" 0 "{\"matches\":[\"$(printf 'a\357\277\275b')\"]}" "" -name raw find "$(printf 'a\376b')"
check "other letters stay" 0 '{"added":["Ünï","日本","😀"],"failed":[],"skipped":[]}' "" -name raw add-many Ünï 日本 😀
check "offsets are code points" 0 \
    '{"matches":[{"keyword":"日本","start":1,"end":3},{"keyword":"😀","start":3,"end":4}]}' "" -name raw find-matches 'é日本😀'

# list.
check "list: control bytes and backslashes as \\xNN" 0 \
    '<b>&
a"b
back\x5cslash
tab\x09here
new\x0aline
esc\x1bape
b\x08f\x0cend' "" -name esc list
check "list: the C1 control characters too" 0 '{"count":1}' "" -name c1 add "$(printf 'a\302\233b')"
check "list: C1 shown" 0 'a\xc2\x9bb' "" -name c1 list
check "list --json" 0 '"\u003cb\u003e\u0026"
"a\"b"
"back\\slash"
"tab\there"
"new\nline"
"esc\u001bape"
"b\bf\fend"' "" -name esc list --json
run -name esc list -0
printf '<b>&\0a"b\0back\\slash\0tab\there\0new\nline\0esc\033ape\0b\bf\fend\0' >"$tmp/want"
same "list -0 is raw" "$tmp/out" "$tmp/want"
run list --null -name esc
same "list --null is the same" "$tmp/out" "$tmp/want"

# - is standard input for the batches, and a minus elsewhere.
printf 'one\r\ntwo\n\nthree' >"$tmp/in"
run -name in add-many - <"$tmp/in"
expect "add-many -: lines, CR dropped, a blank one failed" 0 \
    '{"added":["one","two","three"],"failed":[{"keyword":"","error":"keyword cannot be empty"}],"skipped":[]}'
run -name in remove-many - <"$tmp/in"
expect "remove-many -" 0 \
    '{"failed":[{"keyword":"","error":"keyword cannot be empty"}],"removed":["one","two","three"],"skipped":[]}'
run -name in add-many - </dev/null
expect "add-many -: empty" 0 '{"added":[],"failed":[],"skipped":[]}'
check "add-many - and another: a minus" 0 '{"added":["-","x"],"failed":[],"skipped":[]}' "" -name in add-many - x
check "find - searches for a minus" 0 '{"matches":["-"]}' "" -name in find -
check "-- before a keyword that begins with a minus" 0 '{"count":1}' "" -name in add -- -v
check "it is found" 0 '{"matches":["-","-v"]}' "" -name in find -- -v

# Transactional.
check "transactional, a blank one: Go's text" 1 "" 'keyword cannot be empty' \
    -batch-mode transactional -name tx add-many four "" five
check "nothing was added" 0 '{"keywords":0,"nodes":1}' "" -name tx info
check "transactional, all fine" 0 '{"added":["four","five"],"failed":[],"skipped":[]}' "" \
    add-many -batch-mode=transactional -name tx four five
check "flush" 0 '{"status":"ok"}' "" -name tx flush
check "flushed" 0 '{"keywords":0,"nodes":1}' "" -name tx info

# Case.
check "a case-sensitive collection" 0 '{"count":1}' "" -name cs --case-sensitive add He
check "is so without the option" 0 '{"matches":[]}' "" -name cs find he
check "matches as written" 0 '{"matches":["He"]}' "" -name cs --case-sensitive find "he He HE"
check "-q -i folds" 0 "" "" -name cs find -q -i hE
check "contains -q -i folds" 0 "" "" -name cs contains -qi hE
check "-q alone does not" 1 "" "" -name cs find -q hE
check "--case-sensitive on one that is not" 1 "" 'acor: *case*' --case-sensitive find he
check "the same with -q" 2 "" 'acor: *case*' --case-sensitive find -q he

# The note on files.
echo text >he.txt
check "TEXT that is a file earns a note" 0 '{"matches":["he"]}' \
    'acor: note: "he.txt" is also a file; to search in it: acor filter he.txt' find he.txt
check "contains too" 0 '{"contains":true}' 'acor: note: *' contains he.txt
check "find -q too" 0 "" 'acor: note: *' find -q he.txt
mkdir he
check "a folder does not" 0 '{"matches":["he"]}' "" find he
check "Go's other flags change nothing" 0 '{"matches":["he"]}' "" -cache -invalidation-poll-interval=0 find he
check "a preset changes nothing" 0 '{"matches":["he"]}' "" -preset=speed -invalidation-poll-interval 5s find he
run -debug=true find he
try "-debug leaves standard output alone" grep -q -x '{"matches":\["he"\]}' "$tmp/out"
finish
