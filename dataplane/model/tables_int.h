/* SPDX-License-Identifier: BSD-3-Clause */
/* The snapshot from inside: tables_new.c checks and builds it, tables.c finds in it. Nothing changes
 * once sw_tables_new has returned.
 */
#ifndef RY_TABLES_INT_H
#define RY_TABLES_INT_H

#include "hash.h"
#include "lpm.h"
#include "sw_int.h"

/* Positions in an array of the spec by hash of their keys: open addressing, at most an eighth full,
 * so that nearly every search ends at its first slot and the branch is foreseen. */
struct index_slot {
	uint32_t tag;      /* of the hash: spares a look at most entries that are not it */
	uint32_t position; /* + 1; 0 = empty */
};

struct index {
	struct index_slot *slots; /* NULL when there are no entries */
	uint32_t mask;
};

struct sw_tables {
	struct sw_tables_spec spec; /* its arrays are the snapshot's */
	struct lpm lpm;
	struct index gateways, fdb, neighs;
	uint16_t n_ports;
};

static inline uint64_t tables_ip_hash(const uint8_t ip[16])
{
	return hash_mix(hash_load64(ip), hash_load64(ip + 8));
}

static inline uint64_t tables_mac_hash(const uint8_t mac[6], uint16_t domain, uint16_t vid)
{
	return hash_mix((uint64_t)domain << 48 | hash_load48(mac), vid);
}

/* NULL when there is none. */
const struct sw_static_fdb *tables_fdb_entry(const struct sw_tables *tables, const uint8_t mac[6],
					     uint16_t domain, uint16_t vid);

#endif
