/* SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"

#include <assert.h>
#include <string.h>
#include <xxhash.h>

#include "base/error.h"

uint64_t acr_hash(acr_slice key)
{
    return XXH3_64bits(key.data, key.len);
}

void acr_hash_name(acr_slice value, unsigned char out[16])
{
    XXH128_canonical_t name;
    XXH128_canonicalFromHash(&name, XXH3_128bits(value.data, value.len));
    memcpy(out, name.digest, sizeof name.digest);
}

void acr_map_init(acr_map *map, const acr_mem *mem)
{
    *map = (acr_map){.mem = mem};
}

void acr_map_free(acr_map *map)
{
    acr_free(map->mem, map->slots, map->cap * sizeof *map->slots);
    acr_map_init(map, map->mem);
}

int acr_map_copy(acr_map *dst, const acr_map *src, acor_error *err)
{
    if (src->cap != 0) {
        dst->slots = acr_alloc_array(dst->mem, src->cap, sizeof *dst->slots);
        if (dst->slots == NULL)
            return acr_fail_nomem(err);
        memcpy(dst->slots, src->slots, src->cap * sizeof *dst->slots);
    }
    dst->cap = src->cap;
    dst->used = src->used;
    return ACOR_OK;
}

uint32_t acr_map_get(const acr_map *map, uint64_t hash, acr_slice key,
                     acr_map_same_fn same, const void *user)
{
    if (map->used == 0)
        return ACR_MAP_NONE;
    size_t mask = map->cap - 1;
    for (size_t i = (size_t)hash & mask; map->slots[i].value != ACR_MAP_NONE;
         i = (i + 1) & mask)
        if (map->slots[i].hash == (uint32_t)hash && same(user, map->slots[i].value, key))
            return map->slots[i].value;
    return ACR_MAP_NONE;
}

static void place(acr_map_slot *slots, size_t mask, acr_map_slot s)
{
    size_t i = s.hash & mask;
    while (slots[i].value != ACR_MAP_NONE)
        i = (i + 1) & mask;
    slots[i] = s;
}

int acr_map_reserve(acr_map *map, size_t n, acor_error *err)
{
    if (n > SIZE_MAX / 4 - map->used)
        return acr_fail_nomem(err);
    size_t need = map->used + n;
    if (need + need / 2 < map->cap)
        return ACOR_OK;
    size_t cap = map->cap ? map->cap : 16;
    while (need + need / 2 >= cap)
        cap *= 2;
    acr_map_slot *slots = acr_alloc_array(map->mem, cap, sizeof *slots);
    if (slots == NULL)
        return acr_fail_nomem(err);
    memset(slots, 0xFF, cap * sizeof *slots);
    for (size_t i = 0; i < map->cap; i++)
        if (map->slots[i].value != ACR_MAP_NONE)
            place(slots, cap - 1, map->slots[i]);
    acr_free(map->mem, map->slots, map->cap * sizeof *slots);
    map->slots = slots;
    map->cap = cap;
    return ACOR_OK;
}

int acr_map_put(acr_map *map, uint64_t hash, uint32_t value, acor_error *err)
{
    assert(value != ACR_MAP_NONE);
    ACR_TRY(acr_map_reserve(map, 1, err));
    place(map->slots, map->cap - 1, (acr_map_slot){value, (uint32_t)hash});
    map->used++;
    return ACOR_OK;
}

void acr_map_remove(acr_map *map, uint64_t hash, uint32_t value)
{
    size_t mask = map->cap - 1;
    size_t i = (size_t)hash & mask;
    while (map->slots[i].value != value) {
        assert(map->slots[i].value != ACR_MAP_NONE);
        i = (i + 1) & mask;
    }
    /* Move later members of the run back, so that no look-up stops short. */
    for (size_t j = (i + 1) & mask; map->slots[j].value != ACR_MAP_NONE; j = (j + 1) & mask) {
        size_t home = map->slots[j].hash & mask;
        if (((j - home) & mask) >= ((j - i) & mask)) {
            map->slots[i] = map->slots[j];
            i = j;
        }
    }
    map->slots[i].value = ACR_MAP_NONE;
    map->used--;
}
