/* SPDX-License-Identifier: BSD-3-Clause */
/* running_change: a second scenario is made of the same file with the new assignments, compared with
 * what runs, checked whole, and only then handed to the switches. */
#include "running.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct change {
	struct source source;
	struct scenario scenario;
	struct fabric fabric;
};

static int restart(struct err *err, const char *path, const char *what)
{
	return err_set(err, ERR_USAGE, EBUSY, path, "a change while it runs",
		       "a restart: %s cannot change under traffic (railyard down, then up)", what);
}

static int same_real(const struct scenario *a, const struct scenario *b, struct err *err)
{
	if (a->real.workers != b->real.workers)
		return restart(err, "real.workers", "the number of workers");
	if (a->real.dilate != b->real.dilate)
		return restart(err, "real.dilate", "the clock");
	if (a->real.adaptive != b->real.adaptive)
		return restart(err, "real.poll", "how ports are polled");
	if (a->real.late_ps != b->real.late_ps)
		return restart(err, "real.late", "the bound of lateness");
	if (a->real.memory_bytes != b->real.memory_bytes)
		return restart(err, "real.memory", "memory for packets");
	if (a->real.n_eal != b->real.n_eal)
		return restart(err, "real.eal", "DPDK's own options");
	for (uint32_t i = 0; i < a->real.n_eal; i++)
		if (strcmp(a->real.eal[i], b->real.eal[i]) != 0)
			return restart(err, "real.eal", "DPDK's own options");
	return 0;
}

static int same_devices(const struct fabric *a, const struct fabric *b, struct err *err)
{
	char path[sizeof(a->real->name) + 32];

	if (a->n_real != b->n_real)
		return restart(err, "ports", "which ports there are");
	for (uint16_t i = 0; i < a->n_real; i++) {
		const struct fabric_real_port *x = &a->real[i], *y = &b->real[i];

		if (x->sw != y->sw || x->port != y->port || strcmp(x->name, y->name) != 0)
			return restart(err, "ports", "which ports there are");
		snprintf(path, sizeof(path), "ports.%s.dev", x->name);
		if (strcmp(x->dev, y->dev) != 0)
			return restart(err, path, "a port's device");
	}
	return 0;
}

static int same_links(const struct fabric *a, const struct fabric *b, struct err *err)
{
	if (a->n_links != b->n_links)
		return restart(err, "topology", "the cabling");
	for (uint16_t i = 0; i < a->n_links; i++)
		if (memcmp(a->links[i].sw, b->links[i].sw, sizeof(a->links[i].sw)) != 0 ||
		    memcmp(a->links[i].port, b->links[i].port, sizeof(a->links[i].port)) != 0 ||
		    a->links[i].delay_ps != b->links[i].delay_ps)
			return restart(err, "topology", "the cabling");
	return 0;
}

static int same_switch(const struct fabric_switch *a, const struct fabric_switch *b,
		       uint64_t room_bytes, struct err *err)
{
	char path[2 * SW_NAME + 32];

	if (strcmp(a->config.name, b->config.name) != 0 || a->config.n_ports != b->config.n_ports)
		return restart(err, "topology", "which switches and ports there are");
	snprintf(path, sizeof(path), "switches.%s.pipeline", a->config.name);
	if (a->pipeline != b->pipeline)
		return restart(err, path, "the pipeline");
	snprintf(path, sizeof(path), "switches.%s.buffer.size", a->config.name);
	if (b->config.buffer.size_bytes > room_bytes)
		return restart(
			err, path,
			"memory for packets, which a larger buffer than at the start needs,");
	for (uint16_t p = 0; p < a->config.n_ports; p++) {
		if (strcmp(a->ports[p].name, b->ports[p].name) != 0)
			return restart(err, "topology", "the name of a port");
		snprintf(path, sizeof(path), "ports.%s.mtu", a->ports[p].name);
		if (a->ports[p].mtu_bytes != b->ports[p].mtu_bytes)
			return restart(err, path, "the device's MTU");
	}
	return 0;
}

/* What cannot change while it runs has not changed. */
static int same_frame(const struct running *run, const struct change *new, struct err *err)
{
	const struct fabric *a = &run->fabric, *b = &new->fabric;
	int rc;

	if (strcmp(run->scenario.name, new->scenario.name) != 0)
		return restart(err, "name", "the name");
	if (run->scenario.seed != new->scenario.seed)
		return restart(err, "seed", "the seed");
	if (a->n_switches != b->n_switches || a->n_hosts != b->n_hosts)
		return restart(err, "topology", "which switches and hosts there are");
	rc = same_real(&run->scenario, &new->scenario, err);
	for (uint16_t i = 0; rc == 0 && i < a->n_switches; i++)
		rc = same_switch(&a->switches[i], &b->switches[i], run->size_bytes[i], err);
	if (rc == 0)
		rc = same_links(a, b, err);
	if (rc == 0)
		rc = same_devices(a, b, err);
	return rc;
}

static int check_all(const struct fabric *fabric, struct err *err)
{
	int rc = 0;

	for (uint16_t i = 0; rc == 0 && i < fabric->n_switches; i++)
		rc = sw_config_check(&fabric->switches[i].config, err);
	return rc;
}

/* No rows are no pointer either. */
static bool same_rows(const void *a, uint32_t n_a, const void *b, uint32_t n_b, size_t size)
{
	return n_a == n_b && (n_a == 0 || memcmp(a, b, n_a * size) == 0);
}

static bool same_tables(const struct sw_tables *a, const struct sw_tables *b)
{
	const struct sw_tables_spec *x, *y;

	if (a == NULL || b == NULL)
		return a == b;
	x = sw_tables_spec(a);
	y = sw_tables_spec(b);
	/* Bytes between fields may differ where values do not: then the tables are only swapped
	 * for their equals. */
	return same_rows(x->routes, x->n_routes, y->routes, y->n_routes, sizeof(*x->routes)) &&
	       same_rows(x->gateways, x->n_gateways, y->gateways, y->n_gateways,
			 sizeof(*x->gateways)) &&
	       same_rows(x->fdb, x->n_fdb, y->fdb, y->n_fdb, sizeof(*x->fdb)) &&
	       same_rows(x->neighs, x->n_neighs, y->neighs, y->n_neighs, sizeof(*x->neighs));
}

static void swap_tables(struct running *run, struct change *new)
{
	const struct sw_tables *old;

	for (uint16_t i = 0; i < new->fabric.n_switches; i++) {
		if (same_tables(run->tables[i], new->fabric.switches[i].tables))
			continue;
		old = NULL;
		if (rt_install(run->rt, i, 0, new->fabric.switches[i].tables, &old) != 0)
			continue;
		run->tables[i] = new->fabric.switches[i].tables;
		new->fabric.switches[i].tables = NULL;
		sw_tables_free((struct sw_tables *)old);
	}
}

/* Every switch was asked before the first is changed, so that none should refuse; should one all the
 * same, those before it get back what they had. */
static int hand_down(struct running *run, struct change *new, struct err *err)
{
	int rc = 0;
	uint16_t i;

	for (i = 0; rc == 0 && i < new->fabric.n_switches; i++)
		rc = rt_set(run->rt, i, 0, &new->fabric.switches[i].config, err);
	for (; rc != 0 && i-- > 0;)
		rt_set(run->rt, i, 0, &run->fabric.switches[i].config, NULL);
	if (rc == 0)
		swap_tables(run, new);
	return rc;
}

static void adopt(struct running *run, struct change *new)
{
	struct change old = {run->source, run->scenario, run->fabric};

	run->source = new->source;
	run->scenario = new->scenario;
	run->fabric = new->fabric;
	*new = old;
	for (uint16_t i = 0; i < run->fabric.n_switches; i++) {
		sw_tables_free(run->fabric.switches[i].tables);
		run->fabric.switches[i].tables = NULL;
	}
}

static int add_sets(struct change *new, const char *const *sets, uint32_t n, struct err *err)
{
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < n; i++) {
		if (strchr(sets[i], '=') == NULL || sets[i][0] == '=')
			rc = err_set(err, ERR_USAGE, EINVAL, "set", sets[i], "PATH=VALUE");
		else
			rc = source_set(&new->source, sets[i], err);
	}
	return rc;
}

int running_change(struct running *run, const char *const *sets, uint32_t n, struct err *err)
{
	struct change new = {0};
	int rc = source_copy(&new.source, &run->source, err);

	if (rc != 0)
		return rc;
	rc = add_sets(&new, sets, n, err);
	if (rc == 0)
		rc = source_load(&new.scenario, &new.source, err);
	if (rc != 0) {
		source_close(&new.source);
		return rc;
	}
	rc = fabric_build(&new.fabric, &new.scenario, err);
	if (rc == 0) {
		rc = same_frame(run, &new, err);
		if (rc == 0)
			rc = check_all(&new.fabric, err);
		if (rc == 0)
			rc = hand_down(run, &new, err);
		if (rc == 0)
			adopt(run, &new);
		fabric_free(&new.fabric);
	}
	scenario_free(&new.scenario);
	source_close(&new.source);
	return rc;
}
