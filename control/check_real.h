/* SPDX-License-Identifier: BSD-3-Clause */
/* What is to be said of a valid scenario's real ports and workers before a machine is at hand. */
#ifndef RY_CHECK_REAL_H
#define RY_CHECK_REAL_H

#include "check.h"
#include "fabric.h"
#include "scenario.h"

#define CHECK_REAL_PORTS 32 /* RTE_MAX_ETHPORTS of DPDK as Debian builds it */

/* Adds warnings: RY090 too many real ports, RY091 too many workers. */
void check_real(struct check_file *file, const struct scenario *scenario,
		const struct fabric *fabric);

#endif
