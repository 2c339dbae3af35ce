libstore_la_SOURCES = \
	store/memory.c store/open.c store/store.h store/token.c
if WITH_SQLITE
libstore_la_SOURCES += store/sqlite.c
endif
libstore_la_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS)
