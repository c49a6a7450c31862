/* SPDX-License-Identifier: BSD-3-Clause */
/* `ports:`: ports of switches that are real, or differ from their link. */
#include "scenario_int.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int read_dev(const struct yaml_node *node, const struct field *field, void *out,
		    struct err *err)
{
	if (node->kind == YAML_MAP && node->n == 1 && not_yet_key("dev", node->items[0]->key))
		return yaml_error_key(node->items[0], err, "",
				      "not in this version of railyard; give a DPDK device string");
	if (node->kind != YAML_SCALAR)
		return yaml_error(node, err, NULL, "a DPDK device string such as \"0000:3b:00.0\"");
	return field_text(node, field, out, err);
}

static int read_edge(const struct yaml_node *node, const struct field *field, void *out,
		     struct err *err)
{
	int value = 0;
	int rc = field_word(node, field, &value, err);

	*(enum scenario_edge *)out = (enum scenario_edge)value;
	return rc;
}

static int read_pfc(const struct yaml_node *node, const struct field *field, void *out,
		    struct err *err)
{
	int value = 0;
	int rc = field_word(node, field, &value, err);

	*(enum scenario_pfc *)out = (enum scenario_pfc)value;
	return rc;
}

#define PORT(member) offsetof(struct scenario_port, member)

static const char *const edges[] = {"auto", "emulate", "off", NULL};
static const char *const pfcs[] = {"auto", "on", "off", NULL};
static const struct field fields[] = {
	{"dev", read_dev, PORT(dev), 0, sizeof(((struct scenario_port *)0)->dev), NULL},
	{"rate", field_rate, PORT(rate_bps), RATE_MIN, RATE_MAX, NULL},
	{"mtu", field_mtu, PORT(mtu_bytes), MTU_MIN, MTU_MAX, NULL},
	{"delay", field_time, PORT(delay_ps), 0, TIME_MAX, NULL},
	{"edge", read_edge, PORT(edge), 0, 0, edges},
	{"edge_buffer", field_size, PORT(edge_bytes), 1, SIZE_MAX_BYTES, NULL},
	{"pfc", read_pfc, PORT(pfc), 0, 0, pfcs},
	{.key = NULL},
};

static int no_such_port(struct reader *r, const struct yaml_node *item)
{
	const char *dash = strchr(item->key, '-');
	char all[256], swapped[SW_NAME * 2];

	topology_ports_text(&r->topology, all, sizeof(all));
	if (dash != NULL) {
		snprintf(swapped, sizeof(swapped), "%.40s-%.*s", dash + 1,
			 (int)(dash - item->key > 40 ? 40 : dash - item->key), item->key);
		if (topology_port(&r->topology, swapped) >= 0)
			return yaml_error_key(item, r->err, "the host's end of the link",
					      "the switch's: %s", swapped);
	}
	return yaml_error_key(item, r->err, "no such port", "one that a link makes: %s", all);
}

/* The device itself: "net_tap0" of "net_tap0,iface=x"; a PCI address without the domain that may be
 * left out. */
static size_t device_of(const char **dev)
{
	if (strncmp(*dev, "0000:", 5) == 0)
		*dev += 5;
	return strcspn(*dev, ",");
}

/* The netdev behind it, which another driver's name does not make another one. */
static size_t netdev_of(const char **dev)
{
	const char *iface = strstr(*dev, ",iface=");

	*dev = iface != NULL ? iface + 7 : "";
	return strcspn(*dev, ",");
}

static bool same(size_t (*part)(const char **dev), const char *a, const char *b)
{
	size_t len = part(&a);

	return len > 0 && part(&b) == len && memcmp(a, b, len) == 0;
}

static int check_dev(struct reader *r, const struct yaml_node *item,
		     const struct scenario_port *port)
{
	for (uint32_t i = 0; i < r->out->n_ports; i++) {
		const struct scenario_port *other = &r->out->ports[i];

		if (same(device_of, other->dev, port->dev) ||
		    same(netdev_of, other->dev, port->dev))
			return yaml_error(yaml_get(item, "dev"), r->err, NULL,
					  "a device of its own: %s has this one", other->name);
	}
	return 0;
}

/* What only a device has. On a simulated port it could not act, so it is refused. */
static int check_simulated(struct reader *r, const struct yaml_node *item)
{
	static const char *const real_keys[] = {"delay", "edge", "edge_buffer"};

	for (int i = 0; i < 3; i++) {
		const struct yaml_node *node = yaml_get(item, real_keys[i]);

		if (node != NULL)
			return yaml_error_key(node, r->err, "a key of real ports",
					      "dev beside it (a link's delay is set in topology)");
	}
	return 0;
}

static int read_one(struct reader *r, const struct yaml_node *item)
{
	struct scenario_port *port = &r->out->ports[r->out->n_ports];
	int32_t index = topology_port(&r->topology, item->key);
	const struct topology_port *link;

	if (index < 0)
		return no_such_port(r, item);
	link = &r->topology.ports[index];
	*port = (struct scenario_port){.rate_bps = link->rate_bps,
				       .mtu_bytes = MTU_DEFAULT,
				       .delay_ps = link->delay_ps,
				       .edge_bytes = EDGE_DEFAULT,
				       .line = item->key_line,
				       .col = item->key_col};
	memcpy(port->name, link->name, SW_NAME);
	if (fields_read(item, fields, "port", port, r->err) < 0)
		return -EINVAL;
	if (port->dev[0] != '\0' && link->host < 0)
		return yaml_error(yaml_get(item, "dev"), r->err, NULL,
				  "none: %s leads to another switch of this scenario", port->name);
	if (port->dev[0] == '\0' ? check_simulated(r, item) < 0 : check_dev(r, item, port) < 0)
		return -EINVAL;
	if (port->dev[0] != '\0' && port->edge_bytes < port->mtu_bytes + FRAME_OVER_MTU)
		return yaml_error(
			yaml_get(item, yaml_get(item, "edge_buffer") ? "edge_buffer" : "mtu"),
			r->err, NULL, "edge_buffer to hold one frame: at least mtu + %dB",
			FRAME_OVER_MTU);
	r->out->n_ports++;
	return 0;
}

int scenario_read_ports(struct reader *r)
{
	const struct yaml_node *ports = yaml_get(r->root, "ports");
	int rc = 0;

	if (ports == NULL)
		return 0;
	if (fields_map(ports, "ports by name, such as {s1-h1: {dev: \"0000:3b:00.0\"}}", r->err) <
		    0 ||
	    scenario_array(&r->out->ports, ports->n, sizeof(*r->out->ports), r->err) < 0)
		return -EINVAL;
	for (uint32_t i = 0; rc == 0 && i < ports->n; i++)
		rc = read_one(r, ports->items[i]);
	return rc;
}
