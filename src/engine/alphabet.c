/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/alphabet.h"

#include <stdlib.h>

#include "base/error.h"
#include "text/unicode.h"
#include "text/words.h"

/* How often a code point brings a state of its own. */
typedef struct frequency {
    uint32_t cp;
    uint32_t count;
} frequency;

/* By count, the highest first; equal ones by code point, so that the same patterns
 * always get the same symbols. */
static int by_count(const void *a, const void *b)
{
    const frequency *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return x->cp < y->cp ? -1 : x->cp > y->cp;
}

static int add_page(acr_alphabet *a, uint32_t *page, acor_error *err)
{
    ACR_TRY(acr_grow(a->mem, &a->pages, &a->pages_cap, a->pages_n + 1, sizeof *a->pages, err));
    memset(a->pages[a->pages_n], 0, sizeof a->pages[0]);
    *page = (uint32_t)a->pages_n++;
    return ACOR_OK;
}

/* Where the entry of a code point stands, made if there is none. */
static int entry_of(acr_alphabet *a, uint32_t cp, uint32_t **entry, acor_error *err)
{
    if (cp < 128) {
        *entry = &a->ascii[cp];
        return ACOR_OK;
    }
    uint32_t at = cp >> ACR_PAGE_SHIFT;
    if (at >= a->page_of_n) {
        ACR_TRY(acr_grow(a->mem, &a->page_of, &a->page_of_cap, at + 1u, sizeof *a->page_of,
                         err));
        memset(a->page_of + a->page_of_n, 0, (at + 1u - a->page_of_n) * sizeof *a->page_of);
        a->page_of_n = at + 1u;
    }
    if (a->page_of[at] == 0)
        ACR_TRY(add_page(a, &a->page_of[at], err));
    *entry = &a->pages[a->page_of[at]][cp & (ACR_PAGE - 1)];
    return ACOR_OK;
}

/* Entries hold counts for now: of the code points behind what a pattern shares with
 * the one before. */
static int count(acr_alphabet *a, const acr_patterns *p, acor_error *err)
{
    for (uint32_t k = 0; k < p->n; k++) {
        acr_slice s = p->bytes[k];
        size_t shared = k ? acr_words_shared(p->bytes[k - 1], s) : 0;
        for (const unsigned char *c = s.data + shared, *end = s.data + s.len; c < end;) {
            acr_rune r = acr_utf8_decode(c, end);
            uint32_t *entry;
            ACR_TRY(entry_of(a, r.cp, &entry, err));
            a->n += *entry == 0;
            ++*entry;
            c += r.width;
        }
    }
    return ACOR_OK;
}

static void note(frequency **next, uint32_t cp, uint32_t count)
{
    if (count != 0)
        *(*next)++ = (frequency){cp, count};
}

/* Counts to symbols. */
static int number(acr_alphabet *a, acor_error *err)
{
    size_t n = a->n - 1;
    frequency *f = acr_alloc_array(a->mem, n, sizeof *f), *next = f;
    if (f == NULL)
        return acr_fail_nomem(err);
    for (uint32_t cp = 0; cp < 128; cp++)
        note(&next, cp, a->ascii[cp]);
    for (uint32_t page = 0; page < a->page_of_n; page++)
        for (uint32_t i = 0; a->page_of[page] != 0 && i < ACR_PAGE; i++)
            note(&next, page * ACR_PAGE + i, a->pages[a->page_of[page]][i]);
    qsort(f, n, sizeof *f, by_count);
    for (size_t i = 0; i < n; i++) {
        uint32_t *entry;
        /* Every entry is there: nothing is allocated. */
        if (entry_of(a, f[i].cp, &entry, err) == ACOR_OK)
            *entry = (uint32_t)i + 1;
    }
    acr_free(a->mem, f, n * sizeof *f);
    return ACOR_OK;
}

static size_t width_of(uint32_t cp)
{
    unsigned char bytes[4];
    return acr_utf8_encode(bytes, cp);
}

/* Code points that are lower-cased to one with a symbol. A capital is in no pattern. */
static int fold(acr_alphabet *a, acor_error *err)
{
    for (uint32_t cp = acr_next_capital(0); cp <= ACR_RUNE_MAX; cp = acr_next_capital(cp + 1)) {
        uint32_t lower = acr_lower(cp), symbol = acr_alphabet_symbol(a, lower);
        uint32_t *entry;
        if (symbol == 0)
            continue;
        ACR_TRY(entry_of(a, cp, &entry, err));
        *entry = width_of(cp) == width_of(lower) ? symbol : symbol | ACR_SYMBOL_ODD;
    }
    return ACOR_OK;
}

int acr_alphabet_make(acr_alphabet *a, const acr_mem *mem, const acr_patterns *patterns,
                      acor_error *err)
{
    *a = (acr_alphabet){.mem = mem, .n = 1};
    uint32_t none;
    ACR_TRY(add_page(a, &none, err));
    ACR_TRY(count(a, patterns, err));
    ACR_TRY(number(a, err));
    if (patterns->fold)
        ACR_TRY(fold(a, err));
    a->bad = acr_alphabet_symbol(a, ACR_RUNE_BAD);
    if (a->bad != 0)
        a->bad |= ACR_SYMBOL_ODD;
    return ACOR_OK;
}

size_t acr_alphabet_memory(const acr_alphabet *a)
{
    return a->page_of_cap * sizeof *a->page_of + a->pages_cap * sizeof *a->pages;
}

void acr_alphabet_free(acr_alphabet *a)
{
    acr_free(a->mem, a->page_of, a->page_of_cap * sizeof *a->page_of);
    acr_free(a->mem, a->pages, a->pages_cap * sizeof *a->pages);
}
