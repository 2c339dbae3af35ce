/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client process for tests: one JSON command a line on standard input, one
 * answer a line on standard output, over the public API only. The same
 * protocol as tests/interop/acor_model_peer.py, see tests/redis/README.md.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <acor/acor.h>

#define MAX_HANDLES 256

typedef struct handle {
    char *id;
    acor_collection *c;
} handle;

static handle handles[MAX_HANDLES];

static void fatal(const char *why)
{
    fprintf(stderr, "driver: %s\n", why);
    exit(2);
}

static void *need(void *p)
{
    if (p == NULL)
        fatal("no memory");
    return p;
}

/* --- answers -------------------------------------------------------------- */

static json_t *ok(json_t *value)
{
    json_t *answer = need(json_object());
    json_object_set_new(answer, "ok", need(value));
    return answer;
}

static json_t *refuse(const char *text, int status)
{
    json_t *answer = need(json_object());
    json_object_set_new(answer, "error", need(json_string(text)));
    json_object_set_new(answer, "status", json_integer(status));
    return answer;
}

/* The value, or the error; a positive status stands beside the value. */
static json_t *settle(int status, const acor_error *err, json_t *value)
{
    if (status < 0) {
        json_decref(value);
        json_t *answer =
            refuse(err->message[0] ? err->message : acor_strstatus(status), status);
        json_object_set_new(answer, "operation", need(json_string(err->operation)));
        json_object_set_new(answer, "retryable", json_integer(err->retryable));
        return answer;
    }
    json_t *answer = ok(value);
    if (status > 0)
        json_object_set_new(answer, "status", json_integer(status));
    return answer;
}

/* --- strings -------------------------------------------------------------- */

static json_t *give(const char *data, size_t len)
{
    json_t *s = json_stringn(len ? data : "", len);
    if (s != NULL)
        return s;
    char *hex = need(malloc(2 * len + 1));
    for (size_t i = 0; i < len; i++)
        sprintf(hex + 2 * i, "%02x", (unsigned char)data[i]);
    s = need(json_pack("{s:s}", "hex", hex));
    free(hex);
    return s;
}

/* A string or {"hex": ...}; the caller frees data. */
static acor_string take(const json_t *v)
{
    acor_string out = {NULL, 0};
    const json_t *hex = json_is_object(v) ? json_object_get(v, "hex") : NULL;
    if (json_is_string(hex)) {
        const char *text = json_string_value(hex);
        out.len = strlen(text) / 2;
        char *bytes = need(malloc(out.len + 1));
        for (size_t i = 0; i < out.len; i++) {
            unsigned value = 0;
            if (sscanf(text + 2 * i, "%2x", &value) != 1)
                fatal("bad hex");
            bytes[i] = (char)value;
        }
        bytes[out.len] = '\0';
        out.data = bytes;
        return out;
    }
    out.len = json_is_string(v) ? json_string_length(v) : 0;
    char *bytes = need(malloc(out.len + 1));
    if (out.len)
        memcpy(bytes, json_string_value(v), out.len);
    bytes[out.len] = '\0';
    out.data = bytes;
    return out;
}

static void drop(acor_string s)
{
    free((void *)(uintptr_t)s.data);
}

static const char *text_of(const json_t *command, const char *member,
                           const char *otherwise)
{
    const char *s = json_string_value(json_object_get(command, member));
    return s ? s : otherwise;
}

/* --- handles -------------------------------------------------------------- */

static handle *find_handle(const char *id)
{
    for (size_t i = 0; i < MAX_HANDLES; i++)
        if (handles[i].id != NULL && strcmp(handles[i].id, id) == 0)
            return &handles[i];
    return NULL;
}

static void forget(handle *h)
{
    acor_close(h->c);
    free(h->id);
    h->c = NULL;
    h->id = NULL;
}

static json_t *open_handle(const json_t *command)
{
    const char *id = text_of(command, "id", "");
    handle *h = find_handle(id);
    if (h != NULL)
        forget(h);
    for (size_t i = 0; i < MAX_HANDLES && h == NULL; i++)
        if (handles[i].id == NULL)
            h = &handles[i];
    if (h == NULL)
        return refuse("driver: too many handles", ACOR_EBUSY);
    char made[600];
    const char *url = text_of(command, "url", NULL);
    if (url == NULL) {
        snprintf(made, sizeof made, "redis://%.500s",
                 text_of(command, "addr", "127.0.0.1:6379"));
        url = made;
    }
    acor_open_options o = ACOR_OPEN_OPTIONS_INIT;
    acor_error err = ACOR_ERROR_INIT;
    const json_t *mode = json_object_get(command, "case_sensitive");
    o.case_mode = json_is_null(mode)   ? ACOR_CASE_AS_STORED
                  : json_is_true(mode) ? ACOR_CASE_SENSITIVE
                                       : ACOR_CASE_INSENSITIVE;
    if (json_is_true(json_object_get(command, "read_only")))
        o.flags |= ACOR_OPEN_READ_ONLY;
    o.timeout_ms = (uint32_t)json_integer_value(json_object_get(command, "timeout_ms"));
    acor_string name = take(json_object_get(command, "name"));
    acor_collection *c = NULL;
    int status = ACOR_EINVAL;
    if (strlen(name.data) == name.len)
        status = acor_open(&c, url, name.data, &o, &err);
    else
        snprintf(err.message, sizeof err.message,
                 "driver: the API takes no NUL in a name");
    drop(name);
    if (status >= 0) {
        h->c = c;
        h->id = need(strdup(id));
    }
    return settle(status, &err, json_object());
}

/* --- writes --------------------------------------------------------------- */

static json_t *write_one(acor_collection *c, const json_t *command, int adding)
{
    acor_error err = ACOR_ERROR_INIT;
    acor_string k = take(json_object_get(command, "keyword"));
    int done = 0;
    int status = adding ? acor_add(c, k.data, k.len, &done, &err)
                        : acor_remove(c, k.data, k.len, &done, &err);
    drop(k);
    return settle(status, &err, json_integer(done));
}

typedef acor_status (*batch_fn)(acor_collection *, const acor_string *, size_t, uint32_t,
                                int32_t *, acor_batch_result *, acor_error *);

static const char *batch_error(int32_t outcome)
{
    return outcome == ACOR_EEMPTY ? "keyword cannot be empty" : acor_strstatus(outcome);
}

/* The four lists of the peer: trimmed spellings, repeats before what is unchanged. */
static json_t *batch_lists(const acor_string *keywords, const int32_t *outcomes, size_t n,
                           const char *done_name)
{
    json_t *lists =
        need(json_pack("{s:[],s:[],s:[],s:[]}", "added", "removed", "skipped", "failed"));
    json_t *done = json_object_get(lists, done_name);
    json_t *skipped = json_object_get(lists, "skipped");
    json_t *failed = json_object_get(lists, "failed");
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < n; i++) {
            acor_string s = acor_trim(keywords[i]);
            json_t *to = pass == 0
                             ? (outcomes[i] == ACOR_OUTCOME_REPEATED ? skipped : NULL)
                         : outcomes[i] == ACOR_OUTCOME_CHANGED   ? done
                         : outcomes[i] == ACOR_OUTCOME_UNCHANGED ? skipped
                                                                 : NULL;
            if (to != NULL)
                json_array_append_new(to, give(s.data, s.len));
            else if (pass == 1 && outcomes[i] < 0)
                json_array_append_new(failed,
                                      need(json_pack("{s:o,s:s,s:i}", "keyword",
                                                     give(s.data, s.len), "error",
                                                     batch_error(outcomes[i]), "status",
                                                     (int)outcomes[i])));
        }
    return lists;
}

static json_t *write_many(acor_collection *c, const json_t *command, batch_fn fn,
                          const char *done_name)
{
    const json_t *list = json_object_get(command, "keywords");
    size_t n = json_array_size(list);
    acor_string *keywords = need(calloc(n + 1, sizeof *keywords));
    int32_t *outcomes = need(calloc(n + 1, sizeof *outcomes));
    for (size_t i = 0; i < n; i++)
        keywords[i] = take(json_array_get(list, i));
    uint32_t mode = strcmp(text_of(command, "mode", ""), "transactional") == 0
                        ? ACOR_BATCH_TRANSACTIONAL
                        : ACOR_BATCH_BEST_EFFORT;
    acor_batch_result counts = ACOR_BATCH_RESULT_INIT;
    acor_error err = ACOR_ERROR_INIT;
    int status = fn(c, keywords, n, mode, outcomes, &counts, &err);
    json_t *value = json_true();
    if (status >= 0) {
        if (json_is_true(json_object_get(command, "counts")))
            value = json_object();
        else
            value = batch_lists(keywords, outcomes, n, done_name);
        json_object_set_new(value, "counts",
                            need(json_pack("{s:I,s:I,s:I,s:I}", "changed",
                                           (json_int_t)counts.changed, "skipped",
                                           (json_int_t)counts.skipped, "failed",
                                           (json_int_t)counts.failed, "removed",
                                           (json_int_t)counts.removed)));
    }
    for (size_t i = 0; i < n; i++)
        drop(keywords[i]);
    free(keywords);
    free(outcomes);
    return settle(status, &err, value);
}

/* --- reads ---------------------------------------------------------------- */

static json_t *spelling(const acor_match_list *list, const acor_match *m)
{
    acor_string s = acor_snapshot_keyword(acor_match_list_snapshot(list), m->keyword);
    return give(s.data, s.len);
}

static json_t *as_keywords(const acor_match_list *list)
{
    json_t *out = need(json_array());
    const acor_match *m = acor_match_list_items(list);
    for (size_t i = 0; i < acor_match_list_count(list); i++)
        json_array_append_new(out, spelling(list, &m[i]));
    return out;
}

static json_t *as_matches(const acor_match_list *list)
{
    json_t *out = need(json_array());
    const acor_match *m = acor_match_list_items(list);
    for (size_t i = 0; i < acor_match_list_count(list); i++)
        json_array_append_new(out, need(json_pack("{s:o,s:I,s:I}", "keyword",
                                                  spelling(list, &m[i]), "start",
                                                  (json_int_t)m[i].cp_start, "end",
                                                  (json_int_t)m[i].cp_end)));
    return out;
}

/* keyword -> starts; {"pairs": ...} where a keyword is not UTF-8. Quadratic in the
 * keywords found. */
static json_t *as_index(const acor_match_list *list)
{
    json_t *pairs = need(json_array());
    const acor_match *m = acor_match_list_items(list);
    int plain = 1;
    for (size_t i = 0; i < acor_match_list_count(list); i++) {
        json_t *word = spelling(list, &m[i]), *starts = NULL;
        size_t at;
        json_t *pair;
        json_array_foreach(pairs, at, pair) if (json_equal(json_array_get(pair, 0), word))
            starts = json_array_get(pair, 1);
        plain = plain && json_is_string(word) &&
                strlen(json_string_value(word)) == json_string_length(word);
        if (starts == NULL) {
            starts = need(json_array());
            json_array_append_new(pairs, need(json_pack("[O,o]", word, starts)));
        }
        json_array_append_new(starts, json_integer((json_int_t)m[i].cp_start));
        json_decref(word);
    }
    if (!plain)
        return need(json_pack("{s:o}", "pairs", pairs));
    json_t *out = need(json_object()), *pair;
    size_t at;
    json_array_foreach(pairs, at, pair)
        json_object_set(out, json_string_value(json_array_get(pair, 0)),
                        json_array_get(pair, 1));
    json_decref(pairs);
    return out;
}

static json_t *find_as(acor_collection *c, const json_t *command, const char *op)
{
    acor_error err = ACOR_ERROR_INIT;
    acor_string text = take(json_object_get(command, "text"));
    acor_match_list *list = NULL;
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    int status;
    if (strcmp(op, "find") == 0)
        status = acor_find(c, text.data, text.len, &list, &err);
    else if (strcmp(op, "find_set") == 0)
        status = acor_find_set(c, text.data, text.len, &list, &err);
    else {
        if (strcmp(text_of(command, "kind", ""), "leftmost-longest") == 0)
            o.kind = ACOR_MATCH_LEFTMOST_LONGEST;
        if (json_is_true(json_object_get(command, "whole_word")))
            o.flags |= ACOR_SCAN_WHOLE_WORD;
        status = acor_find_matches(c, text.data, text.len, &o, &list, &err);
    }
    json_t *value = json_true();
    if (status >= 0)
        value = strcmp(op, "find_matches") == 0 ? as_matches(list)
                : strcmp(op, "find_index") == 0 ? as_index(list)
                                                : as_keywords(list);
    acor_match_list_free(list);
    drop(text);
    return settle(status, &err, value);
}

static json_t *contains(acor_collection *c, const json_t *command)
{
    acor_error err = ACOR_ERROR_INIT;
    acor_string text = take(json_object_get(command, "text"));
    int found = 0;
    int status = acor_contains(c, text.data, text.len, &found, &err);
    drop(text);
    return settle(status, &err, json_boolean(found));
}

static int collect(void *user, const acor_string *keywords, size_t n)
{
    for (size_t i = 0; i < n; i++)
        json_array_append_new(user, give(keywords[i].data, keywords[i].len));
    return 0;
}

static json_t *export_all(acor_collection *c)
{
    acor_error err = ACOR_ERROR_INIT;
    json_t *out = need(json_array());
    int status = acor_export(c, collect, out, &err);
    return settle(status, &err, out);
}

static json_t *snapshot(acor_collection *c)
{
    acor_error err = ACOR_ERROR_INIT;
    acor_snapshot *snap = NULL;
    int status = acor_snapshot_get(c, &snap, &err);
    json_t *value = json_true();
    if (status >= 0) {
        acor_snapshot_stats s = ACOR_SNAPSHOT_STATS_INIT;
        if (acor_snapshot_stats_get(snap, &s) != ACOR_OK)
            fatal("no stats of a snapshot");
        value =
            need(json_pack("{s:I,s:I,s:I,s:b,s:s}", "keywords", (json_int_t)s.keywords,
                           "ids", (json_int_t)acor_snapshot_ids(snap), "trie_depth",
                           (json_int_t)s.max_keyword, "case_sensitive",
                           (int)s.case_sensitive, "engine", s.engine));
    }
    acor_snapshot_unref(snap);
    return settle(status, &err, value);
}

static json_t *info(acor_collection *c)
{
    acor_error err = ACOR_ERROR_INIT;
    acor_info i = ACOR_INFO_INIT;
    int status = acor_info_get(c, &i, &err);
    json_t *value = json_true();
    if (status >= 0)
        value = need(json_pack("{s:I,s:I,s:s,s:i,s:i,s:I,s:b,s:b,s:s,s:s}", "keywords",
                               (json_int_t)i.keywords, "nodes", (json_int_t)i.nodes,
                               "preset", "None", "memory_bytes", 0, "trie_depth", 0,
                               "keyword_bytes", (json_int_t)i.keyword_bytes, "exists",
                               (int)i.exists, "case_sensitive", (int)i.case_sensitive,
                               "backend", i.backend, "version", i.version));
    return settle(status, &err, value);
}

static json_t *cost(acor_collection *c)
{
    acor_cost k = ACOR_COST_INIT;
    if (acor_cost_get(c, &k) != ACOR_OK)
        return refuse("no cost", ACOR_EINTERNAL);
    return ok(json_pack("{s:I,s:I,s:I,s:I}", "round_trips", (json_int_t)k.round_trips,
                        "transactions", (json_int_t)k.transactions, "loads",
                        (json_int_t)k.loads, "builds", (json_int_t)k.builds));
}

/* Found nothing is an error here, as it is to the peer. */
static json_t *settle_migration(int status, acor_error *err, json_t *value)
{
    if (status != ACOR_NOTFOUND)
        return settle(status, err, value);
    json_decref(value);
    return refuse(acor_strstatus(status), status);
}

static json_t *migrate(acor_collection *c, const json_t *command)
{
    acor_error err = ACOR_ERROR_INIT;
    acor_migrate_options o = ACOR_MIGRATE_OPTIONS_INIT;
    acor_migrate_result r = ACOR_MIGRATE_RESULT_INIT;
    o.dry_run = json_is_true(json_object_get(command, "dry_run"));
    o.keep_old_keys = json_is_true(json_object_get(command, "keep_old_keys"));
    int status = acor_migrate(c, &o, &r, &err);
    return settle_migration(status, &err,
                            need(json_pack("{s:{s:I,s:I,s:I,s:I}}", "result", "keywords",
                                           (json_int_t)r.keywords, "prefixes",
                                           (json_int_t)r.prefixes, "outputs_keys",
                                           (json_int_t)r.outputs_keys, "keys_removed",
                                           (json_int_t)r.keys_removed)));
}

/* --- commands ------------------------------------------------------------- */

static json_t *run_on(handle *h, const char *op, const json_t *command)
{
    acor_collection *c = h->c;
    acor_error err = ACOR_ERROR_INIT;
    if (strcmp(op, "add") == 0 || strcmp(op, "remove") == 0)
        return write_one(c, command, op[0] == 'a');
    if (strcmp(op, "add_many") == 0)
        return write_many(c, command, acor_add_many, "added");
    if (strcmp(op, "remove_many") == 0)
        return write_many(c, command, acor_remove_many, "removed");
    if (strcmp(op, "replace_all") == 0)
        return write_many(c, command, acor_replace_all, "added");
    if (strcmp(op, "contains") == 0)
        return contains(c, command);
    if (strncmp(op, "find", 4) == 0 && strcmp(op, "find_many") != 0)
        return find_as(c, command, op);
    if (strcmp(op, "export") == 0)
        return export_all(c);
    if (strcmp(op, "snapshot") == 0)
        return snapshot(c);
    if (strcmp(op, "info") == 0)
        return info(c);
    if (strcmp(op, "cost") == 0)
        return cost(c);
    if (strcmp(op, "flush") == 0) {
        int status = acor_flush(c, &err);
        return settle(status, &err, json_null());
    }
    if (strcmp(op, "migrate") == 0)
        return migrate(c, command);
    if (strcmp(op, "rollback") == 0)
        return settle_migration(acor_migrate_rollback(c, &err), &err, json_null());
    if (strcmp(op, "timeout") == 0) {
        acor_set_timeout(c, (uint32_t)json_integer_value(json_object_get(command, "ms")));
        return ok(json_null());
    }
    if (strcmp(op, "close") == 0) {
        forget(h);
        return ok(json_null());
    }
    return refuse("driver: unknown op", ACOR_EINVAL);
}

static json_t *run(const json_t *command)
{
    const char *op = text_of(command, "op", "");
    if (strcmp(op, "ping") == 0)
        return ok(json_string("pong"));
    if (strcmp(op, "open") == 0)
        return open_handle(command);
    handle *h = find_handle(text_of(command, "id", ""));
    return h ? run_on(h, op, command) : refuse("driver: no such handle", ACOR_EINVAL);
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    while ((n = getline(&line, &room, stdin)) > 0) {
        json_error_t where;
        json_t *command = json_loadb(line, (size_t)n, JSON_ALLOW_NUL, &where);
        json_t *answer = command ? run(command) : refuse(where.text, ACOR_EINVAL);
        if (json_dumpf(answer, stdout, JSON_COMPACT) != 0)
            fatal("an answer that cannot be written");
        putchar('\n');
        fflush(stdout);
        json_decref(answer);
        json_decref(command);
    }
    free(line);
    for (size_t i = 0; i < MAX_HANDLES; i++)
        if (handles[i].id != NULL)
            forget(&handles[i]);
    return 0;
}
