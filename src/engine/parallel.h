/* SPDX-License-Identifier: Apache-2.0 */
/* What every way in to a scan by several threads needs. */
#ifndef ACR_ENGINE_PARALLEL_H
#define ACR_ENGINE_PARALLEL_H

#include <acor/scan.h>

/* Options as the caller gave them (NULL: defaults), checked. */
int acr_parallel_options_import(acor_parallel_options *o, const acor_parallel_options *from,
                                acor_error *err);

#endif /* ACR_ENGINE_PARALLEL_H */
