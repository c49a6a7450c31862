/* SPDX-License-Identifier: BSD-3-Clause */
/* Cables between switches of this process: frames carry their arrival time, and each side promises
 * how far it has sent, so that a receiver never runs ahead of a frame that may still come
 * (conservative synchronisation, after Chandy and Misra). */
#include "frame.h"
#include "rt_int.h"

#include <errno.h>
#include <rte_errno.h>

#define MIN_FRAME_BYTES 60

uint64_t rt_cable_arrival(const struct rt_cable *cable, uint64_t t_ps, uint32_t len)
{
	struct rt_wire wire = {cable->byte_q32, cable->overhead_bytes, 0};
	uint64_t arrival = t_ps + rt_wire_time(&wire, len) + cable->delay_ps;

	return arrival > cable->floor_ps ? arrival : cable->floor_ps;
}

uint64_t rt_cable_horizon(const struct rt_cable *cable)
{
	return atomic_load_explicit(&cable->horizon_ps, memory_order_acquire);
}

/* A faster cable could bring a frame before what was promised at the slower rate: such a frame,
 * within one minimal frame's time of the change, comes at the promised time. */
void rt_cable_rate(struct rt_cable *cable, uint64_t t_ps, const struct sw_port_config *config)
{
	struct rt_wire wire;

	rt_wire_init(&wire, config->rate_bps, config->overhead_bytes);
	cable->floor_ps = rt_cable_arrival(cable, t_ps, MIN_FRAME_BYTES);
	cable->byte_q32 = wire.byte_q32;
	cable->overhead_bytes = wire.overhead_bytes;
}

static void promise(struct rt_cable *cable, uint64_t sent_ps)
{
	atomic_store_explicit(&cable->horizon_ps, rt_cable_arrival(cable, sent_ps, MIN_FRAME_BYTES),
			      memory_order_release);
}

void rt_cables_promise(struct rt_switch *s)
{
	uint16_t i;

	for (i = 0; i < s->n_active; i++) {
		const struct rt_port *port = s->active[i];
		uint64_t waits;

		if (port->kind != RT_PORT_CABLE)
			continue;
		/* What is still staged has left in model time, but is not in the ring. */
		waits = rt_stage_first(&port->stage);
		promise(port->out, waits < s->t_ps ? waits : s->t_ps);
	}
}

static uint16_t cable_tx(void *ctx, struct rte_mbuf **frames, uint16_t n)
{
	struct rt_port *port = ctx;

	return (uint16_t)rte_ring_sp_enqueue_burst(port->out->ring, (void **)frames, n, NULL);
}

static int open_one(struct rt *rt, struct rt_cable *cable, const struct rt_port *from,
		    const struct sw_port_config *config, uint64_t delay_ps, struct err *err)
{
	char name[RTE_RING_NAMESIZE];
	struct rt_wire wire;

	snprintf(name, sizeof(name), "ry%u_c%u_%u", rt->number, from->sw->index, from->index);
	rt_wire_init(&wire, config->rate_bps, config->overhead_bytes);
	cable->byte_q32 = wire.byte_q32;
	cable->overhead_bytes = wire.overhead_bytes;
	cable->delay_ps = delay_ps;
	promise(cable, 0);
	cable->ring = rte_ring_create(name, RT_CABLE_FRAMES, SOCKET_ID_ANY,
				      RING_F_SP_ENQ | RING_F_SC_DEQ);
	if (cable->ring != NULL)
		return 0;
	return err_set(err, ERR_ENVIRONMENT, ENOMEM, config->name, rte_strerror(rte_errno),
		       "memory for a cable of %u frames", RT_CABLE_FRAMES);
}

int rt_cables_open(struct rt *rt, const struct rt_config *config, struct err *err)
{
	uint16_t i;
	int side, ret;

	rt->cables =
		calloc(config->n_links > 0 ? 2 * (size_t)config->n_links : 1, sizeof(*rt->cables));
	if (rt->cables == NULL)
		return err_set(err, ERR_ENVIRONMENT, ENOMEM, "", "", "memory for cables");
	for (i = 0; i < config->n_links; i++) {
		const struct rt_link_config *link = &config->links[i];

		for (side = 0; side < 2; side++) {
			struct rt_switch *s = &rt->switches[link->sw[side]];
			struct rt_switch *peer = &rt->switches[link->sw[1 - side]];
			struct rt_port *port = &s->ports[link->port[side]];
			struct rt_cable *out = &rt->cables[2 * i + side];

			ret = open_one(rt, out, port,
				       &config->switches[s->index].config.ports[port->index],
				       link->delay_ps, err);
			if (ret != 0)
				return ret;
			rt->n_cables = (uint16_t)(2 * i + side + 1);
			port->kind = RT_PORT_CABLE;
			port->out = out;
			port->in = &rt->cables[2 * i + 1 - side];
			port->stage.tx = cable_tx;
			port->stage.ctx = port;
			if (s->worker != peer->worker)
				s->worker->shares_cables = true;
		}
	}
	return 0;
}

void rt_cables_close(struct rt *rt)
{
	struct rte_mbuf *frame;
	uint16_t i;

	for (i = 0; i < rt->n_cables; i++) {
		while (rte_ring_sc_dequeue(rt->cables[i].ring, (void **)&frame) == 0)
			rte_pktmbuf_free(frame);
		rte_ring_free(rt->cables[i].ring);
	}
	rt->n_cables = 0;
	free(rt->cables);
	rt->cables = NULL;
}
