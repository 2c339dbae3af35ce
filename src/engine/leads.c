/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/leads.h"

#include "base/error.h"
#include "engine/filter.h"

/* The table's place and the tag come from different bits of one hash. */
static uint64_t hash_of(const acr_leads *l, const unsigned char *p)
{
    return acr_filter_hash8(acr_filter_load8(p) | l->fold, 64);
}

acr_leads_search acr_leads_begin(const acr_leads *l, const unsigned char *p)
{
    uint64_t h = hash_of(l, p);
    return (acr_leads_search){(uint32_t)h, (size_t)(h >> (64 - l->bits))};
}

const acr_lead *acr_leads_next(const acr_leads *l, acr_leads_search *search)
{
    size_t mask = ((size_t)1 << l->bits) - 1;
    for (;;) {
        const acr_lead *e = &l->table[search->place];
        if (e->n == 0)
            return NULL;
        search->place = (search->place + 1) & mask;
        if (e->tag == search->tag)
            return e;
    }
}

void acr_leads_prefetch(const acr_leads *l, const unsigned char *p)
{
    __builtin_prefetch(&l->table[acr_leads_begin(l, p).place]);
}

static int share_lead(acr_slice a, acr_slice b)
{
    return a.len >= ACR_LEAD_BYTES && b.len >= ACR_LEAD_BYTES &&
           memcmp(a.data, b.data, ACR_LEAD_BYTES) == 0;
}

static uint64_t count_leads(const acr_patterns *p)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < p->n; k++)
        n += p->bytes[k].len >= ACR_LEAD_BYTES &&
             (k == 0 || !share_lead(p->bytes[k - 1], p->bytes[k]));
    return n;
}

static void put(acr_leads *l, const unsigned char *lead, uint32_t first, uint32_t n)
{
    acr_leads_search s = acr_leads_begin(l, lead);
    size_t mask = ((size_t)1 << l->bits) - 1;
    while (l->table[s.place].n != 0)
        s.place = (s.place + 1) & mask;
    l->table[s.place] = (acr_lead){s.tag, first, n};
}

static void fill(acr_leads *l, const acr_patterns *p)
{
    uint64_t at = 0;
    for (uint32_t k = 0; k < p->n; k++) {
        l->at[k] = at;
        memcpy(l->text + at, p->bytes[k].data, p->bytes[k].len);
        at += p->bytes[k].len;
    }
    l->at[p->n] = at;
    for (uint32_t k = 0, end; k < p->n; k = end) {
        for (end = k + 1; end < p->n && share_lead(p->bytes[k], p->bytes[end]);)
            end++;
        if (p->bytes[k].len >= ACR_LEAD_BYTES)
            put(l, p->bytes[k].data, k, end - k);
    }
}

int acr_leads_make(acr_leads *l, const acr_mem *mem, const acr_patterns *patterns,
                   uint64_t fold, acor_error *err)
{
    *l = (acr_leads){.mem = mem, .fold = fold, .n = patterns->n};
    uint64_t leads = count_leads(patterns);
    while (UINT64_C(1) << l->bits < leads + leads / 2 + 1)
        l->bits++;
    if (l->bits == 0)
        l->bits = 1; /* a shift by 64 would not be defined */
    for (uint32_t k = 0; k < patterns->n; k++)
        l->text_len += patterns->bytes[k].len;
    l->table = acr_alloc_zero(mem, ((size_t)1 << l->bits) * sizeof *l->table);
    l->text = acr_alloc(mem, l->text_len);
    l->at = acr_alloc_array(mem, (size_t)patterns->n + 1, sizeof *l->at);
    if (l->table == NULL || l->text == NULL || l->at == NULL) {
        acr_leads_free(l);
        return acr_fail_nomem(err);
    }
    fill(l, patterns);
    return ACOR_OK;
}

size_t acr_leads_memory(const acr_leads *l)
{
    return ((size_t)1 << l->bits) * sizeof *l->table + l->text_len +
           ((size_t)l->n + 1) * sizeof *l->at;
}

void acr_leads_free(acr_leads *l)
{
    acr_free(l->mem, l->table, ((size_t)1 << l->bits) * sizeof *l->table);
    acr_free(l->mem, l->text, l->text_len);
    acr_free(l->mem, l->at, ((size_t)l->n + 1) * sizeof *l->at);
}
