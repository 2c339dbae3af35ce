#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example program does what it says.
# shellcheck source=tests/meta/tap.sh
. "$(dirname "$0")/tap.sh"

example=$top_builddir/examples/filter-stdin

# gives NAME STATUS WANT WORDS...: its input is $tmp/in.
gives() {
    name=$1
    want_status=$2
    printf '%b' "$3" >"$tmp/want"
    shift 3
    status=0
    "$example" "$@" <"$tmp/in" >"$tmp/got" 2>"$tmp/err" || status=$?
    {
        [ "$status" -eq "$want_status" ] || echo "status $status instead of $want_status"
        diff "$tmp/want" "$tmp/got" || true
        cat "$tmp/err"
    } >"$tmp/why"
    [ "$want_status" -eq 2 ] && [ "$status" -eq 2 ] && : >"$tmp/why"
    quiet "$name" "$tmp/why"
}

printf 'all is well\nthe SPAM of today\n\nsome Straße\nlast line, no eggs' >"$tmp/in"
gives "lines with a keyword are printed" 0 'the SPAM of today\nlast line, no eggs\n' spam eggs
gives "letters beyond ASCII are folded too" 0 'some Straße\n' STRASSE 'STRAßE'
gives "no keyword occurs" 1 '' ham
gives "no keywords at all is a wrong use" 2 ''

printf 'a\0spam\nb\0\n' >"$tmp/in"
gives "NUL is data" 0 'a\0000spam\n' spam

: >"$tmp/in"
gives "empty input" 1 '' spam
finish
