/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver whole, on rings: start, traffic, control, stop, and what must not start. */
#include "dataplane/rt/rt.c"
#include "bench.h"
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

static void step(uint64_t t_ps)
{
	CU_ASSERT_EQUAL(rt_clock_set(bench.rt, t_ps), 0);
}

static void frame_crosses(void)
{
	struct rte_mbuf *m;
	uint64_t t = 0;

	up(2);
	bench_send(&bench, 0, 1, 1000, 3 * US);
	step(2 * US);
	CU_ASSERT_PTR_NULL(bench_take(&bench, 1, &t));
	step(4 * US);
	m = bench_take(&bench, 1, &t);
	CU_ASSERT_PTR_NOT_NULL_FATAL(m);
	CU_ASSERT_EQUAL(t, 3 * US);
	CU_ASSERT_EQUAL(m == NULL ? 0 : rte_pktmbuf_pkt_len(m), 1000);
	rte_pktmbuf_free(m);
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.rx, 1);
	CU_ASSERT_EQUAL(bench.stats.tx, 1);
	CU_ASSERT_EQUAL(bench.stats.t_ps, 4 * US);
	bench_stop(&bench);
}

/* A deterministic mess: three sources, one sink, 600 frames. */
static uint64_t mess(uint64_t cadence_ps, uint16_t burst)
{
	uint64_t t, next = cadence_ps, digest;
	uint32_t i;

	bench_config(&bench, 4);
	bench.config.burst = burst;
	bench_tables(&bench, 0, straight, 4);
	bench_start(&bench);
	for (i = 0; i < 600; i++) {
		t = 1 * US + (i / 3) * 61 * NS + (i % 3 == 2 ? 7 : 0);
		for (; next < t; next += cadence_ps)
			step(next);
		bench_send(&bench, (int)(i % 3), 3, (uint16_t)(60 + i * 37 % 1400), t);
	}
	step(next);
	step(next + 1000 * US);
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.rx, 600);
	CU_ASSERT_EQUAL(bench.stats.held, 0);
	digest = bench.stats.digest;
	bench_stop(&bench);
	return digest;
}

static void cadence_and_bursts_change_nothing(void)
{
	uint64_t want = mess(1 * US, 32);

	CU_ASSERT_NOT_EQUAL(want, 0);
	CU_ASSERT_EQUAL(mess(100 * NS, 32), want);
	CU_ASSERT_EQUAL(mess(13 * US, 5), want);
	CU_ASSERT_EQUAL(mess(100 * US, 1), want);
}

/* More frames than a FIFO holds, all waiting before the clock moves once. */
static void deep_ring_keeps_order(void)
{
	uint64_t t = 0, last = 0;
	struct rte_mbuf *m;
	uint32_t i, n = 0;

	up(3);
	for (i = 0; i < 3000; i++)
		bench_send(&bench, 0, 2, 60, US + i * 20 * NS);
	bench_send(&bench, 1, 2, 60, US + 50000 * NS + 1);
	step(US + 3000 * 20 * NS + US);
	while ((m = bench_take(&bench, 2, &t)) != NULL) {
		CU_ASSERT_TRUE(t >= last);
		last = t;
		rte_pktmbuf_free(m);
		n++;
	}
	CU_ASSERT_EQUAL(n, 3001);
	bench_stop(&bench);
}

static void flood_copies(void)
{
	up(4);
	bench_send(&bench, 0, 77, 200, US);
	step(2 * US);
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.copied, 2);
	CU_ASSERT_EQUAL(bench.stats.tx, 3);
	CU_ASSERT_EQUAL(rte_ring_count(bench.out[0]), 0);
	CU_ASSERT_EQUAL(rte_ring_count(bench.out[1]), 1);
	CU_ASSERT_EQUAL(rte_ring_count(bench.out[3]), 1);
	bench_stop(&bench);
}

static void held_frames_come_back(void)
{
	uint32_t i;

	up(2);
	CU_ASSERT_EQUAL(rt_hold(bench.rt, 0, 0, 1, true), 0);
	for (i = 0; i < 100; i++)
		bench_send(&bench, 0, 1, 1000, US + i * 100 * NS);
	step(100 * US);
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.held, 100);
	CU_ASSERT_EQUAL(bench.stats.tx, 0);
	bench_stop(&bench);
}

/* What is in the ring before the start meets a port that is held already. */
static void begins_held(void)
{
	const struct rt_hold_config hold = {.sw = 0, .port = 1};
	uint64_t t = 0;

	bench_config(&bench, 2);
	bench_tables(&bench, 0, straight, 2);
	bench.config.holds = &hold;
	bench.config.n_holds = 1;
	bench_send(&bench, 0, 1, 1000, 0);
	bench_start(&bench);
	step(50 * US);
	CU_ASSERT_PTR_NULL(bench_take(&bench, 1, &t));
	bench_stats(&bench, 0);
	CU_ASSERT_TRUE(bench.port_stats[1].held);
	CU_ASSERT_EQUAL(bench.stats.held, 1);
	CU_ASSERT_EQUAL(rt_hold(bench.rt, 0, 0, 1, false), 0);
	step(100 * US);
	rte_pktmbuf_free(bench_take(&bench, 1, &t));
	CU_ASSERT_EQUAL(t, 50 * US);
	bench_stop(&bench);
}

static void posted_control_takes_its_time(void)
{
	struct rte_mbuf *m;
	uint64_t t = 0;

	up(2);
	CU_ASSERT_EQUAL(rt_post_hold(bench.rt, 0, 20 * US, 1, false), 0);
	CU_ASSERT_EQUAL(rt_post_hold(bench.rt, 0, 10 * US, 1, true), 0);
	bench_send(&bench, 0, 1, 1000, 5 * US);
	bench_send(&bench, 0, 1, 1000, 10 * US);
	step(50 * US);
	m = bench_take(&bench, 1, &t);
	CU_ASSERT_EQUAL(t, 5 * US);
	rte_pktmbuf_free(m);
	m = bench_take(&bench, 1, &t);
	CU_ASSERT_PTR_NOT_NULL_FATAL(m);
	CU_ASSERT_EQUAL(t, 20 * US);
	rte_pktmbuf_free(m);
	bench_stop(&bench);
}

static void refused_set_changes_nothing(void)
{
	struct sw_config config;
	struct err err = {0};

	up(2);
	config = bench.switches[0].config;
	config.qos.sched[2].weight = 101;
	CU_ASSERT_EQUAL(rt_set(bench.rt, 0, 0, &config, &err), -EINVAL);
	CU_ASSERT_EQUAL(err.status, ERR_USAGE);
	CU_ASSERT_EQUAL(rt_post_set(bench.rt, 0, 0, &config), 0);
	step(US);
	CU_ASSERT_EQUAL(rt_post_refused(bench.rt), 1);
	config.qos.sched[2].weight = 100;
	memset(&err, 0, sizeof(err));
	CU_ASSERT_EQUAL(rt_set(bench.rt, 0, 0, &config, &err), 0);
	CU_ASSERT_EQUAL(err.status, ERR_NONE);
	bench_stop(&bench);
}

static int set_edge(bool on, uint64_t bytes, struct err *err)
{
	struct sw_config config = bench.switches[0].config;
	struct sw_port_config ports[BENCH_PORTS];

	memcpy(ports, config.ports, sizeof(ports));
	ports[0].edge = on;
	ports[0].edge_bytes = bytes;
	config.ports = ports;
	memset(err, 0, sizeof(*err));
	return rt_set(bench.rt, 0, 0, &config, err);
}

/* Frames that wait in an edge leave at once when it goes; a FIFO that the pools cannot fill is
 * refused before the switch hears of it. */
static void edge_is_live(void)
{
	struct err err;

	up(2);
	CU_ASSERT_EQUAL(set_edge(true, 1ULL << 32, &err), -ENOMEM);
	CU_ASSERT_EQUAL(err.status, ERR_USAGE);
	CU_ASSERT_STRING_EQUAL(err.path, "real.memory");
	CU_ASSERT_EQUAL(set_edge(true, 100000, &err), 0);
	for (uint32_t i = 0; i < 50; i++)
		bench_send(&bench, 0, 1, 1400, US);
	step(2 * US);
	bench_stats(&bench, 0);
	CU_ASSERT(bench.stats.ports[0].edge_packets > 30);
	CU_ASSERT_EQUAL(set_edge(false, 0, &err), 0);
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.ports[0].edge_packets, 0);
	CU_ASSERT_EQUAL(bench.stats.dropped, 0);
	step(50 * US);
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.tx, 50);
	CU_ASSERT_EQUAL(bench.stats.held, 0);
	CU_ASSERT_EQUAL(set_edge(true, 1ULL << 32, &err), -ENOMEM);
	bench_stop(&bench);
}

static void set_rate(uint16_t sw, uint16_t port, uint64_t rate_bps)
{
	struct sw_config config = bench.switches[sw].config;
	struct err err = {0};

	bench.model_ports[sw][port].rate_bps = rate_bps;
	config.ports = bench.model_ports[sw];
	CU_ASSERT_EQUAL(rt_set(bench.rt, sw, 0, &config, &err), 0);
}

/* Three frames of one poll, as the wire of port 0 could have brought them. */
static void expect_gaps(uint64_t at_ps, uint64_t gap_ps)
{
	struct rte_mbuf *m;
	uint64_t t = 0;
	uint32_t i;

	step(at_ps);
	for (i = 0; i < 3; i++)
		bench_send(&bench, 0, 1, 976, 0);
	step(at_ps + US);
	step(at_ps + 100 * US);
	for (i = 0; i < 3; i++) {
		m = bench_take(&bench, 1, &t);
		CU_ASSERT_PTR_NOT_NULL_FATAL(m);
		CU_ASSERT_TRUE(t >= at_ps + i * gap_ps && t <= at_ps + US + i * gap_ps);
		rte_pktmbuf_free(m);
	}
	CU_ASSERT_TRUE(t >= at_ps + 2 * gap_ps);
}

/* A declared rate that changes under traffic is also what arrivals are stamped by. */
static void set_rate_stamps_arrivals(void)
{
	bench_config(&bench, 2);
	bench.ports[0].carries_time = false;
	bench.ports[0].smooth = true;
	bench_tables(&bench, 0, straight, 2);
	bench_start(&bench);
	expect_gaps(10 * US, 1000 * BENCH_BYTE_PS);
	set_rate(0, 0, 4000000000);
	expect_gaps(500 * US, 1000 * 2000);
	set_rate(0, 0, 100000000000);
	expect_gaps(900 * US, 1000 * BENCH_BYTE_PS);
	bench_stop(&bench);
}

static void install_gives_the_old_back(void)
{
	static const uint16_t crossed[] = {0, 2, 1};
	const struct sw_tables *first, *old = NULL;

	up(3);
	first = bench.switches[0].tables;
	bench_tables(&bench, 0, crossed, 3);
	CU_ASSERT_EQUAL(rt_install(bench.rt, 0, 0, bench.switches[0].tables, &old), 0);
	CU_ASSERT_PTR_EQUAL(old, first);
	sw_tables_free((struct sw_tables *)old);
	bench_send(&bench, 0, 1, 100, 2 * US);
	step(3 * US);
	CU_ASSERT_EQUAL(rte_ring_count(bench.out[2]), 1);
	bench_stop(&bench);
}

static void waiting_for_a_manual_future_is_refused(void)
{
	up(2);
	CU_ASSERT_EQUAL(rt_hold(bench.rt, 0, US, 1, true), -EINVAL);
	CU_ASSERT_EQUAL(rt_hold(bench.rt, 7, 0, 1, true), -EINVAL);
	CU_ASSERT_EQUAL(rt_hold(bench.rt, 0, 0, 9, true), -EINVAL);
	CU_ASSERT_EQUAL(rt_clock_set(bench.rt, 5), 0);
	CU_ASSERT_EQUAL(rt_clock_set(bench.rt, 4), -EINVAL);
	bench_stop(&bench);
}

static void port_without_device_stays_down(void)
{
	bench_config(&bench, 2);
	bench_switch(&bench, 0, 3);
	bench_tables(&bench, 0, straight, 3);
	bench_start(&bench);
	CU_ASSERT_EQUAL(rt_link(bench.rt, 0, 0, 2, true), -ENODEV);
	CU_ASSERT_EQUAL(rt_link(bench.rt, 0, 0, 1, true), 0);
	bench_send(&bench, 0, 2, 100, US);
	step(2 * US);
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.dropped, 1);
	CU_ASSERT_EQUAL(bench.stats.drops[SW_DROP_LINK_DOWN], 1);
	bench_stop(&bench);
}

/* Nobody empties the ring: staged frames are held, then lost by name, and the run says so. */
static void device_that_does_not_take(void)
{
	struct rt_port_stats rt_ports[2];
	uint32_t i, ring = rte_ring_get_capacity(bench.out[1]);
	char why[256] = "";

	up(2);
	for (i = 0; i < ring + 500; i++) {
		bench_send(&bench, 0, 1, 60, US + i * 10 * NS);
		if (i % 1000 == 0)
			step(US + i * 10 * NS);
	}
	step(1000 * US);
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.tx, ring);
	CU_ASSERT_EQUAL(bench.stats.held, 500);
	CU_ASSERT_TRUE(rt_valid(bench.rt, why, sizeof(why)));
	for (i = 0; i < 600; i++)
		bench_send(&bench, 0, 1, 60, 1001 * US + i * 10 * NS);
	step(2000 * US);
	CU_ASSERT_EQUAL(rt_stats(bench.rt, 0, &bench.stats, rt_ports), 0);
	CU_ASSERT_EQUAL(rt_ports[1].staged, RT_STAGE);
	CU_ASSERT_EQUAL(rt_ports[1].device_full, 1100 - RT_STAGE);
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.drops[SW_DROP_DEVICE_FULL], 1100 - RT_STAGE);
	CU_ASSERT_EQUAL(bench.port_stats[1].counters[SW_PORT_TX_PACKETS], ring);
	CU_ASSERT_FALSE(rt_valid(bench.rt, why, sizeof(why)));
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "device_full"));
	bench_stop(&bench);
}

static void expect_marks(uint64_t now, uint64_t max)
{
	CU_ASSERT_EQUAL(bench.stats.buffer_bytes, now);
	CU_ASSERT_EQUAL(bench.stats.buffer_max_bytes, max);
	CU_ASSERT_EQUAL(bench.port_stats[1].queues[0].max_bytes, max);
}

/* What is read is what was there when the watermarks started again; a plain read restarts nothing. */
static void read_and_clear(void)
{
	uint32_t i;

	up(2);
	CU_ASSERT_EQUAL(rt_hold(bench.rt, 0, 0, 1, true), 0);
	for (i = 0; i < 10; i++)
		bench_send(&bench, 0, 1, 1000, US + i * 100 * NS);
	step(10 * US);
	CU_ASSERT_EQUAL(rt_hold(bench.rt, 0, 0, 1, false), 0);
	step(10 * US + 3 * 1024 * BENCH_BYTE_PS + 1); /* four have left */
	bench_stats(&bench, 0);
	expect_marks(6000, 10000);
	CU_ASSERT_EQUAL(rt_stats_clear(bench.rt, 0, &bench.stats, NULL), 0);
	expect_marks(6000, 10000);
	bench_stats(&bench, 0);
	expect_marks(6000, 6000);
	step(100 * US);
	bench_stats(&bench, 0);
	expect_marks(0, 6000);
	CU_ASSERT_EQUAL(rt_stats_clear(bench.rt, 9, &bench.stats, NULL), -EINVAL);
	bench_stop(&bench);
}

static void stamp_of_the_past_is_not_valid(void)
{
	char why[256] = "";

	up(2);
	step(5 * US);
	bench_send(&bench, 0, 1, 60, 2 * US);
	step(6 * US);
	CU_ASSERT_FALSE(rt_valid(bench.rt, why, sizeof(why)));
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "past"));
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.tx, 1);
	bench_stop(&bench);
}

static void frame_without_room_for_a_descriptor(void)
{
	struct rte_mempool *bare = rte_pktmbuf_pool_create("bare", 63, 0, 0, 2176, SOCKET_ID_ANY);
	struct rt_port_stats rt_ports[2];
	struct rte_mbuf *m;

	up(2);
	m = rte_pktmbuf_alloc(bare);
	rte_pktmbuf_append(m, 60);
	bench_put(&bench, 0, m);
	step(US);
	bench.stats.ports = bench.port_stats;
	CU_ASSERT_EQUAL(rt_stats(bench.rt, 0, &bench.stats, rt_ports), 0);
	CU_ASSERT_EQUAL(rt_ports[0].losses[SW_LOSS_RX_UNUSABLE], 1);
	CU_ASSERT_EQUAL(bench.stats.rx, 0);
	CU_ASSERT_EQUAL(rte_mempool_in_use_count(bare), 0);
	bench_stop(&bench);
	rte_mempool_free(bare);
}

/* Two switches, a cable of 1 us between their ports 1; ring 0 at s1, ring 1 at s2. */
static void cabled(uint16_t workers)
{
	static const uint16_t at_s1[] = {0, 1}, at_s2[] = {1, 0};
	static struct rt_link_config link = {.sw = {0, 1}, .port = {1, 1}, .delay_ps = US};

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
	bench.config.workers = workers;
	bench_start(&bench);
}

static void cable(uint16_t workers)
{
	struct rte_mbuf *m;
	uint64_t t = 0;
	uint32_t i;

	cabled(workers);
	for (i = 0; i < 50; i++) {
		bench_send(&bench, 0, 1, 976, 10 * US + i * US);
		bench_send(&bench, 1, 0, 476, 10 * US + i * US);
	}
	step(100 * US);
	for (i = 0; i < 50; i++) {
		/* serialised once, 1 us of cable; the second switch starts to send at once */
		m = bench_take(&bench, 1, &t);
		CU_ASSERT_PTR_NOT_NULL_FATAL(m);
		CU_ASSERT_EQUAL(t, 10 * US + i * US + 1000 * BENCH_BYTE_PS + US);
		rte_pktmbuf_free(m);
		m = bench_take(&bench, 0, &t);
		CU_ASSERT_PTR_NOT_NULL_FATAL(m);
		CU_ASSERT_EQUAL(t, 10 * US + i * US + 500 * BENCH_BYTE_PS + US);
		rte_pktmbuf_free(m);
	}
	bench_stats(&bench, 1);
	CU_ASSERT_EQUAL(bench.stats.tx, 100);
	bench_stop(&bench);
}

static void cable_in_one_worker(void)
{
	cable(1);
}

static void cable_between_workers(void)
{
	cable(2);
}

/* Slower, then faster than it was: order and promises hold, in one worker and in two. */
static void cable_rate(uint16_t workers)
{
	static const uint64_t rates[] = {1000000000, 400000000000, 25000000000};
	uint64_t t = 0, last = 0, at = 10 * US;
	struct rte_mbuf *m;
	char why[256];
	uint32_t i, j;

	cabled(workers);
	for (j = 0; j < 3; j++) {
		for (i = 0; i < 40; i++, at += US)
			bench_send(&bench, 0, 1, i % 2 ? 60 : 976, at);
		step(at - 5 * US);
		set_rate(0, 1, rates[j]);
		set_rate(1, 1, rates[j]);
		step(at + 500 * US);
		at += 500 * US;
	}
	for (i = 0; i < 120; i++) {
		m = bench_take(&bench, 1, &t);
		CU_ASSERT_PTR_NOT_NULL_FATAL(m);
		CU_ASSERT_TRUE(t > last);
		last = t;
		rte_pktmbuf_free(m);
	}
	CU_ASSERT_TRUE(rt_valid(bench.rt, why, sizeof(why)));
	bench_stats(&bench, 1);
	bench_stop(&bench);
}

static void cable_rate_in_one_worker(void)
{
	cable_rate(1);
}

static void cable_rate_between_workers(void)
{
	cable_rate(2);
}

static void cable_holds_frames_at_stop(void)
{
	cabled(2);
	bench_send(&bench, 0, 1, 976, 10 * US);
	step(10 * US + 500 * NS); /* on the cable now */
	bench_stop(&bench);
}

static void real_clock_carries_traffic(void)
{
	struct rt_worker_stats worker = {0};
	uint64_t deadline;
	uint32_t i, n = 0;

	bench_config(&bench, 2);
	bench.ports[0].carries_time = bench.ports[1].carries_time = false;
	bench.ports[0].smooth = true;
	bench.config.manual_clock = false;
	bench.config.late_ps = UINT64_MAX;
	bench_tables(&bench, 0, straight, 2);
	bench_start(&bench);
	for (i = 0; i < 500; i++)
		bench_send(&bench, 0, 1, 1000, 0);
	deadline = rte_rdtsc() + 20 * rte_get_tsc_hz();
	while (n < 500 && rte_rdtsc() < deadline)
		n += bench_drain(&bench);
	CU_ASSERT_EQUAL(n, 500);
	bench_stats(&bench, 0);
	CU_ASSERT_EQUAL(bench.stats.tx, 500);
	CU_ASSERT_EQUAL(rt_worker_stats(bench.rt, 0, &worker), 0);
	CU_ASSERT_EQUAL(worker.frames, 500);
	CU_ASSERT_TRUE(worker.polls > worker.idle_polls);
	CU_ASSERT_TRUE(worker.late_p50_ps <= worker.late_p999_ps);
	CU_ASSERT_TRUE(worker.late_p999_ps <= worker.late_max_ps);
	CU_ASSERT_TRUE(rt_now(bench.rt) > 0);
	bench_stop(&bench);
}

static void stopped_under_traffic(void)
{
	struct rt *rt;
	uint32_t i;

	for (i = 0; i < 3; i++) {
		bench_config(&bench, 2);
		bench.ports[0].carries_time = bench.ports[1].carries_time = false;
		snprintf(bench.ports[0].dev, RT_DEV, "net_null0,size=200");
		snprintf(bench.ports[1].dev, RT_DEV, "net_null1,size=200");
		bench.config.manual_clock = false;
		bench.config.poll = RT_POLL_BUSY;
		bench_tables(&bench, 0, straight, 2);
		bench_start(&bench);
		rt = bench.rt;
		do
			bench_stats(&bench, 0);
		while (bench.stats.rx < 20000);
		CU_ASSERT_EQUAL(rt_stop(rt), 0);
	}
	CU_ASSERT_EQUAL(rte_eth_dev_count_avail(), BENCH_PORTS);
}

/* ---- what must not start ---- */

static const char *refused(enum err_status status)
{
	static char text[1024];
	struct err err = {0};
	uint16_t ports = rte_eth_dev_count_total();

	CU_ASSERT_NOT_EQUAL(rt_start(&bench.rt, &bench.config, &err), 0);
	CU_ASSERT_EQUAL(err.status, status);
	CU_ASSERT_EQUAL(rte_eth_dev_count_total(), ports);
	CU_ASSERT_EQUAL(rte_eth_dev_count_avail(), ports); /* none is owned */
	return err_text(&err, text, sizeof(text));
}

static void no_such_ethdev(void)
{
	bench_config(&bench, 2);
	snprintf(bench.ports[1].dev, RT_DEV, "port:31");
	CU_ASSERT_PTR_NOT_NULL(strstr(refused(ERR_ENVIRONMENT), "s1-h1: found port:31"));
}

static void no_such_driver(void)
{
	bench_config(&bench, 2);
	snprintf(bench.ports[1].dev, RT_DEV, "net_nothing0");
	CU_ASSERT_PTR_NOT_NULL(strstr(refused(ERR_ENVIRONMENT), "s1-h1: found net_nothing0"));
}

static void no_such_pci_device(void)
{
	bench_config(&bench, 2);
	snprintf(bench.ports[1].dev, RT_DEV, "ffff:1f:00.0");
	CU_ASSERT_PTR_NOT_NULL(strstr(refused(ERR_ENVIRONMENT), "dpdk-devbind.py"));
}

static void memory_too_small(void)
{
	bench_config(&bench, 2);
	bench.config.memory_bytes = 1 << 20;
	CU_ASSERT_PTR_NOT_NULL(strstr(refused(ERR_ENVIRONMENT), "found 1 MiB"));
}

static void two_devices_at_a_port(void)
{
	bench_config(&bench, 2);
	bench.ports[1].port = 0;
	refused(ERR_USAGE);
}

static void same_virtual_device_twice(void)
{
	bench_config(&bench, 2);
	snprintf(bench.ports[0].dev, RT_DEV, "net_null5");
	snprintf(bench.ports[1].dev, RT_DEV, "net_null5");
	CU_ASSERT_PTR_NOT_NULL(strstr(refused(ERR_ENVIRONMENT), "no other port uses"));
}

static void same_ethdev_twice(void)
{
	bench_config(&bench, 2);
	snprintf(bench.ports[1].dev, RT_DEV, "port:0");
	CU_ASSERT_PTR_NOT_NULL(strstr(refused(ERR_ENVIRONMENT), "no other port uses"));
}

static void port_of_another_fabric(void)
{
	bench_config(&bench, 2);
	bench.ports[1].sw = 3;
	refused(ERR_USAGE);
}

static void busy_workers_need_a_cpu_each(void)
{
	static struct rt_switch_config many[200];
	int i;

	bench_config(&bench, 2);
	for (i = 0; i < 200; i++)
		many[i] = bench.switches[0];
	bench.config.switches = many;
	bench.config.n_switches = 200;
	bench.config.workers = 200;
	bench.config.manual_clock = false;
	bench.config.poll = RT_POLL_BUSY;
	CU_ASSERT_PTR_NOT_NULL(strstr(refused(ERR_ENVIRONMENT), "poll: adaptive"));
}

static const struct cu_case cases[] = {
	{"rt_clock_set__frame_crosses", frame_crosses},
	{"rt_clock_set__cadence_and_bursts_change_nothing", cadence_and_bursts_change_nothing},
	{"rt_clock_set__deep_ring_keeps_order", deep_ring_keeps_order},
	{"rt_copy__flood", flood_copies},
	{"rt_stop__held_frames_come_back", held_frames_come_back},
	{"rt_start__begins_held", begins_held},
	{"rt_post_hold__takes_its_time", posted_control_takes_its_time},
	{"rt_set__refused_changes_nothing", refused_set_changes_nothing},
	{"rt_set__edge_is_live", edge_is_live},
	{"rt_set__rate_stamps_arrivals", set_rate_stamps_arrivals},
	{"rt_install__gives_the_old_back", install_gives_the_old_back},
	{"rt_hold__waiting_for_a_manual_future_is_refused", waiting_for_a_manual_future_is_refused},
	{"rt_link__port_without_device_stays_down", port_without_device_stays_down},
	{"rt_stats__device_that_does_not_take", device_that_does_not_take},
	{"rt_stats_clear__read_and_clear", read_and_clear},
	{"rt_valid__stamp_of_the_past", stamp_of_the_past_is_not_valid},
	{"rt_stats__frame_without_room_for_a_descriptor", frame_without_room_for_a_descriptor},
	{"rt_cable__in_one_worker", cable_in_one_worker},
	{"rt_cable__between_workers", cable_between_workers},
	{"rt_cable_rate__in_one_worker", cable_rate_in_one_worker},
	{"rt_cable_rate__between_workers", cable_rate_between_workers},
	{"rt_cable__holds_frames_at_stop", cable_holds_frames_at_stop},
	{"rt_start__real_clock_carries_traffic", real_clock_carries_traffic},
	{"rt_stop__under_traffic", stopped_under_traffic},
	{"rt_start__no_such_ethdev", no_such_ethdev},
	{"rt_start__no_such_driver", no_such_driver},
	{"rt_start__no_such_pci_device", no_such_pci_device},
	{"rt_start__memory_too_small", memory_too_small},
	{"rt_start__two_devices_at_a_port", two_devices_at_a_port},
	{"rt_start__same_virtual_device_twice", same_virtual_device_twice},
	{"rt_start__same_ethdev_twice", same_ethdev_twice},
	{"rt_start__port_of_another_fabric", port_of_another_fabric},
	{"rt_start__busy_workers_need_a_cpu_each", busy_workers_need_a_cpu_each},
	{NULL, NULL},
};

int main(void)
{
	return bench_main("rt/rt", cases, BENCH_MEMORY);
}
