/* SPDX-License-Identifier: BSD-3-Clause */
/* A fabric and the `real:` section as what rt_start wants. Control thread. */
#ifndef RY_DAEMON_RT_FROM_FABRIC_H
#define RY_DAEMON_RT_FROM_FABRIC_H

#include "control/fabric.h"
#include "dataplane/rt/rt.h"

struct rt_plan {
	struct rt_config config; /* points into the rest and into the fabric */
	struct rt_switch_config *switches;
	struct rt_port_config *ports;
	struct rt_link_config *links;
	const char **eal;
};

int rt_from_fabric(struct rt_plan *out, const struct fabric *fabric,
		   const struct scenario *scenario, bool no_huge, struct err *err);
void rt_plan_free(struct rt_plan *plan);

#endif
