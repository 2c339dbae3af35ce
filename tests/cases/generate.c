/* SPDX-License-Identifier: Apache-2.0 */
#include "generate.h"

#include <stdlib.h>
#include <string.h>

#include "naive.h"

rng rng_seed(uint64_t seed)
{
    rng r = {seed * UINT64_C(0x9E3779B97F4A7C15) + UINT64_C(0xD1B54A32D192ED03)};
    rng_next(&r);
    return r;
}

/* xorshift64*, Vigna 2016 */
uint64_t rng_next(rng *r)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return r->state * UINT64_C(0x2545F4914F6CDD1D);
}

size_t rng_below(rng *r, size_t n)
{
    return (size_t)((rng_next(r) >> 16) % n);
}

static const char *const two[] = {"a", "b"};
static const char *const prose[] = {"a", "b", "c", "A", "B", " ", "-", "_", "1", "\n"};
static const char *const latin[] = {"e", "\xc3\xa9",  "\xc3\x89",     "\xc3\xa8",
                                    "s", "\xc3\x9f",  "\xe1\xba\x9e", "\xc5\xbf",
                                    " ", "E\xcc\x81", "\xcc\x81"};
static const char *const folding[] = {
    "k",        "K",        "\xe2\x84\xaa", "i",        "I",
    "\xc4\xb0", "\xc4\xb1", "\xc8\xba",     "\xc8\xbe", "\xe2\xb1\xa5",
    "\xcf\x83", "\xcf\x82", "\xce\xa3",     "\xc7\x85", "\xc7\x84",
    "\xc7\x86", "\xc3\xa5", "\xc3\x85",     ".",        "\xe2\x84\xab",
    "\xc3\xa6"};
static const char *const broken[] = {"a",        "\xff",     "\x80",        "\xc3",
                                     "\xa9",     "\xe4",     "\xbd",        "\xe4\xbd",
                                     "\xed\xa0", "\xf0\x9f", "\xc3\xa9",    "\xc0",
                                     "\xf4",     "\x90",     "\xef\xbf\xbd"};
static const char *const wide[] = {"\xe4\xb8\xad",     "\xe6\x96\x87",
                                   "\xe5\xad\x97",     "\xed\x95\x9c",
                                   "\xea\xb5\xad",     "\xe3\x80\x82",
                                   "\xf0\x9f\x98\x80", "\xf0\x90\x90\x80",
                                   "\xf0\x90\x90\xa8"};
static const char *const letters[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i",
                                      "j", "k", "l", "m", "n", "o", "p", "q", "r",
                                      "s", "t", "u", "v", "w", "x", "y", "z"};
/* The empty unit stands for one NUL. */
static const char *const bytes[] = {"", "", "\x01", "a", "\x7f", "~", "\t", "\xc2\x80"};

#define OF(name, what) \
    { \
        name, what, sizeof(what) / sizeof *(what) \
    }

static const alphabet alphabets[ALPHABETS] = {
    OF("two letters", two), OF("prose", prose),   OF("latin", latin),
    OF("folding", folding), OF("broken", broken), OF("wide", wide),
    OF("letters", letters), OF("bytes", bytes)};

const alphabet *alphabet_at(int i)
{
    return &alphabets[i];
}

/* Bytes that grow. */
typedef struct pile {
    char *data;
    size_t len, cap;
} pile;

static void put(pile *p, const char *data, size_t len)
{
    if (p->len + len > p->cap) {
        p->cap = 2 * (p->len + len) + 16;
        char *grown = naive_alloc(p->cap);
        if (p->len)
            memcpy(grown, p->data, p->len);
        free(p->data);
        p->data = grown;
    }
    if (len)
        memcpy(p->data + p->len, data, len);
    p->len += len;
}

static void put_units(pile *p, rng *r, const alphabet *a, size_t units)
{
    for (size_t i = 0; i < units; i++) {
        const char *u = a->units[rng_below(r, a->n)];
        put(p, u, *u ? strlen(u) : 1);
    }
}

acor_string make_string(rng *r, const alphabet *a, size_t units)
{
    pile p = {NULL, 0, 0};
    put_units(&p, r, a, units);
    return (acor_string){p.data, p.len};
}

acor_string *make_keywords(rng *r, const alphabet *a, size_t n, size_t min, size_t max)
{
    acor_string *k = naive_alloc(n * sizeof *k);
    for (size_t i = 0; i < n; i++)
        k[i] = make_string(r, a, min + rng_below(r, max - min + 1));
    return k;
}

void free_string(acor_string s)
{
    free((void *)(uintptr_t)s.data);
}

void free_keywords(acor_string *keywords, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free_string(keywords[i]);
    free(keywords);
}

acor_string make_text(rng *r, const alphabet *a, const acor_string *keywords, size_t n,
                      size_t units)
{
    pile p = {NULL, 0, 0};
    for (size_t made = 0; made < units;) {
        const acor_string *k = n ? &keywords[rng_below(r, n)] : NULL;
        switch (rng_below(r, 4)) {
        case 0:
            if (k && k->len) /* cut, so that candidates fail late */
                put(&p, k->data, rng_below(r, k->len));
            made += 2;
            break;
        case 1:
            if (k)
                put(&p, k->data, k->len);
            made += 2;
            break;
        default: put_units(&p, r, a, 3); made += 3;
        }
    }
    return (acor_string){p.data, p.len};
}
