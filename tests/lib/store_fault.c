/* SPDX-License-Identifier: Apache-2.0 */
#include "store_fault.h"

#include <time.h>

#include "base/error.h"

typedef struct fault_store {
    acr_store base;
    acr_store *inner;
    fault_plan plan;
    unsigned counts[FAULT_CALLS];
} fault_store;

static fault_store *of(acr_store *s)
{
    return (fault_store *)s;
}

/* Counts the call; the plan if this is the one, otherwise NULL. */
static const fault_plan *turn(fault_store *f, fault_call call)
{
    unsigned n = ++f->counts[call];
    if (f->plan.call != call || f->plan.nth != n)
        return NULL;
    if (f->plan.when == FAULT_DELAY) {
        struct timespec ts = {.tv_sec = f->plan.delay_ms / 1000,
                              .tv_nsec = (long)(f->plan.delay_ms % 1000) * 1000000};
        (void)nanosleep(&ts, NULL);
        return NULL;
    }
    return &f->plan;
}

static int fail(const fault_plan *p, acor_error *err)
{
    return acr_fail(err, p->status, "made to fail");
}

static int is_before(const fault_plan *p)
{
    return p != NULL && p->when == FAULT_BEFORE;
}

static int finish(fault_store *f, const fault_plan *p, int rc, acor_error *err)
{
    f->base.cost = f->inner->cost;
    return rc == ACOR_OK && p != NULL && p->when == FAULT_AFTER ? fail(p, err) : rc;
}

typedef struct cut_sink {
    const acr_load_sink *to;
    const fault_plan *plan;
} cut_sink;

static int cut_begin(void *user, acr_load_kind kind, acor_error *err)
{
    const cut_sink *c = user;
    return c->to->begin(c->to->user, kind, err);
}

static int cut_piece(void *user, const acr_change *changes, size_t n, acor_error *err)
{
    const cut_sink *c = user;
    int rc = n / 2 != 0 ? c->to->piece(c->to->user, changes, n / 2, err) : ACOR_OK;
    return rc < 0 ? rc : fail(c->plan, err);
}

static int fault_load(acr_store *s, const acr_token *have, const acr_load_sink *sink,
                      acr_load_result *result, acr_deadline deadline, acor_error *err)
{
    fault_store *f = of(s);
    const fault_plan *p = turn(f, FAULT_LOAD);
    if (is_before(p))
        return fail(p, err);
    cut_sink cut = {sink, p};
    acr_load_sink through = {cut_begin, cut_piece, &cut};
    int middle = p != NULL && p->when == FAULT_MIDDLE;
    int rc = f->inner->ops->load(f->inner, have, middle ? &through : sink, result,
                                 deadline, err);
    return finish(f, p, rc, err);
}

static int fault_apply(acr_store *s, const acr_request *request, unsigned char *outcomes,
                       acr_apply_result *result, acr_deadline deadline, acor_error *err)
{
    fault_store *f = of(s);
    const fault_plan *p = turn(f, FAULT_APPLY);
    if (is_before(p))
        return fail(p, err);
    int rc = f->inner->ops->apply(f->inner, request, outcomes, result, deadline, err);
    return finish(f, p, rc, err);
}

static int fault_info(acr_store *s, acr_store_info *info, acr_deadline deadline,
                      acor_error *err)
{
    fault_store *f = of(s);
    const fault_plan *p = turn(f, FAULT_INFO);
    if (is_before(p))
        return fail(p, err);
    return finish(f, p, f->inner->ops->info(f->inner, info, deadline, err), err);
}

/* A watch is the inner store's own, and knows it. */
static int fault_watch(acr_store *s, acr_watch **out, acr_deadline deadline,
                       acor_error *err)
{
    return of(s)->inner->ops->watch(of(s)->inner, out, deadline, err);
}

static int fault_wait(acr_watch *w, acr_watch_event *event, acr_deadline deadline,
                      acor_error *err)
{
    return w->store->ops->wait(w, event, deadline, err);
}

static void fault_wake(acr_watch *w)
{
    w->store->ops->wake(w);
}

static void fault_unwatch(acr_watch *w)
{
    w->store->ops->unwatch(w);
}

static void fault_close(acr_store *s)
{
    acr_mem mem = s->mem;
    acr_store_close(of(s)->inner);
    acr_free(&mem, s, sizeof(fault_store));
}

static const acr_store_ops fault_ops = {
    .name = "fault",
    .load = fault_load,
    .apply = fault_apply,
    .info = fault_info,
    .watch = fault_watch,
    .wait = fault_wait,
    .wake = fault_wake,
    .unwatch = fault_unwatch,
    .close = fault_close,
};

acr_store *fault_wrap(acr_store *inner)
{
    fault_store *f = acr_alloc_zero(&inner->mem, sizeof *f);
    if (f == NULL)
        return NULL;
    f->base = (acr_store){.ops = &fault_ops, .mem = inner->mem, .log = inner->log};
    f->base.cost = inner->cost;
    f->inner = inner;
    return &f->base;
}

void fault_set(acr_store *s, const fault_plan *plan)
{
    fault_store *f = of(s);
    f->plan = plan ? *plan : (fault_plan){.nth = 0};
    for (int i = 0; i < FAULT_CALLS; i++)
        f->counts[i] = 0;
}

unsigned fault_count(const acr_store *s, fault_call call)
{
    return ((const fault_store *)s)->counts[call];
}

acr_store *fault_inner(acr_store *s)
{
    return s->ops == &fault_ops ? of(s)->inner : s;
}
