/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scan changes between two ways of working, both exact, at places where nothing
 * has begun (the automaton is at its root):
 *
 * - filter: candidates of a block, a walk down from the root at each. Hits come by
 *   start; those that end behind the next candidate wait in late.
 * - automaton: where matches are dense, in short texts, and over the last reach bytes,
 *   so that the cursor is right for what follows.
 */
#include "engine/filtered.h"

#include <string.h>

#include "base/error.h"
#include "engine/filter.h"
#include "engine/leads.h"
#include "text/utf8.h"

/* More patterns with the same lead than this are looked for by a walk. */
enum { FEW = 8 };

/* Bytes for the automaton at a time, while it looks for its root. */
enum { SLICE = 64 };

static const acr_filtered_limits good_limits = {.block = 64 << 10,
                                                .small_job = 512,
                                                .dense = 40,
                                                .closed = 256 << 10,
                                                .closed_max = 8 << 20};

typedef struct filtered {
    acr_engine engine; /* first */
    acr_mem mem;
    acr_automaton *a;
    acr_filter filter;
    acr_leads leads;
    acr_filtered_limits limits;
} filtered;

typedef struct scan {
    const filtered *e;
    const acr_scan_job *job;
    acr_cursor cursor; /* where the automaton is, or would be */
    size_t at;         /* the same, from text on */
    size_t closed;     /* bytes for the automaton when the filter is closed again */
    size_t start;      /* of the walk that is under way */
    acr_pending *pending;
    size_t late_n; /* hits not handed on, by end, the longest first */
} scan;

/* --- handing on in order --------------------------------------------------------- */

static int give_one(acr_select *to, const acor_match *m)
{
    return to->one_by_one ? acr_select_offer(to, m) < 0 : acr_select_take(to, m, 1) != 0;
}

/* Late hits that come before a hit from start to end. */
static int give_before(scan *s, uint64_t start, uint64_t end)
{
    acor_match *late = s->pending->late;
    size_t n = 0;
    while (n < s->late_n &&
           (late[n].end < end || (late[n].end == end && late[n].start < start))) {
        if (give_one(s->job->to, &late[n++]))
            return -1;
    }
    s->late_n -= n;
    if (n != 0)
        memmove(late, late + n, s->late_n * sizeof *late);
    return 0;
}

/* An acor_match_fn for the automaton's hits while others are late. */
static int give_merged(void *user, const acor_match *hits, size_t n)
{
    scan *s = user;
    for (size_t i = 0; i < n; i++)
        if (give_before(s, hits[i].start, hits[i].end) != 0 || give_one(s->job->to, &hits[i]))
            return 1;
    return 0;
}

static int add_late(scan *s, const acor_match *m)
{
    acr_pending *p = s->pending;
    if (acr_grow(p->mem, &p->late, &p->late_cap, s->late_n + 1, sizeof *p->late, NULL) != 0) {
        s->job->to->status = ACOR_ENOMEM;
        return -1;
    }
    size_t i = s->late_n++;
    for (; i > 0 && (p->late[i - 1].end > m->end ||
                     (p->late[i - 1].end == m->end && p->late[i - 1].start > m->start));
         i--)
        p->late[i] = p->late[i - 1];
    p->late[i] = *m;
    return 0;
}

/* --- the automaton's way ------------------------------------------------------- */

static int run_job(scan *s, size_t end, acr_select *to)
{
    acr_scan_job job = *s->job;
    job.begin = s->at;
    job.end = end;
    job.cursor = &s->cursor;
    job.to = to;
    if (acr_automaton_scan(&s->e->a->engine, &job) != 0)
        return -1;
    s->at = end;
    return 0;
}

/* Up to end by the automaton; first as far as late hits may lie. */
static int run_automaton(scan *s, size_t end)
{
    static const acor_scan_options all = ACOR_SCAN_OPTIONS_INIT;
    if (give_before(s, UINT64_MAX, s->cursor.offset) != 0)
        return -1;
    while (s->late_n != 0 && s->at < end) {
        acr_pending none = {0};
        acr_select merge;
        acr_select_init(&merge, &all, &none);
        merge.fn = give_merged;
        merge.user = s;
        size_t part = s->pending->late[s->late_n - 1].end - s->job->origin;
        if (part > end)
            part = end;
        if (run_job(s, part, &merge) != 0 || give_before(s, UINT64_MAX, s->cursor.offset) != 0)
            return -1;
    }
    return s->at < end ? run_job(s, end, s->job->to) : 0;
}

static size_t boundary(const scan *s, size_t at, size_t end)
{
    const unsigned char *text = s->job->text;
    return (size_t)(acr_utf8_boundary(text, text + at, text + end) - text);
}

/* By the automaton over bytes, and on until it is at its root; not beyond end. */
static int run_to_root(scan *s, size_t bytes, size_t end)
{
    if (bytes != 0 &&
        run_automaton(s, end - s->at > bytes ? boundary(s, s->at + bytes, end) : end) != 0)
        return -1;
    while (s->cursor.state != 0 && s->at < end)
        if (run_automaton(s, end - s->at > SLICE ? boundary(s, s->at + SLICE, end) : end) != 0)
            return -1;
    return 0;
}

/* --- the filter's way ------------------------------------------------------------ */

/* Bring the cursor from where it stands to a place where a code point starts. */
static void move_cursor(scan *s, size_t to)
{
    if (s->job->codepoints && to > s->at) {
        acr_slice between = acr_slice_of(s->job->text + s->at, to - s->at);
        s->cursor.extra += between.len - acr_utf8_count(between);
    }
    s->at = to;
    s->cursor.offset = s->job->origin + to;
}

static int found(void *user, const acr_pattern *pattern, const unsigned char *end)
{
    scan *s = user;
    move_cursor(s, s->start);
    uint64_t start = s->cursor.offset, cp = start - s->cursor.extra;
    if (give_before(s, 0, start) != 0)
        return -1;
    acor_match m = {
        .start = start,
        .end = s->job->origin + (uint64_t)(end - s->job->text),
        .cp_start = s->job->codepoints ? cp : UINT64_MAX,
        .cp_end = s->job->codepoints ? cp + pattern->codepoints : UINT64_MAX,
        .keyword = pattern->id,
    };
    return add_late(s, &m);
}

static int walk(scan *s)
{
    const unsigned char *text = s->job->text;
    return acr_automaton_walk(s->e->a, text + s->start, text + s->job->end, found, s);
}

/* Whether a pattern stands at the candidate: 1 or 0; -1: bytes do not tell, as the text
 * there is not ASCII and has to be folded. */
static int compare(const scan *s, uint32_t k)
{
    acr_slice pattern = acr_leads_pattern(&s->e->leads, k);
    const unsigned char *p = s->job->text + s->start;
    if (pattern.len > s->job->end - s->start)
        return 0;
    if (s->e->filter.fold == 0)
        return memcmp(p, pattern.data, pattern.len) == 0;
    for (size_t i = 0; i < pattern.len; i++) {
        unsigned char c = p[i];
        if (c >= 0x80)
            return -1;
        if (c >= 'A' && c <= 'Z')
            c = (unsigned char)(c + ('a' - 'A'));
        if (c != pattern.data[i])
            return 0;
    }
    return 1;
}

/* A candidate at which no pattern below ACR_LEAD_BYTES begins. */
static int check_long(scan *s)
{
    const filtered *e = s->e;
    const unsigned char *p = s->job->text + s->start;
    uint32_t hits[FEW], n = 0;
    acr_leads_search search = acr_leads_begin(&e->leads, p);
    const acr_lead *lead;
    while ((lead = acr_leads_next(&e->leads, &search)) != NULL) {
        if (lead->n > FEW)
            return walk(s);
        for (uint32_t k = lead->first; k < lead->first + lead->n; k++) {
            int equal = compare(s, k);
            if (equal < 0 || (equal && n == FEW))
                return walk(s);
            if (equal)
                hits[n++] = k;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        const acr_pattern *pattern = &e->a->patterns[hits[i]];
        if (found(s, pattern, p + pattern->bytes) != 0)
            return -1;
    }
    return 0;
}

/* Check each candidate in [from, to); *n counts them. */
static int check_block(scan *s, size_t from, size_t to, size_t *n)
{
    const filtered *e = s->e;
    const unsigned char *text = s->job->text;
    uint16_t at[ACR_FILTER_STEP];
    *n = 0;
    for (size_t p = from; p < to; p += ACR_FILTER_STEP) {
        size_t len = to - p < ACR_FILTER_STEP ? to - p : ACR_FILTER_STEP;
        size_t count = e->filter.step(&e->filter, text + p, len, at);
        *n += count;
        for (size_t i = 0; i < count; i++)
            acr_leads_prefetch(&e->leads, text + p + (at[i] & ~ACR_FILTER_SHORT));
        for (size_t i = 0; i < count; i++) {
            s->start = p + (at[i] & ~ACR_FILTER_SHORT);
            if ((at[i] & ACR_FILTER_SHORT ? walk(s) : check_long(s)) != 0)
                return -1;
        }
    }
    return 0;
}

/* From at on, where nothing has begun, as far as end. */
static int run_filter(scan *s, size_t end)
{
    const acr_filtered_limits *l = &s->e->limits;
    while (s->at < end) {
        size_t n, from = s->at;
        size_t to = end - from > l->block ? boundary(s, from + l->block, end) : end;
        if (acr_filter_blind(&s->e->filter, s->job->text + from,
                             to - from + ACR_FILTER_AHEAD)) {
            if (run_to_root(s, to - from, end) != 0)
                return -1;
            continue;
        }
        if (check_block(s, from, to, &n) != 0)
            return -1;
        move_cursor(s, to);
        if (n * l->dense <= to - from) {
            s->closed = 0;
            continue;
        }
        s->closed = s->closed == 0 ? l->closed : 2 * s->closed;
        if (s->closed > l->closed_max)
            s->closed = l->closed_max;
        if (run_to_root(s, s->closed, end) != 0)
            return -1;
    }
    return 0;
}

static int filtered_scan(const acr_engine *engine, const acr_scan_job *job)
{
    const filtered *e = (const filtered *)engine;
    size_t tail = e->engine.reach > ACR_FILTER_AHEAD ? e->engine.reach : ACR_FILTER_AHEAD;
    size_t len = job->end - job->begin;
    if (len < e->limits.small_job || len / 4 < tail)
        return acr_automaton_scan(&e->a->engine, job);
    scan s = {
        .e = e, .job = job, .cursor = *job->cursor, .at = job->begin, .pending = job->to->pending};
    size_t end = boundary(&s, job->end - tail, job->end);
    if (run_to_root(&s, 0, end) != 0 || run_filter(&s, end) != 0 ||
        run_automaton(&s, job->end) != 0 || give_before(&s, UINT64_MAX, UINT64_MAX) != 0)
        return -1;
    *job->cursor = s.cursor;
    return 0;
}

static uint64_t filtered_horizon(const acr_engine *engine, const acr_cursor *at)
{
    return acr_automaton_horizon(&((const filtered *)engine)->a->engine, at);
}

static void filtered_free(acr_engine *engine)
{
    filtered *e = (filtered *)engine;
    acr_mem mem = e->mem;
    acr_leads_free(&e->leads);
    acr_filter_free(&e->filter);
    e->a->engine.ops->free(&e->a->engine);
    acr_free(&mem, e, sizeof *e);
}

static const acr_engine_ops filtered_ops = {filtered_scan, filtered_horizon, filtered_free};

int acr_filtered_make(acr_engine **out, const acr_mem *mem, acr_automaton *a,
                      const acr_patterns *patterns, const acr_filtered_limits *limits,
                      acor_error *err)
{
    filtered *e = acr_alloc_zero(mem, sizeof *e);
    if (e == NULL)
        return acr_fail_nomem(err);
    e->mem = *mem;
    int status = acr_filter_make(&e->filter, &e->mem, patterns, err);
    if (status != ACOR_OK) {
        acr_free(mem, e, sizeof *e);
        return status;
    }
    status = acr_leads_make(&e->leads, &e->mem, patterns, e->filter.fold, err);
    if (status != ACOR_OK) {
        acr_filter_free(&e->filter);
        acr_free(mem, e, sizeof *e);
        return status;
    }
    e->limits = limits != NULL ? *limits : good_limits;
    e->engine = a->engine;
    e->engine.ops = &filtered_ops;
    e->engine.form = a->slots == NULL ? "qgram+dfa/flat" : "qgram+dfa/rows+double-array";
    e->engine.memory += sizeof *e + acr_filter_memory(&e->filter) +
                        acr_leads_memory(&e->leads);
    e->a = a;
    *out = &e->engine;
    return ACOR_OK;
}
