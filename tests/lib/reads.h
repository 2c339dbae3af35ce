/* SPDX-License-Identifier: Apache-2.0 */
/* Every way to read a snapshot besides acor_scan(), against the oracle. */
#ifndef ACOR_TEST_READS_H
#define ACOR_TEST_READS_H

#include "scancase.h"

/* What is done besides the calls that take the text as a whole. */
enum {
    READS_BYTES = 1,    /* a stream, one byte a piece */
    READS_CUTS = 2,     /* streams and a reader, cut at random */
    READS_PARALLEL = 4, /* chunks of every size up to 16, and some larger */
    READS_THREADS = 8,  /* the same by two and three threads, some sizes */
    READS_ALL = 15
};

/*
 * Counting, asking, appending, lists, sets, indexes, many texts, rewriting; streams
 * and scans by several threads as drivers says. seed decides cuts and sizes. 1 if all
 * agree with want; if not, the case is printed as by scan_case_check().
 */
int reads_check(const scan_case *c, const scan_combo *combo, acor_snapshot *snap,
                const naive_list *want, unsigned drivers, uint64_t seed);

/* The first match of each keyword; all of each keyword together, keywords by
 * their first. Ids are below ids. To be freed. */
naive_list reads_firsts(const naive_list *all, size_t ids);
naive_list reads_grouped(const naive_list *all, size_t ids);

#endif /* ACOR_TEST_READS_H */
