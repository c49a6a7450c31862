/* SPDX-License-Identifier: BSD-3-Clause */
/* What fabric.c and routes.c share while one fabric is built. Control thread. */
#ifndef RY_FABRIC_INT_H
#define RY_FABRIC_INT_H

#include "fabric.h"
#include "scenario_int.h"

struct fabric_build {
	struct fabric *out;
	const struct scenario *scenario;
	const struct topology *topology;
	const struct scenario_port **port_of; /* by topology port: its entry in `ports:`, or NULL */
	uint16_t **domains;                   /* by switch, by its port */
	bool *has_default;                    /* by switch: a port that is in no subnet */
	struct err *err;
};

/* Bridge domains of a switch: ports of no subnet in domain 0, others joined by the subnets they
 * share, from 1. domain[n ports]; *any_default: whether 0 has ports. */
int domains_build(const struct scenario *scenario, const struct topology *topology, uint16_t sw,
		  uint16_t *domain, bool *any_default, struct err *err);

/* Gateways, connected and static routes of a switch as a table snapshot. */
int routes_build(const struct fabric_build *build, uint16_t sw, struct sw_tables **out);

/* Edge `auto` for a device: those whose peer never honours PFC (guests, the kernel). */
enum scenario_edge edge_for_dev(const char *dev);

#endif
