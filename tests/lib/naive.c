/* SPDX-License-Identifier: Apache-2.0 */
#include "naive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/unicode.h"
#include "text/utf8.h"

typedef struct runes {
    uint32_t *cp;
    size_t *at; /* byte offset of each, and one more for the end */
    size_t n;
} runes;

typedef struct entry {
    uint32_t *cp;
    size_t n;
    char *bytes; /* normalised spelling */
    size_t len;
    uint32_t id;
} entry;

struct naive_dict {
    entry *entries; /* by their last code point, then the longest first */
    size_t count;
    int sensitive;
};

void *naive_alloc(size_t size)
{
    void *p = malloc(size ? size : 1);
    if (!p) {
        fputs("no memory\n", stderr);
        abort();
    }
    return p;
}

/* Decoded, and lower-cased unless sensitive. */
static runes decode(const char *data, size_t len, int sensitive)
{
    const unsigned char *begin = (const unsigned char *)data;
    runes r = {naive_alloc((len + 1) * sizeof *r.cp),
               naive_alloc((len + 1) * sizeof *r.at), 0};
    size_t i = 0;
    while (i < len) {
        acr_rune c = acr_utf8_decode(begin + i, begin + len);
        r.at[r.n] = i;
        r.cp[r.n++] = sensitive ? c.cp : acr_lower(c.cp);
        i += c.width;
    }
    r.at[r.n] = len;
    return r;
}

static void free_runes(runes *r)
{
    free(r->cp);
    free(r->at);
}

/* White space is found before case is mapped; no mapping makes or ends one. */
static void fill_entry(entry *e, acor_string keyword, int sensitive)
{
    runes r = decode(keyword.data, keyword.len, sensitive);
    size_t from = 0, to = r.n;
    while (from < to && acr_is_space(r.cp[from]))
        from++;
    while (from < to && acr_is_space(r.cp[to - 1]))
        to--;
    e->n = to - from;
    e->cp = naive_alloc((e->n + 1) * sizeof *e->cp);
    e->bytes = naive_alloc(4 * e->n + 1);
    e->len = 0;
    for (size_t i = 0; i < e->n; i++) {
        e->cp[i] = r.cp[from + i];
        e->len += acr_utf8_encode((unsigned char *)e->bytes + e->len, e->cp[i]);
    }
    e->bytes[e->len] = '\0';
    free_runes(&r);
}

static uint32_t last_of(const entry *e)
{
    return e->n ? e->cp[e->n - 1] : 0;
}

/* By the last code point, the longest first; equal ones side by side, the lowest id
 * first. */
static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (last_of(x) != last_of(y))
        return last_of(x) < last_of(y) ? -1 : 1;
    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    int c = memcmp(x->cp, y->cp, x->n * sizeof *x->cp);
    return c ? c : (x->id > y->id) - (x->id < y->id);
}

static int same_entry(const entry *a, const entry *b)
{
    return a->n == b->n && memcmp(a->cp, b->cp, a->n * sizeof *a->cp) == 0;
}

naive_dict *naive_new(const acor_string *keywords, size_t n, int sensitive)
{
    naive_dict *d = naive_alloc(sizeof *d);
    d->entries = naive_alloc((n + 1) * sizeof *d->entries);
    d->count = 0;
    d->sensitive = sensitive;
    for (size_t i = 0; i < n; i++) {
        d->entries[i].id = (uint32_t)i;
        fill_entry(&d->entries[i], keywords[i], sensitive);
    }
    qsort(d->entries, n, sizeof *d->entries, compare_entries);
    for (size_t i = 0; i < n; i++) {
        entry e = d->entries[i];
        if (e.n == 0 || (d->count && same_entry(&d->entries[d->count - 1], &e))) {
            free(e.cp);
            free(e.bytes);
        } else {
            d->entries[d->count++] = e;
        }
    }
    return d;
}

void naive_free(naive_dict *dict)
{
    for (size_t i = 0; i < dict->count; i++) {
        free(dict->entries[i].cp);
        free(dict->entries[i].bytes);
    }
    free(dict->entries);
    free(dict);
}

size_t naive_count(const naive_dict *dict)
{
    return dict->count;
}

acor_string naive_keyword(const naive_dict *dict, uint32_t id)
{
    for (size_t i = 0; i < dict->count; i++)
        if (dict->entries[i].id == id)
            return (acor_string){dict->entries[i].bytes, dict->entries[i].len};
    return (acor_string){NULL, 0};
}

void naive_append(naive_list *list, const acor_match *m, size_t n)
{
    if (list->count + n > list->cap) {
        size_t cap = 2 * list->cap + n + 64;
        acor_match *items = naive_alloc(cap * sizeof *items);
        if (list->count)
            memcpy(items, list->items, list->count * sizeof *items);
        free(list->items);
        list->items = items;
        list->cap = cap;
    }
    if (n)
        memcpy(list->items + list->count, m, n * sizeof *m);
    list->count += n;
}

/* The first entry that ends in cp or a later code point. */
static size_t first_ending_in(const naive_dict *dict, uint32_t cp)
{
    size_t from = 0, to = dict->count;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (last_of(&dict->entries[mid]) < cp)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

/* Whether e, which ends in the right code point, stands in t just before end. */
static int stands(const entry *e, const runes *t, size_t end)
{
    return e->n <= end && memcmp(e->cp, t->cp + (end - e->n), e->n * sizeof *e->cp) == 0;
}

int naive_word_but_han(void *user, uint32_t cp)
{
    (void)user;
    return acr_is_word(cp) && !(cp >= 0x4e00 && cp <= 0x9fff);
}

/* A text, as it is and as it is matched. */
typedef struct subject {
    runes raw, folded;
} subject;

static int is_word(const subject *s, size_t at, naive_place place)
{
    if (place == NAIVE_WHOLE_ASCII)
        return acr_is_ascii_word(s->raw.cp[at]);
    if (place == NAIVE_WHOLE_BUT_HAN)
        return naive_word_but_han(NULL, s->folded.cp[at]);
    return acr_is_word(s->folded.cp[at]);
}

static int may_stand(const subject *s, size_t start, size_t end, naive_place place)
{
    if (place == NAIVE_ANYWHERE)
        return 1;
    return !(start > 0 && is_word(s, start - 1, place)) &&
           !(end < s->raw.n && is_word(s, end, place));
}

static int by_start(const void *a, const void *b)
{
    const acor_match *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->end > y->end ? -1 : x->end < y->end;
}

static void keep_leftmost(naive_list *list)
{
    size_t kept = 0;
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, by_start);
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || list->items[i].start >= list->items[kept - 1].end)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

/* The matches that end just before the code point at end. */
static void find_at(const naive_dict *dict, const subject *s, size_t end, naive_place place,
                    naive_list *list)
{
    const runes *t = &s->folded;
    uint32_t last = t->cp[end - 1];
    for (size_t i = first_ending_in(dict, last);
         i < dict->count && last_of(&dict->entries[i]) == last; i++) {
        const entry *e = &dict->entries[i];
        if (!stands(e, t, end) || !may_stand(s, end - e->n, end, place))
            continue;
        acor_match m = {.start = t->at[end - e->n],
                        .end = t->at[end],
                        .cp_start = end - e->n,
                        .cp_end = end,
                        .keyword = e->id};
        naive_append(list, &m, 1);
    }
}

naive_list naive_find(const naive_dict *dict, const char *text, size_t len, uint32_t kind,
                      naive_place place)
{
    naive_list list = {NULL, 0, 0};
    subject s = {decode(text, len, 1), decode(text, len, dict->sensitive)};
    for (size_t end = 1; end <= s.raw.n; end++)
        find_at(dict, &s, end, place, &list);
    if (kind == ACOR_MATCH_LEFTMOST_LONGEST)
        keep_leftmost(&list);
    free_runes(&s.raw);
    free_runes(&s.folded);
    return list;
}

void naive_list_free(naive_list *list)
{
    free(list->items);
    *list = (naive_list){NULL, 0, 0};
}
