# SPDX-License-Identifier: Apache-2.0
# The program sees the public headers only.
acor_CPPFLAGS = -include $(top_builddir)/config.h -I$(top_srcdir)/include $(ZLIB_CFLAGS)
acor_SOURCES = \
	cli/args.c cli/args.h cli/check.c cli/cmd_find.c cli/cmd_parallel.c cli/cmd_read.c \
	cli/cmd_suggest.c cli/cmd_write.c cli/filter.c cli/help.c cli/input.c cli/input.h \
	cli/main.c cli/output.c cli/output.h cli/progress.c cli/progress.h cli/results.c \
	cli/results.h cli/search.c cli/search.h cli/store.c cli/store.h cli/table.c \
	cli/util.c cli/util.h cli/values.c cli/values.h cli/words.c cli/words.h
acor_LDADD = libacor.la $(ZLIB_LIBS)
