/* SPDX-License-Identifier: Apache-2.0 */
/* An allocator hook that counts, checks the sizes it is given back, and fails
 * when it is told to. Safe from many threads. */
#ifndef ACOR_TEST_MEMCOUNT_H
#define ACOR_TEST_MEMCOUNT_H

#include <acor/types.h>

#define MEMCOUNT_NEVER UINT64_MAX

typedef struct memcount {
    acor_allocator hook; /* hand this to the library */
    uint64_t calls;      /* allocations and resizes asked for */
    uint64_t live_blocks;
    uint64_t live_bytes;
    uint64_t peak_bytes;
    uint64_t total_bytes; /* ever asked for */
    uint64_t fail_at;     /* the call with this number fails, from 0 */
    uint64_t failures;
    int sticky; /* and so do all after it */
    int faults; /* blocks given back with a wrong size, or not ours */
} memcount;

void memcount_init(memcount *m);

/* From now on: the n-th call fails; MEMCOUNT_NEVER for none. */
void memcount_fail(memcount *m, uint64_t n, int sticky);

#endif /* ACOR_TEST_MEMCOUNT_H */
