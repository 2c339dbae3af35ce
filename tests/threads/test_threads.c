/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readers against a writer on one handle, and on one snapshot. The dictionary
 * moves through numbered versions; each holds the words "even" or "odd" and its
 * own number, so that an answer mixed from two versions is seen. Made for the
 * thread sanitizer, short enough for every run.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <acor/acor.h>

#include "memcount.h"
#include "tap.h"

enum { READERS = 4, VERSIONS = 64 };

#define WANT(x) \
    do { \
        if (!(x)) { \
            fprintf(stderr, "# line %d: %s\n", __LINE__, #x); \
            return 0; \
        } \
    } while (0)

/* Each version's words: its number, its parity, and one that is always there. */
static char numbers[VERSIONS][8];
static char text[VERSIONS * 8 + 64];
static size_t text_len;

typedef struct shared {
    acor_collection *c;
    acor_snapshot *snap;
    uint64_t matches; /* of snap in text */
    int rounds, stop, failed;
} shared;

static int is_stopped(shared *s)
{
    return __atomic_load_n(&s->stop, __ATOMIC_ACQUIRE);
}

static void note(shared *s, int ok)
{
    if (!ok)
        __atomic_store_n(&s->failed, 1, __ATOMIC_RELAXED);
}

static size_t version_words(int v, acor_string *out)
{
    out[0] = (acor_string){"always", 6};
    out[1] = v % 2 ? (acor_string){"odd", 3} : (acor_string){"even", 4};
    out[2] = (acor_string){numbers[v], strlen(numbers[v])};
    return 3;
}

/* The three words of one version, in the text's order: number, parity, always. */
static int is_one_version(const acor_match_list *list)
{
    const acor_match *m = acor_match_list_items(list);
    const acor_snapshot *snap = acor_match_list_snapshot(list);
    int v = -1, parity = -1, always = 0;
    WANT(acor_match_list_count(list) == 3);
    for (size_t i = 0; i < 3; i++) {
        acor_string k = acor_snapshot_keyword(snap, m[i].keyword);
        WANT(k.data != NULL && m[i].end - m[i].start == k.len);
        WANT(memcmp(k.data, text + m[i].start, k.len) == 0);
        if (k.data[0] == '<')
            v = (int)strtol(k.data + 1, NULL, 10);
        else if (strcmp(k.data, "always") == 0)
            always = 1;
        else
            parity = strcmp(k.data, "odd") == 0;
    }
    WANT(always && v >= 0 && parity == v % 2);
    return 1;
}

static int read_once(shared *s, int how)
{
    acor_match_list *list = NULL;
    int found = 0;
    if (how == 0)
        WANT(acor_find(s->c, text, text_len, &list, NULL) == ACOR_OK);
    else if (how == 1)
        WANT(acor_find_set(s->c, text, text_len, &list, NULL) == ACOR_OK);
    else if (how == 2)
        WANT(acor_find_matches(s->c, text, text_len, NULL, &list, NULL) == ACOR_OK);
    if (list) {
        int ok = is_one_version(list);
        acor_match_list_free(list);
        return ok;
    }
    WANT(acor_contains(s->c, "xalwaysx", 8, &found, NULL) == ACOR_OK && found);
    return 1;
}

static int count_words(void *user, const acor_string *keywords, size_t n)
{
    int *count = user;
    *count += keywords ? (int)n : 0;
    return 0;
}

static int read_numbers(shared *s)
{
    acor_info info = ACOR_INFO_INIT;
    acor_cost cost = ACOR_COST_INIT;
    acor_snapshot *snap = NULL;
    int words = 0;
    WANT(acor_info_get(s->c, &info, NULL) == ACOR_OK && info.keywords == 3);
    WANT(acor_export(s->c, count_words, &words, NULL) == ACOR_OK && words == 3);
    WANT(acor_cost_get(s->c, &cost) == ACOR_OK);
    WANT(acor_snapshot_get(s->c, &snap, NULL) == ACOR_OK && acor_snapshot_ids(snap) == 3);
    acor_snapshot_unref(snap);
    return 1;
}

static void *reader(void *user)
{
    shared *s = user;
    for (int i = 0; !is_stopped(s); i++)
        note(s, i % 5 == 4 ? read_numbers(s) : read_once(s, i % 5));
    return NULL;
}

/* A snapshot that outlives many versions, scanned by all at once. */
static void *scanner(void *user)
{
    shared *s = user;
    acor_scratch *scratch = NULL;
    acor_snapshot *mine = acor_snapshot_ref(s->snap);
    note(s, acor_scratch_new(&scratch, NULL) == ACOR_OK);
    for (int i = 0; !is_stopped(s); i++) {
        acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
        uint64_t n = 0;
        o.kind = i % 2 ? ACOR_MATCH_LEFTMOST_LONGEST : ACOR_MATCH_OVERLAPPING;
        note(s, acor_scan(mine, text, text_len, &o, i % 3 ? scratch : NULL, NULL, NULL,
                          &n, NULL) == ACOR_OK &&
                    n == s->matches);
    }
    acor_scratch_free(scratch);
    acor_snapshot_unref(mine);
    return NULL;
}

static int write_versions(shared *s)
{
    for (int i = 1; i <= s->rounds; i++) {
        acor_string w[3];
        size_t n = version_words(i % VERSIONS, w);
        acor_batch_result r = ACOR_BATCH_RESULT_INIT;
        WANT(acor_replace_all(s->c, w, n, ACOR_BATCH_TRANSACTIONAL, NULL, &r, NULL) ==
             ACOR_OK);
        WANT(r.changed == 2 && r.skipped == 1 && r.removed == 2);
    }
    return 1;
}

static int start(shared *s, const acor_allocator *memory)
{
    acor_open_options o = ACOR_OPEN_OPTIONS_INIT;
    acor_string w[3];
    size_t n = version_words(0, w);
    o.allocator = memory;
    WANT(acor_open(&s->c, "mem:", "versions", &o, NULL) == ACOR_OK);
    WANT(acor_add_many(s->c, w, n, ACOR_BATCH_TRANSACTIONAL, NULL, NULL, NULL) ==
         ACOR_OK);
    WANT(acor_snapshot_get(s->c, &s->snap, NULL) == ACOR_OK);
    WANT(acor_scan(s->snap, text, text_len, NULL, NULL, NULL, NULL, &s->matches, NULL) ==
         ACOR_OK);
    WANT(s->matches == 3);
    return 1;
}

/* Readers of work against the writer; all memory is given back. */
static int against_a_writer(void *(*work)(void *), int rounds)
{
    memcount m;
    pthread_t threads[READERS];
    shared s = {.rounds = rounds};
    memcount_init(&m);
    WANT(start(&s, &m.hook));
    for (int i = 0; i < READERS; i++)
        WANT(pthread_create(&threads[i], NULL, work, &s) == 0);
    int ok = write_versions(&s);
    __atomic_store_n(&s.stop, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < READERS; i++)
        pthread_join(threads[i], NULL);
    acor_snapshot_unref(s.snap);
    acor_close(s.c);
    WANT(ok && !s.failed);
    WANT(m.live_blocks == 0 && !m.faults);
    return 1;
}

/* --- many writers --------------------------------------------------------------- */

typedef struct writer {
    acor_collection *c;
    int number, rounds, ok;
} writer;

static int add_and_remove(writer *w)
{
    for (int i = 0; i < w->rounds; i++) {
        char a[32], b[32];
        int found = 0;
        acor_string both[2] = {
            {a, (size_t)snprintf(a, sizeof a, "%d.%d.a", w->number, i)},
            {b, (size_t)snprintf(b, sizeof b, "%d.%d.b", w->number, i)},
        };
        WANT(acor_add_many(w->c, both, 2, ACOR_BATCH_TRANSACTIONAL, NULL, NULL, NULL) ==
             ACOR_OK);
        WANT(acor_contains(w->c, a, both[0].len, &found, NULL) == ACOR_OK && found);
        WANT(acor_remove(w->c, b, both[1].len, &found, NULL) == ACOR_OK && found);
    }
    return 1;
}

static void *write_own(void *user)
{
    writer *w = user;
    w->ok = add_and_remove(w);
    return NULL;
}

/* Handles that share one store, each used by two threads. */
static int many_writers(int rounds)
{
    acor_open_options o = ACOR_OPEN_OPTIONS_INIT;
    acor_collection *c[2];
    pthread_t threads[READERS];
    writer w[READERS];
    acor_info info = ACOR_INFO_INIT;
    WANT(acor_open(&c[0], "mem:", "writers", NULL, NULL) == ACOR_OK);
    o.share = c[0];
    WANT(acor_open(&c[1], "mem:", "writers", &o, NULL) == ACOR_OK);
    for (int i = 0; i < READERS; i++) {
        w[i] = (writer){c[i % 2], i, rounds, 0};
        WANT(pthread_create(&threads[i], NULL, write_own, &w[i]) == 0);
    }
    for (int i = 0; i < READERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < READERS; i++)
        WANT(w[i].ok);
    for (int i = 0; i < 2; i++) {
        WANT(acor_info_get(c[i], &info, NULL) == ACOR_OK);
        WANT(info.keywords == READERS * (uint64_t)rounds);
    }
    acor_close(c[1]);
    acor_close(c[0]);
    return 1;
}

int main(void)
{
    tap t = TAP_INIT;
    for (int v = 0; v < VERSIONS; v++) {
        snprintf(numbers[v], sizeof numbers[v], "<%d>", v);
        text_len +=
            (size_t)snprintf(text + text_len, sizeof text - text_len, "%s ", numbers[v]);
    }
    text_len +=
        (size_t)snprintf(text + text_len, sizeof text - text_len, "odd even always");
    tap_ok(&t, against_a_writer(reader, tap_scale(2000)),
           "each answer is one version of the dictionary");
    tap_ok(&t, against_a_writer(scanner, tap_scale(2000)),
           "a snapshot stays what it is while the dictionary moves");
    tap_ok(&t, many_writers(tap_scale(120)), "no writer loses another's words");
    return tap_done(&t);
}
