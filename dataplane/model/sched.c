/* SPDX-License-Identifier: BSD-3-Clause */
/* Sched: which queue of a port sends. Strict queues first, the higher number first; the others
 * share by deficit weighted round robin (Shreedhar and Varghese, 1996). A queue competes when it
 * has a frame that is through the switch's latency and no received pause stops it.
 *
 * The quantum per weight follows the queues that compete (dwrr_quantum), so that a turn costs a few
 * rounds whatever the weights are, and stays at or below a maximal frame over the largest weight.
 */
#include "sw_int.h"

static uint64_t eligible_at(const struct sw *sw, const struct sw_queue *queue)
{
	uint64_t through = queue->head->t_ps + sw->cfg.latency_ps;

	return through > queue->pause.until ? through : queue->pause.until;
}

uint64_t sched_next(const struct sw *sw, const struct sw_port *port)
{
	uint64_t best = SW_NEVER;

	if (port->held)
		return SW_NEVER;
	if ((port->active & (port->active - 1)) == 0) /* one queue: the usual case */
		return eligible_at(sw, &port->queues[__builtin_ctz(port->active)]);
	for (uint32_t mask = port->active; mask != 0; mask &= mask - 1) {
		uint64_t at = eligible_at(sw, &port->queues[__builtin_ctz(mask)]);

		if (at < best)
			best = at;
	}
	return best;
}

/* Nobody to share with: no deficit is run up. */
static struct sw_queue *sole_pick(struct sw_port *port, uint32_t ready)
{
	struct sw_queue *queue = &port->queues[__builtin_ctz(ready)];

	queue->deficit_bytes = 0;
	return queue;
}

__attribute__((noinline)) static struct sw_queue *dwrr_pick(struct sw *sw, struct sw_port *port,
							    uint32_t competing)
{
	uint32_t quantum = sw->dwrr_quantum[competing];

	for (;;) {
		struct sw_queue *queue = &port->queues[port->dwrr_at];

		if (competing & (1u << port->dwrr_at)) {
			uint32_t bytes = frame_bytes(queue->head->len);

			if (port->dwrr_fresh) {
				queue->deficit_bytes +=
					quantum * sw->cfg.qos.sched[port->dwrr_at].weight;
				port->dwrr_fresh = false;
			}
			if (queue->deficit_bytes >= bytes) {
				queue->deficit_bytes -= bytes;
				return queue;
			}
		}
		port->dwrr_at = (port->dwrr_at + 1) % SW_PRIOS;
		port->dwrr_fresh = true;
	}
}

/* Several queues have frames, or the sole one may not send. */
__attribute__((noinline)) static struct sw_queue *pick_among(struct sw *sw, uint64_t t_ps,
							     struct sw_port *port)
{
	uint32_t ready = 0, strict;

	for (uint32_t mask = port->active; mask != 0; mask &= mask - 1) {
		int q = __builtin_ctz(mask);

		if (eligible_at(sw, &port->queues[q]) <= t_ps)
			ready |= 1u << q;
	}
	if (ready == 0)
		return NULL;
	strict = ready & sw->strict_mask;
	if (strict != 0)
		return &port->queues[31 - __builtin_clz(strict)];
	if ((ready & (ready - 1)) == 0)
		return sole_pick(port, ready);
	return dwrr_pick(sw, port, ready);
}

struct sw_queue *sched_pick(struct sw *sw, uint64_t t_ps, struct sw_port *port)
{
	uint32_t active = port->active;

	if (port->held || active == 0)
		return NULL;
	if ((active & (active - 1)) == 0 && port->data_at <= t_ps) {
		port->data_at = SW_NEVER; /* said of this frame only */
		return sole_pick(port, active);
	}
	return pick_among(sw, t_ps, port);
}
