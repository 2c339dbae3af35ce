#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What happens at the ends of pipes: closed, full, slow, silent.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

awk 'BEGIN { for (i = 0; i < 200000; i++) print "he and line", i }' >large
echo 0 >"$tmp/rc"
{ "$ACOR" filter -e he large 2>"$tmp/err" || echo "$?" >"$tmp/rc"; } | head -n 1 >"$tmp/out"
rc=$(cat "$tmp/rc")
expect "a closed pipe ends it without a word" "$rc" 'he and line 0'
try "and not with success" test "$rc" -ne 0
# A parent that ignores SIGPIPE leaves EPIPE to us.
echo 0 >"$tmp/rc"
(trap '' PIPE && "$ACOR" filter -e he large 2>"$tmp/err" || echo "$?" >"$tmp/rc") | head -n 1 >"$tmp/out"
rc=$(cat "$tmp/rc")
expect "the same where SIGPIPE is ignored" 2 'he and line 0'
if [ -w /dev/full ]; then
    full() {
        rc=0
        "$ACOR" "$@" >/dev/full 2>"$tmp/err" || rc=$?
        : >"$tmp/out"
    }
    said='acor: standard output: No space left on device'
    full filter -e he large
    expect "filter into /dev/full: 2" 2 "" "$said"
    echo he >small
    full filter -e he small
    expect "a small output too" 2 "" "$said"
    full filter -c -e he small
    expect "-c too" 2 "" "$said"
    full version
    expect "JSON form: 1" 1 "" "$said"
    full help
    expect "help: 1" 1 "" "$said"
    full --url=mem: add x
    expect "add: 1" 1 "" "$said"
    full --url=mem: add-many x
    expect "add-many: 1" 1 "" "$said"
    full --url=mem: info
    expect "info: 1" 1 "" "$said"
else
    skip "a full device" "no /dev/full"
fi
rc=0
"$ACOR" filter -e he small >&- 2>"$tmp/err" || rc=$?
: >"$tmp/out"
expect "standard output closed" 2 "" 'acor: standard output: Bad file descriptor'
rc=0
"$ACOR" filter -e he <&- >"$tmp/out" 2>"$tmp/err" || rc=$?
expect "standard input closed" 2 "" 'acor: (standard input): Bad file descriptor'
cp small grows
# shellcheck disable=SC2094 # that is the point
"$ACOR" filter -e he grows >>grows 2>"$tmp/err" && rc=0 || rc=$?
: >"$tmp/out"
expect "the input is also the output" 2 "" 'acor: grows: the input is also the output'

# Each line comes out while the pipe is still open.
mkfifo in out
"$ACOR" filter -n -e he <in >out &
exec 3>in 4<out
echo "one he" >&3
read -r line <&4
try "a slow pipe: a line comes at once" test "$line" = "1:one he"
printf 'two\nthree he\nfo' >&3
read -r line <&4
try "the next one" test "$line" = "3:three he"
printf 'ur he' >&3
exec 3>&-
read -r line <&4
try "the last one at the end" test "$line" = "4:four he"
exec 4<&-
wait

# -q stops at the first match: it does not wait for the rest.
mkfifo quiet
"$ACOR" filter -q -e he <quiet &
pid=$!
exec 3>quiet
echo "a he" >&3
rc=0
wait "$pid" || rc=$?
try "-q does not wait for the end" test "$rc" -eq 0
exec 3>&-

# What does not read standard input does not wait for it.
mkfifo silent
sleep 600 >silent &
pid=$!
rc=0
timeout 20 "$ACOR" --url=mem: find he <silent >"$tmp/out" 2>"$tmp/err" || rc=$?
expect "find does not read standard input" 0 '{"matches":[]}'
timeout 20 "$ACOR" filter -e he small <silent >"$tmp/out" 2>"$tmp/err" || rc=$?
expect "nor filter with a FILE" 0 'he'
timeout 20 "$ACOR" --url=mem: add-many -- --  <silent >"$tmp/out" 2>"$tmp/err" || rc=$?
expect "nor add-many of words" 0 '{"added":["--"],"failed":[],"skipped":[]}'
kill "$pid"
finish
