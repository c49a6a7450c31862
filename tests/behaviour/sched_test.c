/* SPDX-License-Identifier: BSD-3-Clause */
/* A2.7, A2.8: shares of a port that was held: all queues are backlogged, then it is released. */
#include "lab.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/cu.h"

#define LEN 1500

/* DSCPs of queues 0 to 6 (and 7: 63 is made to lead there). */
static const uint8_t dscps[SW_PRIOS] = {8, 0, 5, 3, 4, 46, 48, 63};

static void begin(struct lab *lab)
{
	lab_open(lab, "topology: {kind: star, hosts: 2, link: {rate: 100Gbps, delay: 100ns}}\n"
		      "switch: {preset: azure, dscp: {63: 7}}\n");
	lab_hold(lab, 2, true);
}

static uint32_t enqueue(struct lab *lab, const uint32_t frames[SW_PRIOS])
{
	uint32_t all = 0;

	for (int q = 0; q < SW_PRIOS; q++) {
		if (frames[q] > 0)
			lab_burst(lab, 1, 2, dscps[q], LEN, frames[q]);
		all += frames[q];
	}
	return all;
}

static void release(struct lab *lab)
{
	lab->keep = true;
	lab_hold(lab, 2, false);
	lab_settle(lab);
}

/* When the last frame of a queue is seen, fewer than `limit` are still to come. */
static void ends_within(const struct lab *lab, const uint32_t frames[SW_PRIOS], uint32_t all,
			uint32_t limit)
{
	uint32_t seen[SW_PRIOS] = {0};

	CU_ASSERT_EQUAL_FATAL(lab->n_recs, all);
	for (uint32_t i = 0; i < all; i++) {
		int q = lab->recs[i].queue;

		if (++seen[q] == frames[q])
			CU_ASSERT(all - 1 - i < limit);
	}
}

/* While all have frames, bytes over weight of any two differ by at most Q + MTU/w + MTU/w'. */
static void fair_at_every_prefix(const struct lab *lab, const uint32_t frames[SW_PRIOS],
				 const uint32_t weights[SW_PRIOS])
{
	uint32_t seen[SW_PRIOS] = {0}, heaviest = 1;

	for (int q = 0; q < SW_PRIOS; q++)
		heaviest = frames[q] > 0 && weights[q] > heaviest ? weights[q] : heaviest;
	for (uint32_t i = 0; i < lab->n_recs; i++) {
		if (++seen[lab->recs[i].queue] == frames[lab->recs[i].queue])
			return;
		for (int a = 0; a < SW_PRIOS; a++)
			for (int b = 0; b < a; b++) {
				double x, y, most;

				if (frames[a] == 0 || frames[b] == 0)
					continue;
				x = (double)seen[a] * LEN / weights[a];
				y = (double)seen[b] * LEN / weights[b];
				most = (double)LEN / heaviest + (double)LEN / weights[a] +
				       (double)LEN / weights[b];
				CU_ASSERT((x > y ? x - y : y - x) <= most + 1e-9);
			}
	}
}

/* ---- A2.7 ---- */

static void dwrr(void)
{
	static const uint32_t frames[SW_PRIOS] = {140, 140, 140, 150, 150, 140, 140, 0};
	static const uint32_t weights[SW_PRIOS] = {14, 14, 14, 15, 15, 14, 14, 14};
	struct lab lab;
	uint32_t all;

	begin(&lab);
	all = enqueue(&lab, frames);
	release(&lab);
	ends_within(&lab, frames, all, 80);
	fair_at_every_prefix(&lab, frames, weights);
	lab_close(&lab);
}

static void weight_change(void)
{
	static const uint32_t frames[SW_PRIOS] = {80, 80, 80, 300, 300, 80, 80, 0};
	static const uint32_t weights[SW_PRIOS] = {8, 8, 8, 30, 30, 8, 8, 8};
	struct lab lab;
	uint32_t all;

	begin(&lab);
	lab_set(&lab, "switch.scheduler={0-2: {dwrr: 8}, 3-4: {dwrr: 30}, 5-7: {dwrr: 8}}");
	all = enqueue(&lab, frames);
	release(&lab);
	ends_within(&lab, frames, all, 80);
	fair_at_every_prefix(&lab, frames, weights);
	lab_close(&lab);
}

/* The same queues before and after a change in the middle of it. */
static void weight_change_while_it_sends(void)
{
	static const uint32_t frames[SW_PRIOS] = {0, 0, 0, 2000, 2000, 0, 0, 0};
	uint32_t seen[2][SW_PRIOS] = {{0}};
	uint64_t half;
	struct lab lab;

	begin(&lab);
	lab_set(&lab, "switch.buffer.size=1GiB");
	lab_set(&lab, "switch.scheduler={3: {dwrr: 10}, 4: {dwrr: 30}}");
	enqueue(&lab, frames);
	lab.keep = true;
	lab_hold(&lab, 2, false);
	lab_for(&lab, 400 * lab_wire_ps(&lab, 2, LEN));
	half = lab.now;
	lab_set(&lab, "switch.scheduler={3: {dwrr: 75}, 4: {dwrr: 25}}");
	lab_for(&lab, 400 * lab_wire_ps(&lab, 2, LEN));
	for (uint32_t i = 0; i < lab.n_recs; i++)
		seen[lab.recs[i].t_ps >= half][lab.recs[i].queue]++;
	CU_ASSERT(abs((int)seen[0][3] - 100) <= 2 && abs((int)seen[0][4] - 300) <= 2);
	CU_ASSERT(abs((int)seen[1][3] - 300) <= 2 && abs((int)seen[1][4] - 100) <= 2);
	lab_settle(&lab);
	CU_ASSERT_EQUAL(lab_stats(&lab)->tx, 4000);
	lab_close(&lab);
}

/* ---- A2.8 ---- */

/* Strict queues empty first, the higher number first; the rest share what is left. */
static void strict(void)
{
	static const uint32_t frames[SW_PRIOS] = {50, 50, 50, 50, 50, 50, 50, 50};
	struct lab lab;

	begin(&lab);
	lab_set(&lab, "switch.scheduler={7: strict, 6: strict, 4: strict}");
	enqueue(&lab, frames);
	release(&lab);
	for (uint32_t i = 0; i < 150; i++)
		CU_ASSERT_EQUAL(lab.recs[i].queue, i < 50 ? 7 : i < 100 ? 6 : 4);
	lab_close(&lab);
}

/* Under load: the strict class at half the line is served whole, and a frame of it waits for at most
 * the one that is being sent; the rest gets the other half. */
static void strict_under_load(void)
{
	uint64_t wire, alone;
	uint32_t high, low;
	struct lab lab;

	lab_open(&lab, "topology: {kind: star, hosts: 3, link: {rate: 100Gbps, delay: 100ns}}\n"
		       "switch: {preset: azure, latency: 0ns, scheduler: {6: strict}}\n");
	wire = lab_wire_ps(&lab, 3, LEN);
	alone = 2 * (wire + 100 * LAB_NS);
	high = lab_flow(&lab, (struct lab_flow){.src = 1,
						.dst = 3,
						.dscp = 48,
						.len = LEN,
						.load_ppm = 500000,
						.count = 2000});
	low = lab_flow(&lab,
		       (struct lab_flow){.src = 2, .dst = 3, .dscp = 3, .len = LEN, .count = 2000});
	lab_for(&lab, 3000 * wire);
	CU_ASSERT(lab.flows[high].received >= 1498);
	CU_ASSERT(lab.flows[high].most_ps <= alone + wire);
	CU_ASSERT(lab.flows[low].received >= 1490 && lab.flows[low].received <= 1502);
	lab_settle(&lab);
	CU_ASSERT_EQUAL(lab_drops(&lab), 0);
	lab_close(&lab);
}

static const struct cu_case cases[] = {
	{"A2_7__dwrr", dwrr},
	{"A2_7__weight_change", weight_change},
	{"A2_7__weight_change_while_it_sends", weight_change_while_it_sends},
	{"A2_8__strict", strict},
	{"A2_8__strict_under_load", strict_under_load},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("behaviour/sched", cases);
}
