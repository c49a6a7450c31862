/* SPDX-License-Identifier: BSD-3-Clause */
/* `topology:`: the kind, its numbers or names, the links. */
#include "scenario_int.h"

#include "names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct field link_fields[] = {
	{"rate", field_rate, offsetof(struct scenario_link, rate_bps), RATE_MIN, RATE_MAX, NULL},
	{"delay", field_time, offsetof(struct scenario_link, delay_ps), 0, TIME_MAX, NULL},
	{"overhead", field_size32, offsetof(struct scenario_link, overhead_bytes), 0, OVERHEAD_MAX,
	 NULL},
	{.key = NULL},
};

static int missing(const struct yaml_node *map, const char *key, const char *example,
		   struct err *err)
{
	char found[64];

	snprintf(found, sizeof(found), "no key '%s'", key);
	return yaml_error(map, err, found, "it, for example %s", example);
}

static int read_kind(const struct yaml_node *topology, enum scenario_topology *out, struct err *err)
{
	static const char *const kinds[] = {"star", "dumbbell", "custom", NULL};
	const struct field field = {.words = kinds};
	const struct yaml_node *kind = yaml_get(topology, "kind");
	int value = 0;

	if (kind == NULL)
		return missing(topology, "kind", "kind: star", err);
	if (kind->kind == YAML_SCALAR && not_yet_value("topology", kind->text) != NULL)
		return yaml_error(kind, err, NULL,
				  "star, dumbbell or custom: the others are not in this version of "
				  "railyard");
	if (field_word(kind, &field, &value, err) < 0)
		return -EINVAL;
	*out = (enum scenario_topology)value;
	return 0;
}

static int read_number(const struct yaml_node *topology, const char *key, const char *example,
		       uint32_t *out, struct err *err)
{
	const struct field field = {.min = 1, .max = TOPOLOGY_HOSTS_MAX};
	const struct yaml_node *node = yaml_get(topology, key);

	if (node == NULL)
		return missing(topology, key, example, err);
	return field_count32(node, &field, out, err);
}

static int read_star(struct reader *r, const struct yaml_node *topology)
{
	static const struct field fields[] = {
		{.key = "kind"}, {.key = "hosts"}, {.key = "link"}, {.key = NULL}};

	if (fields_check(topology, fields, "topology", r->err) < 0)
		return -EINVAL;
	return read_number(topology, "hosts", "hosts: 2", &r->out->hosts, r->err);
}

static int read_dumbbell(struct reader *r, const struct yaml_node *topology)
{
	static const struct field fields[] = {{.key = "kind"},   {.key = "left"}, {.key = "right"},
					      {.key = "middle"}, {.key = "link"}, {.key = NULL}};
	const struct yaml_node *middle = yaml_get(topology, "middle");

	if (fields_check(topology, fields, "topology", r->err) < 0 ||
	    read_number(topology, "left", "left: 2", &r->out->left, r->err) < 0 ||
	    read_number(topology, "right", "right: 2", &r->out->right, r->err) < 0)
		return -EINVAL;
	if (r->out->left + r->out->right > TOPOLOGY_HOSTS_MAX)
		return yaml_error(yaml_get(topology, "right"), r->err, NULL,
				  "at most %d hosts together", TOPOLOGY_HOSTS_MAX);
	if (middle == NULL)
		return 0;
	return fields_read(middle, link_fields, "link", &r->out->middle, r->err);
}

static int add_name(const struct yaml_node *node, const char *text, char (**names)[SW_NAME],
		    uint32_t *n, struct err *err)
{
	if (!name_valid(text, NAME_NODE))
		return yaml_error(
			node, err, NULL,
			"a name of a-z, 0-9 and _, a letter first, at most %d, or a range h1-h16",
			NAME_NODE);
	for (uint32_t i = 0; i < *n; i++)
		if (strcmp((*names)[i], text) == 0)
			return yaml_error(node, err, NULL, "each name once");
	snprintf((*names)[(*n)++], SW_NAME, "%s", text);
	return 0;
}

/* A list of names and ranges. */
static int read_names(const struct yaml_node *topology, const char *key, uint32_t most,
		      char (**names)[SW_NAME], uint32_t *n, struct err *err)
{
	const struct yaml_node *list = yaml_get(topology, key);
	char name[SW_NAME];
	uint32_t first = 0, count, total = 0;
	size_t prefix = 0;

	if (list == NULL)
		return missing(topology, key, "a list of names", err);
	if (fields_list(list, "names", err) < 0)
		return -EINVAL;
	for (uint32_t i = 0; i < list->n; i++) {
		if (fields_scalar(list->items[i], "a name", err) < 0)
			return -EINVAL;
		count = name_range(list->items[i]->text, &prefix, &first);
		total += count ? count : 1;
		if (total > most)
			return yaml_error(list->items[i], err, NULL, "at most %u %s", most, key);
	}
	if (total == 0)
		return yaml_error(list, err, "an empty list", "at least one name");
	if (scenario_array(names, total, SW_NAME, err) < 0)
		return -EINVAL;
	for (uint32_t i = 0; i < list->n; i++) {
		const char *text = list->items[i]->text;

		count = name_range(text, &prefix, &first);
		if (count == 0 && add_name(list->items[i], text, names, n, err) < 0)
			return -EINVAL;
		for (uint32_t k = 0; k < count; k++) {
			snprintf(name, sizeof(name), "%.*s%u", (int)(prefix < 32 ? prefix : 32),
				 text, first + k);
			if (add_name(list->items[i], name, names, n, err) < 0)
				return -EINVAL;
		}
	}
	return 0;
}

static int read_end(const struct yaml_node *node, const struct field *field, void *out,
		    struct err *err)
{
	(void)field;
	if (fields_scalar(node, "the name of a switch or host", err) < 0)
		return -EINVAL;
	if (!name_valid(node->text, NAME_NODE))
		return yaml_error(node, err, NULL, "the name of a switch or host");
	snprintf(out, SW_NAME, "%s", node->text);
	return 0;
}

static int read_link(struct reader *r, const struct yaml_node *node, struct scenario_link *link)
{
	static const struct field fields[] = {
		{"a", read_end, offsetof(struct scenario_link, a), 0, 0, NULL},
		{"b", read_end, offsetof(struct scenario_link, b), 0, 0, NULL},
		{"rate", field_rate, offsetof(struct scenario_link, rate_bps), RATE_MIN, RATE_MAX,
		 NULL},
		{"delay", field_time, offsetof(struct scenario_link, delay_ps), 0, TIME_MAX, NULL},
		{"count", field_count32, offsetof(struct scenario_link, count), 1, 99, NULL},
		{.key = NULL},
	};

	*link = r->out->link;
	link->count = 1;
	link->line = node->line;
	link->col = node->col;
	if (fields_read(node, fields, "link", link, r->err) < 0)
		return -EINVAL;
	if (link->a[0] == '\0' || link->b[0] == '\0')
		return missing(node, link->a[0] ? "b" : "a", "{a: s1, b: h1}", r->err);
	return 0;
}

static int read_custom(struct reader *r, const struct yaml_node *topology)
{
	static const struct field fields[] = {{.key = "kind"},  {.key = "switches"},
					      {.key = "hosts"}, {.key = "links"},
					      {.key = "link"},  {.key = NULL}};
	const struct yaml_node *links = yaml_get(topology, "links");
	struct scenario *s = r->out;

	if (fields_check(topology, fields, "topology", r->err) < 0 ||
	    read_names(topology, "switches", TOPOLOGY_SWITCHES_MAX, &s->custom_switches,
		       &s->n_custom_switches, r->err) < 0 ||
	    read_names(topology, "hosts", TOPOLOGY_HOSTS_MAX, &s->custom_hosts, &s->n_custom_hosts,
		       r->err) < 0)
		return -EINVAL;
	for (uint32_t i = 0; i < s->n_custom_hosts; i++)
		for (uint32_t k = 0; k < s->n_custom_switches; k++)
			if (strcmp(s->custom_hosts[i], s->custom_switches[k]) == 0)
				return yaml_error(yaml_get(topology, "hosts"), r->err,
						  s->custom_hosts[i], "a name that no switch has");
	if (links == NULL)
		return missing(topology, "links", "links: [{a: s1, b: h1}]", r->err);
	if (fields_list(links, "links, such as {a: s1, b: h1}", r->err) < 0 ||
	    scenario_array(&s->custom_links, links->n, sizeof(*s->custom_links), r->err) < 0)
		return -EINVAL;
	for (uint32_t i = 0; i < links->n; i++, s->n_custom_links++)
		if (read_link(r, links->items[i], &s->custom_links[i]) < 0)
			return -EINVAL;
	return 0;
}

int scenario_read_topology(struct reader *r)
{
	const struct yaml_node *topology = yaml_get(r->root, "topology"), *link;
	struct scenario *s = r->out;

	s->link = (struct scenario_link){
		.rate_bps = 100000000000, .delay_ps = 1000000, .overhead_bytes = 24, .count = 1};
	if (topology == NULL)
		return missing(r->root, "topology", "topology: {kind: star, hosts: 2}", r->err);
	s->topology_line = topology->line;
	s->topology_col = topology->col;
	if (fields_map(topology, "kind and its keys, such as {kind: star, hosts: 2}", r->err) < 0 ||
	    read_kind(topology, &s->topology, r->err) < 0)
		return -EINVAL;
	link = yaml_get(topology, "link");
	if (link != NULL && fields_read(link, link_fields, "link", &s->link, r->err) < 0)
		return -EINVAL;
	s->middle = s->link;
	if (s->topology == TOPO_STAR)
		return read_star(r, topology);
	return s->topology == TOPO_DUMBBELL ? read_dumbbell(r, topology) : read_custom(r, topology);
}
