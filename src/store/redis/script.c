/* SPDX-License-Identifier: Apache-2.0 */
#include "store/redis/script.h"

#include <stdio.h>

#include "base/error.h"

/* A server refuses a command of more than 1,048,576 arguments. */
enum { MOST_ARGS = 1048000 };

/* What both forms of the call share; digest or text is args[1]. */
static int call(acr_v2 *s, const char *name, acr_slice body, const acr_slice *keys,
                size_t keys_n, const acr_slice *args, size_t args_n, acr_arena *arena,
                acr_reply **reply, int *sent, acr_deadline deadline, acor_error *err)
{
    char number[16];
    size_t n = 3 + keys_n + args_n;
    acr_slice *all = acr_alloc_array(&s->base.mem, n, sizeof *all);
    if (all == NULL)
        return acr_fail_nomem(err);
    snprintf(number, sizeof number, "%zu", keys_n);
    all[0] = acr_slice_str(name);
    all[1] = body;
    all[2] = acr_slice_str(number);
    memcpy(all + 3, keys, keys_n * sizeof *all);
    if (args_n != 0)
        memcpy(all + 3 + keys_n, args, args_n * sizeof *all);
    acr_command command = {all, n};
    int status =
        acr_v2_exchange(s, &command, 1, arena, reply, 0, sent, deadline, err);
    acr_free(&s->base.mem, all, n * sizeof *all);
    return status;
}

int acr_script_call(acr_v2 *s, const acr_script *script, const acr_slice *keys, size_t keys_n,
                    const acr_slice *args, size_t args_n, acr_arena *arena, acr_reply **reply,
                    int *sent, acr_deadline deadline, acor_error *err)
{
    acr_slice text = acr_slice_str(script->text);
    *sent = 0;
    if (args_n > MOST_ARGS)
        return acr_fail(err, ACOR_ELIMIT,
                        "the write has %zu arguments, a server takes %d at a time; "
                        "add the keywords in smaller batches",
                        args_n, MOST_ARGS);
    int status = call(s, "EVALSHA", acr_slice_str(script->digest), keys, keys_n, args, args_n, arena,
                      reply, sent, deadline, err);
    if (status == ACOR_OK && acr_reply_is_error(*reply, "NOSCRIPT"))
        status = call(s, "EVAL", text, keys, keys_n, args, args_n, arena, reply, sent,
                      deadline, err);
    if (status != ACOR_OK)
        return status;
    status = acr_v2_check(s, *reply, script->what, err);
    /* A script that fails does so before its first write. */
    if (status != ACOR_OK)
        *sent = 0;
    return status;
}
