/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "base/map.h"
#include "store/redis/json.h"
#include "store/redis/v2.h"

/* Longest raw version kept in a token; a longer one is there by its hash. */
enum { PLAIN_VERSION = 32 };

int acr_v2_exchange(acr_v2 *s, const acr_command *commands, size_t n, acr_arena *arena,
                    acr_reply **replies, int again, int *sent, acr_deadline deadline,
                    acor_error *err)
{
    int seen = 0, idle = s->conn.reader != NULL;
    int status =
        acr_conn_exchange(&s->conn, commands, n, arena, replies, &seen, deadline, err);
    if (status == ACOR_ECONNECT && idle && (again || !seen)) {
        acr_log_put(&s->base.log, ACOR_LOG_INFO, "the connection was gone; connecting anew");
        status =
            acr_conn_exchange(&s->conn, commands, n, arena, replies, &seen, deadline, err);
    }
    s->base.cost.round_trips = s->conn.round_trips;
    if (sent != NULL)
        *sent = seen;
    return status;
}

void acr_v2_name_key(const acr_v2 *s, acr_v2_key key, acor_error *err)
{
    acr_slice k = s->keys[key];
    acr_error_prefix(err, "key %.*s", k.len < 80 ? (int)k.len : 80, (const char *)k.data);
}

static acr_slice word(const char *s)
{
    return acr_slice_str(s);
}

static int name_user(const acr_v2 *s, int status, acor_error *err)
{
    if (status == ACOR_EAUTH)
        acr_error_prefix(err, "user %s", s->config.user ? s->config.user : "default");
    return status;
}

int acr_v2_check(const acr_v2 *s, const acr_reply *r, const char *what, acor_error *err)
{
    return name_user(s, acr_reply_check(r, what, err), err);
}

int acr_v2_expect(const acr_v2 *s, const acr_reply *r, acr_reply_kind kind, const char *what,
                  acor_error *err)
{
    return name_user(s, acr_reply_expect(r, kind, what, err), err);
}

/* The name of a key in an error: what people see in their tools. */
static int check_key(const acr_v2 *s, const acr_reply *r, acr_v2_key key, acr_reply_kind kind,
                     acor_error *err)
{
    char what[96];
    acr_slice k = s->keys[key];
    size_t n = k.len < sizeof what - 8 ? k.len : sizeof what - 8;
    memcpy(what, "key ", 4);
    memcpy(what + 4, k.data, n);
    what[4 + n] = '\0';
    return acr_v2_expect(s, r, kind, what, err);
}

static acr_case mode_of(const acr_reply *r)
{
    if (r->kind != ACR_REPLY_STRING)
        return ACR_CASE_UNRECORDED;
    if (acr_slice_eq(r->text, word("sensitive")))
        return ACR_CASE_EXACT;
    return acr_slice_eq(r->text, word("insensitive")) ? ACR_CASE_FOLDED : ACR_CASE_UNRECORDED;
}

/* Members of a V1 collection: the second look, once V2 turned out to be absent. */
static int look_at_v1(acr_v2 *s, acr_arena *arena, acr_v2_state *state, acr_deadline deadline,
                      acor_error *err)
{
    acr_slice args[] = {word("SMEMBERS"), s->keys[ACR_KEY_V1_KEYWORDS]};
    acr_command command = {args, 2};
    acr_reply *reply;
    ACR_TRY(acr_v2_exchange(s, &command, 1, arena, &reply, 1, NULL, deadline, err));
    ACR_TRY(check_key(s, reply, ACR_KEY_V1_KEYWORDS, ACR_REPLY_ARRAY, err));
    state->v1 = 1;
    state->members = reply;
    return ACOR_OK;
}

int acr_v2_look(acr_v2 *s, int whole, acr_arena *arena, acr_v2_state *state,
                acr_deadline deadline, acor_error *err)
{
    acr_slice trie = s->keys[ACR_KEY_TRIE], outputs = s->keys[ACR_KEY_OUTPUTS];
    acr_slice fields[] = {word("HMGET"), trie, word("version"), word("c:case"),
                          word("keywords")};
    acr_slice keywords[] = {word("HSTRLEN"), trie, word("keywords")};
    acr_slice prefixes[] = {word("HSTRLEN"), trie, word("prefixes")};
    acr_slice states[] = {word("HLEN"), outputs};
    acr_slice old[] = {word("EXISTS"), s->keys[ACR_KEY_V1_KEYWORDS],
                       s->keys[ACR_KEY_V1_PREFIXES]};
    /* The version comes first: one that is older than the rest only leads to
     * another look, one that is newer would vouch for what it never meant. */
    acr_command commands[] = {
        {fields, whole ? 5 : 4}, {keywords, 3}, {prefixes, 3}, {states, 2}, {old, 3}};
    acr_reply *r[5];
    *state = (acr_v2_state){0};
    ACR_TRY(acr_v2_exchange(s, commands, 5, arena, r, 1, NULL, deadline, err));
    ACR_TRY(check_key(s, r[0], ACR_KEY_TRIE, ACR_REPLY_ARRAY, err));
    ACR_TRY(check_key(s, r[1], ACR_KEY_TRIE, ACR_REPLY_INTEGER, err));
    ACR_TRY(check_key(s, r[2], ACR_KEY_TRIE, ACR_REPLY_INTEGER, err));
    ACR_TRY(check_key(s, r[3], ACR_KEY_OUTPUTS, ACR_REPLY_INTEGER, err));
    ACR_TRY(check_key(s, r[4], ACR_KEY_V1_KEYWORDS, ACR_REPLY_INTEGER, err));
    if (r[0]->n != (whole ? 3u : 2u))
        return acr_fail(err, ACOR_EPROTOCOL, "HMGET: %zu fields in the answer", r[0]->n);
    const acr_reply *f = r[0]->items;
    state->has_version = f[0].kind == ACR_REPLY_STRING;
    state->version = f[0].text;
    state->mode = mode_of(&f[1]);
    state->keywords_len = r[1]->integer;
    state->prefixes_len = r[2]->integer;
    state->outputs_n = r[3]->integer;
    state->exists = state->has_version || state->keywords_len || state->prefixes_len;
    if (whole && f[2].kind == ACR_REPLY_STRING)
        state->keywords = f[2].text;
    if (!state->exists && r[4]->integer > 0) {
        state->exists = 1;
        return look_at_v1(s, arena, state, deadline, err);
    }
    return ACOR_OK;
}

static void put64(acr_token *t, uint64_t v)
{
    for (int i = 0; i < 8; i++)
        t->bytes[t->len++] = (unsigned char)(v >> (56 - 8 * i));
}

/* The members of a set come in any order, so their hashes are added up. */
static uint64_t sum_of(const acr_reply *members)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < members->n; i++)
        sum += acr_hash(members->items[i].text);
    return sum;
}

void acr_v2_token(const acr_v2_state *state, acr_token *t)
{
    t->len = 0;
    t->bytes[t->len++] = (unsigned char)(state->v1 ? '1' : state->has_version ? 'v' : '-');
    if (state->v1) {
        put64(t, state->members->n);
        put64(t, sum_of(state->members));
        return;
    }
    put64(t, (uint64_t)state->keywords_len);
    put64(t, (uint64_t)state->prefixes_len);
    put64(t, (uint64_t)state->outputs_n);
    if (state->version.len <= PLAIN_VERSION) {
        if (state->version.len != 0)
            memcpy(t->bytes + t->len, state->version.data, state->version.len);
        t->len = (unsigned char)(t->len + state->version.len);
    } else {
        t->bytes[0] = 'h';
        acr_hash_name(state->version, t->bytes + t->len);
        t->len = (unsigned char)(t->len + 16);
    }
}

int acr_v2_remember(acr_v2 *s, const acr_v2_state *state, size_t elements, int complete,
                    acor_error *err)
{
    acr_v2_seen *seen = &s->seen;
    acr_token token, before = seen->token;
    acr_v2_token(state, &token);
    /* What was found out about this very state still holds. */
    if (complete < 0 && acr_token_eq(&token, &before))
        complete = seen->complete;
    seen->token.len = 0; /* until all of it is there */
    seen->version.len = 0;
    ACR_TRY(acr_buf_put(&seen->version, state->version, err));
    seen->has_version = state->has_version;
    seen->keywords_len = state->keywords_len;
    seen->prefixes_len = state->prefixes_len;
    seen->outputs_n = state->outputs_n;
    seen->v1 = state->v1;
    seen->mode = state->mode;
    seen->elements = elements;
    acr_slice k = state->keywords;
    seen->tail = k.len >= 2 && k.data[k.len - 1] == ']' && (elements != 0 || k.len == 2);
    seen->complete = complete;
    seen->token = token;
    return ACOR_OK;
}

/* Counts entries on their way to somebody else's function. */
typedef struct counted {
    int (*fn)(void *user, acr_slice keyword, acor_error *err);
    void *user;
    size_t n;
} counted;

/* An empty entry (Go's null) can never match and is no keyword. */
static int count_one(void *user, acr_slice keyword, acor_error *err)
{
    counted *c = user;
    c->n++;
    return keyword.len == 0 ? ACOR_OK : c->fn(c->user, keyword, err);
}

int acr_v2_each_keyword(acr_v2 *s, const acr_v2_state *state,
                        int (*fn)(void *user, acr_slice keyword, acor_error *err),
                        void *user, size_t *elements, acor_error *err)
{
    counted c = {.fn = fn, .user = user};
    int status = ACOR_OK;
    if (state->v1) {
        for (size_t i = 0; i < state->members->n && status == ACOR_OK; i++)
            status = count_one(&c, state->members->items[i].text, err);
    } else if (state->keywords.len != 0) {
        acr_buf scratch;
        acr_buf_init(&scratch, &s->base.mem);
        status = acr_json_each_string(state->keywords, "field keywords", &scratch, count_one,
                                      &c, err);
        acr_buf_free(&scratch);
        if (status == ACOR_ECORRUPT)
            acr_v2_name_key(s, ACR_KEY_TRIE, err);
    }
    *elements = c.n;
    return status;
}

int acr_v2_add_word(void *user, acr_slice keyword, acor_error *err)
{
    return acr_words_add(user, keyword, NULL, err);
}
