/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is given piece by piece, keeps its address, and goes at once. */
#ifndef ACR_BASE_ARENA_H
#define ACR_BASE_ARENA_H

#include "base/alloc.h"
#include "base/slice.h"

typedef struct acr_arena_block acr_arena_block;

typedef struct acr_arena {
    const acr_mem *mem;
    acr_arena_block *blocks; /* newest first */
    size_t total;            /* bytes taken from mem */
} acr_arena;

void acr_arena_init(acr_arena *arena, const acr_mem *mem);
void acr_arena_free(acr_arena *arena);

/* size bytes, aligned for any type if aligned is set; NULL means no memory. */
void *acr_arena_get(acr_arena *arena, size_t size, int aligned);

/* A copy of s with a NUL behind it, not counted; NULL means no memory. */
unsigned char *acr_arena_copy(acr_arena *arena, acr_slice s);

#endif /* ACR_BASE_ARENA_H */
