/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The storage seam's promises, kept by every backend: each case runs on all of
 * them, and on all of them again through a fault store that has no fault set.
 * Here: being there, loading, applying; see also test_store_*.c.
 */
#include "acor_test.h"

#include <stdio.h>

#include "store_env.h"

/* --- being there ---------------------------------------------------------- */

START_TEST(absent_collection_is_empty_and_has_a_version)
{
    begin_with(_i);
    acr_store *s = open_words();
    follower f = {.pieces = 0};
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_WHOLE);
    ck_assert_uint_eq(f.words.n, 0);
    ck_assert_int_eq(f.mode, ACR_CASE_UNRECORDED);
    acr_store_info info = must_info(s);
    ck_assert_int_eq(info.exists, 0);
    ck_assert_uint_eq(info.keywords, 0);
    ck_assert(acr_token_eq(&info.version, &f.version));
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_UNCHANGED);
    ck_assert_uint_eq(s->cost.round_trips, 0);
    follower_free(&f);
    acr_store_close(s);
    env_free(&E);
}
END_TEST

START_TEST(first_write_creates)
{
    begin_with(_i);
    acr_store *s = open_words();
    acr_token absent = must_info(s).version;
    acr_op op = op_of(ACR_OP_ADD, "word");
    acr_apply_result r;
    unsigned char outcome;
    ck_assert_int_eq(apply_ops(s, &op, 1, &outcome, &r, NULL), ACOR_OK);
    ck_assert_int_eq(outcome, ACR_DONE);
    ck_assert_uint_eq(r.changed, 1);
    ck_assert_uint_eq(r.removed, 0);
    ck_assert_int_eq(r.announced, 1);
    ck_assert(acr_token_eq(&r.predecessor, &absent));
    ck_assert(!acr_token_eq(&r.version, &absent));
    acr_store_info info = must_info(s);
    ck_assert_int_eq(info.exists, 1);
    ck_assert_uint_eq(info.keywords, 1);
    ck_assert_int_eq(info.mode, ACR_CASE_FOLDED);
    ck_assert(acr_token_eq(&info.version, &r.version));
    acr_store_close(s);
    env_free(&E);
}
END_TEST

START_TEST(every_call_counts_a_transaction_and_no_round_trip)
{
    begin_with(_i);
    acr_store *s = open_words();
    (void)must_add(s, "word");
    uint64_t before = s->cost.transactions;
    ck_assert_uint_ge(before, 1);
    follower f = {.pieces = 0};
    must_follow(&f, s);
    must_follow(&f, s);
    (void)must_info(s);
    (void)must_add(s, "another");
    ck_assert_uint_eq(s->cost.transactions, before + 4);
    ck_assert_uint_eq(s->cost.round_trips, 0);
    follower_free(&f);
    acr_store_close(s);
    env_free(&E);
}
END_TEST

/* --- load ----------------------------------------------------------------- */

START_TEST(load_knows_unchanged_delta_and_whole)
{
    begin_with(_i);
    acr_store *s = open_words(), *other = open_words();
    (void)must_add_range(s, "w", 0, 100);
    follower f = {.pieces = 0};
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_WHOLE);
    ck_assert_uint_eq(f.words.n, 100);
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_UNCHANGED);
    (void)must_add(other, "new");
    (void)must_remove(other, "w7");
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_DELTA);
    ck_assert_uint_eq(f.changes, 2);
    ck_assert_uint_eq(f.words.n, 100);
    follower fresh = {.pieces = 0};
    must_follow(&fresh, other);
    ck_assert(naive_eq(&fresh.words, &f.words));
    follower_free(&f);
    follower_free(&fresh);
    acr_store_close(s);
    acr_store_close(other);
    env_free(&E);
}
END_TEST

START_TEST(unknown_versions_get_the_whole)
{
    begin_with(_i);
    acr_store *s = open_words(), *other = open_as("other", ACR_CASE_FOLDED);
    (void)must_add_range(s, "w", 0, 10);
    (void)must_add_range(s, "w", 10, 10);
    (void)must_add_range(other, "o", 0, 5);
    follower f = {.pieces = 0};
    must_follow(&f, other);
    must_follow(&f, s); /* another collection's version */
    ck_assert_int_eq(f.kind, ACR_LOAD_WHOLE);
    ck_assert_uint_eq(f.words.n, 20);
    acr_token good = f.version;
    (void)must_add(s, "last");
    for (unsigned char i = 0; i < good.len; i++) {
        f.version = good;
        f.version.bytes[i] ^= 1;
        must_follow(&f, s);
        ck_assert_int_eq(f.kind, ACR_LOAD_WHOLE);
    }
    for (unsigned char len = 1; len <= ACR_TOKEN_MAX; len++) {
        f.version = (acr_token){.len = len};
        must_follow(&f, s);
        ck_assert_int_eq(f.kind, ACR_LOAD_WHOLE);
        ck_assert_uint_eq(f.words.n, 21);
    }
    f.version = good;
    naive_remove(&f.words, acr_slice_str("last"));
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_DELTA);
    ck_assert_uint_eq(f.changes, 1);
    follower_free(&f);
    acr_store_close(s);
    acr_store_close(other);
    env_free(&E);
}
END_TEST

START_TEST(large_dictionary_comes_in_pieces)
{
    begin_with(_i);
    acr_store *s = open_words();
    (void)must_add_range(s, "w", 0, 3000);
    follower f = {.pieces = 0};
    must_follow(&f, s);
    ck_assert_uint_eq(f.changes, 3000);
    ck_assert_uint_gt(f.pieces, 1);
    follower_free(&f);
    acr_store_close(s);
    env_free(&E);
}
END_TEST

START_TEST(sink_that_fails_ends_the_load)
{
    begin_with(_i);
    acr_store *s = open_words();
    (void)must_add_range(s, "w", 0, 3000);
    follower f = {.fail_piece = 2, .fail_status = ACOR_ESTALE};
    acor_error err = ACOR_ERROR_INIT;
    ck_assert_int_eq(follow(&f, s, &err), ACOR_ESTALE);
    ck_assert_str_eq(err.message, "the sink had enough");
    ck_assert_uint_eq(f.pieces, 2);
    f.fail_piece = 0;
    ck_assert_int_eq(must_add(s, "still writable"), 1);
    must_follow(&f, s);
    ck_assert_uint_eq(f.words.n, 3001);
    follower_free(&f);
    acr_store_close(s);
    env_free(&E);
}
END_TEST

/* --- apply ---------------------------------------------------------------- */

START_TEST(each_operation_has_its_outcome)
{
    begin_with(_i);
    acr_store *s = open_words();
    (void)must_add(s, "there");
    (void)must_add(s, "going");
    (void)must_add(s, "put");
    acr_op ops[] = {op_of(ACR_OP_ADD, "there"),    op_of(ACR_OP_ADD, "new"),
                    op_of(ACR_OP_REMOVE, "going"), op_of(ACR_OP_REMOVE, "nowhere"),
                    op_of(ACR_OP_PUT, "put"),      op_of(ACR_OP_PUT, "also new")};
    const unsigned char want[] = {ACR_DONE_NOTHING, ACR_DONE,         ACR_DONE,
                                  ACR_DONE_NOTHING, ACR_DONE_NOTHING, ACR_DONE};
    unsigned char got[6];
    acr_apply_result r;
    ck_assert_int_eq(apply_ops(s, ops, 6, got, &r, NULL), ACOR_OK);
    ck_assert_mem_eq(got, want, sizeof want);
    ck_assert_uint_eq(r.changed, 3);
    ck_assert_uint_eq(must_info(s).keywords, 4);
    acr_store_close(s);
    env_free(&E);
}
END_TEST

START_TEST(batch_that_changes_nothing_writes_nothing)
{
    begin_with(_i);
    acr_store *s = open_words();
    acr_op ops[] = {op_of(ACR_OP_REMOVE, "nowhere"), op_of(ACR_OP_ADD, "there")};
    unsigned char got[2] = {9, 9};
    acr_apply_result r;
    /* Nowhere: removing, emptying and doing nothing make no collection. */
    ck_assert_int_eq(apply_ops(s, ops, 1, got, &r, NULL), ACOR_OK);
    ck_assert_int_eq(got[0], ACR_DONE_NOTHING);
    ck_assert(acr_token_eq(&r.version, &r.predecessor));
    ck_assert_int_eq(apply_ops(s, NULL, 0, NULL, &r, NULL), ACOR_OK);
    acr_request clear = {.replace_all = 1};
    ck_assert_int_eq(s->ops->apply(s, &clear, NULL, &r, soon(), NULL), ACOR_OK);
    ck_assert_uint_eq(r.removed, 0);
    ck_assert_int_eq(must_info(s).exists, 0);
    /* And where there is one. */
    (void)must_add(s, "there");
    acr_token version = must_info(s).version;
    ck_assert_int_eq(apply_ops(s, ops, 2, got, &r, NULL), ACOR_OK);
    ck_assert_uint_eq(r.changed, 0);
    ck_assert(acr_token_eq(&r.version, &version));
    ck_assert(acr_token_eq(&r.predecessor, &version));
    ck_assert_int_eq(apply_ops(s, NULL, 0, NULL, &r, NULL), ACOR_OK);
    ck_assert(acr_token_eq(&r.version, &version));
    acr_request same = {.ops = ops + 1, .n = 1, .replace_all = 1};
    ck_assert_int_eq(s->ops->apply(s, &same, got, &r, soon(), NULL), ACOR_OK);
    ck_assert(acr_token_eq(&r.version, &version));
    acr_store_info info = must_info(s);
    ck_assert(acr_token_eq(&info.version, &version));
    acr_store_close(s);
    env_free(&E);
}
END_TEST

START_TEST(expected_version_that_moved_is_refused)
{
    begin_with(_i);
    acr_store *s = open_words(), *other = open_words();
    acr_token expect = must_info(s).version;
    acr_op op = op_of(ACR_OP_ADD, "a");
    acr_request request = {.ops = &op, .n = 1, .expect = &expect};
    unsigned char outcome;
    acr_apply_result r;
    acor_error err = ACOR_ERROR_INIT;
    /* Absent is a version that can be expected. */
    ck_assert_int_eq(s->ops->apply(s, &request, &outcome, &r, soon(), &err), ACOR_OK);
    op = op_of(ACR_OP_ADD, "b");
    ck_assert_int_eq(s->ops->apply(s, &request, &outcome, &r, soon(), &err),
                     ACOR_ECONFLICT);
    ck_assert_uint_eq(err.retryable, 1);
    acr_store_info info = must_info(s);
    ck_assert_uint_eq(info.keywords, 1);
    expect = info.version;
    (void)must_add(other, "c");
    acr_request replace = {.ops = &op, .n = 1, .replace_all = 1, .expect = &expect};
    ck_assert_int_eq(s->ops->apply(s, &replace, &outcome, &r, soon(), &err),
                     ACOR_ECONFLICT);
    acr_request empty = {.expect = &expect};
    ck_assert_int_eq(s->ops->apply(s, &empty, NULL, &r, soon(), &err), ACOR_ECONFLICT);
    ck_assert_uint_eq(must_info(s).keywords, 2);
    expect = must_info(s).version;
    ck_assert_int_eq(s->ops->apply(s, &replace, &outcome, &r, soon(), &err), ACOR_OK);
    ck_assert_uint_eq(r.changed, 1);
    ck_assert_uint_eq(r.removed, 2);
    acr_store_close(s);
    acr_store_close(other);
    env_free(&E);
}
END_TEST

START_TEST(predecessors_make_a_chain)
{
    begin_with(_i);
    acr_store *s = open_words(), *other = open_words();
    acr_token last = must_info(s).version;
    acr_token seen[20];
    for (int i = 0; i < 20; i++) {
        acr_apply_result r = must_add_range(i % 3 ? s : other, "w", i, 2);
        ck_assert(acr_token_eq(&r.predecessor, &last));
        for (int j = 0; j < i; j++)
            ck_assert(!acr_token_eq(&seen[j], &r.version));
        last = seen[i] = r.version;
    }
    acr_store_close(s);
    acr_store_close(other);
    env_free(&E);
}
END_TEST

START_TEST(same_history_elsewhere_has_another_version)
{
    begin_with(_i);
    acr_store *a = open_words(), *b = open_as("other", ACR_CASE_FOLDED);
    (void)must_add(a, "word");
    (void)must_add(b, "word");
    acr_token va = must_info(a).version, vb = must_info(b).version;
    ck_assert(!acr_token_eq(&va, &vb));
    acr_store_close(a);
    acr_store_close(b);
    env_free(&E);
}
END_TEST

START_TEST(order_of_insertion_is_kept)
{
    begin_with(_i);
    acr_store *s = open_words();
    const char *words[] = {"pear", "apple", "zebra", "fig"};
    for (int i = 0; i < 4; i++)
        (void)must_add(s, words[i]);
    (void)must_remove(s, "apple");
    (void)must_add(s, "apple");
    (void)must_add(s, "pear"); /* is there, and stays where it is */
    follower f = {.pieces = 0};
    must_follow(&f, s);
    const char *want[] = {"pear", "zebra", "fig", "apple"};
    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(naive_find(&f.words, acr_slice_str(want[i])), (size_t)i);
    /* replace_all: those that stay keep their place, the others follow. */
    acr_op ops[] = {op_of(ACR_OP_ADD, "b"), op_of(ACR_OP_ADD, "fig"),
                    op_of(ACR_OP_ADD, "a"), op_of(ACR_OP_PUT, "pear")};
    acr_request r = {.ops = ops, .n = 4, .replace_all = 1};
    unsigned char got[4];
    acr_apply_result result;
    ck_assert_int_eq(s->ops->apply(s, &r, got, &result, soon(), NULL), ACOR_OK);
    const unsigned char outcomes[] = {ACR_DONE, ACR_DONE_NOTHING, ACR_DONE,
                                      ACR_DONE_NOTHING};
    ck_assert_mem_eq(got, outcomes, 4);
    ck_assert_uint_eq(result.changed, 2);
    ck_assert_uint_eq(result.removed, 2);
    const char *after[] = {"pear", "fig", "b", "a"};
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_DELTA);
    follower fresh = {.pieces = 0};
    must_follow(&fresh, s);
    ck_assert_uint_eq(fresh.words.n, 4);
    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(naive_find(&fresh.words, acr_slice_str(after[i])), (size_t)i);
    ck_assert(naive_eq(&f.words, &fresh.words));
    follower_free(&f);
    follower_free(&fresh);
    acr_store_close(s);
    env_free(&E);
}
END_TEST

START_TEST(large_unsorted_batch_keeps_its_order)
{
    begin_with(_i);
    enum { N = 5000 };
    acr_store *s = open_words();
    static char text[N][16];
    static acr_op ops[N];
    for (unsigned i = 0; i < N; i++) {
        (void)snprintf(text[i], sizeof text[i], "%u", i * 7919u % 10007u);
        ops[i] = op_of(ACR_OP_ADD, text[i]);
    }
    ck_assert_int_eq(apply_ops(s, ops, N, NULL, NULL, NULL), ACOR_OK);
    follower f = {.pieces = 0};
    must_follow(&f, s);
    ck_assert_uint_eq(f.words.n, N);
    for (size_t i = 0; i < N; i++)
        ck_assert(acr_slice_eq(acr_slice_of(f.words.keywords[i], f.words.lens[i]),
                               ops[i].keyword));
    follower_free(&f);
    acr_store_close(s);
    env_free(&E);
}
END_TEST

START_TEST(keywords_are_bytes_of_any_kind)
{
    begin_with(_i);
    acr_store *s = open_words();
    static const struct {
        const char *data;
        size_t len;
    } words[] = {{"a\0b", 3},
                 {"\0", 1},
                 {"a", 1},
                 {"a\0", 2},
                 {"\xFF\xFE", 2},
                 {"\xC3\xA4", 2},
                 {"'; DROP TABLE keyword; --", 25},
                 {"12", 2},
                 {"012", 3},
                 {" ", 1}};
    enum { N = sizeof words / sizeof *words };
    acr_op ops[N];
    for (size_t i = 0; i < N; i++)
        ops[i] = (acr_op){.keyword = acr_slice_of(words[i].data, words[i].len),
                          .kind = ACR_OP_ADD};
    acr_apply_result r;
    ck_assert_int_eq(apply_ops(s, ops, N, NULL, &r, NULL), ACOR_OK);
    ck_assert_uint_eq(r.changed, N);
    follower f = {.pieces = 0};
    must_follow(&f, s);
    for (size_t i = 0; i < N; i++)
        ck_assert_uint_eq(naive_find(&f.words, ops[i].keyword), i);
    follower_free(&f);
    acr_store_close(s);
    env_free(&E);
}
END_TEST

START_TEST(keyword_of_16_mib_comes_back)
{
    begin_with(_i);
    size_t len = (size_t)16 << 20;
    unsigned char *big = malloc(len);
    ck_assert_ptr_nonnull(big);
    for (size_t i = 0; i < len; i++)
        big[i] = (unsigned char)(i * 31 >> 3);
    acr_store *s = open_words();
    acr_op ops[] = {{.keyword = acr_slice_of(big, len), .kind = ACR_OP_ADD},
                    {.keyword = acr_slice_of(big, len - 1), .kind = ACR_OP_ADD}};
    ck_assert_int_eq(apply_ops(s, ops, 2, NULL, NULL, NULL), ACOR_OK);
    follower f = {.pieces = 0};
    must_follow(&f, s);
    ck_assert_uint_eq(f.words.n, 2);
    ck_assert_uint_eq(naive_find(&f.words, ops[0].keyword), 0);
    ck_assert_uint_eq(naive_find(&f.words, ops[1].keyword), 1);
    ops[0].kind = ACR_OP_REMOVE;
    ck_assert_int_eq(apply_ops(s, ops, 1, NULL, NULL, NULL), ACOR_OK);
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_DELTA);
    ck_assert_uint_eq(f.words.n, 1);
    follower_free(&f);
    acr_store_close(s);
    env_free(&E);
    free(big);
}
END_TEST

START_TEST(attributes_are_refused_where_they_cannot_be_kept)
{
    begin_with(_i);
    acr_store *s = open_words();
    acr_op op = op_of(ACR_OP_PUT, "word");
    op.attributes = acr_slice_str("x");
    if (!s->ops->keeps_attributes)
        ck_assert_int_eq(apply_ops(s, &op, 1, NULL, NULL, NULL), ACOR_EUNSUPPORTED);
    ck_assert_int_eq(must_info(s).exists, 0);
    acr_store_close(s);
    env_free(&E);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store");
    TCase *tc = tcase_create("every backend");
    tcase_set_timeout(tc, 60);
#define CASE(name) tcase_add_loop_test(tc, name, 0, n_backends)
    CASE(absent_collection_is_empty_and_has_a_version);
    CASE(first_write_creates);
    CASE(every_call_counts_a_transaction_and_no_round_trip);
    CASE(load_knows_unchanged_delta_and_whole);
    CASE(unknown_versions_get_the_whole);
    CASE(large_dictionary_comes_in_pieces);
    CASE(sink_that_fails_ends_the_load);
    CASE(each_operation_has_its_outcome);
    CASE(batch_that_changes_nothing_writes_nothing);
    CASE(expected_version_that_moved_is_refused);
    CASE(predecessors_make_a_chain);
    CASE(same_history_elsewhere_has_another_version);
    CASE(order_of_insertion_is_kept);
    CASE(large_unsorted_batch_keeps_its_order);
    CASE(keywords_are_bytes_of_any_kind);
    CASE(keyword_of_16_mib_comes_back);
    CASE(attributes_are_refused_where_they_cannot_be_kept);
#undef CASE
    suite_add_tcase(suite, tc);
    return acor_test_run(suite);
}
