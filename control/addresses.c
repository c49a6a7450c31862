/* SPDX-License-Identifier: BSD-3-Clause */
#include "addresses.h"

#include "netaddr.h"
#include "scenario_int.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct scenario_subnet *subnet_of_port(const struct scenario *s, const char *port, bool v4)
{
	for (uint32_t i = 0; i < s->n_subnets; i++) {
		const struct scenario_subnet *sub = &s->subnets[i];

		if (netaddr_is_v4(sub->prefix) != v4)
			continue;
		for (uint32_t p = 0; p < sub->n_ports; p++)
			if (strcmp(sub->ports[p], port) == 0)
				return sub;
	}
	return NULL;
}

static bool usable(const struct scenario_subnet *sub, const uint8_t ip[16])
{
	return netaddr_in(sub->prefix, sub->len, ip) &&
	       !netaddr_reserved(sub->prefix, sub->len, ip) &&
	       !(sub->has_gateway && memcmp(sub->gateway, ip, 16) == 0);
}

static bool one_family(const struct scenario_subnet *sub, bool v4, uint32_t k, bool given,
		       const uint8_t own[16], uint8_t ip[16])
{
	uint8_t prefix[16], len;

	netaddr_default_prefix(v4, prefix, &len);
	if (given)
		memcpy(ip, own, 16);
	else if (sub == NULL)
		netaddr_nth(prefix, len, k, ip);
	else
		netaddr_nth(sub->prefix, sub->len, k, ip);
	/* A gateway among the first addresses, often the very first, moves the hosts up by one. */
	if (!given && sub != NULL && sub->has_gateway && memcmp(sub->gateway, ip, 16) <= 0)
		netaddr_nth(sub->prefix, sub->len, k + 1, ip);
	return sub == NULL || usable(sub, ip);
}

bool host_addresses(const struct scenario *s, const struct topology *t, uint32_t host,
		    struct host_addresses *out)
{
	const struct scenario_host *h = &s->host_list[host];
	const char *port = t->ports[t->host_port[host]].name;
	bool fits4, fits6;

	out->subnet4 = subnet_of_port(s, port, true);
	out->subnet6 = subnet_of_port(s, port, false);
	netaddr_host_mac(host + 1, out->mac);
	if (h->has_mac)
		memcpy(out->mac, h->mac, 6);
	fits4 = one_family(out->subnet4, true, host + 1, h->has_ip4, h->ip4, out->ip4);
	fits6 = one_family(out->subnet6, false, host + 1, h->has_ip6, h->ip6, out->ip6);
	return fits4 && fits6;
}

/* An address of one host, to be sorted: MACs are padded with zeros. */
struct owned {
	uint8_t address[16];
	uint32_t host;
};

static int by_address(const void *x, const void *y)
{
	const struct owned *a = x, *b = y;
	int order = memcmp(a->address, b->address, 16);

	return order != 0 ? order : (a->host > b->host) - (a->host < b->host);
}

__attribute__((format(printf, 6, 7))) static int fail(const struct scenario *s, uint32_t host,
						      const char *key, const char *found,
						      struct err *err, const char *fmt, ...)
{
	const struct scenario_host *h = &s->host_list[host];
	char path[128], expected[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(expected, sizeof(expected), fmt, ap);
	va_end(ap);
	snprintf(path, sizeof(path), "hosts.%s.%s", h->name, key);
	err_set(err, ERR_USAGE, EINVAL, path, found, "%s", expected);
	err_at(err, s->file, h->line ? h->line : s->topology_line,
	       h->line ? h->col : s->topology_col);
	return -EINVAL;
}

static int check_unique(const struct scenario *s, struct owned *list, const char *key,
			struct err *err)
{
	uint32_t n = s->n_hosts, a, b;
	char text[NETADDR_TEXT];

	qsort(list, n, sizeof(*list), by_address);
	for (uint32_t i = 1; i < n; i++) {
		if (memcmp(list[i - 1].address, list[i].address, 16) != 0)
			continue;
		a = list[i - 1].host;
		b = list[i].host;
		/* The one that the user wrote is the one to change. */
		if (s->host_list[b].line == 0)
			a = list[i].host, b = list[i - 1].host;
		if (strcmp(key, "mac") == 0)
			netaddr_print_mac(list[i].address, text);
		else
			netaddr_print_ip(list[i].address, text);
		return fail(s, b, key, text, err, "an address of its own: %s has this one",
			    s->host_list[a].name);
	}
	return 0;
}

static int check_family(const struct scenario *s, uint32_t host, bool v4, const uint8_t ip[16],
			const struct scenario_subnet *sub, struct err *err)
{
	char text[NETADDR_TEXT], prefix[NETADDR_TEXT];

	if (sub == NULL || usable(sub, ip))
		return 0;
	netaddr_print_prefix(sub->prefix, sub->len, prefix);
	return fail(s, host, v4 ? "ip" : "ip6", netaddr_print_ip(ip, text), err,
		    "a free host address inside %s, its port's subnet", prefix);
}

/* The lists have room for every host. */
static int check_lists(const struct scenario *s, const struct topology *t, struct owned *macs,
		       struct owned *v4, struct owned *v6, struct err *err)
{
	struct host_addresses a;
	int rc;

	for (uint32_t i = 0; i < s->n_hosts; i++) {
		if (!host_addresses(s, t, i, &a) &&
		    (check_family(s, i, true, a.ip4, a.subnet4, err) < 0 ||
		     check_family(s, i, false, a.ip6, a.subnet6, err) < 0))
			return -EINVAL;
		macs[i].host = v4[i].host = v6[i].host = i;
		memcpy(macs[i].address, a.mac, 6);
		memcpy(v4[i].address, a.ip4, 16);
		memcpy(v6[i].address, a.ip6, 16);
	}
	rc = check_unique(s, macs, "mac", err);
	if (rc == 0)
		rc = check_unique(s, v4, "ip", err);
	return rc != 0 ? rc : check_unique(s, v6, "ip6", err);
}

int scenario_check_addresses(const struct scenario *s, const struct topology *t, struct err *err)
{
	struct owned *macs = calloc(s->n_hosts + 1, sizeof(*macs));
	struct owned *v4 = calloc(s->n_hosts + 1, sizeof(*v4));
	struct owned *v6 = calloc(s->n_hosts + 1, sizeof(*v6));
	int rc;

	if (macs == NULL || v4 == NULL || v6 == NULL)
		rc = err_set(err, ERR_ENVIRONMENT, ENOMEM, "hosts", "", "not enough memory");
	else
		rc = check_lists(s, t, macs, v4, v6, err);
	free(macs);
	free(v4);
	free(v6);
	return rc;
}
