/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables: finds the snapshot's entries, by hash and by longest prefix. */
#include "addr.h"
#include "tables_int.h"

/* The next position, from slot *i on, whose hash may be this one; -1 at the end. */
static inline int64_t index_next(const struct index *index, uint64_t hash, uint64_t *i)
{
	for (;;) {
		const struct index_slot *slot = &index->slots[(*i)++ & index->mask];

		if (slot->position == 0)
			return -1;
		if (slot->tag == (uint32_t)(hash >> 32))
			return (int64_t)slot->position - 1;
	}
}

const struct sw_tables_spec *sw_tables_spec(const struct sw_tables *tables)
{
	return &tables->spec;
}

const struct sw_route *sw_tables_match(const struct sw_tables *tables, const uint8_t ip[16])
{
	uint32_t position = lpm_find(&tables->lpm, ip);

	return position == LPM_NONE ? NULL : &tables->spec.routes[position];
}

const struct sw_static_fdb *tables_fdb_entry(const struct sw_tables *tables, const uint8_t mac[6],
					     uint16_t domain, uint16_t vid)
{
	uint64_t hash, i;
	int64_t position;

	if (tables->fdb.slots == NULL)
		return NULL;
	i = hash = tables_mac_hash(mac, domain, vid);
	while ((position = index_next(&tables->fdb, hash, &i)) >= 0) {
		const struct sw_static_fdb *e = &tables->spec.fdb[position];

		if (memcmp(e->mac, mac, 6) == 0 && e->domain == domain && e->vid == vid)
			return e;
	}
	return NULL;
}

uint16_t tables_fdb(const struct sw_tables *tables, const uint8_t mac[6], uint16_t domain,
		    uint16_t vid)
{
	const struct sw_static_fdb *entry = tables_fdb_entry(tables, mac, domain, vid);

	return entry == NULL ? PKT_NO_PORT : entry->port;
}

const struct sw_static_neigh *tables_neigh(const struct sw_tables *tables, const uint8_t ip[16],
					   uint16_t domain)
{
	uint64_t hash, i;
	int64_t position;

	if (tables->neighs.slots == NULL)
		return NULL;
	i = hash = tables_ip_hash(ip);
	while ((position = index_next(&tables->neighs, hash, &i)) >= 0) {
		const struct sw_static_neigh *e = &tables->spec.neighs[position];

		if (e->domain == domain && memcmp(e->ip, ip, 16) == 0)
			return e;
	}
	return NULL;
}

/* Gateways are hashed by address alone: those of one address in several domains follow each other. */
static inline const struct sw_gateway *find_gateway(const struct sw_tables *tables,
						    const uint8_t ip[16], uint16_t domain,
						    bool any_domain)
{
	uint64_t hash, i;
	int64_t position;

	if (tables->gateways.slots == NULL)
		return NULL;
	i = hash = tables_ip_hash(ip);
	while ((position = index_next(&tables->gateways, hash, &i)) >= 0) {
		const struct sw_gateway *e = &tables->spec.gateways[position];

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
