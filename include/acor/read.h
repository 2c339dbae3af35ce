/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file acor/read.h
 * @brief Reading a collection: finding its keywords in texts, and what it holds.
 *
 * Each call looks up whether the dictionary moved, loads and compiles it if so, and
 * works with one version of it. Whoever has many texts and does not need the very
 * last version takes a snapshot (acor_snapshot_get()) and reads that, without I/O.
 */
#ifndef ACOR_READ_H
#define ACOR_READ_H

#include <stddef.h>
#include <stdint.h>

#include <acor/collection.h>
#include <acor/export.h>
#include <acor/matches.h>
#include <acor/replace.h>
#include <acor/scan.h>
#include <acor/snapshot.h>
#include <acor/status.h>
#include <acor/stream.h>
#include <acor/suggest.h>
#include <acor/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Numbers of a collection. Start from ACOR_INFO_INIT. */
typedef struct acor_info {
    size_t struct_size;      /**< set by the initialiser; no byte past it is written */
    uint64_t keywords;       /**< keywords stored */
    uint64_t nodes;          /**< distinct code point prefixes, and the root */
    uint64_t keyword_bytes;  /**< sum of the keywords' lengths */
    uint32_t exists;         /**< 0: nothing was ever written under this name */
    uint32_t case_sensitive; /**< 1 or 0: as recorded, else as opened */
    char backend[16];        /**< "memory", "sqlite", … */
    char version[64];        /**< the version token as text; equality only */
} acor_info;

#define ACOR_INFO_INIT { sizeof(acor_info), 0, 0, 0, 0, 0, "", "" }

/**
 * Called with matches as an acor_match_fn is, and with the snapshot their keywords
 * are looked up in, borrowed until it returns.
 */
typedef int (*acor_keyword_match_fn)(void *user, const acor_snapshot *snap,
                                     const acor_match *m, size_t n);

/**
 * Every occurrence of every keyword, by end, the longest first, with byte and
 * code point offsets.
 *
 * @param c         handle
 * @param text      UTF-8 bytes as for acor_scan(); not trimmed
 * @param len       their number; 0 answers without touching the store
 * @param[out] out  the matches, possibly none; NULL on failure
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK        done
 * @retval ACOR_EINVAL    a NULL where none is allowed
 * @retval ACOR_EMODE     the collection has the other case mode
 * @retval ACOR_ETIMEOUT  the store did not answer or stayed locked
 * @retval ACOR_ECONNECT, ACOR_EUNAVAILABLE, ACOR_EAUTH, ACOR_EPROTOCOL, ACOR_EREPLY  as
 *                        acor_add()
 * @retval ACOR_EIO, ACOR_ESCHEMA, ACOR_EVERSION, ACOR_ECORRUPT, ACOR_ELIMIT, ACOR_ENOMEM  as named
 *
 * @owns     the caller owes acor_match_list_free(); @p text is not kept.
 * @threads  safe.
 * @blocks   on the store, at most for the time-out; then on compiling the
 *           dictionary if it changed.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_find(acor_collection *c, const char *text,
                                              size_t len, acor_match_list **out,
                                              acor_error *err);

/**
 * Each keyword that occurs, once: its first match in the order of acor_find().
 * Parameters, statuses, ownership and blocking as acor_find().
 *
 * @threads  safe.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_find_set(acor_collection *c, const char *text,
                                                  size_t len, acor_match_list **out,
                                                  acor_error *err);

/**
 * The places of each keyword: all its matches together and by rising start,
 * keywords in the order of their first match. Parameters, statuses, ownership and
 * blocking as acor_find().
 *
 * @threads  safe.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_find_index(acor_collection *c, const char *text,
                                                    size_t len, acor_match_list **out,
                                                    acor_error *err);

/**
 * Matches by the options' kind, whole-word rule and limit, always with code
 * point offsets. Otherwise as acor_find(). Leftmost-longest matches come in
 * the order of their starts, which is that of their ends too.
 *
 * @param c         handle
 * @param text      UTF-8 bytes
 * @param len       their number
 * @param opts      NULL for the defaults
 * @param[out] out  the matches, possibly none; NULL on failure
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK  done, also if max_matches was reached
 * @retval others   as acor_find()
 *
 * @owns     the caller owes acor_match_list_free().
 * @threads  safe.
 * @blocks   as acor_find().
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_find_matches(acor_collection *c,
                                                      const char *text, size_t len,
                                                      const acor_scan_options *opts,
                                                      acor_match_list **out,
                                                      acor_error *err);

/**
 * Whether any keyword occurs; stops at the first.
 *
 * @param c           handle
 * @param text        UTF-8 bytes
 * @param len         their number
 * @param[out] found  1 or 0
 * @param[out] err    filled on failure; may be NULL
 *
 * @retval ACOR_OK  done
 * @retval others   as acor_find()
 *
 * @owns     nothing.
 * @threads  safe.
 * @blocks   as acor_find().
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_contains(acor_collection *c, const char *text,
                                                  size_t len, int *found,
                                                  acor_error *err);

/**
 * How many matches a text has.
 *
 * @param c         handle
 * @param text      UTF-8 bytes
 * @param len       their number
 * @param opts      NULL for the defaults
 * @param[out] n    their number; at most max_matches if that is not 0
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK  done
 * @retval others   as acor_find()
 *
 * @owns     nothing.
 * @threads  safe.
 * @blocks   as acor_find().
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_count(acor_collection *c, const char *text,
                                               size_t len, const acor_scan_options *opts,
                                               uint64_t *n, acor_error *err);

/**
 * acor_find_matches() for many texts, all with one version of the dictionary. If
 * every text is of length 0, the store is not touched.
 *
 * @param c         handle
 * @param texts     @p n texts
 * @param n         number of texts
 * @param opts      NULL for the defaults; max_matches counts in each text
 * @param[out] out  @p n lists, the i-th of texts[i]; all NULL on failure
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK  done
 * @retval others   as acor_find()
 *
 * @owns     the caller owes acor_match_list_free() for each.
 * @threads  safe.
 * @blocks   as acor_find().
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_find_many(acor_collection *c,
                                                   const acor_string *texts, size_t n,
                                                   const acor_scan_options *opts,
                                                   acor_match_list **out,
                                                   acor_error *err);

/**
 * acor_find_set() by several threads, with the same result.
 *
 * @param c         handle
 * @param text      UTF-8 bytes
 * @param len       their number
 * @param parallel  NULL for the defaults
 * @param[out] out  the matches, possibly none; NULL on failure
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK      done
 * @retval ACOR_EINVAL  also a chunk size of 0, whatever the text
 * @retval others       as acor_find()
 *
 * @owns     the caller owes acor_match_list_free().
 * @threads  safe.
 * @blocks   as acor_find(); and waits for the threads it made.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_find_parallel(acor_collection *c, const char *text, size_t len,
                   const acor_parallel_options *parallel, acor_match_list **out,
                   acor_error *err);

/**
 * acor_find_index() by several threads, with the same result. Otherwise as
 * acor_find_parallel().
 *
 * @threads  safe.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_find_index_parallel(acor_collection *c, const char *text, size_t len,
                         const acor_parallel_options *parallel, acor_match_list **out,
                         acor_error *err);

/**
 * Scan a text that a function reads, to its end, as acor_snapshot_find_stream().
 * The dictionary is looked up once, before the first byte is read.
 *
 * @param c          handle
 * @param read       reader
 * @param read_user  handed to @p read as it is
 * @param opts       NULL for the defaults
 * @param fn         match callback; NULL only counts. Keyword ids are those of the
 *                   snapshot it is given
 * @param user       handed to @p fn as it is
 * @param[out] n     number of matches reported; may be NULL
 * @param[out] err   filled on failure; may be NULL
 *
 * @retval ACOR_OK       the text was read and scanned to its end
 * @retval ACOR_STOPPED  @p fn or max_matches ended the scan early
 * @retval ACOR_EIO      the reader failed, after the matches so far were reported
 * @retval others        as acor_find()
 *
 * @owns     keeps nothing.
 * @threads  safe.
 * @blocks   as acor_find(), and as long as @p read does.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_find_stream(acor_collection *c, acor_read_fn read,
                                                     void *read_user,
                                                     const acor_scan_options *opts,
                                                     acor_keyword_match_fn fn, void *user,
                                                     uint64_t *n, acor_error *err);

/**
 * A text with its matches replaced or masked, as acor_snapshot_replace().
 *
 * @param c         handle
 * @param text      UTF-8 bytes
 * @param len       their number
 * @param opts      NULL for the defaults: matches are dropped. by_keyword has to be
 *                  NULL: ids are those of a snapshot
 * @param write     takes the result
 * @param user      handed to @p write as it is
 * @param[out] n    as for acor_snapshot_replace(); may be NULL
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK       done
 * @retval ACOR_STOPPED  @p write ended it
 * @retval ACOR_EINVAL   as acor_snapshot_replace(), or by_keyword was given
 * @retval others        as acor_find()
 *
 * @owns     keeps nothing.
 * @threads  safe.
 * @blocks   as acor_find().
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_replace(acor_collection *c, const char *text,
                                                 size_t len,
                                                 const acor_replace_options *opts,
                                                 acor_write_fn write, void *user,
                                                 uint64_t *n, acor_error *err);

/**
 * The keywords that begin with a prefix, an equal one included, in stored order:
 * as they were added; in a collection of the Go library's first layout (V1), which
 * keeps no order, by their bytes.
 *
 * @param c         handle
 * @param prefix    bytes; trimmed and, unless the collection is case-sensitive,
 *                  lower-cased. If nothing is left, nothing is suggested and the
 *                  store is not touched
 * @param len       their number
 * @param limit     the first so many in that order; 0: all
 * @param flags     ACOR_SUGGEST_* bits, or 0
 * @param[out] out  the keywords, possibly none; NULL on failure
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK      done
 * @retval ACOR_EINVAL  a NULL where none is allowed, or unknown flags
 * @retval others       as acor_find()
 *
 * @owns     the caller owes acor_keyword_list_free().
 * @threads  safe.
 * @blocks   on the store, at most for the time-out; compiles nothing.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_suggest(acor_collection *c, const char *prefix,
                                                 size_t len, uint64_t limit,
                                                 uint32_t flags, acor_keyword_list **out,
                                                 acor_error *err);

/**
 * The same as places, as acor_snapshot_suggest_index(). Compiles the dictionary if
 * it changed; otherwise as acor_suggest().
 *
 * @param c         handle
 * @param prefix    as for acor_suggest()
 * @param len       length of @p prefix in bytes
 * @param limit     as for acor_suggest()
 * @param flags     as for acor_suggest()
 * @param[out] out  one match a suggestion; NULL on failure
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK  done
 * @retval others   as acor_suggest()
 *
 * @owns     the caller owes acor_match_list_free().
 * @threads  safe.
 * @blocks   as acor_find().
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_suggest_index(acor_collection *c,
                                                       const char *prefix, size_t len,
                                                       uint64_t limit, uint32_t flags,
                                                       acor_match_list **out,
                                                       acor_error *err);

/**
 * The dictionary as it is now, compiled; further calls with it never touch
 * the store. Ids are positions in the stored order.
 *
 * @param c         handle
 * @param[out] out  the snapshot; NULL on failure
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK  done
 * @retval others   as acor_find()
 *
 * @owns     the caller owes one acor_snapshot_unref(); outlives @p c.
 * @threads  safe.
 * @blocks   as acor_find().
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_snapshot_get(acor_collection *c,
                                                      acor_snapshot **out,
                                                      acor_error *err);

/**
 * Called with the next keywords of an export.
 *
 * @param user      pointer given to acor_export()
 * @param keywords  @p n stored spellings, valid until the callback returns
 * @param n         at least 1
 * @return 0 to go on, anything else to stop
 */
typedef int (*acor_keywords_fn)(void *user, const acor_string *keywords, size_t n);

/**
 * All keywords, in the stored order (oldest first), without compiling them.
 *
 * @param c         handle
 * @param fn        callback
 * @param user      handed to @p fn
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK       all were given
 * @retval ACOR_STOPPED  @p fn stopped it
 * @retval others        as acor_find()
 *
 * @owns     nothing.
 * @threads  safe; @p fn runs without a lock held.
 * @blocks   on the store, at most for the time-out.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_export(acor_collection *c, acor_keywords_fn fn,
                                                void *user, acor_error *err);

/**
 * Numbers of the collection as it is now.
 *
 * @param c          handle
 * @param[out] info  filled up to its struct_size
 * @param[out] err   filled on failure; may be NULL
 *
 * @retval ACOR_OK  done
 * @retval others   as acor_find()
 *
 * @owns     nothing.
 * @threads  safe.
 * @blocks   on the store, at most for the time-out.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_info_get(acor_collection *c, acor_info *info,
                                                  acor_error *err);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ACOR_READ_H */
