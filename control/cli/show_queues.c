/* SPDX-License-Identifier: BSD-3-Clause */
/* show queues, pg, buffer_pool, ecn. */
#include "say.h"
#include "show.h"
#include "table.h"

#include <inttypes.h>
#include <string.h>

/* Whether any number in the object but its priority is not 0. */
static bool busy(const json_t *object)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)object, name, value)
		if (json_is_integer(value) && json_integer_value(value) != 0 && name[0] != 'p')
			return true;
	return get_u64(object, "packets") > 0 || get_u64(object, "paused_ps") > 0;
}

void show_queues(const json_t *answer, bool all, FILE *out)
{
	char now[SAY_NUMBER], max[SAY_NUMBER], sent[SAY_NUMBER], paused[SAY_NUMBER];
	char p50[SAY_NUMBER], p999[SAY_NUMBER];
	json_t *sw, *port, *q, *latency;
	struct table t;
	size_t s, p, i;

	table_begin(
		&t,
		"PORT QUEUE NOW MAX TX_PACKETS TX_BYTES ECN_MARKED CE_IN NOT_ECT WRED DROPPED P50 P99.9 "
		"PAUSED",
		"lrrrrrrrrrrrrr");
	json_array_foreach(json_object_get(answer, "switches"), s, sw)
		json_array_foreach(json_object_get(sw, "ports"), p, port)
			json_array_foreach(json_object_get(port, "queues"), i, q)
				if (all || busy(q)) {
					latency = json_object_get(q, "latency");
					table_row(&t,
						  "%s\t%" PRIu64 "\t%s\t%s\t%" PRIu64
						  "\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
						  "\t%" PRIu64 "\t%" PRIu64 "\t%s\t%s\t%s%s",
						  get_str(port, "name"), get_u64(q, "priority"),
						  say_bytes(now, get_u64(q, "buffer_bytes")),
						  say_bytes(max, get_u64(q, "max_bytes")),
						  get_u64(q, "tx_packets"),
						  say_bytes(sent, get_u64(q, "tx_bytes")),
						  get_u64(q, "ecn_marked"), get_u64(q, "ce_in"),
						  get_u64(q, "ecn_not_ect"),
						  get_u64(q, "wred_dropped"), get_u64(q, "dropped"),
						  say_time(p50, get_u64(latency, "p50_ps")),
						  say_time(p999, get_u64(latency, "p999_ps")),
						  say_time(paused, get_u64(q, "paused_ps")),
						  get_bool(q, "paused") ? " *" : "");
				}
	table_end(&t, out, "no queue was used (--all shows the zeroes)");
}

static void pg_row(struct table *t, const json_t *port, const json_t *pg)
{
	char total[SAY_NUMBER], shared[SAY_NUMBER], headroom[SAY_NUMBER];
	char max_shared[SAY_NUMBER], max_headroom[SAY_NUMBER];

	table_row(t, "%s\t%" PRIu64 "\t%s\t%s\t%s\t%s\t%s\t%" PRIu64 "\t%s", get_str(port, "name"),
		  get_u64(pg, "priority"), say_bytes(total, get_u64(pg, "bytes")),
		  say_bytes(shared, get_u64(pg, "shared_bytes")),
		  say_bytes(headroom, get_u64(pg, "headroom_bytes")),
		  say_bytes(max_shared, get_u64(pg, "max_shared_bytes")),
		  say_bytes(max_headroom, get_u64(pg, "max_headroom_bytes")),
		  get_u64(pg, "dropped"), get_bool(pg, "xoff") ? "xoff" : "-");
}

void show_pg(const json_t *answer, bool all, FILE *out)
{
	json_t *sw, *port, *pg;
	struct table t;
	size_t s, p, i;

	table_begin(&t, "PORT PG NOW SHARED HEADROOM MAX_SHARED MAX_HEADROOM DROPPED STATE",
		    "lrrrrrrrl");
	json_array_foreach(json_object_get(answer, "switches"), s, sw)
		json_array_foreach(json_object_get(sw, "ports"), p, port)
			json_array_foreach(json_object_get(port, "pgs"), i, pg)
				if (all || busy(pg) || get_bool(pg, "xoff"))
					pg_row(&t, port, pg);
	table_end(&t, out, "no priority group was used (--all shows the zeroes)");
	fputc('\n', out);
	show_buffer_pool(answer, all, out);
}

static void pool_row(struct table *t, const json_t *sw, const char *pool, const char *key)
{
	char name[3][32], now[SAY_NUMBER], max[SAY_NUMBER], size[SAY_NUMBER];

	snprintf(name[0], sizeof(name[0]), "%s_bytes", key);
	snprintf(name[1], sizeof(name[1]), "%s_max_bytes", key);
	snprintf(name[2], sizeof(name[2]), "%s_size_bytes", key);
	table_row(t, "%s\t%s\t%s\t%s\t%s", get_str(sw, "name"), pool,
		  say_bytes(now, get_u64(sw, name[0])), say_bytes(max, get_u64(sw, name[1])),
		  say_bytes(size, get_u64(sw, name[2])));
}

/* The ingress side charges the shared pool and headroom; what the egress queues hold is all of it. */
void show_buffer_pool(const json_t *answer, bool all, FILE *out)
{
	struct table t;
	json_t *sw;
	size_t s;

	(void)all;
	table_begin(&t, "SWITCH POOL NOW MAX SIZE", "llrrr");
	json_array_foreach(json_object_get(answer, "switches"), s, sw) {
		pool_row(&t, sw, "ingress shared", "shared");
		pool_row(&t, sw,
			 get_bool(sw, "headroom_pooled") ? "headroom pool" : "headroom, summed",
			 "headroom");
		pool_row(&t, sw, "egress", "buffer");
	}
	table_end(&t, out, "no switch");
}

static const char *knee(char buf[SAY_NUMBER], const json_t *curve, const char *name)
{
	return json_is_object(curve) ? say_bytes(buf, get_u64(curve, name)) : "-";
}

static const char *chance(char buf[SAY_NUMBER], const json_t *curve)
{
	if (!json_is_object(curve))
		return "-";
	snprintf(buf, SAY_NUMBER, "%.4g %%",
		 100 * json_real_value(json_object_get(curve, "probability")));
	return buf;
}

static void thresholds(const json_t *answer, FILE *out)
{
	char b[6][SAY_NUMBER];
	struct table t;
	json_t *sw, *e, *mark, *drop;
	size_t s, i;

	table_begin(&t,
		    "SWITCH QUEUE MARK MIN MAX PROBABILITY NOT_ECT DROP_MIN DROP_MAX "
		    "DROP_PROBABILITY",
		    "lrlrrrlrrr");
	json_array_foreach(json_object_get(answer, "switches"), s, sw)
		json_array_foreach(json_object_get(sw, "ecn"), i, e) {
			mark = strcmp(get_str(e, "mark"), "off") != 0 ? e : NULL;
			drop = json_object_get(e, "drop");
			table_row(&t, "%s\t%" PRIu64 "\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s",
				  get_str(sw, "name"), get_u64(e, "priority"), get_str(e, "mark"),
				  knee(b[0], mark, "min_bytes"), knee(b[1], mark, "max_bytes"),
				  chance(b[2], mark), mark ? get_str(e, "not_ect") : "-",
				  knee(b[3], drop, "min_bytes"), knee(b[4], drop, "max_bytes"),
				  chance(b[5], drop));
		}
	table_end(&t, out, "neither ECN nor WRED is on in any queue");
}

void show_ecn(const json_t *answer, bool all, FILE *out)
{
	char marked[SAY_NUMBER], dropped[SAY_NUMBER];
	json_t *sw, *port, *q;
	struct table t;
	size_t s, p, i;

	thresholds(answer, out);
	fputc('\n', out);
	table_begin(&t,
		    "PORT QUEUE TX_PACKETS ECN_MARKED MARKED_BYTES CE_IN NOT_ECT WRED_DROPPED "
		    "WRED_BYTES",
		    "lrrrrrrrr");
	json_array_foreach(json_object_get(answer, "switches"), s, sw)
		json_array_foreach(json_object_get(sw, "ports"), p, port)
			json_array_foreach(json_object_get(port, "queues"), i, q)
				if (all || get_u64(q, "tx_packets") > 0 ||
				    get_u64(q, "wred_dropped") > 0)
					table_row(&t,
						  "%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
						  "\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s",
						  get_str(port, "name"), get_u64(q, "priority"),
						  get_u64(q, "tx_packets"),
						  get_u64(q, "ecn_marked"),
						  say_bytes(marked, get_u64(q, "ecn_marked_bytes")),
						  get_u64(q, "ce_in"), get_u64(q, "ecn_not_ect"),
						  get_u64(q, "wred_dropped"),
						  say_bytes(dropped,
							    get_u64(q, "wred_dropped_bytes")));
	table_end(&t, out, "no frame was sent");
}
