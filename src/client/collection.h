/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a collection handle.
 *
 * Locks: one, io. It guards the store and all that is known of the dictionary,
 * and is taken with the call's deadline. It is never held while a caller's
 * function runs (a migration's progress apart) or a text is scanned.
 */
#ifndef ACR_CLIENT_COLLECTION_H
#define ACR_CLIENT_COLLECTION_H

#include <stdatomic.h>

#include <acor/collection.h>

#include "base/thread.h"
#include "engine/snapshot.h"
#include "store/store.h"
#include "text/words.h"

struct acor_collection {
    acr_mem mem;
    acr_log log;
    acr_case asked; /* ACR_CASE_UNRECORDED: as stored */
    int read_only;
    atomic_uint_fast32_t timeout_ms;

    /* What the calls cost; written under io, read by anybody. */
    atomic_uint_fast64_t round_trips, transactions, loads, builds;

    acr_mutex io;
    /* All below: io. */
    acr_store *store;
    acr_words *words;    /* the dictionary at version; NULL: nothing known */
    acr_token version;   /* of words; len 0 if words is NULL */
    acr_case mode;       /* as recorded, when last heard */
    int exists;          /* the same */
    acor_snapshot *snap; /* words compiled; NULL: not yet */
};

/* Take io; ACOR_ETIMEOUT with words if the deadline passes first. */
int acr_collection_enter(acor_collection *c, acr_deadline *deadline, acor_error *err);

/* Let io go, with the store's costs noted. */
void acr_collection_leave(acor_collection *c);

/* The dictionary as it is now, compiled; *out is a reference of the caller's. io is not
 * held. */
int acr_collection_snapshot(acor_collection *c, acor_snapshot **out, acor_error *err);

/* 1 if keywords and texts are lower-cased, as far as is known. */
int acr_collection_folds(const acor_collection *c);

/* --- dictionary.c: what is known of the dictionary. All with io held. ------ */

/* Ask the store and bring words up to date. */
int acr_dictionary_refresh(acor_collection *c, acr_deadline deadline, acor_error *err);

/* The same, compiled; *out is a reference of the caller's. */
int acr_dictionary_snapshot(acor_collection *c, acor_snapshot **out, acr_deadline deadline,
                            acor_error *err);

/*
 * A write of our own went through: take the dictionary it led to, or apply it to
 * words if they are what it was based on. Never fails; what cannot be kept is loaded again by the next read.
 */
void acr_dictionary_wrote(acor_collection *c, const acr_request *request,
                          const unsigned char *outcomes, const acr_apply_result *result);

/* Nothing is known any more. */
void acr_dictionary_forget(acor_collection *c);

#endif /* ACR_CLIENT_COLLECTION_H */
