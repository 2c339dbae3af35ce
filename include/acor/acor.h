/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file acor/acor.h
 * @brief All of libacor: dictionaries that processes share, text that is
 *        searched from local memory.
 *
 * Ownership in one sentence: what comes back as a return value is borrowed
 * from the object it was asked of; what comes back through an out parameter
 * belongs to the caller.
 *
 * Threads. libacor has no mutable global state; there is no init or cleanup
 * function. A collection may be used by any number of threads at once. A
 * snapshot never changes and may be used by any number of threads at once. A
 * scratch, a match list being freed and an error struct belong to one thread
 * at a time. Callbacks run on the thread that made the call, except the log
 * hook, which may run on any.
 *
 * Caveats.
 * - fork: the child may only call acor_close() on handles it inherited.
 * - signals: libacor changes no handler; no call is safe in one.
 * - callbacks: must not close the handle they were called from.
 * - locale: never looked at.
 * - closing: acor_close() while another thread uses the handle is an error
 *   that nobody can detect.
 * - output: libacor never writes to standard output or error.
 */
#ifndef ACOR_ACOR_H
#define ACOR_ACOR_H

#include <acor/collection.h>
#include <acor/export.h>
#include <acor/matches.h>
#include <acor/migrate.h>
#include <acor/read.h>
#include <acor/replace.h>
#include <acor/scan.h>
#include <acor/snapshot.h>
#include <acor/status.h>
#include <acor/stream.h>
#include <acor/suggest.h>
#include <acor/types.h>
#include <acor/version.h>

#endif /* ACOR_ACOR_H */
