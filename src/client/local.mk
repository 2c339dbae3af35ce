libclient_la_SOURCES = client/collection.c
