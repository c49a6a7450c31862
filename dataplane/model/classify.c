/* SPDX-License-Identifier: BSD-3-Clause */
/* Classify: which priority a frame has, and so its ingress priority group and egress queue.
 * With trust dscp a frame that is not IP has DSCP 0; with trust pcp an untagged one has PCP 0. */
#include "sw_int.h"

void classify(const struct sw *sw, struct pkt *pkt)
{
	const struct sw_class *class = sw->cfg.qos.trust == SW_TRUST_DSCP
					       ? &sw->by_dscp[pkt->dscp & 63]
					       : &sw->by_pcp[pkt->pcp & 7];

	pkt->prio = class->prio;
	pkt->pg = class->pg;
	pkt->queue = class->queue;
}
