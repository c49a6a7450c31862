/* SPDX-License-Identifier: BSD-3-Clause */
/* A2.6: which queue and which PG each DSCP and each PCP goes to, and what a frame looks like after. */
#include "lab.h"

#include <string.h>

#include "tests/unit/cu.h"

#define BRIDGED "topology: {kind: star, hosts: 2, link: {rate: 100Gbps, delay: 100ns}}\n"
#define ROUTED                                                     \
	BRIDGED "subnets: [{prefix: 10.1.0.0/24, ports: [s1-h1]}," \
		" {prefix: 10.2.0.0/24, ports: [s1-h2]}]\n"

/* One frame of each DSCP, each of the four ECN values in turn. */
static void all_dscps(struct lab *lab, bool routed)
{
	lab->keep = true;
	for (uint8_t d = 0; d < 64; d++)
		lab_flow(lab, (struct lab_flow){.src = 1,
						.dst = 2,
						.dscp = d,
						.ecn = d & 3,
						.len = 100,
						.routed = routed,
						.count = 1});
}

static void tos_is_kept(const struct lab *lab, uint8_t ttl)
{
	uint64_t seen = 0;

	CU_ASSERT_EQUAL(lab->n_recs, 64);
	for (uint32_t i = 0; i < lab->n_recs; i++) {
		uint8_t d = lab->recs[i].flow;

		CU_ASSERT_EQUAL(lab->recs[i].tos, d << 2 | (d & 3));
		CU_ASSERT_EQUAL(lab->recs[i].ttl, ttl);
		seen |= 1ULL << d;
	}
	CU_ASSERT_EQUAL(seen, UINT64_MAX);
}

static void dscp_to_queue(const char *scenario, bool routed)
{
	static const uint64_t want[SW_PRIOS] = {1, 58, 1, 1, 1, 1, 1, 0};
	struct lab lab;

	lab_open(&lab, scenario);
	lab_set(&lab, "switch.preset=azure");
	all_dscps(&lab, routed);
	lab_settle(&lab);
	for (int q = 0; q < SW_PRIOS; q++)
		CU_ASSERT_EQUAL(lab_queue(&lab, 2, q)->counters[SW_QUEUE_TX_PACKETS], want[q]);
	tos_is_kept(&lab, routed ? 63 : 64);
	CU_ASSERT_EQUAL(lab_drops(&lab), 0);
	lab_close(&lab);
}

static void bridged_and_routed(void)
{
	dscp_to_queue(BRIDGED, false);
	dscp_to_queue(ROUTED, true);
}

static void dscp_to_pg(void)
{
	static const uint64_t want[SW_PRIOS] = {62, 0, 0, 1, 1, 0, 0, 0};
	struct lab lab;

	lab_open(&lab, BRIDGED);
	lab_set(&lab, "switch.preset=azure");
	lab_hold(&lab, 2, true);
	all_dscps(&lab, false);
	lab_settle(&lab);
	for (int pg = 0; pg < SW_PRIOS; pg++)
		CU_ASSERT_EQUAL(lab_pg(&lab, 1, pg)->total_bytes, want[pg] * 100);
	lab_close(&lab);
}

/* The second preset: 26 is the lossless class, 48 the CNPs', everything else is best effort. */
static void nvidia(void)
{
	static const uint64_t want[SW_PRIOS] = {62, 0, 0, 1, 0, 0, 1, 0};
	struct lab lab;

	lab_open(&lab, BRIDGED);
	lab_set(&lab, "switch.preset=nvidia");
	all_dscps(&lab, false);
	lab_settle(&lab);
	for (int q = 0; q < SW_PRIOS; q++)
		CU_ASSERT_EQUAL(lab_queue(&lab, 2, q)->counters[SW_QUEUE_TX_PACKETS], want[q]);
	lab_close(&lab);
}

/* ---- dot1p ---- */

/* trust: pcp. The tag decides, whatever the DSCP; an untagged frame has PCP 0. */
static void pcp_to_queue_and_pg(void)
{
	static const uint64_t queues[SW_PRIOS] = {2, 1, 0, 3, 1, 0, 0, 2};
	static const uint64_t pgs[SW_PRIOS] = {5, 0, 0, 3, 1, 0, 0, 0};
	struct lab lab;

	lab_open(&lab, BRIDGED);
	lab_set(&lab, "switch.preset=azure");
	lab_set(&lab, "switch.trust=pcp");
	lab_set(&lab, "switch.pcp={0: 0, 1: 1, 2: 3, 3: 3, 4: 4, 5: 3, 6: 7, 7: 7}");
	lab_hold(&lab, 2, true);
	for (uint8_t pcp = 0; pcp < 8; pcp++)
		lab_flow(&lab, (struct lab_flow){.src = 1,
						 .dst = 2,
						 .dscp = 3,
						 .len = 100,
						 .tagged = true,
						 .pcp = pcp,
						 .count = 1});
	lab_flow(&lab, (struct lab_flow){.src = 1, .dst = 2, .dscp = 3, .len = 100, .count = 1});
	lab_settle(&lab);
	for (int p = 0; p < SW_PRIOS; p++) {
		CU_ASSERT_EQUAL(lab_queue(&lab, 2, p)->packets, queues[p]);
		CU_ASSERT_EQUAL(lab_pg(&lab, 1, p)->total_bytes, pgs[p] * 100);
	}
	lab_close(&lab);
}

/* Every map apart: priority 5 has PG 2 and queue 6, and PFC of class 5 pauses queue 6. */
static void maps_are_independent(void)
{
	struct lab lab;
	uint32_t f;

	lab_open(&lab,
		 BRIDGED "switch: {preset: none, dscp: {40: 5, default: 0}, tc_to_pg: {5: 2},\n"
			 "  tc_to_queue: {5: 6}, pfc_to_queue: {5: 6}, latency: 0ns,\n"
			 "  pfc: {priorities: [5]}}\n");
	lab_pfc(&lab, 2, 0x20, 0xffff);
	f = lab_burst(&lab, 1, 2, 40, 100, 3);
	lab_for(&lab, LAB_US);
	CU_ASSERT_EQUAL(lab.flows[f].received, 0);
	CU_ASSERT_EQUAL(lab_pg(&lab, 1, 2)->total_bytes, 300);
	CU_ASSERT_EQUAL(lab_queue(&lab, 2, 6)->packets, 3);
	lab_pfc(&lab, 2, 0x20, 0);
	lab_settle(&lab);
	CU_ASSERT_EQUAL(lab.flows[f].received, 3);
	lab_close(&lab);
}

/* A map that changes under traffic: what is queued stays, what comes goes by the new one. */
static void map_changes_live(void)
{
	struct lab lab;

	lab_open(&lab, BRIDGED);
	lab_set(&lab, "switch.preset=azure");
	lab_hold(&lab, 2, true);
	lab_burst(&lab, 1, 2, 26, 100, 5);
	lab_set(&lab, "switch.dscp.26=3");
	lab_burst(&lab, 1, 2, 26, 100, 7);
	CU_ASSERT_EQUAL(lab_queue(&lab, 2, 1)->packets, 5);
	CU_ASSERT_EQUAL(lab_queue(&lab, 2, 3)->packets, 7);
	CU_ASSERT_EQUAL(lab_pg(&lab, 1, 0)->total_bytes, 500);
	CU_ASSERT_EQUAL(lab_pg(&lab, 1, 3)->total_bytes, 700);
	lab_hold(&lab, 2, false);
	lab_settle(&lab);
	CU_ASSERT_EQUAL(lab_stats(&lab)->buffer_bytes, 0);
	lab_close(&lab);
}

static const struct cu_case cases[] = {
	{"A2_6__dscp_to_queue", bridged_and_routed},
	{"A2_6__dscp_to_pg", dscp_to_pg},
	{"A2_6__nvidia", nvidia},
	{"A2_6__pcp_to_queue_and_pg", pcp_to_queue_and_pg},
	{"A2_6__maps_are_independent", maps_are_independent},
	{"A2_6__map_changes_live", map_changes_live},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("behaviour/maps", cases);
}
