/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that look for keywords in a text, apart from filter. */
#include <string.h>

#include "args.h"
#include "output.h"
#include "results.h"
#include "store.h"
#include "util.h"

typedef acor_status (*find_fn)(acor_collection *, const char *, size_t,
                               acor_match_list **, acor_error *);

/* -1 and the matches, or the exit status. */
static int find_with(const cli_args *args, find_fn fn, const acor_scan_options *opts,
                     acor_match_list **list)
{
    cli_store store;
    acor_error err = ACOR_ERROR_INIT;
    const char *text = args->args[0];
    cli_note_file(text);
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

static int find_list(const cli_args *args, find_fn fn)
{
    acor_match_list *list = NULL;
    int status = find_with(args, fn, NULL, &list);
    if (status >= 0)
        return status;
    status = cli_put_list(list);
    acor_match_list_free(list);
    return status;
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
    cli_note_file(text);
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
    return cli_json_end(&out);
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
        acor_string keyword = cli_keyword_of(list, i);
        cli_out_text(&out, i ? ",{\"keyword\":" : "{\"keyword\":");
        cli_json_string(&out, keyword.data, keyword.len);
        cli_out_text(&out, ",\"start\":");
        cli_out_number(&out, m->cp_start);
        cli_out_text(&out, ",\"end\":");
        cli_out_number(&out, m->cp_end);
        cli_out_text(&out, "}");
    }
    cli_out_text(&out, "]}");
    acor_match_list_free(list);
    return cli_json_end(&out);
}

int cli_run_find_index(const cli_args *args)
{
    acor_match_list *list = NULL;
    int status = find_with(args, acor_find, NULL, &list);
    if (status >= 0)
        return status;
    status = cli_put_index(list);
    acor_match_list_free(list);
    return status;
}
