/* SPDX-License-Identifier: BSD-3-Clause */
/* Is the run valid: did frames leave when the model said, and was nothing lost outside of it? */
#include "control.h"
#include "valid.h"

#include <errno.h>
#include <stdio.h>

/* Defaults for wall time. A busy worker loses the CPU for some us now and then; one that shares its
 * cores with guests loses whole time slices, a few ms each. */
#define BUSY_LATE_PS 250000000u
#define ADAPTIVE_LATE_PS 10000000000u

uint64_t rt_late_bound(uint64_t asked_ps, enum rt_poll poll, uint32_t dilate)
{
	if (asked_ps > 0)
		return asked_ps;
	return (poll == RT_POLL_BUSY ? BUSY_LATE_PS : ADAPTIVE_LATE_PS) / dilate;
}

bool rt_verdict(const struct rt_health *health, uint64_t bound_ps, uint32_t dilate, char *why,
		size_t size)
{
	uint64_t p999 = rt_late_quantile(&health->late, 999000);
	uint64_t cure = bound_ps == 0 ? dilate : (p999 + bound_ps - 1) / bound_ps * dilate;

	if (health->full > 0)
		snprintf(why, size,
			 "a device did not take %lu frames in time (device_full): "
			 "declare a lower rate for its port, or try dilate: %lu",
			 health->full, cure > dilate ? cure : 2ul * dilate);
	else if (health->no_buffer > 0)
		snprintf(why, size,
			 "%lu frames of the switch's own had no buffer (no_buffer): "
			 "raise real.memory",
			 health->no_buffer);
	else if (health->behind > 0)
		snprintf(why, size,
			 "%lu frames carried a time that was past: the feeder must fill "
			 "the ring before the clock moves, in time order",
			 health->behind);
	else if (health->missed > 0)
		snprintf(why, size,
			 "%lu frames were lost before the switch took them (railyard show drops: "
			 "rx_...): poll: busy, a CPU for each worker, or more real.memory",
			 health->missed);
	else if (p999 > bound_ps)
		snprintf(why, size,
			 "%.1f us late at p99.9 (%.1f us at worst), bound %.1f us: try "
			 "dilate: %lu, poll: busy, or fewer switches a worker",
			 (double)p999 / 1e6, (double)health->late.max_ps / 1e6,
			 (double)bound_ps / 1e6, cure);
	else
		return true;
	return false;
}

static void run_health(struct rt_switch *s, struct rt_msg *msg, uint64_t t_ps)
{
	struct rt_health *health = msg->health;
	uint16_t i;

	(void)t_ps;
	rt_late_merge(&health->late, &s->late);
	for (i = 0; i < s->n_active; i++) {
		health->full += s->active[i]->stage.full_any;
		health->no_buffer += s->active[i]->no_buffer;
		health->behind += s->active[i]->arrivals.behind;
	}
}

/* Broken frames are their sender's fault; what had no room is ours. */
static uint64_t missed(struct rt_switch *s)
{
	uint64_t losses[SW_LOSSES], sum = 0;
	uint16_t i;

	for (i = 0; i < s->n_active; i++) {
		if (s->active[i]->kind != RT_PORT_DEVICE)
			continue;
		rt_port_losses(s->active[i], losses);
		sum += losses[SW_LOSS_RX_MISSED] + losses[SW_LOSS_RX_NO_BUFFER] +
		       losses[SW_LOSS_RX_RING_FULL];
	}
	return sum;
}

bool rt_valid(struct rt *rt, char *why, size_t size)
{
	struct rt_health health = {0};
	struct rt_msg *msg;
	uint16_t i;

	for (i = 0; i < rt->n_switches; i++) {
		msg = rt_msg_new(rt, run_health);
		if (msg != NULL)
			msg->health = &health;
		if (msg == NULL || rt_msg_wait(rt, i, msg) != 0) {
			snprintf(why, size, "the worker of switch %u does not answer", i);
			return false;
		}
		rt_msg_free(rt, msg);
		health.missed += missed(&rt->switches[i]);
	}
	return rt_verdict(&health, rt->late_ps, rt->clock.dilate, why, size);
}
