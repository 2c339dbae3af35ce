/* SPDX-License-Identifier: Apache-2.0 */
#include "store/redis/plan.h"

#include "base/error.h"
#include "store/redis/json.h"
#include "store/redis/plan_states.h"
#include "text/utf8.h"

void acr_plan_free(acr_plan *p)
{
    if (p->mem == NULL)
        return;
    acr_words_unref(p->words);
    acr_buf_free(&p->keywords);
    acr_buf_free(&p->prefixes);
    acr_free(p->mem, p->states, p->states_cap * sizeof *p->states);
    acr_arena_free(&p->arena);
    *p = (acr_plan){0};
}

/* --- which keywords come and go -------------------------------------------- */

/* The keywords that come or go, each once. */
typedef struct difference {
    acr_words *added, *gone;
} difference;

static void difference_free(difference *d)
{
    acr_words_unref(d->added);
    acr_words_unref(d->gone);
}

static int difference_new(difference *d, const acr_mem *mem, acor_error *err)
{
    d->added = acr_words_new(mem);
    d->gone = acr_words_new(mem);
    return d->added == NULL || d->gone == NULL ? acr_fail_nomem(err) : ACOR_OK;
}

/* What a replacement does not name goes. */
static int drop_unnamed(acr_plan *p, const acr_words *before, const acr_request *r,
                        difference *d, acor_error *err)
{
    acr_words *named = acr_words_new(p->mem);
    int status = named == NULL ? acr_fail_nomem(err) : ACOR_OK;
    for (size_t i = 0; i < r->n && status == ACOR_OK; i++)
        status = acr_words_add(named, r->ops[i].keyword, NULL, err);
    for (uint32_t i = 0, n = acr_words_places(before); i < n && status == ACOR_OK; i++) {
        acr_slice w = acr_words_at(before, i);
        if (w.data == NULL || acr_words_find(named, w) != ACR_WORDS_NONE)
            continue;
        (void)acr_words_remove(p->words, w);
        p->removed++;
        status = acr_words_add(d->gone, w, NULL, err);
    }
    acr_words_unref(named);
    return status;
}

/* The dictionary after the write, in its stored order: a changed copy. */
static int apply(acr_plan *p, acr_words *before, const acr_request *r,
                 unsigned char *outcomes, difference *d, acor_error *err)
{
    p->words = acr_words_ref(before);
    ACR_TRY(acr_words_own(&p->words, err));
    if (r->replace_all)
        ACR_TRY(drop_unnamed(p, before, r, d, err));
    for (size_t i = 0; i < r->n; i++) {
        acr_slice w = r->ops[i].keyword;
        int did = 0;
        if (r->ops[i].kind == ACR_OP_REMOVE) {
            did = acr_words_remove(p->words, w);
            if (did)
                ACR_TRY(acr_words_add(d->gone, w, NULL, err));
        } else {
            ACR_TRY(acr_words_add(p->words, w, &did, err));
            if (did)
                ACR_TRY(acr_words_add(d->added, w, NULL, err));
        }
        outcomes[i] = did ? ACR_DONE : ACR_DONE_NOTHING;
        p->changed += did != 0;
    }
    return ACOR_OK;
}

/* --- the two arrays -------------------------------------------------------- */

static int put(acr_buf *out, const char *text, acor_error *err)
{
    return acr_buf_put(out, acr_slice_str(text), err);
}

/* Elements of words, each behind a comma except where first says it is the first. */
static int put_elements(acr_buf *out, const acr_words *words, int first, acor_error *err)
{
    for (uint32_t i = 0, n = acr_words_places(words); i < n; i++) {
        acr_slice w = acr_words_at(words, i);
        if (w.data == NULL)
            continue;
        if (!first)
            ACR_TRY(put(out, ",", err));
        first = 0;
        ACR_TRY(acr_json_put_string(out, w, err));
    }
    return ACOR_OK;
}

/* Every prefix of word longer than shared bytes, shortest first. */
static int put_prefixes(acr_buf *out, acr_slice word, size_t shared, acor_error *err)
{
    const unsigned char *end = word.data + word.len;
    for (const unsigned char *p = word.data + shared; p < end;) {
        p += acr_utf8_decode(p, end).width;
        ACR_TRY(put(out, ",", err));
        ACR_TRY(acr_json_put_string(out, acr_slice_of(word.data, (size_t)(p - word.data)),
                                    err));
    }
    return ACOR_OK;
}

static int check_size(const char *field, uint64_t size, acor_error *err)
{
    if (size <= ACR_PLAN_ARRAY_MAX)
        return ACOR_OK;
    return acr_fail(err, ACOR_ELIMIT,
                    "field %s would have %llu bytes, a server takes %llu; a long keyword takes "
                    "half the square of its length in prefixes",
                    field, (unsigned long long)size, (unsigned long long)ACR_PLAN_ARRAY_MAX);
}

/* Bytes of the elements of words, with a comma each. */
static uint64_t element_bytes(const acr_words *words)
{
    uint64_t sum = 0;
    for (uint32_t i = 0, n = acr_words_places(words); i < n; i++)
        if (acr_words_at(words, i).data != NULL)
            sum += acr_json_string_size(acr_words_at(words, i)) + 1;
    return sum;
}

static int add_prefix_bytes(void *user, acr_slice word, size_t shared, acor_error *err)
{
    (void)err;
    *(uint64_t *)user += acr_plan_prefix_bytes(word, shared);
    return ACOR_OK;
}

static int put_walked(void *user, acr_slice word, size_t shared, acor_error *err)
{
    return put_prefixes(user, word, shared, err);
}

static int write_whole(acr_plan *p, acor_error *err)
{
    uint64_t prefixes = 4; /* [""] */
    ACR_TRY(check_size("keywords", element_bytes(p->words) + 2, err));
    ACR_TRY(acr_words_walk(p->words, p->mem, add_prefix_bytes, &prefixes, err));
    ACR_TRY(check_size("prefixes", prefixes, err));
    ACR_TRY(put(&p->keywords, "[", err));
    ACR_TRY(put_elements(&p->keywords, p->words, 1, err));
    ACR_TRY(put(&p->keywords, "]", err));
    ACR_TRY(put(&p->prefixes, "[\"\"", err));
    ACR_TRY(acr_words_walk(p->words, p->mem, put_walked, &p->prefixes, err));
    return put(&p->prefixes, "]", err);
}

/* --- appending ------------------------------------------------------------- */

static size_t lower_bound(const acr_plan_word *a, size_t n, acr_slice w)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (acr_slice_cmp(a[mid].word, w) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void share(acr_plan_word *a, acr_slice w)
{
    size_t n = acr_words_shared(w, a->word);
    if (n > a->shared)
        a->shared = n;
}

/*
 * The longest prefix a keyword shares with any other is shared with a neighbour
 * in byte order. The others are compared with the listed ones around them, and
 * what is found is passed on within the list, whose members then count for
 * those behind them.
 */
static void find_shared(acr_plan_word *a, size_t n, const acr_words *others)
{
    for (uint32_t i = 0, places = acr_words_places(others); i < places; i++) {
        acr_slice w = acr_words_at(others, i);
        if (w.data == NULL)
            continue;
        size_t at = lower_bound(a, n, w);
        if (at < n)
            share(&a[at], w);
        if (at > 0)
            share(&a[at - 1], w);
    }
    for (size_t i = n; i-- > 1;) {
        /* Shared with one of the others beyond the next one listed. */
        size_t both = acr_words_shared(a[i].word, a[i - 1].word);
        size_t through = both < a[i].shared ? both : a[i].shared;
        if (through > a[i - 1].shared)
            a[i - 1].shared = through;
    }
    for (size_t i = 1; i < n; i++)
        share(&a[i], a[i - 1].word);
}

/* words in byte order, each with what it shares with others or one listed before. */
static int list_words(acr_plan_list *list, const acr_mem *mem, const acr_words *words,
                      const acr_words *others, acor_error *err)
{
    uint32_t *order;
    size_t n = acr_words_count(words);
    ACR_TRY(acr_words_sorted(words, mem, &order, err));
    list->n = n;
    list->items = acr_alloc_array(mem, n, sizeof *list->items);
    if (list->items != NULL) {
        for (size_t i = 0; i < n; i++)
            list->items[i] = (acr_plan_word){.word = acr_words_at(words, order[i])};
        find_shared(list->items, n, others);
    }
    acr_free(mem, order, n * sizeof *order);
    return list->items == NULL ? acr_fail_nomem(err) : ACOR_OK;
}

static void list_free(acr_plan_list *list, const acr_mem *mem)
{
    acr_free(mem, list->items, list->n * sizeof *list->items);
}

static int write_ends(acr_plan *p, const acr_plan_base *base, const difference *d,
                      const acr_plan_list *added, acor_error *err)
{
    uint64_t prefixes = base->prefixes_len;
    for (size_t i = 0; i < added->n; i++)
        prefixes += acr_plan_prefix_bytes(added->items[i].word, added->items[i].shared);
    ACR_TRY(check_size("keywords", base->keywords_len + element_bytes(d->added), err));
    ACR_TRY(check_size("prefixes", prefixes, err));
    p->append = 1;
    ACR_TRY(put_elements(&p->keywords, d->added, acr_words_count(base->words) == 0, err));
    ACR_TRY(put(&p->keywords, "]", err));
    for (size_t i = 0; i < added->n; i++)
        ACR_TRY(put_prefixes(&p->prefixes, added->items[i].word, added->items[i].shared, err));
    return put(&p->prefixes, "]", err);
}

/* --- all together ----------------------------------------------------------- */

/* Where more than one keyword in so many changes, all states are written anew. */
enum { FEW = 4 };

static int write_changes(acr_plan *p, const acr_plan_base *base, const difference *d,
                         acor_error *err)
{
    acr_plan_list added = {0}, gone = {0};
    int status = list_words(&added, p->mem, d->added, base->words, err);
    if (status == ACOR_OK)
        status = list_words(&gone, p->mem, d->gone, p->words, err);
    if (status == ACOR_OK)
        status = base->complete && base->appendable && gone.n == 0
                     ? write_ends(p, base, d, &added, err)
                     : write_whole(p, err);
    size_t moved = added.n + gone.n;
    p->clear = !base->complete || moved > acr_words_count(p->words) / FEW;
    if (status == ACOR_OK)
        status = p->clear ? acr_plan_all_states(p, err)
                          : acr_plan_touched_states(p, base->words, &added, &gone, err);
    list_free(&added, p->mem);
    list_free(&gone, p->mem);
    return status;
}

int acr_plan_make(acr_plan *p, const acr_mem *mem, const acr_plan_base *base,
                  const acr_request *request, unsigned char *outcomes, acor_error *err)
{
    *p = (acr_plan){.mem = mem};
    acr_buf_init(&p->keywords, mem);
    acr_buf_init(&p->prefixes, mem);
    acr_arena_init(&p->arena, mem);
    difference d = {0};
    int status = difference_new(&d, mem, err);
    if (status == ACOR_OK)
        status = apply(p, base->words, request, outcomes, &d, err);
    if (status == ACOR_OK && (p->changed != 0 || p->removed != 0))
        status = write_changes(p, base, &d, err);
    difference_free(&d);
    if (status != ACOR_OK)
        acr_plan_free(p);
    return status;
}
