/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: statuses, what is decided when, readers, memory. That the matches are
 * those of the whole text is shown in tests/cases/test_streams.c. */
#include <acor/acor.h>

#include <errno.h>
#include <string.h>

#include "acor_test.h"

/* The last matches seen, and how many there were. */
typedef struct seen {
    acor_match last;
    uint64_t n;
    uint64_t stop_at; /* 0: never */
    acor_stream *stream;
    int busy; /* calls from the callback that answered ACOR_EBUSY */
} seen;

static int note(void *user, const acor_match *m, size_t n)
{
    seen *s = user;
    s->last = m[n - 1];
    s->n += n;
    return s->stop_at != 0 && s->n >= s->stop_at;
}

static acor_string str(const char *s)
{
    return (acor_string){s, strlen(s)};
}

static acor_snapshot *build(const acor_string *k, size_t n, const acor_allocator *hook)
{
    acor_build_options o = ACOR_BUILD_OPTIONS_INIT;
    acor_snapshot *snap = NULL;
    o.allocator = hook;
    ck_assert_int_eq(acor_snapshot_build(&snap, k, n, &o, NULL), ACOR_OK);
    return snap;
}

/* A stream that owns the only reference to its snapshot. */
static acor_stream *stream_of(const char *keyword, uint32_t kind, uint32_t flags, seen *to)
{
    acor_string k = str(keyword);
    acor_snapshot *snap = build(&k, 1, NULL);
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    acor_stream *s = NULL;
    o.kind = kind;
    o.flags = flags;
    *to = (seen){.n = 0};
    ck_assert_int_eq(acor_stream_new(&s, snap, &o, note, to, NULL), ACOR_OK);
    acor_snapshot_unref(snap);
    return s;
}

static void feed(acor_stream *s, const char *piece)
{
    ck_assert_int_eq(acor_stream_feed(s, piece, strlen(piece), NULL), ACOR_OK);
}

static void finish(acor_stream *s, uint64_t count)
{
    uint64_t n = 12345;
    ck_assert_int_eq(acor_stream_finish(s, &n, NULL), ACOR_OK);
    ck_assert_uint_eq(n, count);
}

START_TEST(bad_arguments_are_refused)
{
    acor_string k = str("a");
    acor_snapshot *snap = build(&k, 1, NULL);
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    acor_error err = ACOR_ERROR_INIT;
    int other = 0;
    acor_stream *s = (acor_stream *)(void *)&other;
    uint64_t n = 7;
    ck_assert_int_eq(acor_stream_new(NULL, snap, NULL, NULL, NULL, &err), ACOR_EINVAL);
    ck_assert_str_eq(err.operation, "stream_new");
    ck_assert_int_eq(acor_stream_new(&s, NULL, NULL, NULL, NULL, NULL), ACOR_EINVAL);
    ck_assert_ptr_null(s);
    o.kind = 9;
    ck_assert_int_eq(acor_stream_new(&s, snap, &o, NULL, NULL, NULL), ACOR_EINVAL);
    ck_assert_int_eq(acor_stream_new(&s, snap, NULL, NULL, NULL, NULL), ACOR_OK);
    ck_assert_int_eq(acor_stream_feed(NULL, "a", 1, &err), ACOR_EINVAL);
    ck_assert_str_eq(err.operation, "stream_feed");
    ck_assert_int_eq(acor_stream_feed(s, NULL, 1, NULL), ACOR_EINVAL);
    ck_assert_int_eq(acor_stream_finish(NULL, &n, &err), ACOR_EINVAL);
    ck_assert_str_eq(err.operation, "stream_finish");
    ck_assert_uint_eq(n, 0);
    feed(s, "a");
    ck_assert_int_eq(acor_stream_finish(s, NULL, NULL), ACOR_OK);
    acor_stream_free(s);
    acor_stream_free(NULL);
    acor_stream_reset(NULL);
    acor_snapshot_unref(snap);
}
END_TEST

START_TEST(texts_without_bytes_and_keywords_have_no_matches)
{
    seen got;
    acor_stream *s = stream_of("a", 0, 0, &got);
    finish(s, 0);
    acor_stream_reset(s);
    ck_assert_int_eq(acor_stream_feed(s, NULL, 0, NULL), ACOR_OK);
    finish(s, 0);
    acor_stream_free(s);
    acor_snapshot *snap = build(NULL, 0, NULL);
    ck_assert_int_eq(acor_stream_new(&s, snap, NULL, NULL, NULL, NULL), ACOR_OK);
    feed(s, "some \xe2\x84");
    feed(s, "\xaa text");
    finish(s, 0);
    acor_stream_free(s);
    acor_snapshot_unref(snap);
}
END_TEST

START_TEST(a_nul_is_a_character)
{
    acor_string k = {"a\0b", 3};
    acor_snapshot *snap = build(&k, 1, NULL);
    acor_stream *s = NULL;
    ck_assert_int_eq(acor_stream_new(&s, snap, NULL, NULL, NULL, NULL), ACOR_OK);
    ck_assert_int_eq(acor_stream_feed(s, "a", 1, NULL), ACOR_OK);
    ck_assert_int_eq(acor_stream_feed(s, "\0", 1, NULL), ACOR_OK);
    ck_assert_int_eq(acor_stream_feed(s, "b\0", 2, NULL), ACOR_OK);
    finish(s, 1);
    acor_stream_free(s);
    acor_snapshot_unref(snap);
}
END_TEST

START_TEST(a_character_may_come_in_four_pieces)
{
    seen got;
    acor_stream *s = stream_of("\xf0\x9f\x98\x80", 0, ACOR_SCAN_CODEPOINTS, &got);
    static const char *const pieces[] = {"\xc3\xa9\xf0", "\x9f", "\x98", "\x80"};
    for (int i = 0; i < 4; i++) {
        ck_assert_uint_eq(got.n, 0);
        feed(s, pieces[i]);
    }
    ck_assert_uint_eq(got.n, 1);
    ck_assert_uint_eq(got.last.start, 2);
    ck_assert_uint_eq(got.last.end, 6);
    ck_assert_uint_eq(got.last.cp_start, 1);
    ck_assert_uint_eq(got.last.cp_end, 2);
    finish(s, 1);
    acor_stream_free(s);
}
END_TEST

/* Undecodable bytes are found with a keyword that is U+FFFD: when each is decided. */
START_TEST(a_byte_is_decided_once_nothing_can_complete_it)
{
    static const struct {
        const char *piece;
        unsigned bad; /* undecodable bytes known by then */
    } steps[] = {
        {"\x80", 1},         {"\xc3", 1},         {"a", 2},      {"\xe0", 2},
        {"\x80", 4},         {"\xed\xa0", 6},     {"\xf0", 6},   {"\x8f", 8},
        {"\xf4\x90", 10},    {"\xc0", 11},        {"\xf5", 12},  {"\xf0\x9f\x98", 12},
        {"\xf0\x9f", 15},    {"\x98\x80\x80", 16}, {"\xe2", 16}, {"\x84\xaa", 16},
        {"\xe2\x84", 16},    {"\xc3\xa9", 18},    {"\xf1\x80\x80", 18},
    };
    seen got;
    acor_stream *s = stream_of("\xef\xbf\xbd", 0, 0, &got);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        feed(s, steps[i].piece);
        ck_assert_msg(got.n == steps[i].bad, "step %zu: %u, not %u", i, (unsigned)got.n,
                      steps[i].bad);
    }
    finish(s, 21);
    acor_stream_free(s);
}
END_TEST

START_TEST(a_whole_word_waits_for_its_neighbour)
{
    seen got;
    acor_stream *s = stream_of("cat", 0, ACOR_SCAN_WHOLE_WORD, &got);
    feed(s, "a cat");
    ck_assert_uint_eq(got.n, 0);
    feed(s, "\xe2\x80");
    ck_assert_uint_eq(got.n, 0);
    feed(s, "\x94");
    ck_assert_uint_eq(got.n, 1);
    feed(s, "cat\xc3");
    feed(s, "\xa9 cat");
    finish(s, 2);
    ck_assert_uint_eq(got.last.start, 14);
    acor_stream_free(s);
}
END_TEST

START_TEST(a_choice_waits_for_what_could_change_it)
{
    acor_string k[] = {str("abcd"), str("bc"), str("b")};
    acor_snapshot *snap = build(k, 3, NULL);
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    acor_stream *s = NULL;
    seen got = {.n = 0};
    o.kind = ACOR_MATCH_LEFTMOST_LONGEST;
    ck_assert_int_eq(acor_stream_new(&s, snap, &o, note, &got, NULL), ACOR_OK);
    acor_snapshot_unref(snap);
    feed(s, "abc");
    ck_assert_uint_eq(got.n, 0);
    feed(s, "x");
    ck_assert_uint_eq(got.n, 1);
    ck_assert_uint_eq(got.last.keyword, 1);
    feed(s, "abc");
    feed(s, "d");
    feed(s, "b");
    ck_assert_uint_eq(got.n, 2);
    ck_assert_uint_eq(got.last.keyword, 0);
    finish(s, 3);
    acor_stream_free(s);
}
END_TEST

/* --- ends -------------------------------------------------------------------- */

START_TEST(a_stopped_stream_ignores_the_rest)
{
    seen got;
    uint64_t n = 0;
    acor_stream *s = stream_of("a", 0, ACOR_SCAN_ONE_BY_ONE, &got);
    for (int round = 0; round < 2; round++) {
        got.n = 0;
        got.stop_at = 2;
        feed(s, "a");
        ck_assert_int_eq(acor_stream_feed(s, "aaa", 3, NULL), ACOR_STOPPED);
        ck_assert_int_eq(acor_stream_feed(s, "aaa", 3, NULL), ACOR_STOPPED);
        ck_assert_int_eq(acor_stream_feed(s, NULL, 0, NULL), ACOR_STOPPED);
        ck_assert_int_eq(acor_stream_finish(s, &n, NULL), ACOR_STOPPED);
        ck_assert_int_eq(acor_stream_finish(s, &n, NULL), ACOR_STOPPED);
        ck_assert_uint_eq(n, 2);
        ck_assert_uint_eq(got.n, 2);
        acor_stream_reset(s);
    }
    acor_stream_free(s);
}
END_TEST

START_TEST(max_matches_counts_over_all_pieces)
{
    acor_string k = str("a");
    acor_snapshot *snap = build(&k, 1, NULL);
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    o.max_matches = 3;
    for (o.kind = 0; o.kind < 2; o.kind++) {
        acor_stream *s = NULL;
        uint64_t n = 0;
        ck_assert_int_eq(acor_stream_new(&s, snap, &o, NULL, NULL, NULL), ACOR_OK);
        feed(s, "a a");
        ck_assert_int_eq(acor_stream_feed(s, " a a a", 6, NULL), ACOR_STOPPED);
        ck_assert_int_eq(acor_stream_finish(s, &n, NULL), ACOR_STOPPED);
        ck_assert_uint_eq(n, 3);
        acor_stream_free(s);
    }
    acor_snapshot_unref(snap);
}
END_TEST

START_TEST(a_finished_text_takes_no_more)
{
    seen got;
    acor_error err = ACOR_ERROR_INIT;
    acor_stream *s = stream_of("ab", 0, 0, &got);
    feed(s, "ab");
    finish(s, 1);
    ck_assert_int_eq(acor_stream_feed(s, "ab", 2, &err), ACOR_EINVAL);
    ck_assert_str_eq(err.message, "the text is finished");
    ck_assert_int_eq(acor_stream_feed(s, NULL, 0, NULL), ACOR_EINVAL);
    finish(s, 1);
    acor_stream_reset(s);
    feed(s, "b a");
    feed(s, "b");
    finish(s, 1);
    ck_assert_uint_eq(got.last.start, 2);
    acor_stream_free(s);
}
END_TEST

START_TEST(reset_forgets_what_was_not_decided)
{
    seen got;
    acor_stream *s = stream_of("cat", 1, ACOR_SCAN_WHOLE_WORD, &got);
    feed(s, "cat");
    acor_stream_reset(s);
    finish(s, 0);
    acor_stream_reset(s);
    feed(s, "ca");
    acor_stream_reset(s);
    feed(s, "t");
    finish(s, 0);
    acor_stream_free(s);
}
END_TEST

static int call_back(void *user, const acor_match *m, size_t n)
{
    seen *s = user;
    s->busy += acor_stream_feed(s->stream, "a", 1, NULL) == ACOR_EBUSY;
    s->busy += acor_stream_finish(s->stream, NULL, NULL) == ACOR_EBUSY;
    acor_stream_reset(s->stream);
    return note(user, m, n);
}

static int word_call_back(void *user, uint32_t cp)
{
    seen *s = user;
    s->busy += acor_stream_feed(s->stream, "a", 1, NULL) == ACOR_EBUSY;
    return cp == 'x';
}

START_TEST(a_stream_is_busy_in_its_own_callbacks)
{
    acor_string k = str("a");
    acor_snapshot *snap = build(&k, 1, NULL);
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    seen got = {.n = 0};
    ck_assert_int_eq(acor_stream_new(&got.stream, snap, NULL, call_back, &got, NULL),
                     ACOR_OK);
    feed(got.stream, "xa");
    feed(got.stream, "a");
    finish(got.stream, 2);
    ck_assert_int_eq(got.busy, 4);
    ck_assert_uint_eq(got.last.start, 2);
    acor_stream_free(got.stream);

    got = (seen){.n = 0};
    o.flags = ACOR_SCAN_WHOLE_WORD;
    o.word = word_call_back;
    o.word_user = &got;
    ck_assert_int_eq(acor_stream_new(&got.stream, snap, &o, call_back, &got, NULL), ACOR_OK);
    feed(got.stream, "-a");
    finish(got.stream, 1);
    ck_assert_int_eq(got.busy, 3);
    acor_stream_free(got.stream);
    acor_snapshot_unref(snap);
}
END_TEST

/* --- readers ----------------------------------------------------------------- */

typedef struct source {
    const char *text;
    size_t len, at, step;
    int64_t then; /* what is answered at the end */
    int calls;
} source;

static int64_t read_step(void *user, char *buffer, size_t size)
{
    source *s = user;
    s->calls++;
    if (size == 0)
        return -EDOM;
    if (s->at == s->len)
        return s->then;
    size_t n = s->len - s->at < s->step ? s->len - s->at : s->step;
    if (n > size)
        n = size;
    memcpy(buffer, s->text + s->at, n);
    s->at += n;
    return (int64_t)n;
}

static int64_t read_too_much(void *user, char *buffer, size_t size)
{
    *(int *)user += 1;
    memset(buffer, 'a', size);
    return (int64_t)size + 1;
}

static int read_text(source *from, seen *to, uint64_t *n, acor_error *err)
{
    acor_string k = str("cat");
    acor_snapshot *snap = build(&k, 1, NULL);
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    o.flags = ACOR_SCAN_WHOLE_WORD;
    int status = acor_snapshot_find_stream(snap, read_step, from, &o, note, to, n, err);
    acor_snapshot_unref(snap);
    return status;
}

START_TEST(a_reader_is_read_to_its_end)
{
    seen got = {.n = 0};
    uint64_t n = 7;
    source src = {.text = "cat cat", .len = 7, .step = 2};
    ck_assert_int_eq(read_text(&src, &got, &n, NULL), ACOR_OK);
    ck_assert_uint_eq(n, 2);
    ck_assert_uint_eq(got.last.end, 7);
    ck_assert_int_eq(src.calls, 5);
    src = (source){.text = ""};
    ck_assert_int_eq(read_text(&src, &got, &n, NULL), ACOR_OK);
    ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(a_reader_that_fails_loses_only_what_is_undecided)
{
    seen got = {.n = 0};
    uint64_t n = 7;
    acor_error err = ACOR_ERROR_INIT;
    source src = {.text = "cat cat", .len = 7, .step = 2, .then = -ECONNRESET};
    ck_assert_int_eq(read_text(&src, &got, &n, &err), ACOR_EIO);
    ck_assert_int_eq(err.sys_errno, ECONNRESET);
    ck_assert_str_eq(err.operation, "snapshot_find_stream");
    ck_assert_uint_eq(n, 1);
    ck_assert_uint_eq(got.n, 1);
    src.then = INT64_MIN;
    ck_assert_int_eq(read_text(&src, &got, &n, &err), ACOR_EIO);
    ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(a_reader_that_gives_too_much_is_refused)
{
    acor_string k = str("aa");
    acor_snapshot *snap = build(&k, 1, NULL);
    acor_error err = ACOR_ERROR_INIT;
    uint64_t n = 7;
    int calls = 0;
    ck_assert_int_eq(acor_snapshot_find_stream(snap, read_too_much, &calls, NULL, NULL, NULL,
                                               &n, &err),
                     ACOR_EINVAL);
    ck_assert_int_eq(calls, 1);
    ck_assert_uint_eq(n, 0);
    n = 7;
    ck_assert_int_eq(acor_snapshot_find_stream(snap, NULL, NULL, NULL, NULL, NULL, &n, NULL),
                     ACOR_EINVAL);
    ck_assert_uint_eq(n, 0);
    ck_assert_int_eq(acor_snapshot_find_stream(NULL, read_too_much, &calls, NULL, NULL, NULL,
                                               NULL, NULL),
                     ACOR_EINVAL);
    acor_snapshot_unref(snap);
}
END_TEST

START_TEST(a_stopped_scan_reads_no_further)
{
    seen got = {.stop_at = 1};
    source src = {.text = "cat cat cat", .len = 11, .step = 4};
    ck_assert_int_eq(read_text(&src, &got, NULL, NULL), ACOR_STOPPED);
    ck_assert_int_eq(src.calls, 1);
}
END_TEST

static Suite *stream_suite(void)
{
    Suite *suite = suite_create("stream");
    TCase *t = tcase_create("stream");
    tcase_add_test(t, bad_arguments_are_refused);
    tcase_add_test(t, texts_without_bytes_and_keywords_have_no_matches);
    tcase_add_test(t, a_nul_is_a_character);
    tcase_add_test(t, a_character_may_come_in_four_pieces);
    tcase_add_test(t, a_byte_is_decided_once_nothing_can_complete_it);
    tcase_add_test(t, a_whole_word_waits_for_its_neighbour);
    tcase_add_test(t, a_choice_waits_for_what_could_change_it);
    tcase_add_test(t, a_stopped_stream_ignores_the_rest);
    tcase_add_test(t, max_matches_counts_over_all_pieces);
    tcase_add_test(t, a_finished_text_takes_no_more);
    tcase_add_test(t, reset_forgets_what_was_not_decided);
    tcase_add_test(t, a_stream_is_busy_in_its_own_callbacks);
    tcase_add_test(t, a_reader_is_read_to_its_end);
    tcase_add_test(t, a_reader_that_fails_loses_only_what_is_undecided);
    tcase_add_test(t, a_reader_that_gives_too_much_is_refused);
    tcase_add_test(t, a_stopped_scan_reads_no_further);
    suite_add_tcase(suite, t);
    return suite;
}

int main(void)
{
    return acor_test_run(stream_suite());
}
