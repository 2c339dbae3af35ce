/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/pieces.h"

#include <string.h>

#include "text/utf8.h"

/* --- cutting ------------------------------------------------------------------ */

/*
 * More pieces than this do not share the work better, and each costs something. A
 * piece is not made larger than LARGE for that (its hits are all held at once),
 * unless keywords are so long that much of it might be scanned twice; even then
 * there are some for each worker.
 */
enum { PIECES_PER_WORKER = 256, FEWEST_PER_WORKER = 8, LARGE = 256 << 10, REACHES = 4 };

/* How far a boundary is looked for, in code points, where pieces are sized in bytes. */
enum { LOOK_BACK = 256 };

static size_t least(uint64_t a, size_t b)
{
    return a < b ? (size_t)a : b;
}

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

void acr_cutter_init(acr_cutter *c, acr_slice text, const acor_parallel_options *o,
                     uint32_t workers, uint64_t reach)
{
    uint64_t size = o->chunk_size;
    uint64_t step = o->overlap < size ? size - o->overlap : size;
    size_t pieces = (size_t)workers * PIECES_PER_WORKER;
    *c = (acr_cutter){.expected = (size_t)(text.len / step) + 1};
    acr_chunks_init(&c->chunks, text, size, o->overlap, o->boundary);
    /* A text has at most as many code points as bytes. */
    if (c->expected <= pieces)
        return;
    size_t bytes = least(text.len / pieces, LARGE);
    if (bytes > LARGE / 8)
        bytes = most(bytes, least(reach * REACHES, text.len / workers / FEWEST_PER_WORKER));
    c->bytes = most(bytes, least(step, text.len));
    c->expected = text.len / c->bytes + 1;
}

static size_t cut_at(const acr_cutter *c)
{
    acr_slice text = c->chunks.text;
    const unsigned char *from = text.data + c->at, *stop = text.data + text.len;
    if (text.len - c->at <= c->bytes)
        return text.len;
    const unsigned char *p = acr_utf8_boundary(from, from + c->bytes, stop);
    if (p == from)
        p += acr_utf8_decode(from, stop).width;
    size_t cut = acr_find_boundary(text, (size_t)(p - text.data), c->chunks.kind,
                                   least(c->bytes / 8, LOOK_BACK));
    return cut > c->at ? cut : (size_t)(p - text.data);
}

int acr_cutter_next(acr_cutter *c, size_t *start, size_t *stop)
{
    size_t end;
    if (c->done)
        return 0;
    if (c->bytes == 0) {
        (void)acr_chunks_next(&c->chunks, start, &end);
        *stop = c->chunks.next;
    } else {
        *start = c->at;
        *stop = cut_at(c);
    }
    c->at = *stop;
    c->done = *stop == c->chunks.text.len;
    return 1;
}

/* --- scanning ----------------------------------------------------------------- */

/* Bytes between two looks at whether to stop; the first step behind a piece's end, and
 * the largest. */
enum { PART = 64 << 10, FIRST_STEP = 16, LAST_STEP = 4 << 10 };

typedef struct keeper {
    acr_piece_job *job;
    acr_piece *piece;
} keeper;

static int keep(void *user, const acor_match *m, size_t n)
{
    keeper *k = user;
    acr_piece *p = k->piece;
    if (atomic_load_explicit(&k->job->stop, memory_order_relaxed))
        return 1;
    p->status = acr_grow(k->job->mem, &p->hits, &p->cap, p->n + n, sizeof *p->hits, NULL);
    if (p->status != ACOR_OK)
        return 1;
    if (m[n - 1].end <= p->stop) {
        memcpy(p->hits + p->n, m, n * sizeof *m);
        p->n += n;
        return 0;
    }
    for (size_t i = 0; i < n; i++)
        if (m[i].start < p->stop)
            p->hits[p->n++] = m[i];
    return 0;
}

/* Scan on for about so many bytes, not past limit. 0, or -1: enough. */
static int scan_on(const acr_piece_job *job, acr_scan_job *s, size_t bytes, size_t limit)
{
    const unsigned char *text = job->text.data;
    s->begin = s->end;
    s->end = limit - s->begin <= bytes
                 ? limit
                 : (size_t)(acr_utf8_boundary(text + s->begin, text + s->begin + bytes,
                                              text + job->text.len) -
                            text);
    if (atomic_load_explicit(&job->stop, memory_order_relaxed))
        return -1;
    return job->engine->ops->scan(job->engine, s);
}

/* The piece, and behind it as far as matches that begin in it may end. */
static void scan_piece(acr_piece_job *job, acr_piece *p, acr_select *to)
{
    const acr_engine *e = job->engine;
    acr_cursor cursor = {.offset = p->start};
    acr_scan_job s = {
        .text = job->text.data,
        .end = p->start,
        .cursor = &cursor,
        .codepoints = (job->options.flags & ACOR_SCAN_CODEPOINTS) != 0,
        .to = to,
    };
    while (s.end < p->stop)
        if (scan_on(job, &s, PART, p->stop) != 0)
            return;
    p->extra = cursor.extra;
    /* No farther than what the text itself makes possible: mostly a few bytes. */
    size_t step = FIRST_STEP;
    while (s.end < job->text.len && e->ops->horizon(e, &cursor) < p->stop) {
        if (scan_on(job, &s, step, job->text.len) != 0)
            return;
        step = step < LAST_STEP ? step * 2 : step;
    }
}

void acr_piece_scan(acr_piece_job *job, acr_piece *p)
{
    acr_pending pending = {.mem = job->mem};
    acr_select select;
    keeper k = {job, p};
    p->n = 0;
    p->status = ACOR_OK;
    acr_select_init(&select, &job->options, &pending);
    select.text = job->text.data;
    select.len = job->text.len;
    select.origin = 0;
    select.fold = job->fold;
    select.fn = keep;
    select.user = &k;
    scan_piece(job, p, &select);
    if (select.status == ACOR_ENOMEM)
        p->status = ACOR_ENOMEM;
    acr_pending_free(&pending);
}

/* --- putting together ----------------------------------------------------------- */

/* Matches handed to the selection at a time. */
enum { GROUP = 64 };

typedef struct run {
    const acor_match *at;
    size_t n;
} run;

static const acor_match *pass(run *r, size_t n)
{
    const acor_match *m = r->at;
    r->n -= n;
    if (n != 0)
        r->at += n;
    return m;
}

/* Of the next of each that end by limit: the first in the order of a scan, or NULL.
 * Older ones start before all newer ones, so at one end they are the longer. */
static const acor_match *next_of(run *older, run *newer, uint64_t limit)
{
    int a = older->n != 0 && older->at->end <= limit;
    int b = newer->n != 0 && newer->at->end <= limit;
    if (a && (!b || older->at->end <= newer->at->end))
        return pass(older, 1);
    return b ? pass(newer, 1) : NULL;
}

static int give(acr_joiner *j, const acor_match *m, size_t n)
{
    if (!j->to->one_by_one) {
        for (size_t i = 0; i < n; i += GROUP)
            if (acr_select_take(j->to, m + i, n - i < GROUP ? n - i : GROUP) != 0)
                return -1;
        return 0;
    }
    for (size_t i = 0; i < n; i++)
        if (acr_select_offer(j->to, m + i) < 0)
            return -1;
    return 0;
}

static int give_both(acr_joiner *j, run *older, run *newer, uint64_t limit)
{
    acor_match group[GROUP];
    const acor_match *m;
    size_t n = 0;
    while (older->n != 0 && (m = next_of(older, newer, limit)) != NULL) {
        group[n++] = *m;
        if (n == GROUP) {
            if (give(j, group, n) != 0)
                return -1;
            n = 0;
        }
    }
    return give(j, group, n);
}

/* What is left of both becomes the carry. Returns the lowest start of all that may
 * still come. */
static int carry_on(acr_joiner *j, run *older, run *newer, uint64_t stop, uint64_t *horizon)
{
    const acor_match *m;
    size_t n = 0;
    *horizon = stop;
    if (acr_grow(j->mem, &j->spare, &j->spare_cap, older->n + newer->n, sizeof *j->spare, NULL) != ACOR_OK) {
        j->to->status = ACOR_ENOMEM;
        return -1;
    }
    while ((m = next_of(older, newer, UINT64_MAX)) != NULL) {
        if (m->start < *horizon)
            *horizon = m->start;
        j->spare[n++] = *m;
    }
    acor_match *items = j->carry;
    size_t cap = j->carry_cap;
    j->carry = j->spare;
    j->carry_cap = j->spare_cap;
    j->carry_n = n;
    j->spare = items;
    j->spare_cap = cap;
    return 0;
}

/* Code points are counted from the start of the text from here on. */
static void count_from_text(acr_joiner *j, acr_piece *p)
{
    if (j->to->options.flags & ACOR_SCAN_CODEPOINTS && j->extra != 0)
        for (size_t i = 0; i < p->n; i++) {
            p->hits[i].cp_start -= j->extra;
            p->hits[i].cp_end -= j->extra;
        }
    j->extra += p->extra;
}

int acr_join(acr_joiner *j, acr_piece *p)
{
    uint64_t horizon;
    if (p->status != ACOR_OK) {
        j->to->status = p->status;
        return -1;
    }
    count_from_text(j, p);
    size_t beyond = 0;
    while (beyond < p->n && p->hits[p->n - 1 - beyond].end > p->stop)
        beyond++;
    run older = {j->carry, j->carry_n}, newer = {p->hits, p->n};
    if (give_both(j, &older, &newer, p->stop) != 0)
        return -1;
    size_t left = newer.n > beyond ? newer.n - beyond : 0;
    if (give(j, pass(&newer, left), left) != 0)
        return -1;
    if (carry_on(j, &older, &newer, p->stop, &horizon) != 0)
        return -1;
    return acr_select_settle(j->to, horizon);
}

void acr_joiner_free(acr_joiner *j)
{
    acr_free(j->mem, j->carry, j->carry_cap * sizeof *j->carry);
    acr_free(j->mem, j->spare, j->spare_cap * sizeof *j->spare);
}
