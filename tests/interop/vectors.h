/* SPDX-License-Identifier: Apache-2.0 */
/* How each operation of the recorded vectors is done with our API. */
#ifndef ACOR_TEST_VECTORS_H
#define ACOR_TEST_VECTORS_H

#include "world.h"

typedef struct vector_op {
    const char *name;
    unsigned places;                          /* bits 1 << place */
    json_t *(*run)(const json_t *v, place p); /* a new value; NULL: it failed */
} vector_op;

/* NULL if it is none of ours. */
const vector_op *vector_op_of(const char *name);

/* Whether a vector of opening is about the collection's name, not the server. */
int vector_is_about_a_name(const json_t *v);

/* A vector's option of this name, or NULL; as a string, or "". */
const json_t *vector_option(const json_t *v, const char *name);
const char *vector_option_string(const json_t *v, const char *name);

/* Its text; the bytes are the caller's if they stood as hex digits. Its dictionary at p. */
acor_string vector_text(const json_t *v);
int vector_open(world *w, const json_t *v, place p);

/* Answers in the forms that the data has. */
json_t *vector_json(acor_string s);
json_t *vector_keywords(const hits *h);
json_t *vector_index(const hits *h);
json_t *vector_spans(const hits *h);

/* vector_reads.c: streams, several threads, prefixes. */
json_t *vector_find_stream(const json_t *v, place p);
json_t *vector_find_parallel(const json_t *v, place p);
json_t *vector_find_index_parallel(const json_t *v, place p);
json_t *vector_suggest(const json_t *v, place p);
json_t *vector_suggest_index(const json_t *v, place p);

#endif /* ACOR_TEST_VECTORS_H */
