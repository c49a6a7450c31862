/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/stats.c"

#include "rig.h"

#include "tests/unit/cu.h"

/* Port 1 held with 40 kB of priority 3 from port 0, which is in xoff and uses headroom. */
static void filled(struct rig *rig)
{
	rig_init(rig, 2);
	rig->config.buffer.size_bytes = 60000 + 4 * 20000;
	rig_start(rig);
	rig_hold(rig, 0, 1, true);
	for (int i = 0; i < 40; i++)
		rig_send(rig, RIG_US, 0, 1, 3, 2, 1000);
}

static void in_bytes(void)
{
	const struct sw_stats *s;
	struct rig rig;

	filled(&rig);
	s = rig_stats(&rig);
	CU_ASSERT_STRING_EQUAL(s->name, "s1");
	CU_ASSERT_STRING_EQUAL(s->ports[1].name, "s1-h01");
	CU_ASSERT_EQUAL(s->buffer_bytes, 40000);
	CU_ASSERT_EQUAL(s->shared_bytes, 30000);
	CU_ASSERT_EQUAL(s->shared_size_bytes, 60000);
	CU_ASSERT_EQUAL(s->ports[0].pgs[3].total_bytes, 40000);
	CU_ASSERT_EQUAL(s->ports[0].pgs[3].shared_bytes, 30000);
	CU_ASSERT_EQUAL(s->ports[0].pgs[3].headroom_bytes, 10000);
	CU_ASSERT_TRUE(s->ports[0].pgs[3].xoff);
	CU_ASSERT_EQUAL(s->ports[1].queues[3].bytes, 40000);
	CU_ASSERT_EQUAL(s->ports[1].queues[3].packets, 40);
	CU_ASSERT(s->ports[1].up && s->ports[1].held && !s->ports[0].held);
	rig_stop(&rig);
}

/* Watermarks start again from what is there now, not from 0. */
static void watermarks_cleared(void)
{
	const struct sw_stats *s;
	struct rig rig;

	filled(&rig);
	sw_clear_watermarks(rig.sw, rig.sw->now); /* all of it is still there */
	rig_hold(&rig, 2 * RIG_US, 1, false);
	rig_to(&rig, 2 * RIG_US + 24 * 81920 + 1); /* 25 have started to leave */
	s = rig_stats(&rig);
	CU_ASSERT_EQUAL(s->buffer_max_bytes, 40000);
	CU_ASSERT_EQUAL(s->ports[1].queues[3].max_bytes, 40000);
	CU_ASSERT_EQUAL(s->ports[0].pgs[3].max_shared_bytes, 30000);
	CU_ASSERT_EQUAL(s->ports[0].pgs[3].max_headroom_bytes, 10000);
	sw_clear_watermarks(rig.sw, rig.sw->now);
	s = rig_stats(&rig);
	CU_ASSERT_EQUAL(s->buffer_max_bytes, 15000);
	CU_ASSERT_EQUAL(s->ports[1].queues[3].max_bytes, 15000);
	CU_ASSERT_EQUAL(s->ports[0].pgs[3].max_shared_bytes, 15000);
	CU_ASSERT_EQUAL(s->ports[0].pgs[3].max_headroom_bytes, 0);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig_stats(&rig)->buffer_max_bytes, 15000);
	rig_stop(&rig);
}

static void edge_watermark_cleared(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig.ports[0].edge = true;
	rig_start(&rig);
	for (int i = 0; i < 10; i++)
		rig_send(&rig, RIG_US, 0, 1, 3, 2, 1000);
	rig_to(&rig, RIG_US + 4 * 81920 + 1);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].edge_max_bytes, 10000);
	sw_clear_watermarks(rig.sw, rig.sw->now);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].edge_max_bytes, 6000);
	rig_stop(&rig);
}

/* A running pause counts up to the time asked for. */
static void running_pause_counts(void)
{
	struct sw_stats s = {0};
	struct sw_port_stats ports[2];
	struct rig rig;

	rig_init(&rig, 2);
	rig_start(&rig);
	rig_pfc(&rig, RIG_US, 1, 0x08, 0xffff);
	s.ports = ports;
	sw_stats(rig.sw, 101 * RIG_US, &s);
	CU_ASSERT_EQUAL(ports[1].queues[3].paused_ps, 100 * RIG_US);
	CU_ASSERT_TRUE(ports[1].queues[3].paused);
	CU_ASSERT_EQUAL(ports[1].queues[4].paused_ps, 0);
	CU_ASSERT_FALSE(ports[1].queues[4].paused);
	CU_ASSERT_EQUAL(s.t_ps, 101 * RIG_US);
	rig_stop(&rig);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"sw_stats__in_bytes", in_bytes},
		{"sw_clear_watermarks__from_now", watermarks_cleared},
		{"sw_clear_watermarks__edge", edge_watermark_cleared},
		{"sw_stats__running_pause_counts", running_pause_counts},
		{NULL, NULL},
	};

	return cu_main("model/stats", cases);
}
