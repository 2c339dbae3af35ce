/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/error.h"
#include "store/redis/open.h"
#include "store/redis/v2.h"

enum { CONNECT_MS = 5000, MOST_DB = 1 << 20 };

/* --- the URL ---------------------------------------------------------------- */

/* A part of the URL, decoded, as a string that lives as long as the store. */
static int keep(acr_v2 *s, const char **out, acr_slice part, const char *what,
                acor_error *err)
{
    char *text;
    ACR_TRY(acr_url_decode(&text, part, what, &s->base.mem, err));
    *out = (const char *)acr_arena_copy(&s->strings, acr_slice_str(text));
    acr_free(&s->base.mem, text, part.len + 1);
    return *out == NULL ? acr_fail_nomem(err) : ACOR_OK;
}

/* Of a password nothing is shown, not even the escape that is wrong. */
static int keep_password(acr_v2 *s, acr_slice part, acor_error *err)
{
    int status = keep(s, &s->config.password, part, "password", NULL);
    if (status == ACOR_ENOMEM)
        return acr_fail_nomem(err);
    if (status != ACOR_OK)
        return acr_fail(err, status,
                        "bad percent escape in the password of the URL (write %%25 for a "
                        "percent sign)");
    return ACOR_OK;
}

static int number(acr_slice part, const char *what, uint32_t most, uint32_t *out,
                  acor_error *err)
{
    uint32_t n = 0;
    for (size_t i = 0; i < part.len; i++) {
        unsigned char c = part.data[i];
        if (c < '0' || c > '9' || n > most / 10)
            n = most + 1;
        else
            n = n * 10 + (uint32_t)(c - '0');
        if (n > most)
            break;
    }
    if (part.len == 0 || n > most)
        return acr_fail(err, ACOR_EINVAL, "the %s in the URL is no number from 0 to %u", what,
                        most);
    *out = n;
    return ACOR_OK;
}

/* Cuts at the first c: what is before it, and what is left behind it. */
static int cut(acr_slice *rest, unsigned char c, acr_slice *before)
{
    const unsigned char *at = rest->len ? memchr(rest->data, c, rest->len) : NULL;
    if (at == NULL)
        return 0;
    *before = acr_slice_of(rest->data, (size_t)(at - rest->data));
    *rest = acr_slice_of(at + 1, rest->len - before->len - 1);
    return 1;
}

static int read_user(acr_v2 *s, acr_slice user, acor_error *err)
{
    acr_slice name;
    if (!cut(&user, ':', &name))
        return keep(s, &s->config.user, user, "user", err);
    if (name.len != 0)
        ACR_TRY(keep(s, &s->config.user, name, "user", err));
    return keep_password(s, user, err);
}

/* host, host:port, or [address]:port */
static int read_host(acr_v2 *s, acr_slice where, acor_error *err)
{
    acr_slice host = where, port = acr_slice_str("6379"), bracket;
    if (where.len != 0 && where.data[0] == '[') {
        acr_slice rest = acr_slice_of(where.data + 1, where.len - 1);
        if (!cut(&rest, ']', &bracket))
            return acr_fail(err, ACOR_EINVAL, "the host in the URL lacks its closing bracket");
        host = bracket;
        if (rest.len != 0) {
            if (rest.data[0] != ':')
                return acr_fail(err, ACOR_EINVAL,
                                "the URL has something between the host's bracket and the port");
            port = acr_slice_of(rest.data + 1, rest.len - 1);
        }
    } else if (cut(&where, ':', &host)) {
        port = where;
    }
    uint32_t n;
    ACR_TRY(number(port, "port", 65535, &n, err));
    ACR_TRY(keep(s, &s->config.address.port, port, "port", err));
    return keep(s, &s->config.address.host, host.len ? host : acr_slice_str("localhost"),
                "host", err);
}

static int read_tcp(acr_v2 *s, acr_slice rest, acor_error *err)
{
    acr_slice where = rest, user, db;
    if (rest.len < 2 || memcmp(rest.data, "//", 2) != 0)
        return acr_fail(err, ACOR_EINVAL,
                        "the URL has to be redis://[user[:password]@]host[:port][/db]");
    rest = acr_slice_of(rest.data + 2, rest.len - 2);
    if (!cut(&rest, '/', &where)) {
        where = rest;
        rest.len = 0;
    }
    db = rest;
    /* The last @ ends the password, which may hold others unescaped. */
    for (size_t i = where.len; i-- > 0;) {
        if (where.data[i] == '@') {
            user = acr_slice_of(where.data, i);
            where = acr_slice_of(where.data + i + 1, where.len - i - 1);
            ACR_TRY(read_user(s, user, err));
            break;
        }
    }
    ACR_TRY(read_host(s, where, err));
    return db.len ? number(db, "database", MOST_DB, &s->config.db, err) : ACOR_OK;
}

static int read_unix(acr_v2 *s, acr_slice rest, acor_error *err)
{
    acr_slice user;
    if (rest.len >= 2 && memcmp(rest.data, "//", 2) == 0)
        rest = acr_slice_of(rest.data + 2, rest.len - 2);
    if (rest.len != 0 && rest.data[0] != '/' && cut(&rest, '@', &user))
        ACR_TRY(read_user(s, user, err));
    if (rest.len == 0 || rest.data[0] != '/')
        return acr_fail(err, ACOR_EINVAL,
                        "the URL has to be redis+unix://[user[:password]@]/path/to.sock");
    return keep(s, &s->config.address.unix_path, rest, "path", err);
}

static int read_options(acr_v2 *s, acr_slice query, acor_error *err)
{
    acr_slice name, value, all = query;
    while (acr_url_option(&query, &name, &value)) {
        if (acr_slice_eq(name, acr_slice_str("db")))
            ACR_TRY(number(value, "option db", MOST_DB, &s->config.db, err));
        else if (acr_slice_eq(name, acr_slice_str("connect_timeout")))
            ACR_TRY(number(value, "option connect_timeout", 1000000, &s->config.connect_ms,
                           err));
        else if (memchr(all.data, '@', all.len) != NULL)
            /* This may be the rest of a password. */
            return acr_fail(err, ACOR_EINVAL,
                            "an @ behind the question mark in the URL (write %%3F for a "
                            "question mark in a password)");
        else
            return acr_fail(err, ACOR_EINVAL,
                            "unknown option \"%.*s\" in the URL; known here: db=N, "
                            "connect_timeout=MS",
                            name.len < 40 ? (int)name.len : 40, (const char *)name.data);
    }
    return ACOR_OK;
}

static int read_url(acr_v2 *s, const acr_url *url, acor_error *err)
{
    s->config.connect_ms = CONNECT_MS;
    if (acr_url_is(url, "redis"))
        ACR_TRY(read_tcp(s, url->rest, err));
    else if (acr_url_is(url, "redis+unix"))
        ACR_TRY(read_unix(s, url->rest, err));
    else
        return acr_fail(err, ACOR_EUNSUPPORTED,
                        "%.*s: is not part of this release; it has redis: and redis+unix:",
                        url->scheme.len < 40 ? (int)url->scheme.len : 40,
                        (const char *)url->scheme.data);
    return read_options(s, url->query, err);
}

/* --- names ------------------------------------------------------------------- */

static int make_key(acr_v2 *s, acr_v2_key key, const char *head, const char *tail,
                    acor_error *err)
{
    acr_buf b;
    acr_buf_init(&b, &s->base.mem);
    int status = acr_buf_put(&b, acr_slice_str(head), err);
    if (status == ACOR_OK)
        status = acr_buf_put(&b, s->name, err);
    if (status == ACOR_OK)
        status = acr_buf_put(&b, acr_slice_str(tail), err);
    if (status == ACOR_OK) {
        const unsigned char *copy = acr_arena_copy(&s->strings, acr_slice_of(b.data, b.len));
        s->keys[key] = acr_slice_of(copy, b.len);
        if (copy == NULL)
            status = acr_fail_nomem(err);
    }
    acr_buf_free(&b);
    return status;
}

static int make_names(acr_v2 *s, acr_slice name, acor_error *err)
{
    static const struct {
        acr_v2_key key;
        const char *head, *tail;
    } names[] = {
        {ACR_KEY_TRIE, "{", "}:trie"},           {ACR_KEY_OUTPUTS, "{", "}:outputs"},
        {ACR_KEY_NODES, "{", "}:nodes"},         {ACR_KEY_V1_KEYWORDS, "{", "}:keyword"},
        {ACR_KEY_V1_PREFIXES, "{", "}:prefix"},  {ACR_KEY_V1_SUFFIXES, "{", "}:suffix"},
        {ACR_KEY_V1_OUTPUT, "{", "}:output:"},   {ACR_KEY_V1_NODE, "{", "}:node:"},
        {ACR_KEY_LOCK, "{", "}:migration_lock"}, {ACR_KEY_CHANNEL, "acor:invalidate:", ""},
    };
    if (name.data[0] == '}')
        return acr_fail(err, ACOR_EINVAL,
                        "collection name must not begin with '}': the keys would lie in "
                        "different slots of a cluster");
    s->name = acr_slice_of(acr_arena_copy(&s->strings, name), name.len);
    if (s->name.data == NULL)
        return acr_fail_nomem(err);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ACR_TRY(make_key(s, names[i].key, names[i].head, names[i].tail, err));
    return ACOR_OK;
}

/* --- the store ----------------------------------------------------------------- */

static void close_store(acr_store *base)
{
    acr_v2 *s = (acr_v2 *)base;
    acr_mem mem = base->mem;
    acr_conn_drop(&s->conn);
    acr_transport_free(&s->conn.transport);
    acr_buf_free(&s->seen.version);
    acr_arena_free(&s->strings);
    acr_free(&mem, s, sizeof *s);
}

static const acr_store_ops redis_ops = {
    .name = "redis",
    .plans = 1,
    .load = acr_v2_load,
    .apply = acr_v2_apply,
    .info = acr_v2_info,
    .migrate = acr_v2_migrate,
    .rollback = acr_v2_rollback,
    .watch = acr_v2_watch,
    .wait = acr_v2_wait,
    .wake = acr_v2_wake,
    .unwatch = acr_v2_unwatch,
    .close = close_store,
};

int acr_redis_open(acr_store **out, const acr_url *url, const acr_store_params *params,
                   acor_error *err)
{
    acr_v2 *s = acr_alloc_zero(params->mem, sizeof *s);
    if (s == NULL)
        return acr_fail_nomem(err);
    s->base.ops = &redis_ops;
    s->base.mem = *params->mem;
    s->base.log = params->log;
    s->asked = params->mode;
    s->read_only = params->read_only;
    acr_arena_init(&s->strings, &s->base.mem);
    acr_buf_init(&s->seen.version, &s->base.mem);
    acr_conn_init(&s->conn, &s->base.mem, &s->config);
    int status = read_url(s, url, err);
    if (status == ACOR_OK)
        status = make_names(s, params->name, err);
    if (status != ACOR_OK) {
        close_store(&s->base);
        return status;
    }
    *out = &s->base;
    return ACOR_OK;
}
