/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One text, several threads. All take pieces in turn and scan them; the calling
 * thread also joins what they found, in the order of the text. How far they may run
 * ahead of that is limited, so that memory is.
 */
#include "engine/parallel.h"

#include "base/error.h"
#include "base/opts.h"
#include "base/thread.h"
#include "engine/pieces.h"
#include "engine/scan.h"

ACR_NO_TAIL_PADDING(acor_parallel_options, overlap);

enum { WORKERS_MOST = 256, AHEAD_PER_WORKER = 4 };

typedef struct team {
    acr_piece_job job;
    acr_mutex lock;
    acr_cond changed;
    /* Under the lock. Piece number i is in slots[i % ahead] from when it is taken until
     * it is joined. */
    acr_cutter cutter;
    acr_piece *slots;
    size_t ahead, taken, joined;
    int over; /* no more pieces are to be taken */
} team;

/* A thread of the team, the calling one not among them. */
typedef struct helpers {
    acr_thread *threads;
    uint32_t room, n;
} helpers;

int acr_parallel_options_import(acor_parallel_options *o, const acor_parallel_options *from,
                                acor_error *err)
{
    static const acor_parallel_options defaults = ACOR_PARALLEL_OPTIONS_INIT;
    if (acr_opts_import(o, sizeof *o, from ? from : &defaults, sizeof *o) != 0)
        return acr_fail(err, ACOR_EINVAL,
                        "parallel options: start from ACOR_PARALLEL_OPTIONS_INIT");
    if (o->chunk_size == 0)
        return acr_fail(err, ACOR_EINVAL, "chunk size must be positive");
    if (o->boundary > ACOR_BOUNDARY_LINE)
        return acr_fail(err, ACOR_EINVAL, "parallel options: there is no boundary %u",
                        o->boundary);
    if (o->workers == 0)
        o->workers = acr_thread_processors();
    if (o->workers > WORKERS_MOST)
        o->workers = WORKERS_MOST;
    return ACOR_OK;
}

/* --- pieces are taken, scanned, joined ------------------------------------------- */

/* The next piece to scan, or NULL if there is none now. */
static acr_piece *take_locked(team *t)
{
    if (t->over || t->taken - t->joined == t->ahead)
        return NULL;
    acr_piece *p = &t->slots[t->taken % t->ahead];
    if (!acr_cutter_next(&t->cutter, &p->start, &p->stop)) {
        t->over = 1;
        return NULL;
    }
    t->taken++;
    p->done = 0;
    return p;
}

static void scan_unlocked(team *t, acr_piece *p)
{
    acr_mutex_unlock(&t->lock);
    acr_piece_scan(&t->job, p);
    acr_mutex_lock(&t->lock);
    p->done = 1;
    acr_cond_broadcast(&t->changed);
}

static void *help(void *arg)
{
    team *t = arg;
    acr_mutex_lock(&t->lock);
    while (!t->over) {
        acr_piece *p = take_locked(t);
        if (p != NULL)
            scan_unlocked(t, p);
        else if (!t->over)
            (void)acr_cond_wait(&t->changed, &t->lock, ACR_DEADLINE_NEVER);
    }
    acr_mutex_unlock(&t->lock);
    return NULL;
}

/* Join the oldest piece if it has been scanned. 1; 0: it has not; -1: enough. */
static int join_unlocked(team *t, acr_joiner *j)
{
    acr_piece *p = &t->slots[t->joined % t->ahead];
    if (t->joined == t->taken || !p->done)
        return 0;
    acr_mutex_unlock(&t->lock);
    int status = acr_join(j, p);
    acr_mutex_lock(&t->lock);
    t->joined++;
    acr_cond_broadcast(&t->changed);
    return status == 0 ? 1 : -1;
}

/* The calling thread's part, until all is joined or enough. Leaves no more to be taken. */
static void lead(team *t, acr_joiner *j)
{
    int joined = 0;
    acr_mutex_lock(&t->lock);
    while (joined >= 0 && !(t->over && t->joined == t->taken)) {
        acr_piece *p;
        joined = join_unlocked(t, j);
        if (joined != 0)
            continue;
        p = take_locked(t);
        if (p != NULL)
            scan_unlocked(t, p);
        else if (t->joined < t->taken)
            (void)acr_cond_wait(&t->changed, &t->lock, ACR_DEADLINE_NEVER);
    }
    t->over = 1;
    atomic_store_explicit(&t->job.stop, 1, memory_order_relaxed);
    acr_cond_broadcast(&t->changed);
    acr_mutex_unlock(&t->lock);
}

/* --- the call ------------------------------------------------------------------- */

/* Without a thread that cannot be had the others do its work. */
static void start(helpers *h, team *t)
{
    while (h->n < h->room && acr_thread_start(&h->threads[h->n], help, t, NULL) == ACOR_OK)
        h->n++;
}

static void end(helpers *h)
{
    while (h->n > 0)
        acr_thread_join(&h->threads[--h->n]);
}

static void run(team *t, helpers *h, acr_select *s)
{
    acr_joiner j = {.mem = t->job.mem, .to = s};
    start(h, t);
    lead(t, &j);
    end(h);
    if (s->status == ACOR_OK)
        (void)acr_select_settle(s, UINT64_MAX);
    acr_joiner_free(&j);
}

/*
 * Whole words are picked by whoever scans, unless by a rule of the caller's own,
 * which only the calling thread may ask.
 */
static void share_options(acor_scan_options *piece, acor_scan_options *join)
{
    const uint32_t words = ACOR_SCAN_WHOLE_WORD | ACOR_SCAN_WORD_ASCII;
    *piece = (acor_scan_options)ACOR_SCAN_OPTIONS_INIT;
    piece->flags = join->flags & ACOR_SCAN_CODEPOINTS;
    if (join->word == NULL) {
        piece->flags |= join->flags & words;
        join->flags &= ~words;
    }
}

/* With slots and threads for the team. */
static int scan_with(team *t, helpers *h, const acor_snapshot *snap,
                     const acor_scan_options *opts, acor_match_fn fn, void *user,
                     uint64_t *n)
{
    acor_scan_options o = *opts;
    acr_pending pending = {.mem = &snap->mem};
    acr_select s;
    share_options(&t->job.options, &o);
    acr_select_init(&s, &o, &pending);
    s.text = t->job.text.data;
    s.len = t->job.text.len;
    s.origin = 0;
    s.fold = snap->fold;
    s.fn = fn;
    s.user = user;
    run(t, h, &s);
    acr_pending_free(&pending);
    if (n != NULL)
        *n = s.count;
    return s.status;
}

/* ACOR_ETHREAD, with nothing done, where there is no lock to be had. */
static int scan_locking(team *t, helpers *h, const acor_snapshot *snap,
                        const acor_scan_options *o, acor_match_fn fn, void *user, uint64_t *n)
{
    ACR_TRY(acr_mutex_init(&t->lock, NULL));
    int status = acr_cond_init(&t->changed, NULL);
    if (status == ACOR_OK) {
        status = scan_with(t, h, snap, o, fn, user, n);
        acr_cond_destroy(&t->changed);
    }
    acr_mutex_destroy(&t->lock);
    return status;
}

static void free_hits(team *t)
{
    for (size_t i = 0; i < t->ahead; i++)
        acr_free(t->job.mem, t->slots[i].hits, t->slots[i].cap * sizeof *t->slots[i].hits);
}

static int scan_shared(team *t, uint32_t workers, const acor_snapshot *snap,
                       const acor_scan_options *o, acor_match_fn fn, void *user, uint64_t *n)
{
    const acr_mem *mem = &snap->mem;
    int status = ACOR_ENOMEM;
    t->job.engine = snap->engine;
    t->job.mem = mem;
    t->job.fold = snap->fold;
    atomic_init(&t->job.stop, 0);
    t->ahead = (size_t)workers * AHEAD_PER_WORKER;
    t->slots = acr_alloc_zero(mem, t->ahead * sizeof *t->slots);
    helpers h = {.room = workers - 1};
    h.threads = acr_alloc(mem, h.room * sizeof *h.threads);
    if (t->slots != NULL && h.threads != NULL)
        status = scan_locking(t, &h, snap, o, fn, user, n);
    if (t->slots != NULL)
        free_hits(t);
    acr_free(mem, t->slots, t->ahead * sizeof *t->slots);
    acr_free(mem, h.threads, h.room * sizeof *h.threads);
    return status;
}

/* ACOR_OK, ACOR_STOPPED or ACOR_ENOMEM, without words. */
static int scan(const acor_snapshot *snap, acr_slice text, const acor_scan_options *o,
                const acor_parallel_options *parallel, acor_match_fn fn, void *user,
                uint64_t *n)
{
    team t = {.job.text = text};
    uint32_t workers = parallel->workers;
    int status = ACOR_ETHREAD;
    acr_cutter_init(&t.cutter, text, parallel, workers, snap->engine->reach);
    if (workers > t.cutter.expected)
        workers = (uint32_t)t.cutter.expected;
    size_t from, stop;
    acr_cutter first = t.cutter;
    if (workers > 1 && acr_cutter_next(&first, &from, &stop) && !first.done)
        status = scan_shared(&t, workers, snap, o, fn, user, n);
    if (status != ACOR_ETHREAD)
        return status;
    acr_pending own = {.mem = &snap->mem};
    status = acr_scan(snap, (const char *)text.data, text.len, o, &own, fn, NULL, user, n);
    acr_pending_free(&own);
    return status;
}

acor_status acor_scan_parallel(const acor_snapshot *snap, const char *text, size_t len,
                               const acor_scan_options *opts,
                               const acor_parallel_options *parallel, acor_match_fn fn,
                               void *user, uint64_t *n, acor_error *err)
{
    acor_scan_options o;
    acor_parallel_options p;
    int status = ACOR_OK;
    if (n != NULL)
        *n = 0;
    if (snap == NULL || (text == NULL && len != 0))
        status = acr_fail(err, ACOR_EINVAL, "the snapshot or the text is NULL");
    if (status == ACOR_OK)
        status = acr_scan_options_import(&o, opts, err);
    if (status == ACOR_OK)
        status = acr_parallel_options_import(&p, parallel, err);
    if (status == ACOR_OK) {
        status = scan(snap, acr_slice_of(text, len), &o, &p, fn, user, n);
        if (status == ACOR_ENOMEM)
            (void)acr_fail_nomem(err);
    }
    if (status < 0)
        acr_error_operation(err, "scan_parallel");
    return (acor_status)status;
}
