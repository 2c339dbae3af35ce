/* SPDX-License-Identifier: Apache-2.0 */
/* What a store gives back: after closing, when it is full, when it is damaged. */
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../cases/generate.h"
#include "fields.h"
#include "naive.h"
#include "tap.h"

/* All keywords of an export. */
typedef struct exported {
    acor_string *items;
    size_t n;
} exported;

static int keep(void *user, const acor_string *keywords, size_t n)
{
    exported *e = user;
    acor_string *items = naive_alloc((e->n + n) * sizeof *items);
    if (e->n)
        memcpy(items, e->items, e->n * sizeof *items);
    for (size_t i = 0; i < n; i++) {
        char *copy = naive_alloc(keywords[i].len + 1);
        memcpy(copy, keywords[i].data, keywords[i].len);
        items[e->n + i] = (acor_string){copy, keywords[i].len};
    }
    free(e->items);
    e->items = items;
    e->n += n;
    return 0;
}

static int export_all(acor_collection *c, exported *e)
{
    *e = (exported){NULL, 0};
    return acor_export(c, keep, e, NULL) == ACOR_OK;
}

static int same_keywords(const exported *e, const acor_string *k, size_t n)
{
    WANT(e->n == n);
    for (size_t i = 0; i < n; i++)
        WANT(e->items[i].len == k[i].len &&
             memcmp(e->items[i].data, k[i].data, k[i].len) == 0);
    return 1;
}

static void free_exported(exported *e)
{
    free_keywords(e->items, e->n);
    *e = (exported){NULL, 0};
}

/* Another handle on the same dictionary: of mem: by sharing, of a file by
 * closing the first one. */
static int reopen(world *w, const char *name, acor_collection **old)
{
    acor_open_options o = ACOR_OPEN_OPTIONS_INIT;
    *old = NULL;
    if (w->at == PLACE_SQLITE) {
        acor_close(w->col);
        return acor_open(&w->col, world_url(), name, &o, NULL) == ACOR_OK;
    }
    *old = o.share = w->col;
    return acor_open(&w->col, "mem:", name, &o, NULL) == ACOR_OK;
}

int fc083_nul_bytes(void)
{
    const acor_string k[] = {{"a\0b", 3}, {"a", 1}};
    static const uint64_t spans[] = {1, 2, 1, 4, 5, 6};
    for (place p = PLACE_MEM; p < PLACES; p++) {
        world w;
        exported e;
        hits h;
        acor_collection *old;
        if (!place_exists(p))
            continue;
        WANT(world_open(&w, p, "nul", 0, k, 2));
        WANT(reopen(&w, "nul", &old));
        WANT(export_all(w.col, &e) && same_keywords(&e, k, 2));
        WANT(world_find(&w, (acor_string){"xa\0bya", 6}, ACOR_MATCH_OVERLAPPING, 0, &h));
        WANT(spans_are(&h, spans, 3));
        hits_free(&h);
        free_exported(&e);
        world_close(&w);
        acor_close(old);
    }
    return 1;
}

/* Two handles: what one writes, the other sees at its next call. Processes and
 * how soon are part 5. */
int fc100_two_handles(void)
{
    for (place p = PLACE_MEM; p < PLACES; p++) {
        world w;
        acor_collection *second;
        acor_open_options o = ACOR_OPEN_OPTIONS_INIT;
        int found = 0;
        if (!place_exists(p))
            continue;
        WANT(world_open(&w, p, "two", 0, NULL, 0));
        o.share = p == PLACE_MEM ? w.col : NULL;
        WANT(acor_open(&second, p == PLACE_MEM ? "mem:" : world_url(), "two", &o, NULL) ==
             ACOR_OK);
        WANT(acor_contains(second, "axb", 3, &found, NULL) == ACOR_OK && !found);
        WANT(acor_add(w.col, "x", 1, NULL, NULL) == ACOR_OK);
        WANT(world_contains(&w, str("axb"), &found) && found);
        WANT(acor_contains(second, "axb", 3, &found, NULL) == ACOR_OK && found);
        acor_close(second);
        world_close(&w);
    }
    return 1;
}

/* n distinct keywords, some of them beyond ASCII. */
static acor_string *numbered(size_t n)
{
    acor_string *k = naive_alloc(n * sizeof *k);
    for (size_t i = 0; i < n; i++) {
        char *s = naive_alloc(32);
        int len = snprintf(s, 32, i % 3 ? "word %zu." : "wört %zu.", i);
        k[i] = (acor_string){s, (size_t)len};
    }
    return k;
}

static int one_size(place p, size_t n)
{
    char name[40];
    world w;
    exported e;
    hits before, after;
    acor_info info = ACOR_INFO_INIT, again = ACOR_INFO_INIT;
    acor_collection *old;
    acor_string *k = numbered(n);
    acor_string text =
        str("word 1. word 64. w\xc3\xb6rt 63. word 128. word 999. word 65534.");
    snprintf(name, sizeof name, "size %zu", n);
    WANT(world_open(&w, p, name, 0, k, n));
    WANT(acor_info_get(w.col, &info, NULL) == ACOR_OK && info.keywords == n);
    WANT(world_find(&w, text, ACOR_MATCH_OVERLAPPING, 0, &before));
    WANT(reopen(&w, name, &old));
    WANT(acor_info_get(w.col, &again, NULL) == ACOR_OK);
    WANT(again.keywords == n && again.nodes == info.nodes &&
         again.keyword_bytes == info.keyword_bytes &&
         strcmp(again.version, info.version) == 0);
    WANT(export_all(w.col, &e) && same_keywords(&e, k, n));
    WANT(world_find(&w, text, ACOR_MATCH_OVERLAPPING, 0, &after));
    WANT(before.count == after.count);
    for (size_t i = 0; i < before.count; i++)
        WANT(memcmp(&before.items[i], &after.items[i], sizeof before.items[i]) == 0);
    hits_free(&before);
    hits_free(&after);
    free_exported(&e);
    world_close(&w);
    acor_close(old);
    free_keywords(k, n);
    return 1;
}

int fc122_sizes(void)
{
    static const size_t sizes[] = {0, 1, 63, 64, 65, 127, 128, 129, 1000, 65535, 65536};
    for (place p = PLACE_MEM; p < PLACES; p++)
        for (size_t i = 0; place_exists(p) && i < sizeof sizes / sizeof *sizes; i++)
            WANT(one_size(p, sizes[i]));
    return 1;
}

/* Export, flush, import: the same set in the same order. */
int fc179_export(void)
{
    const acor_string k[] = {str("plain"), str("na\xc3\xafve"), str("two words inside")};
    for (place p = PLACE_MEM; p < PLACES; p++) {
        world w;
        exported e, again;
        acor_batch_result r = ACOR_BATCH_RESULT_INIT;
        if (!place_exists(p))
            continue;
        WANT(world_open(&w, p, "export", 0, k, 3));
        WANT(export_all(w.col, &e) && same_keywords(&e, k, 3));
        WANT(acor_flush(w.col, NULL) == ACOR_OK);
        WANT(export_all(w.col, &again) && again.n == 0);
        WANT(acor_add_many(w.col, e.items, e.n, ACOR_BATCH_TRANSACTIONAL, NULL, &r,
                           NULL) == ACOR_OK);
        WANT(r.changed == 3 && r.failed == 0);
        free_exported(&again);
        WANT(export_all(w.col, &again) && same_keywords(&again, k, 3));
        free_exported(&again);
        free_exported(&e);
        world_close(&w);
    }
    return 1;
}

/* --- FC-126 ------------------------------------------------------------------- */

static int holds(acor_collection *c, const acor_string *k, size_t n)
{
    exported e;
    WANT(export_all(c, &e) && same_keywords(&e, k, n));
    free_exported(&e);
    return 1;
}

static int fill_the_disk(const char *path, const char *url)
{
    enum { MANY = 100000, OLD = 10 };
    struct stat st;
    struct rlimit room;
    acor_collection *c = NULL;
    acor_error err = ACOR_ERROR_INIT;
    acor_string *k = numbered(MANY);
    WANT(acor_open(&c, url, "full", NULL, NULL) == ACOR_OK);
    WANT(acor_add_many(c, k, OLD, ACOR_BATCH_TRANSACTIONAL, NULL, NULL, NULL) == ACOR_OK);
    WANT(stat(path, &st) == 0);
    WANT(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    WANT(getrlimit(RLIMIT_FSIZE, &room) == 0);
    rlim_t former = room.rlim_cur;
    room.rlim_cur = (rlim_t)st.st_size + (256 << 10);
    WANT(setrlimit(RLIMIT_FSIZE, &room) == 0);
    int status = acor_add_many(c, k, MANY, ACOR_BATCH_TRANSACTIONAL, NULL, NULL, &err);
    if (status != ACOR_ENOSPC && status != ACOR_EIO)
        fprintf(stderr, "# a full disk answered %d: %s\n", status, err.message);
    WANT(status == ACOR_ENOSPC || status == ACOR_EIO);
    WANT(err.status == status && err.message[0]);
    WANT(holds(c, k, OLD));
    room.rlim_cur = former;
    WANT(setrlimit(RLIMIT_FSIZE, &room) == 0);
    acor_close(c);
    WANT(acor_open(&c, url, "full", NULL, NULL) == ACOR_OK);
    WANT(holds(c, k, OLD));
    WANT(acor_add(c, "one more", 8, NULL, NULL) == ACOR_OK);
    acor_close(c);
    free_keywords(k, MANY);
    return 1;
}

/* In a process of its own, as the limit is the process's. */
int fc126_no_space(void)
{
    char path[400], url[420];
    int status = 0;
    if (!place_exists(PLACE_SQLITE))
        return 1;
    snprintf(path, sizeof path, "%s/full.db", world_folder());
    snprintf(url, sizeof url, "sqlite:%s", path);
    pid_t pid = fork();
    WANT(pid >= 0);
    if (pid == 0)
        _exit(fill_the_disk(path, url) ? 0 : 1);
    WANT(waitpid(pid, &status, 0) == pid);
    WANT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 1;
}

/* --- FC-182 ------------------------------------------------------------------- */

static int read_file(const char *path, char **data, size_t *len)
{
    FILE *f = fopen(path, "rb");
    WANT(f && fseek(f, 0, SEEK_END) == 0);
    *len = (size_t)ftell(f);
    rewind(f);
    *data = naive_alloc(*len);
    WANT(fread(*data, 1, *len, f) == *len);
    fclose(f);
    return 1;
}

static int write_file(const char *path, const char *data, size_t len)
{
    FILE *f = fopen(path, "wb");
    WANT(f && fwrite(data, 1, len, f) == len && fclose(f) == 0);
    return 1;
}

static int is_an_answer(int status)
{
    return status == ACOR_OK || status < 0;
}

/* Whatever it answers: it answers, and a success has sane numbers. */
static int use_damaged(const char *url)
{
    acor_collection *c = NULL;
    acor_match_list *list = NULL;
    acor_info info = ACOR_INFO_INIT;
    acor_error err = ACOR_ERROR_INIT;
    exported e = {NULL, 0};
    int status = acor_open(&c, url, "words", NULL, &err);
    WANT(is_an_answer(status) && (status == ACOR_OK) == (c != NULL));
    if (!c)
        return 1;
    status = acor_find(c, "word 1. and word 77.", 20, &list, NULL);
    WANT(is_an_answer(status) && acor_match_list_count(list) <= 40);
    acor_match_list_free(list);
    WANT(is_an_answer(acor_info_get(c, &info, NULL)));
    WANT(is_an_answer(acor_export(c, keep, &e, NULL)));
    WANT(is_an_answer(acor_add(c, "new", 3, NULL, NULL)));
    free_exported(&e);
    acor_close(c);
    return 1;
}

static void remove_all(const char *path)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < 4; i++) {
        char name[500];
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        unlink(name);
    }
}

/* Every byte that is not zero, and some that are, changed in turn; then the file
 * cut short. */
int fc182_damage(void)
{
    char path[400], url[420], *data = NULL;
    size_t len = 0;
    acor_collection *c = NULL;
    acor_string *k = numbered(100);
    rng r = rng_seed(182);
    int rounds = tap_scale(250);
    if (!place_exists(PLACE_SQLITE))
        return 1;
    snprintf(path, sizeof path, "%s/damaged.db", world_folder());
    snprintf(url, sizeof url, "sqlite:%s", path);
    WANT(acor_open(&c, url, "words", NULL, NULL) == ACOR_OK);
    WANT(acor_add_many(c, k, 100, ACOR_BATCH_BEST_EFFORT, NULL, NULL, NULL) == ACOR_OK);
    acor_close(c);
    free_keywords(k, 100);
    WANT(read_file(path, &data, &len) && len > 4096);
    for (int i = 0; i < rounds; i++) {
        size_t at = rng_below(&r, len);
        for (int look = 0; look < 200 && data[at] == 0; look++)
            at = rng_below(&r, len);
        char was = data[at];
        data[at] = (char)(was ^ (char)(1 + rng_below(&r, 255)));
        remove_all(path);
        WANT(write_file(path, data, len));
        data[at] = was;
        WANT(use_damaged(url));
    }
    for (size_t cut = 0; cut < len; cut += 1 + len / 24) {
        remove_all(path);
        WANT(write_file(path, data, cut));
        WANT(use_damaged(url));
    }
    remove_all(path);
    free(data);
    return 1;
}
