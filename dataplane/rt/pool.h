/* SPDX-License-Identifier: BSD-3-Clause */
/* Packet buffers: how many, how large, and whether they fit the memory that was granted.
 *
 * A pool serves the ports of one switch whose frames need the same room, so that a jumbo port does
 * not make every other port's buffers 9 KB. Each pool must be able to hold all that the switch's
 * buffer can: at best in minimum-size frames, at the very least in frames of the port's MTU; in
 * between, what memory allows. Sizes in bytes. Control thread.
 */
#ifndef RY_RT_POOL_H
#define RY_RT_POOL_H

#include "dataplane/model/err.h"
#include "dataplane/model/sw.h"

#include <rte_mempool.h>
#include <stdbool.h>
#include <stdint.h>

#define RT_POOL_CACHE 256 /* mbufs a thread may keep */

/* What one pool is asked for. */
struct rt_pool_need {
	char name[RTE_MEMPOOL_NAMESIZE];
	uint32_t room_bytes;  /* data room, headroom included */
	uint32_t frame_bytes; /* a frame of the largest MTU */
	uint32_t cell_bytes;
	uint64_t fixed;        /* descriptors, FIFOs, stages: frames */
	uint64_t buffer_bytes; /* the switch's buffer and edges */
	uint32_t threads;      /* that use it: each has a cache */
	int numa;              /* SOCKET_ID_ANY when it does not matter */
	bool copied;           /* every device copies: the memory need not be DPDK's own */
};

/* What it gets. */
struct rt_pool_plan {
	uint64_t least, best, count; /* mbufs */
	uint64_t mbuf_bytes;         /* memory of one */
};

/* Data room for frames of mtu; least_bytes: what the driver insists on (0 = nothing). */
uint32_t rt_pool_room(uint32_t mtu_bytes, uint32_t least_bytes);
/* Everything that a switch can hold: its buffer, headroom included, and the edge FIFOs. */
uint64_t rt_pool_buffer(const struct sw_config *config);
/* Shares memory_bytes (0 = as much as best takes) among n pools; -ENOMEM and the arithmetic when
 * not even the least fits. */
int rt_pool_plan(struct rt_pool_plan *plans, const struct rt_pool_need *needs, uint32_t n,
		 uint64_t memory_bytes, struct err *err);
/* The pool itself; each mbuf has a struct pkt in its private area. NULL and *err. */
struct rte_mempool *rt_pool_new(const struct rt_pool_need *need, uint64_t count, struct err *err);

#endif
