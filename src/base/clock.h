/* SPDX-License-Identifier: Apache-2.0 */
/* The monotonic clock, and deadlines by it. */
#ifndef ACR_BASE_CLOCK_H
#define ACR_BASE_CLOCK_H

#include <stdint.h>

/* Nanoseconds of the monotonic clock. */
typedef int64_t acr_deadline;

#define ACR_DEADLINE_NEVER INT64_MAX
#define ACR_SECOND INT64_C(1000000000)
#define ACR_MILLISECOND INT64_C(1000000)

int64_t acr_clock_now(void);

acr_deadline acr_deadline_in_ms(uint32_t ms);

/* Milliseconds left, rounded up; 0 once it passed; INT32_MAX at most. */
int32_t acr_deadline_left_ms(acr_deadline d);

/* Sleep; ends early if a signal comes. */
void acr_clock_sleep_ms(uint32_t ms);

/* Nanoseconds since 1970; for names and stamps, never for waiting. */
int64_t acr_clock_wall(void);

#endif /* ACR_BASE_CLOCK_H */
