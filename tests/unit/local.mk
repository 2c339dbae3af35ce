# SPDX-License-Identifier: Apache-2.0

check_PROGRAMS += unit/test_engine
unit_test_engine_SOURCES = unit/test_engine.c
unit_test_engine_LDADD = $(LAYERS_ENGINE) $(CHECK_LIBS)
