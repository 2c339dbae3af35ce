/* SPDX-License-Identifier: Apache-2.0 */
#include "casefile.h"

#include <stdlib.h>
#include <string.h>

int case_reader_open(case_reader *r, const char *path)
{
    *r = (case_reader){.file = fopen(path, "rb"), .path = path};
    return r->file != NULL;
}

void case_reader_close(case_reader *r)
{
    fclose(r->file);
    free(r->line);
}

static int mistake(const case_reader *r, const char *what)
{
    fprintf(stderr, "%s:%d: %s\n", r->path, r->number, what);
    return -1;
}

/* The next line that says something, without its newline; 0 at the end. */
static int next_line(case_reader *r)
{
    ssize_t n;
    if (r->pending) {
        r->pending = 0;
        return 1;
    }
    while ((n = getline(&r->line, &r->line_cap, r->file)) >= 0) {
        r->number++;
        if (n > 0 && r->line[n - 1] == '\n')
            r->line[n - 1] = '\0';
        if (r->line[0] && r->line[0] != '#')
            return 1;
    }
    return 0;
}

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

/* The bytes that s stands for; data NULL on a bad escape. */
static acor_string unescape(const char *s)
{
    char *out = naive_alloc(strlen(s) + 1);
    size_t n = 0;
    while (*s) {
        if (*s != '\\') {
            out[n++] = *s++;
        } else if (s[1] == '\\') {
            out[n++] = '\\';
            s += 2;
        } else if (s[1] == 'x' && hex(s[2]) >= 0 && hex(s[3]) >= 0) {
            out[n++] = (char)(hex(s[2]) * 16 + hex(s[3]));
            s += 4;
        } else {
            free(out);
            return (acor_string){NULL, 0};
        }
    }
    return (acor_string){out, n};
}

static void extend(char **data, size_t *len, acor_string with, size_t times)
{
    char *grown = naive_alloc(*len + with.len * times);
    if (*len)
        memcpy(grown, *data, *len);
    for (size_t i = 0; i < times; i++)
        memcpy(grown + *len + i * with.len, with.data, with.len);
    free(*data);
    *data = grown;
    *len += with.len * times;
}

static void add_keyword(case_data *c)
{
    acor_string *grown = naive_alloc((c->n + 1) * sizeof *grown);
    if (c->n)
        memcpy(grown, c->keywords, c->n * sizeof *grown);
    free(c->keywords);
    c->keywords = grown;
    c->keywords[c->n++] = (acor_string){NULL, 0};
}

/* Where keyword, text and repeat put their bytes. */
typedef enum target { TO_NOTHING, TO_KEYWORD, TO_TEXT } target;

static int put(case_reader *r, case_data *c, target to, const char *escaped, size_t times)
{
    acor_string s = unescape(escaped);
    if (!s.data)
        return mistake(r, "bad escape");
    if (to == TO_NOTHING) {
        free((void *)(uintptr_t)s.data);
        return mistake(r, "repeat without a keyword or text");
    }
    if (to == TO_TEXT) {
        extend(&c->text, &c->len, s, times);
    } else {
        acor_string *k = &c->keywords[c->n - 1];
        char *data = (char *)(uintptr_t)k->data;
        extend(&data, &k->len, s, times);
        k->data = data;
    }
    free((void *)(uintptr_t)s.data);
    return 0;
}

/* Bit 1 << value of each axis that the words of an expect line choose. */
typedef struct axes {
    int kind, word, mode;
} axes;

static int set_axis(axes *a, const char *word)
{
    static const struct {
        const char *name;
        int kind, word, mode;
    } words[] = {
        {"overlapping", 1, 0, 0}, {"leftmost-longest", 2, 0, 0}, {"both-kinds", 3, 0, 0},
        {"anywhere", 0, 1, 0},    {"whole-word", 0, 2, 0},       {"both-places", 0, 3, 0},
        {"whole-ascii-word", 0, 4, 0},    {"whole-word-but-han", 0, 8, 0},       {"all-places", 0, 15, 0},
        {"insensitive", 0, 0, 1}, {"sensitive", 0, 0, 2},        {"both-modes", 0, 0, 3},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i].name) == 0) {
            a->kind = words[i].kind ? words[i].kind : a->kind;
            a->word = words[i].word ? words[i].word : a->word;
            a->mode = words[i].mode ? words[i].mode : a->mode;
            return 1;
        }
    return 0;
}

static int chosen(const axes *a, int i)
{
    scan_combo s = scan_combo_at(i);
    return (a->kind >> s.kind & 1) && (a->word >> s.place & 1) &&
           (a->mode >> s.sensitive & 1);
}

static int start_expect(case_reader *r, case_data *c, axes *a, char *words)
{
    *a = (axes){1, 1, 1};
    for (char *save, *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
        if (!set_axis(a, w))
            return mistake(r, "unknown word after expect");
    for (int i = 0; i < SCAN_COMBOS; i++)
        if (chosen(a, i)) {
            if (c->expect[i].given)
                return mistake(r, "expected twice");
            c->expect[i].given = 1;
        }
    return 0;
}

static void append_match(case_expect *e, acor_match m, int codepoints)
{
    acor_match *items = naive_alloc((e->matches.count + 1) * sizeof *items);
    if (e->matches.count)
        memcpy(items, e->matches.items, e->matches.count * sizeof *items);
    free(e->matches.items);
    e->matches.items = items;
    items[e->matches.count++] = m;
    e->codepoints = codepoints;
}

static int add_match(case_reader *r, case_data *c, const axes *a, const char *numbers)
{
    unsigned long long start, end, cp_start = 0, cp_end = 0;
    unsigned id;
    int n =
        sscanf(numbers, "%llu %llu %u %llu %llu", &start, &end, &id, &cp_start, &cp_end);
    if (!a->kind || (n != 3 && n != 5))
        return mistake(r, "match START END ID [CPSTART CPEND], after expect");
    acor_match m = {start, end, cp_start, cp_end, id, 0};
    for (int i = 0; i < SCAN_COMBOS; i++)
        if (chosen(a, i))
            append_match(&c->expect[i], m, n == 5);
    return 0;
}

/* The value of a line that begins with word, else NULL. */
static char *value_of(char *line, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(line, word, n) != 0)
        return NULL;
    if (line[n] == '\0')
        return line + n;
    return line[n] == ' ' ? line + n + 1 : NULL;
}

static int read_body(case_reader *r, case_data *c)
{
    target to = TO_NOTHING;
    axes a = {0, 0, 0};
    char *v;
    while (next_line(r)) {
        int bad = 0;
        if (value_of(r->line, "case")) {
            r->pending = 1;
            break;
        } else if ((v = value_of(r->line, "keyword"))) {
            add_keyword(c);
            bad = put(r, c, to = TO_KEYWORD, v, 1);
        } else if ((v = value_of(r->line, "text"))) {
            bad = put(r, c, to = TO_TEXT, v, 1);
        } else if ((v = value_of(r->line, "repeat"))) {
            char *rest;
            unsigned long times = strtoul(v, &rest, 10);
            bad = *rest == ' ' ? put(r, c, to, rest + 1, times)
                               : mistake(r, "repeat TIMES STRING");
        } else if ((v = value_of(r->line, "expect"))) {
            bad = start_expect(r, c, &a, v);
        } else if ((v = value_of(r->line, "match"))) {
            bad = add_match(r, c, &a, v);
        } else {
            bad = mistake(r, "unknown directive");
        }
        if (bad)
            return -1;
    }
    return 1;
}

int case_reader_next(case_reader *r, case_data *c)
{
    *c = (case_data){.n = 0};
    if (!next_line(r))
        return 0;
    char *name = value_of(r->line, "case");
    if (!name || !*name)
        return mistake(r, "case NAME must come first");
    snprintf(c->name, sizeof c->name, "%s", name);
    int got = read_body(r, c);
    if (got < 0)
        case_data_free(c);
    return got;
}

void case_data_free(case_data *c)
{
    for (size_t i = 0; i < c->n; i++)
        free((void *)(uintptr_t)c->keywords[i].data);
    free(c->keywords);
    free(c->text);
    for (int i = 0; i < SCAN_COMBOS; i++)
        naive_list_free(&c->expect[i].matches);
    *c = (case_data){.n = 0};
}
