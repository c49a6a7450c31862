/* SPDX-License-Identifier: BSD-3-Clause */
/* A3.5 to A3.12, A2.10: many into one, peers that react late, ports of different speeds. Seconds of the
 * public plans are milliseconds here; loads and sizes are theirs. */
#include "lab.h"

#include "control/headroom.h"

#include <string.h>

#include "tests/unit/cu.h"

#define LEN 1024

static void begin(struct lab *lab, const char *rest)
{
	char text[600];

	snprintf(text, sizeof(text),
		 "topology: {kind: star, hosts: 3, link: {rate: 100Gbps, delay: 1us}}\n"
		 "switch: {preset: azure}\n%s",
		 rest);
	lab_open(lab, text);
}

static uint32_t offer(struct lab *lab, uint16_t src, uint8_t dscp, uint32_t load_ppm, uint64_t ps)
{
	return lab_flow(lab, (struct lab_flow){.src = src,
					       .dst = 3,
					       .dscp = dscp,
					       .len = LEN,
					       .load_ppm = load_ppm,
					       .stop_ps = lab->now + ps});
}

static uint64_t lost(const struct lab *lab, uint32_t flow)
{
	return lab->flows[flow].sent - lab->flows[flow].received;
}

static void nothing_lost(struct lab *lab)
{
	for (uint32_t i = 0; i < lab->n_flows; i++) {
		CU_ASSERT(lab->flows[i].sent > 0);
		CU_ASSERT_EQUAL(lost(lab, i), 0);
		CU_ASSERT_EQUAL(lab->flows[i].out_of_order, 0);
	}
	CU_ASSERT_EQUAL(lab_drops(lab), 0);
}

static bool only_lossless_say_xoff(struct lab *lab)
{
	uint64_t lossless = 0, others = 0;

	for (uint16_t h = 1; h <= lab->n_hosts; h++)
		for (int p = 0; p < SW_PRIOS; p++)
			*(p == 3 || p == 4 ? &lossless : &others) +=
				lab_prio(lab, h, SW_PRIO_PFC_TX, p);
	CU_ASSERT_EQUAL(others, 0);
	return lossless > 0;
}

/* ---- A3.5 ---- */

/* A sender at line rate that reacts after `quanta`, into a held port, with headroom for `room`. */
static uint64_t drops_after(uint64_t room, uint64_t quanta)
{
	char set[64];
	struct lab lab;
	uint64_t drops;

	begin(&lab, "");
	snprintf(set, sizeof(set), "switch.buffer.headroom=%lluB", (unsigned long long)room);
	lab_set(&lab, set);
	lab_set(&lab, "switch.buffer.alpha=1/65536");
	lab.hosts[1].response_ps = lab_quanta_ps(&lab, 1, (uint32_t)quanta);
	lab_hold(&lab, 3, true);
	offer(&lab, 1, 3, 0, 100 * LAB_US);
	lab_for(&lab, 200 * LAB_US);
	drops = lab_pg(&lab, 1, 3)->dropped;
	CU_ASSERT_EQUAL(drops, lab_drops(&lab));
	if (drops > 0) /* up to the last frame that fits */
		CU_ASSERT(lab_pg(&lab, 1, 3)->max_headroom_bytes + LEN > room);
	lab_close(&lab);
	return drops;
}

/* The reaction from which on frames are lost is the one that the formula has room for. */
static void pause_response(void)
{
	struct headroom_input in = {.peer = HEADROOM_SIMULATED,
				    .rate_bps = 100000000000,
				    .delay_ps = LAB_US,
				    .mtu_bytes = LEN - 14 - 4,
				    .overhead_bytes = 24,
				    .cell_bytes = 1};
	char terms[256];

	for (uint64_t quanta = 100; quanta <= 4000; quanta = 2 * quanta + 77) {
		uint64_t low = 0, high = 20000, room, need;

		in.response_ps = quanta * 5120;
		room = headroom_auto(&in, terms, sizeof(terms));
		CU_ASSERT_EQUAL(drops_after(room, quanta), 0);
		while (high - low > 1) {
			uint64_t middle = (low + high) / 2;

			*(drops_after(room, middle) > 0 ? &high : &low) = middle;
		}
		/* No frame of the switch's own is in the way here: one frame more than quanta. */
		need = (high - quanta) * 64;
		CU_ASSERT(high > quanta && need <= 3 * (LEN + 24));
	}
}

/* ---- A3.10 ---- */

/* (a) Two into one, 110 % and 115 %: lossless senders are told, nobody loses. */
static void lossless_oversubscription(uint32_t lossless_ppm, uint32_t lossy_ppm)
{
	struct lab lab;

	begin(&lab, "");
	for (uint16_t src = 1; src <= 2; src++) {
		offer(&lab, src, src == 1 ? 3 : 4, lossless_ppm, 10 * LAB_MS);
		offer(&lab, src, src == 1 ? 8 : 0, lossy_ppm, 10 * LAB_MS);
	}
	lab_settle(&lab);
	nothing_lost(&lab);
	CU_ASSERT(lab_prio(&lab, 1, SW_PRIO_PFC_TX, 3) > 0);
	CU_ASSERT(lab_prio(&lab, 2, SW_PRIO_PFC_TX, 4) > 0);
	CU_ASSERT_TRUE(only_lossless_say_xoff(&lab));
	lab_close(&lab);
}

static void oversubscribed(void)
{
	lossless_oversubscription(300000, 250000);
	lossless_oversubscription(350000, 225000);
}

/* (b) Lossy alone above the line: it loses what is above, at the egress; nobody is told to stop. */
static void lossy_oversubscription(void)
{
	struct lab lab;
	uint32_t lossless, lossy;

	begin(&lab, "");
	lab_set(&lab, "switch.buffer.size=2MB");
	lossless = offer(&lab, 1, 3, 150000, 10 * LAB_MS);
	lossy = offer(&lab, 1, 8, 500000, 10 * LAB_MS);
	offer(&lab, 2, 8, 500000, 10 * LAB_MS);
	lab_settle(&lab);
	CU_ASSERT_EQUAL(lost(&lab, lossless), 0);
	CU_ASSERT(lost(&lab, lossy) + lost(&lab, lossy + 1) > 0);
	CU_ASSERT_EQUAL(lab_port(&lab, 3)->drops[SW_DROP_QUEUE_FULL], lab_drops(&lab));
	CU_ASSERT_FALSE(only_lossless_say_xoff(&lab));
	lab_close(&lab);
}

/* (c) Bursts of 10 us at line rate from both, and nothing for as long: lossless stays whole. */
static void fluctuating(void)
{
	struct lab lab;

	begin(&lab, "");
	lab_set(&lab, "switch.buffer.size=600KB");
	for (unsigned i = 0; i < 100; i++)
		for (uint16_t src = 1; src <= 2; src++)
			lab_flow(&lab, (struct lab_flow){.src = src,
							 .dst = 3,
							 .dscp = 3,
							 .len = LEN,
							 .start_ps = (1 + 20 * i) * LAB_US,
							 .count = 119});
	lab_settle(&lab);
	nothing_lost(&lab);
	CU_ASSERT_TRUE(only_lossless_say_xoff(&lab));
	lab_close(&lab);
}

/* (e) The receiver storms for half of the time: nothing is lost or out of order, then all flows. */
static void external_storm(void)
{
	struct lab_storm storm = {.host = 3, .start_ps = 3 * LAB_MS, .stop_ps = 8 * LAB_MS};
	struct lab lab;
	uint64_t before, during, after, line;

	begin(&lab, "");
	storm.period_ps = lab_storm_period(&lab, 3);
	lab_pfc_bytes(storm.bytes, 0x18, 0xffff);
	lab_storm(&lab, storm);
	offer(&lab, 1, 3, 300000, 12 * LAB_MS);
	offer(&lab, 2, 4, 300000, 12 * LAB_MS);
	offer(&lab, 1, 8, 200000, 12 * LAB_MS);
	lab_for(&lab, 3 * LAB_MS + 10 * LAB_US);
	before = lab.flows[0].received;
	CU_ASSERT(before > 0);
	lab_to(&lab, 8 * LAB_MS);
	during = lab.flows[0].received - before;
	CU_ASSERT_EQUAL(during, 0);
	CU_ASSERT_EQUAL(lost(&lab, 2) < 20, true); /* the lossy one: on its way only */
	/* Everything that waited leaves; then as much comes out as goes in. */
	lab_to(&lab, 11 * LAB_MS);
	after = lab.flows[0].received;
	lab_to(&lab, 12 * LAB_MS);
	line = LAB_MS / lab_wire_ps(&lab, 3, LEN);
	CU_ASSERT(lab.flows[0].received - after >= line * 29 / 100);
	lab_settle(&lab);
	nothing_lost(&lab);
	lab_close(&lab);
}

/* ---- A3.11, A3.12 ---- */

/* One into one at line rate, in any mix: all of it, and no PFC. */
static void no_congestion(void)
{
	static const uint8_t mixes[][4] = {{3, 3, 3, 3}, {8, 8, 8, 8}, {3, 4, 8, 0}};

	for (size_t i = 0; i < 3; i++) {
		struct lab lab;
		uint64_t received = 0;

		begin(&lab, "");
		for (int f = 0; f < 4; f++)
			offer(&lab, 1, mixes[i][f], 250000, 5 * LAB_MS);
		lab_settle(&lab);
		nothing_lost(&lab);
		CU_ASSERT_FALSE(only_lossless_say_xoff(&lab));
		for (int f = 0; f < 4; f++)
			received += lab.flows[f].received;
		CU_ASSERT(received >= 5 * LAB_MS / lab_wire_ps(&lab, 1, LEN) - 4);
		lab_close(&lab);
	}
}

/* 400 Gb/s into 100 Gb/s: the fast sender is slowed down to what goes out, which is all of 100. */
static void mixed_speed(void)
{
	struct lab lab;
	uint64_t from;

	begin(&lab, "ports: {s1-h1: {rate: 400Gbps}}\n");
	lab_set(&lab, "switch.buffer.size=8MB");
	offer(&lab, 1, 3, 400000, 5 * LAB_MS);
	offer(&lab, 1, 4, 400000, 5 * LAB_MS);
	offer(&lab, 1, 8, 50000, 5 * LAB_MS); /* 20 Gb/s: below its share */
	lab_for(&lab, LAB_MS);
	from = lab_port(&lab, 3)->counters[SW_PORT_TX_PACKETS];
	lab_for(&lab, 3 * LAB_MS);
	CU_ASSERT(lab_port(&lab, 3)->counters[SW_PORT_TX_PACKETS] - from >=
		  3 * LAB_MS / lab_wire_ps(&lab, 3, LEN) - 1);
	lab_settle(&lab);
	nothing_lost(&lab);
	CU_ASSERT_TRUE(only_lossless_say_xoff(&lab));
	CU_ASSERT_EQUAL(lab_pfc_tx(&lab, 3), 0);
	lab_close(&lab);
}

/* ---- A2.10 ---- */

static bool survives(const char *rest, uint8_t dscp, uint16_t len, uint32_t load_ppm)
{
	struct lab lab;
	bool whole;

	begin(&lab, rest);
	lab_set(&lab, "switch.buffer.size=1MB");
	lab_set(&lab, "switch.buffer.headroom=30KB");
	lab_set(&lab, "switch.buffer.lossy_alpha=1/16");
	lab_flow(&lab, (struct lab_flow){.src = 1,
					 .dst = 3,
					 .dscp = dscp,
					 .len = len,
					 .load_ppm = load_ppm,
					 .stop_ps = LAB_MS});
	lab_settle(&lab);
	whole = lab_drops(&lab) == 0;
	if (whole)
		nothing_lost(&lab);
	lab_close(&lab);
	return whole;
}

/* The highest load, in 1/1000 of the sender's line, that loses nothing. */
static uint32_t best_load(const char *rest, uint8_t dscp, uint16_t len)
{
	uint32_t low = 0, high = 1000;

	if (survives(rest, dscp, len, 1000000))
		return 1000;
	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;

		*(survives(rest, dscp, len, middle * 1000) ? &low : &high) = middle;
	}
	return low;
}

static void best_rate_without_loss(void)
{
	static const uint16_t sizes[] = {64, 128, 256, 512, 1024, 1518, 2048, 4096, 8192};
	static const char jumbo[] = "ports: {s1-h3: {mtu: 9000B}}\n";
	static const char slow[] = "ports: {s1-h3: {mtu: 9000B, rate: 40Gbps}}\n";

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		CU_ASSERT_EQUAL(best_load(jumbo, 3, sizes[i]), 1000);
		CU_ASSERT_EQUAL(best_load(jumbo, 8, sizes[i]), 1000);
		CU_ASSERT_EQUAL(best_load(slow, 3, sizes[i]), 1000); /* slowed down by PFC */
	}
	/* Lossy: 40 %, and what some 50 KB of buffer take up in 1 ms. */
	for (size_t i = 3; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint32_t best = best_load(slow, 8, sizes[i]);

		CU_ASSERT(best >= 400 && best <= 404);
	}
}

/* Alone on its way a frame takes its bits twice, two cables and the switch's latency, at any load. */
static void latency_at_loads(void)
{
	static const uint16_t sizes[] = {64, 512, 1518, 4096};
	static const uint32_t loads[] = {100000, 250000, 500000, 750000, 1000000};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (size_t l = 0; l < sizeof(loads) / sizeof(loads[0]); l++) {
			struct lab lab;
			uint64_t want;

			begin(&lab, "");
			want = 2 * lab_wire_ps(&lab, 1, sizes[i]) + 2 * LAB_US + 500 * LAB_NS;
			lab_flow(&lab, (struct lab_flow){.src = 1,
							 .dst = 3,
							 .dscp = 3,
							 .len = sizes[i],
							 .load_ppm = loads[l],
							 .count = 1000});
			lab_settle(&lab);
			CU_ASSERT_EQUAL(lab.flows[0].received, 1000);
			CU_ASSERT_EQUAL(lab.flows[0].least_ps, want);
			CU_ASSERT_EQUAL(lab.flows[0].most_ps, want);
			lab_close(&lab);
		}
}

static const struct cu_case cases[] = {
	{"A3_5__pause_response", pause_response},
	{"A3_10__lossless_oversubscription", oversubscribed},
	{"A3_10__lossy_oversubscription", lossy_oversubscription},
	{"A3_10__fluctuating", fluctuating},
	{"A3_10__external_storm", external_storm},
	{"A3_11__no_congestion", no_congestion},
	{"A3_12__mixed_speed", mixed_speed},
	{"A2_10__best_rate_without_loss", best_rate_without_loss},
	{"A2_10__latency_at_loads", latency_at_loads},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("behaviour/congestion", cases);
}
