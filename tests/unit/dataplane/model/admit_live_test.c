/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffer's knobs, the maps and pfc change under traffic, while PGs are in xoff: what was told is
 * taken back or told at that very time, and what is in the buffer stays accounted for. */
#include "dataplane/model/admit.c"

#include "rig.h"

#include "tests/unit/cu.h"

#define FRAME 64
#define CELL 256

/* Alpha 1: of 100 shared cells the 50th frame says xoff. 20 cells of headroom a PG. */
static void begin(struct rig *rig)
{
	rig_init(rig, 4);
	rig->config.buffer.cell_bytes = CELL;
	rig->config.buffer.size_bytes = (100 + 4 * 2 * 20) * CELL;
	for (int i = 0; i < 4; i++) {
		rig->ports[i].headroom_bytes = 20 * CELL;
		rig->ports[i].mtu_bytes = 1000;
	}
	rig_start(rig);
	rig_hold(rig, 0, 1, true);
}

static void send(struct rig *rig, uint64_t t, uint8_t prio, int n)
{
	for (int i = 0; i < n; i++)
		rig_send(rig, t + i * 10 * RIG_NS, 0, 1, prio, 2, FRAME);
}

static void set(struct rig *rig, uint64_t t)
{
	CU_ASSERT_EQUAL(rig_set(rig, t), 0);
}

static const struct sw_pg_stats *pg(struct rig *rig, int index)
{
	return &rig_stats(rig)->ports[0].pgs[index];
}

/* The last PFC frame of port 0: at t, of these classes, xoff or xon. */
static void said(struct rig *rig, uint64_t t, uint8_t classes, bool xoff)
{
	const struct rig_rec *rec;
	uint32_t n;

	rig_to(rig, t + RIG_US);
	n = rig_count(rig, 0, SW_REC_PFC);
	rec = n == 0 ? NULL : rig_nth(rig, 0, SW_REC_PFC, n - 1);
	CU_ASSERT_FATAL(rec != NULL);
	CU_ASSERT_EQUAL(rec->t_ps, t);
	CU_ASSERT_EQUAL(rec->gen.class_vector, classes);
	for (int p = 0; p < SW_PRIOS; p++)
		CU_ASSERT_EQUAL(rec->gen.quanta[p], (classes >> p & 1) && xoff ? 0xffff : 0);
}

static uint32_t told(struct rig *rig)
{
	return rig_count(rig, 0, SW_REC_PFC);
}

static void drain(struct rig *rig, uint64_t t)
{
	const struct sw_stats *s;

	rig_hold(rig, t, 1, false);
	rig_settle(rig);
	s = rig_stats(rig);
	CU_ASSERT(s->buffer_bytes == 0 && s->shared_bytes == 0 && s->headroom_bytes == 0);
	CU_ASSERT_EQUAL(rig->sw->ports[0].pfc_told_xoff, 0);
	rig_stop(rig);
}

/* ---- limits ---- */

/* 40 cells lie still. Each limit that puts them past xoff says so at once, and back again: the peer
 * would never send the frame at which it could be judged. */
static void judged_at_once(void)
{
	struct rig rig;
	struct sw_buffer was;

	begin(&rig);
	was = rig.config.buffer;
	send(&rig, RIG_US, 3, 40);
	CU_ASSERT_FALSE(pg(&rig, 3)->xoff);
	rig.config.buffer.alpha_q16 = 65536 / 2; /* 40 of half of 60 */
	set(&rig, 10 * RIG_US);
	said(&rig, 10 * RIG_US, 0x08, true);
	rig.config.buffer = was;
	set(&rig, 20 * RIG_US);
	said(&rig, 20 * RIG_US, 0x08, false);
	rig.config.buffer.size_bytes -= 30 * CELL; /* 40 of 70 - 40 */
	set(&rig, 30 * RIG_US);
	said(&rig, 30 * RIG_US, 0x08, true);
	rig.config.buffer = was;
	set(&rig, 40 * RIG_US);
	said(&rig, 40 * RIG_US, 0x08, false);
	CU_ASSERT_EQUAL(told(&rig), 4);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].prio[SW_PRIO_XOFF_EPISODES][3], 2);
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 0);
	drain(&rig, RIG_MS);
}

/* Between the two thresholds xoff stays what it is; a smaller offset ends it. */
static void offset_shrinks(void)
{
	struct rig rig;

	begin(&rig);
	rig.config.buffer.xon_offset_bytes = 40 * CELL;
	set(&rig, RIG_NS);
	send(&rig, RIG_US, 3, 50);
	rig_hold(&rig, 2 * RIG_US, 1, false);
	rig_hold(&rig, 2 * RIG_US + 10 * 7040, 1, true); /* ten have gone: 40 + 40 > 60 */
	CU_ASSERT_TRUE(pg(&rig, 3)->xoff);
	rig.config.buffer.xon_offset_bytes = 0;
	set(&rig, 4 * RIG_US);
	CU_ASSERT_FALSE(pg(&rig, 3)->xoff);
	said(&rig, 4 * RIG_US, 0x08, false);
	drain(&rig, RIG_MS);
}

/* The pool below what is in use: lossless frames go on into headroom, which it does not touch; lossy
 * ones are dropped; nothing is evicted. */
static void pool_below_use(void)
{
	struct rig rig;

	begin(&rig);
	send(&rig, RIG_US, 3, 45);
	send(&rig, 5 * RIG_US, 0, 20);
	rig.config.buffer.size_bytes -= 70 * CELL; /* 30 to share, 65 in use */
	set(&rig, 10 * RIG_US);
	CU_ASSERT_EQUAL(rig_stats(&rig)->shared_size_bytes, 30 * CELL);
	CU_ASSERT_EQUAL(rig_stats(&rig)->shared_bytes, 65 * CELL);
	send(&rig, 11 * RIG_US, 3, 20);
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 0);
	CU_ASSERT_EQUAL(pg(&rig, 3)->headroom_bytes, 20 * CELL);
	send(&rig, 12 * RIG_US, 0, 3);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_QUEUE_FULL], 3);
	CU_ASSERT_EQUAL(rig_stats(&rig)->shared_max_bytes, 65 * CELL);
	drain(&rig, RIG_MS);
}

/* A PG's own headroom below what is in use, to nothing and back. */
static void headroom_below_use(void)
{
	struct rig rig;

	begin(&rig);
	send(&rig, RIG_US, 3, 65); /* 15 of 20 */
	rig.ports[0].headroom_bytes = 5 * CELL;
	set(&rig, 10 * RIG_US);
	CU_ASSERT_EQUAL(pg(&rig, 3)->headroom_bytes, 15 * CELL);
	CU_ASSERT_EQUAL(rig_stats(&rig)->headroom_size_bytes, (6 * 20 + 2 * 5) * CELL);
	rig.config.buffer.size_bytes -= 30 * CELL; /* or the rest would be shared */
	set(&rig, 11 * RIG_US);
	send(&rig, 12 * RIG_US, 3, 1);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_HEADROOM_FULL], 1);
	rig.ports[0].headroom_bytes = 16 * CELL;
	set(&rig, 13 * RIG_US);
	send(&rig, 14 * RIG_US, 3, 2);
	CU_ASSERT_EQUAL(pg(&rig, 3)->headroom_bytes, 16 * CELL);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_HEADROOM_FULL], 2);
	drain(&rig, RIG_MS);
}

/* What was reserved becomes shared use, and the other way; the watermark follows. */
static void reserve_changes(void)
{
	struct rig rig;

	begin(&rig);
	rig.config.buffer.reserved_bytes = 10 * CELL;
	rig.config.buffer.size_bytes += 4 * 8 * 10 * CELL;
	set(&rig, RIG_NS);
	CU_ASSERT_EQUAL(rig_stats(&rig)->shared_size_bytes, 100 * CELL);
	send(&rig, RIG_US, 3, 30);
	CU_ASSERT_EQUAL(pg(&rig, 3)->shared_bytes, 20 * CELL);
	rig.config.buffer.reserved_bytes = 0;
	rig.config.buffer.size_bytes -= 4 * 8 * 10 * CELL;
	set(&rig, 2 * RIG_US);
	CU_ASSERT_EQUAL(pg(&rig, 3)->shared_bytes, 30 * CELL);
	CU_ASSERT_EQUAL(pg(&rig, 3)->max_shared_bytes, 30 * CELL);
	CU_ASSERT_EQUAL(rig_stats(&rig)->shared_max_bytes, 30 * CELL);
	rig.config.buffer.reserved_bytes = 5 * CELL;
	rig.config.buffer.size_bytes += 4 * 8 * 5 * CELL;
	set(&rig, 3 * RIG_US);
	CU_ASSERT_EQUAL(rig_stats(&rig)->shared_bytes, 25 * CELL);
	drain(&rig, RIG_MS);
}

static void lossy_share_changes(void)
{
	struct rig rig;

	begin(&rig);
	send(&rig, RIG_US, 0, 40);
	rig.config.buffer.lossy_alpha_q16 = 65536 / 4;
	set(&rig, 2 * RIG_US);
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 0);
	send(&rig, 3 * RIG_US, 0, 1);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_QUEUE_FULL], 1);
	rig.config.buffer.lossy_alpha_q16 = 65536;
	set(&rig, 4 * RIG_US);
	send(&rig, 5 * RIG_US, 0, 11);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_QUEUE_FULL], 2); /* 50 fit */
	drain(&rig, RIG_MS);
}

/* ---- maps, while PG 3 is in xoff ---- */

static void in_xoff(struct rig *rig)
{
	begin(rig);
	send(rig, RIG_US, 3, 55);
	rig_to(rig, 9 * RIG_US);
	CU_ASSERT_EQUAL(told(rig), 1);
}

/* The priority moves to an empty PG: what was told is taken back, new frames fill the new PG and say
 * xoff for the same class again; the old PG drains without a word. */
static void priority_moves_to_another_pg(void)
{
	struct rig rig;

	in_xoff(&rig);
	rig.config.qos.prio_to_pg[3] = 5;
	set(&rig, 10 * RIG_US);
	said(&rig, 10 * RIG_US, 0x08, false);
	CU_ASSERT(!pg(&rig, 3)->xoff && pg(&rig, 3)->total_bytes == 55 * CELL);
	CU_ASSERT_EQUAL(pg(&rig, 3)->headroom_bytes, 5 * CELL);
	send(&rig, 20 * RIG_US, 3, 30);
	CU_ASSERT_EQUAL(pg(&rig, 5)->total_bytes, 30 * CELL);
	CU_ASSERT_TRUE(pg(&rig, 5)->xoff);
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 0);
	rig_to(&rig, 30 * RIG_US);
	CU_ASSERT_EQUAL(told(&rig), 3);
	drain(&rig, RIG_MS);
}

/* Two lossless priorities share the PG that is in xoff: the second is told too, at once. */
static void priority_joins_the_pg(void)
{
	struct rig rig;

	in_xoff(&rig);
	rig.config.qos.prio_to_pg[4] = 3;
	set(&rig, 10 * RIG_US);
	said(&rig, 10 * RIG_US, 0x10, true);
	rig.config.qos.prio_to_pg[4] = 4;
	set(&rig, 20 * RIG_US);
	said(&rig, 20 * RIG_US, 0x10, false);
	drain(&rig, RIG_MS);
}

/* No DSCP reaches PG 3 any more: its reserve and headroom are not set aside, what it holds drains. */
static void pg_out_of_reach(void)
{
	struct rig rig;

	in_xoff(&rig);
	rig.config.qos.dscp_to_prio[3] = 4;
	set(&rig, 10 * RIG_US);
	CU_ASSERT_EQUAL(rig_stats(&rig)->headroom_size_bytes, 4 * 20 * CELL);
	CU_ASSERT_EQUAL(pg(&rig, 3)->headroom_bytes, 5 * CELL);
	CU_ASSERT_TRUE(pg(&rig, 3)->xoff); /* until it has left headroom, like any other */
	send(&rig, 20 * RIG_US, 3, 10);
	CU_ASSERT_EQUAL(pg(&rig, 4)->total_bytes, 10 * CELL);
	drain(&rig, RIG_MS);
}

/* trust pcp: untagged frames have PCP 0, whatever their DSCP; what lies in PG 3 stays there. */
static void trust_changes(void)
{
	struct rig rig;

	in_xoff(&rig);
	rig.config.qos.trust = SW_TRUST_PCP;
	for (int p = 0; p < 8; p++)
		rig.config.qos.pcp_to_prio[p] = p == 0 ? 4 : 0;
	set(&rig, 10 * RIG_US);
	send(&rig, 20 * RIG_US, 3, 10);
	CU_ASSERT_EQUAL(pg(&rig, 4)->total_bytes, 10 * CELL);
	CU_ASSERT_EQUAL(pg(&rig, 3)->total_bytes, 55 * CELL);
	rig.config.qos.trust = SW_TRUST_DSCP;
	set(&rig, 30 * RIG_US);
	send(&rig, 40 * RIG_US, 4, 1);
	CU_ASSERT_EQUAL(pg(&rig, 4)->total_bytes, 11 * CELL);
	drain(&rig, RIG_MS);
}

/* A paused queue: tc_to_queue leads new frames past it; pfc_to_queue moves the pause to them. */
static void queues_change_under_a_pause(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig_start(&rig);
	rig_pfc(&rig, RIG_US, 1, 0x08, 0xffff);
	rig_send(&rig, 2 * RIG_US, 0, 1, 3, 2, 1000);
	rig.config.qos.prio_to_queue[3] = 5;
	set(&rig, 3 * RIG_US);
	rig_send(&rig, 4 * RIG_US, 0, 1, 3, 2, 1000);
	rig_to(&rig, 5 * RIG_US);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 1, SW_REC_FRAME), 1);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 0)->queue, 5);
	rig_send(&rig, 5 * RIG_US, 0, 1, 3, 2, 1000);
	rig.config.qos.pfc_to_queue[3] = 5; /* before it leaves, at the same time */
	set(&rig, 5 * RIG_US);
	rig_to(&rig, 100 * RIG_US);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 1, SW_REC_FRAME), 2);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 1)->queue, 3);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 1)->t_ps, 5 * RIG_US);
	CU_ASSERT_TRUE(rig_stats(&rig)->ports[1].queues[5].paused);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 2)->t_ps, RIG_US + 335539200);
	rig_stop(&rig);
}

/* ---- pfc ---- */

/* A02: the last priority goes; what follows is lossy at once, and no PFC frame is ever sent again. */
static void no_priority_left(void)
{
	struct rig rig;

	in_xoff(&rig);
	rig.config.qos.pfc_mask = 0;
	set(&rig, 10 * RIG_US);
	said(&rig, 10 * RIG_US, 0x08, false);
	CU_ASSERT_EQUAL(rig_stats(&rig)->headroom_size_bytes, 0);
	send(&rig, 20 * RIG_US, 3, 300);
	CU_ASSERT(rig_stats(&rig)->drops[SW_DROP_QUEUE_FULL] > 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_HEADROOM_FULL], 0);
	rig_to(&rig, 5000 * RIG_MS);
	CU_ASSERT_EQUAL(told(&rig), 2);
	drain(&rig, 5001 * RIG_MS);
}

/* The other way: a priority becomes lossless with its queue past the threshold. */
static void priority_becomes_lossless(void)
{
	struct rig rig;

	begin(&rig);
	rig.config.qos.pfc_mask = 0;
	rig.config.buffer.size_bytes = 100 * CELL;
	set(&rig, RIG_NS);
	send(&rig, RIG_US, 3, 50);
	CU_ASSERT_EQUAL(told(&rig), 0);
	rig.config.qos.pfc_mask = 0x08;
	rig.config.buffer.size_bytes = (100 + 4 * 20) * CELL;
	set(&rig, 10 * RIG_US);
	said(&rig, 10 * RIG_US, 0x08, true);
	send(&rig, 20 * RIG_US, 3, 20);
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 0);
	drain(&rig, RIG_MS);
}

/* A port's own pfc: off takes back, on tells again; the other ports do not notice. */
static void port_off_and_on(void)
{
	struct rig rig;

	in_xoff(&rig);
	rig.ports[0].pfc = false;
	set(&rig, 10 * RIG_US);
	said(&rig, 10 * RIG_US, 0x08, false);
	rig.ports[0].pfc = true;
	set(&rig, 20 * RIG_US);
	said(&rig, 20 * RIG_US, 0x08, true);
	drain(&rig, RIG_MS);
}

/* A1.9, live: of eight paused classes only the lossless ones stay paused. */
static void asymmetric_ends(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.qos.pfc_asymmetric = true;
	rig_start(&rig);
	rig_pfc(&rig, RIG_US, 1, 0xff, 0xffff);
	for (int p = 0; p < SW_PRIOS; p++)
		rig_send(&rig, 2 * RIG_US, 0, 1, p, 2, 1000);
	rig_to(&rig, 9 * RIG_US);
	CU_ASSERT_EQUAL(rig.n_recs, 0);
	rig.config.qos.pfc_asymmetric = false;
	set(&rig, 10 * RIG_US);
	rig_to(&rig, 20 * RIG_US);
	CU_ASSERT_EQUAL(rig.n_recs, 6);
	for (uint32_t i = 0; i < rig.n_recs; i++)
		CU_ASSERT(rig.recs[i].queue != 3 && rig.recs[i].queue != 4);
	rig_stop(&rig);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"admit_reconfigured__judged_at_once", judged_at_once},
		{"admit_reconfigured__offset_shrinks", offset_shrinks},
		{"admit__pool_below_use", pool_below_use},
		{"admit__headroom_below_use", headroom_below_use},
		{"admit__reserve_changes", reserve_changes},
		{"admit__lossy_share_changes", lossy_share_changes},
		{"pfc_reconfigured__priority_moves_to_another_pg", priority_moves_to_another_pg},
		{"pfc_reconfigured__priority_joins_the_pg", priority_joins_the_pg},
		{"pfc_reconfigured__pg_out_of_reach", pg_out_of_reach},
		{"pfc_reconfigured__trust_changes", trust_changes},
		{"pfc_reconfigured__queues_change_under_a_pause", queues_change_under_a_pause},
		{"pfc_reconfigured__no_priority_left", no_priority_left},
		{"admit_reconfigured__priority_becomes_lossless", priority_becomes_lossless},
		{"pfc_reconfigured__port_off_and_on", port_off_and_on},
		{"pfc_reconfigured__asymmetric_ends", asymmetric_ends},
		{NULL, NULL},
	};

	return cu_main("model/admit_live", cases);
}
