/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server in a thread that plays a script: it takes connections, waits for so
 * many commands, answers with given bytes. Listens on a loopback port the system
 * chooses, or on a unix socket in a folder of its own.
 */
#ifndef ACOR_TEST_FAKE_REDIS_H
#define ACOR_TEST_FAKE_REDIS_H

#include <stddef.h>

#include "store/redis/transport.h"

typedef enum fake_kind {
    FAKE_END = 0, /* of the script; the connection stays open until fake_stop() */
    FAKE_ACCEPT,  /* the next connection */
    FAKE_READ,    /* n whole commands */
    FAKE_SEND,    /* text, at once */
    FAKE_DRIP,    /* text, byte by byte */
    FAKE_WAIT,    /* n milliseconds */
    FAKE_CLOSE,   /* the connection, as after QUIT */
    FAKE_RESET,   /* the connection, with what was sent unread */
    FAKE_SERVE    /* from here on, answer every command by the rules */
} fake_kind;

typedef struct fake_step {
    fake_kind kind;
    size_t n;
    const char *text;
} fake_step;

/* The reply to commands whose words, joined by blanks, begin so. */
typedef struct fake_rule {
    const char *command; /* NULL: the end of the rules */
    const char *reply;   /* NULL: close the connection */
} fake_rule;

typedef struct fake_redis fake_redis;

/* rules may be NULL without FAKE_SERVE. What goes wrong ends the test. */
fake_redis *fake_start(int unix_socket, const fake_step *steps, const fake_rule *rules);

/* Where it listens; valid until fake_stop(). */
acr_address fake_address(const fake_redis *f);

/* End the script, close everything, wait for the thread. */
void fake_stop(fake_redis *f);

/* The commands so far, a line each, their words joined by blanks; connections
 * taken are "(connection)". To be freed. */
char *fake_heard(fake_redis *f);

/* Wait until the script is over; ends the test if that takes seconds. */
void fake_finish(fake_redis *f);

#endif /* ACOR_TEST_FAKE_REDIS_H */
