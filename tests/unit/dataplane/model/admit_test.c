/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/admit.c"

#include "rig.h"

#include "tests/unit/cu.h"

#define FRAME 64
#define CELL 256

/* 3 ports, a pool of `cells` to share, headroom and xon offset in cells; one frame is one cell. */
static void one_cell_frames(struct rig *rig, uint64_t cells, uint64_t headroom, uint64_t xon)
{
	rig_init(rig, 5);
	rig->config.buffer.cell_bytes = CELL;
	rig->config.buffer.xon_offset_bytes = xon * CELL;
	for (int i = 0; i < 5; i++)
		rig->ports[i].headroom_bytes = headroom * CELL;
	rig->config.buffer.size_bytes = (cells + 5 * 2 * headroom) * CELL;
}

static uint64_t send_n(struct rig *rig, uint64_t t, uint16_t in, uint16_t out, uint8_t dscp, int n)
{
	for (int i = 0; i < n; i++, t += 10 * RIG_NS)
		rig_send(rig, t, in, out, dscp, 2, FRAME);
	return t;
}

static const struct sw_pg_stats *pg_of(struct rig *rig, uint16_t port, int pg)
{
	return &rig_stats(rig)->ports[port].pgs[pg];
}

/* ---- A1.1: xoff exactly at packet T, the first drop exactly at packet D ---- */

static void no_drops(struct rig *rig)
{
	CU_ASSERT_EQUAL(rig_stats(rig)->dropped, 0);
}

/* Pool of 100, alpha 1: the 50th frame meets the threshold; 50 + headroom fit. */
static void xoff_and_drop_points(uint8_t prio)
{
	const struct sw_stats *s;
	struct rig rig;
	uint64_t t;

	one_cell_frames(&rig, 100, 20, 0);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	t = send_n(&rig, RIG_US, 0, 1, prio, 49);
	CU_ASSERT_FALSE(pg_of(&rig, 0, prio)->xoff);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), 0);
	t = send_n(&rig, t, 0, 1, prio, 1);
	CU_ASSERT_TRUE(pg_of(&rig, 0, prio)->xoff);
	rig_to(&rig, t);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), 1);
	CU_ASSERT_EQUAL(pg_of(&rig, 0, prio)->headroom_bytes, 0);
	t = send_n(&rig, t + RIG_MS, 0, 1, prio, 20);
	CU_ASSERT(rig_count(&rig, 0, SW_REC_PFC) > 1); /* refreshed */
	CU_ASSERT_EQUAL(pg_of(&rig, 0, prio)->headroom_bytes, 20 * CELL);
	no_drops(&rig);
	send_n(&rig, t, 0, 1, prio, 3);
	s = rig_stats(&rig);
	CU_ASSERT_EQUAL(s->dropped, 3);
	CU_ASSERT_EQUAL(s->dropped_lossless, 3);
	CU_ASSERT_EQUAL(s->ports[0].drops[SW_DROP_HEADROOM_FULL], 3);
	CU_ASSERT_EQUAL(s->ports[1].counters[SW_PORT_DROPPED], 0); /* never charged to egress */
	CU_ASSERT_EQUAL(s->ports[1].queues[prio].counters[SW_QUEUE_DROPPED], 0);
	for (int g = 0; g < SW_PRIOS; g++)
		CU_ASSERT_EQUAL(s->ports[0].pgs[g].dropped, g == prio ? 3 : 0);
	rig_stop(&rig);
}

static void both_priorities(void)
{
	xoff_and_drop_points(3);
	xoff_and_drop_points(4);
}

/* A1.6: the same points every time. */
static void drop_point_repeats(void)
{
	struct rig rig;
	uint64_t t = RIG_US;

	one_cell_frames(&rig, 100, 20, 0);
	rig_start(&rig);
	for (uint64_t round = 1; round <= 20; round++) {
		rig_hold(&rig, t, 1, true);
		t = send_n(&rig, t, 0, 1, 3, 70);
		CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, round - 1);
		t = send_n(&rig, t, 0, 1, 3, 1);
		CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, round);
		rig_hold(&rig, t, 1, false);
		t += RIG_MS;
		rig_to(&rig, t);
		CU_ASSERT_EQUAL(rig_stats(&rig)->buffer_bytes, 0);
		CU_ASSERT_EQUAL(rig_stats(&rig)->shared_bytes, 0);
	}
	rig_stop(&rig);
}

/* Large frames: what counts is cells; 9000 B are 36 of 256. */
static void large_frames(void)
{
	struct rig rig;

	one_cell_frames(&rig, 360, 72, 0);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	for (uint64_t i = 1; i <= 8; i++) {
		rig_send(&rig, i * RIG_US, 0, 1, 3, 2, 9000);
		CU_ASSERT_EQUAL(pg_of(&rig, 0, 3)->xoff, i >= 5); /* 180 of 360 */
		CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, i > 7 ? i - 7 : 0);
	}
	rig_stop(&rig);
}

/* ---- A1.2: hysteresis ---- */

static void xon_once_below_offset(void)
{
	const struct rig_rec *xon;
	struct rig rig;
	uint64_t t;
	uint32_t told;

	one_cell_frames(&rig, 100, 20, 10);
	rig_start(&rig);
	for (uint16_t out = 1; out <= 3; out++)
		rig_hold(&rig, 0, out, true);
	t = send_n(&rig, RIG_US, 0, 1, 3, 30);
	t = send_n(&rig, t, 0, 2, 3, 14);
	t = send_n(&rig, t, 0, 3, 3, 6); /* 50: xoff */
	CU_ASSERT_TRUE(pg_of(&rig, 0, 3)->xoff);
	/* S + 10 <= 100 - S: 45 is the first. Six go: 44, after the fifth it is 45. */
	rig_hold(&rig, t, 3, false);
	rig_to(&rig, t + RIG_US);
	CU_ASSERT_FALSE(pg_of(&rig, 0, 3)->xoff);
	told = rig_count(&rig, 0, SW_REC_PFC);
	xon = rig_nth(&rig, 0, SW_REC_PFC, told - 1);
	CU_ASSERT_EQUAL(xon->gen.class_vector, 8);
	CU_ASSERT_EQUAL(xon->gen.quanta[3], 0);
	/* At the moment the fifth starts to leave: port 0 is idle, so at once. */
	CU_ASSERT_EQUAL(xon->t_ps, rig_nth(&rig, 3, SW_REC_FRAME, 4)->t_ps);
	rig_to(&rig, t + 30000 * RIG_MS); /* 30 s */
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), told);
	no_drops(&rig);
	rig_stop(&rig);
}

/* Above the offset the pause goes on, refreshed. */
static void stays_xoff_above_offset(void)
{
	struct rig rig;
	uint32_t told;
	uint64_t t;

	one_cell_frames(&rig, 100, 20, 10);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	rig_hold(&rig, 0, 2, true);
	t = send_n(&rig, RIG_US, 0, 1, 3, 46);
	t = send_n(&rig, t, 0, 2, 3, 4);
	rig_hold(&rig, t, 2, false); /* 46 stay: 46 + 10 > 54 */
	rig_to(&rig, t + RIG_US);
	CU_ASSERT_EQUAL(pg_of(&rig, 0, 3)->shared_bytes, 46 * CELL);
	CU_ASSERT_TRUE(pg_of(&rig, 0, 3)->xoff);
	told = rig_count(&rig, 0, SW_REC_PFC);
	rig_to(&rig, t + 2 * RIG_MS);
	CU_ASSERT(rig_count(&rig, 0, SW_REC_PFC) > told);
	rig_stop(&rig);
}

/* ---- reserve, watermarks ---- */

static void reserve_is_not_shared(void)
{
	struct rig rig;
	uint64_t t;

	one_cell_frames(&rig, 100, 20, 0);
	rig.config.buffer.reserved_bytes = 8 * CELL;
	rig.config.buffer.size_bytes += 5 * 8 * 8 * CELL; /* every PG is reached by a DSCP */
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	t = send_n(&rig, RIG_US, 0, 1, 3, 8);
	CU_ASSERT_EQUAL(pg_of(&rig, 0, 3)->max_shared_bytes, 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->shared_bytes, 0);
	for (int n = 1; n <= 50; n++) {
		CU_ASSERT_FALSE(pg_of(&rig, 0, 3)->xoff);
		t = send_n(&rig, t, 0, 1, 3, 1);
		CU_ASSERT_EQUAL(pg_of(&rig, 0, 3)->max_shared_bytes, (uint64_t)n * CELL);
	}
	CU_ASSERT_TRUE(pg_of(&rig, 0, 3)->xoff);
	for (int n = 1; n <= 25; n++) {
		t = send_n(&rig, t, 0, 1, 3, 1);
		CU_ASSERT_EQUAL(pg_of(&rig, 0, 3)->max_shared_bytes, 50 * CELL); /* saturates */
		CU_ASSERT_EQUAL(pg_of(&rig, 0, 3)->max_headroom_bytes,
				(uint64_t)(n < 20 ? n : 20) * CELL);
	}
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 5);
	rig_hold(&rig, t, 1, false);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig_stats(&rig)->buffer_bytes, 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->buffer_max_bytes, 78 * CELL);
	CU_ASSERT_EQUAL(pg_of(&rig, 0, 3)->max_shared_bytes, 50 * CELL); /* until cleared */
	rig_stop(&rig);
}

/* Two priorities of a port: only the one that fills is paused and drops. */
static void priorities_are_apart(void)
{
	const struct sw_stats *s;
	struct rig rig;
	uint64_t t;

	one_cell_frames(&rig, 100, 20, 0);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	t = send_n(&rig, RIG_US, 0, 1, 4, 5);
	t = send_n(&rig, t, 0, 1, 3, 100);
	s = rig_stats(&rig);
	CU_ASSERT_TRUE(s->ports[0].pgs[3].xoff);
	CU_ASSERT_FALSE(s->ports[0].pgs[4].xoff);
	CU_ASSERT_EQUAL(s->ports[0].pgs[4].dropped, 0);
	CU_ASSERT_EQUAL(s->ports[0].pgs[3].dropped, 100 - 48 - 20); /* 48 of 95, then headroom */
	rig_to(&rig, t + 2 * RIG_MS);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].prio[SW_PRIO_PFC_TX][4], 0);
	rig_stop(&rig);
}

/* ---- A2.1: lossy overflow is charged to egress ---- */

static void lossy_drop_point(void)
{
	const struct sw_stats *s;
	struct rig rig;
	uint64_t t;

	one_cell_frames(&rig, 100, 20, 0);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	/* Frame n needs n <= 100 - (n - 1): 50 fit. */
	t = send_n(&rig, RIG_US, 0, 1, 0, 50);
	no_drops(&rig);
	send_n(&rig, t, 0, 1, 0, 4);
	rig_to(&rig, t + 2 * RIG_MS);
	s = rig_stats(&rig);
	CU_ASSERT_EQUAL(s->ports[1].drops[SW_DROP_QUEUE_FULL], 4);
	CU_ASSERT_EQUAL(s->ports[1].queues[0].counters[SW_QUEUE_DROPPED], 4);
	CU_ASSERT_EQUAL(s->dropped_lossy, 4);
	CU_ASSERT_EQUAL(s->ports[0].counters[SW_PORT_DROPPED], 0);
	CU_ASSERT_EQUAL(s->ports[0].pgs[0].dropped, 0);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), 0);
	rig_stop(&rig);
}

/* Each lossy queue has its share: a second one is not starved by the first. */
static void lossy_queues_share(void)
{
	struct rig rig;
	uint64_t t;

	one_cell_frames(&rig, 100, 20, 0);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	t = send_n(&rig, RIG_US, 0, 1, 0, 100);
	send_n(&rig, t, 2, 1, 1, 100);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[1].queues[0].packets, 50);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[1].queues[1].packets, 25);
	rig_stop(&rig);
}

static void longer_than_mtu(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig.ports[1].mtu_bytes = 1500;
	rig_start(&rig);
	rig_send(&rig, RIG_US, 0, 1, 3, 2, 1514);
	no_drops(&rig);
	rig_send(&rig, 2 * RIG_US, 0, 1, 3, 2, 1515);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[1].drops[SW_DROP_MTU_EXCEEDED], 1);
	rig_stop(&rig);
}

/* ---- cells ---- */

static void cells_round_up(void)
{
	static const uint32_t sizes[] = {1, 2, 3, 64, 80, 208, 254, 255, 256, 1000, 9999, 16384};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct rig rig;
		uint32_t wrong = 0;

		rig_init(&rig, 1);
		rig.config.buffer.cell_bytes = sizes[i];
		rig_start(&rig);
		for (uint64_t len = 60; len < 65536; len++) {
			uint64_t cells = ((len + sizes[i] - 1) * rig.sw->cell_inverse) >> 32;

			wrong += cells != (len + sizes[i] - 1) / sizes[i];
		}
		CU_ASSERT_EQUAL(wrong, 0);
		rig_stop(&rig);
	}
}

static void short_frames_count_as_60(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	rig_send(&rig, RIG_US, 0, 1, 3, 2, 58);
	CU_ASSERT_EQUAL(rig_stats(&rig)->buffer_bytes, 60);
	rig_stop(&rig);
}

/* ---- against an independent model: the rules of behaviour's public simulator, in plain sums ---- */

struct oracle_pg {
	uint64_t in, hdrm; /* cells below headroom, in headroom */
	bool paused;
};

struct oracle {
	uint64_t pool, reserve, headroom, offset;
	double alpha;
	struct oracle_pg pgs[3][2]; /* port, priority 3 or 4 */
};

static uint64_t over(const struct oracle *o, const struct oracle_pg *pg)
{
	return pg->in > o->reserve ? pg->in - o->reserve : 0;
}

static uint64_t threshold(const struct oracle *o)
{
	uint64_t shared = 0;

	for (int i = 0; i < 3; i++)
		shared += over(o, &o->pgs[i][0]) + over(o, &o->pgs[i][1]);
	return (uint64_t)((double)(o->pool - shared) * o->alpha); /* powers of two: exact */
}

static bool oracle_in(struct oracle *o, struct oracle_pg *pg, uint64_t cells)
{
	uint64_t after = pg->in + cells;

	if (after <= o->reserve || after - o->reserve <= threshold(o))
		pg->in = after;
	else if (pg->hdrm + cells <= o->headroom)
		pg->hdrm += cells;
	else
		return false;
	if (pg->hdrm > 0 || (over(o, pg) > 0 && over(o, pg) >= threshold(o)))
		pg->paused = true;
	return true;
}

static void oracle_out(struct oracle *o, struct oracle_pg *pg, uint64_t cells)
{
	uint64_t from = pg->hdrm < cells ? pg->hdrm : cells;

	pg->hdrm -= from;
	pg->in -= cells - from;
	if (pg->hdrm == 0 && (over(o, pg) == 0 || over(o, pg) + o->offset <= threshold(o)))
		pg->paused = false;
}

static void compare(struct rig *rig, const struct oracle *o)
{
	for (int i = 0; i < 3; i++)
		for (int p = 0; p < 2; p++) {
			const struct oracle_pg *pg = &o->pgs[i][p];
			const struct sw_pg *real = &rig->sw->ports[i].pgs[3 + p];

			CU_ASSERT(real->ingress == pg->in && real->headroom == pg->hdrm);
			CU_ASSERT_EQUAL(real->xoff, pg->paused);
		}
}

/* Frames into held ports 3 (priority 3) and 4 (priority 4), one FIFO each; a release lets the first
 * of one go by opening the port for just one start. */
static void random_walk(uint64_t seed, uint32_t cell, uint32_t shift)
{
	struct oracle o = {.reserve = seed % 3 * 5, .headroom = 30, .offset = seed % 7};
	uint64_t t = RIG_US, rng = seed, drops = 0;
	struct rig rig;

	rig_init(&rig, 5);
	o.pool = 120;
	o.alpha = 1.0 / (1 << shift);
	rig.config.buffer.cell_bytes = cell;
	rig.config.buffer.alpha_q16 = 65536 >> shift;
	rig.config.buffer.reserved_bytes = o.reserve * cell;
	rig.config.buffer.xon_offset_bytes = o.offset * cell;
	for (int i = 0; i < 5; i++)
		rig.ports[i].headroom_bytes = o.headroom * cell;
	rig.config.buffer.size_bytes = (o.pool + 5 * 8 * o.reserve + 10 * o.headroom) * cell;
	for (int i = 0; i < 5; i++)
		rig.ports[i].mtu_bytes = 68 + 1000;
	rig_start(&rig);
	rig_hold(&rig, 0, 3, true);
	rig_hold(&rig, 0, 4, true);
	for (int step = 0; step < 1500; step++, t += RIG_US) {
		/* fill and drain in turns, so that both thresholds are crossed often */
		bool in = rig_random(&rng) % 100 < (step / 60 % 2 == 0 ? 75 : 30);
		uint16_t port = rig_random(&rng) % 3, p = rig_random(&rng) % 2;
		struct sw_queue *queue = &rig.sw->ports[3 + p].queues[3 + p];

		if (in) {
			uint16_t len = 58 + rig_random(&rng) % 1000;
			uint64_t cells = (frame_bytes(len) + cell - 1) / cell;

			drops += !oracle_in(&o, &o.pgs[port][p], cells);
			rig_send(&rig, t, port, 3 + p, 3 + p, 2, len);
		} else if (queue->head != NULL) {
			oracle_out(&o, &o.pgs[queue->head->in_port][p], queue->head->cells);
			rig_hold(&rig, t, 3 + p, false);
			rig_hold(&rig, t + 1, 3 + p, true);
		}
		CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, drops);
		compare(&rig, &o);
	}
	CU_ASSERT(drops > 0);
	CU_ASSERT(rig_stats(&rig)->ports[0].prio[SW_PRIO_XOFF_EPISODES][3] > 1);
	rig_hold(&rig, t, 3, false);
	rig_hold(&rig, t, 4, false);
	rig_settle(&rig);
	CU_ASSERT(rig_stats(&rig)->buffer_bytes == 0 && rig_stats(&rig)->shared_bytes == 0);
	rig_stop(&rig);
}

static void like_the_rules(void)
{
	static const uint32_t cells[] = {64, 208, 254, 256};

	for (uint64_t seed = 1; seed <= 24; seed++)
		random_walk(seed, cells[seed % 4], seed % 3);
}

/* Headroom below one frame and frames that step over the threshold: the refused one says xoff, and
 * what leaves says xon. */
static void refusal_says_xoff(void)
{
	struct rig rig;

	one_cell_frames(&rig, 10, 0, 0);
	for (int i = 0; i < 5; i++)
		rig.ports[i].mtu_bytes = 1500;
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	rig_send(&rig, RIG_US, 0, 1, 3, 2, 4 * CELL);
	CU_ASSERT_FALSE(pg_of(&rig, 0, 3)->xoff);
	rig_send(&rig, 2 * RIG_US, 0, 1, 3, 2, 4 * CELL);
	CU_ASSERT_TRUE(pg_of(&rig, 0, 3)->xoff);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_HEADROOM_FULL], 1);
	rig_hold(&rig, 3 * RIG_US, 1, false);
	rig_settle(&rig);
	CU_ASSERT_FALSE(pg_of(&rig, 0, 3)->xoff);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), 2);
	rig_stop(&rig);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"admit__refusal_says_xoff", refusal_says_xoff},
		{"admit__xoff_and_drop_points", both_priorities},
		{"admit__drop_point_repeats", drop_point_repeats},
		{"admit__large_frames", large_frames},
		{"admit_release__xon_once_below_offset", xon_once_below_offset},
		{"admit_release__stays_xoff_above_offset", stays_xoff_above_offset},
		{"admit__reserve_is_not_shared", reserve_is_not_shared},
		{"admit__priorities_are_apart", priorities_are_apart},
		{"admit__lossy_drop_point", lossy_drop_point},
		{"admit__lossy_queues_share", lossy_queues_share},
		{"admit__longer_than_mtu", longer_than_mtu},
		{"admit__cells_round_up", cells_round_up},
		{"admit__short_frames_count_as_60", short_frames_count_as_60},
		{"admit__like_the_rules", like_the_rules},
		{NULL, NULL},
	};

	return cu_main("model/admit", cases);
}
