/* SPDX-License-Identifier: Apache-2.0 */
/* Which bytes a set of patterns tells apart. */
#ifndef ACR_ENGINE_ALPHABET_H
#define ACR_ENGINE_ALPHABET_H

#include "engine/engine.h"

/* Class 0 is every byte that is in no pattern; the others are numbered from 1.
 * With fold, an ASCII capital has the class of its small letter. */
typedef struct acr_alphabet {
    uint8_t class_of[256];
    unsigned n;        /* classes, 0 included */
    int ascii_only;    /* no pattern has a byte above 0x7F */
} acr_alphabet;

void acr_alphabet_make(acr_alphabet *a, const acr_patterns *patterns);

#endif /* ACR_ENGINE_ALPHABET_H */
