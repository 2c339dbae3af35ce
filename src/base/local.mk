# SPDX-License-Identifier: Apache-2.0
libbase_la_SOURCES = \
	base/alloc.c base/alloc.h base/arena.c base/arena.h base/buf.c base/buf.h \
	base/clock.c base/clock.h base/error.c base/error.h base/log.c base/log.h \
	base/map.c base/map.h base/opts.c base/opts.h base/random.c base/random.h \
	base/slice.h base/thread.c base/thread.h base/version.c
