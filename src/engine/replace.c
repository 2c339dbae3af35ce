/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text with something in the place of its matches. What lies between them is
 * handed on as it stands in the caller's text, in one piece.
 */
#include "engine/replace.h"

#include <string.h>

#include "base/error.h"
#include "base/opts.h"
#include "engine/scan.h"
#include "text/utf8.h"

ACR_NO_TAIL_PADDING(acor_replace_options, word_user);

/* Masks written at a time. */
enum { MASKS = 64, CODEPOINT_BYTES = 4 };

typedef struct span {
    size_t start, end;
} span;

typedef struct replacement {
    const unsigned char *text;
    size_t done; /* bytes of text that the result so far stands for */
    acor_replace_options options;
    acor_write_fn write;
    void *user;
    int status; /* ACOR_OK; ACOR_STOPPED by write; ACOR_ENOMEM */
    const acr_mem *mem;

    /* Masking: what is covered by matches and not written yet, apart and in order. */
    span *covered;
    size_t n, cap;
    unsigned char masks[MASKS * CODEPOINT_BYTES];
    size_t mask_len; /* of one */
} replacement;

/* --- options -------------------------------------------------------------------- */

static int is_scalar(uint32_t cp)
{
    return cp <= 0x10FFFF && !(cp >= 0xD800 && cp <= 0xDFFF);
}

static int check(const acor_replace_options *o, acor_error *err)
{
    if ((o->by_keyword == NULL && o->by_keyword_n != 0) ||
        (o->text.data == NULL && o->text.len != 0))
        return acr_fail(err, ACOR_EINVAL, "replace options: a text is NULL with a length");
    for (size_t i = 0; i < o->by_keyword_n; i++)
        if (o->by_keyword[i].data == NULL && o->by_keyword[i].len != 0)
            return acr_fail(err, ACOR_EINVAL,
                            "replace options: the text of keyword %zu is NULL with a length", i);
    if (!is_scalar(o->mask))
        return acr_fail(err, ACOR_EINVAL,
                        "replace options: the mask 0x%x is no Unicode scalar value", o->mask);
    if (o->mask != 0 && (o->by_keyword_n != 0 || o->text.len != 0))
        return acr_fail(err, ACOR_EINVAL, "replace options: give a mask or a text, not both");
    if (o->flags & ~(ACOR_SCAN_WHOLE_WORD | ACOR_SCAN_WORD_ASCII))
        return acr_fail(err, ACOR_EINVAL, "replace options: unknown flags 0x%x",
                        o->flags & ~(ACOR_SCAN_WHOLE_WORD | ACOR_SCAN_WORD_ASCII));
    return ACOR_OK;
}

int acr_replace_options_import(acor_replace_options *o, acor_scan_options *scan,
                               const acor_replace_options *from, acor_error *err)
{
    acor_scan_options s = ACOR_SCAN_OPTIONS_INIT;
    if (acr_opts_import(o, sizeof *o, from, sizeof *o) != 0)
        return acr_fail(err, ACOR_EINVAL,
                        "replace options: start from ACOR_REPLACE_OPTIONS_INIT");
    ACR_TRY(check(o, err));
    s.kind = o->mask != 0 ? ACOR_MATCH_OVERLAPPING : ACOR_MATCH_LEFTMOST_LONGEST;
    s.flags = o->flags;
    s.max_matches = o->max_matches;
    s.word = o->word;
    s.word_user = o->word_user;
    return acr_scan_options_import(scan, &s, err);
}

/* --- writing -------------------------------------------------------------------- */

/* 0, or -1: enough. */
static int put(replacement *r, const void *bytes, size_t len)
{
    if (len != 0 && r->write(r->user, bytes, len) != 0) {
        r->status = ACOR_STOPPED;
        return -1;
    }
    return 0;
}

/* The text as it is, up to here. */
static int put_text(replacement *r, size_t end)
{
    int status = put(r, r->text + r->done, end - r->done);
    r->done = end;
    return status;
}

/* --- texts ---------------------------------------------------------------------- */

static acor_string text_for(const acor_replace_options *o, uint32_t id)
{
    if (id < o->by_keyword_n && o->by_keyword[id].data != NULL)
        return o->by_keyword[id];
    return o->text;
}

/* An acor_match_fn: leftmost-longest matches, so apart and in order. */
static int substitute(void *user, const acor_match *m, size_t n)
{
    replacement *r = user;
    for (size_t i = 0; i < n; i++) {
        acor_string with = text_for(&r->options, m[i].keyword);
        if (put_text(r, (size_t)m[i].start) != 0 || put(r, with.data, with.len) != 0)
            return 1;
        r->done = (size_t)m[i].end;
    }
    return 0;
}

/* --- masks ---------------------------------------------------------------------- */

static void make_masks(replacement *r)
{
    r->mask_len = acr_utf8_encode(r->masks, r->options.mask);
    for (size_t i = 1; i < MASKS; i++)
        memcpy(r->masks + i * r->mask_len, r->masks, r->mask_len);
}

static int put_masks(replacement *r, const span *s)
{
    if (put_text(r, s->start) != 0)
        return -1;
    size_t left = acr_utf8_count(acr_slice_of(r->text + s->start, s->end - s->start));
    r->done = s->end;
    while (left != 0) {
        size_t n = left < MASKS ? left : MASKS;
        if (put(r, r->masks, n * r->mask_len) != 0)
            return -1;
        left -= n;
    }
    return 0;
}

/* Every match ends no earlier than those before it, so it can only join the last ones. */
static int cover(void *user, const acor_match *m, size_t n)
{
    replacement *r = user;
    for (size_t i = 0; i < n; i++) {
        span s = {(size_t)m[i].start, (size_t)m[i].end};
        for (; r->n != 0 && r->covered[r->n - 1].end >= s.start; r->n--)
            if (r->covered[r->n - 1].start < s.start)
                s.start = r->covered[r->n - 1].start;
        r->status = acr_grow(r->mem, &r->covered, &r->cap, r->n + 1, sizeof s, NULL);
        if (r->status != ACOR_OK)
            return 1;
        r->covered[r->n++] = s;
    }
    return 0;
}

/* An acr_settled_fn: no match to come touches what ends before horizon. */
static int put_settled(void *user, uint64_t horizon)
{
    replacement *r = user;
    size_t n = 0;
    int status = 0;
    while (status == 0 && n < r->n && r->covered[n].end < horizon)
        status = put_masks(r, &r->covered[n++]);
    if (n != 0)
        memmove(r->covered, r->covered + n, (r->n - n) * sizeof *r->covered);
    r->n -= n;
    return status;
}

/* --- the whole ------------------------------------------------------------------ */

static int scan(replacement *r, const acor_snapshot *snap, size_t len,
                const acor_scan_options *o, uint64_t *n)
{
    acr_pending pending = {.mem = &snap->mem};
    const char *text = (const char *)r->text;
    int status;
    if (r->options.mask != 0) {
        make_masks(r);
        status = acr_scan(snap, text, len, o, &pending, cover, put_settled, r, n);
    } else {
        status = acr_scan(snap, text, len, o, &pending, substitute, NULL, r, n);
    }
    acr_pending_free(&pending);
    return r->status != ACOR_OK || status == ACOR_STOPPED ? r->status : status;
}

static int replace(const acor_snapshot *snap, const char *text, size_t len,
                   const acor_replace_options *opts, acor_write_fn write, void *user,
                   uint64_t *n, acor_error *err)
{
    replacement r = {.text = (const unsigned char *)text,
                     .write = write,
                     .user = user,
                     .mem = &snap->mem};
    acor_scan_options o;
    ACR_TRY(acr_replace_options_import(&r.options, &o, opts, err));
    int status = scan(&r, snap, len, &o, n);
    if (status == ACOR_OK && put_settled(&r, UINT64_MAX) == 0)
        (void)put_text(&r, len);
    acr_free(r.mem, r.covered, r.cap * sizeof *r.covered);
    if (status == ACOR_ENOMEM)
        return acr_fail_nomem(err);
    return r.status;
}

acor_status acor_snapshot_replace(const acor_snapshot *snap, const char *text, size_t len,
                                  const acor_replace_options *opts, acor_write_fn write,
                                  void *user, uint64_t *n, acor_error *err)
{
    uint64_t none;
    if (n == NULL)
        n = &none;
    *n = 0;
    int status = snap == NULL || write == NULL || (text == NULL && len != 0)
                     ? acr_fail(err, ACOR_EINVAL,
                                "the snapshot, the text or the function is NULL")
                     : replace(snap, text, len, opts, write, user, n, err);
    if (status < 0)
        acr_error_operation(err, "snapshot_replace");
    return (acor_status)status;
}

/* --- into a buffer ---------------------------------------------------------------- */

typedef struct filling {
    char *buffer;
    size_t size, len; /* len: of the result, also what does not fit */
} filling;

static int fill(void *user, const char *bytes, size_t len)
{
    filling *f = user;
    if (f->len < f->size) {
        size_t room = f->size - f->len;
        memcpy(f->buffer + f->len, bytes, len < room ? len : room);
    }
    f->len += len;
    return 0;
}

static int replace_into(const acor_snapshot *snap, const char *text, size_t len,
                        const acor_replace_options *opts, filling *f, uint64_t *n,
                        acor_error *err)
{
    ACR_TRY(replace(snap, text, len, opts, fill, f, n, err));
    if (f->len > f->size)
        return acr_fail(err, ACOR_ELIMIT, "the result has %zu bytes, the buffer room for %zu",
                        f->len, f->size);
    return ACOR_OK;
}

acor_status acor_snapshot_replace_into(const acor_snapshot *snap, const char *text, size_t len,
                                       const acor_replace_options *opts, char *buffer,
                                       size_t size, size_t *result_len, uint64_t *n,
                                       acor_error *err)
{
    uint64_t none;
    filling f = {buffer, size, 0};
    if (n == NULL)
        n = &none;
    *n = 0;
    int status =
        snap == NULL || result_len == NULL || (text == NULL && len != 0) ||
                (buffer == NULL && size != 0)
            ? acr_fail(err, ACOR_EINVAL,
                       "the snapshot, the text, the buffer or the result's length is NULL")
            : replace_into(snap, text, len, opts, &f, n, err);
    if (result_len != NULL)
        *result_len = f.len;
    if (status < 0)
        acr_error_operation(err, "snapshot_replace_into");
    return (acor_status)status;
}
