/* SPDX-License-Identifier: BSD-3-Clause */
/* Which addresses a scenario's hosts have: what it says, else the defaults; in a subnet without
 * `ip:`, the subnet's k-th address for host k, not counting the gateway's. Control thread. */
#ifndef RY_ADDRESSES_H
#define RY_ADDRESSES_H

#include "scenario.h"
#include "topology.h"

struct host_addresses {
	uint8_t mac[6], ip4[16], ip6[16];
	const struct scenario_subnet *subnet4, *subnet6; /* NULL: in none */
};

/* The subnet of that family that a port is in, or NULL. */
const struct scenario_subnet *subnet_of_port(const struct scenario *scenario, const char *port,
					     bool v4);

/* False when a subnet is too small for its k-th address (out has it all the same). */
bool host_addresses(const struct scenario *scenario, const struct topology *topology, uint32_t host,
		    struct host_addresses *out);

#endif
