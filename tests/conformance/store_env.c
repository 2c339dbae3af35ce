/* SPDX-License-Identifier: Apache-2.0 */
#include "store_env.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "store_fault.h"

/* --- memory --------------------------------------------------------------- */

static int refuses(test_memory *m)
{
    return ++m->count == m->fail_at;
}

static void *take(void *user, size_t size)
{
    test_memory *m = user;
    void *p = refuses(m) ? NULL : malloc(size);
    if (p != NULL) {
        m->blocks++;
        m->bytes += (long)size;
    }
    return p;
}

static void *change_size(void *user, void *ptr, size_t old_size, size_t new_size)
{
    test_memory *m = user;
    void *p = refuses(m) ? NULL : realloc(ptr, new_size);
    if (p != NULL)
        m->bytes += (long)new_size - (long)old_size;
    return p;
}

static void give_back(void *user, void *ptr, size_t size)
{
    test_memory *m = user;
    m->blocks--;
    m->bytes -= (long)size;
    free(ptr);
}

void test_memory_init(test_memory *m)
{
    *m = (test_memory){.blocks = 0};
    m->mem = (acr_mem){sizeof(acr_mem), take, change_size, give_back, m};
}

static const acr_mem *plain_memory(void)
{
    static acr_mem mem;
    ck_assert_int_eq(acr_mem_init(&mem, NULL, NULL), ACOR_OK);
    return &mem;
}

/* --- places --------------------------------------------------------------- */

const backend backends[] = {
    {"mem", "mem:", 0},
    {"mem through faults", "mem:", 1},
#ifdef WITH_SQLITE
    {"sqlite", "sqlite:", 0},
    {"sqlite through faults", "sqlite:", 1},
#endif
};
const int n_backends = (int)(sizeof backends / sizeof *backends);

void make_folder(char *dst, size_t size)
{
    const char *tmp = getenv("TMPDIR");
    int n = snprintf(dst, size, "%s/acor-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    ck_assert(n > 0 && (size_t)n < size);
    ck_assert_ptr_nonnull(mkdtemp(dst));
}

void remove_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return;
    const struct dirent *entry;
    while ((entry = readdir(dir)) != NULL) {
        char path[640];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (unlink(path) != 0)
            (void)rmdir(path);
    }
    (void)closedir(dir);
    (void)rmdir(folder);
}

void env_init(env *e, const backend *b)
{
    *e = (env){.backend = b};
    if (strcmp(b->scheme, "mem:") == 0) {
        (void)snprintf(e->url, sizeof e->url, "mem:");
        acr_store_params p = {.name = acr_slice_str("root"), .mem = plain_memory()};
        ck_assert_int_eq(acr_store_open(&e->root, e->url, &p, NULL, NULL), ACOR_OK);
        return;
    }
    make_folder(e->folder, sizeof e->folder);
    (void)snprintf(e->path, sizeof e->path, "%s/words.db", e->folder);
    /* No disk is waited for: that is the business of test_sqlite. */
    (void)snprintf(e->url, sizeof e->url, "sqlite:%s/words.db?synchronous=off",
                   e->folder);
}

void env_free(env *e)
{
    acr_store_close(e->root);
    if (e->folder[0] != '\0')
        remove_folder(e->folder);
}

int env_try_open(env *e, acr_store **out, const char *name, acr_case mode,
                 const acr_mem *mem, acor_error *err)
{
    acr_store_params p = {.name = acr_slice_str(name),
                          .mode = mode,
                          .mem = mem ? mem : plain_memory()};
    acr_store *s;
    int rc = acr_store_open(&s, e->url, &p, e->root, err);
    *out = rc == ACOR_OK ? s : NULL;
    if (rc == ACOR_OK && e->backend->fault) {
        *out = fault_wrap(s);
        if (*out == NULL) {
            acr_store_close(s);
            return acr_fail_nomem(err);
        }
    }
    return rc;
}

acr_store *env_open(env *e, const char *name, acr_case mode)
{
    acor_error err = ACOR_ERROR_INIT;
    acr_store *s;
    int rc = env_try_open(e, &s, name, mode, NULL, &err);
    ck_assert_msg(rc == ACOR_OK, "%d: %s", rc, err.message);
    return s;
}

env E;

void begin_with(int i)
{
    env_init(&E, &backends[i]);
}

acr_store *open_as(const char *name, acr_case mode)
{
    return env_open(&E, name, mode);
}

acr_store *open_words(void)
{
    return open_as("words", ACR_CASE_FOLDED);
}

acr_store *must_open(const char *url, const char *name, acr_case mode)
{
    acor_error err = ACOR_ERROR_INIT;
    acr_store_params p = {.name = acr_slice_str(name),
                          .mode = mode,
                          .mem = plain_memory()};
    acr_store *s;
    int rc = acr_store_open(&s, url, &p, NULL, &err);
    ck_assert_msg(rc == ACOR_OK, "%d: %s", rc, err.message);
    return s;
}

/* --- the naive dictionary ------------------------------------------------- */

void naive_free(naive *d)
{
    for (size_t i = 0; i < d->n; i++)
        free(d->keywords[i]);
    free(d->keywords);
    free(d->lens);
    *d = (naive){.n = 0};
}

size_t naive_find(const naive *d, acr_slice k)
{
    size_t i = 0;
    while (i < d->n && !acr_slice_eq(acr_slice_of(d->keywords[i], d->lens[i]), k))
        i++;
    return i;
}

static void append(naive *d, acr_slice k)
{
    if (d->n == d->cap) {
        d->cap = d->cap ? 2 * d->cap : 16;
        d->keywords = realloc(d->keywords, d->cap * sizeof *d->keywords);
        d->lens = realloc(d->lens, d->cap * sizeof *d->lens);
        ck_assert(d->keywords != NULL && d->lens != NULL);
    }
    d->keywords[d->n] = malloc(k.len ? k.len : 1);
    ck_assert_ptr_nonnull(d->keywords[d->n]);
    memcpy(d->keywords[d->n], k.data, k.len);
    d->lens[d->n++] = k.len;
}

int naive_add(naive *d, acr_slice k)
{
    if (naive_find(d, k) < d->n)
        return 0;
    append(d, k);
    return 1;
}

int naive_remove(naive *d, acr_slice k)
{
    size_t at = naive_find(d, k);
    if (at == d->n)
        return 0;
    free(d->keywords[at]);
    d->n--;
    memmove(d->keywords + at, d->keywords + at + 1, (d->n - at) * sizeof *d->keywords);
    memmove(d->lens + at, d->lens + at + 1, (d->n - at) * sizeof *d->lens);
    return 1;
}

void naive_copy(naive *dst, const naive *src)
{
    *dst = (naive){.n = 0};
    for (size_t i = 0; i < src->n; i++)
        append(dst, acr_slice_of(src->keywords[i], src->lens[i]));
}

int naive_eq(const naive *a, const naive *b)
{
    if (a->n != b->n)
        return 0;
    for (size_t i = 0; i < a->n; i++)
        if (!acr_slice_eq(acr_slice_of(a->keywords[i], a->lens[i]),
                          acr_slice_of(b->keywords[i], b->lens[i])))
            return 0;
    return 1;
}

/* --- the follower --------------------------------------------------------- */

typedef struct loading {
    follower *f;
    naive words;
    int begun;
} loading;

static int on_begin(void *user, acr_load_kind kind, acor_error *err)
{
    (void)err;
    loading *l = user;
    ck_assert_int_eq(l->begun, 0);
    ck_assert_int_ne(kind, ACR_LOAD_UNCHANGED);
    l->begun = 1;
    l->f->kind = kind;
    if (kind == ACR_LOAD_DELTA)
        naive_copy(&l->words, &l->f->words);
    return ACOR_OK;
}

static int on_piece(void *user, const acr_change *changes, size_t n, acor_error *err)
{
    loading *l = user;
    ck_assert_int_eq(l->begun, 1);
    ck_assert_uint_gt(n, 0);
    l->f->pieces++;
    if (l->f->fail_piece != 0 && l->f->pieces == (size_t)l->f->fail_piece)
        return acr_fail(err, l->f->fail_status, "the sink had enough");
    for (size_t i = 0; i < n && !l->f->count_only; i++) {
        if (changes[i].remove)
            (void)naive_remove(&l->words, changes[i].keyword);
        else if (l->f->kind == ACR_LOAD_DELTA)
            (void)naive_add(&l->words, changes[i].keyword);
        else
            append(&l->words, changes[i].keyword); /* a whole has no repetition */
    }
    l->f->changes += n;
    return ACOR_OK;
}

int follow(follower *f, acr_store *s, acor_error *err)
{
    loading l = {.f = f};
    acr_load_sink sink = {on_begin, on_piece, &l};
    acr_load_result result;
    f->pieces = f->changes = 0;
    f->kind = ACR_LOAD_UNCHANGED;
    int rc =
        s->ops->load(s, f->version.len ? &f->version : NULL, &sink, &result, soon(), err);
    if (rc != ACOR_OK) {
        naive_free(&l.words);
        return rc;
    }
    ck_assert_int_eq(result.kind, f->kind);
    ck_assert_int_eq(l.begun, result.kind != ACR_LOAD_UNCHANGED);
    ck_assert_uint_gt(result.version.len, 0);
    if (result.kind != ACR_LOAD_UNCHANGED) {
        naive_free(&f->words);
        f->words = l.words;
    }
    f->version = result.version;
    f->mode = result.mode;
    return ACOR_OK;
}

void must_follow(follower *f, acr_store *s)
{
    acor_error err = ACOR_ERROR_INIT;
    int rc = follow(f, s, &err);
    ck_assert_msg(rc == ACOR_OK, "%d: %s", rc, err.message);
}

void follower_free(follower *f)
{
    naive_free(&f->words);
    *f = (follower){.pieces = 0};
}

/* --- short forms ---------------------------------------------------------- */

acr_deadline soon(void)
{
    return acr_deadline_in_ms(5000);
}

acr_op op_of(acr_op_kind kind, const char *keyword)
{
    return (acr_op){.keyword = acr_slice_str(keyword), .kind = kind};
}

int apply_ops(acr_store *s, const acr_op *ops, size_t n, unsigned char *outcomes,
              acr_apply_result *result, acor_error *err)
{
    acr_request request = {.ops = ops, .n = n};
    acr_apply_result none;
    unsigned char *mine = outcomes ? outcomes : malloc(n ? n : 1);
    ck_assert_ptr_nonnull(mine);
    int rc = s->ops->apply(s, &request, mine, result ? result : &none, soon(), err);
    if (outcomes == NULL)
        free(mine);
    return rc;
}

static int must_do(acr_store *s, acr_op_kind kind, const char *keyword)
{
    acor_error err = ACOR_ERROR_INIT;
    acr_op op = op_of(kind, keyword);
    acr_apply_result result;
    unsigned char outcome = 77;
    int rc = apply_ops(s, &op, 1, &outcome, &result, &err);
    ck_assert_msg(rc == ACOR_OK, "%d: %s", rc, err.message);
    ck_assert_uint_eq(outcome, result.changed);
    return outcome == ACR_DONE;
}

int must_add(acr_store *s, const char *keyword)
{
    return must_do(s, ACR_OP_ADD, keyword);
}

int must_remove(acr_store *s, const char *keyword)
{
    return must_do(s, ACR_OP_REMOVE, keyword);
}

acr_apply_result must_add_range(acr_store *s, const char *prefix, int first, int n)
{
    acor_error err = ACOR_ERROR_INIT;
    acr_op *ops = calloc((size_t)n, sizeof *ops);
    char *text = malloc((size_t)n * 32);
    ck_assert(ops != NULL && text != NULL);
    for (int i = 0; i < n; i++) {
        (void)snprintf(text + 32 * i, 32, "%s%d", prefix, first + i);
        ops[i] = op_of(ACR_OP_ADD, text + 32 * i);
    }
    acr_apply_result result;
    int rc = apply_ops(s, ops, (size_t)n, NULL, &result, &err);
    ck_assert_msg(rc == ACOR_OK, "%d: %s", rc, err.message);
    free(text);
    free(ops);
    return result;
}

acr_store_info must_info(acr_store *s)
{
    acor_error err = ACOR_ERROR_INIT;
    acr_store_info info;
    int rc = s->ops->info(s, &info, soon(), &err);
    ck_assert_msg(rc == ACOR_OK, "%d: %s", rc, err.message);
    return info;
}
