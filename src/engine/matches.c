/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/matches.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/scan.h"
#include "engine/snapshot.h"

struct acor_match_list {
    acr_mem mem;
    acor_snapshot *snap; /* one reference; NULL if nothing was scanned */
    acor_match *items;
    size_t n, cap;
};

/* A list while it is being filled. */
typedef struct collector {
    acor_match_list *list;
    uint64_t *seen; /* one bit an id; NULL until the first match, or never */
    uint64_t max;   /* keywords to list; 0: no limit */
    int once;
    acor_error *err;
    int status;
} collector;

static size_t seen_words(const acor_match_list *list)
{
    return (size_t)list->snap->ids_end / 64 + 1;
}

/* 1 the first time an id comes. */
static int is_new(collector *c, uint32_t id)
{
    uint64_t bit = UINT64_C(1) << (id % 64);
    if (c->seen[id / 64] & bit)
        return 0;
    c->seen[id / 64] |= bit;
    return 1;
}

static int collect(void *user, const acor_match *m, size_t n)
{
    collector *c = user;
    acor_match_list *l = c->list;
    c->status = acr_grow(&l->mem, &l->items, &l->cap, l->n + n, sizeof *l->items, c->err);
    if (c->status == ACOR_OK && c->once && c->seen == NULL) {
        c->seen = acr_alloc_zero(&l->mem, seen_words(l) * sizeof *c->seen);
        if (c->seen == NULL)
            c->status = acr_fail_nomem(c->err);
    }
    if (c->status != ACOR_OK)
        return 1;
    for (size_t i = 0; i < n; i++) {
        if (c->once && !is_new(c, m[i].keyword))
            continue;
        l->items[l->n++] = m[i];
        if (c->max != 0 && l->n == c->max)
            return 1;
    }
    return 0;
}

/* A match on its way to its keyword's group. */
typedef struct grouped {
    acor_match match;
    size_t at;    /* its place in the order of the scan */
    size_t first; /* that of its keyword's first match */
} grouped;

static int by_keyword(const void *a, const void *b)
{
    const grouped *x = a, *y = b;
    if (x->match.keyword != y->match.keyword)
        return x->match.keyword < y->match.keyword ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static int by_group(const void *a, const void *b)
{
    const grouped *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Matches of one keyword are of one length, so by end is by start. */
static int group_by_keyword(acor_match_list *l, acor_error *err)
{
    if (l->n < 2)
        return ACOR_OK;
    grouped *g = acr_alloc_array(&l->mem, l->n, sizeof *g);
    if (g == NULL)
        return acr_fail_nomem(err);
    for (size_t i = 0; i < l->n; i++)
        g[i] = (grouped){l->items[i], i, i};
    qsort(g, l->n, sizeof *g, by_keyword);
    for (size_t i = 1; i < l->n; i++)
        if (g[i].match.keyword == g[i - 1].match.keyword)
            g[i].first = g[i - 1].first;
    qsort(g, l->n, sizeof *g, by_group);
    for (size_t i = 0; i < l->n; i++)
        l->items[i] = g[i].match;
    acr_free(&l->mem, g, l->n * sizeof *g);
    return ACOR_OK;
}

int acr_matches_none(acor_match_list **out, const acr_mem *mem, acor_error *err)
{
    *out = acr_alloc_zero(mem, sizeof **out);
    if (*out == NULL)
        return acr_fail_nomem(err);
    (*out)->mem = *mem;
    return ACOR_OK;
}

int acr_matches_new(acor_match_list **out, acor_snapshot *snap, size_t room, acor_error *err)
{
    acor_match_list *list;
    *out = NULL;
    ACR_TRY(acr_matches_none(&list, &snap->mem, err));
    list->snap = acor_snapshot_ref(snap);
    int status = acr_grow(&list->mem, &list->items, &list->cap, room, sizeof *list->items, err);
    if (status != ACOR_OK) {
        acor_match_list_free(list);
        return status;
    }
    *out = list;
    return ACOR_OK;
}

void acr_matches_append(acor_match_list *list, const acor_match *m)
{
    list->items[list->n++] = *m;
}

/* c->list is there, empty and with its snapshot. */
static int fill(collector *c, const char *text, size_t len, const acor_scan_options *opts,
                const acor_parallel_options *parallel, acr_listing listing, acor_error *err)
{
    acor_scan_options o;
    const acor_snapshot *snap = c->list->snap;
    ACR_TRY(acr_scan_options_import(&o, opts, err));
    o.flags |= ACOR_SCAN_CODEPOINTS;
    c->once = listing == ACR_LIST_ONCE;
    if (c->once) {
        c->max = o.max_matches;
        o.max_matches = 0;
    }
    int status = parallel == NULL
                     ? acor_scan(snap, text, len, &o, NULL, collect, c, NULL, err)
                     : acor_scan_parallel(snap, text, len, &o, parallel, collect, c, NULL, err);
    if (c->seen != NULL)
        acr_free(&c->list->mem, c->seen, seen_words(c->list) * sizeof *c->seen);
    ACR_TRY(status);
    ACR_TRY(c->status);
    return listing == ACR_LIST_INDEX ? group_by_keyword(c->list, err) : ACOR_OK;
}

int acr_matches_collect(acor_match_list **out, acor_snapshot *snap, const char *text,
                        size_t len, const acor_scan_options *opts,
                        const acor_parallel_options *parallel, acr_listing listing,
                        acor_error *err)
{
    acor_match_list *list;
    *out = NULL;
    ACR_TRY(acr_matches_new(&list, snap, 0, err));
    collector c = {.list = list, .err = err};
    int status = fill(&c, text, len, opts, parallel, listing, err);
    if (status < 0) {
        acor_match_list_free(list);
        return status;
    }
    *out = list;
    return ACOR_OK;
}

int acr_texts_check(const acor_string *texts, size_t n, uint64_t *bytes, acor_error *err)
{
    *bytes = 0;
    for (size_t i = 0; i < n; i++) {
        if (texts[i].data == NULL && texts[i].len != 0)
            return acr_fail(err, ACOR_EINVAL, "text number %zu is NULL with a length of %zu", i,
                            texts[i].len);
        *bytes += texts[i].len;
    }
    return ACOR_OK;
}

void acr_matches_free_all(acor_match_list **lists, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        acor_match_list_free(lists[i]);
        lists[i] = NULL;
    }
}

int acr_matches_collect_many(acor_match_list **out, acor_snapshot *snap,
                             const acor_string *texts, size_t n,
                             const acor_scan_options *opts, acor_error *err)
{
    int status = ACOR_OK;
    for (size_t i = 0; i < n && status == ACOR_OK; i++) {
        status = acr_matches_collect(&out[i], snap, texts[i].data, texts[i].len, opts, NULL,
                                     ACR_LIST_ALL, err);
        if (status != ACOR_OK)
            acr_matches_free_all(out, i);
    }
    return status;
}

size_t acor_match_list_count(const acor_match_list *list)
{
    return list ? list->n : 0;
}

const acor_match *acor_match_list_items(const acor_match_list *list)
{
    return list && list->n ? list->items : NULL;
}

const acor_snapshot *acor_match_list_snapshot(const acor_match_list *list)
{
    return list ? list->snap : NULL;
}

void acor_match_list_free(acor_match_list *list)
{
    if (list == NULL)
        return;
    acr_mem mem = list->mem;
    acor_snapshot_unref(list->snap);
    acr_free(&mem, list->items, list->cap * sizeof *list->items);
    acr_free(&mem, list, sizeof *list);
}

/* A public call on a snapshot. */
static acor_status listed(acor_snapshot *snap, const char *text, size_t len,
                          const acor_scan_options *opts, const acor_parallel_options *parallel,
                          acr_listing listing, acor_match_list **out, const char *operation,
                          acor_error *err)
{
    int status;
    if (out != NULL)
        *out = NULL;
    if (snap == NULL || out == NULL || (text == NULL && len != 0))
        status = acr_fail(err, ACOR_EINVAL, "the snapshot, the text or the result is NULL");
    else
        status = acr_matches_collect(out, snap, text, len, opts, parallel, listing, err);
    if (status < 0)
        acr_error_operation(err, operation);
    return (acor_status)status;
}

acor_status acor_snapshot_find(acor_snapshot *snap, const char *text, size_t len,
                               const acor_scan_options *opts, acor_match_list **out,
                               acor_error *err)
{
    return listed(snap, text, len, opts, NULL, ACR_LIST_ALL, out, "snapshot_find", err);
}

acor_status acor_snapshot_find_set(acor_snapshot *snap, const char *text, size_t len,
                                   const acor_scan_options *opts, acor_match_list **out,
                                   acor_error *err)
{
    return listed(snap, text, len, opts, NULL, ACR_LIST_ONCE, out, "snapshot_find_set", err);
}

acor_status acor_snapshot_find_index(acor_snapshot *snap, const char *text, size_t len,
                                     const acor_scan_options *opts, acor_match_list **out,
                                     acor_error *err)
{
    return listed(snap, text, len, opts, NULL, ACR_LIST_INDEX, out, "snapshot_find_index", err);
}

static int many(acor_match_list **out, acor_snapshot *snap, const acor_string *texts, size_t n,
                const acor_scan_options *opts, acor_error *err)
{
    acor_scan_options o;
    uint64_t bytes;
    if (snap == NULL || (n != 0 && (out == NULL || texts == NULL)))
        return acr_fail(err, ACOR_EINVAL, "the snapshot, the texts or the results are NULL");
    ACR_TRY(acr_texts_check(texts, n, &bytes, err));
    ACR_TRY(acr_scan_options_import(&o, opts, err));
    return acr_matches_collect_many(out, snap, texts, n, opts, err);
}

acor_status acor_snapshot_find_many(acor_snapshot *snap, const acor_string *texts, size_t n,
                                    const acor_scan_options *opts, acor_match_list **out,
                                    acor_error *err)
{
    for (size_t i = 0; out != NULL && i < n; i++)
        out[i] = NULL;
    int status = many(out, snap, texts, n, opts, err);
    if (status < 0)
        acr_error_operation(err, "snapshot_find_many");
    return (acor_status)status;
}

static const acor_parallel_options parallel_defaults = ACOR_PARALLEL_OPTIONS_INIT;

acor_status acor_snapshot_find_parallel(acor_snapshot *snap, const char *text, size_t len,
                                        const acor_scan_options *opts,
                                        const acor_parallel_options *parallel,
                                        acor_match_list **out, acor_error *err)
{
    return listed(snap, text, len, opts, parallel ? parallel : &parallel_defaults,
                  ACR_LIST_ONCE, out, "snapshot_find_parallel", err);
}

acor_status acor_snapshot_find_index_parallel(acor_snapshot *snap, const char *text,
                                              size_t len, const acor_scan_options *opts,
                                              const acor_parallel_options *parallel,
                                              acor_match_list **out, acor_error *err)
{
    return listed(snap, text, len, opts, parallel ? parallel : &parallel_defaults,
                  ACR_LIST_INDEX, out, "snapshot_find_index_parallel", err);
}
