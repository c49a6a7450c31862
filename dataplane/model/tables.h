/* SPDX-License-Identifier: BSD-3-Clause */
/* Forwarding tables as one immutable snapshot: built and freed by control, read by the worker.
 *
 * Addresses are 16 bytes, IPv4 as ::ffff:a.b.c.d; prefix lengths count in those 128 bits (a /24 of
 * IPv4 is 120), so that one longest-prefix match serves both families.
 */
#ifndef RY_TABLES_H
#define RY_TABLES_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

#define SW_MAX_VIA 64

enum sw_route_kind {
	SW_ROUTE_CONNECTED,  /* the destination is a neighbour in `domain` */
	SW_ROUTE_VIA,        /* ECMP over via[] */
	SW_ROUTE_CROSS_RAIL, /* another rail's prefix: drop, named */
};

/* One next hop: a port, and its MAC or, when has_mac is false, the address to resolve there (all
 * zero = the packet's own destination). */
struct sw_via {
	uint16_t port;
	bool has_mac;
	uint8_t mac[6];
	uint8_t ip[16];
};

struct sw_route {
	uint8_t prefix[16];
	uint8_t len; /* 0..128 */
	enum sw_route_kind kind;
	uint16_t domain; /* CONNECTED */
	uint8_t n_via;   /* VIA: 1..SW_MAX_VIA */
	struct sw_via via[SW_MAX_VIA];
};

struct sw_gateway { /* an address that the switch itself answers for, in one domain */
	uint8_t ip[16];
	uint16_t domain;
	bool proxy; /* answer ARP/ND for every address (leaves of routed fabrics) */
};

struct sw_static_fdb {
	uint8_t mac[6];
	uint16_t domain, vid, port; /* vid PKT_NO_VLAN = untagged */
};

struct sw_static_neigh {
	uint8_t ip[16], mac[6];
	uint16_t domain, port;
};

struct sw_tables_spec {
	uint64_t version;
	uint32_t n_routes, n_gateways, n_fdb, n_neighs;
	const struct sw_route *routes;
	const struct sw_gateway *gateways;
	const struct sw_static_fdb *fdb;
	const struct sw_static_neigh *neighs;
};

struct sw_tables;

/* Builds a snapshot for a switch of n_ports; refuses ports and lengths out of range and duplicates.
 * NULL and *err on failure. Control thread; allocates. */
struct sw_tables *sw_tables_new(const struct sw_tables_spec *spec, uint16_t n_ports,
				struct err *err);
void sw_tables_free(struct sw_tables *tables);

/* The spec it was built from (owned by the snapshot). */
const struct sw_tables_spec *sw_tables_spec(const struct sw_tables *tables);

/* Longest match of a 16-byte address; NULL when none. */
const struct sw_route *sw_tables_match(const struct sw_tables *tables, const uint8_t ip[16]);

#endif
