/* SPDX-License-Identifier: BSD-3-Clause */
/* The bench itself: hosts that serialise, wait, honour and count as they should. */
#include "lab.h"

#include "tests/unit/cu.h"

#define WIRE_1024 83840ULL /* 1,024 + 24 bytes at 100 Gb/s */

static const char two[] = "topology: {kind: star, hosts: 2, link: {rate: 100Gbps, delay: 1us}}\n"
			  "switch: {preset: azure, latency: 0us}\n"
			  "host: {pfc_response: 3us}\n";

/* A frame is at the switch with its last bit, and at the other host as much later again. */
static void times_on_the_way(void)
{
	struct lab lab;
	uint32_t f;

	lab_open(&lab, two);
	f = lab_flow(&lab,
		     (struct lab_flow){.src = 1, .dst = 2, .dscp = 3, .len = 1024, .count = 3});
	lab_settle(&lab);
	CU_ASSERT_EQUAL(lab.flows[f].received, 3);
	CU_ASSERT_EQUAL(lab.flows[f].first_ps, 2 * (WIRE_1024 + LAB_US));
	CU_ASSERT_EQUAL(lab.flows[f].last_ps, lab.flows[f].first_ps + 2 * WIRE_1024);
	CU_ASSERT_EQUAL(lab.flows[f].out_of_order, 0);
	lab_close(&lab);
}

/* Two flows of one host share its link in turns; one with a load takes that. */
static void flows_share_a_link(void)
{
	struct lab lab;
	uint32_t a, b, c;

	lab_open(&lab, two);
	a = lab_flow(&lab, (struct lab_flow){.src = 1, .dst = 2, .dscp = 3, .len = 1024});
	b = lab_flow(&lab, (struct lab_flow){.src = 1, .dst = 2, .dscp = 4, .len = 1024});
	c = lab_flow(&lab, (struct lab_flow){
				   .src = 2, .dst = 1, .dscp = 3, .len = 1024, .load_ppm = 250000});
	lab_to(&lab, 1000 * WIRE_1024);
	CU_ASSERT_EQUAL(lab.flows[a].sent, 500);
	CU_ASSERT_EQUAL(lab.flows[b].sent, 500);
	CU_ASSERT_EQUAL(lab.flows[c].sent, 250);
	lab_close(&lab);
}

/* Xoff goes out at t: it acts a PFC frame, a cable and a response later, and only on its class. */
static void pauses_after_its_response(void)
{
	struct lab lab;
	uint64_t told, until;
	uint32_t a, b;

	lab_open(&lab, two);
	lab_hold(&lab, 2, true);
	a = lab_flow(&lab, (struct lab_flow){.src = 1, .dst = 2, .dscp = 3, .len = 1024});
	while (lab.hosts[1].pfc_seen[3] == 0)
		lab_for(&lab, LAB_US);
	told = lab.hosts[1].last_pfc_ps;
	until = told + lab_wire_ps(&lab, 1, 60) + 4 * LAB_US;
	lab_to(&lab, until + LAB_US);
	/* What had begun by then is all. */
	CU_ASSERT_EQUAL(lab.flows[a].sent, (until + WIRE_1024 - 1) / WIRE_1024);
	CU_ASSERT_EQUAL(lab.hosts[1].paused_until[3], until + lab_quanta_ps(&lab, 1, 0xffff));
	b = lab_flow(&lab,
		     (struct lab_flow){.src = 1, .dst = 2, .dscp = 4, .len = 1024, .count = 10});
	lab_for(&lab, 10 * LAB_US);
	CU_ASSERT_EQUAL(lab.flows[b].sent, 10);
	lab_for(&lab, 2 * LAB_MS); /* refreshed: still nothing */
	CU_ASSERT_EQUAL(lab.flows[a].sent, (until + WIRE_1024 - 1) / WIRE_1024);
	CU_ASSERT(lab.hosts[1].pfc_seen[3] > 10);
	lab_hold(&lab, 2, false);
	lab_for(&lab, LAB_MS);
	CU_ASSERT(lab.flows[a].received > 10000);
	CU_ASSERT_EQUAL(lab_drops(&lab), 0);
	lab_close(&lab);
}

/* A pause that is not refreshed ends with its quanta. */
static void pause_expires(void)
{
	struct lab lab;
	uint32_t f;

	lab_open(&lab, two);
	lab_pfc(&lab, 2, 0x08, 1000);
	f = lab_flow(&lab,
		     (struct lab_flow){.src = 1, .dst = 2, .dscp = 3, .len = 1024, .count = 1});
	lab_settle(&lab);
	/* 84 bytes and the cable to the switch, 1,000 quanta there. */
	CU_ASSERT_EQUAL(lab.flows[f].last_ps, 6720 + LAB_US + 1000 * 5120ULL + WIRE_1024 + LAB_US);
	lab_close(&lab);
}

static void storm_has_a_duty_cycle(void)
{
	struct lab_storm storm = {
		.host = 2, .period_ps = LAB_US, .on_ps = 10 * LAB_US, .off_ps = 90 * LAB_US};
	struct lab lab;

	lab_open(&lab, two);
	lab_pfc_bytes(storm.bytes, 0x18, 0xffff);
	storm.stop_ps = LAB_MS;
	lab_storm(&lab, storm);
	lab_settle(&lab);
	CU_ASSERT_EQUAL(lab_prio(&lab, 2, SW_PRIO_PFC_RX, 3), 100);
	CU_ASSERT_EQUAL(lab_prio(&lab, 2, SW_PRIO_PFC_RX, 4), 100);
	CU_ASSERT_EQUAL(lab_stats(&lab)->rx, 0);
	lab_close(&lab);
}

static void bursts_arrive_whole(void)
{
	struct lab lab;

	lab_open(&lab, two);
	lab_hold(&lab, 2, true);
	lab_burst(&lab, 1, 2, 3, 1024, 7);
	CU_ASSERT_EQUAL(lab_stats(&lab)->rx, 7);
	CU_ASSERT_EQUAL(lab.now, 7 * WIRE_1024 + LAB_US + 1);
	lab_burst(&lab, 1, 2, 0, 60, 5);
	CU_ASSERT_EQUAL(lab_stats(&lab)->rx, 12);
	CU_ASSERT_EQUAL(lab_queue(&lab, 2, 3)->packets, 7);
	lab_hold(&lab, 2, false);
	lab_settle(&lab);
	CU_ASSERT_EQUAL(lab_stats(&lab)->held, 0);
	lab_close(&lab);
}

static const struct cu_case cases[] = {
	{"lab_flow__times_on_the_way", times_on_the_way},
	{"lab_flow__flows_share_a_link", flows_share_a_link},
	{"lab_flow__pauses_after_its_response", pauses_after_its_response},
	{"lab_pfc__pause_expires", pause_expires},
	{"lab_storm__has_a_duty_cycle", storm_has_a_duty_cycle},
	{"lab_burst__arrives_whole", bursts_arrive_whole},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("behaviour/lab", cases);
}
