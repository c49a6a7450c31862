/* SPDX-License-Identifier: BSD-3-Clause */
/* One end of what selftest tests: a DPDK port, or the kernel's side of it.
 *
 * A port on a tap is looked at from the tap's file descriptor (where a guest would be), one on a
 * veth from a raw socket on its peer, a net_tap from a raw socket on the device it made. Control
 * thread, while no worker has the port.
 */
#ifndef RY_RT_END_H
#define RY_RT_END_H

#include "device.h"

enum rt_end_kind { RT_END_PORT, RT_END_TAP, RT_END_SOCKET };

struct rt_end {
	enum rt_end_kind kind;
	char name[64];
	struct rt_device device; /* RT_END_PORT */
	struct rte_mempool *pool;
	int fd; /* the others */
};

/* Frames a device says it sent and received; the kernel's ends say nothing. */
struct rt_end_counts {
	uint64_t sent, received;
};

int rt_end_open_port(struct rt_end *end, const char *dev, uint32_t mtu_bytes,
		     struct rte_mempool *(*pool)(void *ctx, uint32_t room, struct err *err),
		     void *ctx, struct err *err);
/* The kernel's side of a port that is open, or what "netdev:NAME" says; -ENOTSUP when it has none that can be reached. */
int rt_end_open_far(struct rt_end *end, const char *dev, struct err *err);
void rt_end_close(struct rt_end *end);

/* Its link is up. */
bool rt_end_ready(const struct rt_end *end);
/* 0, or -errno when it was refused at once. */
int rt_end_send(struct rt_end *end, const uint8_t *frame, uint32_t len);
/* A frame that is there, its tag in place: its length; 0 = none. */
uint32_t rt_end_receive(struct rt_end *end, uint8_t *buf, uint32_t size);
struct rt_end_counts rt_end_counts(const struct rt_end *end);

#endif
