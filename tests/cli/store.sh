#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which store is meant, what is said about it, and that nothing is lost there.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need_sqlite

# --- the user's own file ---
data=$XDG_DATA_HOME
check "reading makes nothing" 0 '{"matches":[]}' "" find x
check "removing makes nothing" 0 '{"count":0}' "" remove x
run add-many - </dev/null
expect "adding nothing makes nothing" 0 '{"added":[],"failed":[],"skipped":[]}'
try "no folder was made" test ! -e "$data"
check "the write that makes the file says where" 0 '{"count":1}' \
    "acor: note: the keywords are kept in $data/acor/acor.db" add x
check "the next one does not" 0 '{"count":1}' "" add y
# shellcheck disable=SC2016 # for the inner shell
try "the folder is for its owner" sh -c 'case $(ls -ld "$1") in drwx------*) ;; *) exit 1 ;; esac' sh "$data/acor"
check "the next process sees it at once" 0 '{"matches":["x","y"]}' "" find xy
XDG_DATA_HOME=relative
check "a relative XDG_DATA_HOME is ignored" 0 '{"added":["h"],"failed":[],"skipped":[]}' \
    "acor: note: the keywords are kept in $HOME/.local/share/acor/acor.db" add-many h
XDG_DATA_HOME=
check "an empty one too" 0 '{"matches":["h"]}' "" find h
unset XDG_DATA_HOME
check "none as well" 0 '{"matches":["h"]}' "" find h
(
    unset HOME
    run find h
    expect "no HOME" 1 "" 'acor: no place for the store: HOME is not set; *'
    echo "$tap_n $tap_bad" >"$tmp/tap"
)
read -r tap_n tap_bad <"$tmp/tap"
XDG_DATA_HOME="$tmp/a b%?#ü"
export XDG_DATA_HOME
check "a path with all kinds of bytes" 0 '{"count":1}' "acor: note: the keywords are kept in $XDG_DATA_HOME/acor/acor.db" add z
try "the file is there" test -f "$XDG_DATA_HOME/acor/acor.db"
: >"$tmp/plain"
XDG_DATA_HOME=$tmp/plain/sub
check "a folder that cannot be made" 1 "" "acor: cannot make the folder $tmp/plain/sub: Not a directory" add z
XDG_DATA_HOME=$data

# --- the choice ---
ACOR_URL=sqlite:$tmp/env.db
export ACOR_URL
check "ACOR_URL before the own file" 0 '{"count":1}' "" add env
check "--url before ACOR_URL" 0 '{"count":1}' "" --url "sqlite:$tmp/opt.db" add opt
check "--url after the command" 0 '{"matches":["opt"]}' "" find --url="sqlite:$tmp/opt.db" "opt env"
check "Redis' options before ACOR_URL" 1 "" 'acor: *' -addr 127.0.0.1:1 find x
check "--url before Redis' options" 0 '{"matches":["opt"]}' "" --url "sqlite:$tmp/opt.db" -db 5 find opt
check "mem: is a store" 0 '{"count":1}' "" --url=mem: add x
check "an unknown scheme" 1 "" 'acor: *' --url=gopher:x find x
check "no scheme" 1 "" 'acor: *scheme*' --url=words.db find x
check "an unknown scheme in filter form" 2 "" 'acor: *' --url=gopher:x filter
ACOR_URL=
check "an empty ACOR_URL is none" 0 '{"matches":["x","y"]}' "" find xy
check "two names, one file" 0 '{"count":1}' "" -name n2 add other
check "they do not mix" 0 '{"matches":["x","y"]}' "" find "x y other"
unset ACOR_URL

# --- files that are no store, or cannot be written ---
u="--url=sqlite:$tmp/opt.db"
echo "not a database, but long enough to be told from an empty file" >text.db
check "a text file" 1 "" 'acor: *text.db*' --url=sqlite:text.db find x
check "a text file is not written" 1 "" 'acor: *text.db*' --url=sqlite:text.db add x
check "a folder" 1 "" 'acor: *' "--url=sqlite:$tmp" add x
check "a folder that is not there" 1 "" 'acor: *' --url=sqlite:none/x.db add x
if [ -n "$PYTHON3" ] && "$PYTHON3" -c 'import sqlite3' 2>/dev/null; then
    "$PYTHON3" -c 'import sqlite3; c = sqlite3.connect("other.db"); c.execute("create table t(x)"); c.commit()'
    cp other.db other.copy
    check "somebody else's SQLite file" 1 "" 'acor: *other.db*' --url=sqlite:other.db find x
    check "it is not written" 1 "" 'acor: *other.db*' --url=sqlite:other.db add x
    same "it is as it was" other.db other.copy
    cat >hold.py <<'END'
import sqlite3, sys
c = sqlite3.connect(sys.argv[1], isolation_level=None)
c.execute("begin immediate")
print("held", flush=True)
sys.stdin.read()
END
    mkfifo held let_go
    "$PYTHON3" hold.py "$tmp/opt.db" <let_go >held &
    exec 3>let_go
    read -r _ <held
    check "a locked file: the time-out holds" 1 "" 'acor: *' "$u" --timeout=300 add locked
    run "$u" --timeout=300 add-many a a
    # shellcheck disable=SC2016 # for the inner shell
    try "a locked file, best effort: exit 1, and listed as the Go program does" sh -c \
        '[ "$1" -eq 1 ] && grep -q -E "^\{\"added\":\[\],\"failed\":\[\{\"keyword\":\"a\",\"error\":\".+\"\}\],\"skipped\":\[\"a\"\]\}$" "$2"' \
        sh "$rc" "$tmp/out"
    check "a locked file can be read" 0 '{"matches":["opt"]}' "" "$u" --timeout=300 find opt
    exec 3>&-
    wait
    check "let go, it can be written" 0 '{"count":1}' "" "$u" add locked
else
    skip "foreign and locked files" "no python3 with sqlite3"
fi
if [ "$(id -u)" -ne 0 ]; then
    cp "$tmp/opt.db" ro.db
    chmod 444 ro.db
    check "a read-only file can be read" 0 '{"matches":["opt"]}' "" --url=sqlite:ro.db find opt
    check "and not written" 1 "" 'acor: *' --url=sqlite:ro.db add x
else
    skip "a read-only file" "the superuser may write it"
fi
mkdir small
if mount -t tmpfs -o size=256k none small 2>/dev/null; then
    small="--url=sqlite:$PWD/small/s.db"
    awk 'BEGIN { for (i = 0; i < 60000; i++) print "word", i }' >many
    check "a small disk takes a little" 0 '{"count":1}' "" "$small" add first
    check "a full disk" 1 "" 'acor: *' "$small" add-many --file=many
    check "what was there is still there" 0 '{"keywords":1,"nodes":6}' "" "$small" info
    check "a full disk takes no new store" 1 "" 'acor: *' "$small" -batch-mode=transactional add-many --file=many
    mount -o remount,ro small
    check "a read-only medium can be read" 0 '{"matches":["first"]}' "" "$small" find first
    check "and not written" 1 "" 'acor: *' "$small" add x
    umount small
else
    skip "a full disk, a read-only medium" "mounting is not permitted"
fi

# --- nothing is lost ---
awk 'BEGIN { for (i = 0; i < 40000; i++) printf "kill%d\n", i }' >kill.txt
k="--url=sqlite:$tmp/kill.db"
"$ACOR" "$k" add old >/dev/null
: >"$tmp/why"
for pause in 0.01 0.02 0.04 0.06 0.08 0.1 0.15 0.2 0.3; do
    "$ACOR" "$k" add-many --file=kill.txt >/dev/null 2>&1 &
    pid=$!
    sleep "$pause"
    kill -9 "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
    got=$("$ACOR" "$k" list | wc -l)
    case $got in
    1) ;;
    40001) "$ACOR" "$k" remove-many --file=kill.txt >/dev/null ;;
    *) echo "after $pause s: $got keywords" >>"$tmp/why" ;;
    esac
done
quiet "kill -9 in a batch leaves the old or the new" "$tmp/why"
check "and the store sound" 0 '{"count":1}' "" "$k" add new

# 25 commits of 40 words by each.
p="--url=sqlite:$tmp/four.db"
for i in 1 2 3 4; do
    awk -v i="$i" 'BEGIN { for (k = 0; k < 1000; k++) printf "p%d-%d\n", i, k }' >"four$i"
    split -l 40 "four$i" "part$i-"
    (
        for f in "part$i"-*; do
            "$ACOR" "$p" --timeout=60000 add-many --file="$f" 2>&1 || echo "$f: failed"
        done
    ) | grep -v -F -x '{"added":40,"failed":0,"skipped":0}' >"lost$i" &
done
wait
cat lost? >"$tmp/why"
quiet "four processes, 1,000 words each, at once: none fails" "$tmp/why"
"$ACOR" "$p" list | sort >all
sort four? >want
same "and none is lost" all want
finish
