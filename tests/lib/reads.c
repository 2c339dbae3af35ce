/* SPDX-License-Identifier: Apache-2.0 */
#include "reads.h"
#include "rewrites.h"

#include <stdlib.h>
#include <string.h>

/* --- what is wanted ----------------------------------------------------------- */

/* At which match of all each keyword comes first; all->count for those without. */
static size_t *first_places(const naive_list *all, size_t ids)
{
    size_t *first = naive_alloc(ids * sizeof *first);
    for (size_t i = 0; i < ids; i++)
        first[i] = all->count;
    for (size_t i = all->count; i-- > 0;)
        first[all->items[i].keyword] = i;
    return first;
}

naive_list reads_firsts(const naive_list *all, size_t ids)
{
    naive_list out = {NULL, 0, 0};
    size_t *first = first_places(all, ids);
    for (size_t i = 0; i < all->count; i++)
        if (first[all->items[i].keyword] == i)
            naive_append(&out, &all->items[i], 1);
    free(first);
    return out;
}

typedef struct ranked {
    acor_match match;
    size_t first, at;
} ranked;

static int by_rank(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

naive_list reads_grouped(const naive_list *all, size_t ids)
{
    naive_list out = {NULL, 0, 0};
    size_t *first = first_places(all, ids);
    ranked *r = naive_alloc(all->count * sizeof *r);
    for (size_t i = 0; i < all->count; i++)
        r[i] = (ranked){all->items[i], first[all->items[i].keyword], i};
    if (all->count)
        qsort(r, all->count, sizeof *r, by_rank);
    for (size_t i = 0; i < all->count; i++)
        naive_append(&out, &r[i].match, 1);
    free(r);
    free(first);
    return out;
}

/* --- one case ----------------------------------------------------------------- */

typedef struct reads {
    const scan_case *c;
    const scan_combo *combo;
    acor_snapshot *snap;
    const naive_list *want;
    acor_scan_options options; /* with code points */
    uint64_t state;            /* of the random numbers */
} reads;

/* Numbers from 0 to n - 1, good enough to cut a text by: Knuth's MMIX constants. */
static size_t below(reads *r, size_t n)
{
    r->state = r->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)((r->state >> 33) % n);
}

static int same_match(const acor_match *a, const acor_match *b)
{
    return a->start == b->start && a->end == b->end && a->cp_start == b->cp_start &&
           a->cp_end == b->cp_end && a->keyword == b->keyword && a->flags == b->flags;
}

static int same(const acor_match *got, size_t n, const naive_list *want)
{
    if (n != want->count)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (!same_match(&got[i], &want->items[i]))
            return 0;
    return 1;
}

static int wrong(const reads *r, const char *what, const acor_match *got, size_t n, int status)
{
    return scan_case_fail(r->c, r->combo, r->want, what, got, n, status);
}

static int is_list(const reads *r, int status, acor_match_list *list, const naive_list *want,
                   const char *what)
{
    size_t n = acor_match_list_count(list);
    const acor_match *items = acor_match_list_items(list);
    int ok = status == ACOR_OK && list != NULL && same(items, n, want);
    if (!ok)
        scan_case_fail(r->c, r->combo, want, what, items, n, status);
    acor_match_list_free(list);
    return ok;
}

/* --- the text as a whole -------------------------------------------------------- */

static int check_numbers(const reads *r)
{
    acor_scan_options one = r->options;
    uint64_t n = 12345;
    int found = -1;
    int status =
        acor_snapshot_count(r->snap, r->c->text, r->c->len, &r->options, NULL, &n, NULL);
    if (status != ACOR_OK || n != r->want->count)
        return wrong(r, "acor_snapshot_count()", NULL, (size_t)n, status);
    one.max_matches = 1;
    status = acor_snapshot_count(r->snap, r->c->text, r->c->len, &one, NULL, &n, NULL);
    if (status != ACOR_OK || n != (r->want->count > 0))
        return wrong(r, "acor_snapshot_count() up to 1", NULL, (size_t)n, status);
    status = acor_snapshot_contains(r->snap, r->c->text, r->c->len, &r->options, NULL, &found,
                                    NULL);
    if (status != ACOR_OK || found != (r->want->count > 0))
        return wrong(r, "acor_snapshot_contains()", NULL, (size_t)found, status);
    return 1;
}

/* Behind two records that must stay, into room for cap more. */
static int check_append(const reads *r, size_t cap)
{
    const acor_match mine = {11, 12, 13, 14, 15, 16};
    acor_match *array = naive_alloc((cap + 2) * sizeof *array);
    size_t n = 2, kept = cap < r->want->count ? cap : r->want->count;
    naive_list want = {r->want->items, kept, kept};
    array[0] = array[1] = mine;
    int status = acor_snapshot_find_append(r->snap, r->c->text, r->c->len, &r->options, NULL,
                                           array, cap + 2, &n, NULL);
    int ok = status == (cap < r->want->count ? ACOR_STOPPED : ACOR_OK) && n == kept + 2 &&
             same_match(&array[0], &mine) && same_match(&array[1], &mine) &&
             same(array + 2, kept, &want);
    if (!ok)
        wrong(r, "acor_snapshot_find_append()", array + 2, n - 2, status);
    free(array);
    return ok;
}

static int check_lists(const reads *r, const naive_list *firsts, const naive_list *grouped)
{
    const scan_case *c = r->c;
    acor_match_list *list = NULL;
    int status = acor_snapshot_find(r->snap, c->text, c->len, &r->options, &list, NULL);
    if (!is_list(r, status, list, r->want, "acor_snapshot_find()"))
        return 0;
    status = acor_snapshot_find_set(r->snap, c->text, c->len, &r->options, &list, NULL);
    if (!is_list(r, status, list, firsts, "acor_snapshot_find_set()"))
        return 0;
    status = acor_snapshot_find_index(r->snap, c->text, c->len, &r->options, &list, NULL);
    return is_list(r, status, list, grouped, "acor_snapshot_find_index()");
}

/* The text between two others. */
static int check_many(const reads *r)
{
    acor_string texts[3] = {{NULL, 0}, {r->c->text, r->c->len}, {r->c->text, r->c->len}};
    acor_match_list *lists[3] = {NULL, NULL, NULL};
    int status = acor_snapshot_find_many(r->snap, texts, 3, &r->options, lists, NULL);
    int ok = acor_match_list_count(lists[0]) == 0 && lists[0] != NULL;
    acor_match_list_free(lists[0]);
    return is_list(r, status, lists[1], r->want, "acor_snapshot_find_many()") &
           is_list(r, status, lists[2], r->want, "acor_snapshot_find_many()") & ok;
}

/* --- in pieces ------------------------------------------------------------------- */

static int collect(void *user, const acor_match *m, size_t n)
{
    naive_append(user, m, n);
    return 0;
}

/* In a block of its own, so that a look beyond it is found. */
static int feed(acor_stream *s, const char *bytes, size_t len)
{
    char *piece = len ? naive_alloc(len) : NULL;
    if (piece)
        memcpy(piece, bytes, len);
    int status = acor_stream_feed(s, piece, len, NULL);
    free(piece);
    return status;
}

/* Pieces of up to longest bytes; 0: of one. */
static int check_pieces(reads *r, acor_stream *s, naive_list *got, size_t longest)
{
    uint64_t n = 12345;
    int status = ACOR_OK;
    got->count = 0;
    for (size_t at = 0; at < r->c->len && status == ACOR_OK;) {
        size_t len = longest ? below(r, longest + 1) : 1;
        if (len > r->c->len - at)
            len = r->c->len - at;
        status = feed(s, r->c->text + at, len);
        at += len;
    }
    if (status == ACOR_OK)
        status = acor_stream_finish(s, &n, NULL);
    acor_stream_reset(s);
    return (status == ACOR_OK && n == got->count && same(got->items, got->count, r->want)) ||
           wrong(r, longest ? "a stream, random cuts" : "a stream, byte by byte", got->items,
                 got->count, status);
}

typedef struct source {
    reads *r;
    size_t at;
} source;

static int64_t read_some(void *user, char *buffer, size_t size)
{
    source *s = user;
    size_t n = 1 + below(s->r, 9), left = s->r->c->len - s->at;
    n = n < size ? n : size;
    n = n < left ? n : left;
    if (n)
        memcpy(buffer, s->r->c->text + s->at, n);
    s->at += n;
    return (int64_t)n;
}

static int check_reader(reads *r, naive_list *got)
{
    source from = {r, 0};
    uint64_t n = 12345;
    got->count = 0;
    int status = acor_snapshot_find_stream(r->snap, read_some, &from, &r->options, collect,
                                           got, &n, NULL);
    return (status == ACOR_OK && n == got->count && same(got->items, got->count, r->want)) ||
           wrong(r, "a reader", got->items, got->count, status);
}

static int check_streams(reads *r, unsigned drivers)
{
    acor_stream *s = NULL;
    naive_list got = {NULL, 0, 0};
    int ok = acor_stream_new(&s, r->snap, &r->options, collect, &got, NULL) == ACOR_OK;
    if (ok && drivers & READS_BYTES)
        ok = check_pieces(r, s, &got, 0);
    if (ok && drivers & READS_CUTS)
        ok = check_pieces(r, s, &got, 5) && check_pieces(r, s, &got, r->c->len) &&
             check_reader(r, &got);
    acor_stream_free(s);
    naive_list_free(&got);
    return ok;
}

/* --- by several threads ----------------------------------------------------------- */

static int check_chunks(reads *r, size_t chunk_size, uint32_t workers,
                        const naive_list *firsts, const naive_list *grouped)
{
    acor_parallel_options p = ACOR_PARALLEL_OPTIONS_INIT;
    const scan_case *c = r->c;
    naive_list got = {NULL, 0, 0};
    acor_match_list *list = NULL;
    uint64_t n = 12345;
    p.workers = workers;
    p.boundary = (uint32_t)below(r, 3);
    p.chunk_size = chunk_size;
    p.overlap = below(r, chunk_size + 2); /* also one that would not advance */
    int status = acor_scan_parallel(r->snap, c->text, c->len, &r->options, &p, collect, &got,
                                    &n, NULL);
    int ok = (status == ACOR_OK && n == got.count && same(got.items, got.count, r->want)) ||
             wrong(r, "acor_scan_parallel()", got.items, got.count, status);
    naive_list_free(&got);
    if (!ok)
        return 0;
    status = acor_snapshot_find_parallel(r->snap, c->text, c->len, &r->options, &p, &list,
                                         NULL);
    if (!is_list(r, status, list, firsts, "acor_snapshot_find_parallel()"))
        return 0;
    status = acor_snapshot_find_index_parallel(r->snap, c->text, c->len, &r->options, &p,
                                               &list, NULL);
    return is_list(r, status, list, grouped, "acor_snapshot_find_index_parallel()");
}

static int check_parallel(reads *r, unsigned drivers, const naive_list *firsts,
                          const naive_list *grouped)
{
    size_t every = r->c->len < 16 ? r->c->len + 1 : 16;
    int ok = 1;
    if (drivers & READS_PARALLEL)
        for (size_t size = 1; ok && size <= every; size++)
            ok = check_chunks(r, size, 1, firsts, grouped);
    if (ok && drivers & READS_PARALLEL)
        ok = check_chunks(r, 1 + below(r, r->c->len + 2), 1, firsts, grouped);
    if (ok && drivers & READS_THREADS)
        ok = check_chunks(r, 1 + below(r, 8), 2, firsts, grouped) &&
             check_chunks(r, 1 + below(r, r->c->len + 2), 3, firsts, grouped);
    return ok;
}

int reads_check(const scan_case *c, const scan_combo *combo, acor_snapshot *snap,
                const naive_list *want, unsigned drivers, uint64_t seed)
{
    reads r = {c, combo, snap, want, scan_combo_options(combo), seed};
    naive_list firsts = reads_firsts(want, c->n), grouped = reads_grouped(want, c->n);
    r.options.flags |= ACOR_SCAN_CODEPOINTS;
    int ok = check_numbers(&r) && check_append(&r, want->count) &&
             check_append(&r, want->count + 1) && check_append(&r, want->count / 2) &&
             check_lists(&r, &firsts, &grouped) && check_many(&r) &&
             rewrites_check(c, combo, snap, want) && check_streams(&r, drivers) &&
             check_parallel(&r, drivers, &firsts, &grouped);
    naive_list_free(&firsts);
    naive_list_free(&grouped);
    return ok;
}
