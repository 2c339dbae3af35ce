/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file acor/replace.h
 * @brief A text with its matches replaced or masked.
 */
#ifndef ACOR_REPLACE_H
#define ACOR_REPLACE_H

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

/**
 * Takes the next bytes of a result.
 *
 * @param user   the pointer given to the call
 * @param bytes  @p len bytes, valid until the function returns; may cut a character
 *               that the text itself cut, never another
 * @param len    at least 1
 * @return 0 to go on; anything else ends the call with ACOR_STOPPED
 */
typedef int (*acor_write_fn)(void *user, const char *bytes, size_t len);

/**
 * What is put in the place of matches. Start from ACOR_REPLACE_OPTIONS_INIT, which
 * drops them.
 *
 * With @c mask, each code point that any match covers is replaced by the mask, so
 * that neither adjacent nor overlapping matches leave anything of a keyword. With a
 * text, leftmost-longest matches are replaced, each by its keyword's text or the one
 * for all. All other bytes of the text stay as they are.
 */
typedef struct acor_replace_options {
    size_t struct_size;     /**< set by the initialiser; do not change */
    const acor_string *by_keyword; /**< a text for each keyword id; NULL: none. An
                                 entry whose data is NULL stands for @c text */
    size_t by_keyword_n;    /**< entries of @c by_keyword; ids beyond it have @c text */
    acor_string text;       /**< for all others; data NULL or len 0: drop the match */
    uint32_t mask;          /**< a Unicode scalar value; 0: no mask. Not with texts */
    uint32_t flags;         /**< ACOR_SCAN_WHOLE_WORD, ACOR_SCAN_WORD_ASCII, or 0 */
    uint64_t max_matches;   /**< leave the text alone after this many; 0: no limit */
    acor_word_fn word;      /**< as in acor_scan_options */
    void *word_user;        /**< handed to @c word */
} acor_replace_options;

#define ACOR_REPLACE_OPTIONS_INIT { sizeof(acor_replace_options), 0, 0, { 0, 0 }, 0, 0, 0, 0, 0 }

/**
 * A text with its matches replaced or masked, through a function.
 *
 * @param snap      snapshot to match against
 * @param text      as for acor_scan()
 * @param len       length of @p text in bytes
 * @param opts      NULL for the defaults: matches are dropped
 * @param write     takes the result, in pieces that join to it; not called if it is
 *                  empty
 * @param user      handed to @p write as it is
 * @param[out] n    number of matches replaced; with a mask, of matches found; may be
 *                  NULL
 * @param[out] err  filled on failure; may be NULL
 *
 * @retval ACOR_OK       done
 * @retval ACOR_STOPPED  @p write ended it
 * @retval ACOR_EINVAL   a NULL where none is allowed, or bad options: a mask that is
 *                       no scalar value, or a mask together with a text
 * @retval ACOR_ENOMEM   no memory; @p write may have been called before
 *
 * @owns     keeps nothing.
 * @threads  safe on one @p snap from many threads.
 * @blocks   never touches the network.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_snapshot_replace(const acor_snapshot *snap, const char *text, size_t len,
                      const acor_replace_options *opts, acor_write_fn write, void *user,
                      uint64_t *n, acor_error *err);

/**
 * The same into a buffer.
 *
 * @param snap            snapshot to match against
 * @param text            as for acor_scan(); may not overlap @p buffer
 * @param len             length of @p text in bytes
 * @param opts            NULL for the defaults: matches are dropped
 * @param[out] buffer     the result, without a NUL; may be NULL if @p size is 0
 * @param size            bytes that @p buffer has room for
 * @param[out] result_len length of the whole result, also where it did not fit
 * @param[out] n          as for acor_snapshot_replace(); may be NULL
 * @param[out] err        filled on failure; may be NULL
 *
 * @retval ACOR_OK      done
 * @retval ACOR_ELIMIT  the buffer is too small; it holds the first @p size bytes, and
 *                      @p result_len says what is needed
 * @retval ACOR_EINVAL, ACOR_ENOMEM  as acor_snapshot_replace()
 *
 * @owns     @p buffer stays the caller's.
 * @threads  safe on one @p snap from many threads.
 * @blocks   never touches the network.
 * @since    0.1
 */
ACOR_API ACOR_NODISCARD acor_status
acor_snapshot_replace_into(const acor_snapshot *snap, const char *text, size_t len,
                           const acor_replace_options *opts, char *buffer, size_t size,
                           size_t *result_len, uint64_t *n, acor_error *err);


#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ACOR_REPLACE_H */
