/* SPDX-License-Identifier: Apache-2.0 */
/* The stored texts that are written down in the vectors and the layout's examples. */
#include "acor_test.h"

#include <jansson.h>

#include "model.h"
#include "text/normalize.h"

enum { MOST_OPS = 16 };

static acr_mem mem;
static model_stored server;
static model_list words;

/* --- steps ------------------------ */

static void write_request(const acr_request *r)
{
    unsigned char outcomes[MOST_OPS];
    acr_plan p;
    uint64_t changed, removed;
    acr_words *known = model_words(&words, &mem);
    acr_plan_base base = model_base(&server, known, &mem);
    ck_assert_int_eq(acr_plan_make(&p, &mem, &base, r, outcomes, NULL), ACOR_OK);
    model_apply(&server, &p);
    model_request(&words, r, &changed, &removed);
    acr_plan_free(&p);
    acr_words_unref(known);
}

static acr_slice normal(acr_buf *buf, const json_t *keyword, int exact)
{
    size_t len, at = buf->len;
    acr_slice raw = acr_slice_of(json_string_value(keyword), json_string_length(keyword));
    ck_assert_int_eq(acr_normalize(buf, raw, !exact, &len, NULL), ACOR_OK);
    return acr_slice_of(buf->data + at, len);
}

static void do_step(const json_t *step, int exact)
{
    acr_buf buf;
    acr_op ops[MOST_OPS];
    acr_request r = {.ops = ops};
    const char *verb = json_string_value(json_array_get(step, 0));
    const json_t *what = json_array_get(step, 1);
    acr_buf_init(&buf, &mem);
    ck_assert_int_eq(acr_buf_reserve(&buf, 4096, NULL), ACOR_OK);
    r.replace_all = strcmp(verb, "flush") == 0;
    r.n = json_is_array(what) ? json_array_size(what) : what != NULL;
    for (size_t i = 0; i < r.n; i++) {
        const json_t *keyword = json_is_array(what) ? json_array_get(what, i) : what;
        ops[i] = (acr_op){.keyword = normal(&buf, keyword, exact),
                          .kind = strncmp(verb, "remove", 6) == 0 ? ACR_OP_REMOVE
                                                                  : ACR_OP_ADD};
    }
    write_request(&r);
    acr_buf_free(&buf);
}

/* --- comparing ------------------------ */

static acr_slice text_of(const json_t *v)
{
    return acr_slice_of(json_string_value(v), json_string_length(v));
}

/* The same elements in any order, the root first. */
static void check_prefixes(const json_t *expected)
{
    json_t *list = json_loadb(json_string_value(expected), json_string_length(expected), 0,
                              NULL);
    ck_assert_ptr_nonnull(list);
    ck_assert_uint_eq(server.prefixes.n, json_array_size(list));
    ck_assert_uint_eq(server.prefixes.items[0].len, 0);
    ck_assert_uint_eq(server.prefixes_text.len, json_string_length(expected));
    for (size_t i = 0; i < json_array_size(list); i++)
        ck_assert(model_list_find(&server.prefixes, text_of(json_array_get(list, i))) !=
                  SIZE_MAX);
    json_decref(list);
}

static void check_outputs(json_t *expected)
{
    ck_assert_uint_eq(server.n, json_object_size(expected));
    for (size_t i = 0; i < server.n; i++) {
        const json_t *value =
            json_object_get(expected, (const char *)server.pairs[i].state.data);
        ck_assert_ptr_nonnull(value);
        ck_assert(acr_slice_eq(server.pairs[i].value, text_of(value)));
    }
}

static void run_vector(const json_t *v)
{
    json_t *steps = json_object_get(json_object_get(v, "options"), "steps");
    json_t *expected = json_object_get(v, "expected");
    for (size_t i = 0; i < json_array_size(steps); i++)
        do_step(json_array_get(steps, i),
                json_is_true(json_object_get(v, "case_sensitive")));
    if (json_array_size(steps) != 0) {
        ck_assert(acr_slice_eq(server.keywords_text,
                               text_of(json_object_get(expected, "trie.keywords"))));
        check_prefixes(json_object_get(expected, "trie.prefixes"));
        check_outputs(json_object_get(expected, "outputs"));
        model_check(&server, &words);
    }
    model_stored_free(&server);
    model_list_free(&words);
}

START_TEST(storage_vectors_are_met_to_the_byte)
{
    FILE *f = fopen(TEST_DATA "/interop/data/vectors.jsonl", "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(acr_mem_init(&mem, NULL, NULL), ACOR_OK);
    int n = 0;
    json_t *v;
    while ((v = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL)) != NULL) {
        if (strcmp(json_string_value(json_object_get(v, "op")), "storage") == 0) {
            run_vector(v);
            n++;
        }
        json_decref(v);
    }
    fclose(f);
    ck_assert_int_eq(n, 17);
}
END_TEST

/* --- the examples of the layout's description ------------------------ */

static void one(acr_op_kind kind, const char *keyword)
{
    acr_op op = {.keyword = acr_slice_str(keyword), .kind = kind};
    acr_request r = {.ops = &op, .n = 1};
    write_request(&r);
    model_check(&server, &words);
}

static void has_prefixes(const char *const *want, size_t n)
{
    ck_assert_uint_eq(server.prefixes.n, n);
    for (size_t i = 0; i < n; i++)
        ck_assert(model_list_find(&server.prefixes, acr_slice_str(want[i])) != SIZE_MAX);
}

static void has_output(const char *state, const char *value)
{
    for (size_t i = 0; i < server.n; i++)
        if (acr_slice_eq(server.pairs[i].state, acr_slice_str(state))) {
            ck_assert_str_eq((const char *)server.pairs[i].value.data, value);
            return;
        }
    ck_abort_msg("no outputs of %s", state);
}

START_TEST(worked_examples_of_the_layout_come_out)
{
    static const char *const three[] = {"", "h", "he", "s", "sh", "she", "her"};
    static const char *const last[] = {"", "s", "sh", "she"};
    ck_assert_int_eq(acr_mem_init(&mem, NULL, NULL), ACOR_OK);
    one(ACR_OP_ADD, "he");
    one(ACR_OP_ADD, "she");
    one(ACR_OP_ADD, "her");
    ck_assert(acr_slice_eq(server.keywords_text, acr_slice_str("[\"he\",\"she\",\"her\"]")));
    has_prefixes(three, 7);
    ck_assert_uint_eq(server.n, 3);
    has_output("he", "[\"he\"]");
    has_output("she", "[\"she\",\"he\"]");
    has_output("her", "[\"her\"]");
    one(ACR_OP_REMOVE, "he");
    ck_assert(acr_slice_eq(server.keywords_text, acr_slice_str("[\"she\",\"her\"]")));
    has_prefixes(three, 7);
    ck_assert_uint_eq(server.n, 2);
    has_output("she", "[\"she\"]");
    has_output("her", "[\"her\"]");
    one(ACR_OP_REMOVE, "her");
    has_prefixes(last, 4);
    one(ACR_OP_ADD, "<b>");
    has_output("<b>", "[\"\\u003cb\\u003e\"]");
    model_stored_free(&server);
    model_list_free(&words);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("redis plan vectors");
    TCase *c = tcase_create("vectors");
    tcase_add_test(c, storage_vectors_are_met_to_the_byte);
    tcase_add_test(c, worked_examples_of_the_layout_come_out);
    suite_add_tcase(suite, c);
    return acor_test_run(suite);
}
