/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "naive.h"
#include "text/normalize.h"
#include "text/utf8.h"

enum { EVERYWHERE = 7, STORES = 6, ONCE = 1 };

const json_t *vector_option(const json_t *v, const char *name)
{
    return json_object_get(json_object_get(v, "options"), name);
}

const char *vector_option_string(const json_t *v, const char *name)
{
    const char *s = json_string_value(vector_option(v, name));
    return s ? s : "";
}

static int vector_is_sensitive(const json_t *v)
{
    return json_is_true(json_object_get(v, "case_sensitive"));
}

acor_string vector_text(const json_t *v)
{
    return text_of(v, json_object_get(v, "options"), "text", "text_hex");
}

/* The vector's dictionary at p. Collections have the vector's id as name. */
int vector_open(world *w, const json_t *v, place p)
{
    size_t n, plain = json_array_size(json_object_get(v, "dict"));
    const json_t *hex = vector_option(v, "dict_hex");
    acor_string *k = strings_of(json_object_get(v, "dict"), hex, &n);
    int ok = world_open(w, p, json_string_value(json_object_get(v, "id")),
                        vector_is_sensitive(v), k, n);
    for (size_t i = plain; i < n; i++)
        free((void *)(uintptr_t)k[i].data);
    free(k);
    return ok;
}

json_t *vector_json(acor_string s)
{
    return json_stringn(s.data ? s.data : "", s.len);
}

json_t *vector_keywords(const hits *h)
{
    json_t *a = json_array();
    for (size_t i = 0; i < h->count; i++)
        json_array_append_new(a, vector_json(hits_keyword(h, i)));
    return a;
}

json_t *vector_index(const hits *h)
{
    json_t *o = json_object();
    for (size_t i = 0; i < h->count; i++) {
        const char *k = hits_keyword(h, i).data;
        if (!json_object_get(o, k))
            json_object_set_new(o, k, json_array());
        json_array_append_new(json_object_get(o, k),
                              json_integer((json_int_t)h->items[i].cp_start));
    }
    return o;
}

json_t *vector_spans(const hits *h)
{
    json_t *a = json_array();
    for (size_t i = 0; i < h->count; i++) {
        json_t *m = json_object();
        json_object_set_new(m, "keyword", vector_json(hits_keyword(h, i)));
        json_object_set_new(m, "start", json_integer((json_int_t)h->items[i].cp_start));
        json_object_set_new(m, "end", json_integer((json_int_t)h->items[i].cp_end));
        json_array_append_new(a, m);
    }
    return a;
}

/* --- reads ------------------------------------------------------------------ */

/* Opens, finds by the options, answers in the form that make gives. */
static json_t *find_as(const json_t *v, place p, json_t *(*make)(const hits *))
{
    world w;
    hits h = {.count = 0};
    json_t *got = NULL;
    acor_string text = vector_text(v);
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    if (strcmp(vector_option_string(v, "kind"), "leftmost-longest") == 0)
        o.kind = ACOR_MATCH_LEFTMOST_LONGEST;
    if (json_is_true(vector_option(v, "whole_word")))
        o.flags = ACOR_SCAN_WHOLE_WORD;
    if (strcmp(vector_option_string(v, "word_rune"), "default minus Han ideographs") == 0)
        o.word = naive_word_but_han;
    if (vector_open(&w, v, p) && world_find_with(&w, text, &o, &h))
        got = make(&h);
    hits_free(&h);
    world_close(&w);
    if (vector_option(v, "text_hex"))
        free((void *)(uintptr_t)text.data);
    return got;
}

static json_t *run_find(const json_t *v, place p)
{
    return find_as(v, p, vector_keywords);
}

static json_t *run_find_index(const json_t *v, place p)
{
    return find_as(v, p, vector_index);
}

static json_t *run_find_matches(const json_t *v, place p)
{
    return find_as(v, p, vector_spans);
}

/* Appending is the caller's: the matches of this call behind those it has. */
static json_t *run_find_matches_append(const json_t *v, place p)
{
    json_t *got = json_deep_copy(vector_option(v, "dst"));
    json_t *found = find_as(v, p, vector_spans);
    if (!found) {
        json_decref(got);
        return NULL;
    }
    json_array_extend(got, found);
    json_decref(found);
    return got;
}

static json_t *run_find_set(const json_t *v, place p)
{
    world w;
    hits h = {.count = 0};
    json_t *got = NULL;
    if (vector_open(&w, v, p) && world_find_set(&w, vector_text(v), &h))
        got = vector_keywords(&h);
    hits_free(&h);
    world_close(&w);
    return got;
}

static json_t *run_contains(const json_t *v, place p)
{
    world w;
    int found = 0;
    int ok = vector_open(&w, v, p) && world_contains(&w, vector_text(v), &found);
    world_close(&w);
    return ok ? json_boolean(found) : NULL;
}

static json_t *run_find_many(const json_t *v, place p)
{
    world w;
    const json_t *texts = json_object_get(v, "text");
    json_t *got = json_object();
    int ok = vector_open(&w, v, p);
    for (size_t i = 0; ok && i < json_array_size(texts); i++) {
        const json_t *text = json_array_get(texts, i);
        hits h;
        ok = world_find(&w, string_of(text), ACOR_MATCH_OVERLAPPING, 0, &h);
        json_object_set_new(got, json_string_value(text), vector_keywords(&h));
        hits_free(&h);
    }
    world_close(&w);
    if (!ok) {
        json_decref(got);
        return NULL;
    }
    return got;
}

/* --- writes ----------------------------------------------------------------- */

static json_t *change_each(const json_t *v, place p, int add)
{
    world w;
    const json_t *args = vector_option(v, "args");
    json_t *got = json_array();
    int ok = vector_open(&w, v, p);
    for (size_t i = 0; ok && i < json_array_size(args); i++) {
        acor_string k = string_of(json_array_get(args, i));
        int changed = -1;
        ok = (add ? acor_add : acor_remove)(w.col, k.data, k.len, &changed, NULL) ==
             ACOR_OK;
        json_array_append_new(got, json_integer(changed));
    }
    world_close(&w);
    return got;
}

static json_t *run_add(const json_t *v, place p)
{
    return change_each(v, p, 1);
}

static json_t *run_remove(const json_t *v, place p)
{
    return change_each(v, p, 0);
}

/* The trimmed caller's spellings with this outcome. */
static void append_outcome(json_t *list, const acor_string *k, const int32_t *outcomes,
                           size_t n, int32_t which)
{
    for (size_t i = 0; i < n; i++)
        if (outcomes[i] == which)
            json_array_append_new(list, vector_json(acor_trim(k[i])));
}

static json_t *failures_of(const acor_string *k, const int32_t *outcomes, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        if (outcomes[i] >= 0)
            continue;
        json_t *f = json_object();
        json_object_set_new(f, "keyword", vector_json(acor_trim(k[i])));
        json_object_set_new(f, "error", json_string(acor_strstatus(outcomes[i])));
        json_array_append_new(list, f);
    }
    return list;
}

static json_t *batch_result(const acor_string *k, const int32_t *outcomes, size_t n,
                            const char *verb, const acor_batch_result *r)
{
    json_t *got = json_object(), *changed = json_array(), *skipped = json_array();
    append_outcome(changed, k, outcomes, n, ACOR_OUTCOME_CHANGED);
    append_outcome(skipped, k, outcomes, n, ACOR_OUTCOME_REPEATED);
    append_outcome(skipped, k, outcomes, n, ACOR_OUTCOME_UNCHANGED);
    json_t *failed = failures_of(k, outcomes, n);
    int agree = r->changed == json_array_size(changed) &&
                r->skipped == json_array_size(skipped) &&
                r->failed == json_array_size(failed);
    json_object_set_new(got, verb, changed);
    json_object_set_new(got, "skipped", skipped);
    json_object_set_new(got, "failed", failed);
    if (!agree)
        json_object_set_new(got, "counts", json_string("other than the outcomes"));
    return got;
}

static json_t *change_many(const json_t *v, place p, int add)
{
    world w;
    size_t n;
    acor_string *k = strings_of(vector_option(v, "args"), NULL, &n);
    int32_t *outcomes = naive_alloc(n * sizeof *outcomes);
    acor_batch_result r = ACOR_BATCH_RESULT_INIT;
    acor_info before = ACOR_INFO_INIT, after = ACOR_INFO_INIT;
    json_t *got = NULL;
    uint32_t mode = strcmp(vector_option_string(v, "mode"), "transactional") == 0
                        ? ACOR_BATCH_TRANSACTIONAL
                        : ACOR_BATCH_BEST_EFFORT;
    if (vector_open(&w, v, p) && acor_info_get(w.col, &before, NULL) == ACOR_OK) {
        int status = (add ? acor_add_many : acor_remove_many)(w.col, k, n, mode, outcomes,
                                                              &r, NULL);
        if (status == ACOR_OK)
            got = batch_result(k, outcomes, n, add ? "added" : "removed", &r);
        else
            got = json_pack("{s:s, s:n}", "error", acor_strstatus(status), "result");
        int quiet = status != ACOR_OK || r.changed == 0;
        if (acor_info_get(w.col, &after, NULL) != ACOR_OK ||
            (quiet && strcmp(before.version, after.version) != 0))
            json_object_set_new(got, "version", json_string("moved without a change"));
    }
    free(outcomes);
    free(k);
    world_close(&w);
    return got;
}

static json_t *run_add_many(const json_t *v, place p)
{
    return change_many(v, p, 1);
}

static json_t *run_remove_many(const json_t *v, place p)
{
    return change_many(v, p, 0);
}

/* --- numbers, text, names ----------------------------------------------------- */

static json_t *run_info(const json_t *v, place p)
{
    world w;
    acor_info info = ACOR_INFO_INIT;
    acor_snapshot_stats st = ACOR_SNAPSHOT_STATS_INIT;
    acor_snapshot *snap = NULL;
    json_t *got = NULL;
    if (vector_open(&w, v, p) && acor_info_get(w.col, &info, NULL) == ACOR_OK &&
        acor_snapshot_get(w.col, &snap, NULL) == ACOR_OK &&
        acor_snapshot_stats_get(snap, &st) == ACOR_OK && st.keywords == info.keywords)
        got = json_pack("{s:I, s:I, s:I}", "keywords", (json_int_t)info.keywords, "nodes",
                        (json_int_t)info.nodes, "trie_depth", (json_int_t)st.max_keyword);
    acor_snapshot_unref(snap);
    world_close(&w);
    return got;
}

static json_t *run_normalize_keyword(const json_t *v, place p)
{
    acr_mem mem;
    acr_buf out;
    size_t len = 0;
    json_t *got = NULL;
    acor_string in = bytes_of_hex(vector_option_string(v, "hex"));
    (void)p;
    if (acr_mem_init(&mem, NULL, NULL) != ACOR_OK)
        return NULL;
    acr_buf_init(&out, &mem);
    if (acr_normalize(&out, acr_slice_of(in.data, in.len), !vector_is_sensitive(v), &len,
                      NULL) == ACOR_OK) {
        char *hex = naive_alloc(2 * len + 1);
        hex[0] = '\0';
        for (size_t i = 0; i < len; i++)
            snprintf(hex + 2 * i, 3, "%02x", out.data[i]);
        got = json_string(hex);
        free(hex);
    }
    acr_buf_free(&out);
    free((void *)(uintptr_t)in.data);
    return got;
}

static json_t *run_decode_runes(const json_t *v, place p)
{
    acor_string in = bytes_of_hex(vector_option_string(v, "hex"));
    const unsigned char *at = (const unsigned char *)in.data, *end = at + in.len;
    json_t *got = json_array();
    (void)p;
    while (at < end) {
        char text[12];
        acr_rune r = acr_utf8_decode(at, end);
        snprintf(text, sizeof text, "%04X", (unsigned)r.cp);
        json_array_append_new(got, json_string(text));
        at += r.width;
    }
    free((void *)(uintptr_t)in.data);
    return got;
}

int vector_is_about_a_name(const json_t *v)
{
    return strchr(vector_option_string(v, "name"), ':') != NULL;
}

static json_t *run_create(const json_t *v, place p)
{
    acor_collection *c = NULL;
    acor_error err = ACOR_ERROR_INIT;
    int status = acor_open(&c, p == PLACE_MEM ? "mem:" : world_url(),
                           vector_option_string(v, "name"), NULL, &err);
    acor_close(c);
    return status == ACOR_EINVAL ? json_pack("{s:s}", "error", err.message)
                                 : json_integer(status);
}

static const vector_op ops[] = {
    {"find", EVERYWHERE, run_find},
    {"find_set", EVERYWHERE, run_find_set},
    {"find_index", EVERYWHERE, run_find_index},
    {"find_matches", EVERYWHERE, run_find_matches},
    {"find_matches_append", EVERYWHERE, run_find_matches_append},
    {"find_many", EVERYWHERE, run_find_many},
    {"contains", EVERYWHERE, run_contains},
    {"find_stream", EVERYWHERE, vector_find_stream},
    {"find_parallel", EVERYWHERE, vector_find_parallel},
    {"find_index_parallel", EVERYWHERE, vector_find_index_parallel},
    {"suggest", EVERYWHERE, vector_suggest},
    {"suggest_index", EVERYWHERE, vector_suggest_index},
    {"add", STORES, run_add},
    {"remove", STORES, run_remove},
    {"add_many", STORES, run_add_many},
    {"remove_many", STORES, run_remove_many},
    {"info", STORES, run_info},
    {"normalize_keyword", ONCE, run_normalize_keyword},
    {"decode_runes", ONCE, run_decode_runes},
    {"create", STORES, run_create},
};

const vector_op *vector_op_of(const char *name)
{
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (strcmp(ops[i].name, name) == 0)
            return &ops[i];
    return NULL;
}
