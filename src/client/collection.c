/* SPDX-License-Identifier: Apache-2.0 */
#include "client/collection.h"

#include <string.h>

#include "base/error.h"
#include "base/opts.h"
#include "text/utf8.h"

ACR_NO_TAIL_PADDING(acor_open_options, flags);
ACR_NO_TAIL_PADDING(acor_cost, builds);

enum { DEFAULT_TIMEOUT_MS = 5000 };

static int check_name(acr_slice name, acor_error *err)
{
    if (name.len == 0)
        return acr_fail(err, ACOR_EINVAL, "collection name must not be empty");
    if (name.len > ACOR_MAX_NAME_BYTES)
        return acr_fail(err, ACOR_EINVAL, "collection name has %zu bytes, the limit is %d",
                        name.len, ACOR_MAX_NAME_BYTES);
    if (memchr(name.data, ':', name.len) != NULL)
        return acr_fail(err, ACOR_EINVAL, "collection name must not contain ':'");
    if (!acr_utf8_valid(name))
        return acr_fail(err, ACOR_EINVAL, "collection name is not valid UTF-8");
    return ACOR_OK;
}

static int import_options(acor_open_options *o, const acor_open_options *from,
                          acor_error *err)
{
    if (acr_opts_import(o, sizeof *o, from, sizeof *o) != 0)
        return acr_fail(err, ACOR_EINVAL, "open options: start from ACOR_OPEN_OPTIONS_INIT");
    if (o->case_mode > ACOR_CASE_AS_STORED)
        return acr_fail(err, ACOR_EINVAL, "open options: there is no case mode %u",
                        o->case_mode);
    if (o->flags & ~ACOR_OPEN_READ_ONLY)
        return acr_fail(err, ACOR_EINVAL, "open options: unknown flags 0x%x",
                        o->flags & ~ACOR_OPEN_READ_ONLY);
    return ACOR_OK;
}

static acr_case case_asked(uint32_t case_mode)
{
    switch (case_mode) {
    case ACOR_CASE_SENSITIVE: return ACR_CASE_EXACT;
    case ACOR_CASE_AS_STORED: return ACR_CASE_UNRECORDED;
    default: return ACR_CASE_FOLDED;
    }
}

static int open_store(acor_collection *c, const char *url, const char *name,
                      const acor_open_options *o, acor_error *err)
{
    acr_store_params params = {
        .name = acr_slice_str(name),
        .mode = c->asked,
        .read_only = c->read_only,
        .mem = &c->mem,
        .log = c->log,
    };
    /* The shared store is only looked at, but another thread may be using it. */
    if (o->share != NULL)
        acr_mutex_lock(&o->share->io);
    int status = acr_store_open(&c->store, url, &params, o->share ? o->share->store : NULL,
                                err);
    if (o->share != NULL)
        acr_mutex_unlock(&o->share->io);
    return status;
}

static int open_handle(acor_collection **out, const char *url, const char *name,
                       const acor_open_options *opts, acor_error *err)
{
    acor_open_options o;
    acr_mem mem;
    if (url == NULL || name == NULL)
        return acr_fail(err, ACOR_EINVAL, "the URL or the name is NULL");
    ACR_TRY(import_options(&o, opts, err));
    ACR_TRY(acr_mem_init(&mem, o.allocator, err));
    ACR_TRY(check_name(acr_slice_str(name), err));
    acor_collection *c = acr_alloc_zero(&mem, sizeof *c);
    if (c == NULL)
        return acr_fail_nomem(err);
    c->mem = mem;
    c->log = (acr_log){o.log, o.log_user,
                       o.log_levels ? o.log_levels : ACOR_LOG_ERROR | ACOR_LOG_WARNING};
    c->asked = case_asked(o.case_mode);
    c->read_only = (o.flags & ACOR_OPEN_READ_ONLY) != 0;
    acor_set_timeout(c, o.timeout_ms);
    int status = acr_mutex_init(&c->io, err);
    if (status == ACOR_OK) {
        status = open_store(c, url, name, &o, err);
        if (status != ACOR_OK)
            acr_mutex_destroy(&c->io);
    }
    if (status != ACOR_OK) {
        acr_free(&mem, c, sizeof *c);
        return status;
    }
    *out = c;
    return ACOR_OK;
}

acor_status acor_open(acor_collection **out, const char *url, const char *name,
                      const acor_open_options *opts, acor_error *err)
{
    if (out != NULL)
        *out = NULL;
    int status = out == NULL ? acr_fail(err, ACOR_EINVAL, "the result is NULL")
                             : open_handle(out, url, name, opts, err);
    if (status < 0)
        acr_error_operation(err, "open");
    return (acor_status)status;
}

void acor_close(acor_collection *c)
{
    if (c == NULL)
        return;
    acr_mem mem = c->mem;
    acr_dictionary_forget(c);
    acr_store_close(c->store);
    acr_mutex_destroy(&c->io);
    acr_free(&mem, c, sizeof *c);
}

void acor_set_timeout(acor_collection *c, uint32_t timeout_ms)
{
    if (c != NULL)
        atomic_store(&c->timeout_ms, timeout_ms ? timeout_ms : DEFAULT_TIMEOUT_MS);
}

int acr_collection_enter(acor_collection *c, acr_deadline *deadline, acor_error *err)
{
    uint32_t ms = (uint32_t)atomic_load(&c->timeout_ms);
    *deadline = acr_deadline_in_ms(ms);
    if (acr_mutex_lock_until(&c->io, *deadline) != ACOR_OK)
        return acr_fail(err, ACOR_ETIMEOUT,
                        "other threads kept this handle busy for %u ms", ms);
    return ACOR_OK;
}

void acr_collection_leave(acor_collection *c)
{
    atomic_store(&c->round_trips, c->store->cost.round_trips);
    atomic_store(&c->transactions, c->store->cost.transactions);
    acr_mutex_unlock(&c->io);
}

int acr_collection_snapshot(acor_collection *c, acor_snapshot **out, acor_error *err)
{
    acr_deadline deadline;
    ACR_TRY(acr_collection_enter(c, &deadline, err));
    int status = acr_dictionary_snapshot(c, out, deadline, err);
    acr_collection_leave(c);
    return status;
}

int acr_collection_folds(const acor_collection *c)
{
    return (c->mode != ACR_CASE_UNRECORDED ? c->mode : c->asked) != ACR_CASE_EXACT;
}

acor_status acor_cost_get(acor_collection *c, acor_cost *cost)
{
    if (c == NULL || cost == NULL)
        return ACOR_EINVAL;
    acor_cost now = {
        .struct_size = sizeof now,
        .round_trips = atomic_load(&c->round_trips),
        .transactions = atomic_load(&c->transactions),
        .loads = atomic_load(&c->loads),
        .builds = atomic_load(&c->builds),
    };
    return acr_opts_export(cost, &now, sizeof now, sizeof now) == 0 ? ACOR_OK : ACOR_EINVAL;
}
