/* SPDX-License-Identifier: BSD-3-Clause */
/* A scenario made concrete: which switches, ports, cables, tables. Built from struct scenario by
 * topology.c, routes.c and fabric.c; read by run and by the daemon, which hands parts of it down.
 * Owned by the caller (fabric_free). Control thread. Rates bits per second, times ps, sizes bytes.
 */
#ifndef RY_FABRIC_H
#define RY_FABRIC_H

#include "control/scenario.h"
#include "dataplane/model/pipeline.h"
#include "dataplane/model/sw.h"
#include "dataplane/model/tables.h"

struct fabric_host {
	char name[SW_NAME];
	uint8_t mac[6];
	uint8_t ip4[16], ip6[16]; /* IPv4-mapped; IPv6 */
	uint16_t sw, port;        /* where it is attached */
};

struct fabric_switch {
	struct sw_config config; /* .ports = ports */
	struct sw_port_config *ports;
	const struct pipeline *pipeline;
	struct sw_tables *tables;
	char (*headroom_terms)
		[256]; /* per port: how `headroom: auto` came about, term by term; "" else */
};

struct fabric_link { /* between two switches */
	uint16_t sw[2], port[2];
	uint64_t delay_ps;
};

struct fabric_real_port { /* from `ports:` */
	uint16_t sw, port;
	char name[SW_NAME]; /* "s1-h1" */
	char dev[256];
	enum scenario_edge edge; /* AUTO resolved: EDGE_EMULATE for tap, af_packet, vhost, memif */
	uint64_t delay_ps;
};

struct fabric {
	uint16_t n_switches, n_hosts, n_links, n_real;
	struct fabric_switch *switches;
	struct fabric_host *hosts;
	struct fabric_link *links;
	struct fabric_real_port *real;
};

/* Builds it; errors carry the place in the scenario's file. */
int fabric_build(struct fabric *out, const struct scenario *scenario, struct err *err);
void fabric_free(struct fabric *fabric);

/* Index of a switch or of a port by its `x-y` name (front-panel aliases accepted); -1 if none. */
int fabric_switch_index(const struct fabric *fabric, const char *name);
int fabric_port_index(const struct fabric *fabric, const char *name, uint16_t *sw, uint16_t *port);
/* The same; "h1-s1", the host's end of a cable, is the switch's port "s1-h1". */
int fabric_port_find(const struct fabric *fabric, const char *name, uint16_t *sw, uint16_t *port);

#endif
