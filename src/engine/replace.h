/* SPDX-License-Identifier: Apache-2.0 */
/* What every way in to a replacement needs. */
#ifndef ACR_ENGINE_REPLACE_H
#define ACR_ENGINE_REPLACE_H

#include <acor/replace.h>

/* Options as the caller gave them (NULL: defaults), checked; and those of the scan. */
int acr_replace_options_import(acor_replace_options *o, acor_scan_options *scan,
                               const acor_replace_options *from, acor_error *err);

#endif /* ACR_ENGINE_REPLACE_H */
