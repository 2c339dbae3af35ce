/* SPDX-License-Identifier: Apache-2.0 */
/* The embedded store's file: what it is, how it is reached and made. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "store/sqlite_store.h"

/* The ids stand in the same commit as the first table: no state of the file has
 * one without the other. */
static const char creation[] =
    "PRAGMA application_id = 1094930258;" /* ACR_SQLITE_APPLICATION */
    "PRAGMA user_version = 1;"
    "CREATE TABLE collection("
    " id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, counter INTEGER NOT NULL,"
    " stamp BLOB NOT NULL, keywords INTEGER NOT NULL, place INTEGER NOT NULL,"
    " mode INTEGER NOT NULL);"
    "CREATE TABLE keyword("
    " id INTEGER PRIMARY KEY, collection INTEGER NOT NULL, keyword BLOB NOT NULL,"
    " UNIQUE(collection, keyword));"
    "CREATE TABLE change("
    " id INTEGER PRIMARY KEY, before BLOB, removed INTEGER NOT NULL,"
    " keyword BLOB NOT NULL);";

/* A WAL that grew with a large batch is cut back to 4 MiB; no file is made outside
 * the folder. */
#define SETTINGS \
    "PRAGMA journal_size_limit = 4194304;" \
    "PRAGMA cell_size_check = 1;" \
    "PRAGMA temp_store = 2;"

/* --- the file ------------------------------------------------------------- */

/* What is at the path. *there is 0 if nothing, or a file without bytes. */
static int look(const char *path, acr_file_id *id, int *there, acor_error *err)
{
    struct stat st;
    *there = 0;
    if (stat(path, &st) != 0) {
        if (errno == ENOENT)
            return ACOR_OK;
        return acr_fail_errno(err, ACOR_EIO, errno, "%s", path);
    }
    if (S_ISDIR(st.st_mode))
        return acr_fail(err, ACOR_EIO, "%s: is a folder", path);
    if (!S_ISREG(st.st_mode))
        return acr_fail(err, ACOR_EIO, "%s: is not a regular file", path);
    *id = (acr_file_id){st.st_dev, st.st_ino, st.st_size, st.st_mtim};
    *there = st.st_size > 0;
    return ACOR_OK;
}

static int same_file(const acr_file_id *a, const acr_file_id *b)
{
    return a->device == b->device && a->inode == b->inode;
}

static int same_state(const acr_file_id *a, const acr_file_id *b)
{
    return same_file(a, b) && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec;
}

/* 1 if there are bytes in a file named so beside it, or that cannot be told. */
static int has_beside(const char *path, const char *suffix)
{
    char name[PATH_MAX + 16];
    size_t n = strlen(path), len = strlen(suffix) + 1;
    if (n + len > sizeof name)
        return 1;
    memcpy(name, path, n);
    memcpy(name + n, suffix, len);
    struct stat st;
    return stat(name, &st) == 0 ? st.st_size > 0 : errno != ENOENT;
}

/* 1 if somebody is writing, or has left a write to be finished or undone. */
static int is_in_motion(const char *path)
{
    return has_beside(path, "-wal") || has_beside(path, "-journal");
}

/* 0 if something can be put beside the file, otherwise why not. */
static int folder_refuses(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    if (n == 0 || n >= sizeof folder)
        return ENAMETOOLONG;
    memcpy(folder, path, n);
    folder[n] = '\0';
    return access(folder, W_OK) == 0 ? 0 : errno;
}

/*
 * Where nothing can be put beside the file, SQLite cannot make the index a WAL
 * needs. Without a WAL nobody is writing, and the file is all there is.
 */
static int stands_still(const char *path)
{
    return folder_refuses(path) != 0 && !is_in_motion(path);
}

/* --- the connection ------------------------------------------------------- */

static int wait_for_lock(void *user, int times)
{
    const acr_sqlite_db *c = user;
    int64_t left =
        c->deadline == ACR_DEADLINE_NEVER ? ACR_SECOND : c->deadline - acr_clock_now();
    if (left <= 0)
        return 0;
    int64_t nap = (ACR_MILLISECOND / 4) << (times < 5 ? times : 5);
    struct timespec ts = {.tv_nsec = (long)(nap < left ? nap : left)};
    (void)nanosleep(&ts, NULL);
    return 1;
}

void acr_sqlite_disconnect(acr_sqlite_db *c)
{
    for (int i = 0; i < ACR_SQL_COUNT; i++) {
        (void)sqlite3_finalize(c->statements[i]);
        c->statements[i] = NULL;
    }
    (void)sqlite3_close(c->db);
    c->db = NULL;
    c->immutable = 0;
    c->wal_tried = 0;
}

int acr_sqlite_is_read_only(const acr_sqlite_db *c)
{
    return c->immutable || sqlite3_db_readonly(c->db, "main") == 1;
}

/* file:PATH?immutable=1, with what means something there escaped. */
static int immutable_name(char *dst, size_t size, const char *path)
{
    static const char digits[] = "0123456789ABCDEF";
    static const char head[] = "file:", tail[] = "?immutable=1";
    size_t at = sizeof head - 1;
    memcpy(dst, head, at);
    for (; *path != '\0'; path++) {
        unsigned char c = (unsigned char)*path;
        if (at + 3 + sizeof tail > size)
            return 0;
        if (c == '%' || c == '?' || c == '#') {
            dst[at++] = '%';
            dst[at++] = digits[c >> 4];
            dst[at++] = digits[c & 15];
        } else {
            dst[at++] = (char)c;
        }
    }
    memcpy(dst + at, tail, sizeof tail);
    return 1;
}

static int open_file(acr_sqlite_db *c, int flags, int immutable, acor_error *err)
{
    char name[3 * PATH_MAX + 32];
    const char *path = c->path;
    flags |= SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
    if (immutable) {
        if (!immutable_name(name, sizeof name, path))
            return acr_fail(err, ACOR_EIO, "%s: the path is too long", path);
        path = name;
        flags |= SQLITE_OPEN_URI;
    }
    int code = sqlite3_open_v2(path, &c->db, flags, NULL);
    if (code != SQLITE_OK) {
        int rc = acr_sqlite_fail(c, code, "opening", err);
        acr_sqlite_disconnect(c);
        return rc;
    }
    c->immutable = immutable;
    c->opened++;
    (void)sqlite3_extended_result_codes(c->db, 1);
    (void)sqlite3_busy_handler(c->db, wait_for_lock, c);
    /* A file from somewhere else gets to run nothing of its own. */
    (void)sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    (void)sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    (void)sqlite3_db_config(c->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return ACOR_OK;
}

/* The one number a query answers, and SQLite's code. */
static int ask(sqlite3 *db, const char *sql, int64_t *n)
{
    sqlite3_stmt *st = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &st, NULL);
    if (code != SQLITE_OK)
        return code;
    code = sqlite3_step(st);
    if (code == SQLITE_ROW) {
        *n = sqlite3_column_int64(st, 0);
        code = SQLITE_OK;
    }
    int end = sqlite3_finalize(st);
    return code == SQLITE_OK || code == SQLITE_DONE ? end : code;
}

/*
 * Whose file it is. *empty: a database without anything in it, which may
 * become ours. *code is SQLite's, for the caller to try another way.
 */
static int identify(acr_sqlite_db *c, int *empty, int *code, acor_error *err)
{
    int64_t application = 0, layout = 0, things = 0;
    *empty = 0;
    *code = ask(c->db, "PRAGMA application_id", &application);
    if (*code == SQLITE_OK)
        *code = ask(c->db, "PRAGMA user_version", &layout);
    if (*code == SQLITE_OK)
        *code = ask(c->db, "SELECT count(*) FROM sqlite_master", &things);
    if (*code != SQLITE_OK)
        return acr_sqlite_fail(c, *code, "reading", err);
    if (application == 0 && things == 0) {
        *empty = 1;
        return ACOR_OK;
    }
    if (application != ACR_SQLITE_APPLICATION)
        return acr_fail(err, ACOR_ESCHEMA, "%s: is a database of another program",
                        c->path);
    if (layout > ACR_SQLITE_LAYOUT)
        return acr_fail(
            err, ACOR_EVERSION,
            "%s: has layout %lld, made by a newer release (this one knows %d)", c->path,
            (long long)layout, ACR_SQLITE_LAYOUT);
    if (layout != ACR_SQLITE_LAYOUT)
        return acr_fail(err, ACOR_ESCHEMA, "%s: has layout %lld, which no release made",
                        c->path, (long long)layout);
    return ACOR_OK;
}

static int run_text(acr_sqlite_db *c, const char *sql, const char *what, acor_error *err)
{
    int code = sqlite3_exec(c->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? ACOR_OK : acr_sqlite_fail(c, code, what, err);
}

static int settle(acr_sqlite_db *c, acr_sync synchronous, acor_error *err)
{
    static const char *const sync[] = {
        [ACR_SYNC_OFF] = SETTINGS "PRAGMA synchronous = 0",
        [ACR_SYNC_NORMAL] = SETTINGS "PRAGMA synchronous = 1",
        [ACR_SYNC_FULL] = SETTINGS "PRAGMA synchronous = 2",
    };
    return run_text(c, sync[synchronous], "preparing", err);
}

/* Open what is there, and close it again if it is not ours or is empty. */
static int open_known(acr_sqlite_db *c, int flags, acr_sync synchronous, acor_error *err)
{
    int empty = 0, code = SQLITE_OK;
    int rc = open_file(c, flags, 0, err);
    if (rc != ACOR_OK)
        return rc;
    rc = identify(c, &empty, &code, NULL);
    int refused = (code & 0xFF) == SQLITE_CANTOPEN || (code & 0xFF) == SQLITE_READONLY;
    if (refused && stands_still(c->path)) {
        acr_sqlite_disconnect(c);
        ACR_TRY(open_file(c, SQLITE_OPEN_READONLY, 1, err));
    }
    if (rc != ACOR_OK)
        rc = identify(c, &empty, &code, err);
    if (rc == ACOR_OK && !empty)
        rc = settle(c, synchronous, err);
    if (rc != ACOR_OK || empty)
        acr_sqlite_disconnect(c);
    return rc;
}

int acr_sqlite_connect(acr_sqlite_db *c, int watching, acr_sync synchronous,
                       acor_error *err)
{
    acr_file_id now = {.size = 0};
    int there;
    int rc = look(c->path, &now, &there, err);
    if (c->db != NULL && there && same_file(&now, &c->file) &&
        (!c->immutable || (same_state(&now, &c->file) && !is_in_motion(c->path))))
        return ACOR_OK;
    acr_sqlite_disconnect(c);
    if (rc != ACOR_OK || !there)
        return rc;
    /* If another file takes its place meanwhile, the next call sees that this
     * is not the one that is open. */
    c->file = now;
    return open_known(c, watching ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE,
                      synchronous, err);
}

/* --- making it ------------------------------------------------------------ */

/* In one transaction of its own, unless somebody else was first. */
static int make_tables(acr_sqlite_db *c, acor_error *err)
{
    int empty = 0, code;
    ACR_TRY(run_text(c, "BEGIN IMMEDIATE", "making it", err));
    int rc = identify(c, &empty, &code, err);
    if (rc == ACOR_OK && empty)
        rc = run_text(c, creation, "making it", err);
    if (rc == ACOR_OK)
        rc = run_text(c, "COMMIT", "making it", err);
    if (rc != ACOR_OK && !sqlite3_get_autocommit(c->db))
        (void)run_text(c, "ROLLBACK", "rolling back", NULL);
    return rc;
}

/*
 * The mode stays with the file. It can be set only while nobody else reads;
 * a file that does not have it yet works too, and the next writer tries again.
 */
static void use_wal(acr_sqlite_db *c)
{
    if (c->wal_tried || acr_sqlite_is_read_only(c))
        return;
    acr_deadline deadline = c->deadline;
    c->deadline = acr_clock_now();
    (void)run_text(c, "PRAGMA journal_mode = WAL", "preparing", NULL);
    c->deadline = deadline;
    c->wal_tried = 1;
}

/* SQLite tells why it could not open the file, not why it could not make it. */
static int open_new(acr_sqlite_db *c, acor_error *err)
{
    int why = folder_refuses(c->path);
    if (why == EACCES || why == EROFS)
        return acr_fail_errno(err, ACOR_EREADONLY, why, "%s: cannot be made", c->path);
    return open_file(c, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, 0, err);
}

int acr_sqlite_create(acr_sqlite_db *c, acr_sync synchronous, acor_error *err)
{
    ACR_TRY(acr_sqlite_connect(c, 0, synchronous, err));
    if (c->db == NULL) {
        ACR_TRY(open_new(c, err));
        int there;
        int rc = settle(c, synchronous, err);
        if (rc == ACOR_OK)
            rc = make_tables(c, err);
        if (rc == ACOR_OK)
            rc = look(c->path, &c->file, &there, err);
        if (rc != ACOR_OK) {
            acr_sqlite_disconnect(c);
            return rc;
        }
    }
    use_wal(c);
    return ACOR_OK;
}
