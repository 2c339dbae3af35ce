/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the storage seam share. */
#ifndef ACOR_STORE_ENV_H
#define ACOR_STORE_ENV_H

#include "store/store.h"

/* --- memory that can be made to fail -------------------------------------- */

typedef struct test_memory {
    acr_mem mem;
    long blocks; /* taken and not given back */
    long bytes;
    long fail_at; /* the allocation that fails, counted from 1; 0: none */
    long count;
} test_memory;

void test_memory_init(test_memory *m);

/* --- a place for a backend's content -------------------------------------- */

typedef struct backend {
    const char *name;
    const char *scheme; /* "mem:" or "sqlite:" */
    int fault;          /* through a fault store without a fault */
} backend;

extern const backend backends[];
extern const int n_backends;

typedef struct env {
    const backend *backend;
    char folder[256];
    char url[320];
    char path[320];  /* of the file; empty for mem: */
    acr_store *root; /* keeps the content of mem: */
} env;

void env_init(env *e, const backend *b);
void env_free(env *e);

/* Another handle of the content; fails the test if it cannot be had. */
acr_store *env_open(env *e, const char *name, acr_case mode);

/* The same with memory of the caller's, and a status. */
int env_try_open(env *e, acr_store **out, const char *name, acr_case mode,
                 const acr_mem *mem, acor_error *err);

/* The place of the case that runs: made for backends[i], to be env_free()d. */
extern env E;
void begin_with(int i);
acr_store *open_as(const char *name, acr_case mode);
acr_store *open_words(void); /* as "words", folded */

/* A folder of one's own, and its removal with all in it. */
void make_folder(char *dst, size_t size);
void remove_folder(const char *folder);

/* A store by URL; fails the test if it cannot be opened. */
acr_store *must_open(const char *url, const char *name, acr_case mode);

/* --- a naive dictionary --------------------------------------------------- */

typedef struct naive {
    unsigned char **keywords; /* in order */
    size_t *lens;
    size_t n;
    size_t cap;
} naive;

void naive_free(naive *d);
void naive_copy(naive *dst, const naive *src);
size_t naive_find(const naive *d, acr_slice k); /* n if it is not there */
int naive_add(naive *d, acr_slice k);           /* 1 if it was not there */
int naive_remove(naive *d, acr_slice k);        /* 1 if it was there */
int naive_eq(const naive *a, const naive *b);

/* A naive dictionary that follows a store. */
typedef struct follower {
    naive words;
    acr_token version;
    acr_case mode;
    acr_load_kind kind; /* of the last load */
    size_t pieces;
    size_t changes;
    int count_only; /* keeps no words */
    int fail_piece; /* the piece that fails with fail_status; 0: none */
    int fail_status;
} follower;

/* Load since the follower's version. */
int follow(follower *f, acr_store *s, acor_error *err);
void must_follow(follower *f, acr_store *s);
void follower_free(follower *f);

/* --- short forms ---------------------------------------------------------- */

acr_deadline soon(void); /* 5 s from now */

acr_op op_of(acr_op_kind kind, const char *keyword);

/* Apply n operations; outcomes may be NULL. */
int apply_ops(acr_store *s, const acr_op *ops, size_t n, unsigned char *outcomes,
              acr_apply_result *result, acor_error *err);

/* One keyword; fails the test on an error. 1 if it did something. */
int must_add(acr_store *s, const char *keyword);
int must_remove(acr_store *s, const char *keyword);

/* n keywords "PREFIX" and a number from first on, in one batch. */
acr_apply_result must_add_range(acr_store *s, const char *prefix, int first, int n);

acr_store_info must_info(acr_store *s);

#endif /* ACOR_STORE_ENV_H */
