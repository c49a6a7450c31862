/* SPDX-License-Identifier: BSD-3-Clause */
/* Classify: which priority a frame has, and so its ingress priority group and egress queue.
 * With trust dscp a frame that is not IP has DSCP 0; with trust pcp an untagged one has PCP 0. */
#include "sw_int.h"

void classify(const struct sw *sw, struct pkt *pkt)
{
	const struct sw_qos *qos = &sw->cfg.qos;

	pkt->prio = qos->trust == SW_TRUST_DSCP ? qos->dscp_to_prio[pkt->dscp & 63]
						: qos->pcp_to_prio[pkt->pcp & 7];
	pkt->pg = qos->prio_to_pg[pkt->prio];
	pkt->queue = qos->prio_to_queue[pkt->prio];
}
