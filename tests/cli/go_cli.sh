#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The recorded answers of the Go program.
if [ -z "${PYTHON3:-}" ]; then
    echo "1..0 # SKIP no python3"
    exit 0
fi
if [ "${SQLITE:-no}" = no ]; then
    echo "1..0 # SKIP built without the embedded store"
    exit 0
fi
exec "$PYTHON3" "$top_srcdir/tests/cli/go_cli.py"
