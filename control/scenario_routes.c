/* SPDX-License-Identifier: BSD-3-Clause */
/* `subnets:` and `routes:`. */
#include "scenario_int.h"

#include "netaddr.h"
#include "dataplane/model/tables.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int read_prefix(const struct yaml_node *node, struct err *err, uint8_t prefix[16],
		       uint8_t *len)
{
	char text[NETADDR_TEXT];

	if (node->kind != YAML_SCALAR || !netaddr_parse_prefix(node->text, prefix, len))
		return yaml_error(node, err, NULL, "a prefix such as 10.1.0.0/24 or fd00:1::/64");
	if (netaddr_mask(prefix, *len))
		return yaml_error(node, err, NULL, "no bits past the length: %s",
				  netaddr_print_prefix(prefix, *len, text));
	return 0;
}

static const struct yaml_node *needed(const struct yaml_node *map, const char *key,
				      const char *example, struct err *err)
{
	const struct yaml_node *node = yaml_get(map, key);
	char found[48];

	snprintf(found, sizeof(found), "no key '%s'", key);
	if (node == NULL)
		yaml_error(map, err, found, "it, for example %s", example);
	return node;
}

/* Ports by name; on >= 0: all of that switch. */
static int read_ports(struct reader *r, const struct yaml_node *list, int32_t on,
		      char (**names)[SW_NAME], uint32_t *n)
{
	char all[256];
	int32_t port;

	if (fields_list(list, "ports, such as [s1-h1]", r->err) < 0)
		return -EINVAL;
	if (list->n == 0)
		return yaml_error(list, r->err, "an empty list", "at least one port");
	if (scenario_array(names, list->n, SW_NAME, r->err) < 0)
		return -EINVAL;
	for (uint32_t i = 0; i < list->n; i++) {
		const struct yaml_node *item = list->items[i];

		if (fields_scalar(item, "a port such as s1-h1", r->err) < 0)
			return -EINVAL;
		port = topology_port(&r->topology, item->text);
		if (port < 0)
			return yaml_error(item, r->err, NULL, "a port that a link makes: %s",
					  topology_ports_text(&r->topology, all, sizeof(all)));
		if (on >= 0 && r->topology.ports[port].sw != on)
			return yaml_error(item, r->err, NULL, "a port of %s, where the route is",
					  r->topology.switches[on]);
		for (uint32_t k = 0; k < *n; k++)
			if (strcmp((*names)[k], item->text) == 0)
				return yaml_error(item, r->err, NULL, "each port once");
		snprintf((*names)[(*n)++], SW_NAME, "%s", item->text);
	}
	return 0;
}

static int read_gateway(struct reader *r, const struct yaml_node *node, struct scenario_subnet *sub)
{
	char text[NETADDR_TEXT];

	netaddr_gateway(sub->prefix, sub->len, sub->gateway);
	sub->has_gateway = node == NULL || yaml_switch(node) != 0;
	if (!sub->has_gateway)
		memset(sub->gateway, 0, sizeof(sub->gateway));
	if (node == NULL || !sub->has_gateway)
		return 0;
	if (node->kind != YAML_SCALAR || !netaddr_parse_ip(node->text, sub->gateway))
		return yaml_error(node, r->err, NULL, "an address of the switch in %s, or off",
				  netaddr_print_prefix(sub->prefix, sub->len, text));
	if (!netaddr_in(sub->prefix, sub->len, sub->gateway) ||
	    netaddr_reserved(sub->prefix, sub->len, sub->gateway))
		return yaml_error(node, r->err, NULL, "a host address inside %s",
				  netaddr_print_prefix(sub->prefix, sub->len, text));
	return 0;
}

/* The new subnet against those before it. */
static int check_subnet(struct reader *r, const struct yaml_node *item,
			const struct scenario_subnet *sub)
{
	const struct yaml_node *ports = yaml_get(item, "ports");
	char text[NETADDR_TEXT];

	for (uint32_t i = 0; i < r->out->n_subnets; i++) {
		const struct scenario_subnet *other = &r->out->subnets[i];

		netaddr_print_prefix(other->prefix, other->len, text);
		if (netaddr_overlap(sub->prefix, sub->len, other->prefix, other->len))
			return yaml_error(yaml_get(item, "prefix"), r->err, NULL,
					  "a prefix that does not overlap %s", text);
		if (netaddr_is_v4(sub->prefix) != netaddr_is_v4(other->prefix))
			continue;
		for (uint32_t a = 0; a < sub->n_ports; a++)
			for (uint32_t b = 0; b < other->n_ports; b++)
				if (strcmp(sub->ports[a], other->ports[b]) == 0)
					return yaml_error(ports->items[a], r->err, NULL,
							  "a port in one subnet of a family: "
							  "it is in %s",
							  text);
	}
	return 0;
}

static int read_subnet(struct reader *r, const struct yaml_node *item)
{
	static const struct field fields[] = {
		{.key = "prefix"}, {.key = "ports"}, {.key = "gateway"}, {.key = NULL}};
	struct scenario_subnet *sub = &r->out->subnets[r->out->n_subnets];
	const struct yaml_node *prefix, *ports;

	if (fields_check(item, fields, "subnet", r->err) < 0)
		return -EINVAL;
	prefix = needed(item, "prefix", "prefix: 10.1.0.0/24", r->err);
	ports = needed(item, "ports", "ports: [s1-h1]", r->err);
	if (prefix == NULL || ports == NULL ||
	    read_prefix(prefix, r->err, sub->prefix, &sub->len) < 0)
		return -EINVAL;
	if (sub->len > 126 || sub->len < (netaddr_is_v4(sub->prefix) ? 104 : 8))
		return yaml_error(prefix, r->err, NULL, "a length of 8 to %d",
				  netaddr_is_v4(sub->prefix) ? 30 : 126);
	sub->line = item->line;
	sub->col = item->col;
	if (read_ports(r, ports, -1, &sub->ports, &sub->n_ports) < 0 ||
	    read_gateway(r, yaml_get(item, "gateway"), sub) < 0)
		return -EINVAL;
	if (check_subnet(r, item, sub) < 0)
		return -EINVAL;
	r->out->n_subnets++;
	return 0;
}

/* Counts one more even when it fails, so that scenario_free finds its ports. */
int scenario_read_subnets(struct reader *r)
{
	const struct yaml_node *list = yaml_get(r->root, "subnets");

	if (list == NULL)
		return 0;
	if (fields_list(list, "subnets, such as {prefix: 10.1.0.0/24, ports: [s1-h1]}", r->err) <
		    0 ||
	    scenario_array(&r->out->subnets, list->n, sizeof(*r->out->subnets), r->err) < 0)
		return -EINVAL;
	for (uint32_t i = 0; i < list->n; i++)
		if (read_subnet(r, list->items[i]) < 0) {
			r->out->n_subnets = i + 1;
			return -EINVAL;
		}
	return 0;
}

static int check_route(struct reader *r, const struct yaml_node *prefix,
		       const struct scenario_route *route)
{
	char text[NETADDR_TEXT];

	for (uint32_t i = 0; i < r->out->n_routes; i++) {
		const struct scenario_route *other = &r->out->routes[i];

		if (strcmp(route->on, other->on) == 0 && route->len == other->len &&
		    memcmp(route->prefix, other->prefix, 16) == 0)
			return yaml_error(prefix, r->err, NULL, "each prefix once a switch");
	}
	for (uint32_t i = 0; i < r->out->n_subnets; i++) {
		const struct scenario_subnet *sub = &r->out->subnets[i];

		if (route->len == sub->len && memcmp(route->prefix, sub->prefix, 16) == 0)
			return yaml_error(prefix, r->err, NULL,
					  "a prefix that is no subnet: %s is one",
					  netaddr_print_prefix(sub->prefix, sub->len, text));
	}
	return 0;
}

static int read_route(struct reader *r, const struct yaml_node *item)
{
	static const struct field fields[] = {
		{.key = "on"}, {.key = "prefix"}, {.key = "via"}, {.key = NULL}};
	struct scenario_route *route = &r->out->routes[r->out->n_routes];
	const struct yaml_node *on, *prefix, *via;
	int32_t sw;

	if (fields_check(item, fields, "route", r->err) < 0)
		return -EINVAL;
	on = needed(item, "on", "on: s1", r->err);
	prefix = needed(item, "prefix", "prefix: 10.2.0.0/16", r->err);
	via = needed(item, "via", "via: [s1-h3]", r->err);
	if (on == NULL || prefix == NULL || via == NULL)
		return -EINVAL;
	sw = on->kind == YAML_SCALAR ? topology_switch(&r->topology, on->text) : -1;
	if (sw < 0)
		return yaml_error(on, r->err, NULL, "the name of a switch, such as %s",
				  r->topology.switches[0]);
	memcpy(route->on, r->topology.switches[sw], SW_NAME);
	route->line = item->line;
	route->col = item->col;
	if (read_prefix(prefix, r->err, route->prefix, &route->len) < 0 ||
	    read_ports(r, via, sw, &route->via, &route->n_via) < 0)
		return -EINVAL;
	if (route->n_via > SW_MAX_VIA)
		return yaml_error(via, r->err, NULL, "at most %d ports", SW_MAX_VIA);
	if (check_route(r, prefix, route) < 0)
		return -EINVAL;
	r->out->n_routes++;
	return 0;
}

int scenario_read_routes(struct reader *r)
{
	const struct yaml_node *list = yaml_get(r->root, "routes");

	if (list == NULL)
		return 0;
	if (fields_list(list, "routes, such as {on: s1, prefix: 10.2.0.0/16, via: [s1-h3]}",
			r->err) < 0 ||
	    scenario_array(&r->out->routes, list->n, sizeof(*r->out->routes), r->err) < 0)
		return -EINVAL;
	for (uint32_t i = 0; i < list->n; i++)
		if (read_route(r, list->items[i]) < 0) {
			r->out->n_routes = i + 1;
			return -EINVAL;
		}
	return 0;
}
