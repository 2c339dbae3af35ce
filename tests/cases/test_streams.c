/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts in pieces, cut everywhere, against a scan of the whole: the .case files,
 * and dictionaries and texts made up from a seed. SEED in a failure's name gives
 * the round back:
 *
 *     test_streams [GROUP SEED]
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "casefile.h"
#include "generate.h"
#include "tap.h"

static int collect(void *user, const acor_match *m, size_t n)
{
    naive_append(user, m, n);
    return 0;
}

static int same(const naive_list *a, const naive_list *b)
{
    if (a->count != b->count)
        return 0;
    for (size_t i = 0; i < a->count; i++) {
        const acor_match *x = &a->items[i], *y = &b->items[i];
        if (x->start != y->start || x->end != y->end || x->cp_start != y->cp_start ||
            x->cp_end != y->cp_end || x->keyword != y->keyword || x->flags != y->flags)
            return 0;
    }
    return 1;
}

/* One text, one set of options, one stream for all ways to cut. */
typedef struct run {
    const scan_case *c;
    scan_combo combo;
    acor_snapshot *snap;
    acor_scan_options options;
    acor_stream *stream;
    naive_list want, got;
} run;

static int complain(const run *r, const char *what)
{
    fprintf(stderr, "# %s: stream, %s: %zu matches, wanted %zu\n", r->c->name, what,
            r->got.count, r->want.count);
    if (r->c->len <= 10000 && r->c->n <= 3000)
        scan_case_print(stderr, r->c, &r->combo, &r->want);
    return 0;
}

/* In a block of its own, so that a look beyond it is found. */
static int feed(run *r, size_t from, size_t to)
{
    char *piece = to > from ? naive_alloc(to - from) : NULL;
    if (piece)
        memcpy(piece, r->c->text + from, to - from);
    int status = acor_stream_feed(r->stream, piece, to - from, NULL);
    free(piece);
    return status == ACOR_OK;
}

static void start(run *r)
{
    acor_stream_reset(r->stream);
    r->got.count = 0;
}

static int finish(run *r, const char *what)
{
    uint64_t n = 12345;
    if (acor_stream_finish(r->stream, &n, NULL) != ACOR_OK || n != r->want.count ||
        !same(&r->got, &r->want))
        return complain(r, what);
    return 1;
}

/* Must this match have been reported once at bytes of the text are known? */
static int is_due(const run *r, const acor_match *m, size_t at)
{
    const char *text = r->c->text;
    size_t end = (size_t)m->end, slack = r->combo.place ? 7 : 3;
    if (end + slack <= at)
        return 1;
    int ascii_end = end <= at && (unsigned char)text[end - 1] < 0x80;
    if (!r->combo.place)
        return ascii_end;
    return ascii_end && end < at && (unsigned char)text[end] < 0x80;
}

/* Nothing before its time, and without a choice to be made nothing late either. */
static int is_prompt(const run *r, size_t at)
{
    if (r->got.count > r->want.count ||
        (r->got.count && r->got.items[r->got.count - 1].end > at))
        return 0;
    return r->got.count == r->want.count || r->combo.kind != ACOR_MATCH_OVERLAPPING ||
           !is_due(r, &r->want.items[r->got.count], at);
}

static int byte_by_byte(run *r)
{
    start(r);
    for (size_t i = 0; i < r->c->len; i++) {
        if (!feed(r, i, i + 1))
            return complain(r, "one byte at a time, status");
        if (!is_prompt(r, i + 1))
            return complain(r, "one byte at a time, too early or too late");
    }
    return finish(r, "one byte at a time");
}

static int every_cut(run *r)
{
    for (size_t cut = 0; cut <= r->c->len; cut++) {
        start(r);
        if (!feed(r, 0, cut) || !is_prompt(r, cut) || !feed(r, cut, r->c->len) ||
            !finish(r, "one cut"))
            return complain(r, "one cut");
    }
    return 1;
}

static int random_cuts(run *r, rng *g, size_t longest)
{
    start(r);
    for (size_t at = 0; at < r->c->len;) {
        size_t n = rng_below(g, longest + 1);
        if (n > r->c->len - at)
            n = r->c->len - at;
        if (!feed(r, at, at + n))
            return complain(r, "random cuts, status");
        at += n;
    }
    return finish(r, "random cuts");
}

/* A reader of what is left, some bytes at a time. */
typedef struct source {
    const char *text;
    size_t len, at, longest;
    rng *rng;
} source;

static int64_t read_some(void *user, char *buffer, size_t size)
{
    source *s = user;
    size_t n = 1 + rng_below(s->rng, s->longest);
    if (n > size)
        n = size;
    if (n > s->len - s->at)
        n = s->len - s->at;
    if (n)
        memcpy(buffer, s->text + s->at, n);
    s->at += n;
    return (int64_t)n;
}

static int from_reader(run *r, rng *g, size_t longest)
{
    source src = {r->c->text, r->c->len, 0, longest, g};
    uint64_t n = 12345;
    r->got.count = 0;
    if (acor_snapshot_find_stream(r->snap, read_some, &src, &r->options, collect, &r->got, &n,
                                  NULL) != ACOR_OK ||
        n != r->want.count || !same(&r->got, &r->want))
        return complain(r, "a reader");
    return 1;
}

static int all_cuts(run *r, rng *g)
{
    size_t len = r->c->len;
    if (len <= 20000 && !byte_by_byte(r))
        return 0;
    if (len <= 160 && !every_cut(r))
        return 0;
    return random_cuts(r, g, 3) && random_cuts(r, g, 40) && random_cuts(r, g, len) &&
           from_reader(r, g, 5) && from_reader(r, g, len + 1);
}

static int check_combo(const scan_case *c, scan_combo combo, acor_snapshot *snap, rng *g)
{
    run r = {.c = c, .combo = combo, .snap = snap, .options = scan_combo_options(&combo)};
    r.options.flags |= (rng_below(g, 4) ? ACOR_SCAN_CODEPOINTS : 0) |
                      (rng_below(g, 4) ? 0 : ACOR_SCAN_ONE_BY_ONE);
    int ok = acor_scan(snap, c->text, c->len, &r.options, NULL, collect, &r.want, NULL,
                       NULL) == ACOR_OK &&
             acor_stream_new(&r.stream, snap, &r.options, collect, &r.got, NULL) == ACOR_OK;
    if (!ok)
        complain(&r, "cannot begin");
    ok = ok && all_cuts(&r, g);
    acor_stream_free(r.stream);
    naive_list_free(&r.want);
    naive_list_free(&r.got);
    return ok;
}

static int check(const scan_case *c, acor_snapshot *const snaps[2], rng *g)
{
    int ok = 1;
    for (int i = 0; ok && i < SCAN_COMBOS; i++) {
        scan_combo combo = scan_combo_at(i);
        ok = check_combo(c, combo, snaps[combo.sensitive], g);
    }
    return ok;
}

static int build(acor_snapshot *snaps[2], const acor_string *k, size_t n)
{
    acor_build_options o = ACOR_BUILD_OPTIONS_INIT;
    int ok = 1;
    for (uint32_t i = 0; i < 2; i++) {
        snaps[i] = NULL;
        o.case_sensitive = i;
        ok = acor_snapshot_build(&snaps[i], k, n, &o, NULL) == ACOR_OK && ok;
    }
    return ok;
}

static void release(acor_snapshot *snaps[2])
{
    acor_snapshot_unref(snaps[0]);
    acor_snapshot_unref(snaps[1]);
}

/* --- made up ----------------------------------------------------------------- */

typedef struct shape {
    const char *group;
    size_t keywords; /* at most */
    size_t min_units, max_units;
    size_t text_units;
    int rounds;
} shape;

/* The window moves in the last two only, where it is of the least size and of
 * twice the longest match. */
static const shape shapes[] = {
    {"tiny", 6, 0, 4, 24, 400},
    {"small", 60, 1, 6, 60, 200},
    {"long", 8, 1, 300, 900, 40},
    {"moving", 12, 1, 300, 6000, 8},
    {"moving far", 3, 1, 30000, 60, 8},
};

static int run_round(const shape *s, uint64_t seed)
{
    rng r = rng_seed(seed);
    const alphabet *a = alphabet_at((int)(seed % ALPHABETS));
    size_t n = rng_below(&r, s->keywords + 1);
    acor_string *k = make_keywords(&r, a, n, s->min_units, s->max_units);
    acor_string text = make_text(&r, a, k, n, s->text_units / 2 +
                                                  rng_below(&r, s->text_units / 2 + 1));
    acor_snapshot *snaps[2];
    char name[80];
    snprintf(name, sizeof name, "stream %s %llu, %s", s->group, (unsigned long long)seed,
             a->name);
    scan_case c = {name, k, n, text.data ? text.data : "", text.len};
    int ok = build(snaps, k, n) && check(&c, snaps, &r);
    release(snaps);
    free_string(text);
    free_keywords(k, n);
    return ok;
}

static void run_shape(tap *t, const shape *s)
{
    int rounds = tap_scale(s->rounds), bad = 0;
    for (int i = 0; i < rounds && bad < 3; i++)
        bad += !run_round(s, (uint64_t)i);
    tap_ok(t, bad == 0, "%s: %d texts in pieces have the matches of the whole", s->group,
           rounds);
}

/* --- written down ------------------------------------------------------------ */

static void run_file(tap *t, const char *path)
{
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    case_reader r;
    case_data c;
    int got, bad = 0, count = 0;
    rng g = rng_seed(1);
    if (!case_reader_open(&r, path)) {
        tap_ok(t, 0, "%s can be read", path);
        return;
    }
    while ((got = case_reader_next(&r, &c)) > 0) {
        scan_case s = {c.name, c.keywords, c.n, c.text ? c.text : "", c.len};
        acor_snapshot *snaps[2];
        bad += !(build(snaps, c.keywords, c.n) && check(&s, snaps, &g));
        count++;
        release(snaps);
        case_data_free(&c);
    }
    case_reader_close(&r);
    tap_ok(t, got == 0 && bad == 0 && count > 0, "%s: every case, cut everywhere", base);
}

static void run_files(tap *t)
{
    glob_t files;
    size_t n = 0;
    if (glob(TEST_DATA "/cases/*.case", 0, NULL, &files) == 0) {
        n = files.gl_pathc;
        for (size_t i = 0; i < n; i++)
            run_file(t, files.gl_pathv[i]);
        globfree(&files);
    }
    tap_ok(t, n > 0, "there are cases");
}

int main(int argc, char **argv)
{
    tap t = TAP_INIT;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (argc == 3 && strcmp(argv[1], shapes[i].group) == 0)
            tap_ok(&t, run_round(&shapes[i], strtoull(argv[2], NULL, 10)), "%s %s", argv[1],
                   argv[2]);
        else if (argc != 3)
            run_shape(&t, &shapes[i]);
    }
    if (argc != 3)
        run_files(&t);
    return tap_done(&t);
}
