/* SPDX-License-Identifier: BSD-3-Clause */
/* DPDK's environment layer, started once a process and kept.
 *
 * It gets one lcore, the control thread's: workers are threads of ours that register with it, so
 * that their number is not fixed at the first start. Nothing is left in the file system
 * (--in-memory), nothing is printed: DPDK's last complaint is kept for the error that needs it.
 * Control thread.
 */
#ifndef RY_RT_EAL_H
#define RY_RT_EAL_H

#include "dataplane/model/err.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

struct rt_eal_config {
	const char *file_prefix;  /* NULL = none */
	const char *const *words; /* the user's own, NULL-ended; may be NULL */
	const char *const *pci;   /* PCI addresses that will be asked for */
	uint32_t n_pci;
	uint64_t memory_bytes; /* that packet buffers will take */
	bool no_huge;
};

/* 0 when it runs already, whatever the configuration then was; *err says what to do. */
int rt_eal_start(const struct rt_eal_config *config, struct err *err);
/* CPUs for workers, the control thread's last; returns how many, at most CPU_SETSIZE. */
uint32_t rt_eal_cpus(uint16_t *cpus);
/* What DPDK last complained about since rt_eal_forget, without the newline; "" when nothing. */
const char *rt_eal_complaint(void);
void rt_eal_forget(void);

#endif
