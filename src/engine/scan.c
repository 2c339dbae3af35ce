/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/scan.h"

#include <stdatomic.h>

#include "base/error.h"
#include "base/opts.h"
#include "engine/select.h"
#include "engine/snapshot.h"

ACR_NO_TAIL_PADDING(acor_scan_options, max_matches);

struct acor_scratch {
    acr_mem mem;
    atomic_flag busy;
    acr_pending pending;
};

#define KNOWN_FLAGS (ACOR_SCAN_WHOLE_WORD | ACOR_SCAN_CODEPOINTS | ACOR_SCAN_ONE_BY_ONE)

int acr_scan_options_import(acor_scan_options *o, const acor_scan_options *from,
                            acor_error *err)
{
    if (acr_opts_import(o, sizeof *o, from, sizeof *o) != 0)
        return acr_fail(err, ACOR_EINVAL, "scan options: start from ACOR_SCAN_OPTIONS_INIT");
    if (o->kind > ACOR_MATCH_LEFTMOST_LONGEST)
        return acr_fail(err, ACOR_EINVAL, "scan options: there is no match kind %u", o->kind);
    if (o->flags & ~KNOWN_FLAGS)
        return acr_fail(err, ACOR_EINVAL, "scan options: unknown flags 0x%x",
                        o->flags & ~KNOWN_FLAGS);
    return ACOR_OK;
}

acor_status acor_scratch_new(acor_scratch **out, const acor_allocator *allocator)
{
    acr_mem mem;
    if (out == NULL)
        return ACOR_EINVAL;
    *out = NULL;
    if (acr_mem_init(&mem, allocator, NULL) != ACOR_OK)
        return ACOR_EINVAL;
    acor_scratch *s = acr_alloc_zero(&mem, sizeof *s);
    if (s == NULL)
        return ACOR_ENOMEM;
    s->mem = mem;
    s->pending.mem = &s->mem;
    atomic_flag_clear(&s->busy);
    *out = s;
    return ACOR_OK;
}

static void free_pending(acr_pending *p)
{
    acr_free(p->mem, p->items, p->cap * sizeof *p->items);
}

void acor_scratch_free(acor_scratch *scratch)
{
    if (scratch == NULL)
        return;
    acr_mem mem = scratch->mem;
    free_pending(&scratch->pending);
    acr_free(&mem, scratch, sizeof *scratch);
}

static int run(const acor_snapshot *snap, const char *text, size_t len,
               const acor_scan_options *o, acr_pending *pending, acor_match_fn fn, void *user,
               uint64_t *n)
{
    acr_select s;
    acr_select_init(&s, o, pending);
    s.text = (const unsigned char *)text;
    s.len = len;
    s.fold = snap->fold;
    s.fn = fn;
    s.user = user;
    acr_scan_job job = {
        .text = s.text,
        .len = len,
        .codepoints = (o->flags & ACOR_SCAN_CODEPOINTS) != 0,
        .fn = acr_select_hits,
        .user = &s,
    };
    if (len != 0)
        (void)snap->engine->ops->scan(snap->engine, &job);
    acr_select_finish(&s);
    if (n != NULL)
        *n = s.count;
    return s.status;
}

acor_status acor_scan(const acor_snapshot *snap, const char *text, size_t len,
                      const acor_scan_options *opts, acor_scratch *scratch, acor_match_fn fn,
                      void *user, uint64_t *n, acor_error *err)
{
    acor_scan_options o;
    if (n != NULL)
        *n = 0;
    int status = ACOR_OK;
    if (snap == NULL || (text == NULL && len != 0))
        status = acr_fail(err, ACOR_EINVAL, "the snapshot or the text is NULL");
    if (status == ACOR_OK)
        status = acr_scan_options_import(&o, opts, err);
    if (status == ACOR_OK && scratch != NULL &&
        atomic_flag_test_and_set_explicit(&scratch->busy, memory_order_acquire))
        status = acr_fail(err, ACOR_EBUSY, "the scratch is in use by another scan");
    if (status == ACOR_OK) {
        acr_pending own = {.mem = &snap->mem};
        status = run(snap, text, len, &o, scratch ? &scratch->pending : &own, fn, user, n);
        free_pending(&own);
        if (scratch != NULL)
            atomic_flag_clear_explicit(&scratch->busy, memory_order_release);
        if (status == ACOR_ENOMEM)
            (void)acr_fail_nomem(err);
    }
    if (status < 0)
        acr_error_operation(err, "scan");
    return (acor_status)status;
}
