/* SPDX-License-Identifier: Apache-2.0 */
/* Memory, build and scan, by what is counted; times belong to bench/. */
#include <stdlib.h>

#include "../cases/generate.h"
#include "fields.h"
#include "memcount.h"
#include "naive.h"
#include "tap.h"

static acor_snapshot *build(memcount *m, const acor_string *k, size_t n)
{
    acor_build_options o = ACOR_BUILD_OPTIONS_INIT;
    acor_snapshot *snap = NULL;
    o.allocator = &m->hook;
    return acor_snapshot_build(&snap, k, n, &o, NULL) == ACOR_OK ? snap : NULL;
}

/* What a build of n random words holds and took; m is fresh. */
static int measure(memcount *m, size_t n, uint64_t *bytes, uint64_t *live,
                   uint64_t *stated)
{
    acor_snapshot_stats st = ACOR_SNAPSHOT_STATS_INIT;
    acor_string *k = random_words(103, n, bytes);
    memcount_init(m);
    acor_snapshot *snap = build(m, k, n);
    WANT(snap && acor_snapshot_stats_get(snap, &st) == ACOR_OK);
    *live = m->live_bytes;
    *stated = st.memory_bytes;
    acor_snapshot_unref(snap);
    WANT(m->live_blocks == 0 && m->live_bytes == 0 && !m->faults);
    free_words(k, n);
    return 1;
}

/* At most 40 bytes a letter, growing linearly, and stated as it is. */
int fc103_memory(void)
{
    memcount m;
    uint64_t bytes = 0, live = 0, stated = 0, before = 0;
    size_t n = (size_t)tap_scale(25000);
    for (int i = 0; i < 3; i++, n *= 2) {
        WANT(measure(&m, n, &bytes, &live, &stated));
        WANT(live <= 40 * bytes);
        WANT(stated <= live + 4096 && stated * 10 >= live * 9);
        WANT(i == 0 || live * 10 <= before * 22);
        before = live;
    }
    return 1;
}

/* Allocated in all and at the peak: what a build does to memory it also does to
 * time, roughly. Twelve times for ten times the words, at most. */
int fc108_build_grows_linearly(void)
{
    memcount small, large;
    uint64_t bytes, live, stated;
    size_t n = (size_t)tap_scale(8000);
    WANT(measure(&small, n, &bytes, &live, &stated));
    WANT(measure(&large, 10 * n, &bytes, &live, &stated));
    WANT(large.total_bytes <= 12 * small.total_bytes);
    WANT(large.peak_bytes <= 12 * small.peak_bytes);
    WANT(large.calls <= 12 * small.calls);
    return 1;
}

static int compare_strings(const void *a, const void *b)
{
    const acor_string *x = a, *y = b;
    size_t n = x->len < y->len ? x->len : y->len;
    int c = memcmp(x->data, y->data, n);
    return c ? c : (x->len > y->len) - (x->len < y->len);
}

static int same_by_spelling(const hits *a, const hits *b)
{
    WANT(a->count == b->count);
    for (size_t i = 0; i < a->count; i++) {
        acor_string x = hits_keyword(a, i), y = hits_keyword(b, i);
        WANT(a->items[i].start == b->items[i].start &&
             a->items[i].end == b->items[i].end);
        WANT(compare_strings(&x, &y) == 0);
    }
    return 1;
}

/* Shuffled, sorted and reversed keywords: the same matches, the same size. */
int fc110_any_order(void)
{
    uint64_t bytes;
    memcount m[3];
    world w[3];
    hits h[3];
    size_t n = (size_t)tap_scale(20000);
    rng r = rng_seed(110);
    acor_string *k = random_words(110, n, &bytes);
    acor_string text = make_text(&r, alphabet_at(6), k, n, 60000);
    for (int i = 0; i < 3; i++) {
        if (i == 1)
            qsort(k, n, sizeof *k, compare_strings);
        for (size_t a = 0, b = n - 1; i == 2 && a < b; a++, b--) {
            acor_string t = k[a];
            k[a] = k[b];
            k[b] = t;
        }
        memcount_init(&m[i]);
        w[i] = (world){.at = PLACE_SNAPSHOT, .snap = build(&m[i], k, n)};
        WANT(w[i].snap != NULL);
        WANT(world_find(&w[i], text, ACOR_MATCH_OVERLAPPING, 0, &h[i]) && h[i].count > 0);
    }
    for (int i = 1; i < 3; i++) {
        WANT(same_by_spelling(&h[0], &h[i]));
        WANT(m[i].live_bytes <= 2 * m[0].live_bytes &&
             m[0].live_bytes <= 2 * m[i].live_bytes);
        WANT(m[i].total_bytes <= 2 * m[0].total_bytes);
    }
    for (int i = 0; i < 3; i++) {
        hits_free(&h[i]);
        acor_snapshot_unref(w[i].snap);
        WANT(m[i].live_blocks == 0);
    }
    free_words(k, n);
    free_string(text);
    return 1;
}

static int flat_round(memcount *m, const acor_string *words, int with_words)
{
    acor_open_options o = ACOR_OPEN_OPTIONS_INIT;
    acor_collection *c = NULL;
    acor_match_list *list = NULL;
    acor_string text = str("some wordaa and wordbx here");
    o.allocator = &m->hook;
    WANT(acor_open(&c, "mem:", "flat", &o, NULL) == ACOR_OK);
    size_t n = with_words ? 50 : 0;
    WANT(acor_add_many(c, words, n, ACOR_BATCH_BEST_EFFORT, NULL, NULL, NULL) == ACOR_OK);
    WANT(acor_find(c, text.data, text.len, &list, NULL) == ACOR_OK);
    WANT(acor_match_list_count(list) == (with_words ? 2 : 0));
    acor_match_list_free(list);
    WANT(acor_remove_many(c, words, n / 2, ACOR_BATCH_BEST_EFFORT, NULL, NULL, NULL) ==
         ACOR_OK);
    WANT(acor_flush(c, NULL) == ACOR_OK);
    acor_close(c);
    return 1;
}

/* Nothing is left after any round, and no round takes more than the first. */
int fc105_flat_memory(void)
{
    static char spelling[50][6];
    acor_string words[50];
    memcount m;
    int rounds = tap_scale(2000);
    for (int i = 0; i < 50; i++) {
        memcpy(spelling[i], "worda", 5);
        spelling[i][4] = (char)('a' + i / 26);
        spelling[i][5] = (char)('a' + i % 26);
        words[i] = (acor_string){spelling[i], 6};
    }
    for (int with_words = 0; with_words < 2; with_words++) {
        memcount_init(&m);
        WANT(flat_round(&m, words, with_words));
        uint64_t peak = m.peak_bytes;
        for (int i = 0; i < rounds; i++)
            WANT(flat_round(&m, words, with_words) && m.live_blocks == 0);
        WANT(m.live_bytes == 0 && m.peak_bytes <= peak + peak / 8 && !m.faults);
    }
    return 1;
}

/* Two million hits: calls that answer with few take little memory. */
int fc107_hits_without_end(void)
{
    enum { SMALL = 64 * 1024 };
    size_t len = (size_t)tap_scale(2000000);
    char *text = naive_alloc(len);
    memcount m;
    acor_open_options o = ACOR_OPEN_OPTIONS_INIT;
    acor_scan_options some = ACOR_SCAN_OPTIONS_INIT;
    acor_collection *c = NULL;
    acor_match_list *list = NULL;
    int found = 0;
    uint64_t n = 0;
    acor_snapshot *snap = NULL;

    memset(text, 'e', len);
    memcount_init(&m);
    o.allocator = &m.hook;
    WANT(acor_open(&c, "mem:", "e", &o, NULL) == ACOR_OK);
    WANT(acor_add(c, "e", 1, NULL, NULL) == ACOR_OK);
    WANT(acor_contains(c, text, len, &found, NULL) == ACOR_OK && found);
    uint64_t before = m.live_bytes;
    m.peak_bytes = before;
    WANT(acor_contains(c, text, len, &found, NULL) == ACOR_OK && found);
    WANT(acor_find_set(c, text, len, &list, NULL) == ACOR_OK);
    WANT(acor_match_list_count(list) == 1);
    acor_match_list_free(list);
    some.max_matches = 10;
    WANT(acor_find_matches(c, text, len, &some, &list, NULL) == ACOR_OK);
    WANT(acor_match_list_count(list) == 10);
    acor_match_list_free(list);
    WANT(acor_snapshot_get(c, &snap, NULL) == ACOR_OK);
    WANT(acor_scan(snap, text, len, NULL, NULL, NULL, NULL, &n, NULL) == ACOR_OK &&
         n == len);
    WANT(m.peak_bytes <= before + SMALL);
    acor_snapshot_unref(snap);
    acor_close(c);
    WANT(m.live_blocks == 0);
    free(text);
    return 1;
}

/*
 * Each a keeps 500 candidates alive; were they walked, this test would take
 * minutes. The exact ratio of times is measured in bench/.
 */
int fc112_adversary(void)
{
    enum { KEYWORDS = 500 };
    size_t len = (size_t)tap_scale(2000000);
    char *text = naive_alloc(len), *as = naive_alloc(KEYWORDS * (KEYWORDS + 1));
    acor_string k[KEYWORDS];
    memcount m;
    acor_scratch *scratch = NULL;
    memset(text, 'a', len);
    for (size_t i = 0; i < KEYWORDS; i++) {
        char *at = as + i * (KEYWORDS + 1);
        memset(at, 'a', i + 1);
        at[i + 1] = 'b';
        k[i] = (acor_string){at, i + 2};
    }
    memcount_init(&m);
    acor_snapshot *snap = build(&m, k, KEYWORDS);
    WANT(snap && acor_scratch_new(&scratch, &m.hook) == ACOR_OK);
    uint64_t calls = m.calls;
    for (int i = 0; i < 4; i++) {
        acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
        uint64_t n = 1;
        o.kind = i & 1 ? ACOR_MATCH_LEFTMOST_LONGEST : ACOR_MATCH_OVERLAPPING;
        o.flags = i & 2 ? ACOR_SCAN_WHOLE_WORD : 0;
        WANT(acor_scan(snap, text, len, &o, scratch, NULL, NULL, &n, NULL) == ACOR_OK);
        WANT(n == 0);
    }
    WANT(m.calls == calls);
    acor_scratch_free(scratch);
    acor_snapshot_unref(snap);
    free(as);
    free(text);
    return 1;
}

static int stop_at_once(void *user, const acor_match *matches, size_t n)
{
    (void)user;
    (void)matches;
    return n > 0;
}

/* A line costs no allocation, and a collection that did not change no load. */
int fc114_short_lines(void)
{
    static const char *const names[] = {"alpha", "beta",  "gamma", "delta", "epsilon",
                                        "zeta",  "theta", "iota",  "kappa", "lambda"};
    char line[200];
    memcount m;
    acor_string k[10];
    acor_scratch *scratch = NULL;
    acor_open_options o = ACOR_OPEN_OPTIONS_INIT;
    acor_cost before = ACOR_COST_INIT, after = ACOR_COST_INIT;
    acor_collection *c = NULL;
    acor_snapshot *snap = NULL;
    int found;
    memset(line, '.', sizeof line);
    memcpy(line + 190, "alpha", 5);
    for (int i = 0; i < 10; i++)
        k[i] = str(names[i]);
    memcount_init(&m);
    o.allocator = &m.hook;
    WANT(acor_open(&c, "mem:", "lines", &o, NULL) == ACOR_OK);
    WANT(acor_add_many(c, k, 10, ACOR_BATCH_BEST_EFFORT, NULL, NULL, NULL) == ACOR_OK);
    WANT(acor_contains(c, line, 200, &found, NULL) == ACOR_OK && found);
    WANT(acor_cost_get(c, &before) == ACOR_OK);
    for (int i = 0; i < 10000; i++)
        WANT(acor_contains(c, line, 200, &found, NULL) == ACOR_OK && found);
    WANT(acor_cost_get(c, &after) == ACOR_OK);
    WANT(before.loads == after.loads && before.builds == after.builds);
    WANT(after.round_trips == 0);

    WANT(acor_snapshot_get(c, &snap, NULL) == ACOR_OK);
    WANT(acor_scratch_new(&scratch, &m.hook) == ACOR_OK);
    uint64_t calls = m.calls;
    for (int i = 0; i < 10000; i++) {
        size_t len = i & 1 ? 200 : 190;
        int want = i & 1 ? ACOR_STOPPED : ACOR_OK;
        WANT((int)acor_scan(snap, line, len, NULL, scratch, stop_at_once, NULL, NULL,
                            NULL) == want);
        WANT((int)acor_scan(snap, line, len, NULL, NULL, stop_at_once, NULL, NULL,
                            NULL) == want);
    }
    WANT(m.calls == calls);
    acor_scratch_free(scratch);
    acor_snapshot_unref(snap);
    acor_close(c);
    return 1;
}
