/* SPDX-License-Identifier: Apache-2.0 */
#include "sqlite_env.h"

#include <check.h>
#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

void place_init(place *p)
{
    *p = (place){.folder = ""};
    make_folder(p->folder, sizeof p->folder);
    (void)snprintf(p->path, sizeof p->path, "%s/words.db", p->folder);
    (void)snprintf(p->url, sizeof p->url, "sqlite:%s", p->path);
}

void place_free(place *p)
{
    remove_folder(p->folder);
}

acr_store *place_open(const place *p)
{
    return must_open(p->url, "words", ACR_CASE_FOLDED);
}

int place_try(const place *p, acr_store **out, acor_error *err)
{
    acr_mem mem;
    ck_assert_int_eq(acr_mem_init(&mem, NULL, NULL), ACOR_OK);
    acr_store_params params = {.name = acr_slice_str("words"),
                               .mode = ACR_CASE_FOLDED,
                               .mem = &mem};
    return acr_store_open(out, p->url, &params, NULL, err);
}

int count_files(const place *p)
{
    DIR *dir = opendir(p->folder);
    ck_assert_ptr_nonnull(dir);
    int n = -2; /* the folder and its parent */
    while (readdir(dir) != NULL)
        n++;
    (void)closedir(dir);
    return n;
}

void write_file(const char *path, const void *data, size_t len)
{
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(data, 1, len, f), len);
    ck_assert_int_eq(fclose(f), 0);
}

unsigned char *read_whole(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(fseek(f, 0, SEEK_END), 0);
    long size = ftell(f);
    rewind(f);
    unsigned char *data = malloc((size_t)size + 1);
    ck_assert_ptr_nonnull(data);
    ck_assert_uint_eq(fread(data, 1, (size_t)size, f), (size_t)size);
    (void)fclose(f);
    *len = (size_t)size;
    return data;
}

void copy_file(const char *from, const char *to)
{
    size_t len;
    unsigned char *data = read_whole(from, &len);
    write_file(to, data, len);
    free(data);
}

void run_sql(const char *path, const char *sql)
{
    sqlite3 *db;
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    ck_assert_msg(code == SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(db));
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

long long ask_sql(const char *path, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *st;
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(st), SQLITE_ROW);
    long long n = sqlite3_column_int64(st, 0);
    (void)sqlite3_finalize(st);
    (void)sqlite3_close(db);
    return n;
}

void must_end_well(pid_t child)
{
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child ended with %x",
                  status);
}
