/* SPDX-License-Identifier: Apache-2.0 */
/* Random bytes for stamps, from the system. */
#ifndef ACR_BASE_RANDOM_H
#define ACR_BASE_RANDOM_H

#include <stddef.h>

#include <acor/status.h>

/* n is at most 256. ACOR_EIO if the system has none to give. */
int acr_random(void *dst, size_t n, acor_error *err);

#endif /* ACR_BASE_RANDOM_H */
