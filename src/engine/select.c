/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/select.h"

#include <string.h>

#include "text/unicode.h"
#include "text/utf8.h"

/* Matches handed to the caller's function at a time. */
enum { GROUP = 64 };

void acr_pending_free(acr_pending *p)
{
    acr_free(p->mem, p->items, p->cap * sizeof *p->items);
    acr_free(p->mem, p->late, p->late_cap * sizeof *p->late);
}

void acr_select_init(acr_select *s, const acor_scan_options *options, acr_pending *pending)
{
    s->options = *options;
    s->count = 0;
    s->status = ACOR_OK;
    s->one_by_one = options->kind != ACOR_MATCH_OVERLAPPING ||
                    (options->flags & ACOR_SCAN_WHOLE_WORD) != 0;
    s->pending = pending;
    s->items = pending->items ? pending->items : s->inline_items;
    s->cap = pending->items ? pending->cap : ACR_CHAIN_INLINE;
    s->head = s->tail = 0;
    s->taken = 0;
}

static int enough(acr_select *s, int status)
{
    s->status = status;
    return -1;
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
            return enough(s, ACOR_STOPPED);
    }
    return last ? enough(s, ACOR_STOPPED) : 0;
}

int acr_select_take(acr_select *s, const acor_match *hits, size_t n)
{
    return deliver(s, hits, n);
}

/* --- whole words ------------------------------------------------------------- */

static int is_word(const acr_select *s, uint32_t cp)
{
    if (s->options.flags & ACOR_SCAN_WORD_ASCII)
        return acr_is_ascii_word(cp);
    if (s->fold)
        cp = acr_lower(cp);
    return s->options.word != NULL ? s->options.word(s->options.word_user, cp) != 0
                                   : acr_is_word(cp);
}

static int is_whole_word(const acr_select *s, const acor_match *m)
{
    const unsigned char *start = s->text + (m->start - s->origin);
    const unsigned char *end = s->text + (m->end - s->origin);
    if (start > s->text && is_word(s, acr_utf8_decode_before(s->text, start).cp))
        return 0;
    return end >= s->text + s->len || !is_word(s, acr_utf8_decode(end, s->text + s->len).cp);
}

/* --- leftmost-longest -------------------------------------------------------- */

/* Room for one more at the tail: first what was settled, then from the allocator. */
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
        return enough(s, ACOR_ENOMEM);
    if (p->items == NULL)
        memcpy(items, s->inline_items, sizeof s->inline_items);
    p->items = s->items = items;
    p->cap = s->cap = cap;
    return 0;
}

/* How many of the chain start before start, counted from items[0]. */
static size_t chain_before(const acr_select *s, uint64_t start)
{
    if (s->tail == s->head || s->items[s->tail - 1].start < start)
        return s->tail;
    size_t lo = s->head, hi = s->tail - 1;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (s->items[mid].start < start)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static int chain(acr_select *s, const acor_match *hit)
{
    size_t at = chain_before(s, hit->start);
    uint64_t taken = at > s->head ? s->items[at - 1].end : s->taken;
    if (hit->start < taken)
        return 0;
    s->tail = at;
    if (make_room(s) != 0)
        return -1;
    s->items[s->tail++] = *hit;
    return 1;
}

int acr_select_offer(acr_select *s, const acor_match *hit)
{
    if ((s->options.flags & ACOR_SCAN_WHOLE_WORD) && !is_whole_word(s, hit))
        return 0;
    return s->options.kind == ACOR_MATCH_OVERLAPPING ? deliver(s, hit, 1) : chain(s, hit);
}

int acr_select_settle(acr_select *s, uint64_t horizon)
{
    size_t n = 0, left = s->tail - s->head;
    const acor_match *first = s->items + s->head;
    while (n < left && first[n].start < horizon)
        n++;
    if (n == 0)
        return 0;
    s->taken = first[n - 1].end;
    s->head += n;
    for (size_t i = 0; i < n; i += GROUP)
        if (deliver(s, first + i, n - i < GROUP ? n - i : GROUP) != 0)
            return -1;
    if (s->head == s->tail)
        s->head = s->tail = 0;
    return 0;
}
