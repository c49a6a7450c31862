/* SPDX-License-Identifier: BSD-3-Clause */
/* show watchdog. */
#include "say.h"
#include "show.h"
#include "table.h"

#include <inttypes.h>
#include <string.h>

static void settings(const json_t *sw, FILE *out)
{
	char detect[SAY_NUMBER], restore[SAY_NUMBER], poll[SAY_NUMBER];
	const json_t *w = json_object_get(sw, "watchdog");

	if (!get_bool(w, "on")) {
		fprintf(out, "watchdog of %s: off (railyard set switches.%s.pfc.watchdog=on)\n",
			get_str(sw, "name"), get_str(sw, "name"));
		return;
	}
	fprintf(out, "watchdog of %s: detect %s, restore %s, poll %s, action %s, idle queues %s\n",
		get_str(sw, "name"), say_time(detect, get_u64(w, "detect_ps")),
		say_time(restore, get_u64(w, "restore_ps")), say_time(poll, get_u64(w, "poll_ps")),
		get_str(w, "action"), get_bool(w, "idle_counts") ? "count" : "do not count");
}

/* A queue that is watched, or was and saw something. */
static bool says_something(const json_t *w)
{
	return strcmp(get_str(w, "state"), "off") != 0 || get_u64(w, "storm_detected") > 0;
}

static void row(struct table *t, const json_t *port, const json_t *w)
{
	const json_t *last = json_object_get(w, "last");
	char detect[SAY_NUMBER], restore[SAY_NUMBER];

	table_row(t,
		  "%s\t%" PRIu64 "\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
		  "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "/%" PRIu64 "\t%" PRIu64 "/%" PRIu64
		  "\t%s\t%s",
		  get_str(port, "name"), get_u64(w, "priority"), get_str(w, "class"),
		  get_str(w, "state"), get_u64(w, "storm_detected"), get_u64(w, "storm_restored"),
		  get_u64(w, "tx_ok"), get_u64(w, "tx_drop"), get_u64(w, "rx_ok"),
		  get_u64(w, "rx_drop"), get_u64(last, "tx_ok"), get_u64(last, "tx_drop"),
		  get_u64(last, "rx_ok"), get_u64(last, "rx_drop"),
		  say_time(detect, get_u64(w, "detect_took_ps")),
		  say_time(restore, get_u64(w, "restore_took_ps")));
}

void show_watchdog(const json_t *answer, bool all, FILE *out)
{
	json_t *sw, *port, *w;
	struct table t;
	size_t s, p, i;

	json_array_foreach(json_object_get(answer, "switches"), s, sw)
		settings(sw, out);
	fputc('\n', out);
	table_begin(&t,
		    "PORT QUEUE CLASS STATE DETECTED RESTORED TX_OK TX_DROP RX_OK RX_DROP LAST_TX "
		    "LAST_RX DETECT_TOOK RESTORE_TOOK",
		    "lrllrrrrrrrrrr");
	json_array_foreach(json_object_get(answer, "switches"), s, sw)
		json_array_foreach(json_object_get(sw, "ports"), p, port)
			json_array_foreach(json_object_get(port, "watchdog"), i, w)
				if (all || says_something(w))
					row(&t, port, w);
	table_end(&t, out, "no queue is watched (--all shows the others)");
}
