/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "vectors.h"

/* --- streams --------------------------------------------------------------------- */

/* Reads as they were recorded, and how many matches are wanted. */
typedef struct recorded {
    const json_t *reads;
    size_t next;
    hits *to;
    size_t stop_after; /* 0: never */
} recorded;

static int64_t read_recorded(void *user, char *buffer, size_t size)
{
    recorded *r = user;
    const char *hex = json_string_value(json_array_get(r->reads, r->next));
    if (hex == NULL)
        return 0;
    acor_string bytes = bytes_of_hex(hex);
    if (bytes.len > size)
        return -1;
    memcpy(buffer, bytes.data, bytes.len);
    free((void *)(uintptr_t)bytes.data);
    r->next++;
    return (int64_t)bytes.len;
}

static int keep(void *user, const acor_match *m, size_t n)
{
    recorded *r = user;
    hits_append(r->to, m, n);
    return r->stop_after != 0 && r->to->count >= r->stop_after;
}

/* Spelling is borrowed from a snapshot that lives on. */
static int keep_with_snapshot(void *user, const acor_snapshot *snap, const acor_match *m,
                              size_t n)
{
    recorded *r = user;
    acor_match_list_free(r->to->list);
    r->to->snap = snap;
    return keep(user, m, n);
}

json_t *vector_find_stream(const json_t *v, place p)
{
    world w;
    hits h = {.count = 0};
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    acor_snapshot *snap = NULL;
    json_t *got = NULL;
    recorded r = {vector_option(v, "read_chunks_hex"), 0, &h, 0};
    r.stop_after = (size_t)json_integer_value(vector_option(v, "stop_after"));
    o.flags = ACOR_SCAN_CODEPOINTS | ACOR_SCAN_ONE_BY_ONE;
    if (vector_open(&w, v, p)) {
        int status;
        if (p == PLACE_SNAPSHOT)
            snap = acor_snapshot_ref(w.snap);
        else if (acor_snapshot_get(w.col, &snap, NULL) != ACOR_OK)
            snap = NULL;
        if (p == PLACE_SNAPSHOT)
            status = acor_snapshot_find_stream(snap, read_recorded, &r, &o, keep, &r, NULL, NULL);
        else
            status = acor_find_stream(w.col, read_recorded, &r, &o, keep_with_snapshot, &r, NULL,
                                      NULL);
        h.snap = snap;
        if (status == (r.stop_after ? ACOR_STOPPED : ACOR_OK) && snap != NULL)
            got = vector_spans(&h);
    }
    hits_free(&h);
    acor_snapshot_unref(snap);
    world_close(&w);
    return got;
}

/* --- several threads ---------------------------------------------------------------- */

static acor_parallel_options parallel_of(const json_t *v)
{
    acor_parallel_options o = ACOR_PARALLEL_OPTIONS_INIT;
    const char *boundary = vector_option_string(v, "boundary");
    json_int_t overlap = json_integer_value(vector_option(v, "overlap"));
    o.workers = 2;
    o.chunk_size = (uint64_t)json_integer_value(vector_option(v, "chunk_size"));
    o.overlap = overlap > 0 ? (uint64_t)overlap : 0;
    if (strcmp(boundary, "line") == 0)
        o.boundary = ACOR_BOUNDARY_LINE;
    else if (strcmp(boundary, "sentence") == 0)
        o.boundary = ACOR_BOUNDARY_SENTENCE;
    return o;
}

static json_t *find_parallel(const json_t *v, place p, int index)
{
    world w;
    hits h = {.count = 0};
    acor_match_list *list = NULL;
    acor_error err = ACOR_ERROR_INIT;
    acor_parallel_options o = parallel_of(v);
    acor_string t = vector_text(v);
    json_t *got = NULL;
    if (vector_open(&w, v, p)) {
        int status;
        if (p == PLACE_SNAPSHOT)
            status = (index ? acor_snapshot_find_index_parallel : acor_snapshot_find_parallel)(
                w.snap, t.data, t.len, NULL, &o, &list, &err);
        else
            status = (index ? acor_find_index_parallel : acor_find_parallel)(
                w.col, t.data, t.len, &o, &list, &err);
        hits_take_list(&h, list);
        if (status == ACOR_OK)
            got = index ? vector_index(&h) : vector_keywords(&h);
        else
            got = json_pack("{s:s}", "error", err.message);
    }
    hits_free(&h);
    world_close(&w);
    return got;
}

json_t *vector_find_parallel(const json_t *v, place p)
{
    return find_parallel(v, p, 0);
}

json_t *vector_find_index_parallel(const json_t *v, place p)
{
    return find_parallel(v, p, 1);
}

/* --- prefixes -------------------------------------------------------------------------- */

json_t *vector_suggest(const json_t *v, place p)
{
    world w;
    acor_keyword_list *list = NULL;
    acor_string t = vector_text(v);
    json_t *got = NULL;
    if (vector_open(&w, v, p)) {
        int status = p == PLACE_SNAPSHOT
                         ? acor_snapshot_suggest(w.snap, t.data, t.len, 0, 0, &list, NULL)
                         : acor_suggest(w.col, t.data, t.len, 0, 0, &list, NULL);
        got = status == ACOR_OK ? json_array() : NULL;
        for (size_t i = 0; i < acor_keyword_list_count(list); i++)
            json_array_append_new(got, vector_json(acor_keyword_list_items(list)[i]));
    }
    acor_keyword_list_free(list);
    world_close(&w);
    return got;
}

json_t *vector_suggest_index(const json_t *v, place p)
{
    world w;
    hits h = {.count = 0};
    acor_match_list *list = NULL;
    acor_string t = vector_text(v);
    json_t *got = NULL;
    if (vector_open(&w, v, p)) {
        int status = p == PLACE_SNAPSHOT
                         ? acor_snapshot_suggest_index(w.snap, t.data, t.len, 0, 0, &list, NULL)
                         : acor_suggest_index(w.col, t.data, t.len, 0, 0, &list, NULL);
        hits_take_list(&h, list);
        if (status == ACOR_OK)
            got = vector_index(&h);
    }
    hits_free(&h);
    world_close(&w);
    return got;
}
