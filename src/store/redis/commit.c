/* SPDX-License-Identifier: Apache-2.0 */
#include "store/redis/commit.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "base/random.h"

/* Arguments before the states. */
enum { FIXED_ARGS = 14, BASE_ARGS = 5 };

int acr_commit_draw_version(char *dst, acor_error *err)
{
    unsigned char r[2];
    ACR_TRY(acr_random(r, sizeof r, err));
    uint64_t v = (uint64_t)(r[0] << 8 | r[1]) << 48 |
                 ((uint64_t)acr_clock_wall() & ((UINT64_C(1) << 48) - 1));
    int64_t n;
    memcpy(&n, &v, sizeof n);
    snprintf(dst, ACR_VERSION_SIZE, "%" PRId64, n);
    return ACOR_OK;
}

int acr_commit_message(const acr_v2 *s, acr_arena *arena, acr_slice *message, acor_error *err)
{
    unsigned char r[8];
    char tail[64];
    ACR_TRY(acr_random(r, sizeof r, err));
    int n = snprintf(tail, sizeof tail, ":%" PRId64 ":", acr_clock_wall());
    for (size_t i = 0; i < sizeof r; i++)
        n += snprintf(tail + n, sizeof tail - (size_t)n, "%02x", r[i]);
    size_t len = s->name.len + (size_t)n;
    unsigned char *text = acr_arena_get(arena, len, 0);
    if (text == NULL)
        return acr_fail_nomem(err);
    memcpy(text, s->name.data, s->name.len);
    memcpy(text + s->name.len, tail, (size_t)n);
    *message = acr_slice_of(text, len);
    return ACOR_OK;
}

static acr_slice decimal(acr_arena *arena, int64_t v)
{
    char text[ACR_VERSION_SIZE];
    int n = snprintf(text, sizeof text, "%" PRId64, v);
    return acr_slice_of(acr_arena_copy(arena, acr_slice_of(text, (size_t)n)), (size_t)n);
}

static int put_base(const acr_commit_base *b, acr_slice *args, acr_arena *arena,
                    acor_error *err)
{
    args[0] = acr_slice_str(b->kind);
    args[1] = b->version;
    args[2] = decimal(arena, b->outputs_n);
    args[3] = decimal(arena, b->keywords_len);
    args[4] = decimal(arena, b->prefixes_len);
    return args[2].data && args[3].data && args[4].data ? ACOR_OK : acr_fail_nomem(err);
}

/* States that go first, then pairs; returns how many arguments that were. */
static size_t put_states(const acr_plan *p, acr_slice *args, size_t *gone)
{
    size_t n = 0;
    for (size_t i = 0; i < p->states_n; i++)
        if (p->states[i].value.len == 0)
            args[n++] = p->states[i].state;
    *gone = n;
    for (size_t i = 0; i < p->states_n; i++)
        if (p->states[i].value.len != 0) {
            args[n++] = p->states[i].state;
            args[n++] = p->states[i].value;
        }
    return n;
}

static int put_args(acr_v2 *s, const acr_commit *c, acr_slice *args, size_t *n,
                    acr_arena *arena, acor_error *err)
{
    const acr_plan *p = c->plan;
    size_t gone = 0;
    ACR_TRY(put_base(&c->base, args, arena, err));
    args[5] = acr_slice_str(c->version);
    args[6] = s->keys[ACR_KEY_CHANNEL];
    ACR_TRY(acr_commit_message(s, arena, &args[7], err));
    args[8] = acr_slice_str(c->record_case);
    args[9] = acr_slice_str(p != NULL && p->append ? "a" : "w");
    args[10] = p ? acr_slice_of(p->keywords.data, p->keywords.len) : acr_slice_str("[]");
    args[11] = p ? acr_slice_of(p->prefixes.data, p->prefixes.len) : acr_slice_str("[\"\"]");
    args[12] = acr_slice_str(p == NULL || p->clear ? "1" : "0");
    *n = FIXED_ARGS + (p ? put_states(p, args + FIXED_ARGS, &gone) : 0);
    args[13] = decimal(arena, (int64_t)gone);
    return args[13].data ? ACOR_OK : acr_fail_nomem(err);
}

int acr_commit_call(acr_v2 *s, const acr_commit *c, acr_arena *arena, acr_reply **reply,
                    int *sent, acr_deadline deadline, acor_error *err)
{
    size_t most = FIXED_ARGS + 2 * (c->plan ? c->plan->states_n : 0), n = 0;
    const acr_slice *k = s->keys;
    acr_slice keys[] = {k[ACR_KEY_TRIE], k[ACR_KEY_OUTPUTS], k[ACR_KEY_V1_KEYWORDS],
                        k[ACR_KEY_V1_PREFIXES], k[ACR_KEY_NODES]};
    *sent = 0;
    acr_slice *args = acr_alloc_array(&s->base.mem, most, sizeof *args);
    if (args == NULL)
        return acr_fail_nomem(err);
    int status = put_args(s, c, args, &n, arena, err);
    if (status == ACOR_OK)
        status = acr_script_call(s, &acr_script_commit, keys, 5, args, n, arena, reply, sent,
                                 deadline, err);
    acr_free(&s->base.mem, args, most * sizeof *args);
    return status;
}

int acr_commit_resolve(acr_v2 *s, const acr_commit_base *base, const char *version,
                       const char *empty, acr_arena *arena, acr_reply **reply,
                       acr_deadline deadline, acor_error *err)
{
    acr_slice args[BASE_ARGS + 2];
    const acr_slice *k = s->keys;
    acr_slice keys[] = {k[ACR_KEY_TRIE], k[ACR_KEY_OUTPUTS], k[ACR_KEY_V1_KEYWORDS],
                        k[ACR_KEY_V1_PREFIXES]};
    int sent;
    ACR_TRY(put_base(base, args, arena, err));
    args[BASE_ARGS] = acr_slice_str(version);
    args[BASE_ARGS + 1] = acr_slice_str(empty);
    return acr_script_call(s, &acr_script_resolve, keys, 4, args, BASE_ARGS + 2, arena, reply,
                           &sent, deadline, err);
}
