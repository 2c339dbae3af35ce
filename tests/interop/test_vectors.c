/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vectors recorded from the Go library (data/vectors.jsonl), through the
 * public API. Each is run, or waits for a part of the library that is not there
 * yet, or is named in deviations.jsonl, where our answer and the reason stand.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "vectors.h"

/* What waits, and for what. */
static const struct {
    const char *op, *reason;
} waiting[] = {
    {"split_chunks", "run by test_chunk_vectors"},
    {"split_chunk_count", "run by test_chunk_vectors"},
    {"is_boundary", "run by test_chunk_vectors"},
    {"find_boundary", "run by test_chunk_vectors"},
    {"storage", "run by tests/redis/vectors.py and redis-unit/test_plan_vectors"},
    {"key", "run by tests/redis/vectors.py"},
    {"cas", "run by tests/redis/vectors.py"},
    {"cas_outputs", "run by tests/redis/vectors.py"},
    {"is_self_echo", "part 5, live modes"},
    {"invalidation_lag_parses", "part 5, live modes"},
    {"conflict_backoff_ms",
     "a back-off of our own, with a deadline: tests/redis/races.py"},
    {"json_encode_string_array", "run by tests/redis/vectors.py"},
    {"cli", "the program's vectors are run by tests/cli"},
};

enum { REASONS = 16 };
static struct {
    const char *reason;
    int n;
} tally[REASONS];

/* Opening with settings of Go's that are not there, or not yet. */
static const char *reason_of_create(const json_t *options)
{
    static const char *const topology[] = {"addrs", "ring_addrs", "master_name"};
    for (size_t i = 0; i < sizeof topology / sizeof *topology; i++)
        if (json_object_get(options, topology[i]))
            return "part 7, Sentinel, Cluster and Ring";
    if (json_object_get(options, "preset") || json_object_get(options, "enable_cache"))
        return "part 5, live modes";
    return "no such setting: the schema is recognised, see tests/redis/bad_state.py";
}

static const char *reason_to_wait(const json_t *v, const char *op)
{
    const json_t *options = json_object_get(v, "options");
    if (strcmp(op, "create") == 0)
        return vector_is_about_a_name(v) ? NULL : reason_of_create(options);
    for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++)
        if (strcmp(op, waiting[i].op) == 0)
            return waiting[i].reason;
    return NULL;
}

static void count_reason(const char *reason)
{
    int i = 0;
    while (tally[i].reason && strcmp(tally[i].reason, reason) != 0)
        i++;
    tally[i].reason = reason;
    tally[i].n++;
}

/* The line of deviations.jsonl about a vector, or NULL. */
static const json_t *deviation_of(const json_t *deviations, const char *id)
{
    for (size_t i = 0; i < json_array_size(deviations); i++) {
        const json_t *d = json_array_get(deviations, i);
        if (strcmp(json_string_value(json_object_get(d, "id")), id) == 0)
            return d;
    }
    return NULL;
}

/* Whether got is what was wanted; of an object only wanted members count if the
 * vector is about info. */
static int is_answer(const char *op, const json_t *got, const json_t *want)
{
    const char *key;
    json_t *value;
    if (!got)
        return 0;
    if (strcmp(op, "info") != 0)
        return json_equal(got, want);
    json_object_foreach((json_t *)(uintptr_t)want, key, value)
    {
        if (!json_equal(json_object_get(got, key), value))
            return 0;
    }
    return 1;
}

static void show(const char *id, place p, const char *label, const json_t *value)
{
    char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    fprintf(stderr, "# %s, %s: %s %s\n", id, place_name(p), label,
            text ? text : "(nothing)");
    free(text);
}

static int run_vector(const json_t *v, const vector_op *op, const json_t *want)
{
    const char *id = json_string_value(json_object_get(v, "id"));
    int ok = 1;
    for (place p = 0; p < PLACES; p++) {
        if (!(op->places & 1u << p) || !place_exists(p))
            continue;
        json_t *got = op->run(v, p);
        if (!is_answer(op->name, got, want)) {
            show(id, p, "got", got);
            show(id, p, "want", want);
            ok = 0;
        }
        json_decref(got);
    }
    return ok;
}

int main(void)
{
    tap t = TAP_INIT;
    int deviating = 0, passed = 0, run = 0;
    json_t *vectors = read_lines(TEST_DATA "/interop/data/vectors.jsonl");
    json_t *deviations = read_lines(TEST_DATA "/interop/deviations.jsonl");
    if (!vectors || !deviations)
        return EXIT_FAILURE;
    for (size_t i = 0; i < json_array_size(vectors); i++) {
        const json_t *v = json_array_get(vectors, i);
        const char *id = json_string_value(json_object_get(v, "id"));
        const char *name = json_string_value(json_object_get(v, "op"));
        const char *wait = reason_to_wait(v, name);
        const vector_op *op = vector_op_of(name);
        const json_t *d = deviation_of(deviations, id);
        const json_t *want = json_object_get(v, "expected");
        if (wait) {
            tap_skip(&t, id, "%s", wait);
            count_reason(wait);
            continue;
        }
        if (!op) {
            tap_ok(&t, 0, "%s: nobody knows the operation %s", id, name);
            continue;
        }
        run++;
        int ok = 1;
        if (d) {
            deviating++;
            ok = !is_answer(name, json_object_get(d, "ours"), want);
            want = json_object_get(d, "ours");
        }
        ok = run_vector(v, op, want) && ok;
        passed += ok;
        if (d)
            tap_ok(&t, ok, "%s: ours differs: %s", id,
                   json_string_value(json_object_get(d, "reason")));
        else
            tap_ok(&t, ok, "%s", id);
    }
    tap_ok(&t, (size_t)deviating == json_array_size(deviations),
           "all deviations were met");
    tap_note(
        "%zu vectors: %d run, %d of them passed, %d of them with an answer of our own",
        json_array_size(vectors), run, passed, deviating);
    for (place p = 0; p < PLACES; p++)
        tap_note("%s: %s", place_name(p), place_exists(p) ? "run" : "not in this build");
    for (int i = 0; i < REASONS && tally[i].reason; i++)
        tap_note("%d wait: %s", tally[i].n, tally[i].reason);
    json_decref(vectors);
    json_decref(deviations);
    world_clean();
    return tap_done(&t);
}
