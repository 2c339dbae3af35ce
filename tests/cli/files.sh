#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Keyword files: add-many --file, remove-many --file.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need_sqlite
ACOR_URL=sqlite:$tmp/files.db
export ACOR_URL

# words NAME WANT FILE...: what a fresh collection holds after add-many.
n=0
words() {
    words_name=$1
    words_want=$2
    shift 2
    n=$((n + 1))
    for f in "$@"; do
        "$ACOR" -name "w$n" add-many --file="$f" >"$tmp/out" 2>"$tmp/err" || cat "$tmp/err"
    done
    check "$words_name" 0 "$words_want" "" -name "w$n" list
}
printf 'one\ntwo\n' >lf
printf 'one\r\ntwo\r\n' >crlf
printf 'one\ntwo' >open
printf '\357\273\277one\r\ntwo' >bom
printf '\n \none\n\t\r\n\n  two  \n\n' >blanks
printf '' >empty
printf '\357\273\277' >bom_only
printf '\n\n' >blank_only
printf 'a\357\273\277b\n\357\273\277c\n' >inner_bom
words "LF" 'one
two' lf
words "CRLF" 'one
two' crlf
words "no newline at the end" 'one
two' open
words "a byte order mark" 'one
two' bom
words "blank lines are nothing" 'one
two' blanks
words "an empty file" "" empty
words "a byte order mark and nothing" "" bom_only
words "blank lines and nothing" "" blank_only
words "a byte order mark elsewhere is data" "$(printf 'a\357\273\277b\n\357\273\277c')" inner_bom
gzip -c crlf >packed
gzip -c bom >two.gz
gzip -c empty >empty.gz
cat packed two.gz >members
words "gzip by content" 'one
two' packed
words "gzip: a mark inside" 'one
two' two.gz
words "gzip of nothing" "" empty.gz
printf 'three\nfour\n' | gzip -c >more.gz
cat packed empty.gz more.gz >members
words "gzip: members one after the other" 'one
two
three
four' members
(cat packed && printf '\0\0\0\0') >padded
words "gzip: zeros at the end" 'one
two' padded
printf 'a\0b\n\377x\n' >bytes
words "NUL and 0xFF" "$(printf 'a\\x00b\n\357\277\275x')" bytes
cp lf ./-dash
words "a name that begins with a dash" 'one
two' -dash

check "counts" 0 '{"added":2,"failed":0,"skipped":0}' "" -name c add-many --file lf
check "counts: several files, as if one" 0 '{"added":2,"failed":0,"skipped":4}' "" \
    -name c add-many --file=lf --file=more.gz --file=crlf
run -name c add-many --file=- <blanks
expect "--file=- is standard input" 0 '{"added":0,"failed":0,"skipped":2}'
check "remove-many: counts" 0 '{"failed":0,"removed":2,"skipped":2}' "" -name c remove-many --file=lf --file=open --file=empty
check "what is left" 0 'three
four' "" -name c list

# Everything is read before anything is written.
info='{"keywords":0,"nodes":1}'
check "a file that is not there" 1 "" 'acor: gone: No such file or directory' -name x add-many --file=lf --file=gone
check "nothing was added" 0 "$info" "" -name x info
check "a folder" 1 "" 'acor: .: Is a directory' -name x add-many --file=lf --file=.
check "all that is wrong is named" 1 "" 'acor: gone: *
acor: .: *' -name x add-many --file=gone --file=lf --file=.
head -c 20 packed >cut.gz
check "gzip cut off" 1 "" 'acor: cut.gz: broken gzip data: it ends too early' -name x add-many --file=lf --file=cut.gz
head -c 12 packed >head.gz
check "gzip, only its head" 1 "" 'acor: head.gz: broken gzip data: *' -name x add-many --file=head.gz
(head -c 12 packed && printf 'rubbish rubbish rubbish') >bad.gz
check "gzip, broken" 1 "" 'acor: bad.gz: broken gzip data: *' -name x add-many --file=bad.gz
(cat packed && printf 'rubbish') >tail.gz
check "gzip, something behind it" 1 "" 'acor: tail.gz: broken gzip data: something else follows it' -name x add-many --file=tail.gz
if [ "$(id -u)" -ne 0 ]; then
    cp lf secret
    chmod 0 secret
    check "a file nobody may read" 1 "" 'acor: secret: Permission denied' -name x add-many --file=secret
else
    skip "a file nobody may read" "the superuser may"
fi
check "still nothing was added" 0 "$info" "" -name x info
check "control bytes of a name are masked" 1 "" 'acor: a\\nb\\x1b: No such *' -name x add-many --file="$(printf 'a\nb\033')"

# A keyword over the limit of 16 MiB.
{
    printf 'small\n\n'
    head -c 16777217 /dev/zero | tr '\0' x
    printf '\nlast\n'
} >big
check "best effort: named by file and line, the others are added" 1 '{"added":2,"failed":1,"skipped":0}' \
    'big:3: *' -name big add-many --file=big
check "they are there" 0 'small
last' "" -name big list
check "transactional: named, and nothing is added" 1 "" 'big:3: *
acor: nothing was added' -name big2 add-many -batch-mode transactional --file=big
check "nothing is there" 0 "$info" "" -name big2 info

# Large, and lean.
awk 'BEGIN { for (i = 0; i < 650000; i++) printf "word%d\n", i * 7 }' >large
if [ "${SANITIZED:-no}" = no ]; then
    check "650,000 lines" 0 '{"added":650000,"failed":0,"skipped":0}' "" -name large add-many --file=large
    run -name large list
    same "in the order of the file" "$tmp/out" large
else
    skip "650,000 lines" "too slow with sanitizers"
fi

# Progress: on a terminal, and only after a second.
cat >progress.py <<'END'
import os, pty, subprocess, sys, time
master, slave = pty.openpty()
p = subprocess.Popen([os.environ["ACOR"], "-name", "progress", "add-many", "--file=-"],
                     stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=slave)
for part in range(int(sys.argv[1])):
    p.stdin.write(b"word%d\n" % part)
    p.stdin.flush()
    time.sleep(0.3)
p.stdin.close()
p.wait()
os.set_blocking(master, False)
try:
    text = os.read(master, 65536)
except BlockingIOError:
    text = b""
print("progress" if b"MiB read" in text and text.endswith(b" \r") else repr(text))
END
if [ -n "${PYTHON3:-}" ]; then
    try "slow input: progress, then wiped" test "$("$PYTHON3" progress.py 6)" = progress
    try "quick input: no word" test "$("$PYTHON3" progress.py 1)" = "b''"
else
    skip "progress" "no python3"
fi
finish
