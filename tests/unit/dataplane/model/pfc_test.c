/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/pfc.c"

#include "rig.h"

#include <string.h>

#include "tests/unit/cu.h"

#define FULL_100G 335539200ULL /* 65535 quanta at 100 Gb/s */

/* Alpha 1, cell 1: 3,000 B of 6,000 B are xoff; frames of 1,000 B. */
static void small_pool(struct rig *rig)
{
	rig_init(rig, 4);
	rig->config.buffer.size_bytes = 6000 + 4 * 2 * 20000;
	for (int i = 0; i < 4; i++) {
		rig->ports[i].headroom_bytes = 20000;
		rig->ports[i].mtu_bytes = 1500;
	}
}

static uint64_t fill(struct rig *rig, uint64_t t, uint16_t in, uint16_t out, uint8_t prio, int n)
{
	for (int i = 0; i < n; i++, t += 100 * RIG_NS)
		rig_send(rig, t, in, out, prio, 2, 1000);
	return t;
}

static uint64_t prio_counter(struct rig *rig, uint16_t port, enum sw_prio_counter c, int p)
{
	return rig_stats(rig)->ports[port].prio[c][p];
}

/* ---- what we say ---- */

static void exact_bytes(void)
{
	static const uint8_t want[60] = {0x01, 0x80, 0xc2, 0,    0,    1,    2,    0,    0,
					 2,    0,    0,    0x88, 0x08, 0x01, 0x01, 0x00, 0x08,
					 0,    0,    0,    0,    0,    0,    0xff, 0xff};
	uint8_t bytes[SW_GEN_MAX], xon[60];
	struct sw_rec rec;
	struct rig rig;

	small_pool(&rig);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	fill(&rig, RIG_US, 0, 1, 3, 3);
	rig_hold(&rig, 2 * RIG_US, 1, false);
	rig_to(&rig, 3 * RIG_US);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 0, SW_REC_PFC), 2);
	rec = (struct sw_rec){.kind = SW_REC_PFC, .gen = rig_nth(&rig, 0, SW_REC_PFC, 0)->gen};
	CU_ASSERT_EQUAL(sw_gen_bytes(&rec, bytes), 60);
	CU_ASSERT_EQUAL(memcmp(bytes, want, 60), 0);
	memcpy(xon, want, 60);
	xon[24] = xon[25] = 0; /* bit set, time 0 */
	rec.gen = rig_nth(&rig, 0, SW_REC_PFC, 1)->gen;
	CU_ASSERT_EQUAL(sw_gen_bytes(&rec, bytes), 60);
	CU_ASSERT_EQUAL(memcmp(bytes, xon, 60), 0);
	rig_stop(&rig);
}

/* As soon as the port is free: behind the frame that is on the wire, ahead of all that waits. */
static void ahead_of_data(void)
{
	struct rig rig;

	small_pool(&rig);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	fill(&rig, RIG_US, 0, 1, 3, 2);
	for (int i = 0; i < 3; i++)
		rig_send(&rig, 2 * RIG_US, 2, 0, 3, 2, 1000); /* 81.92 ns each, out of port 0 */
	rig_send(&rig, 2 * RIG_US + 1, 0, 1, 3, 2, 1000);
	rig_to(&rig, 3 * RIG_US);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 0, SW_REC_PFC), 1);
	CU_ASSERT_EQUAL(rig_nth(&rig, 0, SW_REC_FRAME, 0)->t_ps, 2 * RIG_US);
	CU_ASSERT_EQUAL(rig_nth(&rig, 0, SW_REC_PFC, 0)->t_ps, 2 * RIG_US + 81920);
	CU_ASSERT_EQUAL(rig_nth(&rig, 0, SW_REC_FRAME, 1)->t_ps, 2 * RIG_US + 81920 + 6720);
	rig_stop(&rig);
}

static void refreshed_while_xoff(void)
{
	static const uint64_t rates[] = {100000000000, 40000000000, 10000000000, 1000000000};

	for (size_t r = 0; r < 4; r++) {
		uint64_t full = 65535ULL * 512 * (1000000000000 / rates[r]), last = 0;
		struct rig rig;

		small_pool(&rig);
		rig.ports[0].rate_bps = rates[r];
		rig_start(&rig);
		rig_hold(&rig, 0, 1, true);
		fill(&rig, RIG_US, 0, 1, 3, 3);
		rig_to(&rig, RIG_US + 10 * full);
		CU_ASSERT(rig_count(&rig, 0, SW_REC_PFC) >= 10);
		CU_ASSERT(rig_count(&rig, 0, SW_REC_PFC) <= 21); /* and no flood of them */
		for (uint32_t i = 0; i < rig_count(&rig, 0, SW_REC_PFC); i++) {
			const struct rig_rec *rec = rig_nth(&rig, 0, SW_REC_PFC, i);

			CU_ASSERT(i == 0 || rec->t_ps - last < full);
			CU_ASSERT_EQUAL(rec->gen.quanta[3], 0xffff);
			CU_ASSERT_EQUAL(rec->gen.class_vector, 8);
			last = rec->t_ps;
		}
		CU_ASSERT_EQUAL(prio_counter(&rig, 0, SW_PRIO_PFC_TX, 3),
				rig_count(&rig, 0, SW_REC_PFC));
		CU_ASSERT_EQUAL(prio_counter(&rig, 0, SW_PRIO_XOFF_EPISODES, 3), 1);
		rig_stop(&rig);
	}
}

/* A PG that was in xoff only while the port was busy: nothing was said, nothing is taken back. */
static void not_told_not_taken_back(void)
{
	struct rig rig;

	small_pool(&rig);
	rig.ports[0].rate_bps = 1000000000; /* slow: a frame blocks it for 8 us */
	rig_start(&rig);
	rig_send(&rig, RIG_US, 2, 0, 0, 2, 1000);
	rig_to(&rig, RIG_US + 1);
	rig_hold(&rig, RIG_US + 1, 1, true);
	fill(&rig, RIG_US + 2, 0, 1, 3, 3);
	CU_ASSERT_TRUE(rig_stats(&rig)->ports[0].pgs[3].xoff);
	rig_hold(&rig, 2 * RIG_US, 1, false);
	rig_to(&rig, 4 * RIG_US);
	CU_ASSERT_FALSE(rig_stats(&rig)->ports[0].pgs[3].xoff);
	rig_to(&rig, 100 * RIG_MS);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), 0);
	CU_ASSERT_EQUAL(prio_counter(&rig, 0, SW_PRIO_XOFF_EPISODES, 3), 1);
	rig_stop(&rig);
}

/* Both lossless priorities, one frame where both change at once; xon speaks of one alone. */
static void classes_apart(void)
{
	const struct rig_rec *rec;
	struct rig rig;
	uint64_t t;

	small_pool(&rig);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	rig_hold(&rig, 0, 2, true);
	t = fill(&rig, RIG_US, 0, 1, 3, 3);
	fill(&rig, t, 0, 2, 4, 3);
	rig_hold(&rig, 10 * RIG_US, 1, false);
	rig_to(&rig, 20 * RIG_US);
	rec = rig_nth(&rig, 0, SW_REC_PFC, 2);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 0, SW_REC_PFC), 3);
	CU_ASSERT_EQUAL(rig_nth(&rig, 0, SW_REC_PFC, 0)->gen.class_vector, 0x08);
	CU_ASSERT_EQUAL(rig_nth(&rig, 0, SW_REC_PFC, 1)->gen.class_vector, 0x10);
	CU_ASSERT_EQUAL(rec->gen.class_vector, 0x08);
	CU_ASSERT_EQUAL(rec->gen.quanta[3] + rec->gen.quanta[4], 0);
	rig_to(&rig, 3 * FULL_100G);
	rec = rig_nth(&rig, 0, SW_REC_PFC, 3);
	CU_ASSERT_EQUAL(rec->gen.class_vector, 0x10);
	CU_ASSERT_EQUAL(rec->gen.quanta[4], 0xffff);
	rig_stop(&rig);
}

/* Two priorities in one PG are paused together. */
static void classes_of_one_pg(void)
{
	struct rig rig;

	small_pool(&rig);
	rig.config.qos.prio_to_pg[4] = 3;
	rig.config.buffer.size_bytes = 6000 + 4 * 20000; /* one lossless PG a port */
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	fill(&rig, RIG_US, 0, 1, 4, 3);
	rig_to(&rig, 2 * RIG_US);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 0, SW_REC_PFC), 1);
	CU_ASSERT_EQUAL(rig_nth(&rig, 0, SW_REC_PFC, 0)->gen.class_vector, 0x18);
	rig_stop(&rig);
}

/* ---- what we are told ---- */

/* Frames for port 1 from port 0, one every us; those of `prio` that left in [from, to). */
static uint32_t left_between(const struct rig *rig, uint8_t prio, uint64_t from, uint64_t to)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < rig->n_recs; i++)
		n += rig->recs[i].kind == SW_REC_FRAME && rig->recs[i].port == 1 &&
		     rig->recs[i].queue == prio && rig->recs[i].t_ps >= from &&
		     rig->recs[i].t_ps < to;
	return n;
}

/* Exactly until the end, at every speed. */
static void blocks_until_the_end(void)
{
	static const struct {
		uint64_t rate, end;
	} speeds[] = {
		{100000000000, 335539200}, {10000000000, 3355392000}, {40000000000, 838848000}};

	for (size_t i = 0; i < 3; i++) {
		struct rig rig;

		rig_init(&rig, 2);
		rig.ports[1].rate_bps = speeds[i].rate;
		rig_start(&rig);
		rig_pfc(&rig, RIG_US, 1, 0x08, 0xffff);
		rig_send(&rig, 2 * RIG_US, 0, 1, 3, 2, 1000);
		rig_send(&rig, 2 * RIG_US, 0, 1, 4, 2, 1000);
		rig_send(&rig, 2 * RIG_US, 0, 1, 0, 2, 1000);
		CU_ASSERT_TRUE(rig_stats(&rig)->ports[1].queues[3].paused);
		rig_to(&rig, RIG_US + speeds[i].end + 1);
		CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 1, SW_REC_FRAME), 3);
		CU_ASSERT_EQUAL(left_between(&rig, 3, 0, RIG_US + speeds[i].end), 0);
		CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 2)->t_ps, RIG_US + speeds[i].end);
		CU_ASSERT_EQUAL(left_between(&rig, 4, 0, 4 * RIG_US), 1);
		CU_ASSERT_EQUAL(left_between(&rig, 0, 0, 4 * RIG_US), 1);
		CU_ASSERT_EQUAL(rig_stats(&rig)->ports[1].queues[3].paused_ps, speeds[i].end);
		CU_ASSERT_FALSE(rig_stats(&rig)->ports[1].queues[3].paused);
		rig_stop(&rig);
	}
}

static void time_zero_resumes(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig_start(&rig);
	rig_pfc(&rig, RIG_US, 1, 0x18, 0xffff);
	rig_send(&rig, 2 * RIG_US, 0, 1, 3, 2, 1000);
	rig_send(&rig, 2 * RIG_US, 0, 1, 4, 2, 1000);
	rig_pfc(&rig, 50 * RIG_US, 1, 0x08, 0);
	rig_to(&rig, 60 * RIG_US);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 1, SW_REC_FRAME), 1);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 0)->t_ps, 50 * RIG_US);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 0)->queue, 3);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[1].queues[3].paused_ps, 49 * RIG_US);
	rig_stop(&rig);
}

/* The last one counts, longer or shorter; the frame on the wire is not cut. */
static void last_one_counts(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig_start(&rig);
	rig_send(&rig, RIG_US, 0, 1, 3, 2, 1000);
	rig_send(&rig, RIG_US, 0, 1, 3, 2, 1000);
	rig_pfc(&rig, RIG_US + 1, 1, 0x08, 0xffff);
	rig_pfc(&rig, 10 * RIG_US, 1, 0x08, 1000); /* 5.12 us */
	rig_to(&rig, RIG_MS);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 1, SW_REC_FRAME), 2);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 0)->t_ps, RIG_US);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 1)->t_ps, 15120 * RIG_NS);
	rig_stop(&rig);
}

/* A3.4: times without bits. */
static void zero_vector_ignored(void)
{
	static const uint16_t times[SW_PRIOS] = {9, 9, 9, 0xffff, 0xffff, 9, 9, 9};
	struct rig rig;

	rig_init(&rig, 2);
	rig_start(&rig);
	rig_one(&rig, RIG_US, 1, rig_pfc_frame(&rig, 0, times, false));
	rig_send(&rig, 2 * RIG_US, 0, 1, 3, 2, 1000);
	rig_to(&rig, 3 * RIG_US);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 1);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[1].counters[SW_PORT_PFC_ZERO_VECTOR], 1);
	for (int p = 0; p < SW_PRIOS; p++)
		CU_ASSERT_EQUAL(prio_counter(&rig, 1, SW_PRIO_PFC_RX, p), 0);
	rig_stop(&rig);
}

/* Times of classes whose bit is not set do nothing; neither do the vector's upper bits. */
static void times_without_their_bit(void)
{
	static const uint16_t times[SW_PRIOS] = {0, 0, 0, 0xffff, 0xffff, 0, 0, 0};
	struct rig rig;

	rig_init(&rig, 2);
	rig_start(&rig);
	rig_one(&rig, RIG_US, 1, rig_pfc_frame(&rig, 0xff10, times, false));
	rig_send(&rig, 2 * RIG_US, 0, 1, 3, 2, 1000);
	rig_send(&rig, 2 * RIG_US, 0, 1, 4, 2, 1000);
	rig_to(&rig, 3 * RIG_US);
	CU_ASSERT_EQUAL(left_between(&rig, 3, 0, 3 * RIG_US), 1);
	CU_ASSERT_EQUAL(left_between(&rig, 4, 0, 3 * RIG_US), 0);
	rig_stop(&rig);
}

static void zero_source_honoured(void)
{
	static const uint16_t times[SW_PRIOS] = {0, 0, 0, 0xffff};
	struct rig rig;

	rig_init(&rig, 2);
	rig_start(&rig);
	rig_one(&rig, RIG_US, 1, rig_pfc_frame(&rig, 0x08, times, true));
	rig_send(&rig, 2 * RIG_US, 0, 1, 3, 2, 1000);
	rig_to(&rig, 9 * RIG_US);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 0);
	rig_stop(&rig);
}

/* A3.2 and A3.9: a class without PFC is counted, and nothing else. */
static void lossy_class_counted_only(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig_start(&rig);
	for (int i = 0; i < 10; i++)
		rig_pfc(&rig, RIG_US + i * RIG_NS, 1, 0xff & ~0x18, 0xffff);
	for (int p = 0; p < SW_PRIOS; p++)
		rig_send(&rig, 2 * RIG_US, 0, 1, p, 2, 1000);
	rig_to(&rig, 5 * RIG_US);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 8);
	for (int p = 0; p < SW_PRIOS; p++) {
		CU_ASSERT_EQUAL(prio_counter(&rig, 1, SW_PRIO_PFC_RX, p),
				p == 3 || p == 4 ? 0 : 10);
		CU_ASSERT_EQUAL(prio_counter(&rig, 1, SW_PRIO_PFC_RX_HONOURED, p), 0);
	}
	rig_stop(&rig);
}

/* A3.9: 10 of each class with a time, 10 without; never rx, never a drop. */
static void counters_are_exact(void)
{
	const struct sw_stats *s;
	struct rig rig;

	rig_init(&rig, 2);
	rig_start(&rig);
	for (int i = 0; i < 160; i++)
		rig_pfc(&rig, RIG_US + i * RIG_NS, 1, 1 << i % 8, i < 80 ? 0xffff : 0);
	s = rig_stats(&rig);
	for (int p = 0; p < SW_PRIOS; p++) {
		CU_ASSERT_EQUAL(s->ports[1].prio[SW_PRIO_PFC_RX][p], 20);
		CU_ASSERT_EQUAL(s->ports[1].prio[SW_PRIO_PFC_RX_HONOURED][p],
				p == 3 || p == 4 ? 20 : 0);
	}
	CU_ASSERT_EQUAL(s->rx + s->dropped + s->ports[1].counters[SW_PORT_RX_PACKETS], 0);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig.n_recs, 0); /* never forwarded */
	rig_stop(&rig);
}

/* A1.9 and A3.9: all eight are honoured, only lossless ones are said. */
static void asymmetric(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.qos.pfc_asymmetric = true;
	rig_start(&rig);
	rig_pfc(&rig, RIG_US, 1, 0xff, 0xffff);
	for (int p = 0; p < SW_PRIOS; p++)
		rig_send(&rig, 2 * RIG_US, 0, 1, p, 2, 1000);
	rig_to(&rig, RIG_US + FULL_100G);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 0);
	for (int p = 0; p < SW_PRIOS; p++)
		CU_ASSERT_EQUAL(prio_counter(&rig, 1, SW_PRIO_PFC_RX_HONOURED, p), 1);
	rig_to(&rig, 2 * FULL_100G);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 8);
	rig_stop(&rig);
}

static void port_without_pfc(void)
{
	struct rig rig;

	small_pool(&rig);
	rig.ports[0].pfc = rig.ports[1].pfc = false;
	rig.config.buffer.size_bytes = 6000 + 2 * 2 * 20000; /* and no headroom for them */
	rig_start(&rig);
	rig_pfc(&rig, RIG_US, 1, 0x08, 0xffff);
	rig_send(&rig, 2 * RIG_US, 0, 1, 3, 2, 1000);
	rig_to(&rig, 3 * RIG_US);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 1);
	CU_ASSERT_EQUAL(prio_counter(&rig, 1, SW_PRIO_PFC_RX, 3), 1);
	rig_hold(&rig, 3 * RIG_US, 1, true);
	fill(&rig, 4 * RIG_US, 0, 1, 3, 10);
	rig_to(&rig, 3 * FULL_100G);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), 0);
	CU_ASSERT(rig_stats(&rig)->ports[1].drops[SW_DROP_QUEUE_FULL] > 0); /* lossy then */
	rig_stop(&rig);
}

static void lossy_pipeline_has_none(void)
{
	struct rig rig;

	small_pool(&rig);
	rig.pipeline = "lossy";
	rig.config.buffer.size_bytes = 6000;
	rig_start(&rig);
	rig_pfc(&rig, RIG_US, 1, 0x18, 0xffff);
	rig_send(&rig, 2 * RIG_US, 0, 1, 3, 2, 1000);
	rig_to(&rig, 3 * RIG_US);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 1);
	CU_ASSERT_EQUAL(prio_counter(&rig, 1, SW_PRIO_PFC_RX, 3), 1);
	CU_ASSERT_EQUAL(prio_counter(&rig, 1, SW_PRIO_PFC_RX_HONOURED, 3), 0);
	rig_hold(&rig, 3 * RIG_US, 1, true);
	fill(&rig, 4 * RIG_US, 0, 1, 3, 10);
	rig_to(&rig, RIG_MS);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped_lossy, 7); /* 3 of 6 kB fit */
	rig_stop(&rig);
}

/* Several classes on one queue: it stands still while any of them does. */
static void two_classes_one_queue(void)
{
	static const uint16_t times[SW_PRIOS] = {0, 0, 0, 1000, 2000};
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.qos.prio_to_queue[4] = 3;
	rig.config.qos.pfc_to_queue[4] = 3;
	rig_start(&rig);
	rig_one(&rig, RIG_US, 1, rig_pfc_frame(&rig, 0x18, times, false));
	rig_send(&rig, 2 * RIG_US, 0, 1, 3, 2, 1000);
	rig_pfc(&rig, 3 * RIG_US, 1, 0x08, 0); /* class 4 goes on */
	rig_to(&rig, RIG_MS);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 1, SW_REC_FRAME), 1);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 0)->t_ps, RIG_US + 10240 * RIG_NS);
	rig_stop(&rig);
}

/* ---- live changes ---- */

static void off_while_xoff(void)
{
	const struct rig_rec *last;
	struct rig rig;
	uint32_t told;

	small_pool(&rig);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	fill(&rig, RIG_US, 0, 1, 3, 5);
	rig_to(&rig, 2 * RIG_US);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), 1);
	rig.config.qos.pfc_mask = 0;
	CU_ASSERT_EQUAL(rig_set(&rig, 3 * RIG_US), 0);
	rig_to(&rig, 4 * RIG_US);
	told = rig_count(&rig, 0, SW_REC_PFC);
	CU_ASSERT_EQUAL_FATAL(told, 2);
	last = rig_nth(&rig, 0, SW_REC_PFC, 1);
	CU_ASSERT(last->t_ps == 3 * RIG_US && last->gen.class_vector == 8);
	CU_ASSERT_EQUAL(last->gen.quanta[3], 0);
	rig_to(&rig, 5 * FULL_100G);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), 2); /* and stops */
	rig_hold(&rig, 5 * FULL_100G, 1, false);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig_stats(&rig)->buffer_bytes, 0);
	rig_stop(&rig);
}

static void off_ends_a_received_pause(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig_start(&rig);
	rig_pfc(&rig, RIG_US, 1, 0x18, 0xffff);
	rig_send(&rig, 2 * RIG_US, 0, 1, 3, 2, 1000);
	rig_send(&rig, 2 * RIG_US, 0, 1, 4, 2, 1000);
	rig.config.qos.pfc_mask = 0x10;
	CU_ASSERT_EQUAL(rig_set(&rig, 5 * RIG_US), 0);
	rig_to(&rig, 6 * RIG_US);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 1, SW_REC_FRAME), 1);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 0)->t_ps, 5 * RIG_US);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 0)->queue, 3);
	rig_stop(&rig);
}

/* A faster port counts faster quanta: the next word must come in time all the same. */
static void refresh_follows_the_rate(void)
{
	uint64_t last = 0;
	struct rig rig;

	small_pool(&rig);
	rig.ports[0].rate_bps = 1000000000;
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	fill(&rig, RIG_US, 0, 1, 3, 5);
	rig_to(&rig, 2 * RIG_US);
	rig.ports[0].rate_bps = 100000000000;
	CU_ASSERT_EQUAL(rig_set(&rig, 3 * RIG_US), 0);
	rig_to(&rig, 3 * RIG_US + 4 * FULL_100G);
	CU_ASSERT(rig_count(&rig, 0, SW_REC_PFC) >= 5);
	for (uint32_t i = 0; i < rig_count(&rig, 0, SW_REC_PFC); i++) {
		const struct rig_rec *rec = rig_nth(&rig, 0, SW_REC_PFC, i);

		CU_ASSERT(i == 0 || rec->t_ps - last < FULL_100G);
		last = rec->t_ps;
	}
	rig_stop(&rig);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"pfc_tx__exact_bytes", exact_bytes},
		{"pfc_tx__ahead_of_data", ahead_of_data},
		{"pfc_refresh__while_xoff", refreshed_while_xoff},
		{"pfc_tx__not_told_not_taken_back", not_told_not_taken_back},
		{"pfc_tx__classes_apart", classes_apart},
		{"pfc_xoff__classes_of_one_pg", classes_of_one_pg},
		{"pfc_rx__blocks_until_the_end", blocks_until_the_end},
		{"pfc_rx__time_zero_resumes", time_zero_resumes},
		{"pfc_rx__last_one_counts", last_one_counts},
		{"pfc_rx__zero_vector_ignored", zero_vector_ignored},
		{"pfc_rx__times_without_their_bit", times_without_their_bit},
		{"pfc_rx__zero_source_honoured", zero_source_honoured},
		{"pfc_rx__lossy_class_counted_only", lossy_class_counted_only},
		{"pfc_rx__counters_are_exact", counters_are_exact},
		{"pfc_rx__asymmetric", asymmetric},
		{"pfc_rx__port_without_pfc", port_without_pfc},
		{"pfc_rx__lossy_pipeline_has_none", lossy_pipeline_has_none},
		{"pfc_rx__two_classes_one_queue", two_classes_one_queue},
		{"pfc_reconfigured__off_while_xoff", off_while_xoff},
		{"pfc_reconfigured__off_ends_a_received_pause", off_ends_a_received_pause},
		{"pfc_reconfigured__refresh_follows_the_rate", refresh_follows_the_rate},
		{NULL, NULL},
	};

	return cu_main("model/pfc", cases);
}
