/* SPDX-License-Identifier: BSD-3-Clause */
/* A1: when a switch says xoff and xon, when it drops, and for which classes. Frames of 60 B are one cell
 * each; the senders are deaf, as packet generators are. */
#include "lab.h"

#include <string.h>

#include "tests/unit/cu.h"

#define CELL 256

/* `pool` cells to share at alpha 1 (xoff at half of them), `headroom` cells a PG. */
static void begin(struct lab *lab, unsigned hosts, uint64_t pool, uint64_t headroom,
		  uint64_t xon_offset)
{
	char text[600];

	snprintf(text, sizeof(text),
		 "topology: {kind: star, hosts: %u, link: {rate: 100Gbps, delay: 100ns}}\n"
		 "switch:\n"
		 "  preset: azure\n"
		 "  buffer: {size: %lluB, cell: 256B, alpha: 1, headroom: %lluB, reserved: 0B,\n"
		 "    xon_offset: %lluB}\n"
		 "ports: {s1-h%u: {mtu: 9216B}}\n",
		 hosts, (unsigned long long)(pool + hosts * 2 * headroom) * CELL,
		 (unsigned long long)headroom * CELL, (unsigned long long)xon_offset * CELL, hosts);
	lab_open(lab, text);
}

static void no_drop_anywhere(struct lab *lab)
{
	for (uint16_t h = 1; h <= lab->n_hosts; h++)
		CU_ASSERT_EQUAL(lab_port(lab, h)->counters[SW_PORT_DROPPED], 0);
}

/* PFC goes on for 1 ms: it is refreshed. */
static void still_says_xoff(struct lab *lab, uint16_t host, int prio)
{
	uint64_t before = lab_prio(lab, host, SW_PRIO_PFC_TX, prio);

	lab_for(lab, LAB_MS);
	CU_ASSERT(lab_prio(lab, host, SW_PRIO_PFC_TX, prio) > before);
}

/* ---- A1.1 ---- */

/* Frame T meets the threshold, frame D the end of the headroom: not one earlier, not one later. */
static void xoff_limit(uint8_t dscp, uint16_t len, uint64_t t, uint64_t d)
{
	struct lab lab;

	begin(&lab, 3, 119210, 622, 0);
	lab_hold(&lab, 3, true);
	lab_burst(&lab, 1, 3, dscp, len, t - 1);
	lab_for(&lab, LAB_MS);
	CU_ASSERT_EQUAL(lab_pfc_tx(&lab, 1), 0);
	no_drop_anywhere(&lab);
	lab_burst(&lab, 1, 3, dscp, len, 1);
	lab_for(&lab, LAB_US);
	CU_ASSERT_EQUAL(lab_prio(&lab, 1, SW_PRIO_PFC_TX, dscp), 1);
	no_drop_anywhere(&lab);
	lab_burst(&lab, 1, 3, dscp, len, d - 1 - t);
	still_says_xoff(&lab, 1, dscp);
	no_drop_anywhere(&lab);
	lab_burst(&lab, 1, 3, dscp, len, 1);
	still_says_xoff(&lab, 1, dscp);
	CU_ASSERT_EQUAL(lab_port(&lab, 1)->drops[SW_DROP_HEADROOM_FULL], 1);
	CU_ASSERT_EQUAL(lab_stats(&lab)->dropped_lossless, 1);
	CU_ASSERT_EQUAL(lab_port(&lab, 3)->counters[SW_PORT_DROPPED], 0);
	for (int p = 0; p < SW_PRIOS; p++) {
		CU_ASSERT_EQUAL(lab_pg(&lab, 1, p)->dropped, p == dscp);
		CU_ASSERT_EQUAL(lab_prio(&lab, 1, SW_PRIO_PFC_TX, p) > 0, p == dscp);
		CU_ASSERT_EQUAL(lab_pfc_tx(&lab, 2) + lab_pfc_tx(&lab, 3), 0);
		CU_ASSERT_EQUAL(lab_queue(&lab, 3, p)->counters[SW_QUEUE_DROPPED], 0);
	}
	lab_close(&lab);
}

static void xoff_and_drop_points(void)
{
	xoff_limit(3, 60, 59605, 60228);
	xoff_limit(4, 60, 59605, 60228);
}

/* 9,100 B are 36 cells: 1,656 reach 59,605, 17 more fit into 622. */
static void large_frames(void)
{
	xoff_limit(3, 9100, 1656, 1674);
	xoff_limit(4, 9100, 1656, 1674);
}

/* ---- A1.2 ---- */

/* T = 1,000, xon at 982: not with 983 inside, but with 982, and then for good. */
static void xon_limit(uint8_t dscp)
{
	struct lab lab;
	uint64_t told;

	begin(&lab, 4, 2000, 100, 36);
	for (uint16_t dst = 2; dst <= 4; dst++)
		lab_hold(&lab, dst, true);
	lab_burst(&lab, 1, 2, dscp, 60, 1000 - 18);
	lab_burst(&lab, 1, 3, dscp, 60, 18 - 1);
	CU_ASSERT_EQUAL(lab_pfc_tx(&lab, 1), 0);
	lab_burst(&lab, 1, 4, dscp, 60, 1);
	still_says_xoff(&lab, 1, dscp);
	lab_hold(&lab, 3, false);
	lab_for(&lab, 2 * LAB_S);
	CU_ASSERT_EQUAL(lab_pg(&lab, 1, dscp)->total_bytes, 983 * CELL);
	still_says_xoff(&lab, 1, dscp);
	lab.keep = true;
	lab_hold(&lab, 4, false);
	lab_for(&lab, LAB_US);
	/* The frame, and xon at the same time: one frame, this class alone, no time. */
	CU_ASSERT_EQUAL_FATAL(lab.n_recs, 2);
	CU_ASSERT_EQUAL(lab.recs[0].kind, SW_REC_FRAME);
	CU_ASSERT_EQUAL(lab.recs[1].kind, SW_REC_PFC);
	CU_ASSERT_EQUAL(lab.recs[1].t_ps, lab.recs[0].t_ps);
	CU_ASSERT_EQUAL(lab.recs[1].gen.class_vector, 1 << dscp);
	CU_ASSERT_EQUAL(lab.recs[1].gen.quanta[dscp], 0);
	told = lab_pfc_tx(&lab, 1);
	lab_for(&lab, 30 * LAB_S);
	CU_ASSERT_EQUAL(lab_pfc_tx(&lab, 1), told);
	CU_ASSERT_EQUAL(lab_pfc_tx(&lab, 2) + lab_pfc_tx(&lab, 3) + lab_pfc_tx(&lab, 4), 0);
	no_drop_anywhere(&lab);
	lab_close(&lab);
}

static void xon_both_priorities(void)
{
	xon_limit(3);
	xon_limit(4);
}

/* ---- A1.5 ---- */

#define PAIRS 18
#define FULL 362    /* cells of headroom of a pair */
#define PARTIAL 182 /* what is left in the pool for the last one */
#define POOL ((PAIRS - 1) * FULL + PARTIAL)

static uint64_t pool_used(struct lab *lab)
{
	return lab_stats(lab)->headroom_max_bytes / CELL;
}

static uint64_t headroom_of(struct lab *lab, uint16_t src, uint8_t prio)
{
	return lab_pg(lab, src, prio)->headroom_bytes / CELL;
}

/* Cell by cell up to `room` in headroom: the pool's watermark follows each. */
static void fill_headroom(struct lab *lab, uint16_t src, uint8_t prio, uint64_t room)
{
	while (headroom_of(lab, src, prio) == 0)
		lab_burst(lab, src, 10, prio, 60, 1);
	for (uint64_t used = pool_used(lab); headroom_of(lab, src, prio) < room;) {
		lab_burst(lab, src, 10, prio, 60, 1);
		CU_ASSERT_EQUAL(pool_used(lab), ++used);
	}
	CU_ASSERT_EQUAL(lab_drops(lab), 0);
}

/* 9 ports x PGs 3 and 4 into one held port, their headroom from one pool: each is driven to xoff, each
 * fills its headroom, the last what the pool has left. */
static void headroom_pool(void)
{
	char set[64];
	struct lab lab;

	begin(&lab, 10, 4000, FULL, 0);
	lab_set(&lab, "switch.buffer.alpha=1/8");
	snprintf(set, sizeof(set), "switch.buffer.headroom_pool=%dB", POOL * (int)CELL);
	lab_set(&lab, set);
	lab_hold(&lab, 10, true);
	for (uint16_t i = 0; i < PAIRS; i++)
		while (!lab_pg(&lab, 1 + i / 2, 3 + i % 2)->xoff)
			lab_burst(&lab, 1 + i / 2, 10, 3 + i % 2, 60, 1);
	lab_for(&lab, LAB_US);
	for (uint16_t i = 0; i < PAIRS; i++) {
		CU_ASSERT(lab_prio(&lab, 1 + i / 2, SW_PRIO_PFC_TX, 3 + i % 2) > 0);
		fill_headroom(&lab, 1 + i / 2, 3 + i % 2, i < PAIRS - 1 ? FULL : PARTIAL);
	}
	CU_ASSERT_EQUAL(pool_used(&lab), POOL);
	for (uint64_t more = 1; more <= 11; more++) {
		lab_burst(&lab, 9, 10, 4, 60, 1);
		CU_ASSERT_EQUAL(lab_pg(&lab, 9, 4)->dropped, more);
		CU_ASSERT_EQUAL(lab_drops(&lab), more);
		CU_ASSERT_EQUAL(pool_used(&lab), POOL);
	}
	CU_ASSERT_EQUAL(lab_port(&lab, 10)->counters[SW_PORT_DROPPED], 0);
	lab_close(&lab);
}

/* ---- A1.6 ---- */

static void drop_point_repeats(void)
{
	struct lab lab;

	begin(&lab, 3, 2000, 100, 0);
	for (uint64_t round = 0; round < 50; round++) {
		lab_hold(&lab, 3, true);
		lab_burst(&lab, 1, 3, 3, 60, 1100);
		CU_ASSERT_EQUAL(lab_drops(&lab), 2 * round);
		lab_burst(&lab, 1, 3, 3, 60, 2);
		CU_ASSERT_EQUAL(lab_drops(&lab), 2 * round + 2);
		lab_hold(&lab, 3, false);
		lab_settle(&lab);
		CU_ASSERT_EQUAL(lab_pg(&lab, 1, 3)->total_bytes, 0);
	}
	lab_close(&lab);
}

/* ---- A1.9 ---- */

/* All eight classes into a held port until the lossless ones drop: xoff is said for these alone. */
static void says_lossless_classes_only(const char *asymmetric)
{
	static const uint8_t dscps[SW_PRIOS] = {8, 0, 5, 3, 4, 46, 48, 56};
	struct lab lab;

	begin(&lab, 3, 2000, 100, 0);
	lab_set(&lab, "switch.dscp.56=7");
	lab_set(&lab, asymmetric);
	lab_hold(&lab, 3, true);
	for (int p = 0; p < SW_PRIOS; p++)
		lab_burst(&lab, 1, 3, dscps[p], 60, 1100);
	lab_for(&lab, LAB_MS);
	for (int p = 0; p < SW_PRIOS; p++)
		CU_ASSERT_EQUAL(lab_prio(&lab, 1, SW_PRIO_PFC_TX, p) > 0, p == 3 || p == 4);
	CU_ASSERT(lab_pg(&lab, 1, 3)->dropped > 0 && lab_pg(&lab, 1, 4)->dropped > 0);
	lab_close(&lab);
}

/* A storm on each class in turn: what is honoured stands still, the rest goes through. */
static void honours(const char *asymmetric, uint8_t classes)
{
	static const uint8_t dscps[SW_PRIOS] = {8, 0, 5, 3, 4, 46, 48, 56};

	for (int p = 0; p < SW_PRIOS; p++) {
		bool still = classes >> p & 1;
		struct lab lab;
		uint32_t f;

		begin(&lab, 3, 2000, 100, 0);
		lab_set(&lab, "switch.dscp.56=7");
		lab_set(&lab, asymmetric);
		lab_pfc(&lab, 3, (uint16_t)(1 << p), 0xffff);
		f = lab_burst(&lab, 1, 3, dscps[p], 60, 2000);
		lab_for(&lab, 10 * LAB_US);
		CU_ASSERT_EQUAL(lab.flows[f].received, still ? 0 : 2000);
		CU_ASSERT_EQUAL(lab_prio(&lab, 3, SW_PRIO_PFC_RX, p), 1);
		CU_ASSERT_EQUAL(lab_prio(&lab, 3, SW_PRIO_PFC_RX_HONOURED, p), still);
		if (!still)
			CU_ASSERT_EQUAL(lab_drops(&lab), 0);
		if (still && (p == 3 || p == 4)) /* flooded behind it: ingress drops */
			CU_ASSERT_EQUAL(lab_port(&lab, 1)->drops[SW_DROP_HEADROOM_FULL], 900);
		lab_close(&lab);
	}
}

static void asymmetric(void)
{
	says_lossless_classes_only("switch.pfc.asymmetric=off");
	says_lossless_classes_only("switch.pfc.asymmetric=on");
	honours("switch.pfc.asymmetric=off", 0x18);
	honours("switch.pfc.asymmetric=on", 0xff);
}

static const struct cu_case cases[] = {
	{"A1_1__xoff_and_drop_points", xoff_and_drop_points},
	{"A1_1__large_frames", large_frames},
	{"A1_2__xon_limit", xon_both_priorities},
	{"A1_5__headroom_pool", headroom_pool},
	{"A1_6__drop_point_repeats", drop_point_repeats},
	{"A1_9__asymmetric", asymmetric},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("behaviour/xoff", cases);
}
