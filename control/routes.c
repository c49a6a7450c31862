/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of one switch: where it is a gateway, what is connected, which routes were given. */
#include "addresses.h"
#include "fabric_int.h"
#include "netaddr.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct draft {
	const struct fabric_build *build;
	uint16_t sw;
	struct sw_route *routes;
	struct sw_gateway *gateways;
	struct sw_tables_spec spec;
};

/* A port of the subnet on this switch, -1 when it has none. */
static int32_t member(const struct draft *d, const struct scenario_subnet *sub)
{
	const struct topology *t = d->build->topology;

	for (uint32_t i = 0; i < sub->n_ports; i++) {
		int32_t port = topology_port(t, sub->ports[i]);

		if (port >= 0 && t->ports[port].sw == d->sw)
			return port;
	}
	return -1;
}

static void add_connected(struct draft *d, const uint8_t prefix[16], uint8_t len,
			  const uint8_t gateway[16], uint16_t domain)
{
	struct sw_route *route = &d->routes[d->spec.n_routes++];
	struct sw_gateway *gw = &d->gateways[d->spec.n_gateways++];

	memcpy(route->prefix, prefix, 16);
	route->len = len;
	route->kind = SW_ROUTE_CONNECTED;
	route->domain = domain;
	memcpy(gw->ip, gateway, 16);
	gw->domain = domain;
}

/* 10.0.0.0/16 and fd00::/64 for the ports in no subnet, unless a subnet here took that range. */
static void add_default(struct draft *d, bool v4)
{
	const struct scenario *s = d->build->scenario;
	uint8_t prefix[16], gateway[16], len;

	netaddr_default_prefix(v4, prefix, &len);
	for (uint32_t i = 0; i < s->n_subnets; i++)
		if (netaddr_overlap(prefix, len, s->subnets[i].prefix, s->subnets[i].len) &&
		    member(d, &s->subnets[i]) >= 0)
			return;
	netaddr_gateway(prefix, len, gateway);
	add_connected(d, prefix, len, gateway, 0);
}

static void add_subnet(struct draft *d, const struct scenario_subnet *sub)
{
	int32_t port = member(d, sub);

	if (port < 0 || !sub->has_gateway)
		return;
	add_connected(d, sub->prefix, sub->len, sub->gateway,
		      d->build->domains[d->sw][d->build->topology->ports[port].index]);
}

/* Who is at the other end: another switch's router, a host whose MAC is known, or an address to
 * ask for, because a real host's MAC is its own unless the scenario says it. */
static struct sw_via next_hop(const struct draft *d, int32_t index, bool v4)
{
	const struct fabric_build *b = d->build;
	const struct topology_port *port = &b->topology->ports[index];
	struct sw_via via = {.port = port->index};
	struct host_addresses a;

	if (port->host < 0) {
		via.has_mac = true;
		netaddr_router_mac(b->topology->ports[port->peer].sw + 1u, via.mac);
		return via;
	}
	host_addresses(b->scenario, b->topology, (uint32_t)port->host, &a);
	via.has_mac = b->scenario->host_list[port->host].has_mac || b->port_of[index] == NULL ||
		      b->port_of[index]->dev[0] == '\0';
	memcpy(via.mac, a.mac, 6);
	memcpy(via.ip, v4 ? a.ip4 : a.ip6, 16);
	return via;
}

static void add_static(struct draft *d, const struct scenario_route *from)
{
	struct sw_route *route = &d->routes[d->spec.n_routes++];

	memcpy(route->prefix, from->prefix, 16);
	route->len = from->len;
	route->kind = SW_ROUTE_VIA;
	for (uint32_t i = 0; i < from->n_via; i++)
		route->via[route->n_via++] =
			next_hop(d, topology_port(d->build->topology, from->via[i]),
				 netaddr_is_v4(from->prefix));
}

int routes_build(const struct fabric_build *b, uint16_t sw, struct sw_tables **out)
{
	const struct scenario *s = b->scenario;
	struct draft d = {.build = b, .sw = sw, .spec = {.version = 1}};
	const struct scenario_route *route = NULL;

	d.routes = calloc(s->n_subnets + s->n_routes + 2u, sizeof(*d.routes));
	d.gateways = calloc(s->n_subnets + 2u, sizeof(*d.gateways));
	if (d.routes == NULL || d.gateways == NULL) {
		free(d.routes);
		free(d.gateways);
		return err_set(b->err, ERR_ENVIRONMENT, ENOMEM, "", "", "not enough memory");
	}
	if (b->has_default[sw]) {
		add_default(&d, true);
		add_default(&d, false);
	}
	for (uint32_t i = 0; i < s->n_subnets; i++)
		add_subnet(&d, &s->subnets[i]);
	for (uint32_t i = 0; i < s->n_routes; i++)
		if (strcmp(s->routes[i].on, b->topology->switches[sw]) == 0) {
			route = &s->routes[i];
			add_static(&d, route);
		}
	d.spec.routes = d.routes;
	d.spec.gateways = d.gateways;
	*out = sw_tables_new(&d.spec, b->topology->switch_ports[sw], b->err);
	if (*out == NULL)
		err_at(b->err, s->file, route ? route->line : s->topology_line,
		       route ? route->col : s->topology_col);
	free(d.routes);
	free(d.gateways);
	return *out == NULL ? -EINVAL : 0;
}
