/* SPDX-License-Identifier: Apache-2.0 */
#include "store/redis/json.h"

#include <string.h>

#include "base/error.h"
#include "text/utf8.h"

/* --- writing --------------------------------------------------------------- */

static const char hex_digits[] = "0123456789abcdef";

/* The escape of a code point in dst (6 bytes at most); 0 if it needs none. */
static size_t escape(char *dst, acr_rune r)
{
    static const char pairs[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    if (r.cp < 0x80) {
        for (size_t i = 0; pairs[i] != '\0'; i += 2) {
            if ((unsigned char)pairs[i] == r.cp) {
                dst[0] = '\\';
                dst[1] = pairs[i + 1];
                return 2;
            }
        }
    }
    int needed = r.cp < 0x20 || r.cp == '<' || r.cp == '>' || r.cp == '&' ||
                 r.cp == 0x2028 || r.cp == 0x2029 || !r.valid;
    if (!needed)
        return 0;
    dst[0] = '\\';
    dst[1] = 'u';
    for (int i = 0; i < 4; i++)
        dst[2 + i] = hex_digits[r.cp >> (12 - 4 * i) & 0xF];
    return 6;
}

/* ASCII that stands for itself: most of any dictionary, so worth a loop of its own. */
static int is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
}

static const unsigned char *skip_plain(const unsigned char *p, const unsigned char *end)
{
    while (p < end && is_plain(*p))
        p++;
    return p;
}

size_t acr_json_string_size(acr_slice s)
{
    size_t size = 2;
    const unsigned char *p = s.data, *end = s.len ? s.data + s.len : s.data;
    for (;;) {
        const unsigned char *plain = p;
        p = skip_plain(p, end);
        size += (size_t)(p - plain);
        if (p == end)
            return size;
        acr_rune r = acr_utf8_decode(p, end);
        char e[6];
        size_t n = escape(e, r);
        size += n ? n : r.width;
        p += r.width;
    }
}

int acr_json_put_string(acr_buf *out, acr_slice s, acor_error *err)
{
    ACR_TRY(acr_buf_reserve(out, acr_json_string_size(s), err));
    unsigned char *to = out->data + out->len;
    const unsigned char *p = s.data, *end = s.len ? s.data + s.len : s.data;
    *to++ = '"';
    for (;;) {
        const unsigned char *plain = p;
        p = skip_plain(p, end);
        if (p != plain)
            memcpy(to, plain, (size_t)(p - plain));
        to += p - plain;
        if (p == end)
            break;
        acr_rune r = acr_utf8_decode(p, end);
        char e[6];
        size_t n = escape(e, r);
        if (n != 0)
            memcpy(to, e, n);
        else
            memcpy(to, p, n = r.width);
        to += n;
        p += r.width;
    }
    *to++ = '"';
    out->len = (size_t)(to - out->data);
    return ACOR_OK;
}

/* --- reading --------------------------------------------------------------- */

typedef struct reader {
    const unsigned char *begin, *p, *end;
    const char *what;
    acr_buf *scratch;
    acor_error *err;
} reader;

static int bad(const reader *r, const char *why)
{
    return acr_fail(r->err, ACOR_ECORRUPT, "%s is no JSON array of strings: %s at byte %zu",
                    r->what, why, (size_t)(r->p - r->begin));
}

static void skip_blanks(reader *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r'))
        r->p++;
}

/* 1 and past it, if the next byte is c. */
static int take(reader *r, unsigned char c)
{
    if (r->p == r->end || *r->p != c)
        return 0;
    r->p++;
    return 1;
}

static int take_null(reader *r)
{
    if (r->end - r->p < 4 || memcmp(r->p, "null", 4) != 0)
        return 0;
    r->p += 4;
    return 1;
}

/* Four hexadecimal digits behind a \u, or -1. */
static int32_t take_hex4(reader *r)
{
    int32_t v = 0;
    if (r->end - r->p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        unsigned char c = r->p[i];
        int d = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
        if (d < 0)
            return -1;
        v = v * 16 + d;
    }
    r->p += 4;
    return v;
}

static int put_rune(reader *r, uint32_t cp)
{
    unsigned char form[4];
    return acr_buf_put(r->scratch, acr_slice_of(form, acr_utf8_encode(form, cp)), r->err);
}

/* Behind \u: a code point, or one made of two halves, or a half by itself. */
static int take_unicode(reader *r)
{
    int32_t high = take_hex4(r);
    if (high < 0)
        return bad(r, "a \\u without four digits");
    if (high < 0xD800 || high > 0xDFFF)
        return put_rune(r, (uint32_t)high);
    const unsigned char *before = r->p;
    if (high < 0xDC00 && take(r, '\\') && take(r, 'u')) {
        int32_t low = take_hex4(r);
        if (low >= 0xDC00 && low <= 0xDFFF)
            return put_rune(r, 0x10000u + ((uint32_t)(high - 0xD800) << 10) +
                                   (uint32_t)(low - 0xDC00));
    }
    r->p = before;
    return put_rune(r, ACR_RUNE_BAD);
}

static int take_escape(reader *r)
{
    static const char pairs[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    if (take(r, 'u'))
        return take_unicode(r);
    for (size_t i = 0; r->p < r->end && pairs[i] != '\0'; i += 2) {
        if (*r->p == (unsigned char)pairs[i]) {
            r->p++;
            return put_rune(r, (unsigned char)pairs[i + 1]);
        }
    }
    return bad(r, "an unknown escape");
}

/* Behind the opening quote; the text goes to scratch. */
static int take_string(reader *r)
{
    r->scratch->len = 0;
    for (;;) {
        const unsigned char *from = r->p;
        while (r->p < r->end && *r->p >= 0x20 && *r->p < 0x80 && *r->p != '"' &&
               *r->p != '\\')
            r->p++;
        ACR_TRY(acr_buf_put(r->scratch, acr_slice_of(from, (size_t)(r->p - from)), r->err));
        if (take(r, '"'))
            return ACOR_OK;
        if (take(r, '\\')) {
            ACR_TRY(take_escape(r));
        } else if (r->p < r->end && *r->p >= 0x80) {
            acr_rune rune = acr_utf8_decode(r->p, r->end);
            ACR_TRY(put_rune(r, rune.cp));
            r->p += rune.width;
        } else {
            return bad(r, r->p == r->end ? "a string without an end" : "a control byte");
        }
    }
}

int acr_json_each_string(acr_slice text, const char *what, acr_buf *scratch,
                         acr_json_string_fn fn, void *user, acor_error *err)
{
    reader r = {.begin = text.data, .p = text.data,
                .end = text.len ? text.data + text.len : text.data,
                .what = what, .scratch = scratch, .err = err};
    skip_blanks(&r);
    if (!take_null(&r)) {
        if (!take(&r, '['))
            return bad(&r, "no opening bracket");
        skip_blanks(&r);
        int more = !take(&r, ']');
        while (more) {
            skip_blanks(&r);
            scratch->len = 0;
            if (!take_null(&r)) {
                if (!take(&r, '"'))
                    return bad(&r, "an element that is no string");
                ACR_TRY(take_string(&r));
            }
            ACR_TRY(fn(user, acr_slice_of(scratch->data, scratch->len), err));
            skip_blanks(&r);
            more = take(&r, ',');
            if (!more && !take(&r, ']'))
                return bad(&r, "neither a comma nor the closing bracket");
        }
    }
    skip_blanks(&r);
    return r.p == r.end ? ACOR_OK : bad(&r, "something behind the array");
}
