/* SPDX-License-Identifier: Apache-2.0 */
/* filter, and find --input: which keywords, which files, which exit status. */
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "search.h"
#include "store.h"
#include "util.h"
#include "words.h"

/* -f and -e: no store is touched. */
static acor_snapshot *snapshot_of_words(const cli_args *args)
{
    cli_words words = {0};
    acor_snapshot *snap = NULL;
    acor_error err = ACOR_ERROR_INIT;
    acor_build_options opts = ACOR_BUILD_OPTIONS_INIT;
    int unreadable = 0;
    for (size_t i = 0; i < args->n_given; i++) {
        const cli_given *g = &args->given[i];
        if (g->opt == OPT_KEYWORDS)
            unreadable |= cli_words_file(&words, g->value, NULL);
        else if (g->opt == OPT_WORD)
            cli_words_add(&words, cli_string(g->value));
    }
    opts.case_sensitive = cli_is_on(args, OPT_CASE_SENSITIVE) ? 1 : 0;
    if (!unreadable &&
        acor_snapshot_build(&snap, words.items, words.n, &opts, &err) != ACOR_OK)
        cli_say_error(&err);
    cli_words_free(&words);
    return snap;
}

static acor_snapshot *snapshot_of_store(const cli_args *args)
{
    cli_store store;
    acor_snapshot *snap = NULL;
    acor_error err = ACOR_ERROR_INIT;
    if (cli_store_open(&store, args, 0) >= 0)
        return NULL;
    acor_status s = acor_snapshot_get(store.c, &snap, &err);
    cli_store_close(&store);
    if (s >= 0 && cli_is_on(args, OPT_IGNORE_CASE)) {
        acor_snapshot *folded = NULL;
        s = acor_snapshot_fold(&folded, snap, &err);
        acor_snapshot_unref(snap);
        snap = folded;
    }
    if (s < 0)
        cli_say_error(&err);
    return snap;
}

static int has_newline(const acor_snapshot *snap)
{
    for (uint32_t id = 0; id < acor_snapshot_ids(snap); id++) {
        acor_string k = acor_snapshot_keyword(snap, id);
        if (k.data != NULL && memchr(k.data, '\n', k.len) != NULL)
            return 1;
    }
    return 0;
}

/* The files to search, in order. */
static size_t list_files(const cli_args *args, const char **files)
{
    size_t n = 0;
    for (size_t i = 0; i < args->n_args; i++)
        files[n++] = args->args[i];
    for (size_t i = 0; i < args->n_given; i++)
        if (args->given[i].opt == OPT_INPUT)
            files[n++] = args->given[i].value;
    if (n == 0)
        files[n++] = "-";
    return n;
}

static int uses_stdin_twice(const cli_args *args, const char **files, size_t n)
{
    int uses = 0;
    for (size_t i = 0; i < args->n_given; i++)
        uses +=
            args->given[i].opt == OPT_KEYWORDS && strcmp(args->given[i].value, "-") == 0;
    if (uses == 0)
        return 0;
    for (size_t i = 0; i < n; i++)
        uses += strcmp(files[i], "-") == 0;
    return uses > 1;
}

static int search_files(const cli_args *args, const acor_snapshot *snap,
                        const char **files, size_t n)
{
    cli_search s = {
        .snap = snap,
        .invert = cli_is_on(args, OPT_INVERT),
        .count = cli_is_on(args, OPT_COUNT),
        .only = cli_is_on(args, OPT_ONLY),
        .json = cli_is_on(args, OPT_JSON),
        .quiet = cli_is_on(args, OPT_QUIET),
        .overlapping = cli_is_on(args, OPT_OVERLAPPING),
        .whole_word = cli_is_on(args, OPT_WHOLE_WORD),
        .line_numbers = cli_is_on(args, OPT_LINE_NUMBER),
        .names = n > 1 ? !cli_is_on(args, OPT_NO_NAME) : cli_is_on(args, OPT_WITH_NAME),
        .line_by_line = has_newline(snap),
    };
    if (acor_scratch_new(&s.scratch, NULL) != ACOR_OK) {
        cli_say("out of memory");
        return EXIT_TROUBLE;
    }
    cli_out_init(&s.out, 1);
    for (size_t i = 0; i < n && !s.stop; i++)
        cli_search_file(&s, files[i]);
    acor_scratch_free(s.scratch);
    int written = cli_out_end(&s.out);
    if (s.quiet && s.found)
        return EXIT_FOUND;
    if (s.trouble || written != 0)
        return EXIT_TROUBLE;
    return s.found ? EXIT_FOUND : EXIT_NONE;
}

int cli_run_filter(const cli_args *args)
{
    const char **files = cli_alloc((args->n_args + args->n_given + 1) * sizeof *files);
    size_t n = list_files(args, files);
    int status = EXIT_TROUBLE;
    if (uses_stdin_twice(args, files, n)) {
        cli_say("standard input cannot be both keywords and text");
    } else {
        int own = args->is_given[OPT_KEYWORDS] || args->is_given[OPT_WORD];
        acor_snapshot *snap = own ? snapshot_of_words(args) : snapshot_of_store(args);
        if (snap != NULL)
            status = search_files(args, snap, files, n);
        acor_snapshot_unref(snap);
    }
    free(files);
    return status;
}
