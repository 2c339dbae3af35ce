/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file acor/snapshot.h
 * @brief Immutable dictionaries and the scans that run over them.
 *
 * A snapshot is one version of a dictionary, compiled for matching. It never
 * changes, so any number of threads may scan it at once, each with a scratch
 * of its own. Offsets and lengths in this file count bytes of the text given,
 * except those whose name begins with cp_, which count code points.
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

/** Opaque; working memory of scans, belongs to one thread at a time. */
typedef struct acor_scratch acor_scratch;

/** Opaque; the matches of one call, with the snapshot they came from. */
typedef struct acor_match_list acor_match_list;

/** One occurrence: the half-open span [start, end). Layout frozen at 1.0. */
typedef struct acor_match {
    uint64_t start;    /**< first byte, from the start of the text */
    uint64_t end;      /**< one past the last byte */
    uint64_t cp_start; /**< the same in code points; UINT64_MAX unless */
    uint64_t cp_end;   /**< ACOR_SCAN_CODEPOINTS was asked for */
    uint32_t keyword;  /**< id within this snapshot, see acor_snapshot_keyword() */
    uint32_t flags;    /**< reserved, zero */
} acor_match;

/**
 * Called with one or more matches, ordered by end, the longest first
 * (leftmost-longest: by start).
 *
 * @param user  the pointer given to the call
 * @param m     @p n matches, valid until the callback returns
 * @param n     at least 1; at most 1 if ACOR_SCAN_ONE_BY_ONE was asked for
 * @return 0 to go on; anything else stops the scan, which then returns
 *         ACOR_STOPPED. The callback must not use the scratch of this scan.
 */
typedef int (*acor_match_fn)(void *user, const acor_match *m, size_t n);

/** How overlapping candidates are resolved. Values are part of the ABI. */
typedef enum acor_match_kind {
    ACOR_MATCH_OVERLAPPING = 0,     /**< every occurrence, overlaps too */
    ACOR_MATCH_LEFTMOST_LONGEST = 1 /**< earliest start, then the longest */
} acor_match_kind;

/**
 * Report only matches whose neighbours on both sides are no word characters
 * (letters, decimal digits, marks, underscore, by Unicode 15.0 categories L,
 * Nd and M). Applied before leftmost-longest is decided. Only the neighbours
 * count, not the keyword's own ends.
 */
#define ACOR_SCAN_WHOLE_WORD (UINT32_C(1) << 0)
/** Fill cp_start and cp_end as well. */
#define ACOR_SCAN_CODEPOINTS (UINT32_C(1) << 1)
/** Call back with one match at a time. */
#define ACOR_SCAN_ONE_BY_ONE (UINT32_C(1) << 2)

/** Scan options. Start from ACOR_SCAN_OPTIONS_INIT; zero means default. */
typedef struct acor_scan_options {
    size_t struct_size;   /**< set by the initialiser; do not change */
    uint32_t kind;        /**< an acor_match_kind */
    uint32_t flags;       /**< ACOR_SCAN_* bits */
    uint64_t max_matches; /**< stop after this many; 0: no limit */
} acor_scan_options;

#define ACOR_SCAN_OPTIONS_INIT { sizeof(acor_scan_options), 0, 0, 0 }

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

/**
 * Working memory for scans, to be used again and again: a scan that gets one
 * allocates only when it needs more than any scan before it.
 *
 * @param[out] out   the scratch; NULL on failure
 * @param allocator  NULL: the C library's; copied
 *
 * @retval ACOR_OK      done
 * @retval ACOR_EINVAL  @p out is NULL, or a bad allocator
 * @retval ACOR_ENOMEM  no memory
 *
 * @owns     the caller owes acor_scratch_free().
 * @threads  one thread at a time; not bound to a snapshot.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_scratch_new(acor_scratch **out,
                                                     const acor_allocator *allocator);

/**
 * @param scratch  from acor_scratch_new(), or NULL
 *
 * @owns     frees @p scratch.
 * @threads  no scan may be using it.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API void acor_scratch_free(acor_scratch *scratch);

/**
 * Scan a text that is in memory as a whole.
 *
 * @param snap     snapshot to match against
 * @param text     UTF-8 bytes; may hold NUL; need not end in one. Each byte
 *                 that is not part of valid UTF-8 counts as one U+FFFD.
 *                 May be NULL if @p len is 0
 * @param len      length of @p text in bytes
 * @param opts     NULL for the defaults
 * @param scratch  from acor_scratch_new(); NULL makes what this call needs
 * @param fn       match callback; NULL only counts
 * @param user     handed to @p fn as it is
 * @param[out] n   number of matches reported; may be NULL
 * @param[out] err filled on failure; may be NULL
 *
 * @retval ACOR_OK        the text was scanned to its end
 * @retval ACOR_STOPPED   @p fn or max_matches ended the scan early
 * @retval ACOR_EINVAL    a NULL where none is allowed, or bad options
 * @retval ACOR_EBUSY     @p scratch is in use by another scan (best effort)
 * @retval ACOR_ENOMEM    no memory; @p fn may have been called before
 *
 * Nothing is allocated when nothing matches.
 *
 * @owns     keeps nothing: @p text and @p user are not used after return.
 * @threads  safe on one @p snap from many threads; one @p scratch each.
 * @blocks   never touches the network.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_scan(const acor_snapshot *snap, const char *text, size_t len,
          const acor_scan_options *opts, acor_scratch *scratch, acor_match_fn fn,
          void *user, uint64_t *n, acor_error *err);

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

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ACOR_SNAPSHOT_H */
