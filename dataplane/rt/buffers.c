/* SPDX-License-Identifier: BSD-3-Clause */
/* Which pools a configuration needs, and who gets which.
 *
 * Switches that cables join hold each other's frames, so they share pools sized for all of them; a
 * switch by itself has its own (rails share nothing). Within such a group, ports with the same room
 * share a pool. A frame may wait on the way out at any port of the group. */
#include "buffers.h"
#include "pool.h"

#include <errno.h>
#include <stdlib.h>

#define MTU_FRAME_BYTES 18 /* Ethernet header and tag */

struct layout {
	struct rt_pool_need *needs;
	struct rt_pool_plan *plans;
	uint16_t *group; /* by pool */
	uint16_t n;
};

static const struct sw_port_config *config_of(const struct rt_config *config,
					      const struct rt_port *port)
{
	return &config->switches[port->sw->index].config.ports[port->index];
}

static uint16_t group_of(const struct rt *rt, const struct rt_switch *s)
{
	return rt->n_cables > 0 ? 0 : s->index;
}

static uint16_t pool_for(struct layout *layout, uint16_t group, uint32_t room)
{
	uint16_t i;

	for (i = 0; i < layout->n; i++)
		if (layout->group[i] == group && layout->needs[i].room_bytes == room)
			return i;
	layout->group[i] = group;
	layout->needs[i].room_bytes = room;
	layout->needs[i].numa = SOCKET_ID_ANY;
	layout->n++;
	return i;
}

/* A port's own share: what it receives into. A net_ring brings its frames along. */
static void add_port(const struct rt *rt, const struct rt_config *config, struct layout *layout,
		     struct rt_port *port)
{
	uint32_t mtu = config_of(config, port)->mtu_bytes, cell;
	uint32_t room = rt_pool_room(mtu, port->device.least_room);
	struct rt_pool_need *need;

	port->pool_index = pool_for(layout, group_of(rt, port->sw), room);
	need = &layout->needs[port->pool_index];
	cell = config->switches[port->sw->index].config.buffer.cell_bytes;
	if (mtu + MTU_FRAME_BYTES > need->frame_bytes)
		need->frame_bytes = mtu + MTU_FRAME_BYTES;
	if (cell > need->cell_bytes)
		need->cell_bytes = cell;
	if (port->kind == RT_PORT_DEVICE && !port->device.foreign) {
		need->fixed += port->device.rx_desc + RT_FIFO;
		need->numa = port->device.numa;
	}
}

/* What any frame of the group may wait in. */
static uint64_t on_the_way(const struct rt_port *port)
{
	if (port->kind == RT_PORT_CABLE)
		return RT_STAGE + RT_CABLE_FRAMES + RT_FIFO;
	return RT_STAGE + port->device.tx_desc;
}

/* A frame may leave by any port. */
static bool all_copy(const struct rt *rt)
{
	uint16_t i, p;

	for (i = 0; i < rt->n_switches; i++)
		for (p = 0; p < rt->switches[i].n_active; p++) {
			const struct rt_port *port = rt->switches[i].active[p];

			if (port->kind == RT_PORT_DEVICE && !port->device.copies)
				return false;
		}
	return true;
}

static void add_group(const struct rt *rt, const struct rt_config *config, struct layout *layout)
{
	uint16_t i, j, p;

	for (i = 0; i < layout->n; i++) {
		struct rt_pool_need *need = &layout->needs[i];

		snprintf(need->name, sizeof(need->name), "ry%u_pool%u", rt->number, i);
		need->threads = rt->n_workers + 1u;
		need->copied = all_copy(rt);
		for (j = 0; j < rt->n_switches; j++) {
			struct rt_switch *s = &rt->switches[j];

			if (group_of(rt, s) != layout->group[i])
				continue;
			need->buffer_bytes += rt_pool_buffer(&config->switches[j].config);
			for (p = 0; p < s->n_active; p++)
				need->fixed += on_the_way(s->active[p]);
		}
	}
}

static int make(struct rt *rt, struct layout *layout, struct err *err)
{
	uint16_t i;

	rt->pools = calloc(layout->n + 1u, sizeof(struct rte_mempool *));
	if (rt->pools == NULL)
		return err_set(err, ERR_ENVIRONMENT, ENOMEM, "", "", "memory for pools");
	for (i = 0; i < layout->n; i++) {
		rt->pools[i] = rt_pool_new(&layout->needs[i], layout->plans[i].count, err);
		if (rt->pools[i] == NULL)
			return -ENOMEM;
		rt->n_pools++;
	}
	return 0;
}

/* Copies of frames from others' pools go into the switch's largest. */
static void hand_out(struct rt *rt, const struct layout *layout)
{
	uint16_t i, p;

	for (i = 0; i < rt->n_switches; i++) {
		struct rt_switch *s = &rt->switches[i];
		uint32_t largest = 0;

		for (p = 0; p < s->n_active; p++) {
			uint16_t index = s->active[p]->pool_index;

			s->active[p]->pool = rt->pools[index];
			if (layout->needs[index].room_bytes <= largest)
				continue;
			largest = layout->needs[index].room_bytes;
			s->pool = rt->pools[index];
		}
	}
}

/* What pools have above the least is shared by their group, so that a buffer or an edge may grow. */
static void note_memory(struct rt *rt, const struct rt_config *config, const struct layout *layout)
{
	uint16_t i, p, members;

	for (i = 0; i < rt->n_switches; i++) {
		struct rt_switch *s = &rt->switches[i];
		uint64_t spare = UINT64_MAX;

		members = rt->n_cables > 0 ? rt->n_switches : 1;
		for (p = 0; p < layout->n; p++) {
			const struct rt_pool_plan *plan = &layout->plans[p];
			uint64_t bytes = (plan->count - plan->least) * layout->needs[p].frame_bytes;

			if (layout->group[p] == group_of(rt, s) && bytes < spare)
				spare = bytes;
		}
		s->memory_bytes =
			spare == UINT64_MAX
				? spare
				: rt_pool_buffer(&config->switches[i].config) + spare / members;
	}
}

int rt_buffers_hold(const struct rt_switch *s, const struct sw_config *config, struct err *err)
{
	uint64_t bytes = rt_pool_buffer(config);
	char found[80];

	if (bytes <= s->memory_bytes)
		return 0;
	snprintf(found, sizeof(found), "%lu bytes of buffer and edges at %s", bytes, config->name);
	return err_set(err, ERR_USAGE, ENOMEM, "real.memory", found,
		       "at most %lu, for which packet buffers were made at the start; lower "
		       "edge_buffer or buffer.size, or raise real.memory (railyard down, then up)",
		       s->memory_bytes);
}

static int fill(struct rt *rt, const struct rt_config *config, struct layout *layout,
		struct err *err)
{
	uint16_t i, p;
	int ret;

	for (i = 0; i < rt->n_switches; i++)
		for (p = 0; p < rt->switches[i].n_active; p++)
			add_port(rt, config, layout, rt->switches[i].active[p]);
	add_group(rt, config, layout);
	ret = rt_pool_plan(layout->plans, layout->needs, layout->n, config->memory_bytes, err);
	if (ret == 0)
		ret = make(rt, layout, err);
	if (ret == 0) {
		hand_out(rt, layout);
		note_memory(rt, config, layout);
	}
	return ret;
}

int rt_buffers_open(struct rt *rt, const struct rt_config *config, struct err *err)
{
	size_t most = config->n_ports + 2u * config->n_links + 1u;
	struct layout layout = {
		.needs = calloc(most, sizeof(struct rt_pool_need)),
		.plans = calloc(most, sizeof(struct rt_pool_plan)),
		.group = calloc(most, sizeof(uint16_t)),
	};
	int ret;

	if (layout.needs == NULL || layout.plans == NULL || layout.group == NULL)
		ret = err_set(err, ERR_ENVIRONMENT, ENOMEM, "", "", "memory for pools");
	else
		ret = fill(rt, config, &layout, err);
	free(layout.needs);
	free(layout.plans);
	free(layout.group);
	return ret;
}

uint32_t rt_buffers_close(struct rt *rt)
{
	uint32_t lost = 0;
	uint16_t i;

	for (i = 0; i < rt->n_pools; i++) {
		uint32_t out = rte_mempool_in_use_count(rt->pools[i]);

		/* Somebody still has frames of it: better lose the memory than free it under him. */
		if (out == 0)
			rte_mempool_free(rt->pools[i]);
		lost += out;
	}
	rt->n_pools = 0;
	free(rt->pools);
	rt->pools = NULL;
	return lost;
}
