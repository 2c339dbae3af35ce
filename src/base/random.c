/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"

#include <errno.h>
#include <unistd.h>

#include "base/error.h"

int acr_random(void *dst, size_t n, acor_error *err)
{
    if (getentropy(dst, n) != 0)
        return acr_fail_errno(err, ACOR_EIO, errno, "the system gives no random bytes");
    return ACOR_OK;
}
