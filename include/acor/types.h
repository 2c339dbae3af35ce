/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file acor/types.h
 * @brief Small types that several headers share: strings, allocator, log hook.
 */
#ifndef ACOR_TYPES_H
#define ACOR_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include <acor/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes with a length; NUL is data. Borrowed, never freed through this. */
typedef struct acor_string {
    const char *data; /**< may be NULL if len is 0 */
    size_t len;       /**< in bytes */
} acor_string;

/**
 * Where memory comes from. Copied into the handle it is given to and inherited
 * by all that the handle makes. Start from ACOR_ALLOCATOR_INIT and set all
 * three functions, or none (then the C library's). Not covered: memory that
 * SQLite and the C library's own calls take for themselves.
 *
 * The functions may be called from any thread that uses the handle.
 */
typedef struct acor_allocator {
    size_t struct_size; /**< set by the initialiser */
    /** size is at least 1; NULL means no memory. */
    void *(*alloc)(void *user, size_t size);
    /** As realloc: on NULL the old block stays valid. ptr is never NULL. */
    void *(*resize)(void *user, void *ptr, size_t old_size, size_t new_size);
    /** ptr is never NULL; size is the size it was last given. */
    void (*release)(void *user, void *ptr, size_t size);
    void *user; /**< handed to the three as it is */
} acor_allocator;

#define ACOR_ALLOCATOR_INIT { sizeof(acor_allocator), 0, 0, 0, 0 }

/** Levels for acor_log_fn, one bit each. */
#define ACOR_LOG_ERROR (UINT32_C(1) << 0)
#define ACOR_LOG_WARNING (UINT32_C(1) << 1)
#define ACOR_LOG_INFO (UINT32_C(1) << 2)
#define ACOR_LOG_DEBUG (UINT32_C(1) << 3)

/**
 * Told what happens inside. May run on any thread, also on two at once; must
 * not call back into the handle.
 *
 * @param user     pointer given with the hook
 * @param level    one ACOR_LOG_* bit
 * @param message  one line without newline, valid until the hook returns
 */
typedef void (*acor_log_fn)(void *user, uint32_t level, const char *message);

/**
 * The part of a string that is left once white space at both ends is trimmed,
 * by the rule keywords are trimmed with: U+0009 to U+000D, U+0020, U+0085,
 * U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000.
 *
 * @param s  any bytes
 * @return a part of @p s; length 0 if nothing is left
 *
 * @owns     the result points into @p s.
 * @threads  safe.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API acor_string acor_trim(acor_string s);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ACOR_TYPES_H */
