/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/filter.h"

#include <acor/status.h>

#include "base/error.h"

enum {
    GRAM = 4,
    LONG = 8,       /* bytes from which a pattern is long */
    PAIR_GRAMS = 6, /* of a pattern, three for even and three for odd places */
    PAIR_LEAST = PAIR_GRAMS + GRAM - 1,
    SMALL_TABLE = 16, /* bits of a hash: 64 KiB, stays in the second-level cache */
    LARGE_TABLE = 18,
    SMALL_PATTERNS = 20000
};

#define CASE_BITS UINT64_C(0x2020202020202020)

static int has_bad_rune(acr_slice s)
{
    for (size_t i = 0; i + 3 <= s.len; i++)
        if (s.data[i] == 0xEF && s.data[i + 1] == 0xBF && s.data[i + 2] == 0xBD)
            return 1;
    return 0;
}

static int is_ascii(acr_slice s)
{
    unsigned char all = 0;
    for (size_t i = 0; i < s.len; i++)
        all |= s.data[i];
    return all < 0x80;
}

/* The shortest pattern's bytes; 0 if there can be no filter. */
static size_t shortest(const acr_patterns *p)
{
    size_t least = p->n ? SIZE_MAX : 0;
    for (uint32_t k = 0; k < p->n; k++) {
        acr_slice s = p->bytes[k];
        if (s.len < GRAM || has_bad_rune(s) || (p->fold && !is_ascii(s)))
            return 0;
        if (s.len < least)
            least = s.len;
    }
    return least;
}

static void set(acr_filter *f, acr_slice s, size_t at, unsigned bit)
{
    uint32_t gram = acr_filter_load4(s.data + at) | (uint32_t)f->fold;
    f->table[acr_filter_hash4(gram, f->table_bits)] |= (uint8_t)(1u << bit);
}

static void add_pairs(acr_filter *f, acr_slice s)
{
    for (unsigned i = 0; i < PAIR_GRAMS; i++)
        set(f, s, i, i % 2 * 3 + i / 2);
}

static void add_classes(acr_filter *f, acr_slice s)
{
    if (s.len == GRAM) {
        set(f, s, 0, 7);
    } else if (s.len < LONG) {
        set(f, s, 0, 5);
        set(f, s, 1, 6);
    } else {
        for (unsigned i = 0; i <= LONG - GRAM; i++)
            set(f, s, i, i);
    }
}

static void add(acr_filter *f, acr_slice s)
{
    if (f->kind == ACR_FILTER_PAIRS)
        add_pairs(f, s);
    else
        add_classes(f, s);
    if (s.len >= LONG) {
        uint64_t h = acr_filter_hash8(acr_filter_load8(s.data) | f->fold, f->long_bits);
        f->longs[h / 64] |= UINT64_C(1) << (h % 64);
    }
}

int acr_filter_make(acr_filter *f, const acr_mem *mem, const acr_patterns *patterns,
                    acor_error *err)
{
    *f = (acr_filter){.mem = mem};
    size_t least = shortest(patterns);
    if (least == 0)
        return ACOR_NOTFOUND;
    f->fold = patterns->fold ? CASE_BITS : 0;
    f->kind = least >= PAIR_LEAST ? ACR_FILTER_PAIRS : ACR_FILTER_CLASSES;
    f->step = acr_filter_fastest(f->kind);
    f->table_bits = patterns->n <= SMALL_PATTERNS ? SMALL_TABLE : LARGE_TABLE;
    for (f->long_bits = 12; UINT64_C(1) << f->long_bits < UINT64_C(16) * patterns->n;)
        f->long_bits++;
    f->table = acr_alloc_zero(mem, (size_t)1 << f->table_bits);
    f->longs = acr_alloc_zero(mem, ((size_t)1 << f->long_bits) / 8);
    if (f->table == NULL || f->longs == NULL) {
        acr_filter_free(f);
        return acr_fail_nomem(err);
    }
    for (uint32_t k = 0; k < patterns->n; k++)
        add(f, patterns->bytes[k]);
    return ACOR_OK;
}

size_t acr_filter_memory(const acr_filter *f)
{
    return ((size_t)1 << f->table_bits) + ((size_t)1 << f->long_bits) / 8;
}

void acr_filter_free(acr_filter *f)
{
    acr_free(f->mem, f->table, (size_t)1 << f->table_bits);
    acr_free(f->mem, f->longs, ((size_t)1 << f->long_bits) / 8);
}

int acr_filter_blind(const acr_filter *f, const unsigned char *p, size_t n)
{
    if (f->fold == 0)
        return 0;
    /* U+0130 is C4 B0, U+212A is E2 84 AA. */
    unsigned found = 0;
    for (size_t i = 0; i + 3 <= n; i++)
        found |= (unsigned)(p[i] == 0xC4) & (p[i + 1] == 0xB0);
    for (size_t i = 0; i + 3 <= n; i++)
        found |= (unsigned)(p[i] == 0xE2) & (p[i + 1] == 0x84) & (p[i + 2] == 0xAA);
    return found != 0;
}
