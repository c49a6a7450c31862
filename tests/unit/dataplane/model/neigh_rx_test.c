/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/neigh_rx.c"

#include "fake_sw.h"

#define NA_OVERRIDE 0x20

/* Domain D has the subnets 10.D.0.0/16 and fd00:0:0:D::/64. */
static void connected(struct sw_route routes[4])
{
	for (uint8_t i = 0; i < 4; i++) {
		routes[i] = (struct sw_route){.kind = SW_ROUTE_CONNECTED, .domain = 1 + i / 2};
		routes[i].len = i % 2 ? 64 : 112;
		if (i % 2)
			fake_ip6(routes[i].prefix, 1 + i / 2, 0);
		else
			fake_ip4(routes[i].prefix, i ? "10.2.0.0" : "10.1.0.0");
	}
}

/* Domain 1: 10.1.0.254 and fd00:0:0:1::fe. Domain 2: 10.2.0.254 and fd00:0:0:2::fe, proxies. */
static struct sw *new_switch(void)
{
	struct sw_route routes[5];
	struct sw_gateway g[4] = {{.domain = 1},
				  {.domain = 1},
				  {.domain = 2, .proxy = true},
				  {.domain = 2, .proxy = true}};
	struct sw *sw;

	fake_ip4(g[0].ip, "10.1.0.254");
	fake_ip6(g[1].ip, 1, 254);
	fake_ip4(g[2].ip, "10.2.0.254");
	fake_ip6(g[3].ip, 2, 254);
	connected(routes);
	/* One host of 10.1.0.0/16 has a route of its own, over ports 0 and 1. */
	routes[4] = (struct sw_route){.len = 128, .kind = SW_ROUTE_VIA, .n_via = 2};
	fake_ip4(routes[4].prefix, "10.1.9.9");
	routes[4].via[1].port = 1;
	sw = fake_new(fake_tables(&(struct sw_tables_spec){
		.n_gateways = 4, .gateways = g, .n_routes = 5, .routes = routes}));
	sw->neigh = neigh_new();
	return sw;
}

static void end(struct sw *sw)
{
	neigh_free(sw->neigh);
	sw_tables_free((struct sw_tables *)sw->tables);
}

/* Where a frame to that host would go, PKT_NO_PORT when it is not known. */
static uint16_t known(struct sw *sw, const uint8_t ip[16], uint16_t domain)
{
	struct pkt pkt = {.out_port = PKT_NO_PORT};
	const struct neigh_entry *entry = neigh_find(sw->neigh, ip, domain, PKT_NO_PORT);

	if (entry == NULL || entry->state != NEIGH_RESOLVED)
		return PKT_NO_PORT;
	CU_ASSERT(neigh_resolve(sw, 0, &pkt, ip, domain, PKT_NO_PORT));
	return pkt.out_port;
}

static uint16_t known4(struct sw *sw, const char *text, uint16_t domain)
{
	uint8_t ip[16];

	fake_ip4(ip, text);
	return known(sw, ip, domain);
}

/* From host SRC to DST's address; type 135 asks for TARGET, 136 tells TARGET. The option says mac. */
static struct pkt *nd(uint16_t port, const uint8_t dst[6], uint8_t type, const uint8_t src[16],
		      const uint8_t to[16], const uint8_t target[16], const uint8_t *mac)
{
	struct pkt *pkt = fake_frame(port, dst, fake_mac(150));
	uint8_t *ip = pkt->data + HDR_ETH, *icmp = ip + HDR_IPV6;

	pkt->kind = PKT_ND;
	pkt->flags = PKT_F_V6 | PKT_F_L4;
	pkt->l4_off = HDR_ETH + HDR_IPV6;
	put_be16(ip + IPV6_LEN, HDR_ND + (mac == NULL ? 0 : 8));
	memcpy(ip + IPV6_SRC, src, 16);
	memcpy(ip + IPV6_DST, to, 16);
	icmp[ICMP_TYPE] = type;
	memcpy(icmp + ND_TARGET, target, 16);
	if (mac == NULL)
		return pkt;
	icmp[ND_OPTIONS] = type == ICMPV6_NS ? ND_OPTION_SOURCE : ND_OPTION_TARGET;
	icmp[ND_OPTIONS + 1] = 1;
	memcpy(icmp + ND_OPTIONS + 2, mac, 6);
	return pkt;
}

static void answers_arp(void)
{
	struct sw *sw = new_switch();
	struct pkt *pkt =
		fake_arp(1, fake_broadcast, ARP_REQUEST, fake_mac(7), "10.1.0.7", "10.1.0.254");
	uint8_t ip[16];

	pkt->vid = 30;
	pkt->pcp = 5;
	CU_ASSERT(neigh_rx(sw, 9, pkt));
	CU_ASSERT_EQUAL(fake.n_consumed, 1);
	CU_ASSERT_EQUAL(sw->held, 0);
	CU_ASSERT_EQUAL_FATAL(fake.n_gens, 1);
	CU_ASSERT_EQUAL(fake.gens[0].what, SW_REC_ARP_REPLY);
	CU_ASSERT_EQUAL(fake.gens[0].port, 1);
	CU_ASSERT_EQUAL(fake.gens[0].t_ps, 9);
	CU_ASSERT_EQUAL(fake.gens[0].gen.vid, 30);
	CU_ASSERT_EQUAL(fake.gens[0].gen.pcp, 5);
	CU_ASSERT_EQUAL(memcmp(fake.gens[0].gen.src_mac, fake_router, 6), 0);
	CU_ASSERT_EQUAL(memcmp(fake.gens[0].gen.dst_mac, fake_mac(7), 6), 0);
	CU_ASSERT_EQUAL(memcmp(fake.gens[0].gen.target_mac, fake_mac(7), 6), 0);
	fake_ip4(ip, "10.1.0.254");
	CU_ASSERT_EQUAL(memcmp(fake.gens[0].gen.src_ip, ip, 16), 0);
	fake_ip4(ip, "10.1.0.7");
	CU_ASSERT_EQUAL(memcmp(fake.gens[0].gen.dst_ip, ip, 16), 0);
	CU_ASSERT_EQUAL(known4(sw, "10.1.0.7", 1), 1);
	end(sw);
}

/* Questions between hosts, to a gateway of another domain, and without tables: bridged on. */
static void leaves_others_alone(void)
{
	struct sw *sw = new_switch();

	CU_ASSERT_FALSE(neigh_rx(
		sw, 0,
		fake_arp(1, fake_broadcast, ARP_REQUEST, fake_mac(7), "10.1.0.7", "10.1.0.8")));
	CU_ASSERT_FALSE(neigh_rx(
		sw, 0,
		fake_arp(1, fake_broadcast, ARP_REQUEST, fake_mac(7), "10.1.0.7", "10.2.0.254")));
	CU_ASSERT_FALSE(neigh_rx(
		sw, 0, fake_arp(1, fake_mac(8), ARP_REPLY, fake_mac(7), "10.1.0.7", "10.1.0.8")));
	CU_ASSERT_EQUAL(known4(sw, "10.1.0.7", 1), PKT_NO_PORT);
	CU_ASSERT_EQUAL(fake.n_gens, 0);
	end(sw);
	sw = fake_new(NULL);
	CU_ASSERT_FALSE(neigh_rx(
		sw, 0,
		fake_arp(1, fake_broadcast, ARP_REQUEST, fake_mac(7), "10.1.0.7", "10.1.0.254")));
}

static void learns_from_reply(void)
{
	struct sw *sw = new_switch();

	CU_ASSERT(neigh_rx(
		sw, 0, fake_arp(2, fake_router, ARP_REPLY, fake_mac(7), "10.1.0.7", "10.1.0.254")));
	CU_ASSERT_EQUAL(known4(sw, "10.1.0.7", 1), 2);
	CU_ASSERT_EQUAL(fake.n_gens, 0);
	CU_ASSERT_EQUAL(fake.n_consumed, 1);
	end(sw);
}

/* Moves a host that is known, tells nothing about one that is not, and goes on to the others. */
static void gratuitous_updates(void)
{
	struct sw *sw = new_switch();

	CU_ASSERT_FALSE(neigh_rx(
		sw, 0,
		fake_arp(2, fake_broadcast, ARP_REQUEST, fake_mac(7), "10.1.0.7", "10.1.0.7")));
	CU_ASSERT_EQUAL(known4(sw, "10.1.0.7", 1), PKT_NO_PORT);
	CU_ASSERT(neigh_rx(
		sw, 0,
		fake_arp(1, fake_broadcast, ARP_REQUEST, fake_mac(7), "10.1.0.7", "10.1.0.254")));
	CU_ASSERT_FALSE(neigh_rx(
		sw, 0,
		fake_arp(2, fake_broadcast, ARP_REQUEST, fake_mac(8), "10.1.0.7", "10.1.0.7")));
	CU_ASSERT_EQUAL(known4(sw, "10.1.0.7", 1), 2);
	CU_ASSERT_FALSE(neigh_rx(
		sw, 0,
		fake_arp(0, fake_broadcast, ARP_REPLY, fake_mac(8), "10.1.0.7", "10.1.0.7")));
	CU_ASSERT_EQUAL(known4(sw, "10.1.0.7", 1), 0);
	end(sw);
}

static bool asks_gateway(struct sw *sw, uint16_t port, const char *sender)
{
	return neigh_rx(sw, 0,
			fake_arp(port, fake_broadcast, ARP_REQUEST, fake_mac(7), sender,
				 port < 3 ? "10.1.0.254" : "10.2.0.254"));
}

/* Whoever asks is answered; who lies in no subnet of the port would never be sent a frame by it. */
static void learns_only_of_its_subnet(void)
{
	struct sw *sw = new_switch();

	CU_ASSERT(asks_gateway(sw, 1, "192.0.2.1")); /* no route at all */
	CU_ASSERT(asks_gateway(sw, 1, "10.2.0.7"));  /* of the other domain */
	CU_ASSERT(asks_gateway(sw, 2, "10.1.9.9"));  /* routed over other ports */
	CU_ASSERT_EQUAL(fake.n_gens, 3);
	CU_ASSERT(neigh_rx(
		sw, 0,
		fake_arp(1, fake_router, ARP_REPLY, fake_mac(7), "192.0.2.1", "10.1.0.254")));
	CU_ASSERT_EQUAL(sw->neigh->lists[NEIGH_RESOLVED].first, NEIGH_NONE);
	CU_ASSERT(asks_gateway(sw, 1, "10.1.9.9"));
	CU_ASSERT_EQUAL(known4(sw, "10.1.9.9", 1), 1);
	CU_ASSERT(asks_gateway(sw, 3, "10.2.0.7"));
	CU_ASSERT_EQUAL(known4(sw, "10.2.0.7", 2), 3);
	end(sw);
}

/* The same of IPv6, and of another rail's prefix. */
static void learns_no_stranger(void)
{
	static const uint8_t group[6] = {0x33, 0x33, 0xff, 0, 0, 254};
	struct sw_route rail = {.len = 112, .kind = SW_ROUTE_CROSS_RAIL};
	struct sw_gateway g = {.domain = 1};
	struct sw *sw = new_switch();
	uint8_t host[16], gateway[16];

	fake_ip6(gateway, 1, 254);
	fake_ip6(host, 3, 7);
	CU_ASSERT(neigh_rx(sw, 9, nd(1, group, ICMPV6_NS, host, gateway, gateway, fake_mac(7))));
	CU_ASSERT_EQUAL(fake.n_gens, 1);
	CU_ASSERT_EQUAL(sw->neigh->lists[NEIGH_RESOLVED].first, NEIGH_NONE);
	end(sw);
	fake_ip4(g.ip, "10.1.0.254");
	fake_ip4(rail.prefix, "10.3.0.0");
	sw = fake_new(fake_tables(&(struct sw_tables_spec){
		.n_gateways = 1, .gateways = &g, .n_routes = 1, .routes = &rail}));
	sw->neigh = neigh_new();
	CU_ASSERT(asks_gateway(sw, 1, "10.3.0.1"));
	CU_ASSERT_EQUAL(sw->neigh->lists[NEIGH_RESOLVED].first, NEIGH_NONE);
	end(sw);
}

/* A host that takes a gateway's address is told that it is in use, and is not believed. */
static void defends_its_address(void)
{
	struct sw *sw = new_switch();

	CU_ASSERT(neigh_rx(
		sw, 0,
		fake_arp(1, fake_broadcast, ARP_REQUEST, fake_mac(7), "0.0.0.0", "10.1.0.254")));
	CU_ASSERT(neigh_rx(
		sw, 0,
		fake_arp(1, fake_broadcast, ARP_REQUEST, fake_mac(7), "10.1.0.254", "10.1.0.254")));
	CU_ASSERT_EQUAL(fake.n_gens, 2);
	CU_ASSERT_EQUAL(known4(sw, "10.1.0.254", 1), PKT_NO_PORT);
	CU_ASSERT_EQUAL(known4(sw, "0.0.0.0", 1), PKT_NO_PORT);
	end(sw);
}

static bool proxied(struct sw *sw, const char *sender, const char *target)
{
	return neigh_rx(sw, 0,
			fake_arp(3, fake_broadcast, ARP_REQUEST, fake_mac(7), sender, target));
}

static void proxy_answers_for_all(void)
{
	struct sw *sw = new_switch();

	CU_ASSERT(proxied(sw, "10.2.0.7", "10.2.0.8"));
	CU_ASSERT(proxied(sw, "10.2.0.7", "192.0.2.1"));
	CU_ASSERT_EQUAL(fake.n_gens, 2);
	CU_ASSERT_EQUAL(known4(sw, "10.2.0.7", 2), 3);
	CU_ASSERT_FALSE(proxied(sw, "0.0.0.0", "10.2.0.8"));  /* is it taken? */
	CU_ASSERT_FALSE(proxied(sw, "10.2.0.7", "10.2.0.7")); /* gratuitous */
	CU_ASSERT_FALSE(proxied(sw, "10.2.0.7", "224.0.0.1"));
	CU_ASSERT_FALSE(proxied(sw, "10.2.0.7", "169.254.0.1"));
	CU_ASSERT(proxied(sw, "10.2.0.9", "10.2.0.254"));
	CU_ASSERT_FALSE(proxied(sw, "10.2.0.7", "10.2.0.9")); /* behind the same port */
	CU_ASSERT_EQUAL(fake.n_gens, 3);
	end(sw);
}

static void answers_ns(void)
{
	static const uint8_t group[6] = {0x33, 0x33, 0xff, 0, 0, 254};
	struct sw *sw = new_switch();
	uint8_t host[16], gateway[16];

	fake_ip6(host, 1, 7);
	fake_ip6(gateway, 1, 254);
	CU_ASSERT(neigh_rx(sw, 9, nd(1, group, ICMPV6_NS, host, gateway, gateway, fake_mac(7))));
	CU_ASSERT_EQUAL_FATAL(fake.n_gens, 1);
	CU_ASSERT_EQUAL(fake.gens[0].what, SW_REC_NA);
	CU_ASSERT_EQUAL(memcmp(fake.gens[0].gen.src_ip, gateway, 16), 0);
	CU_ASSERT_EQUAL(memcmp(fake.gens[0].gen.dst_ip, host, 16), 0);
	CU_ASSERT_EQUAL(memcmp(fake.gens[0].gen.dst_mac, fake_mac(150), 6), 0);
	CU_ASSERT_EQUAL(known(sw, host, 1), 1);
	CU_ASSERT_EQUAL(memcmp(neigh_find(sw->neigh, host, 1, PKT_NO_PORT)->mac, fake_mac(7), 6),
			0);
	end(sw);
}

/* Duplicate address detection: from ::, so there is nobody to learn. */
static void answers_ns_without_source(void)
{
	static const uint8_t group[6] = {0x33, 0x33, 0xff, 0, 0, 254};
	uint8_t none[16] = {0}, gateway[16], target[16];
	struct sw *sw = new_switch();

	fake_ip6(gateway, 1, 254);
	CU_ASSERT(neigh_rx(sw, 9, nd(1, group, ICMPV6_NS, none, gateway, gateway, NULL)));
	CU_ASSERT_EQUAL_FATAL(fake.n_gens, 1);
	CU_ASSERT_EQUAL(memcmp(fake.gens[0].gen.dst_ip, none, 16), 0);
	CU_ASSERT_EQUAL(known(sw, none, 1), PKT_NO_PORT);
	fake_ip6(target, 2, 8); /* the proxy's domain: the host may have the address */
	CU_ASSERT_FALSE(neigh_rx(sw, 9, nd(3, group, ICMPV6_NS, none, target, target, NULL)));
	end(sw);
}

static void learns_from_na(void)
{
	struct sw *sw = new_switch();
	uint8_t host[16], other[16], gateway[16];

	fake_ip6(host, 1, 7);
	fake_ip6(other, 1, 8);
	fake_ip6(gateway, 1, 254);
	CU_ASSERT(neigh_rx(sw, 0, nd(1, fake_router, ICMPV6_NA, host, gateway, host, fake_mac(7))));
	CU_ASSERT_EQUAL(known(sw, host, 1), 1);
	CU_ASSERT(neigh_rx(sw, 0, nd(2, fake_router, ICMPV6_NA, other, gateway, other, NULL)));
	CU_ASSERT_EQUAL(memcmp(neigh_find(sw->neigh, other, 1, PKT_NO_PORT)->mac, fake_mac(150), 6),
			0);
	CU_ASSERT_EQUAL(fake.n_consumed, 2);
	end(sw);
}

/* Without the override flag a resolved address keeps its MAC. */
static void na_override(void)
{
	struct sw *sw = new_switch();
	uint8_t host[16], gateway[16];
	struct pkt *pkt;

	fake_ip6(host, 1, 7);
	fake_ip6(gateway, 1, 254);
	neigh_rx(sw, 0, nd(1, fake_router, ICMPV6_NA, host, gateway, host, fake_mac(7)));
	neigh_rx(sw, 1, nd(2, fake_router, ICMPV6_NA, host, gateway, host, fake_mac(8)));
	CU_ASSERT_EQUAL(known(sw, host, 1), 1);
	pkt = nd(2, fake_router, ICMPV6_NA, host, gateway, host, fake_mac(8));
	pkt->data[pkt->l4_off + ND_FLAGS] = NA_OVERRIDE;
	neigh_rx(sw, 2, pkt);
	CU_ASSERT_EQUAL(known(sw, host, 1), 2);
	end(sw);
}

/* Options that run past the message, or have no length, end the search. */
static void odd_options(void)
{
	struct sw *sw = new_switch();
	uint8_t host[16], gateway[16];
	struct pkt *pkt;

	fake_ip6(host, 1, 7);
	fake_ip6(gateway, 1, 254);
	pkt = nd(1, fake_router, ICMPV6_NS, host, gateway, gateway, fake_mac(7));
	pkt->data[pkt->l4_off + ND_OPTIONS + 1] = 0;
	CU_ASSERT(neigh_rx(sw, 0, pkt));
	CU_ASSERT_EQUAL(memcmp(neigh_find(sw->neigh, host, 1, PKT_NO_PORT)->mac, fake_mac(150), 6),
			0);
	pkt = nd(1, fake_router, ICMPV6_NS, host, gateway, gateway, fake_mac(7));
	put_be16(pkt->data + HDR_ETH + IPV6_LEN, HDR_ND + 7);
	CU_ASSERT(neigh_rx(sw, 1, pkt));
	CU_ASSERT_EQUAL(memcmp(neigh_find(sw->neigh, host, 1, PKT_NO_PORT)->mac, fake_mac(150), 6),
			0);
	pkt = nd(1, fake_router, ICMPV6_NS, host, gateway, gateway, fake_mac(7));
	memmove(pkt->data + pkt->l4_off + ND_OPTIONS + 16, pkt->data + pkt->l4_off + ND_OPTIONS, 8);
	pkt->data[pkt->l4_off + ND_OPTIONS] = 14; /* a nonce of 16 bytes first */
	pkt->data[pkt->l4_off + ND_OPTIONS + 1] = 2;
	put_be16(pkt->data + HDR_ETH + IPV6_LEN, HDR_ND + 24);
	CU_ASSERT(neigh_rx(sw, 2, pkt));
	CU_ASSERT_EQUAL(memcmp(neigh_find(sw->neigh, host, 1, PKT_NO_PORT)->mac, fake_mac(7), 6),
			0);
	end(sw);
}

static void reply_releases_what_waits(void)
{
	struct sw *sw = new_switch();
	struct pkt *pkt = fake_udp4(3, fake_router, "10.1.0.7");
	uint8_t ip[16];

	fake_ip4(ip, "10.1.0.7");
	CU_ASSERT_FALSE(neigh_resolve(sw, 0, pkt, ip, 1, PKT_NO_PORT));
	CU_ASSERT(neigh_rx(
		sw, 5, fake_arp(2, fake_router, ARP_REPLY, fake_mac(7), "10.1.0.7", "10.1.0.254")));
	CU_ASSERT_EQUAL_FATAL(fake.n_sent, 1);
	CU_ASSERT_EQUAL(fake.sent[0].port, 2);
	CU_ASSERT_EQUAL(memcmp(pkt->dmac, fake_mac(7), 6), 0);
	CU_ASSERT_EQUAL(sw->held, 0);
	end(sw);
}

static const struct cu_case cases[] = {
	{"neigh_rx__answers_arp", answers_arp},
	{"neigh_rx__leaves_others_alone", leaves_others_alone},
	{"neigh_rx__learns_from_reply", learns_from_reply},
	{"neigh_rx__gratuitous_updates", gratuitous_updates},
	{"neigh_rx__learns_only_of_its_subnet", learns_only_of_its_subnet},
	{"neigh_rx__learns_no_stranger", learns_no_stranger},
	{"neigh_rx__defends_its_address", defends_its_address},
	{"neigh_rx__proxy_answers_for_all", proxy_answers_for_all},
	{"neigh_rx__answers_ns", answers_ns},
	{"neigh_rx__answers_ns_without_source", answers_ns_without_source},
	{"neigh_rx__learns_from_na", learns_from_na},
	{"neigh_rx__na_override", na_override},
	{"neigh_rx__odd_options", odd_options},
	{"neigh_rx__reply_releases_what_waits", reply_releases_what_waits},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("model/neigh_rx", cases);
}
