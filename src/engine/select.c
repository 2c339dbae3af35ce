/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/select.h"

#include <string.h>

#include "text/unicode.h"
#include "text/utf8.h"

/* Matches handed to the caller's function at a time. */
enum { GROUP = 64 };

void acr_select_init(acr_select *s, const acor_scan_options *options, acr_pending *pending)
{
    s->options = *options;
    s->count = 0;
    s->status = ACOR_OK;
    s->pending = pending;
    s->items = pending->items ? pending->items : s->inline_items;
    s->cap = pending->items ? pending->cap : ACR_PENDING_INLINE;
    s->head = s->tail = 0;
    s->taken = 0;
}

static int stop(acr_select *s, int status)
{
    s->status = status;
    return 1;
}

static int deliver(acr_select *s, const acor_match *m, size_t n)
{
    uint64_t max = s->options.max_matches;
    int last = 0;
    if (max != 0 && n >= max - s->count) {
        n = (size_t)(max - s->count);
        last = 1;
    }
    size_t group = s->options.flags & ACOR_SCAN_ONE_BY_ONE ? 1 : n;
    for (size_t i = 0; i < n; i += group) {
        s->count += group;
        if (s->fn != NULL && s->fn(s->user, m + i, group) != 0)
            return stop(s, ACOR_STOPPED);
    }
    return last ? stop(s, ACOR_STOPPED) : 0;
}

static int is_word(const acr_select *s, uint32_t cp)
{
    return acr_is_word(s->fold ? acr_lower(cp) : cp);
}

static int is_whole_word(const acr_select *s, const acor_match *m)
{
    const unsigned char *end = s->text + s->len;
    if (m->start > 0 &&
        is_word(s, acr_utf8_decode_before(s->text, s->text + m->start).cp))
        return 0;
    return m->end >= s->len || !is_word(s, acr_utf8_decode(s->text + m->end, end).cp);
}

/* Room for one more candidate: first at the front, then from the allocator. */
static int make_room(acr_select *s)
{
    if (s->tail < s->cap)
        return 0;
    if (s->head > s->cap / 2) {
        memmove(s->items, s->items + s->head, (s->tail - s->head) * sizeof *s->items);
        s->tail -= s->head;
        s->head = 0;
        return 0;
    }
    acr_pending *p = s->pending;
    size_t cap = s->cap * 2;
    acor_match *items = acr_resize(p->mem, p->items, p->cap * sizeof *items,
                                   cap * sizeof *items);
    if (items == NULL)
        return stop(s, ACOR_ENOMEM);
    if (p->items == NULL)
        memcpy(items, s->inline_items, sizeof s->inline_items);
    p->items = s->items = items;
    p->cap = s->cap = cap;
    return 0;
}

static int add_candidate(acr_select *s, const acor_match *m)
{
    if (m->start < s->taken)
        return 0;
    size_t lo = s->head, hi = s->tail;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (s->items[mid].start < m->start)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo < s->tail && s->items[lo].start == m->start) {
        s->items[lo] = *m; /* hits come by end, so this one is longer */
        return 0;
    }
    size_t at = lo - s->head;
    if (make_room(s) != 0)
        return 1;
    lo = s->head + at;
    memmove(s->items + lo + 1, s->items + lo, (s->tail - lo) * sizeof *s->items);
    s->items[lo] = *m;
    s->tail++;
    return 0;
}

/* Choose all that no later hit can change. */
static int settle(acr_select *s, uint64_t horizon)
{
    acor_match chosen[GROUP];
    size_t n = 0;
    while (s->head < s->tail && s->items[s->head].start < horizon) {
        const acor_match *m = &s->items[s->head++];
        if (m->start < s->taken)
            continue;
        s->taken = m->end;
        chosen[n++] = *m;
        if (n == GROUP) {
            if (deliver(s, chosen, n) != 0)
                return 1;
            n = 0;
        }
    }
    if (s->head == s->tail)
        s->head = s->tail = 0;
    return n != 0 ? deliver(s, chosen, n) : 0;
}

/* The hits that stand as whole words, in groups, to the next stage. */
static int take(acr_select *s, const acor_match *m, size_t n)
{
    if (s->options.kind == ACOR_MATCH_OVERLAPPING)
        return n != 0 ? deliver(s, m, n) : 0;
    for (size_t i = 0; i < n; i++)
        if (add_candidate(s, &m[i]) != 0)
            return 1;
    return 0;
}

int acr_select_hits(void *user, const acor_match *hits, size_t n, uint64_t horizon)
{
    acr_select *s = user;
    if (s->options.flags & ACOR_SCAN_WHOLE_WORD) {
        acor_match kept[GROUP];
        size_t k = 0;
        for (size_t i = 0; i < n; i++) {
            if (is_whole_word(s, &hits[i]))
                kept[k++] = hits[i];
            if (k == GROUP || i + 1 == n) {
                if (take(s, kept, k) != 0)
                    return 1;
                k = 0;
            }
        }
    } else if (take(s, hits, n) != 0) {
        return 1;
    }
    return s->options.kind == ACOR_MATCH_OVERLAPPING ? 0 : settle(s, horizon);
}

void acr_select_finish(acr_select *s)
{
    if (s->status == ACOR_OK)
        (void)settle(s, UINT64_MAX);
}
