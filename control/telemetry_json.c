/* SPDX-License-Identifier: BSD-3-Clause */
#include "telemetry.h"

#include <inttypes.h>

static void put(json_t *object, const char *name, uint64_t value)
{
	json_object_set_new(object, name, json_integer((json_int_t)value));
}

static json_t *latency_json(const struct sw_latency *latency)
{
	json_t *o = json_object();

	put(o, "p50_ps", sw_latency_quantile(latency, 500000));
	put(o, "p99_ps", sw_latency_quantile(latency, 990000));
	put(o, "p999_ps", sw_latency_quantile(latency, 999000));
	return o;
}

/* latency: NULL = not read. */
static json_t *queue_json(const struct sw_port_stats *port, int q, const struct sw_latency *latency)
{
	const struct sw_queue_stats *queue = &port->queues[q];
	json_t *o = json_object();

	put(o, "priority", (uint64_t)q);
	for (int c = 0; c < SW_QUEUE_COUNTERS; c++)
		put(o, sw_queue_counter_names[c].name, queue->counters[c]);
	put(o, "packets", queue->packets);
	put(o, "bytes", queue->bytes);
	put(o, "buffer_bytes", queue->buffer_bytes);
	put(o, "max_bytes", queue->max_bytes);
	put(o, "paused_ps", queue->paused_ps);
	json_object_set_new(o, "paused", json_boolean(queue->paused));
	if (latency != NULL)
		json_object_set_new(o, "latency", latency_json(latency));
	return o;
}

static json_t *queues_json(const struct telemetry_switch *sw, uint16_t p)
{
	const struct sw_latency *all = sw->stats.latency;
	json_t *list = json_array();

	for (int q = 0; q < SW_PRIOS; q++)
		json_array_append_new(
			list, queue_json(&sw->ports[p], q, all ? &all[p * SW_PRIOS + q] : NULL));
	return list;
}

static json_t *pg_json(const struct sw_port_stats *port, int g)
{
	const struct sw_pg_stats *pg = &port->pgs[g];
	json_t *o = json_object();

	put(o, "priority", (uint64_t)g);
	put(o, "bytes", pg->total_bytes);
	put(o, "shared_bytes", pg->shared_bytes);
	put(o, "headroom_bytes", pg->headroom_bytes);
	put(o, "max_shared_bytes", pg->max_shared_bytes);
	put(o, "max_headroom_bytes", pg->max_headroom_bytes);
	put(o, "dropped", pg->dropped);
	json_object_set_new(o, "xoff", json_boolean(pg->xoff));
	return o;
}

static json_t *last_json(const uint64_t last[SW_WATCHDOG_COUNTERS])
{
	json_t *o = json_object();

	for (int c = SW_WATCHDOG_TX_OK; c < SW_WATCHDOG_COUNTERS; c++)
		put(o, sw_watchdog_counter_names[c].name, last[c]);
	return o;
}

static json_t *watchdog_json(const struct sw_port_stats *port, int q)
{
	const struct sw_watchdog_stats *w = &port->queues[q].watchdog;
	const char *state = w->stormed ? "stormed" : w->watched ? "operational" : "off";
	json_t *o = json_object();

	put(o, "priority", (uint64_t)q);
	json_object_set_new(o, "class",
			    json_string(port->queues[q].lossless ? "lossless" : "lossy"));
	json_object_set_new(o, "state", json_string(state));
	for (int c = 0; c < SW_WATCHDOG_COUNTERS; c++)
		put(o, sw_watchdog_counter_names[c].name, w->counters[c]);
	json_object_set_new(o, "last", last_json(w->last));
	put(o, "detected_ps", w->detected_ps);
	put(o, "detect_took_ps", w->detect_took_ps);
	put(o, "restored_ps", w->restored_ps);
	put(o, "restore_took_ps", w->restore_took_ps);
	return o;
}

static json_t *eight(json_t *(*one)(const struct sw_port_stats *, int),
		     const struct sw_port_stats *port)
{
	json_t *list = json_array();

	for (int i = 0; i < SW_PRIOS; i++)
		json_array_append_new(list, one(port, i));
	return list;
}

static void put_pfc(json_t *o, const struct sw_port_stats *port)
{
	json_t *list;

	for (int c = 0; c < SW_PRIO_COUNTERS; c++) {
		list = json_array();
		for (int p = 0; p < SW_PRIOS; p++)
			json_array_append_new(list, json_integer((json_int_t)port->prio[c][p]));
		json_object_set_new(o, sw_prio_counter_names[c].name, list);
	}
	list = json_array();
	for (int q = 0; q < SW_PRIOS; q++)
		json_array_append_new(list, json_integer((json_int_t)port->queues[q].paused_ps));
	json_object_set_new(o, "paused_ps", list);
}

static json_t *drops_json(const uint64_t drops[SW_DROPS])
{
	json_t *o = json_object();

	for (int d = 0; d < SW_DROPS; d++)
		put(o, sw_drop_names[d].name, drops[d]);
	return o;
}

static json_t *port_losses_json(const struct telemetry_switch *sw, uint16_t p)
{
	json_t *o = json_object();

	for (int l = 0; l < SW_LOSSES; l++)
		put(o, sw_loss_names[l].name, sw->real ? sw->device[p].losses[l] : 0);
	return o;
}

static void put_losses(json_t *o, const struct telemetry_switch *sw)
{
	json_t *losses = json_object();
	uint64_t lost = 0;

	for (int l = 0; l < SW_LOSSES; l++) {
		put(losses, sw_loss_names[l].name, telemetry_lost(sw, l));
		lost += telemetry_lost(sw, l);
	}
	json_object_set_new(o, "losses", losses);
	put(o, "lost", lost);
}

static void put_device(json_t *o, const struct sw_port_stats *port, const struct rt_port_stats *d)
{
	json_t *device = json_object(), *edge = json_object();

	json_object_set_new(device, "link_up", json_boolean(d->link_up));
	json_object_set_new(device, "admin_up", json_boolean(d->admin_up));
	put(device, "staged", d->staged);
	put(device, "device_full", d->device_full);
	put(device, "no_buffer", d->no_buffer);
	for (int l = 0; l < SW_LOSSES; l++)
		put(device, sw_loss_names[l].name, d->losses[l]);
	json_object_set_new(o, "device", device);
	put(edge, "packets", port->edge_packets);
	put(edge, "bytes", port->edge_bytes);
	put(edge, "max_bytes", port->edge_max_bytes);
	put(edge, "paused_ps", port->edge_paused_ps);
	json_object_set_new(o, "edge", edge);
}

static json_t *port_json(const struct telemetry_switch *sw, uint16_t p, unsigned int parts)
{
	const struct sw_port_stats *port = &sw->ports[p];
	json_t *o = json_object();

	json_object_set_new(o, "name", json_string(port->name));
	json_object_set_new(o, "up", json_boolean(port->up));
	json_object_set_new(o, "held", json_boolean(port->held));
	if (parts & TELEMETRY_COUNTERS)
		for (int c = 0; c < SW_PORT_COUNTERS; c++)
			put(o, sw_port_counter_names[c].name, port->counters[c]);
	if (parts & TELEMETRY_PFC)
		put_pfc(o, port);
	if (parts & TELEMETRY_QUEUES)
		json_object_set_new(o, "queues", queues_json(sw, p));
	if (parts & TELEMETRY_PGS)
		json_object_set_new(o, "pgs", eight(pg_json, port));
	if (parts & TELEMETRY_WATCHDOG)
		json_object_set_new(o, "watchdog", eight(watchdog_json, port));
	if (parts & TELEMETRY_PORT_DROPS) {
		json_object_set_new(o, "drops", drops_json(port->drops));
		json_object_set_new(o, "losses", port_losses_json(sw, p));
	}
	if ((parts & TELEMETRY_DEVICE) && sw->real)
		put_device(o, port, &sw->device[p]);
	return o;
}

static void put_identity(json_t *o, const struct sw_stats *s)
{
	put(o, "rx", s->rx);
	put(o, "generated", s->generated);
	put(o, "copied", s->copied);
	put(o, "tx", s->tx);
	put(o, "consumed", s->consumed);
	put(o, "dropped", s->dropped);
	put(o, "held", s->held);
}

static void put_pools(json_t *o, const struct sw_stats *s)
{
	put(o, "buffer_bytes", s->buffer_bytes);
	put(o, "buffer_max_bytes", s->buffer_max_bytes);
	put(o, "buffer_size_bytes", s->buffer_size_bytes);
	put(o, "shared_bytes", s->shared_bytes);
	put(o, "shared_max_bytes", s->shared_max_bytes);
	put(o, "shared_size_bytes", s->shared_size_bytes);
	put(o, "headroom_bytes", s->headroom_bytes);
	put(o, "headroom_max_bytes", s->headroom_max_bytes);
	put(o, "headroom_size_bytes", s->headroom_size_bytes);
	json_object_set_new(o, "headroom_pooled", json_boolean(s->headroom_pooled));
}

json_t *telemetry_switch_json(const struct telemetry_switch *sw, unsigned int parts)
{
	const struct sw_stats *s = &sw->stats;
	json_t *o = json_object(), *ports = json_array();
	char digest[17];

	json_object_set_new(o, "name", json_string(s->name));
	put(o, "time_ps", s->t_ps);
	put_identity(o, s);
	json_object_set_new(o, "closed", json_boolean(telemetry_closed(s)));
	put(o, "carried", sw->carried);
	json_object_set_new(o, "drops", drops_json(s->drops));
	put_losses(o, sw);
	put(o, "dropped_lossless", s->dropped_lossless);
	put(o, "dropped_lossy", s->dropped_lossy);
	put_pools(o, s);
	put(o, "holds", s->holds);
	put(o, "swaps", s->swaps);
	snprintf(digest, sizeof(digest), "%016" PRIx64, s->digest);
	json_object_set_new(o, "digest", json_string(digest));
	for (uint16_t p = 0; p < s->n_ports; p++)
		json_array_append_new(ports, port_json(sw, p, parts));
	json_object_set_new(o, "ports", ports);
	return o;
}

json_t *telemetry_switches_json(const struct telemetry *telemetry, unsigned int parts)
{
	json_t *list = json_array();

	for (uint16_t i = 0; i < telemetry->n_switches; i++)
		json_array_append_new(list, telemetry_switch_json(&telemetry->switches[i], parts));
	return list;
}

json_t *telemetry_latency_json(const struct telemetry *telemetry)
{
	struct sw_latency sum = {{0}};

	for (uint16_t i = 0; i < telemetry->n_switches; i++) {
		const struct sw_stats *s = &telemetry->switches[i].stats;

		for (int q = 0; s->latency != NULL && q < s->n_ports * SW_PRIOS; q++)
			sw_latency_add(&sum, &s->latency[q]);
	}
	return latency_json(&sum);
}

json_t *telemetry_totals_json(const struct telemetry *telemetry)
{
	uint64_t marked = 0, xoff = 0, cnp = 0, lossless = 0, lost = 0;
	struct sw_stats sum = {0};
	json_t *o = json_object();

	for (uint16_t i = 0; i < telemetry->n_switches; i++) {
		const struct sw_stats *s = &telemetry->switches[i].stats;

		sum.rx += s->rx;
		sum.generated += s->generated;
		sum.copied += s->copied;
		sum.tx += s->tx;
		sum.consumed += s->consumed;
		sum.dropped += s->dropped;
		sum.held += s->held;
		lossless += s->dropped_lossless;
		for (int l = 0; l < SW_LOSSES; l++)
			lost += telemetry_lost(&telemetry->switches[i], l);
		for (uint16_t p = 0; p < s->n_ports; p++) {
			cnp += s->ports[p].counters[SW_PORT_CNP_RX];
			for (int q = 0; q < SW_PRIOS; q++) {
				marked += s->ports[p].queues[q].counters[SW_QUEUE_ECN_MARKED];
				xoff += s->ports[p].prio[SW_PRIO_XOFF_EPISODES][q];
			}
		}
	}
	put_identity(o, &sum);
	json_object_set_new(o, "closed", json_boolean(telemetry_closed(&sum)));
	put(o, "dropped_lossless", lossless);
	put(o, "lost", lost);
	put(o, "ecn_marked", marked);
	put(o, "xoff_episodes", xoff);
	put(o, "cnp", cnp);
	return o;
}

static void put_names(json_t *o, const struct sw_name *names, int n)
{
	json_t *drop;
	char file[128];

	for (int i = 0; i < n; i++) {
		drop = json_object();
		json_object_set_new(drop, "stage", json_string(names[i].stage));
		json_object_set_new(
			drop, "file",
			json_string(telemetry_stage_file(names[i].stage, file, sizeof(file))));
		json_object_set_new(drop, "help", json_string(names[i].help));
		json_object_set_new(o, names[i].name, drop);
	}
}

json_t *telemetry_drop_names_json(void)
{
	json_t *o = json_object();

	put_names(o, sw_drop_names, SW_DROPS);
	put_names(o, sw_loss_names, SW_LOSSES);
	return o;
}
