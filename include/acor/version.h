/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file acor/version.h
 * @brief The version compiled against, and the version that is running.
 */
#ifndef ACOR_VERSION_H
#define ACOR_VERSION_H

#include <acor/export.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ACOR_VERSION_MAJOR 0
#define ACOR_VERSION_MINOR 1
#define ACOR_VERSION_PATCH 0

/** The same three numbers as text. */
#define ACOR_VERSION_STRING "0.1.0"

/**
 * The version of the library that is running, such as "0.1.0".
 *
 * @return a constant string
 *
 * @owns     nothing to free.
 * @threads  safe.
 * @blocks   never.
 * @since    0.1
 */
ACOR_API const char *acor_version_string(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ACOR_VERSION_H */
