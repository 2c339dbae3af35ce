/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store in memory. Its content is shared by all handles that were opened
 * with each other's store; each handle looks at one dictionary of it.
 *
 * A version is a counter of changes and a stamp drawn by the commit. The log of
 * changes ends at the counter, so the entry behind version c is number c + 1;
 * the first entry of each commit holds the stamp of the version before it.
 */
#include "base/error.h"
#include "base/random.h"
#include "base/thread.h"
#include "store/backend.h"

#define PIECE 256

typedef struct log_entry {
    unsigned char *data;
    size_t len;
    unsigned char before[ACR_STAMP_SIZE]; /* counts if first is set */
    unsigned char first;
    unsigned char remove;
} log_entry;

typedef struct dictionary {
    struct dictionary *next;
    unsigned char *name;
    size_t name_len;
    acr_words *words;
    int exists;
    acr_case mode;
    uint64_t counter;
    unsigned char stamp[ACR_STAMP_SIZE];
    log_entry *log; /* entries log_head to log_head + log_len - 1 count */
    size_t log_cap;
    size_t log_head;
    size_t log_len;
} dictionary;

typedef struct content {
    acr_mem mem; /* of the handle that made it */
    acr_refs refs;
    acr_mutex lock; /* guards all below, and the members of watches */
    acr_cond moved;
    dictionary *dictionaries; /* none is ever taken out */
} content;

typedef struct memory_store {
    acr_store base;
    content *content;
    dictionary *dictionary;
    acr_case mode;
    int read_only;
} memory_store;

typedef struct memory_watch {
    acr_watch base;
    uint64_t seen;
    int woken;
} memory_watch;

static const acr_store_ops memory_ops;

/* --- the log of changes -------------------------------------------------- */

static void free_entry(content *c, log_entry *e)
{
    acr_free(&c->mem, e->data, e->len);
}

static void drop_oldest(content *c, dictionary *d, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free_entry(c, &d->log[d->log_head + i]);
    d->log_head += n;
    d->log_len -= n;
    if (d->log_len == 0)
        d->log_head = 0;
}

/* Room for n more entries behind the last one. */
static int reserve_log(content *c, dictionary *d, size_t n, acor_error *err)
{
    if (d->log_head > d->log_cap / 2) {
        memmove(d->log, d->log + d->log_head, d->log_len * sizeof *d->log);
        d->log_head = 0;
    }
    return acr_grow(&c->mem, &d->log, &d->log_cap, d->log_head + d->log_len + n,
                    sizeof *d->log, err);
}

/* Write an entry behind the *n that are there without counting yet. */
static int draft_entry(content *c, dictionary *d, size_t *n, acr_slice keyword,
                       int remove, acor_error *err)
{
    log_entry *e = &d->log[d->log_head + d->log_len + *n];
    *e = (log_entry){.len = keyword.len, .first = *n == 0, .remove = remove != 0};
    e->data = acr_alloc(&c->mem, keyword.len);
    if (e->data == NULL)
        return acr_fail_nomem(err);
    memcpy(e->data, keyword.data, keyword.len);
    memcpy(e->before, d->stamp, ACR_STAMP_SIZE);
    ++*n;
    return ACOR_OK;
}

static void drop_drafts(content *c, dictionary *d, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free_entry(c, &d->log[d->log_head + d->log_len + i]);
}

/* --- tokens -------------------------------------------------------------- */

static acr_token token_of(const dictionary *d)
{
    return d->exists ? acr_version_token(d->counter, d->stamp) : acr_version_absent();
}

/* Entries at the log's end that lead from have to now; 0 if it cannot tell. */
static size_t entries_since(const dictionary *d, const acr_token *have)
{
    uint64_t counter;
    const unsigned char *stamp;
    if (have == NULL || !acr_version_split(have, &counter, &stamp) ||
        counter >= d->counter || d->counter - counter > d->log_len)
        return 0;
    size_t n = (size_t)(d->counter - counter);
    const log_entry *e = &d->log[d->log_head + d->log_len - n];
    return e->first && memcmp(e->before, stamp, ACR_STAMP_SIZE) == 0 ? n : 0;
}

/* --- content ------------------------------------------------------------- */

static void free_dictionary(content *c, dictionary *d)
{
    drop_oldest(c, d, d->log_len);
    acr_free(&c->mem, d->log, d->log_cap * sizeof *d->log);
    if (d->words != NULL)
        acr_words_unref(d->words);
    acr_free(&c->mem, d->name, d->name_len);
    acr_free(&c->mem, d, sizeof *d);
}

static void drop_content(content *c)
{
    if (!acr_refs_drop(&c->refs))
        return;
    while (c->dictionaries != NULL) {
        dictionary *d = c->dictionaries;
        c->dictionaries = d->next;
        free_dictionary(c, d);
    }
    acr_cond_destroy(&c->moved);
    acr_mutex_destroy(&c->lock);
    acr_mem mem = c->mem;
    acr_free(&mem, c, sizeof *c);
}

static int new_content(content **out, const acr_mem *mem, acor_error *err)
{
    content *c = acr_alloc_zero(mem, sizeof *c);
    if (c == NULL)
        return acr_fail_nomem(err);
    c->mem = *mem;
    acr_refs_init(&c->refs);
    int rc = acr_mutex_init(&c->lock, err);
    if (rc == ACOR_OK) {
        rc = acr_cond_init(&c->moved, err);
        if (rc != ACOR_OK)
            acr_mutex_destroy(&c->lock);
    }
    if (rc != ACOR_OK) {
        acr_free(mem, c, sizeof *c);
        return rc;
    }
    *out = c;
    return ACOR_OK;
}

static int get_dictionary_locked(dictionary **out, content *c, acr_slice name,
                                 acor_error *err)
{
    for (dictionary *d = c->dictionaries; d != NULL; d = d->next)
        if (acr_slice_eq(acr_slice_of(d->name, d->name_len), name)) {
            *out = d;
            return ACOR_OK;
        }
    dictionary *d = acr_alloc_zero(&c->mem, sizeof *d);
    if (d == NULL)
        return acr_fail_nomem(err);
    d->name = acr_alloc(&c->mem, name.len);
    d->name_len = name.len;
    d->words = acr_words_new(&c->mem);
    if (d->name == NULL || d->words == NULL) {
        free_dictionary(c, d);
        return acr_fail_nomem(err);
    }
    if (name.len != 0)
        memcpy(d->name, name.data, name.len);
    d->next = c->dictionaries;
    c->dictionaries = d;
    *out = d;
    return ACOR_OK;
}

static int lock(memory_store *m, acr_deadline deadline, acor_error *err)
{
    if (acr_mutex_lock_until(&m->content->lock, deadline) != ACOR_OK)
        return acr_fail(err, ACOR_ETIMEOUT,
                        "another handle kept the store until the deadline");
    return ACOR_OK;
}

/* Lock the content for one call, and see whether the handle may look at it. */
static int enter(memory_store *m, acr_deadline deadline, acor_error *err)
{
    ACR_TRY(lock(m, deadline, err));
    m->base.cost.transactions++;
    int rc = acr_store_check_mode(m->dictionary->mode, m->mode, err);
    if (rc != ACOR_OK)
        acr_mutex_unlock(&m->content->lock);
    return rc;
}

/* --- load ---------------------------------------------------------------- */

static int send_whole(const dictionary *d, const acr_load_sink *sink, acor_error *err)
{
    acr_change piece[PIECE];
    size_t n = 0;
    uint32_t end = acr_words_places(d->words);
    for (uint32_t place = 0; place < end; place++) {
        acr_slice keyword = acr_words_at(d->words, place);
        if (keyword.data == NULL)
            continue;
        piece[n++] = (acr_change){.keyword = keyword};
        if (n == PIECE) {
            ACR_TRY(sink->piece(sink->user, piece, n, err));
            n = 0;
        }
    }
    return n != 0 ? sink->piece(sink->user, piece, n, err) : ACOR_OK;
}

static int send_delta(const dictionary *d, size_t left, const acr_load_sink *sink,
                      acor_error *err)
{
    acr_change piece[PIECE];
    const log_entry *e = &d->log[d->log_head + d->log_len - left];
    while (left > 0) {
        size_t n = left < PIECE ? left : PIECE;
        for (size_t i = 0; i < n; i++, e++)
            piece[i] = (acr_change){.keyword = acr_slice_of(e->data, e->len),
                                    .remove = e->remove};
        ACR_TRY(sink->piece(sink->user, piece, n, err));
        left -= n;
    }
    return ACOR_OK;
}

static int load_locked(memory_store *m, const acr_token *have, const acr_load_sink *sink,
                       acr_load_result *result, acor_error *err)
{
    const dictionary *d = m->dictionary;
    *result = (acr_load_result){.version = token_of(d), .mode = d->mode,
                                .exists = d->exists};
    result->kind = ACR_LOAD_UNCHANGED;
    if (have != NULL && acr_token_eq(have, &result->version))
        return ACOR_OK;
    size_t n = entries_since(d, have);
    result->kind = n != 0 ? ACR_LOAD_DELTA : ACR_LOAD_WHOLE;
    ACR_TRY(sink->begin(sink->user, result->kind, err));
    return n != 0 ? send_delta(d, n, sink, err) : send_whole(d, sink, err);
}

static int memory_load(acr_store *s, const acr_token *have, const acr_load_sink *sink,
                       acr_load_result *result, acr_deadline deadline, acor_error *err)
{
    memory_store *m = (memory_store *)s;
    ACR_TRY(enter(m, deadline, err));
    int rc = load_locked(m, have, sink, result, err);
    acr_mutex_unlock(&m->content->lock);
    return rc < 0 ? rc : ACOR_OK;
}

/* --- apply --------------------------------------------------------------- */

/* What a request comes to, before anything is touched. */
typedef struct plan {
    uint64_t adds;
    uint64_t removes;    /* by operations */
    uint64_t drops;      /* by replace_all */
    unsigned char *kept; /* replace_all: by place, 1 for those that stay */
    size_t places;
} plan;

static int make_plan(plan *p, content *c, const dictionary *d, const acr_request *request,
                     unsigned char *outcomes, acor_error *err)
{
    *p = (plan){.places = acr_words_places(d->words)};
    if (request->replace_all) {
        p->kept = acr_alloc_zero(&c->mem, p->places);
        if (p->kept == NULL)
            return acr_fail_nomem(err);
        p->drops = acr_words_count(d->words);
    }
    for (size_t i = 0; i < request->n; i++) {
        uint32_t place = acr_words_find(d->words, request->ops[i].keyword);
        int there = place != ACR_WORDS_NONE;
        int remove = request->ops[i].kind == ACR_OP_REMOVE;
        outcomes[i] = there == remove ? ACR_DONE : ACR_DONE_NOTHING;
        if (there == remove && remove)
            p->removes++;
        else if (there == remove)
            p->adds++;
        if (there && request->replace_all) {
            p->kept[place] = 1;
            p->drops--;
        }
    }
    return ACOR_OK;
}

/* A keyword replace_all is to drop at this place, or nothing. */
static acr_slice dropped_at(const plan *p, const dictionary *d, size_t place)
{
    return p->kept[place] ? acr_slice_of(NULL, 0)
                          : acr_words_at(d->words, (uint32_t)place);
}

static int draft_log(content *c, dictionary *d, const plan *p, const acr_request *request,
                     const unsigned char *outcomes, size_t *drafts, acor_error *err)
{
    ACR_TRY(reserve_log(c, d, (size_t)(p->adds + p->removes + p->drops), err));
    if (request->replace_all)
        for (size_t place = 0; place < p->places; place++) {
            acr_slice keyword = dropped_at(p, d, place);
            if (keyword.data != NULL)
                ACR_TRY(draft_entry(c, d, drafts, keyword, 1, err));
        }
    for (size_t i = 0; i < request->n; i++)
        if (outcomes[i] == ACR_DONE)
            ACR_TRY(draft_entry(c, d, drafts, request->ops[i].keyword,
                                request->ops[i].kind == ACR_OP_REMOVE, err));
    return ACOR_OK;
}

/* Adding may fail and can be undone; so it comes first, and all or nothing. */
static int add_all(dictionary *d, const acr_request *request,
                   const unsigned char *outcomes, acor_error *err)
{
    for (size_t i = 0; i < request->n; i++) {
        if (outcomes[i] != ACR_DONE || request->ops[i].kind == ACR_OP_REMOVE)
            continue;
        int rc = acr_words_add(d->words, request->ops[i].keyword, NULL, err);
        if (rc < 0) {
            while (i-- > 0)
                if (outcomes[i] == ACR_DONE && request->ops[i].kind != ACR_OP_REMOVE)
                    (void)acr_words_remove(d->words, request->ops[i].keyword);
            return rc;
        }
    }
    return ACOR_OK;
}

static void remove_all(dictionary *d, const plan *p, const acr_request *request,
                       const unsigned char *outcomes)
{
    if (request->replace_all)
        for (size_t place = 0; place < p->places; place++) {
            acr_slice keyword = dropped_at(p, d, place);
            if (keyword.data != NULL)
                (void)acr_words_remove(d->words, keyword);
        }
    for (size_t i = 0; i < request->n; i++)
        if (outcomes[i] == ACR_DONE && request->ops[i].kind == ACR_OP_REMOVE)
            (void)acr_words_remove(d->words, request->ops[i].keyword);
    /* Gaps go once they are the greater part; without memory, another time. */
    if (acr_words_places(d->words) / 2 > acr_words_count(d->words) + 512)
        (void)acr_words_pack(d->words, NULL);
}

static int carry_out(memory_store *m, const plan *p, const acr_request *request,
                     const unsigned char *outcomes, acor_error *err)
{
    content *c = m->content;
    dictionary *d = m->dictionary;
    unsigned char stamp[ACR_STAMP_SIZE];
    ACR_TRY(acr_random(stamp, sizeof stamp, err));

    uint64_t total = p->adds + p->removes + p->drops;
    uint64_t after = acr_words_count(d->words) + p->adds - p->removes - p->drops;
    uint64_t limit = acr_log_limit(after);
    size_t drafts = 0;
    int rc = ACOR_OK;
    if (total <= limit)
        rc = draft_log(c, d, p, request, outcomes, &drafts, err);
    if (rc == ACOR_OK)
        rc = add_all(d, request, outcomes, err);
    if (rc != ACOR_OK) {
        drop_drafts(c, d, drafts);
        return rc;
    }

    /* From here on nothing fails. */
    remove_all(d, p, request, outcomes);
    if (total <= limit)
        d->log_len += drafts;
    else
        drop_oldest(c, d, d->log_len);
    if (d->log_len > limit)
        drop_oldest(c, d, d->log_len - (size_t)limit);
    d->counter += total;
    memcpy(d->stamp, stamp, ACR_STAMP_SIZE);
    d->exists = 1;
    d->mode = acr_mode_to_record(d->mode, m->mode);
    acr_cond_broadcast(&c->moved);
    return ACOR_OK;
}

static int apply_locked(memory_store *m, const acr_request *request,
                        unsigned char *outcomes, acr_apply_result *result,
                        acor_error *err)
{
    dictionary *d = m->dictionary;
    acr_token before = token_of(d);
    ACR_TRY(acr_request_expects(request, &before, d->mode, err));
    plan p;
    ACR_TRY(make_plan(&p, m->content, d, request, outcomes, err));
    int rc = ACOR_OK;
    if (p.adds + p.removes + p.drops != 0)
        rc = carry_out(m, &p, request, outcomes, err);
    acr_free(&m->content->mem, p.kept, p.places);
    ACR_TRY(rc);
    *result = (acr_apply_result){.version = token_of(d),
                                 .predecessor = before,
                                 .changed = p.adds + p.removes,
                                 .removed = p.drops,
                                 .announced = 1};
    return ACOR_OK;
}

static int memory_apply(acr_store *s, const acr_request *request, unsigned char *outcomes,
                        acr_apply_result *result, acr_deadline deadline, acor_error *err)
{
    memory_store *m = (memory_store *)s;
    ACR_TRY(acr_request_check(request, m->read_only, err));
    ACR_TRY(enter(m, deadline, err));
    int rc = apply_locked(m, request, outcomes, result, err);
    acr_mutex_unlock(&m->content->lock);
    return rc;
}

static int memory_info(acr_store *s, acr_store_info *info, acr_deadline deadline,
                       acor_error *err)
{
    memory_store *m = (memory_store *)s;
    ACR_TRY(enter(m, deadline, err));
    const dictionary *d = m->dictionary;
    *info = (acr_store_info){.version = token_of(d),
                             .mode = d->mode,
                             .exists = d->exists,
                             .keywords = acr_words_count(d->words)};
    acr_mutex_unlock(&m->content->lock);
    return ACOR_OK;
}

/* --- watch --------------------------------------------------------------- */

static int memory_watch_start(acr_store *s, acr_watch **out, acr_deadline deadline,
                              acor_error *err)
{
    memory_store *m = (memory_store *)s;
    *out = NULL;
    memory_watch *w = acr_alloc_zero(&s->mem, sizeof *w);
    if (w == NULL)
        return acr_fail_nomem(err);
    w->base.store = s;
    int rc = lock(m, deadline, err);
    if (rc != ACOR_OK) {
        acr_free(&s->mem, w, sizeof *w);
        return rc;
    }
    w->seen = m->dictionary->counter;
    acr_mutex_unlock(&m->content->lock);
    *out = &w->base;
    return ACOR_OK;
}

static int memory_wait(acr_watch *watch, acr_watch_event *event, acr_deadline deadline,
                       acor_error *err)
{
    (void)err;
    memory_watch *w = (memory_watch *)watch;
    memory_store *m = (memory_store *)watch->store;
    *event = ACR_WATCH_NOTHING;
    acr_mutex_lock(&m->content->lock);
    int late = 0;
    while (w->seen == m->dictionary->counter && !w->woken && !late)
        late = acr_cond_wait(&m->content->moved, &m->content->lock, deadline) != ACOR_OK;
    if (w->seen != m->dictionary->counter)
        *event = ACR_WATCH_CHANGED;
    else
        w->woken = 0;
    w->seen = m->dictionary->counter;
    acr_mutex_unlock(&m->content->lock);
    return ACOR_OK;
}

static void memory_wake(acr_watch *watch)
{
    memory_store *m = (memory_store *)watch->store;
    acr_mutex_lock(&m->content->lock);
    ((memory_watch *)watch)->woken = 1;
    acr_cond_broadcast(&m->content->moved);
    acr_mutex_unlock(&m->content->lock);
}

static void memory_unwatch(acr_watch *watch)
{
    acr_free(&watch->store->mem, watch, sizeof(memory_watch));
}

/* --- the store ----------------------------------------------------------- */

static void memory_close(acr_store *s)
{
    memory_store *m = (memory_store *)s;
    drop_content(m->content);
    acr_mem mem = s->mem;
    acr_free(&mem, m, sizeof *m);
}

static const acr_store_ops memory_ops = {
    .name = "memory",
    .load = memory_load,
    .apply = memory_apply,
    .info = memory_info,
    .watch = memory_watch_start,
    .wait = memory_wait,
    .wake = memory_wake,
    .unwatch = memory_unwatch,
    .close = memory_close,
};

int acr_memory_open(acr_store **out, const acr_store_params *params, acr_store *share,
                    acor_error *err)
{
    *out = NULL;
    if (share != NULL && share->ops != &memory_ops)
        return acr_fail(err, ACOR_EINVAL,
                        "mem: can share the store of a mem: handle only");
    memory_store *m = acr_alloc_zero(params->mem, sizeof *m);
    if (m == NULL)
        return acr_fail_nomem(err);
    m->base = (acr_store){.ops = &memory_ops, .mem = *params->mem, .log = params->log};
    m->mode = params->mode;
    m->read_only = params->read_only;

    int rc = ACOR_OK;
    if (share != NULL) {
        m->content = ((memory_store *)share)->content;
        acr_refs_take(&m->content->refs);
    } else {
        rc = new_content(&m->content, params->mem, err);
    }
    if (rc == ACOR_OK) {
        acr_mutex_lock(&m->content->lock);
        rc = get_dictionary_locked(&m->dictionary, m->content, params->name, err);
        acr_mutex_unlock(&m->content->lock);
        if (rc != ACOR_OK)
            drop_content(m->content);
    }
    if (rc != ACOR_OK) {
        acr_free(params->mem, m, sizeof *m);
        return rc;
    }
    *out = &m->base;
    return ACOR_OK;
}
