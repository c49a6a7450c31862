/* SPDX-License-Identifier: BSD-3-Clause */
#include "losses.h"
#include "netdev.h"

#include <rte_ethdev.h>
#include <string.h>

static void ask(const struct rt_device *device, uint64_t out[SW_LOSSES])
{
	struct rte_eth_stats stats;

	memset(out, 0, SW_LOSSES * sizeof(*out));
	if (rte_eth_stats_get(device->id, &stats) != 0)
		return;
	out[SW_LOSS_RX_MISSED] = stats.imissed;
	out[SW_LOSS_RX_NO_BUFFER] = stats.rx_nombuf;
	out[SW_LOSS_RX_ERRORS] = stats.ierrors;
}

void rt_losses_begin(struct rt_device *device)
{
	ask(device, device->lost_before);
	device->ring_lost = 0;
	device->packet_fd = -1;
	if (device->ifindex != 0)
		device->packet_fd = rt_netdev_packet_socket(device->ifindex);
	/* The kernel's count starts again with each reading. */
	rt_netdev_packet_drops(device->packet_fd);
}

void rt_losses_read(struct rt_device *device, uint64_t out[SW_LOSSES])
{
	int i;

	ask(device, out);
	for (i = 0; i < SW_LOSSES; i++)
		out[i] -= device->lost_before[i];
	/* net_af_packet does not tell: its ring is the kernel's, which does. */
	device->ring_lost += rt_netdev_packet_drops(device->packet_fd);
	out[SW_LOSS_RX_RING_FULL] = device->ring_lost;
}
