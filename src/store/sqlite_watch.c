/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Noticing other people's commits: the folder's events say when to look, and
 * SQLite's data_version, asked on a connection that never writes, whether
 * there was a commit.
 *
 * A commit's event comes when its bytes go to the WAL, before the index that
 * makes them count is changed, and that change is no event. So after an event
 * data_version is asked again and again for a while.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef HAVE_SYS_INOTIFY_H
#include <sys/inotify.h>
#endif

#include "base/error.h"
#include "store/sqlite_store.h"

#define POLL_MS 50              /* without events, and at most after one */
#define IDLE_MS 1000            /* a look now and then, whatever the events say */
#define ALERT (10 * ACR_SECOND) /* how long a commit may take after its event */

typedef struct sqlite_watch {
    acr_watch base;
    acr_sqlite_db conn;
    int64_t seen;         /* data_version of what was reported last */
    uint32_t seen_opened; /* conn.opened at that time; 0: there was no file */
    int wake[2];          /* a pipe: read end, write end */
    int events;           /* inotify, or -1 */
    int on_folder;        /* its watch of the folder, or -1 */
    int64_t alert_until;
    int32_t nap_ms;
    char folder[PATH_MAX];
    char name[NAME_MAX + 1]; /* of the file, within the folder */
} sqlite_watch;

/* --- the folder ----------------------------------------------------------- */

#ifdef HAVE_SYS_INOTIFY_H
/* The folder may come later, or be replaced: tried again before each wait. */
static void attend(sqlite_watch *w)
{
    if (w->events >= 0 && w->on_folder < 0)
        w->on_folder = inotify_add_watch(w->events, w->folder,
                                         IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO |
                                             IN_MOVED_FROM | IN_DELETE_SELF |
                                             IN_MOVE_SELF | IN_ONLYDIR);
}

static int is_ours(const sqlite_watch *w, const char *name)
{
    size_t n = strlen(w->name);
    return strncmp(name, w->name, n) == 0 &&
           (name[n] == '\0' || strcmp(name + n, "-wal") == 0 ||
            strcmp(name + n, "-journal") == 0);
}

static void read_events(sqlite_watch *w)
{
    union {
        struct inotify_event first; /* for its alignment */
        char bytes[16 * (sizeof(struct inotify_event) + NAME_MAX + 1)];
    } buf;
    ssize_t len;
    while ((len = read(w->events, buf.bytes, sizeof buf.bytes)) > 0) {
        for (size_t at = 0; at < (size_t)len;) {
            struct inotify_event e;
            memcpy(&e, buf.bytes + at, sizeof e);
            const char *name = e.len != 0 ? buf.bytes + at + sizeof e : "";
            at += sizeof e + e.len;
            if (e.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED)) {
                if (!(e.mask & IN_IGNORED))
                    (void)inotify_rm_watch(w->events, w->on_folder);
                w->on_folder = -1;
            } else if (!(e.mask & IN_Q_OVERFLOW) && !is_ours(w, name)) {
                continue;
            }
            w->alert_until = acr_clock_now() + ALERT;
            w->nap_ms = 1;
        }
    }
}

static void open_events(sqlite_watch *w)
{
    w->events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}
#else
static void attend(sqlite_watch *w)
{
    (void)w;
}

static void read_events(sqlite_watch *w)
{
    (void)w;
}

static void open_events(sqlite_watch *w)
{
    w->events = -1;
}
#endif

/* Folder and name of the file itself, not of a link to it. */
static int set_folder(sqlite_watch *w, const char *path, acor_error *err)
{
    char real[PATH_MAX];
    if (realpath(path, real) != NULL)
        path = real;
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) : 0;
    if (slash == NULL || n + 1 >= sizeof w->folder || strlen(slash + 1) >= sizeof w->name)
        return acr_fail(err, ACOR_EIO, "%s: the path is too long", path);
    n += n == 0; /* the root keeps its slash */
    memcpy(w->folder, path, n);
    w->folder[n] = '\0';
    memcpy(w->name, slash + 1, strlen(slash + 1) + 1);
    return ACOR_OK;
}

/* --- the file ------------------------------------------------------------- */

/*
 * Whether what is there differs from what was reported last. What cannot be
 * read counts as not there: the caller's own look will say why.
 */
static int has_moved(sqlite_watch *w)
{
    acr_sqlite_db *c = &w->conn;
    c->deadline = acr_clock_now();
    int rc = acr_sqlite_connect(c, 1, ACR_SYNC_FULL, NULL);
    if (rc == ACOR_ETIMEOUT)
        return 0; /* locked for now; asked again soon */
    uint32_t opened = rc == ACOR_OK && c->db != NULL ? c->opened : 0;
    int64_t version = 0;
    if (opened != 0) {
        sqlite3_stmt *st = acr_sqlite_statement(c, ACR_SQL_DATA_VERSION, &rc, NULL);
        int code = st ? sqlite3_step(st) : SQLITE_ERROR;
        if (code == SQLITE_ROW)
            version = sqlite3_column_int64(st, 0);
        (void)sqlite3_reset(st);
        if (code != SQLITE_ROW)
            return 0;
    }
    int moved = opened != w->seen_opened || version != w->seen;
    w->seen_opened = opened;
    w->seen = version;
    return moved;
}

/* --- the seam ------------------------------------------------------------- */

static void close_one(int fd)
{
    if (fd >= 0)
        (void)close(fd);
}

void acr_sqlite_unwatch(acr_watch *watch)
{
    sqlite_watch *w = (sqlite_watch *)watch;
    acr_sqlite_disconnect(&w->conn);
    close_one(w->events);
    close_one(w->wake[0]);
    close_one(w->wake[1]);
    acr_free(&watch->store->mem, w, sizeof *w);
}

int acr_sqlite_watch(acr_store *store, acr_watch **out, acr_deadline deadline,
                     acor_error *err)
{
    (void)deadline; /* nothing here waits */
    *out = NULL;
    const acr_sqlite *s = (const acr_sqlite *)store;
    sqlite_watch *w = acr_alloc_zero(&store->mem, sizeof *w);
    if (w == NULL)
        return acr_fail_nomem(err);
    w->base.store = store;
    w->conn.path = s->path;
    w->wake[0] = w->wake[1] = w->events = w->on_folder = -1;
    int rc = set_folder(w, s->path, err);
    if (rc == ACOR_OK && pipe2(w->wake, O_NONBLOCK | O_CLOEXEC) != 0)
        rc = acr_fail_errno(err, ACOR_EIO, errno, "no pipe to be had");
    if (rc != ACOR_OK) {
        acr_sqlite_unwatch(&w->base);
        return rc;
    }
    open_events(w);
    /* First the events, then the look: nothing falls between them. */
    attend(w);
    (void)has_moved(w);
    *out = &w->base;
    return ACOR_OK;
}

static int32_t shorter(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t nap(sqlite_watch *w, acr_deadline deadline)
{
    int32_t ms = IDLE_MS;
    if (w->on_folder < 0) {
        ms = POLL_MS;
    } else if (acr_clock_now() < w->alert_until) {
        ms = w->nap_ms;
        w->nap_ms = shorter(2 * w->nap_ms, POLL_MS);
    }
    return shorter(ms, acr_deadline_left_ms(deadline));
}

static int take_wake(sqlite_watch *w)
{
    char bytes[64];
    int woken = 0;
    while (read(w->wake[0], bytes, sizeof bytes) > 0)
        woken = 1;
    return woken;
}

int acr_sqlite_wait(acr_watch *watch, acr_watch_event *event, acr_deadline deadline,
                    acor_error *err)
{
    sqlite_watch *w = (sqlite_watch *)watch;
    *event = ACR_WATCH_NOTHING;
    for (;;) {
        attend(w);
        if (has_moved(w)) {
            *event = ACR_WATCH_CHANGED;
            return ACOR_OK;
        }
        if (take_wake(w) || acr_deadline_left_ms(deadline) == 0)
            return ACOR_OK;
        struct pollfd fds[2] = {{.fd = w->wake[0], .events = POLLIN},
                                {.fd = w->events, .events = POLLIN}};
        if (poll(fds, 2, nap(w, deadline)) < 0 && errno != EINTR)
            return acr_fail_errno(err, ACOR_EIO, errno, "waiting for %s", w->conn.path);
        if (fds[1].revents != 0)
            read_events(w);
    }
}

void acr_sqlite_wake(acr_watch *watch)
{
    sqlite_watch *w = (sqlite_watch *)watch;
    /* A full pipe is as good as one more byte in it. */
    ssize_t n = write(w->wake[1], "", 1);
    (void)n;
}
