/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void acr_log_put(const acr_log *log, uint32_t level, const char *fmt, ...)
{
    if (log == NULL || log->fn == NULL || (log->levels & level) == 0)
        return;
    char line[512];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    log->fn(log->user, level, line);
}
