/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What several threads are worth: the same text by one and by several, in turns,
 * the best time of each and their ratio. Texts are made up: with few matches, with
 * one at nearly every word, and with few in Hangul. Whoever else uses the machine
 * meanwhile makes the ratio smaller; the processor time that one way takes and the
 * other does not says more there.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <acor/acor.h>

static const char usage[] = "usage: parallel [--mb N] [--workers N] [--chunk N] [--rounds N]\n";

enum { WORDS = 1000, SYLLABLES = 11172, HANGUL = 0xAC00 };

typedef struct settings {
    size_t mb;
    uint32_t workers;
    uint64_t chunk;
    int rounds;
} settings;

static void die(const char *what, const char *detail)
{
    fprintf(stderr, "parallel: %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
    exit(2);
}

static void check(int status, const acor_error *err, const char *what)
{
    if (status < ACOR_OK)
        die(what, err->message);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* --- texts ------------------------------------------------------------------ */

static uint64_t state = 1;

static size_t below(size_t n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(state >> 33) % n;
}

/* A word of n letters or syllables; its length in bytes. */
static size_t spell(char *to, size_t n, int hangul)
{
    for (size_t i = 0; i < n; i++) {
        if (!hangul) {
            to[i] = (char)('a' + below(26));
            continue;
        }
        unsigned cp = HANGUL + (unsigned)below(SYLLABLES);
        to[3 * i] = (char)(0xE0 | cp >> 12);
        to[3 * i + 1] = (char)(0x80 | (cp >> 6 & 0x3F));
        to[3 * i + 2] = (char)(0x80 | (cp & 0x3F));
    }
    return hangul ? 3 * n : n;
}

static char spelling[WORDS][40];
static acor_string words[WORDS];

static void make_words(int hangul)
{
    for (size_t i = 0; i < WORDS; i++)
        words[i] = (acor_string){spelling[i], spell(spelling[i], 5 + i % 5, hangul)};
}

/* Words, of which one in every some is a keyword. */
static void make_text(char *text, size_t size, size_t every, int hangul)
{
    char word[40];
    for (size_t at = 0; at < size;) {
        const acor_string *k = below(every) == 0 ? &words[below(WORDS)] : NULL;
        size_t len = k ? k->len : spell(word, 3 + below(7), hangul);
        if (len + 1 > size - at) {
            memset(text + at, ' ', size - at);
            return;
        }
        memcpy(text + at, k ? k->data : word, len);
        at += len;
        text[at++] = ' ';
    }
}

/* --- rounds ------------------------------------------------------------------ */

static int touch(void *user, const acor_match *m, size_t n)
{
    for (size_t i = 0; i < n; i++)
        *(uint64_t *)user += m[i].end;
    return 0;
}

typedef struct work {
    acor_snapshot *snap;
    const char *text;
    size_t size;
    acor_parallel_options parallel;
} work;

/* Each does one of the two ways and answers the number of matches. */
typedef size_t way_fn(const work *w, int parallel);

static size_t by_callback(const work *w, int parallel)
{
    acor_error err = ACOR_ERROR_INIT;
    uint64_t n = 0, sum = 0;
    int status = parallel ? acor_scan_parallel(w->snap, w->text, w->size, NULL, &w->parallel,
                                               touch, &sum, &n, &err)
                          : acor_scan(w->snap, w->text, w->size, NULL, NULL, touch, &sum, &n,
                                      &err);
    check(status, &err, "scan");
    return (size_t)n;
}

static size_t by_set(const work *w, int parallel)
{
    acor_error err = ACOR_ERROR_INIT;
    acor_match_list *list = NULL;
    int status = parallel ? acor_snapshot_find_parallel(w->snap, w->text, w->size, NULL,
                                                        &w->parallel, &list, &err)
                          : acor_snapshot_find_set(w->snap, w->text, w->size, NULL, &list,
                                                   &err);
    check(status, &err, "find");
    size_t n = acor_match_list_count(list);
    acor_match_list_free(list);
    return n;
}

/* The best of all rounds, in seconds; matches. */
typedef struct times {
    double wall, processor;
    size_t n;
} times;

static void one_round(times *t, way_fn *way, const work *w, int parallel)
{
    double from = now();
    clock_t before = clock();
    t->n = way(w, parallel);
    double processor = (double)(clock() - before) / CLOCKS_PER_SEC, wall = now() - from;
    if (wall < t->wall)
        t->wall = wall;
    if (processor < t->processor)
        t->processor = processor;
}

static void compare(const char *name, way_fn *way, const work *w, int rounds)
{
    times one = {1e9, 1e9, 0}, many = {1e9, 1e9, 0};
    for (int i = 0; i < rounds; i++) {
        one_round(&one, way, w, 0);
        one_round(&many, way, w, 1);
    }
    if (one.n != many.n)
        die("not the same number of matches", name);
    printf("%-22s %8zu matches  serial %6.1f ms  parallel %6.1f ms  ratio %.2f  "
           "processor time x %.2f\n",
           name, one.n, one.wall * 1e3, many.wall * 1e3, one.wall / many.wall,
           many.processor / one.processor);
    fflush(stdout);
}

static void run(const settings *s, const char *name, size_t every, int hangul)
{
    acor_error err = ACOR_ERROR_INIT;
    char label[40];
    size_t size = s->mb << 20;
    char *text = malloc(size);
    if (text == NULL)
        die("no memory", NULL);
    make_words(hangul);
    make_text(text, size, every, hangul);
    work w = {.text = text, .size = size, .parallel = ACOR_PARALLEL_OPTIONS_INIT};
    w.parallel.workers = s->workers;
    w.parallel.chunk_size = s->chunk;
    check(acor_snapshot_build(&w.snap, words, WORDS, NULL, &err), &err, "build");
    snprintf(label, sizeof label, "%s, callback", name);
    compare(label, by_callback, &w, s->rounds);
    snprintf(label, sizeof label, "%s, find_parallel", name);
    compare(label, by_set, &w, s->rounds);
    acor_snapshot_unref(w.snap);
    free(text);
}

static unsigned long long value_of(const char *name, const char *value)
{
    char *end = NULL;
    unsigned long long n = value ? strtoull(value, &end, 10) : 0;
    if (n == 0 || *end != '\0')
        die("not a number from 1 on", name);
    return n;
}

int main(int argc, char **argv)
{
    settings s = {64, 2, 1000, 7};
    for (int i = 1; i < argc; i += 2) {
        if (strcmp(argv[i], "--mb") == 0)
            s.mb = (size_t)value_of(argv[i], argv[i + 1]);
        else if (strcmp(argv[i], "--workers") == 0)
            s.workers = (uint32_t)value_of(argv[i], argv[i + 1]);
        else if (strcmp(argv[i], "--chunk") == 0)
            s.chunk = value_of(argv[i], argv[i + 1]);
        else if (strcmp(argv[i], "--rounds") == 0)
            s.rounds = (int)value_of(argv[i], argv[i + 1]);
        else {
            fputs(usage, stderr);
            return 2;
        }
    }
    run(&s, "sparse", 1000, 0);
    run(&s, "dense", 1, 0);
    run(&s, "Hangul", 1000, 1);
    return 0;
}
