/* SPDX-License-Identifier: Apache-2.0 */
#include "store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util.h"

static void put_percent(cli_buf *url, const char *text, size_t len, const char *keep)
{
    static const char digits[] = "0123456789ABCDEF";
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789-._~";
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c != '\0' && (strchr(plain, c) || strchr(keep, c))) {
            cli_buf_put(url, text + i, 1);
        } else {
            char escape[3] = {'%', digits[c >> 4], digits[c & 15]};
            cli_buf_put(url, escape, sizeof escape);
        }
    }
}

static char *finish_text(cli_buf *buf)
{
    cli_buf_put(buf, "", 1);
    return buf->data;
}

/* --- the user's own file ----------------------------------------------------- */

static char *default_file(void)
{
    const char *data = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    cli_buf path = {0};
    /* The XDG rules: a relative path is to be ignored. */
    if (data != NULL && data[0] == '/') {
        cli_buf_text(&path, data);
    } else if (home != NULL && home[0] != '\0') {
        cli_buf_text(&path, home);
        cli_buf_text(&path, "/.local/share");
    } else {
        cli_say("no place for the store: HOME is not set; give --url or set ACOR_URL");
        return NULL;
    }
    cli_buf_text(&path, "/acor/acor.db");
    return finish_text(&path);
}

/* The folders above a file; -1 after a complaint. */
static int make_folders(const char *file)
{
    char *path = cli_copy(file);
    int status = 0;
    for (char *p = strchr(path + 1, '/'); p != NULL; p = strchr(p + 1, '/')) {
        *p = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST) {
            /* Above the file may be folders that are there and not ours to write. */
            int why = errno;
            struct stat st;
            if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
                cli_say("cannot make the folder %N: %s", path, strerror(why));
                status = -1;
                break;
            }
        }
        *p = '/';
    }
    free(path);
    return status;
}

/* --- Redis by the Go program's rules ----------------------------------------- */

typedef struct topology {
    acor_string addr;
    acor_string master;
    const char *addrs; /* comma lists; NULL: none */
    const char *ring;
} topology;

static acor_string trimmed(const char *text)
{
    return acor_trim(cli_string(text ? text : ""));
}

static const char *check_topology(const topology *t, int64_t db)
{
    if (t->addr.len > 0 && t->addrs != NULL)
        return "redis topology settings are conflicting";
    if (t->ring != NULL && (t->master.len > 0 || t->addrs != NULL))
        return "redis topology settings are conflicting";
    if (t->master.len > 0 && t->addrs == NULL)
        return "redis sentinel requires at least one address";
    if (t->ring == NULL && t->master.len == 0 && t->addrs != NULL && db != 0)
        return "redis cluster does not support DB selection";
    return NULL;
}

static void put_list(cli_buf *url, const char *list, const char *keep)
{
    const char *part = NULL;
    size_t len = 0;
    int n = 0;
    while (cli_next_part(&list, &part, &len)) {
        if (len == 0)
            continue;
        cli_buf_text(url, n++ ? "," : "");
        put_percent(url, part, len, keep);
    }
}

static char *redis_url(const cli_args *a)
{
    acor_string addrs = trimmed(a->text[OPT_ADDRS]);
    acor_string ring = trimmed(a->text[OPT_RING_ADDRS]);
    topology t = {trimmed(a->text[OPT_ADDR]), trimmed(a->text[OPT_MASTER_NAME]),
                  addrs.len ? a->text[OPT_ADDRS] : NULL,
                  ring.len ? a->text[OPT_RING_ADDRS] : NULL};
    const char *wrong = check_topology(&t, a->number[OPT_DB]);
    if (wrong != NULL) {
        cli_say_go("%s", wrong);
        return NULL;
    }
    int is_unix = t.addr.len > 0 && t.addr.data[0] == '/';
    int is_plain = t.ring == NULL && t.addrs == NULL;
    cli_buf url = {0};
    cli_buf_text(&url, t.ring                            ? "redis+ring://"
                       : t.addrs != NULL && t.master.len ? "redis+sentinel://"
                       : t.addrs != NULL                 ? "redis+cluster://"
                       : is_unix                         ? "redis+unix://"
                                                         : "redis://");
    const char *password = a->text[OPT_PASSWORD];
    if (password != NULL && password[0] != '\0') {
        cli_buf_text(&url, ":");
        put_percent(&url, password, strlen(password), "");
        cli_buf_text(&url, "@");
    }
    if (t.ring != NULL)
        put_list(&url, t.ring, "=:[]");
    else if (t.addrs != NULL)
        put_list(&url, t.addrs, ":[]");
    else if (t.addr.len > 0)
        put_percent(&url, t.addr.data, t.addr.len, is_unix ? "/" : ":[]");
    else
        cli_buf_text(&url, "localhost:6379");
    if (t.master.len > 0 && t.addrs != NULL) {
        cli_buf_text(&url, "/");
        put_percent(&url, t.master.data, t.master.len, "");
    }
    const char *db = a->text[OPT_DB];
    if (a->number[OPT_DB] != 0 && db != NULL) {
        cli_buf_text(&url, is_plain && is_unix ? "?db=" : "/");
        put_percent(&url, db, strlen(db), "");
    }
    return finish_text(&url);
}

/* --- choice and opening ------------------------------------------------------ */

static int wants_redis(const cli_args *a)
{
    return a->is_given[OPT_ADDR] || a->is_given[OPT_ADDRS] ||
           a->is_given[OPT_MASTER_NAME] || a->is_given[OPT_RING_ADDRS] ||
           a->is_given[OPT_PASSWORD] || a->is_given[OPT_DB];
}

/* NULL after a complaint. */
static char *choose_url(cli_store *store, const cli_args *a, int writes)
{
    if (a->is_given[OPT_URL])
        return cli_copy(a->text[OPT_URL]);
    if (wants_redis(a))
        return redis_url(a);
    const char *env = getenv("ACOR_URL");
    if (env != NULL && env[0] != '\0')
        return cli_copy(env);
    char *file = default_file();
    if (file == NULL)
        return NULL;
    if (writes && make_folders(file) != 0) {
        free(file);
        return NULL;
    }
    cli_buf url = {0};
    cli_buf_text(&url, "sqlite:");
    put_percent(&url, file, strlen(file), "/");
    struct stat st;
    if (writes && stat(file, &st) != 0)
        store->file = file;
    else
        free(file);
    return finish_text(&url);
}

static void log_line(void *user, uint32_t level, const char *message)
{
    (void)user;
    cli_say("%s: %s",
            level == ACOR_LOG_ERROR     ? "error"
            : level == ACOR_LOG_WARNING ? "warning"
                                        : "debug",
            message);
}

int cli_store_open(cli_store *store, const cli_args *a, int writes)
{
    *store = (cli_store){0};
    char *name = cli_name(a);
    if (strchr(name, ':') != NULL) {
        cli_say_go("collection name must not contain ':'");
        free(name);
        return cli_failed(a);
    }
    int status = cli_failed(a);
    char *url = choose_url(store, a, writes);
    if (url != NULL) {
        acor_open_options opts = ACOR_OPEN_OPTIONS_INIT;
        acor_error err = ACOR_ERROR_INIT;
        opts.case_mode =
            cli_is_on(a, OPT_CASE_SENSITIVE) ? ACOR_CASE_SENSITIVE : ACOR_CASE_AS_STORED;
        opts.timeout_ms = (uint32_t)a->number[OPT_TIMEOUT];
        if (cli_is_on(a, OPT_DEBUG)) {
            opts.log = log_line;
            opts.log_levels =
                ACOR_LOG_ERROR | ACOR_LOG_WARNING | ACOR_LOG_INFO | ACOR_LOG_DEBUG;
        }
        if (acor_open(&store->c, url, name, &opts, &err) == ACOR_OK)
            status = -1;
        else
            cli_say_error(&err);
    }
    free(url);
    free(name);
    if (status >= 0) {
        free(store->file);
        *store = (cli_store){0};
    }
    return status;
}

void cli_store_close(cli_store *store)
{
    struct stat st;
    acor_close(store->c);
    if (store->file != NULL && stat(store->file, &st) == 0)
        cli_say("note: the keywords are kept in %N", store->file);
    free(store->file);
    *store = (cli_store){0};
}
