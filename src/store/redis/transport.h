/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes to and from a server: a non-blocking socket, a deadline for every call,
 * and a wake from another thread. Raises no SIGPIPE. Knows nothing of Redis.
 */
#ifndef ACR_STORE_REDIS_TRANSPORT_H
#define ACR_STORE_REDIS_TRANSPORT_H

#include "base/alloc.h"
#include "base/clock.h"
#include "base/slice.h"

typedef struct acr_address {
    const char *host;      /* name or number; NULL: unix socket */
    const char *port;      /* decimal */
    const char *unix_path; /* if host is NULL */
} acr_address;

typedef struct acr_transport {
    int fd;      /* -1: not connected */
    int wake[2]; /* a pipe, or -1: a byte in it ends a wait */
} acr_transport;

/* No descriptor is opened yet. */
void acr_transport_init(acr_transport *t);

/* Add the wake; without it acr_transport_wake() does nothing. */
int acr_transport_enable_wake(acr_transport *t, acor_error *err);

/*
 * Connect, trying each address the name has; the name is looked up anew each
 * time. connect_deadline bounds each try, deadline all of them. ACOR_ECONNECT
 * names the address and the reason. (The look-up itself is the system's and
 * not bounded.)
 */
int acr_transport_connect(acr_transport *t, const acr_address *a, uint32_t connect_ms,
                          acr_deadline deadline, acor_error *err);

/* Close the socket; the wake stays. */
void acr_transport_disconnect(acr_transport *t);

/* Disconnect and close the wake. */
void acr_transport_free(acr_transport *t);

/*
 * Send all bytes. *sent counts what the system took, also on failure: 0 means
 * the server cannot have seen any of it. ACOR_ETIMEOUT, ACOR_ECONNECT.
 */
int acr_transport_send(acr_transport *t, acr_slice bytes, size_t *sent,
                       acr_deadline deadline, acor_error *err);

/*
 * Receive at least one byte into buf. *n is 0 only with ACOR_STOPPED (woken).
 * ACOR_ETIMEOUT; ACOR_ECONNECT also when the other side closed.
 */
int acr_transport_receive(acr_transport *t, unsigned char *buf, size_t size, size_t *n,
                          acr_deadline deadline, acor_error *err);

/* End a wait in acr_transport_receive(), now or the next one. Any thread. */
void acr_transport_wake(acr_transport *t);

#endif /* ACR_STORE_REDIS_TRANSPORT_H */
