/* SPDX-License-Identifier: Apache-2.0 */
#include "text/chunks.h"

#include "text/unicode.h"
#include "text/utf8.h"

int acr_is_boundary(acr_slice text, size_t at, uint32_t kind)
{
    if (at == 0 || at >= text.len)
        return 0;
    const unsigned char *p = text.data + at;
    uint32_t before = acr_utf8_decode_before(text.data, p).cp;
    if (kind == ACOR_BOUNDARY_LINE)
        return before == '\n';
    if (kind == ACOR_BOUNDARY_SENTENCE) {
        if (before != '.' && before != '!' && before != '?')
            return 0;
    } else if (acr_is_space(before)) {
        return 0;
    }
    return acr_is_space(acr_utf8_decode(p, text.data + text.len).cp);
}

size_t acr_find_boundary(acr_slice text, size_t target, uint32_t kind, uint64_t max_back)
{
    const unsigned char *p = text.data + target;
    for (uint64_t i = 0; i < max_back && p > text.data; i++) {
        size_t at = (size_t)(p - text.data);
        if (acr_is_boundary(text, at, kind))
            return at;
        p -= acr_utf8_decode_before(text.data, p).width;
    }
    return target;
}

void acr_chunks_init(acr_chunks *c, acr_slice text, uint64_t size, uint64_t overlap,
                     uint32_t kind)
{
    *c = (acr_chunks){.text = text, .size = size, .overlap = overlap, .kind = kind};
}

int acr_chunks_next(acr_chunks *c, size_t *start, size_t *end)
{
    if (c->done)
        return 0;
    const acr_slice text = c->text;
    if (text.len == 0) { /* and data may be NULL */
        c->done = 1;
        *start = *end = 0;
        return 1;
    }
    const unsigned char *from = text.data + c->next, *stop = text.data + text.len;
    /* No text has more code points than bytes, so the sizes fit. */
    size_t size = c->size < text.len ? (size_t)c->size : text.len;
    size_t overlap = c->overlap < text.len ? (size_t)c->overlap : text.len;
    const unsigned char *target = acr_utf8_forward(from, stop, size);
    *start = c->next;
    if (target == stop) {
        c->done = 1;
        *end = c->next = text.len;
        return 1;
    }
    *end = acr_find_boundary(text, (size_t)(target - text.data), c->kind, size / 2);
    const unsigned char *cut = text.data + *end, *back = acr_utf8_back(from, cut, overlap);
    c->next = back > from ? (size_t)(back - text.data) : *end;
    return 1;
}
