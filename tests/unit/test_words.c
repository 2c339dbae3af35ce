/* SPDX-License-Identifier: Apache-2.0 */
/* Keyword sets, against a naive model and with memory that runs out. */
#include <stdio.h>

#include "acor_test.h"
#include "words_help.h"

/* --- the model: an array in order of coming, gaps included ---------------- */

enum { MOST = 6000, LONGEST = 40 };

typedef struct model {
    struct {
        unsigned char data[LONGEST];
        size_t len;
        int in;
    } at[MOST];
    uint32_t places, count;
} model;

static acr_slice model_word(const model *m, uint32_t i)
{
    return acr_slice_of(m->at[i].data, m->at[i].len);
}

static uint32_t model_find(const model *m, acr_slice w)
{
    for (uint32_t i = 0; i < m->places; i++)
        if (m->at[i].in && acr_slice_eq(model_word(m, i), w))
            return i;
    return ACR_WORDS_NONE;
}

static void model_add(model *m, acr_slice w)
{
    if (model_find(m, w) != ACR_WORDS_NONE)
        return;
    if (m->places == MOST || w.len > LONGEST)
        ck_abort_msg("the model is full");
    if (w.len != 0)
        memcpy(m->at[m->places].data, w.data, w.len);
    m->at[m->places].len = w.len;
    m->at[m->places++].in = 1;
    m->count++;
}

static int model_remove(model *m, acr_slice w)
{
    uint32_t i = model_find(m, w);
    if (i == ACR_WORDS_NONE)
        return 0;
    m->at[i].in = 0;
    m->count--;
    return 1;
}

static void model_pack(model *m)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->places; i++)
        if (m->at[i].in)
            m->at[n++] = m->at[i];
    m->places = n;
}

static void agree(const acr_words *w, const model *m)
{
    uint64_t bytes = 0;
    if (acr_words_count(w) != m->count || acr_words_places(w) != m->places)
        ck_abort_msg("%zu of %u places, not %u of %u", acr_words_count(w),
                     acr_words_places(w), m->count, m->places);
    for (uint32_t i = 0; i < m->places; i++) {
        acr_slice got = acr_words_at(w, i), want = model_word(m, i);
        if (!m->at[i].in) {
            if (got.data != NULL || got.len != 0)
                ck_abort_msg("place %u is no gap", i);
            continue;
        }
        bytes += want.len;
        if (got.data == NULL || !acr_slice_eq(got, want) || got.data[got.len] != '\0')
            ck_abort_msg("place %u differs", i);
        if (acr_words_find(w, want) != i)
            ck_abort_msg("place %u is not found", i);
    }
    if (acr_words_bytes(w) != bytes)
        ck_abort_msg("%u bytes", (unsigned)acr_words_bytes(w));
    ck_assert_ptr_null(acr_words_at(w, m->places).data);
    ck_assert_ptr_null(acr_words_at(w, ACR_WORDS_NONE).data);
}

/* Few bytes and short, so that the same word, and prefixes, come often. */
static acr_slice random_word(unsigned char *p, uint64_t *seed)
{
    size_t len = count_random(seed) % 9, n = 0;
    if (count_random(seed) % 8 == 0)
        for (; n < 20; n++)
            p[n] = 'p';
    for (size_t i = 0; i < len; i++)
        p[n++] = (unsigned char)"abc\0\xff"[count_random(seed) % 5];
    return acr_slice_of(p, n);
}

/* --- one thing at a time -------------------------------------------------- */

START_TEST(new_set_is_empty)
{
    acr_words *w = new_words();
    static model m;
    agree(w, &m);
    ck_assert_uint_eq(acr_words_find(w, acr_slice_str("a")), ACR_WORDS_NONE);
    ck_assert_int_eq(acr_words_remove(w, acr_slice_str("a")), 0);
    ck_assert_int_eq(acr_words_pack(w, NULL), ACOR_OK);
    ck_assert_uint_eq(acr_words_memory(w), counter.bytes);
    order_agrees(w);
    ck_assert_uint_eq(nodes_of(w), 1);
    acr_words_unref(w);
    acr_words_unref(NULL);
}
END_TEST

START_TEST(keyword_that_is_there_is_not_added_again)
{
    acr_words *w = new_words();
    add(w, "b");
    add(w, "a");
    int added = -1;
    ck_assert_int_eq(acr_words_add(w, acr_slice_str("b"), &added, NULL), ACOR_OK);
    ck_assert_int_eq(added, 0);
    ck_assert_int_eq(acr_words_add(w, acr_slice_str("a"), NULL, NULL), ACOR_OK);
    ck_assert_uint_eq(acr_words_count(w), 2);
    ck_assert_uint_eq(acr_words_find(w, acr_slice_str("b")), 0);
    ck_assert_uint_eq(acr_words_find(w, acr_slice_str("a")), 1);
    acr_words_unref(w);
}
END_TEST

START_TEST(removed_keyword_leaves_a_gap_and_comes_back_at_the_end)
{
    acr_words *w = new_words();
    add(w, "a");
    add(w, "b");
    add(w, "c");
    ck_assert_int_eq(acr_words_remove(w, acr_slice_str("b")), 1);
    ck_assert_int_eq(acr_words_remove(w, acr_slice_str("b")), 0);
    ck_assert_ptr_null(acr_words_at(w, 1).data);
    add(w, "b");
    ck_assert_uint_eq(acr_words_find(w, acr_slice_str("b")), 3);
    ck_assert_int_eq(acr_words_pack(w, NULL), ACOR_OK);
    ck_assert_uint_eq(acr_words_places(w), 3);
    ck_assert_uint_eq(acr_words_find(w, acr_slice_str("a")), 0);
    ck_assert_uint_eq(acr_words_find(w, acr_slice_str("c")), 1);
    ck_assert_uint_eq(acr_words_find(w, acr_slice_str("b")), 2);
    acr_words_unref(w);
}
END_TEST

START_TEST(bytes_do_not_move_while_keywords_come_and_go)
{
    acr_words *w = new_words();
    add(w, "stays");
    const unsigned char *p = acr_words_at(w, 0).data;
    for (int i = 0; i < 5000; i++) {
        char word[20];
        (void)snprintf(word, sizeof word, "word %d", i);
        add(w, word);
        if (i % 3 == 0)
            ck_assert_int_eq(acr_words_remove(w, acr_slice_str(word)), 1);
    }
    ck_assert_ptr_eq(acr_words_at(w, 0).data, p);
    ck_assert_str_eq((const char *)p, "stays");
    acr_words_unref(w);
}
END_TEST

START_TEST(pack_gives_memory_back)
{
    acr_words *w = new_words();
    for (int i = 0; i < 5000; i++) {
        char word[20];
        (void)snprintf(word, sizeof word, "word %d", i);
        add(w, word);
        if (i != 77)
            ck_assert_int_eq(acr_words_remove(w, acr_slice_str(word)), 1);
    }
    ck_assert_int_eq(acr_words_pack(w, NULL), ACOR_OK);
    ck_assert_uint_eq(acr_words_count(w), 1);
    ck_assert_uint_lt(acr_words_memory(w), 2500);
    ck_assert_uint_eq(acr_words_memory(w), counter.bytes);
    ck_assert_int_eq(acr_words_remove(w, acr_slice_str("word 77")), 1);
    ck_assert_int_eq(acr_words_pack(w, NULL), ACOR_OK);
    ck_assert_uint_eq(acr_words_places(w), 0);
    add(w, "word 77");
    acr_words_unref(w);
}
END_TEST

START_TEST(memory_is_what_was_really_taken)
{
    acr_words *w = new_words();
    for (int i = 0; i < 3000; i++) {
        char word[20];
        (void)snprintf(word, sizeof word, "%d", i);
        add(w, word);
        if (acr_words_memory(w) != counter.bytes)
            ck_abort_msg("%zu, not %zu", acr_words_memory(w), counter.bytes);
    }
    acr_words_unref(w);
}
END_TEST

START_TEST(sole_owner_keeps_the_set)
{
    acr_words *w = new_words(), *before = w;
    ck_assert_int_eq(acr_words_own(&w, NULL), ACOR_OK);
    ck_assert_ptr_eq(w, before);
    acr_words *other = acr_words_ref(w);
    acr_words_unref(other);
    ck_assert_int_eq(acr_words_own(&w, NULL), ACOR_OK);
    ck_assert_ptr_eq(w, before);
    acr_words_unref(w);
}
END_TEST

START_TEST(shared_set_is_copied_and_readers_see_no_change)
{
    acr_words *w = new_words();
    add(w, "a");
    add(w, "b");
    add(w, "c");
    ck_assert_int_eq(acr_words_remove(w, acr_slice_str("a")), 1);
    acr_words *reader = acr_words_ref(w);
    ck_assert_int_eq(acr_words_own(&w, NULL), ACOR_OK);
    ck_assert_ptr_ne(w, reader);
    ck_assert_uint_eq(acr_words_places(w), 2);
    ck_assert_uint_eq(acr_words_find(w, acr_slice_str("b")), 0);
    add(w, "d");
    ck_assert_int_eq(acr_words_remove(w, acr_slice_str("b")), 1);
    ck_assert_uint_eq(acr_words_count(reader), 2);
    ck_assert_uint_eq(acr_words_find(reader, acr_slice_str("b")), 1);
    ck_assert_uint_eq(acr_words_find(reader, acr_slice_str("d")), ACR_WORDS_NONE);
    /* The caller's reference went to the copy: the reader's is the last. */
    acr_words *before = reader;
    ck_assert_int_eq(acr_words_own(&reader, NULL), ACOR_OK);
    ck_assert_ptr_eq(reader, before);
    acr_words_unref(reader);
    ck_assert_uint_eq(acr_words_count(w), 2);
    acr_words_unref(w);
}
END_TEST

START_TEST(keyword_too_long_to_be_one_is_refused)
{
    acr_words *w = new_words();
    acor_error err = ACOR_ERROR_INIT;
    int added = -1;
    acr_slice huge = acr_slice_of("x", (size_t)UINT32_MAX + 1);
    if (huge.len > UINT32_MAX) {
        ck_assert_int_eq(acr_words_add(w, huge, &added, &err), ACOR_ELIMIT);
        ck_assert_int_eq(added, 0);
        ck_assert_int_eq(err.status, ACOR_ELIMIT);
    }
    ck_assert_uint_eq(acr_words_count(w), 0);
    acr_words_unref(w);
}
END_TEST

/* --- everything at once --------------------------------------------------- */

START_TEST(set_agrees_with_a_naive_model)
{
    static model m, seen;
    memset(&m, 0, sizeof m);
    uint64_t seed = (uint64_t)_i + 1;
    acr_words *w = new_words(), *reader = NULL;
    for (int step = 0; step < 4000; step++) {
        unsigned char p[LONGEST];
        acr_slice word = random_word(p, &seed);
        uint32_t what = count_random(&seed) % 100;
        if (what < 2 && reader == NULL) {
            reader = acr_words_ref(w);
            seen = m;
        }
        acr_words *before = w;
        if (acr_words_own(&w, NULL) != ACOR_OK || (w != before) != (reader == before))
            ck_abort_msg("step %d: own", step);
        if (w != before)
            model_pack(&m);
        if (what < 60) {
            int added = -1, want = model_find(&m, word) == ACR_WORDS_NONE;
            if (acr_words_add(w, word, &added, NULL) != ACOR_OK || added != want)
                ck_abort_msg("step %d: add", step);
            model_add(&m, word);
        } else if (what < 96) {
            if (acr_words_remove(w, word) != model_remove(&m, word))
                ck_abort_msg("step %d: remove", step);
        } else if (what == 96) {
            ck_assert_int_eq(acr_words_pack(w, NULL), ACOR_OK);
            model_pack(&m);
        } else if (what == 97 && reader != NULL) {
            agree(reader, &seen);
            acr_words_unref(reader);
            reader = NULL;
        }
        if (step % 200 == 0) {
            agree(w, &m);
            order_agrees(w);
            (void)nodes_of(w);
        }
    }
    agree(w, &m);
    acr_words_unref(reader);
    acr_words_unref(w);
}
END_TEST

/* --- memory runs out ------------------------------------------------------ */

START_TEST(new_set_without_memory_is_null)
{
    count_alloc_fail(&counter, 0);
    ck_assert_ptr_null(acr_words_new(&mem));
}
END_TEST

/* As many words, in no order, with gaps if asked for. */
static void fill(acr_words *w, model *m, int words, int gaps)
{
    memset(m, 0, sizeof *m);
    for (int i = 0; i < words; i++) {
        char word[LONGEST];
        (void)snprintf(word, sizeof word, "%d word with a long end", i * 37 % 1000);
        model_add(m, acr_slice_str(word));
        ck_assert_int_eq(acr_words_add(w, acr_slice_str(word), NULL, NULL), ACOR_OK);
        if (gaps && i % 3 == 0) {
            (void)model_remove(m, acr_slice_str(word));
            (void)acr_words_remove(w, acr_slice_str(word));
        }
    }
}

typedef int (*call_fn)(acr_words **w);

static int call_add(acr_words **w)
{
    acr_slice word = acr_slice_str("a new one");
    int added = -1, had = acr_words_find(*w, word) != ACR_WORDS_NONE;
    acor_error err = ACOR_ERROR_INIT;
    int status = acr_words_add(*w, word, &added, &err);
    ck_assert_int_eq(added, !had && status == ACOR_OK);
    ck_assert_int_eq(err.status, status);
    return status;
}

static int call_own(acr_words **w)
{
    acr_words *before = *w, *other = acr_words_ref(*w);
    acor_error err = ACOR_ERROR_INIT;
    int status = acr_words_own(w, &err);
    ck_assert_int_eq(err.status, status);
    ck_assert_int_eq(*w == before, status != ACOR_OK);
    acr_words_unref(other);
    return status;
}

static int call_pack(acr_words **w)
{
    acor_error err = ACOR_ERROR_INIT;
    int status = acr_words_pack(*w, &err);
    ck_assert_int_eq(err.status, status);
    return status;
}

static int call_sorted(acr_words **w)
{
    acor_error err = ACOR_ERROR_INIT;
    uint32_t *got;
    int status = acr_words_sorted(*w, &mem, &got, &err);
    ck_assert_int_eq(err.status, status);
    ck_assert_int_eq(got == NULL, status != ACOR_OK);
    acr_free(&mem, got, acr_words_count(*w) * sizeof *got);
    return status;
}

static int call_nodes(acr_words **w)
{
    acor_error err = ACOR_ERROR_INIT;
    uint64_t n;
    int status = acr_words_nodes(*w, &mem, &n, &err);
    ck_assert_int_eq(err.status, status);
    return status;
}

static const struct {
    call_fn call;
    size_t least; /* requests at least, where there is something to do */
    int packs, adds;
} calls[] = {
    {call_add, 0, 0, 1},    {call_own, 4, 1, 0},   {call_pack, 3, 1, 0},
    {call_sorted, 6, 0, 0}, {call_nodes, 6, 0, 0},
};

/* Each of the calls, with each of its requests refused in turn. */
START_TEST(without_memory_nothing_leaks_and_nothing_changes)
{
    static const int sizes[] = {0, 1, 8, 10, 16, 100, 128, 200};
    static model m;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int gaps = 0; gaps < 2; gaps++) {
            int status = ACOR_ENOMEM;
            size_t n = 0;
            for (; status != ACOR_OK; n++) {
                acr_words *w = new_words();
                fill(w, &m, sizes[k], gaps);
                count_alloc_fail(&counter, n);
                status = calls[_i].call(&w);
                count_alloc_fail(&counter, SIZE_MAX);
                ck_assert(status == ACOR_OK || status == ACOR_ENOMEM);
                ck_assert_uint_eq(counter.bytes, acr_words_memory(w));
                if (status == ACOR_OK && calls[_i].packs)
                    model_pack(&m);
                if (status == ACOR_OK && calls[_i].adds)
                    model_add(&m, acr_slice_str("a new one"));
                agree(w, &m);
                /* It is usable. */
                ck_assert_int_eq(calls[_i].call(&w), ACOR_OK);
                add(w, "another");
                order_agrees(w);
                acr_words_unref(w);
                ck_assert_uint_eq(counter.blocks, 0);
                ck_assert_uint_lt(n, 100);
            }
            if (sizes[k] == 100 && gaps)
                ck_assert_uint_ge(n, calls[_i].least + 1);
        }
}
END_TEST

START_TEST(filling_goes_on_after_every_refusal)
{
    static model m;
    memset(&m, 0, sizeof m);
    acr_words *w = new_words();
    size_t refused = 0;
    for (int i = 0; i < 2000; i++) {
        char word[LONGEST];
        (void)snprintf(word, sizeof word, "%d", i);
        model_add(&m, acr_slice_str(word));
        int status = ACOR_ENOMEM;
        for (size_t n = 0; status != ACOR_OK; n++) {
            count_alloc_fail(&counter, n);
            status = acr_words_add(w, acr_slice_str(word), NULL, NULL);
            refused += status == ACOR_ENOMEM;
        }
    }
    count_alloc_fail(&counter, SIZE_MAX);
    agree(w, &m);
    ck_assert_uint_ge(refused, 20);
    ck_assert_uint_eq(acr_words_memory(w), counter.bytes);
    acr_words_unref(w);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("words");
    TCase *t = tcase_create("words");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 120);
    tcase_add_test(t, new_set_is_empty);
    tcase_add_test(t, keyword_that_is_there_is_not_added_again);
    tcase_add_test(t, removed_keyword_leaves_a_gap_and_comes_back_at_the_end);
    tcase_add_test(t, bytes_do_not_move_while_keywords_come_and_go);
    tcase_add_test(t, pack_gives_memory_back);
    tcase_add_test(t, memory_is_what_was_really_taken);
    tcase_add_test(t, sole_owner_keeps_the_set);
    tcase_add_test(t, shared_set_is_copied_and_readers_see_no_change);
    tcase_add_test(t, keyword_too_long_to_be_one_is_refused);
    tcase_add_loop_test(t, set_agrees_with_a_naive_model, 0, 5);
    tcase_add_test(t, new_set_without_memory_is_null);
    tcase_add_loop_test(t, without_memory_nothing_leaks_and_nothing_changes, 0,
                        (int)(sizeof calls / sizeof *calls));
    tcase_add_test(t, filling_goes_on_after_every_refusal);
    suite_add_tcase(s, t);
    return acor_test_run(s);
}
