/* SPDX-License-Identifier: BSD-3-Clause */
/* lossless: what a frame meets in a switch that pauses rather than drops. Priorities in `pfc` never
 * lose a frame while headroom suffices; the others are lossy beside them. */
#include "dataplane/model/sw_int.h"

static void lossless_enqueue(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	struct sw_port *out = &sw->ports[pkt->out_port];
	struct sw_queue *queue = &out->queues[pkt->queue];

	if (!watchdog_tx(sw, t_ps, pkt)) /* the queue is in a PFC storm */
		return;
	if (!mark_enqueue(sw, t_ps, pkt, queue))
		return;
	if (!admit(sw, t_ps, pkt, out, queue)) /* may send xoff */
		return;
	queue_push(sw, pkt, out, queue);
}

static void lossless_arrive(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	enum sw_lookup way;

	if (!watchdog_rx(sw, t_ps, pkt)) /* its port's own queue is in a PFC storm */
		return;
	way = lookup(sw, t_ps, pkt);
	if (way == SW_LOOKUP_ONE)
		lossless_enqueue(sw, t_ps, pkt);
	else if (way == SW_LOOKUP_FLOOD)
		flood(sw, t_ps, pkt);
}

SW_STRAIGHT static void lossless_rx(struct sw *sw, uint64_t t_ps, struct pkt **pkts, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct pkt *pkt = pkts[i];
		struct sw_port *in = &sw->ports[pkt->in_port];

		if (!port_rx(sw, t_ps, pkt, in)) /* PFC is honoured here and ends here */
			continue;
		classify(sw, pkt);
		if (in->cfg.edge) /* the emulated NIC takes it: it arrives later */
			edge_rx(sw, t_ps, pkt, in);
		else
			lossless_arrive(sw, t_ps, pkt);
	}
}

SW_STRAIGHT static struct pkt *lossless_tx(struct sw *sw, uint64_t t_ps, struct sw_port *port)
{
	struct sw_queue *queue;

	while ((queue = sched_pick(sw, t_ps, port)) != NULL) {
		struct pkt *pkt = queue_pop(port, queue);

		admit_release(sw, t_ps, pkt); /* may send xon */
		if (mark_dequeue(sw, t_ps, pkt, queue))
			return pkt;
	}
	return NULL;
}

const struct pipeline pipeline_lossless = {
	.name = "lossless",
	.help = "PFC on the priorities of `pfc`, ECN, shared buffer with headroom: a RoCEv2 switch",
	.lossless = true,
	.rx = lossless_rx,
	.arrive = lossless_arrive,
	.enqueue = lossless_enqueue,
	.tx = lossless_tx,
};
