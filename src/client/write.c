/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/opts.h"
#include "client/collection.h"
#include "text/normalize.h"

ACR_NO_TAIL_PADDING(acor_batch_result, removed);

/* One write as the caller gave it, and what it comes down to. */
typedef struct batch {
    acor_collection *c;
    const acor_string *keywords;
    size_t n;
    acr_op_kind kind;
    int replace_all;
    int transactional;
    int32_t *outcomes; /* n, ours or the caller's */

    acr_words *distinct; /* normalised */
    uint32_t *input_of;  /* for each place of distinct: which of keywords */
    size_t input_cap;
    acr_op *ops;
    unsigned char *done; /* acr_op_outcome of each op */
    size_t ops_n;
} batch;

static void batch_clear(batch *b)
{
    const acr_mem *mem = &b->c->mem;
    acr_words_unref(b->distinct);
    b->distinct = NULL;
    acr_free(mem, b->input_of, b->input_cap * sizeof *b->input_of);
    b->input_of = NULL;
    b->input_cap = 0;
    acr_free(mem, b->ops, b->ops_n * sizeof *b->ops);
    b->ops = NULL;
    acr_free(mem, b->done, b->ops_n);
    b->done = NULL;
    b->ops_n = 0;
}

/* The outcome of one keyword that cannot be taken; fails if that ends the batch. */
static int refuse(batch *b, size_t i, int status, acor_error *err)
{
    b->outcomes[i] = status;
    if (!b->transactional)
        return ACOR_OK;
    if (status == ACOR_EEMPTY)
        return acr_fail(err, status, "%s", acor_strstatus(status));
    return acr_fail(err, status, "keyword number %zu has %zu bytes, the limit is %u", i,
                    b->keywords[i].len, ACOR_MAX_KEYWORD_BYTES);
}

static int screen_one(batch *b, size_t i, acr_buf *form, int fold, acor_error *err)
{
    acor_string s = b->keywords[i];
    size_t len = 0;
    int added = 0;
    if (s.data == NULL && s.len != 0)
        return acr_fail(err, ACOR_EINVAL, "keyword number %zu is NULL with a length of %zu", i,
                        s.len);
    form->len = 0;
    int status = acr_normalize(form, acr_slice_of(s.data, s.len), fold, &len, err);
    if (status == ACOR_ELIMIT)
        return refuse(b, i, status, err);
    ACR_TRY(status);
    if (len == 0)
        return refuse(b, i, ACOR_EEMPTY, err);
    uint32_t place = acr_words_places(b->distinct);
    ACR_TRY(acr_grow(&b->c->mem, &b->input_of, &b->input_cap, (size_t)place + 1,
                     sizeof *b->input_of, err));
    ACR_TRY(acr_words_add(b->distinct, acr_slice_of(form->data, len), &added, err));
    b->outcomes[i] = added ? ACOR_OUTCOME_NONE : ACOR_OUTCOME_REPEATED;
    if (added)
        b->input_of[place] = (uint32_t)i;
    return ACOR_OK;
}

/* Trim, normalise, and find repeats: what is left are distinct operations. */
static int screen(batch *b, int fold, acor_error *err)
{
    const acr_mem *mem = &b->c->mem;
    acr_buf form;
    acr_buf_init(&form, mem);
    b->distinct = acr_words_new(mem);
    int status = b->distinct == NULL ? acr_fail_nomem(err) : ACOR_OK;
    for (size_t i = 0; i < b->n && status == ACOR_OK; i++)
        status = screen_one(b, i, &form, fold, err);
    acr_buf_free(&form);
    ACR_TRY(status);

    size_t n = acr_words_count(b->distinct);
    if (n == 0)
        return ACOR_OK;
    b->ops = acr_alloc_array(mem, n, sizeof *b->ops);
    b->done = acr_alloc_zero(mem, n);
    b->ops_n = n;
    if (b->ops == NULL || b->done == NULL)
        return acr_fail_nomem(err);
    for (uint32_t p = 0; p < n; p++)
        b->ops[p] = (acr_op){.keyword = acr_words_at(b->distinct, p), .kind = b->kind};
    return ACOR_OK;
}

/* The mode that keywords were normalised under just now. */
static acr_case folding(const acor_collection *c)
{
    return acr_collection_folds(c) ? ACR_CASE_FOLDED : ACR_CASE_EXACT;
}

static int commit(batch *b, const acr_token *expect, acr_apply_result *result,
                  acr_deadline deadline, acor_error *err)
{
    acor_collection *c = b->c;
    acr_request request = {
        .ops = b->ops,
        .n = b->ops_n,
        .replace_all = b->replace_all,
        .expect = expect,
        .mode = c->asked == ACR_CASE_UNRECORDED && b->ops_n != 0 ? folding(c)
                                                                 : ACR_CASE_UNRECORDED,
        .known = c->words,
        .known_version = c->words ? &c->version : NULL,
    };
    ACR_TRY(c->store->ops->apply(c->store, &request, b->done, result, deadline, err));
    acr_dictionary_wrote(c, &request, b->done, result);
    return ACOR_OK;
}

/*
 * A handle opened "as stored" has to know the case mode before it can normalise.
 * Where none is recorded yet, the write counts only if that is still so.
 */
static int learn_mode(acor_collection *c, acr_token *expect, acr_deadline deadline,
                      acor_error *err)
{
    acr_store_info info = {0};
    expect->len = 0;
    if (c->asked != ACR_CASE_UNRECORDED || c->mode != ACR_CASE_UNRECORDED)
        return ACOR_OK;
    if (c->store->ops->plans) {
        /* It needs the dictionary for its plan anyway. */
        ACR_TRY(acr_dictionary_refresh(c, deadline, err));
        if (c->mode == ACR_CASE_UNRECORDED)
            *expect = c->version;
        return ACOR_OK;
    }
    ACR_TRY(c->store->ops->info(c->store, &info, deadline, err));
    c->mode = info.mode;
    if (info.mode == ACR_CASE_UNRECORDED)
        *expect = info.version;
    return ACOR_OK;
}

/* *expected: it counts only if the version is still the one that was looked at. */
static int attempt(batch *b, acr_apply_result *result, int *expected, acr_deadline deadline,
                   acor_error *err)
{
    acr_token expect;
    expect.len = 0;
    if (b->n != 0)
        ACR_TRY(learn_mode(b->c, &expect, deadline, err));
    *expected = expect.len != 0;
    ACR_TRY(screen(b, acr_collection_folds(b->c), err));
    if (b->ops_n == 0 && !b->replace_all)
        return ACOR_OK;
    return commit(b, expect.len ? &expect : NULL, result, deadline, err);
}

static int run_locked(batch *b, acr_apply_result *result, acr_deadline deadline,
                      acor_error *err)
{
    for (;;) {
        int expected = 0;
        int status = attempt(b, result, &expected, deadline, err);
        if (status != ACOR_ECONFLICT || b->c->asked != ACR_CASE_UNRECORDED ||
            acr_deadline_left_ms(deadline) == 0)
            return status;
        /* The mode is another one than was thought, or the first write that records one
         * came in between: look again. Any other conflict is the backend's last word. */
        acr_case mode = b->c->mode;
        acr_token unused;
        b->c->mode = ACR_CASE_UNRECORDED;
        ACR_TRY(learn_mode(b->c, &unused, deadline, err));
        if (!expected && b->c->mode == mode)
            return status;
        batch_clear(b);
    }
}

/* Fill in what the store said, and count. */
static int settle(batch *b, const acr_apply_result *applied, acor_batch_result *result)
{
    for (size_t k = 0; k < b->ops_n; k++)
        b->outcomes[b->input_of[k]] =
            b->done[k] == ACR_DONE ? ACOR_OUTCOME_CHANGED : ACOR_OUTCOME_UNCHANGED;
    int status = applied->announced ? ACOR_OK : ACOR_UNANNOUNCED;
    if (result == NULL)
        return status;
    acor_batch_result counts = {.struct_size = sizeof counts, .removed = applied->removed};
    for (size_t i = 0; i < b->n; i++) {
        if (b->outcomes[i] < 0)
            counts.failed++;
        else if (b->outcomes[i] == ACOR_OUTCOME_CHANGED)
            counts.changed++;
        else
            counts.skipped++;
    }
    (void)acr_opts_export(result, &counts, sizeof counts, sizeof counts);
    return status;
}

static int check(const batch *b, uint32_t mode, const acor_batch_result *result,
                 acor_error *err)
{
    if (b->c == NULL || (b->keywords == NULL && b->n != 0))
        return acr_fail(err, ACOR_EINVAL, "the collection or the keywords are NULL");
    if (mode > ACOR_BATCH_TRANSACTIONAL)
        return acr_fail(err, ACOR_EINVAL, "there is no batch mode %u", mode);
    if (result != NULL && result->struct_size < sizeof *result)
        return acr_fail(err, ACOR_EINVAL, "batch result: start from ACOR_BATCH_RESULT_INIT");
    if (b->n >= ACR_WORDS_MAX)
        return acr_fail(err, ACOR_ELIMIT, "%zu keywords, the limit of a batch is %u", b->n,
                        ACR_WORDS_MAX - 1);
    if (b->c->read_only)
        return acr_fail(err, ACOR_EREADONLY, "the handle was opened to read only");
    return ACOR_OK;
}

static int write_batch(batch *b, uint32_t mode, acor_batch_result *result, acor_error *err)
{
    ACR_TRY(check(b, mode, result, err));
    b->transactional = mode == ACOR_BATCH_TRANSACTIONAL;
    acr_apply_result applied = {.announced = 1};
    acr_deadline deadline;
    int32_t *own = NULL;
    if (b->outcomes == NULL) {
        own = acr_alloc_array(&b->c->mem, b->n, sizeof *own);
        if (own == NULL)
            return acr_fail_nomem(err);
        b->outcomes = own;
    }
    if (b->n != 0)
        memset(b->outcomes, 0, b->n * sizeof *b->outcomes);
    int status = ACOR_OK;
    if (b->n != 0 || b->replace_all) {
        status = acr_collection_enter(b->c, &deadline, err);
        if (status == ACOR_OK) {
            status = run_locked(b, &applied, deadline, err);
            acr_collection_leave(b->c);
        }
    }
    if (status == ACOR_OK)
        status = settle(b, &applied, result);
    batch_clear(b);
    acr_free(&b->c->mem, own, b->n * sizeof *own);
    return status;
}

static acor_status many(acor_collection *c, const acor_string *keywords, size_t n,
                        acr_op_kind kind, int replace_all, uint32_t mode, int32_t *outcomes,
                        acor_batch_result *result, const char *operation, acor_error *err)
{
    batch b = {.c = c, .keywords = keywords, .n = n, .kind = kind,
               .replace_all = replace_all, .outcomes = outcomes};
    acor_error own = ACOR_ERROR_INIT;
    int status = write_batch(&b, mode, result, &own);
    if (status < 0)
        acr_error_give(err, &own, operation);
    return (acor_status)status;
}

acor_status acor_add_many(acor_collection *c, const acor_string *keywords, size_t n,
                          uint32_t mode, int32_t *outcomes, acor_batch_result *result,
                          acor_error *err)
{
    return many(c, keywords, n, ACR_OP_ADD, 0, mode, outcomes, result, "add_many", err);
}

acor_status acor_remove_many(acor_collection *c, const acor_string *keywords, size_t n,
                             uint32_t mode, int32_t *outcomes, acor_batch_result *result,
                             acor_error *err)
{
    return many(c, keywords, n, ACR_OP_REMOVE, 0, mode, outcomes, result, "remove_many", err);
}

acor_status acor_replace_all(acor_collection *c, const acor_string *keywords, size_t n,
                             uint32_t mode, int32_t *outcomes, acor_batch_result *result,
                             acor_error *err)
{
    return many(c, keywords, n, ACR_OP_ADD, 1, mode, outcomes, result, "replace_all", err);
}

acor_status acor_flush(acor_collection *c, acor_error *err)
{
    return many(c, NULL, 0, ACR_OP_ADD, 1, ACOR_BATCH_BEST_EFFORT, NULL, NULL, "flush", err);
}

/* A single keyword is a batch of one in which a blank one is no failure. */
static acor_status one(acor_collection *c, const char *keyword, size_t len, acr_op_kind kind,
                       int *changed, const char *operation, acor_error *err)
{
    acor_string s = {keyword, len};
    int32_t outcome = ACOR_OUTCOME_NONE;
    if (changed != NULL)
        *changed = 0;
    acor_status status = many(c, &s, 1, kind, 0, ACOR_BATCH_BEST_EFFORT, &outcome, NULL,
                              operation, err);
    if (status >= ACOR_OK && outcome == ACOR_ELIMIT) {
        status = (acor_status)acr_fail(err, ACOR_ELIMIT,
                                       "the keyword has %zu bytes, the limit is %u", len,
                                       ACOR_MAX_KEYWORD_BYTES);
        acr_error_operation(err, operation);
    }
    if (changed != NULL)
        *changed = status >= ACOR_OK && outcome == ACOR_OUTCOME_CHANGED;
    return status;
}

acor_status acor_add(acor_collection *c, const char *keyword, size_t len, int *added,
                     acor_error *err)
{
    return one(c, keyword, len, ACR_OP_ADD, added, "add", err);
}

acor_status acor_remove(acor_collection *c, const char *keyword, size_t len, int *removed,
                        acor_error *err)
{
    return one(c, keyword, len, ACR_OP_REMOVE, removed, "remove", err);
}
