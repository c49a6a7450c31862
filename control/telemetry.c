/* SPDX-License-Identifier: BSD-3-Clause */
#include "telemetry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int telemetry_init(struct telemetry *out, uint16_t n_switches, const uint16_t *n_ports)
{
	struct telemetry_switch *sw;

	out->switches = calloc(n_switches ? n_switches : 1, sizeof(*out->switches));
	out->n_switches = out->switches ? n_switches : 0;
	for (uint16_t i = 0; i < out->n_switches; i++) {
		sw = &out->switches[i];
		sw->ports = calloc(n_ports[i] ? n_ports[i] : 1, sizeof(*sw->ports));
		sw->device = calloc(n_ports[i] ? n_ports[i] : 1, sizeof(*sw->device));
		sw->stats.ports = sw->ports;
		sw->stats.n_ports = n_ports[i];
		if (sw->ports == NULL || sw->device == NULL) {
			telemetry_free(out);
			return -ENOMEM;
		}
	}
	return out->switches ? 0 : -ENOMEM;
}

int telemetry_add_latency(struct telemetry *telemetry)
{
	for (uint16_t i = 0; i < telemetry->n_switches; i++) {
		struct telemetry_switch *sw = &telemetry->switches[i];

		sw->latency =
			calloc(sw->stats.n_ports * (size_t)SW_PRIOS + 1, sizeof(*sw->latency));
		if (sw->latency == NULL)
			return -ENOMEM;
	}
	return 0;
}

void telemetry_free(struct telemetry *telemetry)
{
	for (uint16_t i = 0; i < telemetry->n_switches; i++) {
		free(telemetry->switches[i].latency);
		free(telemetry->switches[i].ports);
		free(telemetry->switches[i].device);
	}
	free(telemetry->switches);
	memset(telemetry, 0, sizeof(*telemetry));
}

void telemetry_copy(struct telemetry *out, const struct telemetry *from)
{
	for (uint16_t i = 0; i < out->n_switches && i < from->n_switches; i++) {
		struct telemetry_switch *to = &out->switches[i];
		const struct telemetry_switch *s = &from->switches[i];
		struct sw_port_stats *ports = to->ports;
		struct rt_port_stats *device = to->device;
		struct sw_latency *latency = to->latency;
		bool has_latency = latency != NULL && s->stats.latency != NULL;

		if (has_latency)
			memcpy(latency, s->stats.latency,
			       s->stats.n_ports * (size_t)SW_PRIOS * sizeof(*latency));
		memcpy(ports, s->ports, s->stats.n_ports * sizeof(*ports));
		memcpy(device, s->device, s->stats.n_ports * sizeof(*device));
		*to = *s;
		to->ports = ports;
		to->stats.ports = ports;
		to->device = device;
		to->latency = latency;
		to->stats.latency = has_latency ? latency : NULL;
	}
}

static void subtract(uint64_t *a, const uint64_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a[i] -= b[i];
}

/* The last storm's numbers go with the sums they are part of: what of it was before the base is gone. */
static void subtract_watchdog(struct sw_watchdog_stats *a, const struct sw_watchdog_stats *b)
{
	subtract(a->counters, b->counters, SW_WATCHDOG_COUNTERS);
	for (int c = 0; c < SW_WATCHDOG_COUNTERS; c++)
		if (a->last[c] > a->counters[c])
			a->last[c] = a->counters[c];
}

static void subtract_port(struct sw_port_stats *a, const struct sw_port_stats *b)
{
	subtract(a->counters, b->counters, SW_PORT_COUNTERS);
	subtract(a->drops, b->drops, SW_DROPS);
	subtract(a->prio[0], b->prio[0], (size_t)SW_PRIO_COUNTERS * SW_PRIOS);
	a->edge_paused_ps -= b->edge_paused_ps;
	for (int q = 0; q < SW_PRIOS; q++) {
		subtract(a->queues[q].counters, b->queues[q].counters, SW_QUEUE_COUNTERS);
		a->queues[q].paused_ps -= b->queues[q].paused_ps;
		subtract_watchdog(&a->queues[q].watchdog, &b->queues[q].watchdog);
		a->pgs[q].dropped -= b->pgs[q].dropped;
	}
}

static void subtract_latency(struct sw_latency *a, const struct sw_latency *b)
{
	for (int q = 0; q < SW_PRIOS; q++)
		subtract(a[q].buckets, b[q].buckets, SW_LATENCY_BUCKETS);
}

static void subtract_device(struct rt_port_stats *a, const struct rt_port_stats *b)
{
	a->device_full -= b->device_full;
	a->no_buffer -= b->no_buffer;
	subtract(a->losses, b->losses, SW_LOSSES);
}

static void subtract_switch(struct telemetry_switch *sw, const struct telemetry_switch *base)
{
	struct sw_stats *a = &sw->stats;
	const struct sw_stats *b = &base->stats;

	/* What was held at the clear is still to be accounted for: it came in "since". */
	sw->carried = b->held;
	a->rx = a->rx - b->rx + b->held;
	a->generated -= b->generated;
	a->copied -= b->copied;
	a->tx -= b->tx;
	a->consumed -= b->consumed;
	a->dropped -= b->dropped;
	a->dropped_lossless -= b->dropped_lossless;
	a->dropped_lossy -= b->dropped_lossy;
	a->holds -= b->holds;
	a->swaps -= b->swaps;
	subtract(a->drops, b->drops, SW_DROPS);
	for (uint16_t p = 0; p < a->n_ports; p++)
		for (uint16_t q = 0; q < b->n_ports; q++)
			if (strcmp(a->ports[p].name, b->ports[q].name) == 0) {
				subtract_port(&a->ports[p], &b->ports[q]);
				if (a->latency != NULL && b->latency != NULL)
					subtract_latency(&a->latency[p * SW_PRIOS],
							 &b->latency[q * SW_PRIOS]);
				if (sw->real && base->real)
					subtract_device(&sw->device[p], &base->device[q]);
			}
}

void telemetry_subtract(struct telemetry *now, const struct telemetry *base)
{
	for (uint16_t i = 0; i < now->n_switches; i++)
		for (uint16_t j = 0; j < base->n_switches; j++)
			if (strcmp(now->switches[i].stats.name, base->switches[j].stats.name) == 0)
				subtract_switch(&now->switches[i], &base->switches[j]);
}

uint64_t telemetry_lost(const struct telemetry_switch *sw, enum sw_loss loss)
{
	uint64_t sum = 0;

	for (uint16_t p = 0; sw->real && p < sw->stats.n_ports; p++)
		sum += sw->device[p].losses[loss];
	return sum;
}

bool telemetry_closed(const struct sw_stats *s)
{
	return s->rx + s->generated + s->copied == s->tx + s->consumed + s->dropped + s->held;
}

const char *telemetry_stage_file(const char *stage, char *buf, size_t size)
{
	if (strchr(stage, '/') != NULL)
		snprintf(buf, size, "%s", stage);
	else
		snprintf(buf, size, "dataplane/model/%s.c", stage);
	return buf;
}
