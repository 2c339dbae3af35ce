/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The storage seam's promises, kept by every backend: each case runs on all of
 * them, and on all of them again through a fault store that has no fault set.
 */
#include "acor_test.h"

#include <pthread.h>
#include <stdio.h>

#include "store_env.h"
#include "store_fault.h"

static env E;

static void begin_with(int i)
{
    env_init(&E, &backends[i]);
}

static acr_store *open_as(const char *name, acr_case mode)
{
    return env_open(&E, name, mode);
}

static acr_store *open_words(void)
{
    return open_as("words", ACR_CASE_FOLDED);
}

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
    acr_op ops[] = {op_of(ACR_OP_ADD, "there"),   op_of(ACR_OP_ADD, "new"),
                    op_of(ACR_OP_REMOVE, "going"), op_of(ACR_OP_REMOVE, "nowhere"),
                    op_of(ACR_OP_PUT, "put"),     op_of(ACR_OP_PUT, "also new")};
    const unsigned char want[] = {ACR_DONE_NOTHING, ACR_DONE, ACR_DONE, ACR_DONE_NOTHING,
                                  ACR_DONE_NOTHING, ACR_DONE};
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
    ck_assert_int_eq(s->ops->apply(s, &request, &outcome, &r, soon(), &err), ACOR_ECONFLICT);
    ck_assert_uint_eq(err.retryable, 1);
    acr_store_info info = must_info(s);
    ck_assert_uint_eq(info.keywords, 1);
    expect = info.version;
    (void)must_add(other, "c");
    acr_request replace = {.ops = &op, .n = 1, .replace_all = 1, .expect = &expect};
    ck_assert_int_eq(s->ops->apply(s, &replace, &outcome, &r, soon(), &err), ACOR_ECONFLICT);
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
    acr_op ops[] = {op_of(ACR_OP_ADD, "b"), op_of(ACR_OP_ADD, "fig"), op_of(ACR_OP_ADD, "a"),
                    op_of(ACR_OP_PUT, "pear")};
    acr_request r = {.ops = ops, .n = 4, .replace_all = 1};
    unsigned char got[4];
    acr_apply_result result;
    ck_assert_int_eq(s->ops->apply(s, &r, got, &result, soon(), NULL), ACOR_OK);
    const unsigned char outcomes[] = {ACR_DONE, ACR_DONE_NOTHING, ACR_DONE, ACR_DONE_NOTHING};
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
    } words[] = {{"a\0b", 3}, {"\0", 1}, {"a", 1}, {"a\0", 2}, {"\xFF\xFE", 2}, {"\xC3\xA4", 2},
                 {"'; DROP TABLE keyword; --", 25}, {"12", 2}, {"012", 3}, {" ", 1}};
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

/* --- the log of changes --------------------------------------------------- */

START_TEST(batch_larger_than_the_log_empties_it)
{
    begin_with(_i);
    acr_store *s = open_words();
    (void)must_add(s, "first");
    follower f = {.pieces = 0};
    must_follow(&f, s);
    (void)must_add_range(s, "w", 0, 6000);
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_WHOLE);
    ck_assert_uint_eq(f.words.n, 6001);
    (void)must_add(s, "last");
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_DELTA);
    ck_assert_uint_eq(f.changes, 1);
    follower_free(&f);
    acr_store_close(s);
    env_free(&E);
}
END_TEST

START_TEST(log_goes_back_4096_changes)
{
    begin_with(_i);
    acr_store *s = open_words();
    acr_token after[60];
    for (int i = 0; i < 60; i++)
        after[i] = must_add_range(s, "w", 100 * i, 100).version;
    /* 6,000 keywords, so the log holds 4,096: 40 batches of 100 and a part. */
    for (int i = 0; i < 60; i++) {
        follower f = {.version = after[i], .count_only = 1};
        must_follow(&f, s);
        acr_load_kind want = i == 59   ? ACR_LOAD_UNCHANGED
                             : i >= 19 ? ACR_LOAD_DELTA
                                       : ACR_LOAD_WHOLE;
        ck_assert_int_eq(f.kind, want);
        ck_assert_uint_eq(f.changes, i >= 19 ? 100 * (59 - (size_t)i) : 6000);
        follower_free(&f);
    }
    acr_store_close(s);
    env_free(&E);
}
END_TEST

START_TEST(log_grows_with_the_dictionary)
{
    begin_with(_i);
    acr_store *s = open_words();
    (void)must_add_range(s, "w", 0, 40000);
    follower f = {.version = must_add_range(s, "x", 0, 1).version, .count_only = 1};
    (void)must_add_range(s, "y", 0, 9000);
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_DELTA);
    ck_assert_uint_eq(f.changes, 9000);
    follower_free(&f);
    acr_store_close(s);
    env_free(&E);
}
END_TEST

START_TEST(clear_is_a_delta_if_it_is_small)
{
    begin_with(_i);
    acr_store *s = open_words();
    (void)must_add_range(s, "w", 0, 500);
    follower f = {.pieces = 0};
    must_follow(&f, s);
    acr_request clear = {.replace_all = 1};
    acr_apply_result r;
    ck_assert_int_eq(s->ops->apply(s, &clear, NULL, &r, soon(), NULL), ACOR_OK);
    ck_assert_uint_eq(r.removed, 500);
    ck_assert_uint_eq(r.changed, 0);
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_DELTA);
    ck_assert_uint_eq(f.words.n, 0);
    (void)must_add_range(s, "w", 0, 5000);
    must_follow(&f, s);
    ck_assert_int_eq(s->ops->apply(s, &clear, NULL, &r, soon(), NULL), ACOR_OK);
    ck_assert_uint_eq(r.removed, 5000);
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_WHOLE);
    ck_assert_uint_eq(f.words.n, 0);
    acr_store_info info = must_info(s);
    ck_assert_int_eq(info.exists, 1);
    ck_assert_int_eq(info.mode, ACR_CASE_FOLDED);
    ck_assert_int_eq(must_add(s, "again"), 1);
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_DELTA);
    follower_free(&f);
    acr_store_close(s);
    env_free(&E);
}
END_TEST

/* --- histories ------------------------------------------------------------ */

static uint32_t dice;

static uint32_t roll(uint32_t n)
{
    dice = dice * 1664525u + 1013904223u;
    return (dice >> 8) % n;
}

#define VOCABULARY 60

static acr_slice vocabulary(uint32_t i)
{
    static char words[VOCABULARY][8];
    (void)snprintf(words[i], sizeof words[i], "%c%c%u", 'a' + (int)(i * 7 % 26),
                   'z' - (int)(i % 5), i);
    return acr_slice_str(words[i]);
}

/* One random request, made of the store and of the model; they must agree. */
static void step(acr_store *s, naive *model)
{
    acr_op ops[VOCABULARY];
    unsigned char got[VOCABULARY], used[VOCABULARY] = {0};
    size_t n = roll(8) ? roll(6) : roll(VOCABULARY);
    acr_request request = {.ops = ops, .n = n, .replace_all = roll(6) == 0};
    uint64_t changed = 0, removed = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t word;
        do
            word = roll(VOCABULARY);
        while (used[word]);
        used[word] = 1;
        ops[i] = (acr_op){.keyword = vocabulary(word),
                          .kind = (acr_op_kind)(1 + roll(request.replace_all ? 2 : 3))};
    }
    acr_apply_result r;
    ck_assert_int_eq(s->ops->apply(s, &request, got, &r, soon(), NULL), ACOR_OK);
    if (request.replace_all)
        for (uint32_t word = 0; word < VOCABULARY; word++)
            if (!used[word])
                removed += (uint64_t)naive_remove(model, vocabulary(word));
    for (size_t i = 0; i < n; i++) {
        int want = ops[i].kind == ACR_OP_REMOVE ? naive_remove(model, ops[i].keyword)
                                                : naive_add(model, ops[i].keyword);
        ck_assert_int_eq(got[i], want);
        changed += (uint64_t)want;
    }
    ck_assert_uint_eq(r.changed, changed);
    ck_assert_uint_eq(r.removed, removed);
    ck_assert_int_eq(acr_token_eq(&r.version, &r.predecessor), changed + removed == 0);
}

START_TEST(delta_equals_whole_for_random_histories)
{
    begin_with(_i);
    dice = 20240607;
    acr_store *writers[2] = {open_words(), open_words()};
    enum { FOLLOWERS = 4 };
    follower f[FOLLOWERS] = {{.pieces = 0}};
    naive model = {.n = 0};
    unsigned deltas = 0, wholes = 0;
    for (int i = 0; i < 400; i++) {
        step(writers[roll(2)], &model);
        for (uint32_t j = 0; j < FOLLOWERS; j++) {
            if (roll(1u << (2 * j)) != 0)
                continue; /* the later ones follow at a growing distance */
            must_follow(&f[j], writers[roll(2)]);
            deltas += f[j].kind == ACR_LOAD_DELTA;
            wholes += f[j].kind == ACR_LOAD_WHOLE;
            ck_assert(naive_eq(&f[j].words, &model));
        }
        if (roll(20) == 0) {
            follower fresh = {.pieces = 0};
            must_follow(&fresh, writers[0]);
            ck_assert(naive_eq(&fresh.words, &model));
            follower_free(&fresh);
        }
        ck_assert_uint_eq(must_info(writers[0]).keywords, model.n);
    }
    ck_assert_uint_gt(deltas, 100);
    ck_assert_uint_le(wholes, 2 * FOLLOWERS); /* each at its first load, or from absent */
    for (int j = 0; j < FOLLOWERS; j++)
        follower_free(&f[j]);
    naive_free(&model);
    acr_store_close(writers[0]);
    acr_store_close(writers[1]);
    env_free(&E);
}
END_TEST

/* --- collections ---------------------------------------------------------- */

START_TEST(collections_do_not_touch_each_other)
{
    begin_with(_i);
    enum { N = 12 };
    acr_store *s[N];
    naive model[N];
    acr_token version[N];
    dice = 7;
    for (int i = 0; i < N; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, i % 2 ? "name%d" : "a name with a blank %d", i);
        s[i] = open_as(name, i % 3 ? ACR_CASE_FOLDED : ACR_CASE_EXACT);
        model[i] = (naive){.n = 0};
        version[i] = must_info(s[i]).version;
    }
    for (int turn = 0; turn < 120; turn++) {
        uint32_t i = roll(N);
        step(s[i], &model[i]);
        for (uint32_t j = 0; j < N; j++) {
            acr_token now = must_info(s[j]).version;
            if (j != i)
                ck_assert(acr_token_eq(&now, &version[j]));
            version[j] = now;
        }
    }
    for (int i = 0; i < N; i++) {
        follower f = {.pieces = 0};
        must_follow(&f, s[i]);
        ck_assert(naive_eq(&f.words, &model[i]));
        follower_free(&f);
        naive_free(&model[i]);
        acr_store_close(s[i]);
    }
    env_free(&E);
}
END_TEST

START_TEST(first_write_records_the_mode)
{
    begin_with(_i);
    acr_store *exact = open_as("words", ACR_CASE_EXACT);
    acr_store *folded = open_as("words", ACR_CASE_FOLDED);
    acr_store *any = open_as("words", ACR_CASE_UNRECORDED);
    ck_assert_int_eq(must_info(folded).mode, ACR_CASE_UNRECORDED);
    (void)must_add(exact, "Word");
    acor_error err = ACOR_ERROR_INIT;
    acr_store_info info;
    follower f = {.pieces = 0};
    acr_op op = op_of(ACR_OP_ADD, "other");
    ck_assert_int_eq(folded->ops->info(folded, &info, soon(), &err), ACOR_EMODE);
    ck_assert_str_eq(err.message,
                     "the collection is case-sensitive and was opened as case-insensitive");
    ck_assert_int_eq(follow(&f, folded, NULL), ACOR_EMODE);
    ck_assert_int_eq(apply_ops(folded, &op, 1, NULL, NULL, NULL), ACOR_EMODE);
    ck_assert_int_eq(must_add(any, "other"), 1);
    must_follow(&f, any);
    ck_assert_int_eq(f.mode, ACR_CASE_EXACT);
    ck_assert_uint_eq(f.words.n, 2);
    acr_store_close(any);
    any = open_as("another", ACR_CASE_UNRECORDED);
    (void)must_add(any, "word");
    ck_assert_int_eq(must_info(any).mode, ACR_CASE_FOLDED);
    follower_free(&f);
    acr_store_close(any);
    acr_store_close(exact);
    acr_store_close(folded);
    env_free(&E);
}
END_TEST

START_TEST(read_only_handle_refuses_writes)
{
    begin_with(_i);
    acr_store *s = open_words();
    (void)must_add(s, "word");
    acr_mem mem;
    ck_assert_int_eq(acr_mem_init(&mem, NULL, NULL), ACOR_OK);
    acr_store_params p = {.name = acr_slice_str("words"), .read_only = 1, .mem = &mem};
    acr_store *reader;
    ck_assert_int_eq(acr_store_open(&reader, E.url, &p, E.root, NULL), ACOR_OK);
    acr_op op = op_of(ACR_OP_ADD, "other");
    ck_assert_int_eq(apply_ops(reader, &op, 1, NULL, NULL, NULL), ACOR_EREADONLY);
    ck_assert_uint_eq(must_info(reader).keywords, 1);
    acr_store_close(reader);
    acr_store_close(s);
    env_free(&E);
}
END_TEST

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
    CASE(batch_larger_than_the_log_empties_it);
    CASE(log_goes_back_4096_changes);
    CASE(log_grows_with_the_dictionary);
    CASE(clear_is_a_delta_if_it_is_small);
    CASE(delta_equals_whole_for_random_histories);
    CASE(collections_do_not_touch_each_other);
    CASE(first_write_records_the_mode);
    CASE(read_only_handle_refuses_writes);
    CASE(watch_sees_the_changes_of_others_and_its_own);
    CASE(watch_of_what_does_not_change_ends_with_its_deadline);
    CASE(wait_is_woken_from_another_thread);
    CASE(change_ends_a_wait_soon);
    CASE(each_failed_allocation_is_enomem_and_leaks_nothing);
#undef CASE
    suite_add_tcase(suite, tc);
    return acor_test_run(suite);
}
