# SPDX-License-Identifier: Apache-2.0
libengine_la_SOURCES = \
	engine/alphabet.c engine/alphabet.h engine/automaton.c engine/automaton.h \
	engine/automaton_scan.c engine/engine.c engine/engine.h engine/filter.c \
	engine/filter.h engine/filter_kernel.c engine/filtered.c engine/filtered.h \
	engine/leads.c engine/leads.h engine/matches.c engine/matches.h engine/parallel.c \
	engine/parallel.h engine/pieces.c engine/pieces.h engine/place.c engine/place.h \
	engine/replace.c engine/replace.h engine/scan.c engine/scan.h engine/select.c engine/select.h engine/snapshot.c \
	engine/snapshot.h engine/stream.c engine/suggest.c engine/suggest.h engine/trie.c \
	engine/trie.h engine/utf16.c
