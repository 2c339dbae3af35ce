/* SPDX-License-Identifier: Apache-2.0 */
/* From a redis URL to a store that has not connected yet. */
#include "acor_test.h"
#include "count_alloc.h"

#include "store/redis/v2.h"

static count_alloc counter;
static acr_mem mem;
static acor_error err;
static acr_store *store;
static const acr_v2 *v2;

static void setup(void)
{
    mem = count_alloc_mem(&counter);
}

static void teardown(void)
{
    acr_store_close(store);
    store = NULL;
    ck_assert_uint_eq(counter.blocks, 0);
    ck_assert_uint_eq(counter.bytes, 0);
}

static int try_named(const char *url, acr_slice name)
{
    acr_store_params params = {.name = name, .mem = &mem};
    acr_store_close(store);
    store = NULL;
    err = (acor_error)ACOR_ERROR_INIT;
    int status = acr_store_open(&store, url, &params, NULL, &err);
    v2 = (const acr_v2 *)store;
    if ((status == ACOR_OK) != (store != NULL) || err.status != status)
        ck_abort_msg("%s: %d", url, status);
    return status;
}

static int try_url(const char *url)
{
    return try_named(url, acr_slice_str("words"));
}

static void opens(const char *url)
{
    int status = try_url(url);
    ck_assert_msg(status == ACOR_OK, "%s: %s", url, err.message);
}

static void is_at(const char *url, const char *host, const char *port)
{
    opens(url);
    ck_assert_str_eq(v2->config.address.host, host);
    ck_assert_str_eq(v2->config.address.port, port);
}

static void refuses(const char *url, int status, const char *words)
{
    int got = try_url(url);
    ck_assert_msg(got == status, "%s: %d %s", url, got, err.message);
    ck_assert_msg(strstr(err.message, words) != NULL, "%s: %s", url, err.message);
}

/* --- where ------------------------ */

START_TEST(host_and_port_have_defaults)
{
    is_at("redis://example.org", "example.org", "6379");
    is_at("redis://example.org/", "example.org", "6379");
    is_at("redis://example.org:7000", "example.org", "7000");
    is_at("REDIS://Example.org:1", "Example.org", "1");
    is_at("redis://", "localhost", "6379");
    is_at("redis://:7000", "localhost", "7000");
    is_at("redis://127.0.0.1:65535/2", "127.0.0.1", "65535");
    is_at("redis://my%2Dhost", "my-host", "6379");
    ck_assert_ptr_null(v2->config.user);
    ck_assert_ptr_null(v2->config.password);
    ck_assert_uint_eq(v2->config.db, 0);
    ck_assert_uint_eq(v2->config.connect_ms, 5000);
}
END_TEST

START_TEST(ipv6_addresses_stand_in_brackets)
{
    is_at("redis://[::1]", "::1", "6379");
    is_at("redis://[::1]:7000", "::1", "7000");
    is_at("redis://user:pass@[fe80::1]:7000/4", "fe80::1", "7000");
    ck_assert_str_eq(v2->config.password, "pass");
    ck_assert_uint_eq(v2->config.db, 4);
    refuses("redis://[::1", ACOR_EINVAL, "closing bracket");
    refuses("redis://[::1]7000", ACOR_EINVAL, "between");
    refuses("redis://[::1]:", ACOR_EINVAL, "port");
}
END_TEST

START_TEST(ports_and_databases_are_numbers_in_range)
{
    refuses("redis://h:", ACOR_EINVAL, "port");
    refuses("redis://h:65536", ACOR_EINVAL, "65535");
    refuses("redis://h:99999999999999999999", ACOR_EINVAL, "port");
    refuses("redis://h:-1", ACOR_EINVAL, "port");
    refuses("redis://h:+1", ACOR_EINVAL, "port");
    refuses("redis://h:six", ACOR_EINVAL, "port");
    refuses("redis://::1", ACOR_EINVAL, "port"); /* no brackets */
    refuses("redis://h/x", ACOR_EINVAL, "database");
    refuses("redis://h/-1", ACOR_EINVAL, "database");
    refuses("redis://h/1/2", ACOR_EINVAL, "database");
    refuses("redis://h?db=", ACOR_EINVAL, "db");
    refuses("redis://h?db", ACOR_EINVAL, "db");
    opens("redis://h/15");
    ck_assert_uint_eq(v2->config.db, 15);
}
END_TEST

START_TEST(slashes_behind_the_scheme_are_required)
{
    refuses("redis:h", ACOR_EINVAL, "redis://");
    refuses("redis:", ACOR_EINVAL, "redis://");
    refuses("redis:/h", ACOR_EINVAL, "redis://");
}
END_TEST

START_TEST(unix_sockets_have_a_path)
{
    opens("redis+unix:///run/redis/a%20b.sock?db=2");
    ck_assert_ptr_null(v2->config.address.host);
    ck_assert_str_eq(v2->config.address.unix_path, "/run/redis/a b.sock");
    ck_assert_uint_eq(v2->config.db, 2);
    opens("redis+unix://alice:p%40ss@/run/s");
    ck_assert_str_eq(v2->config.address.unix_path, "/run/s");
    ck_assert_str_eq(v2->config.user, "alice");
    ck_assert_str_eq(v2->config.password, "p@ss");
    refuses("redis+unix://host/path", ACOR_EINVAL, "redis+unix://");
    refuses("redis+unix://", ACOR_EINVAL, "redis+unix://");
    refuses("redis+unix:", ACOR_EINVAL, "redis+unix://");
}
END_TEST

/* --- who ------------------------ */

static void logs_in(const char *url, const char *user, const char *password)
{
    opens(url);
    ck_assert_str_eq(v2->config.address.host, "h");
    ck_assert_int_eq(v2->config.user == NULL, user == NULL);
    if (user != NULL)
        ck_assert_str_eq(v2->config.user, user);
    ck_assert_str_eq(v2->config.password, password);
}

START_TEST(users_and_passwords_are_decoded)
{
    logs_in("redis://alice:secret@h", "alice", "secret");
    logs_in("redis://:secret@h", NULL, "secret");
    logs_in("redis://alice:p%40ss%3Aword%2f%3F%23%25@h", "alice", "p@ss:word/?#%");
    logs_in("redis://a%3Ab:x@h", "a:b", "x");
    logs_in("redis://alice:p:q@h:1", "alice", "p:q");
    logs_in("redis://alice:p@ss@h", "alice", "p@ss");
    logs_in("redis://alice:@h", "alice", "");
    logs_in("redis://alice:%EA%B8%80@h", "alice", "\xEA\xB8\x80");
    logs_in("redis://alice:a+b@h", "alice", "a+b");
}
END_TEST

START_TEST(no_error_shows_a_password)
{
    static const char *const urls[] = {
        "redis://u:sec-ret@h:port",      "redis://u:sec-ret@[h",
        "redis://u:sec-ret@h/db",        "redis://u:sec-ret@h?what=1",
        "redis://u:sec-ret@h?db=x",      "redis://u:sec-ret%00@h",
        "redis://u:sec-ret%zz@h",        "redis://u:%-ret@h",
        "redis://u:1?sec-ret@h",         "redis://u:1/sec-ret@h",
        "redis://u:sec-ret/1@h",         "redis://u:x?sec-ret=1@h",
        "redis+unix://u:sec-ret@",       "rediss://u:sec-ret@h",
        "redis+unix://u:%zzret@/s",      "redis+unix://u:sec-ret/s@h",
        "redis+sentinel://u:sec-ret@h",  "redis:u:sec-ret@h",
        "redis://u:1?sec-ret&x=y@h",     "redis://u:sec?db=-ret@h"};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        int status = try_url(urls[i]);
        ck_assert_msg(status < 0, "%s is taken", urls[i]);
        ck_assert_msg(strstr(err.message, "ret") == NULL, "%s: %s", urls[i], err.message);
        ck_assert_msg(strstr(err.message, "zz") == NULL, "%s: %s", urls[i], err.message);
    }
}
END_TEST

START_TEST(bad_escapes_are_named_by_their_part)
{
    refuses("redis://u:p%2@h", ACOR_EINVAL, "password");
    refuses("redis://u:p%00@h", ACOR_EINVAL, "password");
    refuses("redis://h%g0", ACOR_EINVAL, "host");
    refuses("redis+unix:///a%", ACOR_EINVAL, "path");
}
END_TEST

/* --- options ------------------------ */

START_TEST(options_are_read)
{
    opens("redis://h?db=3&connect_timeout=250");
    ck_assert_uint_eq(v2->config.db, 3);
    ck_assert_uint_eq(v2->config.connect_ms, 250);
    opens("redis://h/1?");
    ck_assert_uint_eq(v2->config.db, 1);
    opens("redis://h?&&db=2&");
    ck_assert_uint_eq(v2->config.db, 2);
}
END_TEST

START_TEST(unknown_options_are_named_with_the_known_ones)
{
    refuses("redis://h?cheese=1", ACOR_EINVAL, "\"cheese\"");
    refuses("redis://h?cheese", ACOR_EINVAL, "connect_timeout");
    refuses("redis://h?DB=1", ACOR_EINVAL, "\"DB\"");
    refuses("redis+unix:///s?db=1&wine=2", ACOR_EINVAL, "\"wine\"");
    refuses("redis://h?connect_timeout=soon", ACOR_EINVAL, "connect_timeout");
    refuses("redis://h?connect_timeout=-5", ACOR_EINVAL, "connect_timeout");
}
END_TEST

START_TEST(what_is_not_built_in_says_what_there_is)
{
    static const char *const urls[] = {"redis+sentinel://h/m", "redis+cluster://h",
                                       "rediss://h", "rediss+cluster://h",
                                       "redis+ring://a=h:1", "redis+unixx:///s"};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        char scheme[40];
        size_t n = strcspn(urls[i], ":") + 1;
        memcpy(scheme, urls[i], n);
        scheme[n] = '\0';
        refuses(urls[i], ACOR_EUNSUPPORTED, scheme);
        refuses(urls[i], ACOR_EUNSUPPORTED, "redis+unix:");
    }
}
END_TEST

START_TEST(only_memory_is_shared)
{
    acr_store *other = NULL, *s = NULL;
    acr_store_params params = {.name = acr_slice_str("words"), .mem = &mem};
    ck_assert_int_eq(acr_store_open(&other, "mem:", &params, NULL, NULL), ACOR_OK);
    ck_assert_int_eq(acr_store_open(&s, "redis://h", &params, other, NULL), ACOR_EINVAL);
    ck_assert_ptr_null(s);
    acr_store_close(other);
}
END_TEST

/* --- names ------------------------ */

static void key_is(acr_v2_key key, const char *want)
{
    ck_assert_msg(acr_slice_eq(v2->keys[key], acr_slice_str(want)), "%.*s, not %s",
                  (int)v2->keys[key].len, (const char *)v2->keys[key].data, want);
}

/* The recorded vectors of key names. */
START_TEST(keys_are_named_as_recorded)
{
    ck_assert_int_eq(try_named("redis://h", acr_slice_str("test")), ACOR_OK);
    key_is(ACR_KEY_TRIE, "{test}:trie");
    key_is(ACR_KEY_OUTPUTS, "{test}:outputs");
    key_is(ACR_KEY_NODES, "{test}:nodes");
    key_is(ACR_KEY_V1_KEYWORDS, "{test}:keyword");
    key_is(ACR_KEY_V1_PREFIXES, "{test}:prefix");
    key_is(ACR_KEY_V1_SUFFIXES, "{test}:suffix");
    key_is(ACR_KEY_V1_OUTPUT, "{test}:output:"); /* before a state */
    key_is(ACR_KEY_V1_NODE, "{test}:node:");     /* before a keyword */
    key_is(ACR_KEY_LOCK, "{test}:migration_lock");
    key_is(ACR_KEY_CHANNEL, "acor:invalidate:test");
}
END_TEST

START_TEST(names_may_hold_any_other_byte)
{
    ck_assert_int_eq(try_named("redis://h", acr_slice_of("a\0b}\xFF{", 6)), ACOR_OK);
    ck_assert(acr_slice_eq(v2->keys[ACR_KEY_TRIE], acr_slice_of("{a\0b}\xFF{}:trie", 13)));
}
END_TEST

START_TEST(names_that_break_the_hash_tag_are_refused)
{
    ck_assert_int_eq(try_named("redis://h", acr_slice_str("}")), ACOR_EINVAL);
    ck_assert_int_eq(try_named("redis://h", acr_slice_str("}x")), ACOR_EINVAL);
    ck_assert_ptr_nonnull(strstr(err.message, "'}'"));
    ck_assert_int_eq(try_named("redis://h", acr_slice_str("x}")), ACOR_OK);
    ck_assert_int_eq(try_named("redis://h", acr_slice_str("{}x")), ACOR_OK);
}
END_TEST

/* --- memory ------------------------ */

START_TEST(opening_without_memory_fails_and_leaves_nothing)
{
    static const char url[] = "redis://alice:p%40ss@h:7000/3?connect_timeout=100";
    int failed = 1;
    for (size_t n = 0; failed; n++) {
        count_alloc_fail(&counter, n);
        int status = try_url(url);
        failed = counter.asked > n;
        count_alloc_fail(&counter, SIZE_MAX);
        ck_assert_int_eq(status, failed ? ACOR_ENOMEM : ACOR_OK);
        if (failed)
            ck_assert_uint_eq(counter.blocks, 0);
    }
    ck_assert_str_eq(v2->config.password, "p@ss");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("redis open");
    TCase *c = tcase_create("open");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, host_and_port_have_defaults);
    tcase_add_test(c, ipv6_addresses_stand_in_brackets);
    tcase_add_test(c, ports_and_databases_are_numbers_in_range);
    tcase_add_test(c, slashes_behind_the_scheme_are_required);
    tcase_add_test(c, unix_sockets_have_a_path);
    tcase_add_test(c, users_and_passwords_are_decoded);
    tcase_add_test(c, no_error_shows_a_password);
    tcase_add_test(c, bad_escapes_are_named_by_their_part);
    tcase_add_test(c, options_are_read);
    tcase_add_test(c, unknown_options_are_named_with_the_known_ones);
    tcase_add_test(c, what_is_not_built_in_says_what_there_is);
    tcase_add_test(c, only_memory_is_shared);
    tcase_add_test(c, keys_are_named_as_recorded);
    tcase_add_test(c, names_may_hold_any_other_byte);
    tcase_add_test(c, names_that_break_the_hash_tag_are_refused);
    tcase_add_test(c, opening_without_memory_fails_and_leaves_nothing);
    suite_add_tcase(suite, c);
    return acor_test_run(suite);
}
