/* SPDX-License-Identifier: BSD-3-Clause */
/* Every verdict, by filters planted as DPDK's rx and tx callbacks: on two ring ports that are cabled
 * together, and on a tap in a network namespace of the test's own. */
#define _GNU_SOURCE
#include "bench.h" /* DPDK and its rings */
#include "dataplane/rt/selftest.c"
#include "tests/unit/cu.h"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static struct rt_selftest result;
static uint16_t ring_a, ring_b;
static bool own_net; /* the test may make taps */

/* Two ports, each other's far side. */
static void rings(void)
{
	struct rte_ring *ab, *ba;

	if (rte_ring_lookup("ab") != NULL)
		return;
	ab = rte_ring_create("ab", 64, SOCKET_ID_ANY, 0);
	ba = rte_ring_create("ba", 64, SOCKET_ID_ANY, 0);
	ring_a = (uint16_t)rte_eth_from_rings("a", &ba, 1, &ab, 1, SOCKET_ID_ANY);
	ring_b = (uint16_t)rte_eth_from_rings("b", &ab, 1, &ba, 1, SOCKET_ID_ANY);
}

static void run(const char *a, const char *b, uint32_t mtu)
{
	struct rt_selftest_config config = {
		.dev = {a, b}, .mtu_bytes = mtu, .wait_ms = 15, .no_huge = true};
	struct err err = {0};
	char text[1024];

	if (rt_selftest(&result, &config, &err) != 0)
		fprintf(stderr, "%s\n", err_text(&err, text, sizeof(text)));
	CU_ASSERT_EQUAL_FATAL(err.status, ERR_NONE);
}

static void run_rings(void)
{
	char a[16], b[16];

	snprintf(a, sizeof(a), "port:%u", ring_a);
	snprintf(b, sizeof(b), "port:%u", ring_b);
	run(a, b, 4200);
}

/* All but one probe work, both ways but for that one's verdict from A to B. */
static void only(enum rt_probe probe, enum rt_verdict_kind verdict)
{
	int i;

	for (i = 0; i < RT_PROBES; i++) {
		CU_ASSERT_EQUAL(result.rows[0][i].verdict,
				i == (int)probe ? verdict : RT_VERDICT_WORKS);
		CU_ASSERT_EQUAL(result.rows[1][i].verdict, RT_VERDICT_WORKS);
		CU_ASSERT_EQUAL(result.rows[1][i].cure[0], '\0');
	}
	if (verdict != RT_VERDICT_WORKS)
		CU_ASSERT_NOT_EQUAL(result.rows[0][probe].cure[0], '\0');
}

/* ---- the planted filters ---- */

static bool is_probe(const struct rte_mbuf *m, enum rt_probe probe)
{
	const uint8_t *data = rte_pktmbuf_mtod(m, const uint8_t *);
	const uint8_t *mark = memmem(data, m->data_len, "RYST", 4);

	return mark != NULL && mark[4] == probe;
}

static uint16_t keep(struct rte_mbuf **frames, uint16_t n, enum rt_probe victim)
{
	uint16_t i, kept = 0;

	for (i = 0; i < n; i++) {
		if (is_probe(frames[i], victim))
			rte_pktmbuf_free(frames[i]);
		else
			frames[kept++] = frames[i];
	}
	return kept;
}

static uint16_t eat_rx(uint16_t port, uint16_t queue, struct rte_mbuf **frames, uint16_t n,
		       uint16_t max, void *arg)
{
	(void)port, (void)queue, (void)max;
	return keep(frames, n, *(enum rt_probe *)arg);
}

static uint16_t drop_tx(uint16_t port, uint16_t queue, struct rte_mbuf **frames, uint16_t n,
			void *arg)
{
	(void)port, (void)queue;
	return keep(frames, n, *(enum rt_probe *)arg);
}

struct change {
	enum rt_probe probe;
	uint16_t offset;
	uint8_t value;
};

static uint16_t change_rx(uint16_t port, uint16_t queue, struct rte_mbuf **frames, uint16_t n,
			  uint16_t max, void *arg)
{
	const struct change *change = arg;
	uint16_t i;

	(void)port, (void)queue, (void)max;
	for (i = 0; i < n; i++)
		if (is_probe(frames[i], change->probe))
			rte_pktmbuf_mtod(frames[i], uint8_t *)[change->offset] = change->value;
	return n;
}

static uint16_t strip_rx(uint16_t port, uint16_t queue, struct rte_mbuf **frames, uint16_t n,
			 uint16_t max, void *arg)
{
	uint16_t i;

	(void)port, (void)queue, (void)max, (void)arg;
	for (i = 0; i < n; i++)
		if (is_probe(frames[i], RT_PROBE_VLAN))
			rte_vlan_strip(frames[i]);
	/* the driver says nothing of it, so that nobody can put it back */
	for (i = 0; i < n; i++)
		frames[i]->ol_flags = 0;
	return n;
}

/* ---- on rings ---- */

static void clean_cable(void)
{
	rings();
	run_rings();
	only(RT_PROBES, RT_VERDICT_WORKS);
	CU_ASSERT_EQUAL(result.ends[0].pfc_tx, RT_PFC_FRAME);
	CU_ASSERT_EQUAL(result.ends[0].pfc_rx, RT_PFC_FRAME);
	CU_ASSERT_STRING_EQUAL(result.ends[0].driver, "net_ring");
	CU_ASSERT_FALSE(result.ends[0].peer_ignores_pfc);
}

static void each_probe_dropped_on_tx(void)
{
	const struct rte_eth_rxtx_callback *filter;
	enum rt_probe probe;

	rings();
	for (probe = 0; probe < RT_PROBES; probe++) {
		filter = rte_eth_add_tx_callback(ring_a, 0, drop_tx, &probe);
		run_rings();
		rte_eth_remove_tx_callback(ring_a, 0, filter);
		only(probe, RT_VERDICT_DROPPED_ON_TX);
		if (probe == RT_PROBE_PFC) {
			CU_ASSERT_EQUAL(result.ends[0].pfc_tx, RT_PFC_NONE);
			CU_ASSERT_EQUAL(result.ends[1].pfc_rx, RT_PFC_NONE);
			CU_ASSERT_PTR_NOT_NULL(strstr(result.rows[0][probe].cure, "edge: emulate"));
		}
	}
}

static void each_probe_eaten_on_rx(void)
{
	const struct rte_eth_rxtx_callback *filter;
	enum rt_probe probe;

	rings();
	for (probe = 0; probe < RT_PROBES; probe++) {
		filter = rte_eth_add_rx_callback(ring_b, 0, eat_rx, &probe);
		run_rings();
		rte_eth_remove_rx_callback(ring_b, 0, filter);
		only(probe, RT_VERDICT_EATEN_ON_RX);
		CU_ASSERT_STRING_EQUAL(result.rows[0][probe].detail,
				       "sent; the receiver counted it and did not deliver it");
		if (probe == RT_PROBE_PFC)
			CU_ASSERT_PTR_NOT_NULL(
				strstr(result.rows[0][probe].cure, "mac_ctrl_frame_fwd"));
	}
}

static void altered(void)
{
	static const struct change changes[] = {{RT_PROBE_CE, 15, 26 << 2},
						{RT_PROBE_DSCP, 15, 2},
						{RT_PROBE_VLAN, 15, 101},
						{RT_PROBE_JUMBO, 4000, 0xee}};
	static const char *const says[] = {"ECN 3 -> 0", "DSCP 26 -> 0",
					   "VLAN tag 0x6064 -> 0x6065", "byte 4000"};
	const struct rte_eth_rxtx_callback *filter;
	int i;

	rings();
	for (i = 0; i < 4; i++) {
		struct change change = changes[i];

		filter = rte_eth_add_rx_callback(ring_b, 0, change_rx, &change);
		run_rings();
		rte_eth_remove_rx_callback(ring_b, 0, filter);
		only(change.probe, RT_VERDICT_ALTERED);
		CU_ASSERT_PTR_NOT_NULL(strstr(result.rows[0][change.probe].detail, says[i]));
	}
}

static void tag_stripped(void)
{
	const struct rte_eth_rxtx_callback *filter;

	rings();
	filter = rte_eth_add_rx_callback(ring_b, 0, strip_rx, NULL);
	run_rings();
	rte_eth_remove_rx_callback(ring_b, 0, filter);
	only(RT_PROBE_VLAN, RT_VERDICT_ALTERED);
	CU_ASSERT_PTR_NOT_NULL(strstr(result.rows[0][RT_PROBE_VLAN].detail, "tag is gone"));
	CU_ASSERT_PTR_NOT_NULL(strstr(result.rows[0][RT_PROBE_VLAN].cure, "rxvlan off"));
}

static void no_far_side(void)
{
	struct rt_selftest_config config = {.dev = {"net_null7"}, .no_huge = true};
	uint16_t ports = rte_eth_dev_count_total();
	struct err err = {0};

	rings();
	CU_ASSERT_EQUAL(rt_selftest(&result, &config, &err), -ENOTSUP);
	CU_ASSERT_EQUAL(err.status, ERR_USAGE);
	CU_ASSERT_EQUAL(rte_eth_dev_count_total(), ports);
}

/* ---- on a tap ---- */

static int tap_fd_of_test = -1;

static void make_tap(void)
{
	struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI, .ifr_name = "ryst0"};
	int s;

	if (tap_fd_of_test >= 0)
		return;
	tap_fd_of_test = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
	CU_ASSERT_TRUE_FATAL(tap_fd_of_test >= 0);
	CU_ASSERT_EQUAL_FATAL(ioctl(tap_fd_of_test, TUNSETIFF, &request), 0);
	CU_ASSERT_EQUAL_FATAL(ioctl(tap_fd_of_test, TUNSETPERSIST, 1), 0);
	close(tap_fd_of_test); /* selftest holds it, as a guest would */
	s = socket(AF_INET, SOCK_DGRAM, 0);
	request.ifr_mtu = 5000;
	CU_ASSERT_EQUAL(ioctl(s, SIOCSIFMTU, &request), 0);
	request.ifr_flags = IFF_UP;
	CU_ASSERT_EQUAL(ioctl(s, SIOCSIFFLAGS, &request), 0);
	close(s);
}

static bool can_tap(void)
{
	if (!own_net)
		printf("(no namespace of its own: not run) ");
	else
		make_tap();
	return own_net;
}

static void tap_as_it_is(void)
{
	rings();
	if (!can_tap())
		return;
	run("net_af_packet0,iface=ryst0", NULL, 4200);
	only(RT_PROBES, RT_VERDICT_WORKS);
	CU_ASSERT_STRING_EQUAL(result.ends[1].name, "ryst0");
	CU_ASSERT_EQUAL(result.ends[0].pfc_tx, RT_PFC_FRAME);
	CU_ASSERT_TRUE(result.ends[0].peer_ignores_pfc);
}

static void tap_of_too_small_an_mtu(void)
{
	rings();
	if (!can_tap())
		return;
	run("net_af_packet0,iface=ryst0", NULL, 5500);
	CU_ASSERT_NOT_EQUAL(result.rows[0][RT_PROBE_JUMBO].verdict, RT_VERDICT_WORKS);
	CU_ASSERT_PTR_NOT_NULL(strstr(result.rows[0][RT_PROBE_JUMBO].cure, "mtu"));
	CU_ASSERT_EQUAL(result.rows[0][RT_PROBE_MIN].verdict, RT_VERDICT_WORKS);
}

/* Plants the filter on a port made here, and names the far side by hand. */
static void tap_with_filter(bool tx, enum rt_probe probe, enum rt_verdict_kind verdict)
{
	const struct rte_eth_rxtx_callback *filter;
	struct rte_dev_iterator it;
	struct rte_eth_dev_info info;
	char dev[16];
	uint16_t id;

	CU_ASSERT_EQUAL_FATAL(rte_dev_probe("net_af_packet9,iface=ryst0"), 0);
	RTE_ETH_FOREACH_MATCHING_DEV(id, "net_af_packet9", &it)
	{
		rte_eth_iterator_cleanup(&it);
		break;
	}
	filter = tx ? rte_eth_add_tx_callback(id, 0, drop_tx, &probe)
		    : rte_eth_add_rx_callback(id, 0, eat_rx, &probe);
	CU_ASSERT_PTR_NOT_NULL_FATAL(filter);
	snprintf(dev, sizeof(dev), "port:%u", id);
	run(dev, "netdev:ryst0", 1500);
	CU_ASSERT_EQUAL(result.rows[tx ? 0 : 1][probe].verdict, verdict);
	CU_ASSERT_NOT_EQUAL(result.rows[tx ? 0 : 1][probe].cure[0], '\0');
	CU_ASSERT_EQUAL(result.rows[tx ? 1 : 0][probe].verdict, RT_VERDICT_WORKS);
	if (tx)
		rte_eth_remove_tx_callback(id, 0, filter);
	else
		rte_eth_remove_rx_callback(id, 0, filter);
	rte_eth_dev_info_get(id, &info);
	rte_eth_dev_close(id);
	rte_dev_remove(info.device);
}

static void tap_drops_on_tx(void)
{
	rings();
	if (!can_tap())
		return;
	tap_with_filter(true, RT_PROBE_PFC, RT_VERDICT_DROPPED_ON_TX);
	CU_ASSERT_EQUAL(result.ends[0].pfc_tx, RT_PFC_NONE);
	CU_ASSERT_EQUAL(result.ends[0].pfc_rx, RT_PFC_FRAME);
}

static void tap_eats_on_rx(void)
{
	rings();
	if (!can_tap())
		return;
	tap_with_filter(false, RT_PROBE_PFC, RT_VERDICT_EATEN_ON_RX);
	CU_ASSERT_EQUAL(result.ends[0].pfc_tx, RT_PFC_FRAME);
	CU_ASSERT_EQUAL(result.ends[0].pfc_rx, RT_PFC_NONE);
}

static const struct cu_case cases[] = {
	{"rt_selftest__clean_cable", clean_cable},
	{"rt_selftest__each_probe_dropped_on_tx", each_probe_dropped_on_tx},
	{"rt_selftest__each_probe_eaten_on_rx", each_probe_eaten_on_rx},
	{"rt_selftest__altered", altered},
	{"rt_selftest__tag_stripped", tag_stripped},
	{"rt_selftest__no_far_side", no_far_side},
	{"rt_selftest__tap_as_it_is", tap_as_it_is},
	{"rt_selftest__tap_of_too_small_an_mtu", tap_of_too_small_an_mtu},
	{"rt_selftest__tap_drops_on_tx", tap_drops_on_tx},
	{"rt_selftest__tap_eats_on_rx", tap_eats_on_rx},
	{NULL, NULL},
};

int main(void)
{
	/* Before any thread; an ordinary user gets a namespace where the kernel lets him. */
	own_net = unshare(geteuid() == 0 ? CLONE_NEWNET : CLONE_NEWUSER | CLONE_NEWNET) == 0;
	return bench_main("rt/selftest", cases, 2 * BENCH_MEMORY);
}
