/* SPDX-License-Identifier: Apache-2.0 */
#include "results.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util.h"

void cli_note_file(const char *text)
{
    struct stat st;
    if (stat(text, &st) == 0 && S_ISREG(st.st_mode))
        cli_say("note: %q is also a file; to search in it: acor filter %N", text, text);
}

int cli_json_end(cli_out *out)
{
    cli_out_text(out, "\n");
    return cli_out_end(out) == 0 ? EXIT_DONE : EXIT_FAILED;
}

acor_string cli_keyword_of(const acor_match_list *list, size_t i)
{
    return acor_snapshot_keyword(acor_match_list_snapshot(list),
                                 acor_match_list_items(list)[i].keyword);
}

int cli_put_list(const acor_match_list *list)
{
    cli_out out;
    cli_out_init(&out, 1);
    cli_out_text(&out, "{\"matches\":[");
    for (size_t i = 0; i < acor_match_list_count(list); i++) {
        acor_string keyword = cli_keyword_of(list, i);
        cli_out_text(&out, i ? "," : "");
        cli_json_string(&out, keyword.data, keyword.len);
    }
    cli_out_text(&out, "]}");
    return cli_json_end(&out);
}

typedef struct place {
    acor_string keyword;
    uint64_t start;
} place;

static int compare_places(const void *a, const void *b)
{
    const place *x = a;
    const place *y = b;
    size_t n = x->keyword.len < y->keyword.len ? x->keyword.len : y->keyword.len;
    int c = memcmp(x->keyword.data, y->keyword.data, n);
    if (c == 0)
        c = (x->keyword.len > y->keyword.len) - (x->keyword.len < y->keyword.len);
    return c ? c : (x->start > y->start) - (x->start < y->start);
}

static int is_same(acor_string a, acor_string b)
{
    return a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
}

int cli_put_index(const acor_match_list *list)
{
    size_t n = acor_match_list_count(list);
    place *places = cli_alloc(n * sizeof *places);
    for (size_t i = 0; i < n; i++)
        places[i] =
            (place){cli_keyword_of(list, i), acor_match_list_items(list)[i].cp_start};
    qsort(places, n, sizeof *places, compare_places);

    cli_out out;
    cli_out_init(&out, 1);
    cli_out_text(&out, "{\"matches\":{");
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && is_same(places[i].keyword, places[i - 1].keyword)) {
            cli_out_text(&out, ",");
        } else {
            cli_out_text(&out, i ? "]," : "");
            cli_json_string(&out, places[i].keyword.data, places[i].keyword.len);
            cli_out_text(&out, ":[");
        }
        cli_out_number(&out, places[i].start);
    }
    cli_out_text(&out, n ? "]}}" : "}}");
    free(places);
    return cli_json_end(&out);
}
