/* SPDX-License-Identifier: Apache-2.0 */
#include "store/redis/reply.h"

#include <hiredis/hiredis.h>
#include <hiredis/read.h>

#include "base/alloc.h"
#include "base/error.h"

struct acr_reply_reader {
    acr_mem mem;
    redisReader *os;
    acr_arena *arena; /* where the reply being read goes */
    acr_reply *root;  /* of the reply being read */
    int out_of_memory;
};

/* Elements an array has room for to begin with: what is declared need not come. */
enum { FIRST_ITEMS = 64 };

/*
 * Room for element i of an array, which grows when i reaches its end; so its
 * capacity need not be kept. Nothing but the array points at its elements then.
 */
static int make_room(acr_reply_reader *r, acr_reply *array, size_t i)
{
    if (i != 0 && (i < FIRST_ITEMS || (i & (i - 1)) != 0))
        return 1;
    size_t cap = i ? i * 2 : FIRST_ITEMS;
    if (cap > array->n)
        cap = array->n;
    acr_reply *items = acr_arena_get(r->arena, cap * sizeof *items, 1);
    if (items == NULL) {
        r->out_of_memory = 1;
        return 0;
    }
    if (i != 0)
        memcpy(items, array->items, i * sizeof *items);
    for (size_t k = i; k < cap; k++)
        items[k] = (acr_reply){0};
    array->items = items;
    return 1;
}

/* Where the value of a task belongs: the root, or its place in its parent. */
static acr_reply *place_of(const redisReadTask *task)
{
    acr_reply_reader *r = task->privdata;
    if (task->parent == NULL) {
        r->root = acr_arena_get(r->arena, sizeof *r->root, 1);
        if (r->root == NULL)
            r->out_of_memory = 1;
        else
            *r->root = (acr_reply){0};
        return r->root;
    }
    acr_reply *parent = task->parent->obj;
    size_t i = (size_t)task->idx;
    return make_room(r, parent, i) ? &parent->items[i] : NULL;
}

static void *make_string(const redisReadTask *task, char *bytes, size_t len)
{
    acr_reply_reader *r = task->privdata;
    acr_reply *reply = place_of(task);
    if (reply == NULL)
        return NULL;
    unsigned char *copy = acr_arena_copy(r->arena, acr_slice_of(bytes, len));
    if (copy == NULL) {
        r->out_of_memory = 1;
        return NULL;
    }
    reply->kind = task->type == REDIS_REPLY_ERROR    ? ACR_REPLY_ERROR
                  : task->type == REDIS_REPLY_STATUS ? ACR_REPLY_STATUS
                                                     : ACR_REPLY_STRING;
    reply->text = acr_slice_of(copy, len);
    return reply;
}

#if HIREDIS_MAJOR >= 1
static void *make_array(const redisReadTask *task, size_t n)
#else
static void *make_array(const redisReadTask *task, int n)
#endif
{
    acr_reply *reply = place_of(task);
    if (reply == NULL)
        return NULL;
    reply->kind = ACR_REPLY_ARRAY;
    reply->n = (size_t)n;
    return reply;
}

static void *make_integer(const redisReadTask *task, long long value)
{
    acr_reply *reply = place_of(task);
    if (reply != NULL) {
        reply->kind = ACR_REPLY_INTEGER;
        reply->integer = value;
    }
    return reply;
}

static void *make_nil(const redisReadTask *task)
{
    return place_of(task); /* zeroed, which is nil */
}

/* The arena owns everything. */
static void leave_alone(void *reply)
{
    (void)reply;
}

static const redisReplyObjectFunctions functions = {
    .createString = make_string,
    .createArray = make_array,
    .createInteger = make_integer,
    .createNil = make_nil,
    .freeObject = leave_alone,
};

acr_reply_reader *acr_reply_reader_new(const acr_mem *mem)
{
    acr_reply_reader *r = acr_alloc_zero(mem, sizeof *r);
    if (r == NULL)
        return NULL;
    r->mem = *mem;
    /* hiredis only reads the table, but its declaration does not say so. */
    redisReplyObjectFunctions *table;
    const redisReplyObjectFunctions *from = &functions;
    memcpy(&table, &from, sizeof table);
    r->os = redisReaderCreateWithFunctions(table);
    if (r->os == NULL) {
        acr_free(mem, r, sizeof *r);
        return NULL;
    }
    r->os->privdata = r;
    return r;
}

void acr_reply_reader_free(acr_reply_reader *r)
{
    if (r == NULL)
        return;
    acr_mem mem = r->mem;
    redisReaderFree(r->os);
    acr_free(&mem, r, sizeof *r);
}

int acr_reply_feed(acr_reply_reader *r, acr_slice bytes, acor_error *err)
{
    if (redisReaderFeed(r->os, (const char *)bytes.data, bytes.len) != REDIS_OK)
        return acr_fail_nomem(err);
    return ACOR_OK;
}

int acr_reply_next(acr_reply_reader *r, acr_arena *arena, acr_reply **out, acor_error *err)
{
    void *reply = NULL;
    *out = NULL;
    r->arena = arena;
    if (redisReaderGetReply(r->os, &reply) != REDIS_OK) {
        if (r->out_of_memory || r->os->err == REDIS_ERR_OOM)
            return acr_fail_nomem(err);
        return acr_fail(err, ACOR_EPROTOCOL, "the server's answer is no Redis reply: %s",
                        r->os->errstr);
    }
    /* A newer hiredis gives what our functions do not make as a number for its kind. */
    if (reply != NULL && reply != r->root)
        return acr_fail(err, ACOR_EPROTOCOL,
                        "the server's answer is of a kind that was not asked for");
    *out = reply;
    return ACOR_OK;
}

int acr_reply_reader_is_empty(const acr_reply_reader *r)
{
    return r->os->pos == r->os->len;
}

int acr_reply_is_error(const acr_reply *r, const char *code)
{
    size_t n = strlen(code);
    return r->kind == ACR_REPLY_ERROR && r->text.len >= n &&
           memcmp(r->text.data, code, n) == 0 &&
           (r->text.len == n || r->text.data[n] == ' ');
}
