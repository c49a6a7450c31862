/* SPDX-License-Identifier: BSD-3-Clause */
/* Any ethdev from a device string: plugged in, configured with one queue each way, taken out again.
 *
 * Tags stay in the frames, nothing is offloaded, one segment a frame, promiscuous. Control thread,
 * while no worker has the port.
 */
#ifndef RY_RT_DEVICE_H
#define RY_RT_DEVICE_H

#include "dataplane/model/err.h"
#include "dataplane/model/list.h"

#include <rte_mempool.h>
#include <stdbool.h>
#include <stdint.h>

struct rt_device {
	uint16_t id;    /* of the ethdev */
	uint64_t owner; /* DPDK's word for us: keeps a device from being used twice */
	bool open, started;
	bool ours;    /* plugged in by us: taken out at close; "port:N" is only stopped */
	bool foreign; /* a net_ring: its frames come from others' pools */
	bool locked;  /* lock_fd says to other processes that the netdev is taken */
	int lock_fd;
	unsigned int ifindex; /* of the netdev behind a packet socket; 0 = there is none */
	char netdev[64];      /* its name then */
	bool patient;         /* a file or a generator: what is not polled is not lost */
	bool copies;          /* frames are copied: it does not reach into packet buffers by itself */
	bool fc_forward;      /* the MAC was told to pass MAC control frames on */
	char driver[64];
	uint16_t rx_desc, tx_desc;
	uint32_t least_room; /* bytes a frame's buffer must have for this driver */
	int numa;
	/* losses.c: what the device had counted before we came (its counters may not start at
	 * zero), the driver's packet socket (-1 = none), and what its ring has lost */
	uint64_t lost_before[SW_LOSSES], ring_lost;
	int packet_fd;
};

/* A PCI address ("3b:00.0", "0000:3b:00.0", arguments after a comma allowed). */
bool rt_device_is_pci(const char *dev);
/* The string that DPDK gets: af_packet's frames are sized for the MTU unless the user did it. */
void rt_device_args(const char *dev, uint32_t mtu_bytes, char *out, size_t size);
/* A netdev behind af_packet must itself take frames of that MTU: the kernel drops longer ones without
 * telling the driver. -EINVAL and *err. */
int rt_device_check_netdev(const char *dev, uint32_t mtu_bytes, const char *where, struct err *err);
/* Finds or plugs in the device and learns what it needs; where names the port in errors. */
int rt_device_open(struct rt_device *device, const char *dev, uint32_t mtu_bytes, const char *where,
		   struct err *err);
/* Configures and starts it with buffers from pool. */
int rt_device_start(struct rt_device *device, struct rte_mempool *pool, uint32_t mtu_bytes,
		    const char *where, struct err *err);
/* A packet socket stays open when its netdev loses its carrier or is deleted: the netdev is asked. */
bool rt_device_link_up(const struct rt_device *device);
/* The netdev was deleted and made again: the index of the new one, else 0. */
unsigned int rt_device_made_again(const struct rt_device *device);
void rt_device_stop(struct rt_device *device);
void rt_device_close(struct rt_device *device);

#endif
