#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tables against the Unicode files themselves, read another way than by the
# generator: categories and white space from the derived and property lists,
# simple lower case from UnicodeData.txt. Skipped without unicode-data 15.0.
data=${UNICODE_DATA:-/usr/share/unicode}
echo 1..1

why=
if [ -z "$PYTHON3" ]; then
    why='no python3'
elif ! grep -q '^# PropList-15\.0\.0\.txt' "$data/PropList.txt" 2>/dev/null; then
    why='no unicode-data 15.0'
elif [ ! -f "$data/extracted/DerivedGeneralCategory.txt" ]; then
    why='no derived categories'
fi
if [ -n "$why" ]; then
    echo "ok 1 - the tables say what Unicode 15.0 says # SKIP $why"
    exit 0
fi

if "$top_builddir/tests/unit/test_text" --dump |
    "$PYTHON3" "$top_srcdir/tests/unit/unicode.py" "$data"; then
    echo 'ok 1 - the tables say what Unicode 15.0 says'
else
    echo 'not ok 1 - the tables say what Unicode 15.0 says'
fi
