/* SPDX-License-Identifier: Apache-2.0 */
/* JSON arrays of strings, written and read as Go does. */
#include "acor_test.h"
#include "count_alloc.h"

#include <stdio.h>

#include "store/redis/json.h"
#include "text/utf8.h"

static count_alloc counter;
static acr_mem mem;
static acor_error err;

static void setup(void)
{
    mem = count_alloc_mem(&counter);
    err = (acor_error)ACOR_ERROR_INIT;
}

static void teardown(void)
{
    ck_assert_uint_eq(counter.blocks, 0);
    ck_assert_uint_eq(counter.bytes, 0);
}

/* --- writing ------------------------ */

static void writes(acr_slice s, const char *want)
{
    acr_buf b;
    acr_buf_init(&b, &mem);
    if (acr_json_put_string(&b, s, NULL) != ACOR_OK)
        ck_abort_msg("cannot write");
    if (b.len != strlen(want) || memcmp(b.data, want, b.len) != 0)
        ck_abort_msg("%.*s where %s should be", (int)b.len, (const char *)b.data, want);
    if (acr_json_string_size(s) != b.len)
        ck_abort_msg("%s: said to take %zu bytes", want, acr_json_string_size(s));
    acr_buf_free(&b);
}

START_TEST(control_bytes_are_escaped)
{
    for (unsigned c = 0; c < 0x20; c++) {
        char want[16];
        unsigned char byte = (unsigned char)c;
        const char *known = c == '\n'   ? "\"\\n\""
                            : c == '\r' ? "\"\\r\""
                            : c == '\t' ? "\"\\t\""
                            : c == '\b' ? "\"\\b\""
                            : c == '\f' ? "\"\\f\""
                                        : NULL;
        snprintf(want, sizeof want, "\"\\u%04x\"", c);
        writes(acr_slice_of(&byte, 1), known ? known : want);
    }
}
END_TEST

START_TEST(other_ascii_is_as_it_is_but_for_five)
{
    for (unsigned c = 0x20; c < 0x80; c++) {
        char want[16];
        unsigned char byte = (unsigned char)c;
        if (c == '"' || c == '\\')
            snprintf(want, sizeof want, "\"\\%c\"", (int)c);
        else if (c == '<' || c == '>' || c == '&')
            snprintf(want, sizeof want, "\"\\u%04x\"", c);
        else
            snprintf(want, sizeof want, "\"%c\"", (int)c);
        writes(acr_slice_of(&byte, 1), want);
    }
}
END_TEST

START_TEST(line_separators_are_escaped_and_their_neighbours_not)
{
    writes(acr_slice_str("\xE2\x80\xA7"), "\"\xE2\x80\xA7\"");
    writes(acr_slice_str("\xE2\x80\xA8"), "\"\\u2028\"");
    writes(acr_slice_str("\xE2\x80\xA9"), "\"\\u2029\"");
    writes(acr_slice_str("\xE2\x80\xAA"), "\"\xE2\x80\xAA\"");
}
END_TEST

START_TEST(code_points_are_written_raw)
{
    static const char *const texts[] = {"\xC3\xA9", "\xED\x95\x9C\xEA\xB8\x80",
                                        "\xF0\x9F\x98\x80", "\xEF\xBF\xBD",
                                        "\xF4\x8F\xBF\xBF", "\xC2\x80"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char want[32];
        snprintf(want, sizeof want, "\"%s\"", texts[i]);
        writes(acr_slice_str(texts[i]), want);
    }
}
END_TEST

START_TEST(each_undecodable_byte_is_one_escape)
{
    writes(acr_slice_str("a\xFF"), "\"a\\ufffd\"");
    writes(acr_slice_str("\xE2\x80"), "\"\\ufffd\\ufffd\"");
    writes(acr_slice_str("\xED\xA0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");
    writes(acr_slice_str("\xC0\xAF"), "\"\\ufffd\\ufffd\"");
    writes(acr_slice_str("\x80x"), "\"\\ufffdx\"");
    writes(acr_slice_of("\0", 1), "\"\\u0000\"");
    writes(acr_slice_of(NULL, 0), "\"\"");
}
END_TEST

/* --- the recorded vectors ------------------------ */

typedef struct vector {
    const char *strings[2];
    size_t n;
    const char *json;
} vector;

START_TEST(recorded_arrays_are_met_to_the_byte)
{
    static const vector vectors[] = {
        {{"a", "b"}, 2, "[\"a\",\"b\"]"},
        {{"<>&"}, 1, "[\"\\u003c\\u003e\\u0026\"]"},
        {{"\xE2\x80\xA8\xE2\x80\xA9"}, 1, "[\"\\u2028\\u2029\"]"},
        {{"a\xFF"}, 1, "[\"a\\ufffd\"]"},
        {{"\xEF\xBF\xBD"}, 1, "[\"\xEF\xBF\xBD\"]"},
        {{"\x08\x0c\n\r\t\x1f\x7f"}, 1, "[\"\\b\\f\\n\\r\\t\\u001f\x7f\"]"},
        {{NULL}, 0, "[]"},
        {{""}, 1, "[\"\"]"},
        {{"\xF0\x9F\x98\x80"}, 1, "[\"\xF0\x9F\x98\x80\"]"},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        acr_buf b;
        acr_buf_init(&b, &mem);
        ck_assert_int_eq(acr_buf_put(&b, acr_slice_str("["), NULL), ACOR_OK);
        for (size_t k = 0; k < vectors[i].n; k++) {
            if (k != 0)
                ck_assert_int_eq(acr_buf_put(&b, acr_slice_str(","), NULL), ACOR_OK);
            ck_assert_int_eq(
                acr_json_put_string(&b, acr_slice_str(vectors[i].strings[k]), NULL), ACOR_OK);
        }
        ck_assert_int_eq(acr_buf_put(&b, acr_slice_str("]"), NULL), ACOR_OK);
        ck_assert(acr_slice_eq(acr_slice_of(b.data, b.len), acr_slice_str(vectors[i].json)));
        acr_buf_free(&b);
    }
}
END_TEST

/* --- reading ------------------------ */

/* Elements one behind the other, each behind a bar. */
typedef struct taken {
    char text[4096];
    size_t len, n;
    size_t stop_at; /* this element ends the reading; SIZE_MAX: none */
} taken;

static int take(void *user, acr_slice s, acor_error *e)
{
    taken *t = user;
    (void)e;
    if (t->n++ == t->stop_at)
        return ACOR_ELIMIT;
    t->text[t->len++] = '|';
    if (s.len != 0)
        memcpy(t->text + t->len, s.data, s.len);
    t->len += s.len;
    return ACOR_OK;
}

static int read_all(acr_slice json, taken *t)
{
    acr_buf scratch;
    acr_buf_init(&scratch, &mem);
    *t = (taken){.stop_at = SIZE_MAX};
    err = (acor_error)ACOR_ERROR_INIT;
    int status = acr_json_each_string(json, "field keywords", &scratch, take, t, &err);
    acr_buf_free(&scratch);
    return status;
}

static void reads(const char *json, const char *want, size_t want_len)
{
    taken t;
    int status = read_all(acr_slice_str(json), &t);
    ck_assert_msg(status == ACOR_OK, "%s: %s", json, err.message);
    ck_assert_msg(t.len == want_len && memcmp(t.text, want, want_len) == 0, "%s: %.*s", json,
                  (int)t.len, t.text);
}

#define READS(json, want) reads(json, want, sizeof want - 1)

START_TEST(arrays_are_read)
{
    READS("[]", "");
    READS("[\"\"]", "|");
    READS("[\"a\"]", "|a");
    READS("[\"he\",\"she\",\"her\"]", "|he|she|her");
    READS(" \t\r\n[ \"a\" ,\n\"b\"\t] \r\n", "|a|b");
    READS(" [ ] ", "");
}
END_TEST

START_TEST(null_is_an_empty_array_or_an_empty_element)
{
    READS("null", "");
    READS("  null\n", "");
    READS("[null]", "|");
    READS("[\"a\",null,\"b\"]", "|a||b");
    READS("[ null , null ]", "||");
}
END_TEST

START_TEST(every_escape_is_read)
{
    READS("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "|\"\\/\b\f\n\r\t");
    READS("[\"\\u0041\\u003c\\u003C\\u00e9\\ud55c\\uD55C\"]",
          "|A<<\xC3\xA9\xED\x95\x9C\xED\x95\x9C");
    READS("[\"\\u0000\"]", "|\0");
    READS("[\"\\u2028\\u2029\"]", "|\xE2\x80\xA8\xE2\x80\xA9");
    READS("[\"\x7f\"]", "|\x7f");
}
END_TEST

START_TEST(surrogates_are_joined_and_lone_ones_replaced)
{
    READS("[\"\\uD83D\\uDE00\"]", "|\xF0\x9F\x98\x80");
    READS("[\"\\udbff\\udfff\"]", "|\xF4\x8F\xBF\xBF");
    READS("[\"\\uD83D\"]", "|\xEF\xBF\xBD");
    READS("[\"\\uDE00\"]", "|\xEF\xBF\xBD");
    READS("[\"\\uD83Dx\"]", "|\xEF\xBF\xBDx");
    READS("[\"\\uD83D\\n\"]", "|\xEF\xBF\xBD\n");
    READS("[\"\\uD83D\\u0041\"]", "|\xEF\xBF\xBD" "A");
    READS("[\"\\uD83D\\uD83D\\uDE00\"]", "|\xEF\xBF\xBD\xF0\x9F\x98\x80");
    READS("[\"\\uDE00\\uD83D\"]", "|\xEF\xBF\xBD\xEF\xBF\xBD");
}
END_TEST

START_TEST(undecodable_bytes_are_replaced_one_by_one)
{
    READS("[\"a\xFF\"]", "|a\xEF\xBF\xBD");
    READS("[\"\xE2\x80\"]", "|\xEF\xBF\xBD\xEF\xBF\xBD");
    READS("[\"\xED\xA0\x80\"]", "|\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    READS("[\"\xEF\xBF\xBD\"]", "|\xEF\xBF\xBD");
}
END_TEST

static void refuses(const char *json, size_t at)
{
    taken t;
    char place[32];
    int status = read_all(acr_slice_str(json), &t);
    ck_assert_msg(status == ACOR_ECORRUPT, "%s: %d", json, status);
    ck_assert_int_eq(err.status, ACOR_ECORRUPT);
    snprintf(place, sizeof place, " at byte %zu", at);
    size_t n = strlen(err.message), m = strlen(place);
    ck_assert_msg(n >= m && strcmp(err.message + n - m, place) == 0, "%s: %s", json,
                  err.message);
    ck_assert_ptr_nonnull(strstr(err.message, "field keywords"));
}

START_TEST(what_is_no_array_of_strings_names_itself_and_the_byte)
{
    refuses("", 0);
    refuses("  ", 2);
    refuses("{not-json", 0);
    refuses("\"a\"", 0);
    refuses("nul", 0);
    refuses("nullx", 4);
    refuses("true", 0);
    refuses("[", 1);
    refuses("[\"a\"", 4);
    refuses("[\"a\",", 5);
    refuses("[\"a\",]", 5);
    refuses("[,\"a\"]", 1);
    refuses("[\"a\" \"b\"]", 5);
    refuses("[1]", 1);
    refuses("[\"a\",true]", 5);
    refuses("[[\"a\"]]", 1);
    refuses("[{}]", 1);
    refuses("[nulL]", 1);
    refuses("[\"a\"]]", 5);
    refuses("[\"a\"],", 5);
    refuses("[\"a\"] x", 6);
    refuses("[]null", 2);
    refuses("[\"a", 3);
    refuses("[\"a\n\"]", 3);
    refuses("[\"\\", 3);
    refuses("[\"\\x\"]", 3);
    refuses("[\"\\u12\"]", 4);
    refuses("[\"\\u12g4\"]", 4);
    refuses("['a']", 1);
    refuses("\xEF\xBB\xBF[]", 0);
}
END_TEST

START_TEST(nul_bytes_outside_strings_are_refused)
{
    taken t;
    ck_assert_int_eq(read_all(acr_slice_of("[]\0", 3), &t), ACOR_ECORRUPT);
    ck_assert_int_eq(read_all(acr_slice_of("[\"\0\"]", 5), &t), ACOR_ECORRUPT);
    ck_assert_int_eq(read_all(acr_slice_of(NULL, 0), &t), ACOR_ECORRUPT);
}
END_TEST

START_TEST(reading_ends_with_the_callers_status)
{
    acr_buf scratch;
    taken t = {.stop_at = 1};
    acr_buf_init(&scratch, &mem);
    ck_assert_int_eq(acr_json_each_string(acr_slice_str("[\"a\",\"b\",\"c\"]"), "x", &scratch,
                                          take, &t, NULL),
                     ACOR_ELIMIT);
    ck_assert_uint_eq(t.n, 2);
    acr_buf_free(&scratch);
}
END_TEST

/* --- there and back ------------------------ */

static size_t random_text(uint64_t *seed, unsigned char *dst, int valid)
{
    static const uint32_t tops[] = {0x20, 0x80, 0x80, 0x800, 0x2030, 0x10000, 0x110000};
    size_t len = 0;
    for (uint32_t n = count_random(seed) % 12; n > 0; n--) {
        uint32_t top = tops[count_random(seed) % 7];
        uint32_t cp = top == 0x2030 ? 0x2020 + count_random(seed) % 16
                                    : count_random(seed) % top;
        if (cp >= 0xD800 && cp < 0xE000)
            cp = 0xFFFD;
        len += acr_utf8_encode(dst + len, cp);
        if (!valid && count_random(seed) % 3 == 0)
            dst[len++] = (unsigned char)count_random(seed);
    }
    return len;
}

/* s with each undecodable byte as U+FFFD. */
static size_t repaired(unsigned char *dst, acr_slice s)
{
    size_t len = 0;
    for (const unsigned char *p = s.data, *end = s.data + s.len; p < end;) {
        acr_rune r = acr_utf8_decode(p, end);
        len += acr_utf8_encode(dst + len, r.cp);
        p += r.width;
    }
    return len;
}

START_TEST(random_strings_come_back)
{
    uint64_t seed = 7;
    for (int round = 0; round < 20000; round++) {
        unsigned char s[128], want[512];
        taken t;
        acr_buf b;
        size_t len = random_text(&seed, s, round % 2);
        size_t want_len = repaired(want, acr_slice_of(s, len));
        acr_buf_init(&b, &mem);
        if (acr_buf_put(&b, acr_slice_str("[\"x\", "), NULL) != ACOR_OK)
            ck_abort_msg("no memory");
        size_t before = b.len;
        if (acr_json_put_string(&b, acr_slice_of(s, len), NULL) != ACOR_OK)
            ck_abort_msg("no memory");
        if (b.len - before != acr_json_string_size(acr_slice_of(s, len)))
            ck_abort_msg("round %d: the size is wrong", round);
        if (acr_buf_put(&b, acr_slice_str("]"), NULL) != ACOR_OK)
            ck_abort_msg("no memory");
        if (read_all(acr_slice_of(b.data, b.len), &t) != ACOR_OK || t.n != 2 ||
            t.len != want_len + 3 || memcmp(t.text + 3, want, want_len) != 0)
            ck_abort_msg("round %d: %.*s", round, (int)b.len, (const char *)b.data);
        acr_buf_free(&b);
    }
}
END_TEST

/* Whatever the bytes are, reading ends, inside them. */
START_TEST(damaged_arrays_end_in_an_error_or_not_at_all)
{
    uint64_t seed = 11;
    static const char start[] = "[\"a\\u00e9\\ud83d\\ude00\",null,\"\\n\xED\x95\x9C\"]";
    for (int round = 0; round < 20000; round++) {
        taken t;
        size_t len = sizeof start - 1;
        unsigned char *s = malloc(len);
        if (s == NULL)
            ck_abort_msg("no memory");
        memcpy(s, start, len);
        for (uint32_t n = count_random(&seed) % 4; n > 0; n--)
            s[count_random(&seed) % len] = (unsigned char)count_random(&seed);
        len -= count_random(&seed) % 4 == 0 ? count_random(&seed) % len : 0;
        memmove(s + (sizeof start - 1 - len), s, len); /* to the end of the block */
        int status = read_all(acr_slice_of(s + (sizeof start - 1 - len), len), &t);
        if (status != ACOR_OK && status != ACOR_ECORRUPT)
            ck_abort_msg("round %d: status %d", round, status);
        free(s);
    }
}
END_TEST

/* --- memory ------------------------ */

static void without_memory(size_t n, int *failed)
{
    taken t = {.stop_at = SIZE_MAX};
    acr_buf out, scratch;
    acr_buf_init(&out, &mem);
    acr_buf_init(&scratch, &mem);
    err = (acor_error)ACOR_ERROR_INIT;
    count_alloc_fail(&counter, n);
    int status = acr_json_put_string(&out, acr_slice_str("a<b>\xED\x95\x9C"), &err);
    if (status == ACOR_OK)
        status = acr_json_each_string(
            acr_slice_str("[\"a\",\"\\u003c a longer one \xED\x95\x9C that has to grow "
                          "the scratch buffer a few times until it fits in there\"]"),
            "x", &scratch, take, &t, &err);
    *failed = counter.asked > n;
    count_alloc_fail(&counter, SIZE_MAX);
    ck_assert_int_eq(status, *failed ? ACOR_ENOMEM : ACOR_OK);
    ck_assert_int_eq(err.status, status);
    acr_buf_free(&out);
    acr_buf_free(&scratch);
}

START_TEST(no_memory_is_said_and_nothing_is_left)
{
    int failed = 1;
    for (size_t n = 0; failed; n++) {
        without_memory(n, &failed);
        ck_assert_uint_eq(counter.blocks, 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("redis json");
    TCase *c = tcase_create("json");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 30);
    tcase_add_test(c, control_bytes_are_escaped);
    tcase_add_test(c, other_ascii_is_as_it_is_but_for_five);
    tcase_add_test(c, line_separators_are_escaped_and_their_neighbours_not);
    tcase_add_test(c, code_points_are_written_raw);
    tcase_add_test(c, each_undecodable_byte_is_one_escape);
    tcase_add_test(c, recorded_arrays_are_met_to_the_byte);
    tcase_add_test(c, arrays_are_read);
    tcase_add_test(c, null_is_an_empty_array_or_an_empty_element);
    tcase_add_test(c, every_escape_is_read);
    tcase_add_test(c, surrogates_are_joined_and_lone_ones_replaced);
    tcase_add_test(c, undecodable_bytes_are_replaced_one_by_one);
    tcase_add_test(c, what_is_no_array_of_strings_names_itself_and_the_byte);
    tcase_add_test(c, nul_bytes_outside_strings_are_refused);
    tcase_add_test(c, reading_ends_with_the_callers_status);
    tcase_add_test(c, random_strings_come_back);
    tcase_add_test(c, damaged_arrays_end_in_an_error_or_not_at_all);
    tcase_add_test(c, no_memory_is_said_and_nothing_is_left);
    suite_add_tcase(suite, c);
    return acor_test_run(suite);
}
