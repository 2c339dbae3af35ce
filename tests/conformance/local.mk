# SPDX-License-Identifier: Apache-2.0

check_PROGRAMS += conformance/test_collection
conformance_test_collection_SOURCES = conformance/test_collection.c
conformance_test_collection_LDADD = $(LAYERS_CLIENT) $(CHECK_LIBS)

# What the store's test programs share.
STORE_ENV = conformance/store_env.c conformance/store_env.h lib/store_fault.c lib/store_fault.h
SQLITE_ENV = conformance/sqlite_env.c conformance/sqlite_env.h $(STORE_ENV)

check_PROGRAMS += conformance/test_open conformance/test_store \
	conformance/test_store_fault conformance/test_store_history \
	conformance/test_store_memory conformance/test_store_watch
conformance_test_open_SOURCES = conformance/test_open.c $(STORE_ENV)
conformance_test_open_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)
conformance_test_store_SOURCES = conformance/test_store.c $(STORE_ENV)
conformance_test_store_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)
conformance_test_store_fault_SOURCES = conformance/test_store_fault.c $(STORE_ENV)
conformance_test_store_fault_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)
conformance_test_store_history_SOURCES = conformance/test_store_history.c $(STORE_ENV)
conformance_test_store_history_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)
conformance_test_store_memory_SOURCES = conformance/test_store_memory.c $(STORE_ENV)
conformance_test_store_memory_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)
conformance_test_store_watch_SOURCES = conformance/test_store_watch.c $(STORE_ENV)
conformance_test_store_watch_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)

if WITH_SQLITE
check_PROGRAMS += conformance/test_sqlite conformance/test_sqlite_stress
conformance_test_sqlite_SOURCES = conformance/test_sqlite.c $(SQLITE_ENV)
conformance_test_sqlite_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS)
conformance_test_sqlite_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)
conformance_test_sqlite_stress_SOURCES = conformance/test_sqlite_stress.c $(SQLITE_ENV)
conformance_test_sqlite_stress_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS)
conformance_test_sqlite_stress_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)
endif
