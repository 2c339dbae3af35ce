/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every public function that may allocate, with its first allocation failing,
 * then its second, and so on until it succeeds; alone, and with all that come
 * after it. Each failure answers ACOR_ENOMEM, changes nothing, leaves nothing
 * behind, and the same call then works.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <acor/acor.h>

#include "memcount.h"
#include "tap.h"

enum { WORDS = 40, MORE = 30, LONG = 120, MOST = 20000 };

static char spelling[WORDS + MORE][12];
static acor_string words[WORDS + MORE];
static char long_text[LONG + 1];

/* What a call is tried on. */
typedef struct fixture {
    memcount m;
    acor_collection *owner; /* of a shared store, with memory that never fails */
    acor_collection *c;
    acor_snapshot *snap, *sensitive, *deep;
    acor_scratch *scratch;
    acor_error err;
} fixture;

typedef struct call {
    const char *name;
    int (*run)(fixture *f); /* the status; cleans up what it made */
    int collection;         /* works on f->c; else on the snapshots */
    int changed;            /* keywords after a success, if it writes; else -1 */
} call;

static int fail(const char *name, uint64_t n, const char *what, long long got)
{
    fprintf(stderr, "# %s, allocation %llu: %s (%lld)\n", name, (unsigned long long)n,
            what, got);
    return 0;
}

/* --- the calls ---------------------------------------------------------------- */

static int call_add(fixture *f)
{
    return acor_add(f->c, "zebra", 5, NULL, &f->err);
}

static int call_remove(fixture *f)
{
    return acor_remove(f->c, words[3].data, words[3].len, NULL, &f->err);
}

static int call_add_many(fixture *f)
{
    int32_t outcomes[MORE];
    acor_batch_result r = ACOR_BATCH_RESULT_INIT;
    return acor_add_many(f->c, words + WORDS, MORE, ACOR_BATCH_BEST_EFFORT, outcomes, &r,
                         &f->err);
}

static int call_add_transaction(fixture *f)
{
    return acor_add_many(f->c, words + WORDS, MORE, ACOR_BATCH_TRANSACTIONAL, NULL, NULL,
                         &f->err);
}

static int call_remove_many(fixture *f)
{
    int32_t outcomes[MORE];
    return acor_remove_many(f->c, words, MORE, ACOR_BATCH_BEST_EFFORT, outcomes, NULL,
                            &f->err);
}

static int call_replace_all(fixture *f)
{
    acor_batch_result r = ACOR_BATCH_RESULT_INIT;
    return acor_replace_all(f->c, words + MORE, WORDS, ACOR_BATCH_BEST_EFFORT, NULL, &r,
                            &f->err);
}

static int call_flush(fixture *f)
{
    return acor_flush(f->c, &f->err);
}

/* What all keywords in a row are: each occurs. */
static acor_string row_of_words(void)
{
    static char text[WORDS * 12];
    size_t len = 0;
    for (size_t i = 0; i < WORDS; i++) {
        memcpy(text + len, words[i].data, words[i].len);
        len += words[i].len;
        text[len++] = ' ';
    }
    return (acor_string){text, len};
}

typedef acor_status find_fn(acor_collection *, const char *, size_t, acor_match_list **,
                            acor_error *);

static int find_by(fixture *f, find_fn *find)
{
    acor_string text = row_of_words();
    acor_match_list *list = NULL;
    int status = find(f->c, text.data, text.len, &list, &f->err);
    if (status != ACOR_OK && list != NULL)
        return ACOR_EINTERNAL;
    acor_match_list_free(list);
    return status;
}

static int call_find(fixture *f)
{
    return find_by(f, acor_find);
}

static int call_find_set(fixture *f)
{
    return find_by(f, acor_find_set);
}

static int call_find_matches(fixture *f)
{
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    acor_string text = row_of_words();
    acor_match_list *list = NULL;
    o.kind = ACOR_MATCH_LEFTMOST_LONGEST;
    o.flags = ACOR_SCAN_WHOLE_WORD;
    int status = acor_find_matches(f->c, text.data, text.len, &o, &list, &f->err);
    acor_match_list_free(list);
    return status;
}

static int call_contains(fixture *f)
{
    int found = 0;
    return acor_contains(f->c, words[0].data, words[0].len, &found, &f->err);
}

static int call_snapshot_get(fixture *f)
{
    acor_snapshot *snap = NULL;
    int status = acor_snapshot_get(f->c, &snap, &f->err);
    if (status != ACOR_OK && snap != NULL)
        return ACOR_EINTERNAL;
    acor_snapshot_unref(snap);
    return status;
}

static int count_keywords(void *user, const acor_string *keywords, size_t n)
{
    uint64_t *count = user;
    *count += keywords ? n : 0;
    return 0;
}

static int call_export(fixture *f)
{
    uint64_t n = 0;
    return acor_export(f->c, count_keywords, &n, &f->err);
}

static int call_info_get(fixture *f)
{
    acor_info info = ACOR_INFO_INIT;
    return acor_info_get(f->c, &info, &f->err);
}

static int call_open(fixture *f)
{
    acor_open_options o = ACOR_OPEN_OPTIONS_INIT;
    acor_collection *c = NULL;
    o.allocator = &f->m.hook;
    int status = acor_open(&c, "mem:", "words", &o, &f->err);
    if (status != ACOR_OK && c != NULL)
        return ACOR_EINTERNAL;
    acor_close(c);
    return status;
}

static int build_with(fixture *f, acor_snapshot **out, uint32_t sensitive)
{
    acor_build_options o = ACOR_BUILD_OPTIONS_INIT;
    o.allocator = &f->m.hook;
    o.case_sensitive = sensitive;
    return acor_snapshot_build(out, words, WORDS + MORE, &o, &f->err);
}

static int call_build(fixture *f)
{
    acor_snapshot *snap = NULL;
    int status = build_with(f, &snap, 0);
    if (status != ACOR_OK && snap != NULL)
        return ACOR_EINTERNAL;
    acor_snapshot_unref(snap);
    return status;
}

static int call_fold(fixture *f)
{
    acor_snapshot *snap = NULL;
    int status = acor_snapshot_fold(&snap, f->sensitive, &f->err);
    if (status != ACOR_OK && snap != NULL)
        return ACOR_EINTERNAL;
    acor_snapshot_unref(snap);
    return status;
}

static int scan_deep(fixture *f, acor_scratch *scratch)
{
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    uint64_t n = 0;
    o.kind = ACOR_MATCH_LEFTMOST_LONGEST;
    return acor_scan(f->deep, long_text, LONG, &o, scratch, NULL, NULL, &n, &f->err);
}

/* A hundred candidates that wait for a longer one. */
static int call_scan(fixture *f)
{
    return scan_deep(f, NULL);
}

static int call_scan_scratch(fixture *f)
{
    return scan_deep(f, f->scratch);
}

static int call_scratch_new(fixture *f)
{
    acor_scratch *scratch = NULL;
    int status = acor_scratch_new(&scratch, &f->m.hook);
    if (status != ACOR_OK && scratch != NULL)
        return ACOR_EINTERNAL;
    acor_scratch_free(scratch);
    return status;
}

static const call calls[] = {
    {"acor_open", call_open, 0, -1},
    {"acor_add", call_add, 1, 41},
    {"acor_remove", call_remove, 1, 39},
    {"acor_add_many", call_add_many, 1, 70},
    {"acor_add_many, transactional", call_add_transaction, 1, 70},
    {"acor_remove_many", call_remove_many, 1, 10},
    {"acor_replace_all", call_replace_all, 1, 40},
    {"acor_flush", call_flush, 1, 0},
    {"acor_find", call_find, 1, -1},
    {"acor_find_set", call_find_set, 1, -1},
    {"acor_find_matches", call_find_matches, 1, -1},
    {"acor_contains", call_contains, 1, -1},
    {"acor_snapshot_get", call_snapshot_get, 1, -1},
    {"acor_export", call_export, 1, -1},
    {"acor_info_get", call_info_get, 1, -1},
    {"acor_snapshot_build", call_build, 0, -1},
    {"acor_snapshot_fold", call_fold, 0, -1},
    {"acor_scan", call_scan, 0, -1},
    {"acor_scan with a scratch", call_scan_scratch, 0, -1},
    {"acor_scratch_new", call_scratch_new, 0, -1},
};

/* --- the loop ----------------------------------------------------------------- */

/* How a collection stands when the call comes. */
typedef enum state { OWN_STORE, OWN_STORE_WARM, SHARED_STORE, STATES } state;

static const char *const state_names[STATES] = {"own store", "own store, snapshot built",
                                                "another's store, nothing known"};

static int set_up_collection(fixture *f, state s)
{
    acor_open_options o = ACOR_OPEN_OPTIONS_INIT;
    if (s == SHARED_STORE) {
        if (acor_open(&f->owner, "mem:", "words", NULL, NULL))
            return 0;
        o.share = f->owner;
    }
    o.allocator = &f->m.hook;
    return acor_open(&f->c, "mem:", "words", &o, NULL) == ACOR_OK &&
           acor_add_many(f->owner ? f->owner : f->c, words, WORDS,
                         ACOR_BATCH_TRANSACTIONAL, NULL, NULL, NULL) == ACOR_OK &&
           (s != OWN_STORE_WARM || call_find(f) == ACOR_OK);
}

static int set_up(fixture *f, const call *k, state s)
{
    acor_build_options o = ACOR_BUILD_OPTIONS_INIT;
    *f = (fixture){.err = ACOR_ERROR_INIT};
    memcount_init(&f->m);
    if (k->collection)
        return set_up_collection(f, s);
    char pattern[102];
    memset(pattern, 'a', 100);
    pattern[100] = 'c';
    const acor_string deep[] = {{"a", 1}, {pattern, 101}};
    o.allocator = &f->m.hook;
    return build_with(f, &f->snap, 0) == ACOR_OK &&
           build_with(f, &f->sensitive, 1) == ACOR_OK &&
           acor_snapshot_build(&f->deep, deep, 2, &o, NULL) == ACOR_OK &&
           acor_scratch_new(&f->scratch, &f->m.hook) == ACOR_OK;
}

static void tear_down(fixture *f)
{
    acor_scratch_free(f->scratch);
    acor_snapshot_unref(f->deep);
    acor_snapshot_unref(f->sensitive);
    acor_snapshot_unref(f->snap);
    acor_close(f->c);
    acor_close(f->owner);
}

/* The dictionary is what it was set up as. */
static int is_unchanged(fixture *f)
{
    acor_string text = row_of_words();
    acor_info info = ACOR_INFO_INIT;
    acor_match_list *list = NULL;
    int found = 0, zebra = 1;
    if (acor_find(f->c, text.data, text.len, &list, NULL) == ACOR_OK)
        found = acor_match_list_count(list) == WORDS;
    acor_match_list_free(list);
    return found && acor_info_get(f->c, &info, NULL) == ACOR_OK &&
           info.keywords == WORDS &&
           acor_contains(f->c, "zebra", 5, &zebra, NULL) == ACOR_OK && !zebra;
}

static int check_failure(fixture *f, const call *k, uint64_t n, int status, uint64_t live)
{
    if (status != ACOR_ENOMEM)
        return fail(k->name, n, "another status than ACOR_ENOMEM", status);
    if (f->err.status != ACOR_ENOMEM || !f->err.message[0])
        if (k->run != call_scratch_new) /* takes no error struct */
            return fail(k->name, n, "no error detail", f->err.status);
    if (!k->collection && k->run != call_scan_scratch && f->m.live_blocks != live)
        return fail(k->name, n, "blocks left behind",
                    (long long)f->m.live_blocks - (long long)live);
    if (k->collection && !is_unchanged(f))
        return fail(k->name, n, "the dictionary changed, or cannot be read", 0);
    status = k->run(f);
    if (status != ACOR_OK)
        return fail(k->name, n, "does not work afterwards", status);
    return 1;
}

/* A write that was committed is a success, even if what the handle keeps of the
 * dictionary could not follow: the next read loads it. */
static int check_committed(fixture *f, const call *k, uint64_t n)
{
    acor_info info = ACOR_INFO_INIT;
    acor_match_list *list = NULL;
    int status = acor_find(f->c, "word69.", 7, &list, NULL);
    int found =
        acor_match_list_count(list) == (k->changed == 70 || k->run == call_replace_all);
    acor_match_list_free(list);
    if (k->changed < 0)
        return fail(k->name, n, "succeeded although an allocation failed", 0);
    if (status != ACOR_OK || !found || acor_info_get(f->c, &info, NULL) != ACOR_OK ||
        info.keywords != (uint64_t)k->changed)
        return fail(k->name, n, "said it was done and it was not", status);
    return 1;
}

/* The n-th allocation fails. 1: it did and all is well; 0: not; -1: the call
 * needs no more than n. */
static int try_once(const call *k, state s, uint64_t n, int sticky)
{
    fixture f;
    int ok = 0;
    if (!set_up(&f, k, s))
        return fail(k->name, n, "cannot be set up", 0);
    uint64_t live = f.m.live_blocks;
    memcount_fail(&f.m, n, sticky);
    int status = k->run(&f);
    uint64_t failures = f.m.failures;
    memcount_fail(&f.m, MEMCOUNT_NEVER, 0);
    if (status == ACOR_OK && failures == 0)
        ok = -1;
    else if (status == ACOR_OK)
        ok = check_committed(&f, k, n);
    else
        ok = check_failure(&f, k, n, status, live);
    tear_down(&f);
    if (f.m.live_blocks || f.m.live_bytes || f.m.faults)
        ok = fail(k->name, n, "blocks left at the end", (long long)f.m.live_blocks);
    return ok;
}

static void try_all(tap *t, const call *k, state s)
{
    uint64_t n = 0;
    int ok = 1;
    for (int sticky = 0; ok && sticky < 2; sticky++) {
        n = 0;
        int one = 1;
        while (n < MOST && (one = try_once(k, s, n, sticky)) > 0)
            n++;
        ok = one < 0;
    }
    if (k->collection)
        tap_ok(t, ok, "%s, %s: %d allocations", k->name, state_names[s], (int)n);
    else
        tap_ok(t, ok, "%s: %d allocations", k->name, (int)n);
}

int main(void)
{
    tap t = TAP_INIT;
    for (size_t i = 0; i < WORDS + MORE; i++) {
        int len = snprintf(spelling[i], sizeof spelling[i], "Word%02zu.", i);
        words[i] = (acor_string){spelling[i], (size_t)len};
    }
    memset(long_text, 'a', LONG);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (state s = 0; s < (calls[i].collection ? STATES : 1); s++)
            try_all(&t, &calls[i], s);
    return tap_done(&t);
}
