/* SPDX-License-Identifier: Apache-2.0 */
#include "base/thread.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

int acr_mutex_init(acr_mutex *m, acor_error *err)
{
    int e = pthread_mutex_init(&m->os, NULL);
    return e ? acr_fail_errno(err, ACOR_ETHREAD, e, "no lock to be had") : ACOR_OK;
}

void acr_mutex_destroy(acr_mutex *m)
{
    (void)pthread_mutex_destroy(&m->os);
}

void acr_mutex_lock(acr_mutex *m)
{
    int e = pthread_mutex_lock(&m->os);
    assert(e == 0);
    (void)e;
}

void acr_mutex_unlock(acr_mutex *m)
{
    int e = pthread_mutex_unlock(&m->os);
    assert(e == 0);
    (void)e;
}

static struct timespec to_timespec(acr_deadline d)
{
    return (struct timespec){.tv_sec = (time_t)(d / ACR_SECOND), .tv_nsec = (long)(d % ACR_SECOND)};
}

int acr_mutex_lock_until(acr_mutex *m, acr_deadline deadline)
{
    if (pthread_mutex_trylock(&m->os) == 0)
        return ACOR_OK;
    if (deadline == ACR_DEADLINE_NEVER) {
        acr_mutex_lock(m);
        return ACOR_OK;
    }
/* gcc 12's thread sanitizer does not know that the call locks anything. */
#if defined(HAVE_PTHREAD_MUTEX_CLOCKLOCK) && !defined(__SANITIZE_THREAD__)
    struct timespec ts = to_timespec(deadline);
    return pthread_mutex_clocklock(&m->os, CLOCK_MONOTONIC, &ts) ? ACOR_ETIMEOUT : ACOR_OK;
#else
    /* Without a wait by the monotonic clock: ask again every millisecond. */
    for (;;) {
        if (acr_deadline_left_ms(deadline) == 0)
            return ACOR_ETIMEOUT;
        acr_clock_sleep_ms(1);
        if (pthread_mutex_trylock(&m->os) == 0)
            return ACOR_OK;
    }
#endif
}

int acr_cond_init(acr_cond *c, acor_error *err)
{
    pthread_condattr_t attr;
    int e = pthread_condattr_init(&attr);
    if (e == 0) {
        e = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
        if (e == 0)
            e = pthread_cond_init(&c->os, &attr);
        (void)pthread_condattr_destroy(&attr);
    }
    return e ? acr_fail_errno(err, ACOR_ETHREAD, e, "no condition to be had") : ACOR_OK;
}

void acr_cond_destroy(acr_cond *c)
{
    (void)pthread_cond_destroy(&c->os);
}

void acr_cond_broadcast(acr_cond *c)
{
    (void)pthread_cond_broadcast(&c->os);
}

int acr_cond_wait(acr_cond *c, acr_mutex *m, acr_deadline deadline)
{
    if (deadline == ACR_DEADLINE_NEVER)
        return pthread_cond_wait(&c->os, &m->os) ? ACOR_EINTERNAL : ACOR_OK;
    struct timespec ts = to_timespec(deadline);
    return pthread_cond_timedwait(&c->os, &m->os, &ts) == ETIMEDOUT ? ACOR_ETIMEOUT : ACOR_OK;
}

int acr_thread_start(acr_thread *t, void *(*run)(void *), void *arg, acor_error *err)
{
    /* The new thread inherits the mask, so block all around its start. */
    sigset_t all, old;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    int e = pthread_create(&t->os, NULL, run, arg);
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    return e ? acr_fail_errno(err, ACOR_ETHREAD, e, "no thread to be had") : ACOR_OK;
}

void acr_thread_join(acr_thread *t)
{
    (void)pthread_join(t->os, NULL);
}

unsigned acr_thread_processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 1 ? (unsigned)n : 1;
}
