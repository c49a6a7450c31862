/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology.h"

#include "names.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 6, 7))) static int fail(const struct scenario *s,
						      const struct scenario_link *link,
						      const char *path, const char *found,
						      struct err *err, const char *fmt, ...)
{
	char expected[384];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(expected, sizeof(expected), fmt, ap);
	va_end(ap);
	err_set(err, ERR_USAGE, EINVAL, path, found, "%s", expected);
	err_at(err, s->file, link ? link->line : s->topology_line,
	       link ? link->col : s->topology_col);
	return -EINVAL;
}

int32_t topology_switch(const struct topology *t, const char *name)
{
	for (uint32_t i = 0; i < t->n_switches; i++)
		if (strcmp(t->switches[i], name) == 0)
			return (int32_t)i;
	return -1;
}

int32_t topology_host(const struct topology *t, const char *name)
{
	for (uint32_t i = 0; i < t->n_hosts; i++)
		if (strcmp(t->hosts[i], name) == 0)
			return (int32_t)i;
	return -1;
}

int32_t topology_port(const struct topology *t, const char *name)
{
	for (uint32_t i = 0; i < t->n_ports; i++)
		if (strcmp(t->ports[i].name, name) == 0)
			return (int32_t)i;
	return -1;
}

const char *topology_ports_text(const struct topology *t, char *buf, size_t size)
{
	uint32_t shown = t->n_ports < 6 ? t->n_ports : 6;
	size_t used = 0;

	buf[0] = '\0';
	for (uint32_t i = 0; i < shown && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "",
					 t->ports[i].name);
	if (shown < t->n_ports && used < size)
		snprintf(buf + used, size - used, " and %u more", t->n_ports - shown);
	return buf;
}

static bool room(struct topology *t)
{
	uint32_t cap = t->cap_ports ? t->cap_ports * 2 : 64;
	struct topology_port *ports;

	if (t->n_ports + 2 <= t->cap_ports)
		return true;
	ports = realloc(t->ports, cap * sizeof(*ports));
	if (ports == NULL)
		return false;
	t->ports = ports;
	t->cap_ports = cap;
	return true;
}

/* "x-y", or "x-y.N" for the N-th cable between the two. */
static void name_port(const char *x, const char *y, uint32_t nth, char *buf)
{
	if (nth < 2)
		snprintf(buf, SW_NAME, "%.20s-%.20s", x, y);
	else
		snprintf(buf, SW_NAME, "%.20s-%.20s.%u", x, y, nth % 1000);
}

static struct topology_port *add_port(struct topology *t, uint32_t sw,
				      const struct scenario_link *link)
{
	struct topology_port *port = &t->ports[t->n_ports++];

	*port = (struct topology_port){
		.sw = (uint16_t)sw,
		.index = t->switch_ports[sw]++,
		.host = -1,
		.peer = -1,
		.rate_bps = link->rate_bps,
		.delay_ps = link->delay_ps,
		.overhead_bytes = link->overhead_bytes,
	};
	return port;
}

static int add_host_link(struct topology *t, uint32_t sw, uint32_t host,
			 const struct scenario_link *link)
{
	struct topology_port *port;

	if (!room(t))
		return -ENOMEM;
	t->host_port[host] = (int32_t)t->n_ports;
	port = add_port(t, sw, link);
	port->host = (int32_t)host;
	name_port(t->switches[sw], t->hosts[host], 1, port->name);
	return 0;
}

static uint32_t cables_between(const struct topology *t, uint32_t a, uint32_t b)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->n_ports; i++)
		n += t->ports[i].sw == a && t->ports[i].peer >= 0 &&
		     t->ports[t->ports[i].peer].sw == b;
	return n;
}

static int add_switch_link(struct topology *t, uint32_t a, uint32_t b,
			   const struct scenario_link *link)
{
	uint32_t nth = cables_between(t, a, b) + 1, first = t->n_ports;
	struct topology_port *pa, *pb;

	if (!room(t))
		return -ENOMEM;
	pa = add_port(t, a, link);
	pb = add_port(t, b, link);
	pa->peer = (int32_t)first + 1;
	pb->peer = (int32_t)first;
	name_port(t->switches[a], t->switches[b], nth, pa->name);
	name_port(t->switches[b], t->switches[a], nth, pb->name);
	return 0;
}

static int alloc_nodes(struct topology *t, uint32_t switches, uint32_t hosts)
{
	t->n_switches = switches;
	t->n_hosts = hosts;
	t->switches = calloc(switches + 1, SW_NAME);
	t->hosts = calloc(hosts + 1, SW_NAME);
	t->host_port = calloc(hosts + 1, sizeof(*t->host_port));
	t->switch_ports = calloc(switches + 1, sizeof(*t->switch_ports));
	if (!t->switches || !t->hosts || !t->host_port || !t->switch_ports)
		return -ENOMEM;
	for (uint32_t i = 0; i < hosts; i++)
		t->host_port[i] = -1;
	return 0;
}

static void number_nodes(char (*names)[SW_NAME], uint32_t n, char prefix)
{
	for (uint32_t i = 0; i < n; i++)
		snprintf(names[i], SW_NAME, "%c%u", prefix, i + 1);
}

static int build_star(struct topology *t, const struct scenario *s)
{
	int rc = alloc_nodes(t, 1, s->hosts);

	if (rc < 0)
		return rc;
	number_nodes(t->switches, 1, 's');
	number_nodes(t->hosts, t->n_hosts, 'h');
	for (uint32_t h = 0; rc == 0 && h < s->hosts; h++)
		rc = add_host_link(t, 0, h, &s->link);
	return rc;
}

static int build_dumbbell(struct topology *t, const struct scenario *s)
{
	int rc = alloc_nodes(t, 2, s->left + s->right);

	if (rc < 0)
		return rc;
	number_nodes(t->switches, 2, 's');
	number_nodes(t->hosts, t->n_hosts, 'h');
	for (uint32_t h = 0; rc == 0 && h < t->n_hosts; h++)
		rc = add_host_link(t, h < s->left ? 0 : 1, h, &s->link);
	return rc < 0 ? rc : add_switch_link(t, 0, 1, &s->middle);
}

static int custom_host_link(struct topology *t, const struct scenario *s,
			    const struct scenario_link *link, int32_t sw, int32_t host,
			    struct err *err)
{
	if (t->host_port[host] >= 0 || link->count > 1)
		return fail(s, link, "topology.links", t->hosts[host], err,
			    "one link a host: it has %s already or count is above 1",
			    t->host_port[host] >= 0 ? t->ports[t->host_port[host]].name : "none");
	return add_host_link(t, (uint32_t)sw, (uint32_t)host, link);
}

static int custom_link(struct topology *t, const struct scenario *s,
		       const struct scenario_link *link, struct err *err)
{
	int32_t sa = topology_switch(t, link->a), sb = topology_switch(t, link->b);
	int32_t ha = topology_host(t, link->a), hb = topology_host(t, link->b);
	int rc = 0;

	if ((sa < 0 && ha < 0) || (sb < 0 && hb < 0))
		return fail(s, link, "topology.links", sa < 0 && ha < 0 ? link->a : link->b, err,
			    "a name that topology.switches or topology.hosts lists");
	if (sa >= 0 && sa == sb)
		return fail(s, link, "topology.links", link->a, err, "two different ends");
	if (sa < 0 && sb < 0)
		return fail(s, link, "topology.links", "two hosts", err,
			    "a switch at one end at least");
	if (sa < 0 || sb < 0)
		return custom_host_link(t, s, link, sa < 0 ? sb : sa, sa < 0 ? ha : hb, err);
	for (uint32_t i = 0; rc == 0 && i < link->count; i++) {
		if (cables_between(t, (uint32_t)sa, (uint32_t)sb) >= 99)
			return fail(s, link, "topology.links", "a hundredth cable", err,
				    "at most 99 between two switches");
		rc = add_switch_link(t, (uint32_t)sa, (uint32_t)sb, link);
	}
	return rc;
}

static int build_custom(struct topology *t, const struct scenario *s, struct err *err)
{
	int rc = alloc_nodes(t, s->n_custom_switches, s->n_custom_hosts);

	if (rc < 0)
		return rc;
	for (uint32_t i = 0; i < t->n_switches; i++)
		memcpy(t->switches[i], s->custom_switches[i], SW_NAME);
	for (uint32_t i = 0; i < t->n_hosts; i++)
		memcpy(t->hosts[i], s->custom_hosts[i], SW_NAME);
	for (uint32_t i = 0; i < s->n_custom_links; i++) {
		if (t->n_ports + 2 * s->custom_links[i].count > TOPOLOGY_PORTS_MAX)
			return fail(s, &s->custom_links[i], "topology.links", "too many ports", err,
				    "at most %d", TOPOLOGY_PORTS_MAX);
		rc = custom_link(t, s, &s->custom_links[i], err);
		if (rc < 0)
			return rc;
	}
	for (uint32_t i = 0; i < t->n_hosts; i++)
		if (t->host_port[i] < 0)
			return fail(s, NULL, "topology.links", t->hosts[i], err,
				    "a link for every host: %s has none", t->hosts[i]);
	return 0;
}

int topology_build(struct topology *out, const struct scenario *s, struct err *err)
{
	int rc;

	*out = (struct topology){0};
	if (s->topology == TOPO_STAR)
		rc = build_star(out, s);
	else if (s->topology == TOPO_DUMBBELL)
		rc = build_dumbbell(out, s);
	else
		rc = build_custom(out, s, err);
	if (rc < 0) {
		if (rc == -ENOMEM)
			err_set(err, ERR_ENVIRONMENT, ENOMEM, "topology", "", "not enough memory");
		topology_free(out);
	}
	return rc;
}

void topology_free(struct topology *t)
{
	free(t->switches);
	free(t->hosts);
	free(t->ports);
	free(t->host_port);
	free(t->switch_ports);
	*t = (struct topology){0};
}
