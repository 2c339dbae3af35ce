/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dictionaries and texts made up from a seed, against the oracle. A round that
 * fails prints a case for tests/cases/; SEED in its name gives the round back:
 *
 *     test_generated [GROUP SEED]
 */
#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "scancase.h"
#include "tap.h"

static acor_scratch *scratch;

/* Engine forms that snapshots took. */
static char forms[8][32];
static size_t forms_n;

static void note_form(const acor_snapshot *snap)
{
    acor_snapshot_stats st = ACOR_SNAPSHOT_STATS_INIT;
    size_t i = 0;
    if (snap == NULL || acor_snapshot_stats_get(snap, &st))
        return;
    while (i < forms_n && strcmp(forms[i], st.engine) != 0)
        i++;
    if (i == forms_n && i < sizeof forms / sizeof *forms) {
        memcpy(forms[i], st.engine, sizeof forms[i]);
        tap_note("engine form %s", forms[forms_n++]);
    }
}

/* One dictionary and some texts. */
typedef struct shape {
    const char *group;
    size_t keywords; /* at most; exactly if fixed */
    int fixed;
    size_t min_units, max_units;
    size_t text_units;
    int texts;
    int rounds;
    int alphabet; /* -1: any */
} shape;

static const shape shapes[] = {
    {"tiny", 6, 0, 0, 4, 24, 3, 2000, -1},
    {"small", 60, 0, 1, 6, 90, 2, 700, -1},
    {"runs", 20, 0, 1, 20, 120, 2, 300, 0},
    {"long", 8, 0, 1, 300, 900, 2, 80, -1},
    {"many letters", 2000, 1, 1, 12, 700, 2, 8, 6},
    {"most letters", 8000, 1, 1, 12, 300, 1, 2, 6},
    {"many folding", 2000, 1, 1, 12, 400, 2, 5, 3},
    {"many wide", 2000, 1, 1, 12, 400, 2, 5, 5},
    {"many broken", 2000, 1, 1, 12, 400, 2, 5, 4},
};

static acor_snapshot *build(const acor_string *k, size_t n, int sensitive)
{
    acor_build_options o = ACOR_BUILD_OPTIONS_INIT;
    acor_error err = ACOR_ERROR_INIT;
    acor_snapshot *snap = NULL;
    o.case_sensitive = (uint32_t)sensitive;
    if (acor_snapshot_build(&snap, k, n, &o, &err))
        fprintf(stderr, "# build: %s\n", err.message);
    note_form(snap);
    return snap;
}

/* A sensitive snapshot folded has the matches of an insensitive one, with the
 * same ids, also where two of its keywords become one. */
static int check_fold(const scan_case *c, const acor_snapshot *sensitive,
                      const naive_dict *insensitive_dict, const naive_list *want)
{
    scan_combo combo = {ACOR_MATCH_OVERLAPPING, 0, 0};
    acor_snapshot *folded = NULL;
    scan_case named = *c;
    named.name = "folded snapshot";
    if (acor_snapshot_fold(&folded, sensitive, NULL))
        return 0;
    int ok = scan_case_check(&named, &combo, folded, scratch, want) &&
             scan_case_check_ids(&named, 0, folded, insensitive_dict);
    acor_snapshot_unref(folded);
    return ok;
}

static int check_text(const scan_case *c, acor_snapshot *const snaps[2],
                      naive_dict *const dicts[2], int with_collection)
{
    int ok = 1;
    for (int i = 0; ok && i < SCAN_COMBOS; i++) {
        scan_combo combo = scan_combo_at(i);
        naive_dict *dict = dicts[combo.sensitive];
        naive_list want = naive_find(dict, c->text, c->len, combo.kind, combo.place);
        ok = scan_case_check(c, &combo, snaps[combo.sensitive], scratch, &want);
        if (ok && i == 0)
            ok = check_fold(c, snaps[1], dicts[0], &want);
        if (ok && with_collection)
            ok = scan_case_check_collection(c, &combo, dict, &want);
        naive_list_free(&want);
    }
    return ok;
}

static int run_round(const shape *s, uint64_t seed)
{
    rng r = rng_seed(seed);
    int which = s->alphabet >= 0 ? s->alphabet : (int)rng_below(&r, ALPHABETS);
    const alphabet *a = alphabet_at(which);
    size_t n = s->fixed ? s->keywords : rng_below(&r, s->keywords + 1);
    acor_string *k = make_keywords(&r, a, n, s->min_units, s->max_units);
    acor_snapshot *snaps[2] = {build(k, n, 0), build(k, n, 1)};
    naive_dict *dicts[2] = {naive_new(k, n, 0), naive_new(k, n, 1)};
    char name[80];
    snprintf(name, sizeof name, "generated %s %llu, %s", s->group,
             (unsigned long long)seed, a->name);

    int ok = snaps[0] && snaps[1];
    scan_case c = {name, k, n, "", 0};
    for (int i = 0; ok && i < 2; i++)
        ok = scan_case_check_ids(&c, i, snaps[i], dicts[i]);
    for (int t = 0; ok && t < s->texts; t++) {
        acor_string text = make_text(&r, a, k, n, rng_below(&r, s->text_units + 1));
        c.text = text.data ? text.data : "";
        c.len = text.len;
        ok = check_text(&c, snaps, dicts, t == 0 && (s->fixed || seed % 8 == 0));
        free_string(text);
    }
    for (int i = 0; i < 2; i++) {
        acor_snapshot_unref(snaps[i]);
        naive_free(dicts[i]);
    }
    free_keywords(k, n);
    return ok;
}

static void run_shape(tap *t, const shape *s)
{
    int rounds = tap_scale(s->rounds), bad = 0;
    for (int i = 0; i < rounds && bad < 3; i++)
        bad += !run_round(s, (uint64_t)i);
    tap_ok(t, bad == 0, "%s: %d dictionaries agree with the oracle", s->group, rounds);
}

/* a, aa, aaa, ...: each a in the text ends as many matches as there are keywords. */
static int run_nested(size_t n)
{
    char *as = naive_alloc(2 * n);
    acor_string *k = naive_alloc(n * sizeof *k);
    int ok = 1;
    memset(as, 'a', 2 * n);
    for (size_t i = 0; i < n; i++)
        k[i] = (acor_string){as, i + 1};
    scan_case c = {"nested suffixes", k, n, as, 2 * n};
    acor_snapshot *snap = build(k, n, 0);
    naive_dict *dict = naive_new(k, n, 0);
    for (int i = 0; ok && snap && i < 4; i++) {
        scan_combo combo = scan_combo_at(i);
        naive_list want = naive_find(dict, c.text, c.len, combo.kind, combo.place);
        ok = scan_case_check(&c, &combo, snap, scratch, &want) &&
             scan_case_check_collection(&c, &combo, dict, &want);
        naive_list_free(&want);
    }
    ok = ok && snap;
    naive_free(dict);
    acor_snapshot_unref(snap);
    free(k);
    free(as);
    return ok;
}

int main(int argc, char **argv)
{
    tap t = TAP_INIT;
    size_t count = sizeof shapes / sizeof *shapes;
    if (acor_scratch_new(&scratch, NULL))
        return EXIT_FAILURE;
    for (size_t i = 0; i < count; i++) {
        if (argc == 3 && strcmp(argv[1], shapes[i].group) == 0)
            tap_ok(&t, run_round(&shapes[i], strtoull(argv[2], NULL, 10)), "%s %s",
                   argv[1], argv[2]);
        else if (argc != 3)
            run_shape(&t, &shapes[i]);
    }
    if (argc != 3) {
        tap_ok(&t, run_nested((size_t)tap_scale(300)), "every suffix is a keyword too");
        tap_ok(&t, forms_n > 1, "small and large dictionaries take different forms");
    }
    acor_scratch_free(scratch);
    return tap_done(&t);
}
