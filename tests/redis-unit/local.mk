# SPDX-License-Identifier: Apache-2.0
# The Redis store without a server: its pieces, and a scripted one that plays it.
if WITH_REDIS
REDIS_MODEL = redis-unit/model.c redis-unit/model.h unit/count_alloc.h
REDIS_FAKE = redis-unit/fake_redis.c redis-unit/fake_redis.h

check_PROGRAMS += redis-unit/test_plan redis-unit/test_plan_vectors redis-unit/test_json \
	redis-unit/test_reply redis-unit/test_transport redis-unit/test_conn \
	redis-unit/test_conversation redis-unit/test_open_redis
redis_unit_test_plan_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit
redis_unit_test_plan_SOURCES = redis-unit/test_plan.c $(REDIS_MODEL)
redis_unit_test_plan_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)

redis_unit_test_plan_vectors_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit $(JANSSON_CFLAGS)
redis_unit_test_plan_vectors_SOURCES = redis-unit/test_plan_vectors.c $(REDIS_MODEL)
redis_unit_test_plan_vectors_LDADD = $(LAYERS_STORE) $(CHECK_LIBS) $(JANSSON_LIBS)

redis_unit_test_json_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit
redis_unit_test_json_SOURCES = redis-unit/test_json.c unit/count_alloc.h
redis_unit_test_json_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)

redis_unit_test_reply_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit
redis_unit_test_reply_SOURCES = redis-unit/test_reply.c unit/count_alloc.h
redis_unit_test_reply_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)

redis_unit_test_transport_SOURCES = redis-unit/test_transport.c $(REDIS_FAKE)
redis_unit_test_transport_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)

redis_unit_test_conn_SOURCES = redis-unit/test_conn.c $(REDIS_FAKE)
redis_unit_test_conn_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)

redis_unit_test_conversation_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit
redis_unit_test_conversation_SOURCES = redis-unit/test_conversation.c unit/count_alloc.h \
	$(REDIS_FAKE)
redis_unit_test_conversation_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)

redis_unit_test_open_redis_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit
redis_unit_test_open_redis_SOURCES = redis-unit/test_open_redis.c unit/count_alloc.h
redis_unit_test_open_redis_LDADD = $(LAYERS_STORE) $(CHECK_LIBS)
endif
