/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file acor/migrate.h
 * @brief From the old Redis layout V1 to V2, and back while V1 is kept.
 */
#ifndef ACOR_MIGRATE_H
#define ACOR_MIGRATE_H

#include <stddef.h>
#include <stdint.h>

#include <acor/collection.h>
#include <acor/export.h>
#include <acor/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Told how far a migration is. Runs while the handle is locked: it must not use it.
 *
 * @param user   pointer given in the options
 * @param done   steps begun so far, from 1
 * @param total  steps in all
 * @param what   what is being done, such as "Collecting keywords"
 */
typedef void (*acor_progress_fn)(void *user, uint32_t done, uint32_t total,
                                 const char *what);

/** How to migrate. Start from ACOR_MIGRATE_OPTIONS_INIT. */
typedef struct acor_migrate_options {
    size_t struct_size;        /**< set by the initialiser */
    acor_progress_fn progress; /**< NULL: silence */
    void *user;                /**< handed to @c progress */
    uint32_t dry_run;          /**< 1: look and count, change nothing */
    uint32_t keep_old_keys;    /**< 1: V1 stays beside V2, for a way back */
} acor_migrate_options;

#define ACOR_MIGRATE_OPTIONS_INIT { sizeof(acor_migrate_options), 0, 0, 0, 0 }

/** What a migration did. Start from ACOR_MIGRATE_RESULT_INIT. */
typedef struct acor_migrate_result {
    size_t struct_size;    /**< set by the initialiser; no byte past it is written */
    uint64_t keywords;     /**< keywords of the collection */
    uint64_t prefixes;     /**< their distinct prefixes, the root included */
    uint64_t outputs_keys; /**< states that report something */
    uint64_t keys_removed; /**< keys of V1 that were deleted */
    uint64_t duration_ms;
} acor_migrate_result;

#define ACOR_MIGRATE_RESULT_INIT { sizeof(acor_migrate_result), 0, 0, 0, 0, 0 }

/**
 * Rewrite a V1 collection as V2. All readers see V1 until V2 is there whole and
 * has been read back and compared; only then the keys of V1 go, the set of
 * keywords last. One migration at a time: a lock with an owner, renewed while
 * it lasts. One that broke off is taken up again by calling once more.
 *
 * @param c            handle
 * @param opts         NULL for the defaults
 * @param[out] result  counts; may be NULL
 * @param[out] err     filled on failure; may be NULL
 *
 * @retval ACOR_OK            done
 * @retval ACOR_EUNSUPPORTED  the store has no V1
 * @retval ACOR_ESCHEMA       the collection is on V2 already
 * @retval ACOR_NOTFOUND      there is no V1 data to migrate
 * @retval ACOR_EBUSY         another migration holds the lock
 * @retval ACOR_ECORRUPT      V2 read back is not what was written; V1 is untouched
 * @retval ACOR_ECONFLICT     somebody wrote to V1 or made a V2 meanwhile; V1 is untouched
 * @retval ACOR_EOUTCOME      the connection was lost while V2 was written: call again
 * @retval others             as acor_add(); V1 is untouched, or V2 is complete and calling
 *                            again deletes what is left of V1
 *
 * @owns     nothing.
 * @threads  safe.
 * @blocks   on the store; the time-out holds for each step, not for all of them.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_migrate(acor_collection *c,
                                                 const acor_migrate_options *opts,
                                                 acor_migrate_result *result,
                                                 acor_error *err);

/**
 * Back to V1 where its keys were kept: V2 is deleted. Keywords added since the
 * migration are lost.
 *
 * @param c         handle
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK            done
 * @retval ACOR_EUNSUPPORTED  the store has no V1
 * @retval ACOR_NOTFOUND      there are no V1 keys, or no keyword in them
 * @retval ACOR_EBUSY         a migration holds the lock
 * @retval others             as acor_add()
 *
 * @owns     nothing.
 * @threads  safe.
 * @blocks   on the store, at most for the time-out.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_migrate_rollback(acor_collection *c,
                                                          acor_error *err);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ACOR_MIGRATE_H */
