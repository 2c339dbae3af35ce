/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the lines of standard input in which one of the words given occurs.
 *
 *   cc filter-stdin.c $(pkg-config --cflags --libs libacor) -o filter-stdin
 *   ./filter-stdin spam 'free money' < mail.txt
 *
 * Exit status as grep's: 0 a line was printed, 1 none, 2 something went wrong.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <acor/acor.h>

/* The words as a snapshot, or NULL. */
static acor_snapshot *compile(char **words, int n)
{
    acor_string *list = malloc((size_t)n * sizeof *list);
    if (!list)
        return NULL;
    for (int i = 0; i < n; i++)
        list[i] = (acor_string){ words[i], strlen(words[i]) };

    acor_snapshot *snap;
    acor_error err = ACOR_ERROR_INIT;
    if (acor_snapshot_build(&snap, list, (size_t)n, NULL, &err) != ACOR_OK)
        fprintf(stderr, "filter-stdin: %s\n", err.message);
    free(list);
    return snap;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: filter-stdin WORD... < TEXT\n");
        return 2;
    }
    acor_snapshot *snap = compile(argv + 1, argc - 1);
    acor_scratch *scratch = NULL;
    if (!snap || acor_scratch_new(&scratch, NULL) != ACOR_OK) {
        acor_snapshot_unref(snap);
        return 2;
    }

    /* One match says all there is to know about a line. */
    acor_scan_options opts = ACOR_SCAN_OPTIONS_INIT;
    opts.max_matches = 1;

    acor_error err = ACOR_ERROR_INIT;
    char *line = NULL;
    size_t room = 0;
    ssize_t len;
    int status = 1;
    while ((len = getline(&line, &room, stdin)) >= 0) {
        size_t text = (size_t)len;
        if (text > 0 && line[text - 1] == '\n')
            text--;
        uint64_t n = 0;
        if (acor_scan(snap, line, text, &opts, scratch, NULL, NULL, &n, &err) < 0) {
            fprintf(stderr, "filter-stdin: %s\n", err.message);
            status = 2;
            break;
        }
        if (n > 0) {
            fwrite(line, 1, text, stdout);
            putchar('\n');
            status = 0;
        }
    }
    if (ferror(stdin) || fflush(stdout) != 0 || ferror(stdout)) {
        perror("filter-stdin");
        status = 2;
    }

    free(line);
    acor_scratch_free(scratch);
    acor_snapshot_unref(snap);
    return status;
}
