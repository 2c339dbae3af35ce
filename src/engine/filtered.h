/* SPDX-License-Identifier: Apache-2.0 */
/* An automaton behind a filter: it runs only where a pattern may begin. */
#ifndef ACR_ENGINE_FILTERED_H
#define ACR_ENGINE_FILTERED_H

#include "engine/automaton.h"

/* When to change the way of working; no choice changes what is found. */
typedef struct acr_filtered_limits {
    size_t block;      /* bytes between two decisions which way to go on */
    size_t small_job;  /* a job below this is the automaton's */
    size_t dense;      /* one candidate in so many bytes is too many: then ... */
    size_t closed;     /* ... so many bytes are the automaton's, at first, and ... */
    size_t closed_max; /* ... twice as many each time, up to this */
} acr_filtered_limits;

/*
 * Put a filter before an automaton, which it takes over. ACOR_NOTFOUND if the patterns
 * cannot have one; the automaton stays the caller's then, and on failure. limits: NULL
 * for those that are measured to be good.
 */
int acr_filtered_make(acr_engine **out, const acr_mem *mem, acr_automaton *a,
                      const acr_patterns *patterns, const acr_filtered_limits *limits,
                      acor_error *err);

#endif /* ACR_ENGINE_FILTERED_H */
