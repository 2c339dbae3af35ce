/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops over a text. Each looks up the table for its places first and then tells
 * runs of bits in what it got, many places at a time.
 */
#include "engine/filter.h"

#if defined __x86_64__ && defined __GNUC__
#define HAVE_AVX2_TWIN 1
#include <immintrin.h>
#endif

/* Looked-up bytes of a step, and of the places behind it whose grams belong to it. */
enum { LOOKED_UP = ACR_FILTER_STEP + 64 };

#define EACH_BYTE UINT64_C(0x0101010101010101)

static inline int is_long_start(const acr_filter *f, const unsigned char *p)
{
    uint64_t h = acr_filter_hash8(acr_filter_load8(p) | f->fold, f->long_bits);
    return (int)(f->longs[h / 64] >> (h % 64) & 1);
}

/* Table bytes of n places, every stride-th, and zeros behind them. */
static inline void look_up(const acr_filter *f, const unsigned char *p, size_t n, size_t stride,
                           uint8_t *bits)
{
    const uint8_t *table = f->table;
    uint32_t fold = (uint32_t)f->fold;
    unsigned table_bits = f->table_bits;
    for (size_t i = 0; i < n; i++)
        bits[i] = table[acr_filter_hash4(acr_filter_load4(p + i * stride) | fold, table_bits)];
    memset(bits + n, 0, LOOKED_UP - n);
}

/* Starts at the even place e and at the odd one before it, of n. */
static inline size_t put_pair(const acr_filter *f, const unsigned char *p, size_t n, size_t e,
                              unsigned bits, uint16_t *out)
{
    size_t found = 0;
    if ((bits & 8) && e > 0 && is_long_start(f, p + e - 1))
        out[found++] = (uint16_t)(e - 1);
    if ((bits & 1) && e < n && is_long_start(f, p + e))
        out[found++] = (uint16_t)e;
    return found;
}

static inline size_t put_class(const acr_filter *f, const unsigned char *p, size_t n, size_t at,
                               unsigned bits, uint16_t *out)
{
    if (at >= n || (!(bits & 0xA0) && !is_long_start(f, p + at)))
        return 0;
    *out = (uint16_t)(bits & 0xA0 ? at | ACR_FILTER_SHORT : at);
    return 1;
}

/* Bits 0 and 3: a run of three begins there. */
static inline uint64_t pairs_of(const uint8_t *bits)
{
    return acr_filter_load8(bits) & acr_filter_load8(bits + 1) >> 1 &
           acr_filter_load8(bits + 2) >> 2 & EACH_BYTE * 9;
}

/* Bit 0: a run of five from bit 0 on begins there; bits 5 and 7: the shorter ones. */
static inline uint64_t classes_of(const uint8_t *bits)
{
    uint64_t all = acr_filter_load8(bits), next = acr_filter_load8(bits + 1) >> 1;
    uint64_t longs = all & next & acr_filter_load8(bits + 2) >> 2 &
                     acr_filter_load8(bits + 3) >> 3 & acr_filter_load8(bits + 4) >> 4 & EACH_BYTE;
    return longs | (all & next & EACH_BYTE << 5) | (all & EACH_BYTE << 7);
}

/* Byte i of 8, counted in memory. */
static inline unsigned byte_at(uint64_t bytes, unsigned i)
{
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    i = 7 - i;
#endif
    return (unsigned)(bytes >> 8 * i) & 0xFF;
}

static size_t pairs_portable(const acr_filter *f, const unsigned char *p, size_t n, uint16_t *out)
{
    uint8_t bits[LOOKED_UP];
    size_t found = 0, places = n / 2 + 1;
    look_up(f, p, places + 2, 2, bits);
    for (size_t i = 0; i < places; i += 8) {
        uint64_t hits = pairs_of(bits + i);
        for (unsigned j = 0; hits != 0 && j < 8 && i + j < places; j++)
            found += put_pair(f, p, n, 2 * (i + j), byte_at(hits, j), out + found);
    }
    return found;
}

static size_t classes_portable(const acr_filter *f, const unsigned char *p, size_t n,
                               uint16_t *out)
{
    uint8_t bits[LOOKED_UP];
    size_t found = 0;
    look_up(f, p, n + 4, 1, bits);
    for (size_t i = 0; i < n; i += 8) {
        uint64_t hits = classes_of(bits + i);
        for (unsigned j = 0; hits != 0 && j < 8; j++)
            if (byte_at(hits, j) != 0)
                found += put_class(f, p, n, i + j, byte_at(hits, j), out + found);
    }
    return found;
}

acr_filter_step_fn acr_filter_portable(acr_filter_kind kind)
{
    return kind == ACR_FILTER_PAIRS ? pairs_portable : classes_portable;
}

#ifdef HAVE_AVX2_TWIN

#define AVX2 __attribute__((target("avx2")))

static inline AVX2 __m256i load32(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

/* 32 bytes of what pairs_of() says of 8. */
static inline AVX2 __m256i pairs32(const uint8_t *bits)
{
    __m256i runs = _mm256_and_si256(load32(bits), _mm256_srli_epi16(load32(bits + 1), 1));
    runs = _mm256_and_si256(runs, _mm256_srli_epi16(load32(bits + 2), 2));
    return _mm256_and_si256(runs, _mm256_set1_epi8(9));
}

static inline AVX2 __m256i classes32(const uint8_t *bits)
{
    __m256i all = load32(bits), next = _mm256_srli_epi16(load32(bits + 1), 1);
    __m256i runs = _mm256_and_si256(all, next);
    __m256i longs = _mm256_and_si256(runs, _mm256_srli_epi16(load32(bits + 2), 2));
    longs = _mm256_and_si256(longs, _mm256_srli_epi16(load32(bits + 3), 3));
    longs = _mm256_and_si256(longs, _mm256_srli_epi16(load32(bits + 4), 4));
    longs = _mm256_and_si256(longs, _mm256_set1_epi8(1));
    runs = _mm256_and_si256(runs, _mm256_set1_epi8(1 << 5));
    all = _mm256_and_si256(all, _mm256_set1_epi8((char)(1 << 7)));
    return _mm256_or_si256(longs, _mm256_or_si256(runs, all));
}

static inline AVX2 uint32_t which(__m256i hits)
{
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(hits, _mm256_setzero_si256()));
}

static AVX2 size_t pairs_avx2(const acr_filter *f, const unsigned char *p, size_t n, uint16_t *out)
{
    uint8_t bits[LOOKED_UP];
    size_t found = 0, places = n / 2 + 1;
    look_up(f, p, places + 2, 2, bits);
    for (size_t i = 0; i < places; i += 32) {
        uint8_t hits[32];
        __m256i runs = pairs32(bits + i);
        uint32_t left = which(runs);
        if (left == 0)
            continue;
        _mm256_storeu_si256((__m256i *)(void *)hits, runs);
        for (; left != 0; left &= left - 1) {
            unsigned j = (unsigned)__builtin_ctz(left);
            if (i + j < places)
                found += put_pair(f, p, n, 2 * (i + j), hits[j], out + found);
        }
    }
    return found;
}

static AVX2 size_t classes_avx2(const acr_filter *f, const unsigned char *p, size_t n,
                                uint16_t *out)
{
    uint8_t bits[LOOKED_UP];
    size_t found = 0;
    look_up(f, p, n + 4, 1, bits);
    for (size_t i = 0; i < n; i += 32) {
        uint8_t hits[32];
        __m256i runs = classes32(bits + i);
        uint32_t left = which(runs);
        if (left == 0)
            continue;
        _mm256_storeu_si256((__m256i *)(void *)hits, runs);
        for (; left != 0; left &= left - 1) {
            unsigned j = (unsigned)__builtin_ctz(left);
            found += put_class(f, p, n, i + j, hits[j], out + found);
        }
    }
    return found;
}

acr_filter_step_fn acr_filter_fastest(acr_filter_kind kind)
{
    if (!__builtin_cpu_supports("avx2"))
        return acr_filter_portable(kind);
    return kind == ACR_FILTER_PAIRS ? pairs_avx2 : classes_avx2;
}

#else

acr_filter_step_fn acr_filter_fastest(acr_filter_kind kind)
{
    return acr_filter_portable(kind);
}

#endif
