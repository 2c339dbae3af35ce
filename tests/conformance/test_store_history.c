/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Over time, in every backend: the log of changes, random histories against a
 * naive model, collections beside each other, and their modes.
 */
#include "acor_test.h"

#include <stdio.h>

#include "store_env.h"

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
    ck_assert_str_eq(
        err.message,
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

int main(void)
{
    Suite *suite = suite_create("store_history");
    TCase *tc = tcase_create("every backend");
    tcase_set_timeout(tc, 60);
#define CASE(name) tcase_add_loop_test(tc, name, 0, n_backends)
    CASE(batch_larger_than_the_log_empties_it);
    CASE(log_goes_back_4096_changes);
    CASE(log_grows_with_the_dictionary);
    CASE(clear_is_a_delta_if_it_is_small);
    CASE(delta_equals_whole_for_random_histories);
    CASE(collections_do_not_touch_each_other);
    CASE(first_write_records_the_mode);
    CASE(read_only_handle_refuses_writes);
#undef CASE
    suite_add_tcase(suite, tc);
    return acor_test_run(suite);
}
