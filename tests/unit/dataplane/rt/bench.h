/* SPDX-License-Identifier: BSD-3-Clause */
/* A driver on a bench: DPDK without hugepages, PCI or root, and ports that are rings in this
 * process. What a test puts into in[i] arrives at port i; what leaves it is in out[i].
 *
 * The switch bridges: host i's MAC is installed at port i. Times are ps. One control thread.
 */
#ifndef RY_TEST_RT_BENCH_H
#define RY_TEST_RT_BENCH_H

#include "dataplane/rt/eal.h"
#include "dataplane/rt/frame.h"
#include "dataplane/rt/rt.h"
#include "pipelines/registry.h"
#include "tests/unit/cu.h"

#include <CUnit/CUnit.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>
#include <rte_mbuf_dyn.h>
#include <rte_ring.h>
#include <string.h>

#define BENCH_PORTS 4
#define BENCH_RING 4096
#define BENCH_MBUFS 8191
#define BENCH_MEMORY (256u << 20)
#define BENCH_BYTE_PS 80 /* at 100 Gb/s */

struct bench {
	struct rte_ring *in[BENCH_PORTS], *out[BENCH_PORTS];
	struct rte_mempool *pool;
	int stamp_offset;
	uint64_t stamp_flag;
	struct sw_port_config model_ports[2][BENCH_PORTS];
	struct rt_switch_config switches[2];
	struct rt_port_config ports[BENCH_PORTS];
	struct rt_config config;
	struct rt *rt;
	struct sw_port_stats port_stats[BENCH_PORTS];
	struct sw_stats stats;
};

/* The main of a test on this bench. Where DPDK does not start no case can say anything: it ends
 * before the first, with the reason. */
static inline int bench_main(const char *suite, const struct cu_case *cases, uint64_t memory_bytes)
{
	struct rt_eal_config eal = {.memory_bytes = memory_bytes, .no_huge = true};
	struct err err = {0};
	char text[1024];

	if (rt_eal_start(&eal, &err) == 0)
		return cu_main(suite, cases);
	fflush(stdout); /* EAL's usage: the reason comes last */
	fprintf(stderr, "%s: no case was run: %s\n", suite, err_text(&err, text, sizeof(text)));
	return 1;
}

/* The test's own rings and buffers. */
static inline void bench_eal(struct bench *bench)
{
	char name[32];
	int i;

	if (bench->pool != NULL)
		return;
	bench->pool = rte_pktmbuf_pool_create("bench", BENCH_MBUFS, 0, sizeof(struct pkt),
					      128 + 9216, SOCKET_ID_ANY);
	CU_ASSERT_PTR_NOT_NULL_FATAL(bench->pool);
	rte_mbuf_dyn_rx_timestamp_register(&bench->stamp_offset, &bench->stamp_flag);
	for (i = 0; i < BENCH_PORTS; i++) {
		snprintf(name, sizeof(name), "in%d", i);
		bench->in[i] = rte_ring_create(name, BENCH_RING, SOCKET_ID_ANY, 0);
		snprintf(name, sizeof(name), "out%d", i);
		bench->out[i] = rte_ring_create(name, BENCH_RING, SOCKET_ID_ANY, 0);
		snprintf(name, sizeof(name), "ring%d", i);
		CU_ASSERT_EQUAL_FATAL(rte_eth_from_rings(name, &bench->in[i], 1, &bench->out[i], 1,
							 SOCKET_ID_ANY),
				      i);
	}
}

static inline void bench_mac(uint8_t mac[6], int host)
{
	const uint8_t bytes[6] = {2, 0, 0, 1, 0, (uint8_t)host};

	memcpy(mac, bytes, 6);
}

static inline void bench_switch(struct bench *bench, int s, uint16_t n_ports)
{
	struct sw_port_config *ports = bench->model_ports[s];
	struct sw_config *config = &bench->switches[s].config;
	int i;

	*config = (struct sw_config){.seed = 1, .n_ports = n_ports, .ports = ports, .digest = true};
	snprintf(config->name, SW_NAME, "s%d", s + 1);
	config->buffer = (struct sw_buffer){.size_bytes = 1000000,
					    .cell_bytes = 1,
					    .alpha_q16 = 65536,
					    .lossy_alpha_q16 = 65536};
	for (i = 0; i < SW_PRIOS; i++) {
		config->qos.pcp_to_prio[i] = config->qos.prio_to_pg[i] = (uint8_t)i;
		config->qos.prio_to_queue[i] = config->qos.pfc_to_queue[i] = (uint8_t)i;
		config->qos.sched[i].weight = 10;
	}
	for (i = 0; i < n_ports; i++) {
		ports[i] = (struct sw_port_config){
			.rate_bps = 100000000000, .overhead_bytes = 24, .mtu_bytes = 1500};
		snprintf(ports[i].name, SW_NAME, "s%d-h%d", s + 1, i);
	}
	bench->switches[s].pipeline = pipeline_by_name("lossless");
}

/* One switch, n ring ports that carry their time, a clock moved by hand. */
static inline void bench_config(struct bench *bench, uint16_t n_ports)
{
	int i;

	bench_eal(bench);
	bench_switch(bench, 0, n_ports);
	for (i = 0; i < BENCH_PORTS; i++) {
		bench->ports[i] =
			(struct rt_port_config){.port = (uint16_t)i, .carries_time = true};
		snprintf(bench->ports[i].dev, RT_DEV, "port:%d", i);
	}
	bench->config = (struct rt_config){.n_switches = 1,
					   .n_ports = n_ports,
					   .switches = bench->switches,
					   .ports = bench->ports,
					   .poll = RT_POLL_ADAPTIVE,
					   .dilate = 1,
					   .memory_bytes = 64u << 20,
					   .no_huge = true,
					   .manual_clock = true};
}

/* Installs the MACs of hosts: host i of switch s at port of[i]. */
static inline void bench_tables(struct bench *bench, int s, const uint16_t *of, uint32_t n)
{
	struct sw_static_fdb fdb[2 * BENCH_PORTS];
	struct sw_tables_spec spec = {.n_fdb = n, .fdb = fdb};
	struct err err = {0};
	uint32_t i;

	for (i = 0; i < n; i++) {
		fdb[i] = (struct sw_static_fdb){.vid = PKT_NO_VLAN, .port = of[i]};
		bench_mac(fdb[i].mac, (int)i);
	}
	bench->switches[s].tables = sw_tables_new(&spec, bench->switches[s].config.n_ports, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(bench->switches[s].tables);
}

static inline void bench_start(struct bench *bench)
{
	struct err err = {0};
	char text[1024];

	if (rt_start(&bench->rt, &bench->config, &err) != 0)
		fprintf(stderr, "%s\n", err_text(&err, text, sizeof(text)));
	CU_ASSERT_EQUAL_FATAL(err.status, ERR_NONE);
}

/* A frame from one host to another, 802.1Q priority none, that arrives at t. */
static inline struct rte_mbuf *bench_frame(struct bench *bench, int from, int to, uint16_t len,
					   uint64_t t_ps)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(bench->pool);
	uint8_t *data;

	CU_ASSERT_PTR_NOT_NULL_FATAL(m);
	CU_ASSERT_PTR_NOT_NULL_FATAL(rte_pktmbuf_append(m, len));
	data = rte_pktmbuf_mtod(m, uint8_t *);
	memset(data, 0, len);
	bench_mac(data, to);
	bench_mac(data + 6, from);
	data[12] = 0x88;
	data[13] = 0xb5;
	*rt_frame_stamp(m, bench->stamp_offset) = t_ps;
	m->ol_flags |= bench->stamp_flag;
	return m;
}

static inline void bench_put(struct bench *bench, int port, struct rte_mbuf *m)
{
	CU_ASSERT_EQUAL_FATAL(rte_ring_enqueue(bench->in[port], m), 0);
}

static inline void bench_send(struct bench *bench, int from, int to, uint16_t len, uint64_t t_ps)
{
	bench_put(bench, from, bench_frame(bench, from, to, len, t_ps));
}

/* The next frame that left a port, or NULL; *t_ps is when the model said it leaves. */
static inline struct rte_mbuf *bench_take(struct bench *bench, int port, uint64_t *t_ps)
{
	struct rte_mbuf *m;

	if (rte_ring_dequeue(bench->out[port], (void **)&m) != 0)
		return NULL;
	if (t_ps != NULL)
		*t_ps = *rt_frame_stamp(m, bench->stamp_offset);
	return m;
}

static inline uint32_t bench_drain(struct bench *bench)
{
	struct rte_mbuf *m;
	uint32_t n = 0;
	int i;

	for (i = 0; i < BENCH_PORTS; i++)
		while ((m = bench_take(bench, i, NULL)) != NULL) {
			rte_pktmbuf_free(m);
			n++;
		}
	return n;
}

/* Reads the numbers and checks that the accounting closes. */
static inline void bench_stats(struct bench *bench, uint16_t sw)
{
	struct sw_stats *s = &bench->stats;

	s->ports = bench->port_stats;
	CU_ASSERT_EQUAL_FATAL(rt_stats(bench->rt, sw, s, NULL), 0);
	CU_ASSERT_EQUAL(s->rx + s->generated + s->copied,
			s->tx + s->consumed + s->dropped + s->held);
	CU_ASSERT_EQUAL(s->dropped, s->dropped_lossless + s->dropped_lossy);
}

/* Nothing may be missing, of the driver's buffers or of the test's. */
static inline void bench_stop(struct bench *bench)
{
	bench_drain(bench);
	CU_ASSERT_EQUAL(rt_stop(bench->rt), 0);
	bench_drain(bench);
	CU_ASSERT_EQUAL(rte_mempool_in_use_count(bench->pool), 0);
	bench->rt = NULL;
}

#endif
