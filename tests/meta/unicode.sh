#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tables in src/text are what the script makes of Unicode 15.0.
# shellcheck source=tests/meta/tap.sh
. "$(dirname "$0")/tap.sh"

[ -n "${PYTHON3:-}" ] || skip_all "no python3"
[ -e /usr/share/unicode/UnicodeData.txt ] || skip_all "unicode-data is not installed"
grep -q -F 'Version 15.0.0 ' /usr/share/unicode/ReadMe.txt 2>/dev/null ||
    skip_all "unicode-data is of another version"

cd "$top_srcdir"
try "generated tables are up to date" "$PYTHON3" scripts/gen-unicode.py --check
finish
