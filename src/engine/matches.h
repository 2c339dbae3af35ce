/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of matches, while they are made. */
#ifndef ACR_ENGINE_MATCHES_H
#define ACR_ENGINE_MATCHES_H

#include <acor/matches.h>

#include "base/alloc.h"

/* How a scan's matches become a list. */
typedef enum acr_listing {
    ACR_LIST_ALL,  /* in the order they come */
    ACR_LIST_ONCE, /* only the first of each keyword; max_matches counts these */
    ACR_LIST_INDEX /* those of one keyword together, keywords by their first one */
} acr_listing;

/*
 * Matches with code point offsets as a list. parallel: NULL for one thread.
 * Options are imported and checked. Reaching max_matches is success. *out is NULL
 * on failure.
 */
int acr_matches_collect(acor_match_list **out, acor_snapshot *snap, const char *text,
                        size_t len, const acor_scan_options *opts,
                        const acor_parallel_options *parallel, acr_listing listing,
                        acor_error *err);

/* A list without matches and without a snapshot. */
int acr_matches_none(acor_match_list **out, const acr_mem *mem, acor_error *err);

#endif /* ACR_ENGINE_MATCHES_H */
