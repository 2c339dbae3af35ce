/* SPDX-License-Identifier: Apache-2.0 */
/* Hearing of changes: a connection of its own that is subscribed to the channel. */
#include "base/error.h"
#include "store/redis/v2.h"

/* Between two tries to get a lost link back. */
enum { PAUSE_MS = 200 };

typedef struct v2_watch {
    acr_watch base; /* first */
    acr_conn conn;
    acr_arena arena; /* of the message being heard, which may come in parts */
    int linked;      /* subscribed, as far as is known */
} v2_watch;

static int reply_is(const acr_reply *r, const char *word)
{
    return r->kind == ACR_REPLY_ARRAY && r->n >= 3 &&
           r->items[0].kind == ACR_REPLY_STRING &&
           acr_slice_eq(r->items[0].text, acr_slice_str(word));
}

/* Connect and subscribe; what is heard from then on counts. */
static int link_up(v2_watch *w, acr_deadline deadline, acor_error *err)
{
    const acr_v2 *s = (const acr_v2 *)w->base.store;
    acr_slice args[] = {acr_slice_str("SUBSCRIBE"), s->keys[ACR_KEY_CHANNEL]};
    acr_command command = {args, 2};
    acr_reply *r;
    int status = acr_conn_post(&w->conn, &command, deadline, err);
    if (status == ACOR_OK)
        status = acr_conn_listen(&w->conn, &w->arena, &r, deadline, err);
    if (status == ACOR_OK)
        status = acr_reply_check(r, "SUBSCRIBE", err);
    if (status == ACOR_OK && !reply_is(r, "subscribe"))
        status = acr_fail(err, ACOR_EPROTOCOL, "SUBSCRIBE: an answer of another kind");
    if (status != ACOR_OK)
        acr_conn_drop(&w->conn);
    else
        w->linked = 1;
    acr_arena_free(&w->arena);
    return status;
}

int acr_v2_watch(acr_store *base, acr_watch **out, acr_deadline deadline, acor_error *err)
{
    acr_v2 *s = (acr_v2 *)base;
    v2_watch *w = acr_alloc_zero(&base->mem, sizeof *w);
    if (w == NULL)
        return acr_fail_nomem(err);
    w->base.store = base;
    acr_conn_init(&w->conn, &base->mem, &s->config);
    acr_arena_init(&w->arena, &base->mem);
    int status = acr_transport_enable_wake(&w->conn.transport, err);
    if (status == ACOR_OK)
        status = link_up(w, deadline, err);
    if (status != ACOR_OK) {
        acr_v2_unwatch(&w->base);
        return status < 0 ? status : acr_fail(err, ACOR_ETIMEOUT, "woken while subscribing");
    }
    *out = &w->base;
    return ACOR_OK;
}

int acr_v2_wait(acr_watch *base, acr_watch_event *event, acr_deadline deadline,
                acor_error *err)
{
    v2_watch *w = (v2_watch *)base;
    acr_reply *r;
    *event = ACR_WATCH_NOTHING;
    if (!w->linked) {
        int status = link_up(w, deadline, err);
        if (status == ACOR_OK)
            *event = ACR_WATCH_BACK;
        else if (status == ACOR_ECONNECT && acr_deadline_left_ms(deadline) > PAUSE_MS)
            acr_clock_sleep_ms(PAUSE_MS);
        return status == ACOR_ECONNECT || status == ACOR_ETIMEOUT || status > 0 ? ACOR_OK
                                                                              : status;
    }
    int status = acr_conn_listen(&w->conn, &w->arena, &r, deadline, err);
    if (status == ACOR_OK && reply_is(r, "message"))
        *event = ACR_WATCH_CHANGED;
    if (status == ACOR_ETIMEOUT || status > 0)
        return ACOR_OK; /* half a message stays where it is */
    acr_arena_free(&w->arena);
    if (status == ACOR_ECONNECT || status == ACOR_EPROTOCOL) {
        w->linked = 0;
        *event = ACR_WATCH_LOST;
        return ACOR_OK;
    }
    return status;
}

void acr_v2_wake(acr_watch *base)
{
    v2_watch *w = (v2_watch *)base;
    acr_transport_wake(&w->conn.transport);
}

void acr_v2_unwatch(acr_watch *base)
{
    if (base == NULL)
        return;
    v2_watch *w = (v2_watch *)base;
    acr_conn_drop(&w->conn);
    acr_transport_free(&w->conn.transport);
    acr_arena_free(&w->arena);
    acr_free(&base->store->mem, w, sizeof *w);
}
