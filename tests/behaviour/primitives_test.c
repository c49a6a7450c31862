/* SPDX-License-Identifier: BSD-3-Clause */
/* A.0: what every other case stands on: hold, cells, quanta, storms. */
#include "lab.h"

#include <string.h>

#include "tests/unit/cu.h"

#define LINE(rate)                                                               \
	"topology: {kind: star, hosts: 3, link: {rate: " rate ", delay: 1us}}\n" \
	"switch: {preset: azure, latency: 0ns}\n"

/* ---- hold ---- */

static void hold_leaks_nothing(void)
{
	struct lab lab;
	uint64_t held_at;
	uint32_t f;

	lab_open(&lab, LINE("100Gbps"));
	lab.keep = true;
	f = lab_flow(&lab, (struct lab_flow){.src = 1, .dst = 2, .dscp = 3, .len = 1024});
	lab_for(&lab, 20 * LAB_US);
	lab_hold(&lab, 2, true);
	held_at = lab.now;
	lab_for(&lab, 20 * LAB_US);
	CU_ASSERT(lab.n_recs > 0);
	CU_ASSERT(lab.recs[lab.n_recs - 1].t_ps < held_at);
	CU_ASSERT(lab_queue(&lab, 2, 3)->packets > 200); /* ingress goes on */
	CU_ASSERT_EQUAL(lab_port(&lab, 2)->counters[SW_PORT_TX_PACKETS], lab.flows[f].received);
	/* The other ports do not notice. */
	CU_ASSERT_EQUAL(lab_burst(&lab, 1, 3, 4, 64, 10), 1);
	lab_for(&lab, 2 * LAB_US);
	CU_ASSERT_EQUAL(lab.flows[1].received, 10);
	lab_close(&lab);
}

static void release_gives_all(void)
{
	struct lab lab;
	uint32_t f;

	lab_open(&lab, LINE("100Gbps"));
	lab_hold(&lab, 2, true);
	f = lab_burst(&lab, 1, 2, 3, 64, 500);
	lab_for(&lab, 500 * LAB_MS);
	CU_ASSERT_EQUAL(lab.flows[f].received, 0);
	lab_hold(&lab, 2, false);
	lab_settle(&lab);
	CU_ASSERT_EQUAL(lab.flows[f].received, 500);
	CU_ASSERT_EQUAL(lab.flows[f].out_of_order, 0);
	/* Back to back, from the release on. */
	CU_ASSERT_EQUAL(lab.flows[f].last_ps - lab.flows[f].first_ps,
			499 * lab_wire_ps(&lab, 2, 64));
	lab_close(&lab);
}

/* ---- cells ---- */

static void cells_of_a_frame(void)
{
	static const uint16_t lens[] = {60,  64,  253, 254,  255,  256,
					257, 508, 509, 1024, 1514, 9000};
	static const uint32_t cells[] = {1, 254, 256};
	char set[64];

	for (size_t c = 0; c < 3; c++)
		for (size_t l = 0; l < sizeof(lens) / sizeof(lens[0]); l++) {
			uint64_t want = (lens[l] + cells[c] - 1) / cells[c] * cells[c];
			struct lab lab;

			lab_open(&lab, LINE("100Gbps") "ports: {s1-h2: {mtu: 9000B}}\n");
			snprintf(set, sizeof(set), "switch.buffer.cell=%uB", cells[c]);
			lab_set(&lab, set);
			lab_hold(&lab, 2, true);
			lab_burst(&lab, 1, 2, 3, lens[l], 7);
			CU_ASSERT_EQUAL(lab_pg(&lab, 1, 3)->total_bytes, 7 * want);
			CU_ASSERT_EQUAL(lab_stats(&lab)->buffer_bytes, 7 * want);
			lab_close(&lab);
		}
}

/* ---- quanta ---- */

/* A frame behind a pause of full quanta leaves when they are over: 512 bit times of that speed each. */
static void quantum_by_speed(void)
{
	static const struct {
		const char *scenario;
		uint64_t full_ps;
	} speeds[] = {
		{LINE("400Gbps"), 83884800},     {LINE("100Gbps"), 335539200},
		{LINE("40Gbps"), 838848000},     {LINE("25Gbps"), 1342156800},
		{LINE("10Gbps"), 3355392000},    {LINE("1Gbps"), 33553920000},
		{LINE("100Mbps"), 335539200000},
	};

	for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
		struct lab lab;
		uint64_t paused;

		lab_open(&lab, speeds[i].scenario);
		lab_pfc(&lab, 2, 0x08, 0xffff);
		paused = lab.now - 1;
		lab.keep = true;
		lab_burst(&lab, 1, 2, 3, 64, 1);
		lab_settle(&lab);
		CU_ASSERT_EQUAL_FATAL(lab.n_recs, 1);
		CU_ASSERT_EQUAL(lab.recs[0].t_ps, paused + speeds[i].full_ps);
		CU_ASSERT_EQUAL(lab_quanta_ps(&lab, 2, 0xffff), speeds[i].full_ps);
		lab_close(&lab);
	}
}

static void time_zero_resumes(void)
{
	struct lab lab;
	uint64_t resumed;

	lab_open(&lab, LINE("10Gbps"));
	lab_pfc(&lab, 2, 0x18, 0xffff);
	lab_burst(&lab, 1, 2, 3, 64, 1);
	lab_burst(&lab, 1, 2, 4, 64, 1);
	lab.keep = true;
	lab_pfc(&lab, 2, 0x08, 0);
	resumed = lab.now - 1;
	lab_for(&lab, 10 * LAB_US);
	CU_ASSERT_EQUAL_FATAL(lab.n_recs, 1); /* 4 is still paused */
	CU_ASSERT_EQUAL(lab.recs[0].t_ps, resumed);
	CU_ASSERT_EQUAL(lab.recs[0].queue, 3);
	lab_close(&lab);
}

/* int(2 / (65535 x 512 / speed)) frames a second keep a queue still for good; half of it does not. */
static void storm_rate_holds(void)
{
	static const struct {
		const char *scenario;
		uint64_t pps;
	} speeds[] = {{LINE("100Gbps"), 5960}, {LINE("10Gbps"), 596}, {LINE("1Gbps"), 59}};

	for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
		struct lab_storm storm = {.host = 2};
		struct lab lab;
		uint32_t f;

		lab_open(&lab, speeds[i].scenario);
		CU_ASSERT_EQUAL(LAB_S / lab_storm_period(&lab, 2), speeds[i].pps);
		storm.period_ps = LAB_S / speeds[i].pps;
		storm.stop_ps = 100 * storm.period_ps;
		lab_pfc_bytes(storm.bytes, 0x08, 0xffff);
		lab_storm(&lab, storm);
		lab_for(&lab, 10 * LAB_US);
		f = lab_burst(&lab, 1, 2, 3, 64, 10);
		lab_to(&lab, storm.stop_ps);
		CU_ASSERT_EQUAL(lab.flows[f].received, 0);
		CU_ASSERT_EQUAL(lab_prio(&lab, 2, SW_PRIO_PFC_RX, 3), 100);
		lab_settle(&lab);
		CU_ASSERT_EQUAL(lab.flows[f].received, 10);
		lab_close(&lab);
	}
}

static const struct cu_case cases[] = {
	{"A0__hold_leaks_nothing", hold_leaks_nothing},
	{"A0__release_gives_all", release_gives_all},
	{"A0__cells_of_a_frame", cells_of_a_frame},
	{"A0__quantum_by_speed", quantum_by_speed},
	{"A0__time_zero_resumes", time_zero_resumes},
	{"A0__storm_rate_holds", storm_rate_holds},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("behaviour/primitives", cases);
}
