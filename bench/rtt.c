/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What calls on a Redis collection cost: round trips by the handle's own count,
 * bytes by the server's, the best time of several as a multiple of a PING on a
 * plain connection in the same run, and the server's own time by its command
 * statistics. Nobody else may use the server meanwhile. Setting up a connection
 * counts as bytes and time, not as a round trip.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <acor/acor.h>

#include "base/arena.h"
#include "base/clock.h"
#include "store/redis/v2.h"

static const char usage[] =
    "usage: rtt URL [--words FILE] [--sizes 1000,10000,100000] [--json] [--force]\n";

enum {
    BATCH = 1000,
    SINGLES = 20,
    READS = 50,
    BATCHES = 12,
    MOST_SIZES = 8,
    PINGS = 20,
    COARSE_US = 10
};
enum { BIG = 50000, BATCHES_BIG = 5, TIMEOUT_MS = 60000, LETTERS = 10 };

static void die(const char *what, const char *detail)
{
    fprintf(stderr, "rtt: %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
    exit(2);
}

static void check(int status, const acor_error *err, const char *what)
{
    if (status < ACOR_OK)
        die(what, err->message);
}

/* --- words ------------------------------------------------------------------ */

typedef struct word_list {
    acor_string *at;
    size_t n;
} word_list;

static void *get(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (p == NULL)
        die("no memory", NULL);
    return p;
}

/* Ten letters, the last four of which are the number: different up to 26^4, and
 * beyond by the others. */
static void spell(char *out, size_t i)
{
    uint64_t mixed = (uint64_t)i * UINT64_C(2654435761) % UINT64_C(308915776); /* 26^6 */
    for (int k = 0; k < LETTERS; k++) {
        uint64_t from = k < 6 ? mixed : (uint64_t)i;
        out[k] = (char)('a' + from % 26);
        if (k < 6)
            mixed /= 26;
        else
            i /= 26;
    }
}

static word_list generate(size_t n)
{
    word_list w = {get(n, sizeof(acor_string)), n};
    char *text = get(n, LETTERS);
    for (size_t i = 0; i < n; i++) {
        spell(text + i * LETTERS, i);
        w.at[i] = (acor_string){text + i * LETTERS, LETTERS};
    }
    return w;
}

/* The first n lines that are not empty; all are to be different keywords. */
static word_list read_words(const char *path, size_t n)
{
    word_list w = {get(n, sizeof(acor_string)), 0};
    char *line = NULL;
    size_t room = 0;
    ssize_t len;
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        die("cannot read", path);
    while (w.n < n && (len = getline(&line, &room, f)) >= 0) {
        while (len > 0 && (line[len - 1] == '\n' || line[len - 1] == '\r'))
            len--;
        if (len == 0)
            continue;
        char *copy = get((size_t)len, 1);
        memcpy(copy, line, (size_t)len);
        w.at[w.n++] = (acor_string){copy, (size_t)len};
    }
    fclose(f);
    free(line);
    if (w.n < n)
        die("too few words for the largest size", path);
    return w;
}

static void free_words(word_list *w, int each)
{
    for (size_t i = 0; i < w->n && (each || i == 0); i++)
        free((char *)(uintptr_t)w->at[i].data);
    free(w->at);
}

/* --- the plain connection --------------------------------------------------- */

typedef struct bench {
    const char *url, *words_path;
    size_t sizes[MOST_SIZES];
    size_t n_sizes;
    int json, force;
    word_list words; /* the largest size's, and those that are added to it */
    acr_mem mem;
    acr_store *store; /* for its address */
    acr_conn plain;
    char name[64];
    int rows;
} bench;

static void ask(bench *b, acr_arena *arena, const acr_command *commands, size_t n,
                acr_reply **replies)
{
    acor_error err = ACOR_ERROR_INIT;
    int status = acr_conn_exchange(&b->plain, commands, n, arena, replies, NULL,
                                   acr_deadline_in_ms(TIMEOUT_MS), &err);
    check(status, &err, "plain connection");
    for (size_t i = 0; i < n; i++)
        check(acr_reply_check(replies[i], "plain connection", &err), &err, "server");
}

/* One command; its reply's number. */
static int64_t command(bench *b, acr_arena *arena, const acr_slice *args, size_t n)
{
    acr_command one = {args, n};
    acr_reply *reply;
    ask(b, arena, &one, 1, &reply);
    return reply->integer;
}

/* The server's counters at one moment, and what asking for them cost. */
typedef struct counters {
    uint64_t in, out, asked, answered;
    double script_us, other_us;
} counters;

static uint64_t number_behind(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/* Command statistics: time of scripts, and of all else but ours. What a script
 * runs is counted again as commands of its own. */
static void add_times(counters *c, const char *text)
{
    static const char *const ours[] = {"info:", "ping:", "dbsize:", "del:"};
    for (const char *at = text; (at = strstr(at, "cmdstat_")) != NULL;) {
        at += strlen("cmdstat_");
        const char *usec = strstr(at, "usec=");
        double us = usec ? strtod(usec + strlen("usec="), NULL) : 0;
        int mine = 0;
        for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
            mine |= strncmp(at, ours[i], strlen(ours[i])) == 0;
        if (strncmp(at, "evalsha:", 8) == 0 || strncmp(at, "eval:", 5) == 0)
            c->script_us += us;
        else if (!mine)
            c->other_us += us;
    }
}

static counters count(bench *b)
{
    acr_slice stats[] = {acr_slice_str("INFO"), acr_slice_str("stats")};
    acr_slice commands[] = {acr_slice_str("INFO"), acr_slice_str("commandstats")};
    acr_command both[] = {{stats, 2}, {commands, 2}};
    counters c = {0};
    acr_arena arena;
    acr_arena_init(&arena, &b->mem);
    uint64_t up = b->plain.bytes_out, down = b->plain.bytes_in;
    acr_reply *r[2];
    ask(b, &arena, both, 2, r);
    c.asked = b->plain.bytes_out - up;
    c.answered = b->plain.bytes_in - down;
    const char *text = (const char *)acr_arena_copy(&arena, r[0]->text);
    const char *times = (const char *)acr_arena_copy(&arena, r[1]->text);
    if (text == NULL || times == NULL)
        die("no memory", NULL);
    c.in = number_behind(text, "total_net_input_bytes:");
    c.out = number_behind(text, "total_net_output_bytes:");
    add_times(&c, times);
    acr_arena_free(&arena);
    return c;
}

/* Nanoseconds of the fastest PING of some. */
static int64_t ping(bench *b)
{
    acr_slice word = acr_slice_str("PING");
    int64_t best = INT64_MAX;
    acr_arena arena;
    acr_arena_init(&arena, &b->mem);
    for (int i = 0; i < PINGS; i++) {
        int64_t t = acr_clock_now();
        command(b, &arena, &word, 1);
        t = acr_clock_now() - t;
        if (t < best)
            best = t;
    }
    acr_arena_free(&arena);
    return best;
}

static int64_t keys_there(bench *b)
{
    acr_slice word = acr_slice_str("DBSIZE");
    acr_arena arena;
    acr_arena_init(&arena, &b->mem);
    int64_t n = command(b, &arena, &word, 1);
    acr_arena_free(&arena);
    return n;
}

static void connect_plain(bench *b)
{
    acor_error err = ACOR_ERROR_INIT;
    acr_store_params params = {.name = acr_slice_str(b->name), .mem = &b->mem};
    if (strncmp(b->url, "redis", 5) != 0)
        die("not a URL of Redis", b->url);
    check(acr_mem_init(&b->mem, NULL, &err), &err, "memory");
    check(acr_store_open(&b->store, b->url, &params, NULL, &err), &err, "URL");
    acr_conn_init(&b->plain, &b->mem, &((acr_v2 *)(void *)b->store)->config);
    if (keys_there(b) != 0 && !b->force)
        die("the database is not empty; --force if it may be used all the same", NULL);
}

/* The collection's two keys; others are not touched. */
static void drop_keys(bench *b)
{
    char trie[96], outputs[96];
    snprintf(trie, sizeof trie, "{%s}:trie", b->name);
    snprintf(outputs, sizeof outputs, "{%s}:outputs", b->name);
    acr_slice args[] = {acr_slice_str("DEL"), acr_slice_str(trie),
                        acr_slice_str(outputs)};
    acr_arena arena;
    acr_arena_init(&arena, &b->mem);
    command(b, &arena, args, 3);
    acr_arena_free(&arena);
}

/* --- what is measured ------------------------------------------------------- */

typedef struct row {
    const char *operation;
    size_t words;
    int repeats;
    uint64_t trips, up, down; /* the most of any repeat */
    int64_t best_ns, ping_ns;
    double server_us; /* the least of any repeat */
} row;

typedef struct probe {
    row *r;
    counters before;
    uint64_t trips;
    int64_t begun;
} probe;

static acor_collection *open_handle(bench *b)
{
    acor_error err = ACOR_ERROR_INIT;
    acor_open_options o = ACOR_OPEN_OPTIONS_INIT;
    acor_collection *c;
    o.timeout_ms = TIMEOUT_MS;
    check(acor_open(&c, b->url, b->name, &o, &err), &err, "open");
    return c;
}

static uint64_t trips_of(acor_collection *c)
{
    acor_cost cost = ACOR_COST_INIT;
    if (c != NULL && acor_cost_get(c, &cost) != ACOR_OK)
        die("no count of round trips", NULL);
    return cost.round_trips;
}

/* c is NULL if the handle is opened in between. */
static probe begin(bench *b, row *r, acor_collection *c)
{
    /* At the same time as what they are compared with. */
    int64_t ns = ping(b);
    if (r->repeats == 0 || ns < r->ping_ns)
        r->ping_ns = ns;
    probe p = {.r = r, .before = count(b), .trips = trips_of(c)};
    p.begun = acr_clock_now();
    return p;
}

static void most(uint64_t *a, uint64_t b)
{
    *a = b > *a ? b : *a;
}

static void end(bench *b, probe *p, acor_collection *c)
{
    int64_t t = acr_clock_now() - p->begun;
    counters after = count(b);
    row *r = p->r;
    double script = after.script_us - p->before.script_us;
    double us = script > 0 ? script : after.other_us - p->before.other_us;
    most(&r->trips, trips_of(c) - p->trips);
    /* A reply is counted once it is sent, so after itself; a request before. */
    most(&r->up, after.in - p->before.in - after.asked);
    most(&r->down, after.out - p->before.out - p->before.answered);
    if (r->repeats == 0 || t < r->best_ns)
        r->best_ns = t;
    if (r->repeats == 0 || us < r->server_us)
        r->server_us = us;
    r->repeats++;
}

static void print_row(bench *b, const row *r)
{
    double pings = (double)r->best_ns / (double)r->ping_ns;
    char of_server[32] = "";
    /* The server counts in whole microseconds: too coarse for what is done in a few. */
    if (r->server_us >= COARSE_US)
        snprintf(of_server, sizeof of_server, "%.2f",
                 (double)r->best_ns / 1e3 / r->server_us);
    if (b->json)
        printf("%s\n  {\"operation\": \"%s\", \"words\": %zu, \"round_trips\": %" PRIu64
               ", \"up\": %" PRIu64 ", \"down\": %" PRIu64 ", \"best_us\": %.1f"
               ", \"ping_us\": %.1f, \"pings\": %.2f, \"server_us\": %.0f"
               ", \"of_server\": %s, \"repeats\": %d}",
               b->rows ? "," : "", r->operation, r->words, r->trips, r->up, r->down,
               (double)r->best_ns / 1e3, (double)r->ping_ns / 1e3, pings, r->server_us,
               of_server[0] ? of_server : "null", r->repeats);
    else
        printf("| %s | %zu | %" PRIu64 " | %" PRIu64 " | %" PRIu64
               " | %.1f | %s | %.0f | %d |\n",
               r->operation, r->words, r->trips, r->up, r->down, pings,
               of_server[0] ? of_server : "–", r->server_us, r->repeats);
    fflush(stdout);
    b->rows++;
}

static void add_batch(acor_collection *c, const acor_string *words, size_t n)
{
    acor_error err = ACOR_ERROR_INIT;
    acor_batch_result r = ACOR_BATCH_RESULT_INIT;
    check(acor_add_many(c, words, n, ACOR_BATCH_BEST_EFFORT, NULL, &r, &err), &err,
          "add_many");
    if (r.changed != n)
        die("words are there twice, or more than one spelling of them", NULL);
}

static void find(acor_collection *c, const acor_string *word)
{
    acor_error err = ACOR_ERROR_INIT;
    acor_match_list *found = NULL;
    check(acor_find(c, word->data, word->len, &found, &err), &err, "find");
    if (acor_match_list_count(found) == 0)
        die("a word that is there was not found", NULL);
    acor_match_list_free(found);
}

static void measure_singles(bench *b, acor_collection *c, size_t size)
{
    acor_error err = ACOR_ERROR_INIT;
    row add = {.operation = "add, current snapshot", .words = size};
    row rem = {.operation = "remove, current snapshot",
               .words = size,
               .ping_ns = add.ping_ns};
    for (int i = 0; i < SINGLES; i++) {
        const acor_string *w = &b->words.at[size + (size_t)i];
        int changed = 0;
        find(c, &b->words.at[0]);
        probe p = begin(b, &add, c);
        check(acor_add(c, w->data, w->len, &changed, &err), &err, "add");
        end(b, &p, c);
        find(c, w);
        p = begin(b, &rem, c);
        check(changed == 1 ? acor_remove(c, w->data, w->len, &changed, &err)
                           : ACOR_EINVAL,
              &err, "remove");
        end(b, &p, c);
    }
    print_row(b, &add);
    print_row(b, &rem);
}

static void measure_batches(bench *b, acor_collection *c, size_t size)
{
    acor_error err = ACOR_ERROR_INIT;
    row r = {.operation = "add_many of 1,000", .words = size};
    const acor_string *more = &b->words.at[size];
    for (int i = 0; i < (size < BIG ? BATCHES : BATCHES_BIG); i++) {
        if (size)
            find(c, &b->words.at[0]);
        probe p = begin(b, &r, c);
        add_batch(c, more, BATCH);
        end(b, &p, c);
        if (size)
            check(acor_remove_many(c, more, BATCH, ACOR_BATCH_BEST_EFFORT, NULL, NULL,
                                   &err),
                  &err, "remove_many");
        else
            check(acor_flush(c, &err), &err, "flush");
    }
    print_row(b, &r);
}

static void measure_reads(bench *b, acor_collection *c, size_t size)
{
    row cold = {.operation = "open and first find", .words = size};
    row warm = {.operation = "find, unchanged", .words = size};
    for (int i = 0; i < (size < BIG ? BATCHES : BATCHES_BIG); i++) {
        probe p = begin(b, &cold, NULL);
        acor_collection *fresh = open_handle(b);
        find(fresh, &b->words.at[0]);
        end(b, &p, fresh);
        acor_close(fresh);
    }
    print_row(b, &cold);
    find(c, &b->words.at[0]);
    for (int i = 0; i < READS; i++) {
        probe p = begin(b, &warm, c);
        find(c, &b->words.at[0]);
        end(b, &p, c);
    }
    print_row(b, &warm);
}

static void measure(bench *b, size_t size)
{
    acor_collection *c = open_handle(b);
    acor_error err = ACOR_ERROR_INIT;
    if (size) {
        add_batch(c, b->words.at, size);
        measure_reads(b, c, size);
        measure_singles(b, c, size);
    } else {
        /* So that the server knows the scripts and the handle the collection. */
        add_batch(c, b->words.at, 1);
        check(acor_flush(c, &err), &err, "flush");
    }
    measure_batches(b, c, size);
    acor_close(c);
    drop_keys(b);
}

/* --- options ---------------------------------------------------------------- */

static void read_sizes(bench *b, const char *text)
{
    char *stop = NULL;
    b->n_sizes = 0;
    for (const char *at = text; b->n_sizes < MOST_SIZES; at = stop + 1) {
        unsigned long n = strtoul(at, &stop, 10);
        if (stop == at || n < 1 || n > 10000000 || (*stop != ',' && *stop != 0))
            die("bad sizes", text);
        b->sizes[b->n_sizes++] = n;
        if (*stop == 0)
            return;
    }
    die("too many sizes", text);
}

static void parse(bench *b, int argc, char **argv)
{
    read_sizes(b, "1000,10000,100000");
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--json") == 0) {
            b->json = 1;
        } else if (strcmp(argv[i], "--force") == 0) {
            b->force = 1;
        } else if (strcmp(argv[i], "--words") == 0 && value != NULL) {
            b->words_path = argv[++i];
        } else if (strcmp(argv[i], "--sizes") == 0 && value != NULL) {
            read_sizes(b, argv[++i]);
        } else if (argv[i][0] != '-' && b->url == NULL) {
            b->url = argv[i];
        } else {
            fputs(usage, stderr);
            exit(2);
        }
    }
    if (b->url == NULL) {
        fputs(usage, stderr);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    bench b = {.url = NULL};
    size_t largest = 0;
    parse(&b, argc, argv);
    snprintf(b.name, sizeof b.name, "acor-rtt-%ld", (long)getpid());
    for (size_t i = 0; i < b.n_sizes; i++)
        largest = b.sizes[i] > largest ? b.sizes[i] : largest;
    b.words = b.words_path ? read_words(b.words_path, largest + BATCH)
                           : generate(largest + BATCH);
    connect_plain(&b);

    if (b.json)
        printf("[");
    else
        printf("| operation | words | round trips | up | down | time, in PINGs | time, "
               "in the "
               "server's own | server, us | best of "
               "|\n|---|---|---|---|---|---|---|---|---|\n");
    measure(&b, 0);
    for (size_t i = 0; i < b.n_sizes; i++)
        measure(&b, b.sizes[i]);
    if (b.json)
        printf("\n]\n");

    acr_conn_drop(&b.plain);
    acr_store_close(b.store);
    free_words(&b.words, b.words_path != NULL);
    return 0;
}
