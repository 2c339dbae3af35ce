/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A store in front of another one that fails on purpose: the n-th call of a
 * kind, before or after it took effect, in the middle of its pieces, or late.
 */
#ifndef ACOR_STORE_FAULT_H
#define ACOR_STORE_FAULT_H

#include "store/store.h"

typedef enum fault_call {
    FAULT_LOAD = 0,
    FAULT_APPLY = 1,
    FAULT_INFO = 2,
    FAULT_CALLS = 3
} fault_call;

typedef enum fault_when {
    FAULT_BEFORE = 0, /* the store is not asked */
    FAULT_AFTER = 1,  /* the store has done it; the answer is lost */
    FAULT_MIDDLE = 2, /* of a load: half of the first piece arrives */
    FAULT_DELAY = 3   /* succeeds, delay_ms later */
} fault_when;

typedef struct fault_plan {
    fault_call call;
    unsigned nth; /* counted from 1 since fault_set(); 0: never */
    fault_when when;
    int status; /* what the call answers; not for FAULT_DELAY */
    unsigned delay_ms;
} fault_plan;

/* Takes over inner, which is closed with it. NULL means no memory. */
acr_store *fault_wrap(acr_store *inner);

/* NULL: no fault from here on. Counts start anew. */
void fault_set(acr_store *s, const fault_plan *plan);

/* Calls of a kind since fault_set(). */
unsigned fault_count(const acr_store *s, fault_call call);

/* The store behind it; s itself if it is no fault store. */
acr_store *fault_inner(acr_store *s);

#endif /* ACOR_STORE_FAULT_H */
