/* SPDX-License-Identifier: BSD-3-Clause */
/* show queues, pg, ecn. */
#include "say.h"
#include "show.h"
#include "table.h"

#include <inttypes.h>

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
	json_t *sw, *port, *q;
	struct table t;
	size_t s, p, i;

	table_begin(
		&t,
		"PORT QUEUE NOW MAX TX_PACKETS TX_BYTES ECN_MARKED CE_IN NOT_ECT DROPPED PAUSED",
		"lrrrrrrrrrr");
	json_array_foreach(json_object_get(answer, "switches"), s, sw)
		json_array_foreach(json_object_get(sw, "ports"), p, port)
			json_array_foreach(json_object_get(port, "queues"), i, q)
				if (all || busy(q))
					table_row(&t,
						  "%s\t%" PRIu64 "\t%s\t%s\t%" PRIu64
						  "\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
						  "\t%" PRIu64 "\t%s%s",
						  get_str(port, "name"), get_u64(q, "priority"),
						  say_bytes(now, get_u64(q, "bytes")),
						  say_bytes(max, get_u64(q, "max_bytes")),
						  get_u64(q, "tx_packets"),
						  say_bytes(sent, get_u64(q, "tx_bytes")),
						  get_u64(q, "ecn_marked"), get_u64(q, "ce_in"),
						  get_u64(q, "ecn_not_ect"), get_u64(q, "dropped"),
						  say_time(paused, get_u64(q, "paused_ps")),
						  get_bool(q, "paused") ? " *" : "");
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
	char used[SAY_NUMBER], max[SAY_NUMBER], shared[SAY_NUMBER], size[SAY_NUMBER];
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
	json_array_foreach(json_object_get(answer, "switches"), s, sw)
		fprintf(out, "buffer of %s: %s in use, %s at most; shared pool %s of %s\n",
			get_str(sw, "name"), say_bytes(used, get_u64(sw, "buffer_bytes")),
			say_bytes(max, get_u64(sw, "buffer_max_bytes")),
			say_bytes(shared, get_u64(sw, "shared_bytes")),
			say_bytes(size, get_u64(sw, "shared_size_bytes")));
}

static void thresholds(const json_t *answer, FILE *out)
{
	char min[SAY_NUMBER], max[SAY_NUMBER];
	struct table t;
	json_t *sw, *e;
	size_t s, i;

	table_begin(&t, "SWITCH QUEUE MIN MAX PROBABILITY MARK NOT_ECT", "lrrrrll");
	json_array_foreach(json_object_get(answer, "switches"), s, sw)
		json_array_foreach(json_object_get(sw, "ecn"), i, e)
			table_row(&t, "%s\t%" PRIu64 "\t%s\t%s\t%.4g %%\t%s\t%s",
				  get_str(sw, "name"), get_u64(e, "priority"),
				  say_bytes(min, get_u64(e, "min_bytes")),
				  say_bytes(max, get_u64(e, "max_bytes")),
				  100 * json_real_value(json_object_get(e, "probability")),
				  get_str(e, "mark"), get_str(e, "not_ect"));
	table_end(&t, out, "ECN is on in no queue");
}

void show_ecn(const json_t *answer, bool all, FILE *out)
{
	char marked[SAY_NUMBER];
	json_t *sw, *port, *q;
	struct table t;
	size_t s, p, i;

	thresholds(answer, out);
	fputc('\n', out);
	table_begin(&t, "PORT QUEUE TX_PACKETS ECN_MARKED MARKED_BYTES CE_IN NOT_ECT", "lrrrrrr");
	json_array_foreach(json_object_get(answer, "switches"), s, sw)
		json_array_foreach(json_object_get(sw, "ports"), p, port)
			json_array_foreach(json_object_get(port, "queues"), i, q)
				if (all || get_u64(q, "tx_packets") > 0)
					table_row(&t,
						  "%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
						  "\t%s\t%" PRIu64 "\t%" PRIu64,
						  get_str(port, "name"), get_u64(q, "priority"),
						  get_u64(q, "tx_packets"),
						  get_u64(q, "ecn_marked"),
						  say_bytes(marked, get_u64(q, "ecn_marked_bytes")),
						  get_u64(q, "ce_in"), get_u64(q, "ecn_not_ect"));
	table_end(&t, out, "no frame was sent");
}
