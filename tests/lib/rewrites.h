/* SPDX-License-Identifier: Apache-2.0 */
/* Texts with their matches replaced or masked, and UTF-16 spans, against the oracle. */
#ifndef ACOR_TEST_REWRITES_H
#define ACOR_TEST_REWRITES_H

#include "scancase.h"

/*
 * Leftmost-longest: matches dropped, replaced by one text, and by one for some
 * keywords. Overlapping: masks of one and of three bytes. Each by a function and into
 * a buffer. And all of want in UTF-16 code units. 1 if all agree with want; if not, the case is printed as by scan_case_check().
 */
int rewrites_check(const scan_case *c, const scan_combo *combo, const acor_snapshot *snap,
                   const naive_list *want);

#endif /* ACOR_TEST_REWRITES_H */
