/* SPDX-License-Identifier: Apache-2.0 */
#include "store/redis/plan_states.h"

#include <stdlib.h>

#include "base/error.h"
#include "engine/engine.h"
#include "store/redis/json.h"
#include "text/utf8.h"

/* --- scanning keywords for keywords ----------------------------------------- */

/* An engine over these keywords, as they are; sorted by bytes. */
static int make_engine(acr_engine **out, const acr_mem *mem, const acr_words *words,
                       acor_error *err)
{
    uint32_t *order;
    size_t n = acr_words_count(words);
    ACR_TRY(acr_words_sorted(words, mem, &order, err));
    acr_slice *bytes = acr_alloc_array(mem, n, sizeof *bytes);
    int status = bytes == NULL ? acr_fail_nomem(err) : ACOR_OK;
    if (status == ACOR_OK) {
        for (size_t i = 0; i < n; i++)
            bytes[i] = acr_words_at(words, order[i]);
        acr_patterns patterns = {.bytes = bytes, .n = (uint32_t)n};
        status = acr_engine_build(out, mem, &patterns, err);
    }
    acr_free(mem, bytes, n * sizeof *bytes);
    acr_free(mem, order, n * sizeof *order);
    return status;
}

/* --- outputs of one state --------------------------------------------------- */

static int add_state(acr_plan *p, acr_slice state, acr_slice value, acor_error *err)
{
    ACR_TRY(acr_grow(p->mem, &p->states, &p->states_cap, p->states_n + 1, sizeof *p->states,
                     err));
    acr_plan_state s = {.state = {acr_arena_copy(&p->arena, state), state.len}};
    if (value.len != 0)
        s.value = (acr_slice){acr_arena_copy(&p->arena, value), value.len};
    if (s.state.data == NULL || (value.len != 0 && s.value.data == NULL))
        return acr_fail_nomem(err);
    p->states[p->states_n++] = s;
    return ACOR_OK;
}

/* One more keyword of a state whose outputs are being gathered. */
static int add_output(acr_buf *value, acr_slice keyword, acor_error *err)
{
    ACR_TRY(acr_buf_put(value, acr_slice_str(value->len ? "," : "["), err));
    return acr_json_put_string(value, keyword, err);
}

/* --- all of them ------------------------------------------------------------ */

/* Keywords in byte order, scanned one by one by the engine made of all. */
typedef struct gathering {
    acr_plan *p; /* NULL: only count */
    const acr_mem *mem;
    acr_engine *engine;
    acr_slice word;
    size_t shared; /* states up to here were done with an earlier keyword */
    uint64_t end;  /* of the state whose outputs are in value; 0: none */
    acr_buf value;
    uint64_t states;
    acor_error *err;
    int status;
} gathering;

static int finish_state(gathering *g)
{
    if (g->end == 0)
        return ACOR_OK;
    g->states++;
    acr_slice state = acr_slice_of(g->word.data, (size_t)g->end);
    g->end = 0;
    if (g->p == NULL)
        return ACOR_OK;
    ACR_TRY(acr_buf_put(&g->value, acr_slice_str("]"), g->err));
    ACR_TRY(add_state(g->p, state, acr_slice_of(g->value.data, g->value.len), g->err));
    g->value.len = 0;
    return ACOR_OK;
}

static int take_hit(gathering *g, const acor_match *m)
{
    if (m->end <= g->shared)
        return ACOR_OK;
    if (m->end != g->end) {
        ACR_TRY(finish_state(g));
        g->end = m->end;
    }
    if (g->p == NULL)
        return ACOR_OK;
    return add_output(&g->value,
                      acr_slice_of(g->word.data + m->start, (size_t)(m->end - m->start)),
                      g->err);
}

static int take_hits(void *user, const acor_match *hits, size_t n)
{
    gathering *g = user;
    for (size_t i = 0; i < n && g->status == ACOR_OK; i++)
        g->status = take_hit(g, &hits[i]);
    return g->status != ACOR_OK;
}

static int gather_word(void *user, acr_slice word, size_t shared, acor_error *err)
{
    gathering *g = user;
    g->word = word;
    g->shared = shared;
    g->err = err;
    int status = acr_engine_hits(g->engine, g->mem, word, take_hits, g);
    ACR_TRY(g->status);
    if (status < 0)
        return acr_fail_nomem(err);
    return finish_state(g);
}

static int gather(gathering *g, const acr_words *words, acor_error *err)
{
    acr_buf_init(&g->value, g->mem);
    ACR_TRY(make_engine(&g->engine, g->mem, words, err));
    int status = acr_words_walk(words, g->mem, gather_word, g, err);
    g->engine->ops->free(g->engine);
    acr_buf_free(&g->value);
    return status;
}

int acr_plan_all_states(acr_plan *p, acor_error *err)
{
    gathering g = {.p = p, .mem = p->mem};
    return gather(&g, p->words, err);
}

uint64_t acr_plan_prefix_bytes(acr_slice word, size_t shared)
{
    uint64_t sum = 0, size = acr_json_string_size(acr_slice_of(word.data, shared));
    const unsigned char *end = word.data + word.len;
    for (const unsigned char *p = word.data + shared; p < end;) {
        size_t width = acr_utf8_decode(p, end).width;
        size += acr_json_string_size(acr_slice_of(p, width)) - 2;
        sum += size + 1; /* and a comma */
        p += width;
    }
    return sum;
}

static int measure_word(void *user, acr_slice word, size_t shared, acor_error *err)
{
    acr_plan_sizes *sizes = user;
    (void)err;
    sizes->prefixes += acr_plan_prefix_bytes(word, shared);
    return ACOR_OK;
}

int acr_plan_measure(acr_plan_sizes *sizes, const acr_mem *mem, const acr_words *words,
                     acor_error *err)
{
    gathering g = {.mem = mem};
    *sizes = (acr_plan_sizes){.prefixes = 4}; /* [""] */
    ACR_TRY(acr_words_walk(words, mem, measure_word, sizes, err));
    ACR_TRY(gather(&g, words, err));
    sizes->outputs = g.states;
    return ACOR_OK;
}

/* --- only those that change -------------------------------------------------- */

typedef struct touching {
    acr_plan *p;
    const acr_words *before;
    acr_engine *engine; /* of the keywords that come or go */
    acr_words *touched; /* states still there: new ones, then those whose outputs change */
    uint32_t new_n;
    acr_slice word;
    size_t *lengths; /* of keywords before and after, each once, longest first */
    size_t lengths_n, lengths_cap;
    acr_buf value;
    acor_error *err;
    int status;
} touching;

static int touch_hits(void *user, const acor_match *hits, size_t n)
{
    touching *t = user;
    for (size_t i = 0; i < n && t->status == ACOR_OK; i++)
        t->status = acr_words_add(t->touched,
                                  acr_slice_of(t->word.data, (size_t)hits[i].end), NULL,
                                  t->err);
    return t->status != ACOR_OK;
}

/* States of the dictionary as it will be in which a keyword that comes or goes ends. */
static int touch_endings(touching *t)
{
    for (uint32_t i = 0, n = acr_words_places(t->p->words); i < n; i++) {
        t->word = acr_words_at(t->p->words, i);
        int status = ACOR_OK;
        if (t->word.data != NULL)
            status = acr_engine_hits(t->engine, t->p->mem, t->word, touch_hits, t);
        ACR_TRY(t->status);
        if (status < 0)
            return acr_fail_nomem(t->err);
    }
    return ACOR_OK;
}

/* Prefixes of a listed keyword that are behind what it shares. */
static int each_own_prefix(const acr_plan_word *w,
                           int (*fn)(touching *t, acr_slice prefix), touching *t)
{
    const unsigned char *end = w->word.data + w->word.len;
    for (const unsigned char *p = w->word.data + w->shared; p < end;) {
        p += acr_utf8_decode(p, end).width;
        ACR_TRY(fn(t, acr_slice_of(w->word.data, (size_t)(p - w->word.data))));
    }
    return ACOR_OK;
}

static int touch(touching *t, acr_slice prefix)
{
    return acr_words_add(t->touched, prefix, NULL, t->err);
}

/* Whether a state ends in one of these keywords. */
static int ends_in(const touching *t, acr_slice state, const acr_words *words)
{
    for (size_t i = 0; i < t->lengths_n; i++) {
        size_t len = t->lengths[i];
        if (len <= state.len &&
            acr_words_find(words, acr_slice_of(state.data + state.len - len, len)) !=
                ACR_WORDS_NONE)
            return 1;
    }
    return 0;
}

static int vanish(touching *t, acr_slice prefix)
{
    if (!ends_in(t, prefix, t->before))
        return ACOR_OK;
    return add_state(t->p, prefix, acr_slice_of(NULL, 0), t->err);
}

static int longer_first(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x < y) - (x > y);
}

static size_t longest_of(const acr_words *words)
{
    size_t longest = 0;
    for (uint32_t i = 0, n = acr_words_places(words); i < n; i++)
        if (acr_words_at(words, i).len > longest)
            longest = acr_words_at(words, i).len;
    return longest;
}

static int note_lengths_of(touching *t, const acr_words *words, unsigned char *has)
{
    for (uint32_t i = 0, n = acr_words_places(words); i < n; i++) {
        size_t len = acr_words_at(words, i).len;
        if (len == 0 || has[len])
            continue;
        has[len] = 1;
        ACR_TRY(acr_grow(t->p->mem, &t->lengths, &t->lengths_cap, t->lengths_n + 1,
                         sizeof *t->lengths, t->err));
        t->lengths[t->lengths_n++] = len;
    }
    return ACOR_OK;
}

/* The lengths that keywords have: only suffixes of these lengths can be one. */
static int note_lengths(touching *t)
{
    size_t before = longest_of(t->before), after = longest_of(t->p->words);
    size_t longest = before > after ? before : after;
    unsigned char *has = acr_alloc_zero(t->p->mem, longest + 1);
    if (has == NULL)
        return acr_fail_nomem(t->err);
    int status = note_lengths_of(t, t->before, has);
    if (status == ACOR_OK)
        status = note_lengths_of(t, t->p->words, has);
    acr_free(t->p->mem, has, longest + 1);
    if (status == ACOR_OK && t->lengths_n > 1)
        qsort(t->lengths, t->lengths_n, sizeof *t->lengths, longer_first);
    return status;
}

/* A state that is there, by looking up each suffix that can be a keyword. A new one
 * that reports nothing is not told of. */
static int look_up_outputs(touching *t, acr_slice state, int is_new)
{
    t->value.len = 0;
    for (size_t i = 0; i < t->lengths_n; i++) {
        size_t len = t->lengths[i];
        if (len > state.len)
            continue;
        acr_slice suffix = acr_slice_of(state.data + state.len - len, len);
        if (acr_words_find(t->p->words, suffix) != ACR_WORDS_NONE)
            ACR_TRY(add_output(&t->value, suffix, t->err));
    }
    if (t->value.len == 0 && is_new)
        return ACOR_OK;
    if (t->value.len != 0)
        ACR_TRY(acr_buf_put(&t->value, acr_slice_str("]"), t->err));
    return add_state(t->p, state, acr_slice_of(t->value.data, t->value.len), t->err);
}

static int make_moved_engine(touching *t, const acr_plan_list *added,
                             const acr_plan_list *gone)
{
    acr_words *moved = acr_words_new(t->p->mem);
    int status = moved == NULL ? acr_fail_nomem(t->err) : ACOR_OK;
    for (size_t i = 0; i < added->n && status == ACOR_OK; i++)
        status = acr_words_add(moved, added->items[i].word, NULL, t->err);
    for (size_t i = 0; i < gone->n && status == ACOR_OK; i++)
        status = acr_words_add(moved, gone->items[i].word, NULL, t->err);
    if (status == ACOR_OK)
        status = make_engine(&t->engine, t->p->mem, moved, t->err);
    acr_words_unref(moved);
    return status;
}

static int run(touching *t, const acr_plan_list *added, const acr_plan_list *gone)
{
    t->touched = acr_words_new(t->p->mem);
    if (t->touched == NULL)
        return acr_fail_nomem(t->err);
    ACR_TRY(make_moved_engine(t, added, gone));
    for (size_t i = 0; i < added->n; i++)
        ACR_TRY(each_own_prefix(&added->items[i], touch, t));
    t->new_n = acr_words_places(t->touched);
    ACR_TRY(touch_endings(t));
    ACR_TRY(note_lengths(t));
    for (size_t i = 0; i < gone->n; i++)
        ACR_TRY(each_own_prefix(&gone->items[i], vanish, t));
    for (uint32_t i = 0, n = acr_words_places(t->touched); i < n; i++)
        ACR_TRY(look_up_outputs(t, acr_words_at(t->touched, i), i < t->new_n));
    return ACOR_OK;
}

int acr_plan_touched_states(acr_plan *p, const acr_words *before, const acr_plan_list *added,
                            const acr_plan_list *gone, acor_error *err)
{
    touching t = {.p = p, .before = before, .err = err};
    acr_buf_init(&t.value, p->mem);
    int status = run(&t, added, gone);
    if (t.engine != NULL)
        t.engine->ops->free(t.engine);
    acr_words_unref(t.touched);
    acr_free(p->mem, t.lengths, t.lengths_cap * sizeof *t.lengths);
    acr_buf_free(&t.value);
    return status;
}
