/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The storage seam: one dictionary in some store, in the language of
 * dictionaries. Nothing above it can tell which backend it is. A backend fills
 * acr_store_ops and embeds acr_store as its first member.
 *
 * Threads: a store is used by one thread at a time (the client holds a lock),
 * except acr_watch_wake(). A watch is waited on by one thread, apart from the
 * thread that uses the store.
 */
#ifndef ACR_STORE_STORE_H
#define ACR_STORE_STORE_H

#include <stdint.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/slice.h"
#include "text/words.h"

typedef struct acr_store acr_store;
typedef struct acr_watch acr_watch;

/* A version: bytes, compared for equality. len 0 means "nothing known". */
#define ACR_TOKEN_MAX 64
typedef struct acr_token {
    unsigned char len;
    unsigned char bytes[ACR_TOKEN_MAX];
} acr_token;

int acr_token_eq(const acr_token *a, const acr_token *b);

/* Hexadecimal, for people; dst takes size bytes, the NUL included. Where it does not
 * fit, that of its hash. */
void acr_token_text(const acr_token *t, char *dst, size_t size);

typedef enum acr_case {
    ACR_CASE_UNRECORDED = 0, /* nothing written yet, or written by others */
    ACR_CASE_FOLDED = 1,
    ACR_CASE_EXACT = 2
} acr_case;

/* --- load ---------------------------------------------------------------- */

typedef enum acr_load_kind {
    ACR_LOAD_UNCHANGED = 0, /* the caller's version is the store's */
    ACR_LOAD_DELTA = 1,     /* changes since the caller's version */
    ACR_LOAD_WHOLE = 2      /* everything, in stored order */
} acr_load_kind;

typedef struct acr_change {
    acr_slice keyword;
    acr_slice attributes; /* empty now */
    int remove;           /* 1 only in a delta */
} acr_change;

/*
 * Where a load goes. begin comes once, and not for UNCHANGED; then pieces.
 * Nothing counts before load has returned ACOR_OK. A negative status from
 * either ends the load with that status.
 */
typedef struct acr_load_sink {
    int (*begin)(void *user, acr_load_kind kind, acor_error *err);
    int (*piece)(void *user, const acr_change *changes, size_t n, acor_error *err);
    void *user;
} acr_load_sink;

typedef struct acr_load_result {
    acr_load_kind kind;
    acr_token version; /* of what the caller has now */
    acr_case mode;
    int exists; /* 0: nothing was ever written under this name */
} acr_load_result;

/* --- apply --------------------------------------------------------------- */

typedef enum acr_op_kind {
    ACR_OP_ADD = 1, /* put if it is not there */
    ACR_OP_PUT = 2, /* put, or replace its attributes */
    ACR_OP_REMOVE = 3
} acr_op_kind;

typedef struct acr_op {
    acr_slice keyword; /* normalised, not empty, distinct within a request */
    acr_slice attributes;
    acr_op_kind kind;
} acr_op;

typedef struct acr_request {
    const acr_op *ops;
    size_t n;
    /* 1: afterwards the dictionary is exactly the keywords of ops (all ADD or
     * PUT); with n of 0 it is empty. */
    int replace_all;
    const acr_token *expect; /* NULL, or: only if this is the version */
    /* How the keywords were normalised, where that was found out and not asked for:
     * ACOR_ECONFLICT if another mode is recorded. UNRECORDED: not to be looked at. */
    acr_case mode;
    acr_words *known; /* the caller's dictionary, or NULL; read, never changed */
    const acr_token *known_version;
} acr_request;

typedef enum acr_op_outcome {
    ACR_DONE_NOTHING = 0, /* was there already, or was not there */
    ACR_DONE = 1
} acr_op_outcome;

typedef struct acr_apply_result {
    acr_token version;     /* after the call */
    acr_token predecessor; /* what it was before; equal if nothing changed */
    uint64_t changed;      /* operations that did something */
    uint64_t removed;      /* by replace_all: keywords dropped */
    int announced;         /* 1, or 0: committed but no message went out */
    acr_words *words;      /* the dictionary at version where the backend has it anyway: a
                            * reference of the caller's; else NULL */
} acr_apply_result;

/* --- info ---------------------------------------------------------------- */

typedef struct acr_store_info {
    acr_token version;
    acr_case mode;
    int exists;
    uint64_t keywords;
} acr_store_info;

/* What a store has cost since it was opened. */
typedef struct acr_store_cost {
    uint64_t round_trips;
    uint64_t transactions;
} acr_store_cost;

/* --- migrate ------------------------------------------------------------- */

typedef struct acr_migration {
    int dry_run;
    int keep_old;
    void (*progress)(void *user, uint32_t done, uint32_t total, const char *what);
    void *user;
    uint32_t step_ms; /* the time-out, for each step anew */
    uint64_t keywords, prefixes, states, keys_removed; /* what was done */
} acr_migration;

/* --- watch --------------------------------------------------------------- */

typedef enum acr_watch_event {
    ACR_WATCH_NOTHING = 0, /* the deadline passed, or somebody woke it */
    ACR_WATCH_CHANGED = 1, /* something may have changed: compare versions */
    ACR_WATCH_LOST = 2,    /* the link is down */
    ACR_WATCH_BACK = 3     /* and up again: compare versions */
} acr_watch_event;

/* --- backend ------------------------------------------------------------- */

typedef struct acr_store_ops {
    const char *name; /* such as "sqlite" */
    int keeps_attributes;
    int plans; /* apply reads request->known: a caller that knows it saves a trip */

    int (*load)(acr_store *s, const acr_token *have, const acr_load_sink *sink,
                acr_load_result *result, acr_deadline deadline, acor_error *err);
    /* outcomes has request->n elements (acr_op_outcome); never NULL if n > 0 */
    int (*apply)(acr_store *s, const acr_request *request, unsigned char *outcomes,
                 acr_apply_result *result, acr_deadline deadline, acor_error *err);
    int (*info)(acr_store *s, acr_store_info *info, acr_deadline deadline,
                acor_error *err);

    /* NULL where there is no older layout. */
    int (*migrate)(acr_store *s, acr_migration *m, acor_error *err);
    int (*rollback)(acr_store *s, acr_deadline deadline, acor_error *err);

    int (*watch)(acr_store *s, acr_watch **out, acr_deadline deadline, acor_error *err);
    int (*wait)(acr_watch *w, acr_watch_event *event, acr_deadline deadline,
                acor_error *err);
    void (*wake)(acr_watch *w); /* from any thread */
    void (*unwatch)(acr_watch *w);

    void (*close)(acr_store *s);
} acr_store_ops;

struct acr_store {
    const acr_store_ops *ops;
    acr_mem mem;
    acr_log log;
    acr_store_cost cost;
};

struct acr_watch {
    acr_store *store; /* the store it was asked of; outlives the watch */
};

typedef struct acr_store_params {
    acr_slice name; /* of the collection; copied */
    acr_case mode;  /* as the client opened it; UNRECORDED: as stored */
    int read_only;
    const acr_mem *mem; /* copied */
    acr_log log;
} acr_store_params;

/*
 * Open by URL. Writes nothing. share (may be NULL) is a store of the same
 * scheme whose content a "mem:" store is to use.
 */
int acr_store_open(acr_store **out, const char *url, const acr_store_params *params,
                   acr_store *share, acor_error *err);

void acr_store_close(acr_store *s); /* NULL is fine */

/* ACOR_ECONFLICT if the request's keywords were normalised under another mode. */
int acr_store_check_folding(acr_case recorded, const acr_request *request, acor_error *err);

/*
 * The mode that counts where one was recorded and the client asked for
 * another: ACOR_EMODE with words. ACOR_OK otherwise.
 */
int acr_store_check_mode(acr_case recorded, acr_case asked, acor_error *err);

/* What a loss of power may cost; a killed process costs nothing in either. */
typedef enum acr_sync {
    ACR_SYNC_OFF = 0,    /* recent commits, and perhaps the file */
    ACR_SYNC_NORMAL = 1, /* recent commits */
    ACR_SYNC_FULL = 2    /* nothing that was committed */
} acr_sync;

typedef struct acr_sqlite_options {
    acr_sync synchronous;
} acr_sqlite_options;

/* Backends, for open.c only. path is percent-decoded. */
int acr_memory_open(acr_store **out, const acr_store_params *params, acr_store *share,
                    acor_error *err);
int acr_sqlite_open(acr_store **out, const char *path, const acr_sqlite_options *options,
                    const acr_store_params *params, acor_error *err);

#endif /* ACR_STORE_STORE_H */
