/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an engine is to the rest of the layer: something immutable, made of
 * sorted patterns, that reports every occurrence of every pattern in a text,
 * ordered by end, the longest first. Which of them a caller sees is decided
 * behind it (select.h), so that engines cannot differ in results.
 */
#ifndef ACR_ENGINE_ENGINE_H
#define ACR_ENGINE_ENGINE_H

#include <stdint.h>

#include <acor/snapshot.h>

#include "base/alloc.h"
#include "base/slice.h"

/* What a build is given. Patterns are valid UTF-8, sorted by bytes, distinct,
 * not empty and, with fold set, equal to their own lower case. */
typedef struct acr_patterns {
    const acr_slice *bytes;
    const uint32_t *ids; /* reported for each; NULL: its place in bytes */
    uint32_t n;
    int fold; /* text is lower-cased before it is compared */
} acr_patterns;

/*
 * Takes hits in order, never none. No later hit starts before horizon (a byte
 * offset; may be lower than the truth). Anything but 0 ends the scan.
 */
typedef int (*acr_hits_fn)(void *user, const acor_match *hits, size_t n, uint64_t horizon);

typedef struct acr_scan_job {
    const unsigned char *text;
    size_t len;
    int codepoints; /* fill cp_start and cp_end, else UINT64_MAX */
    acr_hits_fn fn;
    void *user;
} acr_scan_job;

typedef struct acr_engine acr_engine;

typedef struct acr_engine_ops {
    /* 0, or what fn answered. Allocates nothing, keeps nothing. */
    int (*scan)(const acr_engine *e, const acr_scan_job *job);
    void (*free)(acr_engine *e);
} acr_engine_ops;

struct acr_engine {
    const acr_engine_ops *ops;
    const char *form; /* such as "dfa/flat" */
    uint64_t states;
    size_t memory; /* bytes allocated */
};

/* Build the engine that suits the patterns. *mem is copied. */
int acr_engine_build(acr_engine **out, const acr_mem *mem, const acr_patterns *patterns,
                     acor_error *err);

#endif /* ACR_ENGINE_ENGINE_H */
