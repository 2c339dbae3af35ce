/* SPDX-License-Identifier: Apache-2.0 */
/* What the embedded store promises about its file: whose it is, when it is
 * made, and what is said where it is not as it should be. */
#include "acor_test.h"

#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sqlite_env.h"

static place P;
static acor_error err;

static void setup(void)
{
    place_init(&P);
    err = (acor_error)ACOR_ERROR_INIT;
}

static void teardown(void)
{
    place_free(&P);
}

/* Opening is refused with a status and words, and the file stays as it was. */
static void refused(int status, const char *words)
{
    size_t before, after;
    unsigned char *old = read_whole(P.path, &before);
    acr_store *s;
    int rc = place_try(&P, &s, &err);
    ck_assert_msg(rc == status, "%d: %s", rc, err.message);
    ck_assert_ptr_null(s);
    ck_assert_msg(strstr(err.message, words) != NULL, "%s", err.message);
    ck_assert_msg(strstr(err.message, P.path) != NULL, "%s", err.message);
    unsigned char *now = read_whole(P.path, &after);
    ck_assert_uint_eq(before, after);
    ck_assert_mem_eq(old, now, before);
    free(old);
    free(now);
}

/* --- the file's making ---------------------------------------------------- */

START_TEST(opening_and_reading_make_no_file)
{
    acr_store *s = place_open(&P);
    follower f = {.pieces = 0};
    must_follow(&f, s);
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_UNCHANGED);
    ck_assert_int_eq(must_info(s).exists, 0);
    ck_assert_int_eq(must_remove(s, "nowhere"), 0);
    acr_request clear = {.replace_all = 1};
    acr_apply_result r;
    ck_assert_int_eq(s->ops->apply(s, &clear, NULL, &r, soon(), NULL), ACOR_OK);
    acr_watch *w;
    acr_watch_event event;
    ck_assert_int_eq(s->ops->watch(s, &w, soon(), NULL), ACOR_OK);
    ck_assert_int_eq(s->ops->wait(w, &event, acr_deadline_in_ms(60), NULL), ACOR_OK);
    s->ops->unwatch(w);
    acr_store_close(s);
    ck_assert_int_eq(count_files(&P), 0);
    follower_free(&f);
}
END_TEST

START_TEST(first_write_makes_a_marked_file_in_wal_mode)
{
    acr_store *s = place_open(&P);
    (void)must_add(s, "word");
    ck_assert_int_eq(ask_sql(P.path, "PRAGMA application_id"), 0x41434F52);
    ck_assert_int_eq(ask_sql(P.path, "PRAGMA user_version"), 1);
    ck_assert_int_eq(ask_sql(P.path,
                             "SELECT journal_mode = 'wal' FROM pragma_journal_mode"),
                     1);
    acr_store_close(s);
    /* And nothing is left beside it. */
    ck_assert_int_eq(count_files(&P), 1);
    size_t len;
    unsigned char *data = read_whole(P.path, &len);
    ck_assert_mem_eq(data + 68, "ACOR", 4);
    free(data);
}
END_TEST

START_TEST(reading_leaves_the_file_as_it_is)
{
    acr_store *s = place_open(&P);
    (void)must_add_range(s, "w", 0, 100);
    acr_store_close(s);
    size_t before, after;
    unsigned char *old = read_whole(P.path, &before);
    s = place_open(&P);
    follower f = {.pieces = 0};
    must_follow(&f, s);
    (void)must_info(s);
    (void)must_add(s, "w5"); /* is there */
    (void)must_remove(s, "nowhere");
    acr_store_close(s);
    unsigned char *now = read_whole(P.path, &after);
    ck_assert_uint_eq(before, after);
    ck_assert_mem_eq(old, now, before);
    ck_assert_int_eq(count_files(&P), 1);
    free(old);
    free(now);
    follower_free(&f);
}
END_TEST

START_TEST(batch_that_changes_nothing_commits_nothing)
{
    acr_store *s = place_open(&P);
    (void)must_add(s, "word");
    sqlite3 *db;
    ck_assert_int_eq(sqlite3_open(P.path, &db), SQLITE_OK);
    sqlite3_stmt *st;
    ck_assert_int_eq(sqlite3_prepare_v2(db, "PRAGMA data_version", -1, &st, NULL),
                     SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(st), SQLITE_ROW);
    int before = sqlite3_column_int(st, 0);
    (void)sqlite3_reset(st);
    (void)must_add(s, "word");
    (void)must_remove(s, "nowhere");
    acr_store *other = must_open(P.url, "other", ACR_CASE_FOLDED);
    (void)must_remove(other, "nowhere");
    ck_assert_int_eq(sqlite3_step(st), SQLITE_ROW);
    ck_assert_int_eq(sqlite3_column_int(st, 0), before);
    (void)sqlite3_finalize(st);
    (void)sqlite3_close(db);
    acr_store_close(other);
    acr_store_close(s);
}
END_TEST

START_TEST(empty_file_becomes_ours_with_the_first_write)
{
    write_file(P.path, "", 0);
    acr_store *s = place_open(&P);
    ck_assert_int_eq(must_info(s).exists, 0);
    (void)must_add(s, "word");
    ck_assert_int_eq(ask_sql(P.path, "PRAGMA application_id"), 0x41434F52);
    acr_store_close(s);
}
END_TEST

START_TEST(database_with_nothing_in_it_becomes_ours)
{
    run_sql(P.path, "CREATE TABLE t(x); DROP TABLE t;");
    acr_store *s = place_open(&P);
    ck_assert_int_eq(must_info(s).exists, 0);
    (void)must_add(s, "word");
    ck_assert_uint_eq(must_info(s).keywords, 1);
    acr_store_close(s);
}
END_TEST

START_TEST(relative_path_survives_a_change_of_folder)
{
    char old[1024];
    ck_assert_ptr_nonnull(getcwd(old, sizeof old));
    ck_assert_int_eq(chdir(P.folder), 0);
    acr_store *s = must_open("sqlite:words.db", "words", ACR_CASE_FOLDED);
    ck_assert_int_eq(chdir(old), 0);
    (void)must_add(s, "word");
    acr_store_close(s);
    ck_assert_int_eq(access(P.path, F_OK), 0);
}
END_TEST

/* --- files that are not as they should be --------------------------------- */

START_TEST(file_that_is_no_database_is_left_alone)
{
    char text[5000];
    memset(text, 'x', sizeof text);
    write_file(P.path, text, sizeof text);
    refused(ACOR_ESCHEMA, "not a database");
    write_file(P.path, "short", 5);
    refused(ACOR_ESCHEMA, "not a database");
}
END_TEST

START_TEST(database_of_another_program_is_left_alone)
{
    run_sql(P.path, "CREATE TABLE bookmarks(url)");
    refused(ACOR_ESCHEMA, "another program");
    run_sql(P.path, "DROP TABLE bookmarks; PRAGMA application_id = 252006675");
    refused(ACOR_ESCHEMA, "another program");
}
END_TEST

START_TEST(file_of_ours_without_its_tables_is_refused)
{
    run_sql(P.path, "CREATE TABLE t(x); PRAGMA application_id = 1094930258;"
                    "PRAGMA user_version = 1");
    acr_store *s = place_open(&P);
    acr_store_info info;
    ck_assert_int_eq(s->ops->info(s, &info, soon(), &err), ACOR_ESCHEMA);
    ck_assert_ptr_nonnull(strstr(err.message, "no such table"));
    acr_op op = op_of(ACR_OP_ADD, "word");
    ck_assert_int_eq(apply_ops(s, &op, 1, NULL, NULL, NULL), ACOR_ESCHEMA);
    acr_store_close(s);
    run_sql(P.path, "PRAGMA user_version = 0");
    refused(ACOR_ESCHEMA, "no release made");
}
END_TEST

START_TEST(file_of_a_newer_release_is_refused)
{
    acr_store *s = place_open(&P);
    (void)must_add(s, "word");
    run_sql(P.path, "PRAGMA user_version = 2");
    /* Also where it changed under an open handle. */
    acr_op op = op_of(ACR_OP_ADD, "other");
    ck_assert_int_eq(apply_ops(s, &op, 1, NULL, NULL, &err), ACOR_EVERSION);
    acr_store_close(s);
    refused(ACOR_EVERSION, "newer release");
}
END_TEST

static void make_large_file(void)
{
    acr_store *s = place_open(&P);
    (void)must_add_range(s, "a word that takes room ", 0, 3000);
    acr_store_close(s);
}

START_TEST(truncated_file_is_corrupt)
{
    make_large_file();
    struct stat st;
    ck_assert_int_eq(stat(P.path, &st), 0);
    ck_assert_int_eq(truncate(P.path, st.st_size / 2), 0);
    refused(ACOR_ECORRUPT, "malformed");
}
END_TEST

START_TEST(overwritten_pages_are_corrupt)
{
    make_large_file();
    size_t len;
    unsigned char *data = read_whole(P.path, &len);
    memset(data + 3 * 4096, 0x5A, len - 3 * 4096);
    write_file(P.path, data, len);
    free(data);
    acr_store *s = place_open(&P);
    follower f = {.pieces = 0};
    ck_assert_int_eq(follow(&f, s, &err), ACOR_ECORRUPT);
    ck_assert_ptr_nonnull(strstr(err.message, P.path));
    acr_op op = op_of(ACR_OP_ADD, "other");
    ck_assert_int_eq(apply_ops(s, &op, 1, NULL, NULL, &err), ACOR_ECORRUPT);
    acr_store_close(s);
    follower_free(&f);
}
END_TEST

START_TEST(rows_that_do_not_add_up_are_corrupt)
{
    static const char *const harm[] = {
        "UPDATE collection SET keywords = 2999, place = 2999",
        "UPDATE collection SET stamp = x'00'",
        "UPDATE collection SET mode = 7",
        "UPDATE collection SET counter = -1",
        "UPDATE collection SET place = 1",
        "UPDATE collection SET keywords = 9223372036854775807",
        "UPDATE keyword SET keyword = x'' WHERE id = (SELECT max(id) FROM keyword)",
        "DELETE FROM keyword WHERE id % 100 = 7",
    };
    for (size_t i = 0; i < sizeof harm / sizeof *harm; i++) {
        make_large_file();
        run_sql(P.path, harm[i]);
        acr_store *s = place_open(&P);
        follower f = {.pieces = 0};
        int rc = follow(&f, s, &err);
        ck_assert_msg(rc == ACOR_ECORRUPT, "%s: %d", harm[i], rc);
        follower_free(&f);
        acr_store_close(s);
        ck_assert_int_eq(unlink(P.path), 0);
    }
}
END_TEST

START_TEST(folder_and_pipe_are_named_as_such)
{
    acr_store *s;
    ck_assert_int_eq(mkdir(P.path, 0700), 0);
    ck_assert_int_eq(place_try(&P, &s, &err), ACOR_EIO);
    ck_assert_ptr_nonnull(strstr(err.message, P.path));
    ck_assert_ptr_nonnull(strstr(err.message, "is a folder"));
    ck_assert_int_eq(rmdir(P.path), 0);
    ck_assert_int_eq(mkfifo(P.path, 0600), 0);
    ck_assert_int_eq(place_try(&P, &s, &err), ACOR_EIO);
    ck_assert_ptr_nonnull(strstr(err.message, "not a regular file"));
}
END_TEST

START_TEST(missing_folder_can_be_read_and_not_written)
{
    char url[512];
    (void)snprintf(url, sizeof url, "sqlite:%s/not/there.db", P.folder);
    acr_store *s = must_open(url, "words", ACR_CASE_FOLDED);
    ck_assert_int_eq(must_info(s).exists, 0);
    acr_op op = op_of(ACR_OP_ADD, "word");
    ck_assert_int_eq(apply_ops(s, &op, 1, NULL, NULL, &err), ACOR_EIO);
    ck_assert_ptr_nonnull(strstr(err.message, "/not/there.db"));
    acr_store_close(s);
}
END_TEST

/* --- locks ---------------------------------------------------------------- */

START_TEST(lock_held_by_others_ends_with_the_deadline)
{
    acr_store *s = place_open(&P);
    (void)must_add(s, "word");
    sqlite3 *db;
    ck_assert_int_eq(sqlite3_open(P.path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    acr_op op = op_of(ACR_OP_ADD, "other");
    acr_request request = {.ops = &op, .n = 1};
    unsigned char outcome;
    acr_apply_result r;
    int64_t start = acr_clock_now();
    int rc = s->ops->apply(s, &request, &outcome, &r, acr_deadline_in_ms(200), &err);
    int64_t took = acr_clock_now() - start;
    ck_assert_int_eq(rc, ACOR_ETIMEOUT);
    ck_assert_uint_eq(err.retryable, 1);
    ck_assert_ptr_nonnull(strstr(err.message, P.path));
    ck_assert_int_ge(took, 190 * ACR_MILLISECOND);
    ck_assert_int_lt(took, 2 * ACR_SECOND);
    /* Readers do not wait for writers. */
    ck_assert_uint_eq(must_info(s).keywords, 1);
    ck_assert_int_eq(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(must_add(s, "other"), 1);
    (void)sqlite3_close(db);
    acr_store_close(s);
}
END_TEST

START_TEST(open_does_not_wait_for_a_lock)
{
    acr_store *s = place_open(&P);
    (void)must_add(s, "word");
    acr_store_close(s);
    sqlite3 *db;
    ck_assert_int_eq(sqlite3_open(P.path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db,
                                  "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;"
                                  "DELETE FROM change; COMMIT",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    int64_t start = acr_clock_now();
    s = place_open(&P);
    acr_store_info info;
    ck_assert_int_eq(s->ops->info(s, &info, acr_deadline_in_ms(100), &err),
                     ACOR_ETIMEOUT);
    ck_assert_int_lt(acr_clock_now() - start, 2 * ACR_SECOND);
    (void)sqlite3_close(db);
    ck_assert_uint_eq(must_info(s).keywords, 1);
    acr_store_close(s);
}
END_TEST

START_TEST(open_reader_does_not_keep_writers_out)
{
    acr_store *s = place_open(&P);
    (void)must_add(s, "word");
    sqlite3 *db;
    ck_assert_int_eq(sqlite3_open(P.path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, "BEGIN; SELECT * FROM keyword", NULL, NULL, NULL),
                     SQLITE_OK);
    ck_assert_int_eq(must_add(s, "other"), 1);
    (void)sqlite3_close(db);
    acr_store_close(s);
}
END_TEST

/* --- versions ------------------------------------------------------------- */

START_TEST(recreated_file_has_other_versions)
{
    acr_store *s = place_open(&P);
    acr_token absent = must_info(s).version;
    (void)must_add(s, "a");
    follower f = {.pieces = 0};
    must_follow(&f, s);
    acr_token first = f.version;
    /* Under the open handle: it is not to go on with a file nobody sees. */
    char wal[400], shm[400];
    (void)snprintf(wal, sizeof wal, "%s-wal", P.path);
    (void)snprintf(shm, sizeof shm, "%s-shm", P.path);
    ck_assert_int_eq(unlink(P.path), 0);
    (void)unlink(wal);
    (void)unlink(shm);
    acr_token now = must_info(s).version;
    ck_assert(acr_token_eq(&now, &absent));
    must_follow(&f, s);
    ck_assert_uint_eq(f.words.n, 0);
    (void)must_add(s, "a");
    now = must_info(s).version;
    ck_assert(!acr_token_eq(&now, &first));
    (void)must_add(s, "b");
    f.version = first;
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_WHOLE);
    follower_free(&f);
    acr_store_close(s);
}
END_TEST

START_TEST(restored_file_has_other_versions)
{
    char copy[400];
    (void)snprintf(copy, sizeof copy, "%s/copy.db", P.folder);
    acr_store *s = place_open(&P);
    (void)must_add(s, "a");
    acr_token common = must_info(s).version;
    acr_store_close(s);
    copy_file(P.path, copy);
    s = place_open(&P);
    (void)must_add(s, "lost");
    follower f = {.pieces = 0};
    must_follow(&f, s);
    acr_store_close(s);
    ck_assert_int_eq(rename(copy, P.path), 0);
    s = place_open(&P);
    acr_token now = must_info(s).version;
    ck_assert(acr_token_eq(&now, &common)); /* the same content, and the same name */
    (void)must_add(s, "other");
    now = must_info(s).version;
    ck_assert(!acr_token_eq(&now, &f.version));
    (void)must_add(s, "more");
    /* The lost version has the number of one that is there, not its stamp. */
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_WHOLE);
    ck_assert_uint_eq(f.words.n, 3);
    ck_assert_uint_eq(naive_find(&f.words, acr_slice_str("lost")), 3);
    follower_free(&f);
    acr_store_close(s);
}
END_TEST

START_TEST(watch_sees_a_file_put_in_its_place)
{
    place other;
    place_init(&other);
    acr_store *s = place_open(&other);
    (void)must_add(s, "of the other file");
    acr_store_close(s);
    s = place_open(&P);
    (void)must_add(s, "word");
    acr_watch *w;
    acr_watch_event event;
    ck_assert_int_eq(s->ops->watch(s, &w, soon(), NULL), ACOR_OK);
    ck_assert_int_eq(s->ops->wait(w, &event, acr_deadline_in_ms(20), NULL), ACOR_OK);
    ck_assert_int_eq(event, ACR_WATCH_NOTHING);
    char side[400];
    (void)snprintf(side, sizeof side, "%s-wal", P.path);
    (void)unlink(side);
    (void)snprintf(side, sizeof side, "%s-shm", P.path);
    (void)unlink(side);
    ck_assert_int_eq(rename(other.path, P.path), 0);
    ck_assert_int_eq(s->ops->wait(w, &event, soon(), NULL), ACOR_OK);
    ck_assert_int_eq(event, ACR_WATCH_CHANGED);
    follower f = {.pieces = 0};
    must_follow(&f, s);
    ck_assert_uint_eq(naive_find(&f.words, acr_slice_str("of the other file")), 0);
    follower_free(&f);
    s->ops->unwatch(w);
    acr_store_close(s);
    place_free(&other);
}
END_TEST

START_TEST(watch_waits_for_a_folder_to_come)
{
    char folder[400], url[512];
    (void)snprintf(folder, sizeof folder, "%s/later", P.folder);
    (void)snprintf(url, sizeof url, "sqlite:%s/words.db", folder);
    acr_store *s = must_open(url, "words", ACR_CASE_FOLDED);
    acr_watch *w;
    acr_watch_event event;
    ck_assert_int_eq(s->ops->watch(s, &w, soon(), NULL), ACOR_OK);
    ck_assert_int_eq(s->ops->wait(w, &event, acr_deadline_in_ms(20), NULL), ACOR_OK);
    ck_assert_int_eq(event, ACR_WATCH_NOTHING);
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    (void)must_add(s, "word");
    ck_assert_int_eq(s->ops->wait(w, &event, soon(), NULL), ACOR_OK);
    ck_assert_int_eq(event, ACR_WATCH_CHANGED);
    s->ops->unwatch(w);
    acr_store_close(s);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sqlite");
    TCase *tc = tcase_create("file");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 30);
    tcase_add_test(tc, opening_and_reading_make_no_file);
    tcase_add_test(tc, first_write_makes_a_marked_file_in_wal_mode);
    tcase_add_test(tc, reading_leaves_the_file_as_it_is);
    tcase_add_test(tc, batch_that_changes_nothing_commits_nothing);
    tcase_add_test(tc, empty_file_becomes_ours_with_the_first_write);
    tcase_add_test(tc, database_with_nothing_in_it_becomes_ours);
    tcase_add_test(tc, relative_path_survives_a_change_of_folder);
    tcase_add_test(tc, file_that_is_no_database_is_left_alone);
    tcase_add_test(tc, database_of_another_program_is_left_alone);
    tcase_add_test(tc, file_of_ours_without_its_tables_is_refused);
    tcase_add_test(tc, file_of_a_newer_release_is_refused);
    tcase_add_test(tc, truncated_file_is_corrupt);
    tcase_add_test(tc, overwritten_pages_are_corrupt);
    tcase_add_test(tc, rows_that_do_not_add_up_are_corrupt);
    tcase_add_test(tc, folder_and_pipe_are_named_as_such);
    tcase_add_test(tc, missing_folder_can_be_read_and_not_written);
    tcase_add_test(tc, lock_held_by_others_ends_with_the_deadline);
    tcase_add_test(tc, open_does_not_wait_for_a_lock);
    tcase_add_test(tc, open_reader_does_not_keep_writers_out);
    tcase_add_test(tc, recreated_file_has_other_versions);
    tcase_add_test(tc, restored_file_has_other_versions);
    tcase_add_test(tc, watch_sees_a_file_put_in_its_place);
    tcase_add_test(tc, watch_waits_for_a_folder_to_come);
    suite_add_tcase(suite, tc);
    return acor_test_run(suite);
}
