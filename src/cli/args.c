/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words to options and arguments. The Go program's rules hold for its own
 * flags (package flag: one or two dashes, "-x v" or "-x=v", bools only with
 * "="), grep's for clusters of letters, and options may follow the command.
 */
#include "args.h"

#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "util.h"
#include "values.h"

typedef struct words {
    cli_args *args;
    char **argv;
    int argc;
    int at; /* the word being read */
} words;

int cli_command_find(const char *name)
{
    for (int i = 0; i < CMD_COUNT_OF; i++)
        if (strcmp(cli_commands[i].name, name) == 0)
            return i;
    return -1;
}

static int find_name(const char *name, size_t len, int go)
{
    for (int i = 0; i < OPT_COUNT_OF; i++) {
        const char *n = cli_options[i].name;
        if (n != NULL && cli_options[i].go == go && strlen(n) == len &&
            memcmp(n, name, len) == 0)
            return i;
    }
    return -1;
}

static int find_letter(char letter)
{
    for (int i = 0; i < OPT_COUNT_OF; i++)
        if (cli_options[i].letter == letter)
            return i;
    return -1;
}

/* A value that does not parse. */
static int bad_value(const cli_option *o, const char *value, const char *why)
{
    if (o->kind == KIND_BOOL && o->go)
        cli_say_go("invalid boolean value %q for -%s: %s", value, o->name, why);
    else if (o->go)
        cli_say_go("invalid value %q for flag -%s: %s", value, o->name, why);
    else
        cli_say("invalid value %q for --%s: %s", value, o->name, why);
    return EXIT_USAGE;
}

/* Notes an option; value is NULL for a bool that stands alone. */
static int take(words *w, int opt, const char *value)
{
    cli_args *a = w->args;
    const cli_option *o = &cli_options[opt];
    const char *why = NULL;
    int64_t number = 1;
    if (o->kind == KIND_BOOL && value != NULL)
        why = cli_parse_bool(value, &number);
    else if (o->kind == KIND_INT)
        why = cli_parse_int(value, &number);
    else if (o->kind == KIND_DURATION)
        why = cli_parse_duration(value, &number);
    if (why != NULL)
        return bad_value(o, value, why);
    if (opt == OPT_TIMEOUT && (number < 1 || number > UINT32_MAX))
        return bad_value(o, value, "milliseconds, from 1 to 4294967295");
    if (opt == OPT_LIMIT && number < 0)
        return bad_value(o, value, "must not be negative");
    /* Opposites: the last one counts. */
    if (opt == OPT_IGNORE_CASE && number)
        a->number[OPT_CASE_SENSITIVE] = 0;
    if (opt == OPT_CASE_SENSITIVE && number)
        a->number[OPT_IGNORE_CASE] = 0;
    if (opt == OPT_WITH_NAME && number)
        a->number[OPT_NO_NAME] = 0;
    if (opt == OPT_NO_NAME && number)
        a->number[OPT_WITH_NAME] = 0;
    a->text[opt] = value;
    a->number[opt] = number;
    a->is_given[opt] = 1;
    a->given = cli_grow(a->given, &a->given_cap, a->n_given + 1, sizeof *a->given);
    a->given[a->n_given++] =
        (cli_given){(cli_opt)opt, value, w->argv[w->at], a->word != NULL};
    return -1;
}

/* An option by name: its value is inline, or the next word. */
static int take_named(words *w, int opt, const char *inline_value)
{
    const cli_option *o = &cli_options[opt];
    if (o->kind == KIND_BOOL || inline_value != NULL)
        return take(w, opt, inline_value);
    if (w->at + 1 >= w->argc) {
        if (o->go)
            cli_say_go("flag needs an argument: -%s", o->name);
        else
            cli_say("option --%s needs a value", o->name);
        return EXIT_USAGE;
    }
    const char *value = w->argv[w->at + 1];
    int status = take(w, opt, value);
    w->at++;
    return status;
}

static int unknown(const words *w, const char *word)
{
    if (w->args->word != NULL) {
        cli_say("unknown option %q; put -- before a keyword that begins with -", word);
        return EXIT_USAGE;
    }
    const char *name = word + (word[1] == '-' ? 2 : 1);
    size_t len = strcspn(name, "=");
    char *shown = cli_copy(name);
    shown[len] = '\0';
    cli_say_go("flag provided but not defined: -%s", shown);
    if (find_name(name, len, 0) >= 0)
        cli_say("did you mean --%s?", shown);
    free(shown);
    return EXIT_USAGE;
}

/* A word such as -no or -fwords.txt: letters, the last may have a value. */
static int take_cluster(words *w, const char *word)
{
    for (const char *p = word + 1; *p != '\0'; p++) {
        int opt = find_letter(*p);
        if (opt < 0)
            return unknown(w, word);
        if (cli_options[opt].kind != KIND_BOOL)
            break;
    }
    for (const char *p = word + 1; *p != '\0'; p++) {
        int opt = find_letter(*p);
        if (cli_options[opt].kind == KIND_BOOL) {
            int status = take(w, opt, NULL);
            if (status >= 0)
                return status;
            continue;
        }
        if (p[1] != '\0')
            return take(w, opt, p + 1);
        if (w->at + 1 >= w->argc) {
            char letter[2] = {*p, '\0'};
            cli_say("option -%s needs a value", letter);
            return EXIT_USAGE;
        }
        int status = take(w, opt, w->argv[w->at + 1]);
        w->at++;
        return status;
    }
    return -1;
}

static int asks_for_help(const words *w, const char *word, const char *name, size_t len)
{
    if (len == 4 && memcmp(name, "help", 4) == 0)
        return 1;
    if (len != 1 || *name != 'h')
        return 0;
    /* After filter a single -h is grep's. */
    return word[1] == '-' || !(w->args->known && w->args->cmd == CMD_FILTER);
}

static int take_option(words *w, const char *word)
{
    int dashes = word[1] == '-' ? 2 : 1;
    const char *name = word + dashes;
    size_t len = strcspn(name, "=");
    const char *value = name[len] == '=' ? name + len + 1 : NULL;
    if (len == 0 || *name == '-') {
        if (w->args->word != NULL)
            return unknown(w, word);
        cli_say_go("bad flag syntax: %s", word);
        return EXIT_USAGE;
    }
    int opt = find_name(name, len, 1);
    if (opt >= 0)
        return take_named(w, opt, value);
    if (asks_for_help(w, word, name, len)) {
        w->args->help = 1;
        return -1;
    }
    if (dashes == 1)
        return take_cluster(w, word);
    opt = find_name(name, len, 0);
    return opt < 0 ? unknown(w, word) : take_named(w, opt, value);
}

int cli_args_parse(cli_args *args, int argc, char **argv)
{
    *args = (cli_args){0};
    words w = {args, argv, argc, 1};
    int options = 1;
    for (; w.at < argc; w.at++) {
        const char *word = argv[w.at];
        if (options && word[0] == '-' && word[1] != '\0') {
            if (strcmp(word, "--") == 0) {
                options = 0;
                continue;
            }
            int status = take_option(&w, word);
            if (status >= 0)
                return status;
            /* Go stops reading there, whatever follows. */
            if (args->help)
                break;
        } else if (args->word == NULL) {
            int cmd = cli_command_find(word);
            args->word = word;
            args->known = cmd >= 0;
            args->cmd = cmd >= 0 ? (cli_cmd)cmd : CMD_HELP;
            options = options && args->known;
        } else {
            args->args = cli_grow(args->args, &args->args_cap, args->n_args + 1,
                                  sizeof *args->args);
            args->args[args->n_args++] = word;
        }
    }
    if (args->word == NULL && cli_is_on(args, OPT_VERSION)) {
        args->word = "version";
        args->known = 1;
        args->cmd = CMD_VERSION;
    }
    return -1;
}

void cli_args_free(cli_args *args)
{
    free(args->args);
    free(args->given);
    *args = (cli_args){0};
}

int cli_is_on(const cli_args *args, cli_opt opt)
{
    return args->is_given[opt] && args->number[opt] != 0;
}

int cli_is_filter(const cli_args *args)
{
    return args->known && (args->cmd == CMD_FILTER ||
                           (args->cmd == CMD_FIND &&
                            (args->is_given[OPT_INPUT] || cli_is_on(args, OPT_QUIET))) ||
                           (args->cmd == CMD_CONTAINS && cli_is_on(args, OPT_QUIET)));
}

int cli_failed(const cli_args *args)
{
    return cli_is_filter(args) ? EXIT_TROUBLE : EXIT_FAILED;
}
