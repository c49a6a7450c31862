/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/edge.c"

#include "rig.h"

#include "tests/unit/cu.h"

#define SIZE 1000
#define WIRE (1024 * 8000ULL) /* ps of such a frame at 1 Gb/s */
#define ROOM 100              /* frames of the FIFO, per priority */

/* Port 0 has an edge at 1 Gb/s in front; 1 and 2 are fast. */
static void begin(struct rig *rig)
{
	rig_init(rig, 3);
	rig->ports[0].edge = true;
	rig->ports[0].rate_bps = 1000000000;
	rig->ports[0].edge_bytes = ROOM * SIZE;
	rig->config.buffer.size_bytes = 10000 + 6 * 20000; /* xoff at 5 frames */
}

static void burst(struct rig *rig, uint64_t t, uint16_t out, uint8_t prio, int n)
{
	for (int i = 0; i < n; i++)
		rig_send(rig, t, 0, out, prio, 2, SIZE);
}

/* Whatever speed the device delivers at. */
static void serialises_at_the_rate(void)
{
	struct rig rig;

	begin(&rig);
	rig_start(&rig);
	burst(&rig, RIG_US, 1, 0, 20);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].edge_packets, 20);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].edge_bytes, 20 * SIZE);
	rig_settle(&rig);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 1, SW_REC_FRAME), 20);
	for (uint32_t i = 0; i < 20; i++) {
		CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, i)->t_ps, RIG_US + (i + 1) * WIRE);
		CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, i)->id, i + 1);
	}
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].edge_packets, 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].edge_max_bytes, 20 * SIZE);
	rig_stop(&rig);
}

static void latency_counts_from_its_end(void)
{
	struct rig rig;

	begin(&rig);
	rig.config.latency_ps = 700 * RIG_NS;
	rig_start(&rig);
	burst(&rig, RIG_US, 1, 0, 1);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig.recs[0].t_ps, RIG_US + WIRE + 700 * RIG_NS);
	rig_stop(&rig);
}

/* Held destination: the PG goes to xoff, the edge stands still, nothing is lost while it has room,
 * and all of it arrives in order after the release. */
static void stops_and_loses_nothing(void)
{
	const struct sw_stats *s;
	struct rig rig;

	begin(&rig);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	burst(&rig, RIG_US, 1, 3, ROOM); /* a first one is on the wire at once */
	rig_to(&rig, 200 * RIG_MS);      /* six times a pause: it is refreshed */
	s = rig_stats(&rig);
	CU_ASSERT_TRUE(s->ports[0].pgs[3].xoff);
	CU_ASSERT_EQUAL(s->dropped, 0);
	/* The fifth gives xoff; the sixth had started by then. */
	CU_ASSERT_EQUAL(s->ports[1].queues[3].packets, 6);
	CU_ASSERT_EQUAL(s->ports[0].edge_packets, ROOM - 6);
	CU_ASSERT(s->ports[0].edge_paused_ps > 190 * RIG_MS);
	CU_ASSERT(s->ports[0].prio[SW_PRIO_PFC_TX][3] >= 7);
	rig_hold(&rig, 200 * RIG_MS, 1, false);
	rig_settle(&rig);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 1, SW_REC_FRAME), ROOM);
	for (uint32_t i = 0; i < ROOM; i++)
		CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, i)->id, i + 1);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), 0); /* the device is told nothing */
	rig_stop(&rig);
}

/* The PFC frame takes its own time on the wire, then the edge stops before the next frame. */
static void pfc_takes_a_frame_time(void)
{
	uint64_t told = RIG_US + 5 * WIRE + 84 * 8000ULL;
	struct rig rig;

	begin(&rig);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	burst(&rig, RIG_US, 1, 3, 10);
	rig_to(&rig, RIG_US + 5 * WIRE + 1);
	CU_ASSERT_TRUE(rig_stats(&rig)->ports[0].pgs[3].xoff);
	rig_to(&rig, told - 1);
	CU_ASSERT(rig.sw->ports[0].edge.pause[3].until == 0);
	rig_to(&rig, told);
	CU_ASSERT_EQUAL(rig.sw->ports[0].edge.pause[3].until, told + 65535ULL * 512000);
	rig_stop(&rig);
}

static void full_drops_by_name(void)
{
	const struct sw_stats *s;
	struct rig rig;

	begin(&rig);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	burst(&rig, RIG_US, 1, 3, ROOM + 1); /* ROOM and the one on the wire */
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 0);
	burst(&rig, RIG_US, 1, 3, 7);
	s = rig_stats(&rig);
	CU_ASSERT_EQUAL(s->ports[0].drops[SW_DROP_EDGE_FULL], 7);
	CU_ASSERT_EQUAL(s->dropped_lossless, 7);
	CU_ASSERT_EQUAL(s->ports[1].counters[SW_PORT_DROPPED], 0);
	burst(&rig, RIG_US, 1, 4, 5); /* the other priority has its own room */
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 7);
	rig_stop(&rig);
}

static void other_priority_goes_on(void)
{
	struct rig rig;

	begin(&rig);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	burst(&rig, RIG_US, 1, 3, 50);
	burst(&rig, RIG_US, 2, 0, 50);
	rig_to(&rig, RIG_US + 60 * WIRE);
	CU_ASSERT_EQUAL(rig_count(&rig, 2, SW_REC_FRAME), 50);
	/* the other's turn had come while the PFC frame was on its way */
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[1].queues[3].packets, 5);
	rig_stop(&rig);
}

/* Waiting priorities take turns. */
static void turns(void)
{
	struct rig rig;

	begin(&rig);
	rig_start(&rig);
	burst(&rig, RIG_US, 1, 3, 10);
	burst(&rig, RIG_US, 1, 0, 10);
	rig_settle(&rig);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 1, SW_REC_FRAME), 20);
	for (uint32_t i = 0; i < 18; i++) {
		uint8_t a = rig_nth(&rig, 1, SW_REC_FRAME, i)->queue;

		CU_ASSERT_NOT_EQUAL(a, rig_nth(&rig, 1, SW_REC_FRAME, i + 1)->queue);
	}
	rig_stop(&rig);
}

/* The gap between xon and the next frame is not a whole pause. */
static void xon_resumes(void)
{
	uint64_t t = 20 * RIG_MS, xon;
	struct rig rig;

	begin(&rig);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	burst(&rig, RIG_US, 1, 3, 20);
	rig_hold(&rig, t, 1, false);
	xon = t +
	      1 * 81920ULL; /* when the second of six starts to leave port 1: 4 of 10 kB are left */
	rig_to(&rig, xon + 84 * 8000ULL + WIRE + 1);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 7);
	CU_ASSERT(rig_nth(&rig, 1, SW_REC_FRAME, 6)->t_ps <= xon + 84 * 8000ULL + WIRE);
	rig_stop(&rig);
}

static void down_flushes(void)
{
	struct rig rig;

	begin(&rig);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	burst(&rig, RIG_US, 1, 3, 20);
	rig_to(&rig, RIG_MS);
	rig_link(&rig, RIG_MS, 0, false);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].drops[SW_DROP_LINK_DOWN], 14);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].edge_packets, 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->held, 6);
	rig_hold(&rig, 2 * RIG_MS, 1, false);
	rig_link(&rig, 3 * RIG_MS, 0, true);
	burst(&rig, 4 * RIG_MS, 1, 3, 1); /* the pause is forgotten */
	rig_to(&rig, 5 * RIG_MS);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 7);
	rig_stop(&rig);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"edge_rx__serialises_at_the_rate", serialises_at_the_rate},
		{"edge_timer__latency_counts_from_its_end", latency_counts_from_its_end},
		{"edge_pfc__stops_and_loses_nothing", stops_and_loses_nothing},
		{"edge_pfc__takes_a_frame_time", pfc_takes_a_frame_time},
		{"edge_rx__full_drops_by_name", full_drops_by_name},
		{"edge_rx__other_priority_goes_on", other_priority_goes_on},
		{"edge_timer__turns", turns},
		{"edge_pfc__xon_resumes", xon_resumes},
		{"edge_take__down_flushes", down_flushes},
		{NULL, NULL},
	};

	return cu_main("model/edge", cases);
}
