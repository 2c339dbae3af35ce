/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoding as Go's: strict UTF-8, and every byte that does not start a complete
 * valid sequence is one U+FFFD of width 1.
 */
#ifndef ACR_TEXT_UTF8_H
#define ACR_TEXT_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

#define ACR_RUNE_BAD UINT32_C(0xFFFD)
#define ACR_RUNE_MAX UINT32_C(0x10FFFF)

typedef struct acr_rune {
    uint32_t cp;
    uint8_t width; /* bytes it took: 1 to 4 */
    uint8_t valid; /* 0: an undecodable byte, cp is U+FFFD */
} acr_rune;

/* The code point at p; end > p. */
acr_rune acr_utf8_decode(const unsigned char *p, const unsigned char *end);

/* The code point that ends at p, looking back no further than begin; p > begin. */
acr_rune acr_utf8_decode_before(const unsigned char *begin, const unsigned char *p);

/* The place nearest to p, not behind it, where a code point starts, or end itself. */
const unsigned char *acr_utf8_boundary(const unsigned char *begin, const unsigned char *p,
                                       const unsigned char *end);

/* Writes 1 to 4 bytes to dst and returns their number; cp is a scalar value. */
size_t acr_utf8_encode(unsigned char *dst, uint32_t cp);

/* Code points in s, each undecodable byte counting as one. */
size_t acr_utf8_count(acr_slice s);

/* 1 if every byte belongs to a valid sequence. */
int acr_utf8_valid(acr_slice s);

/* Move on n code points from p, not past end; the place is returned. */
const unsigned char *acr_utf8_forward(const unsigned char *p, const unsigned char *end,
                                      size_t n);

/*
 * Move back n code points from p, not past begin; the place is returned.
 * For a start offset from an end offset and a length in code points.
 */
const unsigned char *acr_utf8_back(const unsigned char *begin, const unsigned char *p,
                                   size_t n);

#endif /* ACR_TEXT_UTF8_H */
