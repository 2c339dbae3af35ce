/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a write changes in the stored form of V2: which keywords and prefixes
 * are appended or written anew, which states get other outputs. Knows nothing
 * of connections. The stored form is that of docs/schema-v2.md:
 *
 *   keywords  JSON array, in insertion order
 *   prefixes  JSON array of every code point prefix of every keyword, "" first
 *   outputs   for each prefix that ends in a keyword: those, longest first
 */
#ifndef ACR_STORE_REDIS_PLAN_H
#define ACR_STORE_REDIS_PLAN_H

#include "base/arena.h"
#include "base/buf.h"
#include "store/store.h"
#include "text/words.h"

/* A state's new outputs as JSON; value.len 0: the field goes. */
typedef struct acr_plan_state {
    acr_slice state;
    acr_slice value;
} acr_plan_state;

typedef struct acr_plan {
    const acr_mem *mem;
    acr_words *words;       /* the dictionary after the write */
    uint64_t changed;       /* operations that do something */
    uint64_t removed;       /* keywords a replacement drops */
    int append;             /* the two texts go to the ends of what is stored */
    acr_buf keywords;       /* whole array, or elements and the closing bracket */
    acr_buf prefixes;       /* the same */
    int clear;              /* outputs is written anew */
    acr_plan_state *states; /* in no order */
    size_t states_n, states_cap;
    acr_arena arena; /* the states and values */
} acr_plan;

/* What is known of the stored form before the write. */
typedef struct acr_plan_base {
    acr_words *words; /* read, never changed */
    int appendable; /* both arrays end in their closing bracket, prefixes has an entry */
    int complete;   /* prefixes and outputs are what the keywords make them */
    uint64_t keywords_len, prefixes_len; /* bytes of the two arrays */
} acr_plan_base;

/* Largest array, in bytes: what a server takes as one argument. */
#define ACR_PLAN_ARRAY_MAX (UINT64_C(512) << 20)

/*
 * Plan a request. outcomes has request->n elements (acr_op_outcome). With
 * plan->changed and plan->removed 0 there is nothing to do, and no text is made.
 * ACOR_ELIMIT names the array that would get too large, before it is made.
 */
int acr_plan_make(acr_plan *plan, const acr_mem *mem, const acr_plan_base *base,
                  const acr_request *request, unsigned char *outcomes, acor_error *err);
void acr_plan_free(acr_plan *plan);

/* What the stored form of a dictionary measures, as the writers make it. */
typedef struct acr_plan_sizes {
    uint64_t prefixes; /* bytes of the prefixes array */
    uint64_t outputs;  /* states with outputs */
} acr_plan_sizes;

int acr_plan_measure(acr_plan_sizes *sizes, const acr_mem *mem, const acr_words *words,
                     acor_error *err);

#endif /* ACR_STORE_REDIS_PLAN_H */
