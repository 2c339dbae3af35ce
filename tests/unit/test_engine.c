/* SPDX-License-Identifier: Apache-2.0 */
/* The engine layer from inside: shapes, invariants, promises about allocation.
 * What it finds is compared with the oracle in tests/cases. */
#include <stdio.h>
#include <string.h>

#include "acor_test.h"
#include "engine/automaton.h"
#include "engine/place.h"
#include "engine/scan.h"
#include "engine/snapshot.h"
#include "engine/trie.h"

/* An allocator that knows what is out and can be told to stop giving. */
typedef struct meter {
    size_t live, calls;
    int refuse;
} meter;

static void *meter_alloc(void *user, size_t size)
{
    meter *m = user;
    m->calls++;
    if (m->refuse)
        return NULL;
    m->live += size;
    return malloc(size);
}

static void *meter_resize(void *user, void *ptr, size_t old_size, size_t new_size)
{
    meter *m = user;
    m->calls++;
    if (m->refuse)
        return NULL;
    m->live += new_size - old_size;
    return realloc(ptr, new_size);
}

static void meter_release(void *user, void *ptr, size_t size)
{
    meter *m = user;
    m->live -= size;
    free(ptr);
}

static acor_allocator metered(meter *m)
{
    acor_allocator a = ACOR_ALLOCATOR_INIT;
    *m = (meter){0, 0, 0};
    a.alloc = meter_alloc;
    a.resize = meter_resize;
    a.release = meter_release;
    a.user = m;
    return a;
}

static acor_string str(const char *s)
{
    return (acor_string){s, strlen(s)};
}

static acor_snapshot *build(const acor_string *k, size_t n, const acor_allocator *a)
{
    acor_build_options o = ACOR_BUILD_OPTIONS_INIT;
    acor_snapshot *s = NULL;
    o.allocator = a;
    ck_assert_int_eq(acor_snapshot_build(&s, k, n, &o, NULL), ACOR_OK);
    return s;
}

/* Many words over few letters: deep sharing, long failure chains, all forms. */
static size_t made_words(acor_string *out, size_t n, char (*room)[16])
{
    uint32_t x = 12345;
    for (size_t i = 0; i < n; i++) {
        size_t len = 3 + i % 11;
        for (size_t j = 0; j < len; j++) {
            x = x * 1664525u + 1013904223u;
            room[i][j] = (char)('a' + (x >> 24) % 20);
        }
        out[i] = (acor_string){room[i], len};
    }
    return n;
}

START_TEST(trie_numbers_nodes_breadth_first_with_consecutive_children)
{
    acr_slice k[] = {acr_slice_str("a"), acr_slice_str("ab"), acr_slice_str("abc"),
                     acr_slice_str("b"), acr_slice_str("bc")};
    acr_patterns p = {.bytes = k, .n = 5};
    acr_alphabet a;
    acr_mem mem;
    acr_trie t;
    acr_mem_init(&mem, NULL, NULL);
    ck_assert_int_eq(acr_alphabet_make(&a, &mem, &p, NULL), ACOR_OK);
    ck_assert_uint_eq(a.n, 4);
    ck_assert_int_eq(acr_trie_build(&t, &mem, &p, &a, NULL), ACOR_OK);
    ck_assert_uint_eq(t.n, 6);
    const uint32_t first[] = {1, 3, 4, 5, 6, 6, 6};
    for (size_t i = 0; i < 7; i++)
        ck_assert_uint_eq(t.first[i], first[i]);
    const uint32_t term[] = {ACR_NO_PATTERN, 0, 3, 1, 4, 2};
    for (size_t i = 0; i < 6; i++)
        ck_assert_uint_eq(t.term[i], term[i]);
    acr_trie_free(&t);
    acr_alphabet_free(&a);
}
END_TEST

static uint32_t symbol_in(const char *keyword, int fold, uint32_t cp)
{
    acr_slice k[] = {acr_slice_str(keyword)};
    acr_patterns p = {.bytes = k, .n = 1, .fold = fold};
    acr_alphabet a;
    acr_mem mem;
    acr_mem_init(&mem, NULL, NULL);
    ck_assert_int_eq(acr_alphabet_make(&a, &mem, &p, NULL), ACOR_OK);
    uint32_t symbol = acr_alphabet_symbol(&a, cp);
    acr_alphabet_free(&a);
    return symbol;
}

START_TEST(capitals_share_the_symbol_of_their_small_letters_only_when_folding)
{
    ck_assert_uint_eq(symbol_in("az", 1, 'A'), symbol_in("az", 1, 'a'));
    ck_assert_uint_ne(symbol_in("az", 1, 'A'), 0);
    ck_assert_uint_eq(symbol_in("az", 1, 'B'), 0);
    ck_assert_uint_eq(symbol_in("az", 0, 'A'), 0);
    ck_assert_uint_eq(symbol_in("\xd1\x8f", 1, 0x042F), symbol_in("\xd1\x8f", 1, 0x044F));
    ck_assert_uint_eq(symbol_in("\xd1\x8f", 0, 0x042F), 0);
}
END_TEST

START_TEST(code_points_of_another_length_than_their_lower_case_are_odd)
{
    ck_assert_uint_eq(symbol_in("k", 1, 0x212A), symbol_in("k", 1, 'k') | ACR_SYMBOL_ODD);
    ck_assert_uint_eq(symbol_in("i", 1, 0x0130), symbol_in("i", 1, 'i') | ACR_SYMBOL_ODD);
    ck_assert_uint_eq(symbol_in("k", 0, 0x212A), 0);
    ck_assert_uint_eq(symbol_in("\xc3\xa9", 1, 0x00C9), symbol_in("\xc3\xa9", 1, 0x00E9));
}
END_TEST

START_TEST(symbols_are_numbered_by_how_many_states_they_bring)
{
    acr_slice k[] = {acr_slice_str("ab"), acr_slice_str("abz"), acr_slice_str("bz"),
                     acr_slice_str("\xe4\xb8\xadz")};
    acr_patterns p = {.bytes = k, .n = 4};
    acr_alphabet a;
    acr_mem mem;
    acr_mem_init(&mem, NULL, NULL);
    ck_assert_int_eq(acr_alphabet_make(&a, &mem, &p, NULL), ACOR_OK);
    ck_assert_uint_eq(a.n, 5);
    ck_assert_uint_eq(acr_alphabet_symbol(&a, 'z'), 1);
    ck_assert_uint_eq(acr_alphabet_symbol(&a, 'b'), 2);
    ck_assert_uint_eq(acr_alphabet_symbol(&a, 'a'), 3);
    ck_assert_uint_eq(acr_alphabet_symbol(&a, 0x4E2D), 4);
    ck_assert_uint_eq(acr_alphabet_symbol(&a, 0x4E2E), 0);
    ck_assert_uint_eq(acr_alphabet_symbol(&a, ACR_RUNE_MAX), 0);
    acr_alphabet_free(&a);
}
END_TEST

/* Families of labels up to top; what the blocks waste stays small. */
static void place_families(uint32_t symbols, uint32_t top, uint32_t large)
{
    acr_automaton a = {.alphabet = {.n = symbols}};
    acr_place p;
    size_t cap = (size_t)1 << 21, used = 0;
    unsigned char *taken = calloc(cap, 1);
    uint32_t *labels = calloc(top, sizeof *labels), x = 7;
    acr_mem_init(&a.mem, NULL, NULL);
    ck_assert_int_eq(acr_place_init(&p, &a, NULL), ACOR_OK);
    for (int round = 0; round < 20000; round++) {
        uint32_t n = 0, base, l = 0, most = round % 50 == 0 ? large : 1 + (uint32_t)round % 5;
        while (n < most) {
            x = x * 1664525u + 1013904223u;
            l += 1 + (most < 100 ? (x >> 24) % (top / 6) : 0);
            if (l >= top)
                break;
            labels[n++] = l;
        }
        if (n == 0)
            continue;
        ck_assert_int_eq(acr_place_children(&p, labels, n, &base, NULL), ACOR_OK);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t slot = base ^ labels[i];
            ck_assert_uint_lt(slot, a.slots_n);
            ck_assert_uint_lt(slot, cap);
            ck_assert_uint_eq(taken[slot], 0);
            taken[slot] = 1;
        }
    }
    for (size_t i = 0; i < a.slots_n; i++)
        used += taken[i];
    ck_assert_uint_gt(used * 10, a.slots_n * 8);
    acr_place_free(&p);
    free(a.slots);
    free(a.depth);
    free(labels);
    free(taken);
}

START_TEST(no_two_children_ever_get_one_slot)
{
    place_families(200, 256, 200);
    place_families(3000, 3000, 120);
}
END_TEST

/* Every state's failure link is the longest proper suffix that is a state, and
 * what it reports is the longest pattern that ends there. */
START_TEST(slots_fail_to_a_shorter_state_and_inherit_its_report)
{
    enum { N = 20000 };
    acor_string *k = calloc(N, sizeof *k);
    char(*room)[16] = calloc(N, sizeof *room);
    acor_snapshot *s = build(k, made_words(k, N, room), NULL);
    const acr_automaton *a = (const acr_automaton *)s->engine;
    ck_assert_str_eq(s->engine->form, "dfa/rows+double-array");
    size_t used = 0;
    for (size_t i = 0; i < a->slots_n; i++) {
        const acr_slot *slot = &a->slots[i];
        if (a->depth[i] == 0)
            continue;
        used++;
        uint32_t at = slot->fail >> ACR_REF_SHIFT;
        int row = !(slot->fail & ACR_REF_SLOT);
        uint32_t depth = row ? a->table[at + a->alphabet.n + 1] : a->depth[at];
        uint32_t out = row ? a->table[at + a->alphabet.n] : a->slots[at].out;
        ck_assert_uint_lt(depth, a->depth[i]);
        ck_assert_int_eq(out != ACR_NO_PATTERN, (slot->fail & ACR_REF_OUT) != 0);
        if (out != ACR_NO_PATTERN)
            ck_assert_uint_ne(slot->out, ACR_NO_PATTERN);
        if (slot->out != ACR_NO_PATTERN && a->patterns[slot->out].bytes != a->depth[i])
            ck_assert_uint_eq(slot->out, out);
    }
    ck_assert_uint_eq(used + a->rows, s->engine->states);
    acor_snapshot_unref(s);
    free(room);
    free(k);
}
END_TEST

START_TEST(small_dictionaries_are_a_flat_table_with_one_state_a_prefix)
{
    acor_string k[] = {str("he"), str("her"), str("hers"), str("his"), str("she")};
    acor_snapshot *s = build(k, 5, NULL);
    acor_snapshot_stats st = ACOR_SNAPSHOT_STATS_INIT;
    ck_assert_int_eq(acor_snapshot_stats_get(s, &st), ACOR_OK);
    ck_assert_str_eq(st.engine, "dfa/flat");
    ck_assert_uint_eq(st.states, 10);
    ck_assert_uint_eq(st.keywords, 5);
    ck_assert_uint_eq(st.max_keyword, 4);
    acor_snapshot_unref(s);
}
END_TEST

START_TEST(memory_reported_is_what_the_allocator_gave)
{
    enum { N = 5000 };
    meter m;
    acor_allocator a = metered(&m);
    acor_string *k = calloc(N, sizeof *k);
    char(*room)[16] = calloc(N, sizeof *room);
    acor_snapshot *s = build(k, made_words(k, N, room), &a);
    acor_snapshot_stats st = ACOR_SNAPSHOT_STATS_INIT;
    ck_assert_int_eq(acor_snapshot_stats_get(s, &st), ACOR_OK);
    ck_assert_uint_eq(st.memory_bytes, m.live);
    acor_snapshot_unref(s);
    ck_assert_uint_eq(m.live, 0);
    free(room);
    free(k);
}
END_TEST

START_TEST(nothing_is_allocated_when_nothing_matches)
{
    meter m;
    acor_allocator a = metered(&m);
    acor_string k[] = {str("needle"), str("h\xC3\xA4ystack")};
    acor_snapshot *s = build(k, 2, &a);
    static char text[100000];
    memset(text, 'e', sizeof text);
    memcpy(text + 500, "h\xC3\xA4ystac needl \xFF\xFE", 18);
    m.calls = 0;
    m.refuse = 1;
    for (uint32_t kind = 0; kind < 2; kind++) {
        acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
        uint64_t n = 1;
        o.kind = kind;
        o.flags = kind ? ACOR_SCAN_WHOLE_WORD : 0;
        ck_assert_int_eq(acor_scan(s, text, sizeof text, &o, NULL, NULL, NULL, &n, NULL),
                         ACOR_OK);
        ck_assert_uint_eq(n, 0);
    }
    ck_assert_uint_eq(m.calls, 0);
    m.refuse = 0;
    acor_snapshot_unref(s);
}
END_TEST

static int stop_at(void *user, const acor_match *m, size_t n)
{
    uint64_t *left = user;
    (void)m;
    *left -= n;
    return *left == 0;
}

START_TEST(a_callback_stops_the_scan_at_once)
{
    acor_string k[] = {str("a")};
    acor_snapshot *s = build(k, 1, NULL);
    static char text[10000];
    memset(text, 'a', sizeof text);
    for (uint32_t kind = 0; kind < 2; kind++) {
        acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
        uint64_t left = 7, n = 0;
        o.kind = kind;
        o.flags = ACOR_SCAN_ONE_BY_ONE;
        ck_assert_int_eq(acor_scan(s, text, sizeof text, &o, NULL, stop_at, &left, &n, NULL),
                         ACOR_STOPPED);
        ck_assert_uint_eq(n, 7);
        o.flags = 0;
        o.max_matches = 9;
        ck_assert_int_eq(acor_scan(s, text, sizeof text, &o, NULL, NULL, NULL, &n, NULL),
                         ACOR_STOPPED);
        ck_assert_uint_eq(n, 9);
    }
    acor_snapshot_unref(s);
}
END_TEST

typedef struct nested {
    acor_snapshot *snap;
    acor_scratch *scratch;
    acor_status answer;
} nested;

static int scan_again(void *user, const acor_match *m, size_t n)
{
    nested *x = user;
    (void)m;
    (void)n;
    x->answer = acor_scan(x->snap, "a", 1, NULL, x->scratch, NULL, NULL, NULL, NULL);
    return 0;
}

START_TEST(a_scratch_in_use_is_noticed_and_free_again_afterwards)
{
    nested x = {NULL, NULL, ACOR_OK};
    acor_string k[] = {str("a")};
    x.snap = build(k, 1, NULL);
    ck_assert_int_eq(acor_scratch_new(&x.scratch, NULL), ACOR_OK);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(acor_scan(x.snap, "a", 1, NULL, x.scratch, scan_again, &x, NULL, NULL),
                         ACOR_OK);
        ck_assert_int_eq(x.answer, ACOR_EBUSY);
    }
    acor_scratch_free(x.scratch);
    acor_snapshot_unref(x.snap);
}
END_TEST

START_TEST(leftmost_longest_needs_more_than_the_inline_candidates)
{
    /* From each position of the text a keyword that ends later than the one
     * before it: nothing is settled until the long one fails at the end. */
    enum { LEN = 200 };
    static char word[LEN + 2], text[LEN + 2];
    acor_string k[LEN + 1];
    memset(text, 'a', LEN);
    memset(word, 'a', LEN);
    word[LEN] = 'x';
    text[LEN] = 'b';
    for (size_t i = 0; i < LEN; i++)
        k[i] = (acor_string){text, i + 1};
    k[LEN] = (acor_string){word, LEN + 1};
    acor_snapshot *s = build(k, LEN + 1, NULL);
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    uint64_t n;
    o.kind = ACOR_MATCH_LEFTMOST_LONGEST;
    ck_assert_int_eq(acor_scan(s, text, LEN + 1, &o, NULL, NULL, NULL, &n, NULL), ACOR_OK);
    ck_assert_uint_eq(n, 1);
    acor_snapshot_unref(s);
}
END_TEST

START_TEST(ids_are_indices_of_the_callers_list)
{
    acor_string k[] = {str("  "), str("B"), str("a"), str("b"), str(" A "), str("c")};
    acor_snapshot *s = build(k, 6, NULL);
    ck_assert_uint_eq(acor_snapshot_ids(s), 6);
    ck_assert_ptr_null(acor_snapshot_keyword(s, 0).data);
    ck_assert_str_eq(acor_snapshot_keyword(s, 1).data, "b");
    ck_assert_str_eq(acor_snapshot_keyword(s, 2).data, "a");
    ck_assert_ptr_null(acor_snapshot_keyword(s, 3).data);
    ck_assert_ptr_null(acor_snapshot_keyword(s, 4).data);
    ck_assert_str_eq(acor_snapshot_keyword(s, 5).data, "c");
    ck_assert_ptr_null(acor_snapshot_keyword(s, 6).data);
    acor_snapshot_unref(s);
}
END_TEST

START_TEST(bad_arguments_are_named)
{
    acor_error err = ACOR_ERROR_INIT;
    acor_snapshot *s = NULL;
    acor_string null_with_length = {NULL, 3};
    ck_assert_int_eq(acor_snapshot_build(&s, NULL, 1, NULL, &err), ACOR_EINVAL);
    ck_assert_str_eq(err.operation, "snapshot_build");
    ck_assert_int_eq(acor_snapshot_build(&s, &null_with_length, 1, NULL, &err), ACOR_EINVAL);
    ck_assert_ptr_nonnull(strstr(err.message, "number 0"));
    char *big = malloc((size_t)ACOR_MAX_KEYWORD_BYTES + 1);
    memset(big, 'x', (size_t)ACOR_MAX_KEYWORD_BYTES + 1);
    acor_string k[] = {str("a"), {big, (size_t)ACOR_MAX_KEYWORD_BYTES + 1}};
    ck_assert_int_eq(acor_snapshot_build(&s, k, 2, NULL, &err), ACOR_ELIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "number 1"));
    ck_assert_ptr_nonnull(strstr(err.message, "16777216"));
    free(big);
    s = build(k, 1, NULL);
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    o.kind = 9;
    ck_assert_int_eq(acor_scan(s, "a", 1, &o, NULL, NULL, NULL, NULL, &err), ACOR_EINVAL);
    o.kind = 0;
    o.flags = UINT32_C(1) << 30;
    ck_assert_int_eq(acor_scan(s, "a", 1, &o, NULL, NULL, NULL, NULL, &err), ACOR_EINVAL);
    ck_assert_int_eq(acor_scan(s, NULL, 1, NULL, NULL, NULL, NULL, NULL, &err), ACOR_EINVAL);
    ck_assert_int_eq(acor_scan(NULL, "a", 1, NULL, NULL, NULL, NULL, NULL, NULL), ACOR_EINVAL);
    acor_snapshot_unref(s);
}
END_TEST

START_TEST(an_empty_dictionary_matches_nothing)
{
    acor_snapshot *s = build(NULL, 0, NULL);
    uint64_t n = 1;
    ck_assert_int_eq(acor_scan(s, "abc\xFF", 4, NULL, NULL, NULL, NULL, &n, NULL), ACOR_OK);
    ck_assert_uint_eq(n, 0);
    ck_assert_int_eq(acor_scan(s, NULL, 0, NULL, NULL, NULL, NULL, &n, NULL), ACOR_OK);
    acor_snapshot_unref(s);
    acor_snapshot_unref(NULL);
    ck_assert_uint_eq(acor_snapshot_ids(NULL), 0);
}
END_TEST

START_TEST(a_stored_keyword_in_capitals_is_kept_and_never_met_when_folding)
{
    acr_mem mem;
    acor_snapshot *s;
    acr_mem_init(&mem, NULL, NULL);
    acr_words *w = acr_words_new(&mem);
    ck_assert_int_eq(acr_words_add(w, acr_slice_str("Hello"), NULL, NULL), ACOR_OK);
    ck_assert_int_eq(acr_words_add(w, acr_slice_str("world"), NULL, NULL), ACOR_OK);
    ck_assert_int_eq(acr_snapshot_new(&s, &mem, w, 1, NULL), ACOR_OK);
    uint64_t n;
    ck_assert_int_eq(acor_scan(s, "hello Hello WORLD", 17, NULL, NULL, NULL, NULL, &n, NULL),
                     ACOR_OK);
    ck_assert_uint_eq(n, 1);
    ck_assert_str_eq(acor_snapshot_keyword(s, 0).data, "Hello");
    acor_snapshot_unref(s);
    acr_words_unref(w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine");
    TCase *t = tcase_create("engine");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, trie_numbers_nodes_breadth_first_with_consecutive_children);
    tcase_add_test(t, capitals_share_the_symbol_of_their_small_letters_only_when_folding);
    tcase_add_test(t, code_points_of_another_length_than_their_lower_case_are_odd);
    tcase_add_test(t, symbols_are_numbered_by_how_many_states_they_bring);
    tcase_add_test(t, no_two_children_ever_get_one_slot);
    tcase_add_test(t, slots_fail_to_a_shorter_state_and_inherit_its_report);
    tcase_add_test(t, small_dictionaries_are_a_flat_table_with_one_state_a_prefix);
    tcase_add_test(t, memory_reported_is_what_the_allocator_gave);
    tcase_add_test(t, nothing_is_allocated_when_nothing_matches);
    tcase_add_test(t, a_callback_stops_the_scan_at_once);
    tcase_add_test(t, a_scratch_in_use_is_noticed_and_free_again_afterwards);
    tcase_add_test(t, leftmost_longest_needs_more_than_the_inline_candidates);
    tcase_add_test(t, ids_are_indices_of_the_callers_list);
    tcase_add_test(t, bad_arguments_are_named);
    tcase_add_test(t, an_empty_dictionary_matches_nothing);
    tcase_add_test(t, a_stored_keyword_in_capitals_is_kept_and_never_met_when_folding);
    suite_add_tcase(suite, t);
    return acor_test_run(suite);
}
