#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What make check-redis does in short, for long: 500 rounds of the mixed fleet,
# 10,000 faults, the races and the lost replies ten times over. ROUNDS, FAULTS
# and TIMES say otherwise. Shows what failed, and the seeds of it; the last line
# is the sum. Needs PYTHON3, srcdir and builddir.
set -u

here=$(dirname "$0")
times=${TIMES:-10}
out=${builddir:-.}/redis
mkdir -p "$out"
sum=$out/soak.log
: >"$sum"

# run WHAT TEST...: some of them by loop.sh, whose own sum is not shown.
run() {
    echo "== $1"
    shift
    sh "$here/loop.sh" "$@" >"$out/soak.part"
    status=$?
    cat "$out/soak.part" >>"$sum"
    grep -v '^check-redis: ' "$out/soak.part"
    if [ "$status" -ne 0 ]; then
        failed=1
        for t in "$@"; do
            sed -n 's/^# SEED=/   seed /p' "$out/$(basename "$t" .py).log"
        done
    fi
}

failed=0
ROUNDS=${ROUNDS:-500}
FAULTS=${FAULTS:-10000}
export ROUNDS FAULTS
run "$ROUNDS rounds of the mixed fleet" redis/fleet.py
run "$FAULTS faults" redis/faults.py
i=0
while [ "$i" -lt "$times" ]; do
    i=$((i + 1))
    run "races and lost replies, $i of $times" redis/races.py redis/lost_reply.py
done
rm -f "$out/soak.part"
sed -n 's/^check-redis: //p' "$sum" |
    awk '{ p += $1; f += $3; s += $5 }
        END { printf "soak: %d passed, %d failed, %d skipped\n", p, f, s }'
exit "$failed"
