/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of files against a snapshot. */
#ifndef ACOR_CLI_SEARCH_H
#define ACOR_CLI_SEARCH_H

#include <stdint.h>

#include <acor/acor.h>

#include "output.h"

typedef struct cli_search {
    /* Set by the caller. */
    const acor_snapshot *snap;
    acor_scratch *scratch;
    int invert;
    int count;
    int only;
    int json;
    int quiet;
    int overlapping;
    int whole_word;
    int line_numbers;
    int names;
    int line_by_line; /* a keyword has a newline in it: blocks would match across lines */

    cli_out out;
    int found;   /* a line was selected */
    int trouble; /* something was said on standard error */
    int stop;    /* no more is to be read */
} cli_search;

/* One file; "-" is standard input. */
void cli_search_file(cli_search *s, const char *path);

#endif /* ACOR_CLI_SEARCH_H */
