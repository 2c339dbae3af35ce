#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The filter form: lines, options, exit statuses, as grep has them. Keywords
# come from -e and -f, so that no store is needed, but at the end.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

printf 'ushers\nnothing\nhis and her\nthat He' >a.txt
printf 'no hit\n\nshe\n' >b.txt
printf 'he\nshe\nhis\nhers\n' >words
check "lines with a match; the last gets its newline" 0 'ushers
nothing
his and her
that He' "" filter -e thing -f words a.txt
check "-f: one keyword a line" 0 'ushers
his and her
that He' "" filter -f words a.txt
check "-fFILE" 0 'ushers
his and her
that He' "" filter -fwords a.txt
check "--keywords=F" 0 'she' "" filter --keywords=words b.txt
check "-f and -e" 0 'ushers
nothing' "" filter -f b.txt -e nothing -e usher a.txt
run filter -e he <a.txt
expect "standard input without FILE" 0 'ushers
his and her
that He'
run filter -e he - <a.txt
expect "- is standard input" 0 'ushers
his and her
that He'
run filter -f - a.txt <words
expect "-f -: keywords from standard input" 0 'ushers
his and her
that He'
run filter -f - - <words
expect "standard input for both" 2 "" 'acor: standard input cannot be both keywords and text'
run filter -f - <words
expect "standard input for both, no FILE" 2 "" 'acor: standard input cannot be both keywords and text'
check "nothing matched: 1" 1 "" "" filter -e zebra a.txt
check "no keywords: nothing matches" 1 "" "" filter -f /dev/null a.txt
check "a blank -e: nothing matches" 1 "" "" filter -e "" a.txt
check "-v" 0 'nothing' "" filter -v -f words a.txt
check "-v without keywords: every line" 0 'no hit

she' "" filter -v -f /dev/null b.txt
check "-v, none left: 1" 1 "" "" filter -v -e h words
check "-c" 0 '3' "" filter -c -f words a.txt
check "-c -v" 0 '1' "" filter -cv -f words a.txt
check "-c of nothing: 0 and exit 1" 1 '0' "" filter -c -e zebra a.txt
check "-n" 0 '1:ushers
3:his and her
4:that He' "" filter -n -f words a.txt
check "-n -v" 0 '2:nothing' "" filter -nv -f words a.txt
check "-o: leftmost, longest" 0 'she
his
her
He' "" filter -o -f words -e her a.txt
check "-o --overlapping" 0 'she
he
hers
he
He' "" filter -o --overlapping -e she -e he -e hers a.txt
check "-on" 0 '1:she
3:he
4:He' "" filter -on -e he -e she a.txt
check "-o -v prints nothing" 0 "" "" filter -ov -f words a.txt
check "-o -c counts lines" 0 '3' "" filter -oc -f words a.txt
check "-w" 0 'his and her
that He' "" filter -w -e he -e her a.txt
check "--whole-word" 0 'that He' "" filter --whole-word -e he a.txt
check "more than one file: names" 0 'a.txt:ushers
a.txt:that He
b.txt:she' "" filter -e she -e 'that he' a.txt b.txt
check "-h: no names" 0 'ushers
she' "" filter -h -e she a.txt b.txt
check "-H: names" 0 'b.txt:3:she' "" filter -Hn -e she b.txt
check "the last of -H and -h counts" 0 'she' "" filter -H -h -e she b.txt
check "-c with names" 0 'a.txt:1
b.txt:1' "" filter -c -e she a.txt b.txt
run filter -H -e he - <a.txt
try "the name of standard input" grep -q -x '(standard input):ushers' "$tmp/out"
check "-q: 0" 0 "" "" filter -q -e she a.txt
check "-q: 1" 1 "" "" filter -q -e zebra a.txt b.txt
check "-q -v: 0" 0 "" "" filter -qv -e she a.txt
check "-q -v: 1" 1 "" "" filter -qv -e s -e hi -e at a.txt
check "a file that is not there: the others are searched, exit 2" 2 'b.txt:she' \
    'acor: gone: No such file or directory' filter -e she gone b.txt
check "a folder: the same" 2 'b.txt:she' 'acor: .: Is a directory' filter -e she . b.txt
check "-q and a bad file: found counts" 0 "" 'acor: gone: *' filter -q -e she gone b.txt
check "-q, a bad file, nothing found: 2" 2 "" 'acor: gone: *' filter -q -e zebra gone b.txt
check "a keyword file that is not there" 2 "" 'acor: gone: No such *' filter -f gone a.txt
printf '\357\273\277she\r\nthat he' | gzip -c >words.gz
check "keywords: CRLF, a mark, gzip" 0 'ushers
that He' "" filter -f words.gz a.txt
check "case is ignored" 0 'that He' "" filter -e 'THAT HE' a.txt
check "-i changes nothing then" 0 'that He' "" filter -i -e 'THAT HE' a.txt
check "--case-sensitive" 1 "" "" filter --case-sensitive -e 'THAT HE' a.txt
check "the last of -i and --case-sensitive counts" 0 'that He' "" filter --case-sensitive -i -e 'THAT HE' a.txt
check "options after the file" 0 '1' "" filter a.txt -c -e she
check "-- ends them" 2 "" 'acor: -c: No such *' filter -e she -- -c
check "find --input" 0 '1:ushers' "" find --input=a.txt -n -e she
check "find --input, twice" 0 'a.txt:ushers
b.txt:she' "" find --input=a.txt --input b.txt -e she
run find --input=- -e she <b.txt
expect "find --input=-" 0 'she'
run filter --input=x
expect "filter has no --input" 2 "" 'acor: --input does not apply to filter*'

# Lines.
printf 'one\r\ntwo he\r\nhe\r\n' >crlf
run filter -e he crlf
printf 'two he\r\nhe\r\n' >want
same "CRLF lines are printed as they were" "$tmp/out" want
run filter -o -e 'two he' -e he crlf
printf 'two he\nhe\n' >want
same "-o leaves the CR out" "$tmp/out" want
check "-w at a CR" 0 '2' "" filter -cw -e he crlf
printf 'a\0he\0b\nnone\n\377he\n' >nul
run filter -e he nul
printf 'a\0he\0b\n\377he\n' >want
same "NUL and 0xFF are bytes like any other" "$tmp/out" want
printf '\n\n\nhe\n\n' >empty_lines
check "empty lines count" 0 '4:he' "" filter -n -e he empty_lines
check "empty lines, -v" 0 '4' "" filter -cv -e he empty_lines
check "an empty file" 1 '0' "" filter -c -e he /dev/null
check "an empty file, -v" 1 '0' "" filter -vc -e he /dev/null
printf 'he' >short
check "a file of one open line" 0 'he' "" filter -e he short
{
    head -c 3000000 /dev/zero | tr '\0' x
    printf 'he\n'
    echo end
    head -c 3000000 /dev/zero | tr '\0' y
    printf he
} >long
check "very long lines" 0 '1:he
3:he' "" filter -on -e he long
run filter -h -e xhe -e yhe long
head -c 3000003 long >want
tail -c 3000002 long >>want
echo >>want
same "are printed whole" "$tmp/out" want
gzip -c a.txt >a.gz
check "gzip by content" 0 '1:ushers' "" filter -n -e she a.gz
run filter -n -e she <a.gz
expect "gzip from standard input" 0 '1:ushers'
cat a.gz a.gz >two
check "gzip: members" 0 '2' "" filter -c -e ush two
head -c 30 a.gz >cut.gz
check "gzip cut off: exit 2, and named" 2 'b.txt:no hit' 'acor: cut.gz: broken gzip data: *' filter -e 'no hit' cut.gz b.txt

# JSON.
check "--json" 0 \
    '{"file":"a.txt","line":1,"byte_start":1,"byte_end":4,"start":1,"end":4,"keyword":"she","text":"she"}
{"file":"a.txt","line":3,"byte_start":8,"byte_end":10,"start":8,"end":10,"keyword":"he","text":"he"}
{"file":"a.txt","line":4,"byte_start":0,"byte_end":7,"start":0,"end":7,"keyword":"that he","text":"that He"}' "" \
    filter --json -e she -e 'that he' -e he a.txt
printf 'x\n\303\251\346\227\245 <b> \377\377he\n' >utf8
run filter --json -f - utf8 <<'END'
<B>
he
END
expect "--json: bytes and code points, Go's escapes" 0 \
    '{"file":"utf8","line":2,"byte_start":6,"byte_end":9,"start":3,"end":6,"keyword":"\u003cb\u003e","text":"\u003cb\u003e"}
{"file":"utf8","line":2,"byte_start":12,"byte_end":14,"start":9,"end":11,"keyword":"he","text":"he"}'
run filter --json -e "$(printf 'a\357\277\275b')" <<END
$(printf '.a\377b')
END
expect "--json: bytes that are no UTF-8" 0 \
    "{\"file\":null,\"line\":1,\"byte_start\":1,\"byte_end\":4,\"start\":1,\"end\":4,\"keyword\":\"$(printf 'a\357\277\275b')\",\"text_base64\":\"Yf9i\"}"
check "--json --overlapping" 0 \
    '{"file":"b.txt","line":3,"byte_start":0,"byte_end":3,"start":0,"end":3,"keyword":"she","text":"she"}
{"file":"b.txt","line":3,"byte_start":1,"byte_end":3,"start":1,"end":3,"keyword":"he","text":"he"}' "" \
    filter --json --overlapping -f words b.txt
check "--json, nothing: 1" 1 "" "" filter --json -e zebra a.txt
check "--json=false is none" 0 'she' "" filter --json=false -e she b.txt

# A keyword with a newline matches in no line, and does not hide others.
check "a keyword with a newline" 0 'ushers' "" filter -e 'ushers
nothing' -e she a.txt
check "the same with -o" 0 'hers' "" filter -o -e 'hers
nothing' -e hers a.txt

# The store.
if [ "${SQLITE:-no}" != no ]; then
    u="--url=sqlite:$tmp/filter.db"
    check "filter from a store that is not there: 1" 1 "" "" "$u" filter a.txt
    check "and makes none" 0 '{"added":4,"failed":0,"skipped":0}' "" "$u" add-many --file=words
    check "filter" 0 'b.txt:she' "" "$u" filter -H b.txt
    check "find --input" 0 '1' "" "$u" find --input=b.txt -c
    check "-f and -e touch no store" 0 'no hit' "" --url=gopher:x filter -e hit b.txt
    check "a collection that is case-sensitive" 0 '{"count":1}' "" "$u" -name cs --case-sensitive add He
    check "matches as written" 0 'that He' "" "$u" -name cs filter a.txt
    check "-i folds it" 0 '3' "" "$u" -name cs filter -ci a.txt
    check "-i: the stored spelling is folded" 0 'he' "" "$u" -name cs filter -oi b.txt
    check "--case-sensitive on one that is not: 2" 2 "" 'acor: *case*' "$u" --case-sensitive filter a.txt
    check "a store that is none: 2" 2 "" 'acor: *a.txt*' --url=sqlite:a.txt filter b.txt
    run "$u" filter <b.txt
    expect "standard input" 0 'she'
else
    skip "filter from a store" "built without the embedded store"
fi
finish
