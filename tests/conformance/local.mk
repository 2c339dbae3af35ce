# SPDX-License-Identifier: Apache-2.0

# What the store's test programs share.
STORE_ENV = conformance/store_env.c conformance/store_env.h lib/store_fault.c lib/store_fault.h

check_PROGRAMS += conformance/test_open conformance/test_store conformance/test_store_fault
conformance_test_open_SOURCES = conformance/test_open.c $(STORE_ENV)
conformance_test_open_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)
conformance_test_store_SOURCES = conformance/test_store.c $(STORE_ENV)
conformance_test_store_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)
conformance_test_store_fault_SOURCES = conformance/test_store_fault.c $(STORE_ENV)
conformance_test_store_fault_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)
