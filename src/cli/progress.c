/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_MS = 1000, STEP_MS = 200 };

static int64_t now_ms(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void cli_progress_start(cli_progress *p)
{
    *p = (cli_progress){.on = isatty(2), .start_ms = now_ms()};
}

void cli_progress_bytes(cli_progress *p, size_t n)
{
    if (p == NULL || !p->on)
        return;
    p->bytes += n;
    int64_t now = now_ms();
    if (now - p->start_ms < FIRST_MS || now - p->last_ms < STEP_MS)
        return;
    p->last_ms = now;
    p->shown = 1;
    fprintf(stderr, "\racor: %llu MiB read", (unsigned long long)(p->bytes >> 20));
}

void cli_progress_store(cli_progress *p, uint64_t keywords)
{
    if (p == NULL || !p->on || now_ms() - p->start_ms < FIRST_MS)
        return;
    p->shown = 1;
    fprintf(stderr, "\racor: %llu keywords, writing", (unsigned long long)keywords);
}

void cli_progress_end(cli_progress *p)
{
    if (p != NULL && p->shown)
        fprintf(stderr, "\r%60s\r", "");
    if (p != NULL)
        p->shown = 0;
}
