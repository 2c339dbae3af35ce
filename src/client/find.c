/* SPDX-License-Identifier: Apache-2.0 */
/* Texts, with the dictionary as it is when the call comes. */
#include "base/error.h"
#include "client/collection.h"
#include "engine/matches.h"
#include "engine/parallel.h"
#include "engine/replace.h"
#include "engine/scan.h"

#include <acor/read.h>

static int check_text(const acor_collection *c, const char *text, size_t len, const void *out,
                      acor_error *err)
{
    if (c == NULL || out == NULL || (text == NULL && len != 0))
        return acr_fail(err, ACOR_EINVAL, "the collection, the text or the result is NULL");
    return ACOR_OK;
}

/* A find call, but for its collection and its text. */
typedef struct how {
    const char *operation;
    acr_listing listing;
    const acor_scan_options *opts;
    const acor_parallel_options *parallel; /* NULL: one thread */
} how;

/* --- lists ---------------------------------------------------------------------- */

static int find(acor_collection *c, const char *text, size_t len, const how *h,
                acor_match_list **out, acor_error *err)
{
    acor_scan_options o;
    acor_parallel_options p;
    acor_snapshot *snap;
    ACR_TRY(acr_scan_options_import(&o, h->opts, err));
    if (h->parallel != NULL)
        ACR_TRY(acr_parallel_options_import(&p, h->parallel, err));
    if (len == 0)
        return acr_matches_none(out, &c->mem, err);
    ACR_TRY(acr_collection_snapshot(c, &snap, err));
    int status =
        acr_matches_collect(out, snap, text, len, h->opts, h->parallel, h->listing, err);
    acor_snapshot_unref(snap);
    return status;
}

static acor_status find_call(acor_collection *c, const char *text, size_t len, const how *h,
                             acor_match_list **out, acor_error *err)
{
    acor_error own = ACOR_ERROR_INIT;
    if (out != NULL)
        *out = NULL;
    int status = check_text(c, text, len, out, &own);
    if (status == ACOR_OK)
        status = find(c, text, len, h, out, &own);
    if (status < 0)
        acr_error_give(err, &own, h->operation);
    return (acor_status)status;
}

acor_status acor_find(acor_collection *c, const char *text, size_t len, acor_match_list **out,
                      acor_error *err)
{
    how h = {"find", ACR_LIST_ALL, NULL, NULL};
    return find_call(c, text, len, &h, out, err);
}

acor_status acor_find_set(acor_collection *c, const char *text, size_t len,
                          acor_match_list **out, acor_error *err)
{
    how h = {"find_set", ACR_LIST_ONCE, NULL, NULL};
    return find_call(c, text, len, &h, out, err);
}

acor_status acor_find_index(acor_collection *c, const char *text, size_t len,
                            acor_match_list **out, acor_error *err)
{
    how h = {"find_index", ACR_LIST_INDEX, NULL, NULL};
    return find_call(c, text, len, &h, out, err);
}

acor_status acor_find_matches(acor_collection *c, const char *text, size_t len,
                              const acor_scan_options *opts, acor_match_list **out,
                              acor_error *err)
{
    how h = {"find_matches", ACR_LIST_ALL, opts, NULL};
    return find_call(c, text, len, &h, out, err);
}

static const acor_parallel_options parallel_defaults = ACOR_PARALLEL_OPTIONS_INIT;

acor_status acor_find_parallel(acor_collection *c, const char *text, size_t len,
                               const acor_parallel_options *parallel, acor_match_list **out,
                               acor_error *err)
{
    how h = {"find_parallel", ACR_LIST_ONCE, NULL, parallel ? parallel : &parallel_defaults};
    return find_call(c, text, len, &h, out, err);
}

acor_status acor_find_index_parallel(acor_collection *c, const char *text, size_t len,
                                     const acor_parallel_options *parallel,
                                     acor_match_list **out, acor_error *err)
{
    how h = {"find_index_parallel", ACR_LIST_INDEX, NULL,
             parallel ? parallel : &parallel_defaults};
    return find_call(c, text, len, &h, out, err);
}

/* --- many texts ------------------------------------------------------------------ */

static int none_each(acor_collection *c, acor_match_list **out, size_t n, acor_error *err)
{
    for (size_t i = 0; i < n; i++) {
        int status = acr_matches_none(&out[i], &c->mem, err);
        if (status != ACOR_OK) {
            acr_matches_free_all(out, i);
            return status;
        }
    }
    return ACOR_OK;
}

static int find_many(acor_collection *c, const acor_string *texts, size_t n,
                     const acor_scan_options *opts, acor_match_list **out, acor_error *err)
{
    acor_scan_options o;
    acor_snapshot *snap;
    uint64_t bytes;
    if (c == NULL || (n != 0 && (out == NULL || texts == NULL)))
        return acr_fail(err, ACOR_EINVAL, "the collection, the texts or the results are NULL");
    ACR_TRY(acr_texts_check(texts, n, &bytes, err));
    ACR_TRY(acr_scan_options_import(&o, opts, err));
    if (bytes == 0)
        return none_each(c, out, n, err);
    ACR_TRY(acr_collection_snapshot(c, &snap, err));
    int status = acr_matches_collect_many(out, snap, texts, n, opts, err);
    acor_snapshot_unref(snap);
    return status;
}

acor_status acor_find_many(acor_collection *c, const acor_string *texts, size_t n,
                           const acor_scan_options *opts, acor_match_list **out,
                           acor_error *err)
{
    acor_error own = ACOR_ERROR_INIT;
    for (size_t i = 0; out != NULL && i < n; i++)
        out[i] = NULL;
    int status = find_many(c, texts, n, opts, out, &own);
    if (status < 0)
        acr_error_give(err, &own, "find_many");
    return (acor_status)status;
}

/* --- numbers --------------------------------------------------------------------- */

static int count(acor_collection *c, const char *text, size_t len,
                 const acor_scan_options *opts, uint64_t *n, acor_error *err)
{
    acor_scan_options o;
    acor_snapshot *snap;
    ACR_TRY(acr_scan_options_import(&o, opts, err));
    if (len == 0)
        return ACOR_OK;
    ACR_TRY(acr_collection_snapshot(c, &snap, err));
    int status = acor_snapshot_count(snap, text, len, opts, NULL, n, err);
    acor_snapshot_unref(snap);
    return status;
}

acor_status acor_count(acor_collection *c, const char *text, size_t len,
                       const acor_scan_options *opts, uint64_t *n, acor_error *err)
{
    acor_error own = ACOR_ERROR_INIT;
    if (n != NULL)
        *n = 0;
    int status = check_text(c, text, len, n, &own);
    if (status == ACOR_OK)
        status = count(c, text, len, opts, n, &own);
    if (status < 0)
        acr_error_give(err, &own, "count");
    return (acor_status)status;
}

static int contains(acor_collection *c, const char *text, size_t len, int *found,
                    acor_error *err)
{
    acor_snapshot *snap;
    if (len == 0)
        return ACOR_OK;
    ACR_TRY(acr_collection_snapshot(c, &snap, err));
    int status = acor_snapshot_contains(snap, text, len, NULL, NULL, found, err);
    acor_snapshot_unref(snap);
    return status;
}

acor_status acor_contains(acor_collection *c, const char *text, size_t len, int *found,
                          acor_error *err)
{
    acor_error own = ACOR_ERROR_INIT;
    if (found != NULL)
        *found = 0;
    int status = check_text(c, text, len, found, &own);
    if (status == ACOR_OK)
        status = contains(c, text, len, found, &own);
    if (status < 0)
        acr_error_give(err, &own, "contains");
    return (acor_status)status;
}

/* --- in pieces, and changed ------------------------------------------------------- */

/* A caller's function, with the snapshot it is also given. */
typedef struct receiver {
    acor_keyword_match_fn fn;
    void *user;
    const acor_snapshot *snap;
} receiver;

static int receive(void *user, const acor_match *m, size_t n)
{
    const receiver *r = user;
    return r->fn(r->user, r->snap, m, n);
}

static int find_stream(acor_collection *c, acor_read_fn read, void *read_user,
                       const acor_scan_options *opts, receiver *to, uint64_t *n,
                       acor_error *err)
{
    acor_scan_options o;
    acor_snapshot *snap;
    if (c == NULL || read == NULL)
        return acr_fail(err, ACOR_EINVAL, "the collection or the reader is NULL");
    ACR_TRY(acr_scan_options_import(&o, opts, err));
    ACR_TRY(acr_collection_snapshot(c, &snap, err));
    to->snap = snap;
    int status = acor_snapshot_find_stream(snap, read, read_user, opts, to->fn ? receive : NULL,
                                           to, n, err);
    acor_snapshot_unref(snap);
    return status;
}

acor_status acor_find_stream(acor_collection *c, acor_read_fn read, void *read_user,
                             const acor_scan_options *opts, acor_keyword_match_fn fn,
                             void *user, uint64_t *n, acor_error *err)
{
    acor_error own = ACOR_ERROR_INIT;
    receiver to = {fn, user, NULL};
    if (n != NULL)
        *n = 0;
    int status = find_stream(c, read, read_user, opts, &to, n, &own);
    if (status < 0)
        acr_error_give(err, &own, "find_stream");
    return (acor_status)status;
}

static int replace(acor_collection *c, const char *text, size_t len,
                   const acor_replace_options *opts, acor_write_fn write, void *user,
                   uint64_t *n, acor_error *err)
{
    acor_replace_options o;
    acor_scan_options scan;
    acor_snapshot *snap;
    if (c == NULL || write == NULL || (text == NULL && len != 0))
        return acr_fail(err, ACOR_EINVAL, "the collection, the text or the function is NULL");
    ACR_TRY(acr_replace_options_import(&o, &scan, opts, err));
    if (o.by_keyword != NULL)
        return acr_fail(err, ACOR_EINVAL,
                        "replace options: by_keyword goes with a snapshot, whose ids are known");
    if (len == 0)
        return ACOR_OK;
    ACR_TRY(acr_collection_snapshot(c, &snap, err));
    int status = acor_snapshot_replace(snap, text, len, opts, write, user, n, err);
    acor_snapshot_unref(snap);
    return status;
}

acor_status acor_replace(acor_collection *c, const char *text, size_t len,
                         const acor_replace_options *opts, acor_write_fn write, void *user,
                         uint64_t *n, acor_error *err)
{
    acor_error own = ACOR_ERROR_INIT;
    if (n != NULL)
        *n = 0;
    int status = replace(c, text, len, opts, write, user, n, &own);
    if (status < 0)
        acr_error_give(err, &own, "replace");
    return (acor_status)status;
}
