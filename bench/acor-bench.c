/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our side of the peer benchmark; the protocol is in peers/README.md. Scans
 * through the public API with every match delivered to a callback, and counts
 * memory in the allocator hook.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <acor/acor.h>

#define C1 UINT64_C(0x9E3779B97F4A7C15)
#define C2 UINT64_C(0xC2B2AE3D27D4EB4F)

static const char usage[] =
    "usage: acor-bench [--engine speed|balanced|memory] DICT TEXT [--messages]\n"
    "                  [--mode overlapping|leftmost-longest] [--nocase] [--repeat N]\n"
    "                  [--step] [--form NAME] [--serial]\n";

static void die(const char *what, const char *detail)
{
    fprintf(stderr, "acor-bench: %s%s%s\n", what, detail ? ": " : "",
            detail ? detail : "");
    exit(2);
}

static void check(int status, const acor_error *err, const char *what)
{
    if (status >= ACOR_OK)
        return;
    fprintf(stderr, "acor-bench: %s: %s: %s\n", what, acor_strstatus(status),
            err->message);
    exit(2);
}

/* --- memory ----------------------------------------------------------------- */

/* Bytes the library holds, and the most it held. */
typedef struct counter {
    size_t live;
    size_t peak;
} counter;

static void *take(void *user, size_t size)
{
    counter *c = user;
    void *p = malloc(size);
    if (p != NULL && (c->live += size) > c->peak)
        c->peak = c->live;
    return p;
}

static void *change(void *user, void *ptr, size_t old_size, size_t new_size)
{
    counter *c = user;
    void *p = realloc(ptr, new_size);
    if (p == NULL)
        return NULL;
    c->live = c->live - old_size + new_size;
    if (c->live > c->peak)
        c->peak = c->live;
    return p;
}

static void give(void *user, void *ptr, size_t size)
{
    counter *c = user;
    c->live -= size;
    free(ptr);
}

static long resident(void)
{
    char line[256];
    long kb = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, "VmRSS:", 6) == 0)
            kb = strtol(line + 6, NULL, 10);
    if (f != NULL)
        fclose(f);
    return kb * 1024;
}

/* --- input ------------------------------------------------------------------ */

typedef struct text_file {
    char *data;
    size_t size;
} text_file;

typedef struct lines {
    acor_string *at;
    size_t n;
    size_t bytes; /* without newlines */
} lines;

static text_file slurp(const char *path)
{
    text_file t = {NULL, 0};
    FILE *f = fopen(path, "rb");
    long size = f != NULL && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    if (size < 0)
        die("cannot read", path);
    rewind(f);
    t.size = (size_t)size;
    t.data = malloc(t.size + 1);
    if (t.data == NULL || fread(t.data, 1, t.size, f) != t.size)
        die("cannot read", path);
    fclose(f);
    return t;
}

static void add_line(lines *l, size_t *cap, const char *data, size_t len)
{
    if (l->n == *cap) {
        *cap = *cap ? 2 * *cap : 1024;
        l->at = realloc(l->at, *cap * sizeof *l->at);
        if (l->at == NULL)
            die("no memory", NULL);
    }
    l->at[l->n++] = (acor_string){data, len};
    l->bytes += len;
}

/* Empty lines are left out. */
static lines split(const text_file *t)
{
    lines l = {NULL, 0, 0};
    size_t cap = 0;
    for (size_t i = 0; i < t->size;) {
        const char *from = t->data + i;
        const char *nl = memchr(from, '\n', t->size - i);
        size_t len = nl != NULL ? (size_t)(nl - from) : t->size - i;
        if (len)
            add_line(&l, &cap, from, len);
        i += len + 1;
    }
    return l;
}

static lines whole(const text_file *t)
{
    lines l = {NULL, 0, 0};
    size_t cap = 0;
    add_line(&l, &cap, t->data, t->size);
    return l;
}

/* --- options ---------------------------------------------------------------- */

typedef struct options {
    const char *dict, *text, *engine, *form;
    int messages, nocase, step, longest;
    int repeat;
} options;

static int is_preset(const char *name)
{
    return strcmp(name, "speed") == 0 || strcmp(name, "balanced") == 0 ||
           strcmp(name, "memory") == 0;
}

static int take_flag(options *o, const char *arg)
{
    if (strcmp(arg, "--messages") == 0)
        o->messages = 1;
    else if (strcmp(arg, "--nocase") == 0)
        o->nocase = 1;
    else if (strcmp(arg, "--step") == 0)
        o->step = 1;
    else if (strcmp(arg, "--serial") != 0) /* this release interleaves nothing */
        return 0;
    return 1;
}

static void take_value(options *o, const char *name, const char *value)
{
    if (value == NULL)
        die("no value behind", name);
    if (strcmp(name, "--engine") == 0) {
        if (!is_preset(value))
            die("no such engine", value);
        o->engine = value;
    } else if (strcmp(name, "--form") == 0) {
        o->form = value;
    } else if (strcmp(name, "--mode") == 0) {
        o->longest = strcmp(value, "leftmost-longest") == 0;
        if (!o->longest && strcmp(value, "overlapping") != 0)
            die("no such mode", value);
    } else if (strcmp(name, "--repeat") == 0) {
        o->repeat = (int)strtol(value, NULL, 10);
        if (o->repeat < 1)
            die("bad number of repeats", value);
    } else {
        fputs(usage, stderr);
        die("no such option", name);
    }
}

static options parse(int argc, char **argv)
{
    options o = {.engine = "balanced", .repeat = 5};
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) == 0) {
            if (!take_flag(&o, argv[i])) {
                take_value(&o, argv[i], argv[i + 1]);
                i++;
            }
        } else if (o.dict == NULL) {
            o.dict = argv[i];
        } else if (o.text == NULL) {
            o.text = argv[i];
        } else {
            fputs(usage, stderr);
            exit(2);
        }
    }
    if (o.text == NULL) {
        fputs(usage, stderr);
        exit(2);
    }
    return o;
}

/* --- the passes ------------------------------------------------------------- */

/* CPU seconds of this thread: other jobs on the core do not count. */
static double now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

typedef struct tally {
    uint64_t count, sum;
} tally;

static int on_matches(void *user, const acor_match *m, size_t n)
{
    tally *t = user;
    uint64_t sum = t->sum;
    for (size_t i = 0; i < n; i++)
        sum += (m[i].end + C1) * (m[i].end - m[i].start + C2);
    t->sum = sum;
    t->count += n;
    return 0;
}

typedef struct bench {
    options o;
    counter memory;
    acor_allocator hook;
    acor_snapshot *snap;
    acor_scratch *scratch;
    double build_s;
    size_t engine_bytes, peak_delta;
    long rss_delta;
    tally found;
} bench;

static void build_once(bench *b, const lines *dict)
{
    acor_build_options o = ACOR_BUILD_OPTIONS_INIT;
    acor_error err = ACOR_ERROR_INIT;
    o.allocator = &b->hook;
    o.case_sensitive = !b->o.nocase;
    check(acor_snapshot_build(&b->snap, dict->at, dict->n, &o, &err), &err, "build");
}

/* The best of up to five builds that fit in 0.4 s, but at least one. */
static void build(bench *b, const lines *dict)
{
    double spent = 0;
    long rss = resident();
    for (int i = 0; i < 5 && (i == 0 || spent < 0.4); i++) {
        acor_snapshot_unref(b->snap);
        size_t before = b->memory.live;
        b->memory.peak = before;
        double t = now();
        build_once(b, dict);
        t = now() - t;
        spent += t;
        if (i == 0 || t < b->build_s)
            b->build_s = t;
        b->engine_bytes = b->memory.live - before;
        b->peak_delta = b->memory.peak - before;
        if (i == 0)
            b->rss_delta = resident() - rss;
    }
}

/* Forms are chosen by the library; asking for another than it took is an error. */
static void check_form(const bench *b, const acor_snapshot_stats *st)
{
    if (b->o.form == NULL || strcmp(b->o.form, st->engine) == 0)
        return;
    fprintf(stderr, "acor-bench: no form \"%s\" for this dictionary; there is: %s\n",
            b->o.form, st->engine);
    exit(2);
}

static double pass(bench *b, const lines *text)
{
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    acor_error err = ACOR_ERROR_INIT;
    o.kind = b->o.longest ? ACOR_MATCH_LEFTMOST_LONGEST : ACOR_MATCH_OVERLAPPING;
    b->found = (tally){0, 0};
    double t = now();
    for (size_t i = 0; i < text->n; i++)
        check(acor_scan(b->snap, text->at[i].data, text->at[i].len, &o, b->scratch,
                        on_matches, &b->found, NULL, &err),
              &err, "scan");
    return now() - t;
}

static double best_of(bench *b, const lines *text)
{
    double best = pass(b, text);
    for (int r = 1; r < b->o.repeat; r++) {
        double t = pass(b, text);
        if (t < best)
            best = t;
    }
    return best;
}

/* One step for every line on standard input. */
static double step(bench *b, const lines *text)
{
    char line[64];
    double best = 1e9;
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        double t = best_of(b, text);
        if (t < best)
            best = t;
        printf("%.9f\n", t);
        fflush(stdout);
    }
    return best;
}

int main(int argc, char **argv)
{
    bench b = {.o = parse(argc, argv), .hook = ACOR_ALLOCATOR_INIT};
    acor_error err = ACOR_ERROR_INIT;
    acor_snapshot_stats st = ACOR_SNAPSHOT_STATS_INIT;
    b.hook.alloc = take;
    b.hook.resize = change;
    b.hook.release = give;
    b.hook.user = &b.memory;

    text_file dict_file = slurp(b.o.dict), text = slurp(b.o.text);
    lines dict = split(&dict_file), parts = b.o.messages ? split(&text) : whole(&text);
    check(acor_scratch_new(&b.scratch, &b.hook), &err, "scratch");
    build(&b, &dict);
    check(acor_snapshot_stats_get(b.snap, &st), &err, "stats");
    check_form(&b, &st);

    double best = b.o.step ? step(&b, &parts) : best_of(&b, &parts);
    printf("{\"engine\":\"%s\",\"preset\":\"%s\",\"version\":\"%s\",\"patterns\":%" PRIu64
           ",\"build_s\":%.6f,\"memory_bytes\":%zu,\"rss_delta\":%ld,\"peak_delta\":%zu,"
           "\"bytes\":%zu,\"messages\":%zu,\"seconds_best\":%.9f,\"gbps\":%.6f,"
           "\"matches\":%" PRIu64 ",\"checksum\":\"%016" PRIx64 "\"}\n",
           st.engine, b.o.engine, acor_version_string(), st.keywords, b.build_s,
           b.engine_bytes, b.rss_delta, b.peak_delta, parts.bytes, parts.n, best,
           (double)parts.bytes / best / 1e9, b.found.count, b.found.sum);

    acor_scratch_free(b.scratch);
    acor_snapshot_unref(b.snap);
    free(dict.at);
    free(parts.at);
    free(dict_file.data);
    free(text.data);
    return 0;
}
