/* SPDX-License-Identifier: Apache-2.0 */
#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/opts.h"

static void *libc_alloc(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void *libc_resize(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    return realloc(ptr, new_size);
}

static void libc_release(void *user, void *ptr, size_t size)
{
    (void)user;
    (void)size;
    free(ptr);
}

int acr_mem_init(acr_mem *mem, const acor_allocator *from, acor_error *err)
{
    if (acr_opts_import(mem, sizeof *mem, from, sizeof *mem) != 0)
        return acr_fail(err, ACOR_EINVAL, "allocator: start from ACOR_ALLOCATOR_INIT");
    int set = (mem->alloc != NULL) + (mem->resize != NULL) + (mem->release != NULL);
    if (set == 0) {
        mem->alloc = libc_alloc;
        mem->resize = libc_resize;
        mem->release = libc_release;
    } else if (set != 3) {
        return acr_fail(err, ACOR_EINVAL, "allocator: set all three functions, or none");
    }
    return ACOR_OK;
}

void *acr_alloc(const acr_mem *mem, size_t size)
{
    return mem->alloc(mem->user, size ? size : 1);
}

void *acr_alloc_zero(const acr_mem *mem, size_t size)
{
    void *p = acr_alloc(mem, size);
    if (p != NULL)
        memset(p, 0, size);
    return p;
}

void *acr_alloc_array(const acr_mem *mem, size_t n, size_t size)
{
    if (size != 0 && n > SIZE_MAX / size)
        return NULL;
    return acr_alloc(mem, n * size);
}

void *acr_resize(const acr_mem *mem, void *ptr, size_t old_size, size_t new_size)
{
    if (ptr == NULL)
        return acr_alloc(mem, new_size);
    return mem->resize(mem->user, ptr, old_size ? old_size : 1, new_size ? new_size : 1);
}

void acr_free(const acr_mem *mem, void *ptr, size_t size)
{
    if (ptr != NULL)
        mem->release(mem->user, ptr, size ? size : 1);
}

int acr_grow(const acr_mem *mem, void *ptr, size_t *cap, size_t need, size_t size,
             acor_error *err)
{
    if (need <= *cap)
        return ACOR_OK;
    size_t want = *cap < 8 ? 8 : *cap;
    while (want < need)
        want = want > SIZE_MAX / 2 ? need : want * 2;
    if (want > SIZE_MAX / size)
        return acr_fail_nomem(err);
    /* Through memcpy: the array's own type is not known here. */
    void *old;
    memcpy(&old, ptr, sizeof old);
    void *p = acr_resize(mem, old, *cap * size, want * size);
    if (p == NULL)
        return acr_fail_nomem(err);
    memcpy(ptr, &p, sizeof p);
    *cap = want;
    return ACOR_OK;
}
