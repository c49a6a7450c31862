/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames from the devices and cables into the arrival FIFOs, stamped and parsed. */
#include "frame.h"
#include "rt_int.h"

#include <rte_ethdev.h>

static uint64_t stamp_of(const struct rt *rt, struct rte_mbuf *frame, uint64_t now_ps)
{
	if ((frame->ol_flags & rt->stamp_flag) == 0)
		return now_ps;
	return *rt_frame_stamp(frame, rt->stamp_offset);
}

/* The frames of one burst that can be used, as descriptors; stamps[i] is what they carried. */
static uint32_t take_in(struct rt_port *port, struct rte_mbuf **frames, uint32_t n, uint64_t now_ps,
			struct pkt **pkts, uint64_t *stamps)
{
	bool timed = port->carries_time, foreign = port->foreign;
	uint32_t i, used = 0;

	for (i = 0; i < n; i++) {
		struct pkt *pkt = NULL;

		if (timed)
			stamps[used] = stamp_of(port->sw->rt, frames[i], now_ps);
		if (!foreign || rt_frame_has_pkt(frames[i]))
			pkt = rt_frame_in(frames[i]);
		if (pkt != NULL) {
			pkts[used++] = pkt;
			continue;
		}
		rte_pktmbuf_free(frames[i]);
		port->unusable++;
	}
	return used;
}

static uint32_t receive_device(struct rt_port *port, uint16_t burst, uint64_t now_ps)
{
	struct rte_mbuf *frames[RT_BURST_MAX];
	struct pkt *pkts[RT_BURST_MAX];
	uint64_t stamps[RT_BURST_MAX];
	uint32_t n, used, i;

	n = rte_eth_rx_burst(port->device.id, 0, frames, burst);
	if (n == 0)
		return 0;
	used = take_in(port, frames, n, now_ps, pkts, stamps);
	sw_parse(port->sw->sw, port->index, pkts, used);
	if (!port->carries_time)
		rt_arrivals_put_polled(&port->arrivals, pkts, used, now_ps, port->smooth);
	else
		for (i = 0; i < used; i++)
			rt_arrivals_put_stamped(&port->arrivals, pkts[i], stamps[i]);
	return n;
}

static uint32_t receive_cable(struct rt_port *port, uint16_t burst)
{
	struct rte_mbuf *frames[RT_BURST_MAX];
	struct pkt *pkts[RT_BURST_MAX];
	uint64_t stamps[RT_BURST_MAX];
	uint32_t n, i;

	n = rte_ring_sc_dequeue_burst(port->in->ring, (void **)frames, burst, NULL);
	for (i = 0; i < n; i++) {
		stamps[i] = rt_pkt(frames[i])->t_ps; /* parsing may overwrite the descriptor */
		pkts[i] = rt_frame_in(frames[i]);
	}
	sw_parse(port->sw->sw, port->index, pkts, n);
	for (i = 0; i < n; i++)
		rt_arrivals_put_stamped(&port->arrivals, pkts[i], stamps[i]);
	return n;
}

/* A port whose FIFO is full may hold back frames with the last stamp seen, or later: only what is
 * earlier is known whole. A FIFO full of one stamp would never move, so it counts as whole. */
static uint64_t full_horizon(const struct rt_arrivals *a)
{
	return rt_arrivals_next(a) == a->last_ps ? a->last_ps + 1 : a->last_ps;
}

/* Frames with their own time are taken until there are no more, so that neither the cadence of
 * polling nor the cut of bursts changes what the switch sees; others once a turn. */
static uint64_t poll_port(struct rt_port *port, uint64_t now_ps, uint32_t *got)
{
	uint16_t burst = port->sw->rt->burst;
	bool cable = port->kind == RT_PORT_CABLE, timed = cable || port->carries_time;
	uint64_t horizon = cable ? rt_cable_horizon(port->in) : SW_NEVER;
	uint32_t n;

	do {
		if (port->arrivals.tail - port->arrivals.head + burst > port->fifo) {
			uint64_t full = full_horizon(&port->arrivals);

			return timed && full < horizon ? full : horizon;
		}
		n = cable ? receive_cable(port, burst) : receive_device(port, burst, now_ps);
		*got += n;
	} while (timed && n == burst);
	return horizon;
}

uint64_t rt_poll_ports(struct rt_switch *s, uint64_t now_ps, uint32_t *got)
{
	uint64_t horizon = SW_NEVER, h;
	uint16_t i;

	*got = 0;
	for (i = 0; i < s->n_active; i++) {
		struct rt_arrivals *a = &s->active[i]->arrivals;

		/* What comes now cannot have arrived before what the switch has seen already. */
		if (a->last_ps < s->t_ps && s->active[i]->carries_time)
			a->last_ps = s->t_ps;
		h = s->active[i]->offline ? SW_NEVER : poll_port(s->active[i], now_ps, got);
		if (h < horizon)
			horizon = h;
		s->merge.next_ps[i] = rt_arrivals_next(a);
	}
	s->frames += *got;
	return horizon;
}
