/* SPDX-License-Identifier: Apache-2.0 */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "util.h"

enum { RAW_BYTES = 64 * 1024, MAGIC_BYTES = 3 };

struct cli_input {
    char *name; /* for messages */
    int fd;
    int is_regular;
    int is_gzip;
    int is_known; /* is_gzip has been found out */
    int between;  /* gzip: a member ended, another may follow */
    size_t size;
    z_stream z;
    /* Read and not yet handed on: the first bytes, and what zlib is fed with. */
    unsigned char *raw;
    size_t raw_at;
    size_t raw_len;
};

cli_input *cli_input_open(const char *path, int raw)
{
    int is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? 0 : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        cli_say("%N: %s", path, strerror(errno));
        return NULL;
    }
    cli_input *in = cli_alloc(sizeof *in);
    *in = (cli_input){.fd = fd, .is_known = raw};
    in->name = cli_copy(is_stdin ? "(standard input)" : path);
    in->raw = cli_alloc(RAW_BYTES);
    struct stat st;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        in->is_regular = 1;
        in->size = (size_t)st.st_size;
    }
    return in;
}

void cli_input_close(cli_input *in)
{
    if (in == NULL)
        return;
    if (in->is_gzip)
        inflateEnd(&in->z);
    if (in->fd != 0)
        close(in->fd);
    free(in->raw);
    free(in->name);
    free(in);
}

size_t cli_input_size(const cli_input *in)
{
    return in->is_gzip ? 0 : in->size;
}

int cli_input_is_live(const cli_input *in)
{
    return !in->is_regular;
}

int cli_input_fd(const cli_input *in)
{
    return in->fd;
}

static ssize_t read_some(cli_input *in, void *data, size_t size)
{
    ssize_t n;
    do
        n = read(in->fd, data, size);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        cli_say("%N: %s", in->name, strerror(errno));
    return n;
}

static int broken(const cli_input *in, const char *why)
{
    cli_say("%N: broken gzip data: %s", in->name, why);
    return -1;
}

/* Reads on only while the bytes look like gzip: a slow pipe is not waited for. */
static int find_out(cli_input *in)
{
    static const unsigned char magic[MAGIC_BYTES] = {0x1f, 0x8b, 8};
    while (in->raw_len < MAGIC_BYTES && memcmp(in->raw, magic, in->raw_len) == 0) {
        ssize_t n = read_some(in, in->raw + in->raw_len, RAW_BYTES - in->raw_len);
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        in->raw_len += (size_t)n;
    }
    in->is_known = 1;
    if (in->raw_len < MAGIC_BYTES || memcmp(in->raw, magic, MAGIC_BYTES) != 0)
        return 0;
    if (inflateInit2(&in->z, 15 + 16) != Z_OK)
        return broken(in, "no memory");
    in->is_gzip = 1;
    return 0;
}

/* 1 if there are raw bytes, 0 at the end of the file, -1 after a complaint. */
static int feed(cli_input *in)
{
    if (in->raw_at < in->raw_len)
        return 1;
    ssize_t n = read_some(in, in->raw, RAW_BYTES);
    in->raw_at = 0;
    in->raw_len = n > 0 ? (size_t)n : 0;
    return n > 0 ? 1 : (int)n;
}

/*
 * Before the next member: 1 if one begins, 0 at the end. As with gzip, zeros
 * may pad the end; anything else that is no member is an error.
 */
static int next_member(cli_input *in)
{
    int padded = 0;
    for (;;) {
        int more = feed(in);
        if (more <= 0)
            return more;
        if (in->raw[in->raw_at] != 0)
            break;
        in->raw_at++;
        padded = 1;
    }
    if (padded || in->raw[in->raw_at] != 0x1f)
        return broken(in, "something else follows it");
    if (inflateReset(&in->z) != Z_OK)
        return broken(in, "no memory");
    in->between = 0;
    return 1;
}

static ssize_t read_gzip(cli_input *in, char *data, size_t size)
{
    if (size > (size_t)1 << 30)
        size = (size_t)1 << 30;
    in->z.next_out = (unsigned char *)data;
    in->z.avail_out = (uInt)size;
    while (in->z.avail_out == size) {
        int more = in->between ? next_member(in) : feed(in);
        if (more < 0)
            return -1;
        if (more == 0 && in->between)
            return 0;
        if (more == 0)
            return broken(in, "it ends too early");
        in->z.next_in = in->raw + in->raw_at;
        in->z.avail_in = (uInt)(in->raw_len - in->raw_at);
        int status = inflate(&in->z, Z_NO_FLUSH);
        in->raw_at = in->raw_len - in->z.avail_in;
        if (status == Z_STREAM_END)
            in->between = 1;
        else if (status != Z_OK && status != Z_BUF_ERROR)
            return broken(in, in->z.msg ? in->z.msg : "it cannot be read");
    }
    return (ssize_t)(size - in->z.avail_out);
}

ssize_t cli_input_read(cli_input *in, char *data, size_t size)
{
    if (!in->is_known && find_out(in) < 0)
        return -1;
    if (in->is_gzip)
        return read_gzip(in, data, size);
    if (in->raw_at < in->raw_len) {
        size_t n = in->raw_len - in->raw_at;
        if (n > size)
            n = size;
        memcpy(data, in->raw + in->raw_at, n);
        in->raw_at += n;
        return (ssize_t)n;
    }
    return read_some(in, data, size);
}
