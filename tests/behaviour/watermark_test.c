/* SPDX-License-Identifier: BSD-3-Clause */
/* A2.1 to A2.5: the lossy drop point, and watermarks that are what was in the buffer, to the cell. Frames
 * of 60 B are one cell each. */
#include "lab.h"

#include <string.h>

#include "tests/unit/cu.h"

#define CELL 256ULL
#define RESERVED 8

/* `pool` cells to share at alphas of 1, 100 cells of headroom a PG, nothing or 8 cells reserved. The
 * azure maps reach PGs 0, 3 and 4. */
static void begin(struct lab *lab, uint64_t pool, uint64_t reserved)
{
	char text[600];

	snprintf(text, sizeof(text),
		 "topology: {kind: star, hosts: 4, link: {rate: 100Gbps, delay: 100ns}}\n"
		 "switch:\n"
		 "  preset: azure\n"
		 "  buffer: {size: %lluB, cell: 256B, alpha: 1, lossy_alpha: 1, headroom: 25600B,\n"
		 "    reserved: %lluB, xon_offset: 0B}\n",
		 (unsigned long long)((pool + 4 * (2 * 100 + 3 * reserved)) * CELL),
		 (unsigned long long)(reserved * CELL));
	lab_open(lab, text);
}

/* ---- A2.1 ---- */

/* The n-th frame needs n <= 2,000 - (n - 1): a thousand are in. What is more is the egress port's. */
static void lossy_drop_point(void)
{
	static const uint8_t dscps[] = {8, 0, 5, 46, 48, 63};

	for (size_t i = 0; i < sizeof(dscps); i++) {
		const struct sw_port_stats *port;
		struct lab lab;
		int queue;

		begin(&lab, 2000, 0);
		queue = lab.fabric.switches[0].config.qos.dscp_to_prio[dscps[i]];
		lab_hold(&lab, 4, true);
		lab_burst(&lab, 1, 4, dscps[i], 60, 1000);
		lab_for(&lab, LAB_MS);
		CU_ASSERT_EQUAL(lab_drops(&lab), 0);
		CU_ASSERT_EQUAL(lab_pfc_tx(&lab, 1), 0);
		lab_burst(&lab, 1, 4, dscps[i], 60, 1);
		lab_for(&lab, LAB_MS);
		port = lab_port(&lab, 4);
		CU_ASSERT_EQUAL(port->drops[SW_DROP_QUEUE_FULL], 1);
		CU_ASSERT_EQUAL(port->queues[queue].counters[SW_QUEUE_DROPPED], 1);
		port = lab_port(&lab, 1);
		CU_ASSERT_EQUAL(port->counters[SW_PORT_DROPPED], 0);
		CU_ASSERT_EQUAL(port->pgs[0].dropped, 0);
		CU_ASSERT_EQUAL(lab_pfc_tx(&lab, 1), 0);
		CU_ASSERT_EQUAL(lab_stats(&lab)->dropped_lossy, 1);
		lab_close(&lab);
	}
}

/* ---- A2.2, A2.3 ---- */

/* In quarters up to what fits; then it stays. Lossless: the rest is headroom's, also to the cell. */
static void pg_shared(uint8_t dscp, int pg, bool lossless)
{
	const struct sw_pg_stats *now;
	struct lab lab;

	begin(&lab, 2000, RESERVED);
	lab_hold(&lab, 4, true);
	lab_burst(&lab, 1, 4, dscp, 60, RESERVED);
	CU_ASSERT_EQUAL(lab_pg(&lab, 1, pg)->max_shared_bytes, 0);
	CU_ASSERT_EQUAL(lab_pg(&lab, 1, pg)->total_bytes, RESERVED * CELL);
	lab_burst(&lab, 1, 4, dscp, 60, 1);
	CU_ASSERT_EQUAL(lab_pg(&lab, 1, pg)->max_shared_bytes, CELL);
	lab_burst(&lab, 1, 4, dscp, 60, 249);
	for (uint64_t quarter = 1; quarter <= 3; quarter++) {
		CU_ASSERT_EQUAL(lab_pg(&lab, 1, pg)->max_shared_bytes, quarter * 250 * CELL);
		CU_ASSERT_EQUAL(lab_pg(&lab, 1, pg)->max_headroom_bytes, 0);
		lab_burst(&lab, 1, 4, dscp, 60, 250);
	}
	/* A lossy frame is held against its queue: 1,004 fit, 8 of them into the reserve. */
	for (uint64_t more = 0; more <= 110; more++) {
		uint64_t headroom = more < 100 ? more : 100;

		now = lab_pg(&lab, 1, pg);
		CU_ASSERT_EQUAL(now->max_shared_bytes, (lossless ? 1000 : 996) * CELL);
		CU_ASSERT_EQUAL(now->max_headroom_bytes, lossless ? headroom * CELL : 0);
		lab_burst(&lab, 1, 4, dscp, 60, 1);
	}
	lab_close(&lab);
}

static void pg_watermarks(void)
{
	pg_shared(3, 3, true);
	pg_shared(4, 4, true);
	pg_shared(8, 0, false);
	pg_shared(0, 0, false);
}

/* It stays when the buffer drains; a clear starts it anew from what is in. */
static void clear_restarts(void)
{
	struct lab lab;

	begin(&lab, 2000, 0);
	lab_hold(&lab, 4, true);
	lab_burst(&lab, 1, 4, 3, 60, 1050);
	lab_hold(&lab, 4, false);
	lab_settle(&lab);
	CU_ASSERT_EQUAL(lab_pg(&lab, 1, 3)->max_shared_bytes, 1000 * CELL);
	CU_ASSERT_EQUAL(lab_pg(&lab, 1, 3)->max_headroom_bytes, 50 * CELL);
	CU_ASSERT_EQUAL(lab_queue(&lab, 4, 3)->max_bytes, 1050 * CELL);
	lab_hold(&lab, 4, true);
	lab_burst(&lab, 1, 4, 3, 60, 10);
	lab_clear(&lab);
	CU_ASSERT_EQUAL(lab_pg(&lab, 1, 3)->max_shared_bytes, 10 * CELL);
	CU_ASSERT_EQUAL(lab_pg(&lab, 1, 3)->max_headroom_bytes, 0);
	CU_ASSERT_EQUAL(lab_queue(&lab, 4, 3)->max_bytes, 10 * CELL);
	CU_ASSERT_EQUAL(lab_stats(&lab)->buffer_max_bytes, 10 * CELL);
	CU_ASSERT_EQUAL(lab_stats(&lab)->shared_max_bytes, 10 * CELL);
	CU_ASSERT_EQUAL(lab_stats(&lab)->headroom_max_bytes, 0);
	lab_burst(&lab, 1, 4, 3, 60, 5);
	CU_ASSERT_EQUAL(lab_queue(&lab, 4, 3)->max_bytes, 15 * CELL);
	lab_close(&lab);
}

/* ---- A2.4, A2.5 ---- */

/* One step: what went in is what every watermark has grown by, up to where it cannot. */
static void queue_and_pools(uint8_t dscp, int queue, uint64_t most, uint64_t shared)
{
	struct lab lab;
	uint64_t sent = 0;

	begin(&lab, 2000, 0);
	CU_ASSERT_EQUAL(lab_queue(&lab, 4, queue)->max_bytes, 0);
	lab_hold(&lab, 4, true);
	for (uint64_t step = 1; sent < most + 40; step = step < 100 ? 2 * step : 100) {
		uint64_t in, in_shared;

		lab_burst(&lab, 1, 4, dscp, 60, step);
		sent += step;
		in = sent < most ? sent : most;
		in_shared = sent < shared ? sent : shared;
		CU_ASSERT_EQUAL(lab_queue(&lab, 4, queue)->max_bytes, in * CELL);
		CU_ASSERT_EQUAL(lab_stats(&lab)->buffer_max_bytes, in * CELL);
		CU_ASSERT_EQUAL(lab_stats(&lab)->shared_max_bytes, in_shared * CELL);
		CU_ASSERT_EQUAL(lab_stats(&lab)->headroom_max_bytes, (in - in_shared) * CELL);
	}
	for (int q = 0; q < SW_PRIOS; q++)
		if (q != queue)
			CU_ASSERT_EQUAL(lab_queue(&lab, 4, q)->max_bytes, 0);
	lab_close(&lab);
}

static void queue_and_pool_watermarks(void)
{
	queue_and_pools(3, 3, 1100, 1000);
	queue_and_pools(4, 4, 1100, 1000);
	queue_and_pools(8, 0, 1000, 1000);
	queue_and_pools(0, 1, 1000, 1000);
}

/* Large frames take whole cells of every count. */
static void large_frames(void)
{
	struct lab lab;

	begin(&lab, 2000, 0);
	lab_hold(&lab, 4, true);
	lab_burst(&lab, 1, 4, 3, 4210, 20); /* 17 cells each */
	CU_ASSERT_EQUAL(lab_queue(&lab, 4, 3)->max_bytes, 340 * CELL);
	CU_ASSERT_EQUAL(lab_pg(&lab, 1, 3)->max_shared_bytes, 340 * CELL);
	CU_ASSERT_EQUAL(lab_stats(&lab)->buffer_max_bytes, 340 * CELL);
	lab_close(&lab);
}

static const struct cu_case cases[] = {
	{"A2_1__lossy_drop_point", lossy_drop_point},
	{"A2_2__pg_watermarks", pg_watermarks},
	{"A2_2__clear_restarts", clear_restarts},
	{"A2_4__queue_and_pool_watermarks", queue_and_pool_watermarks},
	{"A2_4__large_frames", large_frames},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("behaviour/watermark", cases);
}
