/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>

struct acr_arena_block {
    acr_arena_block *next;
    size_t size; /* of the whole block */
    size_t used; /* bytes of data[] given out */
    alignas(max_align_t) unsigned char data[];
};

enum { FIRST_BLOCK = 1024, LARGEST_STEP = 1 << 20 };

void acr_arena_init(acr_arena *arena, const acr_mem *mem)
{
    *arena = (acr_arena){.mem = mem};
}

void acr_arena_free(acr_arena *arena)
{
    acr_arena_block *b = arena->blocks;
    while (b != NULL) {
        acr_arena_block *next = b->next;
        acr_free(arena->mem, b, b->size);
        b = next;
    }
    acr_arena_init(arena, arena->mem);
}

static acr_arena_block *add_block(acr_arena *arena, size_t least)
{
    size_t want = arena->blocks ? arena->blocks->size * 2 : FIRST_BLOCK;
    if (want > LARGEST_STEP)
        want = LARGEST_STEP;
    if (least > SIZE_MAX - sizeof(acr_arena_block))
        return NULL;
    if (want < least + sizeof(acr_arena_block))
        want = least + sizeof(acr_arena_block);
    acr_arena_block *b = acr_alloc(arena->mem, want);
    if (b == NULL)
        return NULL;
    b->size = want;
    b->used = 0;
    b->next = arena->blocks;
    arena->blocks = b;
    arena->total += want;
    return b;
}

void *acr_arena_get(acr_arena *arena, size_t size, int aligned)
{
    acr_arena_block *b = arena->blocks;
    size_t at = 0;
    if (b != NULL) {
        at = b->used;
        if (aligned)
            at = (at + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
        size_t room = b->size - sizeof *b;
        if (at > room || room - at < size)
            b = NULL;
    }
    if (b == NULL) {
        b = add_block(arena, size);
        if (b == NULL)
            return NULL;
        at = 0;
    }
    b->used = at + size;
    return b->data + at;
}

unsigned char *acr_arena_copy(acr_arena *arena, acr_slice s)
{
    if (s.len == SIZE_MAX)
        return NULL;
    unsigned char *p = acr_arena_get(arena, s.len + 1, 0);
    if (p == NULL)
        return NULL;
    if (s.len != 0)
        memcpy(p, s.data, s.len);
    p[s.len] = '\0';
    return p;
}
