/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file acor/export.h
 * @brief How a declaration is marked as part of the public surface.
 */
#ifndef ACOR_EXPORT_H
#define ACOR_EXPORT_H

/** Part of the shared library's interface. */
#if defined(__GNUC__)
#define ACOR_API __attribute__((visibility("default")))
#else
#define ACOR_API
#endif

/** The result says whether the call succeeded: it must be looked at. */
#if defined(__GNUC__)
#define ACOR_NODISCARD __attribute__((warn_unused_result))
#else
#define ACOR_NODISCARD
#endif

#endif /* ACOR_EXPORT_H */
