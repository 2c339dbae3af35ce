/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>

#include "args.h"
#include "output.h"
#include "util.h"

/* -h and its like: the whole on standard error, as the Go program; of a command
 * on standard output. */
static int show_help(const cli_args *args)
{
    if (!args->known) {
        cli_usage_to(2);
        return EXIT_DONE;
    }
    cli_out out;
    cli_out_init(&out, 1);
    cli_command_help(&out, args->cmd);
    return cli_out_end(&out) == 0 ? EXIT_DONE : cli_failed(args);
}

static int run(const cli_args *args)
{
    if (args->help)
        return show_help(args);
    int status = cli_args_check(args);
    if (status >= 0)
        return status;
    const cli_command *c = &cli_commands[args->cmd];
    if (c->not_yet) {
        cli_say("%q is not part of this release yet", c->name);
        return EXIT_FAILED;
    }
    return c->run(args);
}

/*
 * A standard file that is closed would be the number of the next one opened,
 * and the output would land in the store. What is put there instead refuses:
 * reading from standard input, writing to standard output.
 */
static int fill_closed(void)
{
    static const int modes[3] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) != fd)
            return -1;
    return 0;
}

int main(int argc, char **argv)
{
    cli_args args;
    if (fill_closed() != 0)
        return EXIT_TROUBLE;
    int status = cli_args_parse(&args, argc, argv);
    if (status < 0)
        status = run(&args);
    cli_args_free(&args);
    return status;
}
