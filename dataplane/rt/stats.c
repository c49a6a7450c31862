/* SPDX-License-Identifier: BSD-3-Clause */
/* The model's numbers and the driver's, folded at one time by the owner.
 *
 * The model counts a frame as sent when its transmission starts. What the device has not taken is
 * held, what the stage lost is the drop device_full, and what could not be made is no_buffer: all
 * three leave tx, so that the identity still closes and tx says what the wire saw. What was lost
 * before the switch took it is counted apart (losses.c). */
#include "control.h"
#include "losses.h"

#include <errno.h>
#include <rte_ethdev.h>
#include <string.h>

static void drop(struct sw_stats *out, struct sw_port_stats *port, enum sw_drop reason, uint64_t n,
		 uint64_t bytes)
{
	out->tx -= n;
	out->dropped += n;
	out->drops[reason] += n;
	port->counters[SW_PORT_TX_PACKETS] -= n;
	port->counters[SW_PORT_TX_BYTES] -= bytes;
	port->counters[SW_PORT_DROPPED] += n;
	port->drops[reason] += n;
}

static void fold(const struct rt_switch *s, uint16_t index, struct sw_stats *out)
{
	const struct rt_port *port = &s->ports[index];
	const struct rt_stage *stage = &port->stage;
	struct sw_port_stats *stats = &out->ports[index];
	uint64_t lossless = 0;
	int p;

	out->tx -= stage->staged;
	out->held += stage->staged;
	stats->counters[SW_PORT_TX_PACKETS] -= stage->staged;
	stats->counters[SW_PORT_TX_BYTES] -= stage->staged_bytes;
	for (p = 0; p < SW_PRIOS; p++)
		if (s->lossless_mask >> p & 1)
			lossless += stage->full_prio[p];
	drop(out, stats, SW_DROP_DEVICE_FULL, stage->full, stage->full_bytes);
	drop(out, stats, SW_DROP_NO_BUFFER, port->no_buffer_data, port->no_buffer_bytes);
	out->dropped_lossless += lossless;
	out->dropped_lossy += stage->full - lossless + port->no_buffer_data;
}

static void own_numbers(const struct rt_port *port, struct rt_port_stats *out)
{
	memset(out, 0, sizeof(*out));
	out->staged = port->stage.staged;
	out->device_full = port->stage.full_any;
	out->no_buffer = port->no_buffer;
	out->losses[SW_LOSS_RX_UNUSABLE] = port->unusable;
	out->link_up = port->kind == RT_PORT_CABLE;
}

static void run_stats(struct rt_switch *s, struct rt_msg *msg, uint64_t t_ps)
{
	uint16_t i;

	sw_stats(s->sw, t_ps, msg->stats);
	for (i = 0; i < s->n_ports; i++) {
		fold(s, i, msg->stats);
		if (msg->rt_ports != NULL)
			own_numbers(&s->ports[i], &msg->rt_ports[i]);
	}
	if (msg->flag)
		sw_clear_watermarks(s->sw, t_ps);
}

/* The device's own, which control may ask while the worker works. */
static void device_numbers(struct rt_device *device, struct rt_port_stats *out)
{
	uint64_t unusable = out->losses[SW_LOSS_RX_UNUSABLE];

	rt_losses_read(device, out->losses);
	out->losses[SW_LOSS_RX_UNUSABLE] = unusable;
	out->link_up = rt_device_link_up(device);
}

static int ask(struct rt *rt, uint16_t sw, struct rt_msg *msg)
{
	int ret = rt_msg_wait(rt, sw, msg);

	if (ret == 0)
		rt_msg_free(rt, msg);
	return ret;
}

static int snapshot(struct rt *rt, uint16_t sw, struct sw_stats *out,
		    struct rt_port_stats *rt_ports, bool clear)
{
	struct rt_switch *s;
	struct rt_msg *msg;
	uint16_t i;
	int ret;

	if (sw >= rt->n_switches)
		return -EINVAL;
	msg = rt_msg_new(rt, run_stats);
	if (msg == NULL)
		return -ENOMEM;
	msg->stats = out;
	msg->rt_ports = rt_ports;
	msg->flag = clear;
	ret = ask(rt, sw, msg);
	s = &rt->switches[sw];
	for (i = 0; ret == 0 && rt_ports != NULL && i < s->n_ports; i++)
		if (s->ports[i].kind == RT_PORT_DEVICE)
			device_numbers(&s->ports[i].device, &rt_ports[i]);
	return ret;
}

int rt_stats(struct rt *rt, uint16_t sw, struct sw_stats *out, struct rt_port_stats *rt_ports)
{
	return snapshot(rt, sw, out, rt_ports, false);
}

int rt_stats_clear(struct rt *rt, uint16_t sw, struct sw_stats *out, struct rt_port_stats *rt_ports)
{
	return snapshot(rt, sw, out, rt_ports, true);
}

static void run_worker_stats(struct rt_switch *s, struct rt_msg *msg, uint64_t t_ps)
{
	struct rt_worker_stats *out = msg->worker_stats;

	(void)t_ps;
	out->polls = s->worker->polls;
	out->idle_polls = s->worker->idle_polls;
	out->frames = s->frames;
	out->late_p50_ps = rt_late_quantile(&s->late, 500000);
	out->late_p999_ps = rt_late_quantile(&s->late, 999000);
	out->late_max_ps = s->late.max_ps;
	out->lcore = s->worker->cpu;
	out->numa = s->worker->numa;
}

int rt_worker_stats(struct rt *rt, uint16_t sw, struct rt_worker_stats *out)
{
	struct rt_msg *msg;

	if (sw >= rt->n_switches)
		return -EINVAL;
	msg = rt_msg_new(rt, run_worker_stats);
	if (msg == NULL)
		return -ENOMEM;
	msg->worker_stats = out;
	return ask(rt, sw, msg);
}
