/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text in pieces. What is at hand of it is a window; pieces are copied behind
 * what is there, and when it is full its last bytes move to the front:
 *
 *     window   |history....|held back|       room|
 *                          ^at       ^fill       ^cap
 *
 * History is enough to find the start of any match that is still to come, and
 * the code point in front of it. Held back are code points that are incomplete or
 * whose neighbour, which decides about whole words, is.
 */
#include <acor/stream.h>

#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "engine/scan.h"
#include "text/utf8.h"

enum {
    /* Bytes scanned between two looks at what a leftmost-longest choice has settled,
     * so those whose matches it has to remember beside a keyword's length. */
    PART = 4 << 10,
    ROOM = 64 << 10,     /* in the window, behind history and what is held back */
    LOW = ROOM / 2,      /* less room than this is not worth filling up */
    CODEPOINT_BYTES = 4, /* at most */
    HELD = 2 * CODEPOINT_BYTES
};

struct acor_stream {
    acor_snapshot *snap; /* one reference */
    acr_pending pending;
    acor_scan_options options;
    acr_select select;
    acr_cursor cursor;
    int busy; /* its own callback is being called */
    int finished;
    uint64_t origin; /* of the window, in the whole text */
    size_t at, fill;
    size_t history, cap;
    unsigned char window[];
};

/* --- the window -------------------------------------------------------------- */

static void move_window(acor_stream *s)
{
    if (s->at <= s->history)
        return;
    size_t gone = s->at - s->history;
    memmove(s->window, s->window + gone, s->fill - gone);
    s->origin += gone;
    s->at -= gone;
    s->fill -= gone;
}

/* At least 1: as much as there is, or LOW bytes if that many are wanted. */
static size_t make_room(acor_stream *s, size_t want)
{
    size_t room = s->cap - s->fill;
    if (room < want && room < LOW)
        move_window(s);
    return s->cap - s->fill;
}

/* 1 if the n bytes at p, a lead byte and tails, may yet become a longer code point:
 * they do with tails behind them that suit the lead, or with none. */
static int may_grow(const unsigned char *p, size_t n)
{
    unsigned char form[CODEPOINT_BYTES] = {0, 0x80, 0x80, 0x80};
    if (p[0] == 0xE0 || p[0] == 0xF0)
        form[1] = 0xA0;
    memcpy(form, p, n);
    return acr_utf8_decode(form, form + sizeof form).width > n;
}

/* The end of the code points that no further byte can change. */
static size_t complete_end(const acor_stream *s)
{
    const unsigned char *p = s->window + s->fill;
    for (size_t n = 1; n < CODEPOINT_BYTES && n <= s->fill - s->at; n++) {
        unsigned char c = p[-(ptrdiff_t)n];
        if ((c & 0xC0) == 0x80)
            continue;
        return c >= 0xC0 && may_grow(p - n, n) ? s->fill - n : s->fill;
    }
    return s->fill;
}

/* --- scanning ---------------------------------------------------------------- */

/* Hand on what ends in (at, end]; bytes up to len may be looked at. */
static int scan_to(acor_stream *s, size_t end, size_t len)
{
    const acr_engine *e = s->snap->engine;
    size_t part = s->options.kind == ACOR_MATCH_OVERLAPPING ? end : PART;
    acr_scan_job job = {
        .text = s->window,
        .origin = s->origin,
        .cursor = &s->cursor,
        .codepoints = (s->options.flags & ACOR_SCAN_CODEPOINTS) != 0,
        .to = &s->select,
    };
    s->select.len = len;
    s->select.origin = s->origin;
    while (s->at < end && s->select.status == ACOR_OK) {
        job.begin = s->at;
        job.end = end;
        if (end - s->at > part)
            job.end = (size_t)(acr_utf8_boundary(s->window, s->window + s->at + part,
                                                 s->window + end) -
                               s->window);
        if (e->ops->scan(e, &job) == 0 && s->options.kind != ACOR_MATCH_OVERLAPPING)
            (void)acr_select_settle(&s->select, e->ops->horizon(e, &s->cursor));
        s->at = job.end;
    }
    return s->select.status;
}

/* What the new bytes up to fill have decided. */
static int scan_some(acor_stream *s)
{
    size_t len = complete_end(s), end = len;
    if ((s->options.flags & ACOR_SCAN_WHOLE_WORD) && end > s->at)
        end -= acr_utf8_decode_before(s->window + s->at, s->window + end).width;
    s->busy = 1;
    int status = scan_to(s, end, len);
    s->busy = 0;
    return status;
}

static int scan_rest(acor_stream *s)
{
    s->busy = 1;
    if (scan_to(s, s->fill, s->fill) == ACOR_OK)
        (void)acr_select_settle(&s->select, UINT64_MAX);
    s->busy = 0;
    return s->select.status;
}

static int push(acor_stream *s, const char *bytes, size_t len)
{
    while (len > 0 && s->select.status == ACOR_OK) {
        size_t n = make_room(s, len);
        if (n > len)
            n = len;
        memcpy(s->window + s->fill, bytes, n);
        s->fill += n;
        bytes += n;
        len -= n;
        (void)scan_some(s);
    }
    return s->select.status;
}

/* --- a stream's life --------------------------------------------------------- */

static void begin(acor_stream *s)
{
    acr_select_init(&s->select, &s->options, &s->pending);
    s->select.len = 0;
    s->cursor = (acr_cursor){0};
    s->finished = 0;
    s->origin = 0;
    s->at = s->fill = 0;
}

static int make(acor_stream **out, acor_snapshot *snap, const acor_scan_options *opts,
                acor_match_fn fn, void *user, acor_error *err)
{
    acor_scan_options o;
    ACR_TRY(acr_scan_options_import(&o, opts, err));
    /* Moving history once for as many new bytes as it has costs nothing to speak of. */
    size_t history = (size_t)snap->engine->reach + CODEPOINT_BYTES;
    size_t cap = history + HELD + (history > ROOM ? history : ROOM);
    acor_stream *s = acr_alloc(&snap->mem, sizeof *s + cap);
    if (s == NULL)
        return acr_fail_nomem(err);
    memset(s, 0, sizeof *s);
    s->snap = acor_snapshot_ref(snap);
    s->pending.mem = &snap->mem;
    s->options = o;
    s->history = history;
    s->cap = cap;
    s->select.text = s->window;
    s->select.fold = snap->fold;
    s->select.fn = fn;
    s->select.user = user;
    begin(s);
    *out = s;
    return ACOR_OK;
}

acor_status acor_stream_new(acor_stream **out, acor_snapshot *snap,
                            const acor_scan_options *opts, acor_match_fn fn, void *user,
                            acor_error *err)
{
    int status;
    if (out != NULL)
        *out = NULL;
    if (out == NULL || snap == NULL)
        status = acr_fail(err, ACOR_EINVAL, "the result or the snapshot is NULL");
    else
        status = make(out, snap, opts, fn, user, err);
    if (status < 0)
        acr_error_operation(err, "stream_new");
    return (acor_status)status;
}

static int explain(int status, acor_error *err)
{
    return status == ACOR_ENOMEM ? acr_fail_nomem(err) : status;
}

acor_status acor_stream_feed(acor_stream *s, const char *bytes, size_t len, acor_error *err)
{
    int status;
    if (s == NULL || (bytes == NULL && len != 0))
        status = acr_fail(err, ACOR_EINVAL, "the stream or the piece is NULL");
    else if (s->busy)
        status = acr_fail(err, ACOR_EBUSY, "the stream is in use by its own callback");
    else if (s->finished)
        status = acr_fail(err, ACOR_EINVAL, "the text is finished");
    else
        status = explain(push(s, bytes, len), err);
    if (status < 0)
        acr_error_operation(err, "stream_feed");
    return (acor_status)status;
}

acor_status acor_stream_finish(acor_stream *s, uint64_t *n, acor_error *err)
{
    int status;
    if (s == NULL) {
        status = acr_fail(err, ACOR_EINVAL, "the stream is NULL");
    } else if (s->busy) {
        status = acr_fail(err, ACOR_EBUSY, "the stream is in use by its own callback");
    } else {
        s->finished = 1;
        status = explain(scan_rest(s), err);
    }
    if (n != NULL)
        *n = s != NULL ? s->select.count : 0;
    if (status < 0)
        acr_error_operation(err, "stream_finish");
    return (acor_status)status;
}

void acor_stream_reset(acor_stream *s)
{
    if (s != NULL && !s->busy)
        begin(s);
}

void acor_stream_free(acor_stream *s)
{
    if (s == NULL)
        return;
    acor_snapshot *snap = s->snap;
    acr_pending_free(&s->pending);
    acr_free(&snap->mem, s, sizeof *s + s->cap);
    acor_snapshot_unref(snap);
}

/* --- a text that is read ----------------------------------------------------- */

static int read_failed(int64_t got, acor_error *err)
{
    int sys_errno = got >= -INT_MAX ? (int)-got : INT_MAX;
    return acr_fail_errno(err, ACOR_EIO, sys_errno, "the reader failed");
}

static int read_all(acor_stream *s, acor_read_fn read, void *read_user, acor_error *err)
{
    while (s->select.status == ACOR_OK) {
        size_t room = make_room(s, LOW);
        int64_t got = read(read_user, (char *)s->window + s->fill, room);
        if (got < 0)
            return read_failed(got, err);
        if ((uint64_t)got > room)
            return acr_fail(err, ACOR_EINVAL,
                            "the reader says it gave %lld bytes, there was room for %zu",
                            (long long)got, room);
        if (got == 0)
            return explain(scan_rest(s), err);
        s->fill += (size_t)got;
        (void)scan_some(s);
    }
    return explain(s->select.status, err);
}

acor_status acor_snapshot_find_stream(acor_snapshot *snap, acor_read_fn read, void *read_user,
                                      const acor_scan_options *opts, acor_match_fn fn,
                                      void *user, uint64_t *n, acor_error *err)
{
    acor_stream *s = NULL;
    int status;
    if (n != NULL)
        *n = 0;
    if (snap == NULL || read == NULL)
        status = acr_fail(err, ACOR_EINVAL, "the snapshot or the reader is NULL");
    else
        status = make(&s, snap, opts, fn, user, err);
    if (status == ACOR_OK) {
        status = read_all(s, read, read_user, err);
        if (n != NULL)
            *n = s->select.count;
        acor_stream_free(s);
    }
    if (status < 0)
        acr_error_operation(err, "snapshot_find_stream");
    return (acor_status)status;
}
