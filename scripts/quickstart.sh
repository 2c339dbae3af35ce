#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds libacor in ./build-quickstart, loads a sample dictionary into a store
# file there, and filters a sample text. Installs what is missing for that.
set -eu

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build="build-quickstart"

run() {
    echo "+ $*"
    "$@"
}

cd "$top"
run sh scripts/install-deps.sh build
sh scripts/build.sh "$build"

# The store is one file; ACOR_URL says where it is.
cd "$build"
rm -f sample.db sample.db-wal sample.db-shm
ACOR_URL=sqlite:sample.db
export ACOR_URL
echo
echo "+ cd $build; export ACOR_URL=$ACOR_URL"
run ./src/acor add-many --file=../examples/data/sample-words.txt
run ./src/acor filter -n ../examples/data/sample-text.txt
echo
run ./src/acor filter -c ../examples/data/sample-text.txt
run ./src/acor info
