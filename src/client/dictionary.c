/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "client/collection.h"

static void drop_snapshot(acor_collection *c)
{
    acor_snapshot_unref(c->snap);
    c->snap = NULL;
}

void acr_dictionary_forget(acor_collection *c)
{
    drop_snapshot(c);
    acr_words_unref(c->words);
    c->words = NULL;
    c->version.len = 0;
}

/* A load on its way: words that nobody else sees until it has succeeded. */
typedef struct loading {
    acor_collection *c;
    acr_words *words;
} loading;

static int load_begin(void *user, acr_load_kind kind, acor_error *err)
{
    loading *l = user;
    if (kind == ACR_LOAD_WHOLE || l->c->words == NULL) {
        l->words = acr_words_new(&l->c->mem);
        return l->words == NULL ? acr_fail_nomem(err) : ACOR_OK;
    }
    /* Two references, so that owning it makes a copy: a delta that breaks off
     * in the middle leaves what is known as it was. */
    l->words = acr_words_ref(l->c->words);
    return acr_words_own(&l->words, err);
}

static int load_piece(void *user, const acr_change *changes, size_t n, acor_error *err)
{
    loading *l = user;
    for (size_t i = 0; i < n; i++) {
        if (changes[i].remove)
            (void)acr_words_remove(l->words, changes[i].keyword);
        else
            ACR_TRY(acr_words_add(l->words, changes[i].keyword, NULL, err));
    }
    return ACOR_OK;
}

int acr_dictionary_refresh(acor_collection *c, acr_deadline deadline, acor_error *err)
{
    loading l = {.c = c};
    acr_load_sink sink = {load_begin, load_piece, &l};
    acr_load_result result = {0};
    const acr_token *have = c->words ? &c->version : NULL;
    int status = c->store->ops->load(c->store, have, &sink, &result, deadline, err);
    if (status < 0) {
        acr_words_unref(l.words);
        return status;
    }
    c->exists = result.exists;
    if (result.mode != c->mode) {
        c->mode = result.mode;
        drop_snapshot(c);
    }
    if (result.kind == ACR_LOAD_UNCHANGED)
        return ACOR_OK;
    acr_dictionary_forget(c);
    c->words = l.words;
    c->version = result.version;
    atomic_fetch_add(&c->loads, 1);
    return ACOR_OK;
}

int acr_dictionary_snapshot(acor_collection *c, acor_snapshot **out, acr_deadline deadline,
                            acor_error *err)
{
    ACR_TRY(acr_dictionary_refresh(c, deadline, err));
    if (c->snap == NULL) {
        /* Ids are places, so there may be no gaps; others may be exporting. */
        if (acr_words_places(c->words) != acr_words_count(c->words)) {
            ACR_TRY(acr_words_own(&c->words, err));
            ACR_TRY(acr_words_pack(c->words, err));
        }
        ACR_TRY(acr_snapshot_new(&c->snap, &c->mem, c->words, acr_collection_folds(c), err));
        atomic_fetch_add(&c->builds, 1);
    }
    *out = acor_snapshot_ref(c->snap);
    return ACOR_OK;
}

/* Drop what a replacement does not name. */
static int keep_only(acr_words *words, const acr_mem *mem, const acr_request *r)
{
    acr_words *named = acr_words_new(mem);
    if (named == NULL)
        return ACOR_ENOMEM;
    int status = ACOR_OK;
    for (size_t i = 0; i < r->n && status == ACOR_OK; i++)
        status = acr_words_add(named, r->ops[i].keyword, NULL, NULL);
    if (status == ACOR_OK) {
        for (uint32_t p = 0, n = acr_words_places(words); p < n; p++) {
            acr_slice w = acr_words_at(words, p);
            if (w.data != NULL && acr_words_find(named, w) == ACR_WORDS_NONE)
                (void)acr_words_remove(words, w);
        }
    }
    acr_words_unref(named);
    return status;
}

static int apply_locally(acor_collection *c, const acr_request *r,
                         const unsigned char *outcomes)
{
    drop_snapshot(c);
    ACR_TRY(acr_words_own(&c->words, NULL));
    if (r->replace_all)
        ACR_TRY(keep_only(c->words, &c->mem, r));
    for (size_t i = 0; i < r->n; i++) {
        if (outcomes[i] != ACR_DONE)
            continue;
        if (r->ops[i].kind == ACR_OP_REMOVE)
            (void)acr_words_remove(c->words, r->ops[i].keyword);
        else
            ACR_TRY(acr_words_add(c->words, r->ops[i].keyword, NULL, NULL));
    }
    return ACOR_OK;
}

void acr_dictionary_wrote(acor_collection *c, const acr_request *request,
                          const unsigned char *outcomes, const acr_apply_result *result)
{
    if (result->words != NULL) {
        acr_dictionary_forget(c);
        c->words = result->words;
        c->version = result->version;
        return;
    }
    if (c->words == NULL || acr_token_eq(&result->version, &result->predecessor) ||
        !acr_token_eq(&result->predecessor, &c->version))
        return;
    if (apply_locally(c, request, outcomes) == ACOR_OK)
        c->version = result->version;
    else
        acr_dictionary_forget(c);
}
