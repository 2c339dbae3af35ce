/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Aho-Corasick automaton in two forms at once. States near the root are
 * rows of a flat DFA table; the others are slots of a double array with failure
 * links. While the whole table is small every state is a row ("dfa/flat").
 *
 * A state in the table or in a failure link is a 32-bit reference:
 *
 *     31                                2 1 0
 *    +-----------------------------------+-+-+
 *    | row: its first cell in the table  |s|o|   o: reports something
 *    | slot: its number                  | | |   s: a slot, not a row
 *    +-----------------------------------+-+-+
 *
 * The root is row 0, so the reference 0. A row has a cell for each class, then
 * the first pattern to report and the depth. Class 0 always leads to the root.
 */
#ifndef ACR_ENGINE_AUTOMATON_H
#define ACR_ENGINE_AUTOMATON_H

#include "engine/alphabet.h"
#include "engine/engine.h"
#include "engine/trie.h"

#define ACR_REF_OUT UINT32_C(1)
#define ACR_REF_SLOT UINT32_C(2)
#define ACR_REF_SHIFT 2

/* A double-array state: the child by class c is slot (base ^ c), if that
 * slot's check names this one. */
typedef struct acr_slot {
    uint32_t base;
    uint32_t check;
    uint32_t fail; /* reference */
    uint32_t out;  /* longest pattern that ends here, or ACR_NO_PATTERN */
} acr_slot;

/* What is reported for a pattern. */
typedef struct acr_pattern {
    uint32_t bytes;
    uint32_t codepoints;
    uint32_t shorter; /* longest other pattern that is a suffix, or ACR_NO_PATTERN */
    uint32_t id;
} acr_pattern;

typedef struct acr_automaton {
    acr_engine engine; /* first */
    acr_mem mem;
    acr_alphabet alphabet;
    int fold;
    uint32_t rows;
    uint32_t stride;  /* cells of a row: classes, out, depth */
    uint32_t *table;  /* rows * stride */
    acr_slot *slots;  /* NULL if every state is a row */
    uint32_t *depth;  /* of each slot, in bytes */
    size_t slots_n;   /* a multiple of 256 */
    size_t slots_cap; /* of slots and depth, as allocated */
    size_t depth_cap;
    acr_pattern *patterns;
    uint32_t patterns_n;
} acr_automaton;

/* The cells of a row behind its classes. */
static inline uint32_t acr_automaton_cell(const acr_automaton *a, uint32_t ref, unsigned cell)
{
    return a->table[(ref >> ACR_REF_SHIFT) + cell];
}

/* The longest pattern that ends in a state, or ACR_NO_PATTERN. */
static inline uint32_t acr_automaton_out(const acr_automaton *a, uint32_t ref)
{
    return ref & ACR_REF_SLOT ? a->slots[ref >> ACR_REF_SHIFT].out
                              : acr_automaton_cell(a, ref, a->alphabet.n);
}

/* How many bytes a state stands for. */
static inline uint32_t acr_automaton_depth(const acr_automaton *a, uint32_t ref)
{
    return ref & ACR_REF_SLOT ? a->depth[ref >> ACR_REF_SHIFT]
                              : acr_automaton_cell(a, ref, a->alphabet.n + 1);
}

/* Where class c leads. While building: from a state that has its children. */
static inline uint32_t acr_automaton_next(const acr_automaton *a, uint32_t ref, unsigned c)
{
    while (ref & ACR_REF_SLOT) {
        uint32_t s = ref >> ACR_REF_SHIFT, t = a->slots[s].base ^ c;
        if (a->slots[t].check == s)
            return t << ACR_REF_SHIFT | ACR_REF_SLOT |
                   (a->slots[t].out != ACR_NO_PATTERN ? ACR_REF_OUT : 0);
        ref = a->slots[s].fail;
    }
    return acr_automaton_cell(a, ref, c);
}

int acr_automaton_scan(const acr_engine *e, const acr_scan_job *job);

#endif /* ACR_ENGINE_AUTOMATON_H */
