/* SPDX-License-Identifier: Apache-2.0 */
/* What a snapshot is made of, and making one from words that are there already. */
#ifndef ACR_ENGINE_SNAPSHOT_H
#define ACR_ENGINE_SNAPSHOT_H

#include <acor/snapshot.h>

#include "base/thread.h"
#include "engine/engine.h"
#include "text/words.h"

struct acor_snapshot {
    acr_refs refs;
    acr_mem mem;
    acr_words *words; /* one reference */
    uint32_t *ids;    /* rising, one for each place of words; NULL: the place itself */
    uint32_t ids_end; /* one more than the largest id */
    int fold;
    uint32_t max_codepoints;
    acr_engine *engine;
};

/*
 * Compile words (packed: places without gaps), whose places become the ids. A
 * keyword that the text can never equal under this case mode is kept, and never
 * reported. The snapshot takes a reference to words.
 */
int acr_snapshot_new(acor_snapshot **out, const acr_mem *mem, acr_words *words, int fold,
                     acor_error *err);

/* The id of the keyword at a place of words. */
uint32_t acr_snapshot_id(const acor_snapshot *s, uint32_t place);

#endif /* ACR_ENGINE_SNAPSHOT_H */
