/* SPDX-License-Identifier: Apache-2.0 */
/* TAP for programs whose cases are data: one line a case. */
#ifndef ACOR_TEST_TAP_H
#define ACOR_TEST_TAP_H

typedef struct tap {
    int count;
    int failed;
    int skipped;
} tap;

#define TAP_INIT \
    { \
        0, 0, 0 \
    }

void tap_ok(tap *t, int ok, const char *name, ...) __attribute__((format(printf, 3, 4)));
void tap_skip(tap *t, const char *name, const char *reason, ...)
    __attribute__((format(printf, 3, 4)));
void tap_note(const char *text, ...) __attribute__((format(printf, 1, 2)));

/* Prints the plan; the exit status for main(). */
int tap_done(const tap *t);

/*
 * n made smaller where it would take too long: by four in sanitized builds
 * (SANITIZED in the environment says so), then times ACOR_TEST_SCALE percent.
 * At least 1.
 */
int tap_scale(int n);

#endif /* ACOR_TEST_TAP_H */
