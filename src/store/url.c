/* SPDX-License-Identifier: Apache-2.0 */
#include "store/url.h"

#include "base/error.h"

static unsigned char lower(unsigned char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

static int in_scheme(unsigned char c)
{
    unsigned char l = lower(c);
    return (l >= 'a' && l <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '-' ||
           c == '.';
}

int acr_url_cut(acr_url *url, const char *text, acor_error *err)
{
    acr_slice all = acr_slice_str(text);
    size_t n = 0;
    while (n < all.len && in_scheme(all.data[n]))
        n++;
    /* The URL itself is not shown: it may hold a password. */
    if (n == 0 || n == all.len || all.data[n] != ':')
        return acr_fail(err, ACOR_EINVAL,
                        "the URL has no scheme; known are mem:, sqlite:PATH and redis://HOST");
    *url = (acr_url){.scheme = acr_slice_of(all.data, n)};
    url->rest = acr_slice_of(all.data + n + 1, all.len - n - 1);
    const unsigned char *mark =
        url->rest.len ? memchr(url->rest.data, '?', url->rest.len) : NULL;
    if (mark != NULL) {
        size_t at = (size_t)(mark - url->rest.data);
        url->query = acr_slice_of(mark + 1, url->rest.len - at - 1);
        url->rest.len = at;
    }
    return ACOR_OK;
}

int acr_url_begins(const acr_url *url, const char *name)
{
    size_t n = strlen(name);
    if (url->scheme.len < n)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (lower(url->scheme.data[i]) != (unsigned char)name[i])
            return 0;
    return 1;
}

int acr_url_is(const acr_url *url, const char *name)
{
    return url->scheme.len == strlen(name) && acr_url_begins(url, name);
}

static int hex(unsigned char c)
{
    unsigned char l = lower(c);
    if (c >= '0' && c <= '9')
        return c - '0';
    return l >= 'a' && l <= 'f' ? l - 'a' + 10 : -1;
}

int acr_url_decode(char **out, acr_slice s, const char *what, const acr_mem *mem,
                   acor_error *err)
{
    *out = NULL;
    char *text = acr_alloc(mem, s.len + 1);
    if (text == NULL)
        return acr_fail_nomem(err);
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = s.data[i];
        if (c == '%') {
            int high = i + 1 < s.len ? hex(s.data[i + 1]) : -1;
            int low = i + 2 < s.len ? hex(s.data[i + 2]) : -1;
            if (high < 0 || low < 0) {
                size_t left = s.len - i < 3 ? s.len - i : 3;
                acr_free(mem, text, s.len + 1);
                return acr_fail(err, ACOR_EINVAL,
                                "bad percent escape \"%.*s\" in the %s of the URL (write "
                                "%%25 for a percent sign)",
                                (int)left, (const char *)s.data + i, what);
            }
            c = (unsigned char)(high * 16 + low);
            i += 2;
        }
        if (c == '\0') {
            acr_free(mem, text, s.len + 1);
            return acr_fail(err, ACOR_EINVAL, "a NUL byte in the %s of the URL", what);
        }
        text[n++] = (char)c;
    }
    text[n] = '\0';
    *out = text;
    return ACOR_OK;
}

int acr_url_option(acr_slice *query, acr_slice *name, acr_slice *value)
{
    while (query->len > 0) {
        const unsigned char *end = memchr(query->data, '&', query->len);
        size_t n = end ? (size_t)(end - query->data) : query->len;
        acr_slice pair = acr_slice_of(query->data, n);
        n += end != NULL;
        *query = acr_slice_of(query->data + n, query->len - n);
        if (pair.len == 0)
            continue;
        const unsigned char *eq = memchr(pair.data, '=', pair.len);
        *name = pair;
        *value = acr_slice_of(NULL, 0);
        if (eq != NULL) {
            name->len = (size_t)(eq - pair.data);
            *value = acr_slice_of(eq + 1, pair.len - name->len - 1);
        }
        return 1;
    }
    return 0;
}
