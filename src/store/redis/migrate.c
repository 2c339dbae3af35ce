/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From V1 to V2. V2 is written in one commit beside V1, read back and compared;
 * until then V1 is what readers see. Then V1's keys go in batches, the set of
 * keywords last, so that a migration that broke off there can be finished. The
 * field c:migrating says that it has to be: 1, or 2 once V2 has been compared.
 */
#include <stdio.h>

#include "base/error.h"
#include "base/random.h"
#include "store/redis/commit.h"
#include "text/normalize.h"
#include "text/utf8.h"

enum { LOCK_SECONDS = 300, OWNER_SIZE = 33, BATCH = 1000, STEPS = 4 };

typedef struct migrating {
    acr_v2 *s;
    acr_migration *m;
    char owner[OWNER_SIZE]; /* of the lock */
    acr_words *members; /* V1's keywords, as they are there */
    acr_words *words;   /* the same, normalised: V2's */
    acr_plan plan;
    acr_arena arena;   /* of the current step */
    acr_slice *batch;  /* keys about to go, in the arena */
    size_t batch_n;
    acor_error *err;
} migrating;

static acr_deadline step_deadline(const migrating *g)
{
    return acr_deadline_in_ms(g->m->step_ms);
}

static void begin_step(migrating *g, uint32_t step, const char *what)
{
    acr_arena_free(&g->arena);
    g->batch = NULL;
    g->batch_n = 0;
    if (g->m->progress != NULL)
        g->m->progress(g->m->user, step, STEPS, what);
}

/* One command whose answer has to be no error. */
static int command(acr_v2 *s, const acr_slice *args, size_t n, acr_arena *arena,
                   acr_reply **reply, const char *what, acr_deadline deadline,
                   acor_error *err)
{
    acr_command c = {args, n};
    ACR_TRY(acr_v2_exchange(s, &c, 1, arena, reply, 0, NULL, deadline, err));
    return acr_v2_check(s, *reply, what, err);
}

/* --- the lock ----------------------------------------------------------------- */

static int take_lock(migrating *g)
{
    unsigned char r[16];
    acr_reply *reply;
    ACR_TRY(acr_random(r, sizeof r, g->err));
    for (size_t i = 0; i < sizeof r; i++)
        snprintf(g->owner + 2 * i, 3, "%02x", r[i]);
    char seconds[8];
    snprintf(seconds, sizeof seconds, "%d", LOCK_SECONDS);
    acr_slice args[] = {acr_slice_str("SET"),     g->s->keys[ACR_KEY_LOCK],
                        acr_slice_str(g->owner),  acr_slice_str("NX"),
                        acr_slice_str("EX"),      acr_slice_str(seconds)};
    ACR_TRY(command(g->s, args, 6, &g->arena, &reply, "SET", step_deadline(g), g->err));
    if (reply->kind == ACR_REPLY_NIL)
        return acr_fail(g->err, ACOR_EBUSY, "migration already in progress");
    return ACOR_OK;
}

/* seconds 0 gives it back. */
static int keep_lock(migrating *g, const char *seconds, acor_error *err)
{
    acr_slice args[] = {acr_slice_str(g->owner), acr_slice_str(seconds)};
    acr_reply *reply;
    int sent;
    ACR_TRY(acr_script_call(g->s, &acr_script_lock, &g->s->keys[ACR_KEY_LOCK], 1, args, 2,
                            &g->arena, &reply, &sent, step_deadline(g), err));
    if (reply->kind != ACR_REPLY_INTEGER || reply->integer != 1)
        return acr_fail(err, ACOR_EBUSY, "the migration's lock was lost to another one");
    return ACOR_OK;
}

static int renew_lock(migrating *g)
{
    char seconds[8];
    snprintf(seconds, sizeof seconds, "%d", LOCK_SECONDS);
    return keep_lock(g, seconds, g->err);
}

/* --- writing V2 ----------------------------------------------------------------- */

/* Valid UTF-8, as anything that is stored in V2; letters stay as they are. */
static int normal_form(migrating *g, acr_slice member, acr_buf *form)
{
    size_t len;
    form->len = 0;
    return acr_normalize(form, member, 0, &len, g->err);
}

/* The keywords in the order of their bytes: a set has none of its own. */
static int put_in_order(migrating *g, acr_words *to)
{
    const acr_mem *mem = &g->s->base.mem;
    uint32_t *order;
    size_t n = acr_words_count(g->members);
    acr_buf form;
    ACR_TRY(acr_words_sorted(g->members, mem, &order, g->err));
    acr_buf_init(&form, mem);
    int status = ACOR_OK;
    for (size_t i = 0; i < n && status == ACOR_OK; i++) {
        status = normal_form(g, acr_words_at(g->members, order[i]), &form);
        if (status == ACOR_OK && form.len != 0)
            status = acr_words_add(to, acr_slice_of(form.data, form.len), NULL, g->err);
    }
    acr_buf_free(&form);
    acr_free(mem, order, n * sizeof *order);
    return status;
}

static int plan_words(migrating *g, const acr_words *words, acr_words *empty)
{
    const acr_mem *mem = &g->s->base.mem;
    size_t n = acr_words_count(words);
    acr_op *ops = acr_alloc_array(mem, n, sizeof *ops);
    unsigned char *outcomes = acr_alloc_zero(mem, n);
    int status = ops == NULL || outcomes == NULL ? acr_fail_nomem(g->err) : ACOR_OK;
    if (status == ACOR_OK) {
        for (uint32_t i = 0; i < n; i++)
            ops[i] = (acr_op){.keyword = acr_words_at(words, i), .kind = ACR_OP_ADD};
        acr_plan_base base = {.words = empty};
        acr_request request = {.ops = ops, .n = n};
        status = acr_plan_make(&g->plan, mem, &base, &request, outcomes, g->err);
    }
    acr_free(mem, outcomes, n);
    acr_free(mem, ops, n * sizeof *ops);
    return status;
}

static int plan_v2(migrating *g, const acr_v2_state *state)
{
    const acr_mem *mem = &g->s->base.mem;
    acr_words *empty = acr_words_new(mem);
    size_t elements;
    g->members = acr_words_new(mem);
    g->words = acr_words_new(mem);
    int status = empty == NULL || g->members == NULL || g->words == NULL
                     ? acr_fail_nomem(g->err)
                     : acr_v2_each_keyword(g->s, state, acr_v2_add_word, g->members,
                                           &elements, g->err);
    if (status == ACOR_OK)
        status = put_in_order(g, g->words);
    if (status == ACOR_OK)
        status = plan_words(g, g->words, empty);
    acr_words_unref(empty);
    ACR_TRY(status);
    g->m->keywords = acr_words_count(g->words);
    g->m->states = g->plan.states_n;
    return acr_words_nodes(g->words, mem, &g->m->prefixes, g->err);
}

/* The answer was lost: 1 if the commit went through all the same. */
static int went_through(migrating *g, const acr_commit *c)
{
    char unused[ACR_VERSION_SIZE];
    acr_reply *reply;
    acr_commit_base nothing = {.kind = "-"};
    ACR_TRY(acr_commit_draw_version(unused, g->err));
    int status = acr_commit_resolve(g->s, &nothing, c->version, unused, &g->arena, &reply,
                                    step_deadline(g), g->err);
    if (status == ACOR_OK && reply->kind == ACR_REPLY_INTEGER && reply->integer == 1)
        return 1;
    return acr_fail(g->err, ACOR_EOUTCOME,
                    "the connection was lost while V2 was written; migrate again, which takes "
                    "up what is there");
}

static int write_v2(migrating *g)
{
    char version[ACR_VERSION_SIZE];
    acr_reply *reply;
    int sent;
    ACR_TRY(acr_commit_draw_version(version, g->err));
    char count[ACR_VERSION_SIZE];
    snprintf(count, sizeof count, "%zu", acr_words_count(g->members));
    acr_commit c = {
        .base = {.kind = g->m->keep_old ? "k" : "m", .version = acr_slice_str(count)},
        .version = version,
        .record_case = "", /* V1 records no case mode, so none is made up */
        .plan = acr_words_count(g->words) != 0 ? &g->plan : NULL,
    };
    int status =
        acr_commit_call(g->s, &c, &g->arena, &reply, &sent, step_deadline(g), g->err);
    if (status != ACOR_OK) {
        if (!sent)
            return status;
        int done = went_through(g, &c);
        return done == 1 ? ACOR_OK : done;
    }
    if (reply->kind != ACR_REPLY_ARRAY || reply->n == 0 || reply->items[0].integer != 1)
        return acr_fail(g->err, ACOR_ECONFLICT,
                        "somebody else wrote to the collection meanwhile; V1 is as it was");
    return ACOR_OK;
}

/* --- reading it back -------------------------------------------------------------- */

static int is_same(void *user, acr_slice keyword, acor_error *err)
{
    const acr_words *words = user;
    if (acr_words_find(words, keyword) != ACR_WORDS_NONE)
        return ACOR_OK;
    return acr_fail(err, ACOR_ECORRUPT, "the keywords read back are not those written");
}

static int verify(migrating *g)
{
    acr_v2_state state;
    acr_plan_sizes sizes;
    size_t elements = 0;
    ACR_TRY(acr_plan_measure(&sizes, &g->s->base.mem, g->words, g->err));
    ACR_TRY(acr_v2_look(g->s, 1, &g->arena, &state, step_deadline(g), g->err));
    ACR_TRY(acr_v2_each_keyword(g->s, &state, is_same, g->words, &elements, g->err));
    if (elements != acr_words_count(g->words) ||
        (uint64_t)state.prefixes_len != sizes.prefixes ||
        (uint64_t)state.outputs_n != sizes.outputs)
        return acr_fail(g->err, ACOR_ECORRUPT,
                        "V2 read back is not what was written; V1 is as it was");
    return ACOR_OK;
}

/* V2 goes, and others are told, in one exchange. */
static int drop_v2(migrating *g, acor_error *err)
{
    const acr_slice *k = g->s->keys;
    acr_slice drop[] = {acr_slice_str("DEL"), k[ACR_KEY_TRIE], k[ACR_KEY_OUTPUTS],
                        k[ACR_KEY_NODES]};
    acr_slice tell[] = {acr_slice_str("PUBLISH"), k[ACR_KEY_CHANNEL], {NULL, 0}};
    acr_command both[] = {{drop, 4}, {tell, 3}};
    acr_reply *replies[2];
    ACR_TRY(acr_commit_message(g->s, &g->arena, &tell[2], err));
    ACR_TRY(acr_v2_exchange(g->s, both, 2, &g->arena, replies, 0, NULL, step_deadline(g), err));
    ACR_TRY(acr_v2_check(g->s, replies[0], "DEL", err));
    return acr_v2_check(g->s, replies[1], "PUBLISH", err);
}

/* --- V1's keys go ------------------------------------------------------------------ */

static int send_batch(migrating *g)
{
    acr_reply *reply;
    if (g->batch_n <= 1)
        return ACOR_OK;
    ACR_TRY(command(g->s, g->batch, g->batch_n, &g->arena, &reply, "UNLINK", step_deadline(g),
                    g->err));
    g->m->keys_removed += (uint64_t)(reply->kind == ACR_REPLY_INTEGER ? reply->integer : 0);
    acr_arena_free(&g->arena);
    g->batch = NULL;
    g->batch_n = 0;
    return renew_lock(g);
}

static int drop_key(migrating *g, acr_slice head, acr_slice tail)
{
    if (g->batch_n == BATCH)
        ACR_TRY(send_batch(g));
    if (g->batch == NULL) {
        g->batch = acr_arena_get(&g->arena, BATCH * sizeof *g->batch, 1);
        if (g->batch == NULL)
            return acr_fail_nomem(g->err);
        g->batch[0] = acr_slice_str("UNLINK");
        g->batch_n = 1;
    }
    unsigned char *key = acr_arena_get(&g->arena, head.len + tail.len + 1, 0);
    if (key == NULL)
        return acr_fail_nomem(g->err);
    memcpy(key, head.data, head.len);
    if (tail.len != 0)
        memcpy(key + head.len, tail.data, tail.len);
    g->batch[g->batch_n++] = acr_slice_of(key, head.len + tail.len);
    return ACOR_OK;
}

static int drop_states(void *user, acr_slice word, size_t shared, acor_error *err)
{
    migrating *g = user;
    const unsigned char *end = word.data + word.len;
    (void)err;
    for (const unsigned char *p = word.data + shared; p < end;) {
        p += acr_utf8_decode(p, end).width;
        ACR_TRY(drop_key(g, g->s->keys[ACR_KEY_V1_OUTPUT],
                         acr_slice_of(word.data, (size_t)(p - word.data))));
    }
    return drop_key(g, g->s->keys[ACR_KEY_V1_NODE], word);
}

static int note_state(migrating *g, const char *value)
{
    acr_slice note[] = {acr_slice_str(value ? "HSET" : "HDEL"), g->s->keys[ACR_KEY_TRIE],
                        acr_slice_str("c:migrating"), acr_slice_str(value ? value : "")};
    acr_reply *reply;
    return command(g->s, note, value ? 4 : 3, &g->arena, &reply, "c:migrating",
                   step_deadline(g), g->err);
}

/* V1's keywords as they are now, into words. */
static int look_at_members(migrating *g, acr_words *words)
{
    acr_slice args[] = {acr_slice_str("SMEMBERS"), g->s->keys[ACR_KEY_V1_KEYWORDS]};
    acr_reply *reply;
    ACR_TRY(command(g->s, args, 2, &g->arena, &reply, "SMEMBERS", step_deadline(g), g->err));
    for (size_t i = 0; i < reply->n; i++)
        ACR_TRY(acr_words_add(words, reply->items[i].text, NULL, g->err));
    return ACOR_OK;
}

/* An old writer may have added to V1 since it was read: then nothing is deleted. */
static int check_members(migrating *g)
{
    acr_words *now = acr_words_new(&g->s->base.mem);
    if (now == NULL)
        return acr_fail_nomem(g->err);
    int status = look_at_members(g, now);
    for (uint32_t i = 0; i < acr_words_places(now) && status == ACOR_OK; i++)
        if (acr_words_find(g->members, acr_words_at(now, i)) == ACR_WORDS_NONE)
            status = acr_fail(g->err, ACOR_ECONFLICT,
                              "V1 got new keywords during the migration; its keys are kept. "
                              "Add those to V2, or roll back and migrate again");
    acr_words_unref(now);
    return status;
}

static int drop_v1(migrating *g)
{
    const acr_slice *k = g->s->keys, none = acr_slice_of(NULL, 0);
    if (g->m->keep_old)
        return note_state(g, NULL);
    ACR_TRY(check_members(g));
    ACR_TRY(note_state(g, "2"));
    ACR_TRY(acr_words_walk(g->members, &g->s->base.mem, drop_states, g, g->err));
    ACR_TRY(send_batch(g));
    ACR_TRY(drop_key(g, k[ACR_KEY_V1_PREFIXES], none));
    ACR_TRY(drop_key(g, k[ACR_KEY_V1_SUFFIXES], none));
    ACR_TRY(drop_key(g, k[ACR_KEY_V1_KEYWORDS], none));
    ACR_TRY(send_batch(g));
    return note_state(g, NULL);
}

/* --- all together -------------------------------------------------------------------- */

/* Every keyword of V1 has to be in V2 before V1 goes. */
static int compare_with_v2(migrating *g, const acr_v2_state *v2)
{
    acr_words *stored = acr_words_new(&g->s->base.mem), *wanted = NULL;
    size_t elements;
    int status = stored == NULL ? acr_fail_nomem(g->err)
                                : acr_v2_each_keyword(g->s, v2, acr_v2_add_word, stored,
                                                      &elements, g->err);
    if (status == ACOR_OK) {
        wanted = acr_words_new(&g->s->base.mem);
        status = wanted == NULL ? acr_fail_nomem(g->err) : put_in_order(g, wanted);
    }
    for (uint32_t i = 0; status == ACOR_OK && i < acr_words_places(wanted); i++)
        if (acr_words_find(stored, acr_words_at(wanted, i)) == ACR_WORDS_NONE)
            status = acr_fail(g->err, ACOR_ECORRUPT,
                              "V2 lacks a keyword that V1 has; nothing was deleted. Roll back "
                              "and migrate again");
    acr_words_unref(wanted);
    acr_words_unref(stored);
    return status;
}

/* V2 is there: finish what broke off, if something did. */
static int resume(migrating *g, const acr_v2_state *v2)
{
    acr_slice ask[] = {acr_slice_str("HGET"), g->s->keys[ACR_KEY_TRIE],
                       acr_slice_str("c:migrating")};
    acr_reply *reply;
    ACR_TRY(command(g->s, ask, 3, &g->arena, &reply, "HGET", step_deadline(g), g->err));
    if (reply->kind != ACR_REPLY_STRING)
        return acr_fail(g->err, ACOR_ESCHEMA, "collection is already on V2 schema");
    int compared = acr_slice_eq(reply->text, acr_slice_str("2"));
    g->members = acr_words_new(&g->s->base.mem);
    if (g->members == NULL)
        return acr_fail_nomem(g->err);
    ACR_TRY(look_at_members(g, g->members));
    g->m->keywords = acr_words_count(g->members);
    g->m->states = (uint64_t)v2->outputs_n;
    ACR_TRY(acr_words_nodes(g->members, &g->s->base.mem, &g->m->prefixes, g->err));
    if (!compared)
        ACR_TRY(compare_with_v2(g, v2));
    if (g->m->dry_run)
        return ACOR_OK;
    begin_step(g, STEPS, "Deleting V1 keys");
    return drop_v1(g);
}

static int migrate_locked(migrating *g)
{
    acr_v2_state state;
    begin_step(g, 1, "Collecting keywords");
    ACR_TRY(acr_v2_look(g->s, 1, &g->arena, &state, step_deadline(g), g->err));
    if (!state.exists)
        return acr_fail(g->err, ACOR_NOTFOUND, "no V1 data found to migrate");
    if (!state.v1)
        return resume(g, &state);
    ACR_TRY(plan_v2(g, &state));
    if (g->m->dry_run)
        return ACOR_OK;
    begin_step(g, 2, "Writing V2 structure");
    ACR_TRY(renew_lock(g));
    ACR_TRY(write_v2(g));
    begin_step(g, 3, "Comparing what was written");
    int status = verify(g);
    if (status == ACOR_ECORRUPT) {
        /* The reason is told already; what is left to do is to leave V1 alone. */
        (void)drop_v2(g, NULL);
        return status;
    }
    ACR_TRY(status);
    begin_step(g, STEPS, g->m->keep_old ? "Keeping V1 keys" : "Deleting V1 keys");
    return drop_v1(g);
}

static void clean_up(migrating *g)
{
    acr_plan_free(&g->plan);
    acr_words_unref(g->words);
    acr_words_unref(g->members);
    acr_arena_free(&g->arena);
    g->s->seen.token.len = 0;
}

/* A positive status tells why nothing was done; it is not lost on the way out. */
static int with_lock(migrating *g, int (*run)(migrating *g))
{
    int status = take_lock(g);
    if (status == ACOR_OK) {
        status = run(g);
        (void)keep_lock(g, "0", NULL);
    }
    clean_up(g);
    return status;
}

int acr_v2_migrate(acr_store *base, acr_migration *m, acor_error *err)
{
    migrating g = {.s = (acr_v2 *)base, .m = m, .err = err};
    acr_arena_init(&g.arena, &base->mem);
    return with_lock(&g, migrate_locked);
}

static int rollback_locked(migrating *g)
{
    acr_slice ask[] = {acr_slice_str("EXISTS"), g->s->keys[ACR_KEY_V1_KEYWORDS]};
    acr_reply *reply;
    ACR_TRY(command(g->s, ask, 2, &g->arena, &reply, "EXISTS", step_deadline(g), g->err));
    if (reply->kind != ACR_REPLY_INTEGER || reply->integer == 0)
        return acr_fail(g->err, ACOR_NOTFOUND, "V1 keys not found - rollback not possible");
    return drop_v2(g, g->err);
}

int acr_v2_rollback(acr_store *base, acr_deadline deadline, acor_error *err)
{
    acr_migration m = {.step_ms = (uint32_t)acr_deadline_left_ms(deadline)};
    migrating g = {.s = (acr_v2 *)base, .m = &m, .err = err};
    acr_arena_init(&g.arena, &base->mem);
    return with_lock(&g, rollback_locked);
}
