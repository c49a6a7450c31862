/* SPDX-License-Identifier: BSD-3-Clause */
/* Advance: goes through what is due, in time order: at one time timers first, then (after control
 * and arrivals, which the driver brings) departures, each by port number. */
#include "sw_int.h"

#include <assert.h>

static bool full(const struct sw_out *out)
{
	return out->n == out->cap;
}

static void occupy(struct sw_port *port, uint64_t t_ps, uint32_t len)
{
	port->free_at = t_ps + wire_time(port->wire, frame_bytes(len) + port->cfg.overhead_bytes,
					 &port->rem);
}

static void send_pfc(struct sw *sw, uint64_t t_ps, uint16_t index, struct sw_out *out)
{
	struct sw_port *port = &sw->ports[index];
	struct sw_rec *rec = &out->recs[out->n];

	if (!pfc_tx(sw, t_ps, index, rec))
		return;
	occupy(port, t_ps, SW_PFC_BYTES);
	if (sw->cfg.digest)
		digest_gen(sw, rec, -1);
	if (port->cfg.edge)
		edge_pfc(sw, t_ps, index,
			 &rec->gen); /* the emulated NIC hears it, not the device */
	else
		out->n++;
}

static void send_gen(struct sw *sw, uint64_t t_ps, uint16_t index, struct sw_out *out)
{
	struct sw_port *port = &sw->ports[index];
	const struct sw_gen_item *item = &port->gens[port->gen_head++ % SW_GEN_RING];
	struct sw_rec *rec = &out->recs[out->n++];
	uint8_t bytes[SW_GEN_MAX];
	uint16_t len;

	*rec = (struct sw_rec){.t_ps = t_ps, .port = index, .kind = item->kind, .gen = item->gen};
	len = sw_gen_bytes(rec, bytes);
	sw->generated++;
	sw->tx++;
	port->counters[SW_PORT_GENERATED]++;
	port->counters[SW_PORT_TX_PACKETS]++;
	port->counters[SW_PORT_TX_BYTES] += len;
	occupy(port, t_ps, len);
	if (sw->cfg.digest)
		digest_gen(sw, rec, -1);
}

/* A mark counts when it leaves, so that the counter is what one sees on the wire: a frame marked at
 * enqueue may still find no buffer, or be flushed with its link. */
static void count_sent(struct sw_port *port, uint64_t t_ps, const struct pkt *pkt)
{
	struct sw_latency *latency = port->queues[pkt->queue].latency;
	uint64_t *queue = port->queues[pkt->queue].counters;

	port->counters[SW_PORT_TX_PACKETS]++;
	port->counters[SW_PORT_TX_BYTES] += pkt->len;
	queue[SW_QUEUE_TX_PACKETS]++;
	queue[SW_QUEUE_TX_BYTES] += pkt->len;
	if (pkt->ecn == 3)
		queue[SW_QUEUE_CE_IN]++;
	if (pkt->edit & PKT_EDIT_CE) {
		queue[SW_QUEUE_ECN_MARKED]++;
		queue[SW_QUEUE_ECN_MARKED_BYTES] += pkt->len;
	}
	if (latency != NULL)
		latency->buckets[latency_bucket(t_ps - pkt->t_ps)]++;
}

static void send_data(struct sw *sw, uint64_t t_ps, uint16_t index, struct sw_out *out)
{
	struct sw_port *port = &sw->ports[index];
	struct pkt *pkt = sw->pipeline->tx(sw, t_ps, port);
	struct sw_rec *rec;

	if (pkt == NULL)
		return;
	sw->held--;
	sw->tx++;
	count_sent(port, t_ps, pkt);
	if (pkt->edit != 0)
		rewrite(pkt, sw->cfg.router_mac);
	occupy(port, t_ps, pkt->len);
	if (sw->cfg.digest)
		digest_pkt(sw, index, t_ps, DIGEST_TX, pkt, -1);
	rec = &out->recs[out->n++]; /* gen is not for frames: its bytes stay as they are */
	rec->t_ps = t_ps;
	rec->port = index;
	rec->kind = SW_REC_FRAME;
	rec->pkt = pkt;
}

/* What the switch itself has to say: PFC first. */
SW_ASIDE static void send_own(struct sw *sw, uint64_t t_ps, uint16_t index, struct sw_out *out)
{
	struct sw_port *port = &sw->ports[index];

	if (port->pfc_pending != 0)
		send_pfc(sw, t_ps, index, out);
	else
		send_gen(sw, t_ps, index, out);
	if (port->pfc_pending == 0 && port->gen_head == port->gen_tail)
		port->pending_since = SW_NEVER;
}

/* True: timers may have changed. A data frame changes none. */
static bool depart(struct sw *sw, uint64_t t_ps, uint16_t index, struct sw_out *out)
{
	bool own = sw->ports[index].pending_since <= t_ps;

	if (own)
		send_own(sw, t_ps, index, out);
	else
		send_data(sw, t_ps, index, out);
	port_due(sw, index);
	return own;
}

__attribute__((noinline)) static void run_timer(struct sw *sw, uint64_t t_ps)
{
	if (due_first(&sw->timers) == t_ps) {
		uint16_t index = due_first_index(&sw->timers);

		if (sw->ports[index].watch_at <= t_ps)
			watchdog_poll(sw, t_ps, index);
		if (sw->ports[index].refresh_at <= t_ps)
			pfc_refresh(sw, t_ps, index);
		if (sw->ports[index].cfg.edge)
			edge_timer(sw, t_ps, index);
		port_timer_due(sw, index);
		return;
	}
	neigh_timer(sw, t_ps);
}

static uint64_t first_timer(const struct sw *sw)
{
	uint64_t ports = due_first(&sw->timers), neigh = neigh_next(sw);

	return ports < neigh ? ports : neigh;
}

SW_STRAIGHT enum sw_state sw_advance(struct sw *sw, uint64_t t_ps, struct sw_out *out)
{
	uint64_t timer = first_timer(sw), departure;

	assert(t_ps >= sw->now);
	sw->now = t_ps;
	out->n = 0;
	for (;;) {
		while ((departure = due_first(&sw->departures)) < t_ps && departure < timer) {
			if (full(out))
				return SW_MORE;
			if (depart(sw, departure, due_first_index(&sw->departures), out))
				timer = first_timer(sw);
		}
		if (timer > t_ps)
			break;
		run_timer(sw, timer);
		timer = first_timer(sw);
	}
	sw->done_ps = t_ps;
	return SW_DONE;
}

uint64_t sw_next(const struct sw *sw)
{
	uint64_t timer = first_timer(sw), departure = due_first(&sw->departures);

	return timer < departure ? timer : departure;
}
