/* SPDX-License-Identifier: Apache-2.0 */
#include "text/unicode.h"

#include "text/unicode_tables.h"

uint32_t acr_lower(uint32_t cp)
{
    if (cp < 0x80)
        return cp - 'A' < 26 ? cp + ('a' - 'A') : cp;
    if (cp >= ACR_LOWER_LIMIT)
        return cp;
    const uint8_t *page = acr_lower_pages[acr_lower_index[cp >> ACR_LOWER_SHIFT]];
    int32_t delta = acr_lower_deltas[page[cp & ((1u << ACR_LOWER_SHIFT) - 1)]];
    return (uint32_t)((int32_t)cp + delta);
}

uint32_t acr_next_capital(uint32_t cp)
{
    /* Most pages are that of the Han characters, which have no case. */
    const uint8_t caseless = acr_lower_index[0x4E00 >> ACR_LOWER_SHIFT];
    while (cp < ACR_LOWER_LIMIT && acr_lower(cp) == cp) {
        if (acr_lower_index[cp >> ACR_LOWER_SHIFT] == caseless)
            cp |= (1u << ACR_LOWER_SHIFT) - 1;
        cp++;
    }
    return cp < ACR_LOWER_LIMIT ? cp : UINT32_MAX;
}

int acr_is_space(uint32_t cp)
{
    if (cp < 0x80)
        return cp == ' ' || cp - '\t' < 5;
    switch (cp) {
    case 0x0085:
    case 0x00A0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000: return 1;
    default: return cp - 0x2000 <= 0x0A;
    }
}

int acr_is_word(uint32_t cp)
{
    if (cp == '_')
        return 1;
    if (cp >= ACR_WORD_LIMIT)
        return 0;
    const uint8_t *page = acr_word_pages[acr_word_index[cp >> ACR_WORD_SHIFT]];
    uint32_t at = cp & ((1u << ACR_WORD_SHIFT) - 1);
    return page[at >> 3] >> (at & 7) & 1;
}

int acr_is_ascii_word(uint32_t cp)
{
    return (cp | 0x20) - 'a' < 26 || cp - '0' < 10 || cp == '_';
}
