/* SPDX-License-Identifier: BSD-3-Clause */
/* A5 with hosts that honour pauses (with deaf senders: tests/unit/dataplane/model/watchdog_test.c), and
 * what else waits for a storm to end: A1.7, A2.9, A3.10 (f). Times of the watchdog are the plans' own; a
 * flow has 1/1000 of the line, which is some 12 frames a millisecond. */
#include "lab.h"

#include <string.h>

#include "tests/unit/cu.h"

#define LEN 1000

static void begin(struct lab *lab, const char *watchdog)
{
	char text[600];

	snprintf(text, sizeof(text),
		 "topology: {kind: star, hosts: 3, link: {rate: 100Gbps, delay: 1us}}\n"
		 "switch: {preset: azure, buffer: {size: 4MB}, pfc: {watchdog: %s}}\n",
		 watchdog);
	lab_open(lab, text);
}

static uint32_t storm(struct lab *lab, uint16_t host, uint16_t vector, uint64_t from, uint64_t to)
{
	struct lab_storm storm = {.host = host,
				  .start_ps = from,
				  .stop_ps = to,
				  .period_ps = lab_storm_period(lab, host)};

	lab_pfc_bytes(storm.bytes, vector, 0xffff);
	return lab_storm(lab, storm);
}

static uint32_t flow(struct lab *lab, uint16_t src, uint16_t dst, uint8_t dscp, uint64_t from,
		     uint64_t to)
{
	return lab_flow(lab, (struct lab_flow){.src = src,
					       .dst = dst,
					       .dscp = dscp,
					       .len = LEN,
					       .load_ppm = 1000,
					       .start_ps = from,
					       .stop_ps = to});
}

static uint64_t watch(struct lab *lab, uint16_t host, int queue, int counter)
{
	return lab_queue(lab, host, queue)->watchdog.counters[counter];
}

static uint64_t lost(const struct lab *lab, uint32_t f)
{
	return lab->flows[f].sent - lab->flows[f].received;
}

/* ---- A5.4 ---- */

/* 400 and 400 ms, polled every 200: a storm of ceil(detect + poll + 0.1 s), 1 s. What is sent into it
 * (from restore / 2 on, for as long) is lost, 70 % at least; what is sent from restore + poll after its
 * end, for a second, is not. Whether an empty queue counts changes when it is seen, not what is lost. */
static void storm_of_a_second(const char *watchdog)
{
	struct lab lab;
	uint32_t in, after;

	begin(&lab, watchdog);
	storm(&lab, 3, 0x08, LAB_MS, 1001 * LAB_MS);
	in = flow(&lab, 1, 3, 3, 201 * LAB_MS, 401 * LAB_MS);
	after = flow(&lab, 2, 3, 3, 1601 * LAB_MS, 2601 * LAB_MS);
	lab_settle(&lab);
	CU_ASSERT_EQUAL(watch(&lab, 3, 3, SW_WATCHDOG_STORM_DETECTED), 1);
	CU_ASSERT_EQUAL(watch(&lab, 3, 3, SW_WATCHDOG_STORM_RESTORED), 1);
	CU_ASSERT(lab.flows[in].sent > 400);
	CU_ASSERT(lost(&lab, in) * 10 >= lab.flows[in].sent * 7);
	CU_ASSERT(lab.flows[after].sent > 10000);
	CU_ASSERT_EQUAL(lost(&lab, after), 0);
	CU_ASSERT_EQUAL(lab_drops(&lab), lost(&lab, in));
	CU_ASSERT_EQUAL(lab_stats(&lab)->drops[SW_DROP_WATCHDOG], lab_drops(&lab));
	lab_close(&lab);
}

static void timeline(void)
{
	storm_of_a_second("{detect: 400ms, restore: 400ms, poll: 200ms}");
	storm_of_a_second("{detect: 400ms, restore: 400ms, poll: 200ms, idle_counts: on}");
}

/* Half of detect: a pause like any other, and nothing is lost. */
static void no_trigger(void)
{
	struct lab lab;

	begin(&lab, "{detect: 400ms, restore: 400ms, poll: 200ms}");
	storm(&lab, 3, 0x08, LAB_MS, 201 * LAB_MS);
	flow(&lab, 1, 3, 3, 50 * LAB_MS, 400 * LAB_MS);
	flow(&lab, 2, 3, 3, 600 * LAB_MS, 900 * LAB_MS);
	lab_settle(&lab);
	CU_ASSERT_EQUAL(watch(&lab, 3, 3, SW_WATCHDOG_STORM_DETECTED), 0);
	CU_ASSERT_EQUAL(lab_drops(&lab), 0);
	for (uint32_t i = 0; i < 2; i++)
		CU_ASSERT(lab.flows[i].sent > 1000 && lost(&lab, i) == 0);
	lab_close(&lab);
}

/* ---- A35: who sends into a storm is paused before it is seen, and not after ---- */

static void drop_mode_pauses_nobody(void)
{
	struct lab lab;
	uint64_t told;
	uint32_t f;

	begin(&lab, "{detect: 200ms, restore: 200ms, poll: 100ms}");
	storm(&lab, 3, 0x08, LAB_MS, 1001 * LAB_MS);
	f = flow(&lab, 1, 3, 3, LAB_MS, 900 * LAB_MS);
	lab_to(&lab, 200 * LAB_MS);
	CU_ASSERT_TRUE(lab_pg(&lab, 1, 3)->xoff); /* nothing leaves: its sender is told */
	lab_to(&lab, 302 * LAB_MS);
	CU_ASSERT_EQUAL(lab_queue(&lab, 3, 3)->watchdog.stormed, 1);
	CU_ASSERT_FALSE(lab_pg(&lab, 1, 3)->xoff);
	told = lab_prio(&lab, 1, SW_PRIO_PFC_TX, 3);
	lab_to(&lab, 900 * LAB_MS);
	CU_ASSERT_EQUAL(lab_prio(&lab, 1, SW_PRIO_PFC_TX, 3), told);
	CU_ASSERT(lab.flows[f].sent > 5000);
	CU_ASSERT_EQUAL(lab.flows[f].received, 0);
	lab_close(&lab);
}

/* ---- A5.8: storms everywhere, hosts that all send ---- */

static void all_ports(void)
{
	struct lab lab;

	begin(&lab, "{detect: 200ms, restore: 200ms, poll: 100ms}");
	for (uint16_t h = 1; h <= 3; h++) {
		storm(&lab, h, 0x18, LAB_MS, 1001 * LAB_MS);
		flow(&lab, h, h % 3 + 1, 3, 2 * LAB_MS, 500 * LAB_MS);
		flow(&lab, h, h % 3 + 1, 4, 2 * LAB_MS, 500 * LAB_MS);
	}
	lab_to(&lab, 1400 * LAB_MS);
	for (uint16_t h = 1; h <= 3; h++)
		for (int q = 3; q <= 4; q++) {
			CU_ASSERT_EQUAL(watch(&lab, h, q, SW_WATCHDOG_STORM_DETECTED), 1);
			CU_ASSERT_EQUAL(watch(&lab, h, q, SW_WATCHDOG_STORM_RESTORED), 1);
			flow(&lab, h, h % 3 + 1, q == 3 ? 3 : 4, 0, 1500 * LAB_MS);
		}
	lab_settle(&lab);
	for (uint32_t i = 6; i < lab.n_flows; i++)
		CU_ASSERT(lab.flows[i].sent > 1000 && lost(&lab, i) == 0);
	CU_ASSERT_EQUAL(lab_stats(&lab)->held, 0);
	lab_close(&lab);
}

/* ---- A3.10 (f): pauses that throttle are no storm ---- */

/* Still for 400 us, open for 400: half of the line, whatever is offered, and no storm in a second. */
static void throttling(void)
{
	struct lab_storm slow = {.host = 3, .period_ps = 800 * LAB_US, .stop_ps = 500 * LAB_MS};
	struct lab lab;
	uint64_t line, from;

	lab_open(&lab, "topology: {kind: star, hosts: 3, link: {rate: 10Gbps, delay: 1us}}\n"
		       "switch: {preset: azure, buffer: {size: 4MB},\n"
		       "  pfc: {watchdog: {detect: 100ms, restore: 100ms, poll: 100ms}}}\n");
	/* 51.2 ns a quantum */
	lab_pfc_bytes(slow.bytes, 0x08, (uint16_t)(400 * LAB_US / 51200));
	lab_storm(&lab, slow);
	lab_flow(&lab, (struct lab_flow){
			       .src = 1, .dst = 3, .dscp = 3, .len = LEN, .stop_ps = 450 * LAB_MS});
	lab_to(&lab, 100 * LAB_MS);
	from = lab.flows[0].received;
	lab_to(&lab, 400 * LAB_MS);
	line = 300 * LAB_MS / lab_wire_ps(&lab, 3, LEN);
	CU_ASSERT(lab.flows[0].received - from > line * 49 / 100);
	CU_ASSERT(lab.flows[0].received - from < line * 51 / 100);
	lab_settle(&lab);
	CU_ASSERT_EQUAL(watch(&lab, 3, 3, SW_WATCHDOG_STORM_DETECTED), 0);
	CU_ASSERT_EQUAL(lost(&lab, 0), 0);
	CU_ASSERT_EQUAL(lab_drops(&lab), 0);
	lab_close(&lab);
}

/* ---- A1.7 ---- */

/* Occupancy in a shared headroom, a storm, restored, drained: no PFC any more and nothing left. */
static void storm_over_shared_headroom(void)
{
	struct lab lab;
	uint64_t told;

	begin(&lab, "{detect: 200ms, restore: 200ms, poll: 100ms}");
	lab_set(&lab, "switch.buffer.size=600KB");
	lab_set(&lab, "switch.buffer.headroom_pool=60KB");
	storm(&lab, 3, 0x08, LAB_MS, 601 * LAB_MS);
	lab_to(&lab, 2 * LAB_MS);
	for (uint16_t src = 1; src <= 2; src++)
		lab_flow(&lab, (struct lab_flow){.src = src,
						 .dst = 3,
						 .dscp = 3,
						 .len = LEN,
						 .stop_ps = 3 * LAB_MS});
	lab_to(&lab, 150 * LAB_MS);
	CU_ASSERT(lab_pg(&lab, 1, 3)->max_headroom_bytes > 0);
	CU_ASSERT(lab_stats(&lab)->headroom_max_bytes > 0);
	CU_ASSERT(lab_stats(&lab)->headroom_max_bytes <= 60000);
	CU_ASSERT_EQUAL(lab_drops(&lab), 0);
	lab_to(&lab, 1000 * LAB_MS);
	CU_ASSERT_EQUAL(watch(&lab, 3, 3, SW_WATCHDOG_STORM_DETECTED), 1);
	CU_ASSERT_EQUAL(watch(&lab, 3, 3, SW_WATCHDOG_STORM_RESTORED), 1);
	told = lab_pfc_tx(&lab, 1) + lab_pfc_tx(&lab, 2);
	lab_for(&lab, 2 * LAB_S);
	CU_ASSERT_EQUAL(lab_pfc_tx(&lab, 1) + lab_pfc_tx(&lab, 2), told);
	CU_ASSERT_EQUAL(lab_stats(&lab)->headroom_bytes + lab_stats(&lab)->buffer_bytes, 0);
	/* What waited in the storm was the watchdog's; nothing else was lost. */
	CU_ASSERT_EQUAL(lab_drops(&lab), lab_stats(&lab)->drops[SW_DROP_WATCHDOG]);
	lab_close(&lab);
}

/* ---- A2.9 ---- */

/* A queue that a peer keeps shut for good is empty after detect and a poll; one that its owner holds is
 * his: it waits. */
static void stuck_queue_empties(void)
{
	struct lab lab;

	begin(&lab, "{detect: 200ms, restore: 200ms, poll: 100ms}");
	storm(&lab, 3, 0x08, LAB_MS, 10 * LAB_S);
	lab_to(&lab, 2 * LAB_MS);
	lab_burst(&lab, 1, 3, 3, LEN, 100);
	CU_ASSERT_EQUAL(lab_queue(&lab, 3, 3)->packets, 100);
	lab_to(&lab, 303 * LAB_MS);
	CU_ASSERT_EQUAL(lab_queue(&lab, 3, 3)->packets, 0);
	CU_ASSERT_EQUAL(lab_stats(&lab)->drops[SW_DROP_WATCHDOG], 100);
	lab_hold(&lab, 2, true);
	lab_burst(&lab, 1, 2, 3, LEN, 100);
	lab_for(&lab, 2 * LAB_S);
	CU_ASSERT_EQUAL(lab_queue(&lab, 2, 3)->packets, 100);
	lab_close(&lab);
}

/* ---- A5, what is refused ---- */

static void ranges(void)
{
	static const char *const bad[] = {
		"detect=400a",    "detect=40ms",  "detect=4000000ms",
		"restore=500c",   "restore=50ms", "restore=50000s",
		"action=invalid", "poll=10ms",    "idle_counts=maybe",
	};
	struct lab lab;
	char set[64];

	begin(&lab, "{detect: 200ms}");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(set, sizeof(set), "switch.pfc.watchdog.%s", bad[i]);
		CU_ASSERT_NOT_EQUAL(lab_try_set(&lab, set), 0);
	}
	lab_set(&lab, "switch.pfc.watchdog.detect=400ms");
	lab_set(&lab, "switch.pfc.watchdog.restore=3s");
	lab_set(&lab, "switch.pfc.watchdog.action=forward");
	lab_close(&lab);
}

static const struct cu_case cases[] = {
	{"A1_7__storm_over_shared_headroom", storm_over_shared_headroom},
	{"A2_9__stuck_queue_empties", stuck_queue_empties},
	{"A3_10__throttling", throttling},
	{"A5__ranges", ranges},
	{"A5_4__timeline", timeline},
	{"A5_4__no_trigger", no_trigger},
	{"A5_8__all_ports", all_ports},
	{"A35__drop_mode_pauses_nobody", drop_mode_pauses_nobody},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("behaviour/watchdog", cases);
}
