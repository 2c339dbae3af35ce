/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the Go program checks before it connects, in its order and words; ours
 * come where it checks whether options fit the command.
 */
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "util.h"

int cli_means(const char *text, const char *name)
{
    acor_string s = acor_trim(cli_string(text));
    if (s.len != strlen(name))
        return 0;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.data[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c | 0x20);
        if (c != name[i])
            return 0;
    }
    return s.len > 0;
}

uint32_t cli_batch_mode(const cli_args *args)
{
    const char *mode = args->text[OPT_BATCH_MODE];
    return mode != NULL && cli_means(mode, "transactional") ? ACOR_BATCH_TRANSACTIONAL
                                                            : ACOR_BATCH_BEST_EFFORT;
}

char *cli_name(const cli_args *args)
{
    const char *given = args->text[OPT_NAME];
    acor_string s = acor_trim(cli_string(given ? given : ""));
    if (s.len == 0)
        return cli_copy("default");
    char *name = cli_alloc(s.len + 1);
    memcpy(name, s.data, s.len);
    name[s.len] = '\0';
    return name;
}

int cli_next_part(const char **list, const char **part, size_t *len)
{
    if (*list == NULL)
        return 0;
    size_t n = strcspn(*list, ",");
    acor_string s = acor_trim((acor_string){*list, n});
    *part = s.data;
    *len = s.len;
    *list = (*list)[n] == ',' ? *list + n + 1 : NULL;
    return 1;
}

static int is_blank(const char *text)
{
    return text == NULL || acor_trim(cli_string(text)).len == 0;
}

static int check_ring(const char *list)
{
    const char *part = NULL;
    size_t len = 0;
    if (is_blank(list))
        return -1;
    while (cli_next_part(&list, &part, &len)) {
        const char *eq = len > 0 ? memchr(part, '=', len) : NULL;
        size_t name = eq != NULL ? (size_t)(eq - part) : 0;
        if (eq == NULL || acor_trim((acor_string){part, name}).len == 0 ||
            acor_trim((acor_string){eq + 1, len - name - 1}).len == 0) {
            cli_say_go("ring-addrs must be comma-separated shard=addr pairs");
            return EXIT_USAGE;
        }
    }
    return -1;
}

static int check_addrs(const char *list)
{
    const char *part = NULL;
    size_t len = 0;
    if (is_blank(list))
        return -1;
    while (cli_next_part(&list, &part, &len))
        if (len > 0)
            return -1;
    cli_say_go("addrs must contain at least one address");
    return EXIT_USAGE;
}

static int check_enum(const cli_args *a, cli_opt opt, const char *what,
                      const char *const names[4])
{
    const char *text = a->text[opt];
    if (text == NULL)
        return -1;
    for (int i = 0; i < 4 && names[i] != NULL; i++)
        if (cli_means(text, names[i]))
            return -1;
    cli_say_go("unknown %s %q", what, text);
    return EXIT_USAGE;
}

static int check_enums(const cli_args *a)
{
    static const struct {
        cli_opt opt;
        const char *what;
        const char *const names[4];
    } enums[] = {
        {OPT_PRESET, "preset", {"none", "speed", "balanced", "memory-efficient"}},
        {OPT_BATCH_MODE, "batch mode", {"best-effort", "transactional", NULL, NULL}},
        {OPT_BOUNDARY, "boundary", {"word", "sentence", "line", NULL}},
        {OPT_MATCH_KIND, "match kind", {"overlapping", "leftmost-longest", NULL, NULL}},
    };
    for (size_t i = 0; i < sizeof enums / sizeof *enums; i++)
        if (check_enum(a, enums[i].opt, enums[i].what, enums[i].names) >= 0)
            return EXIT_USAGE;
    return -1;
}

static int check_numbers(const cli_args *a)
{
    int64_t size = a->is_given[OPT_CHUNK_SIZE] ? a->number[OPT_CHUNK_SIZE] : 1000;
    int64_t overlap = a->is_given[OPT_OVERLAP] ? a->number[OPT_OVERLAP] : 50;
    const char *text = NULL;
    if (a->number[OPT_WORKERS] < 0)
        text = "workers must be non-negative";
    else if (size <= 0)
        text = "chunk-size must be positive";
    else if (overlap < 0 || overlap >= size)
        text = "overlap must be non-negative and smaller than chunk-size";
    else if (a->number[OPT_POLL] < 0)
        text = "invalidation-poll-interval must be non-negative";
    if (text == NULL)
        return -1;
    cli_say_go("%s", text);
    return EXIT_USAGE;
}

/* find TEXT is the Go program's and knows nothing of the filter's options. */
static int applies(const cli_args *a, int opt)
{
    if (opt == OPT_WHOLE_WORD && a->cmd == CMD_FIND && !a->is_given[OPT_INPUT])
        return 0;
    return (int)(cli_options[opt].takes >> a->cmd & 1);
}

/* The first of Go's options given that does not apply and has this text. */
static int check_go_fit(const cli_args *a, cli_opt sample)
{
    const char *text = cli_options[sample].misfit;
    for (int i = 0; i < OPT_COUNT_OF; i++) {
        if (cli_options[i].misfit == text && a->is_given[i] && !applies(a, i)) {
            cli_say_go("%s", text);
            return EXIT_USAGE;
        }
    }
    return -1;
}

static void say_misfit(const cli_given *g, const char *where, const char *what)
{
    const cli_option *o = &cli_options[g->opt];
    char letter[3] = {'-', o->letter, '\0'};
    const char *hint = g->after ? "; put -- before a keyword that begins with -" : "";
    if (o->letter != 0 && (g->spelled[1] != '-' || o->name == NULL))
        cli_say("%s %s %s%s", letter, what, where, hint);
    else
        cli_say("--%s %s %s%s", o->name, what, where, hint);
}

/* Ours, which the Go program does not know. */
static int check_own_fit(const cli_args *a)
{
    for (size_t i = 0; i < a->n_given; i++) {
        const cli_given *g = &a->given[i];
        const cli_option *o = &cli_options[g->opt];
        if (o->misfit == NULL && !(o->takes >> a->cmd & 1)) {
            say_misfit(g, cli_commands[a->cmd].name, "does not apply to");
            return EXIT_USAGE;
        }
    }
    if (a->cmd != CMD_FIND || a->is_given[OPT_INPUT])
        return -1;
    /* find TEXT is of the JSON form. */
    for (size_t i = 0; i < a->n_given; i++) {
        const cli_given *g = &a->given[i];
        uint32_t filters = cli_options[OPT_INVERT].takes;
        if (cli_options[g->opt].takes != filters || g->opt == OPT_JSON)
            continue;
        say_misfit(g, "filter and to find --input", "only applies to");
        return EXIT_USAGE;
    }
    if (cli_is_on(a, OPT_IGNORE_CASE) && !cli_is_on(a, OPT_QUIET)) {
        cli_say("-i only applies to filter, to find --input and with -q");
        return EXIT_USAGE;
    }
    return -1;
}

static int check_combinations(const cli_args *a)
{
    if (cli_is_on(a, OPT_JSON) &&
        (cli_is_on(a, OPT_COUNT) || cli_is_on(a, OPT_INVERT) || cli_is_on(a, OPT_ONLY))) {
        cli_say("--json shows matches; it does not go with -c, -v or -o");
        return EXIT_USAGE;
    }
    if (cli_is_on(a, OPT_JSON) && cli_is_on(a, OPT_NULL)) {
        cli_say("--json and --null do not go together");
        return EXIT_USAGE;
    }
    if (a->cmd == CMD_CONTAINS && cli_is_on(a, OPT_IGNORE_CASE) &&
        !cli_is_on(a, OPT_QUIET)) {
        cli_say("-i only applies to contains with -q");
        return EXIT_USAGE;
    }
    return -1;
}

static int check_arguments(const cli_args *a)
{
    const cli_command *c = &cli_commands[a->cmd];
    int files = a->is_given[OPT_FILE] || a->is_given[OPT_INPUT];
    const char *text = NULL;
    if (files && a->n_args > 0) {
        cli_say("%s takes its %s from the command line or from files, not both", c->name,
                a->cmd == CMD_FIND ? "text" : "keywords");
        return EXIT_USAGE;
    }
    if (c->rule == ARGS_ONE && a->n_args != 1 && !files)
        text = "requires exactly one argument";
    else if (c->rule == ARGS_SOME && a->n_args == 0 && !files)
        text = "requires at least one argument";
    else if (c->rule == ARGS_NONE && a->n_args != 0)
        text = "does not accept arguments";
    if (text == NULL)
        return -1;
    cli_say_go("command %q %s", c->name, text);
    return EXIT_USAGE;
}

static int check_preset(const cli_args *a)
{
    const char *preset = a->text[OPT_PRESET];
    int on = preset != NULL && !cli_means(preset, "none");
    if (on && cli_is_on(a, OPT_CACHE)) {
        cli_say_go("-cache and -preset cannot be used together; preset mode already uses "
                   "a local engine");
        return EXIT_USAGE;
    }
    if (!on && a->number[OPT_POLL] > 0) {
        cli_say_go("-invalidation-poll-interval requires -preset");
        return EXIT_USAGE;
    }
    if (on && (a->cmd == CMD_SUGGEST || a->cmd == CMD_SUGGEST_INDEX ||
               a->cmd == CMD_MIGRATE || a->cmd == CMD_MIGRATE_ROLLBACK)) {
        cli_say_go("%q is unavailable in preset mode", cli_commands[a->cmd].name);
        return EXIT_USAGE;
    }
    return -1;
}

static int check_command(const cli_args *a)
{
    if (a->word == NULL) {
        cli_usage_to(2);
        return EXIT_USAGE;
    }
    if (!a->known) {
        cli_say_go("unknown command %q", a->word);
        cli_usage_to(2);
        return EXIT_USAGE;
    }
    return -1;
}

int cli_args_check(const cli_args *a)
{
    if (check_ring(a->text[OPT_RING_ADDRS]) >= 0 ||
        check_addrs(a->text[OPT_ADDRS]) >= 0 || check_enums(a) >= 0 ||
        check_numbers(a) >= 0 || check_command(a) >= 0 ||
        check_go_fit(a, OPT_DRY_RUN) >= 0 || check_own_fit(a) >= 0 ||
        check_arguments(a) >= 0 || check_go_fit(a, OPT_BATCH_MODE) >= 0 ||
        check_go_fit(a, OPT_WORKERS) >= 0 || check_go_fit(a, OPT_MATCH_KIND) >= 0 ||
        check_preset(a) >= 0 || check_combinations(a) >= 0)
        return EXIT_USAGE;
    return -1;
}
