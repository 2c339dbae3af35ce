/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of keywords: from files, one a line, from standard input, from arguments. */
#ifndef ACOR_CLI_WORDS_H
#define ACOR_CLI_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include <acor/acor.h>

#include "util.h"

/* One file, read whole; the keywords point into it. */
typedef struct cli_source {
    const char *name;
    cli_buf text;
    size_t first; /* its first keyword */
} cli_source;

typedef struct cli_words {
    acor_string *items;
    uint32_t *lines; /* line of each, from 1; the line in its source */
    size_t n;
    size_t items_cap;
    size_t lines_cap;
    cli_source *sources;
    size_t n_sources;
    size_t sources_cap;
} cli_words;

/* Told how many bytes were read so far. */
typedef struct cli_progress cli_progress;

/*
 * All of a file; gzip is unpacked unless `raw`. `path` "-" is standard input.
 * -1 after a complaint that names it.
 */
int cli_read_all(const char *path, int raw, cli_buf *text, cli_progress *progress);

/*
 * One keyword a line, LF or CRLF, the last line with or without; a leading
 * byte order mark is dropped, blank lines are nothing.
 */
int cli_words_file(cli_words *words, const char *path, cli_progress *progress);

/*
 * The Go program's rules for "-": one newline at the end is dropped, one CR at
 * the end of each line; a blank line is a blank keyword.
 */
int cli_words_stdin(cli_words *words);

void cli_words_add(cli_words *words, acor_string keyword);
void cli_words_free(cli_words *words);

/* Where a keyword came from. */
const cli_source *cli_words_source(const cli_words *words, size_t i);

#endif /* ACOR_CLI_WORDS_H */
