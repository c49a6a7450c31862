/* SPDX-License-Identifier: BSD-3-Clause */
/* Workers that end and start again under switches that go on. */
#include "bench.h"
#include "dataplane/rt/workers.c"
#include "tests/unit/cu.h"

#define US 1000000ULL
#define NS 1000ULL

static struct bench bench;
static const uint16_t straight[] = {0, 1, 2, 3};

static void up(uint16_t n_ports)
{
	bench_config(&bench, n_ports);
	bench_tables(&bench, 0, straight, n_ports);
	bench_start(&bench);
}

static struct rt_buffer_stats buffers;

static void restart(void)
{
	struct err err = {0};

	CU_ASSERT_EQUAL_FATAL(rt_workers_restart(bench.rt, &buffers, &err), 0);
}

/* Frames in the queue, in the FIFO and in the ring, a message for later: all of it is there. */
static void state_is_kept(void)
{
	struct rte_mbuf *m;
	uint64_t t = 0;
	uint32_t i;

	up(2);
	CU_ASSERT_EQUAL(rt_hold(bench.rt, 0, 0, 1, true), 0);
	for (i = 0; i < 10; i++)
		bench_send(&bench, 0, 1, 976, US + i * US);
	CU_ASSERT_EQUAL(rt_post_hold(bench.rt, 0, 30 * US, 1, false), 0);
	CU_ASSERT_EQUAL(rt_clock_set(bench.rt, 5 * US), 0);
	restart();
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.held, 5);
	bench_send(&bench, 0, 1, 976, 20 * US);
	restart();
	CU_ASSERT_EQUAL(rt_clock_set(bench.rt, 40 * US), 0);
	for (i = 0; i < 11; i++) {
		m = bench_take(&bench, 1, &t);
		CU_ASSERT_PTR_NOT_NULL_FATAL(m);
		CU_ASSERT_EQUAL(t, 30 * US + i * 1000 * BENCH_BYTE_PS);
		rte_pktmbuf_free(m);
	}
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.tx, 11);
	bench_stop(&bench);
}

/* The digest of a run does not know of it. */
static uint64_t digest(bool restarts)
{
	uint32_t i;

	up(4);
	for (i = 0; i < 300; i++) {
		bench_send(&bench, (int)(i % 3), 3, (uint16_t)(60 + i * 37 % 1400),
			   US + i / 3 * 61 * NS);
		if (i % 30 == 29)
			CU_ASSERT_EQUAL(rt_clock_set(bench.rt, US + i / 3 * 61 * NS), 0);
		if (restarts && i % 60 == 40)
			restart();
	}
	CU_ASSERT_EQUAL(rt_clock_set(bench.rt, 2000 * US), 0);
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.tx, 300);
	bench_stop(&bench);
	return bench.stats.digest;
}

static void digest_is_the_same(void)
{
	uint64_t want = digest(false);

	CU_ASSERT_NOT_EQUAL(want, 0);
	CU_ASSERT_EQUAL(digest(true), want);
}

/* Two switches, a cable: the promises hold. */
static void cables_go_on(void)
{
	static const uint16_t at_s1[] = {0, 1}, at_s2[] = {1, 0};
	static struct rt_link_config link = {.sw = {0, 1}, .port = {1, 1}, .delay_ps = US};
	uint32_t i;

	bench_config(&bench, 2);
	bench_switch(&bench, 0, 2);
	bench_switch(&bench, 1, 2);
	bench.ports[1].sw = 1;
	bench.ports[1].port = 0;
	bench_tables(&bench, 0, at_s1, 2);
	bench_tables(&bench, 1, at_s2, 2);
	bench.config.n_switches = 2;
	bench.config.n_links = 1;
	bench.config.links = &link;
	bench.config.workers = 2;
	bench_start(&bench);
	for (i = 0; i < 50; i++) {
		bench_send(&bench, 0, 1, 976, 10 * US + i * US);
		if (i % 10 == 9) {
			CU_ASSERT_EQUAL(rt_clock_set(bench.rt, 10 * US + i * US + US / 2), 0);
			restart();
		}
	}
	CU_ASSERT_EQUAL(rt_clock_set(bench.rt, 100 * US), 0);
	CU_ASSERT_EQUAL(bench_drain(&bench), 50);
	bench_stop(&bench);
}

/* Real time, under load, many times: nothing is lost, and nothing is late for it. */
static void under_traffic(void)
{
	uint64_t before;
	uint32_t i;

	bench_config(&bench, 2);
	bench.ports[0].carries_time = bench.ports[1].carries_time = false;
	snprintf(bench.ports[0].dev, RT_DEV, "net_null0,size=200");
	snprintf(bench.ports[1].dev, RT_DEV, "net_null1,size=200");
	bench.config.manual_clock = false;
	bench.config.poll = RT_POLL_BUSY;
	bench_tables(&bench, 0, straight, 2);
	bench_start(&bench);
	for (i = 0; i < 20; i++) {
		bench_stats(&bench, 0);
		before = bench.stats.rx;
		restart();
		/* what the switch has is all there is: net_null keeps nothing */
		CU_ASSERT_EQUAL(buffers.devices, 0);
		CU_ASSERT_EQUAL(buffers.in_use, buffers.held + buffers.staged + buffers.arrived);
		do
			bench_stats(&bench, 0);
		while (bench.stats.rx < before + 1000);
	}
	bench_stop(&bench);
}

/* Control may wait for a step or a message across it. */
static void clock_stands_still(void)
{
	uint64_t before, after;
	struct timespec nap = {0, 20000000};

	bench_config(&bench, 2);
	bench.ports[0].carries_time = bench.ports[1].carries_time = false;
	bench.config.manual_clock = false;
	bench_tables(&bench, 0, straight, 2);
	bench_start(&bench);
	rt_workers_join(bench.rt);
	before = rt_now(bench.rt);
	nanosleep(&nap, NULL);
	restart();
	after = rt_now(bench.rt);
	/* the 20 ms went by before the restart began: they count, its own time does not */
	CU_ASSERT_TRUE(after >= before);
	CU_ASSERT_EQUAL(rt_hold(bench.rt, 0, 0, 1, true), 0);
	bench_stop(&bench);
}

static const struct cu_case cases[] = {
	{"rt_workers_restart__state_is_kept", state_is_kept},
	{"rt_workers_restart__digest_is_the_same", digest_is_the_same},
	{"rt_workers_restart__cables_go_on", cables_go_on},
	{"rt_workers_restart__under_traffic", under_traffic},
	{"rt_workers_restart__clock_goes_on", clock_stands_still},
	{NULL, NULL},
};

int main(void)
{
	return bench_main("rt/workers", cases, BENCH_MEMORY);
}
