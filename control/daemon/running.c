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
	run->size_bytes = calloc(n + 1u, sizeof(*run->size_bytes));
	if (n_ports != NULL && run->tables != NULL && run->size_bytes != NULL) {
		for (uint16_t i = 0; i < n; i++) {
			n_ports[i] = run->fabric.switches[i].config.n_ports;
			run->size_bytes[i] = run->fabric.switches[i].config.buffer.size_bytes;
		}
		rc = telemetry_init(&run->now, n, n_ports);
		if (rc == 0)
			rc = telemetry_init(&run->raw, n, n_ports);
		if (rc == 0)
			rc = telemetry_add_latency(&run->now);
		if (rc == 0)
			rc = telemetry_add_latency(&run->raw);
		if (rc == 0)
			rc = readers_init(&run->readers, n, n_ports);
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

static int find_holds(const struct running *run, struct rt_hold_config *out, struct err *err)
{
	for (int i = 0; i < run->n_holds; i++)
		if (fabric_port_find(&run->fabric, run->holds[i], &out[i].sw, &out[i].port) < 0)
			return err_set(err, ERR_USAGE, ENOENT, "--hold", run->holds[i],
				       "a port of the scenario, like s1-h1");
	return 0;
}

int running_start(struct running *run, struct err *err)
{
	struct rt_hold_config holds[RUNNING_HOLDS];
	struct rt_plan plan;
	int rc = find_holds(run, holds, err);

	if (rc == 0)
		rc = rt_from_fabric(&plan, &run->fabric, &run->scenario, run->no_huge, err);
	if (rc != 0)
		return rc;
	plan.config.force = run->force;
	plan.config.file_prefix = run->place.prefix;
	plan.config.holds = holds;
	plan.config.n_holds = (uint16_t)run->n_holds;
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
	telemetry_free(&run->raw);
	readers_free(&run->readers);
	free(run->tables);
	free(run->size_bytes);
	run->tables = NULL;
	run->size_bytes = NULL;
	fabric_free(&run->fabric);
	scenario_free(&run->scenario);
}

static int read_switch(struct running *run, uint16_t i, bool clear, unsigned int parts)
{
	struct telemetry_switch *sw = &run->now.switches[i];
	int rc;

	sw->carried = 0;
	sw->real = true;
	sw->stats.latency = parts & TELEMETRY_QUEUES ? sw->latency : NULL;
	rc = clear ? rt_stats_clear(run->rt, i, &sw->stats, sw->device)
		   : rt_stats(run->rt, i, &sw->stats, sw->device);
	/* At once: should another switch not answer, this one's watermarks are gone all the same. */
	if (rc == 0 && clear)
		readers_keep(&run->readers, i, sw);
	return rc == 0 ? rt_worker_stats(run->rt, i, &sw->worker) : rc;
}

static int read_all(struct running *run, bool clear, unsigned int parts)
{
	int rc = 0;

	for (uint16_t i = 0; rc == 0 && i < run->now.n_switches; i++)
		rc = read_switch(run, i, clear, parts);
	return rc;
}

int running_snapshot(struct running *run, const struct reader *reader, unsigned int parts)
{
	int rc = read_all(run, false, parts);

	if (rc == 0 && reader != NULL)
		reader_view(reader, &run->now);
	else if (rc == 0)
		readers_view_all(&run->readers, &run->now);
	return rc;
}

int running_clear(struct running *run, struct reader *reader, bool counters, bool watermarks)
{
	int rc = read_all(run, watermarks, TELEMETRY_QUEUES);

	if (rc != 0)
		return rc;
	telemetry_copy(&run->raw, &run->now);
	reader_view(reader, &run->now);
	reader_clear(reader, &run->raw, counters, watermarks);
	return 0;
}
