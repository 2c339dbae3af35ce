# SPDX-License-Identifier: Apache-2.0
libclient_la_SOURCES = \
	client/collection.c client/collection.h client/dictionary.c client/find.c \
	client/migrate.c client/read.c client/write.c
