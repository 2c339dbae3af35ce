/* SPDX-License-Identifier: Apache-2.0 */
/* find-parallel, find-index-parallel. */
#include <string.h>

#include "args.h"
#include "results.h"
#include "store.h"
#include "util.h"
#include "words.h"

static acor_parallel_options options_of(const cli_args *args)
{
    acor_parallel_options o = ACOR_PARALLEL_OPTIONS_INIT;
    const char *where = args->text[OPT_BOUNDARY];
    int64_t workers = args->number[OPT_WORKERS];
    o.workers = workers > UINT32_MAX ? UINT32_MAX : (uint32_t)workers;
    if (args->is_given[OPT_CHUNK_SIZE])
        o.chunk_size = (uint64_t)args->number[OPT_CHUNK_SIZE];
    if (args->is_given[OPT_OVERLAP])
        o.overlap = (uint64_t)args->number[OPT_OVERLAP];
    if (where != NULL && cli_means(where, "sentence"))
        o.boundary = ACOR_BOUNDARY_SENTENCE;
    if (where != NULL && cli_means(where, "line"))
        o.boundary = ACOR_BOUNDARY_LINE;
    return o;
}

typedef acor_status (*parallel_fn)(acor_collection *, const char *, size_t,
                                   const acor_parallel_options *, acor_match_list **,
                                   acor_error *);

/* -1 and the matches, or the exit status. */
static int find_with(const cli_args *args, parallel_fn fn, acor_string text,
                     acor_match_list **list)
{
    cli_store store;
    acor_error err = ACOR_ERROR_INIT;
    acor_parallel_options opts = options_of(args);
    int status = cli_store_open(&store, args, 0);
    if (status >= 0)
        return status;
    acor_status s = fn(store.c, text.data, text.len, &opts, list, &err);
    cli_store_close(&store);
    if (s >= 0)
        return -1;
    cli_say_error(&err);
    return EXIT_FAILED;
}

static int run(const cli_args *args, parallel_fn fn, int (*put)(const acor_match_list *))
{
    const char *arg = args->args[0];
    cli_buf input = {0};
    acor_string text = cli_string(arg);
    acor_match_list *list = NULL;
    if (strcmp(arg, "-") == 0) {
        /* Read before the store is opened: it may be slow to come. */
        if (cli_read_all(arg, 1, &input, NULL) != 0) {
            cli_buf_free(&input);
            return EXIT_FAILED;
        }
        text = (acor_string){input.data, input.len};
    } else {
        cli_note_file(arg);
    }
    int status = find_with(args, fn, text, &list);
    if (status < 0)
        status = put(list);
    acor_match_list_free(list);
    cli_buf_free(&input);
    return status;
}

int cli_run_find_parallel(const cli_args *args)
{
    return run(args, acor_find_parallel, cli_put_list);
}

int cli_run_find_index_parallel(const cli_args *args)
{
    return run(args, acor_find_index_parallel, cli_put_index);
}
