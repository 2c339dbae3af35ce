# SPDX-License-Identifier: Apache-2.0
# Short here; long under the thread sanitizer with ACOR_TEST_SCALE=1000.
check_PROGRAMS += threads/test_threads
threads_test_threads_SOURCES = threads/test_threads.c
threads_test_threads_LDADD = lib/libcases.la $(LAYERS_CLIENT)
