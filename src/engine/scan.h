/* SPDX-License-Identifier: Apache-2.0 */
/* What every way in to a scan needs: options and scratch. */
#ifndef ACR_ENGINE_SCAN_H
#define ACR_ENGINE_SCAN_H

#include <acor/scan.h>

#include "engine/select.h"
#include "engine/snapshot.h"

/* Options as the caller gave them (NULL: defaults), checked. */
int acr_scan_options_import(acor_scan_options *o, const acor_scan_options *from,
                            acor_error *err);

/*
 * Told now and then, on the way, that no match starts before horizon any more. 0 to go
 * on; anything else ends the scan with ACOR_STOPPED.
 */
typedef int (*acr_settled_fn)(void *user, uint64_t horizon);

/*
 * acor_scan() with options that are checked and memory for the choice: ACOR_OK,
 * ACOR_STOPPED or ACOR_ENOMEM (without words). settled may be NULL; it is given user too.
 */
int acr_scan(const acor_snapshot *snap, const char *text, size_t len,
             const acor_scan_options *o, acr_pending *pending, acor_match_fn fn,
             acr_settled_fn settled, void *user, uint64_t *n);

#endif /* ACR_ENGINE_SCAN_H */
