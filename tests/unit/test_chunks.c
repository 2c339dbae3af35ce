/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks against a model that works on an array of code points, as Go's does. */
#include <string.h>

#include "acor_test.h"
#include "count_alloc.h"
#include "text/chunks.h"
#include "text/unicode.h"
#include "text/utf8.h"

enum { LONGEST = 80, ROUNDS = 20000 };

/* --- the model ------------------------------------------------------------------- */

typedef struct model {
    uint32_t cp[LONGEST];
    size_t at[LONGEST + 1]; /* where each starts in bytes; then the end */
    int n;
} model;

static model model_of(acr_slice text)
{
    model m = {.n = 0};
    for (size_t i = 0; i < text.len;) {
        acr_rune r = acr_utf8_decode(text.data + i, text.data + text.len);
        m.at[m.n] = i;
        m.cp[m.n++] = r.cp;
        i += r.width;
    }
    m.at[m.n] = text.len;
    return m;
}

static int model_is_boundary(const model *m, int i, uint32_t kind)
{
    if (i <= 0 || i >= m->n)
        return 0;
    uint32_t before = m->cp[i - 1];
    int space = acr_is_space(m->cp[i]);
    switch (kind) {
    case ACOR_BOUNDARY_WORD: return space && !acr_is_space(before);
    case ACOR_BOUNDARY_SENTENCE:
        return space && (before == '.' || before == '!' || before == '?');
    default: return before == '\n';
    }
}

static int model_find_boundary(const model *m, int target, uint32_t kind, int max_back)
{
    for (int i = target; i > target - max_back && i > 0; i--)
        if (model_is_boundary(m, i, kind))
            return i;
    return target;
}

/* The end of the chunk at s, and where the next one begins: n after the last. */
static int model_next(const model *m, int s, int size, int overlap, uint32_t kind, int *next)
{
    if (s + size >= m->n)
        return *next = m->n;
    int cut = model_find_boundary(m, s + size, kind, size / 2);
    *next = cut - overlap > s ? cut - overlap : cut;
    return cut;
}

/* --- texts ----------------------------------------------------------------------- */

static const char *const units[] = {
    "a", "b", ".", "!", "?", " ", "\n", "\t", "\xc3\xa9", "\xc2\xa0", "\xe3\x80\x80",
    "\xed\x95\x9c", "\xf0\x9f\x98\x80", "\xff", "\xe4\xbd", "\x80", "A", "\xe2\x84\xaa"};

/* Seldom spaces and stops, or often. */
static acr_slice make_text(unsigned char *to, uint64_t *seed)
{
    size_t len = 0;
    uint32_t n = count_random(seed) % (LONGEST / 2 + 1), mostly = count_random(seed) % 4;
    for (uint32_t i = 0; i < n; i++) {
        size_t which = count_random(seed) % (sizeof units / sizeof *units);
        const char *u = count_random(seed) % 4 < mostly ? "a" : units[which];
        memcpy(to + len, u, strlen(u));
        len += strlen(u);
    }
    return acr_slice_of(to, len);
}

static void compare_chunks(const model *m, acr_slice text, int size, int overlap,
                           uint32_t kind)
{
    acr_chunks c;
    size_t start, end;
    int s = 0, next, n = 0;
    acr_chunks_init(&c, text, (uint64_t)size, (uint64_t)overlap, kind);
    do {
        int cut = model_next(m, s, size, overlap, kind, &next);
        if (!acr_chunks_next(&c, &start, &end) || start != m->at[s] || end != m->at[cut] ||
            c.next != m->at[next])
            ck_abort_msg("chunk %d of size %d, overlap %d, kind %u: [%zu, %zu), next %zu;"
                         " the model has [%zu, %zu), %zu",
                         n, size, overlap, kind, start, end, c.next, m->at[s], m->at[cut],
                         m->at[next]);
        s = next;
        n++;
    } while (s < m->n);
    if (acr_chunks_next(&c, &start, &end))
        ck_abort_msg("a chunk behind the last");
}

START_TEST(chunks_are_those_of_the_model)
{
    uint64_t seed = 1;
    unsigned char bytes[LONGEST * 4];
    for (int round = 0; round < ROUNDS; round++) {
        acr_slice text = make_text(bytes, &seed);
        model m = model_of(text);
        int size = 1 + (int)(count_random(&seed) % 24);
        int overlap = (int)(count_random(&seed) % 30);
        compare_chunks(&m, text, size, overlap, count_random(&seed) % 3);
    }
}
END_TEST

START_TEST(boundaries_are_those_of_the_model)
{
    uint64_t seed = 2;
    unsigned char bytes[LONGEST * 4];
    for (int round = 0; round < ROUNDS / 10; round++) {
        acr_slice text = make_text(bytes, &seed);
        model m = model_of(text);
        int back = (int)(count_random(&seed) % 12);
        for (int i = 0; i <= m.n; i++)
            for (uint32_t kind = 0; kind < 3; kind++)
                if (acr_is_boundary(text, m.at[i], kind) != model_is_boundary(&m, i, kind) ||
                    acr_find_boundary(text, m.at[i], kind, (uint64_t)back) !=
                        m.at[model_find_boundary(&m, i, kind, back)])
                    ck_abort_msg("round %d, place %d, kind %u, back %d", round, i, kind, back);
    }
}
END_TEST

START_TEST(moving_on_is_moving_back_the_other_way)
{
    uint64_t seed = 3;
    unsigned char bytes[LONGEST * 4];
    for (int round = 0; round < ROUNDS / 10; round++) {
        acr_slice text = make_text(bytes, &seed);
        model m = model_of(text);
        const unsigned char *end = text.data + text.len;
        for (int i = 0; i <= m.n; i++) {
            int n = (int)(count_random(&seed) % 40), to = i + n < m.n ? i + n : m.n;
            if (acr_utf8_forward(text.data + m.at[i], end, (size_t)n) != text.data + m.at[to])
                ck_abort_msg("round %d: %d code points from %d", round, n, i);
        }
    }
}
END_TEST

START_TEST(an_empty_text_is_one_chunk)
{
    acr_chunks c;
    size_t start = 1, end = 1;
    acr_chunks_init(&c, acr_slice_of(NULL, 0), 10, 0, ACOR_BOUNDARY_WORD);
    ck_assert_int_eq(acr_chunks_next(&c, &start, &end), 1);
    ck_assert(start == 0 && end == 0 && c.next == 0);
    ck_assert_int_eq(acr_chunks_next(&c, &start, &end), 0);
}
END_TEST

START_TEST(sizes_may_be_as_large_as_their_type)
{
    acr_slice text = acr_slice_str("one two three");
    acr_chunks c;
    size_t start, end;
    acr_chunks_init(&c, text, UINT64_MAX, UINT64_MAX, ACOR_BOUNDARY_WORD);
    ck_assert_int_eq(acr_chunks_next(&c, &start, &end), 1);
    ck_assert(start == 0 && end == text.len && c.done);
    acr_chunks_init(&c, text, 5, UINT64_MAX, ACOR_BOUNDARY_WORD);
    ck_assert_int_eq(acr_chunks_next(&c, &start, &end), 1);
    ck_assert(start == 0 && end == 5 && c.next == 5);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("chunks");
    TCase *t = tcase_create("chunks");
    tcase_add_test(t, chunks_are_those_of_the_model);
    tcase_add_test(t, boundaries_are_those_of_the_model);
    tcase_add_test(t, moving_on_is_moving_back_the_other_way);
    tcase_add_test(t, an_empty_text_is_one_chunk);
    tcase_add_test(t, sizes_may_be_as_large_as_their_type);
    suite_add_tcase(suite, t);
    return acor_test_run(suite);
}
