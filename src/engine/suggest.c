/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/suggest.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/matches.h"
#include "engine/snapshot.h"
#include "text/normalize.h"
#include "text/utf8.h"

struct acor_keyword_list {
    acr_mem mem;
    acr_words *words; /* one reference, for the bytes; NULL if nothing was asked of them */
    acor_string *items;
    size_t n, cap;
};

int acr_suggest_check(uint32_t flags, acor_error *err)
{
    if (flags & ~ACOR_SUGGEST_SORTED)
        return acr_fail(err, ACOR_EINVAL, "suggest: unknown flags 0x%x",
                        flags & ~ACOR_SUGGEST_SORTED);
    return ACOR_OK;
}

int acr_suggest_is_blank(acr_slice prefix)
{
    return acr_trim(prefix).len == 0;
}

/* --- places ------------------------------------------------------------------- */

/* Places of words, in the order in which they are suggested. */
typedef struct found {
    const acr_words *words;
    uint32_t *places;
    size_t n, cap;
    acr_buf prefix; /* normalised */
} found;

static void found_init(found *f, const acr_mem *mem, const acr_words *words)
{
    *f = (found){.words = words};
    acr_buf_init(&f->prefix, mem);
}

static void found_free(found *f)
{
    acr_free(f->prefix.mem, f->places, f->cap * sizeof *f->places);
    acr_buf_free(&f->prefix);
}

static int begins(acr_slice w, const acr_buf *prefix)
{
    return w.data != NULL && w.len >= prefix->len &&
           memcmp(w.data, prefix->data, prefix->len) == 0;
}

/* The first limit places that begin with the prefix; 0: all. */
static int collect(found *f, uint64_t limit, acor_error *err)
{
    uint32_t end = acr_words_places(f->words);
    for (uint32_t p = 0; p < end && (limit == 0 || f->n < limit); p++) {
        if (!begins(acr_words_at(f->words, p), &f->prefix))
            continue;
        ACR_TRY(acr_grow(f->prefix.mem, &f->places, &f->cap, f->n + 1, sizeof *f->places, err));
        f->places[f->n++] = p;
    }
    return ACOR_OK;
}

typedef struct keyed {
    acr_slice bytes;
    uint32_t place;
} keyed;

static int by_bytes(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    return acr_slice_cmp(x->bytes, y->bytes);
}

static int sort(found *f, acor_error *err)
{
    const acr_mem *mem = f->prefix.mem;
    keyed *k = acr_alloc_array(mem, f->n, sizeof *k);
    if (k == NULL)
        return acr_fail_nomem(err);
    for (size_t i = 0; i < f->n; i++)
        k[i] = (keyed){acr_words_at(f->words, f->places[i]), f->places[i]};
    qsort(k, f->n, sizeof *k, by_bytes);
    for (size_t i = 0; i < f->n; i++)
        f->places[i] = k[i].place;
    acr_free(mem, k, f->n * sizeof *k);
    return ACOR_OK;
}

static int find(found *f, int fold, const acr_suggest_query *q, acor_error *err)
{
    size_t len = 0;
    int sorted = (q->flags & ACOR_SUGGEST_SORTED) != 0;
    int status = acr_normalize(&f->prefix, q->prefix, fold, &len, err);
    if (status == ACOR_ELIMIT || (status == ACOR_OK && len == 0))
        return ACOR_OK; /* longer than any keyword, or blank */
    ACR_TRY(status);
    ACR_TRY(collect(f, sorted ? 0 : q->limit, err));
    if (sorted && f->n > 1)
        ACR_TRY(sort(f, err));
    if (q->limit != 0 && f->n > q->limit)
        f->n = (size_t)q->limit;
    return ACOR_OK;
}

/* --- as keywords ---------------------------------------------------------------- */

static int list_of(acor_keyword_list *list, const found *f, acor_error *err)
{
    ACR_TRY(acr_grow(&list->mem, &list->items, &list->cap, f->n, sizeof *list->items, err));
    for (; list->n < f->n; list->n++) {
        acr_slice w = acr_words_at(f->words, f->places[list->n]);
        list->items[list->n] = (acor_string){(const char *)w.data, w.len};
    }
    return ACOR_OK;
}

int acr_suggest(acor_keyword_list **out, const acr_mem *mem, acr_words *words, int fold,
                const acr_suggest_query *q, acor_error *err)
{
    found f;
    int status = ACOR_OK;
    *out = NULL;
    acor_keyword_list *list = acr_alloc_zero(mem, sizeof *list);
    if (list == NULL)
        return acr_fail_nomem(err);
    list->mem = *mem;
    list->words = acr_words_ref(words);
    found_init(&f, mem, words);
    if (words != NULL)
        status = find(&f, fold, q, err);
    if (status == ACOR_OK && f.n != 0)
        status = list_of(list, &f, err);
    found_free(&f);
    if (status != ACOR_OK) {
        acor_keyword_list_free(list);
        return status;
    }
    *out = list;
    return ACOR_OK;
}

acor_status acor_snapshot_suggest(acor_snapshot *snap, const char *prefix, size_t len,
                                  uint64_t limit, uint32_t flags, acor_keyword_list **out,
                                  acor_error *err)
{
    int status = ACOR_OK;
    if (out != NULL)
        *out = NULL;
    if (snap == NULL || out == NULL || (prefix == NULL && len != 0))
        status = acr_fail(err, ACOR_EINVAL, "the snapshot, the prefix or the result is NULL");
    if (status == ACOR_OK)
        status = acr_suggest_check(flags, err);
    if (status == ACOR_OK) {
        acr_suggest_query q = {acr_slice_of(prefix, len), limit, flags};
        status = acr_suggest(out, &snap->mem, snap->words, snap->fold, &q, err);
    }
    if (status < 0)
        acr_error_operation(err, "snapshot_suggest");
    return (acor_status)status;
}

size_t acor_keyword_list_count(const acor_keyword_list *list)
{
    return list ? list->n : 0;
}

const acor_string *acor_keyword_list_items(const acor_keyword_list *list)
{
    return list && list->n ? list->items : NULL;
}

void acor_keyword_list_free(acor_keyword_list *list)
{
    if (list == NULL)
        return;
    acr_mem mem = list->mem;
    acr_words_unref(list->words);
    acr_free(&mem, list->items, list->cap * sizeof *list->items);
    acr_free(&mem, list, sizeof *list);
}

/* --- as places ------------------------------------------------------------------ */

static int index_of(acor_match_list **out, acor_snapshot *snap, const acr_suggest_query *q,
                    acor_error *err)
{
    found f;
    found_init(&f, &snap->mem, snap->words);
    int status = find(&f, snap->fold, q, err);
    if (status == ACOR_OK)
        status = acr_matches_new(out, snap, f.n, err);
    if (status == ACOR_OK) {
        acor_match m = {.end = f.prefix.len,
                        .cp_end = acr_utf8_count(acr_slice_of(f.prefix.data, f.prefix.len))};
        for (size_t i = 0; i < f.n; i++) {
            m.keyword = acr_snapshot_id(snap, f.places[i]);
            acr_matches_append(*out, &m);
        }
    }
    found_free(&f);
    return status;
}

acor_status acor_snapshot_suggest_index(acor_snapshot *snap, const char *prefix, size_t len,
                                        uint64_t limit, uint32_t flags, acor_match_list **out,
                                        acor_error *err)
{
    int status = ACOR_OK;
    if (out != NULL)
        *out = NULL;
    if (snap == NULL || out == NULL || (prefix == NULL && len != 0))
        status = acr_fail(err, ACOR_EINVAL, "the snapshot, the prefix or the result is NULL");
    if (status == ACOR_OK)
        status = acr_suggest_check(flags, err);
    if (status == ACOR_OK) {
        acr_suggest_query q = {acr_slice_of(prefix, len), limit, flags};
        status = index_of(out, snap, &q, err);
    }
    if (status < 0)
        acr_error_operation(err, "snapshot_suggest_index");
    return (acor_status)status;
}
