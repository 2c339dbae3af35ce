/* SPDX-License-Identifier: Apache-2.0 */
/* A run of bytes that somebody else owns. */
#ifndef ACR_BASE_SLICE_H
#define ACR_BASE_SLICE_H

#include <stddef.h>
#include <string.h>

typedef struct acr_slice {
    const unsigned char *data; /* may be NULL if len is 0 */
    size_t len;
} acr_slice;

static inline acr_slice acr_slice_of(const void *data, size_t len)
{
    return (acr_slice){data, len};
}

static inline acr_slice acr_slice_str(const char *s)
{
    return (acr_slice){(const unsigned char *)s, strlen(s)};
}

static inline int acr_slice_eq(acr_slice a, acr_slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/* Order by bytes, a proper prefix first: <0, 0, >0. */
static inline int acr_slice_cmp(acr_slice a, acr_slice b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int c = n ? memcmp(a.data, b.data, n) : 0;
    return c ? c : (a.len > b.len) - (a.len < b.len);
}

/* Bytes that both begin with. */
static inline size_t acr_slice_common(acr_slice a, acr_slice b)
{
    size_t most = a.len < b.len ? a.len : b.len, n = 0;
    while (most - n >= 8 && memcmp(a.data + n, b.data + n, 8) == 0)
        n += 8;
    while (n < most && a.data[n] == b.data[n])
        n++;
    return n;
}

#endif /* ACR_BASE_SLICE_H */
