/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file acor/suggest.h
 * @brief Keywords by the prefix they begin with.
 */
#ifndef ACOR_SUGGEST_H
#define ACOR_SUGGEST_H

#include <stddef.h>
#include <stdint.h>

#include <acor/export.h>
#include <acor/matches.h>
#include <acor/snapshot.h>
#include <acor/status.h>
#include <acor/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Opaque; keywords that some call found. */
typedef struct acor_keyword_list acor_keyword_list;

/** Suggest in the order of the keywords' bytes: a shorter one before all that continue it. */
#define ACOR_SUGGEST_SORTED (UINT32_C(1) << 0)

/**
 * The keywords that begin with a prefix, an equal one included, in stored order.
 *
 * @param snap      snapshot
 * @param prefix    bytes; trimmed and, unless the snapshot is case-sensitive,
 *                  lower-cased as a keyword is. If nothing is left, nothing is suggested
 * @param len       their number
 * @param limit     the first so many in that order; 0: all
 * @param flags     ACOR_SUGGEST_* bits, or 0
 * @param[out] out  the keywords, possibly none; NULL on failure
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK      done
 * @retval ACOR_EINVAL  a NULL where none is allowed, or unknown flags
 * @retval ACOR_ENOMEM  no memory
 *
 * Takes time in proportion to the number of keywords.
 *
 * @owns     the caller owes acor_keyword_list_free().
 * @threads  safe.
 * @blocks   never touches the network.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_snapshot_suggest(acor_snapshot *snap, const char *prefix, size_t len, uint64_t limit,
                      uint32_t flags, acor_keyword_list **out, acor_error *err);

/**
 * The same as places: for each suggestion a match that starts at 0, where the prefix
 * stands in it, and ends behind the prefix, as it was once normalised. In the Go
 * library only the start is told.
 *
 * @param snap      snapshot
 * @param prefix    as for acor_snapshot_suggest()
 * @param len       length of @p prefix in bytes
 * @param limit     as for acor_snapshot_suggest()
 * @param flags     as for acor_snapshot_suggest()
 * @param[out] out  one match a suggestion; NULL on failure
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK      done
 * @retval ACOR_EINVAL, ACOR_ENOMEM  as acor_snapshot_suggest()
 *
 * @owns     the caller owes acor_match_list_free().
 * @threads  safe.
 * @blocks   never touches the network.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_snapshot_suggest_index(acor_snapshot *snap, const char *prefix, size_t len,
                            uint64_t limit, uint32_t flags, acor_match_list **out,
                            acor_error *err);

/**
 * Number of keywords in a list.
 *
 * @param list  from a suggest call, or NULL
 * @return their number; 0 for NULL
 *
 * @owns     nothing.
 * @threads  safe.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API size_t acor_keyword_list_count(const acor_keyword_list *list);

/**
 * The keywords of a list, in order.
 *
 * @param list  from a suggest call
 * @return acor_keyword_list_count() strings, as stored; NULL if there are none
 *
 * @owns     borrowed from @p list.
 * @threads  safe.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API const acor_string *acor_keyword_list_items(const acor_keyword_list *list);

/**
 * @param list  from a suggest call, or NULL
 *
 * @owns     frees @p list.
 * @threads  no other call may be using it.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API void acor_keyword_list_free(acor_keyword_list *list);


#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ACOR_SUGGEST_H */
