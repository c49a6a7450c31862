/* SPDX-License-Identifier: BSD-3-Clause */
/* Which switches, hosts and ports a scenario's `topology:` makes, and how they are cabled. Indices
 * stand in for names from here on. Control thread. Rates bits per second, times ps.
 */
#ifndef RY_TOPOLOGY_H
#define RY_TOPOLOGY_H

#include "scenario.h"

#define TOPOLOGY_HOSTS_MAX 4096
#define TOPOLOGY_SWITCHES_MAX 1024
#define TOPOLOGY_PORTS_MAX 16384

struct topology_port {      /* of a switch */
	char name[SW_NAME]; /* "s1-h1", "s1-s2.2" */
	uint16_t sw;
	uint16_t index; /* within its switch */
	int32_t host;   /* at the other end, or -1: another switch */
	int32_t peer;   /* the port at the other end, or -1: a host */
	uint64_t rate_bps, delay_ps;
	uint32_t overhead_bytes;
};

struct topology {
	uint32_t n_switches, n_hosts, n_ports;
	char (*switches)[SW_NAME], (*hosts)[SW_NAME];
	struct topology_port *ports; /* as the links come */
	int32_t *host_port;          /* by host: its port, -1 while it has none */
	uint16_t *switch_ports;      /* by switch: how many */
	uint32_t cap_ports;
};

int topology_build(struct topology *out, const struct scenario *scenario, struct err *err);
void topology_free(struct topology *topology);

/* Index, or -1. */
int32_t topology_switch(const struct topology *topology, const char *name);
int32_t topology_host(const struct topology *topology, const char *name);
/* By `x-y` name; the host's end (`h1-s1`) is no port of a switch. */
int32_t topology_port(const struct topology *topology, const char *name);

/* "s1-h1, s1-h2, s1-h3 and 13 more": what to say when a name is not there. */
const char *topology_ports_text(const struct topology *topology, char *buf, size_t size);

#endif
