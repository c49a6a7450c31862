/* SPDX-License-Identifier: BSD-3-Clause */
/* show ports, pfc, drops. */
#include "say.h"
#include "show.h"
#include "status.h"
#include "table.h"

#include <inttypes.h>

static const json_t *switches(const json_t *answer)
{
	return json_object_get(answer, "switches");
}

static const char *state(const json_t *port)
{
	if (!get_bool(port, "up"))
		return get_bool(json_object_get(port, "device"), "admin_up") ? "no carrier"
									     : "down";
	return get_bool(port, "held") ? "held" : "up";
}

void show_ports(const json_t *answer, bool all, FILE *out)
{
	char rx[SAY_NUMBER], tx[SAY_NUMBER];
	const json_t *device;
	json_t *sw, *port;
	struct table t;
	size_t s, p;

	(void)all;
	table_begin(
		&t,
		"PORT STATE RX_PACKETS RX_BYTES TX_PACKETS TX_BYTES DROPPED ROCE_RX CNP_RX FLOODED "
		"MISSED RX_ERRORS STAGED",
		"llrrrrrrrrrrr");
	json_array_foreach(switches(answer), s, sw)
		json_array_foreach(json_object_get(sw, "ports"), p, port) {
			device = json_object_get(port, "device");
			table_row(&t,
				  "%s\t%s\t%" PRIu64 "\t%s\t%" PRIu64 "\t%s\t%" PRIu64 "\t%" PRIu64
				  "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64,
				  get_str(port, "name"), state(port), get_u64(port, "rx_packets"),
				  say_bytes(rx, get_u64(port, "rx_bytes")),
				  get_u64(port, "tx_packets"),
				  say_bytes(tx, get_u64(port, "tx_bytes")),
				  get_u64(port, "dropped"), get_u64(port, "roce_rx"),
				  get_u64(port, "cnp_rx"), get_u64(port, "flooded"),
				  get_u64(device, "rx_missed") + get_u64(device, "rx_no_buffer") +
					  get_u64(device, "rx_ring_full"),
				  get_u64(device, "rx_errors") + get_u64(device, "rx_unusable"),
				  get_u64(device, "staged"));
		}
	table_end(&t, out, "no ports");
}

static uint64_t at(const json_t *port, const char *name, size_t i)
{
	return (uint64_t)json_integer_value(json_array_get(json_object_get(port, name), i));
}

static void pfc_row(struct table *t, const json_t *port, const char *name, const char *label,
		    bool all)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < 8; i++)
		sum += at(port, name, i);
	if (sum > 0 || all)
		table_row(t,
			  "%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
			  "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64,
			  get_str(port, "name"), label, at(port, name, 0), at(port, name, 1),
			  at(port, name, 2), at(port, name, 3), at(port, name, 4),
			  at(port, name, 5), at(port, name, 6), at(port, name, 7));
}

static void paused_row(struct table *t, const json_t *port, bool all)
{
	char text[8][SAY_NUMBER];
	uint64_t sum = 0;

	for (size_t i = 0; i < 8; i++) {
		sum += at(port, "paused_ps", i);
		say_time(text[i], at(port, "paused_ps", i));
	}
	if (sum > 0 || all)
		table_row(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", get_str(port, "name"),
			  "paused", text[0], text[1], text[2], text[3], text[4], text[5], text[6],
			  text[7]);
}

void show_pfc(const json_t *answer, bool all, FILE *out)
{
	char text[SAY_NUMBER], paused[SAY_NUMBER];
	const json_t *edge;
	json_t *sw, *port;
	struct table t;
	size_t s, p;

	table_begin(&t, "PORT WHAT PFC0 PFC1 PFC2 PFC3 PFC4 PFC5 PFC6 PFC7", "llrrrrrrrr");
	json_array_foreach(switches(answer), s, sw)
		json_array_foreach(json_object_get(sw, "ports"), p, port) {
			pfc_row(&t, port, "pfc_tx", "sent", all);
			pfc_row(&t, port, "pfc_rx", "received", all);
			pfc_row(&t, port, "pfc_rx_honoured", "honoured", all);
			pfc_row(&t, port, "xoff_episodes", "xoff", all);
			paused_row(&t, port, all);
		}
	table_end(&t, out, "no PFC was sent or received (--all shows the zeroes)");
	json_array_foreach(switches(answer), s, sw)
		json_array_foreach(json_object_get(sw, "ports"), p, port) {
			edge = json_object_get(port, "edge");
			if (get_u64(edge, "max_bytes") > 0)
				fprintf(out, "edge of %s: %s at most, paused %s\n",
					get_str(port, "name"),
					say_bytes(text, get_u64(edge, "max_bytes")),
					say_time(paused, get_u64(edge, "paused_ps")));
		}
}

static void drop_rows(struct table *t, const json_t *counts, const json_t *names, bool all)
{
	const char *name;
	json_t *count;

	json_object_foreach((json_t *)counts, name, count) {
		const json_t *about = json_object_get(names, name);

		if (all || json_integer_value(count) > 0)
			table_row(t, "%s\t%s\t%" PRIu64 "\t%s", name, get_str(about, "file"),
				  (uint64_t)json_integer_value(count), get_str(about, "help"));
	}
}

/* A reader looks for a lost frame in one place, whoever lost it. */
static void drops_of(const json_t *sw, const json_t *names, bool all, FILE *out)
{
	struct table t;

	table_begin(&t, "DROP STAGE COUNT HELP", "llrl");
	drop_rows(&t, json_object_get(sw, "drops"), names, all);
	drop_rows(&t, json_object_get(sw, "losses"), names, all);
	table_end(&t, out, "no frame was dropped (--all lists what there is)");
}

void show_drops(const json_t *answer, bool all, FILE *out)
{
	const json_t *names = json_object_get(answer, "drop_names");
	size_t n = json_array_size(switches(answer)), s;
	json_t *sw;

	json_array_foreach(switches(answer), s, sw) {
		if (n > 1)
			fprintf(out, "%s%s\n", s ? "\n" : "", get_str(sw, "name"));
		drops_of(sw, names, all, out);
		status_identity(sw, out);
		if (get_u64(sw, "lost") > 0)
			fprintf(out,
				"%" PRIu64
				" frames were lost before the switch took them (rx_...): "
				"not in rx, not in dropped\n",
				get_u64(sw, "lost"));
		if (get_u64(sw, "carried") > 0)
			fprintf(out, "%" PRIu64 " of rx were held at the last clear\n",
				get_u64(sw, "carried"));
	}
}
