/* SPDX-License-Identifier: BSD-3-Clause */
/* The document as a whole: parse, assignments, then section by section. */
#include "scenario.h"

#include "names.h"
#include "scenario_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct field top_fields[] = {
	{.key = "railyard"}, {.key = "name"},     {.key = "seed"},   {.key = "topology"},
	{.key = "switch"},   {.key = "switches"}, {.key = "host"},   {.key = "hosts"},
	{.key = "ports"},    {.key = "subnets"},  {.key = "routes"}, {.key = "real"},
	{.key = NULL},
};

int scenario_array(void *array, size_t n, size_t item_size, struct err *err)
{
	void *p = NULL;

	if (n > 0) {
		p = calloc(n, item_size);
		if (p == NULL)
			return err_set(err, ERR_ENVIRONMENT, ENOMEM, "", "", "not enough memory");
	}
	memcpy(array, &p, sizeof(p));
	return 0;
}

static int read_version(struct reader *r)
{
	const struct yaml_node *node = yaml_get(r->root, "railyard");

	if (node == NULL)
		return yaml_error(r->root, r->err, "no key 'railyard'",
				  "a scenario, which begins with `railyard: 1`");
	if (node->kind != YAML_SCALAR || strcmp(node->text, "1") != 0)
		return yaml_error(node, r->err, NULL, "1, the version of the format");
	return 0;
}

static int read_name(struct reader *r)
{
	const struct yaml_node *node = yaml_get(r->root, "name");
	char *name = r->out->name;

	if (node == NULL) {
		name_from_file(r->out->file, name, SW_NAME);
		return 0;
	}
	if (fields_scalar(node, "a name", r->err) < 0)
		return -EINVAL;
	if (!name_valid(node->text, SW_NAME - 1))
		return yaml_error(node, r->err, NULL,
				  "a name of a-z, 0-9 and _, a letter first, at most %d",
				  SW_NAME - 1);
	snprintf(name, SW_NAME, "%s", node->text);
	return 0;
}

static int read_seed(struct reader *r)
{
	const struct field field = {.max = UINT64_MAX};
	const struct yaml_node *node = yaml_get(r->root, "seed");

	r->out->seed = 1;
	return node == NULL ? 0 : field_count(node, &field, &r->out->seed, r->err);
}

static int read_document(struct reader *r)
{
	int rc = fields_check(r->root, top_fields, "", r->err);

	if (rc < 0 || (rc = read_version(r)) < 0 || (rc = read_name(r)) < 0 ||
	    (rc = read_seed(r)) < 0 || (rc = scenario_read_topology(r)) < 0)
		return rc;
	rc = topology_build(&r->topology, r->out, r->err);
	if (rc < 0)
		return rc;
	if ((rc = scenario_read_switches(r)) < 0 || (rc = scenario_read_hosts(r)) < 0 ||
	    (rc = scenario_read_ports(r)) < 0 || (rc = scenario_read_subnets(r)) < 0 ||
	    (rc = scenario_read_routes(r)) < 0 || (rc = scenario_read_real(r)) < 0)
		return rc;
	return scenario_check_addresses(r->out, &r->topology, r->err);
}

int scenario_parse_set(struct scenario *out, const char *text, size_t len, const char *name,
		       const char *const *sets, uint32_t n, struct err *err)
{
	struct reader r = {.out = out, .err = err};
	int rc = 0;

	*out = (struct scenario){0};
	snprintf(out->file, sizeof(out->file), "%s", name);
	r.yaml = yaml_new();
	if (r.yaml == NULL)
		return err_set(err, ERR_ENVIRONMENT, ENOMEM, "", "", "not enough memory");
	rc = yaml_parse(r.yaml, name, text, len, &r.root, err);
	for (uint32_t i = 0; rc == 0 && i < n; i++)
		rc = yaml_set(r.yaml, r.root, sets[i], err);
	if (rc == 0)
		rc = read_document(&r);
	topology_free(&r.topology);
	yaml_free(r.yaml);
	if (rc < 0)
		scenario_free(out);
	return rc;
}

int scenario_parse(struct scenario *out, const char *text, size_t len, const char *name,
		   struct err *err)
{
	return scenario_parse_set(out, text, len, name, NULL, 0, err);
}

int scenario_load_set(struct scenario *out, const char *file, const char *const *sets, uint32_t n,
		      struct err *err)
{
	size_t len;
	char *text;
	int rc;

	*out = (struct scenario){0};
	rc = yaml_read_file(file, &text, &len, err);
	if (rc < 0)
		return rc;
	rc = scenario_parse_set(out, text, len, file, sets, n, err);
	free(text);
	return rc;
}

int scenario_load(struct scenario *out, const char *file, struct err *err)
{
	return scenario_load_set(out, file, NULL, 0, err);
}

void scenario_free(struct scenario *s)
{
	for (uint32_t i = 0; s->subnets != NULL && i < s->n_subnets; i++)
		free(s->subnets[i].ports);
	for (uint32_t i = 0; s->routes != NULL && i < s->n_routes; i++)
		free(s->routes[i].via);
	free(s->custom_switches);
	free(s->custom_hosts);
	free(s->custom_links);
	free(s->switches);
	free(s->host_list);
	free(s->ports);
	free(s->subnets);
	free(s->routes);
	free(s->real.eal);
	*s = (struct scenario){0};
}
