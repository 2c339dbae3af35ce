/* SPDX-License-Identifier: Apache-2.0 */
/* The fault store fails where it is told to, and nowhere else. */
#include "acor_test.h"

#include "store_env.h"
#include "store_fault.h"

static acr_store *begin_behind_faults(int i)
{
    begin_with(i);
    acr_store *s = open_words();
    if (!E.backend->fault)
        s = fault_wrap(s);
    ck_assert_ptr_nonnull(s);
    return s;
}

static void end_with(acr_store *s)
{
    acr_store_close(s);
    env_free(&E);
}

START_TEST(apply_fails_before_it_took_effect)
{
    acr_store *s = begin_behind_faults(_i);
    fault_set(s, &(fault_plan){FAULT_APPLY, 2, FAULT_BEFORE, ACOR_ECONNECT, 0});
    acr_op op = op_of(ACR_OP_ADD, "b");
    acor_error err = ACOR_ERROR_INIT;
    (void)must_add(s, "a");
    ck_assert_int_eq(apply_ops(s, &op, 1, NULL, NULL, &err), ACOR_ECONNECT);
    ck_assert_str_eq(err.message, "made to fail");
    ck_assert_uint_eq(must_info(s).keywords, 1);
    ck_assert_int_eq(must_add(s, "b"), 1);
    ck_assert_uint_eq(fault_count(s, FAULT_APPLY), 3);
    end_with(s);
}
END_TEST

START_TEST(apply_fails_after_it_took_effect)
{
    acr_store *s = begin_behind_faults(_i);
    fault_set(s, &(fault_plan){FAULT_APPLY, 1, FAULT_AFTER, ACOR_EOUTCOME, 0});
    acr_op op = op_of(ACR_OP_ADD, "a");
    ck_assert_int_eq(apply_ops(s, &op, 1, NULL, NULL, NULL), ACOR_EOUTCOME);
    ck_assert_uint_eq(must_info(s).keywords, 1);
    ck_assert_int_eq(must_add(s, "a"), 0);
    end_with(s);
}
END_TEST

START_TEST(load_is_cut_in_the_middle)
{
    acr_store *s = begin_behind_faults(_i);
    (void)must_add_range(s, "w", 0, 10);
    fault_set(s, &(fault_plan){FAULT_LOAD, 1, FAULT_MIDDLE, ACOR_ECONNECT, 0});
    follower f = {.pieces = 0};
    ck_assert_int_eq(follow(&f, s, NULL), ACOR_ECONNECT);
    ck_assert_uint_eq(f.changes, 5);
    ck_assert_uint_eq(f.words.n, 0);
    must_follow(&f, s);
    ck_assert_uint_eq(f.words.n, 10);
    follower_free(&f);
    end_with(s);
}
END_TEST

START_TEST(load_and_info_fail_before_and_after)
{
    acr_store *s = begin_behind_faults(_i);
    (void)must_add(s, "a");
    follower f = {.pieces = 0};
    acr_store_info info;
    fault_set(s, &(fault_plan){FAULT_LOAD, 1, FAULT_BEFORE, ACOR_EIO, 0});
    ck_assert_int_eq(follow(&f, s, NULL), ACOR_EIO);
    ck_assert_uint_eq(f.pieces, 0);
    fault_set(s, &(fault_plan){FAULT_LOAD, 1, FAULT_AFTER, ACOR_EIO, 0});
    ck_assert_int_eq(follow(&f, s, NULL), ACOR_EIO);
    ck_assert_uint_eq(f.pieces, 1);
    fault_set(s, &(fault_plan){FAULT_INFO, 1, FAULT_BEFORE, ACOR_EIO, 0});
    ck_assert_int_eq(s->ops->info(s, &info, soon(), NULL), ACOR_EIO);
    fault_set(s, &(fault_plan){FAULT_INFO, 1, FAULT_AFTER, ACOR_EIO, 0});
    ck_assert_int_eq(s->ops->info(s, &info, soon(), NULL), ACOR_EIO);
    ck_assert_int_eq(s->ops->info(s, &info, soon(), NULL), ACOR_OK);
    follower_free(&f);
    end_with(s);
}
END_TEST

START_TEST(call_is_delayed)
{
    acr_store *s = begin_behind_faults(_i);
    fault_set(s, &(fault_plan){FAULT_INFO, 1, FAULT_DELAY, 0, 100});
    int64_t start = acr_clock_now();
    (void)must_info(s);
    ck_assert_int_ge(acr_clock_now() - start, 100 * ACR_MILLISECOND);
    ck_assert_uint_eq(fault_inner(s)->cost.transactions, s->cost.transactions);
    end_with(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store_fault");
    TCase *tc = tcase_create("every backend");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, apply_fails_before_it_took_effect, 0, n_backends);
    tcase_add_loop_test(tc, apply_fails_after_it_took_effect, 0, n_backends);
    tcase_add_loop_test(tc, load_is_cut_in_the_middle, 0, n_backends);
    tcase_add_loop_test(tc, load_and_info_fail_before_and_after, 0, n_backends);
    tcase_add_loop_test(tc, call_is_delayed, 0, n_backends);
    suite_add_tcase(suite, tc);
    return acor_test_run(suite);
}
