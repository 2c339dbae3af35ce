/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the backends without a server share: versions made of a counter of
 * changes and a stamp drawn by the commit, a log of changes, and the checks
 * that come before a write.
 */
#ifndef ACR_STORE_BACKEND_H
#define ACR_STORE_BACKEND_H

#include "store/store.h"

#define ACR_STAMP_SIZE 16

/* The version of what is not there. */
acr_token acr_version_absent(void);

acr_token acr_version_token(uint64_t counter, const unsigned char *stamp);

/* The other way; *stamp points into t. 0 if t is no such version. */
int acr_version_split(const acr_token *t, uint64_t *counter, const unsigned char **stamp);

/* Changes the log keeps beside so many keywords. */
uint64_t acr_log_limit(uint64_t keywords);

/* Whether the store takes this request at all. */
int acr_request_check(const acr_request *request, int read_only, acor_error *err);

/* ACOR_ECONFLICT if the request expects another version than now, or another mode
 * than is recorded. */
int acr_request_expects(const acr_request *request, const acr_token *now, acr_case recorded,
                        acor_error *err);

/* The mode a write records. */
acr_case acr_mode_to_record(acr_case recorded, acr_case asked);

#endif /* ACR_STORE_BACKEND_H */
