# SPDX-License-Identifier: Apache-2.0
libtext_la_SOURCES = \
	text/chunks.c text/chunks.h \
	text/normalize.c text/normalize.h text/unicode.c text/unicode.h \
	text/unicode_tables.c text/unicode_tables.h text/utf8.c text/utf8.h \
	text/words.c text/words.h
