/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/sim/sim.h"
#include "pipelines/registry.h"
#include "play.h"

#include <stdio.h>

static void control(struct sim_node *node, const struct script_event *e, struct sw_tables **tables,
		    int *variant)
{
	struct sw_port_config ports[SCRIPT_PORTS];
	struct sw_config config;
	struct err err = {0};

	switch (e->type) {
	case SCRIPT_HOLD:
	case SCRIPT_RELEASE:
		sim_node_hold(node, e->t_ps, e->port, e->type == SCRIPT_HOLD);
		break;
	case SCRIPT_LINK_DOWN:
	case SCRIPT_LINK_UP:
		sim_node_link(node, e->t_ps, e->port, e->type == SCRIPT_LINK_UP);
		break;
	case SCRIPT_SWAP:
		variant[0] = !variant[0];
		sim_node_install(node, e->t_ps, tables[variant[0]]);
		break;
	case SCRIPT_SET:
		variant[1] = !variant[1];
		config = script_config(ports, variant[1]);
		sim_node_set(node, e->t_ps, &config, &err);
		break;
	}
}

int play_sim(const struct script *script, struct result *result)
{
	struct sw_tables *tables[2] = {script_tables(0), script_tables(1)};
	struct sw_port_config ports[SCRIPT_PORTS];
	struct sw_config config = script_config(ports, 0);
	struct err err = {0};
	struct sim_node *node =
		sim_node_new(&config, pipeline_by_name("lossless"), tables[0], NULL, NULL, &err);
	uint8_t frame[SCRIPT_MAX_FRAME];
	int variant[2] = {0, 0};
	uint64_t end;

	if (node == NULL) {
		fprintf(stderr, "sim: %s\n", err.expected);
		return -1;
	}
	for (uint64_t i = 0; i < script->n; i++) {
		const struct script_event *e = &script->events[i];

		if (e->type < SCRIPT_FRAMES)
			sim_node_arrive(node, e->t_ps, e->port, frame, script_frame(e, frame));
		else
			control(node, e, tables, variant);
	}
	end = script->events[script->n - 1].t_ps + PLAY_TAIL_PS;
	sim_node_run(node, end);
	result->stats.ports = result->ports;
	sim_node_stats(node, end, &result->stats);
	result->leaked = sim_node_free(node);
	sw_tables_free(tables[0]);
	sw_tables_free(tables[1]);
	return 0;
}
