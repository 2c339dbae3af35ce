/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/automaton.h"

#include <string.h>

#include "base/error.h"
#include "engine/place.h"
#include "text/utf8.h"

/* A table this small stays in the second-level cache: all states become rows. */
enum { FLAT_BYTES = 2 << 20 };

/* Otherwise the states nearest to the root get this much. */
enum { ROWS_BYTES = 1 << 20 };

/* A slot that is reached from a row, never by a base. */
#define CHECK_FROM_ROW (ACR_NO_PATTERN - 1)

/* Everything that only lives while an automaton is built. */
typedef struct builder {
    acr_automaton *a;
    acr_trie trie;
    uint32_t *ref;  /* of each node, once its parent was reached */
    uint32_t *fail; /* the same node's failure link */
    acr_place place;
} builder;

static uint32_t *row_of(const acr_automaton *a, uint32_t ref)
{
    return a->table + (ref >> ACR_REF_SHIFT);
}

/*
 * Give a node its reference: its failure link is known, so what it reports is
 * too. slot is its slot's number where it is not a row.
 */
static void settle(builder *b, uint32_t node, uint32_t fail, uint32_t slot, uint32_t check,
                   uint32_t depth)
{
    acr_automaton *a = b->a;
    uint32_t term = b->trie.term[node], inherited = acr_automaton_out(a, fail);
    uint32_t out = term != ACR_NO_PATTERN ? term : inherited;
    if (term != ACR_NO_PATTERN)
        a->patterns[term].shorter = inherited;
    uint32_t flag = out != ACR_NO_PATTERN ? ACR_REF_OUT : 0;
    b->fail[node] = fail;
    if (node < a->rows) {
        uint32_t at = node * a->stride;
        a->table[at + a->alphabet.n] = out;
        a->table[at + a->alphabet.n + 1] = depth;
        b->ref[node] = at << ACR_REF_SHIFT | flag;
    } else {
        a->slots[slot] = (acr_slot){0, check, fail, out};
        a->depth[slot] = depth;
        b->ref[node] = slot << ACR_REF_SHIFT | ACR_REF_SLOT | flag;
    }
}

/* A row starts as a copy of its failure link's and then gets its own children. */
static int fill_row(builder *b, uint32_t node, uint32_t depth, acor_error *err)
{
    acr_automaton *a = b->a;
    const acr_trie *t = &b->trie;
    uint32_t *row = a->table + (size_t)node * a->stride;
    const uint32_t *from = row_of(a, b->fail[node]);
    if (node != 0)
        memcpy(row, from, a->alphabet.n * sizeof *row);
    for (uint32_t child = t->first[node]; child < t->first[node + 1]; child++) {
        uint32_t label = t->label[child];
        uint32_t slot = 0;
        if (child >= a->rows) {
            static const uint32_t anywhere[1] = {0};
            ACR_TRY(acr_place_children(&b->place, anywhere, 1, &slot, err));
        }
        settle(b, child, node == 0 ? 0 : from[label], slot, CHECK_FROM_ROW, depth + 1);
        row[label] = b->ref[child];
    }
    return ACOR_OK;
}

static int fill_slot(builder *b, uint32_t node, uint32_t depth, acor_error *err)
{
    acr_automaton *a = b->a;
    const acr_trie *t = &b->trie;
    uint32_t first = t->first[node], n = t->first[node + 1] - first;
    if (n == 0)
        return ACOR_OK;
    uint32_t base, slot = b->ref[node] >> ACR_REF_SHIFT;
    ACR_TRY(acr_place_children(&b->place, t->label + first, n, &base, err));
    for (uint32_t child = first; child < first + n; child++) {
        uint32_t label = t->label[child];
        settle(b, child, acr_automaton_next(a, b->fail[node], label), base ^ label, slot, depth + 1);
    }
    a->slots[slot].base = base;
    return ACOR_OK;
}

/* Breadth-first, so a node's failure link is complete before the node is. */
static int fill(builder *b, acor_error *err)
{
    const acr_trie *t = &b->trie;
    uint32_t level_end = 1, depth = 0;
    b->a->table[b->a->alphabet.n] = ACR_NO_PATTERN;
    b->ref[0] = b->fail[0] = 0;
    for (uint32_t node = 0; node < t->n; node++) {
        if (node == level_end) {
            depth++;
            level_end = t->first[node];
        }
        ACR_TRY(node < b->a->rows ? fill_row(b, node, depth, err)
                                  : fill_slot(b, node, depth, err));
    }
    return ACOR_OK;
}

static int size_table(acr_automaton *a, uint32_t nodes, acor_error *err)
{
    a->stride = a->alphabet.n + 2;
    uint64_t row_bytes = (uint64_t)a->stride * sizeof *a->table;
    uint64_t rows = nodes * row_bytes <= FLAT_BYTES ? nodes : ROWS_BYTES / row_bytes;
    if (rows == 0)
        rows = 1; /* the root has to be one */
    a->rows = (uint32_t)(rows < nodes ? rows : nodes);
    a->table = acr_alloc_zero(&a->mem, a->rows * row_bytes);
    return a->table == NULL ? acr_fail_nomem(err) : ACOR_OK;
}

static int note_patterns(acr_automaton *a, const acr_patterns *p, acor_error *err)
{
    a->patterns_n = p->n;
    a->patterns = acr_alloc_array(&a->mem, p->n, sizeof *a->patterns);
    if (a->patterns == NULL)
        return acr_fail_nomem(err);
    uint64_t longest = 0;
    for (uint32_t k = 0; k < p->n; k++) {
        if (p->bytes[k].len > longest)
            longest = p->bytes[k].len;
        a->patterns[k] = (acr_pattern){
            .bytes = (uint32_t)p->bytes[k].len,
            .codepoints = (uint32_t)acr_utf8_count(p->bytes[k]),
            .shorter = ACR_NO_PATTERN,
            .id = p->ids ? p->ids[k] : k,
        };
    }
    a->engine.reach = p->fold ? longest * ACR_LONGEST_TO_ONE : longest;
    return ACOR_OK;
}

/* Give back what growing left over; on failure the larger block just stays. */
static void trim(acr_automaton *a)
{
    size_t n = a->slots_n;
    if (n == 0)
        return;
    acr_slot *s = acr_resize(&a->mem, a->slots, a->slots_cap * sizeof *s, n * sizeof *s);
    if (s != NULL) {
        a->slots = s;
        a->slots_cap = n;
    }
    uint32_t *d = acr_resize(&a->mem, a->depth, a->depth_cap * sizeof *d, n * sizeof *d);
    if (d != NULL) {
        a->depth = d;
        a->depth_cap = n;
    }
}

static size_t memory_of(const acr_automaton *a)
{
    return sizeof *a + acr_alphabet_memory(&a->alphabet) + (size_t)a->rows * a->stride * sizeof *a->table +
           a->slots_cap * sizeof *a->slots + a->depth_cap * sizeof *a->depth +
           a->patterns_n * sizeof *a->patterns;
}

static void automaton_free(acr_engine *e)
{
    acr_automaton *a = (acr_automaton *)e;
    acr_mem mem = a->mem;
    if (a->alphabet.mem != NULL)
        acr_alphabet_free(&a->alphabet);
    acr_free(&mem, a->table, (size_t)a->rows * a->stride * sizeof *a->table);
    acr_free(&mem, a->slots, a->slots_cap * sizeof *a->slots);
    acr_free(&mem, a->depth, a->depth_cap * sizeof *a->depth);
    acr_free(&mem, a->patterns, a->patterns_n * sizeof *a->patterns);
    acr_free(&mem, a, sizeof *a);
}

static const acr_engine_ops automaton_ops = {acr_automaton_scan, acr_automaton_horizon,
                                             automaton_free};

static int build(builder *b, const acr_patterns *p, acor_error *err)
{
    acr_automaton *a = b->a;
    ACR_TRY(acr_alphabet_make(&a->alphabet, &a->mem, p, err));
    ACR_TRY(note_patterns(a, p, err));
    ACR_TRY(acr_trie_build(&b->trie, &a->mem, p, &a->alphabet, err));
    ACR_TRY(size_table(a, b->trie.n, err));
    b->ref = acr_alloc_array(&a->mem, b->trie.n, sizeof *b->ref);
    b->fail = acr_alloc_array(&a->mem, b->trie.n, sizeof *b->fail);
    if (b->ref == NULL || b->fail == NULL)
        return acr_fail_nomem(err);
    ACR_TRY(acr_place_init(&b->place, a, err));
    ACR_TRY(fill(b, err));
    trim(a);
    a->engine.states = b->trie.n;
    a->engine.form = a->slots == NULL ? "dfa/flat" : "dfa/rows+double-array";
    a->engine.memory = memory_of(a);
    return ACOR_OK;
}

int acr_automaton_build(acr_automaton **out, const acr_mem *mem, const acr_patterns *patterns,
                        acor_error *err)
{
    *out = NULL;
    acr_automaton *a = acr_alloc_zero(mem, sizeof *a);
    if (a == NULL)
        return acr_fail_nomem(err);
    a->engine.ops = &automaton_ops;
    a->mem = *mem;
    builder b = {.a = a, .trie = {.mem = mem}};
    int status = build(&b, patterns, err);
    acr_free(mem, b.ref, b.trie.n * sizeof *b.ref);
    acr_free(mem, b.fail, b.trie.n * sizeof *b.fail);
    acr_trie_free(&b.trie);
    acr_place_free(&b.place);
    if (status != ACOR_OK) {
        automaton_free(&a->engine);
        return status;
    }
    *out = a;
    return ACOR_OK;
}
