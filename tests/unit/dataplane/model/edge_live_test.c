/* SPDX-License-Identifier: BSD-3-Clause */
/* An edge switched on and off under traffic. */
#include "dataplane/model/edge.c"

#include "rig.h"

#include "tests/unit/cu.h"

#define SIZE 1000
#define WIRE (1024 * 8000ULL) /* ps of such a frame at 1 Gb/s */
#define ROOM 100              /* frames of the FIFO, per priority */

/* Port 0 at 1 Gb/s, with an edge in front or not; 1 and 2 are fast. */
static void begin(struct rig *rig, bool edge, const char *pipeline)
{
	rig_init(rig, 3);
	rig->pipeline = pipeline;
	rig->ports[0].edge = edge;
	rig->ports[0].rate_bps = 1000000000;
	rig->ports[0].edge_bytes = ROOM * SIZE;
	rig->config.buffer.size_bytes = 10000 + 6 * 20000; /* xoff at 5 frames */
	rig_start(rig);
}

static void burst(struct rig *rig, uint64_t t, uint16_t out, uint8_t prio, int n)
{
	for (int i = 0; i < n; i++)
		rig_send(rig, t, 0, out, prio, 2, SIZE);
}

static void edge(struct rig *rig, uint64_t t, bool on)
{
	rig->ports[0].edge = on;
	CU_ASSERT_EQUAL(rig_set(rig, t), 0);
}

/* What waits arrives at the very time, each priority in its order, the one on the wire first. */
static void off_lets_all_arrive(void)
{
	const struct sw_stats *s;
	struct rig rig;

	begin(&rig, true, "lossless");
	rig.config.latency_ps = 300 * RIG_NS;
	CU_ASSERT_EQUAL(rig_set(&rig, 0), 0);
	burst(&rig, RIG_US, 1, 3, 3);
	burst(&rig, 2 * RIG_US, 1, 4, 3);
	edge(&rig, 3 * RIG_US, false); /* the first takes 8 us to arrive */
	s = rig_stats(&rig);
	CU_ASSERT_EQUAL(s->ports[0].edge_packets, 0);
	CU_ASSERT_EQUAL(s->ports[0].edge_bytes, 0);
	CU_ASSERT_EQUAL(s->ports[1].queues[3].packets, 3);
	CU_ASSERT_EQUAL(s->ports[1].queues[4].packets, 3);
	CU_ASSERT_EQUAL(s->held, 6);
	rig_settle(&rig);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 1, SW_REC_FRAME), 6);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 0)->t_ps, 3 * RIG_US + 300 * RIG_NS);
	for (uint8_t prio = 3; prio <= 4; prio++) {
		uint32_t last = 0;

		for (uint32_t i = 0; i < 6; i++) {
			const struct rig_rec *rec = rig_nth(&rig, 1, SW_REC_FRAME, i);

			if (rec->queue != prio)
				continue;
			CU_ASSERT(rec->id > last);
			last = rec->id;
		}
	}
	CU_ASSERT_EQUAL(sw_next(rig.sw), SW_NEVER);
	rig_send(&rig, RIG_MS, 0, 1, 3, 2, SIZE); /* nothing stands in front any more */
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].edge_packets, 0);
	rig_stop(&rig);
}

/* Across priorities by arrival: the first to come has the first place in the buffer. */
static void off_keeps_the_order_of_arrival(void)
{
	struct rig rig;

	begin(&rig, true, "lossless");
	rig.config.qos.prio_to_queue[4] = 3; /* both into one queue */
	CU_ASSERT_EQUAL(rig_set(&rig, 0), 0);
	for (uint32_t i = 0; i < 10; i++)
		burst(&rig, RIG_US + i, 1, i % 3 == 0 ? 4 : 3, 1);
	edge(&rig, 2 * RIG_US, false);
	rig_settle(&rig);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 1, SW_REC_FRAME), 10);
	for (uint32_t i = 0; i < 10; i++)
		CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, i)->id, i + 1);
	rig_stop(&rig);
}

/* More than buffer and headroom take: the rest is lost by name, and the device is told to stop. */
static void off_beyond_the_buffer(void)
{
	const struct sw_stats *s;
	struct rig rig;

	begin(&rig, true, "lossless");
	rig_hold(&rig, 0, 1, true);
	burst(&rig, RIG_US, 1, 3, ROOM);
	rig_to(&rig, RIG_MS); /* xoff: the edge stands */
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].edge_packets, ROOM - 6);
	edge(&rig, RIG_MS, false);
	s = rig_stats(&rig);
	CU_ASSERT_EQUAL(s->ports[0].edge_packets, 0);
	/* 5 to the threshold and 20 of headroom */
	CU_ASSERT_EQUAL(s->ports[1].queues[3].packets, 25);
	CU_ASSERT_EQUAL(s->ports[0].drops[SW_DROP_HEADROOM_FULL], ROOM - 25);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), 0);
	rig_to(&rig, RIG_MS + 1);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 0, SW_REC_PFC), 1);
	CU_ASSERT_EQUAL(rig_nth(&rig, 0, SW_REC_PFC, 0)->gen.quanta[3], 0xffff);
	rig_to(&rig, 100 * RIG_MS); /* and again while it lasts */
	CU_ASSERT(rig_count(&rig, 0, SW_REC_PFC) >= 3);
	rig_hold(&rig, 100 * RIG_MS, 1, false);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 25);
	rig_stop(&rig);
}

/* In xoff: the edge is told at once, the device no more, and nothing is lost. */
static void on_in_xoff(void)
{
	struct rig rig;
	uint32_t told;

	begin(&rig, false, "lossless");
	rig_hold(&rig, 0, 1, true);
	burst(&rig, RIG_US, 1, 3, 6);
	rig_to(&rig, RIG_MS);
	CU_ASSERT_TRUE(rig_stats(&rig)->ports[0].pgs[3].xoff);
	told = rig_count(&rig, 0, SW_REC_PFC);
	CU_ASSERT_EQUAL(told, 1);
	edge(&rig, RIG_MS, true);
	rig_to(&rig, RIG_MS + 84 * 8000ULL);
	CU_ASSERT_EQUAL(rig.sw->ports[0].edge.pause[3].until,
			RIG_MS + 84 * 8000ULL + 65535 * 512000ULL);
	burst(&rig, 2 * RIG_MS, 1, 3, 50);
	rig_to(&rig, 200 * RIG_MS);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].edge_packets, 50);
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 0);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), told);
	rig_hold(&rig, 200 * RIG_MS, 1, false);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 56);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), told);
	rig_stop(&rig);
}

/* On and off and on: each listener is told of what lasts, and only that. */
static void flaps(void)
{
	struct rig rig;

	begin(&rig, true, "lossless");
	rig_hold(&rig, 0, 1, true);
	burst(&rig, RIG_US, 1, 3, 6);
	rig_to(&rig, RIG_MS);
	edge(&rig, RIG_MS, false);
	edge(&rig, RIG_MS, true);
	edge(&rig, RIG_MS, false);
	rig_to(&rig, 2 * RIG_MS);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), 1);
	edge(&rig, 2 * RIG_MS, true);
	edge(&rig, 2 * RIG_MS, true); /* nothing new */
	rig_hold(&rig, 2 * RIG_MS, 1, false);
	rig_to(&rig, 3 * RIG_MS);
	edge(&rig, 3 * RIG_MS, false);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), 1); /* no xon: it was the edge's */
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 6);
	rig_stop(&rig);
}

/* A frame for nobody known is flooded as it arrives; one to a port that is down is lost by name. */
static void off_means_arrival(void)
{
	struct rig rig;

	begin(&rig, true, "lossless");
	rig_link(&rig, 0, 2, false);
	burst(&rig, RIG_US, 9, 3, 2);
	burst(&rig, RIG_US, 2, 3, 2);
	edge(&rig, RIG_US, false);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].counters[SW_PORT_FLOODED], 2);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_LINK_DOWN], 2);
	rig_stop(&rig);
}

static void link_is_down(void)
{
	struct rig rig;

	begin(&rig, true, "lossless");
	burst(&rig, RIG_US, 1, 3, 5);
	rig_link(&rig, RIG_US, 0, false);
	edge(&rig, RIG_US, false);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_LINK_DOWN], 5);
	edge(&rig, RIG_US, true);
	rig_link(&rig, RIG_US, 0, true);
	burst(&rig, RIG_US, 1, 3, 5);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].edge_packets, 5);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 5);
	rig_stop(&rig);
}

/* A smaller FIFO keeps what it has and takes nothing until that fits; one below a frame is refused. */
static void size_changes(void)
{
	struct rig rig;

	begin(&rig, true, "lossless");
	rig.ports[0].mtu_bytes = 1000;
	burst(&rig, RIG_US, 1, 0, 20);
	rig.ports[0].edge_bytes = 2 * SIZE;
	CU_ASSERT_EQUAL(rig_set(&rig, RIG_US), 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].edge_packets, 20);
	burst(&rig, RIG_US, 1, 0, 1);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_EDGE_FULL], 1);
	rig_to(&rig, RIG_US + 19 * WIRE + 1);
	burst(&rig, RIG_US + 19 * WIRE + 1, 1, 0, 1);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_EDGE_FULL], 1);
	rig.ports[0].edge_bytes = 1000;
	CU_ASSERT_NOT_EQUAL(rig_set(&rig, RIG_MS), 0);
	rig_stop(&rig);
}

/* Everything at once, for both pipelines and any number of records an advance: one digest, and the
 * rig recounts after each step. */
static uint64_t play(const char *pipeline, uint32_t out_cap, uint64_t seed)
{
	uint64_t digest, t = RIG_US;
	struct rig rig;

	begin(&rig, false, pipeline);
	rig.out_cap = out_cap;
	for (int i = 0; i < 1500; i++) {
		uint32_t dice = rig_random(&seed) % 100;

		t += rig_random(&seed) % (12 * RIG_US);
		if (dice < 4)
			edge(&rig, t, rig_random(&seed) % 2);
		else if (dice < 6)
			rig_hold(&rig, t, 1 + rig_random(&seed) % 2, rig_random(&seed) % 2);
		else if (dice < 8)
			rig_link(&rig, t, rig_random(&seed) % 3, rig_random(&seed) % 4 != 0);
		else
			burst(&rig, t, rig_random(&seed) % 12 == 0 ? 9 : 1 + rig_random(&seed) % 2,
			      rig_random(&seed) % 5, 1 + rig_random(&seed) % 3);
	}
	for (uint16_t p = 0; p < 3; p++) {
		rig_link(&rig, t, p, true);
		rig_hold(&rig, t, p, false);
	}
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig_stats(&rig)->held, 0);
	digest = rig_stats(&rig)->digest;
	rig_stop(&rig);
	return digest;
}

static void any_order_of_acts(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		CU_ASSERT_EQUAL(play("lossless", 64, seed), play("lossless", 1, seed));
		CU_ASSERT_EQUAL(play("lossy", 64, seed), play("lossy", 1, seed));
	}
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"edge_switched__off_lets_all_arrive", off_lets_all_arrive},
		{"edge_switched__off_keeps_the_order", off_keeps_the_order_of_arrival},
		{"edge_switched__off_beyond_the_buffer", off_beyond_the_buffer},
		{"edge_switched__off_means_arrival", off_means_arrival},
		{"edge_switched__on_in_xoff", on_in_xoff},
		{"edge_switched__flaps", flaps},
		{"edge_switched__link_is_down", link_is_down},
		{"edge_switched__size_changes", size_changes},
		{"edge_switched__any_order_of_acts", any_order_of_acts},
		{NULL, NULL},
	};

	return cu_main("model/edge_live", cases);
}
