/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files scenario_*.c share: each reads one section of the document. Control thread. */
#ifndef RY_SCENARIO_INT_H
#define RY_SCENARIO_INT_H

#include "fields.h"
#include "scenario.h"
#include "topology.h"
#include "yaml.h"

#define RATE_MIN UINT64_C(10000) /* a byte's time must fit 32.32 ps */
#define RATE_MAX UINT64_C(1600000000000)
#define TIME_MAX UINT64_C(10000000000000) /* 10 s */
#define AGEING_MIN UINT64_C(1000000000000) /* 1 s, to 1,000,000 s as SONiC takes */
#define AGEING_MAX UINT64_C(1000000000000000000)
#define AGEING_DEFAULT UINT64_C(300000000000000) /* 300 s, as a Linux bridge */
#define SIZE_MAX_BYTES (UINT64_C(1) << 40)
#define OVERHEAD_MAX 256
#define MTU_MIN 576
#define MTU_MAX 9216
#define MTU_DEFAULT 4200  /* a RoCE MTU of 4096 with its headers */
#define FRAME_OVER_MTU 18 /* Ethernet header and one tag */
#define EDGE_DEFAULT (UINT64_C(1) << 20)

/* Everything that reading one document needs. */
struct reader {
	struct yaml *yaml;
	struct scenario *out;
	struct yaml_node *root;
	struct topology topology;
	struct err *err;
};

int scenario_read_topology(struct reader *reader);
int scenario_read_switches(struct reader *reader);
int scenario_read_hosts(struct reader *reader);
int scenario_read_ports(struct reader *reader);
int scenario_read_subnets(struct reader *reader);
int scenario_read_routes(struct reader *reader);
int scenario_read_real(struct reader *reader);

/* Rules between sections: addresses given twice, hosts outside their subnet ... */
int scenario_check_addresses(const struct scenario *scenario, const struct topology *topology,
			     struct err *err);

/* A switch's built-in settings, below any preset. */
void scenario_switch_defaults(struct scenario_switch *sw);
/* Reads a merged map over them; link_rate_bps sizes ECN thresholds that are left to `auto`. */
int scenario_switch_read(const struct yaml_node *map, uint64_t link_rate_bps,
			 struct scenario_switch *sw, struct err *err);

/* A layer of a switch's keys with ranges of keys in its maps written out. */
int switch_expand(struct yaml *yaml, struct yaml_node *layer, struct yaml_node **out,
		  struct err *err);

/* Sections of a switch; node may be NULL. ecn comes last: pfc_mask (0 where the pipeline has no PFC)
 * and the maps decide what it does with not-ECT. */
int qos_read_ecn(const struct yaml_node *ecn, uint64_t link_rate_bps, uint8_t pfc_mask,
		 struct sw_qos *qos, struct err *err);
int qos_read_pfc(const struct yaml_node *pfc, struct sw_qos *qos, struct err *err);
/* A field reader of `pfc`: out is a struct sw_watchdog. */
int qos_read_watchdog(const struct yaml_node *node, const struct field *field, void *out,
		      struct err *err);
int qos_read_scheduler(const struct yaml_node *scheduler, struct sw_qos *qos, struct err *err);
/* A key that is a number below n. */
int qos_key_number(const struct yaml_node *item, uint32_t n, uint32_t *out, struct err *err);
/* {26: 3, default: 0} -> out[n], values up to 7. */
int qos_read_map(const struct yaml_node *map, const char *what, uint32_t n, uint8_t *out,
		 struct err *err);

/* Room for n zeroed items at *array; n = 0 leaves NULL. */
int scenario_array(void *array, size_t n, size_t item_size, struct err *err);

#endif
