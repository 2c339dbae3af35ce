# SPDX-License-Identifier: Apache-2.0

check_PROGRAMS += conformance/test_collection
conformance_test_collection_SOURCES = conformance/test_collection.c
conformance_test_collection_LDADD = $(LAYERS_CLIENT) $(CHECK_LIBS)
