# SPDX-License-Identifier: Apache-2.0
# Tests that start a Redis server of their own: make check-redis, not make check.
REDIS_TESTS = \
	redis/golden.py redis/state_in.py redis/claims.py redis/races.py \
	redis/lost_reply.py redis/bad_state.py redis/bad_server.py redis/faults.py \
	redis/fleet.py redis/migrate.py \
	redis/vectors.py redis/rtt.py

EXTRA_PROGRAMS = redis/driver
redis_driver_SOURCES = redis/driver.c
redis_driver_CPPFLAGS = -include $(top_builddir)/config.h -I$(top_srcdir)/include \
	$(JANSSON_CFLAGS)
redis_driver_LDADD = $(top_builddir)/src/libacor.la $(JANSSON_LIBS)
CLEANFILES += $(EXTRA_PROGRAMS) redis/*.log

EXTRA_DIST += $(REDIS_TESTS) redis/README.md redis/claims_page.py redis/help.py \
	redis/loop.sh redis/servers.py redis/soak.sh

check-redis: redis/driver$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) srcdir='$(srcdir)' builddir='$(abs_builddir)' \
	    $(SHELL) $(srcdir)/redis/loop.sh $(REDIS_TESTS)

soak: redis/driver$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) srcdir='$(srcdir)' builddir='$(abs_builddir)'; \
	    export srcdir builddir; $(SHELL) $(srcdir)/redis/soak.sh

round-trips: redis/driver$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) srcdir='$(srcdir)' builddir='$(abs_builddir)' \
	    CLAIMS_OUT='$(abs_top_srcdir)/docs/round-trips.md'; \
	    export srcdir builddir CLAIMS_OUT; \
	    $(PYTHON3) $(srcdir)/redis/claims.py

.PHONY: check-redis round-trips soak

EXTRA_DIST += interop/README.md interop/acor_model_peer.py interop/acor_model_text.py \
	interop/deviations-redis.jsonl interop/data/golden/big-1000.json \
	interop/data/golden/scenarios.jsonl
