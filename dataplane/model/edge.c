/* SPDX-License-Identifier: BSD-3-Clause */
/* Edge: a NIC-like FIFO per priority between a device and the switch.
 *
 * virtio guests, taps and many NICs' software paths ignore PFC frames. For such a port the edge
 * stands where the peer's NIC would: it takes what the device delivers at any speed, serialises it
 * at the port's declared rate, and keeps a priority still when our PFC says so. What does not fit
 * is dropped here by name, before the switch's buffer. Waiting priorities take turns.
 *
 * A PFC frame takes effect when its last bit has arrived; what is being serialised goes on.
 *
 * Switched on under traffic, the edge takes what comes from then on. Switched off, all that it holds
 * arrives at once, in the order in which the device delivered it: that the peer had sent it is a fact,
 * and were it let out at the rate, later frames would overtake it. Whoever listens to our PFC has
 * changed either way and has been told nothing yet (pfc_new_peer).
 */
#include "sw_int.h"

static void edge_start(struct sw *sw, uint64_t t_ps, struct sw_port *port)
{
	struct sw_edge *edge = &port->edge;

	(void)sw;
	for (int i = 0; i < SW_PRIOS; i++) {
		uint8_t p = (edge->next_prio + i) % SW_PRIOS;
		struct pkt *pkt = edge->head[p];

		if (pkt == NULL || edge->pause[p].until > t_ps)
			continue;
		edge->head[p] = pkt->next;
		pkt->next = NULL;
		edge->bytes[p] -= pkt->len;
		edge->sending = pkt;
		edge->sent_at = t_ps + wire_time(port->wire,
						 frame_bytes(pkt->len) + port->cfg.overhead_bytes,
						 &edge->rem);
		edge->next_prio = (p + 1) % SW_PRIOS;
		return;
	}
}

void edge_rx(struct sw *sw, uint64_t t_ps, struct pkt *pkt, struct sw_port *in)
{
	struct sw_edge *edge = &in->edge;
	uint8_t p = pkt->prio;

	if (edge->bytes[p] + pkt->len > in->cfg.edge_bytes) {
		sw_drop(sw, t_ps, pkt, SW_DROP_EDGE_FULL, pkt->in_port);
		return;
	}
	pkt->next = NULL;
	if (edge->head[p] == NULL)
		edge->head[p] = pkt;
	else
		edge->last[p]->next = pkt;
	edge->last[p] = pkt;
	edge->bytes[p] += pkt->len;
	edge->packets++;
	edge->all_bytes += pkt->len;
	if (edge->all_bytes > edge->max_bytes)
		edge->max_bytes = edge->all_bytes;
	if (edge->sending == NULL)
		edge_start(sw, t_ps, in);
	port_timer_due(sw, pkt->in_port);
}

void edge_pfc(struct sw *sw, uint64_t t_ps, uint16_t port_index, const struct sw_gen *pfc)
{
	struct sw_port *port = &sw->ports[port_index];
	struct sw_edge *edge = &port->edge;
	uint32_t rem = 0;

	/* The wire carries one frame at a time, so the one before has taken effect by now. */
	edge->pfc_at = t_ps + wire_time(port->wire, SW_PFC_BYTES + port->cfg.overhead_bytes, &rem);
	edge->pfc_vector = pfc->class_vector;
	for (int p = 0; p < SW_PRIOS; p++)
		edge->pfc_quanta[p] = pfc->quanta[p];
	port_timer_due(sw, port_index);
}

static void edge_honour(struct sw_port *port, uint64_t t_ps)
{
	struct sw_edge *edge = &port->edge;

	edge->pfc_at = SW_NEVER;
	for (uint32_t mask = edge->pfc_vector; mask != 0; mask &= mask - 1) {
		int p = __builtin_ctz(mask);
		uint32_t rem = 0;

		pause_set(&edge->pause[p], t_ps,
			  t_ps + wire_time(port->wire,
					   (uint64_t)edge->pfc_quanta[p] * SW_QUANTUM_BYTES, &rem));
	}
}

uint64_t edge_next(const struct sw *sw, uint16_t port_index)
{
	const struct sw_edge *edge = &sw->ports[port_index].edge;
	uint64_t next = edge->pfc_at;

	if (edge->sending != NULL)
		return edge->sent_at < next ? edge->sent_at : next;
	for (int p = 0; p < SW_PRIOS; p++)
		if (edge->head[p] != NULL && edge->pause[p].until < next)
			next = edge->pause[p].until;
	return next;
}

void edge_timer(struct sw *sw, uint64_t t_ps, uint16_t port_index)
{
	struct sw_port *port = &sw->ports[port_index];
	struct sw_edge *edge = &port->edge;
	struct pkt *arrived = NULL;

	if (edge->pfc_at <= t_ps)
		edge_honour(port, t_ps);
	if (edge->sending != NULL && edge->sent_at <= t_ps) {
		arrived = edge->sending;
		edge->sending = NULL;
		edge->packets--;
		edge->all_bytes -= arrived->len;
	}
	if (edge->sending == NULL)
		edge_start(sw, t_ps, port);
	port_timer_due(sw, port_index);
	if (arrived != NULL) {
		arrived->t_ps = t_ps;
		sw->pipeline->arrive(sw, t_ps, arrived);
	}
}

/* The FIFO whose first frame has waited for longest; -1 when all are empty. */
static int oldest(const struct sw_edge *edge)
{
	int best = -1;

	for (int p = 0; p < SW_PRIOS; p++)
		if (edge->head[p] != NULL &&
		    (best < 0 || edge->head[p]->t_ps < edge->head[best]->t_ps))
			best = p;
	return best;
}

struct pkt *edge_take(struct sw *sw, uint16_t port_index)
{
	struct sw_edge *edge = &sw->ports[port_index].edge;
	struct pkt *pkt = edge->sending;
	int p = oldest(edge);

	edge->sending = NULL;
	if (pkt == NULL && p >= 0) {
		pkt = edge->head[p];
		edge->head[p] = pkt->next;
		edge->bytes[p] -= pkt->len;
	}
	if (pkt != NULL) {
		pkt->next = NULL;
		edge->packets--;
		edge->all_bytes -= pkt->len;
	}
	return pkt;
}

void edge_switched(struct sw *sw, uint64_t t_ps, uint16_t port_index)
{
	struct sw_port *port = &sw->ports[port_index];
	struct sw_edge *edge = &port->edge;
	struct pkt *pkt;

	edge->on = port->cfg.edge;
	edge->pfc_at = SW_NEVER;
	for (int p = 0; p < SW_PRIOS; p++)
		pause_set(&edge->pause[p], t_ps, t_ps);
	while ((pkt = edge_take(sw, port_index)) != NULL) {
		pkt->t_ps = t_ps;
		sw->pipeline->arrive(sw, t_ps, pkt);
	}
	port_timer_due(sw, port_index);
}
