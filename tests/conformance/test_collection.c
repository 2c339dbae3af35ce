/* SPDX-License-Identifier: Apache-2.0 */
/* The collection handle, over each backend of this build: every case runs on
 * each of them. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <acor/acor.h>

#include "acor_test.h"

static char folder[64], url[96];
static acor_collection *first, *second; /* two handles on one dictionary */
static int sqlite_now;

static acor_collection *open_as(const char *name, uint32_t case_mode, uint32_t flags)
{
    acor_open_options o = ACOR_OPEN_OPTIONS_INIT;
    acor_error err = ACOR_ERROR_INIT;
    acor_collection *c;
    o.case_mode = case_mode;
    o.flags = flags;
    if (!sqlite_now)
        o.share = first;
    ck_assert_msg(acor_open(&c, url, name, &o, &err) == ACOR_OK, "%s", err.message);
    return c;
}

static void open_both(void)
{
    first = NULL;
    first = open_as("words", ACOR_CASE_INSENSITIVE, 0);
    second = open_as("words", ACOR_CASE_INSENSITIVE, 0);
}

static void start_mem(void)
{
    sqlite_now = 0;
    strcpy(url, "mem:");
    open_both();
}

#ifdef WITH_SQLITE
static void start_sqlite(void)
{
    sqlite_now = 1;
    strcpy(folder, "/tmp/acor-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(url, sizeof url, "sqlite:%s/a.db", folder);
    open_both();
}
#endif

static void remove_files(void)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < 3; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/a.db%s", folder, ends[i]);
        unlink(path);
    }
}

static void stop(void)
{
    acor_close(second);
    acor_close(first);
    if (sqlite_now) {
        remove_files();
        rmdir(folder);
    }
}

static acor_string str(const char *s)
{
    return (acor_string){s, strlen(s)};
}

static void add(acor_collection *c, const char *word)
{
    int added = 0;
    ck_assert_int_eq(acor_add(c, word, strlen(word), &added, NULL), ACOR_OK);
    ck_assert_int_eq(added, 1);
}

static size_t found(acor_collection *c, const char *text)
{
    acor_match_list *l;
    ck_assert_int_eq(acor_find(c, text, strlen(text), &l, NULL), ACOR_OK);
    size_t n = acor_match_list_count(l);
    acor_match_list_free(l);
    return n;
}

static acor_cost cost(acor_collection *c)
{
    acor_cost k = ACOR_COST_INIT;
    ck_assert_int_eq(acor_cost_get(c, &k), ACOR_OK);
    return k;
}

START_TEST(a_change_through_one_handle_is_seen_by_the_next_read_of_another)
{
    ck_assert_uint_eq(found(second, "ushers"), 0);
    add(first, "he");
    ck_assert_uint_eq(found(second, "ushers"), 1);
    add(second, "she");
    ck_assert_uint_eq(found(first, "ushers"), 2);
    int removed;
    ck_assert_int_eq(acor_remove(first, " HE ", 4, &removed, NULL), ACOR_OK);
    ck_assert_int_eq(removed, 1);
    ck_assert_uint_eq(found(second, "ushers"), 1);
}
END_TEST

START_TEST(an_unchanged_dictionary_is_neither_loaded_nor_compiled_again)
{
    add(first, "he");
    ck_assert_uint_eq(found(second, "he"), 1);
    acor_cost before = cost(second);
    for (int i = 0; i < 5; i++)
        ck_assert_uint_eq(found(second, "he"), 1);
    acor_cost after = cost(second);
    ck_assert_uint_eq(after.loads, before.loads);
    ck_assert_uint_eq(after.builds, before.builds);
    ck_assert_uint_eq(after.transactions, before.transactions + 5);
    ck_assert_uint_eq(after.round_trips, 0);
}
END_TEST

START_TEST(an_own_write_is_kept_without_a_load)
{
    add(first, "he");
    ck_assert_uint_eq(found(first, "he she"), 2);
    acor_cost before = cost(first);
    add(first, "she");
    acor_string now[] = {str("she"), str("it")};
    acor_batch_result r = ACOR_BATCH_RESULT_INIT;
    ck_assert_uint_eq(found(first, "he she"), 3);
    ck_assert_int_eq(acor_replace_all(first, now, 2, 0, NULL, &r, NULL), ACOR_OK);
    ck_assert_uint_eq(r.changed, 1);
    ck_assert_uint_eq(r.skipped, 1);
    ck_assert_uint_eq(r.removed, 1);
    ck_assert_uint_eq(found(first, "he she it"), 2);
    ck_assert_uint_eq(cost(first).loads, before.loads);
}
END_TEST

START_TEST(a_read_without_text_costs_nothing)
{
    acor_match_list *l;
    int hit = 1;
    ck_assert_int_eq(acor_find(first, NULL, 0, &l, NULL), ACOR_OK);
    ck_assert_uint_eq(acor_match_list_count(l), 0);
    acor_match_list_free(l);
    ck_assert_int_eq(acor_contains(first, "", 0, &hit, NULL), ACOR_OK);
    ck_assert_int_eq(hit, 0);
    ck_assert_uint_eq(cost(first).transactions, 0);
}
END_TEST

START_TEST(outcomes_tell_added_repeated_present_and_empty_apart)
{
    acor_string k[] = {str("Foo"), str("foo "), str(" "), str("bar"), str("\xFF")};
    int32_t outcome[5];
    acor_batch_result r = ACOR_BATCH_RESULT_INIT;
    add(first, "bar");
    ck_assert_int_eq(acor_add_many(first, k, 5, ACOR_BATCH_BEST_EFFORT, outcome, &r, NULL),
                     ACOR_OK);
    ck_assert_int_eq(outcome[0], ACOR_OUTCOME_CHANGED);
    ck_assert_int_eq(outcome[1], ACOR_OUTCOME_REPEATED);
    ck_assert_int_eq(outcome[2], ACOR_EEMPTY);
    ck_assert_int_eq(outcome[3], ACOR_OUTCOME_UNCHANGED);
    ck_assert_int_eq(outcome[4], ACOR_OUTCOME_CHANGED);
    ck_assert_uint_eq(r.changed, 2);
    ck_assert_uint_eq(r.skipped, 2);
    ck_assert_uint_eq(r.failed, 1);
    ck_assert_int_eq(acor_remove_many(first, k, 5, ACOR_BATCH_BEST_EFFORT, outcome, &r, NULL),
                     ACOR_OK);
    ck_assert_uint_eq(r.changed, 3);
    ck_assert_uint_eq(found(second, "foo bar \xFE"), 0);
}
END_TEST

START_TEST(a_transactional_batch_with_a_blank_changes_nothing)
{
    acor_string k[] = {str("one"), str("\t"), str("two")};
    acor_error err = ACOR_ERROR_INIT;
    ck_assert_int_eq(acor_add_many(first, k, 3, ACOR_BATCH_TRANSACTIONAL, NULL, NULL, &err),
                     ACOR_EEMPTY);
    ck_assert_str_eq(err.message, "keyword cannot be empty");
    ck_assert_str_eq(err.operation, "add_many");
    ck_assert_uint_eq(found(second, "one two"), 0);
    ck_assert_uint_eq(cost(first).transactions, 0);
}
END_TEST

START_TEST(a_blank_single_keyword_is_no_error)
{
    int n = 1;
    ck_assert_int_eq(acor_add(first, "  ", 2, &n, NULL), ACOR_OK);
    ck_assert_int_eq(n, 0);
    ck_assert_int_eq(acor_remove(first, "", 0, &n, NULL), ACOR_OK);
    ck_assert_int_eq(n, 0);
    ck_assert_int_eq(acor_add(first, NULL, 0, NULL, NULL), ACOR_OK);
}
END_TEST

START_TEST(a_keyword_over_the_limit_is_refused_with_the_limit)
{
    size_t big = (size_t)ACOR_MAX_KEYWORD_BYTES + 1;
    char *k = malloc(big);
    memset(k, 'k', big);
    acor_error err = ACOR_ERROR_INIT;
    ck_assert_int_eq(acor_add(first, k, big, NULL, &err), ACOR_ELIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "16777216"));
    acor_string both[] = {{k, big}, str("fine")};
    int32_t outcome[2];
    ck_assert_int_eq(acor_add_many(first, both, 2, 0, outcome, NULL, NULL), ACOR_OK);
    ck_assert_int_eq(outcome[0], ACOR_ELIMIT);
    ck_assert_int_eq(outcome[1], ACOR_OUTCOME_CHANGED);
    ck_assert_int_eq(acor_add_many(first, both, 2, 1, NULL, NULL, &err), ACOR_ELIMIT);
    free(k);
}
END_TEST

static int gather(void *user, const acor_string *k, size_t n)
{
    char *all = user;
    for (size_t i = 0; i < n; i++) {
        strncat(all, k[i].data, k[i].len);
        strcat(all, ",");
    }
    return 0;
}

static int stop_now(void *user, const acor_string *k, size_t n)
{
    (void)k;
    (void)n;
    ++*(int *)user;
    return 1;
}

START_TEST(an_export_gives_all_keywords_in_stored_order_without_compiling)
{
    static const char *const words[] = {"zeta", "alpha", "mid"};
    char all[64] = "";
    int calls = 0;
    for (size_t i = 0; i < 3; i++)
        add(first, words[i]);
    ck_assert_int_eq(acor_remove(first, "alpha", 5, NULL, NULL), ACOR_OK);
    add(first, "alpha");
    ck_assert_int_eq(acor_export(second, gather, all, NULL), ACOR_OK);
    ck_assert_str_eq(all, "zeta,mid,alpha,");
    ck_assert_int_eq(acor_export(second, stop_now, &calls, NULL), ACOR_STOPPED);
    ck_assert_int_eq(calls, 1);
    ck_assert_uint_eq(cost(second).builds, 0);
}
END_TEST

START_TEST(ids_are_places_in_the_stored_order)
{
    acor_snapshot *s;
    add(first, "zeta");
    add(first, "gone");
    add(first, "alpha");
    ck_assert_int_eq(acor_remove(first, "gone", 4, NULL, NULL), ACOR_OK);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(acor_snapshot_get(i ? second : first, &s, NULL), ACOR_OK);
        ck_assert_uint_eq(acor_snapshot_ids(s), 2);
        ck_assert_str_eq(acor_snapshot_keyword(s, 0).data, "zeta");
        ck_assert_str_eq(acor_snapshot_keyword(s, 1).data, "alpha");
        acor_snapshot_unref(s);
    }
}
END_TEST

START_TEST(a_snapshot_outlives_changes_and_its_handle)
{
    acor_snapshot *s;
    uint64_t n;
    acor_collection *c = open_as("other", ACOR_CASE_INSENSITIVE, 0);
    add(c, "old");
    ck_assert_int_eq(acor_snapshot_get(c, &s, NULL), ACOR_OK);
    ck_assert_int_eq(acor_flush(c, NULL), ACOR_OK);
    add(c, "new");
    acor_close(c);
    ck_assert_int_eq(acor_scan(s, "old new", 7, NULL, NULL, NULL, NULL, &n, NULL), ACOR_OK);
    ck_assert_uint_eq(n, 1);
    ck_assert_str_eq(acor_snapshot_keyword(s, 0).data, "old");
    acor_snapshot_unref(s);
}
END_TEST

START_TEST(the_first_write_records_the_case_mode_and_the_other_mode_is_refused)
{
    acor_error err = ACOR_ERROR_INIT;
    int n;
    acor_collection *exact = open_as("modes", ACOR_CASE_SENSITIVE, 0);
    add(exact, "Hello");
    add(exact, "hello");
    ck_assert_uint_eq(found(exact, "Hello hello HELLO"), 2);
    acor_collection *fold = open_as("modes", ACOR_CASE_INSENSITIVE, 0);
    ck_assert_int_eq(acor_add(fold, "x", 1, &n, &err), ACOR_EMODE);
    ck_assert_int_eq(acor_contains(fold, "x", 1, &n, &err), ACOR_EMODE);
    acor_collection *any = open_as("modes", ACOR_CASE_AS_STORED, 0);
    ck_assert_uint_eq(found(any, "Hello hello HELLO"), 2);
    add(any, "HELLO");
    ck_assert_uint_eq(found(exact, "Hello hello HELLO"), 3);
    acor_info info = ACOR_INFO_INIT;
    ck_assert_int_eq(acor_info_get(any, &info, NULL), ACOR_OK);
    ck_assert_uint_eq(info.case_sensitive, 1);
    acor_close(any);
    acor_close(fold);
    acor_close(exact);
}
END_TEST

START_TEST(an_as_stored_handle_follows_a_mode_recorded_behind_its_back)
{
    acor_collection *any = open_as("late", ACOR_CASE_AS_STORED, 0);
    ck_assert_uint_eq(found(any, "Word"), 0);
    acor_collection *exact = open_as("late", ACOR_CASE_SENSITIVE, 0);
    add(exact, "Word");
    add(any, "Mixed");
    ck_assert_uint_eq(found(any, "Word word Mixed mixed"), 2);
    acor_close(exact);
    acor_close(any);
}
END_TEST

START_TEST(an_as_stored_handle_does_not_fold_what_became_case_sensitive)
{
    /* The dictionary is made anew with the other mode behind the handle's back: in an
     * embedded store by another file, which mem: has no way to do. */
    if (!sqlite_now)
        return;
    acor_collection *any = open_as("again", ACOR_CASE_AS_STORED, 0);
    acor_collection *fold = open_as("again", ACOR_CASE_INSENSITIVE, 0);
    add(fold, "old");
    ck_assert_uint_eq(found(any, "OLD"), 1);
    acor_close(fold);
    remove_files();
    acor_collection *exact = open_as("again", ACOR_CASE_SENSITIVE, 0);
    add(exact, "Zed");
    add(any, "Foo");
    ck_assert_uint_eq(found(exact, "Foo foo FOO"), 1);
    int removed = 0;
    ck_assert_int_eq(acor_remove(any, "Zed", 3, &removed, NULL), ACOR_OK);
    ck_assert_int_eq(removed, 1);
    acor_close(exact);
    acor_close(any);
}
END_TEST

START_TEST(a_call_that_succeeds_leaves_the_error_alone)
{
    acor_error err = ACOR_ERROR_INIT;
    int n;
    err.status = 77;
    strcpy(err.message, "mine");
    ck_assert_int_eq(acor_add(first, "he", 2, &n, &err), ACOR_OK);
    ck_assert_int_eq(acor_contains(first, "he", 2, &n, &err), ACOR_OK);
    ck_assert_int_eq(acor_flush(first, &err), ACOR_OK);
    ck_assert_int_eq(err.status, 77);
    ck_assert_str_eq(err.message, "mine");
}
END_TEST

START_TEST(info_counts_keywords_and_code_point_prefixes)
{
    acor_info info = ACOR_INFO_INIT;
    ck_assert_int_eq(acor_info_get(first, &info, NULL), ACOR_OK);
    ck_assert_uint_eq(info.exists, 0);
    ck_assert_uint_eq(info.keywords, 0);
    ck_assert_uint_eq(info.nodes, 1);
    acor_string k[] = {str("he"), str("her"), str("h\xED\x95\x9C"), str("his")};
    ck_assert_int_eq(acor_add_many(second, k, 4, 0, NULL, NULL, NULL), ACOR_OK);
    ck_assert_int_eq(acor_info_get(first, &info, NULL), ACOR_OK);
    ck_assert_uint_eq(info.exists, 1);
    ck_assert_uint_eq(info.keywords, 4);
    ck_assert_uint_eq(info.nodes, 7);
    ck_assert_uint_eq(info.keyword_bytes, 12);
    ck_assert_str_eq(info.backend, sqlite_now ? "sqlite" : "memory");
    ck_assert_uint_gt(strlen(info.version), 8);
}
END_TEST

START_TEST(a_read_only_handle_reads_and_refuses_every_write)
{
    add(first, "he");
    acor_error err = ACOR_ERROR_INIT;
    acor_string k = str("she");
    acor_collection *c = open_as("words", ACOR_CASE_INSENSITIVE, ACOR_OPEN_READ_ONLY);
    ck_assert_uint_eq(found(c, "he"), 1);
    ck_assert_int_eq(acor_add(c, "she", 3, NULL, &err), ACOR_EREADONLY);
    ck_assert_int_eq(acor_remove_many(c, &k, 1, 0, NULL, NULL, &err), ACOR_EREADONLY);
    ck_assert_int_eq(acor_flush(c, &err), ACOR_EREADONLY);
    ck_assert_str_eq(err.operation, "flush");
    acor_close(c);
}
END_TEST

START_TEST(bad_names_urls_and_options_are_refused_at_open)
{
    acor_error err = ACOR_ERROR_INIT;
    acor_collection *c;
    static char name[ACOR_MAX_NAME_BYTES + 2];
    memset(name, 'n', sizeof name - 1);
    ck_assert_int_eq(acor_open(&c, url, "a:b", NULL, &err), ACOR_EINVAL);
    ck_assert_str_eq(err.message, "collection name must not contain ':'");
    ck_assert_ptr_null(c);
    ck_assert_int_eq(acor_open(&c, url, "", NULL, &err), ACOR_EINVAL);
    ck_assert_int_eq(acor_open(&c, url, "\xFF", NULL, &err), ACOR_EINVAL);
    ck_assert_int_eq(acor_open(&c, url, name, NULL, &err), ACOR_EINVAL);
    ck_assert_ptr_nonnull(strstr(err.message, "512"));
    ck_assert_int_eq(acor_open(&c, "ftp:x", "n", NULL, &err), ACOR_EINVAL);
    ck_assert_ptr_nonnull(strstr(err.message, "ftp"));
    ck_assert_int_eq(acor_open(&c, "rediss://h", "n", NULL, &err), ACOR_EUNSUPPORTED);
    ck_assert_int_eq(acor_open(&c, NULL, "n", NULL, &err), ACOR_EINVAL);
    ck_assert_int_eq(acor_open(NULL, url, "n", NULL, &err), ACOR_EINVAL);
    acor_open_options o = ACOR_OPEN_OPTIONS_INIT;
    o.case_mode = 7;
    ck_assert_int_eq(acor_open(&c, url, "n", &o, &err), ACOR_EINVAL);
    acor_close(NULL);
}
END_TEST

START_TEST(a_set_names_each_keyword_once_by_its_first_match)
{
    acor_match_list *l;
    add(first, "he");
    add(first, "she");
    ck_assert_int_eq(acor_find_set(first, "he she he", 9, &l, NULL), ACOR_OK);
    ck_assert_uint_eq(acor_match_list_count(l), 2);
    const acor_match *m = acor_match_list_items(l);
    const acor_snapshot *s = acor_match_list_snapshot(l);
    ck_assert_str_eq(acor_snapshot_keyword(s, m[0].keyword).data, "he");
    ck_assert_uint_eq(m[0].start, 0);
    ck_assert_str_eq(acor_snapshot_keyword(s, m[1].keyword).data, "she");
    ck_assert_uint_eq(m[1].cp_start, 3);
    acor_match_list_free(l);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("collection");
    static const struct {
        const char *name;
        SFun start;
    } backends[] = {
        {"mem", start_mem},
#ifdef WITH_SQLITE
        {"sqlite", start_sqlite},
#endif
    };
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
        TCase *t = tcase_create(backends[i].name);
        tcase_set_timeout(t, 60);
        tcase_add_checked_fixture(t, backends[i].start, stop);
        tcase_add_test(t, a_change_through_one_handle_is_seen_by_the_next_read_of_another);
        tcase_add_test(t, an_unchanged_dictionary_is_neither_loaded_nor_compiled_again);
        tcase_add_test(t, an_own_write_is_kept_without_a_load);
        tcase_add_test(t, a_read_without_text_costs_nothing);
        tcase_add_test(t, outcomes_tell_added_repeated_present_and_empty_apart);
        tcase_add_test(t, a_transactional_batch_with_a_blank_changes_nothing);
        tcase_add_test(t, a_blank_single_keyword_is_no_error);
        tcase_add_test(t, a_keyword_over_the_limit_is_refused_with_the_limit);
        tcase_add_test(t, an_export_gives_all_keywords_in_stored_order_without_compiling);
        tcase_add_test(t, ids_are_places_in_the_stored_order);
        tcase_add_test(t, a_snapshot_outlives_changes_and_its_handle);
        tcase_add_test(t, the_first_write_records_the_case_mode_and_the_other_mode_is_refused);
        tcase_add_test(t, an_as_stored_handle_follows_a_mode_recorded_behind_its_back);
        tcase_add_test(t, an_as_stored_handle_does_not_fold_what_became_case_sensitive);
        tcase_add_test(t, a_call_that_succeeds_leaves_the_error_alone);
        tcase_add_test(t, info_counts_keywords_and_code_point_prefixes);
        tcase_add_test(t, a_read_only_handle_reads_and_refuses_every_write);
        tcase_add_test(t, bad_names_urls_and_options_are_refused_at_open);
        tcase_add_test(t, a_set_names_each_keyword_once_by_its_first_match);
        suite_add_tcase(suite, t);
    }
    return acor_test_run(suite);
}
