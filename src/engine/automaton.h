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
 * The root is row 0, so the reference 0. A row has a cell for each symbol, then
 * the first pattern to report and the depth. Symbol 0 always leads to the root.
 */
#ifndef ACR_ENGINE_AUTOMATON_H
#define ACR_ENGINE_AUTOMATON_H

#include "engine/alphabet.h"
#include "engine/engine.h"
#include "engine/trie.h"

/* Simple lower-casing never makes a code point more than this many times shorter
 * (U+212A, 3 bytes, to k), and an undecodable byte only gets longer. */
enum { ACR_LONGEST_TO_ONE = 3 };

/* Bytes of a code point, at most. */
enum { ACR_WIDEST = 4 };

#define ACR_REF_OUT UINT32_C(1)
#define ACR_REF_SLOT UINT32_C(2)
#define ACR_REF_SHIFT 2

/* A double-array state: the child by symbol c is slot (base ^ c), if that
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
    uint32_t rows;
    uint32_t stride;  /* cells of a row: symbols, out, depth */
    uint32_t *table;  /* rows * stride */
    acr_slot *slots;  /* NULL if every state is a row */
    uint32_t *depth;  /* of each slot, in code points */
    size_t slots_n;   /* a multiple of a block's size */
    size_t slots_cap; /* of slots and depth, as allocated */
    size_t depth_cap;
    acr_pattern *patterns;
    uint32_t patterns_n;
} acr_automaton;

/* A cell of a row. */
static inline uint32_t acr_automaton_cell(const acr_automaton *a, uint32_t ref, uint32_t cell)
{
    return a->table[(ref >> ACR_REF_SHIFT) + cell];
}

/* The longest pattern that ends in a state, or ACR_NO_PATTERN. */
static inline uint32_t acr_automaton_out(const acr_automaton *a, uint32_t ref)
{
    return ref & ACR_REF_SLOT ? a->slots[ref >> ACR_REF_SHIFT].out
                              : acr_automaton_cell(a, ref, a->alphabet.n);
}

/* How many code points a state stands for. */
static inline uint32_t acr_automaton_depth(const acr_automaton *a, uint32_t ref)
{
    return ref & ACR_REF_SLOT ? a->depth[ref >> ACR_REF_SHIFT]
                              : acr_automaton_cell(a, ref, a->alphabet.n + 1);
}

/* Where symbol c leads. While building: from a state that has its children. */
static inline uint32_t acr_automaton_next(const acr_automaton *a, uint32_t ref, uint32_t c)
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

/* *mem is copied. *out is NULL on failure. */
int acr_automaton_build(acr_automaton **out, const acr_mem *mem, const acr_patterns *patterns,
                        acor_error *err);

/* Told of a pattern that begins where a walk began, and of where it ends. Anything but 0
 * ends the walk. */
typedef int (*acr_walk_fn)(void *user, const acr_pattern *pattern, const unsigned char *end);

/* All patterns that begin at p, the shortest first. 0, or what fn answered. */
int acr_automaton_walk(const acr_automaton *a, const unsigned char *p, const unsigned char *end,
                       acr_walk_fn fn, void *user);

int acr_automaton_scan(const acr_engine *e, const acr_scan_job *job);
uint64_t acr_automaton_horizon(const acr_engine *e, const acr_cursor *at);

#endif /* ACR_ENGINE_AUTOMATON_H */
