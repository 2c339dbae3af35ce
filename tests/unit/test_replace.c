/* SPDX-License-Identifier: Apache-2.0 */
/* Replacing and masking: statuses, limits, memory. That the results are right for
 * every text is shown in tests/lib/rewrites.c, which tests/cases run. */
#include <acor/acor.h>

#include <string.h>

#include "acor_test.h"
#include "memcount.h"

enum { ROOM = 400 };

static acor_string str(const char *s)
{
    return (acor_string){s, strlen(s)};
}

static acor_snapshot *build(const char *const *keywords, size_t n, const acor_allocator *hook)
{
    acor_build_options o = ACOR_BUILD_OPTIONS_INIT;
    acor_snapshot *snap = NULL;
    acor_string k[8];
    for (size_t i = 0; i < n; i++)
        k[i] = str(keywords[i]);
    o.allocator = hook;
    ck_assert_int_eq(acor_snapshot_build(&snap, k, n, &o, NULL), ACOR_OK);
    return snap;
}

/* The result is as wanted, and this many were found. */
static void gives(const acor_snapshot *snap, const char *text, const acor_replace_options *o,
                  const char *want, uint64_t count)
{
    char out[ROOM];
    size_t len = 0;
    uint64_t n = 0;
    ck_assert_int_eq(acor_snapshot_replace_into(snap, text, strlen(text), o, out, sizeof out - 1,
                                                &len, &n, NULL),
                     ACOR_OK);
    out[len] = '\0';
    ck_assert_str_eq(out, want);
    ck_assert_uint_eq(n, count);
}

START_TEST(adjacent_matches_are_replaced_each)
{
    static const char *const k[] = {"{a}", "{b}"};
    acor_snapshot *snap = build(k, 2, NULL);
    acor_replace_options o = ACOR_REPLACE_OPTIONS_INIT;
    gives(snap, "x{a}{b}y", NULL, "xy", 2);
    gives(snap, "x{a}{b}y", &o, "xy", 2);
    o.text = str("[cut]");
    gives(snap, "x{a}{b}y", &o, "x[cut][cut]y", 2);
    o.text = str("");
    o.mask = '*';
    gives(snap, "x{a}{b}y", &o, "x******y", 2);
    acor_snapshot_unref(snap);
}
END_TEST

START_TEST(a_mask_covers_overlapping_matches_whole)
{
    static const char *const k[] = {"abcd", "cdef", "bc", "ef"};
    acor_snapshot *snap = build(k, 4, NULL);
    acor_replace_options o = ACOR_REPLACE_OPTIONS_INIT;
    o.mask = '#';
    gives(snap, "xabcdefy ef", &o, "x######y ##", 5);
    o.mask = 0;
    gives(snap, "xabcdefy ef", &o, "xy ", 3);
    acor_snapshot_unref(snap);
}
END_TEST

START_TEST(one_mask_stands_for_one_character_whatever_its_bytes)
{
    static const char *const k[] = {"stra\xc3\x9f\x65", "k", "i\xcc\x87z", "\xef\xbf\xbd!"};
    acor_snapshot *snap = build(k, 4, NULL);
    acor_replace_options o = ACOR_REPLACE_OPTIONS_INIT;
    o.mask = 0x1F512;
#define LOCK "\xf0\x9f\x94\x92"
    gives(snap, "STRA\xe1\xba\x9e\x45 \xe2\x84\xaa", &o, LOCK LOCK LOCK LOCK LOCK LOCK " " LOCK,
          2);
    gives(snap, "\xff!", &o, LOCK LOCK, 1);
    acor_snapshot_unref(snap);
}
END_TEST

START_TEST(each_keyword_may_have_a_text)
{
    static const char *const k[] = {"one", "two", "three", "four"};
    acor_string by[3] = {{"1", 1}, {NULL, 0}, {"", 0}};
    acor_snapshot *snap = build(k, 4, NULL);
    acor_replace_options o = ACOR_REPLACE_OPTIONS_INIT;
    o.by_keyword = by;
    o.by_keyword_n = 3;
    gives(snap, "one two three four", &o, "1   ", 4);
    o.text = str("?");
    gives(snap, "one two three four", &o, "1 ?  ?", 4);
    acor_snapshot_unref(snap);
}
END_TEST

static int no_dot(void *user, uint32_t cp)
{
    return user != NULL && cp == '.';
}

START_TEST(limits_and_word_rules_are_those_of_a_scan)
{
    static const char *const k[] = {"cat"};
    int any = 0;
    acor_snapshot *snap = build(k, 1, NULL);
    acor_replace_options o = ACOR_REPLACE_OPTIONS_INIT;
    o.max_matches = 2;
    gives(snap, "cat cat cat", &o, "  cat", 2);
    o.mask = 'x';
    gives(snap, "cat cat cat", &o, "xxx xxx cat", 2);
    o.max_matches = 0;
    o.flags = ACOR_SCAN_WHOLE_WORD;
    gives(snap, "cat cats cat\xc3\xa9", &o, "xxx cats cat\xc3\xa9", 1);
    o.flags |= ACOR_SCAN_WORD_ASCII;
    gives(snap, "cat cats cat\xc3\xa9", &o, "xxx cats xxx\xc3\xa9", 2);
    o.flags = ACOR_SCAN_WHOLE_WORD;
    o.word = no_dot;
    o.word_user = &any;
    gives(snap, "cat. cats cat", &o, "cat. xxxs xxx", 2);
    acor_snapshot_unref(snap);
}
END_TEST

START_TEST(texts_without_bytes_or_matches_stay)
{
    static const char *const k[] = {"cat"};
    acor_snapshot *snap = build(k, 1, NULL), *empty = build(k, 0, NULL);
    acor_replace_options o = ACOR_REPLACE_OPTIONS_INIT;
    size_t len = 7;
    o.mask = '*';
    gives(snap, "", &o, "", 0);
    gives(snap, "dog", &o, "dog", 0);
    gives(empty, "cat", &o, "cat", 0);
    ck_assert_int_eq(acor_snapshot_replace_into(snap, NULL, 0, &o, NULL, 0, &len, NULL, NULL),
                     ACOR_OK);
    ck_assert_uint_eq(len, 0);
    acor_snapshot_unref(snap);
    acor_snapshot_unref(empty);
}
END_TEST

static void refused(const acor_snapshot *snap, const acor_replace_options *o, const char *part)
{
    acor_error err = ACOR_ERROR_INIT;
    size_t len = 7;
    uint64_t n = 7;
    char out[8];
    ck_assert_int_eq(
        acor_snapshot_replace_into(snap, "cat", 3, o, out, sizeof out, &len, &n, &err),
        ACOR_EINVAL);
    ck_assert_str_eq(err.operation, "snapshot_replace_into");
    ck_assert_msg(strstr(err.message, part) != NULL, "%s", err.message);
    ck_assert_uint_eq(len, 0);
    ck_assert_uint_eq(n, 0);
}

START_TEST(bad_options_are_refused)
{
    static const char *const k[] = {"cat"};
    static const acor_string hollow = {NULL, 3};
    acor_snapshot *snap = build(k, 1, NULL);
    acor_replace_options o = ACOR_REPLACE_OPTIONS_INIT;
    o.mask = 0xD800;
    refused(snap, &o, "scalar");
    o.mask = 0x110000;
    refused(snap, &o, "scalar");
    o.mask = '*';
    o.text = str("x");
    refused(snap, &o, "not both");
    o.text = (acor_string){NULL, 0};
    o.by_keyword = &hollow;
    o.by_keyword_n = 1;
    refused(snap, &o, "keyword 0");
    o.by_keyword = NULL;
    refused(snap, &o, "NULL with a length");
    o.by_keyword_n = 0;
    o.flags = ACOR_SCAN_CODEPOINTS;
    refused(snap, &o, "flags");
    o.flags = ACOR_SCAN_WORD_ASCII;
    refused(snap, &o, "word rule");
    o.flags = 0;
    o.struct_size = 0;
    refused(snap, &o, "ACOR_REPLACE_OPTIONS_INIT");
    refused(NULL, NULL, "NULL");
    ck_assert_int_eq(acor_snapshot_replace(snap, "cat", 3, NULL, NULL, NULL, NULL, NULL),
                     ACOR_EINVAL);
    acor_snapshot_unref(snap);
}
END_TEST

START_TEST(a_small_buffer_says_what_is_needed)
{
    static const char *const k[] = {"cat"};
    acor_snapshot *snap = build(k, 1, NULL);
    acor_replace_options o = ACOR_REPLACE_OPTIONS_INIT;
    acor_error err = ACOR_ERROR_INIT;
    o.text = str("tiger");
    for (size_t size = 0; size <= 12; size++) {
        char out[16];
        size_t len = 0;
        uint64_t n = 0;
        memset(out, '~', sizeof out);
        int status = acor_snapshot_replace_into(snap, "a cat nap", 9, &o, size ? out : NULL,
                                                size, &len, &n, &err);
        ck_assert_int_eq(status, size < 11 ? ACOR_ELIMIT : ACOR_OK);
        ck_assert_uint_eq(len, 11);
        ck_assert_uint_eq(n, 1);
        ck_assert_mem_eq(out, "a tiger nap~", size < 11 ? size : 11);
        ck_assert_int_eq(out[size], '~');
        if (size == 3)
            ck_assert_msg(strstr(err.message, "11 bytes") != NULL, "%s", err.message);
    }
    acor_snapshot_unref(snap);
}
END_TEST

typedef struct stopping {
    int left, calls;
} stopping;

static int stop_later(void *user, const char *bytes, size_t len)
{
    stopping *s = user;
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_gt(len, 0);
    s->calls++;
    return s->left-- == 0;
}

/* Pieces: "a ", what stands for cat, " and ", the same, " nap". */
START_TEST(a_function_may_stop_at_every_piece)
{
    static const char *const k[] = {"cat"};
    const char *text = "a cat and cat nap";
    acor_snapshot *snap = build(k, 1, NULL);
    for (int mask = 0; mask < 2; mask++)
        for (int stop = 0; stop <= 5; stop++) {
            acor_replace_options o = ACOR_REPLACE_OPTIONS_INIT;
            stopping s = {stop, 0};
            if (mask)
                o.mask = '*';
            else
                o.text = str("dog");
            int status = acor_snapshot_replace(snap, text, strlen(text), &o, stop_later, &s,
                                               NULL, NULL);
            ck_assert_int_eq(status, stop < 5 ? ACOR_STOPPED : ACOR_OK);
            ck_assert_int_eq(s.calls, stop < 5 ? stop + 1 : 5);
        }
    acor_snapshot_unref(snap);
}
END_TEST

static int ignore(void *user, const char *bytes, size_t len)
{
    (void)bytes;
    *(size_t *)user += len;
    return 0;
}

START_TEST(no_memory_is_said)
{
    static const char *const k[] = {"cat"};
    memcount m;
    memcount_init(&m);
    acor_snapshot *snap = build(k, 1, &m.hook);
    acor_replace_options o = ACOR_REPLACE_OPTIONS_INIT;
    acor_error err = ACOR_ERROR_INIT;
    size_t out = 0;
    uint64_t before = m.live_bytes;
    o.mask = '*';
    memcount_fail(&m, 0, 0);
    ck_assert_int_eq(acor_snapshot_replace(snap, "a cat", 5, &o, ignore, &out, NULL, &err),
                     ACOR_ENOMEM);
    ck_assert_str_eq(err.operation, "snapshot_replace");
    ck_assert_uint_eq(m.live_bytes, before);
    memcount_fail(&m, MEMCOUNT_NEVER, 0);
    acor_snapshot_unref(snap);
    ck_assert_uint_eq(m.live_bytes, 0);
}
END_TEST

/* What is held for a text of so many bytes, at most. */
static uint64_t peak_for(const acor_snapshot *snap, memcount *m, size_t len, int mask)
{
    acor_replace_options o = ACOR_REPLACE_OPTIONS_INIT;
    char *text = malloc(len);
    size_t out = 0;
    uint64_t n = 0, before = m->live_bytes;
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < len; i++)
        text[i] = "a cat "[i % 6];
    m->peak_bytes = before;
    o.mask = mask ? '*' : 0;
    ck_assert_int_eq(acor_snapshot_replace(snap, text, len, &o, ignore, &out, &n, NULL),
                     ACOR_OK);
    ck_assert_uint_eq(n, len / 6);
    ck_assert_uint_eq(out, mask ? len : len - len / 6 * 3);
    ck_assert_uint_eq(m->live_bytes, before);
    free(text);
    return m->peak_bytes - before;
}

START_TEST(memory_does_not_grow_with_the_text)
{
    enum { MIB = 1 << 20 };
    static const char *const k[] = {"cat"};
    memcount m;
    memcount_init(&m);
    acor_snapshot *snap = build(k, 1, &m.hook);
    for (int mask = 0; mask < 2; mask++) {
        uint64_t small = peak_for(snap, &m, 3 * (MIB / 3), mask);
        ck_assert_uint_le(small, MIB);
        ck_assert_uint_eq(peak_for(snap, &m, 48 * (MIB / 3), mask), small);
    }
    acor_snapshot_unref(snap);
}
END_TEST

START_TEST(utf16_spans_are_checked)
{
    const char *text = "a\xc3\xa9\xf0\x9f\x98\x80\xff z";
    size_t len = strlen(text);
    acor_match m[3] = {{.start = 3, .end = 7}, {.start = 0, .end = 8}, {.start = 9, .end = 10}};
    acor_span s[3];
    ck_assert_int_eq(acor_utf16_spans(text, len, m, 3, s), ACOR_OK);
    ck_assert_uint_eq(s[0].start, 2);
    ck_assert_uint_eq(s[0].end, 4);
    ck_assert_uint_eq(s[1].start, 0);
    ck_assert_uint_eq(s[1].end, 5);
    ck_assert_uint_eq(s[2].start, 6);
    ck_assert_uint_eq(s[2].end, 7);
    ck_assert_int_eq(acor_utf16_spans(NULL, 0, NULL, 0, NULL), ACOR_OK);
    ck_assert_int_eq(acor_utf16_spans(NULL, 1, m, 1, s), ACOR_EINVAL);
    ck_assert_int_eq(acor_utf16_spans(text, len, NULL, 1, s), ACOR_EINVAL);
    ck_assert_int_eq(acor_utf16_spans(text, len, m, 1, NULL), ACOR_EINVAL);
    static const acor_match bad[] = {{.start = 0, .end = 11},
                                     {.start = 3, .end = 1},
                                     {.start = 2, .end = 3},
                                     {.start = 0, .end = 5}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        m[1] = bad[i];
        s[0].end = 0;
        ck_assert_int_eq(acor_utf16_spans(text, len, m, 2, s), ACOR_EINVAL);
        ck_assert_uint_eq(s[0].end, 4);
    }
}
END_TEST

static Suite *replace_suite(void)
{
    Suite *suite = suite_create("replace");
    TCase *t = tcase_create("replace");
    tcase_add_test(t, adjacent_matches_are_replaced_each);
    tcase_add_test(t, a_mask_covers_overlapping_matches_whole);
    tcase_add_test(t, one_mask_stands_for_one_character_whatever_its_bytes);
    tcase_add_test(t, each_keyword_may_have_a_text);
    tcase_add_test(t, limits_and_word_rules_are_those_of_a_scan);
    tcase_add_test(t, texts_without_bytes_or_matches_stay);
    tcase_add_test(t, bad_options_are_refused);
    tcase_add_test(t, a_small_buffer_says_what_is_needed);
    tcase_add_test(t, a_function_may_stop_at_every_piece);
    tcase_add_test(t, no_memory_is_said);
    tcase_add_test(t, memory_does_not_grow_with_the_text);
    tcase_add_test(t, utf16_spans_are_checked);
    suite_add_tcase(suite, t);
    return suite;
}

int main(void)
{
    return acor_test_run(replace_suite());
}
