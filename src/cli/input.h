/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of a file or of standard input; gzip is told by its first bytes. */
#ifndef ACOR_CLI_INPUT_H
#define ACOR_CLI_INPUT_H

#include <stddef.h>

#include <sys/types.h>

typedef struct cli_input cli_input;

/*
 * `path` "-" is standard input; `raw`: gzip is left as it is. NULL after a
 * complaint that names it.
 */
cli_input *cli_input_open(const char *path, int raw);
void cli_input_close(cli_input *in);

/* Some bytes as soon as there are any; 0 at the end, -1 after a complaint. */
ssize_t cli_input_read(cli_input *in, char *data, size_t size);

/* Bytes to expect, if a regular file says; else 0. */
size_t cli_input_size(const cli_input *in);
/* Whether more may come slowly: a pipe, a terminal. */
int cli_input_is_live(const cli_input *in);
int cli_input_fd(const cli_input *in);

#endif /* ACOR_CLI_INPUT_H */
