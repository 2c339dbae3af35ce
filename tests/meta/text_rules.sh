#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The examples of docs/text-rules.md do what stands there: each console block is
# run in an empty folder, each C program is compiled and run.
# shellcheck source=tests/meta/tap.sh
. "$(dirname "$0")/tap.sh"

[ "${SQLITE:-yes}" != no ] || skip_all "built without the embedded store"
cd "$top_srcdir"
page=docs/text-rules.md

# Blocks as NUMBER.console, NUMBER.c and NUMBER.output, with NUMBER.at for the line;
# the output of a program has the number of the program.
awk -v dir="$tmp" '
    /^```./ {
        kind = substr($0, 4)
        if (kind != "output")
            n++
        file = sprintf("%s/%02d.%s", dir, n, kind)
        at = sprintf("%s/%02d.at", dir, n)
        if (kind != "output")
            print NR > at
        printf "" > file
        next
    }
    /^```$/ { file = "" }
    file != "" { print > file }' "$page"
for f in "$tmp"/[0-9]*; do
    case $f in
    *.console | *.c | *.output | *.at) ;;
    *) echo "a block that nobody tests: ${f##*.}" ;;
    esac
done >"$tmp/bad"
quiet "every block is of a kind that is tested" "$tmp/bad"

mkdir "$tmp/bin"
printf '#!/bin/sh\nexec "%s/src/acor" "$@"\n' "$top_builddir" >"$tmp/bin/acor"
chmod +x "$tmp/bin/acor"

# The page as a script that shows each command before it runs it.
scripts=0
commands=0
for block in "$tmp"/*.console; do
    n=${block##*/}
    n=${n%.console}
    scripts=$((scripts + 1))
    commands=$((commands + $(grep -c '^\$ ' "$block")))
    mkdir "$tmp/$n"
    sed -n 's/^\$ \(.*\)$/cat <<'\''COMMAND'\''\n$ \1\nCOMMAND\n\1/p' "$block" >"$tmp/$n.sh"
    (cd "$tmp/$n" && PATH=$tmp/bin:$PATH ACOR_URL=sqlite:words.db XDG_DATA_HOME=$tmp/$n HOME=$tmp/$n \
        sh "$tmp/$n.sh") >"$tmp/$n.got" 2>&1 </dev/null || true
    status=0
    diff -u "$block" "$tmp/$n.got" >"$tmp/why" || status=1
    ok "$status" "the commands at line $(cat "$tmp/$n.at") print what stands there" "$tmp/why"
done
try "there are many commands" test "$scripts" -ge 10 -a "$commands" -ge 30

# In the build's folder, as libtool takes no path with a blank in it.
link() {
    # shellcheck disable=SC2086,SC2317 # the compiler may come with options; called by try
    (cd "$top_builddir" && sh ./libtool --silent --tag=CC --mode=link ${CC:-cc} -o "$1" "$1.o" src/libacor.la)
}
programs=0
for c in "$tmp"/*.c; do
    n=${c##*/}
    n=${n%.c}
    at=$(cat "$tmp/$n.at")
    programs=$((programs + 1))
    # shellcheck disable=SC2086 # the compiler may come with options
    try "the program at line $at compiles" ${CC:-cc} -std=c99 -Wall -Wextra -Wpedantic -Werror \
        -Iinclude -c -o "$tmp/$n.o" "$c"
    if [ "${SANITIZED:-no}" != no ]; then
        skip "the program at line $at prints what stands there" "needs the sanitizers' own flags"
        continue
    fi
    try "the program at line $at links" link "$tmp/$n"
    status=0
    "$tmp/$n" >"$tmp/$n.got" 2>&1 || status=$?
    diff -u "$tmp/$n.output" "$tmp/$n.got" >"$tmp/why" || status=1
    ok "$status" "the program at line $at prints what stands there" "$tmp/why"
done
try "there are programs" test "$programs" -ge 4
finish
