/* SPDX-License-Identifier: Apache-2.0 */
/* Plans of writes against a model that knows nothing but the definition. */
#include "acor_test.h"
#include "count_alloc.h"

#include <stdio.h>

#include "model.h"

enum { MOST_OPS = 40 };

static count_alloc counter;
static acr_mem mem;
static model_stored server;
static model_list words;
static uint64_t seed;

static void setup(void)
{
    mem = count_alloc_mem(&counter);
    seed = 1;
}

static void teardown(void)
{
    model_stored_free(&server);
    model_list_free(&words);
    ck_assert_uint_eq(counter.blocks, 0);
    ck_assert_uint_eq(counter.bytes, 0);
}

static uint32_t below(uint32_t n)
{
    return count_random(&seed) % n;
}

/* --- one step ------------------------ */

static void check_outcomes(const acr_request *r, const model_list *before,
                           const unsigned char *outcomes)
{
    for (size_t i = 0; i < r->n; i++) {
        int there = model_list_find(before, r->ops[i].keyword) != SIZE_MAX;
        int removes = r->ops[i].kind == ACR_OP_REMOVE;
        if (outcomes[i] != (there == removes ? ACR_DONE : ACR_DONE_NOTHING))
            ck_abort_msg("outcome %zu is %d", i, outcomes[i]);
    }
}

/* Plan on this base, apply to both sides, compare. The plan stays. */
static void step_on(acr_plan *p, acr_plan_base *base, const acr_request *r)
{
    unsigned char outcomes[MOST_OPS];
    uint64_t changed, removed;
    if (acr_plan_make(p, &mem, base, r, outcomes, NULL) != ACOR_OK)
        ck_abort_msg("no plan");
    check_outcomes(r, &words, outcomes);
    model_request(&words, r, &changed, &removed);
    if (p->changed != changed || p->removed != removed)
        ck_abort_msg("%d changes and %d removed, not %d and %d", (int)p->changed,
                     (int)p->removed, (int)changed, (int)removed);
    model_apply(&server, p);
    if (changed + removed != 0)
        model_check(&server, &words);
}

static void step(acr_plan *p, const acr_request *r)
{
    acr_words *known = model_words(&words, &mem);
    acr_plan_base base = model_base(&server, known, &mem);
    step_on(p, &base, r);
    acr_words_unref(known);
}

static acr_op op_of(acr_op_kind kind, const char *keyword)
{
    return (acr_op){.keyword = acr_slice_str(keyword), .kind = kind};
}

static void step_one(acr_op_kind kind, const char *keyword)
{
    acr_plan p;
    acr_op op = op_of(kind, keyword);
    acr_request r = {.ops = &op, .n = 1};
    step(&p, &r);
    acr_plan_free(&p);
}

/* As many of these as fit, to begin with. */
static void start_with(const model_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        model_list_add(&words, l->items[i]);
    model_stored_free(&server);
    model_make(&server, &words);
}

/* --- random dictionaries ------------------------ */

typedef struct shape {
    const char *letters[8];
    uint32_t letters_n, longest;
    size_t start; /* words there before the first step */
    uint32_t ops, rounds, steps;
} shape;

static const shape shapes[] = {
    /* whole rewrites: batches as large as the dictionary */
    {{"a", "b"}, 2, 6, 0, 12, 60, 12},
    {{"a"}, 1, 24, 0, 6, 40, 10},
    {{"a", "\xC3\xA9", "\xED\x95\x9C", "\xF0\x9F\x98\x80"}, 4, 4, 0, 12, 60, 12},
    /* the same first bytes, other code points */
    {{"\xC3\xA9", "\xC3\xA8", "\xE2\x81\xA8", "\xE2\x80\xA8", "\xE2\x80\xA9"},
     5, 4, 0, 10, 50, 10},
    {{"<", "\"", "\\", "&", "\n", "\x01", "\xE2\x80\xA8", "a"}, 8, 3, 0, 12, 50, 12},
    /* only what changes: a few words in many */
    {{"a", "b"}, 2, 8, 150, 3, 12, 20},
    {{"a"}, 1, 60, 40, 3, 20, 16},
    {{"a", "\xC3\xA9", "\xED\x95\x9C", "\xF0\x9F\x98\x80"}, 4, 5, 150, 4, 12, 20},
    {{"\xC3\xA9", "\xC3\xA8", "\xE2\x81\xA8", "\xE2\x80\xA8", "\xE2\x80\xA9"},
     5, 5, 120, 4, 12, 20},
    {{"a", "b", "c", "d", "e", "f"}, 6, 7, 200, 6, 10, 16},
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

static acr_slice random_word(const shape *s, char *buf)
{
    uint32_t n = 1 + below(s->longest);
    size_t len = 0;
    for (uint32_t i = 0; i < n; i++) {
        const char *l = s->letters[below(s->letters_n)];
        memcpy(buf + len, l, strlen(l));
        len += strlen(l);
    }
    return acr_slice_of(buf, len);
}

/* Words that are or resemble what is there: one of them, its head, its tail. */
static acr_slice related_word(const shape *s, char *buf)
{
    if (words.n == 0 || below(3) == 0)
        return random_word(s, buf);
    acr_slice w = words.items[below((uint32_t)words.n)];
    size_t cut = below((uint32_t)w.len);
    while (cut > 0 && (w.data[cut] & 0xC0) == 0x80)
        cut--;
    if (cut != 0 && below(2) == 0)
        w.len = cut;
    else if (cut != 0 && below(2) == 0)
        w = acr_slice_of(w.data + cut, w.len - cut);
    memcpy(buf, w.data, w.len);
    return acr_slice_of(buf, w.len);
}

static size_t random_ops(const shape *s, acr_op *ops, char (*texts)[512], int replace)
{
    size_t n = 0;
    for (uint32_t i = below(s->ops + 1); i > 0 && n < MOST_OPS; i--) {
        acr_slice w = related_word(s, texts[n]);
        int known = 0;
        for (size_t k = 0; k < n; k++)
            known |= acr_slice_eq(ops[k].keyword, w);
        acr_op_kind kind = below(3) == 0 ? ACR_OP_PUT : ACR_OP_ADD;
        if (!replace && below(5) < 2)
            kind = ACR_OP_REMOVE;
        if (!known)
            ops[n++] = (acr_op){.keyword = w, .kind = kind};
    }
    return n;
}

static void random_step(const shape *s)
{
    static char texts[MOST_OPS][512];
    acr_op ops[MOST_OPS];
    acr_plan p;
    acr_request r = {.ops = ops, .replace_all = below(10) == 0};
    /* Replacing a large dictionary by a few words would leave nothing large. */
    if (s->start != 0)
        r.replace_all = 0;
    r.n = random_ops(s, ops, texts, r.replace_all);
    acr_words *known = model_words(&words, &mem);
    acr_plan_base base = model_base(&server, known, &mem);
    /* What may be used need not be. */
    base.appendable &= below(8) != 0;
    base.complete &= below(8) != 0;
    step_on(&p, &base, &r);
    acr_words_unref(known);
    acr_plan_free(&p);
}

/* A quarter of them in sanitized builds, which are slow. */
static uint32_t rounds_of(const shape *s)
{
    const char *sanitized = getenv("SANITIZED");
    return sanitized && strcmp(sanitized, "no") != 0 ? s->rounds / 4 : s->rounds;
}

START_TEST(random_batches_leave_what_the_definition_says)
{
    const shape *s = &shapes[_i];
    for (uint32_t round = 0; round < rounds_of(s); round++) {
        char buf[512];
        model_list first = {0};
        model_list_free(&words);
        model_stored_free(&server);
        for (size_t tries = 0; first.n < s->start && tries < 4 * s->start; tries++) {
            acr_slice w = random_word(s, buf);
            if (model_list_find(&first, w) == SIZE_MAX)
                model_list_add(&first, w);
        }
        if (first.n != 0)
            start_with(&first);
        model_list_free(&first);
        for (uint32_t i = 0; i < s->steps; i++)
            random_step(s);
    }
}
END_TEST

START_TEST(measuring_gives_what_the_texts_are)
{
    for (int round = 0; round < 200; round++) {
        const shape *s = &shapes[round % SHAPES];
        char buf[512];
        acr_plan_sizes sizes;
        model_list_free(&words);
        model_stored_free(&server);
        for (uint32_t i = below(40); i > 0; i--) {
            acr_slice w = random_word(s, buf);
            if (model_list_find(&words, w) == SIZE_MAX)
                model_list_add(&words, w);
        }
        model_make(&server, &words);
        acr_words *w = model_words(&words, &mem);
        if (acr_plan_measure(&sizes, &mem, w, NULL) != ACOR_OK ||
            sizes.prefixes != server.prefixes_text.len || sizes.outputs != server.n)
            ck_abort_msg("%d bytes and %d states, not %zu and %zu", (int)sizes.prefixes,
                         (int)sizes.outputs, server.prefixes_text.len, server.n);
        acr_words_unref(w);
    }
}
END_TEST

/* --- what travels ------------------------ */

static size_t sent_bytes(const acr_plan *p)
{
    size_t n = p->keywords.len + p->prefixes.len;
    for (size_t i = 0; i < p->states_n; i++)
        n += p->states[i].state.len + p->states[i].value.len;
    return n;
}

static void thousand_words(void)
{
    static const shape wide = {{"a", "b", "c", "d", "e", "f", "g", "h"}, 8, 12, 0, 0, 0, 0};
    char buf[512];
    model_list l = {0};
    while (l.n < 1000) {
        acr_slice w = random_word(&wide, buf);
        if (model_list_find(&l, w) == SIZE_MAX)
            model_list_add(&l, w);
    }
    start_with(&l);
    model_list_free(&l);
}

START_TEST(one_word_into_a_thousand_sends_less_than_a_kibibyte)
{
    acr_plan p;
    acr_op op = op_of(ACR_OP_ADD, "hgfedcbaah");
    acr_request r = {.ops = &op, .n = 1};
    thousand_words();
    step(&p, &r);
    ck_assert_int_eq(p.append, 1);
    ck_assert_int_eq(p.clear, 0);
    ck_assert_uint_lt(sent_bytes(&p), 1024);
    acr_plan_free(&p);
}
END_TEST

START_TEST(one_word_out_of_a_thousand_sends_few_states)
{
    acr_plan p;
    char buf[64];
    thousand_words();
    snprintf(buf, sizeof buf, "%s", (const char *)words.items[500].data);
    acr_op op = op_of(ACR_OP_REMOVE, buf);
    acr_request r = {.ops = &op, .n = 1};
    step(&p, &r);
    ck_assert_int_eq(p.append, 0);
    ck_assert_int_eq(p.clear, 0);
    ck_assert_uint_lt(p.states_n, 100);
    acr_plan_free(&p);
}
END_TEST

START_TEST(nothing_to_do_makes_no_text)
{
    acr_plan p;
    acr_op ops[] = {op_of(ACR_OP_ADD, "he"), op_of(ACR_OP_REMOVE, "absent")};
    acr_request r = {.ops = ops, .n = 2};
    step_one(ACR_OP_ADD, "he");
    step(&p, &r);
    ck_assert_uint_eq(p.changed, 0);
    ck_assert_uint_eq(sent_bytes(&p), 0);
    acr_plan_free(&p);
}
END_TEST

START_TEST(what_cannot_be_appended_to_is_written_whole)
{
    acr_plan p;
    acr_op op = op_of(ACR_OP_ADD, "hgfedcbaah");
    acr_request r = {.ops = &op, .n = 1};
    thousand_words();
    acr_words *known = model_words(&words, &mem);
    acr_plan_base base = {.words = known, .appendable = 0, .complete = 1};
    step_on(&p, &base, &r);
    ck_assert_int_eq(p.append, 0);
    ck_assert_int_eq(p.clear, 0); /* the outputs were right */
    acr_words_unref(known);
    acr_plan_free(&p);
}
END_TEST

START_TEST(what_is_not_complete_is_written_anew)
{
    acr_plan p;
    acr_op op = op_of(ACR_OP_ADD, "hgfedcbaah");
    acr_request r = {.ops = &op, .n = 1};
    thousand_words();
    /* Entries nobody wants and others that are missing. */
    model_list other = {0};
    model_list_add(&other, acr_slice_str("not of this dictionary"));
    model_stored_free(&server);
    model_make(&server, &other);
    model_list_free(&other);
    acr_words *known = model_words(&words, &mem);
    acr_plan_base base = model_base(&server, known, &mem);
    ck_assert_int_eq(base.complete, 0);
    step_on(&p, &base, &r);
    ck_assert_int_eq(p.append, 0);
    ck_assert_int_eq(p.clear, 1);
    acr_words_unref(known);
    acr_plan_free(&p);
}
END_TEST

START_TEST(the_callers_dictionary_stays_as_it_is)
{
    acr_plan p;
    acr_op ops[] = {op_of(ACR_OP_REMOVE, "he"), op_of(ACR_OP_ADD, "hers")};
    acr_request r = {.ops = ops, .n = 2};
    step_one(ACR_OP_ADD, "he");
    step_one(ACR_OP_ADD, "she");
    acr_words *known = model_words(&words, &mem);
    acr_plan_base base = model_base(&server, known, &mem);
    step_on(&p, &base, &r);
    ck_assert_uint_eq(acr_words_count(known), 2);
    ck_assert_uint_ne(acr_words_find(known, acr_slice_str("he")), ACR_WORDS_NONE);
    ck_assert_uint_eq(acr_words_find(known, acr_slice_str("hers")), ACR_WORDS_NONE);
    acr_words_unref(known);
    acr_plan_free(&p);
}
END_TEST

/* --- shapes that are hard ------------------------ */

START_TEST(words_of_two_thousand_characters_are_planned)
{
    static char a[2001], b[2001];
    memset(a, 'x', 2000);
    memset(b, 'x', 2000);
    b[1999] = 'y';
    step_one(ACR_OP_ADD, a);
    step_one(ACR_OP_ADD, b);
    step_one(ACR_OP_ADD, "xy");
    step_one(ACR_OP_REMOVE, a);
    ck_assert_uint_eq(server.prefixes.n, 2002); /* b's, "xy" and the root */
}
END_TEST

/* Words a, aa, aaa and so on: every state reports all that are shorter. */
START_TEST(nested_words_report_each_other)
{
    enum { DEPTH = 300 };
    static char texts[DEPTH][DEPTH + 1];
    model_list l = {0};
    for (size_t i = 0; i < DEPTH; i++) {
        memset(texts[i], 'a', i + 1);
        if (i % 2 == 0)
            model_list_add(&l, acr_slice_str(texts[i]));
    }
    start_with(&l);
    model_list_free(&l);
    step_one(ACR_OP_ADD, texts[149]);
    step_one(ACR_OP_ADD, texts[299]);
    step_one(ACR_OP_REMOVE, texts[0]);
    step_one(ACR_OP_ADD, texts[0]);
    step_one(ACR_OP_REMOVE, texts[299]);
    ck_assert_uint_eq(server.prefixes.n, 300); /* of 299 and the root */
}
END_TEST

START_TEST(dictionary_emptied_by_its_last_removal_is_as_new)
{
    acr_plan p;
    acr_request none = {.replace_all = 1};
    step_one(ACR_OP_ADD, "he");
    step_one(ACR_OP_REMOVE, "he");
    ck_assert(acr_slice_eq(server.keywords_text, acr_slice_str("[]")));
    ck_assert(acr_slice_eq(server.prefixes_text, acr_slice_str("[\"\"]")));
    ck_assert_uint_eq(server.n, 0);
    step_one(ACR_OP_ADD, "she");
    step(&p, &none);
    ck_assert_uint_eq(p.removed, 1);
    ck_assert(acr_slice_eq(server.prefixes_text, acr_slice_str("[\"\"]")));
    acr_plan_free(&p);
}
END_TEST

/* --- memory ------------------------ */

/* Each request for memory fails once; the last try comes through. */
static void fail_each(const acr_plan_base *base, const acr_request *r)
{
    for (size_t n = 0;; n++) {
        acr_plan p;
        unsigned char outcomes[MOST_OPS];
        acor_error err = ACOR_ERROR_INIT;
        size_t before = counter.bytes;
        count_alloc_fail(&counter, n);
        int status = acr_plan_make(&p, &mem, base, r, outcomes, &err);
        int failed = counter.asked > n;
        count_alloc_fail(&counter, SIZE_MAX);
        if (status == ACOR_OK)
            acr_plan_free(&p);
        if (counter.bytes != before)
            ck_abort_msg("request %zu: memory is left", n);
        if (status != (failed ? ACOR_ENOMEM : ACOR_OK) || err.status != status)
            ck_abort_msg("request %zu: status %d", n, status);
        if (!failed)
            break;
    }
}

START_TEST(planning_without_memory_fails_and_leaves_nothing)
{
    acr_op ops[] = {op_of(ACR_OP_ADD, "ushers"), op_of(ACR_OP_REMOVE, "he"),
                    op_of(ACR_OP_ADD, "\xED\x95\x9C")};
    static const char *const texts[] = {"he", "she", "hers", "his", "a", "b", "c", "d",
                                        "e", "f", "g", "i"};
    model_list l = {0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        model_list_add(&l, acr_slice_str(texts[i]));
    start_with(&l);
    model_list_free(&l);
    acr_words *known = model_words(&words, &mem);
    for (int form = 0; form < 8; form++) {
        acr_plan_base base = {
            .words = known, .appendable = form & 1, .complete = form >> 1 & 1};
        acr_request r = {.ops = ops, .n = form & 4 ? 1 : 3};
        fail_each(&base, &r);
        r.replace_all = 1;
        r.n = 1;
        fail_each(&base, &r);
    }
    for (size_t n = 0;; n++) {
        acr_plan_sizes sizes;
        count_alloc_fail(&counter, n);
        int status = acr_plan_measure(&sizes, &mem, known, NULL);
        int failed = counter.asked > n;
        count_alloc_fail(&counter, SIZE_MAX);
        ck_assert_int_eq(status, failed ? ACOR_ENOMEM : ACOR_OK);
        if (!failed)
            break;
    }
    acr_words_unref(known);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("redis plan");
    TCase *c = tcase_create("plan");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, random_batches_leave_what_the_definition_says, 0, SHAPES);
    tcase_add_test(c, measuring_gives_what_the_texts_are);
    tcase_add_test(c, one_word_into_a_thousand_sends_less_than_a_kibibyte);
    tcase_add_test(c, one_word_out_of_a_thousand_sends_few_states);
    tcase_add_test(c, nothing_to_do_makes_no_text);
    tcase_add_test(c, what_cannot_be_appended_to_is_written_whole);
    tcase_add_test(c, what_is_not_complete_is_written_anew);
    tcase_add_test(c, the_callers_dictionary_stays_as_it_is);
    tcase_add_test(c, words_of_two_thousand_characters_are_planned);
    tcase_add_test(c, nested_words_report_each_other);
    tcase_add_test(c, dictionary_emptied_by_its_last_removal_is_as_new);
    tcase_add_test(c, planning_without_memory_fails_and_leaves_nothing);
    suite_add_tcase(suite, c);
    return acor_test_run(suite);
}
