/* SPDX-License-Identifier: BSD-3-Clause */
/* Stats: everything countable, copied out at one time. Buffer counts become bytes here. */
#include "sw_int.h"

#include <string.h>

static void read_queue(const struct sw *sw, const struct sw_port *port, int q, uint64_t t_ps,
		       struct sw_queue_stats *out)
{
	const struct sw_queue *queue = &port->queues[q];
	uint64_t cell = sw->cfg.buffer.cell_bytes;

	memcpy(out->counters, queue->counters, sizeof(out->counters));
	out->packets = queue->packets;
	out->bytes = queue->bytes;
	out->buffer_bytes = queue->cells * cell;
	out->max_bytes = queue->max_cells * cell;
	out->paused_ps = pause_total(&queue->pause, t_ps);
	out->paused = queue->pause.until > t_ps;
	out->lossless = port->cfg.pfc && (sw->queue_classes[q] & sw->lossless_mask) != 0;
	watchdog_stats(sw, port, q, &out->watchdog);
}

static void read_pg(const struct sw_pg *pg, uint64_t cell, struct sw_pg_stats *out)
{
	uint64_t shared = pg->ingress > pg->reserved_size ? pg->ingress - pg->reserved_size : 0;

	out->total_bytes = (pg->ingress + pg->headroom) * cell;
	out->shared_bytes = shared * cell;
	out->headroom_bytes = pg->headroom * cell;
	out->max_shared_bytes = pg->max_shared * cell;
	out->max_headroom_bytes = pg->max_headroom * cell;
	out->dropped = pg->dropped;
	out->xoff = pg->xoff;
}

static void read_port(const struct sw *sw, const struct sw_port *port, uint64_t t_ps,
		      struct sw_port_stats *out)
{
	uint64_t cell = sw->cfg.buffer.cell_bytes;

	*out = (struct sw_port_stats){.digest = port->digest, .up = port->up, .held = port->held};
	memcpy(out->name, port->cfg.name, sizeof(out->name));
	memcpy(out->counters, port->counters, sizeof(out->counters));
	memcpy(out->drops, port->drops, sizeof(out->drops));
	memcpy(out->prio, port->prio, sizeof(out->prio));
	for (int i = 0; i < SW_PRIOS; i++) {
		read_queue(sw, port, i, t_ps, &out->queues[i]);
		read_pg(&port->pgs[i], cell, &out->pgs[i]);
		out->edge_paused_ps += pause_total(&port->edge.pause[i], t_ps);
	}
	out->edge_packets = port->edge.packets;
	out->edge_bytes = port->edge.all_bytes;
	out->edge_max_bytes = port->edge.max_bytes;
}

static void read_latency(const struct sw *sw, uint16_t port, struct sw_latency *out)
{
	for (int q = 0; q < SW_PRIOS; q++)
		if (sw->ports[port].queues[q].counters[SW_QUEUE_TX_PACKETS] != 0)
			out[q] = sw->latency[port * SW_PRIOS + q];
}

void sw_stats(const struct sw *sw, uint64_t t_ps, struct sw_stats *out)
{
	uint64_t cell = sw->cfg.buffer.cell_bytes;
	struct sw_port_stats *ports = out->ports;
	struct sw_latency *latency = out->latency;

	*out = (struct sw_stats){
		.t_ps = t_ps,
		.rx = sw->rx,
		.generated = sw->generated,
		.copied = sw->copied,
		.tx = sw->tx,
		.consumed = sw->consumed,
		.dropped = sw->dropped,
		.held = sw->held,
		.dropped_lossless = sw->dropped_lossless,
		.dropped_lossy = sw->dropped - sw->dropped_lossless,
		.buffer_bytes = sw->used * cell,
		.buffer_max_bytes = sw->max_used * cell,
		.buffer_size_bytes = sw->cfg.buffer.size_bytes / cell * cell,
		.shared_bytes = sw->shared_used * cell,
		.shared_max_bytes = sw->max_shared_used * cell,
		.shared_size_bytes = sw->shared_size * cell,
		.headroom_bytes = sw->headroom_used * cell,
		.headroom_max_bytes = sw->max_headroom_used * cell,
		.headroom_size_bytes = sw->headroom_size * cell,
		.headroom_pooled = sw->cfg.buffer.headroom_pool_bytes != 0,
		.holds = sw->holds,
		.swaps = sw->swaps,
		.digest = digest_all(sw),
		.n_ports = sw->n_ports,
		.ports = ports,
		.latency = latency,
	};
	memcpy(out->name, sw->cfg.name, sizeof(out->name));
	for (uint16_t i = 0; i < sw->n_ports; i++) {
		read_port(sw, &sw->ports[i], t_ps, &ports[i]);
		if (latency != NULL && sw->latency != NULL)
			read_latency(sw, i, &latency[i * SW_PRIOS]);
		for (int d = 0; d < SW_DROPS; d++)
			out->drops[d] += ports[i].drops[d];
	}
}

void sw_clear_watermarks(struct sw *sw, uint64_t t_ps)
{
	(void)t_ps;
	sw->max_used = sw->used;
	sw->max_shared_used = sw->shared_used;
	sw->max_headroom_used = sw->headroom_used;
	for (uint16_t i = 0; i < sw->n_ports; i++) {
		struct sw_port *port = &sw->ports[i];

		port->edge.max_bytes = port->edge.all_bytes;
		for (int q = 0; q < SW_PRIOS; q++) {
			struct sw_pg *pg = &port->pgs[q];

			port->queues[q].max_cells = port->queues[q].cells;
			pg->max_headroom = pg->headroom;
			pg->max_shared = pg->ingress > pg->reserved_size
						 ? pg->ingress - pg->reserved_size
						 : 0;
		}
	}
}
