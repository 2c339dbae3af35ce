/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of an engine's hits the caller sees: whole-word filter, then match
 * kind, then limit. The same for every engine and every way in.
 */
#ifndef ACR_ENGINE_SELECT_H
#define ACR_ENGINE_SELECT_H

#include <stdint.h>

#include <acor/scan.h>

#include "base/alloc.h"

enum { ACR_CHAIN_INLINE = 32 };

/* Memory that may outlive a scan. */
typedef struct acr_pending {
    const acr_mem *mem;
    acor_match *items; /* a leftmost-longest choice's; NULL until the inline ones do not
                          suffice */
    size_t cap;
    acor_match *late; /* hits that an engine found before others that come first */
    size_t late_cap;
} acr_pending;

void acr_pending_free(acr_pending *p);

typedef struct acr_select {
    /* The text at hand, as in the engine's job. Moved along by whoever moves it. */
    const unsigned char *text;
    size_t len;
    uint64_t origin;

    int fold;
    acor_scan_options options;
    acor_match_fn fn; /* NULL: count */
    void *user;
    uint64_t count; /* matches reported */
    int status;     /* ACOR_OK, ACOR_STOPPED, or what went wrong */
    int one_by_one; /* hits are to be offered, not taken in groups */

    /*
     * Leftmost-longest: the matches that would be chosen if no more hits came, in
     * [head, tail), neither overlapping nor touching each other's start. A hit ends
     * no earlier than any before it, so it is dropped if it overlaps one that starts
     * before it, and otherwise puts out all that start where it does or later.
     */
    acr_pending *pending;
    acor_match inline_items[ACR_CHAIN_INLINE];
    acor_match *items;
    size_t cap, head, tail;
    uint64_t taken; /* end of the last match chosen for good */
} acr_select;

/* options are checked already; s->text, len, origin, fold, fn, user are the caller's to set. */
void acr_select_init(acr_select *s, const acor_scan_options *options, acr_pending *pending);

/* Hits in order, never none; only if one_by_one is not set. 0, or -1: enough. */
int acr_select_take(acr_select *s, const acor_match *hits, size_t n);

/* One hit, in order. 0; 1: the shorter hits of this end cannot be chosen any more;
 * -1: enough, and status says why. */
int acr_select_offer(acr_select *s, const acor_match *hit);

/* No later hit starts before horizon: choose what that settles. 0, or -1: enough. */
int acr_select_settle(acr_select *s, uint64_t horizon);

#endif /* ACR_ENGINE_SELECT_H */
