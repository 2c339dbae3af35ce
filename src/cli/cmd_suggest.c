/* SPDX-License-Identifier: Apache-2.0 */
/* suggest, suggest-index. */
#include <string.h>

#include "args.h"
#include "results.h"
#include "store.h"
#include "util.h"

static uint64_t limit_of(const cli_args *args)
{
    return args->is_given[OPT_LIMIT] ? (uint64_t)args->number[OPT_LIMIT] : 0;
}

static uint32_t flags_of(const cli_args *args)
{
    return cli_is_on(args, OPT_SORTED) ? ACOR_SUGGEST_SORTED : 0;
}

static int put_keywords(const acor_keyword_list *list)
{
    const acor_string *items = acor_keyword_list_items(list);
    cli_out out;
    cli_out_init(&out, 1);
    cli_out_text(&out, "{\"matches\":[");
    for (size_t i = 0; i < acor_keyword_list_count(list); i++) {
        cli_out_text(&out, i ? "," : "");
        cli_json_string(&out, items[i].data, items[i].len);
    }
    cli_out_text(&out, "]}");
    return cli_json_end(&out);
}

int cli_run_suggest(const cli_args *args)
{
    cli_store store;
    acor_error err = ACOR_ERROR_INIT;
    acor_keyword_list *list = NULL;
    acor_string prefix = cli_string(args->args[0]);
    int status = cli_store_open(&store, args, 0);
    if (status >= 0)
        return status;
    acor_status s = acor_suggest(store.c, prefix.data, prefix.len, limit_of(args),
                                 flags_of(args), &list, &err);
    cli_store_close(&store);
    if (s < 0) {
        cli_say_error(&err);
        return EXIT_FAILED;
    }
    status = put_keywords(list);
    acor_keyword_list_free(list);
    return status;
}

int cli_run_suggest_index(const cli_args *args)
{
    cli_store store;
    acor_error err = ACOR_ERROR_INIT;
    acor_match_list *list = NULL;
    acor_string prefix = cli_string(args->args[0]);
    int status = cli_store_open(&store, args, 0);
    if (status >= 0)
        return status;
    acor_status s = acor_suggest_index(store.c, prefix.data, prefix.len, limit_of(args),
                                       flags_of(args), &list, &err);
    cli_store_close(&store);
    if (s < 0) {
        cli_say_error(&err);
        return EXIT_FAILED;
    }
    status = cli_put_index(list);
    acor_match_list_free(list);
    return status;
}
