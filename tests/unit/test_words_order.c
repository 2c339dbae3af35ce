/* SPDX-License-Identifier: Apache-2.0 */
/* Keyword sets: the order of their bytes, and the prefixes counted by it. */
#include <stdio.h>

#include "acor_test.h"
#include "text/utf8.h"
#include "words_help.h"

/* --- order ---------------------------------------------------------------- */

START_TEST(order_is_by_bytes_with_prefixes_first)
{
    acr_words *w = new_words();
    static const char *const words[] = {"b", "abcdefghi", "abcdefgh", "", "abcdefg", "a",
                                        "\xff", "\xc3\xa4", "abcdefghij", "~"};
    static const uint32_t want[] = {3, 5, 4, 2, 1, 8, 0, 9, 7, 6};
    for (int i = 0; i < 10; i++)
        add(w, words[i]);
    uint32_t *got;
    ck_assert_int_eq(acr_words_sorted(w, &mem, &got, NULL), ACOR_OK);
    for (int i = 0; i < 10; i++)
        ck_assert_uint_eq(got[i], want[i]);
    acr_free(&mem, got, 10 * sizeof *got);
    acr_words_unref(w);
}
END_TEST

START_TEST(order_tells_nul_bytes_from_the_end)
{
    acr_words *w = new_words();
    static const unsigned char nul[20];
    for (size_t n = sizeof nul + 1; n-- > 0;)
        ck_assert_int_eq(acr_words_add(w, acr_slice_of(nul, n), NULL, NULL), ACOR_OK);
    order_agrees(w);
    acr_words_unref(w);
}
END_TEST

/* The i-th word of n: random, in order, backwards, alike in front, and so on. */
static void shape_word(char *p, size_t size, int shape, uint32_t i, uint32_t n,
                       uint32_t r)
{
    switch (shape) {
    case 0: (void)snprintf(p, size, "%u", r); break;
    case 1: (void)snprintf(p, size, "%08u", i); break;
    case 2: (void)snprintf(p, size, "%08u", n - i); break;
    case 3: (void)snprintf(p, size, "https://host.test/%u", r % 500); break;
    case 4: (void)snprintf(p, size, "%0*u", (int)(i % 90) + 1, 0u); break;
    case 5: (void)snprintf(p, size, "%u%08u", i & 1, i); break;
    default: (void)snprintf(p, size, "%u%060u", r % 3, r % 100); break;
    }
}

/* Sets of many sizes; _i picks the shape. */
START_TEST(order_is_that_of_the_c_library)
{
    for (uint32_t n = 0; n < 60000; n = n < 70 ? n + 1 : n * 3) {
        acr_words *w = new_words();
        uint64_t seed = n;
        for (uint32_t i = 0; i < n; i++) {
            char word[100];
            uint32_t r = count_random(&seed);
            shape_word(word, sizeof word, _i, i, n, r);
            if (acr_words_add(w, acr_slice_str(word), NULL, NULL) != ACOR_OK)
                ck_abort_msg("no memory");
            if (r % 16 == 0)
                (void)acr_words_remove(w, acr_slice_str(word));
        }
        order_agrees(w);
        acr_words_unref(w);
    }
}
END_TEST

/* Megabytes shared: neither deep recursion nor time beyond the bytes. */
START_TEST(long_shared_prefixes_are_sorted)
{
    enum { WORDS = 60, LEN = 200000 };
    acr_words *w = new_words();
    char *p = malloc(LEN + 2);
    ck_assert_ptr_nonnull(p);
    memset(p, 'x', LEN);
    for (int i = WORDS; i > 0; i--) {
        p[LEN] = (char)('0' + i);
        size_t len = i % 7 ? (size_t)LEN + 1 : (size_t)(LEN - i);
        ck_assert_int_eq(acr_words_add(w, acr_slice_of(p, len), NULL, NULL), ACOR_OK);
    }
    order_agrees(w);
    ck_assert_uint_eq(nodes_of(w), 1 + LEN + WORDS - WORDS / 7);
    free(p);
    acr_words_unref(w);
}
END_TEST

START_TEST(keywords_in_order_take_no_room_to_sort)
{
    acr_words *w = new_words();
    for (int i = 0; i < 1000; i++) {
        char word[20];
        (void)snprintf(word, sizeof word, "%05d", i);
        add(w, word);
    }
    count_alloc_fail(&counter, 1);
    uint32_t *got;
    ck_assert_int_eq(acr_words_sorted(w, &mem, &got, NULL), ACOR_OK);
    ck_assert_uint_eq(counter.asked, 1);
    acr_free(&mem, got, 1000 * sizeof *got);
    acr_words_unref(w);
}
END_TEST

/* --- nodes ---------------------------------------------------------------- */

START_TEST(nodes_are_the_prefixes_and_the_root)
{
    acr_words *w = new_words();
    add(w, "he");
    ck_assert_uint_eq(nodes_of(w), 3);
    add(w, "she");
    add(w, "her");
    ck_assert_uint_eq(nodes_of(w), 7);
    /* Two code points that share their first byte, or their first two. */
    add(w, "\xc3\xa4");
    add(w, "\xc3\xb6");
    ck_assert_uint_eq(nodes_of(w), 9);
    add(w, "\xe4\xbd\xa0x");
    add(w, "\xe4\xbd\xa1");
    add(w, "\xe4\xbd\xa0");
    ck_assert_uint_eq(nodes_of(w), 12);
    ck_assert_int_eq(acr_words_remove(w, acr_slice_str("he")), 1);
    ck_assert_uint_eq(nodes_of(w), 12);
    ck_assert_int_eq(acr_words_remove(w, acr_slice_str("her")), 1);
    ck_assert_uint_eq(nodes_of(w), 9);
    acr_words_unref(w);
}
END_TEST

START_TEST(nodes_agree_with_a_set_of_all_prefixes)
{
    for (uint64_t round = 1; round < 60; round++) {
        acr_words *w = new_words(), *prefixes = new_words();
        uint64_t seed = round;
        add(prefixes, "");
        for (int i = 0; i < 200; i++) {
            static const uint32_t letters[] = {'a', 'b', 0xE4, 0xF6, 0x4F60, 0x4F61,
                                               0x5000, 0x1F600, 0x1F601, 0x10F600};
            unsigned char p[40];
            size_t n = 0;
            for (uint32_t k = count_random(&seed) % 8; k > 0; k--) {
                n += acr_utf8_encode(p + n, letters[count_random(&seed) % 10]);
                (void)acr_words_add(prefixes, acr_slice_of(p, n), NULL, NULL);
            }
            (void)acr_words_add(w, acr_slice_of(p, n), NULL, NULL);
        }
        ck_assert_uint_eq(nodes_of(w), acr_words_count(prefixes));
        acr_words_unref(prefixes);
        acr_words_unref(w);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("words_order");
    TCase *t = tcase_create("order");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 120);
    tcase_add_test(t, order_is_by_bytes_with_prefixes_first);
    tcase_add_test(t, order_tells_nul_bytes_from_the_end);
    tcase_add_loop_test(t, order_is_that_of_the_c_library, 0, 7);
    tcase_add_test(t, long_shared_prefixes_are_sorted);
    tcase_add_test(t, keywords_in_order_take_no_room_to_sort);
    tcase_add_test(t, nodes_are_the_prefixes_and_the_root);
    tcase_add_test(t, nodes_agree_with_a_set_of_all_prefixes);
    suite_add_tcase(s, t);
    return acor_test_run(s);
}
