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
