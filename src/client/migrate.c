/* SPDX-License-Identifier: Apache-2.0 */
#include <acor/migrate.h>

#include "base/error.h"
#include "base/opts.h"
#include "client/collection.h"

ACR_NO_TAIL_PADDING(acor_migrate_options, keep_old_keys);
ACR_NO_TAIL_PADDING(acor_migrate_result, duration_ms);

static int check(const acor_collection *c, acor_error *err)
{
    if (c == NULL)
        return acr_fail(err, ACOR_EINVAL, "the collection is NULL");
    if (c->read_only)
        return acr_fail(err, ACOR_EREADONLY, "the handle was opened to read only");
    if (c->store->ops->migrate == NULL)
        return acr_fail(err, ACOR_EUNSUPPORTED, "a %s store has no older layout",
                        c->store->ops->name);
    return ACOR_OK;
}

static int migrate(acor_collection *c, const acor_migrate_options *opts,
                   acor_migrate_result *out, acor_error *err)
{
    acor_migrate_options o;
    acr_deadline deadline;
    int64_t begun = acr_clock_now();
    ACR_TRY(check(c, err));
    if (acr_opts_import(&o, sizeof o, opts, sizeof o) != 0 ||
        (out != NULL && out->struct_size < sizeof *out))
        return acr_fail(err, ACOR_EINVAL,
                        "migration: start from the structs' initialisers");
    acr_migration m = {
        .dry_run = o.dry_run != 0,
        .keep_old = o.keep_old_keys != 0,
        .progress = o.progress,
        .user = o.user,
        .step_ms = (uint32_t)atomic_load(&c->timeout_ms),
    };
    ACR_TRY(acr_collection_enter(c, &deadline, err));
    int status = c->store->ops->migrate(c->store, &m, err);
    acr_dictionary_forget(c);
    acr_collection_leave(c);
    if (out != NULL && status == ACOR_OK) {
        acor_migrate_result r = {
            .struct_size = sizeof r,
            .keywords = m.keywords,
            .prefixes = m.prefixes,
            .outputs_keys = m.states,
            .keys_removed = m.keys_removed,
            .duration_ms = (uint64_t)((acr_clock_now() - begun) / ACR_MILLISECOND),
        };
        (void)acr_opts_export(out, &r, sizeof r, sizeof r);
    }
    return status;
}

acor_status acor_migrate(acor_collection *c, const acor_migrate_options *opts,
                         acor_migrate_result *result, acor_error *err)
{
    acor_error own = ACOR_ERROR_INIT;
    int status = migrate(c, opts, result, &own);
    if (status != ACOR_OK)
        acr_error_give(err, &own, "migrate");
    return (acor_status)status;
}

acor_status acor_migrate_rollback(acor_collection *c, acor_error *err)
{
    acr_deadline deadline;
    acor_error own = ACOR_ERROR_INIT;
    int status = check(c, &own);
    if (status == ACOR_OK)
        status = acr_collection_enter(c, &deadline, &own);
    if (status == ACOR_OK) {
        status = c->store->ops->rollback(c->store, deadline, &own);
        acr_dictionary_forget(c);
        acr_collection_leave(c);
    }
    if (status != ACOR_OK)
        acr_error_give(err, &own, "migrate_rollback");
    return (acor_status)status;
}
