/* SPDX-License-Identifier: Apache-2.0 */
#include "base/opts.h"

#include <string.h>

int acr_opts_import(void *dst, size_t dst_size, const void *src, size_t min_size)
{
    memset(dst, 0, dst_size);
    if (src != NULL) {
        size_t n;
        memcpy(&n, src, sizeof n);
        if (n < min_size)
            return -1;
        const unsigned char *p = src;
        for (size_t i = dst_size; i < n; i++)
            if (p[i] != 0)
                return -1;
        memcpy(dst, src, n < dst_size ? n : dst_size);
    }
    memcpy(dst, &dst_size, sizeof dst_size);
    return 0;
}

int acr_opts_export(void *dst, const void *src, size_t src_size, size_t min_size)
{
    size_t n;
    memcpy(&n, dst, sizeof n);
    if (n < min_size)
        return -1;
    size_t copy = n < src_size ? n : src_size;
    memcpy((char *)dst + sizeof n, (const char *)src + sizeof n, copy - sizeof n);
    if (n > copy)
        memset((char *)dst + copy, 0, n - copy);
    return 0;
}
