/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What an error needs at least: everything up to the message's first byte. */
#define MIN_SIZE (offsetof(acor_error, message) + 1)

const char *acor_strstatus(int status)
{
    switch ((acor_status)status) {
    case ACOR_OK: return "success";
    case ACOR_STOPPED: return "stopped early";
    case ACOR_NOTFOUND: return "not found";
    case ACOR_UNCHANGED: return "unchanged";
    case ACOR_UNANNOUNCED: return "committed, but not announced";
    case ACOR_EINVAL: return "invalid argument";
    case ACOR_EENCODING: return "not valid UTF-8";
    case ACOR_ERANGE: return "number out of range";
    case ACOR_EBUSY: return "in use by another call";
    case ACOR_EUNSUPPORTED: return "not supported";
    case ACOR_EREADONLY: return "read-only";
    case ACOR_ECLOSED: return "closed";
    case ACOR_EMODE: return "the collection has the other case mode";
    case ACOR_EEMPTY: return "keyword cannot be empty";
    case ACOR_ENOMEM: return "out of memory";
    case ACOR_ETHREAD: return "no thread or lock to be had";
    case ACOR_EINTERNAL: return "internal fault";
    case ACOR_EIO: return "input/output error";
    case ACOR_ENOSPC: return "no space left";
    case ACOR_ECONFLICT: return "the version moved on";
    case ACOR_ETIMEOUT: return "timed out";
    case ACOR_ECONNECT: return "cannot connect";
    case ACOR_EUNAVAILABLE: return "store unavailable";
    case ACOR_ESTALE: return "too old";
    case ACOR_EAUTH: return "access refused";
    case ACOR_EPROTOCOL: return "protocol error";
    case ACOR_EREPLY: return "the store answered with an error";
    case ACOR_EOUTCOME: return "outcome unknown";
    case ACOR_ESCHEMA: return "not a dictionary";
    case ACOR_ECORRUPT: return "damaged data";
    case ACOR_EVERSION: return "made by a newer release";
    case ACOR_ELIMIT: return "over a limit";
    }
    return "unknown status";
}

int acor_status_is_transient(int status)
{
    return status <= ACOR_ECONFLICT && status >= -29;
}

static int usable(const acor_error *err)
{
    return err != NULL && err->struct_size >= MIN_SIZE;
}

static size_t room(const acor_error *err)
{
    size_t n = err->struct_size - offsetof(acor_error, message);
    return n < sizeof err->message ? n : sizeof err->message;
}

/* Copies text into dst, masking control bytes, cut at a code point. */
static void put_line(char *dst, size_t size, const char *text)
{
    size_t n = strlen(text);
    if (n >= size) {
        n = size - 1;
        while (n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80)
            n--;
    }
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        dst[i] = (char)(c < 0x20 || c == 0x7F ? '?' : c);
    }
    dst[n] = '\0';
}

static void fill(acor_error *err, int status, int sys_errno, const char *text)
{
    err->status = status;
    err->sys_errno = sys_errno;
    err->retryable = (uint32_t)acor_status_is_transient(status);
    err->reserved0 = 0;
    err->operation[0] = '\0';
    put_line(err->message, room(err), text);
}

int acr_fail(acor_error *err, int status, const char *fmt, ...)
{
    if (usable(err)) {
        char text[1024];
        va_list ap;
        va_start(ap, fmt);
        (void)vsnprintf(text, sizeof text, fmt, ap);
        va_end(ap);
        fill(err, status, 0, text);
    }
    return status;
}

/* The system's words for an errno. GNU's strerror_r may return a constant. */
static const char *why(int sys_errno, char *buf, size_t size)
{
#ifdef STRERROR_R_CHAR_P
    return strerror_r(sys_errno, buf, size);
#else
    return strerror_r(sys_errno, buf, size) == 0 ? buf : "unknown error";
#endif
}

int acr_fail_errno(acor_error *err, int status, int sys_errno, const char *fmt, ...)
{
    if (usable(err)) {
        char text[1024], buf[128] = "";
        va_list ap;
        va_start(ap, fmt);
        int n = vsnprintf(text, sizeof text, fmt, ap);
        va_end(ap);
        if (n >= 0 && (size_t)n < sizeof text)
            (void)snprintf(text + n, sizeof text - (size_t)n, ": %s",
                           why(sys_errno, buf, sizeof buf));
        fill(err, status, sys_errno, text);
    }
    return status;
}

int acr_fail_nomem(acor_error *err)
{
    return acr_fail(err, ACOR_ENOMEM, "out of memory");
}

void acr_error_prefix(acor_error *err, const char *fmt, ...)
{
    if (!usable(err))
        return;
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (n < 0 || (size_t)n >= sizeof text)
        return;
    (void)snprintf(text + n, sizeof text - (size_t)n, ": %.*s", (int)room(err), err->message);
    put_line(err->message, room(err), text);
}

void acr_error_operation(acor_error *err, const char *operation)
{
    if (usable(err))
        put_line(err->operation, sizeof err->operation, operation);
}

void acr_error_give(acor_error *to, const acor_error *from, const char *operation)
{
    if (!usable(to))
        return;
    fill(to, from->status, from->sys_errno, from->message);
    acr_error_operation(to, operation);
}
