# SPDX-License-Identifier: Apache-2.0
# Recorded and collected cases, as data.
check_PROGRAMS += interop/test_vectors
interop_test_vectors_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
interop_test_vectors_SOURCES = \
	interop/test_vectors.c interop/vectors.c interop/vectors.h interop/world.c interop/world.h
interop_test_vectors_LDADD = lib/libcases.la $(LAYERS_CLIENT) $(JANSSON_LIBS)
EXTRA_DIST += interop/data/field-cases.jsonl interop/data/vectors.jsonl interop/deviations.jsonl
