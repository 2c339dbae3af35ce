# SPDX-License-Identifier: Apache-2.0
libengine_la_SOURCES = \
	engine/alphabet.c engine/alphabet.h engine/automaton.c engine/automaton.h \
	engine/automaton_scan.c engine/engine.h engine/matches.c engine/place.c \
	engine/place.h engine/scan.c engine/scan.h engine/select.c engine/select.h \
	engine/snapshot.c engine/snapshot.h engine/trie.c engine/trie.h
