/* SPDX-License-Identifier: Apache-2.0 */
/* Which states a plan gives which outputs. For plan.c only. */
#ifndef ACR_STORE_REDIS_PLAN_STATES_H
#define ACR_STORE_REDIS_PLAN_STATES_H

#include "store/redis/plan.h"

/* A keyword, and how many of its bytes are a prefix of others already. */
typedef struct acr_plan_word {
    acr_slice word;
    size_t shared;
} acr_plan_word;

typedef struct acr_plan_list {
    acr_plan_word *items;
    size_t n;
} acr_plan_list;

/* Bytes that the prefixes of word longer than shared take in the array, a comma each. */
uint64_t acr_plan_prefix_bytes(acr_slice word, size_t shared);

/* All states of p->words that have outputs. */
int acr_plan_all_states(acr_plan *p, acor_error *err);

/*
 * The states whose outputs differ from those of before once added are in and gone
 * are out, and no others: new prefixes, prefixes nobody has any more, and those that
 * end in one of them. shared counts, for added, what was a prefix before; for gone,
 * what still is.
 */
int acr_plan_touched_states(acr_plan *p, const acr_words *before, const acr_plan_list *added,
                            const acr_plan_list *gone, acor_error *err);

#endif /* ACR_STORE_REDIS_PLAN_STATES_H */
