# SPDX-License-Identifier: Apache-2.0
libstore_la_SOURCES = \
	store/backend.c store/backend.h store/memory.c store/open.c store/store.h \
	store/token.c store/url.c store/url.h
if WITH_SQLITE
libstore_la_SOURCES += \
	store/sqlite.c store/sqlite_apply.c store/sqlite_load.c store/sqlite_schema.c \
	store/sqlite_store.h store/sqlite_watch.c
endif
if WITH_REDIS
libstore_la_SOURCES += \
	store/redis/commit.c store/redis/commit.h store/redis/conn.c store/redis/conn.h store/redis/json.c store/redis/json.h \
	store/redis/lua_scripts.c store/redis/migrate.c store/redis/open.h store/redis/open_redis.c \
	store/redis/plan.c store/redis/plan.h store/redis/plan_states.c \
	store/redis/plan_states.h store/redis/reply.c store/redis/reply.h \
	store/redis/script.c store/redis/script.h store/redis/transport.c \
	store/redis/transport.h store/redis/v2.h store/redis/v2_apply.c \
	store/redis/v2_load.c store/redis/v2_state.c store/redis/v2_watch.c
endif
EXTRA_DIST += store/redis/commit.lua store/redis/lock.lua store/redis/resolve.lua
libstore_la_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS) $(HIREDIS_CFLAGS)
