/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

enum { OUT_BYTES = 64 * 1024 };

void cli_out_init(cli_out *out, int fd)
{
    *out = (cli_out){.fd = fd, .data = cli_alloc(OUT_BYTES), .cap = OUT_BYTES};
}

static void write_all(cli_out *out, const char *data, size_t len)
{
    while (len > 0 && !out->failed) {
        ssize_t n = write(out->fd, data, len);
        if (n >= 0) {
            data += n;
            len -= (size_t)n;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd p = {.fd = out->fd, .events = POLLOUT};
            poll(&p, 1, -1);
        } else if (errno != EINTR) {
            out->failed = errno;
        }
    }
}

void cli_out_flush(cli_out *out)
{
    write_all(out, out->data, out->len);
    out->len = 0;
}

void cli_out_put(cli_out *out, const char *data, size_t len)
{
    if (len > out->cap - out->len)
        cli_out_flush(out);
    if (len >= out->cap) {
        write_all(out, data, len);
        return;
    }
    if (len > 0)
        memcpy(out->data + out->len, data, len);
    out->len += len;
}

void cli_out_text(cli_out *out, const char *text)
{
    cli_out_put(out, text, strlen(text));
}

void cli_out_number(cli_out *out, uint64_t n)
{
    char text[24];
    char *p = text + sizeof text;
    do {
        *--p = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    cli_out_put(out, p, (size_t)(text + sizeof text - p));
}

int cli_out_end(cli_out *out)
{
    cli_out_flush(out);
    free(out->data);
    out->data = NULL;
    if (!out->failed)
        return 0;
    if (out->failed != EPIPE)
        cli_say("standard output: %s", strerror(out->failed));
    return -1;
}

static const char hex_digits[] = "0123456789abcdef";

/* The escape of an ASCII byte that has one; its length, or 0. */
static size_t json_escape(unsigned char c, char escape[6])
{
    static const char named[] = "\bb\ff\nn\rr\tt\"\"\\\\";
    for (size_t i = 0; named[i] != '\0'; i += 2) {
        if ((unsigned char)named[i] == c) {
            escape[0] = '\\';
            escape[1] = named[i + 1];
            return 2;
        }
    }
    if (c >= 0x20 && c != '<' && c != '>' && c != '&')
        return 0;
    memcpy(escape, "\\u00", 4);
    escape[4] = hex_digits[c >> 4];
    escape[5] = hex_digits[c & 15];
    return 6;
}

void cli_json_string(cli_out *out, const char *data, size_t len)
{
    const unsigned char *p = (const unsigned char *)data;
    const unsigned char *end = p + len;
    const unsigned char *plain = p; /* nothing from here to p needs an escape */
    cli_out_put(out, "\"", 1);
    while (p < end) {
        char escape[6];
        size_t width = cli_utf8_width(p, end);
        size_t n = 0;
        if (width == 0) {
            memcpy(escape, "\\ufffd", n = 6);
            width = 1;
        } else if (width == 1) {
            n = json_escape(*p, escape);
        } else if (width == 3 && p[0] == 0xe2 && p[1] == 0x80 && (p[2] & 0xfe) == 0xa8) {
            memcpy(escape, p[2] == 0xa8 ? "\\u2028" : "\\u2029", n = 6);
        }
        if (n > 0) {
            cli_out_put(out, (const char *)plain, (size_t)(p - plain));
            cli_out_put(out, escape, n);
            plain = p + width;
        }
        p += width;
    }
    cli_out_put(out, (const char *)plain, (size_t)(p - plain));
    cli_out_put(out, "\"", 1);
}

void cli_json_base64(cli_out *out, const char *data, size_t len)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *p = (const unsigned char *)data;
    cli_out_put(out, "\"", 1);
    for (size_t i = 0; i < len; i += 3) {
        size_t n = len - i < 3 ? len - i : 3;
        uint32_t v = (uint32_t)p[i] << 16;
        v |= n > 1 ? (uint32_t)p[i + 1] << 8 : 0;
        v |= n > 2 ? (uint32_t)p[i + 2] : 0;
        char four[4] = {digits[v >> 18], digits[v >> 12 & 63],
                        n > 1 ? digits[v >> 6 & 63] : '=', n > 2 ? digits[v & 63] : '='};
        cli_out_put(out, four, sizeof four);
    }
    cli_out_put(out, "\"", 1);
}

void cli_out_escaped(cli_out *out, const char *data, size_t len)
{
    const unsigned char *p = (const unsigned char *)data;
    for (size_t i = 0; i < len; i++) {
        /* C2 80 to C2 9F are control characters too, and an order to some terminals. */
        int c1 = p[i] == 0xc2 && i + 1 < len && p[i + 1] >= 0x80 && p[i + 1] < 0xa0;
        size_t n = c1 ? 2 : 1;
        if (!c1 && p[i] >= 0x20 && p[i] != 0x7f && p[i] != '\\') {
            cli_out_put(out, data + i, 1);
            continue;
        }
        for (size_t k = 0; k < n; k++) {
            char escape[4] = {'\\', 'x', hex_digits[p[i + k] >> 4],
                              hex_digits[p[i + k] & 15]};
            cli_out_put(out, escape, sizeof escape);
        }
        i += n - 1;
    }
}
