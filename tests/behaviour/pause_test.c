/* SPDX-License-Identifier: BSD-3-Clause */
/* A3.1 to A3.9: pauses that the switch receives, as frames and as counters. Host 1 sends through the
 * switch to host 2, which storms; hosts honour the switch's own PFC. */
#include "lab.h"

#include "dataplane/model/hdr.h"

#include <string.h>

#include "tests/unit/cu.h"

#define TEST_PPM 450000 /* of the line: the test flow, and the background together */
#define LEN 1024

/* DSCPs of priorities 0 to 7. */
static const uint8_t dscps[SW_PRIOS] = {8, 0, 5, 3, 4, 46, 48, 63};

static void begin(struct lab *lab)
{
	lab_open(lab, "topology: {kind: star, hosts: 3, link: {rate: 100Gbps, delay: 1us}}\n"
		      "switch: {preset: azure, dscp: {63: 7}}\n");
}

static void storm(struct lab *lab, const uint8_t bytes[SW_MIN_FRAME])
{
	struct lab_storm storm = {.host = 2, .period_ps = lab_storm_period(lab, 2)};

	memcpy(storm.bytes, bytes, SW_MIN_FRAME);
	lab_storm(lab, storm);
	lab_for(lab, LAB_MS); /* it is there when the flows begin */
}

static void pfc_storm(struct lab *lab, uint16_t vector, uint16_t quanta)
{
	uint8_t bytes[SW_MIN_FRAME];

	lab_pfc_bytes(bytes, vector, quanta);
	storm(lab, bytes);
}

/* The load in equal parts over the classes of the mask, for 3 ms. */
static uint32_t flows(struct lab *lab, uint8_t mask, uint32_t load_ppm)
{
	uint32_t first = lab->n_flows, n = (uint32_t)__builtin_popcount(mask);

	for (uint32_t left = mask; left != 0; left &= left - 1)
		lab_flow(lab, (struct lab_flow){.src = 1,
						.dst = 2,
						.dscp = dscps[__builtin_ctz(left)],
						.len = LEN,
						.load_ppm = load_ppm / n,
						.stop_ps = lab->now + 3 * LAB_MS});
	return first;
}

/* All that was sent arrived, as much as was offered, in order. */
static void went_through(const struct lab *lab, uint32_t first, uint32_t n, uint32_t load_ppm)
{
	uint64_t line = 3 * LAB_MS / lab_wire_ps(lab, 1, LEN);

	for (uint32_t i = first; i < first + n; i++) {
		uint64_t want = line * (load_ppm / n) / 1000000;

		CU_ASSERT_EQUAL(lab->flows[i].received, lab->flows[i].sent);
		CU_ASSERT_EQUAL(lab->flows[i].out_of_order, 0);
		CU_ASSERT(lab->flows[i].sent >= want && lab->flows[i].sent <= want + 2);
	}
}

/* ---- A3.1 ---- */

static void lossless_is_paused(uint8_t paused)
{
	struct lab lab;
	uint32_t test, background;

	begin(&lab);
	pfc_storm(&lab, paused, 0xffff);
	test = flows(&lab, paused, TEST_PPM);
	background = flows(&lab, (uint8_t)~paused, TEST_PPM);
	lab_for(&lab, 4 * LAB_MS);
	for (uint32_t i = test; i < background; i++) {
		int p = lab.flows[i].prio;
		const struct sw_pg_stats *pg = lab_pg(&lab, 1, p);

		CU_ASSERT(lab.flows[i].sent > 0);
		CU_ASSERT_EQUAL(lab.flows[i].received, 0);
		/* It stopped when it was told: what came is in the buffer, none was lost. */
		CU_ASSERT_EQUAL(pg->total_bytes, lab.flows[i].sent * LEN);
		CU_ASSERT(pg->headroom_bytes <= lab.fabric.switches[0].ports[0].headroom_bytes);
		CU_ASSERT_EQUAL(pg->dropped, 0);
		CU_ASSERT(lab_prio(&lab, 1, SW_PRIO_PFC_TX, p) > 0);
		CU_ASSERT(lab_prio(&lab, 2, SW_PRIO_PFC_RX, p) > 0);
		CU_ASSERT_EQUAL(lab_prio(&lab, 2, SW_PRIO_PFC_RX_HONOURED, p),
				lab_prio(&lab, 2, SW_PRIO_PFC_RX, p));
	}
	went_through(&lab, background, lab.n_flows - background, TEST_PPM);
	CU_ASSERT_EQUAL(lab_drops(&lab), 0);
	/* The storm's frames went nowhere, and are nobody's data. */
	CU_ASSERT_EQUAL(lab_port(&lab, 2)->counters[SW_PORT_RX_PACKETS], 0);
	CU_ASSERT_EQUAL(lab_port(&lab, 3)->counters[SW_PORT_TX_PACKETS], 0);
	lab_close(&lab);
}

static void pause_lossless(void)
{
	lossless_is_paused(0x08);
	lossless_is_paused(0x10);
	lossless_is_paused(0x18);
}

/* ---- A3.2, A3.3, A3.4, A3.6 ---- */

/* Whatever comes, nothing is held: 90 % of the line over all classes goes through. */
static void disturbs_nothing(const uint8_t bytes[SW_MIN_FRAME], uint32_t load_ppm)
{
	struct lab lab;

	begin(&lab);
	storm(&lab, bytes);
	flows(&lab, 0xff, load_ppm);
	lab_for(&lab, 4 * LAB_MS);
	went_through(&lab, 0, SW_PRIOS, load_ppm);
	CU_ASSERT_EQUAL(lab_drops(&lab), 0);
	CU_ASSERT_EQUAL(lab_pfc_tx(&lab, 1), 0);
	for (int p = 0; p < SW_PRIOS; p++)
		CU_ASSERT_EQUAL(lab_prio(&lab, 2, SW_PRIO_PFC_RX_HONOURED, p), 0);
	CU_ASSERT_EQUAL(lab_port(&lab, 2)->counters[SW_PORT_RX_PACKETS], 0);
	lab_close(&lab);
}

static void pause_lossy(void)
{
	uint8_t bytes[SW_MIN_FRAME];

	lab_pfc_bytes(bytes, 0xe7, 0xffff);
	disturbs_nothing(bytes, 900000);
	for (int p = 0; p < SW_PRIOS; p++) {
		lab_pfc_bytes(bytes, (uint16_t)(1 << p), 0xffff);
		if (p != 3 && p != 4)
			disturbs_nothing(bytes, 900000);
	}
}

/* 802.3x: opcode 1, one time. Counted apart, in no class. */
static void global_pause(void)
{
	uint8_t bytes[SW_MIN_FRAME];
	struct lab lab;

	lab_pfc_bytes(bytes, 0xffff, 0xffff);
	put_be16(bytes + MAC_CTL_OPCODE, MAC_CTL_PAUSE);
	disturbs_nothing(bytes, 1000000);
	begin(&lab);
	lab_raw(&lab, 2, bytes, 25);
	CU_ASSERT_EQUAL(lab_port(&lab, 2)->counters[SW_PORT_PAUSE_RX], 25);
	for (int p = 0; p < SW_PRIOS; p++)
		CU_ASSERT_EQUAL(lab_prio(&lab, 2, SW_PRIO_PFC_RX, p), 0);
	lab_close(&lab);
}

/* Times without their bits, and bits that are no class's (the high byte). */
static void unset_vector(void)
{
	static const uint16_t vectors[] = {0x0000, 0xff00, 0x0800, 0x1800};
	uint8_t bytes[SW_MIN_FRAME];

	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		struct lab lab;

		lab_pfc_bytes(bytes, 0x00ff, 0xffff);
		put_be16(bytes + PFC_VECTOR, vectors[i]);
		disturbs_nothing(bytes, 900000);
		begin(&lab);
		lab_raw(&lab, 2, bytes, 10);
		for (int p = 0; p < SW_PRIOS; p++)
			CU_ASSERT_EQUAL(lab_prio(&lab, 2, SW_PRIO_PFC_RX, p), 0);
		CU_ASSERT_EQUAL(lab_port(&lab, 2)->counters[SW_PORT_PFC_ZERO_VECTOR], 10);
		lab_close(&lab);
	}
}

/* Only the classes whose bits are set, though all have times. */
static void times_without_their_bits(void)
{
	uint8_t bytes[SW_MIN_FRAME];
	struct lab lab;
	uint32_t three, four;

	begin(&lab);
	lab_pfc_bytes(bytes, 0x00ff, 0xffff);
	put_be16(bytes + PFC_VECTOR, 0x0008);
	lab_raw(&lab, 2, bytes, 1);
	three = lab_burst(&lab, 1, 2, 3, LEN, 5);
	four = lab_burst(&lab, 1, 2, 4, LEN, 5);
	lab_for(&lab, 20 * LAB_US);
	CU_ASSERT_EQUAL(lab.flows[three].received, 0);
	CU_ASSERT_EQUAL(lab.flows[four].received, 5);
	lab_close(&lab);
}

static void zero_source(void)
{
	uint8_t bytes[SW_MIN_FRAME];
	struct lab lab;
	uint32_t f;

	begin(&lab);
	lab_pfc_bytes(bytes, 0x08, 0xffff);
	memset(bytes + ETH_SRC, 0, 6);
	lab_raw(&lab, 2, bytes, 1);
	f = lab_burst(&lab, 1, 2, 3, LEN, 5);
	lab_for(&lab, 20 * LAB_US);
	CU_ASSERT_EQUAL(lab.flows[f].received, 0);
	CU_ASSERT_EQUAL(lab_prio(&lab, 2, SW_PRIO_PFC_RX_HONOURED, 3), 1);
	lab_close(&lab);
}

/* ---- A3.9 ---- */

static void ten_of_each_class(uint16_t quanta)
{
	struct lab lab;

	begin(&lab);
	for (int p = 0; p < SW_PRIOS; p++)
		for (int i = 0; i < 10; i++)
			lab_pfc(&lab, 2, (uint16_t)(1 << p), quanta);
	for (int p = 0; p < SW_PRIOS; p++) {
		CU_ASSERT_EQUAL(lab_prio(&lab, 2, SW_PRIO_PFC_RX, p), 10);
		CU_ASSERT_EQUAL(lab_prio(&lab, 2, SW_PRIO_PFC_RX_HONOURED, p),
				p == 3 || p == 4 ? 10 : 0);
	}
	CU_ASSERT_EQUAL(lab_stats(&lab)->rx, 0);
	lab_close(&lab);
}

static void one_class_alone(int prio)
{
	struct lab lab;

	begin(&lab);
	for (int i = 0; i < 10; i++)
		lab_pfc(&lab, 2, (uint16_t)(1 << prio), 0xffff);
	for (int p = 0; p < SW_PRIOS; p++)
		CU_ASSERT_EQUAL(lab_prio(&lab, 2, SW_PRIO_PFC_RX, p), p == prio ? 10 : 0);
	lab_close(&lab);
}

/* No PFC frame is data or a drop, however many come. */
static void pfc_is_never_data(uint16_t vector, uint64_t n)
{
	const struct sw_port_stats *port;
	uint8_t bytes[SW_MIN_FRAME];
	struct lab lab;

	begin(&lab);
	lab_pfc_bytes(bytes, vector, 0xffff);
	lab_raw(&lab, 2, bytes, n);
	port = lab_port(&lab, 2);
	CU_ASSERT_EQUAL(port->counters[SW_PORT_RX_PACKETS], 0);
	CU_ASSERT_EQUAL(port->counters[SW_PORT_RX_BYTES], 0);
	CU_ASSERT_EQUAL(port->counters[SW_PORT_DROPPED], 0);
	CU_ASSERT_EQUAL(lab_stats(&lab)->rx, 0);
	CU_ASSERT_EQUAL(lab_drops(&lab), 0);
	lab_close(&lab);
}

static void counters(void)
{
	ten_of_each_class(0xffff);
	ten_of_each_class(0);
	one_class_alone(3);
	one_class_alone(4);
	for (int p = 0; p < SW_PRIOS; p++)
		pfc_is_never_data((uint16_t)(1 << p), 5000);
	pfc_is_never_data(0x00, 1000);
	pfc_is_never_data(0x18, 1000);
}

static const struct cu_case cases[] = {
	{"A3_1__pause_lossless", pause_lossless},
	{"A3_2__pause_lossy", pause_lossy},
	{"A3_3__global_pause", global_pause},
	{"A3_4__unset_vector", unset_vector},
	{"A3_4__times_without_their_bits", times_without_their_bits},
	{"A3_6__zero_source", zero_source},
	{"A3_9__counters", counters},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("behaviour/pause", cases);
}
