/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"

#include <stdint.h>

#include "base/error.h"

void acr_buf_init(acr_buf *buf, const acr_mem *mem)
{
    *buf = (acr_buf){.mem = mem};
}

void acr_buf_free(acr_buf *buf)
{
    acr_free(buf->mem, buf->data, buf->cap);
    acr_buf_init(buf, buf->mem);
}

int acr_buf_reserve(acr_buf *buf, size_t n, acor_error *err)
{
    if (n > SIZE_MAX - buf->len)
        return acr_fail_nomem(err);
    return acr_grow(buf->mem, &buf->data, &buf->cap, buf->len + n, 1, err);
}

int acr_buf_put(acr_buf *buf, acr_slice bytes, acor_error *err)
{
    ACR_TRY(acr_buf_reserve(buf, bytes.len, err));
    if (bytes.len != 0)
        memcpy(buf->data + buf->len, bytes.data, bytes.len);
    buf->len += bytes.len;
    return ACOR_OK;
}
