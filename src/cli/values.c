/* SPDX-License-Identifier: Apache-2.0 */
#include "values.h"

#include <stddef.h>
#include <string.h>

static const char parse_error[] = "parse error";
static const char range_error[] = "value out of range";

const char *cli_parse_bool(const char *text, int64_t *value)
{
    static const char *const names[2][6] = {{"0", "f", "F", "false", "FALSE", "False"},
                                            {"1", "t", "T", "true", "TRUE", "True"}};
    for (int on = 0; on < 2; on++) {
        for (int i = 0; i < 6; i++) {
            if (strcmp(text, names[on][i]) == 0) {
                *value = on;
                return NULL;
            }
        }
    }
    return parse_error;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    char l = (char)(c | 0x20);
    return l >= 'a' && l <= 'f' ? l - 'a' + 10 : 99;
}

/* strconv.ParseInt with base 0: 0x, 0o, 0b, 0, and _ between digits. */
const char *cli_parse_int(const char *text, int64_t *value)
{
    int minus = *text == '-';
    const char *p = text + (*text == '-' || *text == '+');
    uint64_t base = 10;
    int separable = 0; /* a _ may come here */
    if (*p == '0' && p[1] != '\0') {
        char l = (char)(p[1] | 0x20);
        base = l == 'x' ? 16 : l == 'b' ? 2 : 8;
        p += l == 'x' || l == 'b' || l == 'o' ? 2 : 1;
        separable = 1;
    }
    if (*p == '\0')
        return parse_error;
    uint64_t limit = (uint64_t)INT64_MAX + (minus ? 1 : 0);
    uint64_t n = 0;
    int over = 0;
    for (; *p != '\0'; p++) {
        if (*p == '_') {
            if (!separable || p[1] == '_' || p[1] == '\0')
                return parse_error;
            continue;
        }
        uint64_t d = (uint64_t)digit_of(*p);
        if (d >= base)
            return parse_error;
        if (n > (limit - d) / base)
            over = 1;
        else
            n = n * base + d;
        separable = 1;
    }
    if (over)
        return range_error;
    *value = minus ? (int64_t)(0 - n) : (int64_t)n;
    return NULL;
}

/* The length of a unit and its nanoseconds, or 0. */
static size_t unit_of(const char *p, double *ns)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1},   {"us", 1e3}, {"\xc2\xb5s", 1e3}, {"\xce\xbcs", 1e3},
                 {"ms", 1e6}, {"s", 1e9},  {"m", 6e10},        {"h", 3.6e12}};
    size_t n = 0;
    while (p[n] != '\0' && p[n] != '.' && !(p[n] >= '0' && p[n] <= '9'))
        n++;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strlen(units[i].name) == n && memcmp(units[i].name, p, n) == 0) {
            *ns = units[i].ns;
            return n;
        }
    }
    return 0;
}

const char *cli_parse_duration(const char *text, int64_t *sign)
{
    int minus = *text == '-';
    const char *p = text + (*text == '-' || *text == '+');
    *sign = 0;
    if (strcmp(p, "0") == 0)
        return NULL;
    if (*p == '\0')
        return parse_error;
    double total = 0;
    while (*p != '\0') {
        double number = 0;
        double scale = 1;
        int digits = 0;
        for (; *p >= '0' && *p <= '9'; p++, digits++)
            number = number * 10 + (*p - '0');
        if (*p == '.')
            for (p++; *p >= '0' && *p <= '9'; p++, digits++)
                number += (*p - '0') * (scale /= 10);
        double ns = 0;
        size_t n = unit_of(p, &ns);
        if (digits == 0 || n == 0)
            return parse_error;
        total += number * ns;
        p += n;
    }
    if (total > 9.3e18)
        return parse_error;
    *sign = total < 1 ? 0 : minus ? -1 : 1;
    return NULL;
}
