/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that ends the program when there is none, messages, UTF-8. */
#ifndef ACOR_CLI_UTIL_H
#define ACOR_CLI_UTIL_H

#include <stddef.h>
#include <stdint.h>

#include <acor/acor.h>

/* Exit statuses. JSON form: done, failed, usage. Filter form: found, none, trouble. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };
enum { EXIT_FOUND = 0, EXIT_NONE = 1, EXIT_TROUBLE = 2 };

/* Never NULL: without memory they say so and end the program with status 2. */
void *cli_alloc(size_t size);
void *cli_resize(void *ptr, size_t size);
char *cli_copy(const char *text);

/* Makes room for `need` elements of `size` bytes; *cap follows. */
void *cli_grow(void *ptr, size_t *cap, size_t need, size_t size);

/* A growing run of bytes; all zero is empty. */
typedef struct cli_buf {
    char *data;
    size_t len;
    size_t cap;
} cli_buf;

void cli_buf_put(cli_buf *buf, const char *data, size_t len);
void cli_buf_text(cli_buf *buf, const char *text);
void cli_buf_free(cli_buf *buf);

/*
 * One line on standard error. In the format %s is a text as it is, %q one in
 * quotes as Go writes them, %N a name with control bytes escaped, %u a
 * uint64_t. cli_say() puts "acor: " before it; cli_say_go() is for the Go
 * program's own texts.
 */
void cli_say(const char *format, ...);
void cli_say_go(const char *format, ...);

/* The message of a failed call. */
void cli_say_error(const acor_error *err);

acor_string cli_string(const char *text);

/* Bytes of the code point at p, or 0 if p does not begin a valid one. */
size_t cli_utf8_width(const unsigned char *p, const unsigned char *end);
int cli_utf8_valid(const char *data, size_t len);

/* Code points; a byte outside valid UTF-8 counts as one. */
uint64_t cli_utf8_count(const char *data, size_t len);

#endif /* ACOR_CLI_UTIL_H */
