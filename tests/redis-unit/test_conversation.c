/* SPDX-License-Identifier: Apache-2.0 */
/* Whole conversations of the store with a server that plays its part. */
#include "acor_test.h"
#include "count_alloc.h"

#include <signal.h>
#include <stdio.h>

#include "base/thread.h"
#include "fake_redis.h"
#include "store/redis/script.h"

enum { LONG_MS = 5000, SHORT_MS = 80, RULES = 12 };

static count_alloc counter;
static acr_mem mem;
static acor_error err;
static fake_redis *fake;
static acr_store *store;
static char url[128];

static void setup(void)
{
    mem = count_alloc_mem(&counter);
    err = (acor_error)ACOR_ERROR_INIT;
    signal(SIGPIPE, SIG_DFL);
}

static void teardown(void)
{
    acr_store_close(store);
    store = NULL;
    if (fake != NULL)
        fake_stop(fake);
    fake = NULL;
    ck_assert_uint_eq(counter.blocks, 0);
    ck_assert_uint_eq(counter.bytes, 0);
}

/* --- the server's part ------------------------ */

/* Of a collection with "he" and "she"; those of scripts are put in front. */
#define LOOKS                                                                   \
    {"AUTH", "+OK\r\n"}, {"SELECT", "+OK\r\n"},                                 \
        {"HMGET {words}:trie version c:case keywords",                          \
         "*3\r\n$2\r\n42\r\n$-1\r\n$12\r\n[\"he\",\"she\"]\r\n"},               \
        {"HMGET", "*2\r\n$2\r\n42\r\n$-1\r\n"},                                 \
        {"HSTRLEN {words}:trie keywords", ":12\r\n"},                           \
        {"HSTRLEN {words}:trie prefixes", ":28\r\n"}, {"HLEN", ":2\r\n"},       \
        {"EXISTS", ":0\r\n"}, {NULL, NULL}

#define COMMITTED "*6\r\n:1\r\n:3\r\n:18\r\n:34\r\n:1\r\n:0\r\n"

static const fake_step serve[] = {{FAKE_SERVE, 0, NULL}, {0}};
static char commit[64], resolve[64]; /* how calls of the scripts begin */

static void open_at(const char *user)
{
    acr_store_params params = {.name = acr_slice_str("words"), .mem = &mem};
    acr_address a = fake_address(fake);
    if (a.host != NULL)
        snprintf(url, sizeof url, "redis://%s%s:%s", user, a.host, a.port);
    else
        snprintf(url, sizeof url, "redis+unix://%s", a.unix_path);
    ck_assert_int_eq(acr_store_open(&store, url, &params, NULL, &err), ACOR_OK);
}

static void serve_with(const fake_rule *rules)
{
    fake = fake_start(0, serve, rules);
    open_at("");
}

static void name_scripts(void)
{
    snprintf(commit, sizeof commit, "EVALSHA %s", acr_script_commit.digest);
    snprintf(resolve, sizeof resolve, "EVALSHA %s", acr_script_resolve.digest);
}

static int has_heard(const char *words)
{
    char *heard = fake_heard(fake);
    int has = strstr(heard, words) != NULL;
    free(heard);
    return has;
}

/* --- our part ------------------------ */

static int begin(void *user, acr_load_kind kind, acor_error *e)
{
    (void)user;
    (void)kind;
    (void)e;
    return ACOR_OK;
}

static int piece(void *user, const acr_change *changes, size_t n, acor_error *e)
{
    for (size_t i = 0; i < n; i++)
        if (acr_words_add(user, changes[i].keyword, NULL, e) != ACOR_OK)
            return ACOR_ENOMEM;
    return ACOR_OK;
}

static int load(acr_words *words, acr_load_result *result, uint32_t ms)
{
    acr_load_sink sink = {begin, piece, words};
    return store->ops->load(store, NULL, &sink, result, acr_deadline_in_ms(ms), &err);
}

static int add(const char *keyword, acr_apply_result *result, uint32_t ms)
{
    acr_op op = {.keyword = acr_slice_str(keyword), .kind = ACR_OP_ADD};
    acr_request r = {.ops = &op, .n = 1};
    unsigned char outcome;
    *result = (acr_apply_result){0};
    int status =
        store->ops->apply(store, &r, &outcome, result, acr_deadline_in_ms(ms), &err);
    acr_words_unref(result->words);
    return status;
}

/* --- reading ------------------------ */

START_TEST(loading_is_one_round_trip_of_plain_commands)
{
    static const fake_rule rules[] = {LOOKS};
    acr_load_result result;
    serve_with(rules);
    acr_words *words = acr_words_new(&mem);
    ck_assert_int_eq(load(words, &result, LONG_MS), ACOR_OK);
    ck_assert_uint_eq(acr_words_count(words), 2);
    ck_assert_uint_eq(store->cost.round_trips, 1);
    ck_assert_int_eq(result.kind, ACR_LOAD_WHOLE);
    ck_assert_int_eq(has_heard("EVAL"), 0);
    acr_words_unref(words);
}
END_TEST

START_TEST(silent_server_ends_a_load_at_the_deadline)
{
    static const fake_step silent[] = {{FAKE_ACCEPT, 0, NULL}, {FAKE_READ, 5, NULL}, {0}};
    acr_load_result result;
    fake = fake_start(_i, silent, NULL);
    open_at("");
    acr_words *words = acr_words_new(&mem);
    int64_t start = acr_clock_now();
    ck_assert_int_eq(load(words, &result, SHORT_MS), ACOR_ETIMEOUT);
    ck_assert_int_lt((acr_clock_now() - start) / ACR_MILLISECOND, LONG_MS / 2);
    ck_assert_uint_eq(acr_words_count(words), 0);
    acr_words_unref(words);
}
END_TEST

START_TEST(keywords_that_are_no_array_name_the_key_and_the_byte)
{
    static const fake_rule rules[] = {
        {"HMGET", "*3\r\n$2\r\n42\r\n$-1\r\n$9\r\n{not-json\r\n"}, LOOKS};
    acr_load_result result;
    serve_with(rules);
    acr_words *words = acr_words_new(&mem);
    ck_assert_int_eq(load(words, &result, LONG_MS), ACOR_ECORRUPT);
    ck_assert_ptr_nonnull(strstr(err.message, "{words}:trie"));
    ck_assert_ptr_nonnull(strstr(err.message, "at byte 0"));
    acr_words_unref(words);
}
END_TEST

START_TEST(answers_of_another_kind_are_refused)
{
    static const char *const odd[] = {"+OK\r\n", ":1\r\n", "*0\r\n", "$1\r\nx\r\n",
                                      "*1\r\n$1\r\nx\r\n", "$-1\r\n", "*-1\r\n"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        fake_rule rules[] = {{"HMGET", odd[i]}, LOOKS};
        acr_load_result result;
        serve_with(rules);
        acr_words *words = acr_words_new(&mem);
        ck_assert_int_eq(load(words, &result, LONG_MS), ACOR_EPROTOCOL);
        acr_words_unref(words);
        teardown();
    }
}
END_TEST

/* --- writing ------------------------ */

START_TEST(adding_is_a_look_and_a_commit_of_what_was_seen)
{
    fake_rule rules[] = {{commit, COMMITTED}, LOOKS};
    acr_apply_result result;
    name_scripts();
    serve_with(rules);
    ck_assert_int_eq(add("hers", &result, LONG_MS), ACOR_OK);
    ck_assert_uint_eq(result.changed, 1);
    ck_assert_int_eq(result.announced, 1);
    ck_assert_uint_eq(store->cost.round_trips, 2);
    ck_assert(has_heard("{words}:nodes v 42 2 12 28 "));
    ck_assert(has_heard(" acor:invalidate:words words:"));
    ck_assert(has_heard(" a ,\"hers\"] ,\"her\",\"hers\"] "));
}
END_TEST

START_TEST(adding_what_is_there_writes_nothing)
{
    static const fake_rule rules[] = {LOOKS};
    acr_apply_result result;
    serve_with(rules);
    ck_assert_int_eq(add("he", &result, LONG_MS), ACOR_OK);
    ck_assert_uint_eq(result.changed, 0);
    ck_assert_uint_eq(store->cost.round_trips, 1);
    ck_assert_int_eq(has_heard("EVAL"), 0);
}
END_TEST

START_TEST(script_the_server_does_not_know_is_sent_as_text)
{
    static const fake_rule rules[] = {
        {"EVALSHA", "-NOSCRIPT No matching script. Please use EVAL.\r\n"},
        {"EVAL ", COMMITTED}, LOOKS};
    acr_apply_result result;
    serve_with(rules);
    ck_assert_int_eq(add("hers", &result, LONG_MS), ACOR_OK);
    ck_assert_uint_eq(result.changed, 1);
    ck_assert_uint_eq(store->cost.round_trips, 3);
}
END_TEST

START_TEST(lost_commit_that_went_through_is_a_success)
{
    fake_rule rules[] = {{commit, NULL}, {resolve, ":1\r\n"}, LOOKS};
    acr_apply_result result;
    name_scripts();
    serve_with(rules);
    ck_assert_int_eq(add("hers", &result, LONG_MS), ACOR_OK);
    ck_assert_uint_eq(result.changed, 1);
    ck_assert_uint_eq(store->cost.round_trips, 3);
}
END_TEST

START_TEST(lost_commit_nobody_knows_of_has_no_outcome)
{
    fake_rule rules[] = {{commit, NULL}, {resolve, ":0\r\n"}, LOOKS};
    acr_apply_result result;
    name_scripts();
    serve_with(rules);
    ck_assert_int_eq(add("hers", &result, LONG_MS), ACOR_EOUTCOME);
}
END_TEST

START_TEST(lost_commit_that_was_fenced_is_tried_until_the_deadline)
{
    fake_rule rules[] = {{commit, NULL}, {resolve, ":2\r\n"}, LOOKS};
    acr_apply_result result;
    name_scripts();
    serve_with(rules);
    int status = add("hers", &result, 4 * SHORT_MS);
    ck_assert_msg(status == ACOR_ECONFLICT || status == ACOR_ETIMEOUT ||
                      status == ACOR_EOUTCOME,
                  "%d", status);
}
END_TEST

START_TEST(refused_commits_end_as_a_conflict_at_the_deadline)
{
    fake_rule rules[] = {
        {commit, "*6\r\n:0\r\n$2\r\n43\r\n$-1\r\n:2\r\n:28\r\n$12\r\n[\"he\",\"she\"]\r\n"},
        LOOKS};
    acr_apply_result result;
    name_scripts();
    serve_with(rules);
    ck_assert_int_eq(add("hers", &result, 4 * SHORT_MS), ACOR_ECONFLICT);
    ck_assert(has_heard("{words}:nodes v 42 2 12 28 "));
    ck_assert(has_heard("{words}:nodes v 43 2 12 28 "));
}
END_TEST

/* --- watching ------------------------ */

#define SUBSCRIBED "*3\r\n$9\r\nsubscribe\r\n$21\r\nacor:invalidate:words\r\n:1\r\n"

static acr_watch *watch(void)
{
    acr_watch *w = NULL;
    int status = store->ops->watch(store, &w, acr_deadline_in_ms(LONG_MS), &err);
    ck_assert_msg(status == ACOR_OK, "%s", err.message);
    return w;
}

static acr_watch_event wait_for(acr_watch *w, uint32_t ms)
{
    acr_watch_event event;
    int status = store->ops->wait(w, &event, acr_deadline_in_ms(ms), &err);
    ck_assert_msg(status == ACOR_OK, "%d %s", status, err.message);
    return event;
}

START_TEST(message_in_parts_is_heard_over_two_waits)
{
    static const fake_step steps[] = {
        {FAKE_ACCEPT, 0, NULL},
        {FAKE_READ, 1, NULL},
        {FAKE_SEND, 0, SUBSCRIBED},
        {FAKE_SEND, 0, "*3\r\n$7\r\nmessage\r\n$21\r\nacor:inval"},
        {FAKE_WAIT, 200, NULL},
        {FAKE_SEND, 0, "idate:words\r\n$5\r\nhello\r\n"},
        {0}};
    fake = fake_start(_i, steps, NULL);
    open_at("");
    acr_watch *w = watch();
    ck_assert_int_eq(wait_for(w, SHORT_MS), ACR_WATCH_NOTHING);
    ck_assert_int_eq(wait_for(w, LONG_MS), ACR_WATCH_CHANGED);
    ck_assert_uint_eq(store->cost.round_trips, 0);
    store->ops->unwatch(w);
}
END_TEST

START_TEST(link_that_breaks_is_told_and_comes_back)
{
    static const fake_step steps[] = {
        {FAKE_ACCEPT, 0, NULL},     {FAKE_READ, 1, NULL},
        {FAKE_SEND, 0, SUBSCRIBED}, {FAKE_SEND, 0, "*3\r\n$7\r\nmess"},
        {FAKE_CLOSE, 0, NULL},      {FAKE_ACCEPT, 0, NULL},
        {FAKE_READ, 1, NULL},       {FAKE_DRIP, 0, SUBSCRIBED},
        {0}};
    fake = fake_start(_i, steps, NULL);
    open_at("");
    acr_watch *w = watch();
    ck_assert_int_eq(wait_for(w, LONG_MS), ACR_WATCH_LOST);
    ck_assert_int_eq(wait_for(w, LONG_MS), ACR_WATCH_BACK);
    ck_assert_int_eq(wait_for(w, SHORT_MS), ACR_WATCH_NOTHING);
    store->ops->unwatch(w);
}
END_TEST

static void *wake_soon(void *arg)
{
    acr_clock_sleep_ms(40);
    store->ops->wake(arg);
    return NULL;
}

START_TEST(wake_ends_a_wait_with_nothing)
{
    static const fake_step steps[] = {
        {FAKE_ACCEPT, 0, NULL}, {FAKE_READ, 1, NULL}, {FAKE_SEND, 0, SUBSCRIBED}, {0}};
    acr_thread other;
    fake = fake_start(_i, steps, NULL);
    open_at("");
    acr_watch *w = watch();
    int64_t start = acr_clock_now();
    ck_assert_int_eq(acr_thread_start(&other, wake_soon, w, NULL), ACOR_OK);
    ck_assert_int_eq(wait_for(w, LONG_MS), ACR_WATCH_NOTHING);
    ck_assert_int_lt((acr_clock_now() - start) / ACR_MILLISECOND, LONG_MS / 2);
    acr_thread_join(&other);
    store->ops->unwatch(w);
}
END_TEST

START_TEST(wake_ends_a_wait_that_is_logging_in_again)
{
    static const fake_step steps[] = {
        {FAKE_ACCEPT, 0, NULL},     {FAKE_READ, 1, NULL},
        {FAKE_SEND, 0, "+OK\r\n"},  {FAKE_READ, 1, NULL},
        {FAKE_SEND, 0, SUBSCRIBED}, {FAKE_CLOSE, 0, NULL},
        {FAKE_ACCEPT, 0, NULL},     {FAKE_READ, 1, NULL}, /* AUTH, never answered */
        {0}};
    acr_thread other;
    fake = fake_start(0, steps, NULL);
    open_at("u:secret@");
    acr_watch *w = watch();
    ck_assert_int_eq(wait_for(w, LONG_MS), ACR_WATCH_LOST);
    int64_t start = acr_clock_now();
    ck_assert_int_eq(acr_thread_start(&other, wake_soon, w, NULL), ACOR_OK);
    ck_assert_int_eq(wait_for(w, LONG_MS), ACR_WATCH_NOTHING);
    ck_assert_int_lt((acr_clock_now() - start) / ACR_MILLISECOND, LONG_MS / 2);
    acr_thread_join(&other);
    store->ops->unwatch(w);
}
END_TEST

/* --- memory ------------------------ */

/* Open, load, add: the first failure, and which part it was. */
static int converse(acr_words *words, int *part)
{
    acr_store_params params = {.name = acr_slice_str("words"), .mem = &mem};
    acr_load_result loaded;
    acr_apply_result applied;
    *part = 0;
    int status = acr_store_open(&store, url, &params, NULL, &err);
    if (status != ACOR_OK)
        return status;
    *part = 1;
    status = load(words, &loaded, LONG_MS);
    if (status != ACOR_OK)
        return status;
    *part = 2;
    return add("hers", &applied, LONG_MS);
}

static void lend_and_check(size_t n, int *failed)
{
    int part, status;
    acr_load_result loaded;
    acr_apply_result applied;
    count_alloc own;
    acr_mem apart = count_alloc_mem(&own); /* the caller's words do not count */
    acr_words *words = acr_words_new(&apart);
    err = (acor_error)ACOR_ERROR_INIT;
    count_alloc_fail(&counter, n);
    status = converse(words, &part);
    *failed = counter.asked > n;
    count_alloc_fail(&counter, SIZE_MAX);
    /* A commit that is done stays done, whether its answer could be kept or not. */
    if (status != ACOR_ENOMEM && (status != ACOR_OK || (*failed && part != 2)))
        ck_abort_msg("request %zu: status %d in part %d: %s", n, status, part, err.message);
    if (!*failed && status != ACOR_OK)
        ck_abort_msg("fails without a reason");
    if (store != NULL &&
        (load(words, &loaded, LONG_MS) != ACOR_OK ||
         add("hers", &applied, LONG_MS) != ACOR_OK))
        ck_abort_msg("request %zu: of no use afterwards: %s", n, err.message);
    acr_store_close(store);
    store = NULL;
    acr_words_unref(words);
    if (counter.blocks != 0)
        ck_abort_msg("request %zu: memory is left", n);
}

START_TEST(no_memory_is_said_and_the_store_usable_afterwards)
{
    fake_rule rules[] = {{commit, COMMITTED}, {resolve, ":1\r\n"}, LOOKS};
    int failed = 1;
    name_scripts();
    fake = fake_start(1, serve, rules);
    snprintf(url, sizeof url, "redis+unix://%s?db=3", fake_address(fake).unix_path);
    for (size_t n = 0; failed; n++)
        lend_and_check(n, &failed);
}
END_TEST

START_TEST(no_memory_while_watching_is_said_and_nothing_is_left)
{
    static const fake_rule rules[] = {
        {"SUBSCRIBE", SUBSCRIBED "*3\r\n$7\r\nmessage\r\n$21\r\nacor:invalidate:words\r\n"
                                 "$5\r\nhello\r\n"},
        {NULL, NULL}};
    int failed = 1;
    fake = fake_start(1, serve, rules);
    open_at("");
    for (size_t n = 0; failed; n++) {
        acr_watch *w = NULL;
        acr_watch_event event = ACR_WATCH_NOTHING;
        size_t before = counter.bytes;
        count_alloc_fail(&counter, n);
        int status = store->ops->watch(store, &w, acr_deadline_in_ms(LONG_MS), &err);
        if (status == ACOR_OK)
            status = store->ops->wait(w, &event, acr_deadline_in_ms(LONG_MS), &err);
        failed = counter.asked > n;
        count_alloc_fail(&counter, SIZE_MAX);
        ck_assert_int_eq(status, failed ? ACOR_ENOMEM : ACOR_OK);
        if (!failed)
            ck_assert_int_eq(event, ACR_WATCH_CHANGED);
        if (w != NULL && failed) {
            ck_assert_int_eq(wait_for(w, LONG_MS), ACR_WATCH_LOST);
            ck_assert_int_eq(wait_for(w, LONG_MS), ACR_WATCH_BACK);
        }
        store->ops->unwatch(w);
        ck_assert_uint_eq(counter.bytes, before);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("redis conversation");
    TCase *c = tcase_create("conversation");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 30);
    tcase_add_test(c, loading_is_one_round_trip_of_plain_commands);
    tcase_add_loop_test(c, silent_server_ends_a_load_at_the_deadline, 0, 2);
    tcase_add_test(c, keywords_that_are_no_array_name_the_key_and_the_byte);
    tcase_add_test(c, answers_of_another_kind_are_refused);
    tcase_add_test(c, adding_is_a_look_and_a_commit_of_what_was_seen);
    tcase_add_test(c, adding_what_is_there_writes_nothing);
    tcase_add_test(c, script_the_server_does_not_know_is_sent_as_text);
    tcase_add_test(c, lost_commit_that_went_through_is_a_success);
    tcase_add_test(c, lost_commit_nobody_knows_of_has_no_outcome);
    tcase_add_test(c, lost_commit_that_was_fenced_is_tried_until_the_deadline);
    tcase_add_test(c, refused_commits_end_as_a_conflict_at_the_deadline);
    tcase_add_loop_test(c, message_in_parts_is_heard_over_two_waits, 0, 2);
    tcase_add_loop_test(c, link_that_breaks_is_told_and_comes_back, 0, 2);
    tcase_add_loop_test(c, wake_ends_a_wait_with_nothing, 0, 2);
    tcase_add_test(c, wake_ends_a_wait_that_is_logging_in_again);
    tcase_add_test(c, no_memory_is_said_and_the_store_usable_afterwards);
    tcase_add_test(c, no_memory_while_watching_is_said_and_nothing_is_left);
    suite_add_tcase(suite, c);
    return acor_test_run(suite);
}
