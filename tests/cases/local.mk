# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += cases/test_cases cases/test_generated cases/test_streams
cases_test_cases_SOURCES = cases/casefile.c cases/casefile.h cases/test_cases.c
cases_test_cases_LDADD = lib/libcases.la $(LAYERS_CLIENT)
cases_test_generated_SOURCES = cases/generate.c cases/generate.h cases/test_generated.c
cases_test_generated_LDADD = lib/libcases.la $(LAYERS_CLIENT)
cases_test_streams_SOURCES = \
	cases/casefile.c cases/casefile.h cases/generate.c cases/generate.h \
	cases/test_streams.c
cases_test_streams_LDADD = lib/libcases.la $(LAYERS_CLIENT)
dist_check_SCRIPTS += cases/bench.sh
EXTRA_DIST += cases/README.md cases/regressions.case cases/shapes.case \
	cases/unicode.case cases/utf8.case cases/words.case
