/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the packet buffers are: what is in use and not in a queue, a stage, a FIFO or a cable is in
 * the devices' rings, or lost. */
#include "control.h"

#include <errno.h>
#include <stdlib.h>

void rt_inventory_switch(struct rt_switch *s, struct sw_stats *scratch, struct rt_buffer_stats *out)
{
	uint16_t i;

	sw_stats(s->sw, s->t_ps, scratch);
	out->held += scratch->held;
	for (i = 0; i < s->n_active; i++) {
		const struct rt_port *port = s->active[i];

		out->staged += port->stage.tail - port->stage.head;
		out->arrived += port->arrivals.tail - port->arrivals.head;
		if (port->kind == RT_PORT_CABLE)
			out->cables += rte_ring_count(port->in->ring);
	}
}

void rt_inventory_pools(const struct rt *rt, struct rt_buffer_stats *out)
{
	uint16_t i;

	out->total = out->in_use = 0;
	for (i = 0; i < rt->n_pools; i++) {
		out->total += rt->pools[i]->size;
		out->in_use += rte_mempool_in_use_count(rt->pools[i]);
	}
	out->devices =
		(int64_t)(out->in_use - out->held - out->staged - out->arrived - out->cables);
}

/* Room for the largest switch's ports. */
struct sw_port_stats *rt_inventory_scratch(const struct rt *rt)
{
	uint16_t most = 0, i;

	for (i = 0; i < rt->n_switches; i++)
		most = rt->switches[i].n_ports > most ? rt->switches[i].n_ports : most;
	return calloc(most + 1u, sizeof(struct sw_port_stats));
}

/* All switches of one worker between two turns; where there is one worker, the whole is exact. */
static void run_inventory(struct rt_switch *s, struct rt_msg *msg, uint64_t t_ps)
{
	uint16_t i;

	(void)t_ps;
	for (i = 0; i < s->worker->n_switches; i++)
		rt_inventory_switch(s->worker->switches[i], msg->stats, msg->buffers);
	rt_inventory_pools(s->rt, msg->buffers);
}

int rt_buffers(struct rt *rt, struct rt_buffer_stats *out)
{
	struct sw_stats scratch = {.ports = rt_inventory_scratch(rt)};
	struct rt_msg *msg;
	int ret = scratch.ports == NULL ? -ENOMEM : 0;
	uint16_t i;

	*out = (struct rt_buffer_stats){0};
	for (i = 0; ret == 0 && i < rt->n_workers; i++) {
		msg = rt_msg_new(rt, run_inventory);
		if (msg == NULL) {
			ret = -ENOMEM;
			break;
		}
		msg->stats = &scratch;
		msg->buffers = out;
		ret = rt_msg_wait(rt, rt->workers[i].switches[0]->index, msg);
		if (ret == 0)
			rt_msg_free(rt, msg);
	}
	free(scratch.ports);
	return ret;
}
