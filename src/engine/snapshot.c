/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/snapshot.h"

#include <string.h>

#include "base/error.h"
#include "base/opts.h"
#include "text/normalize.h"
#include "text/utf8.h"

ACR_NO_TAIL_PADDING(acor_build_options, reserved0);
ACR_NO_TAIL_PADDING(acor_snapshot_stats, engine);

uint32_t acr_snapshot_id(const acor_snapshot *s, uint32_t place)
{
    return s->ids ? s->ids[place] : place;
}

/*
 * Text is compared in its normal form (valid UTF-8, lower case if folded), so a
 * keyword that is not in that form itself cannot be met. White space around it
 * does not matter for that.
 */
static int can_match(acr_slice keyword, int fold)
{
    return keyword.len != 0 && acr_is_normal(acr_trim(keyword), fold) &&
           acr_utf8_valid(keyword);
}

/* Sorted patterns with their ids, in arrays of acr_words_count() elements. */
static int compile(acor_snapshot *s, const uint32_t *order, acr_slice *bytes, uint32_t *ids,
                   acor_error *err)
{
    uint32_t n = 0, total = (uint32_t)acr_words_count(s->words);
    for (uint32_t i = 0; i < total; i++) {
        acr_slice w = acr_words_at(s->words, order[i]);
        uint32_t cps = (uint32_t)acr_utf8_count(w);
        if (cps > s->max_codepoints)
            s->max_codepoints = cps;
        if (!can_match(w, s->fold))
            continue;
        bytes[n] = w;
        ids[n++] = acr_snapshot_id(s, order[i]);
    }
    acr_patterns p = {.bytes = bytes, .ids = ids, .n = n, .fold = s->fold};
    return acr_engine_build(&s->engine, &s->mem, &p, err);
}

static int build_engine(acor_snapshot *s, acor_error *err)
{
    size_t n = acr_words_count(s->words);
    uint32_t *order = NULL, *ids = NULL;
    acr_slice *bytes = NULL;
    int status = acr_words_sorted(s->words, &s->mem, &order, err);
    if (status == ACOR_OK) {
        bytes = acr_alloc_array(&s->mem, n, sizeof *bytes);
        ids = acr_alloc_array(&s->mem, n, sizeof *ids);
        status = bytes == NULL || ids == NULL ? acr_fail_nomem(err)
                                              : compile(s, order, bytes, ids, err);
    }
    acr_free(&s->mem, order, n * sizeof *order);
    acr_free(&s->mem, ids, n * sizeof *ids);
    acr_free(&s->mem, bytes, n * sizeof *bytes);
    return status;
}

static size_t ids_bytes(const acor_snapshot *s)
{
    return acr_words_count(s->words) * sizeof *s->ids;
}

static void snapshot_free(acor_snapshot *s)
{
    acr_mem mem = s->mem;
    if (s->engine != NULL)
        s->engine->ops->free(s->engine);
    if (s->words != NULL)
        acr_free(&mem, s->ids, ids_bytes(s));
    acr_words_unref(s->words);
    acr_free(&mem, s, sizeof *s);
}

/* Takes over words and ids, also on failure. */
static int make(acor_snapshot **out, const acr_mem *mem, acr_words *words, uint32_t *ids,
                uint32_t ids_end, int fold, acor_error *err)
{
    acor_snapshot *s = acr_alloc_zero(mem, sizeof *s);
    if (s == NULL) {
        acr_free(mem, ids, acr_words_count(words) * sizeof *ids);
        acr_words_unref(words);
        return acr_fail_nomem(err);
    }
    acr_refs_init(&s->refs);
    s->mem = *mem;
    s->words = words;
    s->ids = ids;
    s->ids_end = ids_end;
    s->fold = fold;
    int status = build_engine(s, err);
    if (status != ACOR_OK) {
        snapshot_free(s);
        return status;
    }
    *out = s;
    return ACOR_OK;
}

int acr_snapshot_new(acor_snapshot **out, const acr_mem *mem, acr_words *words, int fold,
                     acor_error *err)
{
    *out = NULL;
    return make(out, mem, acr_words_ref(words), NULL, acr_words_places(words), fold, err);
}

/* The normal forms of a list, first ones only, with the place each had in it. */
typedef struct gathered {
    const acr_mem *mem;
    acr_words *words;
    uint32_t *ids;
    size_t cap;
    acr_buf form;
} gathered;

static int gather_one(gathered *g, acr_slice s, uint32_t id, int fold, acor_error *err)
{
    size_t len = 0;
    int added = 0;
    g->form.len = 0;
    int status = acr_normalize(&g->form, s, fold, &len, err);
    if (status == ACOR_ELIMIT)
        return acr_fail(err, ACOR_ELIMIT,
                        "keyword number %u has %zu bytes, the limit is %u after trimming",
                        id, s.len, ACOR_MAX_KEYWORD_BYTES);
    ACR_TRY(status);
    if (len == 0)
        return ACOR_OK;
    size_t n = acr_words_count(g->words);
    ACR_TRY(acr_grow(g->mem, &g->ids, &g->cap, n + 1, sizeof *g->ids, err));
    ACR_TRY(acr_words_add(g->words, acr_slice_of(g->form.data, len), &added, err));
    if (added)
        g->ids[n] = id;
    return ACOR_OK;
}

/* Where the strings come from: a caller's list, or another snapshot. */
typedef struct source {
    const acor_string *list;
    const acor_snapshot *snap;
    uint32_t n;
} source;

static int gather(gathered *g, const source *from, int fold, acor_error *err)
{
    g->words = acr_words_new(g->mem);
    if (g->words == NULL)
        return acr_fail_nomem(err);
    for (uint32_t i = 0; i < from->n; i++) {
        acor_string s = from->list ? from->list[i] : acor_snapshot_keyword(from->snap, i);
        if (s.data == NULL && s.len != 0)
            return acr_fail(err, ACOR_EINVAL, "keyword number %u is NULL with a length of %zu",
                            i, s.len);
        if (s.data != NULL)
            ACR_TRY(gather_one(g, acr_slice_of(s.data, s.len), i, fold, err));
    }
    return ACOR_OK;
}

/* Exactly as many ids as words, so that the size to give back is known. */
static int trim_ids(gathered *g, acor_error *err)
{
    size_t n = acr_words_count(g->words);
    if (g->ids == NULL || g->cap == n)
        return ACOR_OK;
    uint32_t *ids = acr_resize(g->mem, g->ids, g->cap * sizeof *ids, n * sizeof *ids);
    if (ids == NULL)
        return acr_fail_nomem(err);
    g->ids = ids;
    g->cap = n;
    return ACOR_OK;
}

static int from_source(acor_snapshot **out, const acr_mem *mem, const source *from, int fold,
                       acor_error *err)
{
    gathered g = {.mem = mem};
    acr_buf_init(&g.form, mem);
    int status = gather(&g, from, fold, err);
    acr_buf_free(&g.form);
    if (status == ACOR_OK)
        status = trim_ids(&g, err);
    if (status == ACOR_OK)
        return make(out, mem, g.words, g.ids, from->n, fold, err);
    acr_free(mem, g.ids, g.cap * sizeof *g.ids);
    acr_words_unref(g.words);
    return status;
}

acor_status acor_snapshot_build(acor_snapshot **out, const acor_string *keywords, size_t n,
                                const acor_build_options *opts, acor_error *err)
{
    acor_build_options o;
    acr_mem mem;
    if (out != NULL)
        *out = NULL;
    int status = ACOR_OK;
    if (out == NULL || (keywords == NULL && n != 0))
        status = acr_fail(err, ACOR_EINVAL, "the result or the keywords are NULL");
    else if (acr_opts_import(&o, sizeof o, opts, sizeof o) != 0)
        status = acr_fail(err, ACOR_EINVAL,
                          "build options: start from ACOR_BUILD_OPTIONS_INIT");
    else if (n >= ACR_WORDS_MAX)
        status = acr_fail(err, ACOR_ELIMIT, "%zu keywords, the limit is %u", n,
                          ACR_WORDS_MAX - 1);
    if (status == ACOR_OK)
        status = acr_mem_init(&mem, o.allocator, err);
    if (status == ACOR_OK) {
        source from = {.list = keywords, .n = (uint32_t)n};
        status = from_source(out, &mem, &from, !o.case_sensitive, err);
    }
    if (status < 0)
        acr_error_operation(err, "snapshot_build");
    return (acor_status)status;
}

acor_status acor_snapshot_fold(acor_snapshot **out, const acor_snapshot *snap,
                               acor_error *err)
{
    if (out != NULL)
        *out = NULL;
    int status;
    if (out == NULL || snap == NULL) {
        status = acr_fail(err, ACOR_EINVAL, "the result or the snapshot is NULL");
    } else if (snap->fold) {
        /* Counting references is all that a snapshot lets anybody do to it. */
        acor_snapshot *same = NULL;
        memcpy(&same, &snap, sizeof same);
        *out = acor_snapshot_ref(same);
        return ACOR_OK;
    } else {
        source from = {.snap = snap, .n = snap->ids_end};
        status = from_source(out, &snap->mem, &from, 1, err);
    }
    if (status < 0)
        acr_error_operation(err, "snapshot_fold");
    return (acor_status)status;
}

acor_snapshot *acor_snapshot_ref(acor_snapshot *snap)
{
    if (snap != NULL)
        acr_refs_take(&snap->refs);
    return snap;
}

void acor_snapshot_unref(acor_snapshot *snap)
{
    if (snap != NULL && acr_refs_drop(&snap->refs))
        snapshot_free(snap);
}

uint32_t acor_snapshot_ids(const acor_snapshot *snap)
{
    return snap ? snap->ids_end : 0;
}

/* The place whose id this is, or ACR_WORDS_NONE. */
static uint32_t place_of(const acor_snapshot *s, uint32_t id)
{
    if (s->ids == NULL)
        return id;
    uint32_t lo = 0, hi = (uint32_t)acr_words_count(s->words);
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (s->ids[mid] < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < acr_words_count(s->words) && s->ids[lo] == id ? lo : ACR_WORDS_NONE;
}

acor_string acor_snapshot_keyword(const acor_snapshot *snap, uint32_t id)
{
    if (snap == NULL || id >= snap->ids_end)
        return (acor_string){NULL, 0};
    acr_slice s = acr_words_at(snap->words, place_of(snap, id));
    return (acor_string){(const char *)s.data, s.len};
}

acor_status acor_snapshot_stats_get(const acor_snapshot *snap, acor_snapshot_stats *stats)
{
    if (snap == NULL || stats == NULL)
        return ACOR_EINVAL;
    acor_snapshot_stats s = {
        .struct_size = sizeof s,
        .keywords = acr_words_count(snap->words),
        .states = snap->engine->states,
        .memory_bytes = sizeof *snap + snap->engine->memory +
                        acr_words_memory(snap->words) + (snap->ids ? ids_bytes(snap) : 0),
        .max_keyword = snap->max_codepoints,
        .case_sensitive = !snap->fold,
    };
    size_t form = strlen(snap->engine->form);
    memcpy(s.engine, snap->engine->form, form < sizeof s.engine ? form : sizeof s.engine - 1);
    return acr_opts_export(stats, &s, sizeof s, sizeof s) == 0 ? ACOR_OK : ACOR_EINVAL;
}
