#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: loop.sh TEST... (below the tests' folder)
# Runs TAP programs one after the other and shows what failed. The last line is
# the sum. Needs PYTHON3, srcdir and builddir.
set -u

passed=0 failed=0 skipped=0
out=${builddir:-.}/redis
mkdir -p "$out"
for t in "$@"; do
    log=$out/$(basename "$t" .py).log
    begun=$(date +%s)
    "${PYTHON3:-python3}" "$srcdir/$t" >"$log" 2>&1
    status=$?
    good=$(grep -c '^ok ' "$log")
    bad=$(grep -c '^not ok ' "$log")
    skip=$(grep -c '^ok .*# SKIP' "$log")
    planned=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$log" | tail -n 1)
    if grep -q '^1\.\.0 # SKIP' "$log"; then
        skip=1 good=1
    elif [ "${planned:-none}" != $((good + bad)) ] || { [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; }; then
        bad=$((bad + 1))
        echo "not ok - $t: ended with status $status after $((good + bad - 1)) of ${planned:-an unknown number of} tests"
        tail -n 20 "$log" | sed 's/^/#   /'
    fi
    awk '/^not ok /{ on = 1; print; next } /^(ok |1\.\.)/{ on = 0 } on { print }' "$log"
    passed=$((passed + good - skip)) failed=$((failed + bad)) skipped=$((skipped + skip))
    echo "$t: $((good - skip)) passed, $bad failed, $skip skipped, $(($(date +%s) - begun)) s"
done
echo "check-redis: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
