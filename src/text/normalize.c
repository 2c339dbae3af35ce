/* SPDX-License-Identifier: Apache-2.0 */
#include "text/normalize.h"

#include <acor/snapshot.h>
#include <acor/types.h>

#include "base/error.h"
#include "text/unicode.h"
#include "text/utf8.h"

#define EACH_BYTE UINT64_C(0x0101010101010101)
#define HIGH_BITS (EACH_BYTE * 0x80)

acr_slice acr_trim(acr_slice s)
{
    if (s.len == 0)
        return s;
    const unsigned char *p = s.data, *end = s.data + s.len;
    while (p < end) {
        acr_rune r = acr_utf8_decode(p, end);
        if (!acr_is_space(r.cp))
            break;
        p += r.width;
    }
    while (end > p) {
        acr_rune r = acr_utf8_decode_before(p, end);
        if (!acr_is_space(r.cp))
            break;
        end -= r.width;
    }
    return acr_slice_of(p, (size_t)(end - p));
}

acor_string acor_trim(acor_string s)
{
    acr_slice t = acr_trim(acr_slice_of(s.data, s.len));
    return (acor_string){(const char *)t.data, t.len};
}

/* 0x80 in each byte that is A to Z; x has ASCII bytes only. */
static uint64_t capitals(uint64_t x)
{
    /* No sum leaves its byte: 0x7F + 0x3F is 0xBE. */
    uint64_t from_a = x + EACH_BYTE * (0x80 - 'A');
    uint64_t after_z = x + EACH_BYTE * (0x80 - 'Z' - 1);
    return (from_a ^ after_z) & HIGH_BITS;
}

/* Whole words of ASCII from p on, copied to dst; the number of bytes. */
static size_t copy_ascii(unsigned char *dst, const unsigned char *p, size_t n, int fold)
{
    size_t i = 0;
    for (uint64_t x; n - i >= sizeof x; i += sizeof x) {
        memcpy(&x, p + i, sizeof x);
        if (x & HIGH_BITS)
            break;
        if (fold)
            x |= capitals(x) >> 2;
        memcpy(dst + i, &x, sizeof x);
    }
    return i;
}

int acr_normalize(acr_buf *out, acr_slice s, int fold, size_t *len, acor_error *err)
{
    const size_t start = out->len;
    *len = 0;
    s = acr_trim(s);
    if (s.len == 0)
        return ACOR_OK;
    const unsigned char *p = s.data, *end = s.data + s.len;
    while (p < end) {
        size_t done = out->len - start;
        size_t left = (size_t)(end - p), room = ACOR_MAX_KEYWORD_BYTES - done;
        size_t want = left < room ? left : room;
        /* Four more, so that any one code point fits before it is judged. */
        int status = acr_buf_reserve(out, want + 4, err);
        if (status < 0) {
            out->len = start;
            return status;
        }
        size_t n = copy_ascii(out->data + out->len, p, want, fold);
        p += n;
        out->len += n;
        /* Code points one by one, until ASCII is met again or room runs out. */
        size_t cap = out->len + (want - n);
        while (p < end && out->len <= cap) {
            acr_rune r = acr_utf8_decode(p, end);
            p += r.width;
            uint32_t cp = fold ? acr_lower(r.cp) : r.cp;
            out->len += acr_utf8_encode(out->data + out->len, cp);
            if (r.width == 1 && p < end && *p < 0x80)
                break;
        }
        if (out->len - start > ACOR_MAX_KEYWORD_BYTES) {
            out->len = start;
            return ACOR_ELIMIT;
        }
    }
    *len = out->len - start;
    return ACOR_OK;
}

int acr_is_normal(acr_slice s, int fold)
{
    if (s.len > ACOR_MAX_KEYWORD_BYTES || acr_trim(s).len != s.len)
        return 0;
    for (size_t i = 0; i < s.len;) {
        uint64_t x;
        if (s.len - i >= sizeof x) {
            memcpy(&x, s.data + i, sizeof x);
            if ((x & HIGH_BITS) == 0) {
                if (fold && capitals(x))
                    return 0;
                i += sizeof x;
                continue;
            }
        }
        acr_rune r = acr_utf8_decode(s.data + i, s.data + s.len);
        if (!r.valid || (fold && acr_lower(r.cp) != r.cp))
            return 0;
        i += r.width;
    }
    return 1;
}
