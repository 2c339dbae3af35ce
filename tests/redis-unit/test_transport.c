/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes to and from a server that is far, slow, silent or gone. */
#include "acor_test.h"

#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <netinet/in.h>
#include <unistd.h>

#include "base/thread.h"
#include "fake_redis.h"

enum { LONG_MS = 5000, SHORT_MS = 80 };

static acr_transport t;
static acor_error err;

static void setup(void)
{
    acr_transport_init(&t);
    err = (acor_error)ACOR_ERROR_INIT;
    signal(SIGPIPE, SIG_DFL); /* one that is raised ends the test */
}

static void teardown(void)
{
    acr_transport_free(&t);
}

static int connect_to(const acr_address *a)
{
    return acr_transport_connect(&t, a, LONG_MS, acr_deadline_in_ms(LONG_MS), &err);
}

static void connected(const fake_redis *f)
{
    acr_address a = fake_address(f);
    int status = connect_to(&a);
    ck_assert_msg(status == ACOR_OK, "%s", err.message);
}

static int64_t ms_since(int64_t start)
{
    return (acr_clock_now() - start) / ACR_MILLISECOND;
}

/* Ended by the deadline: neither before it nor long after. */
static void took_short(int64_t start)
{
    int64_t ms = ms_since(start);
    ck_assert_msg(ms >= SHORT_MS - 2 && ms < LONG_MS / 2, "%d ms", (int)ms);
}

/* --- connecting ------------------------ */

/* A loopback port on which nobody listens, bound meanwhile. */
static int unused_port(char *port, size_t size)
{
    struct sockaddr_in addr = {.sin_family = AF_INET};
    socklen_t len = sizeof addr;
    addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&addr, sizeof addr), 0);
    ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&addr, &len), 0);
    snprintf(port, size, "%d", ntohs(addr.sin_port));
    return fd;
}

START_TEST(refused_connection_names_host_port_and_reason)
{
    char port[16];
    int fd = unused_port(port, sizeof port);
    acr_address a = {.host = "127.0.0.1", .port = port};
    ck_assert_int_eq(connect_to(&a), ACOR_ECONNECT);
    ck_assert_ptr_nonnull(strstr(err.message, "127.0.0.1"));
    ck_assert_ptr_nonnull(strstr(err.message, port));
    ck_assert_ptr_nonnull(strstr(err.message, "refused"));
    ck_assert_int_ne(err.sys_errno, 0);
    ck_assert_int_eq(t.fd, -1);
    close(fd);
}
END_TEST

START_TEST(missing_socket_file_is_named)
{
    acr_address a = {.unix_path = "/tmp/acor-no-such-folder/s"};
    ck_assert_int_eq(connect_to(&a), ACOR_ECONNECT);
    ck_assert_ptr_nonnull(strstr(err.message, "/tmp/acor-no-such-folder/s"));
    ck_assert_int_eq(t.fd, -1);
}
END_TEST

START_TEST(socket_path_that_is_too_long_is_refused)
{
    char path[300];
    memset(path, 'x', sizeof path);
    path[0] = '/';
    path[sizeof path - 1] = '\0';
    acr_address a = {.unix_path = path};
    ck_assert_int_eq(connect_to(&a), ACOR_EINVAL);
    ck_assert_ptr_nonnull(strstr(err.message, "299"));
}
END_TEST

START_TEST(host_that_does_not_exist_is_named)
{
    acr_address a = {.host = "no such host", .port = "6379"};
    ck_assert_int_eq(connect_to(&a), ACOR_ECONNECT);
    ck_assert_ptr_nonnull(strstr(err.message, "no such host"));
}
END_TEST

/* A port whose queue of connections is full answers nothing at all. */
START_TEST(host_that_does_not_answer_ends_at_the_connect_timeout)
{
    enum { FILLERS = 8 };
    char port[16];
    int fds[FILLERS], fd = unused_port(port, sizeof port);
    ck_assert_int_eq(listen(fd, 0), 0);
    acr_address a = {.host = "127.0.0.1", .port = port};
    for (int i = 0; i < FILLERS; i++) {
        acr_transport_init(&t);
        (void)acr_transport_connect(&t, &a, 20, acr_deadline_in_ms(20), NULL);
        fds[i] = t.fd;
    }
    acr_transport_init(&t);
    int64_t start = acr_clock_now();
    int status =
        acr_transport_connect(&t, &a, SHORT_MS, acr_deadline_in_ms(LONG_MS), &err);
    ck_assert_int_eq(status, ACOR_ETIMEOUT);
    took_short(start);
    ck_assert_int_eq(t.fd, -1);
    start = acr_clock_now();
    status = acr_transport_connect(&t, &a, LONG_MS, acr_deadline_in_ms(SHORT_MS), &err);
    ck_assert_int_eq(status, ACOR_ETIMEOUT);
    took_short(start);
    for (int i = 0; i < FILLERS; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    close(fd);
}
END_TEST

/* --- bytes over either kind of socket ------------------------ */

static const char ping[] = "*1\r\n$4\r\nPING\r\n";

static void send_all(const void *bytes, size_t len)
{
    size_t sent;
    int status = acr_transport_send(&t, acr_slice_of(bytes, len), &sent,
                                    acr_deadline_in_ms(LONG_MS), &err);
    ck_assert_msg(status == ACOR_OK && sent == len, "%d %s", status, err.message);
}

static int receive(unsigned char *buf, size_t size, size_t *n, uint32_t ms)
{
    return acr_transport_receive(&t, buf, size, n, acr_deadline_in_ms(ms), &err);
}

START_TEST(bytes_go_there_and_back)
{
    static const fake_step steps[] = {
        {FAKE_ACCEPT, 0, NULL}, {FAKE_READ, 1, NULL}, {FAKE_DRIP, 0, "+PONG\r\n"}, {0}};
    fake_redis *f = fake_start(_i, steps, NULL);
    unsigned char buf[64];
    size_t got = 0, n;
    connected(f);
    send_all(ping, sizeof ping - 1);
    while (got < 7) {
        ck_assert_int_eq(receive(buf + got, sizeof buf - got, &n, LONG_MS), ACOR_OK);
        ck_assert_uint_gt(n, 0);
        got += n;
    }
    ck_assert_mem_eq(buf, "+PONG\r\n", 7);
    fake_stop(f);
}
END_TEST

START_TEST(silent_server_ends_at_the_deadline)
{
    static const fake_step steps[] = {{FAKE_ACCEPT, 0, NULL}, {0}};
    fake_redis *f = fake_start(_i, steps, NULL);
    unsigned char buf[8];
    size_t n = 99;
    connected(f);
    int64_t start = acr_clock_now();
    ck_assert_int_eq(receive(buf, sizeof buf, &n, SHORT_MS), ACOR_ETIMEOUT);
    took_short(start);
    ck_assert_uint_eq(n, 0);
    ck_assert_ptr_nonnull(strstr(err.message, "waiting for the answer"));
    /* A deadline that is over already does not hang either. */
    ck_assert_int_eq(receive(buf, sizeof buf, &n, 0), ACOR_ETIMEOUT);
    fake_stop(f);
}
END_TEST

START_TEST(server_that_reads_nothing_ends_sending_at_the_deadline)
{
    enum { SIZE = 64 << 20 };
    static const fake_step steps[] = {{FAKE_ACCEPT, 0, NULL}, {0}};
    fake_redis *f = fake_start(_i, steps, NULL);
    unsigned char *bytes = calloc(1, SIZE);
    size_t sent = 0;
    ck_assert_ptr_nonnull(bytes);
    connected(f);
    int64_t start = acr_clock_now();
    int status = acr_transport_send(&t, acr_slice_of(bytes, SIZE), &sent,
                                    acr_deadline_in_ms(SHORT_MS), &err);
    ck_assert_int_eq(status, ACOR_ETIMEOUT);
    took_short(start);
    ck_assert(sent > 0 && sent < SIZE);
    free(bytes);
    fake_stop(f);
}
END_TEST

START_TEST(closing_is_told_to_the_one_who_waits)
{
    static const fake_step steps[] = {
        {FAKE_ACCEPT, 0, NULL}, {FAKE_WAIT, 30, NULL}, {FAKE_CLOSE, 0, NULL}, {0}};
    fake_redis *f = fake_start(_i, steps, NULL);
    unsigned char buf[8];
    size_t n;
    connected(f);
    ck_assert_int_eq(receive(buf, sizeof buf, &n, LONG_MS), ACOR_ECONNECT);
    ck_assert_ptr_nonnull(strstr(err.message, "closed the connection"));
    fake_stop(f);
}
END_TEST

START_TEST(sending_to_one_who_is_gone_raises_no_signal)
{
    /* It reads once before it goes, so that there was a connection for certain. */
    static const fake_step steps[] = {
        {FAKE_ACCEPT, 0, NULL}, {FAKE_READ, 1, NULL}, {FAKE_RESET, 0, NULL}, {0}};
    fake_redis *f = fake_start(_i, steps, NULL);
    size_t sent;
    connected(f);
    int status = acr_transport_send(&t, acr_slice_str(ping), &sent,
                                    acr_deadline_in_ms(LONG_MS), &err);
    ck_assert_int_eq(status, ACOR_OK);
    fake_finish(f);
    for (int i = 0; i < 100 && status == ACOR_OK; i++) {
        status = acr_transport_send(&t, acr_slice_str(ping), &sent,
                                    acr_deadline_in_ms(LONG_MS), &err);
        acr_clock_sleep_ms(1);
    }
    ck_assert_int_eq(status, ACOR_ECONNECT);
    fake_stop(f);
}
END_TEST

/* --- waking ------------------------ */

static void *wake_soon(void *arg)
{
    acr_clock_sleep_ms(40);
    acr_transport_wake(arg);
    return NULL;
}

START_TEST(wake_from_another_thread_ends_a_wait)
{
    static const fake_step steps[] = {{FAKE_ACCEPT, 0, NULL}, {0}};
    fake_redis *f = fake_start(_i, steps, NULL);
    unsigned char buf[8];
    acr_thread other;
    size_t n = 99;
    ck_assert_int_eq(acr_transport_enable_wake(&t, &err), ACOR_OK);
    connected(f);
    int64_t start = acr_clock_now();
    ck_assert_int_eq(acr_thread_start(&other, wake_soon, &t, NULL), ACOR_OK);
    ck_assert_int_eq(receive(buf, sizeof buf, &n, LONG_MS), ACOR_STOPPED);
    ck_assert_uint_eq(n, 0);
    ck_assert_int_lt(ms_since(start), LONG_MS / 2);
    acr_thread_join(&other);
    fake_stop(f);
}
END_TEST

START_TEST(wake_before_a_wait_ends_it_and_the_next_one_waits)
{
    static const fake_step steps[] = {{FAKE_ACCEPT, 0, NULL}, {0}};
    fake_redis *f = fake_start(_i, steps, NULL);
    unsigned char buf[8];
    size_t n;
    ck_assert_int_eq(acr_transport_enable_wake(&t, &err), ACOR_OK);
    connected(f);
    for (int i = 0; i < 100000; i++)
        acr_transport_wake(&t); /* more than a pipe holds */
    ck_assert_int_eq(receive(buf, sizeof buf, &n, LONG_MS), ACOR_STOPPED);
    ck_assert_int_eq(receive(buf, sizeof buf, &n, SHORT_MS), ACOR_ETIMEOUT);
    fake_stop(f);
}
END_TEST

START_TEST(wake_outlives_the_connection)
{
    static const fake_step steps[] = {{FAKE_ACCEPT, 0, NULL}, {FAKE_ACCEPT, 0, NULL}, {0}};
    fake_redis *f = fake_start(_i, steps, NULL);
    unsigned char buf[8];
    size_t n;
    acr_transport_wake(&t); /* without one: nothing happens */
    ck_assert_int_eq(acr_transport_enable_wake(&t, &err), ACOR_OK);
    connected(f);
    acr_transport_disconnect(&t);
    acr_transport_wake(&t);
    connected(f);
    ck_assert_int_eq(receive(buf, sizeof buf, &n, LONG_MS), ACOR_STOPPED);
    fake_stop(f);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("redis transport");
    TCase *c = tcase_create("transport");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 20);
    tcase_add_test(c, refused_connection_names_host_port_and_reason);
    tcase_add_test(c, missing_socket_file_is_named);
    tcase_add_test(c, socket_path_that_is_too_long_is_refused);
    tcase_add_test(c, host_that_does_not_exist_is_named);
    tcase_add_test(c, host_that_does_not_answer_ends_at_the_connect_timeout);
    /* 0: TCP, 1: a unix socket */
    tcase_add_loop_test(c, bytes_go_there_and_back, 0, 2);
    tcase_add_loop_test(c, silent_server_ends_at_the_deadline, 0, 2);
    tcase_add_loop_test(c, server_that_reads_nothing_ends_sending_at_the_deadline, 0, 2);
    tcase_add_loop_test(c, closing_is_told_to_the_one_who_waits, 0, 2);
    tcase_add_loop_test(c, sending_to_one_who_is_gone_raises_no_signal, 0, 2);
    tcase_add_loop_test(c, wake_from_another_thread_ends_a_wait, 0, 2);
    tcase_add_loop_test(c, wake_before_a_wait_ends_it_and_the_next_one_waits, 0, 2);
    tcase_add_loop_test(c, wake_outlives_the_connection, 0, 2);
    suite_add_tcase(suite, c);
    return acor_test_run(suite);
}
