/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An index from hash to number, by open addressing. The keys stay with the
 * caller, who says whether the entry numbered so is the one wanted.
 */
#ifndef ACR_BASE_MAP_H
#define ACR_BASE_MAP_H

#include <stdint.h>

#include "base/alloc.h"
#include "base/slice.h"

#define ACR_MAP_NONE UINT32_MAX

typedef struct acr_map_slot {
    uint32_t value; /* ACR_MAP_NONE: free */
    uint32_t hash;  /* low half */
} acr_map_slot;

typedef struct acr_map {
    const acr_mem *mem;
    acr_map_slot *slots;
    size_t cap; /* a power of two, or 0 */
    size_t used;
} acr_map;

/* 1 if the entry numbered value has this key. */
typedef int (*acr_map_same_fn)(const void *user, uint32_t value, acr_slice key);

/* XXH3, 64 bits. */
uint64_t acr_hash(acr_slice key);

/* XXH3, 128 bits, the high half first: for naming a value by its hash. */
void acr_hash_name(acr_slice value, unsigned char out[16]);

void acr_map_init(acr_map *map, const acr_mem *mem);
void acr_map_free(acr_map *map);
int acr_map_copy(acr_map *dst, const acr_map *src, acor_error *err);

/* The number put under key, or ACR_MAP_NONE. */
uint32_t acr_map_get(const acr_map *map, uint64_t hash, acr_slice key,
                     acr_map_same_fn same, const void *user);

/* Put a number under a key that is not there. */
int acr_map_put(acr_map *map, uint64_t hash, uint32_t value, acor_error *err);

/* Make room so that the next n puts cannot fail. */
int acr_map_reserve(acr_map *map, size_t n, acor_error *err);

/* Take the number out that stands under this hash; it must be there. */
void acr_map_remove(acr_map *map, uint64_t hash, uint32_t value);

#endif /* ACR_BASE_MAP_H */
