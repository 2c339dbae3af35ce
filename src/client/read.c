/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/error.h"
#include "base/opts.h"
#include "client/collection.h"
#include "engine/matches.h"
#include "engine/scan.h"

#include <acor/read.h>

ACR_NO_TAIL_PADDING(acor_info, version);

/* Keywords handed to an export's function at a time. */
enum { EXPORT_GROUP = 256 };

static int snapshot_now(acor_collection *c, acor_snapshot **out, acor_error *err)
{
    acr_deadline deadline;
    ACR_TRY(acr_collection_enter(c, &deadline, err));
    int status = acr_dictionary_snapshot(c, out, deadline, err);
    acr_collection_leave(c);
    return status;
}

static int check_text(const acor_collection *c, const char *text, size_t len, const void *out,
                      acor_error *err)
{
    if (c == NULL || out == NULL || (text == NULL && len != 0))
        return acr_fail(err, ACOR_EINVAL, "the collection, the text or the result is NULL");
    return ACOR_OK;
}

static int find(acor_collection *c, const char *text, size_t len,
                const acor_scan_options *opts, int once, acor_match_list **out,
                acor_error *err)
{
    acor_scan_options o;
    acor_snapshot *snap;
    ACR_TRY(acr_scan_options_import(&o, opts, err));
    if (len == 0)
        return acr_matches_none(out, &c->mem, err);
    ACR_TRY(snapshot_now(c, &snap, err));
    int status = acr_matches_collect(out, snap, text, len, opts, NULL,
                                     once ? ACR_LIST_ONCE : ACR_LIST_ALL, err);
    acor_snapshot_unref(snap);
    return status;
}

static acor_status find_call(acor_collection *c, const char *text, size_t len,
                             const acor_scan_options *opts, int once, acor_match_list **out,
                             const char *operation, acor_error *err)
{
    acor_error own = ACOR_ERROR_INIT;
    if (out != NULL)
        *out = NULL;
    int status = check_text(c, text, len, out, &own);
    if (status == ACOR_OK)
        status = find(c, text, len, opts, once, out, &own);
    if (status < 0)
        acr_error_give(err, &own, operation);
    return (acor_status)status;
}

acor_status acor_find(acor_collection *c, const char *text, size_t len, acor_match_list **out,
                      acor_error *err)
{
    return find_call(c, text, len, NULL, 0, out, "find", err);
}

acor_status acor_find_set(acor_collection *c, const char *text, size_t len,
                          acor_match_list **out, acor_error *err)
{
    return find_call(c, text, len, NULL, 1, out, "find_set", err);
}

acor_status acor_find_matches(acor_collection *c, const char *text, size_t len,
                              const acor_scan_options *opts, acor_match_list **out,
                              acor_error *err)
{
    return find_call(c, text, len, opts, 0, out, "find_matches", err);
}

static int contains(acor_collection *c, const char *text, size_t len, int *found,
                    acor_error *err)
{
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    acor_snapshot *snap;
    uint64_t n = 0;
    *found = 0;
    if (len == 0)
        return ACOR_OK;
    ACR_TRY(snapshot_now(c, &snap, err));
    o.max_matches = 1;
    int status = acor_scan(snap, text, len, &o, NULL, NULL, NULL, &n, err);
    acor_snapshot_unref(snap);
    ACR_TRY(status);
    *found = n != 0;
    return ACOR_OK;
}

acor_status acor_contains(acor_collection *c, const char *text, size_t len, int *found,
                          acor_error *err)
{
    acor_error own = ACOR_ERROR_INIT;
    int status = check_text(c, text, len, found, &own);
    if (status == ACOR_OK)
        status = contains(c, text, len, found, &own);
    if (status < 0)
        acr_error_give(err, &own, "contains");
    return (acor_status)status;
}

acor_status acor_snapshot_get(acor_collection *c, acor_snapshot **out, acor_error *err)
{
    acor_error own = ACOR_ERROR_INIT;
    if (out != NULL)
        *out = NULL;
    int status = c == NULL || out == NULL
                     ? acr_fail(&own, ACOR_EINVAL, "the collection or the result is NULL")
                     : snapshot_now(c, out, &own);
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
