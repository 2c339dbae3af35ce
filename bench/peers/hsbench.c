/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hs-bench DICT TEXT [options]: Hyperscan or Vectorscan, whichever it is linked with; the
 * protocol is in README.md.  Literals by hs_compile_lit_multi(), block mode, every match
 * end reported (start = end - length, so no SOM is needed).  --db-cache DIR keeps
 * compiled databases, since large ones take minutes; a cached run reports the first run's
 * build time.
 */
#define _GNU_SOURCE
#include <hs.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define C1 UINT64_C(0x9E3779B97F4A7C15)
#define C2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define DIE(...) (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), exit(1))

struct tally {
    uint64_t count, sum;
    const uint32_t *len;
};

static int on_match(unsigned int id, unsigned long long from, unsigned long long to,
                    unsigned int flags, void *ctx)
{
    struct tally *t = ctx;
    (void)from, (void)flags;
    t->count++;
    t->sum += (to + C1) * (t->len[id] + C2);
    return 0;
}

/* CPU seconds of this thread: other jobs on the core do not count. */
static double now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static char *slurp(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END))
        DIE("cannot read %s", path);
    *size = (size_t)ftell(f);
    rewind(f);
    char *buf = malloc(*size + 64);
    if (!buf || fread(buf, 1, *size, f) != *size)
        DIE("cannot read %s", path);
    fclose(f);
    return buf;
}

static long status(const char *key)
{
    char line[256];
    long kb = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, key, strlen(key)))
            kb = atol(line + strlen(key));
    if (f)
        fclose(f);
    return kb * 1024;
}

/* Splits at newlines; returns the number of pieces. */
static size_t split(char *buf, size_t size, char ***at, uint32_t **len)
{
    size_t n = 0, room = 1024;
    *at = malloc(room * sizeof **at);
    *len = malloc(room * sizeof **len);
    for (size_t i = 0; i < size;) {
        char *nl = memchr(buf + i, '\n', size - i);
        size_t end = nl ? (size_t)(nl - buf) : size;
        if (end > i) {
            if (n == room) {
                room *= 2;
                *at = realloc(*at, room * sizeof **at);
                *len = realloc(*len, room * sizeof **len);
            }
            (*at)[n] = buf + i;
            (*len)[n++] = (uint32_t)(end - i);
        }
        i = end + 1;
    }
    return n;
}

int main(int argc, char **argv)
{
    const char *pos[2] = {0}, *cache = NULL;
    int npos = 0, messages = 0, nocase = 0, step = 0, longest = 0, repeat = 5;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--messages"))
            messages = 1;
        else if (!strcmp(argv[i], "--nocase"))
            nocase = 1;
        else if (!strcmp(argv[i], "--step"))
            step = 1;
        else if (!strcmp(argv[i], "--mode") && i + 1 < argc)
            longest = !strcmp(argv[++i], "leftmost-longest");
        else if (!strcmp(argv[i], "--repeat") && i + 1 < argc)
            repeat = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--db-cache") && i + 1 < argc)
            cache = argv[++i];
        else if (npos < 2)
            pos[npos++] = argv[i];
    }
    if (npos < 2)
        DIE("usage: hs-bench DICT TEXT [options]");
    if (longest)
        DIE("leftmost-longest is not offered by this engine");

    size_t dsize, tsize, dsize2;
    char *dict = slurp(pos[0], &dsize), *text = slurp(pos[1], &tsize);
    char *dict2 = slurp(pos[0], &dsize2); /* NUL-terminated copies live here */
    char **pat, **msg;
    uint32_t *plen, *mlen;
    size_t n = split(dict2, dsize2, &pat, &plen), nmsg = 1;
    uint64_t key = UINT64_C(0xCBF29CE484222325) ^ (uint64_t)nocase;
    for (size_t i = 0; i < dsize; i++)
        key = (key ^ (unsigned char)dict[i]) * UINT64_C(0x100000001B3);
    free(dict);
    if (messages) {
        nmsg = split(text, tsize, &msg, &mlen);
    } else {
        msg = &text;
        mlen = malloc(sizeof *mlen);
        *mlen = (uint32_t)tsize;
    }
    unsigned *flags = malloc(n * sizeof *flags), *ids = malloc(n * sizeof *ids);
    size_t *lens = malloc(n * sizeof *lens);
    for (size_t i = 0; i < n; i++) {
        flags[i] = nocase ? HS_FLAG_CASELESS : 0;
        ids[i] = (unsigned)i;
        lens[i] = plen[i];
    }

    const char *version = hs_version();
    char vers[32], path[4096] = "";
    snprintf(vers, sizeof vers, "%.*s", (int)strcspn(version, " "), version);
    if (cache)
        snprintf(path, sizeof path, "%s/%s-%s-%016" PRIx64 ".hsdb", cache, NAME, vers,
                 key);
    hs_database_t *db = NULL;
    double build = 0;
    long rss0 = status("VmRSS:"), rss = 0, peak = 0;
    FILE *f = cache ? fopen(path, "rb") : NULL;
    if (f) {
        fclose(f);
        size_t size;
        char *blob = slurp(path, &size);
        memcpy(&build, blob, sizeof build);
        memcpy(&peak, blob + 8, sizeof peak);
        if (hs_deserialize_database(blob + 16, size - 16, &db) != HS_SUCCESS)
            DIE("stale %s", path);
        free(blob);
    } else {
        FILE *r = fopen("/proc/self/clear_refs", "w");
        if (r) {
            fputs("5", r);
            fclose(r);
        }
        double spent = 0;
        for (int i = 0; i < 5 && (i == 0 || spent < 0.4); i++) {
            hs_compile_error_t *err = NULL;
            if (db)
                hs_free_database(db);
            double t = now();
            if (hs_compile_lit_multi((const char *const *)pat, flags, ids, lens,
                                     (unsigned)n, HS_MODE_BLOCK, NULL, &db,
                                     &err) != HS_SUCCESS)
                DIE("compile: %s", err ? err->message : "?");
            t = now() - t;
            spent += t;
            if (i == 0)
                peak = status("VmHWM:") - rss0;
            if (i == 0 || t < build)
                build = t;
        }
        if (cache) {
            char *blob, tmp[4200];
            size_t size;
            if (hs_serialize_database(db, &blob, &size) != HS_SUCCESS)
                DIE("serialize");
            snprintf(tmp, sizeof tmp, "%s.tmp", path);
            if (!(f = fopen(tmp, "wb")))
                DIE("cannot write %s", tmp);
            fwrite(&build, sizeof build, 1, f);
            fwrite(&peak, sizeof peak, 1, f);
            fwrite(blob, 1, size, f);
            fclose(f);
            rename(tmp, path);
            free(blob);
        }
    }
    malloc_trim(0);
    rss = status("VmRSS:") - rss0;
    size_t bytes = 0, ssize = 0;
    hs_database_size(db, &bytes);
    hs_scratch_t *scratch = NULL;
    if (hs_alloc_scratch(db, &scratch) != HS_SUCCESS)
        DIE("scratch");
    hs_scratch_size(scratch, &ssize);

    struct tally t = {0};
    double best = 1e9;
    char line[64];
    size_t total = 0;
    for (size_t i = 0; i < nmsg; i++)
        total += mlen[i];
    if (step) {
        puts("ready");
        fflush(stdout);
    }
    while (!step || fgets(line, sizeof line, stdin)) {
        double s = 1e9;
        for (int r = 0; r < repeat; r++) {
            t = (struct tally){0, 0, plen};
            double a = now();
            for (size_t i = 0; i < nmsg; i++)
                if (hs_scan(db, msg[i], mlen[i], 0, scratch, on_match, &t) != HS_SUCCESS)
                    DIE("scan");
            a = now() - a;
            if (a < s)
                s = a;
        }
        if (s < best)
            best = s;
        if (!step)
            break;
        printf("%.9f\n", s);
        fflush(stdout);
    }
    printf("{\"engine\":\"%s\",\"version\":\"%s\",\"patterns\":%zu,\"build_s\":%.6f,"
           "\"memory_bytes\":%zu,"
           "\"rss_delta\":%ld,\"peak_delta\":%ld,\"bytes\":%zu,\"messages\":%zu,"
           "\"seconds_best\":%.9f,"
           "\"gbps\":%.6f,\"matches\":%" PRIu64 ",\"checksum\":\"%016" PRIx64
           "\",\"scratch_bytes\":%zu}\n",
           NAME, vers, n, build, bytes, rss, peak, total, nmsg, best,
           (double)total / best / 1e9, t.count, t.sum, ssize);
    return 0;
}
