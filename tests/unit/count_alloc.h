/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An allocator that counts, holds every size against the one asked for, and
 * fails when told to. Its checks are plain ifs: Check writes to a file for each
 * assertion that holds, which is slow here.
 */
#ifndef ACOR_TEST_COUNT_ALLOC_H
#define ACOR_TEST_COUNT_ALLOC_H

#include <check.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

typedef struct count_alloc {
    size_t asked;   /* calls that may fail: alloc and resize */
    size_t fail_at; /* this one of them fails, from 0; SIZE_MAX: none */
    size_t blocks;  /* now held */
    size_t bytes;
} count_alloc;

typedef struct count_head {
    alignas(max_align_t) size_t size;
} count_head;

static inline void *count_alloc_get(void *user, size_t size)
{
    count_alloc *c = user;
    if (size == 0)
        ck_abort_msg("a block of no bytes is asked for");
    if (c->asked++ == c->fail_at)
        return NULL;
    count_head *h = malloc(sizeof *h + size);
    if (h == NULL)
        ck_abort_msg("no memory for the test itself");
    h->size = size;
    c->blocks++;
    c->bytes += size;
    memset(h + 1, 0xA5, size);
    return h + 1;
}

static inline void count_alloc_release(void *user, void *ptr, size_t size)
{
    count_alloc *c = user;
    if (ptr == NULL)
        ck_abort_msg("NULL is given back");
    count_head *h = (count_head *)ptr - 1;
    if (h->size != size)
        ck_abort_msg("%zu bytes were asked for, %zu are given back", h->size, size);
    memset(ptr, 0x5A, size);
    c->blocks--;
    c->bytes -= size;
    free(h);
}

/* Always moves, so that old addresses are found out. */
static inline void *count_alloc_resize(void *user, void *ptr, size_t old_size,
                                       size_t new_size)
{
    void *p = count_alloc_get(user, new_size);
    if (p == NULL)
        return NULL;
    memcpy(p, ptr, old_size < new_size ? old_size : new_size);
    count_alloc_release(user, ptr, old_size);
    return p;
}

static inline acr_mem count_alloc_mem(count_alloc *c)
{
    *c = (count_alloc){.fail_at = SIZE_MAX};
    acor_allocator from = ACOR_ALLOCATOR_INIT;
    from.alloc = count_alloc_get;
    from.resize = count_alloc_resize;
    from.release = count_alloc_release;
    from.user = c;
    acr_mem mem;
    ck_assert_int_eq(acr_mem_init(&mem, &from, NULL), ACOR_OK);
    return mem;
}

/* From now on, the n-th request fails. */
static inline void count_alloc_fail(count_alloc *c, size_t n)
{
    c->asked = 0;
    c->fail_at = n;
}

/* A small generator, so that a failure comes back with the same seed. */
static inline uint32_t count_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

#endif /* ACOR_TEST_COUNT_ALLOC_H */
