/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/error.h"
#include "base/opts.h"
#include "client/collection.h"
#include "engine/matches.h"
#include "engine/suggest.h"

#include <acor/read.h>

ACR_NO_TAIL_PADDING(acor_info, version);

/* Keywords handed to an export's function at a time. */
enum { EXPORT_GROUP = 256 };

acor_status acor_snapshot_get(acor_collection *c, acor_snapshot **out, acor_error *err)
{
    acor_error own = ACOR_ERROR_INIT;
    if (out != NULL)
        *out = NULL;
    int status = c == NULL || out == NULL
                     ? acr_fail(&own, ACOR_EINVAL, "the collection or the result is NULL")
                     : acr_collection_snapshot(c, out, &own);
    if (status < 0)
        acr_error_give(err, &own, "snapshot_get");
    return (acor_status)status;
}

/* The dictionary as it is now, as a reference of the caller's. */
static int words_now(acor_collection *c, acr_words **out, acor_info *info, acor_error *err)
{
    acr_deadline deadline;
    ACR_TRY(acr_collection_enter(c, &deadline, err));
    int status = acr_dictionary_refresh(c, deadline, err);
    if (status == ACOR_OK) {
        *out = acr_words_ref(c->words);
        if (info != NULL) {
            info->case_sensitive = !acr_collection_folds(c);
            acr_token_text(&c->version, info->version, sizeof info->version);
            info->exists = c->exists != 0;
        }
    }
    acr_collection_leave(c);
    return status;
}

static int give_all(const acr_words *words, acor_keywords_fn fn, void *user)
{
    acor_string group[EXPORT_GROUP];
    size_t n = 0;
    uint32_t places = acr_words_places(words);
    for (uint32_t p = 0; p < places; p++) {
        acr_slice w = acr_words_at(words, p);
        if (w.data != NULL)
            group[n++] = (acor_string){(const char *)w.data, w.len};
        if (n == EXPORT_GROUP || (p + 1 == places && n != 0)) {
            if (fn(user, group, n) != 0)
                return ACOR_STOPPED;
            n = 0;
        }
    }
    return ACOR_OK;
}

acor_status acor_export(acor_collection *c, acor_keywords_fn fn, void *user, acor_error *err)
{
    acor_error own = ACOR_ERROR_INIT;
    acr_words *words = NULL;
    int status = c == NULL || fn == NULL
                     ? acr_fail(&own, ACOR_EINVAL, "the collection or the function is NULL")
                     : words_now(c, &words, NULL, &own);
    if (status == ACOR_OK) {
        status = give_all(words, fn, user);
        acr_words_unref(words);
    }
    if (status < 0)
        acr_error_give(err, &own, "export");
    return (acor_status)status;
}

static int info_now(acor_collection *c, acor_info *out, acor_error *err)
{
    acor_info info = ACOR_INFO_INIT;
    acr_words *words;
    if (out->struct_size < sizeof info)
        return acr_fail(err, ACOR_EINVAL, "info: start from ACOR_INFO_INIT");
    ACR_TRY(words_now(c, &words, &info, err));
    info.keywords = acr_words_count(words);
    info.keyword_bytes = acr_words_bytes(words);
    size_t n = strlen(c->store->ops->name);
    memcpy(info.backend, c->store->ops->name,
           n < sizeof info.backend ? n : sizeof info.backend - 1);
    int status = acr_words_nodes(words, &c->mem, &info.nodes, err);
    acr_words_unref(words);
    ACR_TRY(status);
    (void)acr_opts_export(out, &info, sizeof info, sizeof info);
    return ACOR_OK;
}

acor_status acor_info_get(acor_collection *c, acor_info *info, acor_error *err)
{
    acor_error own = ACOR_ERROR_INIT;
    int status = c == NULL || info == NULL
                     ? acr_fail(&own, ACOR_EINVAL, "the collection or the result is NULL")
                     : info_now(c, info, &own);
    if (status < 0)
        acr_error_give(err, &own, "info_get");
    return (acor_status)status;
}

/* --- by prefix -------------------------------------------------------------------- */

static int check_suggest(const acor_collection *c, const char *prefix, size_t len,
                         uint32_t flags, const void *out, acor_error *err)
{
    if (c == NULL || out == NULL || (prefix == NULL && len != 0))
        return acr_fail(err, ACOR_EINVAL,
                        "the collection, the prefix or the result is NULL");
    return acr_suggest_check(flags, err);
}

static int suggest(acor_collection *c, const acr_suggest_query *q, acor_keyword_list **out,
                   acor_error *err)
{
    acr_words *words = NULL;
    acor_info info = ACOR_INFO_INIT;
    if (!acr_suggest_is_blank(q->prefix))
        ACR_TRY(words_now(c, &words, &info, err));
    int status = acr_suggest(out, &c->mem, words, !info.case_sensitive, q, err);
    acr_words_unref(words);
    return status;
}

acor_status acor_suggest(acor_collection *c, const char *prefix, size_t len, uint64_t limit,
                         uint32_t flags, acor_keyword_list **out, acor_error *err)
{
    acor_error own = ACOR_ERROR_INIT;
    acr_suggest_query q = {acr_slice_of(prefix, len), limit, flags};
    if (out != NULL)
        *out = NULL;
    int status = check_suggest(c, prefix, len, flags, out, &own);
    if (status == ACOR_OK)
        status = suggest(c, &q, out, &own);
    if (status < 0)
        acr_error_give(err, &own, "suggest");
    return (acor_status)status;
}

static int suggest_index(acor_collection *c, const acr_suggest_query *q,
                         acor_match_list **out, acor_error *err)
{
    acor_snapshot *snap;
    if (acr_suggest_is_blank(q->prefix))
        return acr_matches_none(out, &c->mem, err);
    ACR_TRY(acr_collection_snapshot(c, &snap, err));
    int status = acor_snapshot_suggest_index(snap, (const char *)q->prefix.data, q->prefix.len,
                                             q->limit, q->flags, out, err);
    acor_snapshot_unref(snap);
    return status;
}

acor_status acor_suggest_index(acor_collection *c, const char *prefix, size_t len,
                               uint64_t limit, uint32_t flags, acor_match_list **out,
                               acor_error *err)
{
    acor_error own = ACOR_ERROR_INIT;
    acr_suggest_query q = {acr_slice_of(prefix, len), limit, flags};
    if (out != NULL)
        *out = NULL;
    int status = check_suggest(c, prefix, len, flags, out, &own);
    if (status == ACOR_OK)
        status = suggest_index(c, &q, out, &own);
    if (status < 0)
        acr_error_give(err, &own, "suggest_index");
    return (acor_status)status;
}
