/* SPDX-License-Identifier: Apache-2.0 */
/* Words for the caller's log hook. Silence without one. */
#ifndef ACR_BASE_LOG_H
#define ACR_BASE_LOG_H

#include <acor/types.h>

typedef struct acr_log {
    acor_log_fn fn; /* NULL: silence */
    void *user;
    uint32_t levels; /* ACOR_LOG_* bits let through */
} acr_log;

/* One line, cut at 511 bytes. log may be NULL. */
void acr_log_put(const acr_log *log, uint32_t level, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif /* ACR_BASE_LOG_H */
