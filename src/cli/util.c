/* SPDX-License-Identifier: Apache-2.0 */
#include "util.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void no_memory(void)
{
    fputs("acor: out of memory\n", stderr);
    exit(EXIT_TROUBLE);
}

void *cli_alloc(size_t size)
{
    void *p = malloc(size ? size : 1);
    if (p == NULL)
        no_memory();
    return p;
}

void *cli_resize(void *ptr, size_t size)
{
    void *p = realloc(ptr, size ? size : 1);
    if (p == NULL)
        no_memory();
    return p;
}

char *cli_copy(const char *text)
{
    size_t n = strlen(text) + 1;
    return memcpy(cli_alloc(n), text, n);
}

void *cli_grow(void *ptr, size_t *cap, size_t need, size_t size)
{
    if (need <= *cap)
        return ptr;
    size_t n = *cap + *cap / 2;
    if (n < need)
        n = need;
    if (n < 16)
        n = 16;
    if (n > SIZE_MAX / size)
        no_memory();
    ptr = cli_resize(ptr, n * size);
    *cap = n;
    return ptr;
}

void cli_buf_put(cli_buf *buf, const char *data, size_t len)
{
    if (len == 0)
        return;
    if (len > SIZE_MAX - buf->len)
        no_memory();
    buf->data = cli_grow(buf->data, &buf->cap, buf->len + len, 1);
    memcpy(buf->data + buf->len, data, len);
    buf->len += len;
}

void cli_buf_text(cli_buf *buf, const char *text)
{
    cli_buf_put(buf, text, strlen(text));
}

void cli_buf_free(cli_buf *buf)
{
    free(buf->data);
    *buf = (cli_buf){0};
}

static void put_hex(cli_buf *buf, const char *data, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)data[i];
        char text[4] = {'\\', 'x', digits[c >> 4], digits[c & 15]};
        cli_buf_put(buf, text, sizeof text);
    }
}

/* What a terminal could take for an order: C0, DEL, C1, broken UTF-8. */
static int is_harmful(const unsigned char *p, size_t width)
{
    return width == 0 || *p < 0x20 || *p == 0x7f ||
           (width == 2 && p[0] == 0xc2 && p[1] < 0xa0);
}

/* Go's %q: `quote` is set. Without it backslash and quote stand for themselves. */
static void put_masked(cli_buf *buf, const char *text, int quote)
{
    static const char named[] = "\aa\bb\ff\nn\rr\tt\vv";
    const unsigned char *p = (const unsigned char *)text;
    const unsigned char *end = p + strlen(text);
    while (p < end) {
        size_t width = cli_utf8_width(p, end);
        const char *at = (const char *)p;
        const char *name = width == 1 ? strchr(named, *p) : NULL;
        if (quote && (*p == '"' || *p == '\\')) {
            cli_buf_put(buf, "\\", 1);
            cli_buf_put(buf, at, 1);
        } else if (name != NULL && (name - named) % 2 == 0) {
            cli_buf_put(buf, "\\", 1);
            cli_buf_put(buf, name + 1, 1);
        } else if (is_harmful(p, width)) {
            put_hex(buf, at, width ? width : 1);
        } else {
            cli_buf_put(buf, at, width);
        }
        p += width ? width : 1;
    }
}

static void say(const char *before, const char *format, va_list ap)
{
    cli_buf line = {0};
    cli_buf_text(&line, before);
    for (const char *p = format; *p != '\0'; p++) {
        if (*p != '%') {
            cli_buf_put(&line, p, 1);
            continue;
        }
        p++;
        if (*p == 's') {
            cli_buf_text(&line, va_arg(ap, const char *));
        } else if (*p == 'N') {
            put_masked(&line, va_arg(ap, const char *), 0);
        } else if (*p == 'q') {
            cli_buf_put(&line, "\"", 1);
            put_masked(&line, va_arg(ap, const char *), 1);
            cli_buf_put(&line, "\"", 1);
        } else if (*p == 'u') {
            char number[24];
            snprintf(number, sizeof number, "%llu",
                     (unsigned long long)va_arg(ap, uint64_t));
            cli_buf_text(&line, number);
        }
    }
    cli_buf_put(&line, "\n", 1);
    /* One call, so that lines of several processes do not mix. */
    fwrite(line.data, 1, line.len, stderr);
    cli_buf_free(&line);
}

void cli_say(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    say("acor: ", format, ap);
    va_end(ap);
}

void cli_say_go(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    say("", format, ap);
    va_end(ap);
}

void cli_say_error(const acor_error *err)
{
    cli_say("%s", err->message[0] ? err->message : acor_strstatus(err->status));
}

acor_string cli_string(const char *text)
{
    return (acor_string){text, strlen(text)};
}

size_t cli_utf8_width(const unsigned char *p, const unsigned char *end)
{
    unsigned char c = *p;
    if (c < 0x80)
        return 1;
    size_t n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    if (c < 0xc2 || c > 0xf4 || (size_t)(end - p) < n)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    /* Overlong forms, surrogates, beyond U+10FFFF: told by the second byte. */
    if ((c == 0xe0 && p[1] < 0xa0) || (c == 0xed && p[1] > 0x9f) ||
        (c == 0xf0 && p[1] < 0x90) || (c == 0xf4 && p[1] > 0x8f))
        return 0;
    return n;
}

int cli_utf8_valid(const char *data, size_t len)
{
    const unsigned char *p = (const unsigned char *)data;
    const unsigned char *end = p + len;
    while (p < end) {
        size_t width = cli_utf8_width(p, end);
        if (width == 0)
            return 0;
        p += width;
    }
    return 1;
}

uint64_t cli_utf8_count(const char *data, size_t len)
{
    uint64_t n = 0;
    const unsigned char *p = (const unsigned char *)data;
    const unsigned char *end = p + len;
    for (; p < end; n++) {
        size_t width = cli_utf8_width(p, end);
        p += width ? width : 1;
    }
    return n;
}
