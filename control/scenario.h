/* SPDX-License-Identifier: BSD-3-Clause */
/* The scenario file as a plain struct: what the user wrote plus every default, units gone.
 * Loaded by scenario.c from YAML (libfyaml); printed back by effective.c. Control thread.
 * Rates bits per second, times ps, sizes bytes.
 */
#ifndef RY_SCENARIO_H
#define RY_SCENARIO_H

#include "dataplane/model/err.h"
#include "dataplane/model/sw.h"

#include <stdio.h>

enum scenario_edge { EDGE_AUTO, EDGE_EMULATE, EDGE_OFF };
enum scenario_pfc { PFC_AUTO, PFC_ON, PFC_OFF };
enum scenario_topology { TOPO_STAR, TOPO_DUMBBELL, TOPO_CUSTOM };

struct scenario_link {
	char a[SW_NAME], b[SW_NAME];
	uint64_t rate_bps, delay_ps;
	uint32_t overhead_bytes, count;
	int line, col;
};

struct scenario_switch {    /* `switch:` and each of `switches:`, merged over the preset */
	char name[SW_NAME]; /* "" = the default for all */
	char pipeline[32], preset[32];
	uint64_t latency_ps;
	uint64_t fdb_ageing_ps, neigh_ageing_ps; /* 0 = off */
	struct sw_buffer buffer;
	bool headroom_auto;
	uint64_t headroom_bytes; /* when not auto */
	struct sw_qos qos;
	uint32_t hash_fields;
	int line, col;
};

struct scenario_host {
	char name[SW_NAME];
	bool has_mac, has_ip4, has_ip6;
	uint8_t mac[6], ip4[16], ip6[16];
	uint64_t pfc_response_ps;
	int line, col;
};

struct scenario_port {
	char name[SW_NAME]; /* "s1-h1" */
	char dev[256];
	uint64_t rate_bps; /* 0 = the link's; `unlimited` = 1.6 Tb/s */
	uint32_t mtu_bytes;
	uint64_t delay_ps;
	enum scenario_edge edge;
	uint64_t edge_bytes;
	enum scenario_pfc pfc;
	int line, col;
};

struct scenario_subnet {
	uint8_t prefix[16];
	uint8_t len; /* of 128 */
	char (*ports)[SW_NAME];
	uint32_t n_ports;
	bool has_gateway;
	uint8_t gateway[16];
	int line, col;
};

struct scenario_route {
	char on[SW_NAME];
	uint8_t prefix[16];
	uint8_t len;
	char (*via)[SW_NAME];
	uint32_t n_via;
	int line, col;
};

struct scenario {
	char file[256];
	char name[SW_NAME];
	uint64_t seed;

	enum scenario_topology topology;
	uint32_t hosts, left, right;       /* star; dumbbell */
	struct scenario_link link, middle; /* defaults for host links; the dumbbell's cable */
	char (*custom_switches)[SW_NAME], (*custom_hosts)[SW_NAME];
	struct scenario_link *custom_links;
	uint32_t n_custom_switches, n_custom_hosts, n_custom_links;
	int topology_line, topology_col;

	struct scenario_switch sw;        /* for all */
	struct scenario_switch *switches; /* overrides, each whole */
	struct scenario_host *host_list;
	struct scenario_port *ports;
	struct scenario_subnet *subnets;
	struct scenario_route *routes;
	uint32_t n_switches, n_hosts, n_ports, n_subnets, n_routes;

	struct {
		uint16_t workers; /* 0 = auto */
		uint32_t dilate;
		bool adaptive;    /* poll: adaptive */
		uint64_t late_ps; /* 0 = auto */
		uint64_t memory_bytes;
		char (*eal)[256];
		uint32_t n_eal;
		int line, col; /* of `real:`; 0 when it is not in the file */
		int memory_line, memory_col;
	} real;
};

/* Reads and checks a file ("-" = standard input). Everything that can be known without the machine
 * is checked here: types, units, keys, ranges, duplicates, names. */
int scenario_load(struct scenario *out, const char *file, struct err *err);
/* The same from memory; name is used in messages. */
int scenario_parse(struct scenario *out, const char *text, size_t len, const char *name,
		   struct err *err);
void scenario_free(struct scenario *scenario);

/* PATH=VALUE on the document before it is read ("switches.s1.ecn.3.min=200KB"): loads text with the
 * n assignments applied. A refused one names its path. */
int scenario_load_set(struct scenario *out, const char *file, const char *const *sets, uint32_t n,
		      struct err *err);
/* The same from memory: a daemon keeps the text it started with, whatever becomes of the file. */
int scenario_parse_set(struct scenario *out, const char *text, size_t len, const char *name,
		       const char *const *sets, uint32_t n, struct err *err);

/* The whole with every default, as YAML that loads to the same struct. */
int scenario_effective(const struct scenario *scenario, FILE *out);

#endif
