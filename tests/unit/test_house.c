/* SPDX-License-Identifier: Apache-2.0 */
/* The rest of base: option structs, errors, clock, threads, log, random. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <acor/version.h>

#include "acor_test.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/opts.h"
#include "base/random.h"
#include "base/thread.h"

/* --- opts ---------------------------------------------------------------- */

/* The same struct as known to three releases. */
typedef struct opts1 {
    size_t struct_size;
    uint64_t a;
} opts1;

typedef struct opts2 {
    size_t struct_size;
    uint64_t a, b;
} opts2;

typedef struct opts3 {
    size_t struct_size;
    uint64_t a, b, c;
} opts3;

START_TEST(options_left_out_are_defaults)
{
    opts2 dst = {9, 9, 9};
    ck_assert_int_eq(acr_opts_import(&dst, sizeof dst, NULL, sizeof(opts1)), 0);
    ck_assert_uint_eq(dst.struct_size, sizeof dst);
    ck_assert_uint_eq(dst.a, 0);
    ck_assert_uint_eq(dst.b, 0);
}
END_TEST

START_TEST(options_of_an_older_caller_are_completed)
{
    opts1 src = {sizeof src, 5};
    opts2 dst = {9, 9, 9};
    ck_assert_int_eq(acr_opts_import(&dst, sizeof dst, &src, sizeof(opts1)), 0);
    ck_assert_uint_eq(dst.struct_size, sizeof dst);
    ck_assert_uint_eq(dst.a, 5);
    ck_assert_uint_eq(dst.b, 0);
}
END_TEST

START_TEST(options_of_a_newer_caller_pass_while_unset)
{
    opts3 src = {sizeof src, 5, 6, 0};
    opts2 dst;
    ck_assert_int_eq(acr_opts_import(&dst, sizeof dst, &src, sizeof(opts1)), 0);
    ck_assert_uint_eq(dst.struct_size, sizeof dst);
    ck_assert_uint_eq(dst.b, 6);
}
END_TEST

START_TEST(options_unknown_here_are_refused_once_set)
{
    for (int byte = 0; byte < 64; byte += 8) {
        opts3 src = {sizeof src, 5, 6, UINT64_C(1) << byte};
        opts2 dst;
        ck_assert_int_eq(acr_opts_import(&dst, sizeof dst, &src, sizeof(opts1)), -1);
    }
}
END_TEST

START_TEST(options_not_initialised_are_refused)
{
    opts2 dst, zero = {0}, small = {sizeof(opts1) - 1, 0, 0};
    ck_assert_int_eq(acr_opts_import(&dst, sizeof dst, &zero, sizeof(opts1)), -1);
    ck_assert_int_eq(acr_opts_import(&dst, sizeof dst, &small, sizeof(opts1)), -1);
}
END_TEST

START_TEST(export_writes_no_byte_past_an_older_struct)
{
    opts2 src = {sizeof src, 5, 6};
    opts3 dst = {sizeof(opts1), 9, 9, 9};
    ck_assert_int_eq(acr_opts_export(&dst, &src, sizeof src, sizeof(opts1)), 0);
    ck_assert_uint_eq(dst.struct_size, sizeof(opts1));
    ck_assert_uint_eq(dst.a, 5);
    ck_assert_uint_eq(dst.b, 9);
    ck_assert_uint_eq(dst.c, 9);
}
END_TEST

START_TEST(export_zeroes_what_a_newer_struct_has_more)
{
    opts2 src = {sizeof src, 5, 6};
    opts3 dst = {sizeof dst, 9, 9, 9};
    ck_assert_int_eq(acr_opts_export(&dst, &src, sizeof src, sizeof(opts1)), 0);
    ck_assert_uint_eq(dst.struct_size, sizeof dst);
    ck_assert_uint_eq(dst.a, 5);
    ck_assert_uint_eq(dst.b, 6);
    ck_assert_uint_eq(dst.c, 0);
}
END_TEST

START_TEST(export_into_too_small_a_struct_is_refused)
{
    opts2 src = {sizeof src, 5, 6};
    opts2 dst = {sizeof(opts1) - 1, 9, 9};
    ck_assert_int_eq(acr_opts_export(&dst, &src, sizeof src, sizeof(opts1)), -1);
    ck_assert_uint_eq(dst.a, 9);
}
END_TEST

/* --- error --------------------------------------------------------------- */

START_TEST(failure_fills_the_error)
{
    acor_error err = ACOR_ERROR_INIT;
    ck_assert_int_eq(acr_fail(&err, ACOR_ECONFLICT, "version %d, not %d", 2, 1),
                     ACOR_ECONFLICT);
    ck_assert_int_eq(err.status, ACOR_ECONFLICT);
    ck_assert_int_eq(err.sys_errno, 0);
    ck_assert_uint_eq(err.retryable, 1);
    ck_assert_str_eq(err.message, "version 2, not 1");
    ck_assert_str_eq(err.operation, "");
    ck_assert_int_eq(acr_fail_nomem(&err), ACOR_ENOMEM);
    ck_assert_uint_eq(err.retryable, 0);
    ck_assert_str_eq(err.message, "out of memory");
}
END_TEST

START_TEST(failure_without_an_error_only_answers)
{
    acor_error zero = {0};
    ck_assert_int_eq(acr_fail(NULL, ACOR_EIO, "x"), ACOR_EIO);
    ck_assert_int_eq(acr_fail_errno(NULL, ACOR_EIO, EPERM, "x"), ACOR_EIO);
    ck_assert_int_eq(acr_fail_nomem(NULL), ACOR_ENOMEM);
    acr_error_prefix(NULL, "x");
    acr_error_operation(NULL, "x");
    ck_assert_int_eq(acr_fail(&zero, ACOR_EIO, "x"), ACOR_EIO);
    ck_assert_int_eq(zero.status, 0);
    ck_assert_str_eq(zero.message, "");
}
END_TEST

START_TEST(errno_is_kept_and_told)
{
    acor_error err = ACOR_ERROR_INIT;
    char want[200];
    (void)snprintf(want, sizeof want, "cannot read x: %s", strerror(ENOENT));
    ck_assert_int_eq(acr_fail_errno(&err, ACOR_EIO, ENOENT, "cannot read %s", "x"),
                     ACOR_EIO);
    ck_assert_int_eq(err.sys_errno, ENOENT);
    ck_assert_str_eq(err.message, want);
}
END_TEST

START_TEST(control_bytes_are_masked)
{
    acor_error err = ACOR_ERROR_INIT;
    (void)acr_fail(&err, ACOR_EINVAL, "a\nb\033[1m\177\t\303\244");
    ck_assert_str_eq(err.message, "a?b?[1m??\303\244");
}
END_TEST

START_TEST(long_message_is_cut_at_a_code_point)
{
    for (int lead = 0; lead < 4; lead++) {
        char text[400] = "";
        memset(text, 'x', (size_t)lead);
        for (int i = 0; i < 90; i++)
            strcat(text, "\360\237\230\200");
        acor_error err = ACOR_ERROR_INIT;
        (void)acr_fail(&err, ACOR_EINVAL, "%s", text);
        size_t n = strlen(err.message);
        ck_assert_uint_eq((n - (size_t)lead) % 4, 0);
        ck_assert_uint_gt(n, ACOR_ERROR_MESSAGE_SIZE - 1 - 4);
        ck_assert_uint_lt(n, ACOR_ERROR_MESSAGE_SIZE);
        ck_assert_mem_eq(err.message, text, n);
    }
}
END_TEST

START_TEST(message_as_long_as_the_room_is_not_cut)
{
    char text[ACOR_ERROR_MESSAGE_SIZE];
    memset(text, 'y', sizeof text);
    text[sizeof text - 1] = '\0';
    acor_error err = ACOR_ERROR_INIT;
    (void)acr_fail(&err, ACOR_EINVAL, "%s", text);
    ck_assert_str_eq(err.message, text);
}
END_TEST

START_TEST(no_byte_past_struct_size_is_written)
{
    for (size_t size = 0; size < sizeof(acor_error); size++) {
        union {
            acor_error err;
            unsigned char bytes[sizeof(acor_error)];
        } u;
        memset(&u, 0xAA, sizeof u);
        u.err.struct_size = size;
        u.err.operation[0] = '\0';
        if (size > offsetof(acor_error, message))
            u.err.message[0] = '\0';
        (void)acr_fail(&u.err, ACOR_EIO, "%0300d", 1);
        acr_error_prefix(&u.err, "%s", "prefix");
        acr_error_operation(&u.err, "operation");
        size_t from = size < sizeof(size_t) ? sizeof(size_t) : size;
        for (size_t i = from; i < sizeof u; i++)
            if (u.bytes[i] != 0xAA && i != offsetof(acor_error, operation))
                ck_abort_msg("size %zu: byte %zu was written", size, i);
        if (size > offsetof(acor_error, message))
            ck_assert_ptr_nonnull(
                memchr(u.err.message, 0, size - offsetof(acor_error, message)));
    }
}
END_TEST

START_TEST(prefix_goes_before_the_message)
{
    acor_error err = ACOR_ERROR_INIT;
    (void)acr_fail(&err, ACOR_ETIMEOUT, "no answer");
    acr_error_prefix(&err, "host %s", "a\nb");
    acr_error_prefix(&err, "open");
    ck_assert_str_eq(err.message, "open: host a?b: no answer");
    ck_assert_int_eq(err.status, ACOR_ETIMEOUT);
    ck_assert_uint_eq(err.retryable, 1);
}
END_TEST

START_TEST(prefix_too_long_cuts_the_end)
{
    acor_error err = ACOR_ERROR_INIT;
    (void)acr_fail(&err, ACOR_EIO, "%0230d", 7);
    acr_error_prefix(&err, "%030d", 1);
    ck_assert_uint_eq(strlen(err.message), ACOR_ERROR_MESSAGE_SIZE - 1);
    ck_assert_mem_eq(err.message, "000000000000000000000000000001: 000", 35);
}
END_TEST

START_TEST(outermost_operation_is_named)
{
    acor_error err = ACOR_ERROR_INIT;
    (void)acr_fail(&err, ACOR_EIO, "x");
    acr_error_operation(&err, "load");
    acr_error_operation(&err, "open");
    ck_assert_str_eq(err.operation, "open");
    acr_error_operation(&err, "an operation with quite a long name");
    ck_assert_str_eq(err.operation, "an operation with quite a long ");
}
END_TEST

START_TEST(new_failure_forgets_the_one_before)
{
    acor_error err = ACOR_ERROR_INIT;
    (void)acr_fail_errno(&err, ACOR_ECONNECT, EPERM, "a long message");
    acr_error_operation(&err, "open");
    err.reserved0 = 9;
    (void)acr_fail(&err, ACOR_EIO, "x");
    ck_assert_uint_eq(err.struct_size, sizeof err);
    ck_assert_int_eq(err.status, ACOR_EIO);
    ck_assert_int_eq(err.sys_errno, 0);
    ck_assert_uint_eq(err.retryable, 0);
    ck_assert_uint_eq(err.reserved0, 0);
    ck_assert_str_eq(err.operation, "");
    ck_assert_str_eq(err.message, "x");
}
END_TEST

static int fail_or_go_on(int status, int *went_on)
{
    ACR_TRY(status);
    *went_on = 1;
    return 77;
}

START_TEST(try_forwards_failures_only)
{
    int on = 0;
    ck_assert_int_eq(fail_or_go_on(ACOR_EIO, &on), ACOR_EIO);
    ck_assert_int_eq(on, 0);
    ck_assert_int_eq(fail_or_go_on(ACOR_NOTFOUND, &on), 77);
    ck_assert_int_eq(on, 1);
}
END_TEST

/* A value that is added must be added here, in order. */
static const int statuses[] = {
    4,   3,   2,   1,   0,   -1,  -2,  -3,  -4,  -5,  -6,  -7,  -8,  -9,  -10, -11,
    -12, -13, -14, -20, -21, -22, -23, -24, -30, -31, -32, -33, -40, -41, -42, -43,
};

START_TEST(every_status_has_a_text_of_its_own)
{
    size_t n = sizeof statuses / sizeof *statuses;
    for (size_t i = 0; i < n; i++) {
        const char *text = acor_strstatus(statuses[i]);
        ck_assert_str_ne(text, "");
        ck_assert_str_ne(text, "unknown status");
        for (size_t k = 0; k < i; k++)
            ck_assert_str_ne(text, acor_strstatus(statuses[k]));
    }
}
END_TEST

START_TEST(other_numbers_are_unknown_statuses)
{
    size_t n = sizeof statuses / sizeof *statuses;
    for (int v = -100; v < 100; v++) {
        size_t i = 0;
        while (i < n && statuses[i] != v)
            i++;
        if (i == n)
            ck_assert_str_eq(acor_strstatus(v), "unknown status");
    }
    ck_assert_str_eq(acor_strstatus(INT32_MIN), "unknown status");
    ck_assert_str_eq(acor_strstatus(INT32_MAX), "unknown status");
}
END_TEST

START_TEST(twenties_are_transient_and_no_other)
{
    for (int v = -100; v < 100; v++)
        ck_assert_int_eq(acor_status_is_transient(v), v <= -20 && v >= -29);
}
END_TEST

/* --- clock --------------------------------------------------------------- */

START_TEST(clock_runs_forward)
{
    int64_t a = acr_clock_now(), b = acr_clock_now();
    ck_assert_int_gt(a, 0);
    ck_assert_int_ge(b, a);
    ck_assert_int_gt(acr_clock_wall(), INT64_C(1600000000) * ACR_SECOND);
}
END_TEST

START_TEST(deadline_left_is_rounded_up_and_bounded)
{
    ck_assert_int_eq(acr_deadline_left_ms(ACR_DEADLINE_NEVER), INT32_MAX);
    ck_assert_int_eq(acr_deadline_left_ms(0), 0);
    ck_assert_int_eq(acr_deadline_left_ms(INT64_MIN / 2), 0);
    ck_assert_int_eq(acr_deadline_left_ms(acr_clock_now()), 0);
    ck_assert_int_eq(acr_deadline_left_ms(INT64_MAX / 2), INT32_MAX);
    /* Ten hours off, so that a slow machine does not matter by a second. */
    int32_t left = acr_deadline_left_ms(acr_deadline_in_ms(36000000));
    ck_assert_int_le(left, 36000000);
    ck_assert_int_gt(left, 36000000 - 60000);
    /* A part of a millisecond is one. */
    int64_t soon = acr_clock_now() + 60 * ACR_SECOND + 1;
    int64_t before = acr_clock_now();
    left = acr_deadline_left_ms(soon);
    int64_t after = acr_clock_now();
    ck_assert_int_ge((int64_t)left * ACR_MILLISECOND, soon - after);
    ck_assert_int_lt((int64_t)(left - 1) * ACR_MILLISECOND, soon - before);
}
END_TEST

START_TEST(longest_wait_is_no_overflow)
{
    acr_deadline d = acr_deadline_in_ms(UINT32_MAX);
    ck_assert_int_gt(d, acr_clock_now());
    ck_assert_int_lt(d, ACR_DEADLINE_NEVER);
    ck_assert_int_eq(acr_deadline_left_ms(d), INT32_MAX);
}
END_TEST

/* --- thread -------------------------------------------------------------- */

typedef struct meeting {
    acr_mutex m;
    acr_cond c;
    int stage;
    int answer;
} meeting;

static void open_meeting(meeting *me)
{
    *me = (meeting){.stage = 0};
    ck_assert_int_eq(acr_mutex_init(&me->m, NULL), ACOR_OK);
    ck_assert_int_eq(acr_cond_init(&me->c, NULL), ACOR_OK);
}

static void close_meeting(meeting *me)
{
    acr_cond_destroy(&me->c);
    acr_mutex_destroy(&me->m);
}

/* Asks for a lock that another thread holds, for 50 ms. */
static void *try_lock(void *arg)
{
    meeting *me = arg;
    me->answer = acr_mutex_lock_until(&me->m, acr_deadline_in_ms(50));
    return NULL;
}

START_TEST(lock_held_elsewhere_times_out)
{
    meeting me;
    open_meeting(&me);
    acr_mutex_lock(&me.m);
    acr_thread t;
    int64_t from = acr_clock_now();
    ck_assert_int_eq(acr_thread_start(&t, try_lock, &me, NULL), ACOR_OK);
    acr_thread_join(&t);
    ck_assert_int_ge(acr_clock_now() - from, 50 * ACR_MILLISECOND);
    ck_assert_int_eq(me.answer, ACOR_ETIMEOUT);
    acr_mutex_unlock(&me.m);
    close_meeting(&me);
}
END_TEST

START_TEST(free_lock_is_taken_whatever_the_deadline)
{
    meeting me;
    open_meeting(&me);
    static const acr_deadline when[] = {0, ACR_DEADLINE_NEVER};
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(acr_mutex_lock_until(&me.m, when[i]), ACOR_OK);
        acr_mutex_unlock(&me.m);
    }
    close_meeting(&me);
}
END_TEST

static void *wait_lock(void *arg)
{
    meeting *me = arg;
    me->answer = acr_mutex_lock_until(&me->m, acr_deadline_in_ms(60000));
    me->stage++;
    acr_mutex_unlock(&me->m);
    return NULL;
}

START_TEST(lock_given_up_in_time_is_taken)
{
    meeting me;
    open_meeting(&me);
    acr_mutex_lock(&me.m);
    acr_thread t;
    ck_assert_int_eq(acr_thread_start(&t, wait_lock, &me, NULL), ACOR_OK);
    ck_assert_int_eq(me.stage, 0);
    acr_mutex_unlock(&me.m);
    acr_thread_join(&t);
    ck_assert_int_eq(me.answer, ACOR_OK);
    ck_assert_int_eq(me.stage, 1);
    close_meeting(&me);
}
END_TEST

START_TEST(wait_without_a_broadcast_times_out)
{
    meeting me;
    open_meeting(&me);
    acr_mutex_lock(&me.m);
    int64_t from = acr_clock_now();
    acr_deadline d = acr_deadline_in_ms(30);
    while (acr_cond_wait(&me.c, &me.m, d) != ACOR_ETIMEOUT)
        ;
    ck_assert_int_ge(acr_clock_now() - from, 30 * ACR_MILLISECOND);
    acr_mutex_unlock(&me.m);
    close_meeting(&me);
}
END_TEST

static void *step_on(void *arg)
{
    meeting *me = arg;
    acr_mutex_lock(&me->m);
    me->stage = 1;
    acr_cond_broadcast(&me->c);
    while (me->stage != 2)
        if (acr_cond_wait(&me->c, &me->m, acr_deadline_in_ms(60000)) != ACOR_OK)
            break;
    me->stage = 3;
    acr_cond_broadcast(&me->c);
    acr_mutex_unlock(&me->m);
    return NULL;
}

START_TEST(broadcast_wakes_the_waiting)
{
    meeting me;
    open_meeting(&me);
    acr_thread t;
    acr_mutex_lock(&me.m);
    ck_assert_int_eq(acr_thread_start(&t, step_on, &me, NULL), ACOR_OK);
    while (me.stage != 1)
        ck_assert_int_eq(acr_cond_wait(&me.c, &me.m, ACR_DEADLINE_NEVER), ACOR_OK);
    me.stage = 2;
    acr_cond_broadcast(&me.c);
    while (me.stage != 3)
        ck_assert_int_eq(acr_cond_wait(&me.c, &me.m, acr_deadline_in_ms(60000)), ACOR_OK);
    acr_mutex_unlock(&me.m);
    acr_thread_join(&t);
    close_meeting(&me);
}
END_TEST

static void *read_mask(void *arg)
{
    (void)pthread_sigmask(SIG_SETMASK, NULL, arg);
    return NULL;
}

START_TEST(own_threads_block_signals_and_the_caller_does_not)
{
    sigset_t theirs, mine;
    (void)sigemptyset(&theirs);
    acr_thread t;
    ck_assert_int_eq(acr_thread_start(&t, read_mask, &theirs, NULL), ACOR_OK);
    acr_thread_join(&t);
    ck_assert_int_eq(sigismember(&theirs, SIGTERM), 1);
    ck_assert_int_eq(sigismember(&theirs, SIGINT), 1);
    (void)pthread_sigmask(SIG_SETMASK, NULL, &mine);
    ck_assert_int_eq(sigismember(&mine, SIGTERM), 0);
}
END_TEST

START_TEST(last_reference_dropped_is_told)
{
    acr_refs r;
    acr_refs_init(&r);
    ck_assert_int_eq(acr_refs_sole(&r), 1);
    acr_refs_take(&r);
    ck_assert_int_eq(acr_refs_sole(&r), 0);
    ck_assert_int_eq(acr_refs_drop(&r), 0);
    ck_assert_int_eq(acr_refs_sole(&r), 1);
    ck_assert_int_eq(acr_refs_drop(&r), 1);
}
END_TEST

/* --- log, random, version ------------------------------------------------ */

typedef struct heard {
    int count;
    uint32_t level;
    char text[1000];
} heard;

static void hear(void *user, uint32_t level, const char *message)
{
    heard *h = user;
    h->count++;
    h->level = level;
    (void)snprintf(h->text, sizeof h->text, "%s", message);
}

START_TEST(log_tells_only_the_levels_let_through)
{
    heard h = {0};
    acr_log log = {hear, &h, ACOR_LOG_ERROR | ACOR_LOG_INFO};
    acr_log_put(&log, ACOR_LOG_WARNING, "no");
    acr_log_put(&log, ACOR_LOG_DEBUG, "no");
    ck_assert_int_eq(h.count, 0);
    acr_log_put(&log, ACOR_LOG_INFO, "yes %d", 1);
    ck_assert_int_eq(h.count, 1);
    ck_assert_uint_eq(h.level, ACOR_LOG_INFO);
    ck_assert_str_eq(h.text, "yes 1");
    acr_log silent = {NULL, &h, UINT32_MAX};
    acr_log_put(&silent, ACOR_LOG_ERROR, "no");
    acr_log_put(NULL, ACOR_LOG_ERROR, "no");
    ck_assert_int_eq(h.count, 1);
}
END_TEST

START_TEST(long_log_line_is_cut)
{
    heard h = {0};
    acr_log log = {hear, &h, UINT32_MAX};
    acr_log_put(&log, ACOR_LOG_ERROR, "%0800d", 1);
    ck_assert_uint_eq(strlen(h.text), 511);
}
END_TEST

START_TEST(random_bytes_differ_and_are_limited)
{
    unsigned char a[257] = {0}, b[16] = {0};
    acor_error err = ACOR_ERROR_INIT;
    ck_assert_int_eq(acr_random(a, 16, NULL), ACOR_OK);
    ck_assert_int_eq(acr_random(b, 16, NULL), ACOR_OK);
    ck_assert_mem_ne(a, b, 16);
    ck_assert_int_eq(acr_random(a, 256, NULL), ACOR_OK);
    ck_assert_int_eq(acr_random(a, 257, &err), ACOR_EIO);
    ck_assert_int_ne(err.sys_errno, 0);
}
END_TEST

START_TEST(version_is_the_headers)
{
    ck_assert_str_eq(acor_version_string(), ACOR_VERSION_STRING);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("house");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, options_left_out_are_defaults);
    tcase_add_test(t, options_of_an_older_caller_are_completed);
    tcase_add_test(t, options_of_a_newer_caller_pass_while_unset);
    tcase_add_test(t, options_unknown_here_are_refused_once_set);
    tcase_add_test(t, options_not_initialised_are_refused);
    tcase_add_test(t, export_writes_no_byte_past_an_older_struct);
    tcase_add_test(t, export_zeroes_what_a_newer_struct_has_more);
    tcase_add_test(t, export_into_too_small_a_struct_is_refused);
    tcase_add_test(t, failure_fills_the_error);
    tcase_add_test(t, failure_without_an_error_only_answers);
    tcase_add_test(t, errno_is_kept_and_told);
    tcase_add_test(t, control_bytes_are_masked);
    tcase_add_test(t, long_message_is_cut_at_a_code_point);
    tcase_add_test(t, message_as_long_as_the_room_is_not_cut);
    tcase_add_test(t, no_byte_past_struct_size_is_written);
    tcase_add_test(t, prefix_goes_before_the_message);
    tcase_add_test(t, prefix_too_long_cuts_the_end);
    tcase_add_test(t, outermost_operation_is_named);
    tcase_add_test(t, new_failure_forgets_the_one_before);
    tcase_add_test(t, try_forwards_failures_only);
    tcase_add_test(t, every_status_has_a_text_of_its_own);
    tcase_add_test(t, other_numbers_are_unknown_statuses);
    tcase_add_test(t, twenties_are_transient_and_no_other);
    tcase_add_test(t, clock_runs_forward);
    tcase_add_test(t, deadline_left_is_rounded_up_and_bounded);
    tcase_add_test(t, longest_wait_is_no_overflow);
    tcase_add_test(t, lock_held_elsewhere_times_out);
    tcase_add_test(t, free_lock_is_taken_whatever_the_deadline);
    tcase_add_test(t, lock_given_up_in_time_is_taken);
    tcase_add_test(t, wait_without_a_broadcast_times_out);
    tcase_add_test(t, broadcast_wakes_the_waiting);
    tcase_add_test(t, own_threads_block_signals_and_the_caller_does_not);
    tcase_add_test(t, last_reference_dropped_is_told);
    tcase_add_test(t, log_tells_only_the_levels_let_through);
    tcase_add_test(t, long_log_line_is_cut);
    tcase_add_test(t, random_bytes_differ_and_are_limited);
    tcase_add_test(t, version_is_the_headers);
    suite_add_tcase(s, t);
    return acor_test_run(s);
}
