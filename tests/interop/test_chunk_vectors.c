/* SPDX-License-Identifier: Apache-2.0 */
/* The Go library's own chunks and boundaries (data/vectors.jsonl), by the functions
 * inside that cut a text for a scan by several threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naive.h"
#include "tap.h"
#include "text/chunks.h"
#include "text/utf8.h"
#include "world.h"

static const json_t *option(const json_t *v, const char *name)
{
    return json_object_get(json_object_get(v, "options"), name);
}

static size_t number(const json_t *v, const char *name)
{
    return (size_t)json_integer_value(option(v, name));
}

static uint32_t boundary_of(const json_t *v)
{
    const char *name = json_string_value(option(v, "boundary"));
    if (name != NULL && strcmp(name, "line") == 0)
        return ACOR_BOUNDARY_LINE;
    return name != NULL && strcmp(name, "sentence") == 0 ? ACOR_BOUNDARY_SENTENCE
                                                         : ACOR_BOUNDARY_WORD;
}

/* The vector's text, or its repeated part; to be freed. */
static acr_slice text_of_vector(const json_t *v)
{
    const json_t *part = option(v, "repeat");
    size_t times = part ? number(v, "times") : 1;
    if (!part)
        part = json_object_get(v, "text");
    size_t len = json_string_length(part);
    unsigned char *text = naive_alloc(len * times + 1);
    for (size_t i = 0; i < times && len != 0; i++)
        memcpy(text + i * len, json_string_value(part), len);
    return acr_slice_of(text, len * times);
}

/* Places in code points. */
static size_t to_bytes(acr_slice text, size_t at)
{
    return (size_t)(acr_utf8_forward(text.data, text.data + text.len, at) - text.data);
}

static json_int_t from_bytes(acr_slice text, size_t at)
{
    return (json_int_t)acr_utf8_count(acr_slice_of(text.data, at));
}

static json_t *chunks_of(const json_t *v, acr_slice text)
{
    acr_chunks c;
    size_t start, end;
    json_t *all = json_array();
    acr_chunks_init(&c, text, number(v, "chunk_size"), number(v, "overlap"), boundary_of(v));
    while (acr_chunks_next(&c, &start, &end))
        json_array_append_new(
            all, json_pack("{s:o, s:I}", "text",
                           json_stringn((const char *)text.data + start, end - start),
                           "offset", from_bytes(text, start)));
    return all;
}

static json_t *answer(const json_t *v, const char *op, acr_slice text)
{
    if (strcmp(op, "split_chunks") == 0)
        return chunks_of(v, text);
    if (strcmp(op, "split_chunk_count") == 0) {
        json_t *all = chunks_of(v, text), *n = json_integer((json_int_t)json_array_size(all));
        json_decref(all);
        return n;
    }
    if (strcmp(op, "is_boundary") == 0)
        return json_boolean(
            acr_is_boundary(text, to_bytes(text, number(v, "index")), boundary_of(v)));
    if (strcmp(op, "find_boundary") == 0)
        return json_integer(
            from_bytes(text, acr_find_boundary(text, to_bytes(text, number(v, "target")),
                                               boundary_of(v), number(v, "max_backtrack"))));
    return NULL;
}

static int run(tap *t, const json_t *v)
{
    acr_slice text = text_of_vector(v);
    json_t *got = answer(v, json_string_value(json_object_get(v, "op")), text);
    const json_t *want = json_object_get(v, "expected");
    int ours = got != NULL;
    if (ours) {
        int ok = json_equal(got, want);
        tap_ok(t, ok, "%s", json_string_value(json_object_get(v, "id")));
        if (!ok) {
            char *have = json_dumps(got, JSON_ENCODE_ANY);
            tap_note("got %s", have);
            free(have);
        }
    }
    json_decref(got);
    free((void *)(uintptr_t)text.data);
    return ours;
}

int main(void)
{
    tap t = TAP_INIT;
    int n = 0;
    json_t *vectors = read_lines(TEST_DATA "/interop/data/vectors.jsonl");
    for (size_t i = 0; i < json_array_size(vectors); i++)
        n += run(&t, json_array_get(vectors, i));
    tap_ok(&t, n >= 21, "the vectors about chunks are there (%d)", n);
    json_decref(vectors);
    return tap_done(&t);
}
