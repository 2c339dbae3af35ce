/* SPDX-License-Identifier: Apache-2.0 */
/* Which store the command line means, and a handle on it. */
#ifndef ACOR_CLI_STORE_H
#define ACOR_CLI_STORE_H

#include <acor/acor.h>

#include "args.h"

typedef struct cli_store {
    acor_collection *c;
    char *file; /* the user's own file, if it is the one and was not there */
} cli_store;

/* `writes`: the folder of the user's own file may be made. -1, or the exit status. */
int cli_store_open(cli_store *store, const cli_args *args, int writes);

/* Says where the user's own file is if this run made it. */
void cli_store_close(cli_store *store);

#endif /* ACOR_CLI_STORE_H */
