/* SPDX-License-Identifier: BSD-3-Clause */
/* Start and stop: everything is opened in order, and closed in reverse from wherever it got to. */
#define _GNU_SOURCE
#include "buffers.h"
#include "control.h"
#include "eal.h"
#include "rt_int.h"

#include <errno.h>
#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_lcore.h>
#include <rte_mbuf_dyn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int no_memory(struct err *err, const char *what)
{
	return err_set(err, ERR_ENVIRONMENT, ENOMEM, "", "", "memory for %s", what);
}

/* ---- checks that need no machine ---- */

static int check_port(const struct rt_config *config, uint16_t sw, uint16_t port, struct err *err)
{
	char found[64];

	if (sw < config->n_switches && port < config->switches[sw].config.n_ports)
		return 0;
	snprintf(found, sizeof(found), "switch %u port %u", sw, port);
	return err_set(err, ERR_USAGE, EINVAL, "ports", found, "a port of this fabric");
}

static int check(const struct rt_config *config, struct err *err)
{
	uint16_t i, side;
	int ret = 0;

	if (config->n_switches == 0)
		return err_set(err, ERR_USAGE, EINVAL, "topology", "no switch", "one at least");
	for (i = 0; i < config->n_ports && ret == 0; i++)
		ret = check_port(config, config->ports[i].sw, config->ports[i].port, err);
	for (i = 0; i < config->n_links && ret == 0; i++)
		for (side = 0; side < 2 && ret == 0; side++)
			ret = check_port(config, config->links[i].sw[side],
					 config->links[i].port[side], err);
	for (i = 0; i < config->n_switches && ret == 0; i++)
		ret = sw_config_check(&config->switches[i].config, err);
	if (ret == 0 && config->burst > RT_BURST_MAX)
		ret = err_set(err, ERR_USAGE, EINVAL, "burst", "", "at most %u frames",
			      RT_BURST_MAX);
	return ret;
}

/* ---- EAL ---- */

static int start_eal(const struct rt_config *config, struct err *err)
{
	const char **pci = calloc(config->n_ports + 1u, sizeof(*pci));
	struct rt_eal_config eal = {
		.file_prefix = config->file_prefix,
		.words = config->eal,
		.pci = pci,
		.memory_bytes = config->memory_bytes,
		.no_huge = config->no_huge,
	};
	uint16_t i;
	int ret;

	if (pci == NULL)
		return no_memory(err, "device names");
	for (i = 0; i < config->n_ports; i++)
		if (rt_device_is_pci(config->ports[i].dev))
			pci[eal.n_pci++] = config->ports[i].dev;
	ret = rt_eal_start(&eal, err);
	free(pci);
	return ret;
}

/* ---- switches ---- */

static int alloc_switches(struct rt *rt, const struct rt_config *config, struct err *err)
{
	uint16_t i, p;

	rt->switches = calloc(config->n_switches + 1u, sizeof(*rt->switches));
	if (rt->switches == NULL)
		return no_memory(err, "switches");
	rt->n_switches = config->n_switches;
	for (i = 0; i < rt->n_switches; i++) {
		struct rt_switch *s = &rt->switches[i];

		s->rt = rt;
		s->index = i;
		s->n_ports = config->switches[i].config.n_ports;
		s->ports = rte_zmalloc("ry_ports", s->n_ports * sizeof(*s->ports), 64);
		if (s->ports == NULL)
			return no_memory(err, "ports");
		for (p = 0; p < s->n_ports; p++) {
			s->ports[p].sw = s;
			s->ports[p].index = p;
		}
	}
	return 0;
}

/* The model, with ports that nothing is plugged into down. */
static int make_model(struct rt_switch *s, const struct rt_switch_config *config, struct err *err)
{
	struct sw_config copy = config->config;
	struct sw_port_config *ports = calloc(s->n_ports + 1u, sizeof(*ports));
	struct sw_env env = {.ctx = s, .copy = rt_copy};
	uint16_t i;

	if (ports == NULL)
		return no_memory(err, "ports");
	memcpy(ports, copy.ports, s->n_ports * sizeof(*ports));
	for (i = 0; i < s->n_ports; i++)
		ports[i].down |= s->ports[i].kind == RT_PORT_NONE;
	copy.ports = ports;
	s->sw = sw_new(&copy, config->pipeline, &env, err);
	free(ports);
	if (s->sw == NULL)
		return -EINVAL;
	s->lossless = config->pipeline->lossless;
	s->lossless_mask = s->lossless ? copy.qos.pfc_mask : 0;
	s->out.cap = RT_RECS;
	s->out.recs = s->recs;
	if (config->tables != NULL) {
		sw_advance(s->sw, 0, &s->out);
		sw_install(s->sw, 0, config->tables);
	}
	return 0;
}

/* Before the first frame is polled. */
static void hold_ports(struct rt *rt, const struct rt_config *config)
{
	uint16_t i;

	for (i = 0; i < config->n_holds; i++) {
		struct rt_switch *s = &rt->switches[config->holds[i].sw];

		sw_advance(s->sw, 0, &s->out);
		sw_hold(s->sw, 0, config->holds[i].port, true);
	}
}

static int make_switches(struct rt *rt, const struct rt_config *config, struct err *err)
{
	uint16_t i;
	int ret = 0;

	for (i = 0; i < rt->n_switches && ret == 0; i++)
		ret = rt_ports_activate(&rt->switches[i], &config->switches[i], err);
	if (ret == 0)
		ret = rt_buffers_open(rt, config, err);
	for (i = 0; i < rt->n_switches && ret == 0; i++)
		ret = make_model(&rt->switches[i], &config->switches[i], err);
	if (ret == 0)
		hold_ports(rt, config);
	return ret;
}

/* ---- the whole ---- */

static void settings(struct rt *rt, const struct rt_config *config)
{
	static uint32_t number; /* of the process: DPDK's names are the process's too */

	rt->number = number++;
	rt->poll = config->poll;
	rt->force = config->force;
	rt->burst = config->burst == 0 ? RT_BURST : config->burst;
	rt_clock_start(&rt->clock, rte_rdtsc(), rte_get_tsc_hz(), config->dilate,
		       config->manual_clock);
	rt->late_ps = rt_late_bound(config->late_ps, config->poll, rt->clock.dilate);
}

static int build(struct rt *rt, const struct rt_config *config, struct err *err)
{
	int ret;

	settings(rt, config);
	ret = rte_mbuf_dyn_rx_timestamp_register(&rt->stamp_offset, &rt->stamp_flag);
	if (ret != 0)
		return err_set(err, ERR_ENVIRONMENT, rte_errno, "", rte_strerror(rte_errno),
			       "room for a timestamp in DPDK's mbufs");
	ret = alloc_switches(rt, config, err);
	if (ret == 0)
		ret = rt_workers_make(rt, config, err);
	if (ret == 0)
		ret = rt_cables_open(rt, config, err);
	if (ret == 0)
		ret = rt_devices_open(rt, config, err);
	if (ret == 0)
		ret = make_switches(rt, config, err);
	if (ret == 0)
		ret = rt_devices_start(rt, config, err);
	if (ret != 0)
		return ret;
	/* Opening took long: model time begins when the ports can be polled. */
	rt->clock.base_tsc = rte_rdtsc();
	return rt_workers_launch(rt, err);
}

/* tables: free them too; after a failed start they are still the caller's. */
static uint32_t destroy(struct rt *rt, bool tables)
{
	uint32_t lost;
	uint16_t i;

	rt_workers_join(rt);
	for (i = rt->n_switches; i-- > 0;) {
		struct rt_switch *s = &rt->switches[i];

		if (s->sw != NULL) {
			rt_free_chain(sw_reap(s->sw));
			rt_free_chain(sw_drain(s->sw));
			if (tables && sw_tables_of(s->sw) != NULL)
				sw_tables_free((struct sw_tables *)sw_tables_of(s->sw));
			sw_free(s->sw);
		}
		rt_ports_close(s);
	}
	rt_cables_close(rt);
	rt_msg_free_all(rt);
	for (i = 0; i < rt->n_workers && rt->workers != NULL; i++)
		rte_ring_free(rt->workers[i].messages);
	lost = rt_buffers_close(rt);
	free(rt->workers);
	free(rt->by_worker);
	free(rt->switches);
	free(rt);
	return lost;
}

int rt_start(struct rt **out, const struct rt_config *config, struct err *err)
{
	struct rt *rt;
	int ret = check(config, err);

	if (ret == 0)
		ret = start_eal(config, err);
	if (ret != 0)
		return ret;
	rt = calloc(1, sizeof(*rt));
	if (rt == NULL)
		return no_memory(err, "the driver");
	ret = build(rt, config, err);
	if (ret != 0) {
		destroy(rt, false);
		return ret;
	}
	*out = rt;
	return 0;
}

int rt_stop(struct rt *rt)
{
	return (int)destroy(rt, true);
}

uint64_t rt_now(const struct rt *rt)
{
	return rt_clock_now(&rt->clock);
}

int rt_clock_set(struct rt *rt, uint64_t t_ps)
{
	struct timespec nap = {0, 100000};
	uint64_t spins = 0, step;
	uint16_t i;

	if (!rt->clock.manual || t_ps < rt_clock_now(&rt->clock))
		return -EINVAL;
	atomic_store_explicit(&rt->clock.manual_ps, t_ps, memory_order_release);
	step = atomic_fetch_add(&rt->step, 1) + 1;
	for (i = 0; i < rt->n_workers; i++)
		while (atomic_load_explicit(&rt->workers[i].caught, memory_order_acquire) < step) {
			if (spins++ < 1000)
				sched_yield();
			else
				nanosleep(&nap, NULL);
			if (spins > RT_WAIT_NS / 100000)
				return -ETIMEDOUT;
		}
	return 0;
}
