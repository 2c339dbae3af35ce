/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding room in a double array: slots in blocks of 256, addressed by XOR, so
 * that all children of a state lie in one block.
 */
#ifndef ACR_ENGINE_PLACE_H
#define ACR_ENGINE_PLACE_H

#include "engine/automaton.h"

#define ACR_BLOCK 256

/* Only the newest blocks are searched: what they cannot take opens another. */
#define ACR_OPEN_BLOCKS 32

typedef struct acr_block {
    uint64_t free[ACR_BLOCK / 64]; /* one bit a slot */
    uint32_t left;
} acr_block;

typedef struct acr_place {
    acr_automaton *a;
    acr_block open[ACR_OPEN_BLOCKS]; /* ring: block b stands at b % ACR_OPEN_BLOCKS */
} acr_place;

void acr_place_init(acr_place *p, acr_automaton *a);

/* A base under which the n labels are free; their slots are taken. n is at least 1. */
int acr_place_children(acr_place *p, const uint8_t *labels, uint32_t n, uint32_t *base,
                       acor_error *err);

#endif /* ACR_ENGINE_PLACE_H */
