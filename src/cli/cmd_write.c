/* SPDX-License-Identifier: Apache-2.0 */
/* add, remove, add-many, remove-many, flush. */
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "output.h"
#include "progress.h"
#include "store.h"
#include "util.h"
#include "words.h"

static int end_json(cli_out *out, int status)
{
    cli_out_text(out, "\n");
    return cli_out_end(out) == 0 ? status : EXIT_FAILED;
}

typedef acor_status (*one_fn)(acor_collection *, const char *, size_t, int *,
                              acor_error *);

static int write_one(const cli_args *args, one_fn fn)
{
    cli_store store;
    acor_error err = ACOR_ERROR_INIT;
    int n = 0;
    int status = cli_store_open(&store, args, fn == acor_add);
    if (status >= 0)
        return status;
    const char *keyword = args->args[0];
    acor_status s = fn(store.c, keyword, strlen(keyword), &n, &err);
    cli_store_close(&store);
    if (s < 0) {
        cli_say_error(&err);
        return EXIT_FAILED;
    }
    cli_out out;
    cli_out_init(&out, 1);
    cli_out_text(&out, n ? "{\"count\":1}" : "{\"count\":0}");
    return end_json(&out, EXIT_DONE);
}

int cli_run_add(const cli_args *args)
{
    return write_one(args, acor_add);
}

int cli_run_remove(const cli_args *args)
{
    return write_one(args, acor_remove);
}

int cli_run_flush(const cli_args *args)
{
    cli_store store;
    acor_error err = ACOR_ERROR_INIT;
    int status = cli_store_open(&store, args, 0);
    if (status >= 0)
        return status;
    acor_status s = acor_flush(store.c, &err);
    cli_store_close(&store);
    if (s < 0) {
        cli_say_error(&err);
        return EXIT_FAILED;
    }
    cli_out out;
    cli_out_init(&out, 1);
    cli_out_text(&out, "{\"status\":\"ok\"}");
    return end_json(&out, EXIT_DONE);
}

/* --- batches ----------------------------------------------------------------- */

typedef struct batch {
    const cli_args *args;
    int adds;
    cli_words words;
    int32_t *outcomes;
    acor_batch_result result;
    acor_status status;
    acor_error err;
} batch;

static int run_batch(batch *b)
{
    cli_store store;
    size_t n = b->words.n;
    int status = cli_store_open(&store, b->args, b->adds && n > 0);
    if (status >= 0)
        return status;
    b->outcomes = cli_alloc(n * sizeof *b->outcomes);
    memset(b->outcomes, 0, n * sizeof *b->outcomes);
    uint32_t mode = cli_batch_mode(b->args);
    b->status =
        (b->adds ? acor_add_many : acor_remove_many)(store.c, b->words.items, n, mode,
                                                     b->outcomes, &b->result, &b->err);
    cli_store_close(&store);
    return -1;
}

static const char *reason(int outcome)
{
    return outcome == ACOR_EEMPTY ? "keyword cannot be empty" : acor_strstatus(outcome);
}

static void put_keyword(cli_out *out, acor_string s)
{
    s = acor_trim(s);
    cli_json_string(out, s.data, s.len);
}

/* The keywords with this outcome; `first` is 1 as long as the list is empty. */
static int put_outcomes(cli_out *out, const batch *b, int outcome, int first)
{
    for (size_t i = 0; i < b->words.n; i++) {
        if (b->outcomes[i] != outcome)
            continue;
        cli_out_text(out, first ? "" : ",");
        put_keyword(out, b->words.items[i]);
        first = 0;
    }
    return first;
}

/* If the write failed, that is what became of each keyword it was to take. */
static void put_failed(cli_out *out, const batch *b)
{
    int first = 1;
    for (size_t i = 0; i < b->words.n; i++) {
        int outcome = b->outcomes[i];
        int unwritten = b->status < 0 && outcome != ACOR_OUTCOME_REPEATED;
        if (outcome >= 0 && !unwritten)
            continue;
        const char *why = outcome < 0 ? reason(outcome) : b->err.message;
        cli_out_text(out, first ? "{\"keyword\":" : ",{\"keyword\":");
        put_keyword(out, b->words.items[i]);
        cli_out_text(out, ",\"error\":");
        cli_json_string(out, why, strlen(why));
        cli_out_text(out, "}");
        first = 0;
    }
}

static void put_lists(cli_out *out, const batch *b)
{
    if (b->adds) {
        cli_out_text(out, "{\"added\":[");
        put_outcomes(out, b, ACOR_OUTCOME_CHANGED, 1);
        cli_out_text(out, "],\"failed\":[");
        put_failed(out, b);
    } else {
        cli_out_text(out, "{\"failed\":[");
        put_failed(out, b);
        cli_out_text(out, "],\"removed\":[");
        put_outcomes(out, b, ACOR_OUTCOME_CHANGED, 1);
    }
    cli_out_text(out, "],\"skipped\":[");
    int first = put_outcomes(out, b, ACOR_OUTCOME_REPEATED, 1);
    put_outcomes(out, b, ACOR_OUTCOME_UNCHANGED, first);
    cli_out_text(out, "]}");
}

static int batch_of_arguments(batch *b)
{
    const cli_args *a = b->args;
    if (a->n_args == 1 && strcmp(a->args[0], "-") == 0) {
        if (cli_words_stdin(&b->words) != 0)
            return EXIT_FAILED;
    } else {
        for (size_t i = 0; i < a->n_args; i++)
            cli_words_add(&b->words, cli_string(a->args[i]));
    }
    int status = run_batch(b);
    if (status >= 0)
        return status;
    status = EXIT_DONE;
    if (b->status < 0) {
        if (b->status == ACOR_EEMPTY)
            cli_say_go("%s", reason(b->status));
        else
            cli_say_error(&b->err);
        if (cli_batch_mode(a) == ACOR_BATCH_TRANSACTIONAL)
            return EXIT_FAILED;
        /* The Go program lists them and calls it a success. */
        status = EXIT_FAILED;
    }
    cli_out out;
    cli_out_init(&out, 1);
    put_lists(&out, b);
    return end_json(&out, status);
}

static uint64_t say_failures(const batch *b)
{
    uint64_t n = 0;
    for (size_t i = 0; i < b->words.n; i++) {
        if (b->outcomes[i] >= 0)
            continue;
        cli_say_go("%N:%u: %s", cli_words_source(&b->words, i)->name,
                   (uint64_t)b->words.lines[i], reason(b->outcomes[i]));
        n++;
    }
    return n;
}

static void put_count(cli_out *out, const char *before, uint64_t n)
{
    cli_out_text(out, before);
    cli_out_number(out, n);
}

static int batch_of_files(batch *b)
{
    const cli_args *a = b->args;
    cli_progress progress;
    int unreadable = 0;
    cli_progress_start(&progress);
    for (size_t i = 0; i < a->n_given; i++)
        if (a->given[i].opt == OPT_FILE)
            unreadable |= cli_words_file(&b->words, a->given[i].value, &progress);
    cli_progress_end(&progress);
    if (unreadable)
        return EXIT_FAILED;
    cli_progress_store(&progress, b->words.n);
    int status = run_batch(b);
    cli_progress_end(&progress);
    if (status >= 0)
        return status;
    uint64_t failures = say_failures(b);
    if (b->status < 0) {
        /* What is wrong with the keywords is told already. */
        if (failures != 0 && (b->status == ACOR_EEMPTY || b->status == ACOR_ELIMIT))
            cli_say("nothing was %s", b->adds ? "added" : "removed");
        else
            cli_say_error(&b->err);
        return EXIT_FAILED;
    }
    cli_out out;
    cli_out_init(&out, 1);
    if (b->adds) {
        put_count(&out, "{\"added\":", b->result.changed);
        put_count(&out, ",\"failed\":", b->result.failed);
    } else {
        put_count(&out, "{\"failed\":", b->result.failed);
        put_count(&out, ",\"removed\":", b->result.changed);
    }
    put_count(&out, ",\"skipped\":", b->result.skipped);
    cli_out_text(&out, "}");
    return end_json(&out, failures ? EXIT_FAILED : EXIT_DONE);
}

static int write_many(const cli_args *args, int adds)
{
    batch b = {.args = args,
               .adds = adds,
               .result = ACOR_BATCH_RESULT_INIT,
               .err = ACOR_ERROR_INIT};
    int status = args->is_given[OPT_FILE] ? batch_of_files(&b) : batch_of_arguments(&b);
    free(b.outcomes);
    cli_words_free(&b.words);
    return status;
}

int cli_run_add_many(const cli_args *args)
{
    return write_many(args, 1);
}

int cli_run_remove_many(const cli_args *args)
{
    return write_many(args, 0);
}
