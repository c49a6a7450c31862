/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices that change under a running switch: carriers, and netdevs that are deleted and made again.
 *
 * Control looks and tells the owner by message; the device itself is opened again by control, while
 * the owner keeps its hands off it. */
#include "control.h"
#include "losses.h"
#include "netdev_guard.h"

#include <errno.h>
#include <rte_ethdev.h>
#include <stdio.h>
#include <string.h>

void rt_port_losses(struct rt_port *port, uint64_t out[SW_LOSSES])
{
	int i;

	memset(out, 0, SW_LOSSES * sizeof(*out));
	if (port->device.started)
		rt_losses_read(&port->device, out);
	for (i = 0; i < SW_LOSSES; i++)
		out[i] += port->lost[i];
}

/* ---- the owner's halves ---- */

static void run_carrier(struct rt_switch *s, struct rt_msg *msg, uint64_t t_ps)
{
	struct rt_port *port = &s->ports[msg->port];

	port->carrier = msg->flag;
	sw_link(s->sw, t_ps, msg->port, port->admin_up && port->carrier);
}

static void run_offline(struct rt_switch *s, struct rt_msg *msg, uint64_t t_ps)
{
	struct rt_port *port = &s->ports[msg->port];

	port->carrier = false;
	sw_link(s->sw, t_ps, msg->port, false);
	rt_stage_lose(&port->stage);
	port->offline = true;
}

static void run_online(struct rt_switch *s, struct rt_msg *msg, uint64_t t_ps)
{
	(void)t_ps;
	s->ports[msg->port].offline = false;
	s->ports[msg->port].no_cleanup = false;
}

/* ---- control ---- */

static int tell(struct rt *rt, struct rt_port *port, bool flag,
		void (*run)(struct rt_switch *, struct rt_msg *, uint64_t))
{
	struct rt_msg *msg = rt_msg_new(rt, run);
	int ret;

	if (msg == NULL)
		return -ENOMEM;
	msg->port = port->index;
	msg->flag = flag;
	ret = rt_msg_wait(rt, port->sw->index, msg);
	if (ret == 0)
		rt_msg_free(rt, msg);
	return ret;
}

/* The new device; what the old one had lost is kept. *err says why it could not be had. */
static int open_again(struct rt *rt, struct rt_port *port, struct err *err)
{
	struct rt_device *device = &port->device;
	char netdev[sizeof(device->netdev)];
	int ret = 0;

	memcpy(netdev, device->netdev, sizeof(netdev));
	rt_port_losses(port, port->lost);
	rt_device_close(device);
	if (!rt->force)
		ret = rt_guard_dev(port->dev, port->name, err);
	if (ret == 0)
		ret = rt_device_check_netdev(port->dev, port->mtu_bytes, port->name, err);
	if (ret == 0)
		ret = rt_device_open(device, port->dev, port->mtu_bytes, port->name, err);
	if (ret == 0)
		ret = rt_device_start(device, port->pool, port->mtu_bytes, port->name, err);
	if (ret == 0)
		return 0;
	/* To be tried again: its MTU may be set in a moment. */
	rt_device_close(device);
	memcpy(device->netdev, netdev, sizeof(netdev));
	device->ifindex = 0;
	return ret;
}

/* What was said once of a netdev need not be said five times a second. */
static void take_again(struct rt *rt, struct rt_port *port, unsigned int made, rt_event_fn *event,
		       void *arg)
{
	struct err err = {0};
	char text[1024], what[1200];

	if (!port->away && tell(rt, port, false, run_offline) != 0)
		return;
	port->away = true;
	port->carrier_seen = false;
	if (open_again(rt, port, &err) == 0) {
		port->tried = 0;
		port->away = tell(rt, port, false, run_online) != 0;
		event(arg, port->sw->index, port->index,
		      "its network device was made again, and is taken again");
	} else if (port->tried != made) {
		port->tried = made;
		snprintf(what, sizeof(what),
			 "its network device was made again, and is not taken yet: %s",
			 err_text(&err, text, sizeof(text)));
		event(arg, port->sw->index, port->index, what);
	}
}

static void look_at(struct rt *rt, struct rt_port *port, rt_event_fn *event, void *arg)
{
	unsigned int made = rt_device_made_again(&port->device);
	bool up;

	if (made != 0)
		take_again(rt, port, made, event, arg);
	up = !port->away && rt_device_link_up(&port->device);
	if (up == port->carrier_seen || tell(rt, port, up, run_carrier) != 0)
		return;
	port->carrier_seen = up;
	event(arg, port->sw->index, port->index, up ? "carrier" : "no carrier");
}

void rt_watch(struct rt *rt, rt_event_fn *event, void *arg)
{
	uint16_t i, p;

	for (i = 0; i < rt->n_switches; i++)
		for (p = 0; p < rt->switches[i].n_active; p++)
			if (rt->switches[i].active[p]->kind == RT_PORT_DEVICE)
				look_at(rt, rt->switches[i].active[p], event, arg);
}
