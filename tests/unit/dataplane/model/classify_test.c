/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/classify.c"

#include "rig.h"

#include "tests/unit/cu.h"

/* The map of a usual SONiC top-of-rack switch: DSCP 3, 4, 5, 46, 48 to their queues, 8 to 0, the rest
 * to 1; PGs 3 and 4, all others 0. One frame of each DSCP. */
static void sonic_map(struct sw_qos *qos)
{
	for (int d = 0; d < 64; d++)
		qos->dscp_to_prio[d] = 1;
	qos->dscp_to_prio[3] = 3;
	qos->dscp_to_prio[4] = 4;
	qos->dscp_to_prio[8] = 0;
	qos->dscp_to_prio[5] = 2;
	qos->dscp_to_prio[46] = 5;
	qos->dscp_to_prio[48] = 6;
	for (int p = 0; p < SW_PRIOS; p++)
		qos->prio_to_pg[p] = p == 3 || p == 4 ? p : 0;
}

static void dscp_to_queue_and_pg(void)
{
	static const uint64_t queues[SW_PRIOS] = {1, 58, 1, 1, 1, 1, 1, 0};
	static const uint64_t pgs[SW_PRIOS] = {62, 0, 0, 1, 1, 0, 0, 0};
	const struct sw_port_stats *ports;
	struct rig rig;

	rig_init(&rig, 2);
	sonic_map(&rig.config.qos);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	for (uint8_t d = 0; d < 64; d++)
		rig_send(&rig, RIG_US, 0, 1, d, 2, 100);
	ports = rig_stats(&rig)->ports;
	for (int i = 0; i < SW_PRIOS; i++) {
		CU_ASSERT_EQUAL(ports[1].queues[i].packets, queues[i]);
		CU_ASSERT_EQUAL(ports[0].pgs[i].total_bytes, pgs[i] * 100);
	}
	rig_hold(&rig, 2 * RIG_US, 1, false);
	rig_settle(&rig);
	for (int i = 0; i < SW_PRIOS; i++)
		CU_ASSERT_EQUAL(rig_stats(&rig)->ports[1].queues[i].counters[SW_QUEUE_TX_PACKETS],
				queues[i]);
	rig_stop(&rig);
}

static struct pkt classified(const struct sw *sw, uint8_t pcp, uint8_t dscp)
{
	struct pkt pkt = {.pcp = pcp, .dscp = dscp};

	classify(sw, &pkt);
	return pkt;
}

static void pcp_when_trusted(void)
{
	struct rig rig;

	rig_init(&rig, 1);
	rig.config.qos.trust = SW_TRUST_PCP;
	rig.config.qos.pcp_to_prio[6] = 2;
	rig.config.qos.prio_to_pg[2] = 5;
	rig.config.qos.prio_to_queue[2] = 7;
	rig_start(&rig);
	CU_ASSERT_EQUAL(classified(rig.sw, 6, 3).prio, 2);
	CU_ASSERT_EQUAL(classified(rig.sw, 6, 3).pg, 5);
	CU_ASSERT_EQUAL(classified(rig.sw, 6, 3).queue, 7);
	CU_ASSERT_EQUAL(classified(rig.sw, 0, 3).prio, 0); /* untagged: 0, whatever the DSCP */
	rig_stop(&rig);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"classify__dscp_to_queue_and_pg", dscp_to_queue_and_pg},
		{"classify__pcp_when_trusted", pcp_when_trusted},
		{NULL, NULL},
	};

	return cu_main("model/classify", cases);
}
