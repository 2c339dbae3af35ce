/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/place.h"

#include "base/error.h"
#include "engine/trie.h"

/* A state with many children is not worth more tries than this in a block. */
enum { TRIES = 64 };

void acr_place_init(acr_place *p, acr_automaton *a)
{
    *p = (acr_place){.a = a};
}

static size_t block_count(const acr_place *p)
{
    return p->a->slots_n / ACR_BLOCK;
}

static int is_free(const acr_block *b, unsigned i)
{
    return (int)(b->free[i / 64] >> (i % 64) & 1);
}

static void take(acr_block *b, unsigned i)
{
    b->free[i / 64] &= ~(UINT64_C(1) << (i % 64));
    b->left--;
}

static int add_block(acr_place *p, acor_error *err)
{
    acr_automaton *a = p->a;
    if (a->slots_n + ACR_BLOCK > ACR_STATES_MAX)
        return acr_fail(err, ACOR_ELIMIT, "the dictionary needs more than %u states",
                        ACR_STATES_MAX);
    size_t need = a->slots_n + ACR_BLOCK;
    ACR_TRY(acr_grow(&a->mem, &a->slots, &a->slots_cap, need, sizeof *a->slots, err));
    ACR_TRY(acr_grow(&a->mem, &a->depth, &a->depth_cap, need, sizeof *a->depth, err));
    for (size_t i = a->slots_n; i < need; i++) {
        a->slots[i] = (acr_slot){0, ACR_NO_PATTERN, 0, ACR_NO_PATTERN};
        a->depth[i] = 0;
    }
    acr_block *b = &p->open[block_count(p) % ACR_OPEN_BLOCKS];
    for (unsigned i = 0; i < ACR_BLOCK / 64; i++)
        b->free[i] = UINT64_MAX;
    b->left = ACR_BLOCK;
    a->slots_n = need;
    return ACOR_OK;
}

/* The first place in a block whose XOR with each label is free, or -1. */
static int fit(const acr_block *b, const uint8_t *labels, uint32_t n)
{
    int tries = 0;
    for (unsigned w = 0; w < ACR_BLOCK / 64; w++) {
        for (uint64_t bits = b->free[w]; bits != 0; bits &= bits - 1) {
            unsigned base = (w * 64 + (unsigned)__builtin_ctzll(bits)) ^ labels[0];
            uint32_t i = 1;
            while (i < n && is_free(b, base ^ labels[i]))
                i++;
            if (i == n)
                return (int)base;
            if (++tries == TRIES)
                return -1;
        }
    }
    return -1;
}

int acr_place_children(acr_place *p, const uint8_t *labels, uint32_t n, uint32_t *base,
                       acor_error *err)
{
    size_t blocks = block_count(p);
    size_t from = blocks > ACR_OPEN_BLOCKS ? blocks - ACR_OPEN_BLOCKS : 0;
    acr_block *b = NULL;
    int at = -1;
    size_t i = from;
    for (; i < blocks && at < 0; i++) {
        b = &p->open[i % ACR_OPEN_BLOCKS];
        if (b->left >= n)
            at = fit(b, labels, n);
    }
    if (at < 0) {
        ACR_TRY(add_block(p, err));
        b = &p->open[blocks % ACR_OPEN_BLOCKS];
        at = 0;
        i = blocks + 1;
    }
    for (uint32_t k = 0; k < n; k++)
        take(b, (unsigned)at ^ labels[k]);
    *base = (uint32_t)((i - 1) * ACR_BLOCK) + (uint32_t)at;
    return ACOR_OK;
}
