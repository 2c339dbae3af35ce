/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file acor/snapshot.h
 * @brief Immutable dictionaries.
 *
 * A snapshot is one version of a dictionary, compiled for matching. It never
 * changes, so any number of threads may read it at once, and nothing that is done
 * with it ever waits for a store. What can be asked of it stands in acor/scan.h
 * (a text in memory), acor/stream.h (a text that comes in pieces),
 * acor/matches.h (results as lists), acor/replace.h and acor/suggest.h.
 *
 * Text rules. Text is UTF-8; each byte that is not part of valid UTF-8 counts
 * as one U+FFFD. Unless the snapshot is case-sensitive, text and keywords are
 * compared after lower-casing code point by code point (Unicode 15.0 simple
 * mapping, independent of the locale).
 */
#ifndef ACOR_SNAPSHOT_H
#define ACOR_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>

#include <acor/export.h>
#include <acor/status.h>
#include <acor/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Opaque; reference counted. */
typedef struct acor_snapshot acor_snapshot;

/** Build options. Start from ACOR_BUILD_OPTIONS_INIT; zero means default. */
typedef struct acor_build_options {
    size_t struct_size;              /**< set by the initialiser */
    const acor_allocator *allocator; /**< NULL: the C library's; copied */
    uint32_t case_sensitive;         /**< 1: compare as written */
    uint32_t reserved0;              /**< zero */
} acor_build_options;

#define ACOR_BUILD_OPTIONS_INIT { sizeof(acor_build_options), 0, 0, 0 }

/** Numbers of one snapshot. Start from ACOR_SNAPSHOT_STATS_INIT. */
typedef struct acor_snapshot_stats {
    size_t struct_size;      /**< set by the initialiser; no byte past it is written */
    uint64_t keywords;       /**< distinct keywords */
    uint64_t states;         /**< states of the automaton, the root included */
    uint64_t memory_bytes;   /**< engine memory as allocated, keywords included */
    uint64_t max_keyword;    /**< longest keyword in code points */
    uint32_t case_sensitive; /**< 1 or 0 */
    uint32_t reserved0;      /**< zero */
    char engine[32];         /**< form the engine took, such as "dfa/flat" */
} acor_snapshot_stats;

#define ACOR_SNAPSHOT_STATS_INIT { sizeof(acor_snapshot_stats), 0, 0, 0, 0, 0, 0, "" }

/** Longest keyword, in bytes after normalisation (16 MiB). */
#define ACOR_MAX_KEYWORD_BYTES (UINT32_C(16) << 20)

/**
 * Build a snapshot from the program's own list, without any store.
 *
 * Keywords are trimmed and, unless the options say case-sensitive,
 * lower-cased. One that is empty then is left out; of equal ones the first
 * counts. The keyword id of a match is the index in @p keywords, so a program
 * can attach its own data.
 *
 * @param[out] out  the snapshot; NULL on failure
 * @param keywords  @p n strings
 * @param n         number of strings, at most 2^31 - 1; 0 is fine
 * @param opts      NULL for the defaults
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK      done
 * @retval ACOR_EINVAL  a NULL where none is allowed, or bad options
 * @retval ACOR_ELIMIT  a keyword over ACOR_MAX_KEYWORD_BYTES, or more states
 *                      than the engine can number; the message says which
 * @retval ACOR_ENOMEM  no memory
 *
 * @owns     the caller owes one acor_snapshot_unref(); @p keywords is copied.
 * @threads  safe.
 * @blocks   never waits; takes time in proportion to the bytes given.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_snapshot_build(acor_snapshot **out, const acor_string *keywords, size_t n,
                    const acor_build_options *opts, acor_error *err);

/**
 * The same dictionary under case-insensitive rules: keywords lower-cased,
 * equal ones merged. Ids stay those of @p snap; of equal ones the lowest.
 *
 * @param[out] out  the new snapshot; NULL on failure
 * @param snap      any snapshot; one that is insensitive already is shared
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK      done
 * @retval ACOR_EINVAL  a NULL where none is allowed
 * @retval ACOR_ELIMIT  as acor_snapshot_build()
 * @retval ACOR_ENOMEM  no memory
 *
 * @owns     the caller owes one acor_snapshot_unref() for @p out.
 * @threads  safe.
 * @blocks   never waits; takes the time of a build.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_snapshot_fold(acor_snapshot **out, const acor_snapshot *snap, acor_error *err);

/**
 * Take one more reference.
 *
 * @param snap  snapshot, or NULL
 * @return @p snap
 *
 * @owns     the caller owes one acor_snapshot_unref().
 * @threads  safe.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API acor_snapshot *acor_snapshot_ref(acor_snapshot *snap);

/**
 * Give a reference back; the last one frees the snapshot.
 *
 * @param snap  snapshot, or NULL
 *
 * @owns     @p snap is no longer the caller's.
 * @threads  safe.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API void acor_snapshot_unref(acor_snapshot *snap);

/**
 * One more than the largest keyword id. Ids of keywords that were left out
 * (empty, or equal to an earlier one) lie below it too.
 *
 * @param snap  snapshot
 * @return number of ids; 0 for NULL
 *
 * @owns     nothing.
 * @threads  safe.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API uint32_t acor_snapshot_ids(const acor_snapshot *snap);

/**
 * The stored spelling of a keyword.
 *
 * @param snap  snapshot
 * @param id    from a match, or below acor_snapshot_ids()
 * @return the bytes; data is NULL if there is no such keyword. A NUL stands
 *         behind the bytes, not counted.
 *
 * @owns     borrowed from @p snap.
 * @threads  safe.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API acor_string acor_snapshot_keyword(const acor_snapshot *snap, uint32_t id);

/**
 * Numbers of a snapshot.
 *
 * @param snap        snapshot
 * @param[out] stats  filled up to its struct_size
 *
 * @retval ACOR_OK      done
 * @retval ACOR_EINVAL  a NULL, or a struct_size that is too small
 *
 * @owns     nothing.
 * @threads  safe.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API acor_status acor_snapshot_stats_get(const acor_snapshot *snap,
                                             acor_snapshot_stats *stats);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ACOR_SNAPSHOT_H */
