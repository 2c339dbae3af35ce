/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One connection that speaks Redis. acr_conn_exchange() is the only function
 * that writes commands and waits for replies, and so the only one that counts.
 * It connects when there is no connection, and not otherwise tries again.
 */
#ifndef ACR_STORE_REDIS_CONN_H
#define ACR_STORE_REDIS_CONN_H

#include "store/redis/reply.h"
#include "store/redis/transport.h"
#include "store/store.h"

/* Where to connect and as whom. Borrowed by the connection for its life. */
typedef struct acr_redis_config {
    acr_address address;
    const char *user;     /* NULL: the default user */
    const char *password; /* NULL: none */
    uint32_t db;
    uint32_t connect_ms; /* for each address tried */
} acr_redis_config;

typedef struct acr_command {
    const acr_slice *args;
    size_t n;
} acr_command;

typedef struct acr_conn {
    const acr_mem *mem;
    const acr_redis_config *config;
    acr_transport transport;
    acr_reply_reader *reader; /* NULL: not connected */
    uint64_t round_trips;
    uint64_t handshakes; /* round trips of setting up connections */
    uint64_t bytes_out, bytes_in;
} acr_conn;

/* Connects nothing yet. */
void acr_conn_init(acr_conn *c, const acr_mem *mem, const acr_redis_config *config);

/* Forget the connection; the next exchange makes another. */
void acr_conn_drop(acr_conn *c);

/*
 * Write n commands, wait for n replies: one round trip. Replies live in arena.
 * An error that the server answers is a reply, not a failure. *sent (may be
 * NULL) is 0 if the server surely has run none of it: only then it is safe to say
 * again what must not be done twice. On failure the connection is dropped.
 */
int acr_conn_exchange(acr_conn *c, const acr_command *commands, size_t n, acr_arena *arena,
                      acr_reply **replies, int *sent, acr_deadline deadline,
                      acor_error *err);

/*
 * Send without waiting, and wait without sending: for subscribers, not counted.
 * Both ACOR_STOPPED if woken. After that or a time-out of the waiting, part of a
 * reply may lie in arena, and the next wait needs the same one.
 */
int acr_conn_post(acr_conn *c, const acr_command *command, acr_deadline deadline,
                  acor_error *err);
int acr_conn_listen(acr_conn *c, acr_arena *arena, acr_reply **reply, acr_deadline deadline,
                    acor_error *err);

/*
 * ACOR_OK, or what an error reply means, with the server's words. what names
 * the key or command it was about.
 */
int acr_reply_check(const acr_reply *r, const char *what, acor_error *err);

/* The same, and the reply has to be of this kind or nil. */
int acr_reply_expect(const acr_reply *r, acr_reply_kind kind, const char *what,
                     acor_error *err);

#endif /* ACR_STORE_REDIS_CONN_H */
