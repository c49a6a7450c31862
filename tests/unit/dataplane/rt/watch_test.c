/* SPDX-License-Identifier: BSD-3-Clause */
/* A carrier that goes and comes is the switch's link. The devices are rings, whose link can be set. */
#include "bench.h"
#include "dataplane/rt/watch.c"
#include "tests/unit/cu.h"

#define US 1000000ULL

static struct bench bench;
static const uint16_t straight[] = {0, 1, 2, 3};
static struct rt_port_stats rt_ports[BENCH_PORTS];
static uint32_t events;
static char last[256];

static void event(void *arg, uint16_t sw, uint16_t port, const char *what)
{
	CU_ASSERT_PTR_EQUAL(arg, &bench);
	events++;
	snprintf(last, sizeof(last), "%u.%u %s", sw, port, what);
}

static void up(void)
{
	bench_config(&bench, 2);
	bench_tables(&bench, 0, straight, 2);
	bench_start(&bench);
	events = 0;
}

static void look(void)
{
	rt_watch(bench.rt, event, &bench);
	bench.stats.ports = bench.port_stats;
	CU_ASSERT_EQUAL(rt_stats(bench.rt, 0, &bench.stats, rt_ports), 0);
}

static void down(void)
{
	rte_eth_dev_set_link_up(1);
	bench_stop(&bench);
}

static void carrier_is_the_link(void)
{
	up();
	look();
	CU_ASSERT_EQUAL(events, 0);
	CU_ASSERT_TRUE(bench.port_stats[1].up && rt_ports[1].link_up);
	rte_eth_dev_set_link_down(1);
	look();
	look();
	CU_ASSERT_EQUAL(events, 1);
	CU_ASSERT_STRING_EQUAL(last, "0.1 no carrier");
	CU_ASSERT_FALSE(bench.port_stats[1].up);
	CU_ASSERT_TRUE(bench.port_stats[0].up);
	CU_ASSERT_FALSE(rt_ports[1].link_up);
	CU_ASSERT_TRUE(rt_ports[1].admin_up);
	bench_send(&bench, 0, 1, 100, US);
	CU_ASSERT_EQUAL(rt_clock_set(bench.rt, 2 * US), 0);
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.drops[SW_DROP_LINK_DOWN], 1);
	rte_eth_dev_set_link_up(1);
	look();
	CU_ASSERT_EQUAL(events, 2);
	CU_ASSERT_STRING_EQUAL(last, "0.1 carrier");
	CU_ASSERT_TRUE(bench.port_stats[1].up);
	bench_send(&bench, 0, 1, 100, 3 * US);
	CU_ASSERT_EQUAL(rt_clock_set(bench.rt, 4 * US), 0);
	CU_ASSERT_EQUAL(rte_ring_count(bench.out[1]), 1);
	down();
}

/* Both must agree: what its user took down stays down, whatever the cable does. */
static void admin_down_stays_down(void)
{
	up();
	CU_ASSERT_EQUAL(rt_link(bench.rt, 0, 0, 1, false), 0);
	rte_eth_dev_set_link_down(1);
	look();
	rte_eth_dev_set_link_up(1);
	look();
	CU_ASSERT_FALSE(bench.port_stats[1].up);
	CU_ASSERT_FALSE(rt_ports[1].admin_up);
	CU_ASSERT_EQUAL(rt_link(bench.rt, 0, 0, 1, true), 0);
	look();
	CU_ASSERT_TRUE(bench.port_stats[1].up);
	rte_eth_dev_set_link_down(1);
	look();
	CU_ASSERT_EQUAL(rt_link(bench.rt, 0, 0, 1, true), 0);
	look();
	CU_ASSERT_FALSE(bench.port_stats[1].up);
	CU_ASSERT_TRUE(rt_ports[1].admin_up);
	down();
}

/* A port whose device is being opened again keeps nothing and loses nothing unnamed. */
static void offline_and_online(void)
{
	struct rt_port *port;
	uint32_t i, ring;

	up();
	port = &bench.rt->switches[0].ports[1];
	ring = rte_ring_get_capacity(bench.out[1]);
	for (i = 0; i < ring + 200; i++) {
		bench_send(&bench, 0, 1, 60, US + i * 10000);
		if (i % 1000 == 0)
			CU_ASSERT_EQUAL(rt_clock_set(bench.rt, US + i * 10000), 0);
	}
	CU_ASSERT_EQUAL(rt_clock_set(bench.rt, 1000 * US), 0);
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.held, 200);
	CU_ASSERT_EQUAL(tell(bench.rt, port, false, run_offline), 0);
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.held, 0);
	CU_ASSERT_EQUAL(bench.stats.drops[SW_DROP_LINK_DOWN], 200);
	CU_ASSERT_EQUAL(bench.stats.tx, ring);
	/* neither sent to nor polled */
	bench_send(&bench, 0, 1, 60, 1001 * US);
	bench_send(&bench, 1, 0, 60, 1001 * US);
	CU_ASSERT_EQUAL(rt_clock_set(bench.rt, 1002 * US), 0);
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.rx, ring + 201);
	CU_ASSERT_EQUAL(bench.stats.drops[SW_DROP_LINK_DOWN], 201);
	CU_ASSERT_EQUAL(rte_ring_count(bench.in[1]), 1);
	CU_ASSERT_EQUAL(tell(bench.rt, port, false, run_online), 0);
	CU_ASSERT_EQUAL(tell(bench.rt, port, true, run_carrier), 0);
	CU_ASSERT_EQUAL(rt_clock_set(bench.rt, 1003 * US), 0);
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.rx, ring + 202);
	down();
}

static void losses_of_former_devices_count(void)
{
	uint64_t lost[SW_LOSSES];
	struct rt_port *port;

	up();
	port = &bench.rt->switches[0].ports[0];
	port->lost[SW_LOSS_RX_RING_FULL] = 7;
	rt_port_losses(port, lost);
	CU_ASSERT_EQUAL(lost[SW_LOSS_RX_RING_FULL], 7);
	look();
	CU_ASSERT_EQUAL(rt_ports[0].losses[SW_LOSS_RX_RING_FULL], 7);
	down();
}

static const struct cu_case cases[] = {
	{"rt_watch__carrier_is_the_link", carrier_is_the_link},
	{"rt_watch__admin_down_stays_down", admin_down_stays_down},
	{"run_offline__and_online", offline_and_online},
	{"rt_port_losses__of_former_devices_count", losses_of_former_devices_count},
	{NULL, NULL},
};

int main(void)
{
	return bench_main("rt/watch", cases, BENCH_MEMORY);
}
