/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an engine is to the rest of the layer: something immutable, made of
 * sorted patterns, that reports every occurrence of every pattern in a text,
 * ordered by end, the longest first. Which of them a caller sees is decided
 * behind it (select.h), so that engines cannot differ in results.
 *
 * A text may come in pieces: a cursor holds what an engine knows at the place
 * where two of them meet. Offsets in cursors and hits count from the start of the
 * whole text, those in a job from the start of what is at hand of it:
 *
 *     whole text   |----------------------------------------------- ...
 *     at hand            |text        begin......end        len|
 *                  origin^
 */
#ifndef ACR_ENGINE_ENGINE_H
#define ACR_ENGINE_ENGINE_H

#include <stdint.h>

#include "base/alloc.h"
#include "base/slice.h"
#include "engine/select.h"

/* What a build is given. Patterns are valid UTF-8, sorted by bytes, distinct,
 * not empty and, with fold set, equal to their own lower case. */
typedef struct acr_patterns {
    const acr_slice *bytes;
    const uint32_t *ids; /* reported for each; NULL: its place in bytes */
    uint32_t n;
    int fold; /* text is lower-cased before it is compared */
} acr_patterns;

/* All zero at the start of a text. */
typedef struct acr_cursor {
    uint64_t state;  /* the engine's own */
    uint64_t offset; /* bytes before this place */
    uint64_t extra;  /* how many of them did not start a code point */
    uint64_t odd;    /* end of the last code point whose compared form is of another
                        length than its bytes: text before it is not to be measured
                        in bytes */
} acr_cursor;

typedef struct acr_scan_job {
    const unsigned char *text;
    size_t begin, end; /* to be scanned; code points start at both, or the text ends */
    uint64_t origin;
    acr_cursor *cursor; /* at begin; moved to end, unless the scan is stopped */
    int codepoints;     /* fill cp_start and cp_end, else UINT64_MAX */
    acr_select *to;
} acr_scan_job;

typedef struct acr_engine acr_engine;

typedef struct acr_engine_ops {
    /*
     * Hand every hit that ends in (begin, end] to job->to. The text at hand before
     * begin has to go back to where the cursor's text began, or by reach bytes.
     * 0, or -1 if the selection has had enough. Allocates nothing, keeps nothing.
     */
    int (*scan)(const acr_engine *e, const acr_scan_job *job);
    /* No hit behind this place starts before the offset returned (which may be
     * lower than the truth). */
    uint64_t (*horizon)(const acr_engine *e, const acr_cursor *at);
    void (*free)(acr_engine *e);
} acr_engine_ops;

struct acr_engine {
    const acr_engine_ops *ops;
    const char *form; /* such as "dfa/flat" */
    uint64_t states;
    uint64_t reach; /* no occurrence takes more bytes of text than this */
    size_t memory;  /* bytes allocated */
};

/* Build the engine that suits the patterns. *mem is copied. */
int acr_engine_build(acr_engine **out, const acr_mem *mem, const acr_patterns *patterns,
                     acor_error *err);

/* Every hit in a text, without code point offsets. ACOR_OK, ACOR_STOPPED if fn ended it,
 * or ACOR_ENOMEM (without words). */
int acr_engine_hits(const acr_engine *e, const acr_mem *mem, acr_slice text, acor_match_fn fn,
                    void *user);

#endif /* ACR_ENGINE_ENGINE_H */
