/* SPDX-License-Identifier: BSD-3-Clause */
/* Ports of all switches: opened in order, closed in reverse, whatever was reached. */
#include "netdev_guard.h"
#include "rt_int.h"

#include <errno.h>
#include <rte_ethdev.h>
#include <stdlib.h>

#define DRAIN_BURSTS 4096 /* a generator never runs dry */

static uint16_t device_tx(void *ctx, struct rte_mbuf **frames, uint16_t n)
{
	const struct rt_port *port = ctx;

	if (port->offline)
		return 0;
	return rte_eth_tx_burst(port->device.id, 0, frames, n);
}

static struct rt_port *port_of(struct rt *rt, const struct rt_port_config *config)
{
	return &rt->switches[config->sw].ports[config->port];
}

static const struct sw_port_config *model_of(const struct rt_config *config, uint16_t sw,
					     uint16_t port)
{
	return &config->switches[sw].config.ports[port];
}

static int open_one(struct rt *rt, const struct rt_config *config, const struct rt_port_config *pc,
		    struct err *err)
{
	const struct sw_port_config *model = model_of(config, pc->sw, pc->port);
	struct rt_port *port = port_of(rt, pc);
	int ret;

	if (port->kind != RT_PORT_NONE)
		return err_set(err, ERR_USAGE, EEXIST, model->name, pc->dev,
			       "one device or link at a port");
	ret = config->force ? 0 : rt_guard_dev(pc->dev, model->name, err);
	if (ret == 0)
		ret = rt_device_check_netdev(pc->dev, model->mtu_bytes, model->name, err);
	if (ret == 0)
		ret = rt_device_open(&port->device, pc->dev, model->mtu_bytes, model->name, err);
	if (ret != 0)
		return ret;
	port->kind = RT_PORT_DEVICE;
	port->foreign = port->device.foreign;
	if (port->device.patient && rt->burst <= RT_FIFO_FILE)
		port->fifo = RT_FIFO_FILE;
	port->mtu_bytes = model->mtu_bytes;
	port->carrier_seen = true;
	snprintf(port->dev, sizeof(port->dev), "%s", pc->dev);
	snprintf(port->name, sizeof(port->name), "%s", model->name);
	port->carries_time = pc->carries_time;
	port->smooth = pc->smooth;
	port->stage.tx = device_tx;
	port->stage.ctx = port;
	return 0;
}

int rt_devices_open(struct rt *rt, const struct rt_config *config, struct err *err)
{
	uint16_t i;
	int ret = 0;

	for (i = 0; i < config->n_ports && ret == 0; i++)
		ret = open_one(rt, config, &config->ports[i], err);
	return ret;
}

int rt_ports_activate(struct rt_switch *s, const struct rt_switch_config *config, struct err *err)
{
	uint16_t i, n;

	for (i = 0; i < s->n_ports; i++)
		s->n_active += s->ports[i].kind != RT_PORT_NONE;
	s->active = calloc(s->n_active + 1u, sizeof(struct rt_port *));
	s->merge.fifos = calloc(s->n_active + 1u, sizeof(struct rt_arrivals *));
	s->merge.next_ps = calloc(s->n_active + 1u, sizeof(*s->merge.next_ps));
	if (s->active == NULL || s->merge.fifos == NULL || s->merge.next_ps == NULL)
		return err_set(err, ERR_ENVIRONMENT, ENOMEM, "", "", "memory for ports");
	for (i = 0, n = 0; i < s->n_ports; i++) {
		const struct sw_port_config *port = &config->config.ports[i];

		rt_wire_init(&s->ports[i].arrivals.wire, port->rate_bps, port->overhead_bytes);
		s->ports[i].admin_up = s->ports[i].kind != RT_PORT_NONE && !port->down;
		s->ports[i].carrier = true;
		if (s->ports[i].fifo == 0)
			s->ports[i].fifo = RT_FIFO;
		if (s->ports[i].kind == RT_PORT_NONE)
			continue;
		s->active[n] = &s->ports[i];
		s->merge.fifos[n] = &s->ports[i].arrivals;
		s->merge.next_ps[n++] = SW_NEVER;
	}
	s->merge.n = n;
	return 0;
}

void rt_port_rate(struct rt_port *port, uint64_t t_ps, const struct sw_port_config *config)
{
	uint32_t fraction = port->arrivals.wire.fraction;

	rt_wire_init(&port->arrivals.wire, config->rate_bps, config->overhead_bytes);
	port->arrivals.wire.fraction = fraction;
	if (port->kind == RT_PORT_CABLE)
		rt_cable_rate(port->out, t_ps, config);
}

int rt_devices_start(struct rt *rt, const struct rt_config *config, struct err *err)
{
	uint16_t i;
	int ret = 0;

	for (i = 0; i < config->n_ports && ret == 0; i++) {
		const struct rt_port_config *pc = &config->ports[i];
		const struct sw_port_config *model = model_of(config, pc->sw, pc->port);
		struct rt_port *port = port_of(rt, pc);

		ret = rt_device_start(&port->device, port->pool, model->mtu_bytes, model->name,
				      err);
	}
	return ret;
}

/* Rings give what they hold only by being read. */
static void drain(struct rt_port *port)
{
	struct rte_mbuf *frames[RT_BURST];
	uint32_t i, n = 1;

	rt_stage_drain(&port->stage);
	while (port->arrivals.head != port->arrivals.tail)
		rt_free_chain(rt_arrivals_pop(&port->arrivals));
	for (i = 0; port->device.started && n > 0 && i < DRAIN_BURSTS; i++) {
		n = rte_eth_rx_burst(port->device.id, 0, frames, RT_BURST);
		rte_pktmbuf_free_bulk(frames, n);
	}
}

void rt_ports_close(struct rt_switch *s)
{
	uint16_t i;

	for (i = s->n_ports; s->ports != NULL && i-- > 0;) {
		drain(&s->ports[i]);
		if (s->ports[i].kind == RT_PORT_DEVICE)
			rt_device_close(&s->ports[i].device);
	}
	free(s->active);
	free(s->merge.fifos);
	free(s->merge.next_ps);
	rte_free(s->ports);
	s->ports = NULL;
}
