/* SPDX-License-Identifier: Apache-2.0 */
#include "tap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tap_ok(tap *t, int ok, const char *name, ...)
{
    va_list args;
    t->count++;
    t->failed += !ok;
    printf("%s %d - ", ok ? "ok" : "not ok", t->count);
    va_start(args, name);
    vprintf(name, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
}

void tap_skip(tap *t, const char *name, const char *reason, ...)
{
    va_list args;
    t->count++;
    t->skipped++;
    printf("ok %d - %s # SKIP ", t->count, name);
    va_start(args, reason);
    vprintf(reason, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
}

void tap_note(const char *text, ...)
{
    va_list args;
    fputs("# ", stdout);
    va_start(args, text);
    vprintf(text, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
}

int tap_done(const tap *t)
{
    printf("1..%d\n", t->count);
    fflush(stdout);
    return t->failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int tap_scale(int n)
{
    const char *sanitized = getenv("SANITIZED"), *scale = getenv("ACOR_TEST_SCALE");
    double x = n;
    if (sanitized && *sanitized && strcmp(sanitized, "no") != 0)
        x /= 4;
    if (scale && atof(scale) > 0)
        x *= atof(scale) / 100;
    return x < 1 ? 1 : (int)x;
}
