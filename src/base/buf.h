/* SPDX-License-Identifier: Apache-2.0 */
/* A growing run of bytes. */
#ifndef ACR_BASE_BUF_H
#define ACR_BASE_BUF_H

#include "base/alloc.h"
#include "base/slice.h"

typedef struct acr_buf {
    const acr_mem *mem;
    unsigned char *data;
    size_t len;
    size_t cap;
} acr_buf;

void acr_buf_init(acr_buf *buf, const acr_mem *mem);
void acr_buf_free(acr_buf *buf);

/* Room for n more bytes behind len. */
int acr_buf_reserve(acr_buf *buf, size_t n, acor_error *err);
int acr_buf_put(acr_buf *buf, acr_slice bytes, acor_error *err);

#endif /* ACR_BASE_BUF_H */
