/* SPDX-License-Identifier: Apache-2.0 */
#include "text/words.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/map.h"
#include "base/thread.h"
#include "text/utf8.h"

typedef struct entry {
    const unsigned char *data; /* NULL: a gap */
    uint32_t len;
    uint32_t hash; /* low half: all that the index keeps */
} entry;

/* What changes as one: a packed copy is made aside and then put in its place. */
typedef struct content {
    acr_arena bytes;
    acr_map index; /* hash to place */
    entry *entries;
    size_t cap;
    uint32_t places;
    uint32_t count;
    uint64_t total; /* bytes of the keywords that are there */
} content;

struct acr_words {
    acr_mem mem;
    acr_refs refs;
    content now;
};

static void init_content(content *c, const acr_mem *mem)
{
    *c = (content){.cap = 0};
    acr_arena_init(&c->bytes, mem);
    acr_map_init(&c->index, mem);
}

static void free_content(content *c)
{
    acr_free(c->bytes.mem, c->entries, c->cap * sizeof *c->entries);
    acr_map_free(&c->index);
    acr_arena_free(&c->bytes);
}

acr_words *acr_words_new(const acr_mem *mem)
{
    acr_words *w = acr_alloc(mem, sizeof *w);
    if (w == NULL)
        return NULL;
    w->mem = *mem;
    acr_refs_init(&w->refs);
    init_content(&w->now, &w->mem);
    return w;
}

acr_words *acr_words_ref(acr_words *w)
{
    if (w != NULL)
        acr_refs_take(&w->refs);
    return w;
}

void acr_words_unref(acr_words *w)
{
    if (w == NULL || !acr_refs_drop(&w->refs))
        return;
    free_content(&w->now);
    acr_mem mem = w->mem;
    acr_free(&mem, w, sizeof *w);
}

/* What is known to be new: room is made for it first, so nothing is half done. */
static int append(content *c, acr_slice keyword, uint32_t hash, acor_error *err)
{
    if (c->places >= ACR_WORDS_MAX)
        return acr_fail(err, ACOR_ELIMIT, "more than %u keywords",
                        (unsigned)ACR_WORDS_MAX);
    ACR_TRY(acr_grow(c->bytes.mem, &c->entries, &c->cap, (size_t)c->places + 1,
                     sizeof *c->entries, err));
    ACR_TRY(acr_map_reserve(&c->index, 1, err));
    unsigned char *data = acr_arena_copy(&c->bytes, keyword);
    if (data == NULL)
        return acr_fail_nomem(err);
    ACR_TRY(acr_map_put(&c->index, hash, c->places, err));
    c->entries[c->places++] = (entry){data, (uint32_t)keyword.len, hash};
    c->count++;
    c->total += keyword.len;
    return ACOR_OK;
}

/* dst is empty. A little room is left, as most copies are made to add to. */
static int copy_packed(content *dst, const content *src, acor_error *err)
{
    if (src->count == 0)
        return ACOR_OK;
    size_t cap = (size_t)src->count + src->count / 16 + 8;
    dst->entries = acr_alloc_array(dst->bytes.mem, cap, sizeof *dst->entries);
    if (dst->entries == NULL)
        return acr_fail_nomem(err);
    dst->cap = cap;
    unsigned char *p = acr_arena_get(&dst->bytes, (size_t)src->total + src->count, 0);
    if (p == NULL)
        return acr_fail_nomem(err);
    const int same_places = src->count == src->places;
    if (same_places)
        ACR_TRY(acr_map_copy(&dst->index, &src->index, err));
    else
        ACR_TRY(acr_map_reserve(&dst->index, src->count, err));
    for (uint32_t i = 0; i < src->places; i++) {
        const entry *e = &src->entries[i];
        if (e->data == NULL)
            continue;
        if (!same_places)
            ACR_TRY(acr_map_put(&dst->index, e->hash, dst->count, err));
        memcpy(p, e->data, (size_t)e->len + 1);
        dst->entries[dst->count++] = (entry){p, e->len, e->hash};
        p += (size_t)e->len + 1;
    }
    dst->places = dst->count;
    dst->total = src->total;
    return ACOR_OK;
}

int acr_words_own(acr_words **w, acor_error *err)
{
    if (acr_refs_sole(&(*w)->refs))
        return ACOR_OK;
    acr_words *copy = acr_words_new(&(*w)->mem);
    if (copy == NULL)
        return acr_fail_nomem(err);
    int status = copy_packed(&copy->now, &(*w)->now, err);
    if (status < 0) {
        acr_words_unref(copy);
        return status;
    }
    acr_words_unref(*w);
    *w = copy;
    return ACOR_OK;
}

size_t acr_words_count(const acr_words *w)
{
    return w->now.count;
}

uint32_t acr_words_places(const acr_words *w)
{
    return w->now.places;
}

uint64_t acr_words_bytes(const acr_words *w)
{
    return w->now.total;
}

size_t acr_words_memory(const acr_words *w)
{
    const content *c = &w->now;
    return sizeof *w + c->bytes.total + c->cap * sizeof *c->entries +
           c->index.cap * sizeof *c->index.slots;
}

acr_slice acr_words_at(const acr_words *w, uint32_t place)
{
    if (place >= w->now.places)
        return acr_slice_of(NULL, 0);
    const entry *e = &w->now.entries[place];
    return acr_slice_of(e->data, e->len);
}

static int is_keyword(const void *user, uint32_t place, acr_slice keyword)
{
    const content *c = user;
    const entry *e = &c->entries[place];
    return acr_slice_eq(acr_slice_of(e->data, e->len), keyword);
}

static uint32_t find(const content *c, uint32_t hash, acr_slice keyword)
{
    return acr_map_get(&c->index, hash, keyword, is_keyword, c);
}

uint32_t acr_words_find(const acr_words *w, acr_slice keyword)
{
    return find(&w->now, (uint32_t)acr_hash(keyword), keyword);
}

int acr_words_add(acr_words *w, acr_slice keyword, int *added, acor_error *err)
{
    if (added != NULL)
        *added = 0;
    if (keyword.len > UINT32_MAX)
        return acr_fail(err, ACOR_ELIMIT, "a keyword of %zu bytes", keyword.len);
    uint32_t hash = (uint32_t)acr_hash(keyword);
    if (find(&w->now, hash, keyword) != ACR_WORDS_NONE)
        return ACOR_OK;
    ACR_TRY(append(&w->now, keyword, hash, err));
    if (added != NULL)
        *added = 1;
    return ACOR_OK;
}

int acr_words_remove(acr_words *w, acr_slice keyword)
{
    content *c = &w->now;
    uint32_t hash = (uint32_t)acr_hash(keyword);
    uint32_t place = find(c, hash, keyword);
    if (place == ACR_WORDS_NONE)
        return 0;
    acr_map_remove(&c->index, hash, place);
    c->count--;
    c->total -= c->entries[place].len;
    c->entries[place] = (entry){NULL, 0, 0};
    return 1;
}

int acr_words_pack(acr_words *w, acor_error *err)
{
    if (w->now.count == w->now.places)
        return ACOR_OK;
    content packed;
    init_content(&packed, &w->mem);
    int status = copy_packed(&packed, &w->now, err);
    if (status < 0) {
        free_content(&packed);
        return status;
    }
    free_content(&w->now);
    w->now = packed;
    return ACOR_OK;
}

/* --- order --------------------------------------------------------------- */

/*
 * Sorting by pieces of seven bytes, from the front: first all keywords by their
 * first piece, then each group that is still alike by the next one. Only what
 * is alike is looked at again, so the work is bounded by the bytes shared and
 * not by their number times the comparisons.
 */
enum { PIECE = 7, SMALL_GROUP = 16, RUN = 16 };

typedef struct item {
    uint64_t key; /* a piece, big-endian, and how many bytes it has */
    uint32_t place;
} item;

typedef struct group {
    uint32_t begin, end;
} group;

typedef struct sorter {
    const entry *entries;
    item *items, *spare;
    uint32_t *ends; /* where runs end, while merging */
    group *now, *next;
    size_t now_count, next_count;
} sorter;

/* The last byte says 0 to 7, or 8 if more bytes follow: a prefix comes first. */
static uint64_t piece_at(const entry *e, size_t depth)
{
    size_t left = e->len > depth ? e->len - depth : 0;
    unsigned char b[8] = {0};
    if (left > 0)
        memcpy(b, e->data + depth, left < PIECE ? left : PIECE);
    uint64_t key = 0;
    for (int i = 0; i < PIECE; i++)
        key = key << 8 | b[i];
    return key << 8 | (left < PIECE + 1 ? left : PIECE + 1);
}

static int has_more(uint64_t key)
{
    return (key & 0xFF) > PIECE;
}

/* Insertion, by key alone. */
static void sort_run(item *a, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        item x = a[i];
        size_t j = i;
        for (; j > 0 && a[j - 1].key > x.key; j--)
            a[j] = a[j - 1];
        a[j] = x;
    }
}

/* A run from a on: as long as it is in order, but RUN at least. */
static size_t take_run(item *a, size_t n)
{
    size_t i = 1;
    while (i < n && a[i - 1].key <= a[i].key)
        i++;
    if (i >= RUN || i == n)
        return i;
    i = n < RUN ? n : RUN;
    sort_run(a, i);
    return i;
}

static void merge(item *dst, const item *a, const item *a_end, const item *b,
                  const item *b_end)
{
    if (a_end[-1].key > b->key)
        while (a < a_end && b < b_end)
            *dst++ = b->key < a->key ? *b++ : *a++;
    memcpy(dst, a, (size_t)(a_end - a) * sizeof *a);
    dst += a_end - a;
    memcpy(dst, b, (size_t)(b_end - b) * sizeof *b);
}

/* items[begin, end) by key. What is in order already costs one look. */
static void sort_by_key(sorter *s, uint32_t begin, uint32_t end)
{
    item *from = s->items + begin, *to = s->spare + begin;
    uint32_t n = end - begin, runs = 0;
    for (uint32_t at = 0; at < n;) {
        at += (uint32_t)take_run(from + at, n - at);
        s->ends[runs++] = at;
    }
    while (runs > 1) {
        uint32_t kept = 0, at = 0;
        for (uint32_t i = 0; i < runs; i += 2) {
            uint32_t mid = s->ends[i], last = i + 1 < runs ? s->ends[i + 1] : mid;
            if (last > mid)
                merge(to + at, from + at, from + mid, from + mid, from + last);
            else
                memcpy(to + at, from + at, (mid - at) * sizeof *to);
            at = last;
            s->ends[kept++] = at;
        }
        runs = kept;
        item *t = from;
        from = to;
        to = t;
    }
    if (from != s->items + begin)
        memcpy(s->items + begin, from, n * sizeof *from);
}

static acr_slice rest(const entry *e, size_t depth)
{
    return acr_slice_of(e->data + depth, e->len - depth);
}

/* A group alike up to depth, by all that follows. */
static void sort_small(sorter *s, group g, size_t depth)
{
    for (uint32_t i = g.begin + 1; i < g.end; i++) {
        item x = s->items[i];
        acr_slice word = rest(&s->entries[x.place], depth);
        uint32_t j = i;
        for (; j > g.begin; j--) {
            const entry *before = &s->entries[s->items[j - 1].place];
            if (acr_slice_cmp(rest(before, depth), word) <= 0)
                break;
            s->items[j] = s->items[j - 1];
        }
        s->items[j] = x;
    }
}

/* Sorts one group by the piece at depth, and notes what is alike still. */
static void sort_group(sorter *s, group g, size_t depth)
{
    for (uint32_t i = g.begin; i < g.end; i++)
        s->items[i].key = piece_at(&s->entries[s->items[i].place], depth);
    sort_by_key(s, g.begin, g.end);
    for (uint32_t i = g.begin, j; i < g.end; i = j) {
        uint64_t key = s->items[i].key;
        for (j = i + 1; j < g.end && s->items[j].key == key; j++)
            ;
        if (j - i < 2 || !has_more(key))
            continue;
        if (j - i <= SMALL_GROUP)
            sort_small(s, (group){i, j}, depth + PIECE);
        else
            s->next[s->next_count++] = (group){i, j};
    }
}

static int in_order(const entry *entries, const uint32_t *places, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const entry *a = &entries[places[i - 1]], *b = &entries[places[i]];
        if (acr_slice_cmp(rest(a, 0), rest(b, 0)) > 0)
            return 0;
    }
    return 1;
}

static int sort_places(const entry *entries, uint32_t *places, uint32_t n,
                       const acr_mem *mem, acor_error *err)
{
    if (in_order(entries, places, n))
        return ACOR_OK;
    /* Groups that are kept have more than SMALL_GROUP members each. */
    const size_t groups = n / SMALL_GROUP + 1, runs = n / RUN + 1;
    sorter s = {.entries = entries};
    s.items = acr_alloc_array(mem, n, sizeof *s.items);
    s.spare = acr_alloc_array(mem, n, sizeof *s.spare);
    s.ends = acr_alloc_array(mem, runs, sizeof *s.ends);
    s.now = acr_alloc_array(mem, groups, sizeof *s.now);
    s.next = acr_alloc_array(mem, groups, sizeof *s.next);
    int status = ACOR_OK;
    if (!s.items || !s.spare || !s.ends || !s.now || !s.next) {
        status = acr_fail_nomem(err);
    } else {
        for (uint32_t i = 0; i < n; i++)
            s.items[i] = (item){0, places[i]};
        s.now[0] = (group){0, n};
        s.now_count = 1;
        for (size_t depth = 0; s.now_count > 0; depth += PIECE) {
            for (size_t i = 0; i < s.now_count; i++)
                sort_group(&s, s.now[i], depth);
            group *t = s.now;
            s.now = s.next;
            s.next = t;
            s.now_count = s.next_count;
            s.next_count = 0;
        }
        for (uint32_t i = 0; i < n; i++)
            places[i] = s.items[i].place;
    }
    acr_free(mem, s.items, n * sizeof *s.items);
    acr_free(mem, s.spare, n * sizeof *s.spare);
    acr_free(mem, s.ends, runs * sizeof *s.ends);
    acr_free(mem, s.now, groups * sizeof *s.now);
    acr_free(mem, s.next, groups * sizeof *s.next);
    return status;
}

int acr_words_sorted(const acr_words *w, const acr_mem *mem, uint32_t **out,
                     acor_error *err)
{
    const content *c = &w->now;
    *out = NULL;
    uint32_t *places = acr_alloc_array(mem, c->count, sizeof *places);
    if (places == NULL)
        return acr_fail_nomem(err);
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->places; i++)
        if (c->entries[i].data != NULL)
            places[n++] = i;
    int status = sort_places(c->entries, places, n, mem, err);
    if (status < 0) {
        acr_free(mem, places, c->count * sizeof *places);
        return status;
    }
    *out = places;
    return ACOR_OK;
}

size_t acr_words_shared(acr_slice a, acr_slice b)
{
    size_t n = acr_slice_common(a, b);
    while (n > 0 && n < b.len && (b.data[n] & 0xC0) == 0x80)
        n--;
    return n;
}

int acr_words_walk(const acr_words *w, const acr_mem *mem, acr_words_walk_fn fn, void *user,
                   acor_error *err)
{
    uint32_t *places;
    ACR_TRY(acr_words_sorted(w, mem, &places, err));
    int status = ACOR_OK;
    acr_slice before = acr_slice_of(NULL, 0);
    for (size_t i = 0; i < acr_words_count(w) && status == ACOR_OK; i++) {
        acr_slice word = acr_words_at(w, places[i]);
        status = fn(user, word, acr_words_shared(before, word), err);
        before = word;
    }
    acr_free(mem, places, acr_words_count(w) * sizeof *places);
    return status;
}

static int count_new(void *user, acr_slice word, size_t shared, acor_error *err)
{
    (void)err;
    *(uint64_t *)user += acr_utf8_count(acr_slice_of(word.data + shared, word.len - shared));
    return ACOR_OK;
}

int acr_words_nodes(const acr_words *w, const acr_mem *mem, uint64_t *nodes,
                    acor_error *err)
{
    *nodes = 1;
    return acr_words_walk(w, mem, count_new, nodes, err);
}
