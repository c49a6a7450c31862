/* SPDX-License-Identifier: BSD-3-Clause */
/* Every buffer in use has a place. net_null makes the frames, and keeps none. */
#include "bench.h"
#include "dataplane/rt/inventory.c"
#include "tests/unit/cu.h"

#define US 1000000ULL

static struct bench bench;
static const uint16_t straight[] = {0, 1, 2, 3};
static struct rt_buffer_stats b;

static void up(void)
{
	bench_config(&bench, 2);
	bench.ports[0].carries_time = false;
	bench.ports[0].smooth = true;
	snprintf(bench.ports[0].dev, RT_DEV, "net_null0,size=200");
	bench_tables(&bench, 0, straight, 2);
	bench_start(&bench);
}

static void look(void)
{
	CU_ASSERT_EQUAL(rt_buffers(bench.rt, &b), 0);
	CU_ASSERT_EQUAL((int64_t)(b.held + b.staged + b.arrived + b.cables) + b.devices,
			(int64_t)b.in_use);
	CU_ASSERT_TRUE(b.total > b.in_use);
}

static void held_and_arrived(void)
{
	up();
	CU_ASSERT_EQUAL(rt_hold(bench.rt, 0, 0, 1, true), 0);
	CU_ASSERT_EQUAL(rt_clock_set(bench.rt, 20 * US), 0);
	look();
	CU_ASSERT_TRUE(b.held > 0);
	CU_ASSERT_TRUE(b.arrived > 0); /* a file has more than the wire brings */
	CU_ASSERT_EQUAL(b.devices, 0);
	bench_stop(&bench);
}

/* A buffer that nobody owns shows. */
static void lost(void)
{
	struct rte_mbuf *m;
	int64_t before;

	up();
	CU_ASSERT_EQUAL(rt_clock_set(bench.rt, US), 0);
	look();
	before = b.devices; /* what left is in the ring, which nobody empties */
	m = rte_pktmbuf_alloc(bench.rt->pools[0]);
	CU_ASSERT_PTR_NOT_NULL_FATAL(m);
	look();
	CU_ASSERT_EQUAL(b.devices, before + 1);
	rte_pktmbuf_free(m);
	look();
	CU_ASSERT_EQUAL(b.devices, before);
	bench_stop(&bench);
}

static void staged(void)
{
	uint32_t ring;

	up();
	ring = rte_ring_get_capacity(bench.out[1]);
	for (uint64_t t = US; t < 4000 * US && b.staged == 0; t += 10 * US) {
		CU_ASSERT_EQUAL(rt_clock_set(bench.rt, t), 0);
		look();
	}
	CU_ASSERT_TRUE(b.staged > 0);
	CU_ASSERT_EQUAL(b.devices, (int64_t)ring); /* nobody empties it */
	bench_stop(&bench);
}

static const struct cu_case cases[] = {
	{"rt_buffers__held_and_arrived", held_and_arrived},
	{"rt_buffers__lost", lost},
	{"rt_buffers__staged", staged},
	{NULL, NULL},
};

int main(void)
{
	return bench_main("rt/inventory", cases, BENCH_MEMORY);
}
