/* SPDX-License-Identifier: Apache-2.0 */
#include "scancase.h"

#include <stdlib.h>
#include <string.h>

scan_combo scan_combo_at(int i)
{
    return (scan_combo){i & 1 ? ACOR_MATCH_LEFTMOST_LONGEST : ACOR_MATCH_OVERLAPPING,
                        (naive_place)(i / 2 % NAIVE_PLACES), i / (2 * NAIVE_PLACES)};
}

acor_scan_options scan_combo_options(const scan_combo *combo)
{
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    o.kind = combo->kind;
    if (combo->place != NAIVE_ANYWHERE)
        o.flags = ACOR_SCAN_WHOLE_WORD;
    if (combo->place == NAIVE_WHOLE_ASCII)
        o.flags |= ACOR_SCAN_WORD_ASCII;
    if (combo->place == NAIVE_WHOLE_BUT_HAN)
        o.word = naive_word_but_han;
    return o;
}

static void print_bytes(FILE *f, const char *data, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char b = (unsigned char)data[i];
        if (b == '\\')
            fputs("\\\\", f);
        else if (b > 0x20 && b < 0x7f)
            fputc(b, f);
        else
            fprintf(f, "\\x%02x", b);
    }
}

static const char *const places[NAIVE_PLACES] = {"anywhere", "whole-word",
                                                  "whole-ascii-word", "whole-word-but-han"};

void scan_case_print(FILE *f, const scan_case *c, const scan_combo *combo,
                     const naive_list *want)
{
    fprintf(f, "case %s\n", c->name);
    for (size_t i = 0; i < c->n; i++) {
        fputs("keyword ", f);
        print_bytes(f, c->keywords[i].data, c->keywords[i].len);
        fputc('\n', f);
    }
    fputs("text ", f);
    print_bytes(f, c->text, c->len);
    fprintf(f, "\nexpect %s %s %s\n", combo->kind ? "leftmost-longest" : "overlapping",
            places[combo->place],
            combo->sensitive ? "sensitive" : "insensitive");
    for (size_t i = 0; want && i < want->count; i++)
        fprintf(f, "match %llu %llu %u\n", (unsigned long long)want->items[i].start,
                (unsigned long long)want->items[i].end, want->items[i].keyword);
    fputc('\n', f);
    fflush(f);
}

/* What a callback collects. */
typedef struct taken {
    naive_list list;
    size_t stop_after; /* 0: never */
    int one_by_one;
    int bad; /* a batch of the wrong size */
} taken;

static int take(void *user, const acor_match *m, size_t n)
{
    taken *t = user;
    if (n == 0 || (t->one_by_one && n != 1))
        t->bad = 1;
    naive_append(&t->list, m, n);
    return t->stop_after && t->list.count >= t->stop_after;
}

static int equal_match(const acor_match *got, const acor_match *want, int codepoints)
{
    return got->start == want->start && got->end == want->end &&
           got->keyword == want->keyword && got->flags == 0 &&
           got->cp_start == (codepoints ? want->cp_start : UINT64_MAX) &&
           got->cp_end == (codepoints ? want->cp_end : UINT64_MAX);
}

static int equal_lists(const acor_match *got, size_t n, const naive_list *want,
                       size_t cut, int codepoints)
{
    if (n != (cut < want->count ? cut : want->count))
        return 0;
    for (size_t i = 0; i < n; i++)
        if (!equal_match(&got[i], &want->items[i], codepoints))
            return 0;
    return 1;
}

static void print_match(FILE *f, const char *who, const acor_match *m)
{
    fprintf(f, "%s [%llu,%llu) cp [%lld,%lld) id %u", who, (unsigned long long)m->start,
            (unsigned long long)m->end, (long long)m->cp_start, (long long)m->cp_end,
            m->keyword);
}

int scan_case_fail(const scan_case *c, const scan_combo *combo, const naive_list *want,
                   const char *what, const acor_match *got, size_t n, int status)
{
    fprintf(stderr, "# %s: %s: %zu matches, status %d; wanted %zu\n", c->name, what, n,
            status, want->count);
    for (size_t i = 0; got && (i < n || i < want->count); i++) {
        if (i < n && i < want->count && got[i].start == want->items[i].start &&
            got[i].end == want->items[i].end &&
            got[i].keyword == want->items[i].keyword &&
            (got[i].cp_end == UINT64_MAX || got[i].cp_end == want->items[i].cp_end))
            continue;
        fprintf(stderr, "# at %zu:", i);
        if (i < n)
            print_match(stderr, " got", &got[i]);
        if (i < want->count)
            print_match(stderr, " want", &want->items[i]);
        fputc('\n', stderr);
        break;
    }
    if (c->len <= 10000 && c->n <= 3000)
        scan_case_print(stderr, c, combo, want);
    return 0;
}

/* How one scan is made. */
typedef struct driver {
    const char *name;
    uint32_t flags;
    int scratch;
    size_t shift;      /* of the text from the start of its block */
    uint64_t limit;    /* max_matches */
    size_t stop_after; /* by the callback */
    int count_only;
} driver;

static int wrong_status(const driver *d, const naive_list *want, int status)
{
    uint64_t cut = d->limit ? d->limit : d->stop_after;
    if (cut == 0 || cut > want->count)
        return status != ACOR_OK;
    if (cut == want->count && d->limit)
        return status != ACOR_OK && status != ACOR_STOPPED;
    return status != ACOR_STOPPED;
}

static int run(const scan_case *c, const scan_combo *combo, const acor_snapshot *snap,
               acor_scratch *scratch, const naive_list *want, const driver *d)
{
    acor_scan_options o = scan_combo_options(combo);
    acor_error err = ACOR_ERROR_INIT;
    taken got = {.stop_after = d->stop_after,
                 .one_by_one = (d->flags & ACOR_SCAN_ONE_BY_ONE) != 0};
    char *block = c->len + d->shift ? naive_alloc(c->len + d->shift) : NULL;
    uint64_t n = 12345;

    if (c->len)
        memcpy(block + d->shift, c->text, c->len);
    o.flags |= d->flags;
    o.max_matches = d->limit;
    int status = acor_scan(snap, block ? block + d->shift : NULL, c->len, &o,
                           d->scratch ? scratch : NULL, d->count_only ? NULL : take, &got,
                           &n, &err);
    free(block);

    size_t cut = d->limit && d->limit < want->count ? (size_t)d->limit : want->count;
    int ok = !got.bad && !wrong_status(d, want, status);
    if (d->count_only) {
        ok = ok && n == cut;
    } else if (d->stop_after) {
        size_t exact = got.one_by_one ? d->stop_after : got.list.count;
        ok = ok && n == got.list.count && got.list.count >= d->stop_after &&
             equal_lists(got.list.items, got.list.count, want, exact, 0);
    } else {
        ok = ok && n == got.list.count &&
             equal_lists(got.list.items, got.list.count, want, cut,
                         (d->flags & ACOR_SCAN_CODEPOINTS) != 0);
    }
    if (!ok)
        scan_case_fail(c, combo, want, d->name, d->count_only ? NULL : got.list.items,
             d->count_only ? (size_t)n : got.list.count, status);
    naive_list_free(&got.list);
    return ok;
}

int scan_case_check(const scan_case *c, const scan_combo *combo,
                    const acor_snapshot *snap, acor_scratch *scratch,
                    const naive_list *want)
{
    size_t half = want->count / 2;
    const driver drivers[] = {
        {.name = "batches, code points", .flags = ACOR_SCAN_CODEPOINTS},
        {.name = "batches, scratch", .scratch = 1, .shift = 1},
        {.name = "one by one, scratch",
         .flags = ACOR_SCAN_ONE_BY_ONE | ACOR_SCAN_CODEPOINTS,
         .scratch = 1,
         .shift = 3},
        {.name = "one by one", .flags = ACOR_SCAN_ONE_BY_ONE},
        {.name = "counting", .count_only = 1, .shift = 7},
        {.name = "limit 1", .limit = 1, .flags = ACOR_SCAN_CODEPOINTS},
        {.name = "limit of half", .limit = half ? half : 1, .scratch = 1},
        {.name = "limit of all", .limit = want->count ? want->count : 2},
        {.name = "limit above all", .limit = want->count + 1, .shift = 5},
        {.name = "counting to a limit", .limit = half ? half : 1, .count_only = 1},
    };
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        if (!run(c, combo, snap, scratch, want, &drivers[i]))
            return 0;
    if (want->count) {
        driver stop = {.name = "stopped", .stop_after = half ? half : 1, .scratch = 1};
        if (!run(c, combo, snap, scratch, want, &stop))
            return 0;
        stop.name = "stopped, one by one";
        stop.flags = ACOR_SCAN_ONE_BY_ONE;
        if (!run(c, combo, snap, scratch, want, &stop))
            return 0;
    }
    return 1;
}

static int same_bytes(acor_string a, acor_string b)
{
    return (a.data == NULL) == (b.data == NULL) && a.len == b.len &&
           (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

int scan_case_check_ids(const scan_case *c, int sensitive, const acor_snapshot *snap,
                        const naive_dict *dict)
{
    acor_snapshot_stats st = ACOR_SNAPSHOT_STATS_INIT;
    scan_combo combo = {ACOR_MATCH_OVERLAPPING, NAIVE_ANYWHERE, sensitive};
    naive_list none = {NULL, 0, 0};
    const char *what = NULL;
    if (acor_snapshot_stats_get(snap, &st) || st.keywords != naive_count(dict) ||
        st.case_sensitive != (uint32_t)sensitive)
        what = "keyword count or mode in the stats";
    uint32_t ids = acor_snapshot_ids(snap);
    if (ids > c->n)
        what = "acor_snapshot_ids() over the number of keywords";
    for (uint32_t i = 0; i < (uint32_t)c->n + 2 && !what; i++) {
        acor_string got = acor_snapshot_keyword(snap, i);
        if (!same_bytes(got, naive_keyword(dict, i)))
            what = "spelling of an id";
        else if (got.data && got.data[got.len] != '\0')
            what = "no NUL behind a keyword";
        else if (got.data && i >= ids)
            what = "an id at or over acor_snapshot_ids()";
    }
    return what ? scan_case_fail(c, &combo, &none, what, NULL, 0, 0) : 1;
}

/* A list whose ids are places in the collection's order; spelling decides. */
static int equal_by_spelling(const acor_match_list *list, const naive_list *want,
                             const naive_dict *dict)
{
    const acor_match *m = acor_match_list_items(list);
    if (acor_match_list_count(list) != want->count)
        return 0;
    for (size_t i = 0; i < want->count; i++) {
        const acor_match *w = &want->items[i];
        if (m[i].start != w->start || m[i].end != w->end ||
            m[i].cp_start != w->cp_start || m[i].cp_end != w->cp_end ||
            !same_bytes(acor_snapshot_keyword(acor_match_list_snapshot(list),
                                              m[i].keyword),
                        naive_keyword(dict, w->keyword)))
            return 0;
    }
    return 1;
}

/* The first match of each keyword. */
static naive_list first_of_each(const naive_list *all)
{
    naive_list first = {naive_alloc((all->count + 1) * sizeof *first.items), 0, 0};
    for (size_t i = 0; i < all->count; i++) {
        size_t k = 0;
        while (k < first.count && first.items[k].keyword != all->items[i].keyword)
            k++;
        if (k == first.count)
            first.items[first.count++] = all->items[i];
    }
    return first;
}

static const char *check_reads(acor_collection *col, const scan_case *c,
                               const scan_combo *combo, const naive_dict *dict,
                               const naive_list *want)
{
    acor_scan_options o = scan_combo_options(combo);
    acor_match_list *list = NULL;
    const char *what = NULL;
    int found = -1;
    if (acor_find_matches(col, c->text, c->len, &o, &list, NULL) ||
        !equal_by_spelling(list, want, dict))
        what = "acor_find_matches()";
    acor_match_list_free(list);
    if (what || combo->kind != ACOR_MATCH_OVERLAPPING || combo->place != NAIVE_ANYWHERE)
        return what;

    naive_list first = first_of_each(want);
    if (acor_find(col, c->text, c->len, &list, NULL) ||
        !equal_by_spelling(list, want, dict))
        what = "acor_find()";
    acor_match_list_free(list);
    list = NULL;
    if (!what && (acor_find_set(col, c->text, c->len, &list, NULL) ||
                  !equal_by_spelling(list, &first, dict)))
        what = "acor_find_set()";
    acor_match_list_free(list);
    naive_list_free(&first);
    if (!what &&
        (acor_contains(col, c->text, c->len, &found, NULL) || found != (want->count > 0)))
        what = "acor_contains()";
    return what;
}

int scan_case_check_collection(const scan_case *c, const scan_combo *combo,
                               const naive_dict *dict, const naive_list *want)
{
    acor_open_options o = ACOR_OPEN_OPTIONS_INIT;
    acor_batch_result r = ACOR_BATCH_RESULT_INIT;
    acor_collection *col = NULL;
    const char *what = NULL;
    o.case_mode = combo->sensitive ? ACOR_CASE_SENSITIVE : ACOR_CASE_INSENSITIVE;
    int status = acor_open(&col, "mem:", "cases", &o, NULL);
    if (status)
        what = "acor_open()";
    if (!what) {
        status =
            acor_add_many(col, c->keywords, c->n, ACOR_BATCH_BEST_EFFORT, NULL, &r, NULL);
        if (status || r.changed != naive_count(dict) ||
            r.changed + r.skipped + r.failed != c->n)
            what = "acor_add_many()";
    }
    if (!what)
        what = check_reads(col, c, combo, dict, want);
    acor_close(col);
    return what ? scan_case_fail(c, combo, want, what, NULL, 0, status) : 1;
}
