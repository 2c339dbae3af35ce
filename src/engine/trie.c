/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/trie.h"

#include "base/error.h"

/* A node whose children are still to be found: its patterns, sorted. */
typedef struct span {
    uint32_t lo, hi;
} span;

typedef struct frontier {
    span *spans;
    size_t n, cap;
} frontier;

/* Each pattern brings a node for every byte it does not share with the one before. */
static uint64_t count_nodes(const acr_patterns *p)
{
    uint64_t n = 1;
    for (uint32_t k = 0; k < p->n; k++)
        n += p->bytes[k].len - (k ? acr_slice_common(p->bytes[k - 1], p->bytes[k]) : 0);
    return n;
}

static int allocate(acr_trie *t, acor_error *err)
{
    t->first = acr_alloc_array(t->mem, (size_t)t->n + 1, sizeof *t->first);
    t->label = acr_alloc_array(t->mem, t->n, sizeof *t->label);
    t->term = acr_alloc_array(t->mem, t->n, sizeof *t->term);
    if (t->first == NULL || t->label == NULL || t->term == NULL)
        return acr_fail_nomem(err);
    return ACOR_OK;
}

/* One node: notes the pattern that ends at it and appends its children. */
static int expand(acr_trie *t, const acr_patterns *p, const acr_alphabet *a, uint32_t node,
                  span s, size_t depth, uint32_t *next, frontier *out, acor_error *err)
{
    uint32_t k = s.lo;
    t->first[node] = *next;
    t->term[node] = ACR_NO_PATTERN;
    if (k < s.hi && p->bytes[k].len == depth)
        t->term[node] = k++;
    while (k < s.hi) {
        unsigned char byte = p->bytes[k].data[depth];
        uint32_t end = k + 1;
        while (end < s.hi && p->bytes[end].data[depth] == byte)
            end++;
        ACR_TRY(acr_grow(t->mem, &out->spans, &out->cap, out->n + 1, sizeof *out->spans, err));
        out->spans[out->n++] = (span){k, end};
        t->label[(*next)++] = a->class_of[byte];
        k = end;
    }
    return ACOR_OK;
}

static int fill(acr_trie *t, const acr_patterns *p, const acr_alphabet *a, frontier *level,
                frontier *below, acor_error *err)
{
    uint32_t node = 0, next = 1;
    t->label[0] = 0;
    ACR_TRY(acr_grow(t->mem, &level->spans, &level->cap, 1, sizeof *level->spans, err));
    level->spans[0] = (span){0, p->n};
    level->n = 1;
    for (size_t depth = 0; level->n != 0; depth++) {
        below->n = 0;
        for (size_t i = 0; i < level->n; i++)
            ACR_TRY(expand(t, p, a, node++, level->spans[i], depth, &next, below, err));
        frontier done = *level;
        *level = *below;
        *below = done;
    }
    t->first[t->n] = next;
    return ACOR_OK;
}

int acr_trie_build(acr_trie *t, const acr_mem *mem, const acr_patterns *patterns,
                   const acr_alphabet *alphabet, acor_error *err)
{
    *t = (acr_trie){.mem = mem};
    uint64_t n = count_nodes(patterns);
    if (n > ACR_STATES_MAX)
        return acr_fail(err, ACOR_ELIMIT,
                        "the dictionary has %llu states, the engine's limit is %u",
                        (unsigned long long)n, ACR_STATES_MAX);
    t->n = (uint32_t)n;
    int status = allocate(t, err);
    if (status == ACOR_OK) {
        frontier level = {0}, below = {0};
        status = fill(t, patterns, alphabet, &level, &below, err);
        acr_free(mem, level.spans, level.cap * sizeof *level.spans);
        acr_free(mem, below.spans, below.cap * sizeof *below.spans);
    }
    if (status != ACOR_OK)
        acr_trie_free(t);
    return status;
}

void acr_trie_free(acr_trie *t)
{
    acr_free(t->mem, t->first, ((size_t)t->n + 1) * sizeof *t->first);
    acr_free(t->mem, t->label, t->n * sizeof *t->label);
    acr_free(t->mem, t->term, t->n * sizeof *t->term);
    *t = (acr_trie){.mem = t->mem};
}
