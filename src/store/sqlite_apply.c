/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing the embedded store: one request, one transaction. Keywords go in by
 * the order of their bytes, so that the index grows at its end or in one sweep;
 * their places say in which order they came. The log is written afterwards, in
 * the order of the request.
 */
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "store/sqlite_store.h"

/* From here on a batch is sorted, and gets a cache it fits into. */
#define SORT_FROM 64
#define BIG_BATCH 10000

typedef struct sort_item {
    uint64_t head; /* the keyword's first bytes, so that most compare as numbers */
    const acr_op *op;
} sort_item;

typedef struct batch {
    acr_sqlite *store;
    const acr_request *request;
    unsigned char *outcomes;
    sort_item *sorted; /* NULL: the request is in order, or small */
    acr_sqlite_row row;
    acr_sqlite_row before;
    int64_t adds;
    int64_t removes;   /* by operations */
    int64_t *drops;    /* rowids that replace_all removes */
    size_t drop_count; /* may be more than are listed: see clear() */
    size_t drop_cap;
} batch;

/* --- order ---------------------------------------------------------------- */

static uint64_t head_of(acr_slice s)
{
    uint64_t head = 0;
    for (size_t i = 0; i < 8; i++)
        head = head << 8 | (i < s.len ? s.data[i] : 0u);
    return head;
}

static int compare_items(const void *pa, const void *pb)
{
    const sort_item *a = pa, *b = pb;
    if (a->head != b->head)
        return a->head < b->head ? -1 : 1;
    return acr_slice_cmp(a->op->keyword, b->op->keyword);
}

static int is_sorted(const acr_request *r)
{
    for (size_t i = 1; i < r->n; i++)
        if (acr_slice_cmp(r->ops[i - 1].keyword, r->ops[i].keyword) > 0)
            return 0;
    return 1;
}

static int sort_request(batch *b, acor_error *err)
{
    const acr_request *r = b->request;
    if (is_sorted(r) || (r->n < SORT_FROM && !r->replace_all))
        return ACOR_OK;
    b->sorted = acr_alloc_array(&b->store->base.mem, r->n, sizeof *b->sorted);
    if (b->sorted == NULL)
        return acr_fail_nomem(err);
    for (size_t i = 0; i < r->n; i++)
        b->sorted[i] = (sort_item){head_of(r->ops[i].keyword), &r->ops[i]};
    qsort(b->sorted, r->n, sizeof *b->sorted, compare_items);
    return ACOR_OK;
}

/* The number in the request of the operation that comes at this turn. */
static size_t at_turn(const batch *b, size_t turn)
{
    return b->sorted ? (size_t)(b->sorted[turn].op - b->request->ops) : turn;
}

/* --- keywords ------------------------------------------------------------- */

/* A rowid: the collection's number and a place, or a change's number, in it. */
static int64_t rowid(const batch *b, int64_t within)
{
    return (b->row.id << ACR_PLACE_BITS) + within;
}

/* Places go by the number in the request; what is there already leaves gaps. */
static int add(batch *b, size_t i, int *done, acor_error *err)
{
    acr_sqlite_db *c = &b->store->conn;
    int rc;
    sqlite3_stmt *st = acr_sqlite_statement(c, ACR_SQL_ADD, &rc, err);
    if (st == NULL)
        return rc;
    (void)sqlite3_bind_int64(st, 1, rowid(b, b->before.place + 1 + (int64_t)i));
    (void)sqlite3_bind_int64(st, 2, b->row.id);
    ACR_TRY(acr_sqlite_bind(c, st, 3, b->request->ops[i].keyword, err));
    ACR_TRY(acr_sqlite_run(c, st, "writing", err));
    *done = sqlite3_changes(c->db) == 1;
    return ACOR_OK;
}

static int take_out(batch *b, size_t i, int *done, acor_error *err)
{
    acr_sqlite_db *c = &b->store->conn;
    int rc;
    sqlite3_stmt *st = acr_sqlite_statement(c, ACR_SQL_REMOVE, &rc, err);
    if (st == NULL)
        return rc;
    (void)sqlite3_bind_int64(st, 1, b->row.id);
    ACR_TRY(acr_sqlite_bind(c, st, 2, b->request->ops[i].keyword, err));
    ACR_TRY(acr_sqlite_run(c, st, "writing", err));
    *done = sqlite3_changes(c->db) == 1;
    return ACOR_OK;
}

static int change_some(batch *b, acor_error *err)
{
    for (size_t turn = 0; turn < b->request->n; turn++) {
        size_t i = at_turn(b, turn);
        int remove = b->request->ops[i].kind == ACR_OP_REMOVE;
        int done = 0;
        ACR_TRY(remove ? take_out(b, i, &done, err) : add(b, i, &done, err));
        b->outcomes[i] = done ? ACR_DONE : ACR_DONE_NOTHING;
        if (remove)
            b->removes += done;
        else
            b->adds += done;
    }
    return ACOR_OK;
}

/* --- the log -------------------------------------------------------------- */

static int64_t total(const batch *b)
{
    return b->adds + b->removes + (int64_t)b->drop_count;
}

static int64_t keywords_after(const batch *b)
{
    return b->before.keywords + b->adds - b->removes - (int64_t)b->drop_count;
}

static int64_t log_limit(const batch *b)
{
    return (int64_t)acr_log_limit((uint64_t)keywords_after(b));
}

static int is_logged(const batch *b)
{
    return total(b) <= log_limit(b);
}

/* The next change's number, and the stamp before it if it is the commit's first. */
static sqlite3_stmt *begin_entry(batch *b, acr_sql which, int *rc, acor_error *err)
{
    sqlite3_stmt *st = acr_sqlite_statement(&b->store->conn, which, rc, err);
    if (st == NULL)
        return NULL;
    int first = b->row.counter == b->before.counter;
    b->row.counter++;
    (void)sqlite3_bind_int64(st, 1, rowid(b, b->row.counter));
    acr_slice stamp = acr_slice_of(b->before.stamp, first ? ACR_STAMP_SIZE : 0);
    if (first)
        *rc = acr_sqlite_bind(&b->store->conn, st, 2, stamp, err);
    else
        (void)sqlite3_bind_null(st, 2);
    return *rc == ACOR_OK ? st : NULL;
}

static int log_operations(batch *b, acor_error *err)
{
    int rc = ACOR_OK;
    for (size_t i = 0; i < b->request->n; i++) {
        if (b->outcomes[i] != ACR_DONE)
            continue;
        sqlite3_stmt *st = begin_entry(b, ACR_SQL_LOG_ADD, &rc, err);
        if (st == NULL)
            return rc;
        (void)sqlite3_bind_int(st, 3, b->request->ops[i].kind == ACR_OP_REMOVE);
        ACR_TRY(acr_sqlite_bind(&b->store->conn, st, 4, b->request->ops[i].keyword, err));
        ACR_TRY(acr_sqlite_run(&b->store->conn, st, "writing", err));
    }
    return ACOR_OK;
}

/* Before they go, as the keywords are taken from where they stand. */
static int log_drops(batch *b, acor_error *err)
{
    int rc = ACOR_OK;
    for (size_t i = 0; i < b->drop_count; i++) {
        sqlite3_stmt *st = begin_entry(b, ACR_SQL_LOG_REMOVED_AT, &rc, err);
        if (st == NULL)
            return rc;
        (void)sqlite3_bind_int64(st, 3, b->drops[i]);
        ACR_TRY(acr_sqlite_run(&b->store->conn, st, "writing", err));
    }
    return ACOR_OK;
}

static int run_range(batch *b, acr_sql which, int64_t last, acor_error *err)
{
    int rc;
    sqlite3_stmt *st = acr_sqlite_statement(&b->store->conn, which, &rc, err);
    if (st == NULL)
        return rc;
    (void)sqlite3_bind_int64(st, 1, rowid(b, 1));
    (void)sqlite3_bind_int64(st, 2, rowid(b, last));
    return acr_sqlite_run(&b->store->conn, st, "writing", err);
}

static int trim_log(batch *b, acor_error *err)
{
    int64_t oldest = is_logged(b) ? b->row.counter - log_limit(b) : b->row.counter;
    return oldest > 0 ? run_range(b, ACR_SQL_LOG_TRIM, oldest, err) : ACOR_OK;
}

/* --- replace all ---------------------------------------------------------- */

static int note_drop(batch *b, int64_t id, acor_error *err)
{
    ACR_TRY(acr_grow(&b->store->base.mem, &b->drops, &b->drop_cap, b->drop_count + 1,
                     sizeof *b->drops, err));
    b->drops[b->drop_count++] = id;
    return ACOR_OK;
}

/* Both in the order of bytes: what stands only here goes, what stands only in
 * the request comes. */
static int merge(batch *b, sqlite3_stmt *st, acor_error *err)
{
    const acr_request *r = b->request;
    size_t turn = 0;
    int64_t rows = 0;
    int code;
    for (size_t i = 0; i < r->n; i++)
        b->outcomes[i] = ACR_DONE;
    while ((code = sqlite3_step(st)) == SQLITE_ROW) {
        acr_slice there = {.data = sqlite3_column_blob(st, 0)};
        there.len = (size_t)sqlite3_column_bytes(st, 0);
        if (there.data == NULL && sqlite3_errcode(b->store->conn.db) == SQLITE_NOMEM)
            return acr_fail_nomem(err);
        int order = 1;
        while (turn < r->n &&
               (order = acr_slice_cmp(r->ops[at_turn(b, turn)].keyword, there)) < 0)
            turn++;
        if (turn < r->n && order == 0)
            b->outcomes[at_turn(b, turn++)] = ACR_DONE_NOTHING;
        else
            ACR_TRY(note_drop(b, sqlite3_column_int64(st, 1), err));
        rows++;
    }
    if (code != SQLITE_DONE)
        return acr_sqlite_fail(&b->store->conn, code, "reading", err);
    if (rows != b->before.keywords)
        return acr_fail(err, ACOR_ECORRUPT,
                        "%s: has %lld keywords where %lld are recorded", b->store->path,
                        (long long)rows, (long long)b->before.keywords);
    for (size_t i = 0; i < r->n; i++)
        b->adds += b->outcomes[i] == ACR_DONE;
    return ACOR_OK;
}

static int drop_all(batch *b, acor_error *err)
{
    int rc = ACOR_OK;
    for (size_t i = 0; rc == ACOR_OK && i < b->drop_count; i++) {
        sqlite3_stmt *st =
            acr_sqlite_statement(&b->store->conn, ACR_SQL_REMOVE_AT, &rc, err);
        if (st == NULL)
            return rc;
        (void)sqlite3_bind_int64(st, 1, b->drops[i]);
        rc = acr_sqlite_run(&b->store->conn, st, "writing", err);
    }
    return rc;
}

static int replace(batch *b, acor_error *err)
{
    /* Emptied, and too many for the log: no list is needed. */
    if (b->request->n == 0 && (uint64_t)b->before.keywords > acr_log_limit(0)) {
        b->drop_count = (size_t)b->before.keywords;
        return run_range(b, ACR_SQL_REMOVE_RANGE, ACR_PLACE_MAX, err);
    }
    int rc;
    sqlite3_stmt *st =
        acr_sqlite_statement(&b->store->conn, ACR_SQL_IN_KEYWORD_ORDER, &rc, err);
    if (st == NULL)
        return rc;
    (void)sqlite3_bind_int64(st, 1, b->row.id);
    rc = merge(b, st, err);
    (void)sqlite3_reset(st);
    ACR_TRY(rc);
    if (is_logged(b))
        ACR_TRY(log_drops(b, err));
    ACR_TRY(drop_all(b, err));
    for (size_t turn = 0; turn < b->request->n; turn++) {
        size_t i = at_turn(b, turn);
        int done = 1;
        if (b->outcomes[i] == ACR_DONE)
            ACR_TRY(add(b, i, &done, err));
        if (!done)
            return acr_fail(err, ACOR_ECORRUPT, "%s: its index is damaged",
                            b->store->path);
    }
    return ACOR_OK;
}

/* --- the transaction ------------------------------------------------------ */

static int new_row(batch *b, acor_error *err)
{
    acr_sqlite *s = b->store;
    int rc;
    sqlite3_stmt *st = acr_sqlite_statement(&s->conn, ACR_SQL_COLLECTION_NEW, &rc, err);
    if (st == NULL)
        return rc;
    ACR_TRY(acr_sqlite_bind(&s->conn, st, 1, acr_slice_of(s->name, s->name_len), err));
    ACR_TRY(acr_sqlite_run(&s->conn, st, "writing", err));
    b->row.id = sqlite3_last_insert_rowid(s->conn.db);
    if (b->row.id > INT64_MAX >> ACR_PLACE_BITS)
        return acr_fail(err, ACOR_ELIMIT, "%s: has all the collections it can hold",
                        s->path);
    return ACOR_OK;
}

static int save_row(batch *b, acor_error *err)
{
    acr_sqlite_db *c = &b->store->conn;
    acr_sqlite_row *row = &b->row;
    row->exists = 1;
    row->keywords = keywords_after(b);
    row->place = b->before.place + (b->adds != 0 ? (int64_t)b->request->n : 0);
    row->counter = b->before.counter + total(b);
    row->mode = acr_mode_to_record(row->mode, b->store->mode);
    ACR_TRY(acr_random(row->stamp, sizeof row->stamp, err));
    int rc;
    sqlite3_stmt *st = acr_sqlite_statement(c, ACR_SQL_COLLECTION_SET, &rc, err);
    if (st == NULL)
        return rc;
    (void)sqlite3_bind_int64(st, 1, row->id);
    (void)sqlite3_bind_int64(st, 2, row->counter);
    ACR_TRY(acr_sqlite_bind(c, st, 3, acr_slice_of(row->stamp, ACR_STAMP_SIZE), err));
    (void)sqlite3_bind_int64(st, 4, row->keywords);
    (void)sqlite3_bind_int64(st, 5, row->place);
    (void)sqlite3_bind_int(st, 6, (int)row->mode);
    return acr_sqlite_run(c, st, "writing", err);
}

static int check_limits(const batch *b, acor_error *err)
{
    int64_t most = ACR_PLACE_MAX - b->before.keywords;
    if ((int64_t)b->request->n > ACR_PLACE_MAX - b->before.place ||
        (int64_t)b->request->n > most ||
        b->before.counter > most - (int64_t)b->request->n)
        return acr_fail(err, ACOR_ELIMIT,
                        "%s: the collection has had all the changes it can",
                        b->store->path);
    return ACOR_OK;
}

static int check_expected(const batch *b, acor_error *err)
{
    acr_token now = acr_sqlite_token(&b->before);
    return acr_request_expects(b->request, &now, b->before.mode, err);
}

/* A newer release may have changed the file since it was opened. */
static int check_layout(acr_sqlite_db *c, acor_error *err)
{
    int rc;
    sqlite3_stmt *st = acr_sqlite_statement(c, ACR_SQL_LAYOUT, &rc, err);
    if (st == NULL)
        return rc;
    int code = sqlite3_step(st);
    int layout = code == SQLITE_ROW ? sqlite3_column_int(st, 0) : 0;
    (void)sqlite3_reset(st);
    if (code != SQLITE_ROW)
        return acr_sqlite_fail(c, code, "reading", err);
    if (layout != ACR_SQLITE_LAYOUT)
        return acr_fail(err, ACOR_EVERSION,
                        "%s: has changed to layout %d (this release knows %d)", c->path,
                        layout, ACR_SQLITE_LAYOUT);
    return ACOR_OK;
}

static int carry_out(batch *b, acor_error *err)
{
    acr_sqlite *s = b->store;
    ACR_TRY(check_layout(&s->conn, err));
    ACR_TRY(acr_sqlite_row_get(s, &b->before, err));
    b->row = b->before;
    ACR_TRY(check_expected(b, err));
    ACR_TRY(check_limits(b, err));
    if (!b->row.exists && b->request->n != 0)
        ACR_TRY(new_row(b, err));
    ACR_TRY(b->request->replace_all ? replace(b, err) : change_some(b, err));
    if (total(b) == 0) {
        /* Nothing to write, so nothing is: the caller rolls back. */
        b->row = b->before;
        return ACOR_OK;
    }
    if (is_logged(b))
        ACR_TRY(log_operations(b, err));
    ACR_TRY(save_row(b, err));
    ACR_TRY(trim_log(b, err));
    return acr_sqlite_do(&s->conn, ACR_SQL_COMMIT, "committing", err);
}

/* 1 if no operation can add anything. */
static int only_removes(const acr_request *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->ops[i].kind != ACR_OP_REMOVE)
            return 0;
    return 1;
}

static void set_cache(acr_sqlite_db *c, int big)
{
    /* In KiB; taken only as far as pages fill it. 2000 is SQLite's own. */
    (void)sqlite3_exec(c->db,
                       big ? "PRAGMA cache_size = -262144" : "PRAGMA cache_size = -2000",
                       NULL, NULL, NULL);
    if (!big)
        (void)sqlite3_db_release_memory(c->db);
}

static int run_batch(batch *b, acor_error *err)
{
    acr_sqlite *s = b->store;
    const acr_request *r = b->request;
    int idle = r->n == 0 && !r->replace_all;
    ACR_TRY(acr_sqlite_connect(&s->conn, 0, s->synchronous, err));
    /* Where there is no file, none is made to find that nothing is in it. */
    if (s->conn.db == NULL && only_removes(r))
        return check_expected(b, err);
    if (!idle) {
        s->base.cost.transactions +=
            s->conn.db == NULL; /* the one that makes the tables */
        ACR_TRY(acr_sqlite_create(&s->conn, s->synchronous, err));
        if (acr_sqlite_is_read_only(&s->conn))
            return acr_fail(err, ACOR_EREADONLY,
                            "%s: the file or its medium is read-only", s->path);
        ACR_TRY(sort_request(b, err));
    }
    int big = r->n >= BIG_BATCH || r->replace_all;
    if (big)
        set_cache(&s->conn, 1);
    int rc = acr_sqlite_begin(s, idle ? ACR_SQL_BEGIN : ACR_SQL_BEGIN_WRITE, err);
    if (rc == ACOR_OK)
        rc = carry_out(b, err);
    acr_sqlite_end(s);
    if (big)
        set_cache(&s->conn, 0);
    return rc;
}

/* After these the connection may be in no state to go on with. */
static int spoils(int status)
{
    return status == ACOR_EIO || status == ACOR_ECORRUPT || status == ACOR_ESCHEMA ||
           status == ACOR_EVERSION || status == ACOR_EINTERNAL;
}

int acr_sqlite_apply(acr_store *store, const acr_request *request,
                     unsigned char *outcomes, acr_apply_result *result,
                     acr_deadline deadline, acor_error *err)
{
    acr_sqlite *s = (acr_sqlite *)store;
    ACR_TRY(acr_request_check(request, s->read_only, err));
    s->conn.deadline = deadline;
    s->conn.writing = 1;
    batch b = {.store = s, .request = request, .outcomes = outcomes};
    for (size_t i = 0; i < request->n; i++)
        outcomes[i] = ACR_DONE_NOTHING;
    int rc = run_batch(&b, err);
    s->conn.writing = 0;
    if (spoils(rc))
        acr_sqlite_disconnect(&s->conn);
    if (rc == ACOR_OK)
        *result = (acr_apply_result){.version = acr_sqlite_token(&b.row),
                                     .predecessor = acr_sqlite_token(&b.before),
                                     .changed = (uint64_t)(b.adds + b.removes),
                                     .removed = b.drop_count,
                                     .announced = 1};
    acr_free(&s->base.mem, b.sorted, request->n * sizeof *b.sorted);
    acr_free(&s->base.mem, b.drops, b.drop_cap * sizeof *b.drops);
    return rc;
}
