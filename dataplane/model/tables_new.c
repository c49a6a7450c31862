/* SPDX-License-Identifier: BSD-3-Clause */
/* A new snapshot: copies the spec, checks every entry of it, hashes them. An error says the place in
 * the spec, what was found there and what was expected.
 */
#include "addr.h"
#include "tables_int.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- hash ---- */

static bool index_new(struct index *index, uint32_t n)
{
	uint32_t size = 64;

	if (n == 0)
		return true;
	while (size / 8 < n)
		size *= 2;
	index->slots = calloc(size, sizeof(*index->slots));
	index->mask = size - 1;
	return index->slots != NULL;
}

static void index_add(struct index *index, uint64_t hash, uint32_t position)
{
	uint64_t i = hash;

	while (index->slots[i & index->mask].position != 0)
		i++;
	index->slots[i & index->mask] =
		(struct index_slot){.tag = (uint32_t)(hash >> 32), .position = position + 1};
}

/* ---- checks ---- */

/* Where an error is: "routes[3].via[1].port", and what was found there. */
struct place {
	char path[64], found[64];
	struct err *err;
};

static struct place place(struct err *err, const char *array, uint32_t i, const char *field)
{
	struct place at = {.err = err};

	snprintf(at.path, sizeof(at.path), "%s[%u].%s", array, i, field);
	return at;
}

static void found_number(struct place *at, uint32_t number)
{
	snprintf(at->found, sizeof(at->found), "%u", number);
}

static void found_mac(struct place *at, const uint8_t mac[6])
{
	snprintf(at->found, sizeof(at->found), "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1],
		 mac[2], mac[3], mac[4], mac[5]);
}

/* As the user wrote it: a /24 of IPv4 is 120 inside. len < 0: no length. */
static void found_ip(struct place *at, const uint8_t ip[16], int len)
{
	bool v4 = addr_is_v4(ip) && (len < 0 || len >= 96);
	char text[INET6_ADDRSTRLEN] = "";

	inet_ntop(v4 ? AF_INET : AF_INET6, v4 ? ip + 12 : ip, text, sizeof(text));
	if (len < 0)
		snprintf(at->found, sizeof(at->found), "%s", text);
	else
		snprintf(at->found, sizeof(at->found), "%s/%d", text, v4 ? len - 96 : len);
}

static bool refuse(struct place *at, const char *expected)
{
	err_set(at->err, ERR_USAGE, EINVAL, at->path, at->found, "%s", expected);
	return false;
}

static bool check_port(const struct sw_tables *tables, struct place at, uint16_t port)
{
	if (port < tables->n_ports)
		return true;
	found_number(&at, port);
	err_set(at.err, ERR_USAGE, EINVAL, at.path, at.found, "a port of this switch, 0 to %d",
		tables->n_ports - 1);
	return false;
}

static bool check_mac(struct place at, const uint8_t mac[6])
{
	if (addr_mac_is_unicast(mac))
		return true;
	found_mac(&at, mac);
	return refuse(&at, "the MAC of one station: not zero, no group bit");
}

static bool check_prefix(struct place at, const struct sw_route *route)
{
	for (uint32_t bit = route->len; bit < LPM_BITS; bit++) {
		if ((route->prefix[bit / 8] & (0x80 >> (bit % 8))) == 0)
			continue;
		found_ip(&at, route->prefix, route->len);
		return refuse(&at,
			      "no address bits beyond the prefix length; clear them or write a "
			      "longer length");
	}
	return true;
}

static bool check_via(const struct sw_tables *tables, struct err *err, uint32_t i,
		      const struct sw_route *route)
{
	struct place at = place(err, "routes", i, "via");

	found_number(&at, route->n_via);
	if (route->n_via == 0 || route->n_via > SW_MAX_VIA) {
		err_set(err, ERR_USAGE, EINVAL, at.path, at.found, "1 to %d next hops", SW_MAX_VIA);
		return false;
	}
	for (uint32_t k = 0; k < route->n_via; k++) {
		char field[24];

		snprintf(field, sizeof(field), "via[%u].port", k);
		if (!check_port(tables, place(err, "routes", i, field), route->via[k].port))
			return false;
	}
	return true;
}

static bool add_route(struct sw_tables *tables, uint32_t i, struct err *err)
{
	const struct sw_route *route = &tables->spec.routes[i];
	struct place at = place(err, "routes", i, "prefix");

	if (route->len > LPM_BITS) {
		found_number(&at, route->len);
		return refuse(&at, "a prefix length of 0 to 128 bits");
	}
	if (!check_prefix(at, route))
		return false;
	if (route->kind == SW_ROUTE_VIA && !check_via(tables, err, i, route))
		return false;
	if (lpm_add(&tables->lpm, route->prefix, route->len, i))
		return true;
	found_ip(&at, route->prefix, route->len);
	return refuse(&at, "one route for each prefix; put the next hops of both into one `via`");
}

static bool add_gateway(struct sw_tables *tables, uint32_t i, struct err *err)
{
	const struct sw_gateway *e = &tables->spec.gateways[i];
	struct place at = place(err, "gateways", i, "ip");

	found_ip(&at, e->ip, -1);
	if (!addr_is_unicast(e->ip))
		return refuse(&at, "the address of one host");
	if (tables_gateway(tables, e->ip, e->domain) != NULL)
		return refuse(&at, "each gateway once in a domain");
	index_add(&tables->gateways, tables_ip_hash(e->ip), i);
	return true;
}

static bool add_fdb(struct sw_tables *tables, uint32_t i, struct err *err)
{
	const struct sw_static_fdb *e = &tables->spec.fdb[i];
	struct place at = place(err, "fdb", i, "mac");

	if (!check_mac(at, e->mac) || !check_port(tables, place(err, "fdb", i, "port"), e->port))
		return false;
	if (tables_fdb_entry(tables, e->mac, e->domain, e->vid) != NULL) {
		found_mac(&at, e->mac);
		return refuse(&at, "each MAC once in a domain and VLAN");
	}
	index_add(&tables->fdb, tables_mac_hash(e->mac, e->domain, e->vid), i);
	return true;
}

static bool add_neigh(struct sw_tables *tables, uint32_t i, struct err *err)
{
	const struct sw_static_neigh *e = &tables->spec.neighs[i];
	struct place at = place(err, "neighbours", i, "ip");

	if (!check_mac(place(err, "neighbours", i, "mac"), e->mac) ||
	    !check_port(tables, place(err, "neighbours", i, "port"), e->port))
		return false;
	found_ip(&at, e->ip, -1);
	if (!addr_is_unicast(e->ip))
		return refuse(&at, "the address of one host");
	if (tables_neigh(tables, e->ip, e->domain) != NULL)
		return refuse(&at, "each neighbour once in a domain");
	index_add(&tables->neighs, tables_ip_hash(e->ip), i);
	return true;
}

static bool add_all(struct sw_tables *tables, struct err *err)
{
	for (uint32_t i = 0; i < tables->spec.n_routes; i++)
		if (!add_route(tables, i, err))
			return false;
	for (uint32_t i = 0; i < tables->spec.n_gateways; i++)
		if (!add_gateway(tables, i, err))
			return false;
	for (uint32_t i = 0; i < tables->spec.n_fdb; i++)
		if (!add_fdb(tables, i, err))
			return false;
	for (uint32_t i = 0; i < tables->spec.n_neighs; i++)
		if (!add_neigh(tables, i, err))
			return false;
	return true;
}

/* A copy of an array of the spec; *ok turns false when memory is out. */
static void *copy(const void *array, uint32_t n, size_t size, bool *ok)
{
	void *own;

	if (n == 0)
		return NULL;
	own = malloc(n * size);
	if (own == NULL)
		*ok = false;
	else
		memcpy(own, array, n * size);
	return own;
}

static bool allocate(struct sw_tables *tables, const struct sw_tables_spec *spec)
{
	struct sw_tables_spec *own = &tables->spec;
	bool ok = true;

	*own = *spec;
	own->routes = copy(spec->routes, spec->n_routes, sizeof(*spec->routes), &ok);
	own->gateways = copy(spec->gateways, spec->n_gateways, sizeof(*spec->gateways), &ok);
	own->fdb = copy(spec->fdb, spec->n_fdb, sizeof(*spec->fdb), &ok);
	own->neighs = copy(spec->neighs, spec->n_neighs, sizeof(*spec->neighs), &ok);
	return ok && lpm_init(&tables->lpm, spec->n_routes) == 0 &&
	       index_new(&tables->gateways, spec->n_gateways) &&
	       index_new(&tables->fdb, spec->n_fdb) && index_new(&tables->neighs, spec->n_neighs);
}

struct sw_tables *sw_tables_new(const struct sw_tables_spec *spec, uint16_t n_ports,
				struct err *err)
{
	struct sw_tables *tables = calloc(1, sizeof(*tables));
	bool ok = tables != NULL && allocate(tables, spec);

	if (!ok) {
		err_set(err, ERR_ENVIRONMENT, ENOMEM, "tables", "no memory left",
			"less of it in use");
	} else {
		tables->n_ports = n_ports;
		ok = add_all(tables, err);
	}
	if (ok)
		return tables;
	sw_tables_free(tables);
	return NULL;
}

void sw_tables_free(struct sw_tables *tables)
{
	if (tables == NULL)
		return;
	free((void *)tables->spec.routes);
	free((void *)tables->spec.gateways);
	free((void *)tables->spec.fdb);
	free((void *)tables->spec.neighs);
	free(tables->gateways.slots);
	free(tables->fdb.slots);
	free(tables->neighs.slots);
	lpm_free(&tables->lpm);
	free(tables);
}
