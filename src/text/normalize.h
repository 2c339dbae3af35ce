/* SPDX-License-Identifier: Apache-2.0 */
/* A keyword's stored spelling: trimmed, valid UTF-8, lower case if so asked. */
#ifndef ACR_TEXT_NORMALIZE_H
#define ACR_TEXT_NORMALIZE_H

#include "base/buf.h"

/* s without white space at both ends; points into s. */
acr_slice acr_trim(acr_slice s);

/*
 * Appends to out: s trimmed, undecodable bytes as U+FFFD and, if fold is set,
 * lower-cased. *len is the number of bytes appended, 0 for a blank keyword.
 * ACOR_ELIMIT (without text; the caller knows which keyword it was) if the
 * result is over ACOR_MAX_KEYWORD_BYTES; then nothing is appended.
 */
int acr_normalize(acr_buf *out, acr_slice s, int fold, size_t *len, acor_error *err);

/* 1 if acr_normalize() would give s itself. */
int acr_is_normal(acr_slice s, int fold);

#endif /* ACR_TEXT_NORMALIZE_H */
