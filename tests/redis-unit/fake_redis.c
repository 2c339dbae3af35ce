/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_redis.h"

#include <check.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/thread.h"

enum { HEARD = 1 << 20, PENDING = 1 << 20, CONNECTIONS = 8 };

typedef struct peer {
    int fd;
    char *in; /* bytes of commands not yet whole */
    size_t len;
} peer;

struct fake_redis {
    int listener, stop[2];
    peer peers[CONNECTIONS];
    int peers_n; /* scripts use the last one */
    const fake_step *steps;
    const fake_rule *rules;
    acr_thread thread;
    acr_mutex lock;
    int over;    /* under lock */
    char *heard; /* under lock */
    size_t heard_len;
    char port[16], folder[32], path[64];
    int is_unix;
};

/* --- listening ------------------------ */

static void listen_tcp(fake_redis *f)
{
    struct sockaddr_in addr = {.sin_family = AF_INET};
    socklen_t len = sizeof addr;
    addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    f->listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(f->listener, (struct sockaddr *)&addr, sizeof addr) != 0 ||
        listen(f->listener, 16) != 0 ||
        getsockname(f->listener, (struct sockaddr *)&addr, &len) != 0)
        ck_abort_msg("cannot listen on the loopback interface");
    snprintf(f->port, sizeof f->port, "%d", ntohs(addr.sin_port));
}

static void listen_unix(fake_redis *f)
{
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    snprintf(f->folder, sizeof f->folder, "/tmp/acor-fake-XXXXXX");
    if (mkdtemp(f->folder) == NULL)
        ck_abort_msg("no folder for the socket");
    snprintf(f->path, sizeof f->path, "%s/s", f->folder);
    memcpy(addr.sun_path, f->path, strlen(f->path) + 1);
    f->listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(f->listener, (struct sockaddr *)&addr, sizeof addr) != 0 ||
        listen(f->listener, 16) != 0)
        ck_abort_msg("cannot listen on a unix socket");
}

/* --- commands ------------------------ */

static void hear(fake_redis *f, const char *line)
{
    size_t n = strlen(line);
    acr_mutex_lock(&f->lock);
    if (f->heard_len + n + 2 < HEARD) {
        memcpy(f->heard + f->heard_len, line, n);
        memcpy(f->heard + f->heard_len + n, "\n", 2);
        f->heard_len += n + 1;
    }
    acr_mutex_unlock(&f->lock);
}

/* Bytes of the first whole command, 0 if there is none; line is its words. */
static size_t parse(const char *in, size_t len, char *line, size_t size)
{
    const char *p = in, *end = in + len;
    size_t at = 0;
    if (len == 0 || memchr(in, '\n', len) == NULL)
        return 0;
    long n = strtol(in + 1, NULL, 10);
    p = (const char *)memchr(in, '\n', len) + 1;
    for (; n > 0; n--) {
        const char *eol = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
        if (eol == NULL)
            return 0;
        long bytes = strtol(p + 1, NULL, 10);
        p = eol + 1;
        if (end - p < bytes + 2)
            return 0;
        size_t room = size - at - 2;
        size_t shown = (size_t)bytes < room ? (size_t)bytes : room;
        if (at != 0)
            line[at++] = ' ';
        memcpy(line + at, p, shown);
        at += shown;
        p += bytes + 2;
    }
    line[at] = '\0';
    return (size_t)(p - in);
}

/* The next command of a peer out of what it sent; 0 if more is needed. */
static int next_command(fake_redis *f, peer *p, char *line, size_t size)
{
    size_t n = parse(p->in, p->len, line, size);
    if (n == 0)
        return 0;
    memmove(p->in, p->in + n, p->len - n);
    p->len -= n;
    hear(f, line);
    return 1;
}

/* --- waiting ------------------------ */

/* 1 if fd can be read, 0 if it is time to stop. */
static int readable(const fake_redis *f, int fd, int ms)
{
    struct pollfd p[2] = {{.fd = f->stop[0], .events = POLLIN},
                          {.fd = fd, .events = POLLIN}};
    (void)poll(p, 2, ms);
    return p[0].revents == 0 && (fd < 0 || p[1].revents != 0);
}

static int stopped(const fake_redis *f)
{
    struct pollfd p = {.fd = f->stop[0], .events = POLLIN};
    return poll(&p, 1, 0) != 0;
}

/* 1, or 0 if the peer closed. */
static int fill(peer *p)
{
    if (p->len == PENDING)
        return 0;
    ssize_t n = recv(p->fd, p->in + p->len, PENDING - p->len, 0);
    if (n <= 0)
        return 0;
    p->len += (size_t)n;
    return 1;
}

static void drop_peer(peer *p)
{
    if (p->fd >= 0)
        (void)close(p->fd);
    free(p->in);
    *p = (peer){.fd = -1};
}

static int take_connection(fake_redis *f)
{
    if (!readable(f, f->listener, -1))
        return 0;
    peer *p = NULL;
    for (int i = 0; i < CONNECTIONS && p == NULL; i++)
        if (f->peers[i].fd < 0)
            p = &f->peers[f->peers_n = i];
    if (p == NULL)
        return 0;
    *p = (peer){.fd = accept(f->listener, NULL, NULL), .in = malloc(PENDING)};
    hear(f, "(connection)");
    return p->fd >= 0 && p->in != NULL;
}

/* --- playing ------------------------ */

static void say(int fd, const char *text, size_t piece)
{
    for (size_t at = 0, n = strlen(text); at < n;) {
        size_t some = n - at < piece ? n - at : piece;
        ssize_t sent = send(fd, text + at, some, MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        at += (size_t)sent;
        if (piece == 1)
            acr_clock_sleep_ms(1);
    }
}

static int read_commands(fake_redis *f, peer *p, size_t n)
{
    char line[4096];
    while (n > 0) {
        if (next_command(f, p, line, sizeof line)) {
            n--;
            continue;
        }
        if (!readable(f, p->fd, -1) || !fill(p))
            return 0;
    }
    return 1;
}

static void reset(peer *p)
{
    struct linger at_once = {.l_onoff = 1};
    (void)setsockopt(p->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    drop_peer(p);
}

static void answer(const fake_redis *f, peer *p, const char *line)
{
    for (const fake_rule *r = f->rules; r->command != NULL; r++)
        if (strncmp(line, r->command, strlen(r->command)) == 0) {
            if (r->reply == NULL)
                drop_peer(p);
            else
                say(p->fd, r->reply, SIZE_MAX);
            return;
        }
    say(p->fd, "-ERR unknown command\r\n", SIZE_MAX);
}

static void serve_peer(fake_redis *f, peer *p)
{
    char line[4096];
    if (!fill(p)) {
        drop_peer(p);
        return;
    }
    while (p->fd >= 0 && next_command(f, p, line, sizeof line))
        answer(f, p, line);
}

static void serve(fake_redis *f)
{
    while (!stopped(f)) {
        struct pollfd p[CONNECTIONS + 2] = {{.fd = f->stop[0], .events = POLLIN},
                                            {.fd = f->listener, .events = POLLIN}};
        for (int i = 0; i < CONNECTIONS; i++)
            p[i + 2] = (struct pollfd){.fd = f->peers[i].fd, .events = POLLIN};
        (void)poll(p, CONNECTIONS + 2, -1);
        for (int i = 0; i < CONNECTIONS; i++)
            if (p[i + 2].fd >= 0 && p[i + 2].revents != 0)
                serve_peer(f, &f->peers[i]);
        if (p[1].revents != 0 && !take_connection(f))
            return;
    }
}

static int play(fake_redis *f, const fake_step *s)
{
    peer *p = &f->peers[f->peers_n];
    switch (s->kind) {
    case FAKE_ACCEPT: return take_connection(f);
    case FAKE_READ: return read_commands(f, p, s->n);
    case FAKE_SEND: say(p->fd, s->text, SIZE_MAX); return 1;
    case FAKE_DRIP: say(p->fd, s->text, 1); return 1;
    case FAKE_WAIT: (void)readable(f, -1, (int)s->n); return !stopped(f);
    case FAKE_CLOSE: drop_peer(p); return 1;
    case FAKE_RESET: reset(p); return 1;
    case FAKE_SERVE: serve(f); return 1;
    default: return 0;
    }
}

static void *run(void *arg)
{
    fake_redis *f = arg;
    for (const fake_step *s = f->steps; s->kind != FAKE_END && play(f, s);)
        s++;
    acr_mutex_lock(&f->lock);
    f->over = 1;
    acr_mutex_unlock(&f->lock);
    (void)readable(f, -1, -1);
    return NULL;
}

/* --- outside ------------------------ */

fake_redis *fake_start(int unix_socket, const fake_step *steps, const fake_rule *rules)
{
    fake_redis *f = calloc(1, sizeof *f);
    if (f == NULL || (f->heard = calloc(1, HEARD)) == NULL)
        ck_abort_msg("no memory for the test itself");
    f->steps = steps;
    f->rules = rules;
    f->is_unix = unix_socket;
    for (int i = 0; i < CONNECTIONS; i++)
        f->peers[i].fd = -1;
    if (unix_socket)
        listen_unix(f);
    else
        listen_tcp(f);
    if (pipe(f->stop) != 0 || acr_mutex_init(&f->lock, NULL) != ACOR_OK ||
        acr_thread_start(&f->thread, run, f, NULL) != ACOR_OK)
        ck_abort_msg("no thread for the server");
    return f;
}

acr_address fake_address(const fake_redis *f)
{
    if (f->is_unix)
        return (acr_address){.unix_path = f->path};
    return (acr_address){.host = "127.0.0.1", .port = f->port};
}

void fake_stop(fake_redis *f)
{
    (void)close(f->stop[1]);
    acr_thread_join(&f->thread);
    for (int i = 0; i < CONNECTIONS; i++)
        drop_peer(&f->peers[i]);
    (void)close(f->stop[0]);
    (void)close(f->listener);
    if (f->is_unix) {
        (void)unlink(f->path);
        (void)rmdir(f->folder);
    }
    acr_mutex_destroy(&f->lock);
    free(f->heard);
    free(f);
}

char *fake_heard(fake_redis *f)
{
    acr_mutex_lock(&f->lock);
    char *copy = malloc(f->heard_len + 1);
    if (copy == NULL)
        ck_abort_msg("no memory for the test itself");
    memcpy(copy, f->heard, f->heard_len + 1);
    acr_mutex_unlock(&f->lock);
    return copy;
}

void fake_finish(fake_redis *f)
{
    for (int i = 0; i < 5000; i++) {
        acr_mutex_lock(&f->lock);
        int over = f->over;
        acr_mutex_unlock(&f->lock);
        if (over)
            return;
        acr_clock_sleep_ms(1);
    }
    char *heard = fake_heard(f);
    ck_abort_msg("the script does not end; heard: %s", heard);
}
