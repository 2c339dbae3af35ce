/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of an engine's hits the caller sees: whole-word filter, then match
 * kind, then limit. The same for every engine.
 */
#ifndef ACR_ENGINE_SELECT_H
#define ACR_ENGINE_SELECT_H

#include "engine/engine.h"

enum { ACR_PENDING_INLINE = 32 };

/* Memory that may outlive a scan: candidates of a leftmost-longest choice. */
typedef struct acr_pending {
    const acr_mem *mem;
    acor_match *items; /* NULL until the inline ones do not suffice */
    size_t cap;
} acr_pending;

typedef struct acr_select {
    const unsigned char *text;
    size_t len;
    int fold;
    acor_scan_options options;
    acor_match_fn fn; /* NULL: count */
    void *user;
    uint64_t count; /* matches reported */
    int status;     /* ACOR_OK, ACOR_STOPPED, or what went wrong */

    /* Leftmost-longest: candidates [head, tail) sorted by start, one a start. A
     * match that ends later may still push any of them out, or free one again. */
    acr_pending *pending;
    acor_match inline_items[ACR_PENDING_INLINE];
    acor_match *items;
    size_t cap, head, tail;
    uint64_t taken; /* end of the last match chosen */
} acr_select;

void acr_select_init(acr_select *s, const acor_scan_options *options, acr_pending *pending);

/* An acr_hits_fn; user is the acr_select. Once it answers other than 0, status says why. */
int acr_select_hits(void *user, const acor_match *hits, size_t n, uint64_t horizon);

/* After the last hit: whatever is still a candidate is decided. */
void acr_select_finish(acr_select *s);

#endif /* ACR_ENGINE_SELECT_H */
