/* SPDX-License-Identifier: Apache-2.0 */
/* What every Check program here shares: TAP on standard output, and a main. */
#ifndef ACOR_TEST_H
#define ACOR_TEST_H

#include <check.h>
#include <stdlib.h>

/* Run a suite; the exit status for main(). Check forks per test unless
 * CK_FORK=no. */
static inline int acor_test_run(Suite *suite)
{
    SRunner *r = srunner_create(suite);
    srunner_set_tap(r, "-");
    srunner_run_all(r, CK_SILENT);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif /* ACOR_TEST_H */
