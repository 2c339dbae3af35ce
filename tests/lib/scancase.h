/* SPDX-License-Identifier: Apache-2.0 */
/* One dictionary and one text, through every way in, against the oracle. */
#ifndef ACOR_TEST_SCANCASE_H
#define ACOR_TEST_SCANCASE_H

#include <stdio.h>

#include <acor/acor.h>

#include "naive.h"

typedef struct scan_case {
    const char *name;
    const acor_string *keywords;
    size_t n;
    const char *text;
    size_t len;
} scan_case;

/* What a case is run with. */
typedef struct scan_combo {
    uint32_t kind; /* an acor_match_kind */
    naive_place place;
    int sensitive;
} scan_combo;

enum { SCAN_COMBOS = 2 * NAIVE_PLACES * 2 };

/* The i-th of all of them. */
scan_combo scan_combo_at(int i);

/* Its kind and word rule, as the library is told them. */
acor_scan_options scan_combo_options(const scan_combo *combo);

/*
 * acor_scan() by every driver: batches, one by one, counting only, cut by a
 * limit, stopped by the callback; with and without scratch; the text at the end
 * of a block of its own, aligned and not. 1 if all agree with want; if not, the
 * case is printed on standard error, to be pasted into a .case file.
 */
int scan_case_check(const scan_case *c, const scan_combo *combo,
                    const acor_snapshot *snap, acor_scratch *scratch,
                    const naive_list *want);

/* Ids below acor_snapshot_ids() have the oracle's spelling, or none. */
int scan_case_check_ids(const scan_case *c, int sensitive, const acor_snapshot *snap,
                        const naive_dict *dict);

/* The same keywords put into a new collection in memory, in one batch, and
 * every reading call on it. */
int scan_case_check_collection(const scan_case *c, const scan_combo *combo,
                               const naive_dict *dict, const naive_list *want);

/* Tells what went wrong: got differs from want, if it is there. Always 0. */
int scan_case_fail(const scan_case *c, const scan_combo *combo, const naive_list *want,
                   const char *what, const acor_match *got, size_t n, int status);

/* As a .case file has it. */
void scan_case_print(FILE *f, const scan_case *c, const scan_combo *combo,
                     const naive_list *want);

#endif /* ACOR_TEST_SCANCASE_H */
