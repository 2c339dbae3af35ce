#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: sh scripts/measure-import.sh BUILD-FOLDER [WORDS [TEXT-BYTES]]
# Loads a word list into a fresh embedded store, against the sqlite3 shell's own
# import of the same file into a table with a unique index: interleaved, three
# rounds, the best of each. Then compares counts with independent ones: keywords
# by a script, matching lines by grep. Needs the packages of section [measure].
set -eu

[ $# -ge 1 ] || { echo "usage: sh scripts/measure-import.sh BUILD-FOLDER [WORDS [TEXT-BYTES]]" >&2; exit 2; }
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
build=$(CDPATH='' cd -- "$1" && pwd)
words=${2:-/usr/share/dict/american-english-insane}
bytes=${3:-50000000}
rounds=3

acor=$build/src/acor
if [ -x "$build/src/.libs/acor" ]; then
    # Without libtool's script in front.
    acor=$build/src/.libs/acor
    LD_LIBRARY_PATH=$build/src/.libs
    export LD_LIBRARY_PATH
fi

tmp=$(mktemp -d "${TMPDIR:-/tmp}/measure.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# timed FILE COMMAND...: appends "SECONDS KIBIBYTES" to FILE.
timed() {
    file=$1
    shift
    command time -q -a -o "$file" -f '%e %M' "$@"
}

by_acor() {
    rm -f "$tmp"/acor.db*
    timed "$tmp/acor.time" "$acor" --url="sqlite:$tmp/acor.db" add-many --file="$words" >"$tmp/acor.out"
}

by_shell() {
    rm -f "$tmp"/shell.db*
    timed "$tmp/shell.time" sqlite3 "$tmp/shell.db" \
        'CREATE TABLE words(word TEXT NOT NULL UNIQUE)' '.mode ascii' \
        ".separator $(printf '"\037" "\\n"')" ".import '$words' words"
}

i=0
while [ "$i" -lt "$rounds" ]; do
    by_acor
    by_shell
    i=$((i + 1))
done
cat "$tmp/acor.out"

status=0
sort -n "$tmp/acor.time" | head -n 1 >"$tmp/best"
sort -n "$tmp/shell.time" | head -n 1 >>"$tmp/best"
awk '
    NR == 1 { a = $1; am = $2 }
    NR == 2 { s = $1; sm = $2 }
    END {
        printf "import: acor %.2f s, %.0f MiB; sqlite3 %.2f s, %.0f MiB; ratio %.2f\n",
            a, am / 1024, s, sm / 1024, (s > 0 ? a / s : 0)
    }' "$tmp/best"
echo "file: acor $(wc -c <"$tmp/acor.db") bytes, sqlite3 $(wc -c <"$tmp/shell.db") bytes"

# same NAME OURS THEIRS
same() {
    if [ "$2" = "$3" ]; then
        echo "$1: $2, as counted independently"
    else
        echo "$1: acor says $2, counted independently $3" >&2
        status=1
    fi
}

python3 "$here/normal-form.py" --keywords <"$words" >"$tmp/keywords"
ours=$("$acor" --url="sqlite:$tmp/acor.db" info | sed 's/.*"keywords":\([0-9]*\).*/\1/')
same "keywords" "$ours" "$(wc -l <"$tmp/keywords" | tr -d ' ')"

# All of them, though nearly every line has one then, and one in forty of those
# with more than 9 letters.
awk 'length($0) > 9 && ++n % 40 == 0' "$tmp/keywords" >"$tmp/few"
python3 "$here/gen-text.py" "$words" "$bytes" 1 >"$tmp/text"
python3 "$here/normal-form.py" <"$tmp/text" >"$tmp/text.lower"
for set in keywords few; do
    ours=$(timed "$tmp/$set.time" "$acor" filter -c -f "$tmp/$set" "$tmp/text" || true)
    theirs=$(LC_ALL=C timed "$tmp/$set.grep" grep -F -c -f "$tmp/$set" "$tmp/text.lower" || true)
    same "lines that match ($set, $(wc -l <"$tmp/$set" | tr -d ' ') of them, $(wc -c <"$tmp/text") bytes of text)" "$ours" "$theirs"
    awk -v set="$set" '
        NR == FNR { a = $1; am = $2; next }
        { printf "filter (%s): acor %.2f s, %.0f MiB; grep -F %.2f s, %.0f MiB\n", set, a, am / 1024, $1, $2 / 1024 }
        ' "$tmp/$set.time" "$tmp/$set.grep"
done

# The stored dictionary answers as the list did.
same "lines that match the stored dictionary" \
    "$(timed "$tmp/stored.time" "$acor" --url="sqlite:$tmp/acor.db" filter -c "$tmp/text" || true)" \
    "$("$acor" filter -c -f "$words" "$tmp/text" || true)"
awk '{ printf "filter (stored): acor %.2f s, %.0f MiB, loading and compiling included\n", $1, $2 / 1024 }' "$tmp/stored.time"
exit "$status"
