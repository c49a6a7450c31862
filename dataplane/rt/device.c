/* SPDX-License-Identifier: BSD-3-Clause */
#include "device.h"
#include "eal.h"
#include "losses.h"
#include "netdev.h"

#include <errno.h>
#include <net/if.h>
#include <rte_dev.h>
#include <rte_ethdev.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define DESC 1024           /* frames a device ring, as far as the device agrees */
#define AF_PACKET_ROOM 1900 /* what its default 2,048 B ring frames carry, some spared */
#define AF_PACKET_BIG "framesz=16384,blocksz=65536,framecnt=512"
#define AF_PACKET_MID "framesz=8192,blocksz=65536,framecnt=512"
#define FRAME_BYTES 22 /* Ethernet header, a tag, FCS */

bool rt_device_is_pci(const char *dev)
{
	size_t n = strspn(dev, "0123456789abcdefABCDEF:");

	return n >= 5 && memchr(dev, ':', n) != NULL && dev[n] == '.' && dev[n + 1] >= '0' &&
	       dev[n + 1] <= '7';
}

static bool is_driver(const char *dev, const char *name)
{
	return strncmp(dev, name, strlen(name)) == 0;
}

void rt_device_args(const char *dev, uint32_t mtu_bytes, char *out, size_t size)
{
	const char *more = "";

	if (is_driver(dev, "net_af_packet") && strstr(dev, "framesz=") == NULL) {
		if (mtu_bytes + FRAME_BYTES > 8000)
			more = "," AF_PACKET_BIG;
		else if (mtu_bytes + FRAME_BYTES > AF_PACKET_ROOM)
			more = "," AF_PACKET_MID;
	}
	snprintf(out, size, "%s%s", dev, more);
}

/* The driver gives a frame's whole ring slot to the mbuf: its room must not be smaller. */
static uint32_t least_room(const char *args)
{
	const char *framesz = strstr(args, "framesz=");

	if (!is_driver(args, "net_af_packet"))
		return 0;
	return framesz != NULL ? (uint32_t)strtoul(framesz + 8, NULL, 10) : 2048;
}

static void netdev_of(const char *dev, char name[64])
{
	const char *iface = strstr(dev, "iface=");

	name[0] = '\0';
	if (iface != NULL)
		snprintf(name, 64, "%.*s", (int)strcspn(iface + 6, ","), iface + 6);
}

int rt_device_check_netdev(const char *dev, uint32_t mtu_bytes, const char *where, struct err *err)
{
	char name[64], found[96];
	unsigned int mtu;

	netdev_of(dev, name);
	mtu = rt_netdev_mtu(name);
	if (!is_driver(dev, "net_af_packet") || mtu == 0 || mtu >= mtu_bytes)
		return 0;
	snprintf(found, sizeof(found), "mtu %u on %s", mtu, name);
	return err_set(err, ERR_ENVIRONMENT, EINVAL, where, found,
		       "at least the port's %u: ip link set %s mtu %u, or lower ports.mtu",
		       mtu_bytes, name, mtu_bytes);
}

/* What the machine lacks, in its user's words; DPDK's own messages name neither. */
static int check_machine(const char *dev, const char *where, struct err *err)
{
	char name[64];
	int fd;

	if (!is_driver(dev, "net_af_packet") && !is_driver(dev, "net_af_xdp") &&
	    !is_driver(dev, "net_tap"))
		return 0;
	fd = socket(AF_PACKET, SOCK_RAW, 0);
	if (fd < 0)
		return err_set(err, ERR_ENVIRONMENT, EPERM, where, strerror(errno),
			       "the right to open raw sockets: run as root or with CAP_NET_RAW "
			       "and CAP_NET_ADMIN");
	close(fd);
	netdev_of(dev, name);
	if (is_driver(dev, "net_tap") || if_nametoindex(name) != 0)
		return 0;
	if (name[0] == '\0')
		return err_set(err, ERR_ENVIRONMENT, ENODEV, where, dev,
			       "the network device behind it: \"%.*s,iface=eth1\"",
			       (int)strcspn(dev, ","), dev);
	return err_set(err, ERR_ENVIRONMENT, ENODEV, where, name,
		       "a network device that exists: see `ip link`; a tap is made by "
		       "`ip tuntap add %s mode tap`",
		       name);
}

/* Any number of packet sockets may have a netdev, and each gets every frame. A name in the abstract
 * namespace of Unix sockets is the network namespace's own and goes with the process (man 7 unix). */
static int take_netdev(struct rt_device *device, const char *dev, const char *where,
		       struct err *err)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char name[64];
	int n, fd;

	netdev_of(dev, name);
	if (name[0] == '\0' || (!is_driver(dev, "net_af_packet") && !is_driver(dev, "net_af_xdp")))
		return 0;
	n = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "railyard-netdev-%s",
		     name);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 &&
	    bind(fd, (struct sockaddr *)&address,
		 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n)) == 0) {
		device->locked = true;
		device->ifindex = if_nametoindex(name);
		snprintf(device->netdev, sizeof(device->netdev), "%s", name);
		device->lock_fd = fd;
		return 0;
	}
	n = errno;
	if (fd >= 0)
		close(fd);
	return err_set(err, ERR_ENVIRONMENT, n, where, name,
		       "a network device that no other port and no other railyardd has; stop that "
		       "one with `railyard down`, or choose another");
}

static void give_netdev(struct rt_device *device)
{
	if (device->locked)
		close(device->lock_fd);
	device->locked = false;
}

static int not_found(const char *dev, int ret, const char *where, struct err *err)
{
	const char *cure = "a device that DPDK can drive";

	if (rt_device_is_pci(dev))
		cure = "a PCI device bound to a driver DPDK can use (dpdk-devbind.py --status; "
		       "-b vfio-pci ADDRESS; mlx5 keeps its kernel driver)";
	return err_set(err, ERR_ENVIRONMENT, ret < 0 ? -ret : ENODEV, where, dev,
		       "%s; DPDK says: %s", cure,
		       rt_eal_complaint()[0] != '\0' ? rt_eal_complaint()
						     : strerror(ret < 0 ? -ret : ENODEV));
}

static int find(struct rt_device *device, const char *args)
{
	struct rte_dev_iterator iterator;
	uint16_t id;

	RTE_ETH_FOREACH_MATCHING_DEV(id, args, &iterator)
	{
		rte_eth_iterator_cleanup(&iterator);
		device->id = id;
		return 0;
	}
	return -ENODEV;
}

/* DPDK would hand out one device twice: owning it is what keeps ports apart. */
static int claim(struct rt_device *device, const char *dev, const char *where, struct err *err)
{
	struct rte_eth_dev_owner owner = {.name = "railyard"};

	rt_eal_forget();
	if (rte_eth_dev_owner_new(&owner.id) == 0 &&
	    rte_eth_dev_owner_set(device->id, &owner) == 0) {
		device->owner = owner.id;
		device->open = true;
		return 0;
	}
	return err_set(err, ERR_ENVIRONMENT, EEXIST, where, dev,
		       "a device that no other port uses (net_af_packet0, net_af_packet1, ...)");
}

static int plug(struct rt_device *device, const char *args, const char *where, struct err *err)
{
	int ret;

	rt_eal_forget();
	ret = rte_dev_probe(args);
	/* A PCI device of EAL's allow list is there already. */
	if ((ret != 0 && ret != -EEXIST) || find(device, args) != 0)
		return not_found(args, ret, where, err);
	device->ours = true;
	return 0;
}

static int check_mtu(const struct rte_eth_dev_info *info, uint32_t mtu_bytes, const char *where,
		     struct err *err)
{
	char found[32];

	if (mtu_bytes <= info->max_mtu || info->max_mtu == 0)
		return 0;
	snprintf(found, sizeof(found), "mtu %u", mtu_bytes);
	return err_set(err, ERR_ENVIRONMENT, EINVAL, where, found,
		       "at most %u, which is all that %s takes: lower ports.mtu%s", info->max_mtu,
		       info->driver_name,
		       strcmp(info->driver_name, "net_af_xdp") == 0
			       ? ", or use net_af_packet, which has no such limit"
			       : "");
}

/* Software that reads and writes frames where they lie. A NIC, and a guest that shares memory (vhost,
 * virtio-user, memif, AF_XDP), must find them in DPDK's own. */
static bool copies(const char *driver)
{
	static const char *const those[] = {"net_af_packet", "net_pcap", "net_null", "net_ring",
					    "net_tap"};
	size_t i;

	for (i = 0; i < sizeof(those) / sizeof(those[0]); i++)
		if (strcmp(driver, those[i]) == 0)
			return true;
	return false;
}

static bool is_patient(const char *driver, const char *args)
{
	return strcmp(driver, "net_null") == 0 ||
	       (strcmp(driver, "net_pcap") == 0 && strstr(args, "rx_pcap=") != NULL);
}

static int learn(struct rt_device *device, uint32_t mtu_bytes, const char *where, struct err *err)
{
	struct rte_eth_dev_info info;
	int ret = rte_eth_dev_info_get(device->id, &info);

	if (ret != 0)
		return err_set(err, ERR_ENVIRONMENT, -ret, where, strerror(-ret),
			       "a device that says what it is");
	snprintf(device->driver, sizeof(device->driver), "%s", info.driver_name);
	device->copies = copies(device->driver);
	device->foreign = strcmp(device->driver, "net_ring") == 0;
	device->numa = rte_eth_dev_socket_id(device->id);
	device->rx_desc = DESC;
	device->tx_desc = DESC;
	rte_eth_dev_adjust_nb_rx_tx_desc(device->id, &device->rx_desc, &device->tx_desc);
	return check_mtu(&info, mtu_bytes, where, err);
}

int rt_device_open(struct rt_device *device, const char *dev, uint32_t mtu_bytes, const char *where,
		   struct err *err)
{
	char args[512];
	int ret;

	memset(device, 0, sizeof(*device));
	if (strncmp(dev, "port:", 5) == 0) {
		device->id = (uint16_t)strtoul(dev + 5, NULL, 10);
		if (!rte_eth_dev_is_valid_port(device->id))
			return err_set(err, ERR_ENVIRONMENT, ENODEV, where, dev,
				       "an ethdev of this process");
	} else {
		rt_device_args(dev, mtu_bytes, args, sizeof(args));
		ret = check_machine(args, where, err);
		if (ret == 0)
			ret = take_netdev(device, args, where, err);
		if (ret == 0)
			ret = plug(device, args, where, err);
		if (ret != 0) {
			give_netdev(device);
			return ret;
		}
		device->least_room = least_room(args);
	}
	ret = claim(device, dev, where, err);
	if (ret == 0)
		ret = learn(device, mtu_bytes, where, err);
	if (ret == 0)
		device->patient = is_patient(device->driver, dev);
	if (ret != 0)
		rt_device_close(device);
	return ret;
}

/* A MAC usually ends received pause frames itself: ask it to pass them on and to send none of its
 * own. Drivers that cannot, refuse; selftest says what is true. */
static void flow_control(struct rt_device *device)
{
	struct rte_eth_fc_conf fc;

	memset(&fc, 0, sizeof(fc));
	if (rte_eth_dev_flow_ctrl_get(device->id, &fc) != 0)
		return;
	fc.mode = RTE_ETH_FC_NONE;
	fc.mac_ctrl_frame_fwd = 1;
	device->fc_forward = rte_eth_dev_flow_ctrl_set(device->id, &fc) == 0;
}

static int set_up(struct rt_device *device, struct rte_mempool *pool, uint32_t mtu_bytes)
{
	struct rte_eth_conf conf;
	int ret;

	memset(&conf, 0, sizeof(conf));
	conf.rxmode.mtu = mtu_bytes;
	/* It claims 1,500 whatever its ring frames carry, and does nothing with the value. */
	if (strcmp(device->driver, "net_af_packet") == 0 && mtu_bytes > RTE_ETHER_MTU)
		conf.rxmode.mtu = RTE_ETHER_MTU;
	ret = rte_eth_dev_configure(device->id, 1, 1, &conf);
	if (ret == 0)
		ret = rte_eth_rx_queue_setup(device->id, 0, device->rx_desc,
					     (unsigned int)device->numa, NULL, pool);
	if (ret == 0)
		ret = rte_eth_tx_queue_setup(device->id, 0, device->tx_desc,
					     (unsigned int)device->numa, NULL);
	return ret == 0 ? rte_eth_dev_start(device->id) : ret;
}

int rt_device_start(struct rt_device *device, struct rte_mempool *pool, uint32_t mtu_bytes,
		    const char *where, struct err *err)
{
	int ret;

	rt_eal_forget();
	ret = set_up(device, pool, mtu_bytes);
	if (ret != 0)
		return err_set(err, ERR_ENVIRONMENT, -ret, where, strerror(-ret),
			       "%s to start with mtu %u and %u B buffers; DPDK says: %s",
			       device->driver, mtu_bytes, rte_pktmbuf_data_room_size(pool),
			       rt_eal_complaint());
	device->started = true;
	rte_eth_promiscuous_enable(device->id);
	flow_control(device);
	rt_losses_begin(device);
	return 0;
}

bool rt_device_link_up(const struct rt_device *device)
{
	struct rte_eth_link link;
	char name[IF_NAMESIZE];

	if (rte_eth_link_get_nowait(device->id, &link) != 0 || link.link_status != RTE_ETH_LINK_UP)
		return false;
	return device->ifindex == 0 ||
	       (if_indextoname(device->ifindex, name) != NULL && rt_netdev_running(name));
}

unsigned int rt_device_made_again(const struct rt_device *device)
{
	unsigned int now = device->netdev[0] == '\0' ? 0 : if_nametoindex(device->netdev);

	return now != device->ifindex ? now : 0;
}

void rt_device_stop(struct rt_device *device)
{
	if (device->started)
		rte_eth_dev_stop(device->id);
	device->started = false;
}

void rt_device_close(struct rt_device *device)
{
	struct rte_eth_dev_info info;

	rt_device_stop(device);
	if (device->open)
		rte_eth_dev_owner_unset(device->id, device->owner);
	if (device->open && device->ours && rte_eth_dev_info_get(device->id, &info) == 0) {
		rte_eth_dev_close(device->id);
		rte_dev_remove(info.device);
	}
	device->open = false;
	give_netdev(device);
}
