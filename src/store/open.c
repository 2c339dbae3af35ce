/* SPDX-License-Identifier: Apache-2.0 */
/* From a URL to a backend. */
#include <assert.h>

#include "base/error.h"
#ifdef WITH_REDIS
#include "store/redis/open.h"
#endif
#include "store/store.h"
#include "store/url.h"

/* How much of a name out of the URL an error shows. */
static int shown(acr_slice s)
{
    return s.len < 40 ? (int)s.len : 40;
}

static int unknown_option(acr_slice name, const char *known, acor_error *err)
{
    return acr_fail(err, ACOR_EINVAL,
                    "unknown option \"%.*s\" in the URL; known here: %s", shown(name),
                    (const char *)name.data, known);
}

static int open_memory(acr_store **out, const acr_url *url,
                       const acr_store_params *params, acr_store *share, acor_error *err)
{
    if (url->rest.len != 0)
        return acr_fail(err, ACOR_EINVAL, "mem: takes nothing behind it, not \"%.*s\"",
                        shown(url->rest), (const char *)url->rest.data);
    acr_slice query = url->query, name, value;
    if (acr_url_option(&query, &name, &value))
        return unknown_option(name, "none", err);
    return acr_memory_open(out, params, share, err);
}

#ifdef WITH_SQLITE
static int read_sqlite_options(acr_slice query, acr_sqlite_options *options,
                               acor_error *err)
{
    acr_slice name, value;
    while (acr_url_option(&query, &name, &value)) {
        if (!acr_slice_eq(name, acr_slice_str("synchronous")))
            return unknown_option(name, "synchronous=full|normal|off", err);
        if (acr_slice_eq(value, acr_slice_str("full")))
            options->synchronous = ACR_SYNC_FULL;
        else if (acr_slice_eq(value, acr_slice_str("normal")))
            options->synchronous = ACR_SYNC_NORMAL;
        else if (acr_slice_eq(value, acr_slice_str("off")))
            options->synchronous = ACR_SYNC_OFF;
        else
            return acr_fail(err, ACOR_EINVAL,
                            "synchronous=\"%.*s\" in the URL; known: full, normal, off",
                            shown(value), value.len ? (const char *)value.data : "");
    }
    return ACOR_OK;
}
#endif

static int open_sqlite(acr_store **out, const acr_url *url,
                       const acr_store_params *params, acr_store *share, acor_error *err)
{
#ifdef WITH_SQLITE
    if (share != NULL)
        return acr_fail(err, ACOR_EINVAL, "only mem: can share another handle's store");
    acr_sqlite_options options = {.synchronous = ACR_SYNC_FULL};
    ACR_TRY(read_sqlite_options(url->query, &options, err));
    if (url->rest.len == 0)
        return acr_fail(err, ACOR_EINVAL, "sqlite: without a path");
    char *path;
    ACR_TRY(acr_url_decode(&path, url->rest, "path", params->mem, err));
    int rc = acr_sqlite_open(out, path, &options, params, err);
    acr_free(params->mem, path, url->rest.len + 1);
    return rc;
#else
    (void)out;
    (void)url;
    (void)params;
    (void)share;
    return acr_fail(err, ACOR_EUNSUPPORTED,
                    "sqlite: is not part of this build (configured --without-sqlite)");
#endif
}

static int open_redis(acr_store **out, const acr_url *url, const acr_store_params *params,
                      acr_store *share, acor_error *err)
{
#ifdef WITH_REDIS
    if (share != NULL)
        return acr_fail(err, ACOR_EINVAL, "only mem: can share another handle's store");
    return acr_redis_open(out, url, params, err);
#else
    (void)out;
    (void)params;
    (void)share;
    return acr_fail(err, ACOR_EUNSUPPORTED,
                    "%.*s: is not part of this build (configured --without-redis)",
                    shown(url->scheme), (const char *)url->scheme.data);
#endif
}

int acr_store_open(acr_store **out, const char *url, const acr_store_params *params,
                   acr_store *share, acor_error *err)
{
    assert(params->mem != NULL && params->mem->alloc != NULL);
    *out = NULL;
    acr_url parts;
    ACR_TRY(acr_url_cut(&parts, url, err));
    if (acr_url_is(&parts, "mem"))
        return open_memory(out, &parts, params, share, err);
    if (acr_url_is(&parts, "sqlite"))
        return open_sqlite(out, &parts, params, share, err);
    if (acr_url_begins(&parts, "redis"))
        return open_redis(out, &parts, params, share, err);
    return acr_fail(err, ACOR_EINVAL,
                    "unknown scheme \"%.*s\" in the URL; known are mem:, sqlite:PATH and redis://HOST",
                    shown(parts.scheme), (const char *)parts.scheme.data);
}

void acr_store_close(acr_store *s)
{
    if (s != NULL)
        s->ops->close(s);
}
