/* SPDX-License-Identifier: Apache-2.0 */
#include "memcount.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK UINT64_C(0x6d656d636f756e74)

/* In front of each block, so that what comes back can be checked. */
typedef struct head {
    uint64_t size;
    uint64_t mark;
} head;

static uint64_t add(uint64_t *to, uint64_t n)
{
    return __atomic_add_fetch(to, n, __ATOMIC_RELAXED);
}

static void sub(uint64_t *from, uint64_t n)
{
    __atomic_sub_fetch(from, n, __ATOMIC_RELAXED);
}

static void raise_peak(memcount *m, uint64_t live)
{
    uint64_t peak = __atomic_load_n(&m->peak_bytes, __ATOMIC_RELAXED);
    while (live > peak &&
           !__atomic_compare_exchange_n(&m->peak_bytes, &peak, live, 1, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        ;
}

static int must_fail(memcount *m)
{
    uint64_t n = add(&m->calls, 1) - 1;
    if (n != m->fail_at && !(m->sticky && n > m->fail_at))
        return 0;
    add(&m->failures, 1);
    return 1;
}

static void check(memcount *m, const head *h, size_t size, const char *what)
{
    if (h->mark == MARK && h->size == size)
        return;
    __atomic_store_n(&m->faults, 1, __ATOMIC_RELAXED);
    fprintf(stderr, "%s: block of %llu bytes given back as %zu\n", what,
            (unsigned long long)h->size, size);
}

static void *take(void *user, size_t size)
{
    memcount *m = user;
    if (must_fail(m))
        return NULL;
    head *h = malloc(sizeof *h + size);
    if (!h)
        return NULL;
    h->size = size;
    h->mark = MARK;
    add(&m->live_blocks, 1);
    add(&m->total_bytes, size);
    raise_peak(m, add(&m->live_bytes, size));
    memset(h + 1, 0xa5, size);
    return h + 1;
}

static void *change(void *user, void *ptr, size_t old_size, size_t new_size)
{
    memcount *m = user;
    head *h = (head *)ptr - 1;
    check(m, h, old_size, "resize");
    if (must_fail(m))
        return NULL;
    h = realloc(h, sizeof *h + new_size);
    if (!h)
        return NULL;
    h->size = new_size;
    if (new_size > old_size) {
        add(&m->total_bytes, new_size - old_size);
        raise_peak(m, add(&m->live_bytes, new_size - old_size));
    } else {
        sub(&m->live_bytes, old_size - new_size);
    }
    return h + 1;
}

static void give(void *user, void *ptr, size_t size)
{
    memcount *m = user;
    head *h = (head *)ptr - 1;
    check(m, h, size, "release");
    sub(&m->live_blocks, 1);
    sub(&m->live_bytes, h->size);
    h->mark = 0;
    free(h);
}

void memcount_init(memcount *m)
{
    *m = (memcount){.fail_at = MEMCOUNT_NEVER};
    m->hook = (acor_allocator)ACOR_ALLOCATOR_INIT;
    m->hook.alloc = take;
    m->hook.resize = change;
    m->hook.release = give;
    m->hook.user = m;
}

void memcount_fail(memcount *m, uint64_t n, int sticky)
{
    m->calls = 0;
    m->failures = 0;
    m->fail_at = n;
    m->sticky = sticky;
}
