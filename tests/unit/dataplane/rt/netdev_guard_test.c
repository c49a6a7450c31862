/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/rt/netdev_guard.c"
#include "tests/unit/cu.h"

/* Default by eth0; 192.0.2.0/24 by eth1; 198.51.100.0/25 by eth2; a down default by eth3. */
static const char route[] =
	"Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
	"eth0\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
	"eth1\t000200C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n"
	"eth2\t006433C6\t00000000\t0001\t0\t0\t100\t80FFFFFF\t0\t0\t0\n"
	"eth3\t00000000\t010200C0\t0000\t0\t0\t100\t00000000\t0\t0\t0\n";

/* 2001:db8:1::/64 by eth4, default by eth5, and lo's reject route that is no way out. */
static const char route6[] =
	"20010db8000100000000000000000000 40 00000000000000000000000000000000 00 "
	"00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth4\n"
	"00000000000000000000000000000000 00 00000000000000000000000000000000 00 "
	"fe800000000000000000000000000001 00000400 00000001 00000000 00000003     eth5\n"
	"00000000000000000000000000000000 00 00000000000000000000000000000000 00 "
	"00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo\n";

static enum rt_guard ask(const char *netdev, const char *ssh)
{
	return rt_guard_netdev(netdev, route, route6, ssh);
}

static void default_route(void)
{
	CU_ASSERT_EQUAL(ask("eth0", NULL), RT_GUARD_DEFAULT_ROUTE);
	CU_ASSERT_EQUAL(ask("eth5", NULL), RT_GUARD_DEFAULT_ROUTE);
}

static void others_are_free(void)
{
	CU_ASSERT_EQUAL(ask("eth1", NULL), RT_GUARD_FREE);
	CU_ASSERT_EQUAL(ask("eth4", NULL), RT_GUARD_FREE);
	CU_ASSERT_EQUAL(ask("eth3", NULL), RT_GUARD_FREE); /* the route is not up */
	CU_ASSERT_EQUAL(ask("eth", NULL), RT_GUARD_FREE);  /* a prefix of a name is another name */
	CU_ASSERT_EQUAL(ask("lo", NULL), RT_GUARD_FREE);
	CU_ASSERT_EQUAL(rt_guard_netdev("eth0", NULL, NULL, NULL), RT_GUARD_FREE);
}

static void ssh_by_longest_prefix(void)
{
	CU_ASSERT_EQUAL(ask("eth1", "192.0.2.77 50000 192.0.2.1 22"), RT_GUARD_SSH);
	CU_ASSERT_EQUAL(ask("eth0", "192.0.2.77 50000 192.0.2.1 22"), RT_GUARD_DEFAULT_ROUTE);
	CU_ASSERT_EQUAL(ask("eth2", "198.51.100.126 1 198.51.100.1 22"), RT_GUARD_SSH);
	/* just outside the /25: by the default route */
	CU_ASSERT_EQUAL(ask("eth2", "198.51.100.128 1 198.51.100.1 22"), RT_GUARD_FREE);
	CU_ASSERT_EQUAL(ask("eth0", "198.51.100.128 1 198.51.100.1 22"), RT_GUARD_SSH);
}

static void ssh_over_ipv6(void)
{
	CU_ASSERT_EQUAL(ask("eth4", "2001:db8:1::9 50000 2001:db8:1::1 22"), RT_GUARD_SSH);
	CU_ASSERT_EQUAL(ask("eth4", "2001:db8:2::9 50000 2001:db8:1::1 22"), RT_GUARD_FREE);
	CU_ASSERT_EQUAL(ask("eth5", "2001:db8:2::9 50000 2001:db8:1::1 22"), RT_GUARD_SSH);
}

static void nonsense_is_not_ssh(void)
{
	CU_ASSERT_EQUAL(ask("eth1", ""), RT_GUARD_FREE);
	CU_ASSERT_EQUAL(ask("eth1", "not-an-address 1 2 3"), RT_GUARD_FREE);
	CU_ASSERT_EQUAL(rt_guard_netdev("eth1", "garbage\n\n\n", "zz 40\n", NULL), RT_GUARD_FREE);
}

static void names_from_arguments(void)
{
	char names[8][64];

	CU_ASSERT_EQUAL(rt_guard_names("net_af_packet0,iface=eth1,framesz=8192", names, 8), 1);
	CU_ASSERT_STRING_EQUAL(names[0], "eth1");
	CU_ASSERT_EQUAL(rt_guard_names("net_tap0,iface=t0,remote=eth7", names, 8), 2);
	CU_ASSERT_STRING_EQUAL(names[1], "eth7");
	CU_ASSERT_EQUAL(rt_guard_names("net_null0", names, 8), 0);
	CU_ASSERT_EQUAL(rt_guard_names("port:3", names, 8), 0);
	CU_ASSERT_EQUAL(rt_guard_names("ffff:ff:1f.7", names, 8), 0);
}

/* eth0 is in br0, over which br0.7 stands. */
static void uppers_of_uppers(void)
{
	char dir[] = "/tmp/railyard-guard-XXXXXX", command[256], names[8][64] = {"eth0"};

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	snprintf(command, sizeof(command),
		 "cd %s && mkdir -p eth0/upper_br0 eth0/queues br0/upper_br0.7 br0.7 eth1", dir);
	CU_ASSERT_EQUAL(system(command), 0);
	CU_ASSERT_EQUAL(rt_guard_uppers(dir, names, 1, 8), 3);
	CU_ASSERT_STRING_EQUAL(names[1], "br0");
	CU_ASSERT_STRING_EQUAL(names[2], "br0.7");
	CU_ASSERT_EQUAL(rt_guard_uppers(dir, names, 1, 2), 2);
	snprintf(names[0], sizeof(names[0]), "eth1");
	CU_ASSERT_EQUAL(rt_guard_uppers(dir, names, 1, 8), 1);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	CU_ASSERT_EQUAL(system(command), 0);
}

static const struct cu_case cases[] = {
	{"rt_guard_netdev__default_route", default_route},
	{"rt_guard_netdev__others_are_free", others_are_free},
	{"rt_guard_netdev__ssh_by_longest_prefix", ssh_by_longest_prefix},
	{"rt_guard_netdev__ssh_over_ipv6", ssh_over_ipv6},
	{"rt_guard_netdev__nonsense_is_not_ssh", nonsense_is_not_ssh},
	{"rt_guard_uppers__of_uppers", uppers_of_uppers},
	{"rt_guard_names__from_arguments", names_from_arguments},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("rt/netdev_guard", cases);
}
