#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: sh scripts/build.sh FOLDER [CONFIGURE-OPTION...]
# Builds the tree in FOLDER, a folder below the tree. Again is cheap: it does
# what is left to do.
set -eu

[ $# -gt 0 ] || { echo "usage: sh scripts/build.sh FOLDER [CONFIGURE-OPTION...]" >&2; exit 2; }
cd "$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)"
folder=$1
shift

run() {
    echo "+ $*"
    "$@"
}

# Output in full goes to a file, and is shown if it went wrong.
quietly() {
    echo "+ $*"
    "$@" >"$log" 2>&1 </dev/null || { cat "$log" >&2; exit 1; }
}

mkdir -p "$folder"
log=$(pwd)/$folder/build.log
if [ ! -f configure ] || [ ! -f tests/Makefile.in ]; then
    quietly ./bootstrap
fi

cd "$folder"
echo "+ cd $folder"
# The same options as last time: nothing to configure.
if [ ! -f Makefile ] || [ "$(cat options.used 2>/dev/null)" != "$*" ]; then
    quietly ../configure "$@"
    printf '%s\n' "$*" >options.used
fi
quietly make -j"$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)"
