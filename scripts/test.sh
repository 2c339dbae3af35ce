#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds libacor in ./build-test with warnings as errors and runs all tests: make
# check, then make check-redis, which starts Redis servers of its own on free
# ports of the loopback interface. Installs what is missing for that.
set -eu

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$top"
echo "+ sh scripts/install-deps.sh build test redis"
sh scripts/install-deps.sh build test redis
sh scripts/build.sh build-test --enable-werror

cd build-test
echo "+ make check"
status=0
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
{ make -j"$jobs" check </dev/null 2>&1 || echo "make check: failed with status $?"; } | tee check.log
echo "+ make check-redis"
ACOR_TEST_REQUIRE=redis
export ACOR_TEST_REQUIRE
{ make check-redis </dev/null 2>&1 || echo "make check: failed with status $?"; } | tee -a check.log
if grep -q '^make check: failed' check.log; then
    status=1
fi

# The harness' sums; none at all is a failure too.
tally=$(awk -f ../scripts/tally.awk check.log)
# shellcheck disable=SC2086 # three numbers
set -- $tally
[ "$1" -gt 0 ] && [ "$2" -eq 0 ] || status=1
echo
echo "test.sh: $1 passed, $2 failed, $3 skipped"
[ "$status" -eq 0 ] || echo "test.sh: not all is well; see build-test/check.log and build-test/tests/test-suite.log" >&2
exit "$status"
