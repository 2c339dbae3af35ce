/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/scan.h"

#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "base/opts.h"
#include "text/utf8.h"

ACR_NO_TAIL_PADDING(acor_scan_options, word_user);

/* Bytes that are scanned between two looks at what a leftmost-longest choice has settled. */
enum { PART = 64 << 10 };

struct acor_scratch {
    acr_mem mem;
    atomic_flag busy;
    acr_pending pending;
};

#define KNOWN_FLAGS \
    (ACOR_SCAN_WHOLE_WORD | ACOR_SCAN_CODEPOINTS | ACOR_SCAN_ONE_BY_ONE | ACOR_SCAN_WORD_ASCII)

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
    if ((o->word != NULL || o->flags & ACOR_SCAN_WORD_ASCII) &&
        !(o->flags & ACOR_SCAN_WHOLE_WORD))
        return acr_fail(err, ACOR_EINVAL,
                        "scan options: a word rule without ACOR_SCAN_WHOLE_WORD has no effect");
    if (o->word != NULL && o->flags & ACOR_SCAN_WORD_ASCII)
        return acr_fail(err, ACOR_EINVAL,
                        "scan options: give ACOR_SCAN_WORD_ASCII or a word rule, not both");
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

void acor_scratch_free(acor_scratch *scratch)
{
    if (scratch == NULL)
        return;
    acr_mem mem = scratch->mem;
    acr_pending_free(&scratch->pending);
    acr_free(&mem, scratch, sizeof *scratch);
}

static void settle(acr_select *s, uint64_t horizon, acr_settled_fn settled)
{
    if (acr_select_settle(s, horizon) == 0 && settled != NULL && settled(s->user, horizon) != 0)
        s->status = ACOR_STOPPED;
}

int acr_scan(const acor_snapshot *snap, const char *text, size_t len,
             const acor_scan_options *o, acr_pending *pending, acor_match_fn fn,
             acr_settled_fn settled, void *user, uint64_t *n)
{
    const acr_engine *e = snap->engine;
    acr_select s;
    acr_cursor cursor = {0};
    acr_select_init(&s, o, pending);
    s.text = (const unsigned char *)text;
    s.len = len;
    s.origin = 0;
    s.fold = snap->fold;
    s.fn = fn;
    s.user = user;
    acr_scan_job job = {
        .text = s.text,
        .cursor = &cursor,
        .codepoints = (o->flags & ACOR_SCAN_CODEPOINTS) != 0,
        .to = &s,
    };
    /* In parts where a choice is made, so that it is made near the place it concerns. */
    size_t part = o->kind == ACOR_MATCH_OVERLAPPING && settled == NULL ? len : PART;
    while (job.begin < len && s.status == ACOR_OK) {
        job.end = len - job.begin <= part
                      ? len
                      : (size_t)(acr_utf8_boundary(s.text, s.text + job.begin + part, s.text + len) -
                               s.text);
        if (e->ops->scan(e, &job) == 0 && part < len)
            settle(&s, e->ops->horizon(e, &cursor), settled);
        job.begin = job.end;
    }
    if (s.status == ACOR_OK)
        (void)acr_select_settle(&s, UINT64_MAX);
    if (n != NULL)
        *n = s.count;
    return s.status;
}

/* A public call: arguments, scratch, scan, words for what went wrong. */
static acor_status call(const acor_snapshot *snap, const char *text, size_t len,
                        const acor_scan_options *opts, acor_scratch *scratch,
                        acor_match_fn fn, void *user, uint64_t *n, const char *operation,
                        acor_error *err)
{
    acor_scan_options o;
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
        status = acr_scan(snap, text, len, &o, scratch ? &scratch->pending : &own, fn, NULL,
                          user, n);
        acr_pending_free(&own);
        if (scratch != NULL)
            atomic_flag_clear_explicit(&scratch->busy, memory_order_release);
        if (status == ACOR_ENOMEM)
            (void)acr_fail_nomem(err);
    }
    if (status < 0)
        acr_error_operation(err, operation);
    return (acor_status)status;
}

acor_status acor_scan(const acor_snapshot *snap, const char *text, size_t len,
                      const acor_scan_options *opts, acor_scratch *scratch, acor_match_fn fn,
                      void *user, uint64_t *n, acor_error *err)
{
    if (n != NULL)
        *n = 0;
    return call(snap, text, len, opts, scratch, fn, user, n, "scan", err);
}

acor_status acor_snapshot_count(const acor_snapshot *snap, const char *text, size_t len,
                                const acor_scan_options *opts, acor_scratch *scratch,
                                uint64_t *n, acor_error *err)
{
    acor_status status = ACOR_EINVAL;
    if (n != NULL) {
        *n = 0;
        status = call(snap, text, len, opts, scratch, NULL, NULL, n, "snapshot_count", err);
    } else {
        (void)acr_fail(err, ACOR_EINVAL, "the result is NULL");
        acr_error_operation(err, "snapshot_count");
    }
    return status == ACOR_STOPPED ? ACOR_OK : status;
}

static int stop_at_once(void *user, const acor_match *m, size_t n)
{
    (void)m;
    (void)n;
    *(int *)user = 1;
    return 1;
}

acor_status acor_snapshot_contains(const acor_snapshot *snap, const char *text, size_t len,
                                   const acor_scan_options *opts, acor_scratch *scratch,
                                   int *found, acor_error *err)
{
    acor_status status = ACOR_EINVAL;
    if (found != NULL) {
        *found = 0;
        status = call(snap, text, len, opts, scratch, stop_at_once, found, NULL,
                      "snapshot_contains", err);
    } else {
        (void)acr_fail(err, ACOR_EINVAL, "the result is NULL");
        acr_error_operation(err, "snapshot_contains");
    }
    return status == ACOR_STOPPED ? ACOR_OK : status;
}

/* A caller's array while it is being filled. */
typedef struct append {
    acor_match *array;
    size_t cap;
    size_t *n;
} append;

static int append_some(void *user, const acor_match *m, size_t n)
{
    append *a = user;
    size_t room = a->cap - *a->n, take = n < room ? n : room;
    if (take != 0)
        memcpy(a->array + *a->n, m, take * sizeof *m);
    *a->n += take;
    return take < n;
}

acor_status acor_snapshot_find_append(const acor_snapshot *snap, const char *text, size_t len,
                                      const acor_scan_options *opts, acor_scratch *scratch,
                                      acor_match *array, size_t cap, size_t *n,
                                      acor_error *err)
{
    if (n == NULL || (array == NULL && cap != 0) || *n > cap) {
        (void)acr_fail(err, ACOR_EINVAL,
                       n != NULL && *n > cap ? "more records are in use than there is room for"
                                             : "the array or its count is NULL");
        acr_error_operation(err, "snapshot_find_append");
        return ACOR_EINVAL;
    }
    append a = {array, cap, n};
    return call(snap, text, len, opts, scratch, append_some, &a, NULL, "snapshot_find_append",
                err);
}
