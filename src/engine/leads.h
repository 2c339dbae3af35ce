/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the first 8 bytes of a place in a text to the patterns that begin with them:
 * what a candidate of the filter is checked with, one look instead of a walk from
 * state to state. Patterns that share these bytes stand next to each other.
 */
#ifndef ACR_ENGINE_LEADS_H
#define ACR_ENGINE_LEADS_H

#include "engine/engine.h"

#define ACR_LEAD_BYTES 8

/* Patterns first to first + n - 1, in sorted order; n 0: free. */
typedef struct acr_lead {
    uint32_t tag; /* of the hash, so that few others are looked at */
    uint32_t first;
    uint32_t n;
} acr_lead;

typedef struct acr_leads {
    const acr_mem *mem;
    acr_lead *table;
    unsigned bits;       /* 1 << bits entries */
    unsigned char *text; /* all patterns, one behind the other */
    size_t text_len;
    uint64_t *at; /* where pattern k begins in text; at[n] is its end */
    uint32_t n;
    uint64_t fold; /* or-ed to bytes before they are hashed */
} acr_leads;

/* Patterns below ACR_LEAD_BYTES are left out of the table. */
int acr_leads_make(acr_leads *l, const acr_mem *mem, const acr_patterns *patterns,
                   uint64_t fold, acor_error *err);
void acr_leads_free(acr_leads *l);
size_t acr_leads_memory(const acr_leads *l);

/* Ask for the cache line in which a search for these 8 bytes would begin. */
void acr_leads_prefetch(const acr_leads *l, const unsigned char *p);

/* Entries that may be of the 8 bytes at p, one after the other, then NULL. */
typedef struct acr_leads_search {
    uint32_t tag;
    size_t place;
} acr_leads_search;

acr_leads_search acr_leads_begin(const acr_leads *l, const unsigned char *p);
const acr_lead *acr_leads_next(const acr_leads *l, acr_leads_search *search);

static inline acr_slice acr_leads_pattern(const acr_leads *l, uint32_t k)
{
    return acr_slice_of(l->text + l->at[k], (size_t)(l->at[k + 1] - l->at[k]));
}

#endif /* ACR_ENGINE_LEADS_H */
