/* SPDX-License-Identifier: BSD-3-Clause */
/* lossy: what a frame meets in a switch without PFC. Whatever does not find room in its egress
 * queue's share of the pool is dropped there; ECN as configured. No edge, no watchdog: nothing pauses
 * it. */
#include "dataplane/model/sw_int.h"

SW_STRAIGHT static void lossy_rx(struct sw *sw, uint64_t t_ps, struct pkt **pkts, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		/* received PFC is counted, not honoured */
		if (!port_rx(sw, t_ps, pkts[i], &sw->ports[pkts[i]->in_port]))
			continue;
		classify(sw, pkts[i]);
		sw->pipeline->arrive(sw, t_ps, pkts[i]);
	}
}

static void lossy_arrive(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	switch (lookup(sw, t_ps, pkt)) {
	case SW_LOOKUP_ONE:
		sw->pipeline->enqueue(sw, t_ps, pkt);
		break;
	case SW_LOOKUP_FLOOD:
		flood(sw, t_ps, pkt);
		break;
	case SW_LOOKUP_TAKEN:
		break;
	}
}

static void lossy_enqueue(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	struct sw_port *out = &sw->ports[pkt->out_port];
	struct sw_queue *queue = &out->queues[pkt->queue];

	if (mark_enqueue(sw, t_ps, pkt, queue) && admit(sw, t_ps, pkt, out, queue))
		queue_push(sw, pkt, out, queue);
}

SW_STRAIGHT static struct pkt *lossy_tx(struct sw *sw, uint64_t t_ps, struct sw_port *port)
{
	struct sw_queue *queue;

	while ((queue = sched_pick(sw, t_ps, port)) != NULL) {
		struct pkt *pkt = queue_pop(port, queue);

		admit_release(sw, t_ps, pkt);
		if (mark_dequeue(sw, t_ps, pkt, queue))
			return pkt;
	}
	return NULL;
}

const struct pipeline pipeline_lossy = {
	.name = "lossy",
	.help = "no PFC: tail drop at the egress queue's share of the pool, ECN as configured",
	.lossless = false,
	.rx = lossy_rx,
	.arrive = lossy_arrive,
	.enqueue = lossy_enqueue,
	.tx = lossy_tx,
};
