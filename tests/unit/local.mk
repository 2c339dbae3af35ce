# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += unit/test_engine
unit_test_engine_SOURCES = unit/test_engine.c
unit_test_engine_LDADD = $(LAYERS_ENGINE) $(CHECK_LIBS)

check_PROGRAMS += unit/test_filtered
unit_test_filtered_SOURCES = unit/test_filtered.c
unit_test_filtered_LDADD = $(LAYERS_ENGINE) $(CHECK_LIBS)

check_PROGRAMS += unit/test_base
unit_test_base_SOURCES = unit/test_base.c unit/count_alloc.h
unit_test_base_LDADD = $(LAYERS_BASE) $(CHECK_LIBS)

check_PROGRAMS += unit/test_chunks
unit_test_chunks_SOURCES = unit/test_chunks.c unit/count_alloc.h
unit_test_chunks_LDADD = $(LAYERS_TEXT) $(CHECK_LIBS)

check_PROGRAMS += unit/test_house
unit_test_house_SOURCES = unit/test_house.c
unit_test_house_LDADD = $(LAYERS_BASE) $(CHECK_LIBS)

check_PROGRAMS += unit/test_replace
unit_test_replace_SOURCES = unit/test_replace.c
unit_test_replace_LDADD = lib/libcases.la $(LAYERS_ENGINE) $(CHECK_LIBS)

check_PROGRAMS += unit/test_stream
unit_test_stream_SOURCES = unit/test_stream.c
unit_test_stream_LDADD = $(LAYERS_ENGINE) $(CHECK_LIBS)

check_PROGRAMS += unit/test_stream_memory
unit_test_stream_memory_SOURCES = unit/test_stream_memory.c
unit_test_stream_memory_LDADD = lib/libcases.la $(LAYERS_ENGINE)

check_PROGRAMS += unit/test_parallel
unit_test_parallel_SOURCES = cases/generate.c cases/generate.h unit/test_parallel.c
unit_test_parallel_LDADD = lib/libcases.la $(LAYERS_CLIENT)
# Of these the test makes what cannot be had.
unit_test_parallel_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=acr_thread_start -Wl,--wrap=acr_mutex_init

check_PROGRAMS += unit/test_text
unit_test_text_SOURCES = unit/test_text.c unit/count_alloc.h
unit_test_text_LDADD = $(LAYERS_TEXT) $(CHECK_LIBS)

dist_check_SCRIPTS += unit/unicode.sh
EXTRA_DIST += unit/unicode.py

check_PROGRAMS += unit/test_words
unit_test_words_SOURCES = unit/test_words.c unit/count_alloc.h unit/words_help.h
unit_test_words_LDADD = $(LAYERS_TEXT) $(CHECK_LIBS)

check_PROGRAMS += unit/test_words_order
unit_test_words_order_SOURCES = unit/test_words_order.c unit/count_alloc.h \
	unit/words_help.h
unit_test_words_order_LDADD = $(LAYERS_TEXT) $(CHECK_LIBS)
