/* SPDX-License-Identifier: BSD-3-Clause */
#include "fabric_int.h"

#include "addresses.h"
#include "headroom.h"
#include "netaddr.h"
#include "pipelines/registry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum scenario_edge edge_for_dev(const char *dev)
{
	static const char *const emulated[] = {
		"net_tap",   "eth_tap",   "net_af_packet",   "eth_af_packet", "net_vhost",
		"eth_vhost", "net_memif", "net_virtio_user", "virtio_user",
	};

	for (size_t i = 0; i < sizeof(emulated) / sizeof(emulated[0]); i++)
		if (strncmp(dev, emulated[i], strlen(emulated[i])) == 0)
			return EDGE_EMULATE;
	return EDGE_OFF;
}

/* The port if it has a device, or NULL. */
static const struct scenario_port *real_or_null(const struct scenario_port *port)
{
	return port != NULL && port->dev[0] != '\0' ? port : NULL;
}

static enum scenario_edge edge_of(const struct scenario_port *port)
{
	if (port->dev[0] == '\0')
		return EDGE_OFF;
	return port->edge == EDGE_AUTO ? edge_for_dev(port->dev) : port->edge;
}

static const struct scenario_switch *settings(const struct scenario *s, const char *name)
{
	for (uint32_t i = 0; i < s->n_switches; i++)
		if (strcmp(s->switches[i].name, name) == 0)
			return &s->switches[i];
	return &s->sw;
}

/* ECMP must choose differently on each switch: FNV-1a of the run's seed and the name. */
static uint64_t hash_seed(uint64_t seed, const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ seed;

	for (; *name != '\0'; name++)
		hash = (hash ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t port_headroom(const struct fabric_build *b, const struct scenario_switch *sw,
			      uint32_t index, const struct sw_port_config *config, char terms[256])
{
	const struct topology_port *port = &b->topology->ports[index];
	const struct scenario_port *own = real_or_null(b->port_of[index]);
	struct headroom_input in = {
		.peer = HEADROOM_SIMULATED,
		.rate_bps = config->rate_bps,
		.delay_ps = own != NULL ? own->delay_ps : port->delay_ps,
		.mtu_bytes = config->mtu_bytes,
		.overhead_bytes = config->overhead_bytes,
		.cell_bytes = sw->buffer.cell_bytes,
		.adaptive = b->scenario->real.adaptive,
	};

	if (!config->pfc)
		return 0;
	if (!sw->headroom_auto)
		return sw->headroom_bytes;
	if (own != NULL)
		in.peer = config->edge ? HEADROOM_EDGE : HEADROOM_REAL;
	else if (port->host >= 0)
		in.response_ps = b->scenario->host_list[port->host].pfc_response_ps;
	return headroom_auto(&in, terms, 256);
}

static void build_port(const struct fabric_build *b, const struct scenario_switch *sw,
		       uint32_t index)
{
	const struct topology_port *port = &b->topology->ports[index];
	const struct scenario_port *own = b->port_of[index];
	struct fabric_switch *fs = &b->out->switches[port->sw];
	struct sw_port_config *config = &fs->ports[port->index];

	memcpy(config->name, port->name, SW_NAME);
	config->rate_bps = own ? own->rate_bps : port->rate_bps;
	config->overhead_bytes = port->overhead_bytes;
	config->mtu_bytes = own ? own->mtu_bytes : MTU_DEFAULT;
	config->domain = b->domains[port->sw][port->index];
	netaddr_port_mac(port->sw + 1u, port->index + 1u, config->mac);
	config->pfc = own == NULL || own->pfc != PFC_OFF;
	config->edge = own != NULL && edge_of(own) == EDGE_EMULATE;
	config->edge_bytes = config->edge ? own->edge_bytes : 0;
	config->headroom_bytes =
		port_headroom(b, sw, index, config, fs->headroom_terms[port->index]);
}

static int build_switch(const struct fabric_build *b, uint16_t index)
{
	const struct scenario *s = b->scenario;
	const struct scenario_switch *from = settings(s, b->topology->switches[index]);
	struct fabric_switch *fs = &b->out->switches[index];
	struct sw_config *config = &fs->config;

	memcpy(config->name, b->topology->switches[index], SW_NAME);
	config->seed = s->seed;
	config->latency_ps = from->latency_ps;
	config->fdb_ageing_ps = from->fdb_ageing_ps;
	config->neigh_ageing_ps = from->neigh_ageing_ps;
	netaddr_router_mac(index + 1u, config->router_mac);
	config->hash_fields = from->hash_fields;
	config->hash_seed = hash_seed(s->seed, config->name);
	config->qos = from->qos;
	config->buffer = from->buffer;
	config->n_ports = b->topology->switch_ports[index];
	config->ports = fs->ports;
	config->digest = false; /* costs time; a run in virtual time asks for it */
	config->latency = true;
	fs->pipeline = pipeline_by_name(from->pipeline);
	if (!fs->pipeline->lossless)
		config->qos.pfc_mask = 0;
	for (uint32_t i = 0; i < b->topology->n_ports; i++)
		if (b->topology->ports[i].sw == index)
			build_port(b, from, i);
	if (sw_config_check(config, b->err) < 0) {
		err_at(b->err, s->file, from->line ? from->line : s->topology_line,
		       from->line ? from->col : s->topology_col);
		return -EINVAL;
	}
	return routes_build(b, index, &fs->tables);
}

static void build_hosts(const struct fabric_build *b)
{
	const struct topology *t = b->topology;

	for (uint32_t i = 0; i < t->n_hosts; i++) {
		struct fabric_host *host = &b->out->hosts[i];
		struct host_addresses a;

		host_addresses(b->scenario, t, i, &a);
		memcpy(host->name, t->hosts[i], SW_NAME);
		memcpy(host->mac, a.mac, 6);
		memcpy(host->ip4, a.ip4, 16);
		memcpy(host->ip6, a.ip6, 16);
		host->sw = t->ports[t->host_port[i]].sw;
		host->port = t->ports[t->host_port[i]].index;
	}
}

/* Cables between switches, and real ports, both in the topology's order. */
static void build_ends(const struct fabric_build *b)
{
	for (uint32_t i = 0; i < b->topology->n_ports; i++) {
		const struct topology_port *port = &b->topology->ports[i], *peer;

		if (port->peer > (int32_t)i) {
			peer = &b->topology->ports[port->peer];
			b->out->links[b->out->n_links++] = (struct fabric_link){
				{port->sw, peer->sw}, {port->index, peer->index}, port->delay_ps};
		}
		if (real_or_null(b->port_of[i]) != NULL) {
			struct fabric_real_port *real = &b->out->real[b->out->n_real++];

			real->sw = port->sw;
			real->port = port->index;
			memcpy(real->name, port->name, SW_NAME);
			memcpy(real->dev, b->port_of[i]->dev, sizeof(real->dev));
			real->edge = edge_of(b->port_of[i]);
			real->delay_ps = b->port_of[i]->delay_ps;
		}
	}
}

static bool alloc_all(struct fabric_build *b)
{
	const struct topology *t = b->topology;
	struct fabric *f = b->out;
	bool ok;

	f->switches = calloc(t->n_switches, sizeof(*f->switches));
	f->hosts = calloc(t->n_hosts + 1, sizeof(*f->hosts));
	f->links = calloc(t->n_ports + 1, sizeof(*f->links));
	f->real = calloc(b->scenario->n_ports + 1, sizeof(*f->real));
	b->port_of = calloc(t->n_ports + 1, sizeof(struct scenario_port *));
	b->domains = calloc(t->n_switches, sizeof(*b->domains));
	b->has_default = calloc(t->n_switches, sizeof(*b->has_default));
	ok = f->switches && f->hosts && f->links && f->real && b->port_of && b->domains &&
	     b->has_default;
	for (uint32_t i = 0; ok && i < t->n_switches; i++) {
		uint32_t n = t->switch_ports[i] + 1u;

		f->n_switches++;
		f->switches[i].ports = calloc(n, sizeof(*f->switches[i].ports));
		f->switches[i].headroom_terms = calloc(n, sizeof(*f->switches[i].headroom_terms));
		b->domains[i] = calloc(n, sizeof(**b->domains));
		ok = f->switches[i].ports && f->switches[i].headroom_terms && b->domains[i];
	}
	f->n_hosts = (uint16_t)t->n_hosts;
	return ok;
}

static int build_all(struct fabric_build *b)
{
	const struct scenario *s = b->scenario;
	int rc = 0;

	if (!alloc_all(b))
		return err_set(b->err, ERR_ENVIRONMENT, ENOMEM, "", "", "not enough memory");
	for (uint32_t i = 0; i < s->n_ports; i++)
		b->port_of[topology_port(b->topology, s->ports[i].name)] = &s->ports[i];
	for (uint16_t i = 0; rc == 0 && i < b->topology->n_switches; i++)
		rc = domains_build(s, b->topology, i, b->domains[i], &b->has_default[i], b->err);
	for (uint16_t i = 0; rc == 0 && i < b->topology->n_switches; i++)
		rc = build_switch(b, i);
	if (rc == 0) {
		build_hosts(b);
		build_ends(b);
	}
	return rc;
}

int fabric_build(struct fabric *out, const struct scenario *scenario, struct err *err)
{
	struct fabric_build b = {.out = out, .scenario = scenario, .err = err};
	struct topology topology;
	int rc;

	*out = (struct fabric){0};
	rc = topology_build(&topology, scenario, err);
	if (rc < 0)
		return rc;
	b.topology = &topology;
	rc = build_all(&b);
	for (uint32_t i = 0; b.domains != NULL && i < topology.n_switches; i++)
		free(b.domains[i]);
	free(b.domains);
	free(b.has_default);
	free(b.port_of);
	topology_free(&topology);
	if (rc < 0)
		fabric_free(out);
	return rc;
}

void fabric_free(struct fabric *f)
{
	for (uint16_t i = 0; i < f->n_switches; i++) {
		sw_tables_free(f->switches[i].tables);
		free(f->switches[i].ports);
		free(f->switches[i].headroom_terms);
	}
	free(f->switches);
	free(f->hosts);
	free(f->links);
	free(f->real);
	*f = (struct fabric){0};
}

int fabric_switch_index(const struct fabric *f, const char *name)
{
	for (uint16_t i = 0; i < f->n_switches; i++)
		if (strcmp(f->switches[i].config.name, name) == 0)
			return i;
	return -1;
}

/* "s1:3", the third port of s1 as on a front panel. */
static int by_alias(const struct fabric *f, const char *name, uint16_t *sw, uint16_t *port)
{
	const char *colon = strchr(name, ':');
	unsigned long number;
	char *end;

	if (colon == NULL || colon[1] < '1' || colon[1] > '9')
		return -1;
	number = strtoul(colon + 1, &end, 10);
	for (uint16_t i = 0; *end == '\0' && i < f->n_switches; i++) {
		const char *own = f->switches[i].config.name;

		if (strlen(own) == (size_t)(colon - name) && strncmp(own, name, strlen(own)) == 0 &&
		    number <= f->switches[i].config.n_ports) {
			*sw = i;
			*port = (uint16_t)(number - 1);
			return 0;
		}
	}
	return -1;
}

int fabric_port_index(const struct fabric *f, const char *name, uint16_t *sw, uint16_t *port)
{
	for (uint16_t i = 0; i < f->n_switches; i++)
		for (uint16_t p = 0; p < f->switches[i].config.n_ports; p++)
			if (strcmp(f->switches[i].ports[p].name, name) == 0) {
				*sw = i;
				*port = p;
				return 0;
			}
	return by_alias(f, name, sw, port);
}

int fabric_port_find(const struct fabric *f, const char *name, uint16_t *sw, uint16_t *port)
{
	const char *dash = strchr(name, '-');
	char turned[2 * SW_NAME];

	if (fabric_port_index(f, name, sw, port) >= 0)
		return 0;
	if (dash == NULL)
		return -1;
	snprintf(turned, sizeof(turned), "%.*s-%.*s", SW_NAME, dash + 1, (int)(dash - name), name);
	return fabric_port_index(f, turned, sw, port);
}
