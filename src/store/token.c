/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "store/store.h"

int acr_token_eq(const acr_token *a, const acr_token *b)
{
    assert(a->len <= ACR_TOKEN_MAX && b->len <= ACR_TOKEN_MAX);
    return a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
}

void acr_token_text(const acr_token *t, char *dst, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    size_t at = 0;
    if (size == 0)
        return;
    for (size_t i = 0; i < t->len && at + 2 < size; i++) {
        dst[at++] = digits[t->bytes[i] >> 4];
        dst[at++] = digits[t->bytes[i] & 15];
    }
    dst[at] = '\0';
}

static const char *mode_name(acr_case mode)
{
    return mode == ACR_CASE_EXACT ? "case-sensitive" : "case-insensitive";
}

int acr_store_check_mode(acr_case recorded, acr_case asked, acor_error *err)
{
    if (recorded == ACR_CASE_UNRECORDED || asked == ACR_CASE_UNRECORDED ||
        recorded == asked)
        return ACOR_OK;
    return acr_fail(err, ACOR_EMODE, "the collection is %s and was opened as %s",
                    mode_name(recorded), mode_name(asked));
}
