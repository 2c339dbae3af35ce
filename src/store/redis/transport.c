/* SPDX-License-Identifier: Apache-2.0 */
#include "store/redis/transport.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"

void acr_transport_init(acr_transport *t)
{
    *t = (acr_transport){.fd = -1, .wake = {-1, -1}};
}

/* Close-on-exec and non-blocking: 0, or an errno. */
static int prepare(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ||
        fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
        return errno;
    return 0;
}

int acr_transport_enable_wake(acr_transport *t, acor_error *err)
{
    if (pipe(t->wake) != 0) {
        t->wake[0] = t->wake[1] = -1;
        return acr_fail_errno(err, ACOR_EIO, errno, "no pipe to be had");
    }
    int e = prepare(t->wake[0]);
    if (e == 0)
        e = prepare(t->wake[1]);
    return e == 0 ? ACOR_OK : acr_fail_errno(err, ACOR_EIO, e, "cannot set up a pipe");
}

void acr_transport_disconnect(acr_transport *t)
{
    if (t->fd >= 0)
        (void)close(t->fd);
    t->fd = -1;
}

void acr_transport_free(acr_transport *t)
{
    acr_transport_disconnect(t);
    for (int i = 0; i < 2; i++)
        if (t->wake[i] >= 0)
            (void)close(t->wake[i]);
    acr_transport_init(t);
}

void acr_transport_wake(acr_transport *t)
{
    /* A full pipe wakes as well as one more byte would. */
    ssize_t ignored = t->wake[1] >= 0 ? write(t->wake[1], "", 1) : 0;
    (void)ignored;
}

static void drain_wake(acr_transport *t)
{
    char buf[64];
    while (read(t->wake[0], buf, sizeof buf) > 0)
        continue;
}

/*
 * Wait until the socket is ready for events. ACOR_OK, ACOR_ETIMEOUT, or
 * ACOR_STOPPED if woken (only where wakeable is set). No words are set.
 */
static int wait_ready(acr_transport *t, short events, int wakeable, acr_deadline deadline)
{
    for (;;) {
        struct pollfd p[2] = {{.fd = t->fd, .events = events},
                              {.fd = wakeable ? t->wake[0] : -1, .events = POLLIN}};
        int left = acr_deadline_left_ms(deadline);
        int n = poll(p, 2, left);
        if (n < 0 && errno != EINTR)
            return ACOR_EIO;
        if (n > 0 && p[1].revents != 0) {
            drain_wake(t);
            return ACOR_STOPPED;
        }
        if (n > 0)
            return ACOR_OK;
        if (n == 0 && left == 0)
            return ACOR_ETIMEOUT;
    }
}

/* One address of those a name has: 0, or an errno (ETIMEDOUT for the deadline). */
static int try_address(acr_transport *t, const struct sockaddr *addr, socklen_t len,
                       acr_deadline deadline)
{
    t->fd = socket(addr->sa_family, SOCK_STREAM, 0);
    if (t->fd < 0)
        return errno;
    int e = prepare(t->fd);
    if (e == 0 && connect(t->fd, addr, len) != 0)
        e = errno;
    if (e == EINPROGRESS || e == EINTR) {
        int status = wait_ready(t, POLLOUT, 0, deadline);
        socklen_t size = sizeof e;
        if (status == ACOR_ETIMEOUT)
            e = ETIMEDOUT;
        else if (status != ACOR_OK || getsockopt(t->fd, SOL_SOCKET, SO_ERROR, &e, &size) != 0)
            e = errno;
    }
    if (e != 0) {
        acr_transport_disconnect(t);
        return e;
    }
    if (addr->sa_family != AF_UNIX) {
        /* Requests are written whole, so there is nothing to wait for. */
        int on = 1;
        (void)setsockopt(t->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        (void)setsockopt(t->fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    }
    return 0;
}

static acr_deadline sooner(uint32_t ms, acr_deadline deadline)
{
    acr_deadline own = acr_deadline_in_ms(ms);
    return own < deadline ? own : deadline;
}

static int connect_unix(acr_transport *t, const char *path, acr_deadline deadline,
                        acor_error *err)
{
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    size_t n = strlen(path);
    if (n >= sizeof addr.sun_path)
        return acr_fail(err, ACOR_EINVAL, "the socket's path has %zu bytes, the limit is %zu",
                        n, sizeof addr.sun_path - 1);
    memcpy(addr.sun_path, path, n);
    int e = try_address(t, (const struct sockaddr *)&addr, sizeof addr, deadline);
    return e == 0 ? ACOR_OK
                  : acr_fail_errno(err, ACOR_ECONNECT, e, "cannot connect to %s", path);
}

static int connect_tcp(acr_transport *t, const acr_address *a, uint32_t connect_ms,
                       acr_deadline deadline, acor_error *err)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *all = NULL;
    int e = getaddrinfo(a->host, a->port, &hints, &all);
    if (e != 0)
        return acr_fail(err, ACOR_ECONNECT, "cannot find %s: %s", a->host,
                        e == EAI_SYSTEM ? "system error" : gai_strerror(e));
    e = 0;
    for (struct addrinfo *i = all; i != NULL; i = i->ai_next) {
        e = try_address(t, i->ai_addr, i->ai_addrlen, sooner(connect_ms, deadline));
        if (e == 0 || acr_deadline_left_ms(deadline) == 0)
            break;
    }
    freeaddrinfo(all);
    return e == 0 ? ACOR_OK
                  : acr_fail_errno(err, e == ETIMEDOUT ? ACOR_ETIMEOUT : ACOR_ECONNECT, e,
                                   "cannot connect to %s port %s", a->host, a->port);
}

int acr_transport_connect(acr_transport *t, const acr_address *a, uint32_t connect_ms,
                          acr_deadline deadline, acor_error *err)
{
    acr_transport_disconnect(t);
    if (a->host == NULL)
        return connect_unix(t, a->unix_path, sooner(connect_ms, deadline), err);
    return connect_tcp(t, a, connect_ms, deadline, err);
}

/* After a send or receive that did not work: wait, or say what happened. */
static int retry_or_fail(acr_transport *t, short events, int wakeable, int e,
                         acr_deadline deadline, const char *what, acor_error *err)
{
    if (e == EINTR)
        return ACOR_OK;
    if (e != EAGAIN && e != EWOULDBLOCK)
        return acr_fail_errno(err, ACOR_ECONNECT, e, "the connection broke while %s", what);
    int status = wait_ready(t, events, wakeable, deadline);
    if (status == ACOR_ETIMEOUT)
        return acr_fail(err, status, "timed out while %s", what);
    if (status == ACOR_EIO)
        return acr_fail_errno(err, status, errno, "cannot wait for the server");
    return status;
}

int acr_transport_send(acr_transport *t, acr_slice bytes, size_t *sent, acr_deadline deadline,
                       acor_error *err)
{
    *sent = 0;
    while (*sent < bytes.len) {
        ssize_t n = send(t->fd, bytes.data + *sent, bytes.len - *sent, MSG_NOSIGNAL);
        if (n >= 0)
            *sent += (size_t)n;
        else
            ACR_TRY(retry_or_fail(t, POLLOUT, 0, errno, deadline, "sending", err));
    }
    return ACOR_OK;
}

int acr_transport_receive(acr_transport *t, unsigned char *buf, size_t size, size_t *n,
                          acr_deadline deadline, acor_error *err)
{
    *n = 0;
    for (;;) {
        ssize_t got = recv(t->fd, buf, size, 0);
        if (got > 0) {
            *n = (size_t)got;
            return ACOR_OK;
        }
        if (got == 0)
            return acr_fail(err, ACOR_ECONNECT, "the server closed the connection");
        int status = retry_or_fail(t, POLLIN, t->wake[0] >= 0, errno, deadline,
                                   "waiting for the answer", err);
        if (status != ACOR_OK)
            return status;
    }
}
