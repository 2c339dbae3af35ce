/* SPDX-License-Identifier: Apache-2.0 */
/* Texts and keywords: pairs, random ones, long ones, ids. */
#include <pthread.h>
#include <stdlib.h>

#include "../cases/generate.h"
#include "fields.h"
#include "naive.h"
#include "scancase.h"
#include "tap.h"

int spans_are(const hits *h, const uint64_t *spans, size_t n)
{
    if (h->count != n)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (h->items[i].start != spans[2 * i] || h->items[i].end != spans[2 * i + 1])
            return 0;
    return 1;
}

acor_string *random_words(uint64_t seed, size_t n, uint64_t *bytes)
{
    rng r = rng_seed(seed);
    acor_string *w = naive_alloc(n * sizeof *w);
    *bytes = 0;
    for (size_t i = 0; i < n; i++) {
        w[i] = make_string(&r, alphabet_at(6), 8 + rng_below(&r, 17));
        *bytes += w[i].len;
    }
    return w;
}

void free_words(acor_string *words, size_t n)
{
    free_keywords(words, n);
}

/* One text at one place: matches with these byte spans. */
static int finds(place p, const char *name, const acor_string *k, size_t n,
                 acor_string text, const uint64_t *spans, size_t count)
{
    world w;
    hits h;
    int found = -1;
    WANT(world_open(&w, p, name, 0, k, n));
    WANT(world_find(&w, text, ACOR_MATCH_OVERLAPPING, 0, &h));
    WANT(spans_are(&h, spans, count));
    WANT(world_contains(&w, text, &found) && found == (count > 0));
    hits_free(&h);
    world_close(&w);
    return 1;
}

int fc008_every_pair_of_letters(void)
{
    static char lower[26 * 26][2], upper[26 * 26][2];
    static const uint64_t span[] = {0, 2};
    acor_string k[26 * 26];
    for (size_t i = 0; i < 26 * 26; i++) {
        lower[i][0] = (char)('a' + i / 26);
        lower[i][1] = (char)('a' + i % 26);
        upper[i][0] = (char)('A' + i / 26);
        upper[i][1] = (char)('A' + i % 26);
        k[i] = (acor_string){lower[i], 2};
        WANT(finds(PLACE_SNAPSHOT, "", &k[i], 1, (acor_string){upper[i], 2}, span, 1));
        WANT(finds(PLACE_MEM, "pair", &k[i], 1, (acor_string){upper[i], 2}, span, 1));
    }
    for (place p = 0; p < PLACES; p++) {
        world w;
        if (!place_exists(p))
            continue;
        WANT(world_open(&w, p, "all pairs", 0, k, 26 * 26));
        for (size_t i = 0; i < 26 * 26; i++) {
            hits h;
            WANT(world_find(&w, (acor_string){upper[i], 2}, ACOR_MATCH_OVERLAPPING, 0,
                            &h));
            WANT(spans_are(&h, span, 1));
            WANT(memcmp(hits_keyword(&h, 0).data, lower[i], 2) == 0);
            hits_free(&h);
        }
        world_close(&w);
    }
    return 1;
}

static int random_round(uint64_t seed, acor_scratch *scratch)
{
    static const char *const units[] = {"a", "b", "c", ".", "-", " ", "\xc3\xa9"};
    static const alphabet letters = {"letters and punctuation", units, 7};
    rng r = rng_seed(seed);
    size_t n = 1 + rng_below(&r, 200);
    acor_string *k = make_keywords(&r, &letters, n, 1, 6);
    acor_string text = make_text(&r, &letters, k, n, rng_below(&r, 200));
    naive_dict *dict = naive_new(k, n, 0);
    acor_snapshot *snap = NULL;
    char name[40];
    snprintf(name, sizeof name, "random %llu", (unsigned long long)seed);
    scan_case c = {name, k, n, text.data ? text.data : "", text.len};
    WANT(acor_snapshot_build(&snap, k, n, NULL, NULL) == ACOR_OK);
    for (int i = 0; i < 4; i++) {
        scan_combo combo = scan_combo_at(i);
        naive_list want = naive_find(dict, c.text, c.len, combo.kind, combo.place);
        WANT(scan_case_check(&c, &combo, snap, scratch, &want));
        WANT(scan_case_check_collection(&c, &combo, dict, &want));
        naive_list_free(&want);
    }
    acor_snapshot_unref(snap);
    naive_free(dict);
    free_keywords(k, n);
    free_string(text);
    return 1;
}

/* Far more rounds, and other alphabets, are in tests/cases/test_generated. */
int fc026_random_dictionaries(void)
{
    acor_scratch *scratch = NULL;
    int rounds = tap_scale(400);
    WANT(acor_scratch_new(&scratch, NULL) == ACOR_OK);
    for (int i = 0; i < rounds; i++)
        WANT(random_round((uint64_t)i, scratch));
    acor_scratch_free(scratch);
    return 1;
}

static int one_place(const acor_snapshot *snap, char *text, uint64_t p)
{
    memset(text, '.', p + 105);
    memcpy(text + p, "qw7zj", 5);
    hits h = {.count = 0};
    world w = {.at = PLACE_SNAPSHOT, .snap = (acor_snapshot *)(uintptr_t)snap};
    const uint64_t span[] = {p, p + 5};
    WANT(world_find(&w, (acor_string){text, p + 105}, ACOR_MATCH_OVERLAPPING, 0, &h));
    WANT(spans_are(&h, span, 1) && h.items[0].cp_start == p);
    hits_free(&h);
    return 1;
}

/* Streams, which the case is about too, come with part 3. */
int fc058_every_place_near_a_block_end(void)
{
    static const uint64_t blocks[] = {4096, 8192, 65536};
    acor_string k = str("qw7zj");
    acor_snapshot *snap = NULL;
    char *text = naive_alloc(65536 + 200);
    uint64_t step = (uint64_t)(8 / tap_scale(8)); /* 1, or more where it is slow */
    WANT(acor_snapshot_build(&snap, &k, 1, NULL, NULL) == ACOR_OK);
    for (uint64_t p = 0; p <= 20; p++)
        WANT(one_place(snap, text, p));
    for (size_t b = 0; b < 3; b++)
        for (uint64_t p = blocks[b] - 1000; p <= blocks[b] + 10; p += step ? step : 1)
            WANT(one_place(snap, text, p));
    acor_snapshot_unref(snap);
    free(text);
    return 1;
}

int fc130_planted_hits(void)
{
    enum { WORDS = 20000, HITS = 1000, GAP = 2000 };
    rng r = rng_seed(130);
    acor_string *k = make_keywords(&r, alphabet_at(6), WORDS, 20, 20);
    char *text = naive_alloc(HITS * GAP);
    acor_snapshot *snap = NULL;
    hits h;
    WANT(acor_snapshot_build(&snap, k, WORDS, NULL, NULL) == ACOR_OK);
    memset(text, 'q', HITS * GAP);
    for (size_t i = 0; i < HITS; i++)
        memcpy(text + i * GAP + i, k[i * 17].data, 20);
    world w = {.at = PLACE_SNAPSHOT, .snap = snap};
    WANT(world_find(&w, (acor_string){text, HITS * GAP}, ACOR_MATCH_OVERLAPPING, 0, &h));
    WANT(h.count == HITS);
    for (size_t i = 0; i < HITS; i++)
        WANT(h.items[i].start == i * GAP + i && h.items[i].keyword == i * 17);
    hits_free(&h);
    acor_snapshot_unref(snap);
    free(text);
    free_keywords(k, WORDS);
    return 1;
}

static int paragraph_at(place p)
{
    enum { TIMES = 20000, LEN = 6 * TIMES };
    static const uint64_t span[] = {1, LEN};
    char *keyword = naive_alloc(LEN), *text = naive_alloc(LEN + 1);
    for (size_t i = 0; i < TIMES; i++)
        memcpy(keyword + 6 * i, "lorem ", 6);
    text[0] = 'x';
    memcpy(text + 1, keyword, LEN - 1);
    text[LEN] = 'y';
    acor_string k = {keyword, LEN};
    world w;
    hits h;
    int removed = 1;
    WANT(world_open(&w, p, "paragraph", 0, &k, 1));
    WANT(world_find(&w, (acor_string){text, LEN + 1}, ACOR_MATCH_OVERLAPPING, 0, &h));
    WANT(spans_are(&h, span, 1));
    hits_free(&h);
    if (p != PLACE_SNAPSHOT)
        WANT(acor_remove(w.col, keyword, LEN, &removed, NULL) == ACOR_OK && removed);
    world_close(&w);
    free(keyword);
    free(text);
    return 1;
}

static void *paragraphs(void *user)
{
    int *ok = user;
    *ok = 1;
    for (place p = 0; p < PLACES; p++)
        if (place_exists(p))
            *ok = paragraph_at(p) && *ok;
    return NULL;
}

int fc133_paragraph_on_a_small_stack(void)
{
    pthread_attr_t attr;
    pthread_t thread;
    int ok = 0;
    WANT(pthread_attr_init(&attr) == 0);
    WANT(pthread_attr_setstacksize(&attr, 256 * 1024) == 0);
    WANT(pthread_create(&thread, &attr, paragraphs, &ok) == 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
    return ok;
}

static int note_length(void *user, const acor_string *keywords, size_t n)
{
    size_t *len = user;
    *len = n == 1 ? keywords[0].len : 0;
    return 0;
}

/* The other ways in, a file and an argument, belong to the program: tests/cli. */
int fc135_sixty_thousand_letters(void)
{
    enum { LEN = 60000 };
    static const uint64_t span[] = {3, 3 + LEN};
    rng r = rng_seed(135);
    acor_string k = make_string(&r, alphabet_at(6), LEN);
    char *text = naive_alloc(LEN + 6);
    memcpy(text, "abc", 3);
    memcpy(text + 3, k.data, LEN);
    memcpy(text + 3 + LEN, "def", 3);
    for (place p = 0; p < PLACES; p++) {
        world w;
        hits h;
        size_t len = LEN;
        if (!place_exists(p))
            continue;
        WANT(world_open(&w, p, "letters", 0, &k, 1));
        WANT(world_find(&w, (acor_string){text, LEN + 6}, ACOR_MATCH_OVERLAPPING, 0, &h));
        WANT(spans_are(&h, span, 1) && hits_keyword(&h, 0).len == LEN);
        hits_free(&h);
        if (p != PLACE_SNAPSHOT)
            WANT(acor_export(w.col, note_length, &len, NULL) == ACOR_OK);
        WANT(len == LEN);
        world_close(&w);
    }
    free(text);
    free_string(k);
    return 1;
}

/* The id of a match leads to what the program keeps about a keyword. */
int fc176_ids(void)
{
    const acor_string k[] = {str("ham"), str("ban1"), str(" "), str("BAN1"), str("eggs")};
    static const char *const rules[] = {"none", "rule 7", "empty", "repeated", "rule 9"};
    acor_string text = str("Ban1 and EGGS");
    for (int round = 0; round < 2; round++) {
        world w;
        hits h;
        WANT(world_open(&w, PLACE_SNAPSHOT, "", 0, k, 5));
        WANT(acor_snapshot_ids(w.snap) == 5);
        WANT(world_find(&w, text, ACOR_MATCH_OVERLAPPING, 0, &h) && h.count == 2);
        WANT(strcmp(rules[h.items[0].keyword], "rule 7") == 0);
        WANT(strcmp(rules[h.items[1].keyword], "rule 9") == 0);
        WANT(strcmp(acor_snapshot_keyword(w.snap, 1).data, "ban1") == 0);
        WANT(acor_snapshot_keyword(w.snap, 2).data == NULL);
        WANT(acor_snapshot_keyword(w.snap, 3).data == NULL);
        hits_free(&h);
        world_close(&w);
    }
    return 1;
}
