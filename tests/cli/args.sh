#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The grammar of the command line: what is an option, what is an argument, and
# what is said when it is neither. Nothing here touches a store.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

usage='Usage:*'
check "no command: usage, exit 2" 2 "" "$usage"
for h in -h -help --help --h; do
    check "$h: usage on standard error, exit 0" 0 "" "$usage" "$h"
done
check "-h ends the reading, whatever follows" 0 "" "$usage" -h -nope
check "unknown command: said, then usage" 2 "" 'unknown command "nope"
Usage:*' nope
check "an unknown command's words are no options" 2 "" 'unknown command "nope"
Usage:*' nope -x

run help
cp "$tmp/out" "$tmp/help"
try "help prints on standard output" test "$rc" -eq 0 -a -s "$tmp/help" -a ! -s "$tmp/err"
sed -n 's/^  \([a-z][a-z-]*\).*/\1/p' "$tmp/help" | grep -v '^acor$' >"$tmp/commands"
try "help names 22 commands" test "$(wc -l <"$tmp/commands")" -eq 22
while read -r c; do
    run help "$c"
    cp "$tmp/out" "$tmp/one"
    run "$c" --help
    same "help $c equals $c --help" "$tmp/out" "$tmp/one"
done <"$tmp/commands"
check "help for what is no command" 2 "" 'acor: unknown command "x"' help x
check "help for two commands" 2 "" 'acor: help is for one command' help add find
run find -h
try "-h after a command is its help" grep -q 'acor \[options\] find' "$tmp/out"

version=$(sed -n 's/^#define ACOR_VERSION_STRING "\(.*\)"$/\1/p' "$top_srcdir/include/acor/version.h")
check "version" 0 "$version" "" version
check "--version" 0 "$version" "" --version
check "version takes no arguments" 2 "" 'command "version" does not accept arguments' version x

# Go's flags: one dash or two, with = or without, before or after the command.
for f in "-name x" "-name=x" "--name x" "--name=x" "-name="; do
    # shellcheck disable=SC2086
    check "$f before the command" 0 "$version" "" $f version
    # shellcheck disable=SC2086
    check "$f after the command" 0 "$version" "" version $f
done
check "a value may begin with a dash" 2 "" 'workers must be non-negative' -workers -1 find-parallel x
check "a bool takes no next word" 2 "" 'command "version" does not accept arguments' -cache version true
for v in 1 t T true TRUE True 0 f F false FALSE False; do
    check "-cache=$v" 0 "$version" "" "-cache=$v" version
done
check "a bool that is none" 2 "" 'invalid boolean value "maybe" for -cache: parse error' -cache=maybe version
check "a bool of ours that is none" 2 "" 'acor: invalid value "maybe" for --quiet: parse error' filter --quiet=maybe
for v in 0 7 -3 +5 0x1F 0b101 0o17 017 1_000 9223372036854775807; do
    check "-db=$v is a number" 0 "$version" "" "-db=$v" version
done
for v in "" abc 1.5 08 _1 1__0 1_ 0x " 1" 1e3 --1; do
    check "-db=\"$v\" is none" 2 "" "invalid value \"$v\" for flag -db: parse error" "-db=$v" version
done
check "a number out of range" 2 "" 'invalid value "9223372036854775808" for flag -db: value out of range' \
    -db 9223372036854775808 version
for v in 0 1s 1.5h 1h2m3s 100ms 5us 5µs .5s -0s; do
    check "a time of $v" 0 "$version" "" -preset speed -invalidation-poll-interval "$v" version
done
for v in "" s 1 1x 1.s.s 1s2; do
    check "a time of \"$v\" is none" 2 "" \
        "invalid value \"$v\" for flag -invalidation-poll-interval: parse error" \
        -preset speed "-invalidation-poll-interval=$v" version
done
check "a flag without its value" 2 "" 'flag needs an argument: -name' -name
check "an option of ours without its value" 2 "" 'acor: option --url needs a value' find x --url
check "a letter without its value" 2 "" 'acor: option -e needs a value' filter -e
check "bad syntax" 2 "" 'bad flag syntax: --=x' --=x version
check "three dashes" 2 "" 'bad flag syntax: ---x' ---x version

check "unknown flag before the command" 2 "" 'flag provided but not defined: -nope' -nope add x
check "unknown flag with a value" 2 "" 'flag provided but not defined: -nope' --nope=5 add x
check "one dash too few" 2 "" 'flag provided but not defined: -url
acor: did you mean --url[?]' -url x find y
check "unknown option after the command" 2 "" \
    'acor: unknown option "-x"; put -- before a keyword that begins with -' add -x
check "unknown long option after the command" 2 "" \
    'acor: unknown option "--frob=1"; put -- before a keyword that begins with -' find --frob=1 x
check "an option of another command" 2 "" \
    'acor: -q does not apply to add; put -- before a keyword that begins with -' add -q
check "the same before the command" 2 "" 'acor: --json does not apply to add' --json add x
check "find TEXT has no -v" 2 "" \
    'acor: -v only applies to filter and to find --input; put -- before a keyword that begins with -' find -v x
check "find TEXT has no -f" 2 "" 'acor: -f only applies to filter and to find --input*' find -f x y
check "-i with find needs -q" 2 "" 'acor: -i only applies to *' find -i x
check "-i with contains needs -q" 2 "" 'acor: -i only applies to contains with -q' contains -i x
check "--json and -c" 2 "" 'acor: --json shows matches; it does not go with -c, -v or -o' filter --json -c
check "list --json and --null" 2 "" 'acor: --json and --null do not go together' list -0 --json
check "text and --input" 2 "" 'acor: find takes its text from *, not both' find --input=a b
check "keywords and --file" 2 "" 'acor: add-many takes its keywords from *, not both' add-many --file=a b
check "a time-out of 0" 2 "" 'acor: invalid value "0" for --timeout: milliseconds, from 1 to 4294967295' \
    --timeout=0 find x
check "a time-out that is none" 2 "" 'acor: invalid value "x" for --timeout: parse error' find x --timeout x

# The rules of the Go program, in its order.
check "order: ring before addrs" 2 "" 'ring-addrs must be comma-separated shard=addr pairs' \
    -addrs , -ring-addrs x -preset x nope
check "order: addrs before enums" 2 "" 'addrs must contain at least one address' -addrs , -preset x nope
check "order: enums before numbers" 2 "" 'unknown preset "x"' -preset x -workers -1 nope
check "order: preset, batch mode" 2 "" 'unknown batch mode ""' -batch-mode "" -boundary x nope
check "order: boundary, match kind" 2 "" 'unknown boundary "a\\"b"' -boundary 'a"b' -match-kind x nope
check "order: numbers before the command" 2 "" 'workers must be non-negative' -workers -1 nope
check "order: command before migrate's flags" 2 "" 'unknown command "nope"*' -dry-run nope
check "order: migrate's flags before arguments" 2 "" '-dry-run and -keep-old-keys only apply *' -keep-old-keys info x
check "order: arguments before fit" 2 "" 'command "info" does not accept arguments' -batch-mode best-effort info x
check "order: fit before preset" 2 "" '-batch-mode only applies to *' -batch-mode best-effort -cache -preset speed info
check "enums may be in capitals and padded" 0 '{"matches":[]}' "" --url=mem: -boundary " LINE " find-parallel x
check "-cache=false goes with -preset" 0 '{"matches":[]}' "" --url=mem: -cache=false -preset none suggest x
for c in find-parallel find-index-parallel suggest suggest-index; do
    check "$c wants one argument" 2 "" "command \"$c\" requires exactly one argument" "$c"
    check "$c wants no more" 2 "" "command \"$c\" requires exactly one argument" "$c" x y
done
for c in suggest suggest-index; do
    check "$c with a preset" 2 "" "\"$c\" is unavailable in preset mode" -preset speed "$c" x
    check "$c: a limit that is none" 2 "" 'acor: invalid value "x" for --limit: parse error' "$c" --limit=x he
    check "$c: a limit below nothing" 2 "" 'acor: invalid value "-1" for --limit: must not be negative' "$c" --limit -1 he
done
check "--limit is for suggest" 2 "" 'acor: --limit does not apply to find; *' find --limit=1 x
check "--sorted too" 2 "" 'acor: --sorted does not apply to list; *' list --sorted
check "a limit has no letter's dash" 2 "" 'flag provided but not defined: -limit
acor: did you mean --limit[?]' -limit 1 suggest x
for c in migrate migrate-rollback; do
    check "$c comes later" 1 "" "acor: \"$c\" is not part of this release yet" "$c"
    check "$c wants no argument" 2 "" "command \"$c\" does not accept arguments" "$c" x
done
check "migrate's flags after the command" 1 "" 'acor: "migrate" is not *' migrate --dry-run -keep-old-keys=true

# Redis by Go's rules.
check "addr and addrs" 1 "" 'redis topology settings are conflicting' -addr a -addrs b info
check "ring and master" 1 "" 'redis topology settings are conflicting' -ring-addrs a=b -master-name m info
check "ring and addrs" 1 "" 'redis topology settings are conflicting' -ring-addrs a=b -addrs c info
check "master without addrs" 1 "" 'redis sentinel requires at least one address' -master-name m info
check "cluster with a database" 1 "" 'redis cluster does not support DB selection' -addrs a:1 -db 1 info
# Nothing listens on port 1.
for o in "-addr 127.0.0.1:1" "-addr 127.0.0.1:1 -password hidden" "-addr 127.0.0.1:1 -db 1"; do
    # shellcheck disable=SC2086
    check "$o selects Redis" 1 "" 'acor: *' $o info
    # shellcheck disable=SC2016 # for the inner shell
    try "$o: the password is not shown" sh -c '! grep -q hidden "$1"' sh "$tmp/err"
done
for o in "-addrs a:1,b:2" "-master-name m -addrs a:1" "-ring-addrs a=b:1"; do
    # shellcheck disable=SC2086
    check "$o selects Redis" 1 "" 'acor: *redis*' $o info
    # shellcheck disable=SC2016 # for the inner shell
    try "$o: the password is not shown" sh -c '! grep -q hidden "$1"' sh "$tmp/err"
done
check "topology in filter form: exit 2" 2 "" 'redis topology *' -addr a -addrs b filter
check "Redis in filter form: exit 2" 2 "" 'acor: *' -addr 127.0.0.1:1 find -q x
check "a colon in the name" 1 "" "collection name must not contain ':'" -name a:b info
finish
