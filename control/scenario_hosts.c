/* SPDX-License-Identifier: BSD-3-Clause */
/* `host:` and `hosts:`. Every host of the topology gets its entry, in the topology's order. */
#include "scenario_int.h"

#include "netaddr.h"
#include "names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int read_mac(const struct yaml_node *node, const struct field *field, void *out,
		    struct err *err)
{
	static const uint8_t none[6];
	struct scenario_host *host = out;

	(void)field;
	if (node->kind != YAML_SCALAR || !netaddr_parse_mac(node->text, host->mac))
		return yaml_error(node, err, NULL, "a MAC address such as 02:00:00:00:00:01");
	if (host->mac[0] & 1 || memcmp(host->mac, none, 6) == 0)
		return yaml_error(node, err, NULL, "the MAC address of one host, not a group's");
	host->has_mac = true;
	return 0;
}

static int read_ip(const struct yaml_node *node, struct err *err, bool v4, uint8_t ip[16])
{
	static const uint8_t none[16];
	const char *example =
		v4 ? "an IPv4 address such as 10.0.0.1" : "an IPv6 address such as fd00::1";

	if (node->kind != YAML_SCALAR || !netaddr_parse_ip(node->text, ip) ||
	    netaddr_is_v4(ip) != v4)
		return yaml_error(node, err, NULL,
				  strchr(node->text ? node->text : "", '/')
					  ? "%s, without a prefix length: that is the subnet's"
					  : "%s",
				  example);
	if ((v4 && (ip[12] >= 224 || ip[12] == 0 || ip[12] == 127)) ||
	    (!v4 && (ip[0] == 0xff || memcmp(ip, none, 15) == 0)))
		return yaml_error(node, err, NULL, "the address of one host");
	return 0;
}

static int read_ip4(const struct yaml_node *node, const struct field *field, void *out,
		    struct err *err)
{
	struct scenario_host *host = out;

	(void)field;
	host->has_ip4 = true;
	return read_ip(node, err, true, host->ip4);
}

static int read_ip6(const struct yaml_node *node, const struct field *field, void *out,
		    struct err *err)
{
	struct scenario_host *host = out;

	(void)field;
	host->has_ip6 = true;
	return read_ip(node, err, false, host->ip6);
}

static const struct field each_fields[] = {
	{"mac", read_mac, 0, 0, 0, NULL},
	{"ip", read_ip4, 0, 0, 0, NULL},
	{"ip6", read_ip6, 0, 0, 0, NULL},
	{"pfc_response", field_time, offsetof(struct scenario_host, pfc_response_ps), 0, TIME_MAX,
	 NULL},
	{.key = NULL},
};

static const struct field all_fields[] = {
	{"pfc_response", field_time, offsetof(struct scenario_host, pfc_response_ps), 0, TIME_MAX,
	 NULL},
	{.key = NULL},
};

static int read_one(struct reader *r, const struct yaml_node *item, const char *name)
{
	int32_t index = topology_host(&r->topology, name);
	struct scenario_host *host;

	if (index < 0)
		return yaml_error_key(item, r->err, "no such host", "one of %s to %s",
				      r->topology.hosts[0],
				      r->topology.hosts[r->topology.n_hosts - 1]);
	host = &r->out->host_list[index];
	if (host->line != 0 && item->line != 0)
		return yaml_error_key(item, r->err, "a host that another key names too",
				      "each host once: %s is at line %d", name, host->line);
	host->line = item->key_line;
	host->col = item->key_col;
	return fields_read(item, each_fields, "host", host, r->err);
}

/* `h1-h4: {...}` is said of each. */
static int read_item(struct reader *r, const struct yaml_node *item)
{
	char name[SW_NAME];
	uint32_t first = 0, count;
	size_t prefix = 0;
	int rc = 0;

	count = name_range(item->key, &prefix, &first);
	if (count == 0)
		return read_one(r, item, item->key);
	for (uint32_t k = 0; rc == 0 && k < count; k++) {
		snprintf(name, sizeof(name), "%.*s%u", (int)(prefix < 32 ? prefix : 32), item->key,
			 first + k);
		rc = read_one(r, item, name);
	}
	return rc;
}

int scenario_read_hosts(struct reader *r)
{
	const struct yaml_node *all = yaml_get(r->root, "host"), *each = yaml_get(r->root, "hosts");
	struct scenario_host model = {0};
	struct scenario *s = r->out;
	int rc = 0;

	if (all != NULL && fields_read(all, all_fields, "host", &model, r->err) < 0)
		return -EINVAL;
	if (scenario_array(&s->host_list, r->topology.n_hosts, sizeof(*s->host_list), r->err) < 0)
		return -EINVAL;
	s->n_hosts = r->topology.n_hosts;
	for (uint32_t i = 0; i < s->n_hosts; i++) {
		s->host_list[i] = model;
		memcpy(s->host_list[i].name, r->topology.hosts[i], SW_NAME);
	}
	if (each == NULL)
		return 0;
	if (fields_map(each, "hosts by name, such as {h1: {ip: 10.0.0.1}}", r->err) < 0)
		return -EINVAL;
	for (uint32_t i = 0; rc == 0 && i < each->n; i++)
		rc = read_item(r, each->items[i]);
	return rc;
}
