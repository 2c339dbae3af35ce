/* SPDX-License-Identifier: Apache-2.0 */
/* Filling the caller-held error. Lower layers fill, upper ones only prefix. */
#ifndef ACR_BASE_ERROR_H
#define ACR_BASE_ERROR_H

#include <acor/status.h>

/* Forward a failure; positive statuses are not failures and are dropped. */
#define ACR_TRY(expr) \
    do { \
        int acr_try_ = (expr); \
        if (acr_try_ < 0) \
            return acr_try_; \
    } while (0)

/*
 * Set err (may be NULL) and return status. The message is one line, names the
 * thing, the limit and the value, and has no trailing period. Control bytes
 * are masked; it is cut at a code point if it is too long.
 */
int acr_fail(acor_error *err, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with the errno behind it; strerror's text is appended. */
int acr_fail_errno(acor_error *err, int status, int sys_errno, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* acr_fail() for ACOR_ENOMEM, with the usual words. */
int acr_fail_nomem(acor_error *err);

/* Put "PREFIX: " before the message that is there. */
void acr_error_prefix(acor_error *err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Hand on what a failed public call gathered in an error of its own, so that one that
 * succeeds after all has left the caller's alone. */
void acr_error_give(acor_error *to, const acor_error *from, const char *operation);

/* Name the public call that failed; the outermost one comes last and wins. */
void acr_error_operation(acor_error *err, const char *operation);

#endif /* ACR_BASE_ERROR_H */
