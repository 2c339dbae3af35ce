/* SPDX-License-Identifier: Apache-2.0 */
/* Dictionaries and texts made up from a seed: small alphabets, so that keywords
 * nest, overlap and occur. */
#ifndef ACOR_TEST_GENERATE_H
#define ACOR_TEST_GENERATE_H

#include <acor/types.h>

typedef struct rng {
    uint64_t state;
} rng;

rng rng_seed(uint64_t seed);
uint64_t rng_next(rng *r);

/* 0 to n - 1; n at least 1. */
size_t rng_below(rng *r, size_t n);

typedef struct alphabet {
    const char *name;
    const char *const *units; /* the empty one stands for a NUL */
    size_t n;
} alphabet;

enum { ALPHABETS = 8 };

const alphabet *alphabet_at(int i);

/* units units of a joined; to be freed. */
acor_string make_string(rng *r, const alphabet *a, size_t units);

/* n keywords of min to max units. */
acor_string *make_keywords(rng *r, const alphabet *a, size_t n, size_t min, size_t max);
void free_keywords(acor_string *keywords, size_t n);

/* A text of about units units, one part in two being keywords, whole or cut. */
acor_string make_text(rng *r, const alphabet *a, const acor_string *keywords, size_t n,
                      size_t units);
void free_string(acor_string s);

#endif /* ACOR_TEST_GENERATE_H */
