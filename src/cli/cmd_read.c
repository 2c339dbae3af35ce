/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that only read, apart from filter. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "args.h"
#include "output.h"
#include "store.h"
#include "util.h"

static int end_json(cli_out *out)
{
    cli_out_text(out, "\n");
    return cli_out_end(out) == 0 ? EXIT_DONE : EXIT_FAILED;
}

/* People who come from grep give a file's name where a text is asked for. */
static void note_file(const char *text)
{
    struct stat st;
    if (stat(text, &st) == 0 && S_ISREG(st.st_mode))
        cli_say("note: %q is also a file; to search in it: acor filter %N", text, text);
}

typedef acor_status (*find_fn)(acor_collection *, const char *, size_t,
                               acor_match_list **, acor_error *);

/* -1 and the matches, or the exit status. */
static int find_with(const cli_args *args, find_fn fn, const acor_scan_options *opts,
                     acor_match_list **list)
{
    cli_store store;
    acor_error err = ACOR_ERROR_INIT;
    const char *text = args->args[0];
    note_file(text);
    int status = cli_store_open(&store, args, 0);
    if (status >= 0)
        return status;
    acor_status s = opts != NULL
                        ? acor_find_matches(store.c, text, strlen(text), opts, list, &err)
                        : fn(store.c, text, strlen(text), list, &err);
    cli_store_close(&store);
    if (s >= 0)
        return -1;
    cli_say_error(&err);
    return cli_failed(args);
}

static acor_string keyword_of(const acor_match_list *list, size_t i)
{
    return acor_snapshot_keyword(acor_match_list_snapshot(list),
                                 acor_match_list_items(list)[i].keyword);
}

static void put_keyword(cli_out *out, acor_string s)
{
    cli_json_string(out, s.data, s.len);
}

static int find_list(const cli_args *args, find_fn fn)
{
    acor_match_list *list = NULL;
    int status = find_with(args, fn, NULL, &list);
    if (status >= 0)
        return status;
    cli_out out;
    cli_out_init(&out, 1);
    cli_out_text(&out, "{\"matches\":[");
    for (size_t i = 0; i < acor_match_list_count(list); i++) {
        cli_out_text(&out, i ? "," : "");
        put_keyword(&out, keyword_of(list, i));
    }
    cli_out_text(&out, "]}");
    acor_match_list_free(list);
    return end_json(&out);
}

/* Whether the text holds a keyword of the folded collection. */
static acor_status contains_folded(acor_collection *c, const char *text, int *found,
                                   acor_error *err)
{
    acor_snapshot *snap = NULL;
    acor_snapshot *folded = NULL;
    uint64_t n = 0;
    acor_scan_options opts = ACOR_SCAN_OPTIONS_INIT;
    opts.max_matches = 1;
    acor_status s = acor_snapshot_get(c, &snap, err);
    if (s >= 0)
        s = acor_snapshot_fold(&folded, snap, err);
    if (s >= 0)
        s = acor_scan(folded, text, strlen(text), &opts, NULL, NULL, NULL, &n, err);
    acor_snapshot_unref(folded);
    acor_snapshot_unref(snap);
    *found = n > 0;
    return s;
}

static int contains(const cli_args *args, int *found)
{
    cli_store store;
    acor_error err = ACOR_ERROR_INIT;
    const char *text = args->args[0];
    note_file(text);
    int status = cli_store_open(&store, args, 0);
    if (status >= 0)
        return status;
    acor_status s = cli_is_on(args, OPT_IGNORE_CASE)
                        ? contains_folded(store.c, text, found, &err)
                        : acor_contains(store.c, text, strlen(text), found, &err);
    cli_store_close(&store);
    if (s >= 0)
        return -1;
    cli_say_error(&err);
    return cli_failed(args);
}

static int contains_quietly(const cli_args *args)
{
    int found = 0;
    int status = contains(args, &found);
    return status >= 0 ? status : found ? EXIT_FOUND : EXIT_NONE;
}

int cli_run_contains(const cli_args *args)
{
    if (cli_is_on(args, OPT_QUIET))
        return contains_quietly(args);
    int found = 0;
    int status = contains(args, &found);
    if (status >= 0)
        return status;
    cli_out out;
    cli_out_init(&out, 1);
    cli_out_text(&out, found ? "{\"contains\":true}" : "{\"contains\":false}");
    return end_json(&out);
}

int cli_run_find(const cli_args *args)
{
    if (args->is_given[OPT_INPUT])
        return cli_run_filter(args);
    return cli_is_on(args, OPT_QUIET) ? contains_quietly(args)
                                      : find_list(args, acor_find);
}

int cli_run_find_set(const cli_args *args)
{
    return find_list(args, acor_find_set);
}

int cli_run_find_matches(const cli_args *args)
{
    acor_scan_options opts = ACOR_SCAN_OPTIONS_INIT;
    acor_match_list *list = NULL;
    const char *kind = args->text[OPT_MATCH_KIND];
    if (kind != NULL && cli_means(kind, "leftmost-longest"))
        opts.kind = ACOR_MATCH_LEFTMOST_LONGEST;
    if (cli_is_on(args, OPT_WHOLE_WORD))
        opts.flags |= ACOR_SCAN_WHOLE_WORD;
    int status = find_with(args, NULL, &opts, &list);
    if (status >= 0)
        return status;
    cli_out out;
    cli_out_init(&out, 1);
    cli_out_text(&out, "{\"matches\":[");
    for (size_t i = 0; i < acor_match_list_count(list); i++) {
        const acor_match *m = &acor_match_list_items(list)[i];
        cli_out_text(&out, i ? ",{\"keyword\":" : "{\"keyword\":");
        put_keyword(&out, keyword_of(list, i));
        cli_out_text(&out, ",\"start\":");
        cli_out_number(&out, m->cp_start);
        cli_out_text(&out, ",\"end\":");
        cli_out_number(&out, m->cp_end);
        cli_out_text(&out, "}");
    }
    cli_out_text(&out, "]}");
    acor_match_list_free(list);
    return end_json(&out);
}

/* --- find-index --------------------------------------------------------------- */

typedef struct place {
    acor_string keyword;
    uint64_t start;
} place;

static int compare_places(const void *a, const void *b)
{
    const place *x = a;
    const place *y = b;
    size_t n = x->keyword.len < y->keyword.len ? x->keyword.len : y->keyword.len;
    int c = memcmp(x->keyword.data, y->keyword.data, n);
    if (c == 0)
        c = (x->keyword.len > y->keyword.len) - (x->keyword.len < y->keyword.len);
    return c ? c : (x->start > y->start) - (x->start < y->start);
}

static int is_same(acor_string a, acor_string b)
{
    return a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
}

int cli_run_find_index(const cli_args *args)
{
    acor_match_list *list = NULL;
    int status = find_with(args, acor_find, NULL, &list);
    if (status >= 0)
        return status;
    size_t n = acor_match_list_count(list);
    place *places = cli_alloc(n * sizeof *places);
    for (size_t i = 0; i < n; i++)
        places[i] = (place){keyword_of(list, i), acor_match_list_items(list)[i].cp_start};
    qsort(places, n, sizeof *places, compare_places);

    cli_out out;
    cli_out_init(&out, 1);
    cli_out_text(&out, "{\"matches\":{");
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && is_same(places[i].keyword, places[i - 1].keyword)) {
            cli_out_text(&out, ",");
        } else {
            cli_out_text(&out, i ? "]," : "");
            put_keyword(&out, places[i].keyword);
            cli_out_text(&out, ":[");
        }
        cli_out_number(&out, places[i].start);
    }
    cli_out_text(&out, n ? "]}}" : "}}");
    free(places);
    acor_match_list_free(list);
    return end_json(&out);
}

/* --- list, info, versions ----------------------------------------------------- */

typedef struct listing {
    cli_out out;
    int json;
    int raw;
} listing;

static int list_some(void *user, const acor_string *keywords, size_t n)
{
    listing *l = user;
    for (size_t i = 0; i < n; i++) {
        if (l->json)
            cli_json_string(&l->out, keywords[i].data, keywords[i].len);
        else if (l->raw)
            cli_out_put(&l->out, keywords[i].data, keywords[i].len);
        else
            cli_out_escaped(&l->out, keywords[i].data, keywords[i].len);
        cli_out_put(&l->out, l->raw ? "" : "\n", 1);
    }
    return l->out.failed;
}

int cli_run_list(const cli_args *args)
{
    cli_store store;
    acor_error err = ACOR_ERROR_INIT;
    int status = cli_store_open(&store, args, 0);
    if (status >= 0)
        return status;
    listing l = {.json = cli_is_on(args, OPT_JSON), .raw = cli_is_on(args, OPT_NULL)};
    cli_out_init(&l.out, 1);
    acor_status s = acor_export(store.c, list_some, &l, &err);
    cli_store_close(&store);
    int written = cli_out_end(&l.out);
    if (s < 0)
        cli_say_error(&err);
    return s < 0 || written != 0 ? EXIT_FAILED : EXIT_DONE;
}

static void put_number(cli_out *out, const char *before, uint64_t n)
{
    cli_out_text(out, before);
    cli_out_number(out, n);
}

static void put_everything(cli_out *out, const cli_args *args, const acor_info *info,
                           const acor_cost *cost)
{
    char *name = cli_name(args);
    cli_out_text(out, "{\"backend\":");
    cli_json_string(out, info->backend, strlen(info->backend));
    cli_out_text(out, info->case_sensitive ? ",\"case_sensitive\":true"
                                           : ",\"case_sensitive\":false");
    cli_out_text(out, info->exists ? ",\"exists\":true" : ",\"exists\":false");
    put_number(out, ",\"keyword_bytes\":", info->keyword_bytes);
    put_number(out, ",\"keywords\":", info->keywords);
    cli_out_text(out, ",\"name\":");
    cli_json_string(out, name, strlen(name));
    put_number(out, ",\"nodes\":", info->nodes);
    put_number(out, ",\"round_trips\":", cost->round_trips);
    put_number(out, ",\"transactions\":", cost->transactions);
    cli_out_text(out, ",\"version\":");
    cli_json_string(out, info->version, strlen(info->version));
    cli_out_text(out, "}");
    free(name);
}

int cli_run_info(const cli_args *args)
{
    cli_store store;
    acor_error err = ACOR_ERROR_INIT;
    acor_info info = ACOR_INFO_INIT;
    acor_cost cost = ACOR_COST_INIT;
    int status = cli_store_open(&store, args, 0);
    if (status >= 0)
        return status;
    acor_status s = acor_info_get(store.c, &info, &err);
    (void)acor_cost_get(store.c, &cost);
    cli_store_close(&store);
    if (s < 0) {
        cli_say_error(&err);
        return EXIT_FAILED;
    }
    cli_out out;
    cli_out_init(&out, 1);
    if (cli_is_on(args, OPT_VERBOSE)) {
        put_everything(&out, args, &info, &cost);
    } else {
        put_number(&out, "{\"keywords\":", info.keywords);
        put_number(&out, ",\"nodes\":", info.nodes);
        cli_out_text(&out, "}");
    }
    return end_json(&out);
}

int cli_run_schema_version(const cli_args *args)
{
    cli_store store;
    int status = cli_store_open(&store, args, 0);
    if (status >= 0)
        return status;
    cli_store_close(&store);
    cli_out out;
    cli_out_init(&out, 1);
    cli_out_text(&out, "{\"schema_version\":2}");
    return end_json(&out);
}

int cli_run_version(const cli_args *args)
{
    (void)args;
    cli_out out;
    cli_out_init(&out, 1);
    cli_out_text(&out, acor_version_string());
    return end_json(&out);
}
