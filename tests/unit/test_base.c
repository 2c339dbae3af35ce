/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: allocator, buffer, arena, map. The rest of base is in test_house.c. */
#include "acor_test.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "count_alloc.h"

static count_alloc counter;
static acr_mem mem;

static void setup(void)
{
    mem = count_alloc_mem(&counter);
}

/* Every test ends with everything given back. */
static void teardown(void)
{
    ck_assert_uint_eq(counter.blocks, 0);
    ck_assert_uint_eq(counter.bytes, 0);
}

/* --- alloc --------------------------------------------------------------- */

START_TEST(no_allocator_means_the_c_library)
{
    acr_mem m;
    ck_assert_int_eq(acr_mem_init(&m, NULL, NULL), ACOR_OK);
    ck_assert_uint_eq(m.struct_size, sizeof m);
    void *p = acr_alloc(&m, 10);
    ck_assert_ptr_nonnull(p);
    p = acr_resize(&m, p, 10, 1000);
    ck_assert_ptr_nonnull(p);
    acr_free(&m, p, 1000);

    acor_allocator empty = ACOR_ALLOCATOR_INIT;
    ck_assert_int_eq(acr_mem_init(&m, &empty, NULL), ACOR_OK);
    ck_assert(m.alloc && m.resize && m.release);
}
END_TEST

START_TEST(allocator_with_some_functions_is_refused)
{
    for (int set = 1; set < 7; set++) {
        acor_allocator from = ACOR_ALLOCATOR_INIT;
        from.alloc = set & 1 ? count_alloc_get : NULL;
        from.resize = set & 2 ? count_alloc_resize : NULL;
        from.release = set & 4 ? count_alloc_release : NULL;
        acor_error err = ACOR_ERROR_INIT;
        acr_mem m;
        ck_assert_int_eq(acr_mem_init(&m, &from, &err), ACOR_EINVAL);
        ck_assert_int_eq(err.status, ACOR_EINVAL);
    }
}
END_TEST

START_TEST(allocator_that_was_not_initialised_is_refused)
{
    acor_allocator from = {0};
    acr_mem m;
    ck_assert_int_eq(acr_mem_init(&m, &from, NULL), ACOR_EINVAL);
}
END_TEST

START_TEST(size_zero_is_asked_as_one)
{
    void *p = acr_alloc(&mem, 0);
    ck_assert_uint_eq(counter.bytes, 1);
    p = acr_resize(&mem, p, 0, 20);
    ck_assert_uint_eq(counter.bytes, 20);
    p = acr_resize(&mem, p, 20, 0);
    ck_assert_uint_eq(counter.bytes, 1);
    acr_free(&mem, p, 0);
    acr_free(&mem, NULL, 77);
    p = acr_resize(&mem, NULL, 0, 5);
    ck_assert_uint_eq(counter.bytes, 5);
    acr_free(&mem, p, 5);
}
END_TEST

START_TEST(zeroed_memory_is_zero)
{
    unsigned char *p = acr_alloc_zero(&mem, 100);
    for (int i = 0; i < 100; i++)
        ck_assert_uint_eq(p[i], 0);
    acr_free(&mem, p, 100);
    count_alloc_fail(&counter, 0);
    ck_assert_ptr_null(acr_alloc_zero(&mem, 100));
}
END_TEST

START_TEST(array_size_that_overflows_asks_for_nothing)
{
    ck_assert_ptr_null(acr_alloc_array(&mem, SIZE_MAX / 2, 3));
    ck_assert_uint_eq(counter.asked, 0);
    void *p = acr_alloc_array(&mem, 7, 6);
    ck_assert_uint_eq(counter.bytes, 42);
    acr_free(&mem, p, 42);
    p = acr_alloc_array(&mem, SIZE_MAX, 0);
    ck_assert_uint_eq(counter.bytes, 1);
    acr_free(&mem, p, 0);
}
END_TEST

START_TEST(growing_array_doubles_and_keeps_its_elements)
{
    uint32_t *a = NULL;
    size_t cap = 0, moves = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        size_t before = cap;
        ck_assert_int_eq(acr_grow(&mem, &a, &cap, i + 1, sizeof *a, NULL), ACOR_OK);
        moves += cap != before;
        a[i] = i * 3;
    }
    ck_assert_uint_eq(cap, 1024);
    ck_assert_uint_eq(moves, 8);
    for (uint32_t i = 0; i < 1000; i++)
        ck_assert_uint_eq(a[i], i * 3);
    acr_free(&mem, a, cap * sizeof *a);
}
END_TEST

START_TEST(growing_array_stays_when_memory_runs_out)
{
    uint64_t *a = NULL;
    size_t cap = 0;
    acor_error err = ACOR_ERROR_INIT;
    ck_assert_int_eq(acr_grow(&mem, &a, &cap, 3, sizeof *a, NULL), ACOR_OK);
    a[2] = 42;
    uint64_t *before = a;
    count_alloc_fail(&counter, 0);
    ck_assert_int_eq(acr_grow(&mem, &a, &cap, 9, sizeof *a, &err), ACOR_ENOMEM);
    ck_assert_int_eq(err.status, ACOR_ENOMEM);
    ck_assert_int_eq(acr_grow(&mem, &a, &cap, SIZE_MAX, sizeof *a, &err), ACOR_ENOMEM);
    ck_assert_int_eq(acr_grow(&mem, &a, &cap, SIZE_MAX / 8 + 1, sizeof *a, &err),
                     ACOR_ENOMEM);
    ck_assert_uint_eq(counter.asked, 1);
    ck_assert_ptr_eq(a, before);
    ck_assert_uint_eq(cap, 8);
    ck_assert_uint_eq(a[2], 42);
    acr_free(&mem, a, cap * sizeof *a);
}
END_TEST

/* --- buf ----------------------------------------------------------------- */

START_TEST(buffer_holds_what_was_put_in_order)
{
    acr_buf b;
    acr_buf_init(&b, &mem);
    ck_assert_int_eq(acr_buf_put(&b, acr_slice_of(NULL, 0), NULL), ACOR_OK);
    for (int i = 0; i < 300; i++)
        ck_assert_int_eq(acr_buf_put(&b, acr_slice_of("abc", 3), NULL), ACOR_OK);
    ck_assert_uint_eq(b.len, 900);
    for (size_t i = 0; i < 900; i++)
        ck_assert_int_eq(b.data[i], "abc"[i % 3]);
    acr_buf_free(&b);
    ck_assert_uint_eq(b.len, 0);
    ck_assert_ptr_null(b.data);
    acr_buf_free(&b);
}
END_TEST

START_TEST(buffer_stays_when_memory_runs_out)
{
    acr_buf b;
    acr_buf_init(&b, &mem);
    ck_assert_int_eq(acr_buf_put(&b, acr_slice_str("12345678"), NULL), ACOR_OK);
    count_alloc_fail(&counter, 0);
    acor_error err = ACOR_ERROR_INIT;
    ck_assert_int_eq(acr_buf_put(&b, acr_slice_str("9"), &err), ACOR_ENOMEM);
    ck_assert_int_eq(err.status, ACOR_ENOMEM);
    ck_assert_int_eq(acr_buf_reserve(&b, SIZE_MAX, NULL), ACOR_ENOMEM);
    ck_assert_uint_eq(b.len, 8);
    ck_assert_mem_eq(b.data, "12345678", 8);
    acr_buf_free(&b);
}
END_TEST

/* --- arena --------------------------------------------------------------- */

START_TEST(arena_pieces_keep_their_place_and_do_not_overlap)
{
    enum { N = 2000 };
    static unsigned char *piece[N];
    static size_t size[N];
    uint64_t seed = 1;
    acr_arena a;
    acr_arena_init(&a, &mem);
    for (int i = 0; i < N; i++) {
        size[i] = i % 400 == 399 ? 3000000 : count_random(&seed) % 200;
        int aligned = (int)(count_random(&seed) & 1);
        piece[i] = acr_arena_get(&a, size[i], aligned);
        ck_assert_ptr_nonnull(piece[i]);
        if (aligned)
            ck_assert_uint_eq((uintptr_t)piece[i] % alignof(max_align_t), 0);
        memset(piece[i], i & 0xFF, size[i]);
    }
    for (int i = 0; i < N; i++)
        for (size_t k = 0; k < size[i]; k++)
            if (piece[i][k] != (i & 0xFF))
                ck_abort_msg("piece %d was written over", i);
    ck_assert_uint_eq(a.total, counter.bytes);
    acr_arena_free(&a);
    ck_assert_uint_eq(a.total, 0);
}
END_TEST

START_TEST(arena_copy_has_a_nul_behind_it)
{
    acr_arena a;
    acr_arena_init(&a, &mem);
    ck_assert_str_eq((char *)acr_arena_copy(&a, acr_slice_str("word")), "word");
    ck_assert_str_eq((char *)acr_arena_copy(&a, acr_slice_of(NULL, 0)), "");
    ck_assert_mem_eq(acr_arena_copy(&a, acr_slice_of("a\0b", 3)), "a\0b", 4);
    acr_arena_free(&a);
}
END_TEST

START_TEST(arena_stays_when_memory_runs_out)
{
    acr_arena a;
    acr_arena_init(&a, &mem);
    count_alloc_fail(&counter, 0);
    ck_assert_ptr_null(acr_arena_get(&a, 1, 1));
    char *p = (char *)acr_arena_copy(&a, acr_slice_str("word"));
    count_alloc_fail(&counter, 0);
    ck_assert_ptr_null(acr_arena_get(&a, 100000, 0));
    ck_assert_ptr_null(acr_arena_get(&a, SIZE_MAX, 0));
    ck_assert_ptr_null(acr_arena_copy(&a, acr_slice_of("x", SIZE_MAX)));
    ck_assert_str_eq(p, "word");
    ck_assert_uint_eq(a.total, counter.bytes);
    acr_arena_free(&a);
}
END_TEST

/* --- map ----------------------------------------------------------------- */

START_TEST(hash_is_xxh3)
{
    ck_assert_uint_eq(acr_hash(acr_slice_of(NULL, 0)), UINT64_C(0x2D06800538D394C2));
    ck_assert_uint_ne(acr_hash(acr_slice_str("a")), acr_hash(acr_slice_str("b")));
}
END_TEST

/* The model: entry i has key i (8 bytes), its hash, and whether it is in. */
enum { ENTRIES = 3000 };

typedef struct model {
    uint64_t hash[ENTRIES];
    unsigned char in[ENTRIES];
    uint32_t count;
} model;

static int same(const void *user, uint32_t value, acr_slice key)
{
    const model *m = user;
    uint64_t k;
    if (value >= ENTRIES || key.len != sizeof k)
        ck_abort_msg("asked for entry %u", value);
    memcpy(&k, key.data, sizeof k);
    return m->in[value] && k == value;
}

static uint32_t get(const acr_map *map, const model *m, uint64_t k)
{
    return acr_map_get(map, m->hash[k], acr_slice_of(&k, sizeof k), same, m);
}

static void agree(const acr_map *map, const model *m)
{
    if (map->used != m->count)
        ck_abort_msg("%zu used, not %u", map->used, m->count);
    for (uint64_t k = 0; k < ENTRIES; k++)
        if (get(map, m, k) != (m->in[k] ? k : ACR_MAP_NONE))
            ck_abort_msg("entry %u is lost or found", (unsigned)k);
}

/* Few homes, also the last ones of the table: long runs that wrap round. */
START_TEST(map_agrees_with_a_naive_model)
{
    static const uint64_t homes[] = {UINT64_MAX, 64, 4, 1};
    for (size_t h = 0; h < sizeof homes / sizeof *homes; h++) {
        static model m;
        memset(&m, 0, sizeof m);
        uint64_t seed = h + 1;
        uint32_t range = homes[h] < 10 ? 60 : ENTRIES;
        for (uint32_t k = 0; k < ENTRIES; k++) {
            m.hash[k] = acr_hash(acr_slice_of(&k, sizeof k));
            if (homes[h] != UINT64_MAX)
                m.hash[k] = (m.hash[k] % homes[h]) * 3 - 2;
        }
        acr_map map;
        acr_map_init(&map, &mem);
        agree(&map, &m);
        for (int step = 0; step < 20000; step++) {
            uint32_t k = count_random(&seed) % range;
            /* Waves: mostly filling, then mostly emptying. */
            int fill = count_random(&seed) % 4 != (step / 4000 % 2 ? 0u : 1u);
            if (step / 4000 % 2)
                fill = !fill;
            if (fill && !m.in[k]) {
                if (acr_map_put(&map, m.hash[k], k, NULL) != ACOR_OK)
                    ck_abort_msg("no memory");
                m.in[k] = 1;
                m.count++;
            } else if (!fill && m.in[k]) {
                acr_map_remove(&map, m.hash[k], k);
                m.in[k] = 0;
                m.count--;
            }
            if (step % 500 == 0)
                agree(&map, &m);
        }
        agree(&map, &m);
        acr_map copy;
        acr_map_init(&copy, &mem);
        ck_assert_int_eq(acr_map_copy(&copy, &map, NULL), ACOR_OK);
        agree(&copy, &m);
        acr_map_free(&copy);
        for (uint32_t k = 0; k < ENTRIES; k++)
            if (m.in[k]) {
                acr_map_remove(&map, m.hash[k], k);
                m.in[k] = 0;
                m.count--;
            }
        agree(&map, &m);
        acr_map_free(&map);
    }
}
END_TEST

START_TEST(removal_from_any_place_of_a_run_loses_nobody)
{
    static model m;
    /* Homes near the end of a table of 16, so that the run wraps round. */
    for (uint32_t first = 0; first < 16; first++)
        for (uint32_t out = 0; out < 9; out++) {
            memset(&m, 0, sizeof m);
            acr_map map;
            acr_map_init(&map, &mem);
            for (uint32_t k = 0; k < 9; k++) {
                m.hash[k] = first + k / 3;
                ck_assert_int_eq(acr_map_put(&map, m.hash[k], k, NULL), ACOR_OK);
                m.in[k] = 1;
                m.count++;
            }
            ck_assert_uint_eq(map.cap, 16);
            acr_map_remove(&map, m.hash[out], out);
            m.in[out] = 0;
            m.count--;
            agree(&map, &m);
            acr_map_free(&map);
        }
}
END_TEST

START_TEST(puts_after_reserve_ask_for_no_memory)
{
    for (uint32_t n = 0; n < 300; n++) {
        acr_map map;
        acr_map_init(&map, &mem);
        ck_assert_int_eq(acr_map_reserve(&map, n, NULL), ACOR_OK);
        count_alloc_fail(&counter, 0);
        for (uint32_t k = 0; k < n; k++)
            ck_assert_int_eq(acr_map_put(&map, k * 7, k, NULL), ACOR_OK);
        ck_assert_uint_eq(counter.asked, 0);
        count_alloc_fail(&counter, SIZE_MAX);
        acr_map_free(&map);
    }
}
END_TEST

START_TEST(map_stays_when_memory_runs_out)
{
    static model m;
    acor_error err = ACOR_ERROR_INIT;
    acr_map map, copy;
    acr_map_init(&map, &mem);
    acr_map_init(&copy, &mem);
    int status = ACOR_OK;
    for (uint32_t k = 0; status == ACOR_OK && k < 100; k++) {
        m.hash[k] = k * 31;
        if (k == 5)
            count_alloc_fail(&counter, 0);
        status = acr_map_put(&map, m.hash[k], k, &err);
        m.in[k] = status == ACOR_OK;
        m.count += m.in[k];
    }
    ck_assert_int_eq(status, ACOR_ENOMEM);
    ck_assert_int_eq(err.status, ACOR_ENOMEM);
    agree(&map, &m);
    ck_assert_int_eq(acr_map_reserve(&map, SIZE_MAX, NULL), ACOR_ENOMEM);
    count_alloc_fail(&counter, 0);
    ck_assert_int_eq(acr_map_copy(&copy, &map, NULL), ACOR_ENOMEM);
    agree(&map, &m);
    acr_map_free(&copy);
    acr_map_free(&map);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("base");
    TCase *t = tcase_create("memory");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, no_allocator_means_the_c_library);
    tcase_add_test(t, allocator_with_some_functions_is_refused);
    tcase_add_test(t, allocator_that_was_not_initialised_is_refused);
    tcase_add_test(t, size_zero_is_asked_as_one);
    tcase_add_test(t, zeroed_memory_is_zero);
    tcase_add_test(t, array_size_that_overflows_asks_for_nothing);
    tcase_add_test(t, growing_array_doubles_and_keeps_its_elements);
    tcase_add_test(t, growing_array_stays_when_memory_runs_out);
    tcase_add_test(t, buffer_holds_what_was_put_in_order);
    tcase_add_test(t, buffer_stays_when_memory_runs_out);
    tcase_add_test(t, arena_pieces_keep_their_place_and_do_not_overlap);
    tcase_add_test(t, arena_copy_has_a_nul_behind_it);
    tcase_add_test(t, arena_stays_when_memory_runs_out);
    tcase_add_test(t, hash_is_xxh3);
    tcase_add_test(t, map_agrees_with_a_naive_model);
    tcase_add_test(t, removal_from_any_place_of_a_run_loses_nobody);
    tcase_add_test(t, puts_after_reserve_ask_for_no_memory);
    tcase_add_test(t, map_stays_when_memory_runs_out);
    suite_add_tcase(s, t);
    return acor_test_run(s);
}
