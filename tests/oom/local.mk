# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += oom/test_oom
oom_test_oom_SOURCES = oom/test_oom.c
oom_test_oom_LDADD = lib/libcases.la $(LAYERS_CLIENT)
