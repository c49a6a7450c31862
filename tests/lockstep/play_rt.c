/* SPDX-License-Identifier: BSD-3-Clause */
/* The real-time driver on 32 net_ring ports under a clock that the test moves. Frames carry their
 * time in the mbuf, as a replay does; a port's ring holds all that arrived by the clock's time
 * before the clock is moved there. */
#include "dataplane/rt/rt.h"
#include "pipelines/registry.h"
#include "play.h"

#include <rte_eal.h>
#include <rte_eth_ring.h>
#include <rte_mbuf.h>
#include <rte_mbuf_dyn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RING 8192 /* frames that may wait in a port's ring, each way */
#define MBUFS 400000

struct rig {
	struct rt *rt;
	struct rte_ring *in[SCRIPT_PORTS], *out[SCRIPT_PORTS];
	struct rte_mempool *pool;
	struct rt_port_config ports[SCRIPT_PORTS];
	struct sw_port_config model_ports[SCRIPT_PORTS];
	struct sw_tables *tables[2];
	int stamp_offset, variant[2];
	uint64_t stamp_flag, sent_back, late_stamps;
};

static int eal_init(void)
{
	char *argv[] = {"lockstep", "--no-huge",   "--no-pci",    "--no-telemetry", "-m",
			"2000",     "--log-level", "lib.*:error", "--no-shconf",    NULL};

	return rte_eal_init(9, argv);
}

static int make_ports(struct rig *rig)
{
	for (int p = 0; p < SCRIPT_PORTS; p++) {
		char name[32];
		int id;

		snprintf(name, sizeof(name), "in%d", p);
		rig->in[p] =
			rte_ring_create(name, RING, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ);
		snprintf(name, sizeof(name), "out%d", p);
		rig->out[p] =
			rte_ring_create(name, RING, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ);
		if (rig->in[p] == NULL || rig->out[p] == NULL)
			return -1;
		snprintf(name, sizeof(name), "port%d", p);
		id = rte_eth_from_rings(name, &rig->in[p], 1, &rig->out[p], 1, SOCKET_ID_ANY);
		if (id < 0)
			return -1;
		rig->ports[p] = (struct rt_port_config){.port = (uint16_t)p, .carries_time = true};
		snprintf(rig->ports[p].dev, RT_DEV, "port:%d", id);
	}
	return 0;
}

static int start(struct rig *rig, uint16_t burst)
{
	struct rt_switch_config sw = {.config = script_config(rig->model_ports, 0),
				      .pipeline = pipeline_by_name("lossless"),
				      .tables = script_tables(0)};
	struct rt_config config = {.n_switches = 1,
				   .n_ports = SCRIPT_PORTS,
				   .switches = &sw,
				   .ports = rig->ports,
				   .workers = 1,
				   .poll = RT_POLL_BUSY,
				   .dilate = 1,
				   .memory_bytes = 500000000,
				   .no_huge = true,
				   .manual_clock = true,
				   .burst = burst};
	struct err err = {0};

	if (rt_start(&rig->rt, &config, &err) != 0) {
		char text[1024];

		fprintf(stderr, "rt: %s\n", err_text(&err, text, sizeof(text)));
		return -1;
	}
	return 0;
}

static int setup(struct rig *rig, uint16_t burst)
{
	if (eal_init() < 0 || make_ports(rig) != 0)
		return -1;
	rig->pool = rte_pktmbuf_pool_create("lockstep", MBUFS, 256, sizeof(struct pkt), 2048 + 128,
					    SOCKET_ID_ANY);
	if (rig->pool == NULL ||
	    rte_mbuf_dyn_rx_timestamp_register(&rig->stamp_offset, &rig->stamp_flag) != 0)
		return -1;
	return start(rig, burst);
}

static int put(struct rig *rig, const struct script_event *e)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(rig->pool);
	uint32_t len;

	if (m == NULL)
		return -1;
	len = script_frame(e, rte_pktmbuf_mtod(m, uint8_t *));
	rte_pktmbuf_append(m, (uint16_t)len);
	*RTE_MBUF_DYNFIELD(m, rig->stamp_offset, rte_mbuf_timestamp_t *) = e->t_ps;
	m->ol_flags |= rig->stamp_flag;
	if (rte_ring_enqueue(rig->in[e->port], m) != 0) {
		rte_pktmbuf_free(m);
		return -1;
	}
	return 0;
}

/* What left: given back to the pool; nothing may leave later than the clock says. */
static void collect(struct rig *rig, uint64_t now_ps)
{
	for (int p = 0; p < SCRIPT_PORTS; p++) {
		struct rte_mbuf *out[64];
		unsigned int n;

		while ((n = rte_ring_dequeue_burst(rig->out[p], (void **)out, 64, NULL)) > 0)
			for (unsigned int i = 0; i < n; i++) {
				rig->sent_back++;
				rig->late_stamps +=
					*RTE_MBUF_DYNFIELD(out[i], rig->stamp_offset,
							   rte_mbuf_timestamp_t *) > now_ps;
				rte_pktmbuf_free(out[i]);
			}
	}
}

static int set(struct rig *rig)
{
	struct sw_port_config ports[SCRIPT_PORTS];
	struct sw_config config = script_config(ports, rig->variant[1] = !rig->variant[1]);
	struct err err = {0};

	return rt_set(rig->rt, 0, 0, &config, &err);
}

static int swap(struct rig *rig)
{
	const struct sw_tables *old = NULL;
	int rc = rt_install(rig->rt, 0, 0, script_tables(rig->variant[0] = !rig->variant[0]), &old);

	sw_tables_free((struct sw_tables *)old);
	return rc;
}

static int control(struct rig *rig, const struct script_event *e)
{
	switch (e->type) {
	case SCRIPT_HOLD:
	case SCRIPT_RELEASE:
		return rt_hold(rig->rt, 0, 0, e->port, e->type == SCRIPT_HOLD);
	case SCRIPT_LINK_DOWN:
	case SCRIPT_LINK_UP:
		return rt_link(rig->rt, 0, 0, e->port, e->type == SCRIPT_LINK_UP);
	case SCRIPT_SWAP:
		return swap(rig);
	default:
		return set(rig);
	}
}

static void step(struct rig *rig, uint64_t t_ps)
{
	rt_clock_set(rig->rt, t_ps);
	collect(rig, t_ps);
}

static int play(struct rig *rig, const struct script *script, uint64_t cadence_ps)
{
	uint64_t tick = cadence_ps, end = script->events[script->n - 1].t_ps;

	for (uint64_t i = 0; i < script->n; i++) {
		const struct script_event *e = &script->events[i];
		int rc;

		for (; tick < e->t_ps; tick += cadence_ps)
			step(rig, tick);
		if (e->type < SCRIPT_FRAMES) {
			rc = put(rig, e);
		} else { /* acts fall between frames: the clock stops there for them */
			step(rig, e->t_ps);
			rc = control(rig, e);
		}
		if (rc != 0) {
			fprintf(stderr, "rt: event %llu of type %d: %d\n", (unsigned long long)i,
				e->type, rc);
			return -1;
		}
	}
	for (int i = 1; i <= 600; i++)
		step(rig, end + i * (PLAY_TAIL_PS / 600));
	return 0;
}

int play_rt(const struct script *script, uint64_t cadence_ps, uint16_t burst, struct result *result)
{
	struct rig *rig = calloc(1, sizeof(*rig));
	int rc = rig == NULL || setup(rig, burst) != 0 ? -1 : 0;

	if (rc == 0)
		rc = play(rig, script, cadence_ps);
	if (rc == 0) {
		result->stats.ports = result->ports;
		rc = rt_stats(rig->rt, 0, &result->stats, NULL);
		result->leaked = (uint64_t)rt_stop(rig->rt);
		collect(rig, UINT64_MAX);
		result->leaked += rte_mempool_in_use_count(rig->pool);
		if (rig->late_stamps != 0)
			fprintf(stderr, "rt: %llu frames left after their clock\n",
				(unsigned long long)rig->late_stamps);
		rc = rc != 0 || rig->late_stamps != 0 ? -1 : 0;
	}
	free(rig);
	return rc;
}
