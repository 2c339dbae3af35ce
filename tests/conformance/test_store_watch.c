/* SPDX-License-Identifier: Apache-2.0 */
/* In every backend: waiting for other people's changes. */
#include "acor_test.h"

#include <pthread.h>
#include <time.h>

#include "store_env.h"

/* --- watching ------------------------------------------------------------- */

static acr_watch *must_watch(acr_store *s)
{
    acor_error err = ACOR_ERROR_INIT;
    acr_watch *w;
    int rc = s->ops->watch(s, &w, soon(), &err);
    ck_assert_msg(rc == ACOR_OK, "%d: %s", rc, err.message);
    return w;
}

static acr_watch_event wait_for(acr_store *s, acr_watch *w, uint32_t ms)
{
    acr_watch_event event = (acr_watch_event)99;
    ck_assert_int_eq(s->ops->wait(w, &event, acr_deadline_in_ms(ms), NULL), ACOR_OK);
    return event;
}

START_TEST(watch_sees_the_changes_of_others_and_its_own)
{
    begin_with(_i);
    acr_store *s = open_words(), *other = open_words();
    acr_watch *w = must_watch(s);
    (void)must_add(other, "first"); /* it creates, too */
    ck_assert_int_eq(wait_for(s, w, 5000), ACR_WATCH_CHANGED);
    for (int i = 0; i < 5; i++) {
        (void)must_add_range(i % 2 ? s : other, "w", i, 1);
        ck_assert_int_eq(wait_for(s, w, 5000), ACR_WATCH_CHANGED);
    }
    s->ops->unwatch(w);
    acr_store_close(s);
    acr_store_close(other);
    env_free(&E);
}
END_TEST

START_TEST(watch_of_what_does_not_change_ends_with_its_deadline)
{
    begin_with(_i);
    acr_store *s = open_words();
    acr_watch *w = must_watch(s);
    ck_assert_int_eq(wait_for(s, w, 0), ACR_WATCH_NOTHING);
    (void)must_add(s, "word");
    ck_assert_int_eq(wait_for(s, w, 5000), ACR_WATCH_CHANGED);
    (void)must_add(s, "word"); /* is there */
    (void)must_info(s);
    int64_t start = acr_clock_now();
    ck_assert_int_eq(wait_for(s, w, 200), ACR_WATCH_NOTHING);
    int64_t took = acr_clock_now() - start;
    ck_assert_int_ge(took, 195 * ACR_MILLISECOND);
    ck_assert_int_lt(took, 2 * ACR_SECOND);
    s->ops->unwatch(w);
    acr_store_close(s);
    env_free(&E);
}
END_TEST

typedef struct late_call {
    acr_store *store;
    acr_watch *watch; /* woken; or NULL: a keyword is added */
} late_call;

static void *call_late(void *arg)
{
    const late_call *l = arg;
    struct timespec ts = {.tv_nsec = 100000000};
    (void)nanosleep(&ts, NULL);
    if (l->watch != NULL)
        l->store->ops->wake(l->watch);
    else
        (void)must_add(l->store, "late");
    return NULL;
}

START_TEST(wait_is_woken_from_another_thread)
{
    begin_with(_i);
    acr_store *s = open_words();
    (void)must_add(s, "word");
    acr_watch *w = must_watch(s);
    pthread_t thread;
    late_call l = {s, w};
    int64_t start = acr_clock_now();
    ck_assert_int_eq(pthread_create(&thread, NULL, call_late, &l), 0);
    ck_assert_int_eq(wait_for(s, w, 30000), ACR_WATCH_NOTHING);
    ck_assert_int_lt(acr_clock_now() - start, 5 * ACR_SECOND);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    /* A wake before the wait counts, once. */
    s->ops->wake(w);
    ck_assert_int_eq(wait_for(s, w, 30000), ACR_WATCH_NOTHING);
    start = acr_clock_now();
    ck_assert_int_eq(wait_for(s, w, 50), ACR_WATCH_NOTHING);
    ck_assert_int_ge(acr_clock_now() - start, 45 * ACR_MILLISECOND);
    s->ops->unwatch(w);
    acr_store_close(s);
    env_free(&E);
}
END_TEST

START_TEST(change_ends_a_wait_soon)
{
    begin_with(_i);
    acr_store *s = open_words(), *other = open_words();
    (void)must_add(s, "word");
    acr_watch *w = must_watch(s);
    pthread_t thread;
    late_call l = {other, NULL};
    int64_t start = acr_clock_now();
    ck_assert_int_eq(pthread_create(&thread, NULL, call_late, &l), 0);
    ck_assert_int_eq(wait_for(s, w, 30000), ACR_WATCH_CHANGED);
    ck_assert_int_lt(acr_clock_now() - start, 900 * ACR_MILLISECOND);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    s->ops->unwatch(w);
    acr_store_close(s);
    acr_store_close(other);
    env_free(&E);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store_watch");
    TCase *tc = tcase_create("every backend");
    tcase_set_timeout(tc, 60);
#define CASE(name) tcase_add_loop_test(tc, name, 0, n_backends)
    CASE(watch_sees_the_changes_of_others_and_its_own);
    CASE(watch_of_what_does_not_change_ends_with_its_deadline);
    CASE(wait_is_woken_from_another_thread);
    CASE(change_ends_a_wait_soon);
#undef CASE
    suite_add_tcase(suite, tc);
    return acor_test_run(suite);
}
