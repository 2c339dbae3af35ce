/* SPDX-License-Identifier: Apache-2.0 */
/* In every backend: each allocation that fails. */
#include "acor_test.h"

#include <stdio.h>

#include "store_env.h"

/* --- no memory ------------------------------------------------------------ */

/* One round over all calls; the first status that is not fine. */
static int use_all(const acr_mem *mem)
{
    acr_store *s;
    int rc = env_try_open(&E, &s, "words", ACR_CASE_FOLDED, mem, NULL);
    if (rc != ACOR_OK)
        return rc;
    follower f = {.pieces = 0};
    acr_op ops[100];
    char text[100][8];
    for (int i = 0; i < 100; i++) {
        (void)snprintf(text[i], sizeof text[i], "%d", i * 37 % 101);
        ops[i] = op_of(i % 10 == 9 ? ACR_OP_REMOVE : ACR_OP_ADD, text[i]);
    }
    acr_store_info info;
    acr_watch *w = NULL;
    acr_watch_event event;
    acr_apply_result r;
    unsigned char outcomes[100];
    acr_request replace = {.ops = ops, .n = 5, .replace_all = 1};
    rc = apply_ops(s, ops, 100, NULL, NULL, NULL);
    if (rc == ACOR_OK)
        rc = follow(&f, s, NULL);
    if (rc == ACOR_OK)
        rc = s->ops->apply(s, &replace, outcomes, &r, soon(), NULL);
    if (rc == ACOR_OK)
        rc = follow(&f, s, NULL);
    if (rc == ACOR_OK)
        rc = s->ops->info(s, &info, soon(), NULL);
    if (rc == ACOR_OK)
        rc = s->ops->watch(s, &w, soon(), NULL);
    if (rc == ACOR_OK)
        rc = s->ops->wait(w, &event, acr_clock_now(), NULL);
    if (w != NULL)
        s->ops->unwatch(w);
    /* Usable afterwards, and what is there is of one piece. */
    int again = follow(&f, s, NULL);
    ck_assert(again == ACOR_OK || again == ACOR_ENOMEM);
    follower fresh = {.pieces = 0};
    if (again == ACOR_OK && follow(&fresh, s, NULL) == ACOR_OK) {
        ck_assert(naive_eq(&f.words, &fresh.words));
        ck_assert(fresh.words.n == 0 || fresh.words.n == 90 || fresh.words.n == 5);
    }
    follower_free(&fresh);
    follower_free(&f);
    acr_store_close(s);
    return rc;
}

START_TEST(each_failed_allocation_is_enomem_and_leaks_nothing)
{
    test_memory m;
    test_memory_init(&m);
    for (long n = 1;; n++) {
        begin_with(_i);
        m.count = 0;
        m.fail_at = n;
        int rc = use_all(&m.mem);
        long count = m.count;
        m.fail_at = 0;
        env_free(&E);
        ck_assert_int_eq(m.blocks, 0);
        ck_assert_int_eq(m.bytes, 0);
        if (rc == ACOR_OK && count < n)
            break;
        ck_assert(rc == ACOR_ENOMEM || rc == ACOR_OK);
        ck_assert_int_lt(n, 10000);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store_memory");
    TCase *tc = tcase_create("every backend");
    tcase_set_timeout(tc, 60);
#define CASE(name) tcase_add_loop_test(tc, name, 0, n_backends)
    CASE(each_failed_allocation_is_enomem_and_leaks_nothing);
#undef CASE
    suite_add_tcase(suite, tc);
    return acor_test_run(suite);
}
