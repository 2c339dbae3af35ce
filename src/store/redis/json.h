/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON arrays of strings as Go's encoding/json writes and reads them, HTML
 * escaping on. Nothing else of JSON occurs in the stored form.
 */
#ifndef ACR_STORE_REDIS_JSON_H
#define ACR_STORE_REDIS_JSON_H

#include "base/buf.h"

/* Append s as a JSON string, quotes included. An undecodable byte becomes \ufffd. */
int acr_json_put_string(acr_buf *out, acr_slice s, acor_error *err);

/* How many bytes that takes. */
size_t acr_json_string_size(acr_slice s);

/* Called with each element of an array; a negative status ends the reading. */
typedef int (*acr_json_string_fn)(void *user, acr_slice s, acor_error *err);

/*
 * Read an array of strings; the whole value null is an empty one, an element
 * null is the empty string. ACOR_ECORRUPT names what and the byte where it is
 * no such array. scratch holds the element being given.
 */
int acr_json_each_string(acr_slice text, const char *what, acr_buf *scratch,
                         acr_json_string_fn fn, void *user, acor_error *err);

#endif /* ACR_STORE_REDIS_JSON_H */
