/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/engine.h"

#include "base/error.h"
#include "engine/filtered.h"

int acr_engine_build(acr_engine **out, const acr_mem *mem, const acr_patterns *patterns,
                     acor_error *err)
{
    acr_automaton *a;
    *out = NULL;
    ACR_TRY(acr_automaton_build(&a, mem, patterns, err));
    int status = acr_filtered_make(out, mem, a, patterns, NULL, err);
    if (status == ACOR_NOTFOUND)
        *out = &a->engine;
    else if (status != ACOR_OK)
        a->engine.ops->free(&a->engine);
    return status < 0 ? status : ACOR_OK;
}

int acr_engine_hits(const acr_engine *e, const acr_mem *mem, acr_slice text, acor_match_fn fn,
                    void *user)
{
    static const acor_scan_options all = ACOR_SCAN_OPTIONS_INIT;
    acr_pending pending = {.mem = mem};
    acr_select s;
    acr_cursor cursor = {0};
    acr_select_init(&s, &all, &pending);
    s.fn = fn;
    s.user = user;
    acr_scan_job job = {.text = text.data, .end = text.len, .cursor = &cursor, .to = &s};
    if (text.len != 0)
        (void)e->ops->scan(e, &job);
    acr_pending_free(&pending);
    return s.status;
}
