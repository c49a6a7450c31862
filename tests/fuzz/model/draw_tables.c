/* SPDX-License-Identifier: BSD-3-Clause */
/* Forwarding tables, and the addresses of the stations: 10.D.P.K and fd00:D::P:K for station K of port P
 * in domain D (2 stands for none). 20/8 and fd14::/32 are elsewhere, 10.101/16 and fd65::/32 on another
 * rail, 30/8 and fd1e::/32 nowhere. */
#include "life.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ROUTES 24
#define MAX_GATEWAYS 8
#define MAX_STATIC (LIFE_PORTS * STATIONS)

/* A specification and room for its entries. */
struct plan {
	struct sw_tables_spec spec;
	struct sw_route routes[MAX_ROUTES];
	struct sw_gateway gateways[MAX_GATEWAYS];
	struct sw_static_fdb fdb[MAX_STATIC];
	struct sw_static_neigh neighs[2 * MAX_STATIC];
};

void station_mac(uint8_t mac[6], uint16_t port, uint32_t station)
{
	const uint8_t bytes[6] = {2, 0, 0, 1, (uint8_t)port, (uint8_t)station};

	memcpy(mac, bytes, 6);
}

static void put_ip(uint8_t ip[16], bool v6, uint8_t net, uint8_t domain, uint8_t port, uint8_t host)
{
	const uint8_t v4_bytes[16] = {[10] = 0xff, 0xff, net, domain, port, host};
	const uint8_t v6_bytes[16] = {0xfd,   net == 10 ? 0 : net, 0,
				      domain, [13] = port,         [15] = host};

	memcpy(ip, v6 ? v6_bytes : v4_bytes, 16);
}

static uint8_t domain_byte(uint16_t domain)
{
	return domain == SW_NO_DOMAIN ? DOMAINS : (uint8_t)domain;
}

void station_ip(const struct life *life, uint8_t ip[16], uint16_t port, uint32_t station, bool v6)
{
	put_ip(ip, v6, 10, domain_byte(life->ports[port].domain), (uint8_t)port,
	       (uint8_t)(station + 1));
}

void gateway_ip(uint8_t ip[16], uint16_t domain, bool v6)
{
	put_ip(ip, v6, 10, domain_byte(domain), 255, 254);
}

/* ---- what people have ---- */

static struct sw_route *add_route(struct plan *plan, bool v6, uint8_t net, uint8_t domain, int bits)
{
	struct sw_route *route = &plan->routes[plan->spec.n_routes++];

	*route = (struct sw_route){.len = (uint8_t)(v6 ? bits + 16 : bits + 96)};
	put_ip(route->prefix, v6, net, domain, 0, 0);
	return route;
}

static void add_connected(struct plan *plan, struct source *s)
{
	for (uint16_t d = 0; d < DOMAINS; d++)
		for (int v6 = 0; v6 < 2; v6++) {
			if (one_in(s, 20))
				continue;
			add_route(plan, v6, 10, (uint8_t)d, 16)->domain = d;
		}
}

static void fill_via(struct life *life, struct sw_via *via, bool v6)
{
	struct source *s = life->source;
	uint16_t port = (uint16_t)draw(s, life->config.n_ports);
	uint32_t station = draw(s, STATIONS);

	*via = (struct sw_via){.port = port, .has_mac = one_in(s, 2)};
	station_mac(via->mac, port, station);
	if (!one_in(s, 4))
		station_ip(life, via->ip, port, station, v6);
}

/* ECMP to elsewhere; or to a port's own stations, which are asked for there. */
static void add_via(struct life *life, struct plan *plan)
{
	static const uint8_t widths[] = {1, 1, 2, 3, 4, 16, SW_MAX_VIA};
	struct source *s = life->source;

	for (int v6 = 0; v6 < 2; v6++) {
		struct sw_route *route = add_route(plan, v6, 20, 0, v6 ? 16 : 8);

		route->kind = SW_ROUTE_VIA;
		route->n_via = draw_of(s, widths);
		for (uint32_t i = 0; i < route->n_via; i++)
			fill_via(life, &route->via[i], v6);
		route = add_route(plan, v6, 10, DOMAINS, 16);
		route->kind = SW_ROUTE_VIA;
		route->n_via = 1;
		route->via[0].port = (uint16_t)draw(s, life->config.n_ports);
	}
}

static void add_rail(struct plan *plan, struct source *s)
{
	for (int v6 = 0; v6 < 2; v6++)
		if (!one_in(s, 8))
			add_route(plan, v6, v6 ? 101 : 10, v6 ? 0 : 101, 16)->kind =
				SW_ROUTE_CROSS_RAIL;
	if (one_in(s, 6)) {
		struct sw_route *all = &plan->routes[plan->spec.n_routes++];

		*all = (struct sw_route){.domain = (uint16_t)draw(s, DOMAINS)};
		if (one_in(s, 2)) { /* of IPv4 */
			all->prefix[10] = all->prefix[11] = 0xff;
			all->len = 96;
		}
	}
}

static void add_gateways(struct plan *plan, struct source *s)
{
	static const uint16_t domains[] = {0, 1, SW_NO_DOMAIN};

	for (int d = 0; d < 3; d++)
		for (int v6 = 0; v6 < 2; v6++) {
			struct sw_gateway *g = &plan->gateways[plan->spec.n_gateways];

			if (one_in(s, 8))
				continue;
			*g = (struct sw_gateway){.domain = domains[d], .proxy = one_in(s, 3)};
			gateway_ip(g->ip, domains[d], v6);
			plan->spec.n_gateways++;
		}
}

static void add_static(struct life *life, struct plan *plan, uint16_t port, uint32_t station)
{
	struct source *s = life->source;
	uint16_t domain = life->ports[port].domain;
	struct sw_static_neigh *neigh;

	if (!one_in(s, 3)) {
		struct sw_static_fdb *fdb = &plan->fdb[plan->spec.n_fdb++];

		*fdb = (struct sw_static_fdb){.domain = domain, .vid = PKT_NO_VLAN, .port = port};
		station_mac(fdb->mac, port, station);
	}
	for (int v6 = 0; v6 < 2; v6++) {
		if (life->scans ? !one_in(s, 8) : one_in(s, 2))
			continue;
		neigh = &plan->neighs[plan->spec.n_neighs++];
		*neigh = (struct sw_static_neigh){.domain = domain, .port = port};
		station_mac(neigh->mac, port, station);
		station_ip(life, neigh->ip, port, station, v6);
	}
}

static void draw_plan(struct life *life, struct plan *plan)
{
	struct source *s = life->source;

	memset(plan, 0, sizeof(*plan));
	plan->spec.version = draw64(s);
	plan->spec.routes = plan->routes;
	plan->spec.gateways = plan->gateways;
	plan->spec.fdb = plan->fdb;
	plan->spec.neighs = plan->neighs;
	if (one_in(s, 60))
		return;
	add_connected(plan, s);
	add_via(life, plan);
	add_rail(plan, s);
	add_gateways(plan, s);
	for (uint16_t i = 0; i < life->config.n_ports; i++)
		for (uint32_t k = 0; k < STATIONS; k++)
			add_static(life, plan, i, k);
}

struct sw_tables *draw_tables(struct life *life)
{
	struct plan *plan = malloc(sizeof(*plan));
	struct err err = {0};
	struct sw_tables *tables;

	must(life, plan != NULL);
	draw_plan(life, plan);
	tables = sw_tables_new(&plan->spec, life->config.n_ports, &err);
	must(life, tables != NULL && err.status == ERR_NONE);
	free(plan);
	return tables;
}

/* ---- what must be refused ---- */

static void spoil_route(struct life *life, struct plan *plan)
{
	struct source *s = life->source;
	uint32_t n = plan->spec.n_routes;
	struct sw_route *route = &plan->routes[draw(s, n)];

	switch (draw(s, 5)) {
	case 0:
		route->len = (uint8_t)draw_between(s, 129, 255);
		break;
	case 1: /* 0.0.0.0/0 too has bits beyond it */
		route->len = (uint8_t)draw(s, 128);
		route->prefix[15] = 1;
		break;
	case 2:
		plan->routes[plan->spec.n_routes++] = *route;
		break;
	case 3:
		route->kind = SW_ROUTE_VIA;
		route->n_via = one_in(s, 2) ? 0 : SW_MAX_VIA + 1;
		break;
	default:
		route->kind = SW_ROUTE_VIA;
		route->n_via = (uint8_t)draw_between(s, 1, SW_MAX_VIA);
		route->via[draw(s, route->n_via)].port =
			(uint16_t)draw_between(s, life->config.n_ports, UINT16_MAX);
	}
}

static void spoil_station(struct life *life, struct plan *plan)
{
	struct source *s = life->source;
	uint16_t beyond = (uint16_t)draw_between(s, life->config.n_ports, UINT16_MAX);
	struct sw_static_neigh *neigh = &plan->neighs[0];
	struct sw_static_fdb *fdb = &plan->fdb[0];

	plan->spec.n_fdb = plan->spec.n_neighs = 1;
	*fdb = (struct sw_static_fdb){.mac = {2}};
	*neigh = (struct sw_static_neigh){.mac = {2}, .ip = {0xfe, 0x80, [15] = 1}};
	switch (draw(s, 7)) {
	case 0:
		fdb->mac[0] = one_in(s, 2) ? 0 : 1;
		break;
	case 1:
		fdb->port = beyond;
		break;
	case 2:
		plan->fdb[plan->spec.n_fdb++] = *fdb;
		break;
	case 3:
		neigh->mac[0] = one_in(s, 2) ? 0 : 0xff;
		break;
	case 4:
		neigh->port = beyond;
		break;
	case 5:
		memset(neigh->ip, one_in(s, 2) ? 0 : 0xff, 16);
		break;
	default:
		plan->neighs[plan->spec.n_neighs++] = *neigh;
	}
}

static void spoil_gateway(struct source *s, struct plan *plan)
{
	struct sw_gateway *g = &plan->gateways[0];

	plan->spec.n_gateways = 2;
	g[0] = (struct sw_gateway){.ip = {[10] = 0xff, 0xff, 10, 0, 0, 254}};
	g[1] = g[0];
	if (one_in(s, 2))
		g[1].ip[12] = one_in(s, 2) ? 224 : 255;
}

void draw_wrong_tables(struct life *life)
{
	struct plan *plan = malloc(sizeof(*plan));
	struct source *s = life->source;
	struct err err = {0};

	must(life, plan != NULL);
	draw_plan(life, plan);
	if (plan->spec.n_routes > 0 && one_in(s, 2))
		spoil_route(life, plan);
	else if (one_in(s, 2))
		spoil_station(life, plan);
	else
		spoil_gateway(s, plan);
	must(life, sw_tables_new(&plan->spec, life->config.n_ports, &err) == NULL);
	must(life, err.status == ERR_USAGE && err.path[0] != '\0' && err.expected[0] != '\0');
	free(plan);
}
