/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/place.h"

#include <string.h>

#include "base/error.h"
#include "engine/trie.h"

/* A state with several children is not worth a try at more than one slot in so many, ... */
enum { TRIES_SHARE = 128 };

/* ... nor at a block with less than one in so many free: single ones fill it up. */
enum { NEARLY_FULL = 16 };

static size_t words_of(const acr_place *p)
{
    return p->block / 64;
}

int acr_place_init(acr_place *p, acr_automaton *a, acor_error *err)
{
    *p = (acr_place){.a = a, .block = ACR_BLOCK_MIN};
    while (p->block < a->alphabet.n)
        p->block *= 2;
    p->free = acr_alloc_array(&a->mem, ACR_OPEN_BLOCKS * words_of(p), sizeof *p->free);
    return p->free == NULL ? acr_fail_nomem(err) : ACOR_OK;
}

void acr_place_free(acr_place *p)
{
    if (p->a != NULL)
        acr_free(&p->a->mem, p->free, ACR_OPEN_BLOCKS * words_of(p) * sizeof *p->free);
}

/* Another block; at is where it stands among those that are open. */
static int add_block(acr_place *p, size_t at, acor_error *err)
{
    acr_automaton *a = p->a;
    size_t need = a->slots_n + p->block;
    if (need > ACR_STATES_MAX)
        return acr_fail(err, ACOR_ELIMIT, "the dictionary needs more than %u states",
                        ACR_STATES_MAX);
    ACR_TRY(acr_grow(&a->mem, &a->slots, &a->slots_cap, need, sizeof *a->slots, err));
    ACR_TRY(acr_grow(&a->mem, &a->depth, &a->depth_cap, need, sizeof *a->depth, err));
    for (size_t i = a->slots_n; i < need; i++) {
        a->slots[i] = (acr_slot){0, ACR_NO_PATTERN, 0, ACR_NO_PATTERN};
        a->depth[i] = 0;
    }
    memset(p->free + at * words_of(p), 0xFF, p->block / 8);
    p->left[at] = p->block;
    p->first[at] = 0;
    a->slots_n = need;
    return ACOR_OK;
}

/* Bit i of the result is bit i ^ by of word. */
static uint64_t xor_places(uint64_t word, unsigned by)
{
    static const uint64_t low[] = {
        UINT64_C(0x5555555555555555), UINT64_C(0x3333333333333333), UINT64_C(0x0F0F0F0F0F0F0F0F),
        UINT64_C(0x00FF00FF00FF00FF), UINT64_C(0x0000FFFF0000FFFF), UINT64_C(0x00000000FFFFFFFF)};
    for (unsigned i = 0; by >> i != 0; i++)
        if (by >> i & 1)
            word = (word & low[i]) << (1u << i) | (word >> (1u << i) & low[i]);
    return word;
}

/* The first base in the block at that takes all labels; 0 if there is none. 64 bases that
 * differ in their last bits are tried at a time. */
static int find_base(acr_place *p, size_t at, const uint32_t *labels, uint32_t n,
                     uint32_t *base)
{
    const uint64_t *bits = p->free + at * words_of(p);
    while (p->first[at] < words_of(p) && bits[p->first[at]] == 0)
        p->first[at]++;
    for (uint32_t w = p->first[at]; w < words_of(p); w++) {
        uint32_t high = w ^ labels[0] / 64;
        uint64_t fit = bits[w] != 0 ? xor_places(bits[w], labels[0] % 64) : 0;
        for (uint32_t i = 1; i < n && fit != 0; i++)
            fit &= xor_places(bits[high ^ labels[i] / 64], labels[i] % 64);
        if (fit != 0) {
            *base = high * 64 + (uint32_t)__builtin_ctzll(fit);
            return 1;
        }
    }
    return 0;
}

static void take(acr_place *p, size_t at, uint32_t base, const uint32_t *labels, uint32_t n)
{
    uint64_t *bits = p->free + at * words_of(p);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = base ^ labels[k];
        bits[i / 64] &= ~(UINT64_C(1) << (i % 64));
    }
    p->left[at] -= n;
}

int acr_place_children(acr_place *p, const uint32_t *labels, uint32_t n, uint32_t *base,
                       acor_error *err)
{
    size_t blocks = p->a->slots_n / p->block;
    size_t b = blocks > ACR_OPEN_BLOCKS ? blocks - ACR_OPEN_BLOCKS : 0;
    uint32_t need = n > 1 && n < p->block / NEARLY_FULL ? p->block / NEARLY_FULL : n;
    while (b < blocks && !(p->left[b % ACR_OPEN_BLOCKS] >= need &&
                           find_base(p, b % ACR_OPEN_BLOCKS, labels, n, base)))
        b++;
    if (b == blocks) {
        ACR_TRY(add_block(p, b % ACR_OPEN_BLOCKS, err));
        *base = 0;
    }
    take(p, b % ACR_OPEN_BLOCKS, *base, labels, n);
    *base += (uint32_t)(b * p->block);
    return ACOR_OK;
}
