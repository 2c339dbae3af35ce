/* SPDX-License-Identifier: Apache-2.0 */
/* A line on standard error that changes: on a terminal, after a second of waiting. */
#ifndef ACOR_CLI_PROGRESS_H
#define ACOR_CLI_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

typedef struct cli_progress {
    int on; /* standard error is a terminal */
    int shown;
    int64_t start_ms;
    int64_t last_ms;
    uint64_t bytes;
} cli_progress;

void cli_progress_start(cli_progress *p);
/* `n` more bytes were read. p may be NULL, here and below. */
void cli_progress_bytes(cli_progress *p, size_t n);
/* Everything is read; the store is at work. */
void cli_progress_store(cli_progress *p, uint64_t keywords);
/* Wipes the line, before anything else is said. */
void cli_progress_end(cli_progress *p);

#endif /* ACOR_CLI_PROGRESS_H */
