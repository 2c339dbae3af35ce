/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "store/redis/v2.h"

static int check_mode(const acr_v2 *s, const acr_v2_state *state, acor_error *err)
{
    return acr_store_check_mode(state->mode, s->asked, err);
}

/* A keyword of the array, handed on as a piece of its own. */
static int send_one(void *user, acr_slice keyword, acor_error *err)
{
    const acr_load_sink *sink = user;
    acr_change change = {.keyword = keyword};
    return sink->piece(sink->user, &change, 1, err);
}

static int send_all(acr_v2 *s, const acr_v2_state *state, const acr_load_sink *sink,
                    acor_error *err)
{
    acr_load_sink to = *sink;
    size_t elements;
    ACR_TRY(sink->begin(sink->user, ACR_LOAD_WHOLE, err));
    ACR_TRY(acr_v2_each_keyword(s, state, send_one, &to, &elements, err));
    return acr_v2_remember(s, state, elements, -1, err);
}

static int load(acr_v2 *s, const acr_token *have, const acr_load_sink *sink, acr_arena *arena,
                acr_load_result *result, acr_deadline deadline, acor_error *err)
{
    acr_v2_state state;
    if (have != NULL && have->len != 0) {
        ACR_TRY(acr_v2_look(s, 0, arena, &state, deadline, err));
        ACR_TRY(check_mode(s, &state, err));
        acr_v2_token(&state, &result->version);
        if (acr_token_eq(&result->version, have)) {
            result->kind = ACR_LOAD_UNCHANGED;
            result->mode = state.mode;
            result->exists = state.exists;
            return ACOR_OK;
        }
    }
    ACR_TRY(acr_v2_look(s, 1, arena, &state, deadline, err));
    ACR_TRY(check_mode(s, &state, err));
    acr_v2_token(&state, &result->version);
    result->kind = ACR_LOAD_WHOLE;
    result->mode = state.mode;
    result->exists = state.exists;
    return send_all(s, &state, sink, err);
}

int acr_v2_load(acr_store *base, const acr_token *have, const acr_load_sink *sink,
                acr_load_result *result, acr_deadline deadline, acor_error *err)
{
    acr_v2 *s = (acr_v2 *)base;
    acr_arena arena;
    acr_arena_init(&arena, &base->mem);
    int status = load(s, have, sink, &arena, result, deadline, err);
    acr_arena_free(&arena);
    return status;
}

static int ignore(void *user, acr_slice keyword, acor_error *err)
{
    (void)user;
    (void)keyword;
    (void)err;
    return ACOR_OK;
}

int acr_v2_info(acr_store *base, acr_store_info *info, acr_deadline deadline, acor_error *err)
{
    acr_v2 *s = (acr_v2 *)base;
    acr_v2_state state;
    acr_arena arena;
    size_t elements = 0;
    acr_arena_init(&arena, &base->mem);
    int status = acr_v2_look(s, 1, &arena, &state, deadline, err);
    if (status == ACOR_OK)
        status = check_mode(s, &state, err);
    if (status == ACOR_OK)
        status = acr_v2_each_keyword(s, &state, ignore, NULL, &elements, err);
    if (status == ACOR_OK) {
        acr_v2_token(&state, &info->version);
        info->mode = state.mode;
        info->exists = state.exists;
        info->keywords = elements;
    }
    acr_arena_free(&arena);
    return status;
}
