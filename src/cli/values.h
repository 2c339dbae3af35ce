/* SPDX-License-Identifier: Apache-2.0 */
/* Values of options, by the rules of Go's packages flag, strconv and time. */
#ifndef ACOR_CLI_VALUES_H
#define ACOR_CLI_VALUES_H

#include <stdint.h>

/* Each returns NULL, or what is wrong. */
const char *cli_parse_bool(const char *text, int64_t *value);
const char *cli_parse_int(const char *text, int64_t *value);

/* Only the sign: -1, 0 or 1. */
const char *cli_parse_duration(const char *text, int64_t *sign);

#endif /* ACOR_CLI_VALUES_H */
