/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "base/random.h"
#include "store/redis/commit.h"
#include "text/normalize.h"

/* Waits between lost races grow to this. */
enum { LONGEST_PAUSE_MS = 64 };

/* An attempt is begun only with this many times left of what the slowest took:
 * one that breaks off in the middle leaves an outcome that nobody knows. */
enum { ATTEMPTS_LEFT = 4 };

/* One write on its way. */
typedef struct writing {
    acr_v2 *s;
    const acr_request *request;
    unsigned char *outcomes;
    acr_apply_result *result;
    acr_deadline deadline;
    acor_error *err;

    acr_words *words; /* the dictionary this attempt is based on; one reference */
    acr_plan plan;
    char version[ACR_VERSION_SIZE]; /* the new one, which is the commit's stamp */
    char empty[ACR_VERSION_SIZE];   /* one for a collection that is fenced by creating it */
    int64_t slowest; /* nanoseconds of the slowest attempt that was answered */
    int unanswered;  /* the last attempt was not, and has been fenced */
    uint64_t known_n; /* keywords there before a flush, as far as is known */
    int force; /* replace whatever is there by nothing: flush */
} writing;

/* --- what the attempt is based on -------------------------------------------- */

/* Take a state that was looked at whole as the base of the next attempt. */
static int rebase(writing *w, const acr_v2_state *state)
{
    size_t elements = 0;
    acr_words_unref(w->words);
    w->words = acr_words_new(&w->s->base.mem);
    if (w->words == NULL)
        return acr_fail_nomem(w->err);
    ACR_TRY(acr_store_check_mode(state->mode, w->s->asked, w->err));
    ACR_TRY(acr_v2_each_keyword(w->s, state, acr_v2_add_word, w->words, &elements, w->err));
    return acr_v2_remember(w->s, state, elements, -1, w->err);
}

static int look_whole(writing *w)
{
    acr_arena arena;
    acr_v2_state state;
    acr_arena_init(&arena, &w->s->base.mem);
    int status = acr_v2_look(w->s, 1, &arena, &state, w->deadline, w->err);
    if (status == ACOR_OK)
        status = rebase(w, &state);
    acr_arena_free(&arena);
    return status;
}

/* The caller's dictionary will do if it is the one seen last. */
static int find_base(writing *w)
{
    const acr_request *r = w->request;
    if (r->known != NULL && r->known_version != NULL && w->s->seen.token.len != 0 &&
        acr_token_eq(r->known_version, &w->s->seen.token)) {
        w->words = acr_words_ref(r->known);
        return ACOR_OK;
    }
    return look_whole(w);
}

/* --- planning ---------------------------------------------------------------- */

/* Whether prefixes and outputs are what the keywords make them; looked at once. */
static int check_complete(writing *w)
{
    acr_v2_seen *seen = &w->s->seen;
    acr_plan_sizes sizes;
    if (seen->complete >= 0)
        return ACOR_OK;
    ACR_TRY(acr_plan_measure(&sizes, &w->s->base.mem, w->words, w->err));
    seen->complete = (uint64_t)seen->prefixes_len == sizes.prefixes &&
                     (uint64_t)seen->outputs_n == sizes.outputs;
    return ACOR_OK;
}

/*
 * Where no case mode is recorded (Go records none), the client's choice counts,
 * but lower-casing must not be promised for keywords that are not in lower case.
 */
static int check_case(const writing *w)
{
    if (w->s->seen.mode != ACR_CASE_UNRECORDED || w->s->asked == ACR_CASE_EXACT)
        return ACOR_OK;
    for (uint32_t i = 0, n = acr_words_places(w->words); i < n; i++) {
        acr_slice k = acr_words_at(w->words, i);
        if (k.data != NULL && !acr_is_normal(acr_trim(k), 1))
            return acr_fail(w->err, ACOR_EMODE,
                            "keyword \"%.*s\" is stored with capitals, so the collection is "
                            "case-sensitive; open it so to write",
                            k.len < 60 ? (int)k.len : 60, (const char *)k.data);
    }
    return ACOR_OK;
}

static int make_plan(writing *w)
{
    acr_v2_seen *seen = &w->s->seen;
    acr_plan_free(&w->plan);
    ACR_TRY(check_case(w));
    ACR_TRY(check_complete(w));
    acr_plan_base base = {
        .words = w->words,
        .appendable = seen->tail && seen->elements == acr_words_count(w->words),
        .complete = seen->complete,
        .keywords_len = (uint64_t)seen->keywords_len,
        .prefixes_len = (uint64_t)seen->prefixes_len,
    };
    int status =
        acr_plan_make(&w->plan, &w->s->base.mem, &base, w->request, w->outcomes, w->err);
    if (status == ACOR_ELIMIT)
        acr_v2_name_key(w->s, ACR_KEY_TRIE, w->err);
    return status;
}

/* --- the commit ---------------------------------------------------------------- */

/* The state the attempt is based on, as far as one is known. */
static acr_commit_base commit_base(const writing *w)
{
    const acr_v2_seen *seen = &w->s->seen;
    return (acr_commit_base){
        .kind = seen->token.len == 0 ? "f" : seen->has_version ? "v" : "-",
        .version = {seen->version.data, seen->version.len},
        .outputs_n = seen->outputs_n,
        .keywords_len = seen->keywords_len,
        .prefixes_len = seen->prefixes_len,
    };
}

/* What the collection's case mode has to be recorded as; "" where it is, or need not be. */
static const char *case_to_record(const writing *w)
{
    if (w->force ? w->s->asked == ACR_CASE_UNRECORDED
                 : w->s->seen.mode != ACR_CASE_UNRECORDED)
        return "";
    return w->s->asked == ACR_CASE_EXACT ? "sensitive" : "insensitive";
}

/* --- answers -------------------------------------------------------------------- */

static int64_t integer_at(const acr_reply *r, size_t i)
{
    return i < r->n && r->items[i].kind == ACR_REPLY_INTEGER ? r->items[i].integer : 0;
}

/* The mode that is recorded once a commit of ours went through. */
static acr_case mode_after(const writing *w)
{
    if (w->s->seen.mode != ACR_CASE_UNRECORDED)
        return w->s->seen.mode;
    return w->s->asked == ACR_CASE_EXACT ? ACR_CASE_EXACT : ACR_CASE_FOLDED;
}

static void committed(writing *w, const acr_reply *r)
{
    int64_t keywords_len = integer_at(r, 2);
    acr_v2_state state = {
        .exists = 1,
        .has_version = 1,
        .version = acr_slice_str(w->version),
        .outputs_n = integer_at(r, 1),
        .keywords_len = keywords_len,
        .prefixes_len = integer_at(r, 3),
        .mode = mode_after(w),
        /* Only its end matters here, and that is a bracket. */
        .keywords = acr_slice_str(keywords_len == 2 ? "[]" : "[..]"),
    };
    acr_apply_result *result = w->result;
    result->predecessor = w->s->seen.token;
    result->changed = w->plan.changed;
    result->removed = w->force ? (uint64_t)integer_at(r, 5) : w->plan.removed;
    result->announced = integer_at(r, 4) == 1;
    if (!result->announced)
        acr_log_put(&w->s->base.log, ACOR_LOG_WARNING,
                    "a change was written, but the user may not publish it");
    acr_v2_token(&state, &result->version);
    size_t elements = w->plan.words ? acr_words_count(w->plan.words) : 0;
    result->words = acr_words_ref(w->plan.words);
    /* It is done whether or not there is memory to remember it. */
    if (acr_v2_remember(w->s, &state, elements, 1, NULL) != ACOR_OK)
        w->s->seen.token.len = 0;
}

/* Somebody else was faster; the refusal brought the state as it is now. */
static int refused(writing *w, const acr_reply *r)
{
    if (r->n != 6)
        return acr_fail(w->err, ACOR_EPROTOCOL, "the commit script answered in another form");
    const acr_reply *f = r->items;
    acr_v2_state state = {
        .exists = 1,
        .has_version = f[1].kind == ACR_REPLY_STRING,
        .version = f[1].text,
        .mode = f[2].kind != ACR_REPLY_STRING                        ? ACR_CASE_UNRECORDED
                : acr_slice_eq(f[2].text, acr_slice_str("sensitive")) ? ACR_CASE_EXACT
                                                                      : ACR_CASE_FOLDED,
        .outputs_n = integer_at(r, 3),
        .prefixes_len = integer_at(r, 4),
        .keywords_len = (int64_t)f[5].text.len,
        .keywords = f[5].text,
    };
    ACR_TRY(rebase(w, &state));
    return ACOR_ECONFLICT;
}

static int refuse_v1(const writing *w)
{
    return acr_fail(w->err, ACOR_EREADONLY,
                    "the collection has the old layout V1, which is only read; migrate it "
                    "to V2 first");
}

static int understand(writing *w, const acr_reply *r)
{
    if (r->kind != ACR_REPLY_ARRAY || r->n == 0)
        return acr_fail(w->err, ACOR_EPROTOCOL, "the commit script answered in another form");
    switch (integer_at(r, 0)) {
    case 1: committed(w, r); return ACOR_OK;
    case 0: return refused(w, r);
    case -1: return ACOR_ECONFLICT; /* fenced: as if it had never been sent */
    case -2:
        return acr_fail(w->err, ACOR_ESCHEMA, "key %.*s holds something else than a hash",
                        r->n > 1 ? (int)r->items[1].text.len : 0,
                        r->n > 1 ? (const char *)r->items[1].text.data : "");
    case -4:
        return acr_store_check_mode(w->s->asked == ACR_CASE_EXACT ? ACR_CASE_FOLDED
                                                                  : ACR_CASE_EXACT,
                                    w->s->asked, w->err);
    case -5:
        w->s->seen.tail = w->s->seen.complete = 0;
        return ACOR_ECONFLICT; /* to be written whole */
    default: return refuse_v1(w);
    }
}

/* --- a lost answer ---------------------------------------------------------------- */

/* Ask once: 1, 2 or 0 as acr_script_resolve answers, or a failure. */
static int ask(writing *w)
{
    acr_arena arena;
    acr_reply *reply;
    acr_commit_base base = commit_base(w);
    acr_arena_init(&arena, &w->s->base.mem);
    int status = acr_commit_resolve(w->s, &base, w->version, w->empty, &arena, &reply,
                                    w->deadline, w->err);
    if (status == ACOR_OK)
        status = reply->kind == ACR_REPLY_INTEGER ? (int)reply->integer : 0;
    acr_arena_free(&arena);
    return status;
}

static int resolve(writing *w)
{
    enum { PAUSE_MS = 20 };
    ACR_TRY(acr_commit_draw_version(w->empty, w->err));
    acr_log_put(&w->s->base.log, ACOR_LOG_WARNING,
                "the answer to a commit was lost; asking what became of version %s",
                w->version);
    int answer = ask(w);
    while ((answer == ACOR_ECONNECT || answer == ACOR_EUNAVAILABLE) &&
           acr_deadline_left_ms(w->deadline) > PAUSE_MS) {
        acr_clock_sleep_ms(PAUSE_MS);
        answer = ask(w);
    }
    acr_token base = w->s->seen.token;
    w->s->seen.token.len = 0;
    if (answer == 2) {
        w->unanswered = 1;
        return ACOR_ECONFLICT; /* not committed, and never will be: try again */
    }
    if (answer != 1)
        return acr_fail(w->err, ACOR_EOUTCOME,
                        "the connection was lost during the commit, and the server %s whether "
                        "it went through",
                        answer == 0 ? "no longer knows" : "could not be asked");
    /* Done, but what came after it is not known: the next read looks. */
    w->result->predecessor = base;
    w->result->version = (acr_token){.len = 1, .bytes = {'?'}};
    w->result->changed = w->plan.changed;
    w->result->removed = w->force ? w->known_n : w->plan.removed;
    w->result->announced = 1;
    return ACOR_OK;
}

/* The commit may take most of what is left; the rest is for asking what became of it. */
static acr_deadline commit_deadline(const writing *w)
{
    int64_t now = acr_clock_now(), left = w->deadline - now;
    return left > 0 ? now + left / 4 * 3 : w->deadline;
}

static int commit(writing *w)
{
    acr_arena arena;
    acr_reply *reply = NULL;
    int sent = 0;
    ACR_TRY(acr_commit_draw_version(w->version, w->err));
    acr_arena_init(&arena, &w->s->base.mem);
    acr_commit c = {
        .base = commit_base(w),
        .version = w->version,
        .record_case = case_to_record(w),
        .plan = w->force ? NULL : &w->plan,
    };
    if (w->force)
        c.base.kind = "f";
    int status =
        acr_commit_call(w->s, &c, &arena, &reply, &sent, commit_deadline(w), w->err);
    if (status == ACOR_OK)
        status = understand(w, reply);
    else if (sent && (status == ACOR_ECONNECT || status == ACOR_ETIMEOUT ||
                      status == ACOR_EPROTOCOL || status == ACOR_ENOMEM))
        status = resolve(w);
    acr_arena_free(&arena);
    return status;
}

/* --- all together ------------------------------------------------------------------ */

static int pause_after(writing *w, unsigned lost)
{
    unsigned char r[2];
    unsigned most = lost < 6 ? 1u << lost : LONGEST_PAUSE_MS;
    ACR_TRY(acr_random(r, sizeof r, w->err));
    unsigned ms = (unsigned)(r[0] << 8 | r[1]) % (most + 1);
    int64_t need = ATTEMPTS_LEFT * w->slowest / ACR_MILLISECOND + ms;
    if (need >= acr_deadline_left_ms(w->deadline) && w->unanswered)
        return acr_fail(w->err, ACOR_ETIMEOUT,
                        "the server did not answer in time; nothing was written");
    if (need >= acr_deadline_left_ms(w->deadline))
        return acr_fail(w->err, ACOR_ECONFLICT,
                        "other writers were faster %u times within the time-out", lost);
    acr_clock_sleep_ms(ms);
    return ACOR_OK;
}

/* Is what the attempt was based on still the state? Else base on what is. */
static int still_so(writing *w, int *same)
{
    acr_arena arena;
    acr_v2_state state;
    acr_token now = {0};
    acr_arena_init(&arena, &w->s->base.mem);
    int status = acr_v2_look(w->s, 0, &arena, &state, w->deadline, w->err);
    if (status == ACOR_OK)
        acr_v2_token(&state, &now);
    acr_arena_free(&arena);
    ACR_TRY(status);
    *same = acr_token_eq(&now, &w->s->seen.token);
    return *same ? ACOR_OK : look_whole(w);
}

/*
 * Emptying replaces whatever is there, but if its answer is lost, what was there
 * before tells whether it was carried out. One that cannot be read is no reason
 * not to empty it.
 */
static int look_before_flush(writing *w)
{
    acr_arena arena;
    acr_v2_state state;
    if (w->s->seen.token.len != 0)
        return ACOR_OK;
    acr_arena_init(&arena, &w->s->base.mem);
    int status = acr_v2_look(w->s, 0, &arena, &state, w->deadline, w->err);
    if (status == ACOR_OK)
        status = acr_v2_remember(w->s, &state, 0, -1, w->err);
    acr_arena_free(&arena);
    return status == ACOR_ESCHEMA ? ACOR_OK : status;
}

/* One attempt: ACOR_ECONFLICT if another is to be made on the base that is there now,
 * ACOR_UNCHANGED if by that base there is nothing to do. */
static int attempt(writing *w)
{
    const acr_token *expect = w->request->expect;
    if (w->force) {
        ACR_TRY(look_before_flush(w));
        return commit(w);
    }
    if (w->s->seen.token.len == 0)
        ACR_TRY(look_whole(w));
    if (w->s->seen.v1)
        return refuse_v1(w);
    if (acr_store_check_folding(w->s->seen.mode, w->request, NULL) != ACOR_OK)
        return ACOR_ECONFLICT;
    if (expect != NULL && !acr_token_eq(expect, &w->s->seen.token))
        return ACOR_ECONFLICT;
    ACR_TRY(make_plan(w));
    return w->plan.changed == 0 && w->plan.removed == 0 ? ACOR_UNCHANGED : commit(w);
}

static int run(writing *w)
{
    unsigned lost = 0;
    if (!w->force)
        ACR_TRY(find_base(w));
    /* A base that was not looked at in this call may be out of date. */
    int looked = w->words != w->request->known;
    for (;;) {
        int64_t begun = acr_clock_now();
        w->unanswered = 0;
        int status = attempt(w);
        if (!w->unanswered && acr_clock_now() - begun > w->slowest)
            w->slowest = acr_clock_now() - begun;
        if (status == ACOR_UNCHANGED) {
            int same = looked;
            if (!looked)
                ACR_TRY(still_so(w, &same));
            looked = 1;
            if (!same)
                continue;
            w->result->version = w->result->predecessor = w->s->seen.token;
            w->result->announced = 1;
            return ACOR_OK;
        }
        if (status != ACOR_ECONFLICT)
            return status;
        ACR_TRY(acr_store_check_folding(w->s->seen.mode, w->request, w->err));
        if (w->request->expect != NULL)
            return acr_fail(w->err, ACOR_ECONFLICT,
                            "the dictionary is no longer the version that was expected");
        looked = 1;
        acr_log_put(&w->s->base.log, ACOR_LOG_DEBUG, "another writer was faster");
        ACR_TRY(pause_after(w, ++lost));
    }
}

int acr_v2_apply(acr_store *base, const acr_request *request, unsigned char *outcomes,
                 acr_apply_result *result, acr_deadline deadline, acor_error *err)
{
    acr_v2 *s = (acr_v2 *)base;
    *result = (acr_apply_result){.announced = 1};
    if (s->read_only)
        return acr_fail(err, ACOR_EREADONLY, "the store was opened to read only");
    writing w = {.s = s, .request = request, .outcomes = outcomes, .result = result,
                 .deadline = deadline, .err = err};
    /* Emptying a dictionary needs no look at it, and heals one that cannot be read. */
    w.known_n = request->known ? acr_words_count(request->known) : 0;
    w.force = request->replace_all && request->n == 0 && request->expect == NULL;
    int status = run(&w);
    acr_plan_free(&w.plan);
    acr_words_unref(w.words);
    return status;
}
