/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scan by several threads against the scan by one: the same matches in the same
 * order, whatever the text is cut into; and what it does when it is stopped, when
 * memory runs out, and when no thread is to be had.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <acor/acor.h>

#include "../cases/generate.h"
#include "base/thread.h"
#include "memcount.h"
#include "naive.h"
#include "tap.h"

/* --- threads that cannot be had: this program is linked with --wrap ---------------- */

static int threads_left = -1, no_locks; /* -1: any number */

int __real_acr_thread_start(acr_thread *t, void *(*run)(void *), void *arg, acor_error *err);
int __wrap_acr_thread_start(acr_thread *t, void *(*run)(void *), void *arg, acor_error *err);
int __real_acr_mutex_init(acr_mutex *m, acor_error *err);
int __wrap_acr_mutex_init(acr_mutex *m, acor_error *err);

int __wrap_acr_thread_start(acr_thread *t, void *(*run)(void *), void *arg, acor_error *err)
{
    if (threads_left == 0)
        return ACOR_ETHREAD;
    threads_left -= threads_left > 0;
    return __real_acr_thread_start(t, run, arg, err);
}

int __wrap_acr_mutex_init(acr_mutex *m, acor_error *err)
{
    return no_locks ? ACOR_ETHREAD : __real_acr_mutex_init(m, err);
}

/* --- what is found ------------------------------------------------------------------ */

typedef struct found {
    acor_match *items;
    size_t n, cap;
    uint64_t stop_at; /* the callback stops at this many; 0: never */
    pthread_t caller;
    int elsewhere; /* a call on another thread */
} found;

static int add(void *user, const acor_match *m, size_t n)
{
    found *f = user;
    if (!pthread_equal(f->caller, pthread_self()))
        f->elsewhere = 1;
    for (size_t i = 0; i < n; i++) {
        if (f->n == f->cap) {
            f->cap = f->cap ? f->cap * 2 : 64;
            f->items = realloc(f->items, f->cap * sizeof *f->items);
            if (f->items == NULL)
                abort();
        }
        f->items[f->n++] = m[i];
        if (f->stop_at != 0 && f->n == f->stop_at)
            return 1;
    }
    return 0;
}

static found found_new(uint64_t stop_at)
{
    return (found){.stop_at = stop_at, .caller = pthread_self()};
}

static int word_rule(void *user, uint32_t cp)
{
    found *f = user;
    if (!pthread_equal(f->caller, pthread_self()))
        f->elsewhere = 1;
    return cp == 'a' || cp == 0xFFFD || cp == 0x4E2D;
}

typedef struct setting {
    acor_scan_options scan;
    acor_parallel_options parallel;
    uint64_t stop_at;
    int own_rule;
} setting;

static setting setting_of(uint32_t workers, uint64_t chunk, uint64_t overlap)
{
    setting s = {ACOR_SCAN_OPTIONS_INIT, ACOR_PARALLEL_OPTIONS_INIT, 0, 0};
    s.scan.flags = ACOR_SCAN_CODEPOINTS;
    s.parallel.workers = workers;
    s.parallel.chunk_size = chunk;
    s.parallel.overlap = overlap;
    return s;
}

static int differ(const setting *s, const char *what, acor_string text)
{
    fprintf(stderr,
            "# %s: kind %u, flags %u, limit %llu, stop at %llu, workers %u, chunk %llu, "
            "overlap %llu, boundary %u, text of %zu bytes: ",
            what, s->scan.kind, s->scan.flags, (unsigned long long)s->scan.max_matches,
            (unsigned long long)s->stop_at, s->parallel.workers,
            (unsigned long long)s->parallel.chunk_size,
            (unsigned long long)s->parallel.overlap, s->parallel.boundary, text.len);
    for (size_t i = 0; i < text.len && i < 200; i++)
        fprintf(stderr, "%02x", (unsigned char)text.data[i]);
    fputc('\n', stderr);
    return 0;
}

static int scan_both(const acor_snapshot *snap, acor_string text, const setting *s,
                     found *one, found *many)
{
    acor_scan_options o = s->scan;
    uint64_t n[2];
    o.word = s->own_rule ? word_rule : NULL;
    o.word_user = one;
    int a = acor_scan(snap, text.data, text.len, &o, NULL, add, one, &n[0], NULL);
    o.word_user = s->own_rule ? many : NULL;
    int b = acor_scan_parallel(snap, text.data, text.len, &o, &s->parallel, add, many, &n[1],
                               NULL);
    /* How many are in the group at which the callback stops is not promised. */
    return a == b && (n[0] == n[1] || s->stop_at != 0) && !many->elsewhere;
}

static int same(const acor_snapshot *snap, acor_string text, const setting *s)
{
    found one = found_new(s->stop_at), many = found_new(s->stop_at);
    const char *what = NULL;
    if (!scan_both(snap, text, s, &one, &many))
        what = "another status or count, or a call on another thread";
    else if (one.n != many.n ||
             (one.n != 0 && memcmp(one.items, many.items, one.n * sizeof *one.items) != 0))
        what = "other matches";
    free(one.items);
    free(many.items);
    return what == NULL || differ(s, what, text);
}

static acor_snapshot *build(const acor_string *k, size_t n, int sensitive,
                            const acor_allocator *allocator)
{
    acor_build_options o = ACOR_BUILD_OPTIONS_INIT;
    acor_snapshot *snap = NULL;
    o.case_sensitive = (uint32_t)sensitive;
    o.allocator = allocator;
    if (acor_snapshot_build(&snap, k, n, &o, NULL) != ACOR_OK)
        abort();
    return snap;
}

static acor_string str(const char *s)
{
    return (acor_string){s, strlen(s)};
}

/* --- generated dictionaries and texts -------------------------------------------------- */

static const uint64_t overlaps[] = {0, 1, 50};
static const uint32_t worker_counts[] = {1, 2, 3, 8};

static void pick_scan(setting *s, unsigned which)
{
    s->scan.kind = which & 1;
    s->scan.flags = which & 8 ? 0 : ACOR_SCAN_CODEPOINTS;
    s->own_rule = 0;
    if (which & 2)
        s->scan.flags |= ACOR_SCAN_WHOLE_WORD;
    if ((which & 6) == 6)
        s->own_rule = 1;
    else if (which & 4)
        s->scan.flags |= ACOR_SCAN_ONE_BY_ONE;
    if ((which & 14) == 10)
        s->scan.flags |= ACOR_SCAN_WORD_ASCII;
}

static int check_generated(uint64_t seed)
{
    rng r = rng_seed(seed);
    const alphabet *a = alphabet_at((int)rng_below(&r, ALPHABETS));
    size_t n = 1 + rng_below(&r, 12);
    acor_string *k = make_keywords(&r, a, n, 1, rng_below(&r, 4) == 0 ? 60 : 6);
    acor_string text = make_text(&r, a, k, n, rng_below(&r, 150));
    acor_snapshot *snap = build(k, n, (int)rng_below(&r, 2), NULL);
    int ok = 1;
    for (unsigned i = 0; ok && i < 16; i++) {
        setting s = setting_of(worker_counts[rng_below(&r, 4)],
                               1 + rng_below(&r, rng_below(&r, 2) ? 8 : 200),
                               overlaps[rng_below(&r, 3)]);
        s.parallel.boundary = (uint32_t)rng_below(&r, 3);
        pick_scan(&s, i);
        if (rng_below(&r, 4) == 0)
            s.scan.max_matches = 1 + rng_below(&r, 40);
        if (rng_below(&r, 4) == 0)
            s.stop_at = 1 + rng_below(&r, 40);
        ok = same(snap, text, &s);
    }
    acor_snapshot_unref(snap);
    free_string(text);
    free_keywords(k, n);
    return ok;
}

static void test_generated(tap *t)
{
    int rounds = tap_scale(2000), bad = 0;
    for (int i = 0; i < rounds && bad == 0; i++)
        if (!check_generated((uint64_t)i)) {
            fprintf(stderr, "# seed %d\n", i);
            bad = 1;
        }
    tap_ok(t, bad == 0, "generated: %d dictionaries and texts", rounds);
}

/* Every chunk size, overlap, boundary and number of workers on a few texts. */
static void test_every_setting(tap *t)
{
    static const char *const words[] = {"he", "her", "hers", "s he", "\xed\x95\x9c", "K",
                                        "here. she", "\xff"};
    static const char text[] = "he is here. she\n\xed\x95\x9c\xff hers\xe2\x84\xaa he, s "
                               "hers here. she \xed\x95\x9c\xed\x95\x9c k";
    acor_string k[8];
    int ok = 1;
    for (int i = 0; i < 8; i++)
        k[i] = str(words[i]);
    acor_snapshot *snap = build(k, 8, 0, NULL);
    for (uint64_t chunk = 1; ok && chunk <= sizeof text; chunk++)
        for (int i = 0; ok && i < 3 * 3 * 4; i++) {
            setting s = setting_of(worker_counts[i % 4], chunk, overlaps[i / 4 % 3]);
            s.parallel.boundary = (uint32_t)i / 12;
            pick_scan(&s, (unsigned)(chunk + (unsigned)i) % 16);
            ok = same(snap, str(text), &s);
        }
    acor_snapshot_unref(snap);
    tap_ok(t, ok, "every chunk size, overlap, boundary and number of workers");
}

/* --- keywords over borders --------------------------------------------------------------- */

enum { TEXT = 5000, LONG = 300, BORDER = 2000 };

static const uint64_t field_chunks[] = {1, 10, 64, 1000};

/* The keyword at every place around a border of all those chunk sizes. */
static int check_border(const acor_snapshot *snap, acor_string keyword, char *text)
{
    int ok = 1;
    for (size_t at = BORDER - keyword.len - 1; ok && at <= BORDER + 1; at++) {
        memcpy(text + at, keyword.data, keyword.len);
        for (int i = 0; ok && i < 12; i++) {
            setting s = setting_of(2, field_chunks[i % 4], overlaps[i / 4]);
            ok = same(snap, (acor_string){text, TEXT}, &s);
        }
        memset(text + at, '.', keyword.len);
    }
    return ok;
}

static void test_borders(tap *t)
{
    static char text[TEXT], longest[LONG];
    acor_string k[3] = {str("k"), str("boundary-key"), {longest, LONG}};
    for (int i = 0; i < LONG; i++)
        longest[i] = (char)('a' + i % 26);
    memset(text, '.', TEXT);
    acor_snapshot *snap = build(k, 3, 0, NULL);
    for (int i = 0; i < 3; i++)
        tap_ok(t, check_border(snap, k[i], text), "FC-062: %zu letters over a border",
               k[i].len);
    acor_snapshot_unref(snap);
}

/* a, aa, aaa ... in a text of nothing else: every hit but the shortest spans chunks. */
static void test_nested(tap *t)
{
    enum { DEPTH = 60 };
    static char letters[3000];
    acor_string k[DEPTH];
    int ok = 1;
    memset(letters, 'a', sizeof letters);
    for (size_t i = 0; i < DEPTH; i++)
        k[i] = (acor_string){letters, i + 1};
    acor_snapshot *snap = build(k, DEPTH, 0, NULL);
    for (uint64_t chunk = 1; ok && chunk < 100; chunk = chunk * 2 + 1)
        for (unsigned which = 0; ok && which < 16; which++) {
            setting s = setting_of(3, chunk, 0);
            pick_scan(&s, which);
            ok = same(snap, (acor_string){letters, 200}, &s);
        }
    setting s = setting_of(2, 1, 0);
    ok = ok && same(snap, (acor_string){letters, sizeof letters}, &s);
    acor_snapshot_unref(snap);
    tap_ok(t, ok, "nested keywords, all of one letter");

    k[0].len = sizeof letters - 1;
    snap = build(k, 1, 0, NULL);
    ok = same(snap, (acor_string){letters, sizeof letters}, &s);
    acor_snapshot_unref(snap);
    tap_ok(t, ok, "a keyword longer than hundreds of chunks");
}

/* Signs of three bytes that compare as one: lengths in bytes say nothing there. */
static void test_odd_lengths(tap *t)
{
    static char text[900];
    acor_string k[2] = {str("kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"), str("kk")};
    int ok = 1;
    for (size_t i = 0; i < sizeof text; i += 3)
        memcpy(text + i, i % 7 ? "\xe2\x84\xaa" : "kKk", 3);
    acor_snapshot *snap = build(k, 2, 0, NULL);
    for (uint64_t chunk = 1; ok && chunk < 50; chunk += 3) {
        setting s = setting_of(8, chunk, 1);
        ok = same(snap, (acor_string){text, sizeof text}, &s);
        s.scan.kind = ACOR_MATCH_LEFTMOST_LONGEST;
        ok = ok && same(snap, (acor_string){text, sizeof text}, &s);
    }
    acor_snapshot_unref(snap);
    tap_ok(t, ok, "code points whose compared form is shorter");
}

/* Pieces sized in bytes, many more than may be worked on at once. */
static void test_long_text(tap *t)
{
    rng r = rng_seed(7);
    int ok = 1;
    for (int i = 0; ok && i < ALPHABETS; i++) {
        const alphabet *a = alphabet_at(i);
        acor_string *k = make_keywords(&r, a, 20, 2, 9);
        acor_string text = make_text(&r, a, k, 20, (size_t)tap_scale(40000));
        acor_snapshot *snap = build(k, 20, 0, NULL);
        for (unsigned which = 0; ok && which < 8; which++) {
            setting s = setting_of(worker_counts[which % 3 + 1], which % 2 ? 1 : 1000, 50);
            pick_scan(&s, which);
            ok = same(snap, text, &s);
        }
        acor_snapshot_unref(snap);
        free_string(text);
        free_keywords(k, 20);
    }
    tap_ok(t, ok, "long texts");
}

/* --- stopping ------------------------------------------------------------------------------ */

static void test_stops(tap *t)
{
    acor_string k[3] = {str("ab"), str("b"), str("bab")};
    char text[400];
    int ok = 1, limited = 1;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i % 3 == 2 ? ' ' : i % 3 ? 'b' : 'a';
    acor_snapshot *snap = build(k, 3, 0, NULL);
    for (uint64_t n = 1; n < 280; n += 1 + n / 8) {
        setting s = setting_of(2, 1 + n % 7, 0);
        s.stop_at = n;
        ok = ok && same(snap, (acor_string){text, sizeof text}, &s);
        s.stop_at = 0;
        s.scan.max_matches = n;
        limited = limited && same(snap, (acor_string){text, sizeof text}, &s);
        s.scan.kind = ACOR_MATCH_LEFTMOST_LONGEST;
        limited = limited && same(snap, (acor_string){text, sizeof text}, &s);
    }
    acor_snapshot_unref(snap);
    tap_ok(t, ok, "a callback that stops");
    tap_ok(t, limited, "a limit");
}

/* --- memory ---------------------------------------------------------------------------------- */

static int oom_at(const acor_snapshot *snap, memcount *m, acor_string text, const setting *s,
                  uint64_t fail_at, int sticky, int *over)
{
    acor_error err = ACOR_ERROR_INIT;
    uint64_t blocks = m->live_blocks, bytes = m->live_bytes;
    memcount_fail(m, fail_at, sticky);
    int status = acor_scan_parallel(snap, text.data, text.len, &s->scan, &s->parallel, NULL,
                                    NULL, NULL, &err);
    *over = m->failures == 0;
    memcount_fail(m, MEMCOUNT_NEVER, 0);
    if (m->live_blocks != blocks || m->live_bytes != bytes || m->faults)
        return differ(s, "memory left behind", text);
    if (status != (*over ? ACOR_OK : ACOR_ENOMEM) || (!*over && err.message[0] == '\0'))
        return differ(s, "not the status for this", text);
    return 1;
}

static void test_memory(tap *t)
{
    memcount m;
    memcount_init(&m);
    char text[1200];
    memset(text, 'a', sizeof text);
    acor_string k[3] = {str("a"), str("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
                        str("aa")};
    acor_snapshot *snap = build(k, 3, 0, &m.hook);
    int ok = 1, points = 0;
    for (unsigned which = 0; ok && which < 4; which++) {
        setting s = setting_of(1 + which, which % 2 ? 200 : 20, 0);
        s.scan.kind = which / 2;
        for (int sticky = 0; sticky < 2; sticky++) {
            int over = 0;
            for (uint64_t n = 0; ok && !over; n++, points++)
                ok = oom_at(snap, &m, (acor_string){text, sizeof text}, &s, n, sticky, &over);
        }
    }
    acor_snapshot_unref(snap);
    tap_ok(t, ok && m.live_blocks == 0 && points > 50,
           "every allocation fails in turn: no memory, none lost (%d)", points);
}

/* The hits held at once are those of the pieces that are being worked on. */
static void test_memory_is_bounded(tap *t)
{
    enum { SIZE = 8 << 20 };
    memcount m;
    memcount_init(&m);
    char *text = naive_alloc(SIZE);
    memset(text, 'a', SIZE);
    acor_string k = str("aaaa");
    acor_snapshot *snap = build(&k, 1, 0, &m.hook);
    uint64_t n = 0;
    acor_parallel_options p = ACOR_PARALLEL_OPTIONS_INIT;
    p.workers = 2;
    int status = acor_scan_parallel(snap, text, SIZE, NULL, &p, NULL, NULL, &n, NULL);
    tap_ok(t, status == ACOR_OK && n == SIZE - 3 && m.peak_bytes < SIZE * sizeof(acor_match) / 8,
           "a text full of matches: %llu MB at most are held",
           (unsigned long long)m.peak_bytes >> 20);
    acor_snapshot_unref(snap);
    free(text);
}

/* --- threads that are not there ------------------------------------------------------------------ */

static void test_without_threads(tap *t)
{
    acor_string k[2] = {str("he"), str("her")}, text = str("here he is, her and here he is");
    acor_snapshot *snap = build(k, 2, 0, NULL);
    int ok = 1;
    for (int n = 0; n < 4; n++) {
        setting s = setting_of(4, 3, 0);
        threads_left = n;
        ok = ok && same(snap, text, &s);
    }
    threads_left = 0;
    no_locks = 1;
    setting s = setting_of(4, 3, 0);
    ok = ok && same(snap, text, &s);
    no_locks = 0;
    threads_left = -1;
    acor_snapshot_unref(snap);
    tap_ok(t, ok, "threads and locks that cannot be had are done without");
}

static int nested_scan(void *user, const acor_match *m, size_t n)
{
    uint64_t inner = 0;
    acor_parallel_options p = ACOR_PARALLEL_OPTIONS_INIT;
    (void)m;
    (void)n;
    p.workers = 2;
    p.chunk_size = 1;
    if (acor_scan_parallel(user, "he he he", 8, NULL, &p, NULL, NULL, &inner, NULL) != ACOR_OK)
        return 1;
    return inner != 3;
}

static void test_within_a_callback(tap *t)
{
    acor_string k = str("he");
    acor_snapshot *snap = build(&k, 1, 0, NULL);
    acor_parallel_options p = ACOR_PARALLEL_OPTIONS_INIT;
    uint64_t n = 0;
    p.workers = 2;
    p.chunk_size = 2;
    int status = acor_scan_parallel(snap, "he she he", 9, NULL, &p, nested_scan, snap, &n, NULL);
    tap_ok(t, status == ACOR_OK && n == 3, "one scan inside the callback of another");
    acor_snapshot_unref(snap);
}

/* --- arguments and lists ---------------------------------------------------------------------------- */

static int refused(const acor_snapshot *snap, const acor_parallel_options *p, size_t len,
                   const char *words)
{
    acor_error err = ACOR_ERROR_INIT;
    uint64_t n = 9;
    int status = acor_scan_parallel(snap, "a", len, NULL, p, NULL, NULL, &n, &err);
    return status == ACOR_EINVAL && n == 0 && strstr(err.message, words) != NULL &&
           strcmp(err.operation, "scan_parallel") == 0;
}

static void test_arguments(tap *t)
{
    acor_string k = str("a");
    acor_snapshot *snap = build(&k, 1, 0, NULL);
    acor_parallel_options p = ACOR_PARALLEL_OPTIONS_INIT, q = p;
    acor_match_list *list = NULL;
    p.chunk_size = 0;
    tap_ok(t, refused(snap, &p, 1, "chunk size must be positive") &&
                  refused(snap, &p, 0, "chunk size must be positive"),
           "a chunk size of 0, also for an empty text");
    tap_ok(t, acor_snapshot_find_parallel(snap, "", 0, NULL, &p, &list, NULL) == ACOR_EINVAL &&
                  acor_snapshot_find_index_parallel(snap, "", 0, NULL, &p, &list, NULL) ==
                      ACOR_EINVAL && list == NULL,
           "the same for lists");
    q.boundary = 3;
    tap_ok(t, refused(snap, &q, 1, "no boundary 3"), "an unknown boundary");
    q.struct_size = 0;
    tap_ok(t, refused(snap, &q, 1, "ACOR_PARALLEL_OPTIONS_INIT"), "options not initialised");
    tap_ok(t, refused(NULL, NULL, 1, "NULL"), "no snapshot");
    setting s = setting_of(UINT32_MAX, 1, UINT64_MAX);
    tap_ok(t, same(snap, str("abcabcabc"), &s) && same(snap, str(""), &s),
           "as many workers as there are numbers");
    s.parallel.workers = 0;
    s.parallel.chunk_size = UINT64_MAX;
    tap_ok(t, same(snap, str("abcabcabc"), &s), "a chunk of any size, workers by the machine");
    acor_snapshot_unref(snap);
}

typedef acor_status find_fn(acor_snapshot *, const char *, size_t, const acor_scan_options *,
                            acor_match_list **, acor_error *);
typedef acor_status parallel_fn(acor_snapshot *, const char *, size_t,
                                const acor_scan_options *, const acor_parallel_options *,
                                acor_match_list **, acor_error *);

static int same_list(acor_snapshot *snap, acor_string text, const acor_parallel_options *p,
                     find_fn *find, parallel_fn *find_parallel)
{
    acor_match_list *a = NULL, *b = NULL;
    int ok = find(snap, text.data, text.len, NULL, &a, NULL) == ACOR_OK &&
             find_parallel(snap, text.data, text.len, NULL, p, &b, NULL) == ACOR_OK;
    size_t n = acor_match_list_count(a);
    ok = ok && n == acor_match_list_count(b) &&
         (n == 0 || memcmp(acor_match_list_items(a), acor_match_list_items(b),
                           n * sizeof(acor_match)) == 0);
    acor_match_list_free(a);
    acor_match_list_free(b);
    return ok;
}

/* Recorded cases in which the Go library misses what it finds in one piece. */
static void test_lists(tap *t)
{
    static const struct {
        const char *word, *text;
        uint64_t chunk, overlap;
        size_t n;
    } cases[] = {{"abcdefghij", "xxxxabcdefghijxxxx", 8, 3, 1},
                 {"hello world", "aaaa hello world bbbb", 12, 0, 1},
                 {"hello world", "aaaa hello world bbbb", 12, 11, 1},
                 {"ab", "ab ab ab ab ab", 5, 3, 5},
                 {"\xed\x95\x98", "\xed\x95\x98\xed\x95\x98 \xed\x95\x98", 4, 2, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        acor_string k = str(cases[i].word), text = str(cases[i].text);
        acor_snapshot *snap = build(&k, 1, 0, NULL);
        acor_match_list *list = NULL;
        acor_parallel_options p = ACOR_PARALLEL_OPTIONS_INIT;
        p.chunk_size = cases[i].chunk;
        p.overlap = cases[i].overlap;
        p.workers = 2;
        int ok = same_list(snap, text, &p, acor_snapshot_find_set, acor_snapshot_find_parallel) &&
                 same_list(snap, text, NULL, acor_snapshot_find_set,
                           acor_snapshot_find_parallel) &&
                 same_list(snap, text, &p, acor_snapshot_find_index,
                           acor_snapshot_find_index_parallel) &&
                 acor_snapshot_find_index_parallel(snap, text.data, text.len, NULL, &p, &list,
                                                   NULL) == ACOR_OK;
        tap_ok(t, ok && acor_match_list_count(list) == cases[i].n, "lists: \"%s\", size %d",
               cases[i].text, (int)cases[i].chunk);
        acor_match_list_free(list);
        acor_snapshot_unref(snap);
    }
}

int main(void)
{
    tap t = TAP_INIT;
    test_arguments(&t);
    test_lists(&t);
    test_every_setting(&t);
    test_borders(&t);
    test_nested(&t);
    test_odd_lengths(&t);
    test_generated(&t);
    test_long_text(&t);
    test_stops(&t);
    test_memory(&t);
    test_memory_is_bounded(&t);
    test_without_threads(&t);
    test_within_a_callback(&t);
    return tap_done(&t);
}
