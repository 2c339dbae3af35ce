/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file acor/scan.h
 * @brief Matches, and scans of a text that is in memory as a whole.
 *
 * Offsets and lengths count bytes of the text given, except those whose name
 * begins with cp_, which count code points. Code points are counted only where
 * they are asked for.
 */
#ifndef ACOR_SCAN_H
#define ACOR_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include <acor/export.h>
#include <acor/snapshot.h>
#include <acor/status.h>
#include <acor/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Opaque; working memory of scans, belongs to one thread at a time. */
typedef struct acor_scratch acor_scratch;

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
 * Report only matches whose neighbours on both sides are no word characters; the
 * ends of the text are none. Which code points are, says the rule: by default
 * letters, decimal digits, marks and the underscore (Unicode 15.0 categories L,
 * Nd and M). Applied before leftmost-longest is decided. Only the neighbours
 * count, not the keyword's own ends.
 */
#define ACOR_SCAN_WHOLE_WORD (UINT32_C(1) << 0)
/** Fill cp_start and cp_end as well. */
#define ACOR_SCAN_CODEPOINTS (UINT32_C(1) << 1)
/** Call back with one match at a time. */
#define ACOR_SCAN_ONE_BY_ONE (UINT32_C(1) << 2)
/**
 * With ACOR_SCAN_WHOLE_WORD: word characters are the ASCII letters and digits and
 * the underscore, as for grep -w in the C locale.
 */
#define ACOR_SCAN_WORD_ASCII (UINT32_C(1) << 3)

/**
 * A word rule of the caller's own.
 *
 * @param user  the pointer given with the rule
 * @param cp    a code point next to a match, lower-cased unless the snapshot is
 *              case-sensitive; an undecodable byte is U+FFFD
 * @return 0 if it is no word character, anything else if it is
 *
 * Called on the thread that made the call, a varying number of times: it should
 * depend on @p cp alone. One that does not decides which matches are reported,
 * and nothing else.
 */
typedef int (*acor_word_fn)(void *user, uint32_t cp);

/** Scan options. Start from ACOR_SCAN_OPTIONS_INIT; zero means default. */
typedef struct acor_scan_options {
    size_t struct_size;   /**< set by the initialiser; do not change */
    uint32_t kind;        /**< an acor_match_kind */
    uint32_t flags;       /**< ACOR_SCAN_* bits */
    uint64_t max_matches; /**< stop after this many; 0: no limit */
    acor_word_fn word;    /**< with ACOR_SCAN_WHOLE_WORD: another rule; NULL: none */
    void *word_user;      /**< handed to @c word */
} acor_scan_options;

#define ACOR_SCAN_OPTIONS_INIT { sizeof(acor_scan_options), 0, 0, 0, 0, 0 }

/** Where a good place to cut a text is, see acor_parallel_options. */
typedef enum acor_boundary {
    ACOR_BOUNDARY_WORD = 0,     /**< white space after something else */
    ACOR_BOUNDARY_SENTENCE = 1, /**< white space after one of . ! ? */
    ACOR_BOUNDARY_LINE = 2      /**< after a newline */
} acor_boundary;

/**
 * How a text is shared out to threads. Start from ACOR_PARALLEL_OPTIONS_INIT.
 *
 * All but @c workers only says how large the pieces of work are and where they
 * begin; the matches are those of a scan by one thread, whatever stands here. Pieces
 * are made as the Go library makes its chunks: of @c chunk_size code points, cut
 * back to the nearest boundary in the second half, the next beginning @c overlap
 * code points before that. If that gave more pieces than threads have use for, they are made larger.
 */
typedef struct acor_parallel_options {
    size_t struct_size;  /**< set by the initialiser; do not change */
    uint32_t workers;    /**< threads, the caller's own included; 0: one a processor */
    uint32_t boundary;   /**< an acor_boundary */
    uint64_t chunk_size; /**< in code points; 0 is refused with ACOR_EINVAL */
    uint64_t overlap;    /**< in code points; one that would not advance counts as 0 */
} acor_parallel_options;

#define ACOR_PARALLEL_OPTIONS_INIT { sizeof(acor_parallel_options), 0, 0, 1000, 50 }

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
 * With a scratch that has been used before, nothing is allocated; without one,
 * only if leftmost-longest has more than some tens of matches to choose from at once.
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
 * How many matches a text has.
 *
 * @param snap     snapshot to match against
 * @param text     as for acor_scan()
 * @param len      length of @p text in bytes
 * @param opts     NULL for the defaults
 * @param scratch  as for acor_scan()
 * @param[out] n   their number; at most max_matches if that is not 0
 * @param[out] err filled on failure; may be NULL
 *
 * @retval ACOR_OK      done
 * @retval ACOR_EINVAL, ACOR_EBUSY, ACOR_ENOMEM  as acor_scan()
 *
 * @owns     nothing.
 * @threads  safe on one @p snap from many threads; one @p scratch each.
 * @blocks   never touches the network.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_snapshot_count(const acor_snapshot *snap, const char *text, size_t len,
                    const acor_scan_options *opts, acor_scratch *scratch, uint64_t *n,
                    acor_error *err);

/**
 * Whether a text has a match; stops at the first.
 *
 * @param snap        snapshot to match against
 * @param text        as for acor_scan()
 * @param len         length of @p text in bytes
 * @param opts        NULL for the defaults
 * @param scratch     as for acor_scan()
 * @param[out] found  1 or 0
 * @param[out] err    filled on failure; may be NULL
 *
 * @retval ACOR_OK      done
 * @retval ACOR_EINVAL, ACOR_EBUSY, ACOR_ENOMEM  as acor_scan()
 *
 * @owns     nothing.
 * @threads  safe on one @p snap from many threads; one @p scratch each.
 * @blocks   never touches the network.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_snapshot_contains(const acor_snapshot *snap, const char *text, size_t len,
                       const acor_scan_options *opts, acor_scratch *scratch, int *found,
                       acor_error *err);

/**
 * Append the matches of a text to an array of the caller's.
 *
 * @param snap       snapshot to match against
 * @param text       as for acor_scan()
 * @param len        length of @p text in bytes; 0 leaves the array as it is
 * @param opts       NULL for the defaults; they concern this call's matches only
 * @param scratch    as for acor_scan()
 * @param array      @p cap records, of which the first *n are left alone; may be
 *                   NULL if @p cap is 0
 * @param cap        records that @p array has room for
 * @param[in,out] n  records in use: before the call, and after it
 * @param[out] err   filled on failure; may be NULL
 *
 * @retval ACOR_OK       all matches were appended
 * @retval ACOR_STOPPED  max_matches was reached, or the array is full and there are
 *                       more
 * @retval ACOR_EINVAL, ACOR_EBUSY, ACOR_ENOMEM  as acor_scan(); what was appended
 *                       before is counted by *n
 *
 * @owns     @p array stays the caller's; nothing is kept.
 * @threads  safe on one @p snap from many threads; one @p scratch each.
 * @blocks   never touches the network.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_snapshot_find_append(const acor_snapshot *snap, const char *text, size_t len,
                          const acor_scan_options *opts, acor_scratch *scratch,
                          acor_match *array, size_t cap, size_t *n, acor_error *err);

/**
 * acor_scan() by several threads: the same matches in the same order, for keywords
 * of any length and pieces of any size.
 *
 * @param snap      snapshot to match against
 * @param text      as for acor_scan()
 * @param len       length of @p text in bytes
 * @param opts      NULL for the defaults
 * @param parallel  NULL for the defaults
 * @param fn        match callback, called on the calling thread alone; NULL only counts
 * @param user      handed to @p fn as it is
 * @param[out] n    number of matches reported; may be NULL
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK        the text was scanned to its end
 * @retval ACOR_STOPPED   @p fn or max_matches ended the scan early
 * @retval ACOR_EINVAL    a NULL where none is allowed, or bad options
 * @retval ACOR_ENOMEM    no memory; @p fn may have been called before
 *
 * A thread that cannot be made is done without. Memory grows with the matches of the
 * pieces that are being worked on. The threads have ended when the call returns.
 *
 * @owns     keeps nothing.
 * @threads  safe on one @p snap from many threads.
 * @blocks   never touches the network; waits for the threads it made.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_scan_parallel(const acor_snapshot *snap, const char *text, size_t len,
                   const acor_scan_options *opts, const acor_parallel_options *parallel,
                   acor_match_fn fn, void *user, uint64_t *n, acor_error *err);

/** A half-open span, in the unit that the call says. */
typedef struct acor_span {
    uint64_t start;
    uint64_t end;
} acor_span;

/**
 * The spans of matches in UTF-16 code units, as JavaScript, Java and editors count.
 * A code point above U+FFFF is two units; an undecodable byte, read as U+FFFD, one.
 *
 * @param text        the text the matches were found in, from its start
 * @param len         length of @p text in bytes
 * @param matches     @p n matches by their byte offsets, in any order; fastest in
 *                    the order of a scan
 * @param n           number of matches
 * @param[out] spans  @p n spans
 *
 * @retval ACOR_OK      done
 * @retval ACOR_EINVAL  a NULL where none is allowed, or a match that does not lie in
 *                      the text; the spans before it are filled
 *
 * @owns     nothing.
 * @threads  safe.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_utf16_spans(const char *text, size_t len,
                                                     const acor_match *matches, size_t n,
                                                     acor_span *spans);


#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ACOR_SCAN_H */
