/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trie of sorted patterns over symbols, numbered breadth-first: the root is 0, the
 * children of a node are consecutive, and every node's number is higher than
 * those of all shorter prefixes.
 */
#ifndef ACR_ENGINE_TRIE_H
#define ACR_ENGINE_TRIE_H

#include "engine/alphabet.h"

#define ACR_NO_PATTERN UINT32_MAX

/* States are addressed with 30 bits. */
#define ACR_STATES_MAX ((UINT32_C(1) << 30) - 1)

typedef struct acr_trie {
    const acr_mem *mem;
    uint32_t n;      /* nodes */
    uint32_t *first; /* n + 1 numbers: children of i are first[i] to first[i + 1] - 1 */
    uint32_t *label; /* symbol that leads to a node */
    uint32_t *term;  /* the pattern that ends there, or ACR_NO_PATTERN */
} acr_trie;

/* Time and memory in proportion to the patterns' code points; no recursion. */
int acr_trie_build(acr_trie *t, const acr_mem *mem, const acr_patterns *patterns,
                   const acr_alphabet *alphabet, acor_error *err);
void acr_trie_free(acr_trie *t);

#endif /* ACR_ENGINE_TRIE_H */
