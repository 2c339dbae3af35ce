/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cases from the field (data/field-cases.jsonl). Those with a check run in
 * every place by their data; the others are functions, or say where they are
 * tested or which part of the library they wait for.
 *
 *     test_field_cases [ID...]
 */
#include <stdlib.h>

#include "fields.h"
#include "naive.h"
#include "tap.h"

static const field_case cases[] = {
    {"FC-008", fc008_every_pair_of_letters, NULL},
    {"FC-026", fc026_random_dictionaries, NULL},
    {"FC-058", fc058_every_place_near_a_block_end, NULL},
    {"FC-062", NULL, "part 3, parallel reads"},
    {"FC-083", fc083_nul_bytes, NULL},
    {"FC-088", NULL, "keyword files belong to the program: tests/cli"},
    {"FC-094", NULL, "part 3, suggest"},
    {"FC-096", NULL, "part 3, suggest"},
    {"FC-100", fc100_two_handles, NULL},
    {"FC-102", NULL, "part 5, live sharing"},
    {"FC-103", fc103_memory, NULL},
    {"FC-105", fc105_flat_memory, NULL},
    {"FC-107", fc107_hits_without_end, NULL},
    {"FC-108", fc108_build_grows_linearly, NULL},
    {"FC-110", fc110_any_order, NULL},
    {"FC-112", fc112_adversary, NULL},
    {"FC-114", fc114_short_lines, NULL},
    {"FC-116", fc116_threads_find, NULL},
    {"FC-118", fc118_toggled_keyword, NULL},
    {"FC-119", fc119_threads_mix, NULL},
    {"FC-120", fc120_fork, NULL},
    {"FC-122", fc122_sizes, NULL},
    {"FC-124", NULL, "run by tests/conformance/test_sqlite_stress"},
    {"FC-125", fc125_many_processes, NULL},
    {"FC-126", fc126_no_space, NULL},
    {"FC-128", NULL, "part 7, long runs: millions of keywords"},
    {"FC-130", fc130_planted_hits, NULL},
    {"FC-132", NULL, "part 7, long runs: half a million keywords"},
    {"FC-133", fc133_paragraph_on_a_small_stack, NULL},
    {"FC-135", fc135_sixty_thousand_letters, NULL},
    {"FC-137", NULL, "run by tests/redis/bad_server.py"},
    {"FC-139", NULL, "part 7, deployments: a name that moves"},
    {"FC-140", NULL, "run by tests/redis/bad_server.py"},
    {"FC-141", NULL, "run by tests/redis/bad_server.py"},
    {"FC-143", NULL, "part 7, deployments"},
    {"FC-145", NULL, "part 7, deployments"},
    {"FC-146", NULL, "part 7, deployments"},
    {"FC-147", NULL, "part 7, deployments"},
    {"FC-149", NULL, "part 7, deployments"},
    {"FC-151", NULL, "part 7, deployments"},
    {"FC-153", NULL, "part 5, live sharing"},
    {"FC-155", NULL, "part 5, live sharing"},
    {"FC-156", NULL, "part 5, live sharing"},
    {"FC-157", NULL, "part 5, live sharing"},
    {"FC-159", NULL, "part 6, the program"},
    {"FC-161", NULL, "part 6, the program"},
    {"FC-163", NULL, "part 6, the program"},
    {"FC-164", NULL, "part 6, the program"},
    {"FC-165", NULL, "part 6, the program"},
    {"FC-167", NULL, "part 6, the program"},
    {"FC-169", NULL, "part 6, the program"},
    {"FC-172", NULL, "part 6, the program"},
    {"FC-176", fc176_ids, NULL},
    {"FC-179", fc179_export, NULL},
    {"FC-182", fc182_damage, NULL},
};

const field_case *field_case_of(const char *id)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].id, id) == 0)
            return &cases[i];
    return NULL;
}

/* By end, then by start: the order among hits with the same end is free. */
static int by_span(const void *a, const void *b)
{
    const acor_match *x = a, *y = b;
    if (x->cp_end != y->cp_end)
        return x->cp_end < y->cp_end ? -1 : 1;
    return (x->cp_start > y->cp_start) - (x->cp_start < y->cp_start);
}

static int same_spans(hits *h, const json_t *want)
{
    size_t n = json_array_size(want);
    acor_match *w = naive_alloc((n + 1) * sizeof *w);
    for (size_t i = 0; i < n; i++) {
        const json_t *m = json_array_get(want, i);
        w[i].cp_start = (uint64_t)json_integer_value(json_object_get(m, "start"));
        w[i].cp_end = (uint64_t)json_integer_value(json_object_get(m, "end"));
    }
    qsort(w, n, sizeof *w, by_span);
    if (h->count)
        qsort(h->items, h->count, sizeof *h->items, by_span);
    int ok = n == h->count;
    for (size_t i = 0; ok && i < n; i++)
        ok = by_span(&w[i], &h->items[i]) == 0;
    free(w);
    return ok;
}

static int check_at(place p, const char *id, const json_t *check)
{
    world w;
    hits h = {.count = 0};
    size_t n;
    int found = -1;
    acor_string *k = strings_of(json_object_get(check, "keywords"), NULL, &n);
    acor_string text = text_of(check, check, "text", "text_hex");
    const char *kind = json_string_value(json_object_get(check, "match_kind"));
    uint32_t flags =
        json_is_true(json_object_get(check, "whole_word")) ? ACOR_SCAN_WHOLE_WORD : 0;
    uint32_t which = kind && strcmp(kind, "leftmost-longest") == 0
                         ? ACOR_MATCH_LEFTMOST_LONGEST
                         : ACOR_MATCH_OVERLAPPING;
    const json_t *want = json_object_get(check, "matches");

    int ok = world_open(&w, p, id, json_is_true(json_object_get(check, "case_sensitive")),
                        k, n) &&
             world_find(&w, text, which, flags, &h) && same_spans(&h, want);
    if (!ok)
        fprintf(stderr, "# %s, %s: %zu matches, wanted %zu\n", id, place_name(p), h.count,
                json_array_size(want));
    if (ok && which == ACOR_MATCH_OVERLAPPING && flags == 0)
        ok = world_contains(&w, text, &found) && found == (h.count > 0);
    hits_free(&h);
    world_close(&w);
    if (json_object_get(check, "text_hex"))
        free((void *)(uintptr_t)text.data);
    free(k);
    return ok;
}

static int run_check(const char *id, const json_t *check)
{
    int ok = 1;
    for (place p = 0; p < PLACES; p++)
        if (place_exists(p) && !check_at(p, id, check))
            ok = 0;
    return ok;
}

static int is_chosen(const char *id, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], id) == 0)
            return 1;
    return argc < 2;
}

int main(int argc, char **argv)
{
    tap t = TAP_INIT;
    int by_data = 0, by_function = 0;
    json_t *all = read_lines(TEST_DATA "/interop/data/field-cases.jsonl");
    if (!all)
        return EXIT_FAILURE;
    for (size_t i = 0; i < json_array_size(all); i++) {
        const json_t *c = json_array_get(all, i);
        const char *id = json_string_value(json_object_get(c, "id"));
        const char *kind = json_string_value(json_object_get(c, "kind"));
        const json_t *check = json_object_get(c, "check");
        const field_case *f = field_case_of(id);
        if (!is_chosen(id, argc, argv))
            continue;
        if (check) {
            by_data++;
            tap_ok(&t, run_check(id, check), "%s, %s", id, kind);
        } else if (!f) {
            tap_ok(&t, 0, "%s: neither run nor waiting", id);
        } else if (f->run) {
            by_function++;
            tap_ok(&t, f->run(), "%s, %s", id, kind);
        } else {
            tap_skip(&t, id, "%s", f->elsewhere);
        }
    }
    tap_note(
        "%d cases by their data, %d by a function, %d elsewhere or waiting, %d failed",
        by_data, by_function, t.skipped, t.failed);
    json_decref(all);
    world_clean();
    return tap_done(&t);
}
