/* SPDX-License-Identifier: Apache-2.0 */
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
    for (size_t i = 0; i < n; i++)
        if (!c->once || is_new(c, m[i].keyword))
            l->items[l->n++] = m[i];
    return 0;
}

int acr_matches_none(acor_match_list **out, const acr_mem *mem, acor_error *err)
{
    *out = acr_alloc_zero(mem, sizeof **out);
    if (*out == NULL)
        return acr_fail_nomem(err);
    (*out)->mem = *mem;
    return ACOR_OK;
}

int acr_matches_collect(acor_match_list **out, acor_snapshot *snap, const char *text,
                        size_t len, const acor_scan_options *options, int once,
                        acor_error *err)
{
    *out = NULL;
    acor_match_list *list;
    ACR_TRY(acr_matches_none(&list, &snap->mem, err));
    list->snap = acor_snapshot_ref(snap);
    collector c = {.list = list, .once = once, .err = err};
    int status = acor_scan(snap, text, len, options, NULL, collect, &c, NULL, err);
    if (c.seen != NULL)
        acr_free(&list->mem, c.seen, seen_words(list) * sizeof *c.seen);
    if (c.status != ACOR_OK)
        status = acr_fail_nomem(err);
    if (status < 0) {
        acor_match_list_free(list);
        return status;
    }
    *out = list;
    return ACOR_OK;
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
