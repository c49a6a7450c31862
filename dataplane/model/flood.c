/* SPDX-License-Identifier: BSD-3-Clause */
/* Flood: a frame leaves by every port that lookup has listed. A descriptor is in one queue only, so
 * each port but the last gets a copy from the driver; the last gets the frame itself.
 */
#include "sw_int.h"

static void send_copy(struct sw *sw, uint64_t t_ps, const struct pkt *pkt, uint16_t port)
{
	struct pkt *copy = sw->env.copy == NULL ? NULL : sw->env.copy(sw->env.ctx, pkt);

	sw->copied++;
	sw->ports[pkt->in_port].counters[SW_PORT_COPIED]++;
	if (copy == NULL) {
		sw_drop_copy(sw, t_ps, pkt, SW_DROP_NO_COPY, pkt->in_port);
		return;
	}
	sw->held++;
	copy->next = NULL;
	copy->out_port = port;
	sw->pipeline->enqueue(sw, t_ps, copy);
}

void flood(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	uint16_t last = sw->n_flood - 1;

	sw->ports[pkt->in_port].counters[SW_PORT_FLOODED]++;
	for (uint16_t i = 0; i < last; i++)
		send_copy(sw, t_ps, pkt, sw->flood[i]);
	pkt->out_port = sw->flood[last];
	sw->pipeline->enqueue(sw, t_ps, pkt);
}
