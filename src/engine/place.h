/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding room in a double array: slots in blocks with a power of two of them, one
 * for each symbol at least, addressed by XOR, so that all children of a state lie
 * in one block.
 */
#ifndef ACR_ENGINE_PLACE_H
#define ACR_ENGINE_PLACE_H

#include "engine/automaton.h"

#define ACR_BLOCK_MIN 256

/* Only the newest blocks are searched: what they cannot take opens another. */
#define ACR_OPEN_BLOCKS 8

typedef struct acr_place {
    acr_automaton *a;
    uint32_t block;  /* slots of one */
    uint64_t *free;  /* one bit a slot; block b stands at b % ACR_OPEN_BLOCKS */
    uint32_t left[ACR_OPEN_BLOCKS];  /* free slots */
    uint32_t first[ACR_OPEN_BLOCKS]; /* words of free before it are 0 */
} acr_place;

int acr_place_init(acr_place *p, acr_automaton *a, acor_error *err);
void acr_place_free(acr_place *p);

/* A base under which the n labels are free; their slots are taken. n is at least 1. */
int acr_place_children(acr_place *p, const uint32_t *labels, uint32_t n, uint32_t *base,
                       acor_error *err);

#endif /* ACR_ENGINE_PLACE_H */
