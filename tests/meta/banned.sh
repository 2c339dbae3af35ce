#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What src/ may not call: memory past the allocator hook, unbounded string
# functions, output, the end of the process, the locale, the environment.
# shellcheck source=tests/meta/tap.sh
. "$(dirname "$0")/tap.sh"

cd "$top_srcdir"
find src -name '*.[ch]' | sort | xargs awk -f "$meta/strip.awk" >"$tmp/code"

# calls NAME WORDS FILES-LEFT-OUT (a pattern for grep -E).
calls() {
    grep -E "(^|[^A-Za-z0-9_.>])($2)[ ]*\\(" "$tmp/code" | grep -v -E "^($3):" >"$tmp/bad" || true
    quiet "$1" "$tmp/bad"
}

none='[^:]*\.none'
cli='src/cli/[^:]*'
calls "memory comes from base/alloc" \
    'malloc|calloc|realloc|reallocarray|free|strdup|strndup|asprintf|vasprintf|alloca' \
    "src/base/alloc\\.c|$cli"
calls "no unbounded or stateful string functions" \
    'strcpy|strcat|stpcpy|sprintf|vsprintf|gets|strtok|atoi|atol|atoll|atof|rand|srand|random' "$none"
calls "no function of the locale" \
    'setlocale|uselocale|isalpha|isdigit|isalnum|isspace|isupper|islower|toupper|tolower|strcasecmp|strncasecmp' "$none"
calls "the library prints nothing" \
    'printf|fprintf|vprintf|vfprintf|dprintf|puts|fputs|putchar|putc|fputc|perror' "$cli"
calls "the library does not end the process" 'exit|_exit|_Exit|quick_exit|atexit' "$cli"
calls "nothing aborts" 'abort' "$none"
calls "the library changes no signal handler" 'signal|sigaction|raise|kill' "$cli"
calls "only the program looks at the environment" 'getenv|secure_getenv|setenv|putenv' "$cli"
calls "no shell" 'system|popen' "$none"

# The stripped code has lost names in quotes, not those in angle brackets.
grep -E '#[ ]*include[ ]*<(ctype|wctype|locale)\.h>' "$tmp/code" >"$tmp/bad" || true
quiet "no ctype.h, no locale.h" "$tmp/bad"
finish
