/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside the embedded store: what its files share.
 *
 *   collection  one row per dictionary: name, version, count, case mode
 *   keyword     id = collection << 40 | place; places grow in the order of
 *               insertion and are never used twice
 *   change      id = collection << 40 | number; the log of changes
 *
 * A version is a counter and a stamp drawn by the commit. The counter is the
 * number of the last change in it, so the change behind version c is number
 * c + 1; the first change of each commit holds the stamp of the version before
 * it. So (c, stamp) is a version a delta can be given from exactly if the log
 * has a row c + 1 with that stamp.
 */
#ifndef ACR_STORE_SQLITE_STORE_H
#define ACR_STORE_SQLITE_STORE_H

#include <sqlite3.h>
#include <sys/types.h>

#include "store/backend.h"

#define ACR_SQLITE_APPLICATION 0x41434F52 /* "ACOR" */
#define ACR_SQLITE_LAYOUT 1               /* user_version */

/* A collection's number and a place or change in it, as one rowid. */
#define ACR_PLACE_BITS 40
#define ACR_PLACE_MAX ((INT64_C(1) << ACR_PLACE_BITS) - 1)

/* Statements, prepared at their first use and kept with the connection. */
typedef enum acr_sql {
    ACR_SQL_BEGIN,
    ACR_SQL_BEGIN_WRITE,
    ACR_SQL_COMMIT,
    ACR_SQL_ROLLBACK,
    ACR_SQL_LAYOUT,
    ACR_SQL_COLLECTION,
    ACR_SQL_COLLECTION_NEW,
    ACR_SQL_COLLECTION_SET,
    ACR_SQL_ADD,
    ACR_SQL_REMOVE,
    ACR_SQL_REMOVE_AT,
    ACR_SQL_REMOVE_RANGE,
    ACR_SQL_IN_PLACE_ORDER,
    ACR_SQL_IN_KEYWORD_ORDER,
    ACR_SQL_LOG_FROM,
    ACR_SQL_LOG_SINCE,
    ACR_SQL_LOG_ADD,
    ACR_SQL_LOG_REMOVED_AT,
    ACR_SQL_LOG_TRIM,
    ACR_SQL_DATA_VERSION,
    ACR_SQL_COUNT
} acr_sql;

/* What tells one file from another, and one state of it that never has a WAL. */
typedef struct acr_file_id {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
} acr_file_id;

/* One connection to the file. The store has one, each watch another. */
typedef struct acr_sqlite_db {
    sqlite3 *db; /* NULL while there is no file */
    sqlite3_stmt *statements[ACR_SQL_COUNT];
    const char *path;
    acr_deadline deadline; /* of the call that runs; for the busy handler */
    acr_file_id file;      /* as it was when the connection was made */
    uint32_t opened;       /* times a file was opened, to see that it was again */
    int immutable;         /* opened as a file that nobody changes */
    int wal_tried;
    int writing; /* the call that runs wants to write */
} acr_sqlite_db;

typedef struct acr_sqlite {
    acr_store base;
    acr_sqlite_db conn;
    char *path; /* absolute */
    size_t path_size;
    unsigned char *name;
    size_t name_len;
    acr_case mode;
    acr_sync synchronous;
    int read_only;
} acr_sqlite;

/* The row of one collection. */
typedef struct acr_sqlite_row {
    int exists;
    int64_t id;
    int64_t counter;
    unsigned char stamp[ACR_STAMP_SIZE];
    int64_t keywords;
    int64_t place; /* the last one used */
    acr_case mode;
} acr_sqlite_row;

/* --- sqlite.c ------------------------------------------------------------- */

/*
 * SQLite's answer as a status of ours, with the path and SQLite's words. what
 * says what was being done, such as "reading". The one place that maps.
 */
int acr_sqlite_fail(const acr_sqlite_db *c, int code, const char *what, acor_error *err);

/* A statement, ready to be bound; NULL with *rc and err set. */
sqlite3_stmt *acr_sqlite_statement(acr_sqlite_db *c, acr_sql which, int *rc,
                                   acor_error *err);

/* Run a statement that answers no rows, and reset it. */
int acr_sqlite_run(acr_sqlite_db *c, sqlite3_stmt *st, const char *what, acor_error *err);
int acr_sqlite_do(acr_sqlite_db *c, acr_sql which, const char *what, acor_error *err);

/* Bind bytes that stay where they are until the statement is reset. */
int acr_sqlite_bind(acr_sqlite_db *c, sqlite3_stmt *st, int at, acr_slice bytes,
                    acor_error *err);

/* Read transactions, counted. End does nothing where none is open. */
int acr_sqlite_begin(acr_sqlite *s, acr_sql how, acor_error *err);
void acr_sqlite_end(acr_sqlite *s);

/*
 * The collection's row, within a transaction; exists is 0 where there is none.
 * ACOR_EMODE if it has the other case mode.
 */
int acr_sqlite_row_get(acr_sqlite *s, acr_sqlite_row *row, acor_error *err);

acr_token acr_sqlite_token(const acr_sqlite_row *row);

/* --- sqlite_schema.c ------------------------------------------------------ */

/*
 * Have a connection to the file that is there now: keep it, make it, or drop
 * it (c->db is NULL where there is no file or an empty one). For a store, not
 * a watch, synchronous is set; watching opens for reading only.
 */
int acr_sqlite_connect(acr_sqlite_db *c, int watching, acr_sync synchronous,
                       acor_error *err);

/* The same for a writer: where there is no file, make it, with its tables. */
int acr_sqlite_create(acr_sqlite_db *c, acr_sync synchronous, acor_error *err);

/* Close, with all statements; the rest of *c stays. */
void acr_sqlite_disconnect(acr_sqlite_db *c);

/* 1 if this connection cannot write. */
int acr_sqlite_is_read_only(const acr_sqlite_db *c);

/* --- the seam's functions ------------------------------------------------- */

int acr_sqlite_load(acr_store *s, const acr_token *have, const acr_load_sink *sink,
                    acr_load_result *result, acr_deadline deadline, acor_error *err);
int acr_sqlite_apply(acr_store *s, const acr_request *request, unsigned char *outcomes,
                     acr_apply_result *result, acr_deadline deadline, acor_error *err);
int acr_sqlite_watch(acr_store *s, acr_watch **out, acr_deadline deadline,
                     acor_error *err);
int acr_sqlite_wait(acr_watch *w, acr_watch_event *event, acr_deadline deadline,
                    acor_error *err);
void acr_sqlite_wake(acr_watch *w);
void acr_sqlite_unwatch(acr_watch *w);

#endif /* ACR_STORE_SQLITE_STORE_H */
