/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/redis/json.h"

/* --- lists ------------------------ */

static void *grow(void *p, size_t *cap, size_t n, size_t size)
{
    if (n < *cap)
        return p;
    *cap = *cap ? *cap * 2 : 16;
    p = realloc(p, *cap * size);
    if (p == NULL)
        ck_abort_msg("no memory for the test itself");
    return p;
}

static acr_slice copy_of(acr_slice s)
{
    unsigned char *p = malloc(s.len + 1);
    if (p == NULL)
        ck_abort_msg("no memory for the test itself");
    if (s.len != 0)
        memcpy(p, s.data, s.len);
    p[s.len] = '\0';
    return acr_slice_of(p, s.len);
}

static void drop(acr_slice s)
{
    void *p;
    memcpy(&p, &s.data, sizeof p);
    free(p);
}

void model_list_add(model_list *l, acr_slice s)
{
    l->items = grow(l->items, &l->cap, l->n, sizeof *l->items);
    l->items[l->n++] = copy_of(s);
}

void model_list_free(model_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        drop(l->items[i]);
    free(l->items);
    *l = (model_list){0};
}

size_t model_list_find(const model_list *l, acr_slice s)
{
    for (size_t i = 0; i < l->n; i++)
        if (acr_slice_eq(l->items[i], s))
            return i;
    return SIZE_MAX;
}

void model_list_remove(model_list *l, size_t i)
{
    drop(l->items[i]);
    l->n--;
    memmove(l->items + i, l->items + i + 1, (l->n - i) * sizeof *l->items);
}

static int by_bytes(const void *a, const void *b)
{
    return acr_slice_cmp(*(const acr_slice *)a, *(const acr_slice *)b);
}

/* The same slices in the order of their bytes; only the array is to be freed. */
static acr_slice *sorted(const model_list *l)
{
    acr_slice *items = malloc((l->n + 1) * sizeof *items);
    if (items == NULL)
        ck_abort_msg("no memory for the test itself");
    if (l->n != 0) {
        memcpy(items, l->items, l->n * sizeof *items);
        qsort(items, l->n, sizeof *items, by_bytes);
    }
    return items;
}

void model_request(model_list *words, const acr_request *r, uint64_t *changed,
                   uint64_t *removed)
{
    *changed = *removed = 0;
    for (size_t i = words->n; r->replace_all && i-- > 0;) {
        int named = 0;
        for (size_t k = 0; k < r->n; k++)
            named |= acr_slice_eq(r->ops[k].keyword, words->items[i]);
        if (!named) {
            model_list_remove(words, i);
            ++*removed;
        }
    }
    for (size_t i = 0; i < r->n; i++) {
        size_t at = model_list_find(words, r->ops[i].keyword);
        if (r->ops[i].kind == ACR_OP_REMOVE && at != SIZE_MAX)
            model_list_remove(words, at);
        else if (r->ops[i].kind != ACR_OP_REMOVE && at == SIZE_MAX)
            model_list_add(words, r->ops[i].keyword);
        else
            continue;
        ++*changed;
    }
}

/* --- JSON, by itself ------------------------ */

typedef struct text {
    char *p;
    size_t len, cap;
} text;

static void put(text *t, const char *s, size_t n)
{
    while (t->len + n + 1 > t->cap) {
        t->cap = t->cap ? t->cap * 2 : 64;
        t->p = realloc(t->p, t->cap);
        if (t->p == NULL)
            ck_abort_msg("no memory for the test itself");
    }
    memcpy(t->p + t->len, s, n);
    t->len += n;
}

/* Only what the dictionaries here hold: valid UTF-8. */
static void put_string(text *t, acr_slice s)
{
    put(t, "\"", 1);
    for (size_t i = 0; i < s.len; i++) {
        char e[8];
        unsigned char c = s.data[i];
        if (c == '"' || c == '\\')
            snprintf(e, sizeof e, "\\%c", c);
        else if (c == '\n')
            snprintf(e, sizeof e, "\\n");
        else if (c < 0x20 || c == '<' || c == '>' || c == '&')
            snprintf(e, sizeof e, "\\u%04x", c);
        else if (s.len - i >= 3 && memcmp(s.data + i, "\xE2\x80", 2) == 0 &&
                 (s.data[i + 2] & 0xFE) == 0xA8)
            snprintf(e, sizeof e, "\\u20%x", s.data[i + 2] - 0x80);
        else
            e[0] = '\0';
        if (e[0] != '\0')
            put(t, e, strlen(e));
        else
            put(t, (const char *)s.data + i, 1);
        i += c >= 0x80 && e[0] != '\0' ? 2 : 0;
    }
    put(t, "\"", 1);
}

static acr_slice array_of(const model_list *l)
{
    text t = {0};
    put(&t, "[", 1);
    for (size_t i = 0; i < l->n; i++) {
        if (i != 0)
            put(&t, ",", 1);
        put_string(&t, l->items[i]);
    }
    put(&t, "]", 1);
    return acr_slice_of(t.p, t.len);
}

static int take_element(void *user, acr_slice s, acor_error *err)
{
    (void)err;
    model_list_add(user, s);
    return ACOR_OK;
}

static void read_array(model_list *l, acr_slice json, const char *what)
{
    acr_mem mem;
    acr_buf scratch;
    acor_error err = ACOR_ERROR_INIT;
    model_list_free(l);
    (void)acr_mem_init(&mem, NULL, NULL);
    acr_buf_init(&scratch, &mem);
    if (acr_json_each_string(json, what, &scratch, take_element, l, &err) != ACOR_OK)
        ck_abort_msg("%s in \"%.*s\"", err.message, (int)json.len, (const char *)json.data);
    acr_buf_free(&scratch);
}

/* --- outputs ------------------------ */

/* Where a state is, or would be. */
static size_t place_of(const model_stored *s, acr_slice state, int *there)
{
    size_t lo = 0, hi = s->n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (acr_slice_cmp(s->pairs[mid].state, state) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    *there = lo < s->n && acr_slice_eq(s->pairs[lo].state, state);
    return lo;
}

static void set_pair(model_stored *s, acr_slice state, acr_slice value)
{
    int there;
    size_t i = place_of(s, state, &there);
    if (there) {
        drop(s->pairs[i].value);
    } else {
        s->pairs = grow(s->pairs, &s->cap, s->n, sizeof *s->pairs);
        memmove(s->pairs + i + 1, s->pairs + i, (s->n++ - i) * sizeof *s->pairs);
        s->pairs[i].state = copy_of(state);
    }
    s->pairs[i].value = copy_of(value);
}

static void unset_pair(model_stored *s, size_t i)
{
    drop(s->pairs[i].state);
    drop(s->pairs[i].value);
    s->n--;
    memmove(s->pairs + i, s->pairs + i + 1, (s->n - i) * sizeof *s->pairs);
}

static void drop_pairs(model_stored *s)
{
    while (s->n != 0)
        unset_pair(s, s->n - 1);
}

void model_stored_free(model_stored *s)
{
    drop_pairs(s);
    free(s->pairs);
    drop(s->keywords_text);
    drop(s->prefixes_text);
    model_list_free(&s->keywords);
    model_list_free(&s->prefixes);
    *s = (model_stored){0};
}

/* --- the stored form, from scratch ------------------------ */

static int is_boundary(acr_slice s, size_t i)
{
    return i == s.len || (s.data[i] & 0xC0) != 0x80;
}

static void make_outputs(model_stored *s, acr_slice state, const acr_slice *words, size_t n)
{
    model_list found = {0};
    for (size_t i = 0; i < state.len; i++) {
        acr_slice suffix = acr_slice_of(state.data + i, state.len - i);
        if (is_boundary(state, i) && bsearch(&suffix, words, n, sizeof *words, by_bytes))
            model_list_add(&found, suffix);
    }
    if (found.n != 0) {
        acr_slice value = array_of(&found);
        set_pair(s, state, value);
        drop(value);
    }
    model_list_free(&found);
}

void model_make(model_stored *s, const model_list *words)
{
    acr_slice *order = sorted(words);
    *s = (model_stored){0};
    model_list_add(&s->prefixes, acr_slice_str(""));
    for (size_t i = 0; i < words->n; i++) {
        acr_slice w = order[i];
        model_list_add(&s->keywords, words->items[i]);
        for (size_t end = 1; end <= w.len; end++) {
            acr_slice prefix = acr_slice_of(w.data, end);
            /* In byte order, a prefix somebody had before was the neighbour's too. */
            int known = i != 0 && order[i - 1].len >= end &&
                        memcmp(order[i - 1].data, w.data, end) == 0;
            if (!is_boundary(w, end) || known)
                continue;
            model_list_add(&s->prefixes, prefix);
            make_outputs(s, prefix, order, words->n);
        }
    }
    free(order);
    s->keywords_text = array_of(&s->keywords);
    s->prefixes_text = array_of(&s->prefixes);
}

/* --- a server in memory ------------------------ */

static void write_text(acr_slice *stored, const acr_buf *sent, int append)
{
    text t = {0};
    if (append) {
        if (stored->len == 0 || stored->data[stored->len - 1] != ']')
            ck_abort_msg("appended to what does not end in a bracket");
        put(&t, (const char *)stored->data, stored->len - 1);
    }
    put(&t, (const char *)sent->data, sent->len);
    drop(*stored);
    *stored = acr_slice_of(t.p, t.len);
}

static void check_sent_once(const acr_plan *p)
{
    model_list states = {0};
    for (size_t i = 0; i < p->states_n; i++)
        model_list_add(&states, p->states[i].state);
    acr_slice *order = sorted(&states);
    for (size_t i = 1; i < states.n; i++)
        if (acr_slice_eq(order[i - 1], order[i]))
            ck_abort_msg("state \"%s\" is sent twice", (const char *)order[i].data);
    free(order);
    model_list_free(&states);
}

static void apply_state(model_stored *s, const acr_plan_state *new)
{
    int there;
    size_t i = place_of(s, new->state, &there);
    int same = there ? acr_slice_eq(s->pairs[i].value, new->value) : new->value.len == 0;
    if (same)
        ck_abort_msg("state \"%.*s\" is sent as it was, %.*s", (int)new->state.len,
                     (const char *)new->state.data, (int)new->value.len,
                     new->value.len ? (const char *)new->value.data : "");
    if (new->value.len == 0)
        unset_pair(s, i);
    else
        set_pair(s, new->state, new->value);
}

void model_apply(model_stored *s, const acr_plan *p)
{
    if (p->changed == 0 && p->removed == 0) {
        if (p->keywords.len != 0 || p->prefixes.len != 0 || p->states_n != 0)
            ck_abort_msg("a plan that changes nothing has something to send");
        return;
    }
    check_sent_once(p);
    write_text(&s->keywords_text, &p->keywords, p->append);
    write_text(&s->prefixes_text, &p->prefixes, p->append);
    read_array(&s->keywords, s->keywords_text, "keywords");
    read_array(&s->prefixes, s->prefixes_text, "prefixes");
    if (p->clear)
        drop_pairs(s);
    for (size_t i = 0; i < p->states_n; i++)
        apply_state(s, &p->states[i]);
}

static void check_prefixes(const model_stored *server, const model_stored *want)
{
    if (server->prefixes.n == 0 || server->prefixes.items[0].len != 0)
        ck_abort_msg("the root is not the first prefix");
    if (server->prefixes.n != want->prefixes.n)
        ck_abort_msg("%zu prefixes, not %zu: %s", server->prefixes.n, want->prefixes.n,
                     (const char *)server->prefixes_text.data);
    acr_slice *a = sorted(&server->prefixes), *b = sorted(&want->prefixes);
    for (size_t i = 0; i < want->prefixes.n; i++)
        if (!acr_slice_eq(a[i], b[i]))
            ck_abort_msg("prefix \"%s\" where \"%s\" should be", (const char *)a[i].data,
                         (const char *)b[i].data);
    free(a);
    free(b);
    if (server->prefixes_text.len != want->prefixes_text.len)
        ck_abort_msg("prefixes are written in another spelling");
}

void model_check(const model_stored *server, const model_list *words)
{
    model_stored want;
    model_make(&want, words);
    if (!acr_slice_eq(server->keywords_text, want.keywords_text))
        ck_abort_msg("keywords differ");
    check_prefixes(server, &want);
    if (server->n != want.n)
        ck_abort_msg("%zu states have outputs, not %zu", server->n, want.n);
    for (size_t i = 0; i < want.n; i++)
        if (!acr_slice_eq(server->pairs[i].state, want.pairs[i].state) ||
            !acr_slice_eq(server->pairs[i].value, want.pairs[i].value))
            ck_abort_msg("state \"%s\" has %s where \"%s\" should have %s",
                         (const char *)server->pairs[i].state.data,
                         (const char *)server->pairs[i].value.data,
                         (const char *)want.pairs[i].state.data,
                         (const char *)want.pairs[i].value.data);
    model_stored_free(&want);
}

/* --- towards the planner ------------------------ */

acr_words *model_words(const model_list *words, const acr_mem *mem)
{
    acr_words *w = acr_words_new(mem);
    if (w == NULL)
        ck_abort_msg("no memory for the test itself");
    for (size_t i = 0; i < words->n; i++)
        if (acr_words_add(w, words->items[i], NULL, NULL) != ACOR_OK)
            ck_abort_msg("no memory for the test itself");
    return w;
}

acr_plan_base model_base(const model_stored *s, acr_words *words, const acr_mem *mem)
{
    acr_plan_sizes sizes;
    acr_slice k = s->keywords_text;
    if (acr_plan_measure(&sizes, mem, words, NULL) != ACOR_OK)
        ck_abort_msg("cannot measure");
    return (acr_plan_base){
        .words = words,
        .appendable = k.len >= 2 && k.data[k.len - 1] == ']' &&
                      s->keywords.n == acr_words_count(words),
        .keywords_len = k.len,
        .prefixes_len = s->prefixes_text.len,
        .complete = sizes.prefixes == s->prefixes_text.len && sizes.outputs == s->n,
    };
}
