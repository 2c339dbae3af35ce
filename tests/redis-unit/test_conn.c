/* SPDX-License-Identifier: Apache-2.0 */
/* One connection: logging in, exchanging, counting, and what becomes of it. */
#include "acor_test.h"

#include <signal.h>
#include <stdio.h>

#include "base/thread.h"
#include "fake_redis.h"
#include "store/redis/conn.h"

enum { LONG_MS = 5000, SHORT_MS = 80 };

#define ACCEPT {FAKE_ACCEPT, 0, NULL}
#define READ(n) {FAKE_READ, n, NULL}
#define SEND(text) {FAKE_SEND, 0, text}
#define DRIP(text) {FAKE_DRIP, 0, text}
#define CLOSE {FAKE_CLOSE, 0, NULL}
#define WAIT(ms) {FAKE_WAIT, ms, NULL}
#define END {FAKE_END, 0, NULL}

static acr_mem mem;
static acr_redis_config config;
static acr_conn conn;
static acr_arena arena;
static acr_reply *replies[8];
static acor_error err;
static int sent;
static fake_redis *fake;

static void setup(void)
{
    ck_assert_int_eq(acr_mem_init(&mem, NULL, NULL), ACOR_OK);
    config = (acr_redis_config){.connect_ms = LONG_MS};
    acr_conn_init(&conn, &mem, &config);
    acr_arena_init(&arena, &mem);
    err = (acor_error)ACOR_ERROR_INIT;
    signal(SIGPIPE, SIG_DFL);
}

static void teardown(void)
{
    acr_conn_drop(&conn);
    acr_transport_free(&conn.transport);
    acr_arena_free(&arena);
    if (fake != NULL)
        fake_stop(fake);
    fake = NULL;
}

static void play(int unix_socket, const fake_step *steps)
{
    fake = fake_start(unix_socket, steps, NULL);
    config.address = fake_address(fake);
}

/* Up to three commands of one word each, in one exchange. */
static int say(const char *a, const char *b, const char *c, uint32_t ms)
{
    acr_slice words[3] = {acr_slice_str(a), acr_slice_str(b ? b : ""),
                          acr_slice_str(c ? c : "")};
    acr_command commands[3] = {{&words[0], 1}, {&words[1], 1}, {&words[2], 1}};
    size_t n = 1u + (b != NULL) + (c != NULL);
    return acr_conn_exchange(&conn, commands, n, &arena, replies, &sent,
                             acr_deadline_in_ms(ms), &err);
}

static void says(const char *a)
{
    int status = say(a, NULL, NULL, LONG_MS);
    ck_assert_msg(status == ACOR_OK, "%s: %s", a, err.message);
}

static void heard(const char *want)
{
    char *got = fake_heard(fake);
    ck_assert_str_eq(got, want);
    free(got);
}

static int is(const acr_reply *r, acr_reply_kind kind, const char *text)
{
    return r->kind == kind && acr_slice_eq(r->text, acr_slice_str(text));
}

/* --- exchanging ------------------------------------------------------------------ */

START_TEST(several_commands_are_one_round_trip)
{
    static const fake_step steps[] = {ACCEPT, READ(3), SEND("+A\r\n:2\r\n$1\r\nc\r\n"), END};
    play(_i, steps);
    ck_assert_int_eq(say("A", "B", "C", LONG_MS), ACOR_OK);
    ck_assert(is(replies[0], ACR_REPLY_STATUS, "A"));
    ck_assert_int_eq(replies[1]->integer, 2);
    ck_assert(is(replies[2], ACR_REPLY_STRING, "c"));
    ck_assert_uint_eq(conn.round_trips, 1);
    ck_assert_uint_eq(conn.handshakes, 0);
    ck_assert_int_eq(sent, 1);
    ck_assert_uint_eq(conn.bytes_in, 4 + 4 + 7);
    heard("(connection)\nA\nB\nC\n");
}
END_TEST

START_TEST(torn_replies_are_put_together)
{
    static const fake_step steps[] = {
        ACCEPT, READ(2), DRIP("*2\r\n$3\r\nabc\r\n*1\r\n:7\r\n"), WAIT(20), DRIP("+OK\r\n"), END};
    play(_i, steps);
    ck_assert_int_eq(say("A", "B", NULL, LONG_MS), ACOR_OK);
    ck_assert(is(&replies[0]->items[0], ACR_REPLY_STRING, "abc"));
    ck_assert_int_eq(replies[0]->items[1].items[0].integer, 7);
    ck_assert(is(replies[1], ACR_REPLY_STATUS, "OK"));
    ck_assert_uint_eq(conn.round_trips, 1);
}
END_TEST

START_TEST(error_reply_is_no_failure_of_the_exchange)
{
    static const fake_step steps[] = {ACCEPT, READ(2), SEND("-ERR x\r\n:1\r\n"), END};
    play(_i, steps);
    ck_assert_int_eq(say("A", "B", NULL, LONG_MS), ACOR_OK);
    ck_assert_int_eq(acr_reply_check(replies[0], "A", &err), ACOR_EREPLY);
    ck_assert_str_eq(err.message, "A: the server says: ERR x");
    ck_assert_ptr_nonnull(conn.reader);
}
END_TEST

START_TEST(connection_is_kept_between_exchanges)
{
    static const fake_step steps[] = {ACCEPT, READ(1), SEND("+1\r\n"), READ(1), SEND("+2\r\n"),
                                      END};
    play(_i, steps);
    says("A");
    says("B");
    ck_assert(is(replies[0], ACR_REPLY_STATUS, "2"));
    ck_assert_uint_eq(conn.round_trips, 2);
    heard("(connection)\nA\nB\n");
}
END_TEST

/* --- what breaks ------------------------------------------------------------------- */

START_TEST(black_hole_ends_at_the_deadline)
{
    static const fake_step steps[] = {ACCEPT, READ(1), ACCEPT, READ(1), SEND("+2\r\n"), END};
    play(_i, steps);
    int64_t start = acr_clock_now();
    ck_assert_int_eq(say("A", NULL, NULL, SHORT_MS), ACOR_ETIMEOUT);
    int64_t ms = (acr_clock_now() - start) / ACR_MILLISECOND;
    ck_assert(ms >= SHORT_MS - 2 && ms < LONG_MS / 2);
    ck_assert_int_eq(sent, 1);
    /* A late reply must not be taken for the next one's. */
    ck_assert_ptr_null(conn.reader);
    says("B");
    ck_assert(is(replies[0], ACR_REPLY_STATUS, "2"));
    ck_assert_uint_eq(conn.round_trips, 2);
}
END_TEST

START_TEST(closing_in_the_middle_of_a_reply_is_no_reply)
{
    static const fake_step steps[] = {ACCEPT, READ(1), SEND("$10\r\nhalf"), CLOSE, END};
    play(_i, steps);
    ck_assert_int_eq(say("A", NULL, NULL, LONG_MS), ACOR_ECONNECT);
    ck_assert_int_eq(sent, 1);
    ck_assert_ptr_null(conn.reader);
    ck_assert_uint_eq(conn.round_trips, 1);
}
END_TEST

START_TEST(closing_between_replies_is_a_failure_of_the_exchange)
{
    static const fake_step steps[] = {ACCEPT, READ(2), SEND("+1\r\n"), CLOSE, END};
    play(_i, steps);
    ck_assert_int_eq(say("A", "B", NULL, LONG_MS), ACOR_ECONNECT);
    ck_assert_int_eq(sent, 1);
}
END_TEST

START_TEST(garbage_drops_the_connection)
{
    static const fake_step steps[] = {ACCEPT, READ(1), SEND("HTTP/1.0 400 no\r\n\r\n"), END};
    play(_i, steps);
    ck_assert_int_eq(say("A", NULL, NULL, LONG_MS), ACOR_EPROTOCOL);
    ck_assert_ptr_null(conn.reader);
}
END_TEST

START_TEST(what_could_not_connect_was_not_sent)
{
    sent = 1;
    config.address = (acr_address){.unix_path = "/tmp/acor-no-such-folder/s"};
    ck_assert_int_eq(say("A", NULL, NULL, LONG_MS), ACOR_ECONNECT);
    ck_assert_int_eq(sent, 0);
    ck_assert_uint_eq(conn.round_trips, 0);
}
END_TEST

START_TEST(idle_connection_that_was_closed_is_replaced_before_sending)
{
    static const fake_step steps[] = {ACCEPT, READ(1), SEND("+1\r\n"), CLOSE,
                                      ACCEPT, READ(1), SEND("+2\r\n"), END};
    play(_i, steps);
    says("A");
    acr_clock_sleep_ms(30);
    says("B");
    ck_assert(is(replies[0], ACR_REPLY_STATUS, "2"));
    ck_assert_uint_eq(conn.round_trips, 2);
    heard("(connection)\nA\n(connection)\nB\n");
}
END_TEST

/* What nobody asked for, together with a reply or later, is no reply to the next. */
START_TEST(answers_nobody_asked_for_are_not_taken_for_the_next)
{
    static const fake_step at_once[] = {ACCEPT, READ(1), SEND("+1\r\n+stray\r\n"),
                                        ACCEPT, READ(1), SEND("+2\r\n"), END};
    static const fake_step later[] = {ACCEPT, READ(1), SEND("+1\r\n"), WAIT(20),
                                      SEND("+stray\r\n"), ACCEPT, READ(1), SEND("+2\r\n"), END};
    play(0, _i ? later : at_once);
    says("A");
    acr_clock_sleep_ms(50);
    says("B");
    ck_assert(is(replies[0], ACR_REPLY_STATUS, "2"));
}
END_TEST

/* --- logging in ---------------------------------------------------------------------- */

START_TEST(login_and_database_are_one_pipeline)
{
    static const fake_step steps[] = {ACCEPT, READ(2), SEND("+OK\r\n+OK\r\n"), READ(1),
                                      SEND("+1\r\n"), END};
    config.user = "reader";
    config.password = "p@ss word";
    config.db = 3;
    play(_i, steps);
    says("A");
    ck_assert_uint_eq(conn.handshakes, 1);
    ck_assert_uint_eq(conn.round_trips, 1);
    heard("(connection)\nAUTH reader p@ss word\nSELECT 3\nA\n");
}
END_TEST

START_TEST(password_alone_is_the_default_users)
{
    static const fake_step steps[] = {ACCEPT, READ(1), SEND("+OK\r\n"), READ(1), SEND("+1\r\n"),
                                      END};
    config.password = "secret";
    play(_i, steps);
    says("A");
    heard("(connection)\nAUTH secret\nA\n");
}
END_TEST

START_TEST(wrong_password_is_said_without_showing_it)
{
    static const char *const texts[] = {"-WRONGPASS invalid username-password pair\r\n",
                                        "-ERR invalid password\r\n"};
    fake_step steps[] = {ACCEPT, READ(2), SEND(texts[_i]), SEND("-NOAUTH x\r\n"), END};
    config.password = "secret";
    config.db = 1;
    play(0, steps);
    ck_assert_int_eq(say("A", NULL, NULL, LONG_MS), ACOR_EAUTH);
    ck_assert_ptr_null(strstr(err.message, "secret"));
    ck_assert_ptr_nonnull(strstr(err.message, _i ? "invalid password" : "WRONGPASS"));
    ck_assert_int_eq(sent, 0);
    ck_assert_ptr_null(conn.reader);
    ck_assert_uint_eq(conn.round_trips, 0);
    heard("(connection)\nAUTH secret\nSELECT 1\n");
}
END_TEST

START_TEST(database_that_is_not_there_is_said)
{
    static const fake_step steps[] = {ACCEPT, READ(1), SEND("-ERR DB index is out of range\r\n"),
                                      END};
    config.db = 99;
    play(0, steps);
    ck_assert_int_eq(say("A", NULL, NULL, LONG_MS), ACOR_EREPLY);
    ck_assert_ptr_nonnull(strstr(err.message, "SELECT"));
    ck_assert_ptr_null(conn.reader);
}
END_TEST

START_TEST(silence_at_login_ends_at_the_deadline)
{
    static const fake_step steps[] = {ACCEPT, READ(1), END};
    config.password = "secret";
    play(_i, steps);
    ck_assert_int_eq(say("A", NULL, NULL, SHORT_MS), ACOR_ETIMEOUT);
    ck_assert_int_eq(sent, 0);
    heard("(connection)\nAUTH secret\n");
}
END_TEST

START_TEST(each_connection_logs_in_anew)
{
    static const fake_step steps[] = {ACCEPT, READ(1), SEND("+OK\r\n"), READ(1), SEND("+1\r\n"),
                                      CLOSE, ACCEPT, READ(1), SEND("+OK\r\n"), READ(1),
                                      SEND("+2\r\n"), END};
    config.password = "secret";
    play(0, steps);
    says("A");
    acr_clock_sleep_ms(30);
    says("B");
    ck_assert_uint_eq(conn.handshakes, 2);
    ck_assert_uint_eq(conn.round_trips, 2);
}
END_TEST

/* --- errors of the server --------------------------------------------------------------- */

START_TEST(errors_have_the_status_they_mean)
{
    static const struct {
        const char *text;
        int status;
    } errors[] = {{"NOAUTH Authentication required.", ACOR_EAUTH},
                  {"WRONGPASS x", ACOR_EAUTH},
                  {"NOPERM this user has no permissions", ACOR_EAUTH},
                  {"LOADING Redis is loading", ACOR_EUNAVAILABLE},
                  {"BUSY Redis is busy", ACOR_EUNAVAILABLE},
                  {"MASTERDOWN x", ACOR_EUNAVAILABLE},
                  {"CLUSTERDOWN x", ACOR_EUNAVAILABLE},
                  {"TRYAGAIN x", ACOR_EUNAVAILABLE},
                  {"MISCONF x", ACOR_EUNAVAILABLE},
                  {"READONLY x", ACOR_EREADONLY},
                  {"OOM command not allowed", ACOR_ENOSPC},
                  {"WRONGTYPE Operation against", ACOR_ESCHEMA},
                  {"ERR unknown command", ACOR_EREPLY},
                  {"BUSYKEY x", ACOR_EREPLY},
                  {"", ACOR_EREPLY}};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        acr_reply r = {.kind = ACR_REPLY_ERROR, .text = acr_slice_str(errors[i].text)};
        int status = acr_reply_check(&r, "key x", &err);
        ck_assert_msg(status == errors[i].status, "%s: %d", errors[i].text, status);
        ck_assert_ptr_nonnull(strstr(err.message, "key x"));
        ck_assert_ptr_nonnull(strstr(err.message, errors[i].text));
    }
}
END_TEST

START_TEST(another_kind_than_expected_is_against_the_protocol)
{
    acr_reply r = {.kind = ACR_REPLY_INTEGER};
    ck_assert_int_eq(acr_reply_expect(&r, ACR_REPLY_INTEGER, "x", &err), ACOR_OK);
    ck_assert_int_eq(acr_reply_expect(&r, ACR_REPLY_ARRAY, "x", &err), ACOR_EPROTOCOL);
    r.kind = ACR_REPLY_NIL;
    ck_assert_int_eq(acr_reply_expect(&r, ACR_REPLY_ARRAY, "x", &err), ACOR_OK);
}
END_TEST

/* --- listening --------------------------------------------------------------------------- */

static int post(const char *word)
{
    acr_slice arg = acr_slice_str(word);
    acr_command command = {&arg, 1};
    return acr_conn_post(&conn, &command, acr_deadline_in_ms(LONG_MS), &err);
}

static int listen_for(acr_reply **r, uint32_t ms)
{
    return acr_conn_listen(&conn, &arena, r, acr_deadline_in_ms(ms), &err);
}

START_TEST(listening_goes_on_after_a_timeout_in_a_torn_message)
{
    static const fake_step steps[] = {ACCEPT, READ(1), SEND("*2\r\n$7\r\nmess"), WAIT(150),
                                      SEND("age\r\n:5\r\n"), END};
    acr_reply *r;
    play(_i, steps);
    ck_assert_int_eq(post("SUBSCRIBE"), ACOR_OK);
    ck_assert_int_eq(listen_for(&r, 50), ACOR_ETIMEOUT);
    ck_assert_ptr_null(r);
    ck_assert_int_eq(listen_for(&r, LONG_MS), ACOR_OK);
    ck_assert(is(&r->items[0], ACR_REPLY_STRING, "message"));
    ck_assert_int_eq(r->items[1].integer, 5);
    ck_assert_uint_eq(conn.round_trips, 0); /* not counted */
}
END_TEST

static void *wake_soon(void *arg)
{
    acr_clock_sleep_ms(40);
    acr_transport_wake(arg);
    return NULL;
}

START_TEST(wake_ends_listening_and_keeps_the_connection)
{
    static const fake_step steps[] = {ACCEPT, READ(1), WAIT(150), SEND("+late\r\n"), END};
    acr_thread other;
    acr_reply *r;
    play(_i, steps);
    ck_assert_int_eq(acr_transport_enable_wake(&conn.transport, &err), ACOR_OK);
    ck_assert_int_eq(post("SUBSCRIBE"), ACOR_OK);
    ck_assert_int_eq(acr_thread_start(&other, wake_soon, &conn.transport, NULL), ACOR_OK);
    ck_assert_int_eq(listen_for(&r, LONG_MS), ACOR_STOPPED);
    acr_thread_join(&other);
    ck_assert_int_eq(listen_for(&r, LONG_MS), ACOR_OK);
    ck_assert(is(r, ACR_REPLY_STATUS, "late"));
}
END_TEST

START_TEST(wake_while_logging_in_is_no_failure)
{
    static const fake_step steps[] = {ACCEPT, READ(1), END};
    config.password = "secret";
    play(_i, steps);
    ck_assert_int_eq(acr_transport_enable_wake(&conn.transport, &err), ACOR_OK);
    acr_transport_wake(&conn.transport);
    ck_assert_int_eq(post("SUBSCRIBE"), ACOR_STOPPED);
    ck_assert_ptr_null(conn.reader);
}
END_TEST

START_TEST(listening_without_a_connection_is_refused)
{
    acr_reply *r;
    ck_assert_int_eq(listen_for(&r, SHORT_MS), ACOR_ECONNECT);
    ck_assert_ptr_null(r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("redis conn");
    TCase *c = tcase_create("conn");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 20);
    /* 0: TCP, 1: a unix socket */
    tcase_add_loop_test(c, several_commands_are_one_round_trip, 0, 2);
    tcase_add_loop_test(c, torn_replies_are_put_together, 0, 2);
    tcase_add_loop_test(c, error_reply_is_no_failure_of_the_exchange, 0, 2);
    tcase_add_loop_test(c, connection_is_kept_between_exchanges, 0, 2);
    tcase_add_loop_test(c, black_hole_ends_at_the_deadline, 0, 2);
    tcase_add_loop_test(c, closing_in_the_middle_of_a_reply_is_no_reply, 0, 2);
    tcase_add_loop_test(c, closing_between_replies_is_a_failure_of_the_exchange, 0, 2);
    tcase_add_loop_test(c, garbage_drops_the_connection, 0, 2);
    tcase_add_test(c, what_could_not_connect_was_not_sent);
    tcase_add_loop_test(c, idle_connection_that_was_closed_is_replaced_before_sending, 0, 2);
    tcase_add_loop_test(c, answers_nobody_asked_for_are_not_taken_for_the_next, 0, 2);
    tcase_add_loop_test(c, login_and_database_are_one_pipeline, 0, 2);
    tcase_add_loop_test(c, password_alone_is_the_default_users, 0, 2);
    tcase_add_loop_test(c, wrong_password_is_said_without_showing_it, 0, 2);
    tcase_add_test(c, database_that_is_not_there_is_said);
    tcase_add_loop_test(c, silence_at_login_ends_at_the_deadline, 0, 2);
    tcase_add_test(c, each_connection_logs_in_anew);
    tcase_add_test(c, errors_have_the_status_they_mean);
    tcase_add_test(c, another_kind_than_expected_is_against_the_protocol);
    tcase_add_loop_test(c, listening_goes_on_after_a_timeout_in_a_torn_message, 0, 2);
    tcase_add_loop_test(c, wake_ends_listening_and_keeps_the_connection, 0, 2);
    tcase_add_loop_test(c, wake_while_logging_in_is_no_failure, 0, 2);
    tcase_add_test(c, listening_without_a_connection_is_refused);
    suite_add_tcase(suite, c);
    return acor_test_run(suite);
}
