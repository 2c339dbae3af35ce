/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Redis store: collections in the layout V2 that the Go library shares
 * (docs/schema-v2.md); those in the older V1 are read. For src/store/redis only.
 */
#ifndef ACR_STORE_REDIS_V2_H
#define ACR_STORE_REDIS_V2_H

#include "base/buf.h"
#include "store/redis/conn.h"
#include "store/store.h"

/* Key names and the channel of a collection, made once. */
typedef enum acr_v2_key {
    ACR_KEY_TRIE,
    ACR_KEY_OUTPUTS,
    ACR_KEY_NODES,
    ACR_KEY_V1_KEYWORDS,
    ACR_KEY_V1_PREFIXES,
    ACR_KEY_V1_SUFFIXES,
    ACR_KEY_V1_OUTPUT, /* before a state */
    ACR_KEY_V1_NODE,   /* before a keyword */
    ACR_KEY_LOCK,
    ACR_KEY_CHANNEL,
    ACR_KEY_COUNT
} acr_v2_key;

/* What one look at the server told. Slices live in the arena of the look. */
typedef struct acr_v2_state {
    int v1;     /* only V1 is there: keywords come from members */
    int exists; /* as V2 or V1 */
    int has_version;
    acr_slice version;
    int64_t keywords_len, prefixes_len; /* bytes of the two arrays; 0: absent */
    int64_t outputs_n;                  /* fields of outputs */
    acr_case mode;
    acr_slice keywords;       /* the array's text; data NULL: not asked, or absent */
    const acr_reply *members; /* of V1 */
} acr_v2_state;

/* The state a handle saw last, for planning and for commits. */
typedef struct acr_v2_seen {
    acr_token token; /* len 0: none */
    int has_version;
    acr_buf version;
    int64_t keywords_len, prefixes_len, outputs_n;
    int v1;
    acr_case mode;   /* as recorded */
    size_t elements; /* of the keywords array, whatever they are */
    int tail;        /* the array is not blank and ends in its bracket */
    int complete;    /* prefixes and outputs fit the keywords: 1, 0, -1 not looked at */
} acr_v2_seen;

typedef struct acr_v2 {
    acr_store base; /* first */
    acr_redis_config config;
    acr_arena strings; /* the config's and the names */
    acr_slice name;
    acr_slice keys[ACR_KEY_COUNT];
    acr_case asked;
    int read_only;
    acr_conn conn;
    acr_v2_seen seen;
} acr_v2;

/* --- v2_state.c ------------------------------------------------------------ */

/*
 * One round trip: the facts a version is made of and, with whole set, the
 * keywords (a V1 collection costs one more). ACOR_ESCHEMA names a key of another
 * type.
 */
int acr_v2_look(acr_v2 *s, int whole, acr_arena *arena, acr_v2_state *state,
                acr_deadline deadline, acor_error *err);

void acr_v2_token(const acr_v2_state *state, acr_token *token);

/* Remember a state; elements and tail are those of its keywords. */
int acr_v2_remember(acr_v2 *s, const acr_v2_state *state, size_t elements, int complete,
                    acor_error *err);

/* Give each keyword of a state that was looked at whole; *elements counts entries. */
int acr_v2_each_keyword(acr_v2 *s, const acr_v2_state *state,
                        int (*fn)(void *user, acr_slice keyword, acor_error *err),
                        void *user, size_t *elements, acor_error *err);

/* For acr_v2_each_keyword(): gather them in the acr_words that user is. */
int acr_v2_add_word(void *user, acr_slice keyword, acor_error *err);

/* Put "key NAME: " before what err says. */
void acr_v2_name_key(const acr_v2 *s, acr_v2_key key, acor_error *err);

/* acr_reply_check() and acr_reply_expect() that name the user whose rights do not do. */
int acr_v2_check(const acr_v2 *s, const acr_reply *r, const char *what, acor_error *err);
int acr_v2_expect(const acr_v2 *s, const acr_reply *r, acr_reply_kind kind, const char *what,
                  acor_error *err);

/* An exchange with the costs noted; repeated once where a connection that had
 * been idle broke and repeating is safe: again says whether it is after sending. */
int acr_v2_exchange(acr_v2 *s, const acr_command *commands, size_t n, acr_arena *arena,
                    acr_reply **replies, int again, int *sent, acr_deadline deadline,
                    acor_error *err);

/* --- v2_load.c ------------------------------------------------------------- */

int acr_v2_load(acr_store *base, const acr_token *have, const acr_load_sink *sink,
                acr_load_result *result, acr_deadline deadline, acor_error *err);
int acr_v2_info(acr_store *base, acr_store_info *info, acr_deadline deadline,
                acor_error *err);

/* --- v2_apply.c ------------------------------------------------------------ */

int acr_v2_apply(acr_store *base, const acr_request *request, unsigned char *outcomes,
                 acr_apply_result *result, acr_deadline deadline, acor_error *err);

/* --- migrate.c -------------------------------------------------------------- */

int acr_v2_migrate(acr_store *base, acr_migration *m, acor_error *err);
int acr_v2_rollback(acr_store *base, acr_deadline deadline, acor_error *err);

/* --- v2_watch.c ------------------------------------------------------------ */

int acr_v2_watch(acr_store *base, acr_watch **out, acr_deadline deadline, acor_error *err);
int acr_v2_wait(acr_watch *w, acr_watch_event *event, acr_deadline deadline, acor_error *err);
void acr_v2_wake(acr_watch *w);
void acr_v2_unwatch(acr_watch *w);

#endif /* ACR_STORE_REDIS_V2_H */
