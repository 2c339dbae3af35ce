/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/map.h"
#include "store/store.h"

int acr_token_eq(const acr_token *a, const acr_token *b)
{
    assert(a->len <= ACR_TOKEN_MAX && b->len <= ACR_TOKEN_MAX);
    return a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
}

void acr_token_text(const acr_token *t, char *dst, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    size_t at = 0, len = t->len;
    const unsigned char *bytes = t->bytes;
    unsigned char name[16];
    if (size == 0)
        return;
    if (2 * len >= size) {
        /* Cut off, two versions could look the same. */
        acr_hash_name(acr_slice_of(t->bytes, len), name);
        bytes = name;
        len = sizeof name;
    }
    for (size_t i = 0; i < len && at + 2 < size; i++) {
        dst[at++] = digits[bytes[i] >> 4];
        dst[at++] = digits[bytes[i] & 15];
    }
    dst[at] = '\0';
}

static const char *mode_name(acr_case mode)
{
    return mode == ACR_CASE_EXACT ? "case-sensitive" : "case-insensitive";
}

int acr_store_check_folding(acr_case recorded, const acr_request *request, acor_error *err)
{
    if (recorded == ACR_CASE_UNRECORDED || request->mode == ACR_CASE_UNRECORDED ||
        recorded == request->mode)
        return ACOR_OK;
    return acr_fail(err, ACOR_ECONFLICT, "the collection has become %s meanwhile",
                    mode_name(recorded));
}

int acr_store_check_mode(acr_case recorded, acr_case asked, acor_error *err)
{
    if (recorded == ACR_CASE_UNRECORDED || asked == ACR_CASE_UNRECORDED ||
        recorded == asked)
        return ACOR_OK;
    return acr_fail(err, ACOR_EMODE, "the collection is %s and was opened as %s",
                    mode_name(recorded), mode_name(asked));
}
