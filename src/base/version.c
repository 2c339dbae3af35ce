/* SPDX-License-Identifier: Apache-2.0 */
#include <acor/version.h>

const char *acor_version_string(void)
{
    return ACOR_VERSION_STRING;
}
