/* SPDX-License-Identifier: BSD-3-Clause */
/* Watchdog: a peer whose pauses do not end (a broken NIC, a deadlock) must not stop the fabric. A
 * lossless egress queue that received PFC keeps shut without a gap for more than `detect` is
 * stormed: its pauses are ignored. Action drop loses what waits in it, what comes for it, and what
 * its port sends in the same priority group, before any of it takes buffer: nobody is paused on its
 * account. Action forward lets everything pass. It is restored when no pause has been in force for
 * more than `restore`. Pauses with gaps are throttling, however long they go on.
 *
 * Looked at every `poll` from the moment it was switched on. A look at t comes before what happens at
 * t, so what began at b is older than d from the first look after b + d: seen after d, and by
 * d + poll. A port where nothing is paused is not looked at; it would see nothing.
 */
#include "sw_int.h"

static uint8_t watched(const struct sw *sw, const struct sw_port *port)
{
	uint8_t queues = 0;

	if (!sw->cfg.qos.watchdog.on || !port->cfg.pfc || !port->up)
		return 0;
	for (int q = 0; q < SW_PRIOS; q++)
		queues |= ((sw->queue_classes[q] & sw->lossless_mask) != 0) << q;
	return queues;
}

/* The PGs in which the traffic of these queues comes in. */
static uint8_t pgs_of(const struct sw *sw, uint8_t queues)
{
	uint8_t pgs = 0;

	for (uint32_t mask = sw->lossless_mask; mask != 0; mask &= mask - 1) {
		int p = __builtin_ctz(mask);

		if (queues >> sw->cfg.qos.prio_to_queue[p] & 1)
			pgs |= 1u << sw->cfg.qos.prio_to_pg[p];
	}
	return pgs;
}

static void set_stormed(struct sw *sw, struct sw_port *port, uint8_t queues)
{
	sw->storms += (uint32_t)__builtin_popcount(queues);
	sw->storms -= (uint32_t)__builtin_popcount(port->storm_queues);
	port->storm_queues = queues;
	port->storm_pgs = pgs_of(sw, queues);
}

static void lose(struct sw *sw, uint64_t t_ps, uint16_t port_index, int q)
{
	struct sw_port *port = &sw->ports[port_index];

	while (port->queues[q].head != NULL) {
		struct pkt *pkt = queue_pop(port, &port->queues[q]);

		admit_release(sw, t_ps, pkt);
		port->watch[q].counters[SW_WATCHDOG_TX_DROP]++;
		sw_drop(sw, t_ps, pkt, SW_DROP_WATCHDOG, port_index);
	}
}

static void detect(struct sw *sw, uint64_t t_ps, uint16_t port_index, int q, uint64_t took_ps)
{
	struct sw_port *port = &sw->ports[port_index];
	struct sw_watch *watch = &port->watch[q];

	for (int c = 0; c < SW_WATCHDOG_COUNTERS; c++)
		watch->before[c] = watch->counters[c];
	watch->counters[SW_WATCHDOG_STORM_DETECTED]++;
	watch->tx_before = port->queues[q].counters[SW_QUEUE_TX_PACKETS];
	watch->detected_ps = t_ps;
	watch->detect_took_ps = took_ps;
	set_stormed(sw, port, port->storm_queues | (uint8_t)(1u << q));
	if (sw->cfg.digest)
		digest_event(sw, port_index, t_ps, SW_EVENT_STORM);
	pause_set(&port->queues[q].pause, t_ps, t_ps);
	if (!sw->cfg.qos.watchdog.forward)
		lose(sw, t_ps, port_index, q);
	port_due(sw, port_index);
}

static uint64_t sent_in_storm(const struct sw_port *port, int q)
{
	bool stormed = port->storm_queues >> q & 1;
	uint64_t sent = port->queues[q].counters[SW_QUEUE_TX_PACKETS];

	return stormed ? sent - port->watch[q].tx_before : 0;
}

static void restore(struct sw *sw, uint64_t t_ps, uint16_t port_index, int q, uint64_t took_ps)
{
	struct sw_port *port = &sw->ports[port_index];
	struct sw_watch *watch = &port->watch[q];

	watch->counters[SW_WATCHDOG_TX_OK] += sent_in_storm(port, q);
	watch->counters[SW_WATCHDOG_STORM_RESTORED]++;
	watch->restored_ps = t_ps;
	watch->restore_took_ps = took_ps;
	set_stormed(sw, port, port->storm_queues & (uint8_t) ~(1u << q));
}

/* When the pause that counts began. What waits while the queue is shut came in order: the head has
 * waited longest. */
static uint64_t began(const struct sw *sw, const struct sw_port *port, int q)
{
	const struct sw_queue *queue = &port->queues[q];
	uint64_t since = port->watch[q].since;

	if (since < sw->watch_on)
		since = sw->watch_on;
	if (!sw->cfg.qos.watchdog.idle_counts && queue->head->t_ps > since)
		since = queue->head->t_ps;
	return since;
}

static bool counts(const struct sw *sw, const struct sw_queue *queue, uint64_t t_ps)
{
	return queue->pause.until >= t_ps &&
	       (sw->cfg.qos.watchdog.idle_counts || queue->head != NULL);
}

static void look(struct sw *sw, uint64_t t_ps, uint16_t port_index, int q)
{
	struct sw_port *port = &sw->ports[port_index];
	const struct sw_watchdog *cfg = &sw->cfg.qos.watchdog;

	if (port->storm_queues >> q & 1) {
		uint64_t ended = pfc_until(sw, port, q);

		if (t_ps > ended + cfg->restore_ps)
			restore(sw, t_ps, port_index, q, t_ps - ended);
	} else if (counts(sw, &port->queues[q], t_ps)) {
		uint64_t since = began(sw, port, q);

		if (t_ps > since + cfg->detect_ps)
			detect(sw, t_ps, port_index, q, t_ps - since);
	}
}

/* The next look is the first one after t, if there is anything to see. */
static void plan(struct sw *sw, uint64_t t_ps, struct sw_port *port)
{
	uint64_t poll = sw->cfg.qos.watchdog.poll_ps;
	uint8_t queues = watched(sw, port), to_see = port->storm_queues;

	for (uint32_t mask = queues; mask != 0; mask &= mask - 1) {
		int q = __builtin_ctz(mask);

		to_see |= (port->queues[q].pause.until > t_ps) << q;
	}
	port->watch_at = SW_NEVER;
	if ((to_see & queues) != 0)
		port->watch_at = sw->watch_from + ((t_ps - sw->watch_from) / poll + 1) * poll;
}

void watchdog_paused(struct sw *sw, uint64_t t_ps, uint16_t port_index)
{
	if (sw->ports[port_index].watch_at != SW_NEVER)
		return;
	plan(sw, t_ps, &sw->ports[port_index]);
	port_timer_due(sw, port_index);
}

void watchdog_poll(struct sw *sw, uint64_t t_ps, uint16_t port_index)
{
	struct sw_port *port = &sw->ports[port_index];

	for (uint32_t mask = watched(sw, port); mask != 0; mask &= mask - 1)
		look(sw, t_ps, port_index, __builtin_ctz(mask));
	plan(sw, t_ps, port);
}

void watchdog_settle(struct sw *sw, uint64_t t_ps, uint16_t port_index)
{
	struct sw_port *port = &sw->ports[port_index];
	uint8_t gone = port->storm_queues & (uint8_t)~watched(sw, port);

	for (uint32_t mask = gone; mask != 0; mask &= mask - 1)
		restore(sw, t_ps, port_index, __builtin_ctz(mask), 0);
	set_stormed(sw, port, port->storm_queues);
	for (uint32_t mask = port->storm_queues; mask != 0; mask &= mask - 1)
		if (!sw->cfg.qos.watchdog.forward)
			lose(sw, t_ps, port_index, __builtin_ctz(mask));
	plan(sw, t_ps, port);
}

void watchdog_reconfigured(struct sw *sw, uint64_t t_ps, const struct sw_watchdog *old)
{
	const struct sw_watchdog *now = &sw->cfg.qos.watchdog;

	if (now->on && !old->on)
		sw->watch_on = t_ps;
	if (now->on && (!old->on || now->poll_ps != old->poll_ps))
		sw->watch_from = t_ps;
	for (uint16_t i = 0; i < sw->n_ports; i++)
		watchdog_settle(sw, t_ps, i);
}

/* The stormed queue that a frame from the port belongs to: its own, or the one that shares its PG. */
static struct sw_watch *watch_of(const struct sw *sw, struct sw_port *port, const struct pkt *pkt)
{
	uint32_t mask = port->storm_queues;

	if (mask >> pkt->queue & 1)
		return &port->watch[pkt->queue];
	while ((mask & (mask - 1)) != 0 &&
	       (pgs_of(sw, (uint8_t)(mask & -mask)) >> pkt->pg & 1) == 0)
		mask &= mask - 1;
	return &port->watch[__builtin_ctz(mask)];
}

bool watchdog_storm_rx(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	struct sw_port *port = &sw->ports[pkt->in_port];
	struct sw_watch *watch;

	if ((port->storm_pgs >> pkt->pg & 1) == 0)
		return true;
	watch = watch_of(sw, port, pkt);
	if (sw->cfg.qos.watchdog.forward) {
		watch->counters[SW_WATCHDOG_RX_OK]++;
		return true;
	}
	watch->counters[SW_WATCHDOG_RX_DROP]++;
	sw_drop(sw, t_ps, pkt, SW_DROP_WATCHDOG, pkt->in_port);
	return false;
}

bool watchdog_storm_tx(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	if ((sw->ports[pkt->out_port].storm_queues >> pkt->queue & 1) == 0)
		return true;
	if (sw->cfg.qos.watchdog.forward)
		return true; /* counted when it leaves */
	sw->ports[pkt->out_port].watch[pkt->queue].counters[SW_WATCHDOG_TX_DROP]++;
	sw_drop(sw, t_ps, pkt, SW_DROP_WATCHDOG, pkt->out_port);
	return false;
}

bool watchdog_restored(struct sw *sw, uint16_t port_index)
{
	struct sw_port *port = &sw->ports[port_index];
	uint8_t stormed = port->storm_queues;

	if ((stormed & (uint8_t)~watched(sw, port)) != 0)
		return false;
	port->storm_queues = 0;
	set_stormed(sw, port, stormed);
	return true;
}

void watchdog_stats(const struct sw *sw, const struct sw_port *port, int q,
		    struct sw_watchdog_stats *out)
{
	const struct sw_watch *watch = &port->watch[q];

	*out = (struct sw_watchdog_stats){
		.detected_ps = watch->detected_ps,
		.restored_ps = watch->restored_ps,
		.detect_took_ps = watch->detect_took_ps,
		.restore_took_ps = watch->restore_took_ps,
		.stormed = port->storm_queues >> q & 1,
		.watched = watched(sw, port) >> q & 1,
	};
	for (int c = 0; c < SW_WATCHDOG_COUNTERS; c++) {
		out->counters[c] = watch->counters[c];
		if (c == SW_WATCHDOG_TX_OK)
			out->counters[c] += sent_in_storm(port, q);
		out->last[c] = out->counters[c] - watch->before[c];
	}
}
