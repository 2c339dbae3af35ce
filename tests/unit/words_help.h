/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of keyword sets share: counted memory, and their order. */
#ifndef ACOR_TEST_WORDS_HELP_H
#define ACOR_TEST_WORDS_HELP_H

#include "count_alloc.h"
#include "text/words.h"

static count_alloc counter;
static acr_mem mem;

static inline void setup(void)
{
    mem = count_alloc_mem(&counter);
}

static inline void teardown(void)
{
    ck_assert_uint_eq(counter.blocks, 0);
    ck_assert_uint_eq(counter.bytes, 0);
}

static inline int by_bytes(const void *a, const void *b)
{
    const acr_slice *x = a, *y = b;
    return acr_slice_cmp(*x, *y);
}

/* The order is the one that the C library sorts them into. */
static inline void order_agrees(const acr_words *w)
{
    size_t n = acr_words_count(w), k = 0;
    acr_slice *want = malloc((n + 1) * sizeof *want);
    ck_assert_ptr_nonnull(want);
    for (uint32_t i = 0; i < acr_words_places(w); i++)
        if (acr_words_at(w, i).data != NULL)
            want[k++] = acr_words_at(w, i);
    ck_assert_uint_eq(k, n);
    qsort(want, n, sizeof *want, by_bytes);
    uint32_t *got;
    ck_assert_int_eq(acr_words_sorted(w, &mem, &got, NULL), ACOR_OK);
    ck_assert_ptr_nonnull(got);
    for (size_t i = 0; i < n; i++)
        if (acr_words_at(w, got[i]).data != want[i].data)
            ck_abort_msg("%zu-th of %zu differs", i, n);
    acr_free(&mem, got, n * sizeof *got);
    free(want);
}

static inline acr_words *new_words(void)
{
    acr_words *w = acr_words_new(&mem);
    ck_assert_ptr_nonnull(w);
    return w;
}

static inline void add(acr_words *w, const char *word)
{
    int added = -1;
    ck_assert_int_eq(acr_words_add(w, acr_slice_str(word), &added, NULL), ACOR_OK);
    ck_assert_int_eq(added, 1);
}

static inline uint64_t nodes_of(const acr_words *w)
{
    uint64_t n = 0;
    ck_assert_int_eq(acr_words_nodes(w, &mem, &n, NULL), ACOR_OK);
    return n;
}

#endif /* ACOR_TEST_WORDS_HELP_H */
