/* SPDX-License-Identifier: BSD-3-Clause */
/* The model's numbers and the driver's, folded at one time by the owner.
 *
 * The model counts a frame as sent when its transmission starts. What the device has not taken is
 * held, what the stage lost is the drop device_full (or link_down, when the device went away), and
 * what could not be made is no_buffer: all leave tx, so that the identity still closes and tx says what the wire saw. What was lost
 * before the switch took it is counted apart (losses.c). */
#include "control.h"

#include <errno.h>
#include <rte_ethdev.h>
#include <string.h>

static void drop(struct sw_stats *out, struct sw_port_stats *port, enum sw_drop reason,
		 const struct rt_lost *lost, uint8_t lossless_mask)
{
	uint64_t lossless = 0;
	int p;

	for (p = 0; p < SW_PRIOS; p++)
		if (lossless_mask >> p & 1)
			lossless += lost->prio[p];
	out->tx -= lost->frames;
	out->dropped += lost->frames;
	out->dropped_lossless += lossless;
	out->dropped_lossy += lost->frames - lossless;
	out->drops[reason] += lost->frames;
	port->counters[SW_PORT_TX_PACKETS] -= lost->frames;
	port->counters[SW_PORT_TX_BYTES] -= lost->bytes;
	port->counters[SW_PORT_DROPPED] += lost->frames;
	port->drops[reason] += lost->frames;
}

static void fold(const struct rt_switch *s, uint16_t index, struct sw_stats *out)
{
	const struct rt_port *port = &s->ports[index];
	const struct rt_stage *stage = &port->stage;
	struct sw_port_stats *stats = &out->ports[index];
	const struct rt_lost unmade = {.frames = port->no_buffer_data,
				       .bytes = port->no_buffer_bytes};
	uint64_t staged, bytes;

	rt_stage_waiting(stage, &staged, &bytes);
	out->tx -= staged;
	out->held += staged;
	stats->counters[SW_PORT_TX_PACKETS] -= staged;
	stats->counters[SW_PORT_TX_BYTES] -= bytes;
	drop(out, stats, SW_DROP_DEVICE_FULL, &stage->full, s->lossless_mask);
	drop(out, stats, SW_DROP_LINK_DOWN, &stage->gone, s->lossless_mask);
	drop(out, stats, SW_DROP_NO_BUFFER, &unmade, 0);
}

static void own_numbers(const struct rt_port *port, struct rt_port_stats *out)
{
	uint64_t bytes;

	memset(out, 0, sizeof(*out));
	rt_stage_waiting(&port->stage, &out->staged, &bytes);
	out->device_full = port->stage.full_any;
	out->no_buffer = port->no_buffer;
	out->losses[SW_LOSS_RX_UNUSABLE] = port->unusable;
	out->link_up = port->kind == RT_PORT_CABLE;
	out->admin_up = port->admin_up;
	out->numa = -1;
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
static void device_numbers(struct rt_port *port, struct rt_port_stats *out)
{
	uint64_t lost[SW_LOSSES];
	int i;

	rt_port_losses(port, lost);
	for (i = 0; i < SW_LOSSES; i++)
		out->losses[i] += lost[i];
	out->link_up = port->device.open && rt_device_link_up(&port->device);
	out->numa = port->device.numa;
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
			device_numbers(&s->ports[i], &rt_ports[i]);
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
	out->index = (uint16_t)(s->worker - s->rt->workers);
	out->n = s->rt->n_workers;
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
