libengine_la_SOURCES = engine/snapshot.c
