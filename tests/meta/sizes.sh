#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A file has one subject: 650 lines at most, generated tables apart. Each says
# its licence in one line, and leaves no note of work undone.
# shellcheck source=tests/meta/tap.sh
. "$(dirname "$0")/tap.sh"

cd "$top_srcdir"
find src include tests bench examples scripts \
    \( -name '*.[ch]' -o -name '*.sh' -o -name '*.py' -o -name '*.awk' -o -name '*.mk' -o -name 'Makefile.am' \) \
    -type f | sort >"$tmp/files"
printf '%s\n' Makefile.am configure.ac bootstrap scripts/packages.txt >>"$tmp/files"

while read -r f; do
    if head -n 5 "$f" | grep -q 'enerated by scripts/'; then
        continue
    fi
    lines=$(wc -l <"$f")
    [ "$lines" -le 650 ] || echo "$f: $lines lines"
done <"$tmp/files" >"$tmp/bad"
quiet "no file over 650 lines" "$tmp/bad"

while read -r f; do
    head -n 4 "$f" | grep -q 'SPDX-License-Identifier: Apache-2\.0' || echo "$f"
done <"$tmp/files" >"$tmp/bad"
quiet "every source has its SPDX line" "$tmp/bad"

xargs grep -n -E 'TO''DO|FIX''ME|XX''X:' <"$tmp/files" >"$tmp/bad" || true
quiet "no notes of work undone" "$tmp/bad"
finish
