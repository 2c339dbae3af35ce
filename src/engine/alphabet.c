/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/alphabet.h"

void acr_alphabet_make(acr_alphabet *a, const acr_patterns *patterns)
{
    unsigned char used[256] = {0};
    for (uint32_t k = 0; k < patterns->n; k++) {
        acr_slice s = patterns->bytes[k];
        for (size_t i = 0; i < s.len; i++)
            used[s.data[i]] = 1;
    }
    *a = (acr_alphabet){.n = 1, .ascii_only = 1};
    /* At most 246 bytes occur in valid UTF-8, so the classes fit in a byte. */
    for (unsigned b = 0; b < 256; b++) {
        if (!used[b])
            continue;
        a->class_of[b] = (uint8_t)a->n++;
        if (b >= 0x80)
            a->ascii_only = 0;
    }
    if (patterns->fold)
        for (unsigned b = 'A'; b <= 'Z'; b++)
            a->class_of[b] = a->class_of[b + ('a' - 'A')];
}
