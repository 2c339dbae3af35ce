/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The filter before the automaton changes no result: not where it changes from one way
 * of working to the other, not with any kernel.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "engine/filter.h"
#include "engine/filtered.h"
#include "engine/leads.h"
#include "text/words.h"

enum { WORDS = 400, TEXT = 6000, TOO_MANY = 200000 };

static uint32_t seed;

static uint32_t rnd(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

/* Sorted and distinct, as an engine wants them. */
typedef struct dict {
    acr_mem mem;
    acr_words *words;
    acr_slice *bytes;
    acr_patterns p;
} dict;

static const char *const units[] = {"a", "b", "c", "d", "e", "k", "i", " ", "\xd1\x8f", "\xe4\xb8\xad"};

static size_t put_units(unsigned char *out, size_t n, uint32_t kinds)
{
    size_t len = 0;
    for (size_t i = 0; i < n; i++) {
        const char *u = units[rnd(kinds)];
        memcpy(out + len, u, strlen(u));
        len += strlen(u);
    }
    return len;
}

static void dict_make(dict *d, uint32_t n, uint32_t min, uint32_t max, uint32_t kinds, int fold)
{
    acr_mem_init(&d->mem, NULL, NULL);
    d->words = acr_words_new(&d->mem);
    for (uint32_t i = 0; i < n; i++) {
        unsigned char w[256];
        size_t len = put_units(w, min + rnd(max - min + 1), kinds);
        ck_assert_int_eq(acr_words_add(d->words, acr_slice_of(w, len), NULL, NULL), ACOR_OK);
    }
    uint32_t *order;
    ck_assert_int_eq(acr_words_sorted(d->words, &d->mem, &order, NULL), ACOR_OK);
    uint32_t count = (uint32_t)acr_words_count(d->words);
    d->bytes = malloc(count * sizeof *d->bytes);
    for (uint32_t i = 0; i < count; i++)
        d->bytes[i] = acr_words_at(d->words, order[i]);
    acr_free(&d->mem, order, count * sizeof *order);
    d->p = (acr_patterns){.bytes = d->bytes, .n = count, .fold = fold};
}

static void dict_free(dict *d)
{
    acr_words_unref(d->words);
    free(d->bytes);
}

/* Words of the dictionary and units; with specials, what folds to ASCII too. */
static size_t make_text(const dict *d, unsigned char *text, uint32_t dense, uint32_t kinds,
                        int specials)
{
    static const char *const odd[] = {"\xe2\x84\xaa", "\xc4\xb0", "K", "I", "A", "\xff", "\xe2\x84"};
    size_t len = 0;
    while (len < TEXT) {
        if (rnd(100) < dense) {
            acr_slice w = d->bytes[rnd(d->p.n)];
            memcpy(text + len, w.data, w.len);
            len += w.len;
        } else if (specials && rnd(4) == 0) {
            const char *u = odd[rnd(7)];
            memcpy(text + len, u, strlen(u));
            len += strlen(u);
        } else {
            len += put_units(text + len, 1 + rnd(6), kinds);
        }
    }
    return len;
}

typedef struct hits {
    acor_match *items;
    size_t n;
} hits;

static int keep(void *user, const acor_match *m, size_t n)
{
    hits *h = user;
    ck_assert_uint_le(h->n + n, TOO_MANY);
    memcpy(h->items + h->n, m, n * sizeof *m);
    h->n += n;
    return 0;
}

/* All hits, the text cut into jobs of up to most bytes where code points start. */
static acr_cursor scan(const acr_engine *e, const acr_mem *mem, const unsigned char *text,
                       size_t len, size_t most, hits *out)
{
    static const acor_scan_options all = ACOR_SCAN_OPTIONS_INIT;
    acr_pending pending = {.mem = mem};
    acr_select select;
    acr_cursor cursor = {0};
    out->n = 0;
    acr_select_init(&select, &all, &pending);
    select.fn = keep;
    select.user = out;
    acr_scan_job job = {.text = text, .cursor = &cursor, .codepoints = 1, .to = &select};
    while (job.begin < len) {
        size_t part = most < len ? 4 + rnd((uint32_t)most) : len;
        job.end = len - job.begin <= part
                      ? len
                      : (size_t)(acr_utf8_boundary(text, text + job.begin + part, text + len) - text);
        ck_assert_int_eq(e->ops->scan(e, &job), 0);
        job.begin = job.end;
    }
    acr_pending_free(&pending);
    return cursor;
}

typedef struct shape {
    uint32_t words, min, max, kinds;
    int fold;
} shape;

static const shape shapes[] = {{300, 9, 20, 8, 0}, {300, 9, 14, 8, 1}, {60, 4, 12, 8, 0},
                               {60, 4, 9, 8, 1},   {5, 4, 4, 4, 1},    {WORDS, 5, 30, 10, 0},
                               {1, 9, 9, 2, 0},    {40, 8, 200, 3, 0}};

static const acr_filtered_limits limits[] = {{64, 0, 40, 128, 512},
                                             {300, 0, 1, 64, 64},
                                             {4096, 0, 1000000, 100, 1000},
                                             {17, 0, 10, 5, 50}};

static void compare(const dict *d, const acr_filtered_limits *l, hits *want, hits *got)
{
    static unsigned char text[TEXT + 1024];
    acr_automaton *plain, *a;
    acr_engine *e;
    ck_assert_int_eq(acr_automaton_build(&plain, &d->mem, &d->p, NULL), ACOR_OK);
    ck_assert_int_eq(acr_automaton_build(&a, &d->mem, &d->p, NULL), ACOR_OK);
    ck_assert_int_eq(acr_filtered_make(&e, &d->mem, a, &d->p, l, NULL), ACOR_OK);
    for (uint32_t round = 0; round < 8; round++) {
        uint32_t dense = round % 4 * 12;
        size_t len = make_text(d, text, dense, 8 + round % 3, round >= 4);
        size_t most = round % 2 ? TEXT : 900;
        acr_cursor end = scan(&plain->engine, &d->mem, text, len, TEXT * 2, want);
        acr_cursor other = scan(e, &d->mem, text, len, most, got);
        ck_assert_uint_eq(got->n, want->n);
        ck_assert(want->n == 0 ||
                  memcmp(got->items, want->items, want->n * sizeof *want->items) == 0);
        ck_assert_uint_eq(other.state, end.state);
        ck_assert_uint_eq(other.offset, end.offset);
        ck_assert_uint_eq(other.extra, end.extra);
    }
    e->ops->free(e);
    plain->engine.ops->free(&plain->engine);
}

START_TEST(a_filter_changes_no_hit_no_order_and_no_state)
{
    hits want = {calloc(TOO_MANY, sizeof(acor_match)), 0}, got = {calloc(TOO_MANY, sizeof(acor_match)), 0};
    for (uint32_t round = 0; round < 12; round++) {
        const shape *s = &shapes[_i];
        dict d;
        seed = (uint32_t)_i * 1000 + round;
        dict_make(&d, s->words, s->min, s->max, s->kinds, s->fold);
        for (size_t l = 0; l < sizeof limits / sizeof *limits; l++)
            compare(&d, &limits[l], &want, &got);
        dict_free(&d);
    }
    free(want.items);
    free(got.items);
}
END_TEST

/* Both kernels say the same, and no beginning is missed. */
START_TEST(kernels_agree_and_miss_nothing)
{
    static unsigned char text[TEXT + 1024];
    for (uint32_t round = 0; round < 40; round++) {
        const shape *s = &shapes[_i];
        dict d;
        acr_filter f;
        seed = (uint32_t)_i * 977 + round;
        dict_make(&d, s->words, s->min, s->max, s->kinds, s->fold);
        ck_assert_int_eq(acr_filter_make(&f, &d.mem, &d.p, NULL), ACOR_OK);
        acr_filter_step_fn portable = acr_filter_portable(f.kind);
        (void)make_text(&d, text, 30, 8, 0);
        for (size_t at = 0; at + ACR_FILTER_STEP < TEXT;) {
            uint16_t one[ACR_FILTER_STEP], two[ACR_FILTER_STEP];
            size_t n = 1 + rnd(ACR_FILTER_STEP), next = 0;
            size_t found = portable(&f, text + at, n, one);
            ck_assert_uint_eq(f.step(&f, text + at, n, two), found);
            ck_assert_int_eq(memcmp(one, two, found * sizeof *one), 0);
            for (size_t i = 0; i < n; i++) {
                int begins = 0, shorter = 0;
                for (uint32_t k = 0; k < d.p.n; k++) {
                    int here = memcmp(text + at + i, d.bytes[k].data, d.bytes[k].len) == 0;
                    begins |= here;
                    shorter |= here && d.bytes[k].len < ACR_LEAD_BYTES;
                }
                int listed = next < found && (one[next] & ~ACR_FILTER_SHORT) == i;
                ck_assert_int_le(begins, listed);
                ck_assert(!shorter || one[next] & ACR_FILTER_SHORT);
                next += (size_t)listed;
            }
            ck_assert_uint_eq(next, found);
            at += n;
        }
        acr_filter_free(&f);
        dict_free(&d);
    }
}
END_TEST

static int makes(const char *word, int fold)
{
    acr_slice bytes[] = {acr_slice_str(word)};
    acr_patterns p = {.bytes = bytes, .n = 1, .fold = fold};
    acr_filter f;
    acr_mem mem;
    acr_mem_init(&mem, NULL, NULL);
    int status = acr_filter_make(&f, &mem, &p, NULL);
    if (status == ACOR_OK)
        acr_filter_free(&f);
    return status;
}

START_TEST(patterns_that_text_can_equal_in_other_bytes_get_no_filter)
{
    ck_assert_int_eq(makes("abcd", 0), ACOR_OK);
    ck_assert_int_eq(makes("abcd", 1), ACOR_OK);
    ck_assert_int_eq(makes("abc", 0), ACOR_NOTFOUND);
    ck_assert_int_eq(makes("ab\xef\xbf\xbd" "cd", 0), ACOR_NOTFOUND);
    ck_assert_int_eq(makes("ab\xd1\x8f" "cd", 1), ACOR_NOTFOUND);
    ck_assert_int_eq(makes("ab\xd1\x8f" "cd", 0), ACOR_OK);
    acr_patterns none = {.n = 0};
    acr_filter f;
    acr_mem mem;
    acr_mem_init(&mem, NULL, NULL);
    ck_assert_int_eq(acr_filter_make(&f, &mem, &none, NULL), ACOR_NOTFOUND);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("filtered");
    TCase *t = tcase_create("filtered");
    int n = (int)(sizeof shapes / sizeof *shapes);
    tcase_set_timeout(t, 240);
    tcase_add_loop_test(t, a_filter_changes_no_hit_no_order_and_no_state, 0, n);
    tcase_add_loop_test(t, kernels_agree_and_miss_nothing, 0, n);
    tcase_add_test(t, patterns_that_text_can_equal_in_other_bytes_get_no_filter);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_set_tap(r, "-");
    srunner_run_all(r, CK_SILENT);
    int bad = srunner_ntests_failed(r);
    srunner_free(r);
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
