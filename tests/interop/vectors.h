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

#endif /* ACOR_TEST_VECTORS_H */
