# SPDX-License-Identifier: Apache-2.0
# The program sees the public headers only.
acor_CPPFLAGS = -include $(top_builddir)/config.h -I$(top_srcdir)/include $(JANSSON_CFLAGS) $(ZLIB_CFLAGS)
acor_SOURCES = cli/main.c
acor_LDADD = libacor.la $(JANSSON_LIBS) $(ZLIB_LIBS)
