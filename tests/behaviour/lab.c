/* SPDX-License-Identifier: BSD-3-Clause */
#include "lab.h"

#include "pipelines/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the switch ---- */

static int load(struct scenario *scenario, struct fabric *fabric, const struct lab *lab)
{
	struct err err = {0};
	char text[600];
	int rc = scenario_parse_set(scenario, lab->text, strlen(lab->text), "lab.yaml",
				    (const char *const *)lab->sets, lab->n_sets, &err);

	if (rc == 0) {
		rc = fabric_build(fabric, scenario, &err);
		if (rc != 0)
			scenario_free(scenario);
	}
	if (rc != 0)
		fprintf(stderr, "lab: %s\n", err_text(&err, text, sizeof(text)));
	return rc;
}

/* Who the hosts are is installed: nothing is flooded, nobody is asked for. */
static struct sw_tables *tables_of(const struct fabric *fabric)
{
	struct sw_tables_spec spec = *sw_tables_spec(fabric->switches[0].tables);
	struct sw_static_fdb *fdb = calloc(fabric->n_hosts, sizeof(*fdb));
	struct sw_static_neigh *neighs = calloc(fabric->n_hosts, sizeof(*neighs));
	struct sw_tables *tables;
	struct err err = {0};

	for (uint16_t i = 0; i < fabric->n_hosts; i++) {
		const struct fabric_host *host = &fabric->hosts[i];
		uint16_t domain = fabric->switches[0].ports[host->port].domain;

		fdb[i] = (struct sw_static_fdb){
			.domain = domain, .vid = PKT_NO_VLAN, .port = host->port};
		neighs[i] = (struct sw_static_neigh){.domain = domain, .port = host->port};
		memcpy(fdb[i].mac, host->mac, 6);
		memcpy(neighs[i].mac, host->mac, 6);
		memcpy(neighs[i].ip, host->ip4, 16);
	}
	spec.n_fdb = spec.n_neighs = fabric->n_hosts;
	spec.fdb = fdb;
	spec.neighs = neighs;
	tables = sw_tables_new(&spec, fabric->switches[0].config.n_ports, &err);
	CU_ASSERT_FATAL(tables != NULL);
	free(fdb);
	free(neighs);
	return tables;
}

static void open_host(struct lab *lab, uint16_t number)
{
	const struct sw_port_config *port = &lab->fabric.switches[0].ports[number - 1];
	struct lab_host *host = &lab->hosts[number];
	uint64_t pfc;

	CU_ASSERT_EQUAL_FATAL(lab->fabric.hosts[number - 1].port, number - 1);
	host->delay_ps = lab->scenario.link.delay_ps;
	host->response_ps = lab->scenario.host_list[number - 1].pfc_response_ps;
	host->wire = wire_of(port->rate_bps);
	host->overhead_bytes = port->overhead_bytes;
	host->flows = host->storms = LAB_NONE;
	pfc = lab_wire_ps(lab, number, SW_PFC_BYTES) + host->delay_ps + host->response_ps;
	if (lab->lookahead_ps == 0 || pfc < lab->lookahead_ps)
		lab->lookahead_ps = pfc;
}

static void sent(void *arg, const struct sw_rec *rec)
{
	lab_host_receives(arg, rec);
}

void lab_open(struct lab *lab, const char *scenario)
{
	const struct fabric_switch *sw;
	struct err err = {0};
	size_t size = strlen(scenario) + 64;

	*lab = (struct lab){0};
	lab->text = malloc(size);
	snprintf(lab->text, size, "railyard: 1\nname: lab\n%s", scenario);
	CU_ASSERT_EQUAL_FATAL(load(&lab->scenario, &lab->fabric, lab), 0);
	CU_ASSERT_EQUAL_FATAL(lab->fabric.n_switches, 1);
	sw = &lab->fabric.switches[0];
	lab->tables = tables_of(&lab->fabric);
	lab->node = sim_node_new(&sw->config, sw->pipeline, lab->tables, sent, lab, &err);
	CU_ASSERT_FATAL(lab->node != NULL);
	lab->n_hosts = lab->fabric.n_hosts;
	lab->hosts = calloc(lab->n_hosts + 1u, sizeof(*lab->hosts));
	lab->port_stats = calloc(lab->n_hosts, sizeof(*lab->port_stats));
	lab->frame = calloc(1, UINT16_MAX);
	due_init(&lab->due, lab->n_hosts);
	for (uint16_t h = 1; h <= lab->n_hosts; h++)
		open_host(lab, h);
}

void lab_close(struct lab *lab)
{
	lab_stats(lab);
	CU_ASSERT_EQUAL(sim_node_free(lab->node), 0);
	sw_tables_free(lab->tables);
	fabric_free(&lab->fabric);
	scenario_free(&lab->scenario);
	for (uint16_t h = 1; h <= lab->n_hosts; h++) {
		free(lab->hosts[h].out.items);
		free(lab->hosts[h].in.items);
	}
	for (uint32_t i = 0; i < lab->n_sets; i++)
		free(lab->sets[i]);
	due_free(&lab->due);
	free(lab->hosts);
	free(lab->flows);
	free(lab->storms);
	free(lab->recs);
	free(lab->port_stats);
	free(lab->frame);
	free(lab->text);
}

/* ---- time ---- */

static void node_to(struct lab *lab, uint64_t t_ps)
{
	sim_node_run(lab->node, t_ps);
}

/* The switch goes in steps below the time in which a PFC frame can act, so that no host has gone on
 * past it. */
void lab_to(struct lab *lab, uint64_t t_ps)
{
	for (;;) {
		uint64_t host = due_first(&lab->due), sw = sim_node_next(lab->node);
		uint64_t end = host < t_ps ? host : t_ps;

		if (sw < end)
			node_to(lab, end - sw < lab->lookahead_ps ? end : sw + lab->lookahead_ps);
		else if (host < t_ps)
			lab_host_event(lab, (uint16_t)(due_first_index(&lab->due) + 1));
		else
			break;
	}
	node_to(lab, t_ps);
	lab->now = t_ps;
}

void lab_for(struct lab *lab, uint64_t ps)
{
	lab_to(lab, lab->now + ps);
}

void lab_settle(struct lab *lab)
{
	for (;;) {
		uint64_t host = due_first(&lab->due), sw = sim_node_next(lab->node);
		uint64_t next = host < sw ? host : sw;

		if (next == SW_NEVER)
			return;
		lab_to(lab, next + 1);
	}
}

/* ---- control ---- */

int lab_try_set(struct lab *lab, const char *assignment)
{
	struct scenario scenario;
	struct fabric fabric;
	struct err err = {0};
	int rc;

	CU_ASSERT_FATAL(lab->n_sets < sizeof(lab->sets) / sizeof(lab->sets[0]));
	lab->sets[lab->n_sets++] = strdup(assignment);
	rc = load(&scenario, &fabric, lab);
	if (rc == 0) {
		rc = sim_node_set(lab->node, lab->now, &fabric.switches[0].config, &err);
		fabric_free(rc == 0 ? &lab->fabric : &fabric);
		scenario_free(rc == 0 ? &lab->scenario : &scenario);
	}
	if (rc == 0) {
		lab->fabric = fabric;
		lab->scenario = scenario;
	} else {
		free(lab->sets[--lab->n_sets]);
	}
	return rc;
}

void lab_set(struct lab *lab, const char *assignment)
{
	CU_ASSERT_EQUAL_FATAL(lab_try_set(lab, assignment), 0);
}

void lab_hold(struct lab *lab, uint16_t host, bool hold)
{
	lab_to(lab, lab->now);
	sim_node_hold(lab->node, lab->now, host - 1, hold);
}

void lab_link(struct lab *lab, uint16_t host, bool up)
{
	lab_to(lab, lab->now);
	sim_node_link(lab->node, lab->now, host - 1, up);
}

void lab_clear(struct lab *lab)
{
	lab_to(lab, lab->now);
	sim_node_clear_watermarks(lab->node, lab->now);
}

/* ---- reading ---- */

const struct sw_stats *lab_stats(struct lab *lab)
{
	struct sw_stats *s = &lab->stats;
	uint64_t named = 0;

	*s = (struct sw_stats){.ports = lab->port_stats};
	sim_node_stats(lab->node, lab->now, s);
	for (int d = 0; d < SW_DROPS; d++)
		named += s->drops[d];
	CU_ASSERT_EQUAL(s->dropped, named);
	CU_ASSERT_EQUAL(s->rx + s->generated + s->copied,
			s->tx + s->consumed + s->dropped + s->held);
	return s;
}

const struct sw_port_stats *lab_port(struct lab *lab, uint16_t host)
{
	return &lab_stats(lab)->ports[host - 1];
}

const struct sw_pg_stats *lab_pg(struct lab *lab, uint16_t host, int pg)
{
	return &lab_port(lab, host)->pgs[pg];
}

const struct sw_queue_stats *lab_queue(struct lab *lab, uint16_t host, int queue)
{
	return &lab_port(lab, host)->queues[queue];
}

uint64_t lab_prio(struct lab *lab, uint16_t host, enum sw_prio_counter counter, int prio)
{
	return lab_port(lab, host)->prio[counter][prio];
}

uint64_t lab_drops(struct lab *lab)
{
	return lab_stats(lab)->dropped;
}

uint64_t lab_pfc_tx(struct lab *lab, uint16_t host)
{
	const struct sw_port_stats *port = lab_port(lab, host);
	uint64_t sum = 0;

	for (int p = 0; p < SW_PRIOS; p++)
		sum += port->prio[SW_PRIO_PFC_TX][p];
	return sum;
}
