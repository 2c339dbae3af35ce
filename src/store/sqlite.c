/* SPDX-License-Identifier: Apache-2.0 */
/* The embedded store: open and close, its statements, and how SQLite's answers
 * become ours. */
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "base/error.h"
#include "store/sqlite_store.h"

static const char *const texts[ACR_SQL_COUNT] = {
    [ACR_SQL_BEGIN] = "BEGIN",
    [ACR_SQL_BEGIN_WRITE] = "BEGIN IMMEDIATE",
    [ACR_SQL_COMMIT] = "COMMIT",
    [ACR_SQL_ROLLBACK] = "ROLLBACK",
    [ACR_SQL_LAYOUT] = "PRAGMA user_version",
    [ACR_SQL_COLLECTION] = "SELECT id, counter, stamp, keywords, place, mode"
                           " FROM collection WHERE name = ?1",
    [ACR_SQL_COLLECTION_NEW] =
        "INSERT INTO collection(name, counter, stamp, keywords, place, mode)"
        " VALUES(?1, 0, zeroblob(16), 0, 0, 0)",
    [ACR_SQL_COLLECTION_SET] =
        "UPDATE collection SET counter = ?2, stamp = ?3, keywords = ?4, place = ?5,"
        " mode = ?6 WHERE id = ?1",
    [ACR_SQL_ADD] = "INSERT INTO keyword(id, collection, keyword)"
                    " VALUES(?1, ?2, ?3) ON CONFLICT(collection, keyword) DO NOTHING",
    [ACR_SQL_REMOVE] = "DELETE FROM keyword WHERE collection = ?1 AND keyword = ?2",
    [ACR_SQL_REMOVE_AT] = "DELETE FROM keyword WHERE id = ?1",
    [ACR_SQL_REMOVE_RANGE] = "DELETE FROM keyword WHERE id BETWEEN ?1 AND ?2",
    [ACR_SQL_IN_PLACE_ORDER] =
        "SELECT keyword FROM keyword WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
    [ACR_SQL_IN_KEYWORD_ORDER] =
        "SELECT keyword, id FROM keyword WHERE collection = ?1 ORDER BY keyword",
    [ACR_SQL_LOG_FROM] = "SELECT before FROM change WHERE id = ?1",
    [ACR_SQL_LOG_SINCE] =
        "SELECT keyword, removed FROM change WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
    [ACR_SQL_LOG_ADD] = "INSERT INTO change(id, before, removed, keyword)"
                        " VALUES(?1, ?2, ?3, ?4)",
    [ACR_SQL_LOG_REMOVED_AT] = "INSERT INTO change(id, before, removed, keyword)"
                               " SELECT ?1, ?2, 1, keyword FROM keyword WHERE id = ?3",
    [ACR_SQL_LOG_TRIM] = "DELETE FROM change WHERE id BETWEEN ?1 AND ?2",
    [ACR_SQL_DATA_VERSION] = "PRAGMA data_version",
};

/* --- errors --------------------------------------------------------------- */

static int is_refusal(int sys_errno)
{
    return sys_errno == EACCES || sys_errno == EROFS || sys_errno == EPERM;
}

static int status_of(int code, int sys_errno, int writing)
{
    if (code == SQLITE_IOERR_NOMEM)
        return ACOR_ENOMEM;
    switch (code & 0xFF) {
    case SQLITE_NOMEM: return ACOR_ENOMEM;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL: return ACOR_ETIMEOUT;
    case SQLITE_READONLY: return ACOR_EREADONLY;
    case SQLITE_FULL: return ACOR_ENOSPC;
    case SQLITE_CORRUPT:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH: return ACOR_ECORRUPT;
    case SQLITE_NOTADB: return ACOR_ESCHEMA;
    case SQLITE_ERROR: return ACOR_ESCHEMA; /* such as: no such table */
    case SQLITE_TOOBIG: return ACOR_ELIMIT;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        if (sys_errno == ENOSPC || sys_errno == EDQUOT)
            return ACOR_ENOSPC;
        return writing && is_refusal(sys_errno) ? ACOR_EREADONLY : ACOR_EIO;
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_NOLFS: return ACOR_EIO;
    default: return ACOR_EINTERNAL;
    }
}

int acr_sqlite_fail(const acr_sqlite_db *c, int code, const char *what, acor_error *err)
{
    const char *words = sqlite3_errstr(code);
    int sys_errno = 0;
    if (c->db != NULL) {
        sys_errno = sqlite3_system_errno(c->db);
        /* The longer words only if they are about this failure. */
        if (sqlite3_extended_errcode(c->db) == code || sqlite3_errcode(c->db) == code)
            words = sqlite3_errmsg(c->db);
    }
    int status = status_of(code, sys_errno, c->writing);
    if (status == ACOR_ENOMEM)
        return acr_fail_nomem(err);
    if (status == ACOR_ETIMEOUT)
        return acr_fail(err, status,
                        "%s: another process kept it locked until the deadline (%s)",
                        c->path, words);
    int about_system = (code & 0xFF) == SQLITE_IOERR || (code & 0xFF) == SQLITE_CANTOPEN;
    if (about_system && sys_errno != 0)
        return acr_fail_errno(err, status, sys_errno, "%s: %s: %s", c->path, what, words);
    return acr_fail(err, status, "%s: %s: %s", c->path, what, words);
}

/* --- statements ----------------------------------------------------------- */

sqlite3_stmt *acr_sqlite_statement(acr_sqlite_db *c, acr_sql which, int *rc,
                                   acor_error *err)
{
    *rc = ACOR_OK;
    if (c->statements[which] == NULL) {
        int code = sqlite3_prepare_v3(c->db, texts[which], -1, SQLITE_PREPARE_PERSISTENT,
                                      &c->statements[which], NULL);
        if (code != SQLITE_OK)
            *rc = acr_sqlite_fail(c, code, "reading its tables", err);
    }
    return c->statements[which];
}

int acr_sqlite_run(acr_sqlite_db *c, sqlite3_stmt *st, const char *what, acor_error *err)
{
    int code = sqlite3_step(st);
    int rc = ACOR_OK;
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        rc = acr_sqlite_fail(c, code, what, err);
    (void)sqlite3_reset(st);
    return rc;
}

int acr_sqlite_do(acr_sqlite_db *c, acr_sql which, const char *what, acor_error *err)
{
    int rc;
    sqlite3_stmt *st = acr_sqlite_statement(c, which, &rc, err);
    return st == NULL ? rc : acr_sqlite_run(c, st, what, err);
}

int acr_sqlite_bind(acr_sqlite_db *c, sqlite3_stmt *st, int at, acr_slice bytes,
                    acor_error *err)
{
    int code = sqlite3_bind_blob64(st, at, bytes.data, bytes.len, SQLITE_STATIC);
    return code == SQLITE_OK ? ACOR_OK
                             : acr_sqlite_fail(c, code, "passing a keyword", err);
}

/* --- transactions and the row --------------------------------------------- */

int acr_sqlite_begin(acr_sqlite *s, acr_sql how, acor_error *err)
{
    ACR_TRY(acr_sqlite_do(&s->conn, how, "beginning a transaction", err));
    s->base.cost.transactions++;
    return ACOR_OK;
}

void acr_sqlite_end(acr_sqlite *s)
{
    if (s->conn.db != NULL && !sqlite3_get_autocommit(s->conn.db))
        (void)acr_sqlite_do(&s->conn, ACR_SQL_ROLLBACK, "rolling back", NULL);
}

static int read_row(acr_sqlite *s, sqlite3_stmt *st, acr_sqlite_row *row, acor_error *err)
{
    row->exists = 1;
    row->id = sqlite3_column_int64(st, 0);
    row->counter = sqlite3_column_int64(st, 1);
    const void *stamp = sqlite3_column_blob(st, 2);
    row->keywords = sqlite3_column_int64(st, 3);
    row->place = sqlite3_column_int64(st, 4);
    int mode = sqlite3_column_int(st, 5);
    if (stamp == NULL || sqlite3_column_bytes(st, 2) != ACR_STAMP_SIZE || row->id <= 0 ||
        row->id > INT64_MAX >> ACR_PLACE_BITS || row->counter < 0 || row->keywords < 0 ||
        row->place < row->keywords || row->place > ACR_PLACE_MAX ||
        row->counter > ACR_PLACE_MAX || mode < ACR_CASE_UNRECORDED ||
        mode > ACR_CASE_EXACT)
        return acr_fail(err, ACOR_ECORRUPT, "%s: the collection's row makes no sense",
                        s->path);
    memcpy(row->stamp, stamp, ACR_STAMP_SIZE);
    row->mode = (acr_case)mode;
    return acr_store_check_mode(row->mode, s->mode, err);
}

int acr_sqlite_row_get(acr_sqlite *s, acr_sqlite_row *row, acor_error *err)
{
    *row = (acr_sqlite_row){.exists = 0};
    int rc;
    sqlite3_stmt *st = acr_sqlite_statement(&s->conn, ACR_SQL_COLLECTION, &rc, err);
    if (st == NULL)
        return rc;
    ACR_TRY(acr_sqlite_bind(&s->conn, st, 1, acr_slice_of(s->name, s->name_len), err));
    int code = sqlite3_step(st);
    if (code == SQLITE_ROW)
        rc = read_row(s, st, row, err);
    else if (code != SQLITE_DONE)
        rc = acr_sqlite_fail(&s->conn, code, "reading", err);
    (void)sqlite3_reset(st);
    return rc;
}

acr_token acr_sqlite_token(const acr_sqlite_row *row)
{
    return row->exists ? acr_version_token((uint64_t)row->counter, row->stamp)
                       : acr_version_absent();
}

static int sqlite_info(acr_store *store, acr_store_info *info, acr_deadline deadline,
                       acor_error *err)
{
    acr_sqlite *s = (acr_sqlite *)store;
    s->conn.deadline = deadline;
    ACR_TRY(acr_sqlite_connect(&s->conn, 0, s->synchronous, err));
    acr_sqlite_row row = {.exists = 0};
    if (s->conn.db != NULL) {
        s->base.cost.transactions++; /* one statement, by itself */
        ACR_TRY(acr_sqlite_row_get(s, &row, err));
    }
    *info = (acr_store_info){.version = acr_sqlite_token(&row),
                             .mode = row.mode,
                             .exists = row.exists,
                             .keywords = (uint64_t)row.keywords};
    return ACOR_OK;
}

/* --- open and close ------------------------------------------------------- */

static void sqlite_close(acr_store *store)
{
    acr_sqlite *s = (acr_sqlite *)store;
    acr_mem mem = store->mem;
    acr_sqlite_disconnect(&s->conn);
    acr_free(&mem, s->path, s->path_size);
    acr_free(&mem, s->name, s->name_len);
    acr_free(&mem, s, sizeof *s);
}

static const acr_store_ops sqlite_ops = {
    .name = "sqlite",
    .load = acr_sqlite_load,
    .apply = acr_sqlite_apply,
    .info = sqlite_info,
    .watch = acr_sqlite_watch,
    .wait = acr_sqlite_wait,
    .wake = acr_sqlite_wake,
    .unwatch = acr_sqlite_unwatch,
    .close = sqlite_close,
};

/* Absolute, so that a later chdir() does not lead to another file, and so that
 * SQLite sees none of the names it gives a meaning of its own. */
static int set_path(acr_sqlite *s, const char *path, acor_error *err)
{
    char folder[PATH_MAX] = "";
    if (path[0] != '/' && getcwd(folder, sizeof folder) == NULL)
        return acr_fail_errno(err, ACOR_EIO, errno, "the current folder has no name");
    size_t n = strlen(folder), len = strlen(path);
    s->path_size = n + 1 + len + 1;
    s->path = acr_alloc(&s->base.mem, s->path_size);
    if (s->path == NULL)
        return acr_fail_nomem(err);
    memcpy(s->path, folder, n);
    if (n != 0)
        s->path[n++] = '/';
    memcpy(s->path + n, path, len + 1);
    s->conn.path = s->path;
    return ACOR_OK;
}

int acr_sqlite_open(acr_store **out, const char *path, const acr_sqlite_options *options,
                    const acr_store_params *params, acor_error *err)
{
    *out = NULL;
    acr_sqlite *s = acr_alloc_zero(params->mem, sizeof *s);
    if (s == NULL)
        return acr_fail_nomem(err);
    s->base = (acr_store){.ops = &sqlite_ops, .mem = *params->mem, .log = params->log};
    s->mode = params->mode;
    s->read_only = params->read_only;
    s->synchronous = options->synchronous;
    int rc = set_path(s, path, err);
    if (rc == ACOR_OK) {
        s->name = acr_alloc(&s->base.mem, params->name.len);
        if (s->name == NULL) {
            rc = acr_fail_nomem(err);
        } else {
            s->name_len = params->name.len;
            if (s->name_len != 0)
                memcpy(s->name, params->name.data, s->name_len);
        }
    }
    if (rc == ACOR_OK) {
        /* Opening does not wait: if it is locked, the first call sees what it is.
         * So that is no failure, and only another one is to reach err. */
        s->conn.deadline = acr_clock_now();
        rc = acr_sqlite_connect(&s->conn, 0, s->synchronous, NULL);
        if (rc == ACOR_ETIMEOUT)
            rc = ACOR_OK;
        else if (rc != ACOR_OK)
            rc = acr_sqlite_connect(&s->conn, 0, s->synchronous, err);
    }
    if (rc != ACOR_OK) {
        sqlite_close(&s->base);
        return rc;
    }
    *out = &s->base;
    return ACOR_OK;
}
