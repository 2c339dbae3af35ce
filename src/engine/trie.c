/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/trie.h"

#include "base/error.h"
#include "text/utf8.h"
#include "text/words.h"

/* A node whose children are still to be found: its patterns, sorted. */
typedef struct span {
    uint32_t lo, hi;
    uint32_t at; /* bytes that lead to it */
} span;

typedef struct frontier {
    span *spans;
    size_t n, cap;
} frontier;

/* Each pattern brings a node for every code point it does not share with the one before. */
static uint64_t count_nodes(const acr_patterns *p)
{
    uint64_t n = 1;
    for (uint32_t k = 0; k < p->n; k++) {
        acr_slice s = p->bytes[k];
        size_t shared = k ? acr_words_shared(p->bytes[k - 1], s) : 0;
        n += acr_utf8_count(acr_slice_of(s.data + shared, s.len - shared));
    }
    return n;
}

/* Whether a pattern has these width bytes at a place where a code point starts in it. */
static int has(acr_slice s, size_t at, const unsigned char *bytes, size_t width)
{
    for (size_t i = 0; i < width; i++)
        if (s.data[at + i] != bytes[i])
            return 0;
    return 1;
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
                  span s, uint32_t *next, frontier *out, acor_error *err)
{
    uint32_t k = s.lo;
    t->first[node] = *next;
    t->term[node] = ACR_NO_PATTERN;
    if (k < s.hi && p->bytes[k].len == s.at)
        t->term[node] = k++;
    while (k < s.hi) {
        acr_slice pattern = p->bytes[k];
        const unsigned char *c = pattern.data + s.at;
        acr_rune r = acr_utf8_decode(c, pattern.data + pattern.len);
        uint32_t end = k + 1;
        while (end < s.hi && has(p->bytes[end], s.at, c, r.width))
            end++;
        ACR_TRY(acr_grow(t->mem, &out->spans, &out->cap, out->n + 1, sizeof *out->spans, err));
        out->spans[out->n++] = (span){k, end, s.at + r.width};
        t->label[(*next)++] = acr_alphabet_symbol(a, r.cp);
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
    level->spans[0] = (span){0, p->n, 0};
    level->n = 1;
    while (level->n != 0) {
        below->n = 0;
        for (size_t i = 0; i < level->n; i++)
            ACR_TRY(expand(t, p, a, node++, level->spans[i], &next, below, err));
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
