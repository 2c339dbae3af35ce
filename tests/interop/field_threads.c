/* SPDX-License-Identifier: Apache-2.0 */
/* One handle and many threads; one file and many processes. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fields.h"
#include "tap.h"

enum { MAX_THREADS = 16 };

typedef struct job {
    acor_collection *c;
    int number, rounds, ok;
    int *stop; /* set by the last writer; may be NULL */
} job;

/* n threads of work on c; 1 if all were satisfied. */
static int run_threads(int n, acor_collection *c, int rounds, void *(*work)(void *))
{
    pthread_t threads[MAX_THREADS];
    job jobs[MAX_THREADS];
    int stop = 0, ok = 1;
    for (int i = 0; i < n; i++) {
        jobs[i] = (job){c, i, rounds, 0, &stop};
        WANT(pthread_create(&threads[i], NULL, work, &jobs[i]) == 0);
    }
    for (int i = 0; i < n; i++) {
        pthread_join(threads[i], NULL);
        ok = ok && jobs[i].ok;
    }
    return ok;
}

static int open_mem(acor_collection **c, const char *const *words, size_t n)
{
    WANT(acor_open(c, "mem:", "threads", NULL, NULL) == ACOR_OK);
    for (size_t i = 0; i < n; i++)
        WANT(acor_add(*c, words[i], strlen(words[i]), NULL, NULL) == ACOR_OK);
    return 1;
}

/* --- FC-116 ------------------------------------------------------------------- */

static const char *const names[] = {"amber", "bronze", "coral", "denim", "ebony", "fawn"};

static int knows_answer(job *j)
{
    char text[200];
    acor_match_list *list = NULL;
    int first = j->number % 6, second = (j->number + 1) % 6;
    snprintf(text, sizeof text, "%d %s and %s, %s again", j->number, names[first],
             names[second], names[first]);
    for (int i = 0; i < j->rounds; i++) {
        WANT(acor_find_set(j->c, text, strlen(text), &list, NULL) == ACOR_OK);
        WANT(acor_match_list_count(list) == 2);
        for (size_t k = 0; k < 2; k++) {
            const acor_match *m = &acor_match_list_items(list)[k];
            acor_string s =
                acor_snapshot_keyword(acor_match_list_snapshot(list), m->keyword);
            WANT(strcmp(s.data, names[k ? second : first]) == 0);
        }
        acor_match_list_free(list);
    }
    return 1;
}

static void *find_known(void *user)
{
    job *j = user;
    j->ok = knows_answer(j);
    return NULL;
}

int fc116_threads_find(void)
{
    acor_collection *c = NULL;
    WANT(open_mem(&c, names, 6));
    WANT(run_threads(16, c, tap_scale(2000), find_known));
    acor_close(c);
    return 1;
}

/* --- FC-118 ------------------------------------------------------------------- */

static int toggle(job *j)
{
    for (int i = 0; i < j->rounds; i++) {
        WANT(acor_remove(j->c, "beta", 4, NULL, NULL) == ACOR_OK);
        WANT(acor_add(j->c, "beta", 4, NULL, NULL) == ACOR_OK);
    }
    return 1;
}

static int read_while_toggled(job *j)
{
    static const uint64_t all[] = {0, 5, 6, 10, 11, 16}, two[] = {0, 5, 11, 16};
    acor_string text = str("alpha beta gamma");
    world w = {.at = PLACE_MEM, .col = j->c};
    while (!__atomic_load_n(j->stop, __ATOMIC_ACQUIRE)) {
        hits h;
        WANT(world_find(&w, text, ACOR_MATCH_OVERLAPPING, 0, &h));
        WANT(spans_are(&h, all, 3) || spans_are(&h, two, 2));
        for (size_t i = 0; i < h.count; i++) {
            acor_string s = hits_keyword(&h, i);
            WANT(memcmp(s.data, text.data + h.items[i].start, s.len) == 0);
        }
        hits_free(&h);
    }
    return 1;
}

static void *toggle_or_read(void *user)
{
    job *j = user;
    if (j->number > 0) {
        j->ok = read_while_toggled(j);
    } else {
        j->ok = toggle(j);
        __atomic_store_n(j->stop, 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

int fc118_toggled_keyword(void)
{
    static const char *const greek[] = {"alpha", "beta", "gamma"};
    acor_collection *c = NULL;
    WANT(open_mem(&c, greek, 3));
    WANT(run_threads(5, c, tap_scale(1000), toggle_or_read));
    acor_close(c);
    return 1;
}

/* --- FC-119 ------------------------------------------------------------------- */

static int mix(job *j)
{
    for (int i = 0; i < j->rounds; i++) {
        char word[40];
        int found = 0, changed = 0;
        acor_info info = ACOR_INFO_INIT;
        size_t len =
            (size_t)snprintf(word, sizeof word, "thread %d word %d.", j->number, i);
        WANT(acor_add(j->c, word, len, &changed, NULL) == ACOR_OK && changed == 1);
        WANT(acor_contains(j->c, word, len, &found, NULL) == ACOR_OK && found == 1);
        WANT(acor_info_get(j->c, &info, NULL) == ACOR_OK && info.keywords > 0);
        if (i % 2)
            WANT(acor_remove(j->c, word, len, &changed, NULL) == ACOR_OK && changed == 1);
    }
    return 1;
}

static void *mix_all(void *user)
{
    job *j = user;
    j->ok = mix(j);
    return NULL;
}

int fc119_threads_mix(void)
{
    acor_collection *c = NULL;
    acor_info info = ACOR_INFO_INIT;
    int rounds = tap_scale(60), found = 0;
    WANT(open_mem(&c, NULL, 0));
    WANT(run_threads(8, c, rounds, mix_all));
    WANT(acor_info_get(c, &info, NULL) == ACOR_OK);
    WANT(info.keywords == 8 * (uint64_t)((rounds + 1) / 2));
    WANT(acor_contains(c, "thread 7 word 0.", 16, &found, NULL) == ACOR_OK && found == 1);
    WANT(acor_contains(c, "thread 7 word 1.", 16, &found, NULL) == ACOR_OK && found == 0);
    acor_close(c);
    return 1;
}

/* --- FC-120 ------------------------------------------------------------------- */

/* The rule of the header: a child only closes what it inherited, and opens anew. */
static int in_child(place p, world *inherited)
{
    world own;
    int found = 0;
    acor_close(inherited->col);
    if (p == PLACE_MEM)
        return 1;
    WANT(world_open(&own, p, "fork", 0, NULL, 0));
    WANT(world_contains(&own, str("a word"), &found) && found == 1);
    WANT(acor_add(own.col, "child", 5, NULL, NULL) == ACOR_OK);
    world_close(&own);
    return 1;
}

static int fork_at(place p)
{
    world w;
    int found = 0, status = 0;
    acor_string k = str("word");
    WANT(world_open(&w, p, "fork", 0, &k, 1));
    WANT(world_contains(&w, str("a word"), &found) && found);
    for (int i = 0; i < 8; i++) {
        pid_t pid = fork();
        WANT(pid >= 0);
        if (pid == 0)
            _exit(in_child(p, &w) ? 0 : 1);
        WANT(waitpid(pid, &status, 0) == pid);
        WANT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    WANT(world_contains(&w, str("a word"), &found) && found);
    WANT(world_contains(&w, str("child"), &found) && found == (p == PLACE_SQLITE));
    world_close(&w);
    return 1;
}

int fc120_fork(void)
{
    WANT(fork_at(PLACE_MEM));
    WANT(!place_exists(PLACE_SQLITE) || fork_at(PLACE_SQLITE));
    return 1;
}

/* --- FC-125 ------------------------------------------------------------------- */

/* Opens, finds, says so by one byte, and stays until it is killed. */
static void stay(int ready)
{
    world w;
    int found = 0;
    int ok = world_open(&w, PLACE_SQLITE, "crowd", 0, NULL, 0) &&
             world_contains(&w, str("many words"), &found) && found;
    if (write(ready, ok ? "y" : "n", 1) == 1)
        for (;;)
            pause();
    _exit(1);
}

static int start(pid_t *pids, int n, const int pipes[2])
{
    for (int i = 0; i < n; i++) {
        char answer = 'n';
        pids[i] = fork();
        WANT(pids[i] >= 0);
        if (pids[i] == 0)
            stay(pipes[1]);
        WANT(read(pipes[0], &answer, 1) == 1 && answer == 'y');
    }
    return 1;
}

static void end(const pid_t *pids, int n)
{
    for (int i = 0; i < n; i++)
        kill(pids[i], SIGKILL);
    for (int i = 0; i < n; i++)
        waitpid(pids[i], NULL, 0);
}

int fc125_many_processes(void)
{
    enum { MOST = 200 };
    pid_t pids[MOST];
    int pipes[2], n = tap_scale(MOST), half = n / 2;
    acor_string k = str("word");
    world w;
    if (!place_exists(PLACE_SQLITE))
        return 1;
    WANT(world_open(&w, PLACE_SQLITE, "crowd", 0, &k, 1));
    world_close(&w);
    WANT(pipe(pipes) == 0);
    int ok = start(pids, n, pipes);
    if (ok) {
        end(pids, half);
        ok = start(pids, half, pipes);
        end(pids, n);
    }
    close(pipes[0]);
    close(pipes[1]);
    WANT(ok);
    WANT(world_open(&w, PLACE_SQLITE, "crowd", 0, NULL, 0));
    WANT(acor_add(w.col, "after", 5, NULL, NULL) == ACOR_OK);
    world_close(&w);
    return 1;
}
