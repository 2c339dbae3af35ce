/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file acor/matches.h
 * @brief Matches as lists.
 */
#ifndef ACOR_MATCHES_H
#define ACOR_MATCHES_H

#include <stddef.h>
#include <stdint.h>

#include <acor/export.h>
#include <acor/scan.h>
#include <acor/snapshot.h>
#include <acor/status.h>
#include <acor/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Opaque; the matches of one call, with the snapshot they came from. */
typedef struct acor_match_list acor_match_list;

/**
 * Number of matches in a list.
 *
 * @param list  from a find call, or NULL
 * @return number of matches; 0 for NULL
 *
 * @owns     nothing.
 * @threads  safe.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API size_t acor_match_list_count(const acor_match_list *list);

/**
 * The matches of a list, in order.
 *
 * @param list  from a find call
 * @return acor_match_list_count() records; NULL if there are none
 *
 * @owns     borrowed from @p list.
 * @threads  safe.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API const acor_match *acor_match_list_items(const acor_match_list *list);

/**
 * The snapshot the matches were found with, for their keywords' spelling.
 *
 * @param list  from a find call
 * @return the snapshot; NULL for NULL and for a text of length 0, which is not scanned
 *
 * @owns     borrowed from @p list.
 * @threads  safe.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API const acor_snapshot *acor_match_list_snapshot(const acor_match_list *list);

/**
 * @param list  from a find call, or NULL
 *
 * @owns     frees @p list.
 * @threads  no other call may be using it.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API void acor_match_list_free(acor_match_list *list);

/**
 * All matches of a text as a list, in the order of acor_scan(), always with code
 * point offsets.
 *
 * @param snap      snapshot to match against
 * @param text      as for acor_scan()
 * @param len       length of @p text in bytes
 * @param opts      NULL for the defaults
 * @param[out] out  the matches, possibly none; NULL on failure
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK      done, also if max_matches was reached
 * @retval ACOR_EINVAL  a NULL where none is allowed, or bad options
 * @retval ACOR_ENOMEM  no memory
 *
 * @owns     the caller owes acor_match_list_free(); the list holds a reference to
 *           @p snap.
 * @threads  safe.
 * @blocks   never touches the network.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_snapshot_find(acor_snapshot *snap, const char *text,
                                                       size_t len,
                                                       const acor_scan_options *opts,
                                                       acor_match_list **out,
                                                       acor_error *err);

/**
 * Each keyword that occurs, once: its first match in the order of acor_scan().
 * max_matches counts keywords here. Otherwise as acor_snapshot_find().
 *
 * @threads  safe.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_snapshot_find_set(acor_snapshot *snap, const char *text, size_t len,
                       const acor_scan_options *opts, acor_match_list **out,
                       acor_error *err);

/**
 * The places of each keyword: all matches, those of one keyword together and by
 * rising start, keywords in the order of their first match. max_matches counts
 * matches in the order of acor_scan(). Otherwise as acor_snapshot_find().
 *
 * @threads  safe.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_snapshot_find_index(acor_snapshot *snap, const char *text, size_t len,
                         const acor_scan_options *opts, acor_match_list **out,
                         acor_error *err);

/**
 * acor_snapshot_find() for many texts.
 *
 * @param snap      snapshot to match against
 * @param texts     @p n texts
 * @param n         number of texts
 * @param opts      NULL for the defaults; max_matches counts in each text
 * @param[out] out  @p n lists, the i-th of texts[i]; all NULL on failure
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK      done
 * @retval ACOR_EINVAL  a NULL where none is allowed (the message says which text), or
 *                      bad options
 * @retval ACOR_ENOMEM  no memory
 *
 * @owns     the caller owes acor_match_list_free() for each.
 * @threads  safe.
 * @blocks   never touches the network.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_snapshot_find_many(acor_snapshot *snap, const acor_string *texts, size_t n,
                        const acor_scan_options *opts, acor_match_list **out,
                        acor_error *err);

/**
 * acor_snapshot_find_set() by several threads, with the same result.
 *
 * @param snap      snapshot to match against
 * @param text      as for acor_scan()
 * @param len       length of @p text in bytes
 * @param opts      NULL for the defaults
 * @param parallel  NULL for the defaults
 * @param[out] out  the matches, possibly none; NULL on failure
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK      done
 * @retval ACOR_EINVAL  a NULL where none is allowed, or bad options; a chunk size of
 *                      0 also for a text of length 0
 * @retval ACOR_ENOMEM  no memory
 *
 * @owns     the caller owes acor_match_list_free().
 * @threads  safe.
 * @blocks   never touches the network; waits for the threads it made.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_snapshot_find_parallel(acor_snapshot *snap, const char *text, size_t len,
                            const acor_scan_options *opts,
                            const acor_parallel_options *parallel, acor_match_list **out,
                            acor_error *err);

/**
 * acor_snapshot_find_index() by several threads, with the same result. Otherwise
 * as acor_snapshot_find_parallel().
 *
 * @threads  safe.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_snapshot_find_index_parallel(acor_snapshot *snap, const char *text, size_t len,
                                  const acor_scan_options *opts,
                                  const acor_parallel_options *parallel,
                                  acor_match_list **out, acor_error *err);


#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ACOR_MATCHES_H */
