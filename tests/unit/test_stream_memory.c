/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of long texts and long keywords: the window moves, memory does not grow,
 * and running out of it is an ordinary event. */
#include <acor/acor.h>

#include <stdlib.h>
#include <string.h>

#include "memcount.h"
#include "naive.h"
#include "tap.h"

enum { MIB = 1 << 20 };

static acor_snapshot *build(const acor_string *k, size_t n, const acor_allocator *hook)
{
    acor_build_options o = ACOR_BUILD_OPTIONS_INIT;
    acor_snapshot *snap = NULL;
    o.allocator = hook;
    return acor_snapshot_build(&snap, k, n, &o, NULL) == ACOR_OK ? snap : NULL;
}

/* --- flat memory ------------------------------------------------------------- */

static const acor_string few[] = {{"needle", 6}, {"needles", 7}, {"pin", 3}, {"zzzzzz", 6}};

/* 1 MiB, to be fed again and again, with a hit about every 50,000 bytes. */
static char *prose(void)
{
    char *text = naive_alloc(MIB);
    uint64_t r = 1;
    for (size_t i = 0; i < MIB; i++) {
        r = r * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        text[i] = "abcdeghijklmoqrstuvwxy  "[(r >> 33) % 24];
    }
    for (size_t i = 50000; i + 100 < MIB; i += 50000)
        memcpy(text + i, " needles ", 9);
    return text;
}

/* Feed total bytes, pieces taken from sizes in turn; the number of matches. */
static uint64_t feed_long(acor_stream *s, const char *text, uint64_t total,
                          const size_t *sizes, size_t n)
{
    uint64_t count = UINT64_MAX;
    size_t at = 0, next = 0;
    for (uint64_t done = 0; done < total;) {
        size_t len = sizes[next++ % n];
        if (len > MIB - at)
            len = MIB - at;
        if (acor_stream_feed(s, text + at, len, NULL) != ACOR_OK)
            return UINT64_MAX;
        done += len;
        at = (at + len) % MIB;
    }
    return acor_stream_finish(s, &count, NULL) == ACOR_OK ? count : UINT64_MAX;
}

static void flat(tap *t, int mib, uint32_t kind, const size_t *sizes, size_t n)
{
    memcount m;
    memcount_init(&m);
    char *text = prose();
    acor_snapshot *snap = build(few, 4, &m.hook);
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    acor_stream *s = NULL;
    o.kind = kind;
    int ok = snap && acor_stream_new(&s, snap, &o, NULL, NULL, NULL) == ACOR_OK;
    uint64_t calls = m.calls, live = m.live_bytes, count = 0;
    m.peak_bytes = live;
    if (ok)
        count = feed_long(s, text, (uint64_t)mib * MIB, sizes, n);
    uint64_t want = (uint64_t)mib * ((MIB - 100) / 50000) * (kind ? 1 : 2);
    tap_ok(t, ok && count == want, "%d MiB, kind %u, the smallest piece has %zu bytes", mib,
           kind, sizes[0]);
    tap_ok(t, m.calls == calls && m.peak_bytes == live && m.live_bytes == live,
           "nothing was allocated for it");
    acor_stream_free(s);
    acor_snapshot_unref(snap);
    tap_ok(t, m.live_bytes == 0 && m.faults == 0, "and all is given back");
    free(text);
}

/* A match at every byte: the choice needs memory, but not for all of the text. */
static void dense(tap *t)
{
    static const size_t sizes[] = {MIB, 70001};
    const acor_string k[] = {{"a", 1}, {"aaaaaaaab", 9}};
    memcount m;
    memcount_init(&m);
    char *text = naive_alloc(MIB);
    memset(text, 'a', MIB);
    acor_snapshot *snap = build(k, 2, &m.hook);
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    acor_stream *s = NULL;
    o.kind = ACOR_MATCH_LEFTMOST_LONGEST;
    int ok = snap && acor_stream_new(&s, snap, &o, NULL, NULL, NULL) == ACOR_OK;
    uint64_t before = m.live_bytes;
    ok = ok && feed_long(s, text, MIB, sizes, 1) == MIB;
    uint64_t calls = m.calls, peak = m.peak_bytes;
    tap_ok(t, ok && peak - before < MIB, "a match at every byte: %llu bytes for the choice",
           (unsigned long long)(peak - before));
    acor_stream_reset(s);
    ok = ok && feed_long(s, text, 16 * MIB, sizes, 2) == 16 * MIB;
    tap_ok(t, ok && m.calls == calls && m.peak_bytes == peak, "and no more for more text");
    acor_stream_free(s);
    acor_snapshot_unref(snap);
    tap_ok(t, m.live_bytes == 0 && m.faults == 0, "and all is given back");
    free(text);
}

/* --- a keyword longer than the window's least size --------------------------- */

enum { KEYWORD = 100000 };

typedef struct spans {
    acor_match m[4];
    size_t n;
} spans;

static int keep(void *user, const acor_match *m, size_t n)
{
    spans *s = user;
    for (size_t i = 0; i < n; i++)
        if (s->n < 4)
            s->m[s->n++] = m[i];
    return 0;
}

static int is_span(const acor_match *m, uint64_t start, uint64_t end, uint64_t cp)
{
    return m->start == start && m->end == end && m->cp_start == cp &&
           m->cp_end == cp + KEYWORD;
}

/* 100,000 times U+212A is three times as long as the keyword of as many k. Three of
 * these runs, far apart; what is next to the second one is a letter. */
static char *long_text(size_t *len)
{
    static const char *const around[] = {"\xf0\x9f\x98\x80", "\xf0\x90\x90\x80",
                                         "\xf0\x9f\x98\x80"};
    const size_t run = 3 * KEYWORD, part = 70001 + 4 + run + 4;
    char *text = naive_alloc(3 * part), *p = text;
    for (int i = 0; i < 3; i++) {
        memset(p, '\xff', 70001);
        p += 70001;
        memcpy(p, around[i], 4);
        p += 4;
        for (size_t k = 0; k < KEYWORD; k++, p += 3)
            memcpy(p, "\xe2\x84\xaa", 3);
        memcpy(p, "\xf0\x9f\x98\x80", 4);
        p += 4;
    }
    *len = (size_t)(p - text);
    return text;
}

static int long_spans(acor_snapshot *snap, const acor_scan_options *o, const char *text,
                      size_t len, size_t piece)
{
    const uint64_t run = 3 * KEYWORD, part = 70001 + 4 + run + 4;
    const uint64_t cps = 70001 + 1 + KEYWORD + 1;
    spans got = {.n = 0};
    acor_stream *s = NULL;
    int ok = acor_stream_new(&s, snap, o, keep, &got, NULL) == ACOR_OK;
    for (size_t at = 0; ok && at < len; at += piece)
        ok = acor_stream_feed(s, text + at, len - at < piece ? len - at : piece, NULL) ==
             ACOR_OK;
    ok = ok && acor_stream_finish(s, NULL, NULL) == ACOR_OK;
    acor_stream_free(s);
    return ok && got.n == 2 && is_span(&got.m[0], 70005, 70005 + run, 70002) &&
           is_span(&got.m[1], 2 * part + 70005, 2 * part + 70005 + run, 2 * cps + 70002);
}

static void long_keyword(tap *t)
{
    static const size_t pieces[] = {1, 7, 1000, 65536, 2000000};
    char *k = naive_alloc(KEYWORD);
    memset(k, 'k', KEYWORD);
    const acor_string keyword = {k, KEYWORD};
    acor_snapshot *snap = build(&keyword, 1, NULL);
    size_t len;
    char *text = long_text(&len);
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    o.flags = ACOR_SCAN_WHOLE_WORD | ACOR_SCAN_CODEPOINTS;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        o.kind = i & 1;
        tap_ok(t, snap && long_spans(snap, &o, text, len, pieces[i]),
               "a match of 300,000 bytes in pieces of %zu", pieces[i]);
    }
    acor_snapshot_unref(snap);
    free(text);
    free(k);
}

/* --- out of memory ----------------------------------------------------------- */

static int64_t read_as(void *user, char *buffer, size_t size)
{
    int *left = user;
    if (--*left < 0)
        return 0;
    memset(buffer, 'a', size);
    return (int64_t)size;
}

/* A stream whose choice grows several times. 0: the memory did not suffice. */
static int stream_once(tap *t, acor_snapshot *snap, memcount *m, const char *text)
{
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    acor_error err = ACOR_ERROR_INIT;
    acor_stream *s = NULL;
    uint64_t n = 0;
    o.kind = ACOR_MATCH_LEFTMOST_LONGEST;
    int status = acor_stream_new(&s, snap, &o, NULL, NULL, &err);
    if (status != ACOR_OK) {
        tap_ok(t, status == ACOR_ENOMEM && err.status == ACOR_ENOMEM && s == NULL,
               "no memory for a stream");
        return 0;
    }
    status = acor_stream_feed(s, text, 1000, &err);
    if (status != ACOR_OK) {
        int sticks = acor_stream_feed(s, text, 1, NULL) == ACOR_ENOMEM &&
                     acor_stream_finish(s, &n, NULL) == ACOR_ENOMEM &&
                     acor_stream_finish(s, &n, NULL) == ACOR_ENOMEM;
        memcount_fail(m, MEMCOUNT_NEVER, 0);
        acor_stream_reset(s);
        int again = acor_stream_feed(s, text, 1000, NULL) == ACOR_OK &&
                    acor_stream_finish(s, &n, NULL) == ACOR_OK && n == 1000;
        tap_ok(t, status == ACOR_ENOMEM && err.status == ACOR_ENOMEM && sticks && again,
               "no memory for a piece, until the stream is reset");
    } else {
        tap_ok(t, acor_stream_finish(s, &n, NULL) == ACOR_OK && n == 1000, "enough memory");
    }
    acor_stream_free(s);
    return status == ACOR_OK;
}

static void out_of_memory(tap *t)
{
    const acor_string k[] = {{"a", 1}, {"aaaaaaaaab", 10}};
    char text[1000];
    memcount m;
    memcount_init(&m);
    memset(text, 'a', sizeof text);
    acor_snapshot *snap = build(k, 2, &m.hook);
    int done = snap == NULL;
    for (uint64_t i = 0; i < 20 && !done; i++) {
        memcount_fail(&m, i, 1);
        done = stream_once(t, snap, &m, text);
    }
    tap_ok(t, snap && done, "every allocation of a stream has failed once");
    done = 0;
    for (uint64_t i = 0; i < 20 && !done; i++) {
        acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
        int left = 1;
        o.kind = ACOR_MATCH_LEFTMOST_LONGEST;
        memcount_fail(&m, i, 1);
        int status = acor_snapshot_find_stream(snap, read_as, &left, &o, NULL, NULL, NULL,
                                               NULL);
        done = status == ACOR_OK;
        if (!done && status != ACOR_ENOMEM)
            break;
    }
    tap_ok(t, done, "and every one of a text that is read");
    acor_snapshot_unref(snap);
    tap_ok(t, m.live_bytes == 0 && m.faults == 0, "and all is given back");
}

int main(void)
{
    static const size_t mixed[] = {3, 65536, 1, 4096, MIB, 100, 777777, 13};
    static const size_t one[] = {1};
    tap t = TAP_INIT;
    flat(&t, tap_scale(256), ACOR_MATCH_OVERLAPPING, mixed, sizeof mixed / sizeof *mixed);
    flat(&t, tap_scale(256), ACOR_MATCH_LEFTMOST_LONGEST, mixed, sizeof mixed / sizeof *mixed);
    flat(&t, tap_scale(8), ACOR_MATCH_OVERLAPPING, one, 1);
    flat(&t, tap_scale(8), ACOR_MATCH_LEFTMOST_LONGEST, one, 1);
    dense(&t);
    long_keyword(&t);
    out_of_memory(&t);
    return tap_done(&t);
}
