/* SPDX-License-Identifier: BSD-3-Clause */
/* rt in a test's hands: remembers what it was told, counts what the test says. One instance. */
#ifndef RY_TEST_FAKE_RT_H
#define RY_TEST_FAKE_RT_H

#include "dataplane/rt/rt.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define FAKE_SWITCHES 4
#define FAKE_PORTS 8

struct rt {
	bool running;
	uint16_t n_switches;
	struct sw_config config[FAKE_SWITCHES];
	struct sw_port_config ports[FAKE_SWITCHES][FAKE_PORTS];
	const struct sw_tables *tables[FAKE_SWITCHES];
	bool held[FAKE_SWITCHES][FAKE_PORTS], down[FAKE_SWITCHES][FAKE_PORTS];
	int sets, installs, watermarks;
	int refuse_set; /* the switch that refuses rt_set; -1 = none */
	int start_fails, lost;
	int restarts, restart_fails;
	int port_numa;
	struct rt_worker_stats worker;
	const char *refuses; /* path of rt_start's error, "ports" when NULL */
	uint64_t rx, tx, held_frames;
	uint64_t mark; /* watermark of PG 3 of every port */
	uint32_t latency; /* the bucket in which what was sent lies */
	int silent;    /* the switch that does not answer rt_stats, from 1; 0 = none */
	bool valid;
};

static struct rt fake = {.refuse_set = -1, .valid = true, .port_numa = -1};

static void fake_keep(uint16_t sw, const struct sw_config *config)
{
	fake.config[sw] = *config;
	memcpy(fake.ports[sw], config->ports, config->n_ports * sizeof(*config->ports));
	fake.config[sw].ports = fake.ports[sw];
}

int rt_start(struct rt **out, const struct rt_config *config, struct err *err)
{
	if (fake.start_fails)
		return err_set(err, ERR_ENVIRONMENT, EBUSY, fake.refuses ? fake.refuses : "ports",
			       "a busy device", "a free one");
	fake.running = true;
	fake.n_switches = config->n_switches;
	for (uint16_t i = 0; i < config->n_switches; i++) {
		fake_keep(i, &config->switches[i].config);
		fake.tables[i] = config->switches[i].tables;
	}
	for (uint16_t i = 0; i < config->n_holds; i++)
		fake.held[config->holds[i].sw][config->holds[i].port] = true;
	*out = &fake;
	return 0;
}

int rt_stop(struct rt *rt)
{
	rt->running = false;
	for (uint16_t i = 0; i < rt->n_switches; i++)
		sw_tables_free((struct sw_tables *)rt->tables[i]);
	return rt->lost;
}

int rt_set(struct rt *rt, uint16_t sw, uint64_t at_ps, const struct sw_config *config,
	   struct err *err)
{
	(void)at_ps;
	if (rt->refuse_set == sw)
		return err_set(err, ERR_USAGE, EINVAL, "buffer", "a refusal", "none");
	rt->sets++;
	fake_keep(sw, config);
	return 0;
}

int rt_hold(struct rt *rt, uint16_t sw, uint64_t at_ps, uint16_t port, bool hold)
{
	(void)at_ps;
	rt->held[sw][port] = hold;
	return 0;
}

int rt_link(struct rt *rt, uint16_t sw, uint64_t at_ps, uint16_t port, bool up)
{
	(void)at_ps;
	rt->down[sw][port] = !up;
	return 0;
}

int rt_install(struct rt *rt, uint16_t sw, uint64_t at_ps, const struct sw_tables *tables,
	       const struct sw_tables **old)
{
	(void)at_ps;
	*old = rt->tables[sw];
	rt->tables[sw] = tables;
	rt->installs++;
	return 0;
}

int rt_stats(struct rt *rt, uint16_t sw, struct sw_stats *out, struct rt_port_stats *device)
{
	struct sw_port_stats *ports = out->ports;
	struct sw_latency *latency = out->latency;

	memset(out, 0, sizeof(*out));
	out->ports = ports;
	out->latency = latency;
	if (latency != NULL)
		latency[3].buckets[rt->latency] = rt->tx; /* queue 3 of port 0 */
	out->n_ports = rt->config[sw].n_ports;
	snprintf(out->name, sizeof(out->name), "%s", rt->config[sw].name);
	out->rx = rt->rx;
	out->tx = rt->tx;
	out->held = rt->held_frames;
	memset(ports, 0, out->n_ports * sizeof(*ports));
	memset(device, 0, out->n_ports * sizeof(*device));
	for (uint16_t p = 0; p < out->n_ports; p++) {
		snprintf(ports[p].name, SW_NAME, "%s", rt->ports[sw][p].name);
		ports[p].counters[SW_PORT_RX_PACKETS] = rt->rx;
		ports[p].held = rt->held[sw][p];
		ports[p].up = !rt->down[sw][p];
		ports[p].pgs[3].max_shared_bytes = rt->mark;
		device[p].admin_up = ports[p].up;
		device[p].link_up = true;
		device[p].numa = rt->port_numa;
	}
	return rt->silent == sw + 1 ? -ETIMEDOUT : 0;
}

int rt_stats_clear(struct rt *rt, uint16_t sw, struct sw_stats *out, struct rt_port_stats *device)
{
	int rc = rt_stats(rt, sw, out, device);

	rt->watermarks += rc == 0;
	return rc;
}

int rt_worker_stats(struct rt *rt, uint16_t sw, struct rt_worker_stats *out)
{
	(void)sw;
	*out = rt->worker;
	return 0;
}

int rt_buffers(struct rt *rt, struct rt_buffer_stats *out)
{
	*out = (struct rt_buffer_stats){.total = 100, .in_use = rt->held_frames + 3};
	out->held = rt->held_frames;
	out->devices = 3;
	return 0;
}

int rt_workers_restart(struct rt *rt, struct rt_buffer_stats *buffers, struct err *err)
{
	if (rt->restart_fails)
		return err_set(err, ERR_ENVIRONMENT, EAGAIN, "real.workers", "no thread",
			       "a thread for each worker");
	rt->restarts++;
	return rt_buffers(rt, buffers);
}

int rt_with_switch(struct rt *rt, uint16_t sw, void (*f)(void *arg, const struct sw *), void *arg)
{
	(void)rt;
	(void)sw;
	(void)f;
	(void)arg;
	return 0;
}

bool rt_valid(struct rt *rt, char *why, size_t size)
{
	if (!rt->valid)
		snprintf(why, size, "12 ms late");
	return rt->valid;
}

uint64_t rt_now(const struct rt *rt)
{
	return rt->rx;
}

#endif
