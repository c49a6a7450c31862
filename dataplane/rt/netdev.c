/* SPDX-License-Identifier: BSD-3-Clause */
#include "netdev.h"

#include <dirent.h>
#include <linux/ethtool.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static int device_ioctl(const char *netdev, unsigned long code, struct ifreq *ifr)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), ret;

	if (fd < 0)
		return -1;
	snprintf(ifr->ifr_name, sizeof(ifr->ifr_name), "%.15s", netdev);
	ret = ioctl(fd, code, ifr);
	close(fd);
	return ret;
}

static int ask(const char *netdev, void *request)
{
	struct ifreq ifr = {.ifr_data = request};

	return device_ioctl(netdev, SIOCETHTOOL, &ifr);
}

unsigned int rt_netdev_mtu(const char *netdev)
{
	struct ifreq ifr = {0};

	return device_ioctl(netdev, SIOCGIFMTU, &ifr) == 0 ? (unsigned int)ifr.ifr_mtu : 0;
}

bool rt_netdev_running(const char *netdev)
{
	struct ifreq ifr = {0};

	return device_ioctl(netdev, SIOCGIFFLAGS, &ifr) == 0 && (ifr.ifr_flags & IFF_RUNNING) != 0;
}

void rt_netdev_driver(const char *netdev, char *out, size_t size)
{
	struct ethtool_drvinfo info = {.cmd = ETHTOOL_GDRVINFO};

	if (ask(netdev, &info) != 0)
		info.driver[0] = '\0';
	snprintf(out, size, "%s", info.driver);
}

unsigned int rt_netdev_veth_peer(const char *netdev)
{
	struct ethtool_drvinfo info = {.cmd = ETHTOOL_GDRVINFO};
	struct ethtool_gstrings *names;
	struct ethtool_stats *values;
	unsigned int i, peer = 0;

	if (ask(netdev, &info) != 0 || strcmp(info.driver, "veth") != 0)
		return 0;
	names = calloc(1, sizeof(*names) + (size_t)info.n_stats * ETH_GSTRING_LEN);
	values = calloc(1, sizeof(*values) + info.n_stats * sizeof(values->data[0]));
	if (names != NULL && values != NULL) {
		names->cmd = ETHTOOL_GSTRINGS;
		names->string_set = ETH_SS_STATS;
		names->len = info.n_stats;
		values->cmd = ETHTOOL_GSTATS;
		values->n_stats = info.n_stats;
		if (ask(netdev, names) != 0 || ask(netdev, values) != 0)
			info.n_stats = 0;
		for (i = 0; i < info.n_stats; i++)
			if (strcmp((const char *)&names->data[i * ETH_GSTRING_LEN],
				   "peer_ifindex") == 0)
				peer = (unsigned int)values->data[i];
	}
	free(names);
	free(values);
	return peer;
}

static bool bound_to(int fd, unsigned int ifindex)
{
	struct sockaddr_ll address = {0};
	socklen_t length = sizeof(address);

	return getsockname(fd, (struct sockaddr *)&address, &length) == 0 &&
	       address.sll_family == AF_PACKET && address.sll_ifindex == (int)ifindex;
}

int rt_netdev_packet_socket(unsigned int ifindex)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;
	int fd = -1, i;

	while (dir != NULL && fd < 0 && (entry = readdir(dir)) != NULL) {
		i = (int)strtol(entry->d_name, NULL, 10);
		if (entry->d_name[0] != '.' && bound_to(i, ifindex))
			fd = i;
	}
	if (dir != NULL)
		closedir(dir);
	return fd;
}

unsigned int rt_netdev_packet_drops(int fd)
{
	struct tpacket_stats stats = {0};
	socklen_t length = sizeof(stats);

	if (fd < 0 || getsockopt(fd, SOL_PACKET, PACKET_STATISTICS, &stats, &length) != 0)
		return 0;
	return stats.tp_drops;
}
