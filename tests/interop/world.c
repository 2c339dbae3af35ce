/* SPDX-License-Identifier: Apache-2.0 */
#include "world.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "naive.h"

static char folder[256], url[320];

const char *world_folder(void)
{
    if (!folder[0]) {
        const char *tmp = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/acor-interop-XXXXXX",
                 tmp && *tmp ? tmp : "/tmp");
        if (!mkdtemp(folder)) {
            perror(folder);
            abort();
        }
    }
    return folder;
}

const char *world_url(void)
{
    if (!url[0])
        snprintf(url, sizeof url, "sqlite:%s/words.db", world_folder());
    return url;
}

void world_clean(void)
{
    DIR *d = folder[0] ? opendir(folder) : NULL;
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[600];
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        unlink(path);
    }
    if (d)
        closedir(d);
    if (folder[0])
        rmdir(folder);
    folder[0] = url[0] = '\0';
}

const char *place_name(place p)
{
    static const char *const names[PLACES] = {"snapshot", "mem:", "sqlite:"};
    return names[p];
}

int place_exists(place p)
{
#ifdef WITH_SQLITE
    return p < PLACES;
#else
    return p < PLACE_SQLITE;
#endif
}

static int say(const char *what, int status, const acor_error *err)
{
    fprintf(stderr, "# %s: %s (%s)\n", what, acor_strstatus(status), err->message);
    return 0;
}

int world_open(world *w, place p, const char *name, int sensitive,
               const acor_string *keywords, size_t n)
{
    acor_error err = ACOR_ERROR_INIT;
    *w = (world){.at = p, .sensitive = sensitive};
    if (p == PLACE_SNAPSHOT) {
        acor_build_options o = ACOR_BUILD_OPTIONS_INIT;
        o.case_sensitive = (uint32_t)sensitive;
        int status = acor_snapshot_build(&w->snap, keywords, n, &o, &err);
        return status == ACOR_OK || say("build", status, &err);
    }
    acor_open_options o = ACOR_OPEN_OPTIONS_INIT;
    o.case_mode = sensitive ? ACOR_CASE_SENSITIVE : ACOR_CASE_INSENSITIVE;
    int status =
        acor_open(&w->col, p == PLACE_MEM ? "mem:" : world_url(), name, &o, &err);
    if (status == ACOR_OK && n)
        status =
            acor_add_many(w->col, keywords, n, ACOR_BATCH_BEST_EFFORT, NULL, NULL, &err);
    return status == ACOR_OK || say(place_name(p), status, &err);
}

void world_close(world *w)
{
    acor_snapshot_unref(w->snap);
    acor_close(w->col);
    *w = (world){.at = PLACES};
}

void hits_append(hits *h, const acor_match *m, size_t n)
{
    while (h->count + n > h->cap) {
        size_t cap = h->cap ? 2 * h->cap : 64;
        acor_match *items = naive_alloc(cap * sizeof *items);
        if (h->count)
            memcpy(items, h->items, h->count * sizeof *items);
        free(h->items);
        h->items = items;
        h->cap = cap;
    }
    memcpy(h->items + h->count, m, n * sizeof *m);
    h->count += n;
}

static int keep(void *user, const acor_match *m, size_t n)
{
    hits_append(user, m, n);
    return 0;
}

void hits_take_list(hits *h, acor_match_list *list)
{
    h->list = list;
    h->snap = acor_match_list_snapshot(list);
    if (acor_match_list_count(list))
        hits_append(h, acor_match_list_items(list), acor_match_list_count(list));
}

int world_find_with(world *w, acor_string text, const acor_scan_options *opts, hits *out)
{
    acor_scan_options o = *opts;
    acor_error err = ACOR_ERROR_INIT;
    acor_match_list *list = NULL;
    *out = (hits){.snap = w->snap};
    o.flags |= ACOR_SCAN_CODEPOINTS;
    if (w->at == PLACE_SNAPSHOT) {
        int status =
            acor_scan(w->snap, text.data, text.len, &o, NULL, keep, out, NULL, &err);
        return status == ACOR_OK || say("scan", status, &err);
    }
    int plain = opts->kind == ACOR_MATCH_OVERLAPPING && opts->flags == 0;
    int status = plain ? acor_find(w->col, text.data, text.len, &list, &err)
                       : acor_find_matches(w->col, text.data, text.len, &o, &list, &err);
    if (status)
        return say("find", status, &err);
    hits_take_list(out, list);
    return 1;
}

int world_find(world *w, acor_string text, uint32_t kind, uint32_t flags, hits *out)
{
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    o.kind = kind;
    o.flags = flags;
    return world_find_with(w, text, &o, out);
}

static void keep_first_of_each(hits *h)
{
    size_t n = 0;
    for (size_t i = 0; i < h->count; i++) {
        size_t k = 0;
        while (k < n && h->items[k].keyword != h->items[i].keyword)
            k++;
        if (k == n)
            h->items[n++] = h->items[i];
    }
    h->count = n;
}

int world_find_set(world *w, acor_string text, hits *out)
{
    acor_error err = ACOR_ERROR_INIT;
    acor_match_list *list = NULL;
    if (w->at == PLACE_SNAPSHOT) {
        int ok = world_find(w, text, ACOR_MATCH_OVERLAPPING, 0, out);
        keep_first_of_each(out);
        return ok;
    }
    *out = (hits){.count = 0};
    int status = acor_find_set(w->col, text.data, text.len, &list, &err);
    if (status)
        return say("find_set", status, &err);
    hits_take_list(out, list);
    return 1;
}

int world_contains(world *w, acor_string text, int *found)
{
    acor_scan_options o = ACOR_SCAN_OPTIONS_INIT;
    acor_error err = ACOR_ERROR_INIT;
    uint64_t n = 0;
    if (w->at != PLACE_SNAPSHOT) {
        int status = acor_contains(w->col, text.data, text.len, found, &err);
        return status == ACOR_OK || say("contains", status, &err);
    }
    o.max_matches = 1;
    int status = acor_scan(w->snap, text.data, text.len, &o, NULL, NULL, NULL, &n, &err);
    *found = n > 0;
    return status == (n ? ACOR_STOPPED : ACOR_OK) || say("scan", status, &err);
}

void hits_free(hits *h)
{
    free(h->items);
    acor_match_list_free(h->list);
    *h = (hits){.count = 0};
}

acor_string hits_keyword(const hits *h, size_t i)
{
    return acor_snapshot_keyword(h->snap, h->items[i].keyword);
}

/* --- JSON ------------------------------------------------------------------- */

acor_string string_of(const json_t *value)
{
    return (acor_string){json_string_value(value), json_string_length(value)};
}

acor_string bytes_of_hex(const char *hex)
{
    size_t n = strlen(hex) / 2;
    char *out = naive_alloc(n + 1);
    for (size_t i = 0; i < n; i++) {
        char two[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
        out[i] = (char)strtoul(two, NULL, 16);
    }
    return (acor_string){out, n};
}

acor_string text_of(const json_t *object, const json_t *hex_object, const char *member,
                    const char *hex_member)
{
    const json_t *s = json_object_get(object, member);
    const json_t *h = json_object_get(hex_object, hex_member);
    return h ? bytes_of_hex(json_string_value(h)) : string_of(s);
}

acor_string *strings_of(const json_t *array, const json_t *hex_array, size_t *n)
{
    size_t a = json_array_size(array), h = json_array_size(hex_array);
    acor_string *s = naive_alloc((a + h) * sizeof *s);
    for (size_t i = 0; i < a; i++)
        s[i] = string_of(json_array_get(array, i));
    for (size_t i = 0; i < h; i++)
        s[a + i] = bytes_of_hex(json_string_value(json_array_get(hex_array, i)));
    *n = a + h;
    return s;
}

json_t *read_lines(const char *path)
{
    FILE *f = fopen(path, "rb");
    json_t *all = json_array();
    char *line = NULL;
    size_t cap = 0;
    int number = 0;
    if (!f)
        perror(path);
    for (ssize_t got; f && (got = getline(&line, &cap, f)) > 0;) {
        json_error_t e;
        json_t *v = json_loadb(line, (size_t)got, JSON_ALLOW_NUL, &e);
        number++;
        if (!v)
            fprintf(stderr, "# %s:%d: %s\n", path, number, e.text);
        if (!v || json_array_append_new(all, v)) {
            json_decref(all);
            all = NULL;
            break;
        }
    }
    free(line);
    if (f)
        fclose(f);
    return f ? all : (json_decref(all), NULL);
}
