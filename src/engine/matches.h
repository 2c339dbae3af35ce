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

/*
 * Each text's matches with code point offsets. Options are imported and checked, the
 * texts are not. All of out are NULL on failure.
 */
int acr_matches_collect_many(acor_match_list **out, acor_snapshot *snap,
                             const acor_string *texts, size_t n,
                             const acor_scan_options *opts, acor_error *err);

/* No text is NULL with a length. *bytes: of all together. */
int acr_texts_check(const acor_string *texts, size_t n, uint64_t *bytes, acor_error *err);

/* A list without matches and without a snapshot. */
int acr_matches_none(acor_match_list **out, const acr_mem *mem, acor_error *err);

/* A list without matches, with room for so many. */
int acr_matches_new(acor_match_list **out, acor_snapshot *snap, size_t room, acor_error *err);

/* One more; there is room. */
void acr_matches_append(acor_match_list *list, const acor_match *m);

/* Free n lists and set them to NULL. */
void acr_matches_free_all(acor_match_list **lists, size_t n);

#endif /* ACR_ENGINE_MATCHES_H */
