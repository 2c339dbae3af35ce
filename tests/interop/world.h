/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dictionary in one of the places where this release can hold one: a snapshot
 * built from a list, a collection in memory, a collection in an SQLite file.
 * Recorded cases run in each and must answer the same.
 */
#ifndef ACOR_TEST_WORLD_H
#define ACOR_TEST_WORLD_H

#include <acor/acor.h>
#include <jansson.h>

typedef enum place { PLACE_SNAPSHOT, PLACE_MEM, PLACE_SQLITE, PLACES } place;

typedef struct world {
    place at;
    int sensitive;
    acor_snapshot *snap;  /* PLACE_SNAPSHOT */
    acor_collection *col; /* the others */
} world;

/* Matches, with what their keywords' spelling is borrowed from. */
typedef struct hits {
    acor_match *items;
    size_t count;
    size_t cap;
    const acor_snapshot *snap;
    acor_match_list *list;
} hits;

const char *place_name(place p);

/* Whether this build has it. */
int place_exists(place p);

/* A new dictionary of this name with these keywords; 0 on failure. */
int world_open(world *w, place p, const char *name, int sensitive,
               const acor_string *keywords, size_t n);
void world_close(world *w);

/* Reads. 0 on failure. */
int world_find(world *w, acor_string text, uint32_t kind, uint32_t flags, hits *out);
int world_find_with(world *w, acor_string text, const acor_scan_options *opts, hits *out);
int world_find_set(world *w, acor_string text, hits *out);
int world_contains(world *w, acor_string text, int *found);
/* What another call found: h takes the list over. */
void hits_take_list(hits *h, acor_match_list *list);
void hits_append(hits *h, const acor_match *m, size_t n);
void hits_free(hits *h);
acor_string hits_keyword(const hits *h, size_t i);

/* The folder of this run's files, and the URL of its SQLite file. */
const char *world_folder(void);
const char *world_url(void);
/* Removes them. */
void world_clean(void);

/* --- JSON ------------------------------------------------------------------- */

/* The bytes of a JSON string, borrowed; or of hex digits, owned by the caller. */
acor_string string_of(const json_t *value);
acor_string bytes_of_hex(const char *hex);

/* member as string, else member_hex as bytes. */
acor_string text_of(const json_t *object, const json_t *hex_object, const char *member,
                    const char *hex_member);

/* Strings of two arrays (either may be NULL), the second of hex. */
acor_string *strings_of(const json_t *array, const json_t *hex_array, size_t *n);

/* Lines of a .jsonl file as an array; NULL on failure. */
json_t *read_lines(const char *path);

#endif /* ACOR_TEST_WORLD_H */
