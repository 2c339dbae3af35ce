/* SPDX-License-Identifier: Apache-2.0 */
/* What was found, as one line of the Go program's JSON. */
#ifndef ACOR_CLI_RESULTS_H
#define ACOR_CLI_RESULTS_H

#include <stddef.h>

#include <acor/acor.h>

#include "output.h"

/* People who come from grep give a file's name where a text is asked for. */
void cli_note_file(const char *text);

/* The newline; flushes and frees. The exit status. */
int cli_json_end(cli_out *out);

acor_string cli_keyword_of(const acor_match_list *list, size_t i);

/* {"matches":["he",...]}, in the list's order. The exit status. */
int cli_put_list(const acor_match_list *list);

/* {"matches":{"he":[0,2],...}}: keywords by their bytes, starts in code points. */
int cli_put_index(const acor_match_list *list);

#endif /* ACOR_CLI_RESULTS_H */
