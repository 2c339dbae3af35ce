/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the stored form of a dictionary has to be, by the plainest means: all of
 * it from scratch, every prefix against every suffix. And a server in memory
 * that a plan is applied to. What goes wrong ends the test.
 */
#ifndef ACOR_TEST_REDIS_MODEL_H
#define ACOR_TEST_REDIS_MODEL_H

#include "store/redis/plan.h"

/* Copies of byte strings, in order. */
typedef struct model_list {
    acr_slice *items;
    size_t n, cap;
} model_list;

void model_list_add(model_list *l, acr_slice s);
void model_list_free(model_list *l);

/* The index of s, or SIZE_MAX. */
size_t model_list_find(const model_list *l, acr_slice s);
void model_list_remove(model_list *l, size_t i);

/* The dictionary after a request; adds up what changes. */
void model_request(model_list *words, const acr_request *r, uint64_t *changed,
                   uint64_t *removed);

typedef struct model_pair {
    acr_slice state, value;
} model_pair;

typedef struct model_stored {
    model_list keywords, prefixes; /* elements, in order */
    acr_slice keywords_text, prefixes_text;
    model_pair *pairs; /* outputs, by bytes of the state */
    size_t n, cap;
} model_stored;

void model_stored_free(model_stored *s);

/* What the words make it. */
void model_make(model_stored *s, const model_list *words);

/*
 * Let a plan take effect. Ends the test if a state is sent twice or, where the
 * old ones stay, one is sent that is as it was.
 */
void model_apply(model_stored *s, const acr_plan *p);

/* Ends the test unless a server holds what the words make. Prefixes as a set,
 * the root first. */
void model_check(const model_stored *server, const model_list *words);

/* As the store would judge by what is stored. */
acr_plan_base model_base(const model_stored *s, acr_words *words, const acr_mem *mem);

/* A copy of the words for a plan. */
acr_words *model_words(const model_list *words, const acr_mem *mem);

#endif /* ACOR_TEST_REDIS_MODEL_H */
