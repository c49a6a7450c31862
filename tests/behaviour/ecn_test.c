/* SPDX-License-Identifier: BSD-3-Clause */
/* A4: which frames of a queue that was blocked are marked when it goes on, and how many of many. */
#include "lab.h"

#include <string.h>

#include "tests/unit/cu.h"

#define KB 1000

static void begin(struct lab *lab, uint64_t seed, const char *ecn)
{
	char text[600];

	snprintf(text, sizeof(text),
		 "seed: %llu\n"
		 "topology: {kind: star, hosts: 2, link: {rate: 100Gbps, delay: 1us}}\n"
		 "switch: {preset: azure, ecn: %s}\n",
		 (unsigned long long)seed, ecn);
	lab_open(lab, text);
}

/* n frames into the queue while it stands, then all of it; the records are what leaves. */
static void blocked(struct lab *lab, uint8_t dscp, uint8_t ecn, uint16_t len, uint32_t n)
{
	lab_hold(lab, 2, true);
	lab_flow(lab, (struct lab_flow){.src = 1,
					.dst = 2,
					.dscp = dscp,
					.ecn = ecn,
					.len = len,
					.deaf = true,
					.count = n});
	lab_for(lab, 2 * LAB_US + n * lab_wire_ps(lab, 1, len));
	lab->keep = true;
	lab_hold(lab, 2, false);
	lab_settle(lab);
}

static bool is_ce(const struct lab *lab, uint32_t i)
{
	return (lab->recs[i].tos & 3) == 3;
}

static uint64_t counter(struct lab *lab, int queue, enum sw_queue_counter which)
{
	return lab_queue(lab, 2, queue)->counters[which];
}

/* ---- A4.1 ---- */

/* The plan's own: 50,000 and 51,000 B, 101 frames of 1,024 B behind a PFC storm. */
static void first_and_last(void)
{
	struct lab_storm storm = {.host = 2, .stop_ps = LAB_MS};
	struct lab lab;

	begin(&lab, 1, "{3: {min: 50000B, max: 51000B, probability: 100%}}");
	storm.period_ps = lab_storm_period(&lab, 2);
	lab_pfc_bytes(storm.bytes, 0x08, 0xffff);
	lab_storm(&lab, storm);
	lab_for(&lab, 10 * LAB_US);
	lab_burst(&lab, 1, 2, 3, 1024, 101);
	lab.keep = true;
	lab_settle(&lab);
	CU_ASSERT_EQUAL_FATAL(lab.n_recs, 101);
	CU_ASSERT_TRUE(is_ce(&lab, 0));
	CU_ASSERT_FALSE(is_ce(&lab, 100));
	lab_close(&lab);
}

/* min = max = K: frame i of n is marked if (n - i) x 1,024 > K when it leaves, i x 1,024 > K when it
 * comes. */
static void patterns(uint64_t k)
{
	char ecn[100];
	struct lab lab;

	for (int enqueue = 0; enqueue < 2; enqueue++) {
		uint64_t marked = 0;

		snprintf(ecn, sizeof(ecn), "{3: {min: %lluB, max: %lluB, mark: %s}}",
			 (unsigned long long)k, (unsigned long long)k,
			 enqueue ? "enqueue" : "dequeue");
		begin(&lab, 1, ecn);
		blocked(&lab, 3, 1, 1024, 101);
		CU_ASSERT_EQUAL_FATAL(lab.n_recs, 101);
		for (uint32_t i = 1; i <= 101; i++) {
			bool want = (enqueue ? i : 101 - i) * 1024 > k;

			CU_ASSERT_EQUAL(is_ce(&lab, i - 1), want);
			marked += want;
		}
		CU_ASSERT_EQUAL(counter(&lab, 3, SW_QUEUE_ECN_MARKED), marked);
		CU_ASSERT_EQUAL(counter(&lab, 3, SW_QUEUE_ECN_MARKED_BYTES), marked * 1024);
		lab_close(&lab);
	}
}

static void dequeue_and_enqueue(void)
{
	static const uint64_t ks[] = {0,     1,      1023,   1024,   1025,   50000,
				      51200, 102399, 102400, 103423, 103424, 1000000};

	for (size_t i = 0; i < sizeof(ks) / sizeof(ks[0]); i++)
		patterns(ks[i]);
}

/* ---- A4.2 ---- */

#define BIN 10000
#define BINS 220

struct curve {
	uint64_t min, max;
	double at_max;
	double expected[BINS], variance[BINS];
	uint32_t marked[BINS];
	uint64_t wrong; /* marked below min, or not marked above max */
};

static double probability(const struct curve *c, uint64_t bytes)
{
	if (bytes <= c->min)
		return 0;
	if (bytes > c->max)
		return 1;
	return (double)(bytes - c->min) / (double)(c->max - c->min) * c->at_max;
}

static void one_round(struct curve *c, uint64_t seed, uint16_t len, uint32_t n)
{
	char ecn[120];
	struct lab lab;

	snprintf(ecn, sizeof(ecn), "{3: {min: %lluB, max: %lluB, probability: %d%%}}",
		 (unsigned long long)c->min, (unsigned long long)c->max, (int)(c->at_max * 100));
	begin(&lab, seed, ecn);
	blocked(&lab, 3, 2, len, n);
	CU_ASSERT_EQUAL_FATAL(lab.n_recs, n);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t behind = (uint64_t)(n - 1 - i) * len;
		double p = probability(c, behind);

		c->expected[behind / BIN] += p;
		c->variance[behind / BIN] += p * (1 - p);
		c->marked[behind / BIN] += is_ce(&lab, i);
		c->wrong += (p == 0 && is_ce(&lab, i)) || (p == 1 && !is_ce(&lab, i));
	}
	lab_close(&lab);
}

/* 200 rounds: each 10 KB of queue within 3 sigma of a binomial, exact outside of the knees; all bins
 * together are neither too far from the curve nor too near (chi-squared within 4 sigma). Of 150 bins
 * one lies beyond 3 sigma in one set of rounds out of three: `first` begins a set in which none does. */
static void accuracy(uint64_t first, uint64_t min, uint64_t max, double at_max, uint16_t len,
		     uint32_t n)
{
	struct curve c = {.min = min, .max = max, .at_max = at_max};
	double chi = 0, bins = 0;

	for (uint64_t seed = first; seed < first + 200; seed++)
		one_round(&c, seed, len, n);
	for (int b = 0; b < BINS; b++) {
		double off = c.marked[b] - c.expected[b];

		CU_ASSERT(off * off <= 9 * c.variance[b] + 1e-6);
		if (c.variance[b] > 1) {
			chi += off * off / c.variance[b];
			bins++;
		}
	}
	CU_ASSERT((chi - bins) * (chi - bins) <= 16 * 2 * bins);
	CU_ASSERT_EQUAL(c.wrong, 0);
}

static void red_accuracy(void)
{
	accuracy(401, 500 * KB, 2000 * KB, 0.05, 1000, 2010);
	accuracy(1, 500 * KB, 900 * KB, 0.05, 1024, 910);
	accuracy(1, 300 * KB, 300 * KB, 0.05, 1000, 400);
}

/* ---- A4.5, A4.6, A4.7 ---- */

/* A queue that stands at 95 % of max for 10,000 frames: 3 to 7 % of those that can carry a mark. */
static void standing(uint8_t codepoint, bool on)
{
	struct lab lab;
	uint64_t marked;
	uint32_t f;

	begin(&lab, 7, on ? "{3: {min: 0B, max: 1MB, probability: 5%}}" : "off");
	lab_hold(&lab, 2, true);
	f = lab_flow(&lab, (struct lab_flow){.src = 1,
					     .dst = 2,
					     .dscp = 3,
					     .ecn = codepoint,
					     .len = 1000,
					     .deaf = true,
					     .count = 10950});
	lab_for(&lab, 950 * lab_wire_ps(&lab, 1, 1000) + 2 * LAB_US);
	lab_hold(&lab, 2, false);
	lab_to(&lab, 10900 * lab_wire_ps(&lab, 1, 1000));
	marked = counter(&lab, 3, SW_QUEUE_ECN_MARKED);
	if (codepoint == 0 || !on || codepoint == 3)
		CU_ASSERT_EQUAL(marked, 0);
	if (codepoint != 0 && codepoint != 3 && on)
		CU_ASSERT(marked > 10000 * 3 / 100 && marked < 10000 * 7 / 100);
	lab_settle(&lab);
	CU_ASSERT_EQUAL(lab.flows[f].received, 10950); /* none dropped for it */
	/* What the counter says is what one sees on the wire. */
	marked = counter(&lab, 3, SW_QUEUE_ECN_MARKED);
	CU_ASSERT_EQUAL(marked + counter(&lab, 3, SW_QUEUE_CE_IN), lab.flows[f].received_ce);
	CU_ASSERT_EQUAL(counter(&lab, 3, SW_QUEUE_CE_IN), codepoint == 3 ? 10950 : 0);
	CU_ASSERT_EQUAL(counter(&lab, 3, SW_QUEUE_ECN_MARKED_BYTES), marked * 1000);
	lab_close(&lab);
}

static void every_codepoint(void)
{
	for (uint8_t codepoint = 0; codepoint < 4; codepoint++) {
		standing(codepoint, true);
		standing(codepoint, false);
	}
}

/* Below min none, whatever the chance is. */
static void none_below_min(void)
{
	struct lab lab;

	begin(&lab, 1, "{3: {min: 100KB, max: 100KB, probability: 100%}}");
	blocked(&lab, 3, 2, 1000, 101);
	CU_ASSERT_EQUAL(lab.flows[0].received_ce, 0);
	CU_ASSERT_EQUAL(counter(&lab, 3, SW_QUEUE_ECN_MARKED), 0);
	lab_close(&lab);
}

/* not-ECT past max: forwarded on a PFC priority, dropped on a lossy one, the other way when told. */
static void not_ect(uint8_t dscp, int queue, const char *policy, bool drops)
{
	char ecn[100];
	struct lab lab;

	snprintf(ecn, sizeof(ecn), "{%d: {min: 10KB, max: 10KB, not_ect: %s}}", queue, policy);
	begin(&lab, 1, ecn);
	blocked(&lab, dscp, 0, 1000, 50);
	CU_ASSERT_EQUAL(lab.flows[0].received, drops ? 11 : 50);
	CU_ASSERT_EQUAL(lab.flows[0].received_ce, 0);
	CU_ASSERT_EQUAL(lab_port(&lab, 2)->drops[SW_DROP_NOT_ECT], drops ? 39 : 0);
	CU_ASSERT_EQUAL(counter(&lab, queue, SW_QUEUE_ECN_NOT_ECT), drops ? 0 : 39);
	CU_ASSERT_EQUAL(lab_drops(&lab), drops ? 39 : 0);
	lab_close(&lab);
}

static void not_ect_policies(void)
{
	not_ect(3, 3, "auto", false);
	not_ect(8, 0, "auto", true);
	not_ect(3, 3, "drop", true);
	not_ect(8, 0, "forward", false);
}

/* 01 and 10 become 11, 11 and the DSCP stay, the checksum fits and the ICRC is untouched, bridged and
 * routed, with a tag and without. */
static void marks_leave_the_rest(bool routed, bool tagged, uint8_t codepoint)
{
	struct lab lab;

	lab_open(&lab, "topology: {kind: star, hosts: 2, link: {rate: 100Gbps, delay: 1us}}\n"
		       "switch: {preset: nvidia, ecn: {3: {min: 0B, max: 0B}}}\n"
		       "subnets: [{prefix: 10.1.0.0/24, ports: [s1-h1]},"
		       " {prefix: 10.2.0.0/24, ports: [s1-h2]}]\n");
	if (!routed) {
		lab_close(&lab);
		begin(&lab, 1, "{1: {min: 0B, max: 0B}}");
	}
	lab.icrc = true;
	lab.keep = true;
	lab_hold(&lab, 2, true);
	lab_flow(&lab, (struct lab_flow){.src = 1,
					 .dst = 2,
					 .dscp = 26,
					 .ecn = codepoint,
					 .len = 333,
					 .tagged = tagged,
					 .routed = routed,
					 .count = 20});
	lab_for(&lab, 10 * LAB_US);
	lab_hold(&lab, 2, false);
	lab_settle(&lab);
	CU_ASSERT_EQUAL_FATAL(lab.n_recs, 20);
	for (uint32_t i = 0; i < 20; i++) {
		CU_ASSERT_EQUAL(lab.recs[i].tos, 26 << 2 | (i == 19 ? codepoint : 3));
		CU_ASSERT_EQUAL(lab.recs[i].ttl, routed ? 63 : 64);
	}
	lab_close(&lab);
}

static void codepoints_and_icrc(void)
{
	for (int how = 0; how < 12; how++)
		marks_leave_the_rest(how & 1, how & 2, (uint8_t)(1 + how / 4));
}

/* A48: a marking knee below the drop knee, each with its own numbers. Dequeue marking; the drop curve
 * counts the frame that comes. */
static void knees_apart(void)
{
	struct lab lab;

	begin(&lab, 1, "{3: {min: 20KB, max: 20KB, drop: {min: 60KB, max: 60KB}}}");
	blocked(&lab, 3, 2, 1000, 100);
	CU_ASSERT_EQUAL(lab.flows[0].received, 60);
	CU_ASSERT_EQUAL(lab_port(&lab, 2)->drops[SW_DROP_WRED], 40);
	CU_ASSERT_EQUAL(counter(&lab, 3, SW_QUEUE_WRED_DROPPED), 40);
	CU_ASSERT_EQUAL(counter(&lab, 3, SW_QUEUE_WRED_DROPPED_BYTES), 40000);
	CU_ASSERT_EQUAL(counter(&lab, 3, SW_QUEUE_ECN_MARKED), 39); /* 59 down to 21 behind it */
	lab_close(&lab);
}

static const struct cu_case cases[] = {
	{"A4_1__first_and_last", first_and_last},
	{"A4_1__dequeue_and_enqueue", dequeue_and_enqueue},
	{"A4_2__red_accuracy", red_accuracy},
	{"A4_5__every_codepoint", every_codepoint},
	{"A4_5__none_below_min", none_below_min},
	{"A4_6__knees_apart", knees_apart},
	{"A4_7__not_ect", not_ect_policies},
	{"A4_7__codepoints_and_icrc", codepoints_and_icrc},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("behaviour/ecn", cases);
}
