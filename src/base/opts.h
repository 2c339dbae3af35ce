/* SPDX-License-Identifier: Apache-2.0 */
/* Size-prefixed structs that survive upgrades on either side. */
#ifndef ACR_BASE_OPTS_H
#define ACR_BASE_OPTS_H

#include <assert.h>
#include <stddef.h>

/* A later field must never land in what used to be padding. */
#define ACR_NO_TAIL_PADDING(T, last) \
    static_assert(offsetof(T, last) + sizeof(((T *)0)->last) == sizeof(T), \
                  #T " ends in padding")

/*
 * Copy what the caller has, default (zero) what it lacks, refuse what would
 * have to be ignored. src may be NULL. 0, or -1 if src was not initialised or
 * sets members unknown here.
 */
int acr_opts_import(void *dst, size_t dst_size, const void *src, size_t min_size);

/*
 * The other way: fill the caller's struct up to the size it states, which
 * stays as it is. 0, or -1 if it states less than min_size.
 */
int acr_opts_export(void *dst, const void *src, size_t src_size, size_t min_size);

#endif /* ACR_BASE_OPTS_H */
