#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the layers' archives need from each other, against src/layers.txt: the
# includes may be right and the linker still reach elsewhere.
# shellcheck source=tests/meta/tap.sh
. "$(dirname "$0")/tap.sh"

lib=$top_builddir/src

archive() {
    if [ -e "$lib/.libs/lib$1.a" ]; then
        echo "$lib/.libs/lib$1.a"
    else
        echo "$lib/lib$1.a"
    fi
}

# A layer without code yet has an empty archive.
defined() { nm -g --defined-only "$1" 2>/dev/null | awk 'NF == 3 { print $3 }'; }
needed() { nm -A -u "$1" 2>/dev/null | awk '{ sub(/:[^:]*$/, "", $1); print $NF, $1 }'; }

while IFS=: read -r layer allowed; do
    a=$(archive "$layer")
    if [ ! -e "$a" ]; then
        # The program is no library; what it can reach is what libacor exports.
        [ "$layer" = cli ] || { echo "no archive for $layer" >"$tmp/bad"; ok 1 "$layer" "$tmp/bad"; }
        continue
    fi
    # shellcheck disable=SC2086 # a list of layers
    for l in $layer $allowed; do
        defined "$(archive "$l")"
    done | sort -u >"$tmp/have"
    needed "$a" | sort -u >"$tmp/need"
    awk -v layer="$layer" '
        NR == FNR { have[$1] = 1; next }
        $1 ~ /^(acr|acor)_/ && !($1 in have) { print layer " reaches outside its layers: " $1 " (" $2 ")" }
        $1 ~ /^sqlite3_/ && layer != "store" { print layer " calls SQLite: " $1 " (" $2 ")" }
        $1 ~ /^pthread_/ && layer != "base" { print layer " calls pthread: " $1 " (" $2 ")" }
        ' "$tmp/have" "$tmp/need" >"$tmp/bad"
    quiet "$layer needs only: $layer$allowed" "$tmp/bad"
done <"$top_srcdir/src/layers.txt"
finish
