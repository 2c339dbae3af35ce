/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file acor/collection.h
 * @brief A named dictionary in a store that many processes share.
 *
 * A collection may be used by any number of threads at once. Reads see one
 * version of the dictionary per call. Each call asks the store whether the
 * dictionary moved (one small look-up) and loads it only if it did; the
 * compiled snapshot is kept for as long as the version stays.
 *
 * Every call that may wait for the store ends within the handle's time-out. Here
 * are opening and writing; reading stands in acor/read.h.
 */
#ifndef ACOR_COLLECTION_H
#define ACOR_COLLECTION_H

#include <stddef.h>
#include <stdint.h>

#include <acor/export.h>
#include <acor/status.h>
#include <acor/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Opaque; a connection to one dictionary. */
typedef struct acor_collection acor_collection;

/** How keywords and texts are compared. Recorded by a collection's first write. */
typedef enum acor_case_mode {
    ACOR_CASE_INSENSITIVE = 0, /**< the default */
    ACOR_CASE_SENSITIVE = 1,
    ACOR_CASE_AS_STORED = 2 /**< what the collection has; insensitive if it is new */
} acor_case_mode;

/** What acor_open() may be told. Start from ACOR_OPEN_OPTIONS_INIT. */
typedef struct acor_open_options {
    size_t struct_size;              /**< set by the initialiser */
    const acor_allocator *allocator; /**< NULL: the C library's; copied */
    acor_log_fn log;                 /**< NULL: silence */
    void *log_user;                  /**< handed to @c log */
    acor_collection *share;          /**< for mem: only: use this handle's store */
    uint32_t log_levels;             /**< ACOR_LOG_* bits; 0: errors and warnings */
    uint32_t timeout_ms;             /**< per call; 0: 5,000 */
    uint32_t case_mode;              /**< an acor_case_mode */
    uint32_t flags;                  /**< ACOR_OPEN_* bits */
} acor_open_options;

#define ACOR_OPEN_OPTIONS_INIT { sizeof(acor_open_options), 0, 0, 0, 0, 0, 0, 0, 0 }

/** Never write: every change is refused with ACOR_EREADONLY. */
#define ACOR_OPEN_READ_ONLY (UINT32_C(1) << 0)

/** What became of one keyword of a batch. Negative values are an acor_status. */
typedef enum acor_outcome {
    ACOR_OUTCOME_NONE = 0,      /**< not reached */
    ACOR_OUTCOME_CHANGED = 1,   /**< added, or removed */
    ACOR_OUTCOME_REPEATED = 2,  /**< equal to an earlier one of the same batch */
    ACOR_OUTCOME_UNCHANGED = 3  /**< was there already, or was not there to remove */
} acor_outcome;

/** What a batch does about keywords it cannot take. */
typedef enum acor_batch_mode {
    ACOR_BATCH_BEST_EFFORT = 0,  /**< note them, go on with the others */
    ACOR_BATCH_TRANSACTIONAL = 1 /**< fail, and change nothing */
} acor_batch_mode;

/** Counts of one batch. Start from ACOR_BATCH_RESULT_INIT. */
typedef struct acor_batch_result {
    size_t struct_size; /**< set by the initialiser; no byte past it is written */
    uint64_t changed;   /**< ACOR_OUTCOME_CHANGED */
    uint64_t skipped;   /**< ACOR_OUTCOME_REPEATED and _UNCHANGED */
    uint64_t failed;    /**< negative outcomes */
    uint64_t removed;   /**< by replace_all: keywords that were dropped */
} acor_batch_result;

#define ACOR_BATCH_RESULT_INIT { sizeof(acor_batch_result), 0, 0, 0, 0 }

/** What the calls on a handle cost so far. Start from ACOR_COST_INIT. */
typedef struct acor_cost {
    size_t struct_size;    /**< set by the initialiser; no byte past it is written */
    uint64_t round_trips;  /**< to a server: commands written, then waited for */
    uint64_t transactions; /**< of the embedded store or of mem: */
    uint64_t loads;        /**< times a dictionary was loaded, whole or by delta */
    uint64_t builds;       /**< times a snapshot was compiled */
} acor_cost;

#define ACOR_COST_INIT { sizeof(acor_cost), 0, 0, 0, 0 }

/** Longest name of a collection, in bytes. */
#define ACOR_MAX_NAME_BYTES 512

/**
 * Open a dictionary. Nothing is written and no keyword is read: the first read
 * or write says what is there. The first write creates it.
 *
 * @param[out] out  the handle; NULL on failure
 * @param url       where: `redis://[user[:password]@]host[:port][/db]` or
 *                  `redis+unix://[user[:password]@]/path.sock[?db=N]` (Redis or
 *                  Valkey, the collections of the Go library ACOR),
 *                  `sqlite:PATH` (one file for any number of collections and
 *                  processes; made by the first write) or `mem:` (private to
 *                  this handle and those that share it)
 * @param name      the collection's name: 1 to ACOR_MAX_NAME_BYTES bytes of
 *                  UTF-8 without ':'; on Redis not beginning with '}'
 * @param opts      NULL for the defaults
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK            done
 * @retval ACOR_EINVAL        a NULL where none is allowed, a bad URL, name or option
 * @retval ACOR_EUNSUPPORTED  a scheme this build does not have
 * @retval ACOR_EIO           the file is there and cannot be opened
 * @retval ACOR_ESCHEMA       the file is there and is no dictionary file of ours
 * @retval ACOR_EVERSION      the file was made by a newer release
 * @retval ACOR_ECORRUPT      the file is damaged
 * @retval ACOR_ENOMEM, ACOR_ETHREAD  no memory; no lock
 *
 * @owns     the caller owes acor_close(); strings and options are copied.
 * @threads  safe.
 * @blocks   reads the head of a file; never touches the network.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_open(acor_collection **out, const char *url,
                                              const char *name,
                                              const acor_open_options *opts,
                                              acor_error *err);

/**
 * Close a handle. Snapshots and match lists taken from it stay valid.
 *
 * @param c  handle, or NULL
 *
 * @owns     frees @p c.
 * @threads  no other call may be using @p c.
 * @blocks   no longer than closing a file takes.
 * @since    0.1
 */
ACOR_API void acor_close(acor_collection *c);

/**
 * Change the time-out of the calls that follow.
 *
 * @param c           handle
 * @param timeout_ms  milliseconds; 0: 5,000
 *
 * @owns     nothing.
 * @threads  safe.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API void acor_set_timeout(acor_collection *c, uint32_t timeout_ms);

/**
 * Add one keyword. It is trimmed and, unless the collection is
 * case-sensitive, lower-cased; undecodable bytes become U+FFFD. One that is
 * empty then is no error and adds nothing.
 *
 * @param c           handle
 * @param keyword     bytes; NUL is data
 * @param len         their number
 * @param[out] added  1 added, 0 was there already or empty; may be NULL
 * @param[out] err    filled on failure; may be NULL
 *
 * @retval ACOR_OK         done
 * @retval ACOR_EINVAL     a NULL where none is allowed
 * @retval ACOR_ELIMIT     over ACOR_MAX_KEYWORD_BYTES
 * @retval ACOR_EREADONLY  the file, medium or handle takes no writes
 * @retval ACOR_EMODE      the collection has the other case mode
 * @retval ACOR_UNANNOUNCED  done, but the user may not publish to the channel
 * @retval ACOR_ETIMEOUT   the store did not answer or stayed locked; nothing was written
 * @retval ACOR_ECONFLICT  others were faster until the time-out; nothing was written
 * @retval ACOR_ECONNECT   the server cannot be reached; nothing was written
 * @retval ACOR_EUNAVAILABLE  the server is loading, busy or full of clients
 * @retval ACOR_EAUTH      the login or the user's rights do not do; the message names both
 * @retval ACOR_EOUTCOME   the answer to the write was lost, and nobody can tell whether
 *                         it went through
 * @retval ACOR_EPROTOCOL, ACOR_EREPLY  the server answers something else than Redis does
 * @retval ACOR_ENOSPC     the disk or the server's memory is full; nothing was written
 * @retval ACOR_EIO, ACOR_ESCHEMA, ACOR_EVERSION, ACOR_ECORRUPT, ACOR_ENOMEM  as named
 *
 * @owns     @p keyword is not used after return.
 * @threads  safe.
 * @blocks   on the store, at most for the time-out.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_add(acor_collection *c, const char *keyword,
                                             size_t len, int *added, acor_error *err);

/**
 * Remove one keyword; normalised as by acor_add(). One that is not there, or
 * empty, is no error.
 *
 * @param c             handle
 * @param keyword       bytes; NUL is data
 * @param len           their number
 * @param[out] removed  1 removed, 0 was not there; may be NULL
 * @param[out] err      filled on failure; may be NULL
 *
 * @retval ACOR_OK  done
 * @retval others   as acor_add()
 *
 * @owns     @p keyword is not used after return.
 * @threads  safe.
 * @blocks   on the store, at most for the time-out.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_remove(acor_collection *c, const char *keyword,
                                                size_t len, int *removed,
                                                acor_error *err);

/**
 * Add any number of keywords in one commit: readers see all of them or none.
 *
 * @param c              handle
 * @param keywords       @p n strings, normalised as by acor_add()
 * @param n              number of strings; 0 touches nothing
 * @param mode           an acor_batch_mode
 * @param[out] outcomes  @p n values, each an acor_outcome or a negative
 *                       acor_status (ACOR_EEMPTY, ACOR_ELIMIT); may be NULL
 * @param[out] result    counts; may be NULL
 * @param[out] err       filled on failure; may be NULL
 *
 * @retval ACOR_OK      done; in best effort some outcomes may be negative
 * @retval ACOR_EEMPTY  transactional: a keyword is empty; nothing was written
 * @retval ACOR_ELIMIT  transactional: a keyword is too long; nothing was written
 * @retval others       as acor_add(); only after ACOR_EOUTCOME and ACOR_UNANNOUNCED
 *                      something may have been written
 *
 * @owns     @p keywords is not used after return.
 * @threads  safe.
 * @blocks   on the store, at most for the time-out to get its turn; the commit
 *           itself then takes what the size of the batch takes.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_add_many(acor_collection *c,
                                                  const acor_string *keywords, size_t n,
                                                  uint32_t mode, int32_t *outcomes,
                                                  acor_batch_result *result,
                                                  acor_error *err);

/**
 * Remove any number of keywords in one commit. Parameters, statuses, ownership
 * and blocking as acor_add_many().
 *
 * @threads  safe.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_remove_many(acor_collection *c,
                                                     const acor_string *keywords,
                                                     size_t n, uint32_t mode,
                                                     int32_t *outcomes,
                                                     acor_batch_result *result,
                                                     acor_error *err);

/**
 * Make the dictionary consist of exactly these keywords, in one commit.
 * Keywords that stay keep their place in the order. An outcome of
 * ACOR_OUTCOME_UNCHANGED means: was there already and stays.
 *
 * Parameters, statuses, ownership and blocking as acor_add_many(); @p n of 0
 * empties the dictionary. result->removed counts what was dropped.
 *
 * @threads  safe.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_replace_all(acor_collection *c,
                                                     const acor_string *keywords,
                                                     size_t n, uint32_t mode,
                                                     int32_t *outcomes,
                                                     acor_batch_result *result,
                                                     acor_error *err);

/**
 * Remove all keywords. The collection stays, with its case mode.
 *
 * @param c         handle
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK  done
 * @retval others   as acor_add()
 *
 * @owns     nothing.
 * @threads  safe.
 * @blocks   on the store, at most for the time-out.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_flush(acor_collection *c, acor_error *err);

/**
 * What the calls on this handle cost so far.
 *
 * @param c          handle
 * @param[out] cost  filled up to its struct_size
 *
 * @retval ACOR_OK      done
 * @retval ACOR_EINVAL  a NULL, or a struct_size that is too small
 *
 * @owns     nothing.
 * @threads  safe.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API acor_status acor_cost_get(acor_collection *c, acor_cost *cost);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ACOR_COLLECTION_H */
