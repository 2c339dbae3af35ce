/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A block of complete lines is scanned in one call, and matches are brought
 * back to their lines: a keyword without a newline cannot match across one.
 *
 *      buffer   | line \n line \n line \n | the beginning of a line     |
 *               |<------- region -------->|<- kept for the next read -->|
 */
#include "search.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"
#include "util.h"

enum { BLOCK_BYTES = 256 * 1024 };

/* A line with so many matches is not scanned to its end if one is enough. */
enum { FULL_LINE = 8 };

/* One file being searched. */
typedef struct search {
    cli_search *s;
    const char *name; /* as shown; NULL: standard input */
    uint64_t selected;
    uint64_t line; /* number of the line at `counted` */
    const char *counted;
    const char *region;
    const char *region_end;
    const char *text;       /* what is being scanned */
    const char *line_start; /* the line of the last match */
    const char *line_end;   /* behind its newline */
    uint64_t line_cp;       /* code points before it in `text` */
    const char *undecided;  /* -v: behind the last line with a match */
} search;

/* Line numbers are found on the way, and only if somebody wants them. */
static void count_up_to(search *f, const char *to)
{
    if (!f->s->line_numbers && !f->s->json)
        return;
    while (f->counted < to) {
        const char *nl = memchr(f->counted, '\n', (size_t)(to - f->counted));
        if (nl == NULL)
            break;
        f->counted = nl + 1;
        f->line++;
    }
}

static void put_prefix(search *f)
{
    cli_out *out = &f->s->out;
    if (f->s->names) {
        cli_out_text(out, f->name ? f->name : "(standard input)");
        cli_out_text(out, ":");
    }
    if (f->s->line_numbers) {
        cli_out_number(out, f->line);
        cli_out_text(out, ":");
    }
}

/* The line as it was; the last one of a file may need a newline. */
static void put_lines(search *f, const char *start, const char *end)
{
    cli_out_put(&f->s->out, start, (size_t)(end - start));
    if (end > start && end[-1] != '\n')
        cli_out_text(&f->s->out, "\n");
}

static const char *end_of_line(const char *at, const char *end)
{
    const char *nl = memchr(at, '\n', (size_t)(end - at));
    return nl != NULL ? nl + 1 : end;
}

/* -v: all lines from start to end are selected. */
static void select_gap(search *f, const char *start, const char *end)
{
    cli_search *s = f->s;
    if (start == end)
        return;
    s->found = 1;
    if (s->quiet) {
        s->stop = 1;
    } else if (s->count) {
        for (const char *p = start; p < end; p = end_of_line(p, end))
            f->selected++;
    } else if (s->only) {
        return;
    } else if (!s->names && !s->line_numbers) {
        put_lines(f, start, end);
    } else {
        for (const char *p = start; p < end;) {
            const char *next = end_of_line(p, end);
            count_up_to(f, p);
            put_prefix(f);
            put_lines(f, p, next);
            p = next;
        }
    }
}

/* f->line_start to f->line_end has a match. */
static void select_line(search *f)
{
    cli_search *s = f->s;
    if (s->invert) {
        select_gap(f, f->undecided, f->line_start);
        f->undecided = f->line_end;
        return;
    }
    s->found = 1;
    f->selected++;
    if (s->quiet) {
        s->stop = 1;
    } else if (!s->count) {
        count_up_to(f, f->line_start);
        if (!s->only && !s->json) {
            put_prefix(f);
            put_lines(f, f->line_start, f->line_end);
        }
    }
}

static void put_json_number(cli_out *out, const char *before, uint64_t n)
{
    cli_out_text(out, before);
    cli_out_number(out, n);
}

static void put_json(search *f, const acor_match *m)
{
    cli_out *out = &f->s->out;
    const char *text = f->text + m->start;
    size_t len = (size_t)(m->end - m->start);
    size_t at = (size_t)(text - f->line_start);
    acor_string keyword = acor_snapshot_keyword(f->s->snap, m->keyword);
    cli_out_text(out, "{\"file\":");
    if (f->name != NULL)
        cli_json_string(out, f->name, strlen(f->name));
    else
        cli_out_text(out, "null");
    put_json_number(out, ",\"line\":", f->line);
    put_json_number(out, ",\"byte_start\":", at);
    put_json_number(out, ",\"byte_end\":", at + len);
    put_json_number(out, ",\"start\":", m->cp_start - f->line_cp);
    put_json_number(out, ",\"end\":", m->cp_end - f->line_cp);
    cli_out_text(out, ",\"keyword\":");
    cli_json_string(out, keyword.data, keyword.len);
    if (cli_utf8_valid(text, len)) {
        cli_out_text(out, ",\"text\":");
        cli_json_string(out, text, len);
    } else {
        cli_out_text(out, ",\"text_base64\":");
        cli_json_base64(out, text, len);
    }
    cli_out_text(out, "}\n");
}

static void put_match(search *f, const acor_match *m)
{
    if (f->s->json) {
        put_json(f, m);
        return;
    }
    put_prefix(f);
    cli_out_put(&f->s->out, f->text + m->start, (size_t)(m->end - m->start));
    cli_out_text(&f->s->out, "\n");
}

static void enter_line(search *f, const acor_match *m)
{
    const char *at = f->text + m->start;
    size_t behind = (size_t)(at - f->line_end);
    const char *nl = behind > 0 ? memrchr(f->line_end, '\n', behind) : NULL;
    f->line_start = nl != NULL ? nl + 1 : f->line_end;
    f->line_end = end_of_line(at, f->region_end);
    if (f->s->json)
        f->line_cp =
            m->cp_start - cli_utf8_count(f->line_start, (size_t)(at - f->line_start));
    select_line(f);
}

/* Whether the matches themselves are wanted, not only the lines that have one. */
static int wants_each(const cli_search *s)
{
    return (s->only || s->json) && !s->invert && !s->count && !s->quiet;
}

static int on_matches(void *user, const acor_match *m, size_t n)
{
    search *f = user;
    cli_search *s = f->s;
    int each = wants_each(s);
    size_t lines = 0;
    for (size_t i = 0; i < n; i++) {
        if (f->text + m[i].start >= f->line_end) {
            enter_line(f, &m[i]);
            lines++;
        }
        if (each)
            put_match(f, &m[i]);
        if (s->stop || s->out.failed)
            return 1;
    }
    /* Where one match is enough for a line that is full of them, the rest of the
     * line is skipped: the scan goes on behind it. */
    return !each && lines * FULL_LINE < n;
}

/* Scan text, from behind the line where a scan was broken off if one was. */
static void scan(search *f, const char *text, size_t len)
{
    cli_search *s = f->s;
    acor_error err = ACOR_ERROR_INIT;
    acor_scan_options opts = ACOR_SCAN_OPTIONS_INIT;
    opts.kind = wants_each(s) && !s->overlapping ? ACOR_MATCH_LEFTMOST_LONGEST
                                                 : ACOR_MATCH_OVERLAPPING;
    opts.flags =
        (s->whole_word ? ACOR_SCAN_WHOLE_WORD : 0) | (s->json ? ACOR_SCAN_CODEPOINTS : 0);
    /* One match will do, but -v has to see them all. */
    opts.max_matches = s->quiet && !s->invert ? 1 : 0;
    const char *end = text + len;
    acor_status status = ACOR_STOPPED;
    while (status == ACOR_STOPPED && text < end && !s->stop && !s->out.failed) {
        f->text = text;
        status = acor_scan(s->snap, text, (size_t)(end - text), &opts, s->scratch,
                           on_matches, f, NULL, &err);
        if (status < 0) {
            cli_say_error(&err);
            s->trouble = s->stop = 1;
        }
        text = f->line_end > text ? f->line_end : end;
    }
}

static void search_region(search *f, const char *start, const char *end)
{
    cli_search *s = f->s;
    f->region = f->counted = f->undecided = f->line_end = start;
    f->region_end = end;
    if (!s->line_by_line) {
        scan(f, start, (size_t)(end - start));
    } else {
        for (const char *p = start; p < end && !s->stop && !s->out.failed;) {
            const char *next = end_of_line(p, end);
            size_t len = (size_t)(next - p);
            len -= len > 0 && p[len - 1] == '\n';
            len -= len > 0 && p[len - 1] == '\r';
            f->line_end = p;
            scan(f, p, len);
            p = next;
        }
    }
    if (s->invert && !s->stop)
        select_gap(f, f->undecided, end);
    count_up_to(f, end);
    s->stop = s->stop || s->out.failed != 0;
}

static void search_input(search *f, cli_input *in)
{
    cli_search *s = f->s;
    int live = cli_input_is_live(in) || isatty(s->out.fd);
    size_t cap = BLOCK_BYTES;
    size_t len = 0;
    char *data = cli_alloc(cap);
    while (!s->stop) {
        if (len == cap)
            data = cli_grow(data, &cap, cap * 2, 1);
        ssize_t n = cli_input_read(in, data + len, cap - len);
        if (n < 0)
            s->trouble = 1;
        if (n <= 0)
            break;
        const char *nl = memrchr(data + len, '\n', (size_t)n);
        len += (size_t)n;
        if (nl == NULL)
            continue;
        search_region(f, data, nl + 1);
        len -= (size_t)(nl + 1 - data);
        memmove(data, nl + 1, len);
        if (live)
            cli_out_flush(&s->out);
    }
    if (len > 0 && !s->stop)
        search_region(f, data, data + len);
    free(data);
}

/* A file that grows by what is found in it would never end. */
static int is_output(const cli_search *s, const cli_input *in)
{
    struct stat from;
    struct stat to;
    return !s->quiet && fstat(cli_input_fd(in), &from) == 0 && S_ISREG(from.st_mode) &&
           fstat(s->out.fd, &to) == 0 && from.st_dev == to.st_dev &&
           from.st_ino == to.st_ino;
}

void cli_search_file(cli_search *s, const char *path)
{
    int is_stdin = strcmp(path, "-") == 0;
    search f = {.s = s, .name = is_stdin ? NULL : path, .line = 1};
    cli_input *in = cli_input_open(path, 0);
    if (in == NULL) {
        s->trouble = 1;
        return;
    }
    if (is_output(s, in)) {
        cli_say("%N: the input is also the output", is_stdin ? "(standard input)" : path);
        s->trouble = 1;
    } else {
        search_input(&f, in);
        if (s->count && !s->quiet && !s->out.failed) {
            if (s->names) {
                cli_out_text(&s->out, is_stdin ? "(standard input)" : path);
                cli_out_text(&s->out, ":");
            }
            cli_out_number(&s->out, f.selected);
            cli_out_text(&s->out, "\n");
        }
    }
    cli_input_close(in);
}
