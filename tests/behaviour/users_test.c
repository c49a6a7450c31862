/* SPDX-License-Identifier: BSD-3-Clause */
/* What users of lossless switches have run into (numbers as in tests/README.md), each as the test that
 * would have shown it. */
#include "lab.h"

#include "dataplane/model/hdr.h"

#include <string.h>

#include "tests/unit/cu.h"

#define LEN 1024

static void begin(struct lab *lab, unsigned hosts, const char *buffer)
{
	char text[600];

	snprintf(text, sizeof(text),
		 "topology: {kind: star, hosts: %u, link: {rate: 100Gbps, delay: 1us}}\n"
		 "switch: {preset: azure, buffer: {%s}}\n",
		 hosts, buffer);
	lab_open(lab, text);
}

static uint32_t stream(struct lab *lab, uint16_t src, uint16_t dst, uint8_t dscp, uint64_t count)
{
	return lab_flow(lab,
			(struct lab_flow){
				.src = src, .dst = dst, .dscp = dscp, .len = LEN, .count = count});
}

static void all_arrived(struct lab *lab)
{
	for (uint32_t i = 0; i < lab->n_flows; i++) {
		CU_ASSERT_EQUAL(lab->flows[i].received, lab->flows[i].sent);
		CU_ASSERT_EQUAL(lab->flows[i].out_of_order, 0);
	}
	CU_ASSERT_EQUAL(lab_drops(lab), 0);
	CU_ASSERT_EQUAL(lab_stats(lab)->held, 0);
}

/* ---- A02: the last no-drop priority goes while its sender is paused ---- */

static void last_priority_off(const char *assignment)
{
	struct lab lab;
	uint64_t told, arrived;

	begin(&lab, 3, "size: 4MB");
	lab_hold(&lab, 3, true);
	stream(&lab, 1, 3, 3, 0);
	stream(&lab, 2, 3, 4, 0);
	lab_for(&lab, LAB_MS);
	CU_ASSERT(lab.hosts[1].pfc_seen[3] > 0 && lab.hosts[2].pfc_seen[4] > 0);
	lab.keep = true;
	lab_set(&lab, assignment);
	lab_for(&lab, 10 * LAB_US);
	CU_ASSERT_EQUAL_FATAL(lab.n_recs, 2); /* xon, one for each */
	for (int i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(lab.recs[i].kind, SW_REC_PFC);
		CU_ASSERT_EQUAL(lab.recs[i].gen.quanta[3] + lab.recs[i].gen.quanta[4], 0);
	}
	told = lab_pfc_tx(&lab, 1) + lab_pfc_tx(&lab, 2);
	arrived = lab_stats(&lab)->rx;
	lab_for(&lab, 2 * LAB_MS); /* congested as before */
	CU_ASSERT_EQUAL(lab_pfc_tx(&lab, 1) + lab_pfc_tx(&lab, 2), told);
	CU_ASSERT(lab_stats(&lab)->rx > arrived + 20000);
	CU_ASSERT(lab_port(&lab, 3)->drops[SW_DROP_QUEUE_FULL] > 0);
	CU_ASSERT_EQUAL(lab_stats(&lab)->dropped_lossless, 0);
	lab_close(&lab);
}

static void no_priority_left(void)
{
	last_priority_off("switch.pfc.priorities=[]");
	last_priority_off("switch.pfc=off");
}

/* One of two goes: the other goes on. */
static void one_priority_left(void)
{
	struct lab lab;
	uint64_t three, four;

	begin(&lab, 3, "size: 4MB");
	lab_hold(&lab, 3, true);
	stream(&lab, 1, 3, 3, 0);
	stream(&lab, 2, 3, 4, 0);
	lab_for(&lab, LAB_MS);
	lab_set(&lab, "switch.pfc.priorities=[4]");
	lab_for(&lab, 10 * LAB_US);
	three = lab_prio(&lab, 1, SW_PRIO_PFC_TX, 3);
	four = lab_prio(&lab, 2, SW_PRIO_PFC_TX, 4);
	lab_for(&lab, 2 * LAB_MS);
	CU_ASSERT_EQUAL(lab_prio(&lab, 1, SW_PRIO_PFC_TX, 3), three);
	CU_ASSERT(lab_prio(&lab, 2, SW_PRIO_PFC_TX, 4) > four);
	CU_ASSERT_EQUAL(lab_stats(&lab)->dropped_lossless, 0);
	lab_close(&lab);
}

/* ---- A06: the real bottleneck lies below the port's line rate ---- */

static void slow_egress_says_xoff(void)
{
	struct lab lab;
	uint64_t sent, at;

	begin(&lab, 2, "size: 2MB");
	stream(&lab, 1, 2, 3, 0);
	lab_for(&lab, LAB_MS);
	CU_ASSERT_EQUAL(lab_pfc_tx(&lab, 1), 0);
	lab_set(&lab, "ports={s1-h2: {rate: 10Gbps}}");
	lab_for(&lab, LAB_MS);
	CU_ASSERT(lab_prio(&lab, 1, SW_PRIO_PFC_TX, 3) > 0);
	sent = lab_port(&lab, 2)->counters[SW_PORT_TX_PACKETS];
	at = lab.now;
	lab_for(&lab, 10 * LAB_MS);
	sent = lab_port(&lab, 2)->counters[SW_PORT_TX_PACKETS] - sent;
	/* (1,024 + 24) x 800 ps a frame, never idle. */
	CU_ASSERT(sent >= (lab.now - at) / 838400 && sent <= (lab.now - at) / 838400 + 1);
	CU_ASSERT_EQUAL(lab_drops(&lab), 0);
	lab_close(&lab);
}

/* ---- A16: a class that a strict one starves ---- */

static void starvation_has_a_name(void)
{
	struct lab lab;
	uint32_t high;

	begin(&lab, 4, "size: 2MB");
	lab_set(&lab, "switch.scheduler.6=strict");
	high = stream(&lab, 1, 4, 48, 0); /* all of the line */
	lab_for(&lab, 50 * LAB_US);
	stream(&lab, 2, 4, 8, 0);  /* lossy */
	stream(&lab, 3, 4, 26, 0); /* azure: lossy as well */
	lab_for(&lab, 2 * LAB_MS);
	CU_ASSERT(lab.flows[high].received > 20000);
	CU_ASSERT_EQUAL(lab.flows[1].received + lab.flows[2].received, 0);
	CU_ASSERT(lab_queue(&lab, 4, 0)->counters[SW_QUEUE_DROPPED] > 0);
	CU_ASSERT(lab_queue(&lab, 4, 1)->counters[SW_QUEUE_DROPPED] > 0);
	CU_ASSERT_EQUAL(lab_port(&lab, 4)->drops[SW_DROP_QUEUE_FULL], lab_drops(&lab));
	CU_ASSERT_EQUAL(lab_pfc_tx(&lab, 2) + lab_pfc_tx(&lab, 3), 0);
	/* A lossless class in its place is not lost: its sender is told. */
	stream(&lab, 3, 4, 3, 0);
	lab_for(&lab, 2 * LAB_MS);
	CU_ASSERT(lab_prio(&lab, 3, SW_PRIO_PFC_TX, 3) > 0);
	CU_ASSERT_EQUAL(lab_stats(&lab)->dropped_lossless, 0);
	lab_close(&lab);
}

/* ---- A22: nonsense that looks like PFC ---- */

static void malformed_pfc(void)
{
	static const struct {
		int at;
		uint16_t value;
	} changes[] = {
		{MAC_CTL_OPCODE, 0x0100}, {MAC_CTL_OPCODE, 0x0102}, {MAC_CTL_OPCODE, 0x0000},
		{MAC_CTL_OPCODE, 0xffff}, {ETH_TYPE, 0x8809},       {ETH_TYPE, ETHERTYPE_TAG},
		{PFC_VECTOR, 0xff00},     {PFC_VECTOR, 0x0000},     {PFC_VECTOR, 0x00e7},
	};
	uint8_t bytes[SW_MIN_FRAME];

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct lab lab;
		uint32_t f;

		begin(&lab, 3, "size: 4MB");
		lab_pfc_bytes(bytes, 0x18, 0xffff);
		put_be16(bytes + changes[i].at, changes[i].value);
		if (changes[i].value == ETHERTYPE_TAG) { /* PFC is never tagged */
			memmove(bytes + 16, bytes + 12, SW_MIN_FRAME - 16);
			put_be16(bytes + 14, 0x6001);
			put_be16(bytes + 16, ETHERTYPE_MAC_CTL);
		}
		lab_raw(&lab, 3, bytes, 100);
		f = lab_burst(&lab, 1, 3, 3, LEN, 50);
		lab_for(&lab, 50 * LAB_US);
		CU_ASSERT_EQUAL(lab.flows[f].received, 50);
		for (int p = 0; p < SW_PRIOS; p++)
			CU_ASSERT_EQUAL(lab_prio(&lab, 3, SW_PRIO_PFC_RX_HONOURED, p), 0);
		/* Nothing of it reached anybody. */
		CU_ASSERT_EQUAL(lab.hosts[1].data_seen + lab.hosts[2].data_seen, 0);
		lab_close(&lab);
	}
}

/* ---- A23: 10 MB through a lossless hop into 200 Mb/s ---- */

static void burst_into_a_slow_port(void)
{
	struct lab lab;
	uint32_t f;

	lab_open(&lab, "topology: {kind: star, hosts: 2, link: {rate: 100Gbps, delay: 1us}}\n"
		       "switch: {preset: azure, buffer: {size: 1MB}}\n"
		       "ports: {s1-h2: {rate: 200Mbps}}\n");
	f = stream(&lab, 1, 2, 3, 9766);
	lab_settle(&lab);
	CU_ASSERT_EQUAL(lab.flows[f].received, 9766);
	CU_ASSERT(lab_prio(&lab, 1, SW_PRIO_PFC_TX, 3) > 0);
	CU_ASSERT_EQUAL(lab_port(&lab, 2)->counters[SW_PORT_TX_BYTES],
			lab_port(&lab, 1)->counters[SW_PORT_RX_BYTES]);
	/* Out at 200 Mb/s without a gap: 40 ns a byte. */
	CU_ASSERT_EQUAL(lab.flows[f].last_ps - lab.flows[f].first_ps, 9765 * (LEN + 24) * 40000ULL);
	all_arrived(&lab);
	lab_close(&lab);
}

/* ---- A24: what is said is said again before it ends, at any speed ---- */

static void refresh_by_speed(void)
{
	static const struct {
		const char *rate;
		uint64_t full_ps;
	} speeds[] = {{"400Gbps", 83884800},    {"100Gbps", 335539200}, {"40Gbps", 838848000},
		      {"25Gbps", 1342156800},   {"10Gbps", 3355392000}, {"1Gbps", 33553920000},
		      {"10Mbps", 3355392000000}};

	for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
		char text[300];
		struct lab lab;
		uint32_t n = 0;

		snprintf(
			text, sizeof(text),
			"topology: {kind: star, hosts: 2, link: {rate: %s, delay: 100ns}}\n"
			"switch: {preset: azure, buffer: {size: 64KiB, reserved: 0B, headroom: 9KB}}\n",
			speeds[i].rate);
		lab_open(&lab, text);
		lab_hold(&lab, 2, true);
		lab_burst(&lab, 1, 2, 3, LEN, 8);
		lab.keep = true;
		lab_for(&lab, 10 * speeds[i].full_ps);
		for (uint32_t r = 1; r < lab.n_recs; r++) {
			CU_ASSERT_EQUAL(lab.recs[r].kind, SW_REC_PFC);
			CU_ASSERT_EQUAL(lab.recs[r].t_ps - lab.recs[r - 1].t_ps,
					speeds[i].full_ps / 2);
			n++;
		}
		CU_ASSERT(n >= 18 && n <= 20);
		lab_close(&lab);
	}
}

/* ---- A28, A29: what is in the buffer is known, and two priorities do not share headroom ---- */

static void drains_to_nothing(void)
{
	struct lab lab;

	begin(&lab, 3, "size: 2MB");
	for (int round = 0; round < 20; round++) {
		lab_hold(&lab, 3, true);
		lab_burst(&lab, 1, 3, 3, 60 + 97 * round, 400);
		lab_burst(&lab, 2, 3, 4, 1500 - 31 * round, 400);
		lab_burst(&lab, 1, 3, 8, 700, 100);
		lab_hold(&lab, 3, false);
		lab_settle(&lab);
		for (uint16_t h = 1; h <= 2; h++)
			for (int pg = 0; pg < SW_PRIOS; pg++) {
				CU_ASSERT_EQUAL(lab_pg(&lab, h, pg)->total_bytes, 0);
				CU_ASSERT_EQUAL(lab_pg(&lab, h, pg)->headroom_bytes, 0);
				CU_ASSERT_FALSE(lab_pg(&lab, h, pg)->xoff);
			}
		CU_ASSERT_EQUAL(lab_stats(&lab)->buffer_bytes, 0);
		CU_ASSERT_EQUAL(lab_stats(&lab)->shared_bytes, 0);
		CU_ASSERT_EQUAL(lab_stats(&lab)->headroom_bytes, 0);
	}
	lab_close(&lab);
}

static void headrooms_are_apart(void)
{
	struct lab lab;

	begin(&lab, 3, "size: 2MB, cell: 256B, headroom: 25600B, alpha: 1/65536, reserved: 0B");
	lab_hold(&lab, 3, true);
	lab_burst(&lab, 1, 3, 3, 60, 150); /* 100 fit */
	CU_ASSERT_EQUAL(lab_pg(&lab, 1, 3)->dropped, 50);
	for (int i = 1; i <= 100; i++) {
		lab_burst(&lab, 1, 3, 4, 60, 1);
		CU_ASSERT_EQUAL(lab_pg(&lab, 1, 4)->headroom_bytes, (uint64_t)i * 256);
		CU_ASSERT_EQUAL(lab_pg(&lab, 1, 4)->dropped, 0);
	}
	lab_burst(&lab, 1, 3, 4, 60, 1);
	CU_ASSERT_EQUAL(lab_pg(&lab, 1, 4)->dropped, 1);
	CU_ASSERT_EQUAL(lab_pg(&lab, 1, 3)->dropped, 50);
	lab_close(&lab);
}

/* ---- A21: what remains of the list of lossless cases ---- */

/* Sizes as on the internet: 7 of 64, 4 of 570, 1 of 1,518. */
static void imix(void)
{
	static const struct {
		uint16_t len;
		uint32_t ppm;
	} mix[] = {{60, 131000}, {570, 528000}, {1514, 341000}};
	struct lab lab;

	begin(&lab, 5, "size: 2MB");
	for (uint16_t src = 1; src <= 4; src++)
		for (int i = 0; i < 3; i++)
			lab_flow(&lab, (struct lab_flow){.src = src,
							 .dst = 5,
							 .dscp = src & 1 ? 3 : 4,
							 .len = mix[i].len,
							 .load_ppm = mix[i].ppm,
							 .stop_ps = 2 * LAB_MS});
	lab_settle(&lab);
	all_arrived(&lab);
	CU_ASSERT(lab_prio(&lab, 1, SW_PRIO_PFC_TX, 3) > 0);
	lab_close(&lab);
}

/* Marks come first, at Kmin; PFC only when nobody listens to them. */
static void marks_before_pfc(void)
{
	struct lab lab;
	uint64_t marked = 0;

	begin(&lab, 3, "size: 8MB");
	lab_set(&lab, "switch.ecn.3={min: 100KB, max: 200KB, probability: 50%}");
	for (uint16_t src = 1; src <= 2; src++)
		lab_flow(&lab,
			 (struct lab_flow){.src = src, .dst = 3, .dscp = 3, .ecn = 2, .len = LEN});
	while (lab_pfc_tx(&lab, 1) + lab_pfc_tx(&lab, 2) == 0) {
		marked = lab_queue(&lab, 3, 3)->counters[SW_QUEUE_ECN_MARKED];
		lab_for(&lab, 10 * LAB_US);
	}
	CU_ASSERT(marked > 100);
	CU_ASSERT_EQUAL(lab_drops(&lab), 0);
	lab_close(&lab);
}

/* The receiver's cable goes and comes while senders are paused for it: what lay there is lost by name,
 * senders may go on, nothing is stuck. Then the paused sender's own. */
static void link_flaps(void)
{
	struct lab lab;
	uint64_t told;

	begin(&lab, 3, "size: 2MB");
	lab_hold(&lab, 3, true);
	stream(&lab, 1, 3, 3, 0);
	lab_for(&lab, LAB_MS);
	CU_ASSERT_TRUE(lab_pg(&lab, 1, 3)->xoff);
	lab_link(&lab, 1, false);
	lab_for(&lab, 10 * LAB_US);
	told = lab_prio(&lab, 1, SW_PRIO_PFC_TX, 3);
	lab_for(&lab, LAB_MS);
	CU_ASSERT_EQUAL(lab_prio(&lab, 1, SW_PRIO_PFC_TX, 3), told);
	lab_link(&lab, 1, true);
	lab_for(&lab, 10 * LAB_US);
	CU_ASSERT(lab_prio(&lab, 1, SW_PRIO_PFC_TX, 3) > told); /* it is still so: said again */
	lab_link(&lab, 3, false);
	lab_for(&lab, 10 * LAB_US);
	CU_ASSERT_FALSE(lab_pg(&lab, 1, 3)->xoff);
	CU_ASSERT_EQUAL(lab_stats(&lab)->buffer_bytes, 0);
	/* A sender that forgot its pause with the cable met a headroom that was in use. */
	CU_ASSERT_EQUAL(lab_stats(&lab)->drops[SW_DROP_LINK_DOWN] +
				lab_stats(&lab)->drops[SW_DROP_HEADROOM_FULL],
			lab_drops(&lab));
	lab_hold(&lab, 3, false);
	lab_link(&lab, 3, true);
	told = lab.flows[0].received;
	lab_for(&lab, LAB_MS);
	CU_ASSERT(lab.flows[0].received > told + 10000);
	lab_close(&lab);
}

/* Every receiver storms; when it is over everything moves again and nothing is missing. */
static void storms_everywhere(void)
{
	struct lab lab;

	begin(&lab, 8, "size: 4MB");
	for (uint16_t h = 1; h <= 8; h++) {
		struct lab_storm storm = {.host = h,
					  .start_ps = LAB_US,
					  .stop_ps = 5 * LAB_MS,
					  .period_ps = lab_storm_period(&lab, h)};

		lab_pfc_bytes(storm.bytes, 0x18, 0xffff);
		lab_storm(&lab, storm);
		stream(&lab, h, h % 8 + 1, h & 1 ? 3 : 4, 20000);
	}
	lab_to(&lab, 5 * LAB_MS);
	for (uint32_t i = 0; i < lab.n_flows; i++)
		CU_ASSERT(lab.flows[i].received < 200);
	lab_settle(&lab);
	all_arrived(&lab);
	lab_close(&lab);
}

/* ---- A58: a control class beside an incast ---- */

static void control_class_is_not_delayed(void)
{
	uint64_t wire, alone;
	struct lab lab;
	uint32_t cnps;

	begin(&lab, 6, "size: 8MB");
	lab_set(&lab, "switch.scheduler.6=strict");
	wire = lab_wire_ps(&lab, 6, LEN);
	alone = 2 * (lab_wire_ps(&lab, 6, 74) + LAB_US) + 500 * LAB_NS;
	for (uint16_t src = 1; src <= 4; src++)
		stream(&lab, src, 6, 3, 5000);
	cnps = lab_flow(
		&lab,
		(struct lab_flow){
			.src = 5, .dst = 6, .dscp = 48, .len = 74, .load_ppm = 1000, .count = 200});
	lab_settle(&lab);
	CU_ASSERT(lab.flows[cnps].most_ps <= alone + wire);
	CU_ASSERT(lab.flows[0].most_ps > 10 * (alone + wire));
	all_arrived(&lab);
	lab_close(&lab);
}

static const struct cu_case cases[] = {
	{"A02__no_priority_left", no_priority_left},
	{"A02__one_priority_left", one_priority_left},
	{"A06__slow_egress_says_xoff", slow_egress_says_xoff},
	{"A16__starvation_has_a_name", starvation_has_a_name},
	{"A21__imix", imix},
	{"A21__marks_before_pfc", marks_before_pfc},
	{"A21__link_flaps", link_flaps},
	{"A21__storms_everywhere", storms_everywhere},
	{"A22__malformed_pfc", malformed_pfc},
	{"A23__burst_into_a_slow_port", burst_into_a_slow_port},
	{"A24__refresh_by_speed", refresh_by_speed},
	{"A28__drains_to_nothing", drains_to_nothing},
	{"A29__headrooms_are_apart", headrooms_are_apart},
	{"A58__control_class_is_not_delayed", control_class_is_not_delayed},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("behaviour/users", cases);
}
