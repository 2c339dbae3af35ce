/* SPDX-License-Identifier: Apache-2.0 */
/* What a server answers: every kind, in any pieces, and what is no answer. */
#include "acor_test.h"
#include "count_alloc.h"

#include <stdio.h>

#include "store/redis/reply.h"

static count_alloc counter;
static acr_mem mem;
static acr_arena arena;
static acr_reply_reader *reader;
static acor_error err;

static void setup(void)
{
    mem = count_alloc_mem(&counter);
    acr_arena_init(&arena, &mem);
    reader = acr_reply_reader_new(&mem);
    ck_assert_ptr_nonnull(reader);
    err = (acor_error)ACOR_ERROR_INIT;
}

static void teardown(void)
{
    acr_reply_reader_free(reader);
    acr_arena_free(&arena);
    ck_assert_uint_eq(counter.blocks, 0);
    ck_assert_uint_eq(counter.bytes, 0);
}

/* A new reader, as after a failure. */
static void again(void)
{
    acr_reply_reader_free(reader);
    acr_arena_free(&arena);
    reader = acr_reply_reader_new(&mem);
    ck_assert_ptr_nonnull(reader);
    err = (acor_error)ACOR_ERROR_INIT;
}

/* --- a reply as text ------------------------ */

static void show(const acr_reply *r, char *dst, size_t size)
{
    size_t n = strlen(dst);
    switch (r->kind) {
    case ACR_REPLY_NIL: snprintf(dst + n, size - n, "nil"); break;
    case ACR_REPLY_STRING:
        snprintf(dst + n, size - n, "'%.*s'", (int)r->text.len, (const char *)r->text.data);
        break;
    case ACR_REPLY_STATUS:
        snprintf(dst + n, size - n, "+%.*s", (int)r->text.len, (const char *)r->text.data);
        break;
    case ACR_REPLY_ERROR:
        snprintf(dst + n, size - n, "-%.*s", (int)r->text.len, (const char *)r->text.data);
        break;
    case ACR_REPLY_INTEGER: snprintf(dst + n, size - n, "%lld", (long long)r->integer); break;
    case ACR_REPLY_ARRAY:
        snprintf(dst + n, size - n, "[");
        for (size_t i = 0; i < r->n; i++) {
            if (i != 0)
                strncat(dst, " ", size - strlen(dst) - 1);
            show(&r->items[i], dst, size);
        }
        strncat(dst, "]", size - strlen(dst) - 1);
        break;
    }
}

/* Feed in pieces of a size; every reply that comes out, one behind the other. */
static int read_pieces(const char *bytes, size_t len, size_t piece, char *dst, size_t size)
{
    dst[0] = '\0';
    for (size_t at = 0; at < len; at += piece) {
        size_t n = len - at < piece ? len - at : piece;
        int status = acr_reply_feed(reader, acr_slice_of(bytes + at, n), &err);
        if (status != ACOR_OK)
            return status;
        for (;;) {
            acr_reply *r;
            status = acr_reply_next(reader, &arena, &r, &err);
            if (status != ACOR_OK)
                return status;
            if (r == NULL)
                break;
            if (dst[0] != '\0')
                strncat(dst, "; ", size - strlen(dst) - 1);
            show(r, dst, size);
        }
    }
    return ACOR_OK;
}

static void answers(const char *bytes, const char *want)
{
    char got[1024];
    for (size_t piece = 1; piece <= strlen(bytes); piece++) {
        again();
        int status = read_pieces(bytes, strlen(bytes), piece, got, sizeof got);
        ck_assert_msg(status == ACOR_OK, "%s: %s", bytes, err.message);
        ck_assert_str_eq(got, want);
    }
}

START_TEST(every_kind_of_reply_is_read_in_any_pieces)
{
    answers("+OK\r\n", "+OK");
    answers("+\r\n", "+");
    answers("-ERR wrong\r\n", "-ERR wrong");
    answers(":0\r\n", "0");
    answers(":-9223372036854775808\r\n", "-9223372036854775808");
    answers(":9223372036854775807\r\n", "9223372036854775807");
    answers("$5\r\nhello\r\n", "'hello'");
    answers("$0\r\n\r\n", "''");
    answers("$4\r\na\r\nb\r\n", "'a\r\nb'");
    answers("$-1\r\n", "nil");
    answers("*0\r\n", "[]");
    answers("*-1\r\n", "nil");
    answers("*3\r\n:1\r\n$1\r\nx\r\n$-1\r\n", "[1 'x' nil]");
}
END_TEST

START_TEST(nested_replies_are_read_in_any_pieces)
{
    answers("*2\r\n*2\r\n:1\r\n*0\r\n*1\r\n*1\r\n+x\r\n", "[[1 []] [[+x]]]");
    answers("*6\r\n:0\r\n$2\r\n-5\r\n$-1\r\n:3\r\n:4\r\n$2\r\n[]\r\n",
            "[0 '-5' nil 3 4 '[]']");
    answers("*2\r\n-ERR inside\r\n:1\r\n", "[-ERR inside 1]");
}
END_TEST

START_TEST(replies_come_one_behind_the_other)
{
    answers("+OK\r\n:1\r\n$1\r\nx\r\n*1\r\n:2\r\n-ERR\r\n", "+OK; 1; 'x'; [2]; -ERR");
}
END_TEST

START_TEST(text_may_hold_any_byte)
{
    acr_reply *r;
    ck_assert_int_eq(acr_reply_feed(reader, acr_slice_of("$4\r\n\0\r\n\xFF\r\n", 10), NULL),
                     ACOR_OK);
    ck_assert_int_eq(acr_reply_next(reader, &arena, &r, NULL), ACOR_OK);
    ck_assert(acr_slice_eq(r->text, acr_slice_of("\0\r\n\xFF", 4)));
}
END_TEST

START_TEST(large_text_comes_whole)
{
    enum { SIZE = 3 << 20, PIECE = 60000 };
    char *bytes = malloc(SIZE + 64);
    acr_reply *r = NULL;
    ck_assert_ptr_nonnull(bytes);
    size_t head = (size_t)snprintf(bytes, 64, "$%d\r\n", SIZE);
    for (size_t i = 0; i < SIZE; i++)
        bytes[head + i] = (char)(i * 31);
    memcpy(bytes + head + SIZE, "\r\n", 2);
    for (size_t at = 0, all = head + SIZE + 2; at < all; at += PIECE) {
        size_t n = all - at < PIECE ? all - at : PIECE;
        ck_assert_int_eq(acr_reply_feed(reader, acr_slice_of(bytes + at, n), NULL), ACOR_OK);
        ck_assert_int_eq(acr_reply_next(reader, &arena, &r, NULL), ACOR_OK);
        ck_assert_int_eq(r != NULL, at + n == all);
    }
    ck_assert(acr_slice_eq(r->text, acr_slice_of(bytes + head, SIZE)));
    free(bytes);
}
END_TEST

START_TEST(many_elements_come_whole)
{
    enum { MANY = 5000 };
    acr_reply *r = NULL;
    char head[32];
    snprintf(head, sizeof head, "*%d\r\n", MANY);
    ck_assert_int_eq(acr_reply_feed(reader, acr_slice_str(head), NULL), ACOR_OK);
    for (int i = 0; i < MANY; i++) {
        char one[64];
        snprintf(one, sizeof one, "*2\r\n:%d\r\n$1\r\nx\r\n", i);
        if (acr_reply_feed(reader, acr_slice_str(one), NULL) != ACOR_OK ||
            acr_reply_next(reader, &arena, &r, NULL) != ACOR_OK ||
            (r != NULL) != (i == MANY - 1))
            ck_abort_msg("element %d", i);
    }
    ck_assert_uint_eq(r->n, MANY);
    for (int i = 0; i < MANY; i++) {
        const acr_reply *e = &r->items[i];
        if (e->kind != ACR_REPLY_ARRAY || e->n != 2 || e->items[0].integer != i ||
            e->items[1].text.len != 1)
            ck_abort_msg("element %d is another", i);
    }
}
END_TEST

/* --- what is no reply ------------------------ */

static void refuses(const char *bytes)
{
    char got[256];
    again();
    int status = read_pieces(bytes, strlen(bytes), 7, got, sizeof got);
    ck_assert_msg(status == ACOR_EPROTOCOL, "%s: %d, %s", bytes, status, got);
    ck_assert_ptr_nonnull(strstr(err.message, "no Redis reply"));
}

START_TEST(garbage_is_no_reply)
{
    refuses("HTTP/1.1 400 Bad Request\r\n\r\n");
    refuses("\r\n");
    refuses("@\r\n");
    refuses("*1\r\nx\r\n");
    refuses("$-2\r\n");
    refuses("*-2\r\n");
}
END_TEST

START_TEST(a_reader_that_failed_stays_failed)
{
    acr_reply *r;
    refuses("SSH-2.0-x\r\n");
    (void)acr_reply_feed(reader, acr_slice_str("+OK\r\n"), NULL);
    ck_assert_int_lt(acr_reply_next(reader, &arena, &r, NULL), 0);
    ck_assert_ptr_null(r);
}
END_TEST

START_TEST(random_bytes_end_in_an_error_or_in_waiting)
{
    static const char alphabet[] = "+-:$*0123456789\r\n\r\n\r\nab#,_%~>=(!|";
    uint64_t seed = 3;
    for (int round = 0; round < 20000; round++) {
        char bytes[48], got[2048];
        size_t n = 1 + count_random(&seed) % sizeof bytes;
        for (size_t i = 0; i < n; i++)
            bytes[i] = alphabet[count_random(&seed) % (sizeof alphabet - 1)];
        acr_reply_reader_free(reader);
        acr_arena_free(&arena);
        reader = acr_reply_reader_new(&mem);
        int status = read_pieces(bytes, n, 1 + count_random(&seed) % n, got, sizeof got);
        if (status != ACOR_OK && status != ACOR_EPROTOCOL && status != ACOR_ENOMEM)
            ck_abort_msg("round %d: status %d", round, status);
    }
}
END_TEST

START_TEST(elements_take_memory_only_once_they_come)
{
    static const char *const heads[] = {"*1000000000\r\n", "*2147483647\r\n",
                                        "*2\r\n*1000000000\r\n"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        acr_reply *r;
        again();
        ck_assert_int_eq(acr_reply_feed(reader, acr_slice_str(heads[i]), NULL), ACOR_OK);
        int status = acr_reply_next(reader, &arena, &r, NULL);
        ck_assert_msg(status == ACOR_OK && r == NULL, "%s: %d", heads[i], status);
        ck_assert_uint_lt(counter.bytes, 1 << 20);
    }
}
END_TEST

START_TEST(text_takes_memory_only_once_it_comes)
{
    acr_reply *r;
    ck_assert_int_eq(acr_reply_feed(reader, acr_slice_str("$2147483647\r\nabc"), NULL),
                     ACOR_OK);
    ck_assert_int_eq(acr_reply_next(reader, &arena, &r, NULL), ACOR_OK);
    ck_assert_ptr_null(r);
    ck_assert_uint_lt(counter.bytes, 1 << 20);
}
END_TEST

START_TEST(nesting_without_end_is_refused)
{
    char bytes[4 * 4000 + 1], got[64];
    for (size_t i = 0; i < 4000; i++)
        memcpy(bytes + 4 * i, "*1\r\n", 4);
    int status = read_pieces(bytes, 4 * 4000, 1000, got, sizeof got);
    ck_assert_int_eq(status, ACOR_EPROTOCOL);
}
END_TEST

/* --- errors by their code ------------------------ */

START_TEST(errors_are_known_by_their_first_word)
{
    acr_reply r = {.kind = ACR_REPLY_ERROR, .text = acr_slice_str("NOSCRIPT No matching")};
    ck_assert_int_eq(acr_reply_is_error(&r, "NOSCRIPT"), 1);
    ck_assert_int_eq(acr_reply_is_error(&r, "NOSCRIP"), 0);
    ck_assert_int_eq(acr_reply_is_error(&r, "NOSCRIPT No matching script"), 0);
    r.text = acr_slice_str("NOSCRIPT");
    ck_assert_int_eq(acr_reply_is_error(&r, "NOSCRIPT"), 1);
    r.kind = ACR_REPLY_STRING;
    ck_assert_int_eq(acr_reply_is_error(&r, "NOSCRIPT"), 0);
}
END_TEST

/* --- memory ------------------------ */

START_TEST(no_memory_is_said_at_every_request)
{
    static const char bytes[] = "*3\r\n$5\r\nhello\r\n*2\r\n:1\r\n+OK\r\n-ERR x\r\n"
                                ":7\r\n$1\r\nx\r\n";
    char got[256];
    int failed = 1;
    for (size_t n = 0; failed; n++) {
        acr_reply_reader_free(reader);
        acr_arena_free(&arena);
        err = (acor_error)ACOR_ERROR_INIT;
        count_alloc_fail(&counter, n);
        reader = acr_reply_reader_new(&mem);
        int status = reader ? read_pieces(bytes, sizeof bytes - 1, 5, got, sizeof got)
                            : ACOR_ENOMEM;
        failed = counter.asked > n;
        count_alloc_fail(&counter, SIZE_MAX);
        ck_assert_int_eq(status, failed ? ACOR_ENOMEM : ACOR_OK);
        if (reader != NULL)
            ck_assert_int_eq(err.status, status);
    }
    ck_assert_str_eq(got, "['hello' [1 +OK] -ERR x]; 7; 'x'");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("redis reply");
    TCase *c = tcase_create("reply");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 30);
    tcase_add_test(c, every_kind_of_reply_is_read_in_any_pieces);
    tcase_add_test(c, nested_replies_are_read_in_any_pieces);
    tcase_add_test(c, replies_come_one_behind_the_other);
    tcase_add_test(c, text_may_hold_any_byte);
    tcase_add_test(c, large_text_comes_whole);
    tcase_add_test(c, many_elements_come_whole);
    tcase_add_test(c, garbage_is_no_reply);
    tcase_add_test(c, a_reader_that_failed_stays_failed);
    tcase_add_test(c, random_bytes_end_in_an_error_or_in_waiting);
    tcase_add_test(c, elements_take_memory_only_once_they_come);
    tcase_add_test(c, text_takes_memory_only_once_it_comes);
    tcase_add_test(c, nesting_without_end_is_refused);
    tcase_add_test(c, errors_are_known_by_their_first_word);
    tcase_add_test(c, no_memory_is_said_at_every_request);
    suite_add_tcase(suite, c);
    return acor_test_run(suite);
}
