/* SPDX-License-Identifier: Apache-2.0 */
/* Keywords by their prefix, wherever the words are. */
#ifndef ACR_ENGINE_SUGGEST_H
#define ACR_ENGINE_SUGGEST_H

#include <acor/suggest.h>

#include "text/words.h"

/* What is asked, with a prefix that is not normalised yet. */
typedef struct acr_suggest_query {
    acr_slice prefix;
    uint64_t limit; /* 0: none */
    uint32_t flags;
} acr_suggest_query;

/* Of flags, whatever else is asked. */
int acr_suggest_check(uint32_t flags, acor_error *err);

/* 1 if nothing of the prefix is left once it is normalised. */
int acr_suggest_is_blank(acr_slice prefix);

/*
 * The keywords that a query means. words may have gaps; the list takes a reference
 * to them. NULL as words: none. *out is NULL on failure.
 */
int acr_suggest(acor_keyword_list **out, const acr_mem *mem, acr_words *words, int fold,
                const acr_suggest_query *q, acor_error *err);

#endif /* ACR_ENGINE_SUGGEST_H */
