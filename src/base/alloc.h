/* SPDX-License-Identifier: Apache-2.0 */
/* Memory through the caller's hook. Every size is given back on release. */
#ifndef ACR_BASE_ALLOC_H
#define ACR_BASE_ALLOC_H

#include <stddef.h>

#include <acor/status.h>
#include <acor/types.h>

/* Held by value in each handle; objects made by it point there or copy it. */
typedef acor_allocator acr_mem;

/* NULL gives the C library's. ACOR_EINVAL if only some functions are set. */
int acr_mem_init(acr_mem *mem, const acor_allocator *from, acor_error *err);

/* A size of 0 is taken as 1. NULL means no memory. */
void *acr_alloc(const acr_mem *mem, size_t size);
void *acr_alloc_zero(const acr_mem *mem, size_t size);

/* NULL also if n * size overflows. */
void *acr_alloc_array(const acr_mem *mem, size_t n, size_t size);

/* As realloc; old_size is the size last asked for. The old block stays on NULL. */
void *acr_resize(const acr_mem *mem, void *ptr, size_t old_size, size_t new_size);

/* ptr may be NULL; size is the size last asked for. */
void acr_free(const acr_mem *mem, void *ptr, size_t size);

/*
 * Make room for at least need elements of size bytes in a growing array:
 * doubles *cap. ptr is the array's address; the array stays on failure.
 */
int acr_grow(const acr_mem *mem, void *ptr, size_t *cap, size_t need, size_t size,
             acor_error *err);

#endif /* ACR_BASE_ALLOC_H */
