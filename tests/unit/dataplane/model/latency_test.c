/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/latency.c"

#include "rig.h"

#include "tests/unit/cu.h"

#include <stdlib.h>

#define UNIT (1ULL << SW_LATENCY_UNIT_BITS)

/* Every value has one bucket; buckets follow each other without a gap, an eighth wide at most. */
static void buckets_cover_all(void)
{
	uint64_t begin = 0;

	for (uint32_t i = 0; i < SW_LATENCY_BUCKETS; i++) {
		uint64_t end = sw_latency_end(i);

		CU_ASSERT_EQUAL(latency_bucket(begin), i);
		CU_ASSERT_EQUAL(latency_bucket(begin + (end - begin) / 2), i);
		CU_ASSERT_EQUAL(latency_bucket(end), i);
		CU_ASSERT(i >= 8 || end - begin == UNIT - 1);
		CU_ASSERT(i < 8 || i + 1 == SW_LATENCY_BUCKETS || end - begin < begin / 8);
		begin = end + 1;
	}
	CU_ASSERT_EQUAL(begin, 0); /* the last one ends with all that there is */
	CU_ASSERT(sw_latency_end(SW_LATENCY_BUCKETS - 2) > 15000000000000); /* 15 s */
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The smallest value such that at least that part of all is not above it. */
static uint64_t exact(const uint64_t *sorted, uint64_t n, uint32_t ppm)
{
	uint64_t rank = (n * ppm + 999999) / 1000000;

	return sorted[rank == 0 ? 0 : rank - 1];
}

static void check_quantiles(uint64_t *values, uint64_t n)
{
	static const uint32_t ppms[] = {1,      10000,  250000, 500000, 900000,
					990000, 999000, 999999, 1000000};
	struct sw_latency latency = {{0}};

	for (uint64_t i = 0; i < n; i++)
		latency.buckets[latency_bucket(values[i])]++;
	CU_ASSERT_EQUAL(sw_latency_count(&latency), n);
	qsort(values, n, sizeof(values[0]), by_value);
	for (size_t i = 0; i < sizeof(ppms) / sizeof(ppms[0]); i++) {
		uint64_t want = exact(values, n, ppms[i]);
		uint64_t have = sw_latency_quantile(&latency, ppms[i]);

		CU_ASSERT(have >= want);
		CU_ASSERT(have - want < UNIT || have - want <= want / 8);
	}
}

static void quantiles_are_near(void)
{
	static uint64_t values[10000];
	uint64_t seed = 1;

	for (int round = 0; round < 50; round++) {
		uint64_t n = 1 + rig_random(&seed) % 10000;

		for (uint64_t i = 0; i < n; i++)
			switch (round % 4) {
			case 0: /* over all magnitudes */
				values[i] = rig_random(&seed) >> (5 + rig_random(&seed) % 43);
				break;
			case 1: /* close together */
				values[i] = 700000 + rig_random(&seed) % 9000;
				break;
			case 2: /* two heaps, far apart */
				values[i] = rig_random(&seed) % 100 < 98 ? 500000 : 80000000000;
				break;
			default:
				values[i] = rig_random(&seed) % 20000;
				break;
			}
		check_quantiles(values, n);
	}
}

static void empty_and_added(void)
{
	struct sw_latency a = {{0}}, b = {{0}};

	CU_ASSERT_EQUAL(sw_latency_quantile(&a, 500000), 0);
	CU_ASSERT_EQUAL(sw_latency_count(&a), 0);
	a.buckets[3] = 1;
	b.buckets[3] = 2;
	b.buckets[100] = 1;
	sw_latency_add(&a, &b);
	CU_ASSERT_EQUAL(sw_latency_count(&a), 4);
	CU_ASSERT_EQUAL(sw_latency_quantile(&a, 750000), sw_latency_end(3));
	CU_ASSERT_EQUAL(sw_latency_quantile(&a, 750001), sw_latency_end(100));
	/* Counts near the end of 64 bits overflow nothing. */
	a.buckets[3] = UINT64_MAX / 2;
	CU_ASSERT_EQUAL(sw_latency_quantile(&a, 999000), sw_latency_end(3));
}

/* ---- through the switch ---- */

struct seen {
	struct sw_port_stats ports[3];
	struct sw_latency latency[3 * SW_PRIOS];
	struct sw_stats stats;
};

static const struct sw_latency *read(struct rig *rig, struct seen *seen, uint16_t port, int queue)
{
	memset(seen, 0, sizeof(*seen));
	seen->stats.ports = seen->ports;
	seen->stats.latency = seen->latency;
	sw_stats(rig->sw, rig->sw->now, &seen->stats);
	return &seen->latency[port * SW_PRIOS + queue];
}

static void begin(struct rig *rig)
{
	rig_init(rig, 3);
	rig->config.latency = true;
	rig->config.latency_ps = 500 * RIG_NS;
}

/* The switch's own latency, and what a frame waits behind others. */
static void counts_what_waits(void)
{
	static struct seen seen;
	const struct sw_latency *l;
	uint64_t wire = 1024 * 80; /* at 100 Gb/s */
	struct rig rig;

	begin(&rig);
	rig_start(&rig);
	for (int i = 0; i < 10; i++)
		rig_send(&rig, RIG_US, 0, 2, 3, 2, 1000);
	rig_send(&rig, RIG_US, 1, 2, 4, 2, 1000);
	rig_settle(&rig);
	l = read(&rig, &seen, 2, 3);
	CU_ASSERT_EQUAL(sw_latency_count(l), 10);
	CU_ASSERT_EQUAL(sw_latency_count(&seen.latency[2 * SW_PRIOS + 4]), 1);
	CU_ASSERT_EQUAL(sw_latency_count(&seen.latency[2 * SW_PRIOS + 5]), 0);
	CU_ASSERT_EQUAL(sw_latency_quantile(l, 1), sw_latency_end(latency_bucket(500 * RIG_NS)));
	CU_ASSERT_EQUAL(sw_latency_quantile(l, 1000000),
			sw_latency_end(latency_bucket(500 * RIG_NS + 10 * wire)));
	rig_hold(&rig, RIG_MS, 2, true);
	rig_send(&rig, RIG_MS, 0, 2, 3, 2, 1000);
	rig_hold(&rig, 3 * RIG_MS, 2, false);
	rig_settle(&rig);
	l = read(&rig, &seen, 2, 3);
	CU_ASSERT_EQUAL(sw_latency_quantile(l, 1000000),
			sw_latency_end(latency_bucket(2 * RIG_MS)));
	rig_stop(&rig);
}

/* Behind an edge a frame arrives when the edge has sent it. */
static void edge_is_not_in_it(void)
{
	static struct seen seen;
	struct rig rig;

	begin(&rig);
	rig.ports[0].edge = true;
	rig.ports[0].rate_bps = 1000000000;
	rig_start(&rig);
	for (int i = 0; i < 10; i++)
		rig_send(&rig, RIG_US, 0, 2, 3, 2, 1000); /* 8 us each */
	rig_settle(&rig);
	CU_ASSERT_EQUAL(sw_latency_quantile(read(&rig, &seen, 2, 3), 1000000),
			sw_latency_end(latency_bucket(500 * RIG_NS)));
	rig_stop(&rig);
}

/* As many as were sent, of every queue, whatever happened to the others. */
static void as_many_as_sent(void)
{
	static struct seen seen;
	uint64_t seed = 3, t = 0;
	struct rig rig;

	begin(&rig);
	rig.config.buffer.size_bytes = 10000 + 6 * 20000;
	rig_start(&rig);
	for (int i = 0; i < 3000; i++) {
		t += rig_random(&seed) % (100 * RIG_NS);
		rig_send(&rig, t, rig_random(&seed) % 2, rig_random(&seed) % 20 == 0 ? 9 : 2,
			 rig_random(&seed) % 8, rig_random(&seed) % 4,
			 60 + rig_random(&seed) % 1400);
		if (i % 500 == 250)
			rig_link(&rig, t, 2, i % 1000 == 750);
	}
	rig_settle(&rig);
	read(&rig, &seen, 0, 0);
	for (int p = 0; p < 3; p++)
		for (int q = 0; q < SW_PRIOS; q++)
			CU_ASSERT_EQUAL(sw_latency_count(&seen.latency[p * SW_PRIOS + q]),
					seen.ports[p].queues[q].counters[SW_QUEUE_TX_PACKETS]);
	rig_stop(&rig);
}

/* Off: nothing is kept; and it stays so. */
static void off(void)
{
	static struct seen seen;
	struct rig rig;

	begin(&rig);
	rig.config.latency = false;
	rig_start(&rig);
	rig_send(&rig, RIG_US, 0, 2, 3, 2, 1000);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(sw_latency_count(read(&rig, &seen, 2, 3)), 0);
	rig.config.latency = true;
	CU_ASSERT_NOT_EQUAL(rig_set(&rig, RIG_MS), 0);
	rig_stop(&rig);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"latency_bucket__cover_all", buckets_cover_all},
		{"sw_latency_quantile__are_near", quantiles_are_near},
		{"sw_latency_quantile__empty_and_added", empty_and_added},
		{"sw_stats__latency_counts_what_waits", counts_what_waits},
		{"sw_stats__latency_edge_is_not_in_it", edge_is_not_in_it},
		{"sw_stats__latency_as_many_as_sent", as_many_as_sent},
		{"sw_stats__latency_off", off},
		{NULL, NULL},
	};

	return cu_main("model/latency", cases);
}
