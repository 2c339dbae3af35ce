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

/* Where a match may stand: what is next to it. */
typedef enum naive_place {
    NAIVE_ANYWHERE,
    NAIVE_WHOLE_WORD,  /* no letter, digit, mark or underscore */
    NAIVE_WHOLE_ASCII, /* none of ASCII, before case is mapped */
    NAIVE_WHOLE_BUT_HAN /* by naive_word_but_han() */
} naive_place;

enum { NAIVE_PLACES = 4 };

/* A word rule of the caller's own: word characters but for Han. An acor_word_fn. */
int naive_word_but_han(void *user, uint32_t cp);

/* Keywords normalised; of equal ones the lowest index is the id, empty ones
 * are left out. */
naive_dict *naive_new(const acor_string *keywords, size_t n, int sensitive);
void naive_free(naive_dict *dict);

/* Distinct keywords; the normalised spelling of one (data NULL: no such id). */
size_t naive_count(const naive_dict *dict);
acor_string naive_keyword(const naive_dict *dict, uint32_t id);

/*
 * All matches, in the order the library promises. kind is an acor_match_kind. To
 * be freed with naive_list_free().
 */
naive_list naive_find(const naive_dict *dict, const char *text, size_t len, uint32_t kind,
                      naive_place place);
void naive_append(naive_list *list, const acor_match *m, size_t n);
void naive_list_free(naive_list *list);

/* Memory or the end of the program. */
void *naive_alloc(size_t size);

#endif /* ACOR_TEST_NAIVE_H */
