/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of a store's URL. */
#ifndef ACR_STORE_URL_H
#define ACR_STORE_URL_H

#include "base/alloc.h"
#include "base/slice.h"

typedef struct acr_url {
    acr_slice scheme; /* without the colon, as written */
    acr_slice rest;   /* between the colon and the question mark */
    acr_slice query;  /* behind the question mark; data is NULL without one */
} acr_url;

/* Cut a URL; the parts point into text. ACOR_EINVAL if it has no scheme. */
int acr_url_cut(acr_url *url, const char *text, acor_error *err);

/* 1 if the scheme is name (lower case); upper case in the URL is the same. */
int acr_url_is(const acr_url *url, const char *name);

/* 1 if the scheme begins with name (lower case). */
int acr_url_begins(const acr_url *url, const char *name);

/*
 * A copy of s with %XX decoded and a NUL behind it. what names s in an error:
 * ACOR_EINVAL for a bad escape or a NUL byte. The block has s.len + 1 bytes.
 */
int acr_url_decode(char **out, acr_slice s, const char *what, const acr_mem *mem,
                   acor_error *err);

/*
 * Take the next NAME=VALUE off a query, still encoded. 1, or 0 at its end.
 * value->data is NULL where there is no equals sign.
 */
int acr_url_option(acr_slice *query, acr_slice *name, acr_slice *value);

#endif /* ACR_STORE_URL_H */
