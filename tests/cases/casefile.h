/* SPDX-License-Identifier: Apache-2.0 */
/* Reads .case files; the format is described in README.md. */
#ifndef ACOR_TEST_CASEFILE_H
#define ACOR_TEST_CASEFILE_H

#include <stdio.h>

#include "scancase.h"

/* Expected matches of one combination. */
typedef struct case_expect {
    int given;
    int codepoints; /* the file gave them too */
    naive_list matches;
} case_expect;

typedef struct case_data {
    char name[120];
    acor_string *keywords;
    size_t n;
    char *text;
    size_t len;
    case_expect expect[SCAN_COMBOS]; /* by scan_combo_at() */
} case_data;

typedef struct case_reader {
    FILE *file;
    const char *path;
    char *line;
    size_t line_cap;
    int number;
    int pending; /* line holds the next case's first line */
} case_reader;

/* 0: the file cannot be read. */
int case_reader_open(case_reader *r, const char *path);
void case_reader_close(case_reader *r);

/* 1: c is the next case, to be freed; 0: no more; -1: a mistake, told on
 * standard error. */
int case_reader_next(case_reader *r, case_data *c);
void case_data_free(case_data *c);

#endif /* ACOR_TEST_CASEFILE_H */
