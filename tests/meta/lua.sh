#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Lua texts in the library are those of the .lua files.
set -u
echo 1..1
if [ -z "${PYTHON3:-}" ]; then
    echo "ok 1 - lua_scripts.c is up to date # SKIP no python3"
elif said=$("$PYTHON3" "$top_srcdir/scripts/gen-lua.py" --check 2>&1); then
    echo "ok 1 - lua_scripts.c is up to date"
else
    echo "not ok 1 - lua_scripts.c is up to date"
    echo "# $said"
    exit 1
fi
