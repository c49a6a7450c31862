/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics.h"

#include <inttypes.h>
#include <stddef.h>

/* What is no counter of list.h. */
static const struct {
	const char *name, *help;
	enum metric_scope scope;
	bool counter, ps;
	size_t offset;
} others[] = {
	{"rx", "data frames taken", METRIC_SWITCH, true, false, offsetof(struct sw_stats, rx)},
	{"generated", "data frames of the switch's own", METRIC_SWITCH, true, false,
	 offsetof(struct sw_stats, generated)},
	{"copied", "extra copies of floods", METRIC_SWITCH, true, false,
	 offsetof(struct sw_stats, copied)},
	{"tx", "data frames sent", METRIC_SWITCH, true, false, offsetof(struct sw_stats, tx)},
	{"consumed", "data frames to the switch itself", METRIC_SWITCH, true, false,
	 offsetof(struct sw_stats, consumed)},
	{"dropped", "data frames dropped", METRIC_SWITCH, true, false,
	 offsetof(struct sw_stats, dropped)},
	{"dropped_lossless", "of them in lossless priorities", METRIC_SWITCH, true, false,
	 offsetof(struct sw_stats, dropped_lossless)},
	{"held", "data frames inside now", METRIC_SWITCH, false, false,
	 offsetof(struct sw_stats, held)},
	{"buffer_bytes", "buffer in use", METRIC_SWITCH, false, false,
	 offsetof(struct sw_stats, buffer_bytes)},
	{"buffer_max_bytes", "its watermark", METRIC_SWITCH, false, false,
	 offsetof(struct sw_stats, buffer_max_bytes)},
	{"shared_bytes", "shared pool in use", METRIC_SWITCH, false, false,
	 offsetof(struct sw_stats, shared_bytes)},
	{"shared_max_bytes", "its watermark", METRIC_SWITCH, false, false,
	 offsetof(struct sw_stats, shared_max_bytes)},
	{"headroom_bytes", "headroom in use, of all priority groups", METRIC_SWITCH, false, false,
	 offsetof(struct sw_stats, headroom_bytes)},
	{"headroom_max_bytes", "its watermark", METRIC_SWITCH, false, false,
	 offsetof(struct sw_stats, headroom_max_bytes)},
	{"worker_polls", "turns of the worker's loop", METRIC_WORKER, true, false,
	 offsetof(struct rt_worker_stats, polls)},
	{"worker_late_p999_seconds", "lateness of departures, p99.9", METRIC_WORKER, false, true,
	 offsetof(struct rt_worker_stats, late_p999_ps)},
	{"worker_late_max_seconds", "lateness of departures, worst", METRIC_WORKER, false, true,
	 offsetof(struct rt_worker_stats, late_max_ps)},
	{"device_staged", "frames the device has not taken yet", METRIC_DEVICE, false, false,
	 offsetof(struct rt_port_stats, staged)},
	{"queue_bytes", "bytes in the egress queue", METRIC_QUEUE, false, false,
	 offsetof(struct sw_queue_stats, bytes)},
	{"queue_buffer_bytes", "what they take of the buffer, in whole cells", METRIC_QUEUE, false,
	 false, offsetof(struct sw_queue_stats, buffer_bytes)},
	{"queue_max_bytes", "its watermark", METRIC_QUEUE, false, false,
	 offsetof(struct sw_queue_stats, max_bytes)},
	{"queue_paused_seconds", "time paused by received PFC", METRIC_QUEUE, true, true,
	 offsetof(struct sw_queue_stats, paused_ps)},
	{"watchdog_stormed", "1 while the queue is in a PFC storm", METRIC_QUEUE, false, false,
	 offsetof(struct sw_queue_stats, watchdog.stormed)},
	{"pg_shared_bytes", "shared pool in use by the priority group", METRIC_PG, false, false,
	 offsetof(struct sw_pg_stats, shared_bytes)},
	{"pg_headroom_bytes", "headroom in use", METRIC_PG, false, false,
	 offsetof(struct sw_pg_stats, headroom_bytes)},
	{"pg_max_shared_bytes", "watermark of the shared pool's use", METRIC_PG, false, false,
	 offsetof(struct sw_pg_stats, max_shared_bytes)},
	{"pg_max_headroom_bytes", "watermark of the headroom's use", METRIC_PG, false, false,
	 offsetof(struct sw_pg_stats, max_headroom_bytes)},
	{"pg_dropped", "frames dropped at the priority group", METRIC_PG, true, false,
	 offsetof(struct sw_pg_stats, dropped)},
};

/* What is: one family a list. */
static const struct {
	const char *prefix;
	const struct sw_name *names;
	int n;
	enum metric_scope scope;
	size_t offset, step;
} lists[] = {
	{"port_", sw_port_counter_names, SW_PORT_COUNTERS, METRIC_PORT,
	 offsetof(struct sw_port_stats, counters), sizeof(uint64_t)},
	{"", sw_prio_counter_names, SW_PRIO_COUNTERS, METRIC_PRIORITY,
	 offsetof(struct sw_port_stats, prio), SW_PRIOS * sizeof(uint64_t)},
	{"device_", sw_loss_names, SW_LOSSES, METRIC_DEVICE, offsetof(struct rt_port_stats, losses),
	 sizeof(uint64_t)},
	{"queue_", sw_queue_counter_names, SW_QUEUE_COUNTERS, METRIC_QUEUE,
	 offsetof(struct sw_queue_stats, counters), sizeof(uint64_t)},
	{"watchdog_", sw_watchdog_counter_names, SW_WATCHDOG_COUNTERS, METRIC_QUEUE,
	 offsetof(struct sw_queue_stats, watchdog.counters), sizeof(uint64_t)},
};

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static const char *const labels[] = {
	[METRIC_SWITCH] = "switch",
	[METRIC_WORKER] = "switch",
	[METRIC_DROP] = "switch,drop,stage",
	[METRIC_PORT] = "switch,port",
	[METRIC_DEVICE] = "switch,port",
	[METRIC_PRIORITY] = "switch,port,priority",
	[METRIC_QUEUE] = "switch,port,queue",
	[METRIC_PG] = "switch,port,pg",
	[METRIC_LATENCY] = "switch,port,queue,le",
};

static void fill(struct metric *out, const char *prefix, const char *name)
{
	const char *suffix = out->counter ? "_total" : "";

	snprintf(out->name, sizeof(out->name), "railyard_%s%s%s", prefix, name, suffix);
	out->labels = labels[out->scope];
}

bool metric_at(int i, struct metric *out)
{
	*out = (struct metric){.counter = true};
	if (i < COUNT(others)) {
		out->help = others[i].help;
		out->scope = others[i].scope;
		out->counter = others[i].counter;
		out->ps = others[i].ps;
		out->offset = others[i].offset;
		fill(out, "", others[i].name);
		return true;
	}
	i -= COUNT(others);
	if (i-- == 0) {
		out->help = "data frames dropped, by name";
		out->scope = METRIC_DROP;
		out->offset = offsetof(struct sw_stats, drops);
		fill(out, "", "drops");
		return true;
	}
	if (i-- == 0) {
		out->help = "time in the switch, from arrival to departure; the sum is at most an "
			    "eighth too large";
		out->scope = METRIC_LATENCY;
		out->counter = false;
		out->histogram = true;
		fill(out, "", "queue_latency_seconds");
		return true;
	}
	for (int l = 0; l < COUNT(lists); i -= lists[l++].n)
		if (i < lists[l].n) {
			out->help = lists[l].names[i].help;
			out->scope = lists[l].scope;
			out->offset = lists[l].offset + (size_t)i * lists[l].step;
			fill(out, lists[l].prefix, lists[l].names[i].name);
			return true;
		}
	return false;
}

static void sample(FILE *out, const struct metric *m, const char *sw, const char *port,
		   const char *more, const void *base, size_t offset)
{
	uint64_t value = *(const uint64_t *)((const char *)base + offset);

	fprintf(out, "%s{switch=\"%s\"", m->name, sw);
	if (port != NULL)
		fprintf(out, ",port=\"%s\"", port);
	if (m->ps)
		fprintf(out, "%s} %.12f\n", more, (double)value / 1e12);
	else
		fprintf(out, "%s} %" PRIu64 "\n", more, value);
}

static void drop_samples(FILE *out, const struct metric *m, const struct telemetry_switch *sw)
{
	char more[128];

	for (int d = 0; d < SW_DROPS; d++) {
		snprintf(more, sizeof(more), ",drop=\"%s\",stage=\"%s\"", sw_drop_names[d].name,
			 sw_drop_names[d].stage);
		sample(out, m, sw->stats.name, NULL, more, &sw->stats,
		       m->offset + (size_t)d * sizeof(uint64_t));
	}
}

/* The eight priorities, queues or PGs of a port. */
static void eight_samples(FILE *out, const struct metric *m, const struct telemetry_switch *sw,
			  const struct sw_port_stats *port)
{
	const char *label = m->scope == METRIC_QUEUE ? "queue"
			    : m->scope == METRIC_PG  ? "pg"
						     : "priority";
	char more[32];

	for (int i = 0; i < SW_PRIOS; i++) {
		snprintf(more, sizeof(more), ",%s=\"%d\"", label, i);
		if (m->scope == METRIC_PRIORITY)
			sample(out, m, sw->stats.name, port->name, more, port,
			       m->offset + (size_t)i * sizeof(uint64_t));
		else
			sample(out, m, sw->stats.name, port->name, more,
			       m->scope == METRIC_QUEUE ? (const void *)&port->queues[i]
							: (const void *)&port->pgs[i],
			       m->offset);
	}
}

static double seconds(uint64_t ps)
{
	return (double)ps / 1e12;
}

/* Prometheus wants cumulative counts; one bound for each power of two. */
static void latency_samples(FILE *out, const char *name, const char *labels,
			    const struct sw_latency *latency)
{
	uint64_t count = 0;
	double sum = 0;

	for (uint32_t i = 0; i + 1 < SW_LATENCY_BUCKETS; i++) {
		count += latency->buckets[i];
		sum += (double)latency->buckets[i] * seconds(sw_latency_end(i));
		if (i % 8 == 7)
			fprintf(out, "%s_bucket{%s,le=\"%.12f\"} %" PRIu64 "\n", name, labels,
				seconds(sw_latency_end(i) + 1), count);
	}
	count += latency->buckets[SW_LATENCY_BUCKETS - 1];
	sum += (double)latency->buckets[SW_LATENCY_BUCKETS - 1] *
	       seconds(sw_latency_end(SW_LATENCY_BUCKETS - 2));
	fprintf(out, "%s_bucket{%s,le=\"+Inf\"} %" PRIu64 "\n", name, labels, count);
	fprintf(out, "%s_sum{%s} %.12f\n%s_count{%s} %" PRIu64 "\n", name, labels, sum, name,
		labels, count);
}

/* Of the queues that have sent: the others would be most of all that is said here. */
static void queue_latencies(FILE *out, const struct metric *m, const struct telemetry_switch *sw)
{
	char labels[2 * SW_NAME + 64];

	for (uint32_t i = 0; sw->stats.latency != NULL && i < sw->stats.n_ports * SW_PRIOS; i++) {
		const struct sw_port_stats *port = &sw->ports[i / SW_PRIOS];

		if (port->queues[i % SW_PRIOS].counters[SW_QUEUE_TX_PACKETS] == 0)
			continue;
		snprintf(labels, sizeof(labels), "switch=\"%s\",port=\"%s\",queue=\"%u\"",
			 sw->stats.name, port->name, i % SW_PRIOS);
		latency_samples(out, m->name, labels, &sw->stats.latency[i]);
	}
}

static void switch_samples(FILE *out, const struct metric *m, const struct telemetry_switch *sw)
{
	if (m->scope == METRIC_SWITCH)
		sample(out, m, sw->stats.name, NULL, "", &sw->stats, m->offset);
	else if (m->scope == METRIC_WORKER && sw->real)
		sample(out, m, sw->stats.name, NULL, "", &sw->worker, m->offset);
	else if (m->scope == METRIC_DROP)
		drop_samples(out, m, sw);
	else if (m->scope == METRIC_LATENCY)
		queue_latencies(out, m, sw);
	for (uint16_t p = 0; p < sw->stats.n_ports && m->scope >= METRIC_PORT && !m->histogram;
	     p++) {
		if (m->scope == METRIC_PORT)
			sample(out, m, sw->stats.name, sw->ports[p].name, "", &sw->ports[p],
			       m->offset);
		else if (m->scope == METRIC_DEVICE && sw->real)
			sample(out, m, sw->stats.name, sw->ports[p].name, "", &sw->device[p],
			       m->offset);
		else if (m->scope > METRIC_DEVICE)
			eight_samples(out, m, sw, &sw->ports[p]);
	}
}

void metrics_write(FILE *out, const struct telemetry *telemetry, bool valid)
{
	struct metric m;

	fprintf(out,
		"# HELP railyard_valid 1 while the run is valid\n# TYPE railyard_valid gauge\n"
		"railyard_valid %d\n",
		valid);
	for (int i = 0; metric_at(i, &m); i++) {
		fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", m.name, m.help, m.name,
			m.histogram ? "histogram"
			: m.counter ? "counter"
				    : "gauge");
		for (uint16_t s = 0; s < telemetry->n_switches; s++)
			switch_samples(out, &m, &telemetry->switches[s]);
	}
}
