# SPDX-License-Identifier: Apache-2.0
# Adds up the summaries that automake's test harness and check-redis print, over
# any number of runs in the input. Prints: PASSED FAILED SKIPPED
$1 == "#" && $2 ~ /^(PASS|XFAIL):$/ { passed += $3 }
$1 == "#" && $2 ~ /^(FAIL|XPASS|ERROR):$/ { failed += $3 }
$1 == "#" && $2 == "SKIP:" { skipped += $3 }
$1 == "check-redis:" { passed += $2; failed += $4; skipped += $6 }
END { print passed + 0, failed + 0, skipped + 0 }
