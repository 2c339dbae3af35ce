/* SPDX-License-Identifier: Apache-2.0 */
/* What a server answers, decoded by hiredis' reader into an arena of ours. */
#ifndef ACR_STORE_REDIS_REPLY_H
#define ACR_STORE_REDIS_REPLY_H

#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"

typedef enum acr_reply_kind {
    ACR_REPLY_NIL = 0,
    ACR_REPLY_STRING,
    ACR_REPLY_STATUS,
    ACR_REPLY_ERROR,
    ACR_REPLY_INTEGER,
    ACR_REPLY_ARRAY
} acr_reply_kind;

typedef struct acr_reply {
    acr_reply_kind kind;
    acr_slice text; /* of a string, status or error */
    int64_t integer;
    struct acr_reply *items; /* of an array */
    size_t n;
} acr_reply;

typedef struct acr_reply_reader acr_reply_reader;

/* Replies live in the arena given to acr_reply_next(). NULL means no memory. */
acr_reply_reader *acr_reply_reader_new(const acr_mem *mem);
void acr_reply_reader_free(acr_reply_reader *r);

/* Bytes from the server, in any pieces. */
int acr_reply_feed(acr_reply_reader *r, acr_slice bytes, acor_error *err);

/*
 * The next reply, or *out = NULL if more bytes are needed; then the arena has to
 * be the same at the next call. ACOR_EPROTOCOL if
 * the bytes are no reply; ACOR_ENOMEM. After a failure the reader is no use.
 */
int acr_reply_next(acr_reply_reader *r, acr_arena *arena, acr_reply **out, acor_error *err);

/* 1 if there are no bytes behind the last reply. */
int acr_reply_reader_is_empty(const acr_reply_reader *r);

/* 1 if the reply is an error whose first word is this code. */
int acr_reply_is_error(const acr_reply *r, const char *code);

#endif /* ACR_STORE_REDIS_REPLY_H */
