/* SPDX-License-Identifier: BSD-3-Clause */
#include "rt_from_fabric.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void *array(size_t n, size_t size)
{
	return calloc(n ? n : 1, size);
}

static void fill(struct rt_plan *plan, const struct fabric *fabric, const struct scenario *scenario)
{
	for (uint16_t i = 0; i < fabric->n_switches; i++) {
		plan->switches[i].config = fabric->switches[i].config;
		plan->switches[i].pipeline = fabric->switches[i].pipeline;
		plan->switches[i].tables = fabric->switches[i].tables;
	}
	for (uint16_t i = 0; i < fabric->n_real; i++) {
		plan->ports[i].sw = fabric->real[i].sw;
		plan->ports[i].port = fabric->real[i].port;
		snprintf(plan->ports[i].dev, RT_DEV, "%s", fabric->real[i].dev);
		plan->ports[i].smooth = true;
	}
	for (uint16_t i = 0; i < fabric->n_links; i++) {
		memcpy(plan->links[i].sw, fabric->links[i].sw, sizeof(plan->links[i].sw));
		memcpy(plan->links[i].port, fabric->links[i].port, sizeof(plan->links[i].port));
		plan->links[i].delay_ps = fabric->links[i].delay_ps;
	}
	for (uint32_t i = 0; i < scenario->real.n_eal; i++)
		plan->eal[i] = scenario->real.eal[i];
}

int rt_from_fabric(struct rt_plan *plan, const struct fabric *fabric,
		   const struct scenario *scenario, bool no_huge, struct err *err)
{
	memset(plan, 0, sizeof(*plan));
	plan->switches = array(fabric->n_switches, sizeof(*plan->switches));
	plan->ports = array(fabric->n_real, sizeof(*plan->ports));
	plan->links = array(fabric->n_links, sizeof(*plan->links));
	plan->eal = array(scenario->real.n_eal + 1, sizeof(*plan->eal));
	if (!plan->switches || !plan->ports || !plan->links || !plan->eal) {
		rt_plan_free(plan);
		return err_set(err, ERR_ENVIRONMENT, ENOMEM, "", "", "out of memory");
	}
	fill(plan, fabric, scenario);
	plan->config = (struct rt_config){
		.n_switches = fabric->n_switches,
		.n_ports = fabric->n_real,
		.n_links = fabric->n_links,
		.switches = plan->switches,
		.ports = plan->ports,
		.links = plan->links,
		.workers = scenario->real.workers,
		.poll = scenario->real.adaptive ? RT_POLL_ADAPTIVE : RT_POLL_BUSY,
		.dilate = scenario->real.dilate,
		.late_ps = scenario->real.late_ps,
		.memory_bytes = scenario->real.memory_bytes,
		.no_huge = no_huge,
		.eal = plan->eal,
	};
	return 0;
}

void rt_plan_free(struct rt_plan *plan)
{
	free(plan->switches);
	free(plan->ports);
	free(plan->links);
	free(plan->eal);
	memset(plan, 0, sizeof(*plan));
}
