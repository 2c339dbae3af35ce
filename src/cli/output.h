/* SPDX-License-Identifier: Apache-2.0 */
/* Standard output, buffered; and what is written to it. */
#ifndef ACOR_CLI_OUTPUT_H
#define ACOR_CLI_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

typedef struct cli_out {
    int fd;
    int failed; /* errno of the first write that failed; nothing is written after it */
    char *data;
    size_t len;
    size_t cap;
} cli_out;

void cli_out_init(cli_out *out, int fd);
void cli_out_put(cli_out *out, const char *data, size_t len);
void cli_out_text(cli_out *out, const char *text);
void cli_out_number(cli_out *out, uint64_t n);
void cli_out_flush(cli_out *out);

/* Flushes and frees. -1 if a write failed: said, but for a closed pipe. */
int cli_out_end(cli_out *out);

/*
 * A string as Go's encoding/json writes it, quotes included. Bytes that are no
 * UTF-8 become \ufffd.
 */
void cli_json_string(cli_out *out, const char *data, size_t len);
void cli_json_base64(cli_out *out, const char *data, size_t len);

/* Control bytes and backslashes as \xNN, the rest as it is. */
void cli_out_escaped(cli_out *out, const char *data, size_t len);

#endif /* ACOR_CLI_OUTPUT_H */
