/* SPDX-License-Identifier: Apache-2.0 */
/* What a collection holds: list, info; and the versions. */
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "output.h"
#include "results.h"
#include "store.h"
#include "util.h"

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
    return cli_json_end(&out);
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
    return cli_json_end(&out);
}

int cli_run_version(const cli_args *args)
{
    (void)args;
    cli_out out;
    cli_out_init(&out, 1);
    cli_out_text(&out, acor_version_string());
    return cli_json_end(&out);
}
