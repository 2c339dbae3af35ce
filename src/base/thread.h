/* SPDX-License-Identifier: Apache-2.0 */
/* Locks and counts shared between threads. The only place that knows pthread. */
#ifndef ACR_BASE_THREAD_H
#define ACR_BASE_THREAD_H

#include <pthread.h>
#include <stdatomic.h>

#include <acor/status.h>

#include "base/clock.h"

typedef struct acr_mutex {
    pthread_mutex_t os;
} acr_mutex;

int acr_mutex_init(acr_mutex *m, acor_error *err);
void acr_mutex_destroy(acr_mutex *m);
void acr_mutex_lock(acr_mutex *m);
void acr_mutex_unlock(acr_mutex *m);

/* 0, or ACOR_ETIMEOUT if the deadline passed first. */
int acr_mutex_lock_until(acr_mutex *m, acr_deadline deadline);

typedef struct acr_cond {
    pthread_cond_t os;
} acr_cond;

int acr_cond_init(acr_cond *c, acor_error *err);
void acr_cond_destroy(acr_cond *c);
void acr_cond_broadcast(acr_cond *c);

/* 0, or ACOR_ETIMEOUT. Spurious returns happen: look at the condition again. */
int acr_cond_wait(acr_cond *c, acr_mutex *m, acr_deadline deadline);

/* A thread of ours, with all signals blocked. */
typedef struct acr_thread {
    pthread_t os;
} acr_thread;

int acr_thread_start(acr_thread *t, void *(*run)(void *), void *arg, acor_error *err);
void acr_thread_join(acr_thread *t);

/* Processors that are on; at least 1. */
unsigned acr_thread_processors(void);

/* A count of references. */
typedef struct acr_refs {
    atomic_uint_fast32_t n;
} acr_refs;

static inline void acr_refs_init(acr_refs *r)
{
    atomic_init(&r->n, 1);
}

static inline void acr_refs_take(acr_refs *r)
{
    atomic_fetch_add_explicit(&r->n, 1, memory_order_relaxed);
}

/* 1 if that was the last one: the caller frees. */
static inline int acr_refs_drop(acr_refs *r)
{
    return atomic_fetch_sub_explicit(&r->n, 1, memory_order_acq_rel) == 1;
}

/* 1 if nobody else holds one. */
static inline int acr_refs_sole(acr_refs *r)
{
    return atomic_load_explicit(&r->n, memory_order_acquire) == 1;
}

#endif /* ACR_BASE_THREAD_H */
