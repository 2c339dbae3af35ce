# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += lib/acor_test.h

# The oracle, TAP and the counting allocator; internals come with LAYERS_*.
check_LTLIBRARIES += lib/libcases.la
lib_libcases_la_SOURCES = \
	lib/memcount.c lib/memcount.h lib/naive.c lib/naive.h lib/reads.c lib/reads.h \
	lib/rewrites.c lib/rewrites.h lib/scancase.c lib/scancase.h lib/tap.c lib/tap.h
