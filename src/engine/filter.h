/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places of a text at which a pattern may begin, found without an automaton: a
 * q-gram filter (superimposed shift-and over hashed 4-grams; Salmela, Tarhio and
 * Kytojoki, Multipattern string matching with q-grams, JEA 11, 2006).
 *
 * A table has a byte for each hash of 4 bytes of text. A bit of it says: in some
 * pattern these bytes stand so many places behind its beginning.
 *
 *     ACR_FILTER_PAIRS, no pattern below 9 bytes. Every second place of a text is
 *     looked at, so a pattern's grams are met at even or at odd places of it:
 *         bits 0 1 2: grams 0 2 4    bits 3 4 5: grams 1 3 5
 *     ACR_FILTER_CLASSES, no pattern below 4 bytes. Every place is looked at:
 *         bits 0-4: grams 0-4 of patterns of 8 bytes and more
 *         bits 5 6: grams 0 1 of those of 5 to 7 bytes    bit 7: those of 4 bytes
 *
 * Candidates for a long pattern are then looked up by a hash of their first 8 bytes.
 * What passes is not yet a match; what does not pass begins none.
 */
#ifndef ACR_ENGINE_FILTER_H
#define ACR_ENGINE_FILTER_H

#include <string.h>

#include "engine/engine.h"

/* Bytes behind a block that a kernel may look at. */
#define ACR_FILTER_AHEAD 16

typedef enum acr_filter_kind { ACR_FILTER_PAIRS, ACR_FILTER_CLASSES } acr_filter_kind;

typedef struct acr_filter acr_filter;

/* A kernel's share of a block. */
#define ACR_FILTER_STEP 1024

/* With a candidate: a pattern below 8 bytes may begin there. Otherwise only longer ones. */
#define ACR_FILTER_SHORT (1u << 15)

/*
 * Candidates among the first n places of p, rising, as offsets from p; n is at most
 * ACR_FILTER_STEP. Up to ACR_FILTER_AHEAD bytes behind them are looked at.
 */
typedef size_t (*acr_filter_step_fn)(const acr_filter *f, const unsigned char *p, size_t n,
                                     uint16_t *out);

struct acr_filter {
    const acr_mem *mem;
    acr_filter_kind kind;
    acr_filter_step_fn step; /* the kernel for the kind and the processor */
    uint8_t *table;
    unsigned table_bits;
    uint64_t *longs; /* one bit a hash of 8 bytes */
    unsigned long_bits;
    uint64_t fold; /* or-ed to bytes before they are hashed */
};

/*
 * ACOR_OK with a filter, ACOR_NOTFOUND if these patterns cannot have one: some are too
 * short, or text could equal them in other bytes than their own and their ASCII
 * capitals. Then there is nothing to free.
 */
int acr_filter_make(acr_filter *f, const acr_mem *mem, const acr_patterns *patterns,
                    acor_error *err);
void acr_filter_free(acr_filter *f);
size_t acr_filter_memory(const acr_filter *f);

/*
 * 1 if a text may hold code points that are lower-cased to ASCII but are not: then a
 * filter that folds does not see all beginnings in it.
 */
int acr_filter_blind(const acr_filter *f, const unsigned char *p, size_t n);

/* --- filter_kernel.c ----------------------------------------------------------- */

/* The same result from each: one in portable C, one for a processor that has AVX2. */
acr_filter_step_fn acr_filter_portable(acr_filter_kind kind);
acr_filter_step_fn acr_filter_fastest(acr_filter_kind kind);

/* Multiplicative hashing; the factors are 2^32 and 2^64 over the golden ratio. */
static inline uint32_t acr_filter_hash4(uint32_t bytes, unsigned bits)
{
    return bytes * UINT32_C(0x9E3779B1) >> (32 - bits);
}

static inline uint64_t acr_filter_hash8(uint64_t bytes, unsigned bits)
{
    return bytes * UINT64_C(0x9E3779B97F4A7C15) >> (64 - bits);
}

static inline uint32_t acr_filter_load4(const unsigned char *p)
{
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

static inline uint64_t acr_filter_load8(const unsigned char *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

#endif /* ACR_ENGINE_FILTER_H */
