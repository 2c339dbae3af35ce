/* SPDX-License-Identifier: Apache-2.0 */
/* From the parts of a redis… URL to a store; for store/open.c. */
#ifndef ACR_STORE_REDIS_OPEN_H
#define ACR_STORE_REDIS_OPEN_H

#include "store/store.h"
#include "store/url.h"

/*
 * redis://[user[:password]@]host[:port][/db] and redis+unix://[user[:password]@]/path.sock[?db=N];
 * option connect_timeout (milliseconds). Connects nothing. Errors never show
 * a password.
 */
int acr_redis_open(acr_store **out, const acr_url *url, const acr_store_params *params,
                   acor_error *err);

#endif /* ACR_STORE_REDIS_OPEN_H */
