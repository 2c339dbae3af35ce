/* SPDX-License-Identifier: Apache-2.0 */
#include "text/utf8.h"

#define HIGH_BITS UINT64_C(0x8080808080808080)

static int all_ascii8(const unsigned char *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return (x & HIGH_BITS) == 0;
}

static const acr_rune bad = {ACR_RUNE_BAD, 1, 0};

static int is_tail(unsigned char c)
{
    return (c & 0xC0) == 0x80;
}

acr_rune acr_utf8_decode(const unsigned char *p, const unsigned char *end)
{
    unsigned char c = p[0];
    if (c < 0x80)
        return (acr_rune){c, 1, 1};
    size_t n = (size_t)(end - p);
    if (c < 0xC2 || n < 2)
        return bad;
    if (c < 0xE0) {
        if (!is_tail(p[1]))
            return bad;
        return (acr_rune){(c & 0x1Fu) << 6 | (p[1] & 0x3Fu), 2, 1};
    }
    /* The second byte's range keeps out overlongs, surrogates, what is too large. */
    if (c < 0xF0) {
        unsigned char lo = c == 0xE0 ? 0xA0 : 0x80, hi = c == 0xED ? 0x9F : 0xBF;
        if (n < 3 || p[1] < lo || p[1] > hi || !is_tail(p[2]))
            return bad;
        return (acr_rune){(c & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu), 3, 1};
    }
    unsigned char lo = c == 0xF0 ? 0x90 : 0x80, hi = c == 0xF4 ? 0x8F : 0xBF;
    if (c > 0xF4 || n < 4 || p[1] < lo || p[1] > hi || !is_tail(p[2]) || !is_tail(p[3]))
        return bad;
    return (acr_rune){(c & 0x07u) << 18 | (p[1] & 0x3Fu) << 12 | (p[2] & 0x3Fu) << 6 |
                          (p[3] & 0x3Fu),
                      4, 1};
}

acr_rune acr_utf8_decode_before(const unsigned char *begin, const unsigned char *p)
{
    if (p[-1] < 0x80)
        return (acr_rune){p[-1], 1, 1};
    /*
     * The nearest byte that is no tail begins the only sequence that can end
     * here; no other sequence can hold it, so decoding forwards agrees.
     */
    size_t reach = (size_t)(p - begin);
    if (reach > 4)
        reach = 4;
    for (size_t n = 1; n <= reach; n++) {
        if (is_tail(p[-(ptrdiff_t)n]))
            continue;
        acr_rune r = acr_utf8_decode(p - n, p);
        return r.width == n ? r : bad;
    }
    return bad;
}

const unsigned char *acr_utf8_boundary(const unsigned char *begin, const unsigned char *p,
                                       const unsigned char *end)
{
    if (p == end || !is_tail(*p))
        return p;
    /* The nearest byte that is no tail begins the only sequence that can hold p. */
    for (ptrdiff_t n = 1; n <= 3 && n <= p - begin; n++)
        if (!is_tail(p[-n]))
            return acr_utf8_decode(p - n, end).width > n ? p - n : p;
    return p;
}

size_t acr_utf8_encode(unsigned char *dst, uint32_t cp)
{
    if (cp < 0x80) {
        dst[0] = (unsigned char)cp;
        return 1;
    }
    if (cp < 0x800) {
        dst[0] = (unsigned char)(0xC0 | cp >> 6);
        dst[1] = (unsigned char)(0x80 | (cp & 0x3F));
        return 2;
    }
    if (cp < 0x10000) {
        dst[0] = (unsigned char)(0xE0 | cp >> 12);
        dst[1] = (unsigned char)(0x80 | (cp >> 6 & 0x3F));
        dst[2] = (unsigned char)(0x80 | (cp & 0x3F));
        return 3;
    }
    dst[0] = (unsigned char)(0xF0 | cp >> 18);
    dst[1] = (unsigned char)(0x80 | (cp >> 12 & 0x3F));
    dst[2] = (unsigned char)(0x80 | (cp >> 6 & 0x3F));
    dst[3] = (unsigned char)(0x80 | (cp & 0x3F));
    return 4;
}

size_t acr_utf8_count(acr_slice s)
{
    if (s.len == 0)
        return 0;
    const unsigned char *p = s.data, *end = s.data + s.len;
    size_t n = 0;
    while (p < end) {
        if (*p < 0x80) {
            while (end - p >= 8 && all_ascii8(p)) {
                p += 8;
                n += 8;
            }
            if (p == end)
                break;
        }
        p += acr_utf8_decode(p, end).width;
        n++;
    }
    return n;
}

int acr_utf8_valid(acr_slice s)
{
    if (s.len == 0)
        return 1;
    const unsigned char *p = s.data, *end = s.data + s.len;
    while (p < end) {
        if (*p < 0x80) {
            while (end - p >= 8 && all_ascii8(p))
                p += 8;
            if (p == end)
                break;
        }
        acr_rune r = acr_utf8_decode(p, end);
        if (!r.valid)
            return 0;
        p += r.width;
    }
    return 1;
}

const unsigned char *acr_utf8_forward(const unsigned char *p, const unsigned char *end,
                                      size_t n)
{
    while (n > 0 && p < end) {
        if (n >= 8 && end - p >= 8 && all_ascii8(p)) {
            p += 8;
            n -= 8;
        } else {
            p += acr_utf8_decode(p, end).width;
            n--;
        }
    }
    return p;
}

const unsigned char *acr_utf8_back(const unsigned char *begin, const unsigned char *p,
                                   size_t n)
{
    while (n > 0 && p > begin) {
        if (n >= 8 && p - begin >= 8 && all_ascii8(p - 8)) {
            p -= 8;
            n -= 8;
        } else {
            p -= acr_utf8_decode_before(begin, p).width;
            n--;
        }
    }
    return p;
}
