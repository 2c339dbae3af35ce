/* SPDX-License-Identifier: Apache-2.0 */
#include "store/backend.h"

#include "base/error.h"

#define COUNTER_SIZE 8
#define LOG_MIN 4096

acr_token acr_version_absent(void)
{
    /* Not empty: that would be "nothing known". */
    return (acr_token){.len = 1};
}

acr_token acr_version_token(uint64_t counter, const unsigned char *stamp)
{
    acr_token t = {.len = COUNTER_SIZE + ACR_STAMP_SIZE};
    for (int i = 0; i < COUNTER_SIZE; i++)
        t.bytes[i] = (unsigned char)(counter >> (56 - 8 * i));
    memcpy(t.bytes + COUNTER_SIZE, stamp, ACR_STAMP_SIZE);
    return t;
}

int acr_version_split(const acr_token *t, uint64_t *counter, const unsigned char **stamp)
{
    if (t->len != COUNTER_SIZE + ACR_STAMP_SIZE)
        return 0;
    uint64_t n = 0;
    for (int i = 0; i < COUNTER_SIZE; i++)
        n = n << 8 | t->bytes[i];
    *counter = n;
    *stamp = t->bytes + COUNTER_SIZE;
    /* 0 is before there was anything, and has no stamp. */
    return n != 0;
}

uint64_t acr_log_limit(uint64_t keywords)
{
    return keywords / 4 > LOG_MIN ? keywords / 4 : LOG_MIN;
}

int acr_request_check(const acr_request *request, int read_only, acor_error *err)
{
    if (read_only)
        return acr_fail(err, ACOR_EREADONLY, "the store was opened for reading only");
    for (size_t i = 0; i < request->n; i++)
        if (request->ops[i].attributes.len != 0)
            return acr_fail(err, ACOR_EUNSUPPORTED, "this store keeps no attributes");
    return ACOR_OK;
}

int acr_request_expects(const acr_request *request, const acr_token *now, acr_case recorded,
                        acor_error *err)
{
    ACR_TRY(acr_store_check_folding(recorded, request, err));
    if (request->expect == NULL || acr_token_eq(request->expect, now))
        return ACOR_OK;
    return acr_fail(err, ACOR_ECONFLICT, "the dictionary is not at the expected version");
}

acr_case acr_mode_to_record(acr_case recorded, acr_case asked)
{
    if (recorded != ACR_CASE_UNRECORDED)
        return recorded;
    return asked == ACR_CASE_UNRECORDED ? ACR_CASE_FOLDED : asked;
}
