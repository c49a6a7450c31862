/* SPDX-License-Identifier: BSD-3-Clause */
/* Ports in a checkpoint: all that changes while a switch runs, and the frames that wait. A frame is its
 * bytes, what stages decided and when it came; the rest is parsed again. What the buffer counts is
 * added up again from the frames. */
#include "checkpoint.h"
#include "hdr.h"

#include <string.h>

/* A new field of these structs belongs into the function that bears its name (or is worked out again in
 * ck_settle), and SW_CHECKPOINT_VERSION goes up; then the size here may follow. The lists of list.h are
 * left out of the sizes: they take care of themselves. */
#define LISTS(n) ((n) * sizeof(uint64_t))
_Static_assert(sizeof(struct pkt) == 64, "see above");
_Static_assert(sizeof(struct sw_pause) == 24, "see above");
_Static_assert(sizeof(struct sw_pg) == 64, "see above");
_Static_assert(sizeof(struct sw_gen) == 70, "see above");
_Static_assert(sizeof(struct sw_edge) == 472, "see above");
_Static_assert(sizeof(struct sw_watch) - LISTS(2 * SW_WATCHDOG_COUNTERS) == 48, "see above");

#define LEAST_HEADERS 128 /* all that is read of a frame, chains of IPv6 apart */

/* ---- frames ---- */

/* Headers are read as far as len allows: what is not there must be nothing that anybody reads. Only
 * IPv6 may go on and on, with extension headers or the options of neighbour discovery. */
static bool has_headers(const uint8_t *bytes, uint32_t have, uint32_t len)
{
	const uint8_t *type = bytes + ETH_TYPE;

	if (have == len || have < LEAST_HEADERS || have > len)
		return have == len;
	if (be16(type) == ETHERTYPE_TAG)
		type += HDR_TAG;
	return be16(type) != ETHERTYPE_IPV6 || type[2 + IPV6_NEXT] == PROTO_UDP ||
	       type[2 + IPV6_NEXT] == PROTO_TCP;
}

static void decisions(struct ck *ck, struct pkt *pkt)
{
	bool generated = pkt->flags & PKT_F_GENERATED;

	ck_u64(ck, &pkt->t_ps);
	ck_u16(ck, &pkt->in_port);
	ck_u16(ck, &pkt->out_port);
	ck_u16(ck, &pkt->domain);
	ck_u8(ck, &pkt->edit);
	ck_u8(ck, &pkt->prio);
	ck_u8(ck, &pkt->pg);
	ck_u8(ck, &pkt->queue);
	ck_bytes(ck, pkt->dmac, sizeof(pkt->dmac));
	ck_bool(ck, &generated);
	if (ck_reading(ck))
		pkt->flags = generated ? PKT_F_GENERATED : 0;
}

static bool edit_fits(const struct pkt *pkt)
{
	bool ip = pkt->flags & (PKT_F_V4 | PKT_F_V6);

	if (pkt->edit >> 3 != 0 || (pkt->edit != 0 && !ip))
		return false;
	return !(pkt->edit & PKT_EDIT_ECHO) ||
	       (pkt->kind == PKT_ICMP && (pkt->flags & PKT_F_L4) != 0);
}

static bool decisions_fit(const struct sw *sw, const struct pkt *pkt)
{
	return pkt->t_ps <= sw->now && pkt->in_port < sw->n_ports &&
	       (pkt->out_port < sw->n_ports || pkt->out_port == PKT_NO_PORT) &&
	       pkt->prio < SW_PRIOS && pkt->pg < SW_PRIOS && pkt->queue < SW_PRIOS;
}

/* Everything else about a frame is in its bytes. */
static void parse_again(struct ck *ck, struct sw *sw, struct pkt *pkt, const struct pkt *was)
{
	sw_parse(sw, was->in_port, &pkt, 1);
	pkt->t_ps = was->t_ps;
	pkt->out_port = was->out_port;
	pkt->domain = was->domain;
	pkt->edit = was->edit;
	pkt->prio = was->prio;
	pkt->pg = was->pg;
	pkt->queue = was->queue;
	memcpy(pkt->dmac, was->dmac, sizeof(pkt->dmac));
	pkt->flags |= was->flags;
	ck_check(ck,
		 pkt->kind != PKT_RUNT && pkt->kind != PKT_PFC && pkt->kind != PKT_PAUSE &&
			 pkt->kind != PKT_MAC_CTL && edit_fits(pkt),
		 "a frame that no switch keeps");
}

struct pkt *ck_read_frame(struct ck *ck, struct sw *sw)
{
	struct pkt was = {.next = NULL}, *pkt = NULL;
	uint32_t have = 0;

	ck_u16(ck, &was.len);
	ck_u32(ck, &have);
	decisions(ck, &was);
	if (!ck_check(ck, decisions_fit(sw, &was), "a frame of no port") || !ck_room(ck, have, 1) ||
	    !ck_check(ck, has_headers(ck->at, have, was.len), "a frame without its headers"))
		return NULL;
	if (sw->env.alloc != NULL)
		pkt = sw->env.alloc(sw->env.ctx, was.len, have);
	ck->no_memory = pkt == NULL;
	if (pkt == NULL)
		return NULL;
	pkt->len = was.len;
	ck_bytes(ck, pkt->data, have);
	parse_again(ck, sw, pkt, &was);
	sw->held++;
	return pkt;
}

void ck_write_frame(struct ck *ck, const struct sw *sw, struct pkt *pkt)
{
	uint32_t have = sw->env.have == NULL ? pkt->len : sw->env.have(sw->env.ctx, pkt);

	ck_u16(ck, &pkt->len);
	ck_u32(ck, &have);
	decisions(ck, pkt);
	ck_bytes(ck, pkt->data, have);
}

/* A FIFO: how many, then each, the first first. */
static void write_frames(struct ck *ck, const struct sw *sw, struct pkt *head)
{
	uint32_t n = 0;

	for (struct pkt *pkt = head; pkt != NULL; pkt = pkt->next)
		n++;
	ck_u32(ck, &n);
	for (struct pkt *pkt = head; pkt != NULL; pkt = pkt->next)
		ck_write_frame(ck, sw, pkt);
}

static void read_frames(struct ck *ck, struct sw *sw, struct pkt **head, struct pkt **last)
{
	struct pkt *pkt;
	uint32_t n = 0;

	ck_u32(ck, &n);
	while (n-- > 0 && (pkt = ck_read_frame(ck, sw)) != NULL) {
		pkt->next = NULL;
		if (*head == NULL)
			*head = pkt;
		else
			(*last)->next = pkt;
		*last = pkt;
	}
}

static void frames(struct ck *ck, struct sw *sw, struct pkt **head, struct pkt **last)
{
	if (ck_reading(ck))
		read_frames(ck, sw, head, last);
	else
		write_frames(ck, sw, *head);
}

/* ---- a port ---- */

static void pause(struct ck *ck, struct sw_pause *p)
{
	ck_u64(ck, &p->from);
	ck_u64(ck, &p->until);
	ck_u64(ck, &p->total_ps);
}

static void queue(struct ck *ck, struct sw *sw, struct sw_queue *q)
{
	pause(ck, &q->pause);
	ck_u64(ck, &q->rng);
	ck_u64(ck, &q->drop_rng);
	ck_u32(ck, &q->deficit_bytes);
	ck_u64(ck, &q->max_cells);
	ck_u64s(ck, q->counters, SW_QUEUE_COUNTERS);
	frames(ck, sw, &q->head, &q->last);
}

static void pg(struct ck *ck, struct sw_pg *g)
{
	ck_u64(ck, &g->headroom);
	ck_u64(ck, &g->max_shared);
	ck_u64(ck, &g->max_headroom);
	ck_u64(ck, &g->dropped);
	ck_bool(ck, &g->xoff);
}

static void sending(struct ck *ck, struct sw *sw, struct sw_edge *e)
{
	bool busy = e->sending != NULL;

	ck_bool(ck, &busy);
	ck_u64(ck, &e->sent_at);
	if (!busy)
		return;
	if (ck_reading(ck))
		e->sending = ck_read_frame(ck, sw);
	else if (e->sending != NULL)
		ck_write_frame(ck, sw, e->sending);
}

static void edge(struct ck *ck, struct sw *sw, struct sw_edge *e)
{
	ck_u64(ck, &e->max_bytes);
	ck_u32(ck, &e->rem);
	ck_u8(ck, &e->next_prio);
	ck_u64(ck, &e->pfc_at);
	ck_u8(ck, &e->pfc_vector);
	for (int p = 0; p < SW_PRIOS; p++) {
		ck_u16(ck, &e->pfc_quanta[p]);
		pause(ck, &e->pause[p]);
		frames(ck, sw, &e->head[p], &e->last[p]);
	}
	sending(ck, sw, e);
	ck_check(ck, e->next_prio < SW_PRIOS, "a priority beyond the last");
}

static void watch(struct ck *ck, struct sw_watch *w)
{
	ck_u64(ck, &w->since);
	ck_u64s(ck, w->counters, SW_WATCHDOG_COUNTERS);
	ck_u64s(ck, w->before, SW_WATCHDOG_COUNTERS);
	ck_u64(ck, &w->tx_before);
	ck_u64(ck, &w->detected_ps);
	ck_u64(ck, &w->restored_ps);
	ck_u64(ck, &w->detect_took_ps);
	ck_u64(ck, &w->restore_took_ps);
}

static void gen(struct ck *ck, struct sw_gen_item *item)
{
	struct sw_gen *g = &item->gen;

	ck_u8(ck, &item->kind);
	ck_check(ck, item->kind > SW_REC_PFC && item->kind <= SW_REC_NA,
		 "a frame of the switch's own that is none");
	ck_u16(ck, &g->vid);
	ck_u8(ck, &g->pcp);
	ck_bytes(ck, g->dst_mac, sizeof(g->dst_mac));
	ck_bytes(ck, g->src_mac, sizeof(g->src_mac));
	ck_bytes(ck, g->dst_ip, sizeof(g->dst_ip));
	ck_bytes(ck, g->src_ip, sizeof(g->src_ip));
	ck_bytes(ck, g->target_mac, sizeof(g->target_mac));
	ck_u8(ck, &g->class_vector);
	for (int p = 0; p < SW_PRIOS; p++)
		ck_u16(ck, &g->quanta[p]);
}

static void gens(struct ck *ck, struct sw_port *port)
{
	uint32_t n = port->gen_tail - port->gen_head;

	ck_u32(ck, &n);
	if (!ck_check(ck, n <= SW_GEN_RING, "more of the switch's own than there is room for"))
		return;
	if (ck_reading(ck))
		port->gen_tail = port->gen_head + n;
	for (uint32_t i = 0; i < n; i++)
		gen(ck, &port->gens[(port->gen_head + i) % SW_GEN_RING]);
}

void ck_port(struct ck *ck, struct sw *sw, uint16_t index)
{
	struct sw_port *port = &sw->ports[index];

	ck_u32(ck, &port->rem);
	ck_bool(ck, &port->up);
	ck_bool(ck, &port->held);
	ck_u8(ck, &port->storm_queues);
	ck_u64(ck, &port->free_at);
	ck_u8(ck, &port->dwrr_at);
	ck_bool(ck, &port->dwrr_fresh);
	ck_u8(ck, &port->pfc_pending);
	ck_u8(ck, &port->pfc_told_xoff);
	ck_u64(ck, &port->pending_since);
	ck_u64(ck, &port->refresh_at);
	ck_u64s(ck, port->class_until, SW_PRIOS);
	gens(ck, port);
	for (int i = 0; i < SW_PRIOS && ck_check(ck, true, ""); i++) {
		queue(ck, sw, &port->queues[i]);
		pg(ck, &port->pgs[i]);
		watch(ck, &port->watch[i]);
	}
	edge(ck, sw, &port->edge);
	ck_u64(ck, &port->watch_at);
	ck_u64s(ck, port->counters, SW_PORT_COUNTERS);
	ck_u64s(ck, port->drops, SW_DROPS);
	ck_u64s(ck, port->prio[0], (size_t)SW_PRIO_COUNTERS * SW_PRIOS);
	ck_u64(ck, &port->digest);
	ck_check(ck, port->dwrr_at < SW_PRIOS, "a queue beyond the last");
}

/* Few buckets are in use: each with its number, and one beyond the last ends the queue. */
static void histogram(struct ck *ck, struct sw_latency *l)
{
	uint8_t next = 0;

	for (;;) {
		while (!ck_reading(ck) && next < SW_LATENCY_BUCKETS && l->buckets[next] == 0)
			next++;
		ck_u8(ck, &next);
		if (!ck_check(ck, next <= SW_LATENCY_BUCKETS, "a bucket beyond the last") ||
		    next == SW_LATENCY_BUCKETS)
			return;
		ck_u64(ck, &l->buckets[next++]);
	}
}

void ck_latency(struct ck *ck, struct sw *sw)
{
	for (uint32_t i = 0; sw->latency != NULL && i < sw->n_ports * SW_PRIOS; i++)
		if (ck_check(ck, true, ""))
			histogram(ck, &sw->latency[i]);
}

/* ---- what follows ---- */

/* Frames of a queue: their sums, and what they take of whose PG. */
static void settle_queue(struct ck *ck, struct sw *sw, uint16_t port_index, uint8_t index)
{
	struct sw_port *port = &sw->ports[port_index];
	struct sw_queue *queue = &port->queues[index];

	for (struct pkt *pkt = queue->head; pkt != NULL; pkt = pkt->next) {
		ck_check(ck, pkt->out_port == port_index && pkt->queue == index,
			 "a frame in another's queue");
		pkt->cells = cells_of(sw, pkt->len);
		queue->packets++;
		queue->bytes += frame_bytes(pkt->len);
		queue->cells += pkt->cells;
		sw->ports[pkt->in_port].pgs[pkt->pg].ingress += pkt->cells;
	}
	sw->used += queue->cells;
	port->active |= (uint8_t)((queue->head != NULL) << index);
}

static void settle_edge(struct ck *ck, struct sw_port *port)
{
	struct sw_edge *e = &port->edge;

	for (int p = 0; p < SW_PRIOS; p++)
		for (struct pkt *pkt = e->head[p]; pkt != NULL; pkt = pkt->next) {
			ck_check(ck, pkt->prio == p, "a frame in another's FIFO");
			e->bytes[p] += pkt->len;
			e->all_bytes += pkt->len;
			e->packets++;
		}
	if (e->sending != NULL) {
		e->all_bytes += e->sending->len;
		e->packets++;
	}
	ck_check(ck, e->packets == 0 || port->cfg.edge, "frames in an edge that is off");
}

static void settle_pgs(struct ck *ck, struct sw *sw, struct sw_port *port)
{
	for (int i = 0; i < SW_PRIOS; i++) {
		struct sw_pg *pg = &port->pgs[i];

		if (!ck_check(ck, pg->headroom <= pg->ingress, "headroom without frames"))
			return;
		pg->ingress -= pg->headroom;
		sw->headroom_used += pg->headroom;
		if (pg->ingress > pg->reserved_size)
			sw->shared_used += pg->ingress - pg->reserved_size;
	}
}

static uint64_t in_order(const struct sw *sw)
{
	uint64_t timer = due_first(&sw->timers), neigh = neigh_next(sw);

	return timer < neigh ? timer : neigh;
}

void ck_settle(struct ck *ck, struct sw *sw)
{
	for (uint16_t i = 0; i < sw->n_ports; i++) {
		for (uint8_t q = 0; q < SW_PRIOS; q++)
			settle_queue(ck, sw, i, q);
		settle_edge(ck, &sw->ports[i]);
	}
	for (uint16_t i = 0; i < sw->n_ports; i++) {
		settle_pgs(ck, sw, &sw->ports[i]);
		ck_check(ck, watchdog_restored(sw, i), "a storm that nobody watches");
		port_due(sw, i);
		port_timer_due(sw, i);
	}
	ck_check(ck, due_first(&sw->departures) >= sw->now && in_order(sw) > sw->now,
		 "something that should have happened before");
	ck_check(ck, sw->watch_on <= sw->now && sw->watch_from <= sw->now,
		 "a watchdog of the future");
	ck_check(ck,
		 sw->rx + sw->generated + sw->copied ==
			 sw->tx + sw->consumed + sw->dropped + sw->held,
		 "accounts that do not close");
}
