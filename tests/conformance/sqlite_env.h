/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the embedded store's file share. */
#ifndef ACOR_SQLITE_ENV_H
#define ACOR_SQLITE_ENV_H

#include <sys/types.h>

#include "store_env.h"

/* A folder of its own with the URL of a file in it, which is not there yet. */
typedef struct place {
    char folder[256];
    char path[320];
    char url[352];
} place;

void place_init(place *p);
void place_free(place *p);

/* Open "words" there, folded. */
acr_store *place_open(const place *p);
int place_try(const place *p, acr_store **out, acor_error *err);

/* Files in the folder. */
int count_files(const place *p);

/* Whole files. */
void write_file(const char *path, const void *data, size_t len);
unsigned char *read_whole(const char *path, size_t *len); /* to be freed */
void copy_file(const char *from, const char *to);

/* Run SQL on the file by SQLite itself; fails the test if it fails. */
void run_sql(const char *path, const char *sql);
long long ask_sql(const char *path, const char *sql);

/* 0 and the child's exit status 0, or fails the test. */
void must_end_well(pid_t child);

#endif /* ACOR_SQLITE_ENV_H */
