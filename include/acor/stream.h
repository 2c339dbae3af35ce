/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file acor/stream.h
 * @brief Scans of a text that comes in pieces.
 */
#ifndef ACOR_STREAM_H
#define ACOR_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include <acor/export.h>
#include <acor/scan.h>
#include <acor/snapshot.h>
#include <acor/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Opaque; a text that is handed over piece by piece, and its matches so far. */
typedef struct acor_stream acor_stream;

/**
 * Begin a text that comes in pieces. Its matches are those of acor_scan() over
 * all pieces joined, in the same order, with offsets from the start of the text.
 *
 * @param[out] out  the stream; NULL on failure
 * @param snap      snapshot to match against
 * @param opts      NULL for the defaults
 * @param fn        match callback; NULL only counts
 * @param user      handed to @p fn as it is
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK      done
 * @retval ACOR_EINVAL  a NULL where none is allowed, or bad options
 * @retval ACOR_ENOMEM  no memory
 *
 * Memory does not grow with the text: a window of some 64 KiB, or twice the longest
 * text that equals a keyword if that is more (unless case-sensitive, that may take
 * three times the keyword's bytes), and for leftmost-longest the matches that lie
 * within that length and 4 KiB. The window is allocated here; what comes later
 * allocates only if there are more than some tens of such matches at once.
 *
 * @owns     the caller owes acor_stream_free(); the stream holds a reference to
 *           @p snap and keeps @p fn and @p user.
 * @threads  one thread at a time.
 * @blocks   never touches the network.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_stream_new(acor_stream **out, acor_snapshot *snap,
                                                    const acor_scan_options *opts,
                                                    acor_match_fn fn, void *user,
                                                    acor_error *err);

/**
 * The next piece, of any size, cut anywhere, also inside a character.
 *
 * A match is reported by the call that brings its last byte, unless it is not
 * decided yet: a character may still be incomplete; with ACOR_SCAN_WHOLE_WORD the
 * next character has to be seen; a leftmost-longest match may still grow or lose
 * to one that began earlier.
 *
 * @param s        stream
 * @param bytes    the piece; may be NULL if @p len is 0
 * @param len      its length in bytes
 * @param[out] err filled on failure; may be NULL
 *
 * @retval ACOR_OK       go on
 * @retval ACOR_STOPPED  the callback or max_matches ended the scan, now or before;
 *                       what comes after it is ignored
 * @retval ACOR_EINVAL   a NULL where none is allowed, or the text was finished
 * @retval ACOR_EBUSY    called from the stream's own callback
 * @retval ACOR_ENOMEM   no memory; the stream is of no use until acor_stream_reset()
 *
 * @owns     @p bytes is not used after return.
 * @threads  one thread at a time.
 * @blocks   never touches the network.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_stream_feed(acor_stream *s, const char *bytes,
                                                     size_t len, acor_error *err);

/**
 * The end of the text: what was not decided is reported now. Until
 * acor_stream_reset(), more pieces are refused.
 *
 * @param s        stream
 * @param[out] n   number of matches reported since the text began; may be NULL
 * @param[out] err filled on failure; may be NULL
 *
 * @retval ACOR_OK       done, also if the text was finished before
 * @retval ACOR_STOPPED  the callback or max_matches ended the scan, now or before
 * @retval ACOR_EINVAL   @p s is NULL
 * @retval ACOR_EBUSY    called from the stream's own callback
 * @retval ACOR_ENOMEM   no memory, now or before
 *
 * @owns     nothing.
 * @threads  one thread at a time.
 * @blocks   never touches the network.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status acor_stream_finish(acor_stream *s, uint64_t *n,
                                                       acor_error *err);

/**
 * Begin another text with the same snapshot, options and callback. Nothing is
 * allocated. No effect if called from the stream's own callback.
 *
 * @param s  stream, or NULL
 *
 * @owns     nothing.
 * @threads  one thread at a time.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API void acor_stream_reset(acor_stream *s);

/**
 * @param s  stream, or NULL; not from its own callback
 *
 * @owns     frees @p s.
 * @threads  no other call may be using it.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API void acor_stream_free(acor_stream *s);

/**
 * Gives the next bytes of a text.
 *
 * @param user    the pointer given with the reader
 * @param buffer  room for @p size bytes
 * @param size    at least 1
 * @return how many bytes were put there, at most @p size; 0: the text has ended;
 *         negative: it failed, best with a negated errno
 */
typedef int64_t (*acor_read_fn)(void *user, char *buffer, size_t size);

/**
 * Scan a text that a function reads, to its end.
 *
 * @param snap       snapshot to match against
 * @param read       reader
 * @param read_user  handed to @p read as it is
 * @param opts       NULL for the defaults
 * @param fn         match callback; NULL only counts
 * @param user       handed to @p fn as it is
 * @param[out] n     number of matches reported; may be NULL
 * @param[out] err   filled on failure; may be NULL
 *
 * @retval ACOR_OK       the text was read and scanned to its end
 * @retval ACOR_STOPPED  @p fn or max_matches ended the scan early
 * @retval ACOR_EINVAL   a NULL where none is allowed, bad options, or a reader that
 *                       says it gave more than there was room for
 * @retval ACOR_EIO      the reader failed, after the matches that the text so far
 *                       has decided were reported, as by acor_stream_feed();
 *                       acor_error::sys_errno is what it returned, negated
 * @retval ACOR_ENOMEM   no memory; @p fn may have been called before
 *
 * @owns     keeps nothing.
 * @threads  safe on one @p snap from many threads.
 * @blocks   as long as @p read does.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_snapshot_find_stream(acor_snapshot *snap, acor_read_fn read, void *read_user,
                          const acor_scan_options *opts, acor_match_fn fn, void *user,
                          uint64_t *n, acor_error *err);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ACOR_STREAM_H */
