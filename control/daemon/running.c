/* SPDX-License-Identifier: BSD-3-Clause */
#include "running.h"

#include "rt_from_fabric.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int make_room(struct running *run, struct err *err)
{
	uint16_t n = run->fabric.n_switches;
	uint16_t *n_ports = calloc(n + 1u, sizeof(*n_ports));
	int rc = -ENOMEM;

	run->tables = calloc(n + 1u, sizeof(struct sw_tables *));
	if (n_ports != NULL && run->tables != NULL) {
		for (uint16_t i = 0; i < n; i++)
			n_ports[i] = run->fabric.switches[i].config.n_ports;
		rc = telemetry_init(&run->now, n, n_ports);
		if (rc == 0)
			rc = telemetry_init(&run->base, n, n_ports);
	}
	free(n_ports);
	if (rc != 0)
		return err_set(err, ERR_ENVIRONMENT, ENOMEM, "", "", "out of memory");
	return 0;
}

int running_load(struct running *run, struct err *err)
{
	int rc = source_load(&run->scenario, &run->source, err);

	if (rc != 0)
		return rc;
	rc = fabric_build(&run->fabric, &run->scenario, err);
	if (rc != 0) {
		scenario_free(&run->scenario);
		return rc;
	}
	rc = make_room(run, err);
	if (rc != 0)
		running_free(run);
	return rc;
}

/* The line of the scenario that asks for what the machine refused. */
static void find_line(const struct running *run, struct err *err)
{
	const struct scenario *scenario = &run->scenario;

	for (uint32_t i = 0; i < scenario->n_ports; i++) {
		const struct scenario_port *port = &scenario->ports[i];

		if (strcmp(err->path, port->name) != 0)
			continue;
		snprintf(err->path, sizeof(err->path), "ports.%s", port->name);
		err_at(err, run->source.name, port->line, port->col);
		return;
	}
	if (strcmp(err->path, "real.memory") == 0)
		err_at(err, run->source.name, scenario->real.memory_line,
		       scenario->real.memory_col);
	else if (strncmp(err->path, "real", 4) == 0)
		err_at(err, run->source.name, scenario->real.line, scenario->real.col);
}

int running_start(struct running *run, struct err *err)
{
	struct rt_plan plan;
	int rc = rt_from_fabric(&plan, &run->fabric, &run->scenario, run->no_huge, err);

	if (rc != 0)
		return rc;
	plan.config.force = run->force;
	plan.config.file_prefix = run->place.prefix;
	rc = rt_start(&run->rt, &plan.config, err);
	rt_plan_free(&plan);
	if (rc != 0 && err != NULL)
		find_line(run, err);
	for (uint16_t i = 0; rc == 0 && i < run->fabric.n_switches; i++) {
		run->tables[i] = run->fabric.switches[i].tables;
		run->fabric.switches[i].tables = NULL;
	}
	return rc;
}

int running_stop(struct running *run)
{
	int lost = run->rt ? rt_stop(run->rt) : 0;

	run->rt = NULL;
	return lost;
}

void running_free(struct running *run)
{
	telemetry_free(&run->now);
	telemetry_free(&run->base);
	free(run->tables);
	run->tables = NULL;
	fabric_free(&run->fabric);
	scenario_free(&run->scenario);
}

int running_snapshot(struct running *run, bool since_clear)
{
	struct telemetry_switch *sw;
	int rc;

	for (uint16_t i = 0; i < run->now.n_switches; i++) {
		sw = &run->now.switches[i];
		sw->carried = 0;
		sw->real = true;
		rc = rt_stats(run->rt, i, &sw->stats, sw->device);
		if (rc == 0)
			rc = rt_worker_stats(run->rt, i, &sw->worker);
		if (rc != 0)
			return rc;
	}
	if (since_clear && run->cleared)
		telemetry_subtract(&run->now, &run->base);
	return 0;
}

int running_clear(struct running *run, bool counters, bool watermarks)
{
	int rc = 0;

	if (counters) {
		rc = running_snapshot(run, false);
		if (rc != 0)
			return rc;
		telemetry_copy(&run->base, &run->now);
		run->cleared = true;
	}
	for (uint16_t i = 0; rc == 0 && watermarks && i < run->now.n_switches; i++)
		rc = rt_clear_watermarks(run->rt, i);
	return rc;
}
