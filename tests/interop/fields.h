/* SPDX-License-Identifier: Apache-2.0 */
/* Cases from the field that need more than one text and its spans. */
#ifndef ACOR_TEST_FIELDS_H
#define ACOR_TEST_FIELDS_H

#include <stdio.h>
#include <string.h>

#include "world.h"

/* In a function that answers 1 for success: what must hold. */
#define WANT(x) \
    do { \
        if (!(x)) { \
            fprintf(stderr, "# %s:%d: %s\n", __FILE__, __LINE__, #x); \
            return 0; \
        } \
    } while (0)

static inline acor_string str(const char *s)
{
    return (acor_string){s, strlen(s)};
}

/* A case that is run here, or the reason why it is not. */
typedef struct field_case {
    const char *id;
    int (*run)(void); /* 1: passed */
    const char *elsewhere;
} field_case;

/* NULL if nobody knows it. */
const field_case *field_case_of(const char *id);

/* 1 if the matches, in order, have these byte spans; n pairs. */
int spans_are(const hits *h, const uint64_t *spans, size_t n);

/* n keywords of 8 to 24 letters, the same for the same seed. */
acor_string *random_words(uint64_t seed, size_t n, uint64_t *bytes);
void free_words(acor_string *words, size_t n);

/* text */
int fc008_every_pair_of_letters(void);
int fc026_random_dictionaries(void);
int fc058_every_place_near_a_block_end(void);
int fc130_planted_hits(void);
int fc133_paragraph_on_a_small_stack(void);
int fc135_sixty_thousand_letters(void);
int fc176_ids(void);
/* size */
int fc103_memory(void);
int fc105_flat_memory(void);
int fc107_hits_without_end(void);
int fc108_build_grows_linearly(void);
int fc110_any_order(void);
int fc112_adversary(void);
int fc114_short_lines(void);
/* threads and processes */
int fc116_threads_find(void);
int fc118_toggled_keyword(void);
int fc119_threads_mix(void);
int fc120_fork(void);
int fc125_many_processes(void);
/* stores */
int fc083_nul_bytes(void);
int fc100_two_handles(void);
int fc122_sizes(void);
int fc126_no_space(void);
int fc179_export(void);
int fc182_damage(void);

#endif /* ACOR_TEST_FIELDS_H */
