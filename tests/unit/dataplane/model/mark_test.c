/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/mark.c"

#include "rig.h"

#include "tests/unit/cu.h"

#define SIZE 1024
#define PAUSE_US 1000

static void begin(struct rig *rig, const struct sw_ecn *ecn)
{
	rig_init(rig, 2);
	rig->config.buffer.size_bytes = 10000000;
	rig->config.qos.ecn[3] = *ecn;
	rig->config.qos.ecn[0] = *ecn;
}

/* n frames of a priority into port 1, which a received pause keeps still; then all leave. */
static void blocked_burst(struct rig *rig, uint8_t prio, uint8_t ecn, int n)
{
	rig_start(rig);
	rig_hold(rig, RIG_US, 1, true);
	for (int i = 0; i < n; i++)
		rig_send(rig, 2 * RIG_US, 0, 1, prio, ecn, SIZE);
	rig_hold(rig, PAUSE_US * RIG_US, 1, false);
	rig_settle(rig);
}

static const uint64_t *counters(struct rig *rig, int queue)
{
	return rig_stats(rig)->ports[1].queues[queue].counters;
}

/* A4.1: at dequeue the first are marked, at enqueue the last. */
static void dequeue_pattern(void)
{
	const struct sw_ecn ecn = {
		.on = true, .min_bytes = 50000, .max_bytes = 50000, .probability_ppb = 1000000000};
	uint32_t marked = 0;
	struct rig rig;

	begin(&rig, &ecn);
	blocked_burst(&rig, 3, 2, 101);
	CU_ASSERT_EQUAL_FATAL(rig.n_recs, 101);
	for (int i = 1; i <= 101; i++) {
		CU_ASSERT_EQUAL(rig.recs[i - 1].ecn, (101 - i) * SIZE > 50000 ? 3 : 2);
		marked += rig.recs[i - 1].ecn == 3;
	}
	CU_ASSERT_EQUAL(counters(&rig, 3)[SW_QUEUE_ECN_MARKED], marked);
	CU_ASSERT_EQUAL(counters(&rig, 3)[SW_QUEUE_ECN_MARKED_BYTES], marked * SIZE);
	rig_stop(&rig);
}

static void enqueue_pattern(void)
{
	const struct sw_ecn ecn = {.on = true,
				   .at_enqueue = true,
				   .min_bytes = 50000,
				   .max_bytes = 50000,
				   .probability_ppb = 1000000000};
	struct rig rig;

	begin(&rig, &ecn);
	blocked_burst(&rig, 3, 1, 101);
	CU_ASSERT_EQUAL_FATAL(rig.n_recs, 101);
	for (int i = 0; i < 101; i++)
		CU_ASSERT_EQUAL(rig.recs[i].ecn, i * SIZE > 50000 ? 3 : 1);
	rig_stop(&rig);
}

/* The same with the pause of a PFC frame, and the thresholds of the public test plan. */
static void behind_a_pause(void)
{
	const struct sw_ecn ecn = {
		.on = true, .min_bytes = 50000, .max_bytes = 51000, .probability_ppb = 1000000000};
	struct rig rig;

	begin(&rig, &ecn);
	rig_start(&rig);
	rig_pfc(&rig, RIG_US, 1, 0x08, 0xffff);
	for (int i = 0; i < 101; i++)
		rig_send(&rig, 2 * RIG_US, 0, 1, 3, 2, SIZE);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 101);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 0)->ecn, 3);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 100)->ecn, 2);
	rig_stop(&rig);
}

static void step_at_the_byte(void)
{
	for (int extra = 0; extra < 2; extra++) {
		const struct sw_ecn ecn = {.on = true,
					   .min_bytes = 10 * SIZE - extra,
					   .max_bytes = 10 * SIZE - extra,
					   .probability_ppb = 1000000000};
		struct rig rig;

		begin(&rig, &ecn);
		blocked_burst(&rig, 3, 2, 11); /* the first leaves 10 behind */
		CU_ASSERT_EQUAL(rig.recs[0].ecn, extra ? 3 : 2);
		CU_ASSERT_EQUAL(rig.recs[1].ecn, 2);
		rig_stop(&rig);
	}
}

/* ---- A4.2: the curve ---- */

#define KMIN 100000
#define KMAX 180000
#define FRAMES 186
#define BIN 10000
#define BINS (FRAMES * SIZE / BIN + 1)

struct curve {
	double expected[BINS], variance[BINS];
	uint32_t marked[BINS], seen[BINS];
};

static double probability(uint64_t bytes, double at_max)
{
	if (bytes <= KMIN)
		return 0;
	if (bytes > KMAX)
		return 1;
	return (double)(bytes - KMIN) / (KMAX - KMIN) * at_max;
}

static void one_round(struct curve *curve, const struct sw_ecn *ecn, uint64_t seed)
{
	struct rig rig;

	begin(&rig, ecn);
	rig.config.seed = seed;
	rig.recount_every = 0;
	blocked_burst(&rig, 3, 2, FRAMES);
	for (uint32_t i = 0; i < rig.n_recs; i++) {
		uint64_t behind = (FRAMES - 1 - i) * SIZE;
		double p = probability(behind, ecn->probability_ppb / 1e9);
		int bin = behind / BIN;

		curve->expected[bin] += p;
		curve->variance[bin] += p * (1 - p);
		curve->marked[bin] += rig.recs[i].ecn == 3;
		curve->seen[bin]++;
	}
	rig_stop(&rig);
}

static void red_curve(uint32_t ppb)
{
	const struct sw_ecn ecn = {
		.on = true, .min_bytes = KMIN, .max_bytes = KMAX, .probability_ppb = ppb};
	struct curve curve = {0};

	for (uint64_t seed = 1; seed <= 400; seed++)
		one_round(&curve, &ecn, seed);
	for (int b = 0; b < BINS; b++) {
		double off = curve.marked[b] - curve.expected[b];

		/* exact outside, where the variance is 0 */
		CU_ASSERT(off * off <= 9 * curve.variance[b] + 1e-6);
	}
	CU_ASSERT_EQUAL(curve.marked[KMIN / BIN - 1], 0);
	CU_ASSERT_EQUAL(curve.marked[BINS - 1], curve.seen[BINS - 1]);
}

static void red_within_3_sigma(void)
{
	red_curve(50000000);
	red_curve(500000000);
	red_curve(1000000000);
}

static void probability_zero_is_none_up_to_max(void)
{
	const struct sw_ecn ecn = {.on = true, .min_bytes = 0, .max_bytes = 50 * SIZE};
	struct rig rig;

	begin(&rig, &ecn);
	blocked_burst(&rig, 3, 2, 60);
	for (uint32_t i = 0; i < 60; i++)
		CU_ASSERT_EQUAL(rig.recs[i].ecn, 59 - i > 50 ? 3 : 2);
	rig_stop(&rig);
}

/* A seed and a name make a stream; nothing else. */
static uint64_t marked_set(uint64_t seed, uint16_t ports)
{
	const struct sw_ecn ecn = {
		.on = true, .min_bytes = 0, .max_bytes = 100 * SIZE, .probability_ppb = 500000000};
	uint64_t set = 0;
	struct rig rig;

	begin(&rig, &ecn);
	rig_stop((rig_start(&rig), &rig)); /* a first life leaves no trace */
	rig_init(&rig, ports);
	rig.config.seed = seed;
	rig.config.buffer.size_bytes = 10000000;
	rig.config.qos.ecn[3] = ecn;
	blocked_burst(&rig, 3, 2, 64);
	for (int i = 0; i < 64; i++)
		set = set << 1 | (rig.recs[i].ecn == 3);
	rig_stop(&rig);
	return set;
}

static void streams_by_seed_and_name(void)
{
	CU_ASSERT_EQUAL(marked_set(1, 2), marked_set(1, 2));
	CU_ASSERT_EQUAL(marked_set(1, 2), marked_set(1, 9)); /* other ports disturb nothing */
	CU_ASSERT_NOT_EQUAL(marked_set(1, 2), marked_set(2, 2));
}

/* ---- codepoints ---- */

static void ce_stays(void)
{
	const struct sw_ecn ecn = {.on = true, .probability_ppb = 1000000000};
	struct rig rig;

	begin(&rig, &ecn);
	blocked_burst(&rig, 3, 3, 10);
	for (int i = 0; i < 10; i++)
		CU_ASSERT_EQUAL(rig.recs[i].ecn, 3);
	CU_ASSERT_EQUAL(counters(&rig, 3)[SW_QUEUE_ECN_MARKED], 0);
	CU_ASSERT_EQUAL(counters(&rig, 3)[SW_QUEUE_CE_IN], 10);
	rig_stop(&rig);
}

static void not_ect_forwarded(void)
{
	const struct sw_ecn ecn = {.on = true, .probability_ppb = 1000000000};
	struct rig rig;

	begin(&rig, &ecn);
	blocked_burst(&rig, 3, 0, 10);
	CU_ASSERT_EQUAL_FATAL(rig.n_recs, 10);
	for (int i = 0; i < 10; i++)
		CU_ASSERT_EQUAL(rig.recs[i].ecn, 0);
	CU_ASSERT_EQUAL(counters(&rig, 3)[SW_QUEUE_ECN_NOT_ECT],
			9); /* the last leaves none behind */
	CU_ASSERT_EQUAL(counters(&rig, 3)[SW_QUEUE_ECN_MARKED], 0);
	rig_stop(&rig);
}

/* Dropped at dequeue: the frame behind takes the slot at once, the buffer is given back. */
static void not_ect_dropped(void)
{
	for (int at_enqueue = 0; at_enqueue < 2; at_enqueue++) {
		const struct sw_ecn ecn = {.on = true,
					   .at_enqueue = at_enqueue,
					   .drop_not_ect = true,
					   .probability_ppb = 1000000000};
		struct rig rig;

		begin(&rig, &ecn);
		blocked_burst(&rig, 0, 0, 10);
		CU_ASSERT_EQUAL(rig.n_recs, 1);
		CU_ASSERT_EQUAL(rig.recs[0].t_ps, PAUSE_US * RIG_US);
		CU_ASSERT_EQUAL(rig.recs[0].id, at_enqueue ? 1 : 10);
		CU_ASSERT_EQUAL(rig_stats(&rig)->ports[1].drops[SW_DROP_NOT_ECT], 9);
		CU_ASSERT_EQUAL(counters(&rig, 0)[SW_QUEUE_DROPPED], 9);
		CU_ASSERT_EQUAL(rig_stats(&rig)->buffer_bytes, 0);
		rig_stop(&rig);
	}
}

static void off_marks_nothing(void)
{
	const struct sw_ecn ecn = {.probability_ppb = 1000000000};
	struct rig rig;

	begin(&rig, &ecn);
	blocked_burst(&rig, 3, 2, 50);
	for (int i = 0; i < 50; i++)
		CU_ASSERT_EQUAL(rig.recs[i].ecn, 2);
	rig_stop(&rig);
}

/* A frame that is marked at enqueue and then finds no buffer never carried its mark anywhere: the
 * counter is what one sees on the wire. */
static void counter_is_what_leaves(void)
{
	const struct sw_ecn ecn = {.on = true, .at_enqueue = true, .probability_ppb = 1000000000};
	uint64_t seen = 0;
	struct rig rig;

	begin(&rig, &ecn);
	rig.config.qos.pfc_mask = 0;
	rig.config.buffer.size_bytes = 20 * SIZE;
	blocked_burst(&rig, 3, 2, 40);
	CU_ASSERT(rig_stats(&rig)->ports[1].drops[SW_DROP_QUEUE_FULL] > 0);
	for (uint32_t i = 0; i < rig.n_recs; i++)
		seen += rig.recs[i].ecn == 3;
	CU_ASSERT(seen > 0);
	CU_ASSERT_EQUAL(counters(&rig, 3)[SW_QUEUE_ECN_MARKED], seen);
	CU_ASSERT_EQUAL(counters(&rig, 3)[SW_QUEUE_ECN_MARKED_BYTES], seen * SIZE);
	rig_stop(&rig);
}

/* What is not IP says nothing about marks: forwarded, uncounted. */
static void not_ip_not_judged(void)
{
	const struct sw_ecn ecn = {.on = true, .drop_not_ect = true, .probability_ppb = 1000000000};
	uint8_t bytes[60] = {2, 0, 0, 1, 0, 1, 2, 0, 0, 1, 0, 0, 0x88, 0xb5};
	struct rig rig;

	begin(&rig, &ecn);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	for (int i = 0; i < 10; i++)
		rig_one(&rig, RIG_US, 0, rig_raw(&rig, bytes, sizeof(bytes)));
	rig_hold(&rig, 2 * RIG_US, 1, false);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig.n_recs, 10);
	CU_ASSERT_EQUAL(counters(&rig, 0)[SW_QUEUE_ECN_NOT_ECT], 0);
	rig_stop(&rig);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"mark_dequeue__pattern", dequeue_pattern},
		{"mark_enqueue__pattern", enqueue_pattern},
		{"mark_dequeue__behind_a_pause", behind_a_pause},
		{"mark_dequeue__step_at_the_byte", step_at_the_byte},
		{"mark_dequeue__red_within_3_sigma", red_within_3_sigma},
		{"mark_dequeue__probability_zero", probability_zero_is_none_up_to_max},
		{"mark_dequeue__streams_by_seed_and_name", streams_by_seed_and_name},
		{"mark_dequeue__ce_stays", ce_stays},
		{"mark_dequeue__not_ect_forwarded", not_ect_forwarded},
		{"mark_enqueue__not_ect_dropped", not_ect_dropped},
		{"mark_dequeue__off_marks_nothing", off_marks_nothing},
		{"mark_enqueue__counter_is_what_leaves", counter_is_what_leaves},
		{"mark_dequeue__not_ip_not_judged", not_ip_not_judged},
		{NULL, NULL},
	};

	return cu_main("model/mark", cases);
}
