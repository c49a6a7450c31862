/* SPDX-License-Identifier: BSD-3-Clause */
/* PFC (IEEE 802.1Qbb): tell the neighbour that a priority group is in xoff, and keep still when
 * told so.
 *
 * What we say leaves ahead of data as soon as the port is free: xoff with full quanta when a PG
 * goes to xoff, again at half their time while it stays there, xon (bit set, time 0) when it ends.
 * What was never said is not taken back. A zero source address is honoured, a class vector of zero
 * is ignored; both are counted. A pause for a class without PFC is counted, not honoured.
 */
#include "hdr.h"
#include "sw_int.h"

#define PFC_VECTOR_OFF 16
#define PFC_QUANTA_OFF 18

static uint64_t quanta_time(const struct sw_port *port, uint32_t quanta)
{
	uint32_t rem = 0;

	return wire_time(port->wire, (uint64_t)quanta * SW_QUANTUM_BYTES, &rem);
}

/* Priorities that live in a PG and have PFC: what is said speaks of these. */
static uint8_t classes_of(const struct sw *sw, uint8_t pg)
{
	uint8_t classes = 0;

	for (int p = 0; p < SW_PRIOS; p++)
		if (sw->cfg.qos.prio_to_pg[p] == pg)
			classes |= 1u << p;
	return classes & sw->lossless_mask;
}

static void tell(struct sw *sw, uint64_t t_ps, uint16_t port_index, uint8_t classes)
{
	struct sw_port *port = &sw->ports[port_index];

	if (!port->up || classes == 0)
		return;
	if (port->pending_since > t_ps)
		port->pending_since = t_ps;
	port->pfc_pending |= classes;
	port_due(sw, port_index);
}

void pfc_xoff(struct sw *sw, uint64_t t_ps, uint16_t port, uint8_t pg)
{
	uint8_t classes = classes_of(sw, pg);

	sw->ports[port].pgs[pg].xoff = true;
	for (uint32_t mask = classes; mask != 0; mask &= mask - 1)
		sw->ports[port].prio[SW_PRIO_XOFF_EPISODES][__builtin_ctz(mask)]++;
	tell(sw, t_ps, port, classes);
}

void pfc_xon(struct sw *sw, uint64_t t_ps, uint16_t port, uint8_t pg)
{
	sw->ports[port].pgs[pg].xoff = false;
	tell(sw, t_ps, port, classes_of(sw, pg));
}

static uint8_t classes_in_xoff(const struct sw *sw, const struct sw_port *port)
{
	uint8_t classes = 0;

	for (int pg = 0; pg < SW_PRIOS; pg++)
		if (port->pgs[pg].xoff)
			classes |= classes_of(sw, pg);
	return classes;
}

void pfc_refresh(struct sw *sw, uint64_t t_ps, uint16_t port_index)
{
	struct sw_port *port = &sw->ports[port_index];

	port->refresh_at = SW_NEVER;
	tell(sw, t_ps, port_index, classes_in_xoff(sw, port));
}

bool pfc_tx(struct sw *sw, uint64_t t_ps, uint16_t port_index, struct sw_rec *rec)
{
	struct sw_port *port = &sw->ports[port_index];
	uint8_t xoff = classes_in_xoff(sw, port) & port->pfc_pending;
	uint8_t xon = port->pfc_pending & ~xoff & port->pfc_told_xoff;

	port->pfc_pending = 0;
	if ((xoff | xon) == 0)
		return false;
	port->pfc_told_xoff = (port->pfc_told_xoff | xoff) & ~xon;
	*rec = (struct sw_rec){.t_ps = t_ps, .port = port_index, .kind = SW_REC_PFC};
	rec->gen.vid = PKT_NO_VLAN;
	rec->gen.class_vector = xoff | xon;
	for (int i = 0; i < 6; i++)
		rec->gen.src_mac[i] = port->cfg.mac[i];
	for (int p = 0; p < SW_PRIOS; p++) {
		rec->gen.quanta[p] = xoff & (1u << p) ? SW_PFC_QUANTA : 0;
		port->prio[SW_PRIO_PFC_TX][p] += (xoff | xon) >> p & 1;
	}
	if (xoff != 0) {
		uint64_t again = t_ps + quanta_time(port, SW_PFC_QUANTA) / 2;

		if (again < port->refresh_at)
			port->refresh_at = again;
		port_timer_due(sw, port_index);
	}
	return true;
}

uint64_t pfc_until(const struct sw *sw, const struct sw_port *port, int queue)
{
	uint64_t until = 0;

	for (uint32_t mask = sw->queue_classes[queue]; mask != 0; mask &= mask - 1)
		if (port->class_until[__builtin_ctz(mask)] > until)
			until = port->class_until[__builtin_ctz(mask)];
	return until;
}

/* A stormed queue stays as the watchdog has set it. */
static void pause_queues(struct sw *sw, uint64_t t_ps, uint16_t port_index)
{
	struct sw_port *port = &sw->ports[port_index];

	for (int q = 0; q < SW_PRIOS; q++) {
		struct sw_pause *pause = &port->queues[q].pause;
		uint64_t until = pfc_until(sw, port, q);

		if (until < t_ps)
			until = t_ps;
		if ((port->storm_queues >> q & 1) || (until == t_ps && pause->until <= t_ps))
			continue;
		if (pause->until < t_ps)
			port->watch[q].since = t_ps;
		pause_set(pause, t_ps, until);
	}
	if (sw->cfg.qos.watchdog.on)
		watchdog_paused(sw, t_ps, port_index);
}

/* Classes whose pauses this port obeys. */
static uint8_t honoured(const struct sw *sw, const struct sw_port *port)
{
	if (!port->cfg.pfc || sw->lossless_mask == 0)
		return 0;
	return sw->cfg.qos.pfc_asymmetric ? 0xff : sw->lossless_mask;
}

/* Whether an honoured class reaches its queue: a stormed one does not listen. */
static bool acts_on(const struct sw *sw, const struct sw_port *port, int class)
{
	return (port->storm_queues >> sw->cfg.qos.pfc_to_queue[class] & 1) == 0;
}

void pfc_new_peer(struct sw_port *port)
{
	port->pfc_told_xoff = 0;
	port->refresh_at = SW_NEVER;
}

void pfc_reconfigured(struct sw *sw, uint64_t t_ps, uint16_t port_index)
{
	struct sw_port *port = &sw->ports[port_index];

	for (int pg = 0; pg < SW_PRIOS; pg++)
		port->pgs[pg].xoff &= port->pgs[pg].lossless;
	tell(sw, t_ps, port_index, port->pfc_told_xoff ^ classes_in_xoff(sw, port));
	/* At a higher rate the quanta told before end before the refresh that was planned. */
	if (port->refresh_at != SW_NEVER &&
	    port->refresh_at > t_ps + quanta_time(port, SW_PFC_QUANTA) / 2)
		pfc_refresh(sw, t_ps, port_index);
	for (int p = 0; p < SW_PRIOS; p++)
		if ((honoured(sw, port) >> p & 1) == 0)
			port->class_until[p] = 0;
	pause_queues(sw, t_ps, port_index);
}

void pfc_rx(struct sw *sw, uint64_t t_ps, const struct pkt *pkt)
{
	struct sw_port *port = &sw->ports[pkt->in_port];
	uint8_t vector = (uint8_t)be16(pkt->data + PFC_VECTOR_OFF); /* low byte: classes */
	uint8_t honour = honoured(sw, port);

	if (vector == 0) {
		port->counters[SW_PORT_PFC_ZERO_VECTOR]++;
		return;
	}
	for (uint32_t mask = vector; mask != 0; mask &= mask - 1) {
		int p = __builtin_ctz(mask);

		port->prio[SW_PRIO_PFC_RX][p]++;
		if ((honour >> p & 1) == 0)
			continue;
		port->prio[SW_PRIO_PFC_RX_HONOURED][p] += acts_on(sw, port, p);
		port->class_until[p] =
			t_ps + quanta_time(port, be16(pkt->data + PFC_QUANTA_OFF + 2 * p));
	}
	pause_queues(sw, t_ps, pkt->in_port);
	port_due(sw, pkt->in_port);
}
