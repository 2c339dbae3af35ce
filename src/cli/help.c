/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "args.h"
#include "output.h"
#include "util.h"

enum { HELP_COLUMN = 34 };

static void pad(cli_out *out, size_t used)
{
    if (used + 1 > HELP_COLUMN) {
        cli_out_text(out, "\n");
        used = 0;
    }
    for (; used < HELP_COLUMN; used++)
        cli_out_text(out, " ");
}

static void put_option(cli_out *out, const cli_option *o)
{
    char letter[3] = {'-', o->letter, '\0'};
    size_t used = 6;
    cli_out_text(out, "  ");
    cli_out_text(out, o->letter ? letter : "  ");
    cli_out_text(out, o->letter && o->name ? ", " : "  ");
    if (o->name != NULL) {
        /* One dash does for the Go program's, two are right for all. */
        cli_out_text(out, "--");
        cli_out_text(out, o->name);
        used += 2 + strlen(o->name);
    }
    if (o->value != NULL) {
        cli_out_text(out, o->name ? "=" : "");
        cli_out_text(out, o->value);
        used += strlen(o->value) + (o->name ? 1 : 0);
    }
    pad(out, used);
    cli_out_text(out, o->help);
    cli_out_text(out, "\n");
}

static void put_command(cli_out *out, const cli_command *c)
{
    size_t used = 2 + strlen(c->name);
    cli_out_text(out, "  ");
    cli_out_text(out, c->name);
    if (*c->args) {
        cli_out_text(out, " ");
        cli_out_text(out, c->args);
        used += 1 + strlen(c->args);
    }
    pad(out, used);
    cli_out_text(out, c->help);
    cli_out_text(out, "\n");
}

/* Options that apply everywhere (general) or to some commands only. */
static void put_options(cli_out *out, uint32_t cmds, int general)
{
    for (int i = 0; i < OPT_COUNT_OF; i++) {
        const cli_option *o = &cli_options[i];
        if ((o->takes == UINT32_MAX) == general && (o->takes & cmds))
            put_option(out, o);
    }
}

static void put_commands(cli_out *out, int not_yet)
{
    for (int i = 0; i < CMD_COUNT_OF; i++)
        if (cli_commands[i].not_yet == not_yet)
            put_command(out, &cli_commands[i]);
}

void cli_usage(cli_out *out)
{
    cli_out_text(out, "Usage:\n"
                      "  acor [options] command [options] [arguments]\n"
                      "  acor filter [options] [FILE...]\n"
                      "\nCommands:\n");
    put_commands(out, 0);
    cli_out_text(out, "\nNot part of this release yet:\n");
    put_commands(out, 1);
    cli_out_text(out, "\nOptions:\n");
    put_options(out, UINT32_MAX, 1);
    cli_out_text(
        out,
        "\n\"acor help COMMAND\" shows the options of a command. -- ends the options.\n"
        "Store: --url, else a Redis option, else $ACOR_URL, else\n"
        "$XDG_DATA_HOME/acor/acor.db (~/.local/share/acor/acor.db).\n"
        "Exit status: 0 done, 1 failed, 2 wrong usage; filter, find --input and -q:\n"
        "0 found, 1 not found, 2 any trouble.\n");
}

void cli_command_help(cli_out *out, cli_cmd cmd)
{
    const cli_command *c = &cli_commands[cmd];
    cli_out_text(out, "Usage:\n  acor [options] ");
    cli_out_text(out, c->name);
    cli_out_text(out, " [options]");
    cli_out_text(out, *c->args ? " " : "");
    cli_out_text(out, c->args);
    cli_out_text(out, "\n\n");
    cli_out_text(out, c->help);
    cli_out_text(out, c->not_yet ? " (not part of this release yet)\n" : "\n");
    int own = 0;
    for (int i = 0; i < OPT_COUNT_OF; i++)
        own |= cli_options[i].takes != UINT32_MAX && (cli_options[i].takes >> cmd & 1);
    if (own) {
        cli_out_text(out, "\nOptions:\n");
        put_options(out, UINT32_C(1) << cmd, 0);
    }
    cli_out_text(out, "\nOptions of all commands:\n");
    put_options(out, UINT32_C(1) << cmd, 1);
}

int cli_usage_to(int fd)
{
    cli_out out;
    cli_out_init(&out, fd);
    cli_usage(&out);
    return cli_out_end(&out);
}

int cli_run_help(const cli_args *args)
{
    cli_out out;
    if (args->n_args > 1) {
        cli_say("help is for one command");
        return EXIT_USAGE;
    }
    int cmd = args->n_args == 1 ? cli_command_find(args->args[0]) : -1;
    if (args->n_args == 1 && cmd < 0) {
        cli_say("unknown command %q", args->args[0]);
        return EXIT_USAGE;
    }
    cli_out_init(&out, 1);
    if (cmd >= 0)
        cli_command_help(&out, (cli_cmd)cmd);
    else
        cli_usage(&out);
    return cli_out_end(&out) == 0 ? EXIT_DONE : EXIT_FAILED;
}
