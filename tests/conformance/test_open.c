/* SPDX-License-Identifier: Apache-2.0 */
/* From a URL to a store: what is understood, and what refusals say. */
#include "acor_test.h"

#include <stdio.h>

#include "store_env.h"

static acor_error err;

/* The status of opening; what could be opened is closed again. */
static int try_open(const char *url, acr_store *share)
{
    acr_mem mem;
    ck_assert_int_eq(acr_mem_init(&mem, NULL, NULL), ACOR_OK);
    acr_store_params p = {.name = acr_slice_str("words"), .mem = &mem};
    acr_store *s = (acr_store *)&mem; /* must be overwritten */
    err = (acor_error)ACOR_ERROR_INIT;
    int rc = acr_store_open(&s, url, &p, share, &err);
    ck_assert_int_eq(rc == ACOR_OK, s != NULL);
    acr_store_close(s);
    return rc;
}

static void refused(const char *url, int status, const char *words)
{
    int rc = try_open(url, NULL);
    ck_assert_msg(rc == status, "%s: %d", url, rc);
    ck_assert_msg(strstr(err.message, words) != NULL, "%s: \"%s\" lacks \"%s\"", url,
                  err.message, words);
}

START_TEST(schemes_are_of_either_case)
{
    ck_assert_int_eq(try_open("mem:", NULL), ACOR_OK);
    ck_assert_int_eq(try_open("MEM:", NULL), ACOR_OK);
    ck_assert_int_eq(try_open("Mem:?", NULL), ACOR_OK);
}
END_TEST

START_TEST(unknown_schemes_are_named_with_the_known_ones)
{
    refused("foo:bar", ACOR_EINVAL, "\"foo\"");
    refused("foo:bar", ACOR_EINVAL, "mem:, sqlite:PATH and redis://");
    refused("file:///x", ACOR_EINVAL, "\"file\"");
    refused("memo:", ACOR_EINVAL, "\"memo\"");
    refused("", ACOR_EINVAL, "no scheme");
    refused("words.db", ACOR_EINVAL, "no scheme");
    refused("/a/b:c", ACOR_EINVAL, "no scheme");
    refused(":x", ACOR_EINVAL, "no scheme");
}
END_TEST

START_TEST(what_redis_lacks_in_this_build_is_named)
{
    static const char *const urls[] = {"REDISS://h:1/2", "rediss+sentinel://h/m",
                                       "redis+cluster://h", "redis+ring://a=h:1"};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++)
        refused(urls[i], ACOR_EUNSUPPORTED, "is not part of this");
#ifndef WITH_REDIS
    refused("redis://localhost", ACOR_EUNSUPPORTED, "is not part of this build");
    refused("redis+unix:///s", ACOR_EUNSUPPORTED, "is not part of this build");
#endif
}
END_TEST

START_TEST(passwords_are_not_repeated)
{
    refused("rediss://user:secret@h", ACOR_EUNSUPPORTED, "rediss: is not");
    ck_assert_ptr_null(strstr(err.message, "secret"));
    refused("foo://user:secret@h", ACOR_EINVAL, "\"foo\"");
    ck_assert_ptr_null(strstr(err.message, "secret"));
    refused("secret@h:6379", ACOR_EINVAL, "no scheme");
    ck_assert_ptr_null(strstr(err.message, "secret"));
}
END_TEST

START_TEST(memory_takes_neither_path_nor_options)
{
    refused("mem:x", ACOR_EINVAL, "\"x\"");
    refused("mem://", ACOR_EINVAL, "\"//\"");
    refused("mem:?size=3", ACOR_EINVAL, "\"size\"");
}
END_TEST

START_TEST(memory_is_private_unless_shared)
{
    acr_store *a = must_open("mem:", "words", ACR_CASE_FOLDED);
    acr_store *b = must_open("mem:", "words", ACR_CASE_FOLDED);
    (void)must_add(a, "word");
    ck_assert_uint_eq(must_info(a).keywords, 1);
    ck_assert_uint_eq(must_info(b).keywords, 0);
    ck_assert_int_eq(try_open("mem:", a), ACOR_OK);
    acr_store_close(b);
    acr_store_close(a);
}
END_TEST

START_TEST(shared_memory_outlives_its_first_handle)
{
    acr_mem mem;
    ck_assert_int_eq(acr_mem_init(&mem, NULL, NULL), ACOR_OK);
    acr_store *a = must_open("mem:", "words", ACR_CASE_FOLDED), *b;
    (void)must_add(a, "word");
    acr_store_params p = {.name = acr_slice_str("words"), .mem = &mem};
    ck_assert_int_eq(acr_store_open(&b, "mem:", &p, a, NULL), ACOR_OK);
    acr_store_close(a);
    ck_assert_uint_eq(must_info(b).keywords, 1);
    acr_store_close(b);
}
END_TEST

#ifdef WITH_SQLITE
START_TEST(sqlite_urls_are_checked)
{
    refused("sqlite:", ACOR_EINVAL, "without a path");
    refused("sqlite:?synchronous=off", ACOR_EINVAL, "without a path");
    refused("sqlite:/tmp/a%zz", ACOR_EINVAL, "\"%zz\"");
    refused("sqlite:/tmp/a%4", ACOR_EINVAL, "\"%4\"");
    refused("sqlite:/tmp/a%", ACOR_EINVAL, "\"%\"");
    refused("sqlite:/tmp/a%00b", ACOR_EINVAL, "NUL");
    refused("sqlite:/tmp/a?journal=x", ACOR_EINVAL, "\"journal\"");
    refused("sqlite:/tmp/a?synchronous=half", ACOR_EINVAL, "\"half\"");
    refused("sqlite:/tmp/a?synchronous", ACOR_EINVAL, "known: full, normal, off");
    refused("sqlite:/tmp/a?Synchronous=full", ACOR_EINVAL, "\"Synchronous\"");
    acr_store *memory = must_open("mem:", "words", ACR_CASE_FOLDED);
    ck_assert_int_eq(try_open("sqlite:/tmp/acor-absent/a", memory), ACOR_EINVAL);
    acr_store_close(memory);
}
END_TEST

START_TEST(sqlite_cannot_be_shared_as_memory)
{
    acr_store *s = must_open("sqlite:/tmp/acor-absent/a", "words", ACR_CASE_FOLDED);
    ck_assert_int_eq(try_open("mem:", s), ACOR_EINVAL);
    acr_store_close(s);
}
END_TEST

/* Where a URL leads: the file it makes, seen in the folder. */
START_TEST(sqlite_paths_are_decoded)
{
    static const struct {
        const char *in_url;
        const char *in_folder;
    } names[] = {{"plain", "plain"},
                 {"a%20b%3Fc%23d%25", "a b?c#d%"},
                 {"with#mark", "with#mark"},
                 {"x?synchronous=off&synchronous=normal", "x"},
                 {"y?&synchronous=FULL", NULL},
                 {"z?synchronous=f%75ll", NULL},
                 {"file:q", "file:q"}};
    char folder[256];
    make_folder(folder, sizeof folder);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char url[512], path[512];
        (void)snprintf(url, sizeof url, "SQLite:%s/%s", folder, names[i].in_url);
        if (names[i].in_folder == NULL) {
            refused(url, ACOR_EINVAL, "synchronous=");
            continue;
        }
        acr_store *s = must_open(url, "words", ACR_CASE_FOLDED);
        (void)must_add(s, "word");
        acr_store_close(s);
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i].in_folder);
        FILE *file = fopen(path, "rb");
        ck_assert_msg(file != NULL, "%s", path);
        (void)fclose(file);
    }
    remove_folder(folder);
}
END_TEST
#else
START_TEST(sqlite_is_not_part_of_this_build)
{
    refused("sqlite:/tmp/a", ACOR_EUNSUPPORTED, "--without-sqlite");
}
END_TEST
#endif

/* --- tokens --------------------------------------------------------------- */

START_TEST(tokens_are_equal_by_length_and_bytes)
{
    acr_token none = {.len = 0}, a = {.len = 2, .bytes = {1, 2}}, b = a;
    b.bytes[2] = 7; /* behind its end */
    ck_assert(acr_token_eq(&a, &b));
    ck_assert(!acr_token_eq(&a, &none));
    b.bytes[1] = 3;
    ck_assert(!acr_token_eq(&a, &b));
}
END_TEST

START_TEST(token_text_is_hexadecimal_or_of_its_hash_and_tells_versions_apart)
{
    acr_token t = {.len = 3, .bytes = {0x00, 0xAB, 0x1F}};
    char text[8] = "xxxxxxx";
    acr_token_text(&t, text, sizeof text);
    ck_assert_str_eq(text, "00ab1f");
    acr_token_text(&t, text, 6); /* too small for it: of its hash, as far as there is room */
    ck_assert_uint_eq(strlen(text), 4);
    ck_assert_str_ne(text, "00ab");
    acr_token a = {.len = 57}, b = {.len = 57}; /* alike but for the last byte */
    char of_a[64], of_b[64];
    b.bytes[56] = 1;
    acr_token_text(&a, of_a, sizeof of_a);
    acr_token_text(&b, of_b, sizeof of_b);
    ck_assert_uint_eq(strlen(of_a), 32);
    ck_assert_str_ne(of_a, of_b);
    acr_token_text(&t, text, 1);
    ck_assert_str_eq(text, "");
    text[0] = 'y';
    acr_token_text(&t, text, 0);
    ck_assert_int_eq(text[0], 'y');
}
END_TEST

START_TEST(modes_clash_only_if_both_are_known)
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            ck_assert_int_eq(acr_store_check_mode((acr_case)a, (acr_case)b, NULL),
                             a != 0 && b != 0 && a != b ? ACOR_EMODE : ACOR_OK);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("open");
    TCase *tc = tcase_create("url");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, schemes_are_of_either_case);
    tcase_add_test(tc, unknown_schemes_are_named_with_the_known_ones);
    tcase_add_test(tc, what_redis_lacks_in_this_build_is_named);
    tcase_add_test(tc, passwords_are_not_repeated);
    tcase_add_test(tc, memory_takes_neither_path_nor_options);
    tcase_add_test(tc, memory_is_private_unless_shared);
    tcase_add_test(tc, shared_memory_outlives_its_first_handle);
#ifdef WITH_SQLITE
    tcase_add_test(tc, sqlite_urls_are_checked);
    tcase_add_test(tc, sqlite_cannot_be_shared_as_memory);
    tcase_add_test(tc, sqlite_paths_are_decoded);
#else
    tcase_add_test(tc, sqlite_is_not_part_of_this_build);
#endif
    tcase_add_test(tc, tokens_are_equal_by_length_and_bytes);
    tcase_add_test(tc, token_text_is_hexadecimal_or_of_its_hash_and_tells_versions_apart);
    tcase_add_test(tc, modes_clash_only_if_both_are_known);
    suite_add_tcase(suite, tc);
    return acor_test_run(suite);
}
