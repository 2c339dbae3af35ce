/* SPDX-License-Identifier: Apache-2.0 */
/* One commit as the server is asked for it: the arguments of acr_script_commit by
 * name, and what any commit needs besides. */
#ifndef ACR_STORE_REDIS_COMMIT_H
#define ACR_STORE_REDIS_COMMIT_H

#include "store/redis/plan.h"
#include "store/redis/script.h"

/* A version in decimal, its sign and NUL included. */
enum { ACR_VERSION_SIZE = 24 };

/* As Go's: 16 random bits above the low 48 bits of the clock, as a signed number. */
int acr_commit_draw_version(char *dst, acor_error *err);

/* What has to be there for the commit to be made; arguments 1 to 5. */
typedef struct acr_commit_base {
    const char *kind; /* "v", "-", "m", "k" or "f": see script.h */
    acr_slice version;
    int64_t outputs_n, keywords_len, prefixes_len;
} acr_commit_base;

typedef struct acr_commit {
    acr_commit_base base;
    const char *version;          /* the new one */
    const char *record_case;      /* "" leaves it */
    const acr_plan *plan;         /* NULL: an empty dictionary */
} acr_commit;

/* *sent is 0 if the server surely did not run it. */
int acr_commit_call(acr_v2 *s, const acr_commit *c, acr_arena *arena, acr_reply **reply,
                    int *sent, acr_deadline deadline, acor_error *err);

/* Ask what became of a commit of this version; empty is a version for a collection
 * that has to be made to fence it. The answers are acr_script_resolve's. */
int acr_commit_resolve(acr_v2 *s, const acr_commit_base *base, const char *version,
                       const char *empty, acr_arena *arena, acr_reply **reply,
                       acr_deadline deadline, acor_error *err);

/* NAME:NANOSECONDS:HEX, as Go's processes send and take apart; lives in arena. */
int acr_commit_message(const acr_v2 *s, acr_arena *arena, acr_slice *message,
                       acor_error *err);

#endif /* ACR_STORE_REDIS_COMMIT_H */
