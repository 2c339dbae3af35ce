/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the embedded store: nothing new, the changes, or all of it. */
#include "base/buf.h"
#include "base/error.h"
#include "store/sqlite_store.h"

#define PIECE 1024                 /* changes handed over at once */
#define PIECE_BYTES (256u * 1024u) /* or fewer, once they have this many bytes */

/* Changes on their way to the sink. SQLite's bytes do not outlive a step. */
typedef struct carrier {
    acr_sqlite *store;
    const acr_load_sink *sink;
    acr_change *changes; /* PIECE of them; keyword.data is set when they go */
    size_t n;
    int64_t total;
    acr_buf bytes;
} carrier;

static int hand_over(carrier *c, acor_error *err)
{
    if (c->n == 0)
        return ACOR_OK;
    const unsigned char *at = c->bytes.data;
    for (size_t i = 0; i < c->n; i++) {
        c->changes[i].keyword.data = at;
        at += c->changes[i].keyword.len;
    }
    int rc = c->sink->piece(c->sink->user, c->changes, c->n, err);
    c->n = 0;
    c->bytes.len = 0;
    return rc < 0 ? rc : ACOR_OK;
}

static int take(carrier *c, sqlite3_stmt *st, int delta, acor_error *err)
{
    const unsigned char *data = sqlite3_column_blob(st, 0);
    int len = sqlite3_column_bytes(st, 0);
    if (data == NULL || len <= 0) {
        if (sqlite3_errcode(c->store->conn.db) == SQLITE_NOMEM)
            return acr_fail_nomem(err);
        return acr_fail(err, ACOR_ECORRUPT, "%s: a stored keyword is empty",
                        c->store->path);
    }
    ACR_TRY(acr_buf_put(&c->bytes, acr_slice_of(data, (size_t)len), err));
    c->changes[c->n++] = (acr_change){.keyword = {.len = (size_t)len},
                                      .remove = delta && sqlite3_column_int(st, 1) != 0};
    c->total++;
    if (c->n == PIECE || c->bytes.len >= PIECE_BYTES)
        return hand_over(c, err);
    return ACOR_OK;
}

/* Send the rows first to last of a table whose rowids carry the collection. */
static int send_rows(carrier *c, int delta, int64_t first, int64_t last, acor_error *err)
{
    acr_sqlite_db *conn = &c->store->conn;
    int rc;
    sqlite3_stmt *st =
        acr_sqlite_statement(conn, delta ? ACR_SQL_LOG_SINCE : ACR_SQL_IN_PLACE_ORDER,
                             &rc, err);
    if (st == NULL)
        return rc;
    (void)sqlite3_bind_int64(st, 1, first);
    (void)sqlite3_bind_int64(st, 2, last);
    int code = SQLITE_ROW;
    while (rc == ACOR_OK && (code = sqlite3_step(st)) == SQLITE_ROW)
        rc = take(c, st, delta, err);
    if (rc == ACOR_OK && code != SQLITE_DONE)
        rc = acr_sqlite_fail(conn, code, "reading", err);
    (void)sqlite3_reset(st);
    return rc == ACOR_OK ? hand_over(c, err) : rc;
}

/* The counter of a version the log leads from to now, or -1. */
static int find_version(acr_sqlite *s, const acr_sqlite_row *row, const acr_token *have,
                        int64_t *counter, acor_error *err)
{
    *counter = -1;
    uint64_t n;
    const unsigned char *stamp;
    if (have == NULL || !row->exists || !acr_version_split(have, &n, &stamp) ||
        n >= (uint64_t)row->counter)
        return ACOR_OK;
    int rc;
    sqlite3_stmt *st = acr_sqlite_statement(&s->conn, ACR_SQL_LOG_FROM, &rc, err);
    if (st == NULL)
        return rc;
    (void)sqlite3_bind_int64(st, 1, (row->id << ACR_PLACE_BITS) + (int64_t)n + 1);
    int code = sqlite3_step(st);
    if (code == SQLITE_ROW) {
        const void *before = sqlite3_column_blob(st, 0);
        if (before != NULL && sqlite3_column_bytes(st, 0) == ACR_STAMP_SIZE &&
            memcmp(before, stamp, ACR_STAMP_SIZE) == 0)
            *counter = (int64_t)n;
    } else if (code != SQLITE_DONE) {
        rc = acr_sqlite_fail(&s->conn, code, "reading", err);
    }
    (void)sqlite3_reset(st);
    return rc;
}

static int send_all(carrier *c, const acr_sqlite_row *row, int64_t since, acor_error *err)
{
    int64_t base = row->id << ACR_PLACE_BITS;
    int delta = since >= 0;
    if (!row->exists)
        return ACOR_OK;
    if (delta)
        ACR_TRY(send_rows(c, 1, base + since + 1, base + row->counter, err));
    else
        ACR_TRY(send_rows(c, 0, base + 1, base + ACR_PLACE_MAX, err));
    int64_t want = delta ? row->counter - since : row->keywords;
    if (c->total != want)
        return acr_fail(err, ACOR_ECORRUPT, "%s: has %lld %s where %lld are recorded",
                        c->store->path, (long long)c->total,
                        delta ? "changes" : "keywords", (long long)want);
    return ACOR_OK;
}

/* Within a read transaction, so that all of it is of one version. */
static int load_now(acr_sqlite *s, const acr_token *have, const acr_load_sink *sink,
                    acr_load_result *result, acor_error *err)
{
    acr_sqlite_row row = {.exists = 0};
    int64_t since = -1;
    if (s->conn.db != NULL)
        ACR_TRY(acr_sqlite_row_get(s, &row, err));
    *result = (acr_load_result){.kind = ACR_LOAD_UNCHANGED,
                                .version = acr_sqlite_token(&row),
                                .mode = row.mode,
                                .exists = row.exists};
    if (have != NULL && acr_token_eq(have, &result->version))
        return ACOR_OK;
    if (s->conn.db != NULL)
        ACR_TRY(find_version(s, &row, have, &since, err));
    result->kind = since >= 0 ? ACR_LOAD_DELTA : ACR_LOAD_WHOLE;
    ACR_TRY(sink->begin(sink->user, result->kind, err));

    carrier c = {.store = s, .sink = sink};
    acr_buf_init(&c.bytes, &s->base.mem);
    c.changes = acr_alloc_array(&s->base.mem, PIECE, sizeof *c.changes);
    int rc = c.changes == NULL ? acr_fail_nomem(err) : send_all(&c, &row, since, err);
    acr_free(&s->base.mem, c.changes, PIECE * sizeof *c.changes);
    acr_buf_free(&c.bytes);
    return rc;
}

int acr_sqlite_load(acr_store *store, const acr_token *have, const acr_load_sink *sink,
                    acr_load_result *result, acr_deadline deadline, acor_error *err)
{
    acr_sqlite *s = (acr_sqlite *)store;
    s->conn.deadline = deadline;
    ACR_TRY(acr_sqlite_connect(&s->conn, 0, s->synchronous, err));
    if (s->conn.db != NULL)
        ACR_TRY(acr_sqlite_begin(s, ACR_SQL_BEGIN, err));
    int rc = load_now(s, have, sink, result, err);
    acr_sqlite_end(s);
    return rc;
}
