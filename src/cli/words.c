/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "progress.h"

enum { READ_BYTES = 256 * 1024 };

int cli_read_all(const char *path, int raw, cli_buf *text, cli_progress *progress)
{
    cli_input *in = cli_input_open(path, raw);
    if (in == NULL)
        return -1;
    ssize_t n = 0;
    /* One byte more than the file has, so that its end is seen without growing. */
    size_t room = cli_input_size(in) + 1;
    do {
        if (room == 0)
            room = READ_BYTES;
        text->data = cli_grow(text->data, &text->cap, text->len + room, 1);
        n = cli_input_read(in, text->data + text->len, text->cap - text->len);
        if (n > 0)
            text->len += (size_t)n;
        room = text->cap - text->len;
        cli_progress_bytes(progress, n > 0 ? (size_t)n : 0);
    } while (n > 0);
    cli_input_close(in);
    return n < 0 ? -1 : 0;
}

static void add_line(cli_words *w, acor_string s, size_t line)
{
    w->lines = cli_grow(w->lines, &w->lines_cap, w->n + 1, sizeof *w->lines);
    w->lines[w->n] = line > UINT32_MAX ? UINT32_MAX : (uint32_t)line;
    w->items = cli_grow(w->items, &w->items_cap, w->n + 1, sizeof *w->items);
    w->items[w->n++] = s;
}

void cli_words_add(cli_words *words, acor_string keyword)
{
    add_line(words, keyword, 0);
}

/* Cuts the next line off, its newline and one CR before that left out. */
static acor_string next_line(const char **at, const char *end)
{
    const char *start = *at;
    const char *nl = memchr(start, '\n', (size_t)(end - start));
    const char *stop = nl != NULL ? nl : end;
    *at = nl != NULL ? nl + 1 : end;
    if (stop > start && stop[-1] == '\r')
        stop--;
    return (acor_string){start, (size_t)(stop - start)};
}

static cli_source *add_source(cli_words *w, const char *name)
{
    w->sources =
        cli_grow(w->sources, &w->sources_cap, w->n_sources + 1, sizeof *w->sources);
    cli_source *s = &w->sources[w->n_sources++];
    *s = (cli_source){.name = name, .first = w->n};
    return s;
}

int cli_words_file(cli_words *words, const char *path, cli_progress *progress)
{
    int is_stdin = strcmp(path, "-") == 0;
    cli_source *s = add_source(words, is_stdin ? "(standard input)" : path);
    if (cli_read_all(path, 0, &s->text, progress) != 0)
        return -1;
    const char *at = s->text.data;
    const char *end = at + s->text.len;
    if (s->text.len >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    for (size_t line = 1; at < end; line++) {
        acor_string text = next_line(&at, end);
        if (acor_trim(text).len > 0)
            add_line(words, text, line);
    }
    return 0;
}

int cli_words_stdin(cli_words *words)
{
    cli_source *s = add_source(words, "(standard input)");
    if (cli_read_all("-", 1, &s->text, NULL) != 0)
        return -1;
    const char *at = s->text.data;
    const char *end = at + s->text.len;
    for (size_t line = 1; at < end; line++)
        add_line(words, next_line(&at, end), line);
    return 0;
}

void cli_words_free(cli_words *words)
{
    for (size_t i = 0; i < words->n_sources; i++)
        cli_buf_free(&words->sources[i].text);
    free(words->sources);
    free(words->lines);
    free(words->items);
    *words = (cli_words){0};
}

const cli_source *cli_words_source(const cli_words *words, size_t i)
{
    size_t k = words->n_sources;
    while (k > 1 && words->sources[k - 1].first > i)
        k--;
    return &words->sources[k - 1];
}
