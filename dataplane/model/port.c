/* SPDX-License-Identifier: BSD-3-Clause */
/* Port: what a frame meets first, what waits to leave ahead of data, link state and hold.
 * MAC control frames (PFC, 802.3x) end here: they are never data and never forwarded. */
#include "sw_int.h"

void port_due(struct sw *sw, uint16_t index)
{
	struct sw_port *port = &sw->ports[index];
	uint64_t wants = SW_NEVER;

	if (port->up) {
		wants = port->active != 0 ? sched_next(sw, port) : SW_NEVER;
		port->data_at = wants;
		if (port->pending_since < wants)
			wants = port->pending_since;
		if (wants < port->free_at)
			wants = port->free_at;
	}
	due_set(&sw->departures, index, wants);
}

void port_timer_due(struct sw *sw, uint16_t index)
{
	const struct sw_port *port = &sw->ports[index];
	uint64_t next = port->refresh_at;

	if (port->watch_at < next)
		next = port->watch_at;
	if (port->cfg.edge) {
		uint64_t edge = edge_next(sw, index);

		next = edge < next ? edge : next;
	}
	due_set(&sw->timers, index, next);
}

void port_gen(struct sw *sw, uint64_t t_ps, uint16_t index, enum sw_rec_kind kind,
	      const struct sw_gen *gen)
{
	struct sw_port *port = &sw->ports[index];

	if (!port->up || port->gen_tail - port->gen_head == SW_GEN_RING) {
		sw_drop_gen(sw, t_ps, kind, gen, port->up ? SW_DROP_CTL_FULL : SW_DROP_LINK_DOWN,
			    index);
		return;
	}
	if (port->pending_since > t_ps)
		port->pending_since = t_ps;
	port->gens[port->gen_tail++ % SW_GEN_RING] = (struct sw_gen_item){kind, *gen};
	port_due(sw, index);
}

static inline void count_kind(struct sw_port *port, const struct pkt *pkt)
{
	if (pkt->kind == PKT_ROCE) {
		port->counters[SW_PORT_ROCE_RX]++;
		if (pkt->opcode == 0x81)
			port->counters[SW_PORT_CNP_RX]++;
		if (pkt->flags & PKT_F_UNKNOWN_OP)
			port->counters[SW_PORT_UNKNOWN_OPCODE]++;
	} else if (pkt->kind == PKT_ROCEV1) {
		port->counters[SW_PORT_ROCEV1_RX]++;
	}
}

SW_ASIDE static bool mac_control(struct sw *sw, uint64_t t_ps, struct sw_port *port,
				 struct pkt *pkt)
{
	if (pkt->kind == PKT_PFC) {
		if (port->up)
			pfc_rx(sw, t_ps, pkt);
	} else if (pkt->kind == PKT_PAUSE) {
		port->counters[SW_PORT_PAUSE_RX]++;
	} else {
		port->counters[SW_PORT_MAC_CTL_RX]++;
	}
	sw_give_back(sw, pkt);
	return false;
}

/* Lost traffic has a class too. */
SW_ASIDE static bool refuse(struct sw *sw, uint64_t t_ps, struct pkt *pkt, const struct sw_port *in)
{
	classify(sw, pkt);
	sw_drop(sw, t_ps, pkt, in->up ? SW_DROP_RUNT : SW_DROP_LINK_DOWN, pkt->in_port);
	return false;
}

bool port_rx(struct sw *sw, uint64_t t_ps, struct pkt *pkt, struct sw_port *in)
{
	pkt->t_ps = t_ps;
	if (sw->cfg.digest)
		digest_pkt(sw, pkt->in_port, t_ps, DIGEST_RX, pkt, -1);
	if (pkt->kind >= PKT_PFC && pkt->kind <= PKT_MAC_CTL)
		return mac_control(sw, t_ps, in, pkt);
	sw->rx++;
	sw->held++;
	in->counters[SW_PORT_RX_PACKETS]++;
	in->counters[SW_PORT_RX_BYTES] += pkt->len;
	count_kind(in, pkt);
	if (!in->up || pkt->kind == PKT_RUNT)
		return refuse(sw, t_ps, pkt, in);
	return true;
}

/* Everything that the port holds is lost by name, and what it was told or had told is forgotten. */
static void port_down(struct sw *sw, uint64_t t_ps, uint16_t index)
{
	struct sw_port *port = &sw->ports[index];
	struct pkt *pkt;

	for (int q = 0; q < SW_PRIOS; q++) {
		while (port->queues[q].head != NULL) {
			pkt = queue_pop(port, &port->queues[q]);
			admit_release(sw, t_ps, pkt);
			sw_drop(sw, t_ps, pkt, SW_DROP_LINK_DOWN, index);
		}
		pause_set(&port->queues[q].pause, t_ps, t_ps);
		pause_set(&port->edge.pause[q], t_ps, t_ps);
		port->class_until[q] = 0;
	}
	while ((pkt = edge_take(sw, index)) != NULL)
		sw_drop(sw, t_ps, pkt, SW_DROP_LINK_DOWN, index);
	for (; port->gen_head != port->gen_tail; port->gen_head++) {
		const struct sw_gen_item *item = &port->gens[port->gen_head % SW_GEN_RING];

		sw_drop_gen(sw, t_ps, item->kind, &item->gen, SW_DROP_LINK_DOWN, index);
	}
	port->edge.pfc_at = SW_NEVER;
	port->pfc_pending = 0;
	port->pending_since = SW_NEVER;
	port->pfc_told_xoff = 0;
	port->refresh_at = SW_NEVER;
	watchdog_settle(sw, t_ps, index);
	fdb_flush_port(sw->fdb, index);
	neigh_flush_port(sw, t_ps, index);
}

void port_link(struct sw *sw, uint64_t t_ps, uint16_t index, bool up)
{
	struct sw_port *port = &sw->ports[index];

	if (port->up == up)
		return;
	port->up = up;
	if (sw->cfg.digest)
		digest_event(sw, index, t_ps, up ? SW_EVENT_LINK_UP : SW_EVENT_LINK_DOWN);
	if (!up) {
		port_down(sw, t_ps, index);
	} else {
		port->free_at = t_ps;
		pfc_refresh(sw, t_ps, index); /* PGs that are still in xoff are told again */
	}
	port_due(sw, index);
	port_timer_due(sw, index);
}
