#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each public header compiles alone, in old and new C and in C++, and so do the
# initialisers.
# shellcheck source=tests/meta/tap.sh
. "$(dirname "$0")/tap.sh"

flags="-Wall -Wextra -Wpedantic -Werror -fsyntax-only"
include=$top_srcdir/include

cat >"$tmp/initialisers" <<'C'
#include <acor/acor.h>
int use(void);
int use(void)
{
    acor_error error = ACOR_ERROR_INIT;
    acor_allocator allocator = ACOR_ALLOCATOR_INIT;
    acor_scan_options scan = ACOR_SCAN_OPTIONS_INIT;
    acor_parallel_options parallel = ACOR_PARALLEL_OPTIONS_INIT;
    acor_replace_options replace = ACOR_REPLACE_OPTIONS_INIT;
    acor_build_options build = ACOR_BUILD_OPTIONS_INIT;
    acor_snapshot_stats stats = ACOR_SNAPSHOT_STATS_INIT;
    acor_open_options open = ACOR_OPEN_OPTIONS_INIT;
    acor_batch_result result = ACOR_BATCH_RESULT_INIT;
    acor_info info = ACOR_INFO_INIT;
    acor_cost cost = ACOR_COST_INIT;
    acor_migrate_options migrate = ACOR_MIGRATE_OPTIONS_INIT;
    acor_migrate_result migrated = ACOR_MIGRATE_RESULT_INIT;
    return error.status == 0 && !allocator.alloc && scan.flags == 0 && !build.allocator &&
           parallel.chunk_size == 1000 && replace.mask == 0 && !replace.text.data &&
           stats.keywords == 0 && open.flags == 0 && result.failed == 0 &&
           info.exists == 0 && cost.loads == 0 && migrate.dry_run == 0 && migrated.keywords == 0;
}
C

# every LANGUAGE COMPILER STANDARD...: each header, and the initialisers.
every() {
    suffix=$1
    compiler=$2
    shift 2
    for std; do
        for h in "$include"/acor/*.h; do
            name=acor/${h##*/}
            printf '#include <%s>\ntypedef int dummy;\n' "$name" >"$tmp/alone.$suffix"
            # shellcheck disable=SC2086 # the compiler may come with options
            try "$name in $std" $compiler -std="$std" $flags -I"$include" "$tmp/alone.$suffix"
        done
        cp "$tmp/initialisers" "$tmp/init.$suffix"
        # shellcheck disable=SC2086
        try "initialisers in $std" $compiler -std="$std" $flags -I"$include" "$tmp/init.$suffix"
    done
}

every c "${CC:-cc}" c99 c11 c17
if command -v g++ >/dev/null 2>&1; then
    every cc g++ c++11 c++17
else
    skip "headers in C++" "no g++"
fi

awk '/define ACOR_[A-Z_]*_INIT / { print $2 }' "$include"/acor/*.h >"$tmp/names"
while read -r name; do
    grep -q -F -w "$name" "$tmp/initialisers" || echo "not tried here: $name"
done <"$tmp/names" >"$tmp/bad"
quiet "every initialiser is tried" "$tmp/bad"
finish
