/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables: the snapshot of installed entries. Checked and copied whole by sw_tables_new, found by
 * hash after; nothing in it changes.
 */
#include "addr.h"
#include "hash.h"
#include "lpm.h"
#include "sw_int.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Positions in an array of the spec by hash of their keys: open addressing, at most half full. */
struct index {
	uint32_t *slots; /* position + 1; 0 = empty */
	uint32_t mask;
};

struct sw_tables {
	struct sw_tables_spec spec; /* its arrays are the snapshot's */
	struct lpm lpm;
	struct index gateways, fdb, neighs;
	uint16_t n_ports;
};

/* ---- keys ---- */

static uint64_t ip_hash(const uint8_t ip[16])
{
	return hash_mix(hash_load64(ip), hash_load64(ip + 8));
}

static uint64_t mac_hash(const uint8_t mac[6], uint16_t domain, uint16_t vid)
{
	uint64_t word = (uint64_t)domain << 16 | vid;

	return hash_mix((uint64_t)hash_load32(mac) << 16 | (uint64_t)mac[4] << 8 | mac[5], word);
}

static bool index_new(struct index *index, uint32_t n)
{
	uint32_t size = 2;

	if (n == 0)
		return true;
	while (size / 2 < n)
		size *= 2;
	index->slots = calloc(size, sizeof(*index->slots));
	index->mask = size - 1;
	return index->slots != NULL;
}

static void index_add(struct index *index, uint64_t hash, uint32_t position)
{
	while (index->slots[hash & index->mask] != 0)
		hash++;
	index->slots[hash & index->mask] = position + 1;
}

/* ---- reading ---- */

const struct sw_tables_spec *sw_tables_spec(const struct sw_tables *tables)
{
	return &tables->spec;
}

const struct sw_route *sw_tables_match(const struct sw_tables *tables, const uint8_t ip[16])
{
	uint32_t position = lpm_find(&tables->lpm, ip);

	return position == LPM_NONE ? NULL : &tables->spec.routes[position];
}

static const struct sw_static_fdb *fdb_entry(const struct sw_tables *tables, const uint8_t mac[6],
					     uint16_t domain, uint16_t vid)
{
	const struct index *index = &tables->fdb;

	if (index->slots == NULL)
		return NULL;
	for (uint64_t i = mac_hash(mac, domain, vid); index->slots[i & index->mask] != 0; i++) {
		const struct sw_static_fdb *e =
			&tables->spec.fdb[index->slots[i & index->mask] - 1];

		if (memcmp(e->mac, mac, 6) == 0 && e->domain == domain && e->vid == vid)
			return e;
	}
	return NULL;
}

uint16_t tables_fdb(const struct sw_tables *tables, const uint8_t mac[6], uint16_t domain,
		    uint16_t vid)
{
	const struct sw_static_fdb *entry = fdb_entry(tables, mac, domain, vid);

	return entry == NULL ? PKT_NO_PORT : entry->port;
}

const struct sw_static_neigh *tables_neigh(const struct sw_tables *tables, const uint8_t ip[16],
					   uint16_t domain)
{
	const struct index *index = &tables->neighs;

	if (index->slots == NULL)
		return NULL;
	for (uint64_t i = ip_hash(ip); index->slots[i & index->mask] != 0; i++) {
		const struct sw_static_neigh *e =
			&tables->spec.neighs[index->slots[i & index->mask] - 1];

		if (e->domain == domain && memcmp(e->ip, ip, 16) == 0)
			return e;
	}
	return NULL;
}

/* Gateways are hashed by address alone: those of one address in several domains follow each other. */
static const struct sw_gateway *find_gateway(const struct sw_tables *tables, const uint8_t ip[16],
					     uint16_t domain, bool any_domain)
{
	const struct index *index = &tables->gateways;

	if (index->slots == NULL)
		return NULL;
	for (uint64_t i = ip_hash(ip); index->slots[i & index->mask] != 0; i++) {
		const struct sw_gateway *e =
			&tables->spec.gateways[index->slots[i & index->mask] - 1];

		if ((any_domain || e->domain == domain) && memcmp(e->ip, ip, 16) == 0)
			return e;
	}
	return NULL;
}

const struct sw_gateway *tables_gateway(const struct sw_tables *tables, const uint8_t ip[16],
					uint16_t domain)
{
	return find_gateway(tables, ip, domain, false);
}

bool tables_own(const struct sw_tables *tables, const uint8_t ip[16])
{
	return find_gateway(tables, ip, 0, true) != NULL;
}

static int common_bits(const uint8_t a[16], const uint8_t b[16])
{
	int i = 0;

	while (i < 128 && ((a[i / 8] ^ b[i / 8]) & (0x80 >> (i % 8))) == 0)
		i++;
	return i;
}

const struct sw_gateway *tables_gateway_for(const struct sw_tables *tables, const uint8_t ip[16],
					    uint16_t domain)
{
	const struct sw_gateway *best = NULL;
	int best_bits = -1;

	for (uint32_t i = 0; i < tables->spec.n_gateways; i++) {
		const struct sw_gateway *e = &tables->spec.gateways[i];
		int bits = common_bits(e->ip, ip);

		if (e->domain == domain && addr_is_v4(e->ip) == addr_is_v4(ip) &&
		    bits > best_bits) {
			best = e;
			best_bits = bits;
		}
	}
	return best;
}

bool tables_proxy(const struct sw_tables *tables, const uint8_t ip[16], uint16_t domain)
{
	for (uint32_t i = 0; i < tables->spec.n_gateways; i++) {
		const struct sw_gateway *e = &tables->spec.gateways[i];

		if (e->proxy && e->domain == domain && addr_is_v4(e->ip) == addr_is_v4(ip))
			return true;
	}
	return false;
}

/* ---- building ---- */

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
	index_add(&tables->gateways, ip_hash(e->ip), i);
	return true;
}

static bool add_fdb(struct sw_tables *tables, uint32_t i, struct err *err)
{
	const struct sw_static_fdb *e = &tables->spec.fdb[i];
	struct place at = place(err, "fdb", i, "mac");

	if (!check_mac(at, e->mac) || !check_port(tables, place(err, "fdb", i, "port"), e->port))
		return false;
	if (fdb_entry(tables, e->mac, e->domain, e->vid) != NULL) {
		found_mac(&at, e->mac);
		return refuse(&at, "each MAC once in a domain and VLAN");
	}
	index_add(&tables->fdb, mac_hash(e->mac, e->domain, e->vid), i);
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
	index_add(&tables->neighs, ip_hash(e->ip), i);
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
