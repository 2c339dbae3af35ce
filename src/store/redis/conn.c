/* SPDX-License-Identifier: Apache-2.0 */
#include "store/redis/conn.h"

#include <errno.h>
#include <hiredis/hiredis.h>
#include <stdio.h>
#include <sys/socket.h>

#include "base/buf.h"
#include "base/error.h"

enum { RECEIVE_SIZE = 64 * 1024 };

void acr_conn_init(acr_conn *c, const acr_mem *mem, const acr_redis_config *config)
{
    *c = (acr_conn){.mem = mem, .config = config};
    acr_transport_init(&c->transport);
}

void acr_conn_drop(acr_conn *c)
{
    acr_transport_disconnect(&c->transport);
    acr_reply_reader_free(c->reader);
    c->reader = NULL;
}

/* --- what error replies mean ---------------------------------------------- */

static int says(const acr_reply *r, const char *words)
{
    return r->kind == ACR_REPLY_ERROR &&
           memmem(r->text.data, r->text.len, words, strlen(words)) != NULL;
}

static int meaning(const acr_reply *r)
{
    static const struct {
        const char *code;
        int status;
    } codes[] = {
        {"NOAUTH", ACOR_EAUTH},           {"WRONGPASS", ACOR_EAUTH},
        {"NOPERM", ACOR_EAUTH},           {"LOADING", ACOR_EUNAVAILABLE},
        {"BUSY", ACOR_EUNAVAILABLE},      {"MASTERDOWN", ACOR_EUNAVAILABLE},
        {"CLUSTERDOWN", ACOR_EUNAVAILABLE}, {"TRYAGAIN", ACOR_EUNAVAILABLE},
        {"MISCONF", ACOR_EUNAVAILABLE},   {"NOREPLICAS", ACOR_EUNAVAILABLE},
        {"READONLY", ACOR_EREADONLY},     {"OOM", ACOR_ENOSPC},
        {"WRONGTYPE", ACOR_ESCHEMA},
    };
    /* Two that have only words in common with others of their code. */
    if (says(r, "unauthenticated"))
        return ACOR_EAUTH;
    if (says(r, "max number of clients"))
        return ACOR_EUNAVAILABLE;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (acr_reply_is_error(r, codes[i].code))
            return codes[i].status;
    return ACOR_EREPLY;
}

/* The server's words, under a status. */
static int repeat(const acr_reply *r, int status, const char *what, acor_error *err)
{
    return acr_fail(err, status, "%s: the server says: %.*s", what,
                    r->text.len < 160 ? (int)r->text.len : 160, (const char *)r->text.data);
}

int acr_reply_check(const acr_reply *r, const char *what, acor_error *err)
{
    return r->kind == ACR_REPLY_ERROR ? repeat(r, meaning(r), what, err) : ACOR_OK;
}

int acr_reply_expect(const acr_reply *r, acr_reply_kind kind, const char *what,
                     acor_error *err)
{
    ACR_TRY(acr_reply_check(r, what, err));
    if (r->kind == kind || r->kind == ACR_REPLY_NIL)
        return ACOR_OK;
    return acr_fail(err, ACOR_EPROTOCOL, "%s: an answer of another kind than asked for",
                    what);
}

/* --- writing and reading --------------------------------------------------- */

/* All commands in the server's protocol, one behind the other; *first is where the
 * first one ends. */
static int format(acr_buf *out, const acr_mem *mem, const acr_command *commands, size_t n,
                  size_t *first, acor_error *err)
{
    for (size_t i = 0; i < n; i++) {
        size_t count = commands[i].n;
        const char **argv = acr_alloc_array(mem, count, sizeof *argv);
        size_t *lens = acr_alloc_array(mem, count, sizeof *lens);
        char *bytes = NULL;
        int len = -1;
        if (argv != NULL && lens != NULL) {
            for (size_t k = 0; k < count; k++) {
                argv[k] = (const char *)commands[i].args[k].data;
                lens[k] = commands[i].args[k].len;
            }
            len = redisFormatCommandArgv(&bytes, (int)count, argv, lens);
        }
        acr_free(mem, argv, count * sizeof *argv);
        acr_free(mem, lens, count * sizeof *lens);
        if (len < 0)
            return acr_fail_nomem(err);
        int status = acr_buf_put(out, acr_slice_of(bytes, (size_t)len), err);
        redisFreeCommand(bytes);
        ACR_TRY(status);
        if (i == 0)
            *first = out->len;
    }
    return ACOR_OK;
}

static int write_all(acr_conn *c, const acr_command *commands, size_t n, int *sent,
                     acr_deadline deadline, acor_error *err)
{
    acr_buf out;
    size_t taken = 0, first = 0;
    acr_buf_init(&out, c->mem);
    int status = format(&out, c->mem, commands, n, &first, err);
    if (status == ACOR_OK)
        status = acr_transport_send(&c->transport, acr_slice_of(out.data, out.len), &taken,
                                    deadline, err);
    /* A command that is cut off is never run. */
    *sent = taken != 0 && taken >= first;
    c->bytes_out += taken;
    acr_buf_free(&out);
    return status;
}

static int read_one(acr_conn *c, acr_arena *arena, acr_reply **reply, acr_deadline deadline,
                    acor_error *err)
{
    for (;;) {
        ACR_TRY(acr_reply_next(c->reader, arena, reply, err));
        if (*reply != NULL)
            return ACOR_OK;
        unsigned char buf[RECEIVE_SIZE];
        size_t n;
        int status = acr_transport_receive(&c->transport, buf, sizeof buf, &n, deadline, err);
        if (status != ACOR_OK)
            return status;
        c->bytes_in += n;
        ACR_TRY(acr_reply_feed(c->reader, acr_slice_of(buf, n), err));
    }
}

/* The one place where commands go out and replies come in. */
static int trip(acr_conn *c, const acr_command *commands, size_t n, acr_arena *arena,
                acr_reply **replies, int *sent, uint64_t *counter, acr_deadline deadline,
                acor_error *err)
{
    ++*counter;
    ACR_TRY(write_all(c, commands, n, sent, deadline, err));
    int status = ACOR_OK;
    size_t i = 0;
    for (; i < n && status == ACOR_OK; i++)
        status = read_one(c, arena, &replies[i], deadline, err);
    /* What it said before it broke off tells more than that it did. */
    if (status == ACOR_ECONNECT && i > 1 && replies[0]->kind == ACR_REPLY_ERROR)
        status = acr_reply_check(replies[0], "connecting", err);
    return status;
}

/* --- connecting ------------------------------------------------------------ */

/* A password that nobody asked for lets in as well, as with Go's client. */
static int needs_no_password(const acr_reply *r)
{
    return acr_reply_is_error(r, "ERR") && (says(r, "without any password configured") ||
                                            says(r, "no password is set"));
}

static int log_in(acr_conn *c, acr_deadline deadline, acor_error *err)
{
    const acr_redis_config *f = c->config;
    char db[16];
    acr_slice auth[3], choose[2];
    acr_command commands[2];
    acr_reply *replies[2];
    size_t n = 0, a = 0;
    int sent;
    if (f->password != NULL) {
        auth[a++] = acr_slice_str("AUTH");
        if (f->user != NULL)
            auth[a++] = acr_slice_str(f->user);
        auth[a++] = acr_slice_str(f->password);
        commands[n++] = (acr_command){auth, a};
    }
    if (f->db != 0) {
        snprintf(db, sizeof db, "%u", f->db);
        choose[0] = acr_slice_str("SELECT");
        choose[1] = acr_slice_str(db);
        commands[n++] = (acr_command){choose, 2};
    }
    if (n == 0)
        return ACOR_OK;
    acr_arena arena;
    acr_arena_init(&arena, c->mem);
    int status = trip(c, commands, n, &arena, replies, &sent, &c->handshakes, deadline, err);
    if (status == ACOR_OK && a != 0 && !needs_no_password(replies[0])) {
        int means = meaning(replies[0]);
        if (replies[0]->kind == ACR_REPLY_ERROR)
            status = repeat(replies[0], means == ACOR_EREPLY ? ACOR_EAUTH : means,
                            f->user ? f->user : "login", err);
    }
    if (status == ACOR_OK && f->db != 0)
        status = acr_reply_check(replies[n - 1], "SELECT", err);
    acr_arena_free(&arena);
    return status;
}

/* A connection that the other side has closed meanwhile is noticed before use, and so
 * is one with an answer too many. */
static int is_usable(const acr_conn *c)
{
    unsigned char byte;
    if (c->reader == NULL || !acr_reply_reader_is_empty(c->reader))
        return 0;
    ssize_t n = recv(c->transport.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

static int ready(acr_conn *c, acr_deadline deadline, acor_error *err)
{
    if (is_usable(c))
        return ACOR_OK;
    acr_conn_drop(c);
    ACR_TRY(acr_transport_connect(&c->transport, &c->config->address, c->config->connect_ms,
                                  deadline, err));
    c->reader = acr_reply_reader_new(c->mem);
    int status = c->reader == NULL ? acr_fail_nomem(err) : log_in(c, deadline, err);
    if (status != ACOR_OK)
        acr_conn_drop(c);
    return status;
}

static void name_server(const acr_conn *c, acor_error *err)
{
    const acr_address *a = &c->config->address;
    if (a->host != NULL)
        acr_error_prefix(err, "%s port %s", a->host, a->port);
    else
        acr_error_prefix(err, "%s", a->unix_path);
}

int acr_conn_exchange(acr_conn *c, const acr_command *commands, size_t n, acr_arena *arena,
                      acr_reply **replies, int *sent, acr_deadline deadline, acor_error *err)
{
    int seen = 0;
    if (sent != NULL)
        *sent = 0;
    int status = ready(c, deadline, err);
    if (status == ACOR_OK) {
        status = trip(c, commands, n, arena, replies, &seen, &c->round_trips, deadline, err);
        if (status < 0)
            name_server(c, err);
    }
    if (status == ACOR_STOPPED)
        status = acr_fail(err, ACOR_EINTERNAL, "woken while waiting for a reply");
    if (status != ACOR_OK)
        acr_conn_drop(c);
    if (sent != NULL)
        *sent = seen;
    return status;
}

int acr_conn_post(acr_conn *c, const acr_command *command, acr_deadline deadline,
                  acor_error *err)
{
    int sent, status = ACOR_OK;
    if (c->reader == NULL)
        status = ready(c, deadline, err);
    if (status == ACOR_OK)
        status = write_all(c, command, 1, &sent, deadline, err);
    if (status != ACOR_OK)
        acr_conn_drop(c);
    return status;
}

int acr_conn_listen(acr_conn *c, acr_arena *arena, acr_reply **reply, acr_deadline deadline,
                    acor_error *err)
{
    *reply = NULL;
    if (c->reader == NULL)
        return acr_fail(err, ACOR_ECONNECT, "there is no connection to listen on");
    int status = read_one(c, arena, reply, deadline, err);
    if (status < 0 && status != ACOR_ETIMEOUT)
        acr_conn_drop(c);
    return status;
}
