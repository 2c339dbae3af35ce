/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a text is cut into chunks: as the Go library cuts it, so that options
 * mean the same. Sizes count code points, an undecodable byte being one; places
 * count bytes. What is a boundary does not depend on case, so the text need not
 * be lower-cased for it.
 */
#ifndef ACR_TEXT_CHUNKS_H
#define ACR_TEXT_CHUNKS_H

#include <acor/scan.h>

#include "base/slice.h"

/* Whether a place where a code point starts is a boundary. Neither end of the text is. */
int acr_is_boundary(acr_slice text, size_t at, uint32_t kind);

/* The boundary nearest to target among it and the max_back - 1 code points before it,
 * or else target. The start of the text is not looked at. */
size_t acr_find_boundary(acr_slice text, size_t target, uint32_t kind, uint64_t max_back);

typedef struct acr_chunks {
    acr_slice text;
    uint64_t size, overlap; /* size at least 1 */
    uint32_t kind;          /* an acor_boundary */
    size_t next;            /* where the next chunk begins; the text's end after the last */
    int done;               /* the last one was given out */
} acr_chunks;

void acr_chunks_init(acr_chunks *c, acr_slice text, uint64_t size, uint64_t overlap,
                     uint32_t kind);

/*
 * The next chunk: 1, or 0 if there is none. A text has at least one, be it empty.
 * One begins behind where the one before it did, and no later than that one ends.
 */
int acr_chunks_next(acr_chunks *c, size_t *start, size_t *end);

#endif /* ACR_TEXT_CHUNKS_H */
