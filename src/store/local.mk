# SPDX-License-Identifier: Apache-2.0
libstore_la_SOURCES = \
	store/memory.c store/open.c store/store.h store/token.c store/url.c store/url.h
if WITH_SQLITE
libstore_la_SOURCES += \
	store/sqlite.c store/sqlite_apply.c store/sqlite_load.c store/sqlite_schema.c \
	store/sqlite_store.h store/sqlite_watch.c
endif
libstore_la_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS)
