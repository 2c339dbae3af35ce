/* SPDX-License-Identifier: Apache-2.0 */
/* Code points, decoding and normalisation. With --dump: what unicode.sh reads. */
#include <stdio.h>

#include <acor/snapshot.h>
#include <acor/types.h>

#include "acor_test.h"
#include "count_alloc.h"
#include "text/normalize.h"
#include "text/unicode.h"
#include "text/utf8.h"

static count_alloc counter;
static acr_mem mem;

static void setup(void)
{
    mem = count_alloc_mem(&counter);
}

static void teardown(void)
{
    ck_assert_uint_eq(counter.blocks, 0);
}

static int is_scalar(uint32_t cp)
{
    return cp <= ACR_RUNE_MAX && (cp < 0xD800 || cp > 0xDFFF);
}

/* --- code points --------------------------------------------------------- */

/*
 * FNV-1a over each code point's lower case and its bits (1 space, 2 word), as
 * 32-bit little-endian. The sum was taken by the same loop in Go 1.26 (Unicode
 * 15.0.0) with unicode.ToLower, IsSpace, and IsLetter, IsDigit, IsMark or '_'.
 */
START_TEST(every_code_point_is_what_go_says)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (uint32_t cp = 0; cp <= ACR_RUNE_MAX; cp++) {
        uint32_t bits = (acr_is_space(cp) ? 1u : 0) | (acr_is_word(cp) ? 2u : 0);
        uint32_t v[2] = {acr_lower(cp), bits};
        for (int i = 0; i < 8; i++)
            h = (h ^ (v[i / 4] >> 8 * (i % 4) & 0xFF)) * UINT64_C(1099511628211);
    }
    ck_assert_uint_eq(h, UINT64_C(0x1A802912323DA159));
}
END_TEST

START_TEST(lower_case_is_the_simple_mapping)
{
    static const uint32_t pairs[][2] = {
        {'A', 'a'},         {'Z', 'z'},         {'@', '@'},         {'[', '['},
        {0x0130, 'i'},      {0x0131, 0x0131},   {0x1E9E, 0x00DF},   {0x00DF, 0x00DF},
        {0x03A3, 0x03C3},   {0x03C2, 0x03C2},   {0x212A, 'k'},      {0x212B, 0x00E5},
        {0x2126, 0x03C9},   {0x017F, 0x017F},   {0x00B5, 0x00B5},   {0x01C5, 0x01C6},
        {0x01C4, 0x01C6},   {0x023A, 0x2C65},   {0xFF21, 0xFF41},   {0x13A0, 0xAB70},
        {0x10400, 0x10428}, {0x1E921, 0x1E943}, {0x1E943, 0x1E943}, {0xA7CB, 0xA7CB},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        ck_assert_uint_eq(acr_lower(pairs[i][0]), pairs[i][1]);
}
END_TEST

START_TEST(lower_case_is_lower_case_already)
{
    for (uint32_t cp = 0; cp <= ACR_RUNE_MAX; cp++) {
        uint32_t low = acr_lower(cp);
        if (acr_lower(low) != low || !is_scalar(cp) != !is_scalar(low))
            ck_abort_msg("U+%04X", cp);
    }
}
END_TEST

START_TEST(numbers_past_the_last_code_point_are_nothing)
{
    static const uint32_t past[] = {0x110000, 0x110041, 0x80000041, UINT32_MAX};
    for (int i = 0; i < 4; i++) {
        ck_assert_uint_eq(acr_lower(past[i]), past[i]);
        ck_assert_int_eq(acr_is_space(past[i]), 0);
        ck_assert_int_eq(acr_is_word(past[i]), 0);
    }
}
END_TEST

START_TEST(space_is_the_documented_list)
{
    static const uint32_t list[] = {
        0x09,   0x0A,   0x0B,   0x0C,   0x0D,   0x20,   0x85,   0xA0,   0x1680,
        0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008,
        0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000,
    };
    size_t at = 0, n = sizeof list / sizeof *list;
    for (uint32_t cp = 0; cp <= ACR_RUNE_MAX; cp++) {
        int listed = at < n && list[at] == cp;
        at += (size_t)listed;
        if (acr_is_space(cp) != listed)
            ck_abort_msg("U+%04X", cp);
    }
}
END_TEST

START_TEST(word_is_letters_digits_marks_and_the_underscore)
{
    static const uint32_t yes[] = {'a', 'Z', '0', '9', '_', 0xE4, 0x0301, 0x0903,
                                   0x20DD, 0x0660, 0x3042, 0xD55C, 0x4E00, 0x9FFF,
                                   0x2A6DF, 0x323AF, 0xE0100, 0x00AA, 0x1D7CE};
    static const uint32_t no[] = {' ', '-', '\'', '.', '@', 0x00B2, 0x2160, 0x203F,
                                  0x200D, 0xFFFD, 0x1F600, 0xABFF, 0x323B0, 0xE0001,
                                  0xE000};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        ck_assert_msg(acr_is_word(yes[i]) == 1, "U+%04X", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        ck_assert_msg(acr_is_word(no[i]) == 0, "U+%04X", no[i]);
}
END_TEST

/* --- decoding ------------------------------------------------------------ */

/*
 * The plain rule, told differently: the first byte's high bits give a length
 * and a number; it counts if encoding the number gives these very bytes.
 */
static acr_rune naive_decode(const unsigned char *p, size_t n)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } form[] = {{0x80, 0x00, 0},
                {0xE0, 0xC0, 0x80},
                {0xF0, 0xE0, 0x800},
                {0xF8, 0xF0, 0x10000}};
    for (uint8_t f = 0; f < 4; f++) {
        if ((p[0] & form[f].mask) != form[f].lead || n < (size_t)f + 1)
            continue;
        uint32_t cp = p[0] & (unsigned char)~form[f].mask;
        int whole = 1;
        for (int i = 1; i <= f; i++) {
            whole = whole && p[i] / 64 == 2;
            cp = cp * 64 + p[i] % 64;
        }
        if (whole && cp >= form[f].least && is_scalar(cp))
            return (acr_rune){cp, (uint8_t)(f + 1), 1};
    }
    return (acr_rune){0xFFFD, 1, 0};
}

static int same_rune(acr_rune a, acr_rune b)
{
    return a.cp == b.cp && a.width == b.width && a.valid == b.valid;
}

static void decode_agrees(const unsigned char *p, size_t n)
{
    if (!same_rune(acr_utf8_decode(p, p + n), naive_decode(p, n)))
        ck_abort_msg("%zu bytes: %02x %02x %02x %02x", n, p[0], n > 1 ? p[1] : 0,
                     n > 2 ? p[2] : 0, n > 3 ? p[3] : 0);
}

START_TEST(every_short_sequence_is_decoded_by_the_rule)
{
    unsigned char p[3];
    for (uint32_t v = 0; v < 1u << 24; v++) {
        p[0] = (unsigned char)(v >> 16);
        p[1] = (unsigned char)(v >> 8);
        p[2] = (unsigned char)v;
        decode_agrees(p, 3);
        if (p[2] == 0)
            decode_agrees(p, 2);
        if (p[1] == 0 && p[2] == 0)
            decode_agrees(p, 1);
    }
}
END_TEST

START_TEST(every_four_byte_lead_is_decoded_by_the_rule)
{
    static const unsigned char tail[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF,
                                         0xC0, 0xFF};
    unsigned char p[4];
    for (int a = 0xE0; a < 0x100; a++)
        for (int b = 0; b < 0x100; b++)
            for (size_t c = 0; c < sizeof tail; c++)
                for (size_t d = 0; d < sizeof tail; d++) {
                    p[0] = (unsigned char)a;
                    p[1] = (unsigned char)b;
                    p[2] = tail[c];
                    p[3] = tail[d];
                    decode_agrees(p, 4);
                }
}
END_TEST

START_TEST(what_is_encoded_is_decoded)
{
    unsigned char p[8];
    for (uint32_t cp = 0; cp <= ACR_RUNE_MAX; cp++) {
        if (!is_scalar(cp))
            continue;
        size_t n = acr_utf8_encode(p, cp);
        acr_rune want = {cp, (uint8_t)n, 1};
        if (!same_rune(acr_utf8_decode(p, p + n), want) ||
            !same_rune(acr_utf8_decode_before(p, p + n), want))
            ck_abort_msg("U+%04X", cp);
    }
}
END_TEST

typedef struct decoding {
    const char *bytes;
    const char *runes; /* separated by spaces; ? is an undecodable byte */
} decoding;

static void decodes(const decoding *d, size_t len)
{
    const unsigned char *p = (const unsigned char *)d->bytes, *end = p + len;
    char got[200] = "";
    size_t count = 0;
    for (; p < end; count++) {
        acr_rune r = acr_utf8_decode(p, end);
        size_t n = strlen(got);
        if (r.valid)
            (void)snprintf(got + n, sizeof got - n, " %04X", r.cp);
        else
            (void)snprintf(got + n, sizeof got - n, " ?");
        p += r.width;
    }
    ck_assert_str_eq(got + (got[0] == ' '), d->runes);
    ck_assert_uint_eq(acr_utf8_count(acr_slice_of(d->bytes, len)), count);
    int valid = strchr(got, '?') == NULL;
    ck_assert_int_eq(acr_utf8_valid(acr_slice_of(d->bytes, len)), valid);
}

/* The first seven are decode-runes-222 to -228 of the Go library's vectors. */
START_TEST(each_undecodable_byte_is_one_replacement)
{
    static const decoding list[] = {
        {"\xe4\xbd", "? ?"},
        {"\xe4\x61", "? 0061"},
        {"\x61\xc0\x80\x62", "0061 ? ? 0062"},
        {"\xed\xa0\x80", "? ? ?"},
        {"\xf4\x90\x80\x80", "? ? ? ?"},
        {"\xed\x95\x9c\xf0\x9f\x98\x80", "D55C 1F600"},
        {"\xf0\x9f\x98", "? ? ?"},
        {"", ""},
        {"\x80", "?"},
        {"\xff\xfe", "? ?"},
        {"\xc1\xbf", "? ?"},
        {"\xc2\x80", "0080"},
        {"\xe0\x9f\xbf", "? ? ?"},
        {"\xe0\xa0\x80", "0800"},
        {"\xed\x9f\xbf", "D7FF"},
        {"\xed\xbf\xbf", "? ? ?"},
        {"\xee\x80\x80", "E000"},
        {"\xef\xbf\xbd", "FFFD"},
        {"\xf0\x8f\xbf\xbf", "? ? ? ?"},
        {"\xf0\x90\x80\x80", "10000"},
        {"\xf4\x8f\xbf\xbf", "10FFFF"},
        {"\xf5\x80\x80\x80", "? ? ? ?"},
        {"\xf8\x88\x80\x80\x80", "? ? ? ? ?"},
        {"\xf0\x9f\x98\xe4\xbd\xa0", "? ? ? 4F60"},
        {"\xc3\xc3\xa4\xa4", "? 00E4 ?"},
        {"\xe4\xbd\xa0\xa0", "4F60 ?"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        decodes(&list[i], strlen(list[i].bytes));
    static const decoding nul = {"a\0b", "0061 0000 0062"};
    decodes(&nul, 3);
}
END_TEST

/* Bytes that make sequences of all kinds likely, runs of ASCII among them. */
static size_t random_text(unsigned char *p, size_t most, uint64_t *seed)
{
    static const unsigned char lead[] = {0xC2, 0xC3, 0xE0, 0xE4, 0xED,
                                         0xEF, 0xF0, 0xF4, 0xF5};
    size_t len = count_random(seed) % (most + 1), n = 0;
    uint32_t style = count_random(seed) % 4;
    while (n < len) {
        uint32_t r = count_random(seed), kind = r % 8;
        if (kind < 2 || style == 0) {
            p[n++] = (unsigned char)(r >> 8 & 0x7F);
        } else if (kind == 2) {
            for (uint32_t i = 0; i < (r >> 8 & 0x1F) && n < len; i++)
                p[n++] = (unsigned char)(' ' + count_random(seed) % 95);
        } else if (kind < 5 && len - n >= 4) {
            uint32_t cp = (r >> 8) % (kind == 3 ? 0x3000 : ACR_RUNE_MAX + 1);
            n += acr_utf8_encode(p + n, is_scalar(cp) ? cp : 0x3000);
        } else if (style == 1) {
            p[n++] = ' ';
        } else if (kind == 5) {
            p[n++] = lead[(r >> 8) % sizeof lead];
        } else {
            p[n++] = (unsigned char)(0x80 | (r >> 8 & 0x3F));
        }
    }
    return len;
}

START_TEST(decoding_backwards_agrees_with_forwards)
{
    enum { MOST = 80 };
    unsigned char p[MOST];
    uint64_t seed = 7;
    for (int round = 0; round < 100000; round++) {
        size_t len = random_text(p, MOST, &seed), n = 0, start[MOST + 1];
        int valid = 1;
        acr_rune rune[MOST];
        for (size_t at = 0; at < len; at += rune[n++].width) {
            start[n] = at;
            rune[n] = acr_utf8_decode(p + at, p + len);
            if (!same_rune(rune[n], naive_decode(p + at, len - at)))
                ck_abort_msg("round %d: rune %zu forwards", round, n);
            valid = valid && rune[n].valid;
        }
        start[n] = len;
        for (size_t i = 0; i < n; i++)
            if (!same_rune(acr_utf8_decode_before(p, p + start[i + 1]), rune[i]))
                ck_abort_msg("round %d: rune %zu backwards", round, i);
        for (size_t i = 0; i <= n && round % 20 == 0; i++)
            for (size_t k = 0; k <= n + 1; k++)
                if (acr_utf8_back(p, p + start[i], k) != p + start[k < i ? i - k : 0])
                    ck_abort_msg("round %d: %zu back from %zu", round, k, i);
        if (acr_utf8_count(acr_slice_of(p, len)) != n)
            ck_abort_msg("round %d: count", round);
        if (acr_utf8_valid(acr_slice_of(p, len)) != valid)
            ck_abort_msg("round %d: valid", round);
    }
}
END_TEST

START_TEST(back_stops_at_begin)
{
    static const unsigned char text[] = "0123456789abcdefghij";
    ck_assert_ptr_eq(acr_utf8_back(text, text + 20, 20), text);
    ck_assert_ptr_eq(acr_utf8_back(text, text + 20, SIZE_MAX), text);
    ck_assert_ptr_eq(acr_utf8_back(text, text, 5), text);
    ck_assert_ptr_eq(acr_utf8_back(text + 3, text + 20, 30), text + 3);
    ck_assert_ptr_eq(acr_utf8_back(text, text + 20, 0), text + 20);
    /* Begin within a sequence: its tail is then undecodable. */
    static const unsigned char cut[] = "\xe4\xbd\xa0";
    ck_assert_ptr_eq(acr_utf8_back(cut, cut + 3, 1), cut);
    ck_assert_ptr_eq(acr_utf8_back(cut + 1, cut + 3, 1), cut + 2);
}
END_TEST

START_TEST(nothing_has_no_code_points_and_is_valid)
{
    ck_assert_uint_eq(acr_utf8_count(acr_slice_of(NULL, 0)), 0);
    ck_assert_int_eq(acr_utf8_valid(acr_slice_of(NULL, 0)), 1);
}
END_TEST

/* --- normalisation ------------------------------------------------------- */

/* Status; what came goes to out, which has what stood there before in front. */
static int normalize(acr_buf *out, const void *bytes, size_t n, int fold, size_t *len)
{
    acor_error err = ACOR_ERROR_INIT;
    int status = acr_normalize(out, acr_slice_of(bytes, n), fold, len, &err);
    ck_assert_int_eq(err.status, status == ACOR_ENOMEM ? ACOR_ENOMEM : 0);
    return status;
}

typedef struct spelling {
    int id; /* of the Go library's vector normalize-keyword-ID, or 0 */
    int fold;
    const char *in, *out;
} spelling;

/*
 * 234 differs on purpose: Go keeps a bad byte of a case-sensitive keyword in
 * memory, but stores U+FFFD; here it is U+FFFD from the start.
 */
static const spelling spellings[] = {
    {229, 1, "\x20\x20\x48\x65\x4c\x4c\x6f\x09", "\x68\x65\x6c\x6c\x6f"},
    {230, 0, "\x20\x20\x48\x65\x4c\x4c\x6f\x09", "\x48\x65\x4c\x4c\x6f"},
    {231, 1, "\xe3\x80\x80\x41\x42\x43\xe2\x80\x83", "\x61\x62\x63"},
    {232, 1, "\xef\xbb\xbf\x41\x42\x43", "\xef\xbb\xbf\x61\x62\x63"},
    {233, 1, "\x41\xff\x42", "\x61\xef\xbf\xbd\x62"},
    {234, 0, "\x41\xff\x42", "\x41\xef\xbf\xbd\x42"},
    {235, 1, "\xc4\xb0\x53\x54\x41\x4e\x42\x55\x4c", "\x69\x73\x74\x61\x6e\x62\x75\x6c"},
    {236, 1, "\x85\x61\x62\x63", "\xef\xbf\xbd\x61\x62\x63"},
    {237, 1, "\xc2\x85\x61\x62\x63\xc2\xa0", "\x61\x62\x63"},
    {0, 1, "", ""},
    {0, 1, " \t\r\n\v\f \xc2\x85\xc2\xa0\xe1\x9a\x80\xe2\x80\xa8\xe2\x80\xa9", ""},
    {0, 1, "A  B\tC", "a  b\tc"},
    {0, 1, "\xe2\x80\x8b A \xe2\x80\x8b", "\xe2\x80\x8b a \xe2\x80\x8b"},
    {0, 1, "\xe1\xa0\x8e", "\xe1\xa0\x8e"},
    {0, 1, "\xa0", "\xef\xbf\xbd"},
    {0, 1, " \x85 ", "\xef\xbf\xbd"},
    {0, 1, "@AZ[`az{@AZ[`az{", "@az[`az{@az[`az{"},
    {0, 1, "\xc8\xba\xc8\xba", "\xe2\xb1\xa5\xe2\xb1\xa5"},
    {0, 1, "\xe2\x84\xaa" "ELVIN", "kelvin"},
    {0, 0, "\xe2\x84\xaa", "\xe2\x84\xaa"},
    {0, 1, "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    {0, 1, "\xe4\xbd", "\xef\xbf\xbd\xef\xbf\xbd"},
    {0, 1, "THE QUICK BROWN \xc3\x84 JUMPS OVER", "the quick brown \xc3\xa4 jumps over"},
};

START_TEST(keywords_are_spelt_as_the_vectors_say)
{
    const spelling *s = &spellings[_i];
    acr_buf b;
    acr_buf_init(&b, &mem);
    ck_assert_int_eq(acr_buf_put(&b, acr_slice_str("before"), NULL), ACOR_OK);
    size_t len = 99;
    ck_assert_int_eq(normalize(&b, s->in, strlen(s->in), s->fold, &len), ACOR_OK);
    ck_assert_uint_eq(len, strlen(s->out));
    ck_assert_uint_eq(b.len, 6 + len);
    ck_assert_mem_eq(b.data, "before", 6);
    ck_assert_mem_eq(b.data + 6, s->out, len);
    acr_buf_free(&b);
}
END_TEST

/* White space at both ends off, then code point for code point. */
static size_t naive_normalize(unsigned char *out, const unsigned char *p, size_t n,
                              int fold)
{
    uint32_t cps[300];
    size_t count = 0, begin = 0, len = 0;
    for (size_t at = 0; at < n;) {
        acr_rune r = naive_decode(p + at, n - at);
        cps[count++] = r.cp;
        at += r.width;
    }
    while (begin < count && acr_is_space(cps[begin]))
        begin++;
    while (count > begin && acr_is_space(cps[count - 1]))
        count--;
    for (size_t i = begin; i < count; i++)
        len += acr_utf8_encode(out + len, fold ? acr_lower(cps[i]) : cps[i]);
    return len;
}

START_TEST(normalisation_agrees_with_the_naive_one)
{
    enum { MOST = 120 };
    unsigned char p[MOST], want[3 * MOST + 4];
    uint64_t seed = 11;
    for (int round = 0; round < 60000; round++) {
        size_t n = random_text(p, MOST, &seed), len;
        int fold = round & 1;
        size_t need = naive_normalize(want, p, n, fold);
        acr_buf b;
        acr_buf_init(&b, &mem);
        if (acr_normalize(&b, acr_slice_of(p, n), fold, &len, NULL) != ACOR_OK ||
            len != need || b.len != need ||
            (need != 0 && memcmp(b.data, want, need) != 0))
            ck_abort_msg("round %d: differs", round);
        int normal = need == n && memcmp(want, p, n) == 0;
        if (acr_is_normal(acr_slice_of(p, n), fold) != normal)
            ck_abort_msg("round %d: is_normal", round);
        if (!acr_is_normal(acr_slice_of(b.data, b.len), fold))
            ck_abort_msg("round %d: the result is not normal", round);
        acr_buf_free(&b);
    }
}
END_TEST

START_TEST(nothing_is_normal)
{
    ck_assert_int_eq(acr_is_normal(acr_slice_of(NULL, 0), 1), 1);
    size_t len = 5;
    acr_buf b;
    acr_buf_init(&b, &mem);
    ck_assert_int_eq(normalize(&b, NULL, 0, 1, &len), ACOR_OK);
    ck_assert_uint_eq(len, 0);
    ck_assert_ptr_null(b.data);
}
END_TEST

/* unit repeated until n bytes are full, `extra` behind it. */
static void limit_holds(const char *unit, size_t n, const char *extra, int want)
{
    size_t k = strlen(unit), more = strlen(extra), len = 7;
    unsigned char *p = malloc(n + more + 1);
    ck_assert_ptr_nonnull(p);
    for (size_t i = 0; i < n; i++)
        p[i] = (unsigned char)unit[i % k];
    memcpy(p + n, extra, more);
    acr_buf b;
    acr_buf_init(&b, &mem);
    ck_assert_int_eq(acr_buf_put(&b, acr_slice_str("before"), NULL), ACOR_OK);
    ck_assert_int_eq(normalize(&b, p, n + more, 1, &len), want);
    ck_assert_uint_eq(len, want == ACOR_OK ? ACOR_MAX_KEYWORD_BYTES : 0);
    ck_assert_uint_eq(b.len, 6 + len);
    ck_assert_mem_eq(b.data, "before", 6);
    acr_buf_free(&b);
    free(p);
}

START_TEST(limit_is_on_the_result)
{
    const size_t max = ACOR_MAX_KEYWORD_BYTES;
    limit_holds("a", max, "", ACOR_OK);
    limit_holds("a", max, "   ", ACOR_OK);
    limit_holds("a", max, "b", ACOR_ELIMIT);
    limit_holds("a", max, "\xc3\xa4", ACOR_ELIMIT);
    limit_holds("a", max - 1, "\xc3\xa4", ACOR_ELIMIT);
    limit_holds("a", max - 2, "\xc3\xa4", ACOR_OK);
    limit_holds("a", max - 1, "\xff", ACOR_ELIMIT);
    limit_holds("a", max - 3, "\xff", ACOR_OK);
    /* Shrinks from three bytes to one, and grows from two to three. */
    limit_holds("\xe2\x84\xaa", 3 * max, "", ACOR_OK);
    limit_holds("\xe2\x84\xaa", 3 * max, "b", ACOR_ELIMIT);
    limit_holds("\xc8\xba", max, "", ACOR_ELIMIT);
    limit_holds("\xc8\xba", (max - 1) / 3 * 2, "b", ACOR_OK);
    limit_holds("\xff", max / 3, "b", ACOR_OK);
    limit_holds("\xff", max, "", ACOR_ELIMIT);
}
END_TEST

START_TEST(over_the_limit_is_not_normal)
{
    size_t n = (size_t)ACOR_MAX_KEYWORD_BYTES + 1;
    unsigned char *p = malloc(n);
    ck_assert_ptr_nonnull(p);
    memset(p, 'a', n);
    ck_assert_int_eq(acr_is_normal(acr_slice_of(p, n), 0), 0);
    ck_assert_int_eq(acr_is_normal(acr_slice_of(p, n - 1), 0), 1);
    free(p);
}
END_TEST

START_TEST(buffer_is_unchanged_when_memory_runs_out)
{
    char in[400];
    memset(in, '\xff', sizeof in); /* grows to 1200 bytes */
    int status = ACOR_ENOMEM;
    for (size_t n = 0; status != ACOR_OK; n++) {
        acr_buf b;
        acr_buf_init(&b, &mem);
        ck_assert_int_eq(acr_buf_put(&b, acr_slice_str("before"), NULL), ACOR_OK);
        count_alloc_fail(&counter, n);
        size_t len = 9;
        status = normalize(&b, in, sizeof in, 1, &len);
        count_alloc_fail(&counter, SIZE_MAX);
        ck_assert_int_eq(status, status == ACOR_OK ? ACOR_OK : ACOR_ENOMEM);
        ck_assert_uint_eq(len, status == ACOR_OK ? 1200 : 0);
        ck_assert_uint_eq(b.len, 6 + len);
        ck_assert_mem_eq(b.data, "before", 6);
        acr_buf_free(&b);
        ck_assert(n > 1 || status != ACOR_OK); /* two growths at least */
    }
}
END_TEST

START_TEST(trim_answers_a_part_of_the_string_itself)
{
    static const char text[] = " \t\xe3\x80\x80 a b\xc2\x85\n";
    acor_string s = acor_trim((acor_string){text, sizeof text - 1});
    ck_assert_ptr_eq(s.data, text + 6);
    ck_assert_uint_eq(s.len, 3);
    s = acor_trim((acor_string){" \n ", 3});
    ck_assert_uint_eq(s.len, 0);
    s = acor_trim((acor_string){NULL, 0});
    ck_assert_uint_eq(s.len, 0);
    s = acor_trim((acor_string){"\x85\xa0", 2});
    ck_assert_uint_eq(s.len, 2);
}
END_TEST

static int dump(void)
{
    for (uint32_t cp = 0; cp <= ACR_RUNE_MAX; cp++)
        (void)printf("%X %X %d %d\n", cp, acr_lower(cp), acr_is_word(cp),
                     acr_is_space(cp));
    return ferror(stdout) || fflush(stdout) != 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--dump") == 0)
        return dump();
    Suite *s = suite_create("text");
    TCase *t = tcase_create("text");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 120);
    tcase_add_test(t, every_code_point_is_what_go_says);
    tcase_add_test(t, lower_case_is_the_simple_mapping);
    tcase_add_test(t, lower_case_is_lower_case_already);
    tcase_add_test(t, numbers_past_the_last_code_point_are_nothing);
    tcase_add_test(t, space_is_the_documented_list);
    tcase_add_test(t, word_is_letters_digits_marks_and_the_underscore);
    tcase_add_test(t, every_short_sequence_is_decoded_by_the_rule);
    tcase_add_test(t, every_four_byte_lead_is_decoded_by_the_rule);
    tcase_add_test(t, what_is_encoded_is_decoded);
    tcase_add_test(t, each_undecodable_byte_is_one_replacement);
    tcase_add_test(t, decoding_backwards_agrees_with_forwards);
    tcase_add_test(t, back_stops_at_begin);
    tcase_add_test(t, nothing_has_no_code_points_and_is_valid);
    tcase_add_loop_test(t, keywords_are_spelt_as_the_vectors_say, 0,
                        (int)(sizeof spellings / sizeof *spellings));
    tcase_add_test(t, normalisation_agrees_with_the_naive_one);
    tcase_add_test(t, nothing_is_normal);
    tcase_add_test(t, limit_is_on_the_result);
    tcase_add_test(t, over_the_limit_is_not_normal);
    tcase_add_test(t, buffer_is_unchanged_when_memory_runs_out);
    tcase_add_test(t, trim_answers_a_part_of_the_string_itself);
    suite_add_tcase(s, t);
    return acor_test_run(s);
}
