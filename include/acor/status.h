/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file acor/status.h
 * @brief What a call answers, and the caller-held detail of a failure.
 *
 * Zero is success, positive is success with something to say, negative is
 * failure. The ranges tell the class: -1 to -9 the caller, -10 to -19 this
 * process, -20 to -29 the store and worth another try, -30 to -39 the store
 * and not worth one, -40 to -49 the data.
 */
#ifndef ACOR_STATUS_H
#define ACOR_STATUS_H

#include <stddef.h>
#include <stdint.h>

#include <acor/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Values are part of the ABI. */
typedef enum acor_status {
    ACOR_OK = 0,

    ACOR_STOPPED = 1,     /**< ended early because a callback or limit said so */
    ACOR_NOTFOUND = 2,    /**< looked, and it is not there */
    ACOR_UNCHANGED = 3,   /**< nothing new since what the caller has */
    ACOR_UNANNOUNCED = 4, /**< committed, but the change message was not sent */

    ACOR_EINVAL = -1,       /**< a NULL, option or value that is not allowed */
    ACOR_EENCODING = -2,    /**< not valid UTF-8 where it has to be */
    ACOR_ERANGE = -3,       /**< a number outside its range */
    ACOR_EBUSY = -4,        /**< the object is in use by another call */
    ACOR_EUNSUPPORTED = -5, /**< this build or this store cannot do it */
    ACOR_EREADONLY = -6,    /**< the store or collection takes no writes */
    ACOR_ECLOSED = -7,      /**< the handle is closed or past saving */
    ACOR_EMODE = -8,        /**< the collection has the other case mode */
    ACOR_EEMPTY = -9,       /**< a keyword that is empty once trimmed */

    ACOR_ENOMEM = -10,    /**< out of memory */
    ACOR_ETHREAD = -11,   /**< a thread or lock could not be made */
    ACOR_EINTERNAL = -12, /**< a fault of this library */
    ACOR_EIO = -13,       /**< the system refused to read or write */
    ACOR_ENOSPC = -14,    /**< the disk is full */

    ACOR_ECONFLICT = -20,    /**< the version moved on; nothing was written */
    ACOR_ETIMEOUT = -21,     /**< the deadline passed; nothing was written */
    ACOR_ECONNECT = -22,     /**< the store cannot be reached */
    ACOR_EUNAVAILABLE = -23, /**< the store is there but cannot serve now */
    ACOR_ESTALE = -24,       /**< what is served is older than allowed */

    ACOR_EAUTH = -30,     /**< user, password or rights refused */
    ACOR_EPROTOCOL = -31, /**< the other side does not speak the protocol */
    ACOR_EREPLY = -32,    /**< the store answered with an error */
    ACOR_EOUTCOME = -33,  /**< unknown whether the write was committed */

    ACOR_ESCHEMA = -40,  /**< not a dictionary of ours, or another layout */
    ACOR_ECORRUPT = -41, /**< stored data is damaged */
    ACOR_EVERSION = -42, /**< written by a newer release */
    ACOR_ELIMIT = -43    /**< larger than a documented limit */
} acor_status;

/** Bytes of acor_error::message, its terminating NUL included. */
#define ACOR_ERROR_MESSAGE_SIZE 240

/** Bytes of acor_error::operation, its terminating NUL included. */
#define ACOR_ERROR_OPERATION_SIZE 32

/**
 * Detail of one failure. Held by the caller, filled by the call that fails,
 * left alone by a call that succeeds. Start from ACOR_ERROR_INIT.
 */
typedef struct acor_error {
    size_t struct_size; /**< set by the initialiser; no byte past it is written */
    int32_t status;     /**< an acor_status */
    int32_t sys_errno;  /**< errno of the system call behind it, or 0 */
    uint32_t retryable; /**< 1: the same call may succeed later */
    uint32_t reserved0; /**< zero */
    char operation[ACOR_ERROR_OPERATION_SIZE]; /**< such as "open", "add_many" */
    char message[ACOR_ERROR_MESSAGE_SIZE]; /**< one line, no trailing period; UTF-8 cut
                                                at a code point; control bytes masked */
} acor_error;

#define ACOR_ERROR_INIT { sizeof(acor_error), 0, 0, 0, 0, "", "" }

/**
 * A constant text for any status, known or not.
 *
 * @param status  any number
 * @return a constant string, never NULL
 *
 * @owns     nothing to free.
 * @threads  safe.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API const char *acor_strstatus(int status);

/**
 * Whether the same call may succeed later without anything being changed.
 *
 * @param status  any number
 * @return 1 for the range -20 to -29, otherwise 0
 *
 * @owns     nothing.
 * @threads  safe.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API int acor_status_is_transient(int status);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ACOR_STATUS_H */
