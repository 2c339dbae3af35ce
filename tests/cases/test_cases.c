/* SPDX-License-Identifier: Apache-2.0 */
/* Every case of every .case file, over kinds, places, case modes and drivers. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "casefile.h"
#include "reads.h"
#include "tap.h"

static acor_scratch *scratch;

static int is_expected(const case_data *c, int i, const naive_list *oracle)
{
    const case_expect *e = &c->expect[i];
    int ok = !e->given || e->matches.count == oracle->count;
    for (size_t k = 0; ok && e->given && k < oracle->count; k++) {
        const acor_match *x = &e->matches.items[k], *y = &oracle->items[k];
        ok = x->start == y->start && x->end == y->end && x->keyword == y->keyword &&
             (!e->codepoints || (x->cp_start == y->cp_start && x->cp_end == y->cp_end));
    }
    if (!ok)
        fprintf(stderr, "# %s: the file expects other matches than the oracle finds\n",
                c->name);
    return ok;
}

/* Every way to cut a text; a large one not by the byte, and once by several threads. */
static unsigned drivers_for(const scan_case *s, const naive_list *want, int i)
{
    if (s->len <= 20000 && want->count <= 5000)
        return READS_ALL;
    return i < 2 ? READS_CUTS | READS_THREADS : READS_CUTS;
}

static int run_mode(const case_data *c, const scan_case *s, int sensitive)
{
    acor_build_options o = ACOR_BUILD_OPTIONS_INIT;
    acor_error err = ACOR_ERROR_INIT;
    acor_snapshot *snap = NULL;
    int ok = 1;
    o.case_sensitive = (uint32_t)sensitive;
    if (acor_snapshot_build(&snap, s->keywords, s->n, &o, &err)) {
        fprintf(stderr, "# %s: build: %s\n", s->name, err.message);
        return 0;
    }
    naive_dict *dict = naive_new(s->keywords, s->n, sensitive);
    ok = scan_case_check_ids(s, sensitive, snap, dict);
    for (int i = 0; ok && i < SCAN_COMBOS; i++) {
        scan_combo combo = scan_combo_at(i);
        if (combo.sensitive != sensitive)
            continue;
        naive_list want = naive_find(dict, s->text, s->len, combo.kind, combo.place);
        ok = is_expected(c, i, &want) &&
             scan_case_check(s, &combo, snap, scratch, &want) &&
             reads_check(s, &combo, snap, &want, drivers_for(s, &want, i), (uint64_t)i) &&
             scan_case_check_collection(s, &combo, dict, &want);
        if (!ok && c->expect[i].given)
            scan_case_print(stderr, s, &combo, &want);
        naive_list_free(&want);
    }
    naive_free(dict);
    acor_snapshot_unref(snap);
    return ok;
}

static void run_file(tap *t, const char *path)
{
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    case_reader r;
    case_data c;
    int got;
    if (!case_reader_open(&r, path)) {
        tap_ok(t, 0, "%s can be read", path);
        return;
    }
    while ((got = case_reader_next(&r, &c)) > 0) {
        scan_case s = {c.name, c.keywords, c.n, c.text ? c.text : "", c.len};
        int ok = run_mode(&c, &s, 0) && run_mode(&c, &s, 1);
        tap_ok(t, ok, "%s: %s", base, c.name);
        case_data_free(&c);
    }
    if (got < 0)
        tap_ok(t, 0, "%s is well formed", base);
    case_reader_close(&r);
}

int main(int argc, char **argv)
{
    tap t = TAP_INIT;
    glob_t files;
    if (acor_scratch_new(&scratch, NULL))
        return EXIT_FAILURE;
    if (argc > 1) {
        for (int i = 1; i < argc; i++)
            run_file(&t, argv[i]);
    } else if (glob(TEST_DATA "/cases/*.case", 0, NULL, &files) == 0) {
        for (size_t i = 0; i < files.gl_pathc; i++)
            run_file(&t, files.gl_pathv[i]);
        globfree(&files);
    }
    tap_ok(&t, t.count > 0, "there are cases");
    acor_scratch_free(scratch);
    return tap_done(&t);
}
