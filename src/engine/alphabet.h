/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The symbols of a dictionary: a number for each code point that occurs in its
 * patterns, the most frequent first. Symbol 0 is every code point that occurs in
 * none. With fold, a code point has the symbol of its lower case, so that text is
 * never copied to be folded and each code point of it is one step of an engine.
 */
#ifndef ACR_ENGINE_ALPHABET_H
#define ACR_ENGINE_ALPHABET_H

#include "engine/engine.h"
#include "text/utf8.h"

/*
 * With a symbol: the code point takes another number of bytes in a text than in the
 * pattern (it is folded to one of another length, or an undecodable byte).
 */
#define ACR_SYMBOL_ODD (UINT32_C(1) << 31)

#define ACR_PAGE_SHIFT 6
#define ACR_PAGE (1u << ACR_PAGE_SHIFT)

typedef struct acr_alphabet {
    const acr_mem *mem;
    uint32_t n;          /* symbols, 0 included */
    uint32_t bad;        /* of an undecodable byte, with ACR_SYMBOL_ODD */
    uint32_t ascii[128]; /* symbols of the first code points */
    uint32_t *page_of;   /* code point >> ACR_PAGE_SHIFT to page; page 0 has no symbol */
    size_t page_of_n;    /* code points beyond it have none */
    size_t page_of_cap;
    uint32_t (*pages)[ACR_PAGE];
    size_t pages_n, pages_cap;
} acr_alphabet;

int acr_alphabet_make(acr_alphabet *a, const acr_mem *mem, const acr_patterns *patterns,
                      acor_error *err);
void acr_alphabet_free(acr_alphabet *a);
size_t acr_alphabet_memory(const acr_alphabet *a);

/* The symbol of a code point, with ACR_SYMBOL_ODD where that is so. */
static inline uint32_t acr_alphabet_symbol(const acr_alphabet *a, uint32_t cp)
{
    if (cp < 128)
        return a->ascii[cp];
    uint32_t page = cp >> ACR_PAGE_SHIFT;
    return page < a->page_of_n ? a->pages[a->page_of[page]][cp & (ACR_PAGE - 1)] : 0;
}

#endif /* ACR_ENGINE_ALPHABET_H */
