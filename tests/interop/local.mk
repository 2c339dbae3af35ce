# SPDX-License-Identifier: Apache-2.0
# Recorded and collected cases, as data.
check_PROGRAMS += interop/test_vectors interop/test_field_cases interop/test_chunk_vectors
interop_test_vectors_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
interop_test_vectors_SOURCES = \
	interop/test_vectors.c interop/vector_reads.c interop/vectors.c interop/vectors.h \
	interop/world.c interop/world.h
interop_test_vectors_LDADD = lib/libcases.la $(LAYERS_CLIENT) $(JANSSON_LIBS)
interop_test_field_cases_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
interop_test_field_cases_SOURCES = \
	cases/generate.c cases/generate.h interop/field_size.c interop/field_store.c \
	interop/field_text.c interop/field_threads.c interop/fields.h \
	interop/test_field_cases.c interop/world.c interop/world.h
interop_test_field_cases_LDADD = lib/libcases.la $(LAYERS_CLIENT) $(JANSSON_LIBS)
interop_test_chunk_vectors_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
interop_test_chunk_vectors_SOURCES = \
	interop/test_chunk_vectors.c interop/world.c interop/world.h
interop_test_chunk_vectors_LDADD = lib/libcases.la $(LAYERS_CLIENT) $(JANSSON_LIBS)
EXTRA_DIST += interop/README.md interop/data/field-cases.jsonl interop/data/vectors.jsonl interop/deviations.jsonl
