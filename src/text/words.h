/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A set of keywords in the order in which they came: what a dictionary is while
 * it is in memory. Reference counted; whoever wants to change one that others
 * may be reading takes acr_words_own() first.
 *
 * Entries are numbered from 0 by place; a removed one leaves a gap until
 * acr_words_pack(). A keyword's bytes do not move before that, and have a NUL
 * behind them.
 */
#ifndef ACR_TEXT_WORDS_H
#define ACR_TEXT_WORDS_H

#include <stdint.h>

#include "base/alloc.h"
#include "base/slice.h"

#define ACR_WORDS_NONE UINT32_MAX
#define ACR_WORDS_MAX (UINT32_C(1) << 31)

typedef struct acr_words acr_words;

/* An empty set with one reference; NULL means no memory. Copies *mem. */
acr_words *acr_words_new(const acr_mem *mem);
acr_words *acr_words_ref(acr_words *w); /* NULL is fine */
void acr_words_unref(acr_words *w);

/*
 * Make *w safe to change: if others hold references, replace it by a packed
 * copy (the caller's reference moves to the copy).
 */
int acr_words_own(acr_words **w, acor_error *err);

/* Keywords in the set, and one more than the highest place. */
size_t acr_words_count(const acr_words *w);
uint32_t acr_words_places(const acr_words *w);

/* Sum of the keywords' bytes; bytes of memory taken. */
uint64_t acr_words_bytes(const acr_words *w);
size_t acr_words_memory(const acr_words *w);

/* The keyword at a place; data is NULL for a gap or a place out of range. */
acr_slice acr_words_at(const acr_words *w, uint32_t place);

/* The place of a keyword, or ACR_WORDS_NONE. */
uint32_t acr_words_find(const acr_words *w, acr_slice keyword);

/* Append a keyword. *added (may be NULL) is 0 if it was there already. */
int acr_words_add(acr_words *w, acr_slice keyword, int *added, acor_error *err);

/* Take one out; 1 if it was there. Cannot fail. */
int acr_words_remove(acr_words *w, acr_slice keyword);

/*
 * Close the gaps and give back what removed keywords held: places change and
 * bytes move, the order does not. Nothing happens where there is no gap.
 */
int acr_words_pack(acr_words *w, acor_error *err);

/*
 * Places of all keywords in the order of their bytes. *out has
 * acr_words_count() elements, to be freed with acr_free(mem, ...).
 */
int acr_words_sorted(const acr_words *w, const acr_mem *mem, uint32_t **out,
                     acor_error *err);

/* Bytes that both begin with, cut where a code point of b starts. */
size_t acr_words_shared(acr_slice a, acr_slice b);

/*
 * All keywords in the order of their bytes, each with the number of bytes it
 * shares with the one before, cut at a code point: what lies behind them are
 * the prefixes that no earlier keyword had. Ends at the first status not 0.
 */
typedef int (*acr_words_walk_fn)(void *user, acr_slice word, size_t shared,
                                 acor_error *err);
int acr_words_walk(const acr_words *w, const acr_mem *mem, acr_words_walk_fn fn, void *user,
                   acor_error *err);

/* Distinct code point prefixes of all keywords, and one for the root. */
int acr_words_nodes(const acr_words *w, const acr_mem *mem, uint64_t *nodes,
                    acor_error *err);

#endif /* ACR_TEXT_WORDS_H */
