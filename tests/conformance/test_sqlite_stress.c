/* SPDX-License-Identifier: Apache-2.0 */
/* The embedded store under what happens to it: many processes, a kill in the
 * middle of a write, a full disk, media and folders that cannot be written. */
#include "acor_test.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sqlite_env.h"

static place P;
static acor_error err;

static void setup(void)
{
    place_init(&P);
    err = (acor_error)ACOR_ERROR_INIT;
}

static void teardown(void)
{
    place_free(&P);
}

/* --- many processes ------------------------------------------------------- */

#define WRITERS 4
#define EACH 1000

/* A process that adds its own words, some by one and some by ten. */
static void write_words(int me)
{
    char url[400];
    (void)snprintf(url, sizeof url, "%s?synchronous=normal", P.url);
    acr_store *s = must_open(url, "words", ACR_CASE_FOLDED);
    char prefix[16];
    (void)snprintf(prefix, sizeof prefix, "p%d-", me);
    for (int i = 0; i < EACH;) {
        int n = i % 4 ? 1 : 10;
        acr_apply_result r = must_add_range(s, prefix, i, n < EACH - i ? n : EACH - i);
        ck_assert_uint_gt(r.changed, 0);
        i += (int)r.changed;
    }
    acr_store_close(s);
}

START_TEST(processes_that_write_at_once_lose_nothing)
{
    pid_t children[WRITERS];
    acr_store *s = place_open(&P);
    follower f = {.pieces = 0};
    acr_watch *w;
    ck_assert_int_eq(s->ops->watch(s, &w, soon(), NULL), ACOR_OK);
    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        ck_assert_int_ge(children[i], 0);
        if (children[i] == 0) {
            write_words(i);
            _exit(0);
        }
    }
    /* This one follows by its watch until it has all, mostly by deltas. */
    acr_deadline end = acr_deadline_in_ms(25000);
    while (f.words.n < WRITERS * EACH && acr_deadline_left_ms(end) > 0) {
        acr_watch_event event;
        must_follow(&f, s);
        ck_assert_int_eq(s->ops->wait(w, &event, acr_deadline_in_ms(500), NULL), ACOR_OK);
    }
    ck_assert_uint_eq(f.words.n, WRITERS * EACH);
    for (int i = 0; i < WRITERS; i++)
        must_end_well(children[i]);
    for (int i = 0; i < WRITERS; i++)
        for (int j = 0; j < EACH; j++) {
            char word[32];
            (void)snprintf(word, sizeof word, "p%d-%d", i, j);
            ck_assert_msg(naive_find(&f.words, acr_slice_str(word)) < f.words.n, "%s",
                          word);
        }
    follower fresh = {.pieces = 0};
    must_follow(&fresh, s);
    ck_assert(naive_eq(&f.words, &fresh.words));
    s->ops->unwatch(w);
    follower_free(&f);
    follower_free(&fresh);
    acr_store_close(s);
    ck_assert_int_eq(count_files(&P), 1);
}
END_TEST

START_TEST(processes_that_create_at_once_make_one_file)
{
    pid_t children[8];
    int go[2];
    ck_assert_int_eq(pipe(go), 0);
    for (int i = 0; i < 8; i++) {
        children[i] = fork();
        ck_assert_int_ge(children[i], 0);
        if (children[i] == 0) {
            char c, word[16];
            (void)close(go[1]);
            acr_store *s = place_open(&P);
            (void)snprintf(word, sizeof word, "word%d", i);
            ck_assert_int_eq(read(go[0], &c, 1), 0); /* until the gate is closed */
            (void)must_add(s, word);
            acr_store_close(s);
            _exit(0);
        }
    }
    (void)close(go[0]);
    (void)close(go[1]);
    for (int i = 0; i < 8; i++)
        must_end_well(children[i]);
    acr_store *s = place_open(&P);
    ck_assert_uint_eq(must_info(s).keywords, 8);
    acr_store_close(s);
}
END_TEST

/* --- kill ----------------------------------------------------------------- */

#define BATCH 60000

/* Killed after a while in one large batch: what is there is all or nothing. */
static int killed_after(useconds_t us, int batch)
{
    int ready[2];
    ck_assert_int_eq(pipe(ready), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        acr_store *s = place_open(&P);
        char prefix[16];
        (void)snprintf(prefix, sizeof prefix, "b%d-", batch);
        (void)write(ready[1], "", 1);
        (void)must_add_range(s, prefix, 0, BATCH);
        for (;;)
            (void)pause(); /* no close that tidies up */
    }
    char c;
    (void)close(ready[1]);
    (void)read(ready[0], &c, 1);
    (void)close(ready[0]);
    (void)usleep(us);
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);

    acr_store *s = place_open(&P);
    acr_store_info info = must_info(s);
    ck_assert_uint_eq(info.keywords % BATCH, 0);
    follower f = {.count_only = 1};
    must_follow(&f, s);
    ck_assert_uint_eq(f.changes, info.keywords);
    acr_store_close(s);
    if (info.exists)
        ck_assert_int_eq(ask_sql(P.path, "SELECT count(*) FROM pragma_integrity_check"
                                         " WHERE integrity_check <> 'ok'"),
                         0);
    return (int)(info.keywords / BATCH);
}

START_TEST(kill_in_the_middle_leaves_all_or_nothing)
{
    int batches = 0;
    srand((unsigned)getpid());
    for (int i = 0; i < 12; i++) {
        int now = killed_after((useconds_t)(rand() % 160000), i);
        ck_assert(now == batches || now == batches + 1);
        batches = now;
    }
}
END_TEST

START_TEST(kill_while_the_file_is_made_leaves_one_that_works)
{
    for (int i = 0; i < 15; i++) {
        int now = killed_after((useconds_t)(rand() % 6000), i);
        ck_assert(now == 0 || now == 1);
        acr_store *s = place_open(&P);
        (void)must_add(s, "and on it goes");
        acr_store_close(s);
        remove_folder(P.folder);
        ck_assert_int_eq(mkdir(P.folder, 0700), 0);
    }
}
END_TEST

/* --- media, in a mount namespace of the test's own ------------------------- */

static int mount_small_disk(const char *folder)
{
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return -1;
    return mount("tmpfs", folder, "tmpfs", 0, "size=1m");
}

static int may_mount(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(mount_small_disk("/tmp") != 0);
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void unmount(void)
{
    (void)umount2(P.folder, MNT_DETACH);
}

START_TEST(full_disk_leaves_what_was_there)
{
    ck_assert_int_eq(mount_small_disk(P.folder), 0);
    acr_store *s = place_open(&P);
    (void)must_add_range(s, "w", 0, 500);
    follower f = {.pieces = 0};
    must_follow(&f, s);
    static char text[40000][32];
    static acr_op ops[40000];
    static unsigned char outcomes[40000];
    for (int i = 0; i < 40000; i++) {
        (void)snprintf(text[i], sizeof text[i], "another word %d", i);
        ops[i] = op_of(ACR_OP_ADD, text[i]);
    }
    ck_assert_int_eq(apply_ops(s, ops, 40000, outcomes, NULL, &err), ACOR_ENOSPC);
    ck_assert_ptr_nonnull(strstr(err.message, P.path));
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_UNCHANGED);
    /* There is room for a little, and for all once there is more disk. */
    ck_assert_int_eq(must_add(s, "small"), 1);
    ck_assert_int_eq(mount("none", P.folder, NULL, MS_REMOUNT, "size=64m"), 0);
    ck_assert_int_eq(apply_ops(s, ops, 40000, outcomes, NULL, &err), ACOR_OK);
    ck_assert_uint_eq(must_info(s).keywords, 40501);
    acr_store_close(s);
    follower_free(&f);
    unmount();
}
END_TEST

START_TEST(disk_full_from_the_start_is_said)
{
    ck_assert_int_eq(mount_small_disk(P.folder), 0);
    char filler[400];
    (void)snprintf(filler, sizeof filler, "%s/filler", P.folder);
    int fd = open(filler, O_CREAT | O_WRONLY, 0600);
    static char block[4096];
    while (write(fd, block, sizeof block) > 0)
        ;
    ck_assert_int_eq(errno, ENOSPC);
    (void)close(fd);
    acr_store *s = place_open(&P);
    acr_op op = op_of(ACR_OP_ADD, "word");
    ck_assert_int_eq(apply_ops(s, &op, 1, NULL, NULL, &err), ACOR_ENOSPC);
    ck_assert_int_eq(must_info(s).exists, 0);
    ck_assert_int_eq(unlink(filler), 0);
    ck_assert_int_eq(must_add(s, "word"), 1);
    acr_store_close(s);
    unmount();
}
END_TEST

static void reads_and_cannot_write(const char *word)
{
    acr_store *s = place_open(&P);
    follower f = {.pieces = 0};
    must_follow(&f, s);
    ck_assert_uint_eq(naive_find(&f.words, acr_slice_str(word)), 0);
    must_follow(&f, s);
    ck_assert_int_eq(f.kind, ACR_LOAD_UNCHANGED);
    acr_op op = op_of(ACR_OP_ADD, "other");
    int rc = apply_ops(s, &op, 1, NULL, NULL, &err);
    ck_assert_msg(rc == ACOR_EREADONLY, "%d: %s", rc, err.message);
    ck_assert_ptr_nonnull(strstr(err.message, P.path));
    acr_watch *w;
    acr_watch_event event;
    ck_assert_int_eq(s->ops->watch(s, &w, soon(), NULL), ACOR_OK);
    ck_assert_int_eq(s->ops->wait(w, &event, acr_deadline_in_ms(60), NULL), ACOR_OK);
    ck_assert_int_eq(event, ACR_WATCH_NOTHING);
    s->ops->unwatch(w);
    acr_store_close(s);
    follower_free(&f);
}

START_TEST(read_only_medium_can_be_read)
{
    ck_assert_int_eq(mount_small_disk(P.folder), 0);
    acr_store *s = place_open(&P);
    (void)must_add(s, "word");
    acr_store_close(s);
    ck_assert_int_eq(mount("none", P.folder, NULL, MS_REMOUNT | MS_RDONLY, "size=1m"), 0);
    reads_and_cannot_write("word");
    /* Where there is no file, it can be told as well. */
    char url[400];
    (void)snprintf(url, sizeof url, "sqlite:%s/none.db", P.folder);
    s = must_open(url, "words", ACR_CASE_FOLDED);
    ck_assert_int_eq(must_info(s).exists, 0);
    acr_op op = op_of(ACR_OP_ADD, "other");
    ck_assert_int_eq(apply_ops(s, &op, 1, NULL, NULL, &err), ACOR_EREADONLY);
    acr_store_close(s);
    unmount();
}
END_TEST

START_TEST(reader_of_a_read_only_medium_sees_it_change)
{
    ck_assert_int_eq(mount_small_disk(P.folder), 0);
    acr_store *s = place_open(&P);
    (void)must_add(s, "word");
    acr_store_close(s);
    ck_assert_int_eq(mount("none", P.folder, NULL, MS_REMOUNT | MS_RDONLY, "size=1m"), 0);
    acr_store *reader = place_open(&P);
    ck_assert_uint_eq(must_info(reader).keywords, 1);
    ck_assert_int_eq(mount("none", P.folder, NULL, MS_REMOUNT, "size=1m"), 0);
    s = place_open(&P);
    (void)must_add(s, "another");
    ck_assert_uint_eq(must_info(reader).keywords, 2);
    acr_store_close(s);
    ck_assert_uint_eq(must_info(reader).keywords, 2);
    acr_store_close(reader);
    unmount();
}
END_TEST

/* --- rights: root has them all, so these give them up ---------------------- */

static void in_a_child_without_rights(void (*run)(void))
{
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(9);
        run();
        _exit(0);
    }
    must_end_well(child);
}

static void read_word(void)
{
    reads_and_cannot_write("word");
}

static void make_file(mode_t file, mode_t folder)
{
    acr_store *s = place_open(&P);
    (void)must_add(s, "word");
    acr_store_close(s);
    ck_assert_int_eq(chmod(P.path, file), 0);
    ck_assert_int_eq(chmod(P.folder, folder), 0);
}

START_TEST(read_only_file_can_be_read)
{
    make_file(0444, 0777);
    in_a_child_without_rights(read_word);
    ck_assert_int_eq(chmod(P.folder, 0700), 0);
}
END_TEST

START_TEST(file_in_a_read_only_folder_can_be_read)
{
    make_file(0444, 0555);
    in_a_child_without_rights(read_word);
    ck_assert_int_eq(chmod(P.folder, 0700), 0);
}
END_TEST

START_TEST(file_in_a_read_only_folder_can_be_read_beside_its_writer)
{
    make_file(0644, 0755);
    acr_store *writer = place_open(&P);
    (void)must_add(writer, "another"); /* and its WAL stands there */
    if (geteuid() == 0)                /* otherwise the child may write what is its own */
        in_a_child_without_rights(read_word);
    acr_store_close(writer);
}
END_TEST

static void cannot_open(void)
{
    acr_store *s;
    int rc = place_try(&P, &s, &err);
    ck_assert_msg(rc == ACOR_EIO, "%d: %s", rc, err.message);
    ck_assert_ptr_nonnull(strstr(err.message, P.path));
    ck_assert_int_eq(err.sys_errno, EACCES);
}

START_TEST(unreadable_file_is_named)
{
    make_file(0000, 0755);
    in_a_child_without_rights(cannot_open);
}
END_TEST

static void cannot_create(void)
{
    acr_store *s = place_open(&P);
    ck_assert_int_eq(must_info(s).exists, 0);
    acr_op op = op_of(ACR_OP_ADD, "word");
    int rc = apply_ops(s, &op, 1, NULL, NULL, &err);
    ck_assert_msg(rc == ACOR_EREADONLY, "%d: %s", rc, err.message);
    ck_assert_ptr_nonnull(strstr(err.message, P.path));
    acr_store_close(s);
}

START_TEST(file_cannot_be_made_in_a_read_only_folder)
{
    ck_assert_int_eq(chmod(P.folder, 0555), 0);
    in_a_child_without_rights(cannot_create);
    ck_assert_int_eq(chmod(P.folder, 0700), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sqlite_stress");
    TCase *tc = tcase_create("processes");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, processes_that_write_at_once_lose_nothing);
    tcase_add_test(tc, processes_that_create_at_once_make_one_file);
    tcase_add_test(tc, kill_in_the_middle_leaves_all_or_nothing);
    tcase_add_test(tc, kill_while_the_file_is_made_leaves_one_that_works);
    suite_add_tcase(suite, tc);

    tc = tcase_create("rights");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, read_only_file_can_be_read);
    tcase_add_test(tc, file_in_a_read_only_folder_can_be_read);
    tcase_add_test(tc, file_in_a_read_only_folder_can_be_read_beside_its_writer);
    tcase_add_test(tc, unreadable_file_is_named);
    tcase_add_test(tc, file_cannot_be_made_in_a_read_only_folder);
    suite_add_tcase(suite, tc);

    if (may_mount()) {
        tc = tcase_create("media");
        tcase_add_checked_fixture(tc, setup, teardown);
        tcase_set_timeout(tc, 60);
        tcase_add_test(tc, full_disk_leaves_what_was_there);
        tcase_add_test(tc, disk_full_from_the_start_is_said);
        tcase_add_test(tc, read_only_medium_can_be_read);
        tcase_add_test(tc, reader_of_a_read_only_medium_sees_it_change);
        suite_add_tcase(suite, tc);
    } else {
        (void)printf(
            "# skipped: full disks and read-only media, as mounting needs root\n");
    }
    return acor_test_run(suite);
}
