/* SPDX-License-Identifier: Apache-2.0 */
/* Scans for callers inside the library, and lists of what they found. */
#ifndef ACR_ENGINE_SCAN_H
#define ACR_ENGINE_SCAN_H

#include <acor/snapshot.h>

#include "base/alloc.h"

/* Options as the caller gave them (NULL: defaults), checked. */
int acr_scan_options_import(acor_scan_options *o, const acor_scan_options *from,
                            acor_error *err);

/*
 * All matches as a list. once: only the first of each keyword. Reaching
 * max_matches is success. *out is NULL on failure.
 */
int acr_matches_collect(acor_match_list **out, acor_snapshot *snap, const char *text,
                        size_t len, const acor_scan_options *options, int once,
                        acor_error *err);

/* A list without matches and without a snapshot. */
int acr_matches_none(acor_match_list **out, const acr_mem *mem, acor_error *err);

#endif /* ACR_ENGINE_SCAN_H */
