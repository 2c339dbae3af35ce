/* SPDX-License-Identifier: Apache-2.0 */
#include "rewrites.h"

#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"

/* Bytes that grow. */
typedef struct pile {
    char *data;
    size_t len, cap;
} pile;

static void put(pile *p, const char *data, size_t len)
{
    if (len == 0)
        return;
    if (p->len + len > p->cap) {
        p->cap = 2 * (p->len + len);
        char *grown = naive_alloc(p->cap);
        if (p->len)
            memcpy(grown, p->data, p->len);
        free(p->data);
        p->data = grown;
    }
    memcpy(p->data + p->len, data, len);
    p->len += len;
}

static int put_piece(void *user, const char *bytes, size_t len)
{
    if (len == 0)
        return 1;
    put(user, bytes, len);
    return 0;
}

typedef struct rewrite {
    const scan_case *c;
    const scan_combo *combo;
    const acor_snapshot *snap;
    const naive_list *want;
} rewrite;

/* --- what is wanted ---------------------------------------------------------------- */

static acor_string text_of_id(const acor_replace_options *o, uint32_t id)
{
    if (id < o->by_keyword_n && o->by_keyword[id].data != NULL)
        return o->by_keyword[id];
    return o->text;
}

static pile replaced(const rewrite *r, const acor_replace_options *o)
{
    pile out = {NULL, 0, 0};
    size_t at = 0;
    for (size_t i = 0; i < r->want->count; i++) {
        const acor_match *m = &r->want->items[i];
        acor_string with = text_of_id(o, m->keyword);
        put(&out, r->c->text + at, (size_t)m->start - at);
        put(&out, with.data, with.len);
        at = (size_t)m->end;
    }
    put(&out, r->c->text + at, r->c->len - at);
    return out;
}

static pile masked(const rewrite *r, uint32_t mask)
{
    pile out = {NULL, 0, 0};
    const unsigned char *text = (const unsigned char *)r->c->text, *end = text + r->c->len;
    unsigned char one[4];
    size_t len = acr_utf8_encode(one, mask);
    char *covered = naive_alloc(r->c->len);
    memset(covered, 0, r->c->len);
    for (size_t i = 0; i < r->want->count; i++) {
        const acor_match *m = &r->want->items[i];
        memset(covered + m->start, 1, (size_t)(m->end - m->start));
    }
    for (const unsigned char *p = text; p < end;) {
        size_t width = acr_utf8_decode(p, end).width;
        if (covered[p - text])
            put(&out, (const char *)one, len);
        else
            put(&out, (const char *)p, width);
        p += width;
    }
    free(covered);
    return out;
}

/* --- what comes -------------------------------------------------------------------- */

static int wrong(const rewrite *r, const char *what, const pile *got, const pile *want,
                 int status)
{
    fprintf(stderr, "# got %zu bytes \"%.*s\"\n# wanted %zu bytes \"%.*s\"\n", got->len,
            (int)(got->len < 300 ? got->len : 300), got->len ? got->data : "", want->len,
            (int)(want->len < 300 ? want->len : 300), want->len ? want->data : "");
    return scan_case_fail(r->c, r->combo, r->want, what, NULL, 0, status);
}

static int same(const pile *a, const pile *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}

static int into_buffer(const rewrite *r, const acor_replace_options *o, const pile *want,
                       size_t size)
{
    pile got = {naive_alloc(size), 0, size};
    uint64_t n = 12345;
    size_t full = 12345;
    int status = acor_snapshot_replace_into(r->snap, r->c->text, r->c->len, o, got.data, size,
                                            &full, &n, NULL);
    got.len = full < size ? full : size;
    pile cut = {want->data, want->len < size ? want->len : size, 0};
    int ok = (status == (want->len > size ? ACOR_ELIMIT : ACOR_OK) && full == want->len &&
              n == r->want->count && same(&got, &cut)) ||
             wrong(r, "acor_snapshot_replace_into()", &got, want, status);
    free(got.data);
    return ok;
}

/* Takes want over. */
static int check(const rewrite *r, acor_replace_options *o, pile want)
{
    pile got = {NULL, 0, 0};
    uint64_t n = 12345;
    acor_scan_options s = scan_combo_options(r->combo);
    o->flags = s.flags;
    o->word = s.word;
    int status =
        acor_snapshot_replace(r->snap, r->c->text, r->c->len, o, put_piece, &got, &n, NULL);
    int ok = (status == ACOR_OK && n == r->want->count && same(&got, &want)) ||
             wrong(r, "acor_snapshot_replace()", &got, &want, status);
    ok = ok && into_buffer(r, o, &want, want.len) && into_buffer(r, o, &want, want.len + 3) &&
         into_buffer(r, o, &want, want.len / 2);
    free(got.data);
    free(want.data);
    return ok;
}

static int check_texts(const rewrite *r)
{
    static const acor_string none = {NULL, 0};
    acor_string some[7] = {{"", 0}, {"<one>", 5}, none, {"\0\xff", 2}, none, {"5", 1}, none};
    acor_replace_options o = ACOR_REPLACE_OPTIONS_INIT;
    if (!check(r, &o, replaced(r, &o)))
        return 0;
    o.text = (acor_string){"[cut]", 5};
    if (!check(r, &o, replaced(r, &o)))
        return 0;
    o.by_keyword = some;
    o.by_keyword_n = sizeof some / sizeof *some;
    return check(r, &o, replaced(r, &o));
}

static int check_masks(const rewrite *r)
{
    acor_replace_options o = ACOR_REPLACE_OPTIONS_INIT;
    o.mask = '*';
    if (!check(r, &o, masked(r, o.mask)))
        return 0;
    o.mask = 0x2588;
    return check(r, &o, masked(r, o.mask));
}

/* --- UTF-16 -------------------------------------------------------------------------- */

static uint64_t *units_before_each(const scan_case *c)
{
    const unsigned char *text = (const unsigned char *)c->text, *end = text + c->len;
    uint64_t *before = naive_alloc((c->len + 1) * sizeof *before), units = 0;
    for (const unsigned char *p = text; p < end;) {
        acr_rune rune = acr_utf8_decode(p, end);
        before[p - text] = units;
        units += rune.cp > 0xFFFF ? 2 : 1;
        p += rune.width;
    }
    before[c->len] = units;
    return before;
}

static int check_utf16(const rewrite *r)
{
    size_t n = r->want->count;
    uint64_t *before = units_before_each(r->c);
    acor_span *spans = naive_alloc((n + 1) * sizeof *spans);
    int status = acor_utf16_spans(r->c->text, r->c->len, r->want->items, n, spans);
    int ok = status == ACOR_OK;
    for (size_t i = 0; ok && i < n; i++)
        ok = spans[i].start == before[r->want->items[i].start] &&
             spans[i].end == before[r->want->items[i].end];
    free(spans);
    free(before);
    return ok ||
           scan_case_fail(r->c, r->combo, r->want, "acor_utf16_spans()", NULL, 0, status);
}

int rewrites_check(const scan_case *c, const scan_combo *combo, const acor_snapshot *snap,
                   const naive_list *want)
{
    rewrite r = {c, combo, snap, want};
    return (combo->kind == ACOR_MATCH_OVERLAPPING ? check_masks(&r) : check_texts(&r)) &&
           check_utf16(&r);
}
