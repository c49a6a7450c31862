/* SPDX-License-Identifier: BSD-3-Clause */
/* Headroom: each PG's own, and the pool that all of them may share. Frames of one cell. */
#include "dataplane/model/admit.c"

#include "rig.h"

#include "tests/unit/cu.h"

#define FRAME 64
#define CELL 256
#define SOURCES 9
#define PAIRS (2 * SOURCES) /* (port, PG): 3 and 4 of each source */
#define DST SOURCES
#define OWN 20 /* cells of headroom a PG */

/* Nine sources, one held destination; a pool of `pool` cells, 0 = off. */
static void begin(struct rig *rig, uint64_t pool)
{
	rig_init(rig, SOURCES + 1);
	rig->config.buffer.cell_bytes = CELL;
	rig->config.buffer.headroom_pool_bytes = pool * CELL;
	rig->config.buffer.alpha_q16 = 65536 / 8;
	for (int i = 0; i <= SOURCES; i++)
		rig->ports[i].headroom_bytes = OWN * CELL;
	rig->config.buffer.size_bytes = (400 + (pool != 0 ? pool : 2 * (SOURCES + 1) * OWN)) * CELL;
	rig_start(rig);
	rig_hold(rig, 0, DST, true);
}

static const struct sw_pg_stats *pair_stats(struct rig *rig, int pair)
{
	return &rig_stats(rig)->ports[pair / 2].pgs[3 + pair % 2];
}

static uint64_t send(struct rig *rig, uint64_t t, int pair, int n)
{
	for (int i = 0; i < n; i++, t += 10 * RIG_NS)
		rig_send(rig, t, pair / 2, DST, 3 + pair % 2, 2, FRAME);
	return t;
}

static uint64_t all_to_xoff(struct rig *rig, uint64_t t)
{
	for (int pair = 0; pair < PAIRS; pair++) {
		while (!pair_stats(rig, pair)->xoff)
			t = send(rig, t, pair, 1);
		CU_ASSERT_EQUAL(pair_stats(rig, pair)->headroom_bytes, 0);
	}
	rig_to(rig, t);
	for (int i = 0; i < SOURCES; i++)
		CU_ASSERT(rig_count(rig, i, SW_REC_PFC) >= 2);
	CU_ASSERT_EQUAL(rig_stats(rig)->headroom_bytes, 0);
	CU_ASSERT_EQUAL(rig_stats(rig)->dropped, 0);
	return t;
}

/* A1.5 and A29: 17 PGs fill their own, the last finds the pool at its end; every step is exact. */
static void pool_size(void)
{
	const uint64_t partial = 9, pool = (PAIRS - 1) * OWN + partial;
	const struct sw_stats *s;
	struct rig rig;
	uint64_t t, k = 0;

	begin(&rig, pool);
	CU_ASSERT_EQUAL(rig_stats(&rig)->headroom_size_bytes, pool * CELL);
	CU_ASSERT_TRUE(rig_stats(&rig)->headroom_pooled);
	CU_ASSERT_EQUAL(rig_stats(&rig)->shared_size_bytes, 400 * CELL);
	t = all_to_xoff(&rig, RIG_US);
	for (int pair = 0; pair < PAIRS; pair++)
		for (uint64_t n = pair == PAIRS - 1 ? partial : OWN; n > 0; n--) {
			t = send(&rig, t, pair, 1);
			CU_ASSERT_EQUAL(rig_stats(&rig)->headroom_max_bytes, ++k * CELL);
			CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 0);
		}
	for (uint64_t n = 1; n <= 11; n++) {
		t = send(&rig, t, PAIRS - 1, 1);
		s = rig_stats(&rig);
		CU_ASSERT_EQUAL(s->ports[SOURCES - 1].drops[SW_DROP_HEADROOM_FULL], n);
		CU_ASSERT_EQUAL(s->ports[SOURCES - 1].pgs[4].dropped, n);
		CU_ASSERT_EQUAL(s->dropped, n);
		CU_ASSERT_EQUAL(s->ports[DST].counters[SW_PORT_DROPPED], 0);
		CU_ASSERT_EQUAL(s->headroom_max_bytes, pool * CELL);
	}
	for (int pair = 0; pair < PAIRS; pair++)
		CU_ASSERT_EQUAL(pair_stats(&rig, pair)->max_headroom_bytes,
				(pair == PAIRS - 1 ? partial : OWN) * CELL);
	rig_stop(&rig);
}

/* Each PG's own limit stays inside a pool that has room. */
static void own_limit_in_a_pool(void)
{
	struct rig rig;
	uint64_t t;

	begin(&rig, 10 * OWN);
	t = all_to_xoff(&rig, RIG_US);
	t = send(&rig, t, 0, OWN);
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 0);
	t = send(&rig, t, 0, 1);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_HEADROOM_FULL], 1);
	send(&rig, t, 1, OWN); /* the other priority of that port has its own */
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 1);
	CU_ASSERT_EQUAL(rig_stats(&rig)->headroom_bytes, 2 * OWN * CELL);
	rig_stop(&rig);
}

static void without_a_pool(void)
{
	struct rig rig;
	uint64_t t;

	begin(&rig, 0);
	CU_ASSERT_FALSE(rig_stats(&rig)->headroom_pooled);
	CU_ASSERT_EQUAL(rig_stats(&rig)->headroom_size_bytes, 2 * (SOURCES + 1) * OWN * CELL);
	t = all_to_xoff(&rig, RIG_US);
	for (int pair = 0; pair < PAIRS; pair++)
		t = send(&rig, t, pair, OWN);
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->headroom_max_bytes, PAIRS * OWN * CELL);
	for (int pair = 0; pair < PAIRS; pair++)
		t = send(&rig, t, pair, 1);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_HEADROOM_FULL], PAIRS);
	rig_stop(&rig);
}

/* A28 and A1.7: once it has drained, nothing is left in headroom and nobody is paused. */
static void back_to_nothing(void)
{
	uint32_t told[SOURCES];
	struct rig rig;
	uint64_t t;

	begin(&rig, 12 * OWN);
	t = all_to_xoff(&rig, RIG_US);
	for (int pair = 0; pair < 12; pair++)
		t = send(&rig, t, pair, OWN);
	rig_pfc(&rig, t, DST, 0x18, 0xffff); /* held, and paused by a storm for a while */
	rig_hold(&rig, t + RIG_US, DST, false);
	rig_to(&rig, t + 2 * RIG_MS);
	CU_ASSERT_EQUAL(rig_stats(&rig)->buffer_bytes, 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->headroom_bytes, 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->headroom_max_bytes, 12 * OWN * CELL);
	for (int pair = 0; pair < PAIRS; pair++) {
		CU_ASSERT_FALSE(pair_stats(&rig, pair)->xoff);
		CU_ASSERT_EQUAL(pair_stats(&rig, pair)->headroom_bytes, 0);
	}
	for (int i = 0; i < SOURCES; i++)
		told[i] = rig_count(&rig, i, SW_REC_PFC);
	rig_to(&rig, t + 30000 * RIG_MS); /* 30 s of silence */
	for (int i = 0; i < SOURCES; i++)
		CU_ASSERT_EQUAL(rig_count(&rig, i, SW_REC_PFC), told[i]);
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 0);
	rig_stop(&rig);
}

/* ---- live ---- */

/* Below what is in use: nothing is evicted, nothing more gets in until it has drained. */
static void pool_shrinks_below_use(void)
{
	struct rig rig;
	uint64_t t;

	begin(&rig, PAIRS * OWN);
	t = all_to_xoff(&rig, RIG_US);
	for (int pair = 0; pair < 5; pair++)
		t = send(&rig, t, pair, OWN);
	rig.config.buffer.headroom_pool_bytes = 3 * OWN * CELL;
	CU_ASSERT_EQUAL(rig_set(&rig, t), 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->headroom_bytes, 5 * OWN * CELL);
	CU_ASSERT_EQUAL(rig_stats(&rig)->headroom_size_bytes, 3 * OWN * CELL);
	t = send(&rig, t, 6, 1);
	/* The shared pool has grown by what the headroom pool gave up: it fits there. */
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 0);
	while (!pair_stats(&rig, 6)->xoff || pair_stats(&rig, 6)->dropped == 0)
		t = send(&rig, t, 6, 1);
	CU_ASSERT_EQUAL(pair_stats(&rig, 6)->headroom_bytes, 0); /* the pool is full */
	rig.config.buffer.headroom_pool_bytes = 6 * OWN * CELL;
	CU_ASSERT_EQUAL(rig_set(&rig, t), 0);
	t = send(&rig, t, 6, OWN);
	CU_ASSERT_EQUAL(pair_stats(&rig, 6)->headroom_bytes, OWN * CELL);
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 1);
	rig_hold(&rig, t, DST, false);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig_stats(&rig)->headroom_bytes, 0);
	rig_stop(&rig);
}

/* On and off under use; what was not tracked would show in the recount. */
static void pool_on_and_off(void)
{
	struct rig rig;
	uint64_t t;

	begin(&rig, 0);
	t = all_to_xoff(&rig, RIG_US);
	for (int pair = 0; pair < PAIRS; pair++)
		t = send(&rig, t, pair, OWN / 2);
	rig.config.buffer.headroom_pool_bytes = PAIRS * OWN / 2 * CELL;
	rig.config.buffer.size_bytes -= 2 * (SOURCES + 1) * OWN * CELL - PAIRS * OWN / 2 * CELL;
	CU_ASSERT_EQUAL(rig_set(&rig, t), 0); /* the shared pool is as large as before */
	CU_ASSERT_EQUAL(rig_stats(&rig)->shared_size_bytes, 400 * CELL);
	for (int pair = 0; pair < PAIRS; pair++)
		t = send(&rig, t, pair, 1);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_HEADROOM_FULL], PAIRS);
	rig.config.buffer.headroom_pool_bytes = 0;
	rig.config.buffer.size_bytes = (400 + 2 * (SOURCES + 1) * OWN) * CELL;
	CU_ASSERT_EQUAL(rig_set(&rig, t), 0);
	for (int pair = 0; pair < PAIRS; pair++)
		t = send(&rig, t, pair, OWN / 2);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_HEADROOM_FULL], PAIRS);
	CU_ASSERT_EQUAL(rig_stats(&rig)->headroom_bytes, PAIRS * OWN * CELL);
	rig_stop(&rig);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"admit__headroom_pool_size", pool_size},
		{"admit__own_limit_in_a_pool", own_limit_in_a_pool},
		{"admit__without_a_pool", without_a_pool},
		{"admit_release__back_to_nothing", back_to_nothing},
		{"admit__pool_shrinks_below_use", pool_shrinks_below_use},
		{"admit__pool_on_and_off", pool_on_and_off},
		{NULL, NULL},
	};

	return cu_main("model/admit_pool", cases);
}
