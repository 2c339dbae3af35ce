/* SPDX-License-Identifier: Apache-2.0 */
/* Places in UTF-16 code units, for those who count in them. */
#include <acor/scan.h>

#include <string.h>

#include "text/utf8.h"

/* A place where a code point starts, or the end. */
typedef struct place {
    const unsigned char *text, *at, *end;
    uint64_t units; /* before at */
} place;

static uint64_t units_of(acr_rune r)
{
    return r.cp > 0xFFFF ? 2 : 1;
}

/* Eight bytes of ASCII are eight units. */
static int ascii_ahead(const unsigned char *p)
{
    uint64_t eight;
    memcpy(&eight, p, sizeof eight);
    return (eight & UINT64_C(0x8080808080808080)) == 0;
}

/* 0; -1: target lies inside a code point. A match begins a little before the last one's
 * end, so going back is mostly a short way. */
static int move_to(place *p, uint64_t target)
{
    const unsigned char *to = p->text + target;
    while (p->at < to) {
        if (to - p->at >= 8 && ascii_ahead(p->at)) {
            p->at += 8;
            p->units += 8;
            continue;
        }
        acr_rune r = acr_utf8_decode(p->at, p->end);
        p->at += r.width;
        p->units += units_of(r);
    }
    while (p->at > to) {
        acr_rune r = acr_utf8_decode_before(p->text, p->at);
        p->at -= r.width;
        p->units -= units_of(r);
    }
    return p->at == to ? 0 : -1;
}

static int convert(place *p, const acor_match *m, acor_span *out)
{
    if (m->start > m->end || m->end > (uint64_t)(p->end - p->text) || move_to(p, m->start) != 0)
        return -1;
    out->start = p->units;
    if (move_to(p, m->end) != 0)
        return -1;
    out->end = p->units;
    return 0;
}

acor_status acor_utf16_spans(const char *text, size_t len, const acor_match *matches, size_t n,
                             acor_span *spans)
{
    const unsigned char *bytes = (const unsigned char *)text;
    if ((text == NULL && len != 0) || (n != 0 && (matches == NULL || spans == NULL)))
        return ACOR_EINVAL;
    if (text == NULL)
        bytes = (const unsigned char *)"";
    place p = {bytes, bytes, bytes + len, 0};
    for (size_t i = 0; i < n; i++)
        if (convert(&p, &matches[i], &spans[i]) != 0)
            return ACOR_EINVAL;
    return ACOR_OK;
}
