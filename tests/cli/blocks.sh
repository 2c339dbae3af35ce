#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whole blocks are scanned at once; the result is that of line after line.
if [ -z "${PYTHON3:-}" ]; then
    echo "1..0 # SKIP no python3"
    exit 0
fi
exec "$PYTHON3" "$top_srcdir/tests/cli/blocks.py" 25
