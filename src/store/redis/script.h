/* SPDX-License-Identifier: Apache-2.0 */
/* The scripts the server runs, and calling them. Their texts are the
 * .lua files beside this; scripts/gen-lua.py makes lua_scripts.c of them. */
#ifndef ACR_STORE_REDIS_SCRIPT_H
#define ACR_STORE_REDIS_SCRIPT_H

#include "store/redis/v2.h"

typedef struct acr_script {
    const char *text;
    const char *digest; /* SHA-1 of text, in hexadecimal: EVALSHA's name for it */
    const char *what;   /* for errors */
} acr_script;

/*
 * Check, write and publish. KEYS: trie, outputs, V1 keywords, V1 prefixes,
 * nodes. ARGV:
 *    1 "v" the version has to be 2, "-" there has to be none, "m" and "k" the same, and
 *      V1 may be there (with "m" its keys are going to be deleted), "f" whatever is there
 *    2 version (with "m" and "k" the number of V1's keywords)  3 fields of outputs  4, 5 bytes of keywords and prefixes: all as seen
 *    6 new version  7 channel  8 message  9 value for c:case, "" leaves it
 *   10 "a" appends 11 and 12 to keywords and prefixes, "w" writes them whole
 *   13 "1" drops outputs first  14 how many states go: they follow, then pairs
 *      of state and value.
 * Answers { 1, fields, bytes, bytes, published, dropped } (dropped:
 * entries of keywords before "f") or { 0, version, case, fields,
 * bytes, keywords } (refused: the state as it is), { -1 } (fenced), { -2, key }
 * (of another type), { -3 } (a V1 collection), { -4 } (the other case mode, with "f"), { -5 } (an array that
 * does not end in its bracket, with "a").
 */
extern const acr_script acr_script_commit;

/*
 * What became of a commit whose answer was lost. KEYS: trie, outputs, V1 keywords,
 * V1 prefixes. ARGV: 1 to 5 as above ("f": nothing is known), 6 the commit's version, 7 a version for an empty collection. Answers
 * 1 committed, 2 not committed and never will be, 0 cannot tell.
 */
extern const acr_script acr_script_resolve;

/* Renew or give back a lock of the caller's own; lock.lua says with what. */
extern const acr_script acr_script_lock;

/*
 * Call by digest, and by text where the server does not know it (one more round
 * trip, once a server). args are the numbers and keys, then the arguments. *sent
 * is 0 if the server surely did not run it.
 */
int acr_script_call(acr_v2 *s, const acr_script *script, const acr_slice *keys, size_t keys_n,
                    const acr_slice *args, size_t args_n, acr_arena *arena, acr_reply **reply,
                    int *sent, acr_deadline deadline, acor_error *err);

#endif /* ACR_STORE_REDIS_SCRIPT_H */
