/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/rt/device.c"
#include "tests/unit/cu.h"

static void pci_addresses(void)
{
	CU_ASSERT_TRUE(rt_device_is_pci("0000:3b:00.0"));
	CU_ASSERT_TRUE(rt_device_is_pci("3b:00.1,rx_vec_en=0"));
	CU_ASSERT_FALSE(rt_device_is_pci("net_af_packet0,iface=tap0"));
	CU_ASSERT_FALSE(rt_device_is_pci("port:3"));
}

static void args_size_af_packet_for_the_mtu(void)
{
	char out[256];

	rt_device_args("net_af_packet0,iface=tap0", 1500, out, sizeof(out));
	CU_ASSERT_STRING_EQUAL(out, "net_af_packet0,iface=tap0");
	rt_device_args("net_af_packet0,iface=tap0", 4200, out, sizeof(out));
	CU_ASSERT_STRING_EQUAL(out, "net_af_packet0,iface=tap0," AF_PACKET_MID);
	rt_device_args("net_af_packet0,iface=tap0", 9000, out, sizeof(out));
	CU_ASSERT_STRING_EQUAL(out, "net_af_packet0,iface=tap0," AF_PACKET_BIG);
	rt_device_args("net_af_packet0,iface=tap0,framesz=4096", 9000, out, sizeof(out));
	CU_ASSERT_STRING_EQUAL(out, "net_af_packet0,iface=tap0,framesz=4096");
	rt_device_args("net_tap0", 9000, out, sizeof(out));
	CU_ASSERT_STRING_EQUAL(out, "net_tap0");
}

static void room_by_driver(void)
{
	CU_ASSERT_EQUAL(least_room("net_af_packet0,iface=tap0"), 2048);
	CU_ASSERT_EQUAL(least_room("net_af_packet0,iface=tap0,framesz=8192"), 8192);
	CU_ASSERT_EQUAL(least_room("net_null0"), 0);
}

static void mtu_limit_and_cure(void)
{
	struct rte_eth_dev_info info = {.driver_name = "net_af_xdp", .max_mtu = 3506};
	struct err err = {0};
	char text[1024];

	CU_ASSERT_EQUAL(check_mtu(&info, 3506, "s1-h1", &err), 0);
	CU_ASSERT_EQUAL(check_mtu(&info, 4200, "s1-h1", &err), -EINVAL);
	CU_ASSERT_EQUAL(err.status, ERR_ENVIRONMENT);
	CU_ASSERT_STRING_EQUAL(err_text(&err, text, sizeof(text)),
			       "s1-h1: found mtu 4200, expected at most 3506, which is all that "
			       "net_af_xdp takes: lower ports.mtu, or use net_af_packet, which has "
			       "no such limit");
}

static void netdev_must_exist(void)
{
	struct err err = {0};
	int ret = check_machine("net_af_packet0,iface=ry_no_such", "s1-h1", &err);

	/* which of the two is missing depends on who runs the test */
	CU_ASSERT_TRUE(ret == -ENODEV || ret == -EPERM);
	CU_ASSERT_EQUAL(err.status, ERR_ENVIRONMENT);
	if (ret == -ENODEV)
		CU_ASSERT_STRING_EQUAL(err.found, "ry_no_such");
}

static void netdev_for_one(void)
{
	struct rt_device a = {0}, b = {0}, c = {0};
	struct err err = {0};

	CU_ASSERT_EQUAL(take_netdev(&a, "net_af_packet0,iface=ry_lock0", "s1-h1", &err), 0);
	CU_ASSERT_EQUAL(take_netdev(&b, "net_af_packet1,iface=ry_lock1", "s1-h2", &err), 0);
	CU_ASSERT_EQUAL(
		take_netdev(&c, "net_af_packet2,iface=ry_lock0,framesz=4096", "s1-h3", &err),
		-EADDRINUSE);
	CU_ASSERT_EQUAL(err.status, ERR_ENVIRONMENT);
	CU_ASSERT_STRING_EQUAL(err.path, "s1-h3");
	CU_ASSERT_STRING_EQUAL(err.found, "ry_lock0");
	/* A tap's name is the kernel's to guard. */
	CU_ASSERT_EQUAL(take_netdev(&c, "net_tap0,iface=ry_lock0", "s1-h3", &err), 0);
	give_netdev(&a);
	CU_ASSERT_EQUAL(take_netdev(&c, "net_af_packet2,iface=ry_lock0", "s1-h3", &err), 0);
	give_netdev(&b);
	give_netdev(&c);
}

/* Whose memory the frames may lie in, and who keeps what is not polled. */
static void kinds_of_drivers(void)
{
	CU_ASSERT_TRUE(copies("net_af_packet"));
	CU_ASSERT_TRUE(copies("net_pcap"));
	CU_ASSERT_FALSE(copies("net_vhost"));
	CU_ASSERT_FALSE(copies("net_virtio_user"));
	CU_ASSERT_FALSE(copies("net_af_xdp"));
	CU_ASSERT_FALSE(copies("mlx5_pci"));
	CU_ASSERT_TRUE(is_patient("net_pcap", "net_pcap0,rx_pcap=a.pcap"));
	CU_ASSERT_FALSE(is_patient("net_pcap", "net_pcap0,iface=eth1"));
	CU_ASSERT_TRUE(is_patient("net_null", "net_null0"));
	CU_ASSERT_FALSE(is_patient("net_ring", "port:0"));
	CU_ASSERT_FALSE(is_patient("net_af_packet", "net_af_packet0,iface=rx_pcap=0"));
}

/* lo is always 1: a netdev of its name with another index was made since. */
static void made_again(void)
{
	struct rt_device device = {.ifindex = if_nametoindex("lo"), .netdev = "lo"};
	struct rt_device none = {0};

	CU_ASSERT_EQUAL(rt_device_made_again(&device), 0);
	device.ifindex += 100;
	CU_ASSERT_EQUAL(rt_device_made_again(&device), if_nametoindex("lo"));
	CU_ASSERT_EQUAL(rt_device_made_again(&none), 0);
	snprintf(device.netdev, sizeof(device.netdev), "ry_gone");
	CU_ASSERT_EQUAL(rt_device_made_again(&device), 0);
}

static const struct cu_case cases[] = {
	{"rt_device_is_pci__addresses", pci_addresses},
	{"rt_device_args__size_af_packet_for_the_mtu", args_size_af_packet_for_the_mtu},
	{"least_room__by_driver", room_by_driver},
	{"check_mtu__limit_and_cure", mtu_limit_and_cure},
	{"copies__and_is_patient", kinds_of_drivers},
	{"rt_device_made_again__by_its_index", made_again},
	{"take_netdev__for_one", netdev_for_one},
	{"check_machine__netdev_must_exist", netdev_must_exist},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("rt/device", cases);
}
