/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/sched.c"

#include "rig.h"

#include "tests/unit/cu.h"

/* Everything into held port 1, then released: the order is the scheduler's alone. */
static void begin(struct rig *rig)
{
	rig_init(rig, 2);
	rig->config.qos.pfc_mask = 0;
	rig->config.buffer.size_bytes = 100000000;
	rig->recount_every = 1000;
}

static void strict_order(void)
{
	static const uint8_t order[SW_PRIOS] = {7, 5, 2, 0,
						1, 3, 4, 6}; /* strict ones, then DWRR */
	struct rig rig;

	begin(&rig);
	rig.config.qos.sched[2].strict = true;
	rig.config.qos.sched[5].strict = true;
	rig.config.qos.sched[7].strict = true;
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	for (int i = 0; i < 80; i++)
		rig_send(&rig, RIG_US, 0, 1, i % 8, 2, 1000);
	rig_hold(&rig, 2 * RIG_US, 1, false);
	rig_settle(&rig);
	CU_ASSERT_EQUAL_FATAL(rig.n_recs, 80);
	for (int i = 0; i < 30; i++)
		CU_ASSERT_EQUAL(rig.recs[i].queue, order[i / 10]);
	rig_stop(&rig);
}

/* A strict queue that gets a frame while others wait is next. */
static void strict_overtakes(void)
{
	struct rig rig;

	begin(&rig);
	rig.config.qos.sched[0].strict = true;
	rig_start(&rig);
	for (int i = 0; i < 5; i++)
		rig_send(&rig, RIG_US, 0, 1, 6, 2, 1000);
	rig_send(&rig, RIG_US + 100 * RIG_NS, 0, 1, 0, 2, 1000);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig.recs[2].queue, 0); /* the second of queue 6 was on the wire */
	rig_stop(&rig);
}

/* ---- DWRR ---- */

struct share {
	uint8_t weight;    /* 0: not in play */
	uint16_t min, max; /* of frame lengths */
};

static uint32_t longest(const struct share *shares)
{
	uint32_t most = 0;

	for (int q = 0; q < SW_PRIOS; q++)
		if (shares[q].weight > 0 && shares[q].max > most)
			most = shares[q].max;
	return most;
}

/* |bytes_i / w_i - bytes_j / w_j| <= Q + MTU / w_i + MTU / w_j, times w_i x w_j. */
static bool close_enough(const struct share *shares, uint64_t quantum, const uint64_t *sent, int i,
			 int j)
{
	uint64_t wi = shares[i].weight, wj = shares[j].weight, mtu = longest(shares);
	uint64_t a = sent[i] * wj, b = sent[j] * wi, apart = a > b ? a - b : b - a;

	return apart <= quantum * wi * wj + mtu * wj + mtu * wi;
}

static void check_prefixes(const struct rig *rig, const struct share *shares, uint64_t *left)
{
	uint64_t quantum;
	uint64_t sent[SW_PRIOS] = {0};
	uint32_t wrong = 0, judged = 0, mask = 0;

	for (int q = 0; q < SW_PRIOS; q++)
		mask |= (shares[q].weight > 0) << q;
	quantum = rig->sw->dwrr_quantum[mask];

	for (uint32_t r = 0; r < rig->n_recs; r++) {
		int q = rig->recs[r].queue;

		sent[q] += frame_bytes(rig->recs[r].len);
		if (--left[q] == 0)
			break; /* no longer are all of them backlogged */
		judged++;
		for (int i = 0; i < SW_PRIOS; i++)
			for (int j = 0; j < i; j++)
				if (shares[i].weight > 0 && shares[j].weight > 0)
					wrong += !close_enough(shares, quantum, sent, i, j);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(judged > 50);
}

static void fair_at_every_prefix(const struct share *shares, uint64_t seed)
{
	uint64_t left[SW_PRIOS] = {0};
	struct rig rig;

	begin(&rig);
	for (int q = 0; q < SW_PRIOS; q++)
		if (shares[q].weight > 0)
			rig.config.qos.sched[q].weight = shares[q].weight;
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	for (int q = 0; q < SW_PRIOS; q++)
		for (int n = 0; shares[q].weight > 0 && n < 40 + 10 * shares[q].weight; n++) {
			uint16_t range = shares[q].max - shares[q].min + 1;

			rig_send(&rig, RIG_US, 0, 1, q, 2,
				 shares[q].min + rig_random(&seed) % range);
			left[q]++;
		}
	rig_hold(&rig, 2 * RIG_US, 1, false);
	rig_settle(&rig);
	check_prefixes(&rig, shares, left);
	CU_ASSERT_EQUAL(rig_stats(&rig)->tx, rig_stats(&rig)->rx);
	for (int q = 0; q < SW_PRIOS; q++) /* an idle queue saves nothing up */
		CU_ASSERT_EQUAL(rig.sw->ports[1].queues[q].deficit_bytes, 0);
	rig_stop(&rig);
}

static void fair(void)
{
	static const struct share sets[][SW_PRIOS] = {
		{{1, 1500, 1500}, {1, 1500, 1500}},
		{{1, 1500, 1500}, {100, 1500, 1500}},
		{{100, 1500, 1500}, {1, 1500, 1500}},
		{{1, 9000, 9000}, {100, 1100, 9000}},
		{{14, 1500, 1500},
		 {14, 1500, 1500},
		 {14, 1500, 1500},
		 {15, 1500, 1500},
		 {15, 1500, 1500},
		 {14, 1500, 1500},
		 {14, 1500, 1500}},
		{{8, 1100, 1500}, {30, 60, 1500}, {8, 60, 1500}, {30, 1100, 1500}},
		{{3, 1500, 9000},
		 {7, 64, 9000},
		 {1, 64, 64},
		 {50, 1500, 1500},
		 {99, 9000, 9000},
		 {2, 60, 100},
		 {13, 4000, 4200},
		 {100, 1500, 1500}},
		{{5, 64, 64}, {0, 0, 0}, {0, 0, 0}, {9, 9000, 9000}},
		{{10, 64, 64}, {10, 64, 64}}, /* many frames a turn: the quantum shows */
	};

	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		fair_at_every_prefix(sets[i], i + 1);
}

/* A2.7: when a queue's last frame leaves, fewer than 80 are still to come. */
static void ends_together(void)
{
	static const int frames[SW_PRIOS] = {140, 140, 140, 150, 150, 140, 140, 0};
	int left[SW_PRIOS], all = 1000;
	struct rig rig;

	begin(&rig);
	for (int q = 0; q < SW_PRIOS; q++)
		rig.config.qos.sched[q].weight = q == 3 || q == 4 ? 15 : 14;
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	for (int q = 0; q < SW_PRIOS; q++)
		for (left[q] = 0; left[q] < frames[q]; left[q]++)
			rig_send(&rig, RIG_US, 0, 1, q, 2, 1500);
	rig_hold(&rig, 2 * RIG_US, 1, false);
	rig_settle(&rig);
	CU_ASSERT_EQUAL_FATAL(rig.n_recs, 1000);
	for (int i = 0; i < 1000; i++) {
		all--;
		if (--left[rig.recs[i].queue] == 0)
			CU_ASSERT(all < 80);
	}
	rig_stop(&rig);
}

/* Weights changed while all wait hold from then on. */
static void weights_change_live(void)
{
	uint64_t sent[2] = {0};
	struct rig rig;
	uint32_t before;

	begin(&rig);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	for (int i = 0; i < 400; i++)
		rig_send(&rig, RIG_US, 0, 1, i % 2, 2, 1500);
	rig_hold(&rig, 2 * RIG_US, 1, false);
	rig_to(&rig, 4 * RIG_US);
	before = rig.n_recs;
	rig.config.qos.sched[1].weight = 9;
	CU_ASSERT_EQUAL(rig_set(&rig, 4 * RIG_US), 0);
	rig_to(&rig, 14 * RIG_US);
	for (uint32_t i = before; i < rig.n_recs; i++)
		sent[rig.recs[i].queue]++;
	CU_ASSERT(sent[0] + sent[1] > 70);
	CU_ASSERT(sent[1] >= 8 * sent[0] - 9 && sent[1] <= 10 * sent[0] + 9);
	rig_stop(&rig);
}

/* What a paused queue misses it does not get back beyond a turn; the others share meanwhile. */
static void one_is_paused(void)
{
	uint64_t sent[SW_PRIOS] = {0};
	struct rig rig;

	begin(&rig);
	rig.config.qos.pfc_mask = 0x18;
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	for (int i = 0; i < 900; i++)
		rig_send(&rig, RIG_US, 0, 1, 2 + i % 3, 2, 1500);
	rig_pfc(&rig, 2 * RIG_US, 1, 0x08, 600); /* 3.072 us: some 25 frames */
	rig_hold(&rig, 2 * RIG_US, 1, false);
	rig_to(&rig, 40 * RIG_US);
	for (uint32_t i = 0; i < rig.n_recs; i++) {
		sent[rig.recs[i].queue] += 1500;
		if (rig.recs[i].t_ps < 5072 * RIG_NS)
			CU_ASSERT(rig.recs[i].queue != 3);
	}
	CU_ASSERT(sent[2] > sent[3] + 15000 && sent[2] < sent[3] + 24000);
	CU_ASSERT(sent[2] <= sent[4] + 3000 && sent[4] <= sent[2] + 3000);
	rig_stop(&rig);
}

/* ---- latency and rate ---- */

static void latency_before_leaving(void)
{
	struct rig rig;

	begin(&rig);
	rig.config.latency_ps = 600 * RIG_NS;
	rig_start(&rig);
	rig_send(&rig, RIG_US, 0, 1, 0, 2, 1000);
	rig_send(&rig, RIG_US + 10 * RIG_NS, 0, 1, 0, 2, 1000);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig.recs[0].t_ps, 1600 * RIG_NS);
	CU_ASSERT_EQUAL(rig.recs[1].t_ps, 1600 * RIG_NS + 81920);
	rig_stop(&rig);
}

/* Back to back at 2,880 Gb/s, which is not a whole number of ps a byte. */
static void back_to_back_at_an_odd_rate(void)
{
	struct rig rig;

	begin(&rig);
	rig.ports[1].rate_bps = 2880000000000;
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	for (int i = 0; i < 2000; i++)
		rig_send(&rig, RIG_US, 0, 1, 0, 2, 1000);
	rig_hold(&rig, 2 * RIG_US, 1, false);
	rig_settle(&rig);
	for (uint64_t i = 0; i < 2000; i++) {
		uint64_t exact = 2 * RIG_US + i * 1024 * 8000 / 2880;

		CU_ASSERT(rig.recs[i].t_ps == exact || rig.recs[i].t_ps + 1 == exact);
	}
	rig_stop(&rig);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"sched_pick__strict_order", strict_order},
		{"sched_pick__strict_overtakes", strict_overtakes},
		{"dwrr_pick__fair_at_every_prefix", fair},
		{"dwrr_pick__ends_together", ends_together},
		{"dwrr_pick__weights_change_live", weights_change_live},
		{"dwrr_pick__one_is_paused", one_is_paused},
		{"sched_next__latency_before_leaving", latency_before_leaving},
		{"sched_next__back_to_back_at_an_odd_rate", back_to_back_at_an_odd_rate},
		{NULL, NULL},
	};

	return cu_main("model/sched", cases);
}
