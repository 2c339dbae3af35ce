/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include <time.h>

static int64_t read_clock(clockid_t id)
{
    struct timespec ts;
    if (clock_gettime(id, &ts) != 0)
        return 0;
    return (int64_t)ts.tv_sec * ACR_SECOND + ts.tv_nsec;
}

int64_t acr_clock_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t acr_clock_wall(void)
{
    return read_clock(CLOCK_REALTIME);
}

acr_deadline acr_deadline_in_ms(uint32_t ms)
{
    return acr_clock_now() + (int64_t)ms * ACR_MILLISECOND;
}

int32_t acr_deadline_left_ms(acr_deadline d)
{
    if (d == ACR_DEADLINE_NEVER)
        return INT32_MAX;
    int64_t left = d - acr_clock_now();
    if (left <= 0)
        return 0;
    left = (left + ACR_MILLISECOND - 1) / ACR_MILLISECOND;
    return left > INT32_MAX ? INT32_MAX : (int32_t)left;
}

void acr_clock_sleep_ms(uint32_t ms)
{
    struct timespec ts = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * ACR_MILLISECOND};
    (void)nanosleep(&ts, NULL);
}
