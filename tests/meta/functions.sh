#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: functions.sh TOP: the names of all public functions, sorted.
set -eu
awk -f "$(dirname "$0")/strip.awk" "$1"/include/acor/*.h |
    sed 's/^[^:]*:[0-9]*://' | grep -v '^ *#' | tr '\n' ' ' | tr ';' '\n' |
    sed -n 's/.*ACOR_API.* \**\(acor_[a-z0-9_]*\)(.*/\1/p' | LC_ALL=C sort
