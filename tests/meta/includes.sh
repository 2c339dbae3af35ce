#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Who includes whom, against the table in src/layers.txt.
# shellcheck source=tests/meta/tap.sh
. "$(dirname "$0")/tap.sh"

(
    cd "$top_srcdir"
    find src include -name '*.[ch]' | sort | xargs awk -f "$meta/includes.awk" src/layers.txt
) >"$tmp/bad"
quiet "every include stays within the layers" "$tmp/bad"
finish
