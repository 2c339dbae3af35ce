/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The oracle: which matches a text has, by comparing every keyword at every
 * place. Quadratic and obviously right; it knows the text rules (src/text) and
 * nothing of any engine. Running out of memory ends the program.
 */
#ifndef ACOR_TEST_NAIVE_H
#define ACOR_TEST_NAIVE_H

#include <acor/scan.h>

typedef struct naive_dict naive_dict;

typedef struct naive_list {
    acor_match *items; /* with code point offsets */
    size_t count;
    size_t cap;
} naive_list;

/* Keywords normalised; of equal ones the lowest index is the id, empty ones
 * are left out. */
naive_dict *naive_new(const acor_string *keywords, size_t n, int sensitive);
void naive_free(naive_dict *dict);

/* Distinct keywords; the normalised spelling of one (data NULL: no such id). */
size_t naive_count(const naive_dict *dict);
acor_string naive_keyword(const naive_dict *dict, uint32_t id);

/*
 * All matches, in the order the library promises. kind is an acor_match_kind,
 * whole_word 0 or 1. To be freed with naive_list_free().
 */
naive_list naive_find(const naive_dict *dict, const char *text, size_t len, uint32_t kind,
                      int whole_word);
void naive_list_free(naive_list *list);

/* Memory or the end of the program. */
void *naive_alloc(size_t size);

#endif /* ACOR_TEST_NAIVE_H */
