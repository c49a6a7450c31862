/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "end.h"
#include "frame.h"
#include "netdev.h"
#include "pool.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <rte_ethdev.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- a DPDK port ---- */

int rt_end_open_port(struct rt_end *end, const char *dev, uint32_t mtu_bytes,
		     struct rte_mempool *(*pool)(void *ctx, uint32_t room, struct err *err),
		     void *ctx, struct err *err)
{
	int ret;

	memset(end, 0, sizeof(*end));
	end->kind = RT_END_PORT;
	end->fd = -1;
	snprintf(end->name, sizeof(end->name), "%.*s", (int)sizeof(end->name) - 1, dev);
	ret = rt_device_open(&end->device, dev, mtu_bytes, dev, err);
	if (ret != 0)
		return ret;
	end->pool = pool(ctx, rt_pool_room(mtu_bytes, end->device.least_room), err);
	if (end->pool == NULL)
		ret = -ENOMEM;
	else
		ret = rt_device_start(&end->device, end->pool, mtu_bytes, dev, err);
	if (ret != 0)
		rt_device_close(&end->device);
	return ret;
}

static int send_port(struct rt_end *end, const uint8_t *frame, uint32_t len)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(end->pool);
	char *data = m == NULL ? NULL : rte_pktmbuf_append(m, (uint16_t)len);

	if (data == NULL) {
		rte_pktmbuf_free(m);
		return -ENOBUFS;
	}
	memcpy(data, frame, len);
	if (rte_eth_tx_burst(end->device.id, 0, &m, 1) == 1)
		return 0;
	rte_pktmbuf_free(m);
	return -EAGAIN;
}

static uint32_t receive_port(struct rt_end *end, uint8_t *buf, uint32_t size)
{
	struct rte_mbuf *m;
	uint32_t len = 0;

	if (rte_eth_rx_burst(end->device.id, 0, &m, 1) == 0)
		return 0;
	if (rt_frame_in(m) != NULL && m->data_len <= size) {
		len = m->data_len;
		memcpy(buf, rte_pktmbuf_mtod(m, void *), len);
	}
	rte_pktmbuf_free(m);
	return len;
}

/* ---- the kernel's side ---- */

static int raw_socket(struct rt_end *end, const char *netdev, struct err *err)
{
	struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL)};
	struct packet_mreq all = {.mr_type = PACKET_MR_PROMISC};
	int one = 1;

	end->kind = RT_END_SOCKET;
	snprintf(end->name, sizeof(end->name), "%s", netdev);
	address.sll_ifindex = (int)if_nametoindex(netdev);
	all.mr_ifindex = address.sll_ifindex;
	end->fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, htons(ETH_P_ALL));
	if (end->fd < 0 || address.sll_ifindex == 0 ||
	    bind(end->fd, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    setsockopt(end->fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof(all)) != 0 ||
	    setsockopt(end->fd, SOL_PACKET, PACKET_AUXDATA, &one, sizeof(one)) != 0)
		return err_set(err, ERR_ENVIRONMENT, errno, netdev, strerror(errno),
			       "a raw socket on the far side: run as root");
	return 0;
}

static int tap_fd(struct rt_end *end, const char *netdev, struct err *err)
{
	struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};

	end->kind = RT_END_TAP;
	snprintf(end->name, sizeof(end->name), "%s", netdev);
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%.15s", netdev);
	end->fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (end->fd >= 0 && ioctl(end->fd, TUNSETIFF, &request) == 0)
		return 0;
	return err_set(err, ERR_ENVIRONMENT, errno, netdev, strerror(errno),
		       "a tap that selftest may hold as a guest would: stop the guest that has it");
}

static void argument(const char *dev, const char *key, char *out, size_t size)
{
	const char *at = strstr(dev, key);

	if (at != NULL)
		snprintf(out, size, "%.*s", (int)strcspn(at + strlen(key), ","), at + strlen(key));
}

int rt_end_open_far(struct rt_end *end, const char *dev, struct err *err)
{
	char netdev[64] = "", driver[64], peer[IF_NAMESIZE];

	memset(end, 0, sizeof(*end));
	end->fd = -1;
	if (strncmp(dev, "net_tap", 7) == 0) {
		snprintf(netdev, sizeof(netdev), "dtap0");
		argument(dev, "iface=", netdev, sizeof(netdev));
		return raw_socket(end, netdev, err);
	}
	argument(dev, "iface=", netdev, sizeof(netdev));
	argument(dev, "netdev:", netdev, sizeof(netdev));
	rt_netdev_driver(netdev, driver, sizeof(driver));
	if (strcmp(driver, "tun") == 0)
		return tap_fd(end, netdev, err);
	if (strncmp(dev, "netdev:", 7) == 0)
		return raw_socket(end, netdev, err);
	if (if_indextoname(rt_netdev_veth_peer(netdev), peer) != NULL)
		return raw_socket(end, peer, err);
	return err_set(err, ERR_USAGE, ENOTSUP, dev, "no far side that can be reached from here",
		       "a port on a tap, a veth or net_tap, the second port it is cabled to, or "
		       "netdev:NAME: selftest PORT [PORT]");
}

/* The kernel takes tags out of what a raw socket reads, as af_packet's driver knows. */
static uint32_t restore_tag(struct msghdr *msg, uint8_t *buf, uint32_t len, uint32_t size)
{
	const struct tpacket_auxdata *aux;
	struct cmsghdr *c = CMSG_FIRSTHDR(msg);

	if (c == NULL || c->cmsg_level != SOL_PACKET || c->cmsg_type != PACKET_AUXDATA)
		return len;
	aux = (const struct tpacket_auxdata *)CMSG_DATA(c);
	if ((aux->tp_status & TP_STATUS_VLAN_VALID) == 0 || len + 4 > size)
		return len;
	memmove(buf + 16, buf + 12, len - 12);
	buf[12] = (uint8_t)(aux->tp_vlan_tpid >> 8);
	buf[13] = (uint8_t)aux->tp_vlan_tpid;
	buf[14] = (uint8_t)(aux->tp_vlan_tci >> 8);
	buf[15] = (uint8_t)aux->tp_vlan_tci;
	return len + 4;
}

static uint32_t receive_socket(struct rt_end *end, uint8_t *buf, uint32_t size)
{
	char control[CMSG_SPACE(sizeof(struct tpacket_auxdata))];
	struct sockaddr_ll from;
	struct iovec part = {buf, size};
	struct msghdr msg = {
		.msg_name = &from,
		.msg_namelen = sizeof(from),
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	ssize_t n = recvmsg(end->fd, &msg, 0);

	/* What this very socket sent comes back as outgoing. */
	if (n < 14 || from.sll_pkttype == PACKET_OUTGOING)
		return n < 14 ? 0 : 1;
	return restore_tag(&msg, buf, (uint32_t)n, size);
}

/* ---- either ---- */

bool rt_end_ready(const struct rt_end *end)
{
	struct rte_eth_link link;

	if (end->kind != RT_END_PORT)
		return rt_netdev_running(end->name);
	return rte_eth_link_get_nowait(end->device.id, &link) != 0 ||
	       link.link_status == RTE_ETH_LINK_UP;
}

int rt_end_send(struct rt_end *end, const uint8_t *frame, uint32_t len)
{
	if (end->kind == RT_END_PORT)
		return send_port(end, frame, len);
	return write(end->fd, frame, len) == (ssize_t)len ? 0 : -errno;
}

uint32_t rt_end_receive(struct rt_end *end, uint8_t *buf, uint32_t size)
{
	ssize_t n;

	if (end->kind == RT_END_PORT)
		return receive_port(end, buf, size);
	if (end->kind == RT_END_SOCKET)
		return receive_socket(end, buf, size);
	n = read(end->fd, buf, size);
	return n > 0 ? (uint32_t)n : 0;
}

struct rt_end_counts rt_end_counts(const struct rt_end *end)
{
	struct rt_end_counts counts = {0, 0};
	struct rte_eth_stats stats;

	if (end->kind == RT_END_PORT && rte_eth_stats_get(end->device.id, &stats) == 0) {
		counts.sent = stats.opackets;
		counts.received = stats.ipackets;
	}
	return counts;
}

void rt_end_close(struct rt_end *end)
{
	if (end->kind == RT_END_PORT)
		rt_device_close(&end->device);
	if (end->fd >= 0)
		close(end->fd);
	end->fd = -1;
}
