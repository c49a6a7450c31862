/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/lookup.c"

#include "fake_sw.h"

static struct sw *new_switch(struct sw_tables *tables)
{
	struct sw *sw = fake_new(tables);

	sw->fdb = fdb_new(1024);
	sw->neigh = neigh_new();
	return sw;
}

static void end(struct sw *sw)
{
	fdb_free(sw->fdb);
	neigh_free(sw->neigh);
	sw_tables_free((struct sw_tables *)sw->tables);
}

/* 10.1.0.0/24 in domain 1 and 10.2.0.0/24 in domain 2 with their gateways, IPv6 alike;
 * 10.3.0.0/24 and fd00:0:0:3::/64 on another rail. */
static struct sw_tables *two_subnets(void)
{
	struct sw_route r[6] = {{.kind = SW_ROUTE_CONNECTED, .domain = 1, .len = 120},
				{.kind = SW_ROUTE_CONNECTED, .domain = 2, .len = 120},
				{.kind = SW_ROUTE_CROSS_RAIL, .len = 120},
				{.kind = SW_ROUTE_CONNECTED, .domain = 1, .len = 64},
				{.kind = SW_ROUTE_CONNECTED, .domain = 2, .len = 64},
				{.kind = SW_ROUTE_CROSS_RAIL, .len = 64}};
	struct sw_gateway g[4] = {{.domain = 1}, {.domain = 2}, {.domain = 1}, {.domain = 2}};
	struct sw_static_neigh n[2] = {{.domain = 2, .port = 3}, {.domain = 2, .port = 4}};

	fake_ip4(r[0].prefix, "10.1.0.0");
	fake_ip4(r[1].prefix, "10.2.0.0");
	fake_ip4(r[2].prefix, "10.3.0.0");
	for (uint8_t i = 0; i < 3; i++)
		fake_ip6(r[3 + i].prefix, 1 + i, 0);
	fake_ip4(g[0].ip, "10.1.0.254");
	fake_ip4(g[1].ip, "10.2.0.254");
	fake_ip6(g[2].ip, 1, 254);
	fake_ip6(g[3].ip, 2, 254);
	fake_ip4(n[0].ip, "10.2.0.7");
	fake_ip6(n[1].ip, 2, 7);
	memcpy(n[0].mac, fake_mac(7), 6);
	memcpy(n[1].mac, fake_mac(8), 6);
	return fake_tables(&(struct sw_tables_spec){.n_routes = 6,
						    .routes = r,
						    .n_gateways = 4,
						    .gateways = g,
						    .n_neighs = 2,
						    .neighs = n});
}

static void expect_drop(enum sw_lookup got, enum sw_drop why, uint16_t port)
{
	CU_ASSERT_EQUAL(got, SW_LOOKUP_TAKEN);
	CU_ASSERT_EQUAL_FATAL(fake.n_drops, 1);
	CU_ASSERT_EQUAL(fake.drops[0].what, (int)why);
	CU_ASSERT_EQUAL(fake.drops[0].port, port);
	fake.n_drops = 0;
}

/* ---- bridging ---- */

static enum sw_lookup bridged(struct sw *sw, uint16_t port, const uint8_t dst[6],
			      const uint8_t src[6])
{
	return lookup(sw, 0, fake_frame(port, dst, src));
}

static void floods_then_learns(void)
{
	struct sw *sw = new_switch(NULL);
	struct pkt *pkt;

	CU_ASSERT_EQUAL(bridged(sw, 1, fake_mac(2), fake_mac(1)), SW_LOOKUP_FLOOD);
	CU_ASSERT_EQUAL_FATAL(sw->n_flood, 2); /* domain 1 without the port it came from */
	CU_ASSERT_EQUAL(sw->flood[0], 0);
	CU_ASSERT_EQUAL(sw->flood[1], 2);
	pkt = fake_frame(2, fake_mac(1), fake_mac(2));
	CU_ASSERT_EQUAL(lookup(sw, 0, pkt), SW_LOOKUP_ONE);
	CU_ASSERT_EQUAL(pkt->out_port, 1);
	CU_ASSERT_EQUAL(pkt->edit, 0);
	end(sw);
}

static void floods_groups(void)
{
	static const uint8_t group[6] = {0x33, 0x33, 0, 0, 0, 1};
	struct sw *sw = new_switch(NULL);

	fake.ports[0].up = false;
	CU_ASSERT_EQUAL(bridged(sw, 1, fake_broadcast, fake_mac(1)), SW_LOOKUP_FLOOD);
	CU_ASSERT_EQUAL(sw->n_flood, 1);
	CU_ASSERT_EQUAL(sw->flood[0], 2);
	CU_ASSERT_EQUAL(bridged(sw, 3, group, fake_mac(2)), SW_LOOKUP_FLOOD);
	CU_ASSERT_EQUAL(sw->n_flood, 1);
	CU_ASSERT_EQUAL(sw->flood[0], 4);
	fake.ports[2].up = false;
	expect_drop(bridged(sw, 1, fake_broadcast, fake_mac(1)), SW_DROP_NO_MEMBER, 1);
	expect_drop(bridged(sw, 5, fake_broadcast, fake_mac(9)), SW_DROP_NO_MEMBER, 5);
	end(sw);
}

static void never_learns_group_or_router(void)
{
	static const uint8_t group[6] = {1, 2, 3, 4, 5, 6}, zero[6] = {0};
	struct sw *sw = new_switch(NULL);

	bridged(sw, 1, fake_broadcast, group);
	bridged(sw, 1, fake_broadcast, fake_router);
	bridged(sw, 1, fake_broadcast, zero);
	bridged(sw, 5, fake_broadcast, fake_mac(5));
	CU_ASSERT_EQUAL(fdb_find(sw->fdb, 0, group, 1, PKT_NO_VLAN), PKT_NO_PORT);
	CU_ASSERT_EQUAL(fdb_find(sw->fdb, 0, fake_router, 1, PKT_NO_VLAN), PKT_NO_PORT);
	CU_ASSERT_EQUAL(fdb_find(sw->fdb, 0, zero, 1, PKT_NO_VLAN), PKT_NO_PORT);
	CU_ASSERT_EQUAL(fdb_find(sw->fdb, 0, fake_mac(5), SW_NO_DOMAIN, PKT_NO_VLAN), PKT_NO_PORT);
	end(sw);
}

static void same_port(void)
{
	struct sw *sw = new_switch(NULL);

	bridged(sw, 1, fake_broadcast, fake_mac(1));
	expect_drop(bridged(sw, 1, fake_mac(1), fake_mac(2)), SW_DROP_SAME_PORT, 1);
	end(sw);
}

static void link_local(void)
{
	uint8_t lldp[6] = {0x01, 0x80, 0xc2, 0, 0, 0x0e};
	struct sw *sw = new_switch(NULL);

	expect_drop(bridged(sw, 1, lldp, fake_mac(1)), SW_DROP_LINK_LOCAL, 1);
	lldp[5] = 0x10;
	CU_ASSERT_EQUAL(bridged(sw, 1, lldp, fake_mac(1)), SW_LOOKUP_FLOOD);
	end(sw);
}

/* The same MAC in two VLANs of one domain is in two places. */
static void vlans_apart(void)
{
	struct sw *sw = new_switch(NULL);
	struct pkt *pkt = fake_frame(1, fake_broadcast, fake_mac(1));

	pkt->vid = 10;
	lookup(sw, 0, pkt);
	CU_ASSERT_EQUAL(bridged(sw, 2, fake_mac(1), fake_mac(2)), SW_LOOKUP_FLOOD);
	pkt = fake_frame(2, fake_mac(1), fake_mac(2));
	pkt->vid = 10;
	CU_ASSERT_EQUAL(lookup(sw, 0, pkt), SW_LOOKUP_ONE);
	CU_ASSERT_EQUAL(pkt->out_port, 1);
	end(sw);
}

/* VLAN id 0 is a priority, not a VLAN: whoever tags only some frames so is one host. */
static void priority_tag_is_no_vlan(void)
{
	struct sw *sw = new_switch(NULL);
	struct pkt *pkt = fake_frame(1, fake_broadcast, fake_mac(1));

	lookup(sw, 0, pkt);
	pkt = fake_frame(2, fake_mac(1), fake_mac(2));
	pkt->vid = 0;
	CU_ASSERT_EQUAL(lookup(sw, 0, pkt), SW_LOOKUP_ONE);
	CU_ASSERT_EQUAL(pkt->out_port, 1);
	CU_ASSERT_EQUAL(bridged(sw, 1, fake_mac(2), fake_mac(1)), SW_LOOKUP_ONE);
	end(sw);
}

static void domains_apart(void)
{
	struct sw *sw = new_switch(NULL);

	bridged(sw, 1, fake_broadcast, fake_mac(1));
	CU_ASSERT_EQUAL(bridged(sw, 3, fake_mac(1), fake_mac(2)), SW_LOOKUP_FLOOD);
	CU_ASSERT_EQUAL(sw->n_flood, 1);
	CU_ASSERT_EQUAL(sw->flood[0], 4);
	end(sw);
}

static void installed_wins(void)
{
	struct sw_static_fdb e = {.domain = 1, .vid = PKT_NO_VLAN, .port = 2};
	struct sw *sw;
	struct pkt *pkt;

	memcpy(e.mac, fake_mac(1), 6);
	sw = new_switch(fake_tables(&(struct sw_tables_spec){.n_fdb = 1, .fdb = &e}));
	bridged(sw, 1, fake_broadcast, fake_mac(1)); /* an impostor: not learned */
	CU_ASSERT_EQUAL(fdb_find(sw->fdb, 0, fake_mac(1), 1, PKT_NO_VLAN), PKT_NO_PORT);
	pkt = fake_frame(0, fake_mac(1), fake_mac(3));
	CU_ASSERT_EQUAL(lookup(sw, 0, pkt), SW_LOOKUP_ONE);
	CU_ASSERT_EQUAL(pkt->out_port, 2);
	fake.ports[2].up = false;
	expect_drop(bridged(sw, 0, fake_mac(1), fake_mac(3)), SW_DROP_LINK_DOWN, 2);
	end(sw);
}

/* ---- routing ---- */

static void routes_both_families(void)
{
	struct sw *sw = new_switch(two_subnets());
	struct pkt *pkt = fake_udp4(0, fake_router, "10.2.0.7");

	pkt->vid = 12; /* a tag changes nothing */
	CU_ASSERT_EQUAL(lookup(sw, 0, pkt), SW_LOOKUP_ONE);
	CU_ASSERT_EQUAL(pkt->out_port, 3);
	CU_ASSERT_EQUAL(pkt->edit, PKT_EDIT_ROUTE);
	CU_ASSERT_EQUAL(memcmp(pkt->dmac, fake_mac(7), 6), 0);
	pkt = fake_udp6(0, fake_router, 2, 7);
	CU_ASSERT_EQUAL(lookup(sw, 0, pkt), SW_LOOKUP_ONE);
	CU_ASSERT_EQUAL(pkt->out_port, 4);
	CU_ASSERT_EQUAL(memcmp(pkt->dmac, fake_mac(8), 6), 0);
	fake.ports[3].up = false;
	expect_drop(lookup(sw, 0, fake_udp4(0, fake_router, "10.2.0.7")), SW_DROP_LINK_DOWN, 3);
	end(sw);
}

/* A host may reach another one behind the same port through the router. */
static void one_armed(void)
{
	struct sw *sw = new_switch(two_subnets());
	struct pkt *pkt = fake_udp4(3, fake_router, "10.2.0.7");

	CU_ASSERT_EQUAL(lookup(sw, 0, pkt), SW_LOOKUP_ONE);
	CU_ASSERT_EQUAL(pkt->out_port, 3);
	end(sw);
}

static void named_drops(void)
{
	static const char *const nowhere[] = {"224.0.0.5", "255.255.255.255", "0.0.0.0",
					      "169.254.1.1"};
	struct sw *sw = new_switch(two_subnets());
	struct pkt *pkt = fake_udp4(0, fake_router, "10.2.0.7");

	expect_drop(lookup(sw, 0, fake_udp4(0, fake_router, "10.9.0.1")), SW_DROP_NO_ROUTE, 0);
	expect_drop(lookup(sw, 0, fake_udp4(0, fake_router, "10.3.0.1")), SW_DROP_CROSS_RAIL, 0);
	expect_drop(lookup(sw, 0, fake_udp6(1, fake_router, 3, 1)), SW_DROP_CROSS_RAIL, 1);
	expect_drop(lookup(sw, 0, fake_udp4(0, fake_router, "10.2.0.254")), SW_DROP_NOT_FOR_US, 0);
	for (unsigned int i = 0; i < 4; i++)
		expect_drop(lookup(sw, 0, fake_udp4(0, fake_router, nowhere[i])),
			    SW_DROP_NOT_FOR_US, 0);
	pkt->data[HDR_ETH + IPV4_TTL] = 1;
	expect_drop(lookup(sw, 0, pkt), SW_DROP_TTL_EXPIRED, 0);
	pkt = fake_udp6(0, fake_router, 2, 7);
	pkt->data[HDR_ETH + IPV6_HOPS] = 1;
	expect_drop(lookup(sw, 0, pkt), SW_DROP_TTL_EXPIRED, 0);
	expect_drop(bridged(sw, 0, fake_router, fake_mac(1)), SW_DROP_NOT_FOR_US, 0);
	end(sw);
	sw = new_switch(NULL);
	expect_drop(lookup(sw, 0, fake_udp4(0, fake_router, "10.2.0.7")), SW_DROP_NO_ROUTE, 0);
	end(sw);
}

/* ND that is for nobody here is not routed; ARP likewise. */
static void stray_neighbour_messages(void)
{
	struct sw *sw = new_switch(two_subnets());
	struct pkt *pkt = fake_udp6(0, fake_router, 2, 7);

	pkt->kind = PKT_ND;
	pkt->data[pkt->l4_off] = ICMPV6_NS;
	fake_ip6(pkt->data + pkt->l4_off + ND_TARGET, 1, 77);
	expect_drop(lookup(sw, 0, pkt), SW_DROP_NOT_FOR_US, 0);
	expect_drop(
		lookup(sw, 0,
		       fake_arp(0, fake_router, ARP_REQUEST, fake_mac(1), "10.1.0.1", "10.1.0.2")),
		SW_DROP_NOT_FOR_US, 0);
	end(sw);
}

static void arp_for_gateway_is_taken(void)
{
	struct sw *sw = new_switch(two_subnets());

	CU_ASSERT_EQUAL(lookup(sw, 0,
			       fake_arp(0, fake_broadcast, ARP_REQUEST, fake_mac(1), "10.1.0.1",
					"10.1.0.254")),
			SW_LOOKUP_TAKEN);
	CU_ASSERT_EQUAL(fake.n_gens, 1);
	CU_ASSERT_EQUAL(fake.n_drops, 0);
	CU_ASSERT_EQUAL(lookup(sw, 0,
			       fake_arp(0, fake_broadcast, ARP_REQUEST, fake_mac(1), "10.1.0.1",
					"10.1.0.2")),
			SW_LOOKUP_FLOOD);
	end(sw);
}

static void waits_for_neighbour(void)
{
	struct sw *sw = new_switch(two_subnets());
	struct pkt *pkt = fake_udp4(0, fake_router, "10.2.0.9");

	CU_ASSERT_EQUAL(lookup(sw, 0, pkt), SW_LOOKUP_TAKEN);
	CU_ASSERT_EQUAL(fake.n_gens, 2);
	CU_ASSERT_EQUAL(sw->held, 1);
	lookup(sw, 8, fake_arp(4, fake_router, ARP_REPLY, fake_mac(9), "10.2.0.9", "10.2.0.254"));
	CU_ASSERT_EQUAL_FATAL(fake.n_sent, 1);
	CU_ASSERT_PTR_EQUAL(fake.sent[0].pkt, pkt);
	CU_ASSERT_EQUAL(fake.sent[0].port, 4);
	CU_ASSERT_EQUAL(pkt->edit, PKT_EDIT_ROUTE);
	end(sw);
}

/* ---- the switch's own addresses ---- */

static struct pkt *echo4(const char *to)
{
	struct pkt *pkt = fake_udp4(0, fake_router, to);

	pkt->kind = PKT_ICMP;
	pkt->ip_proto = PROTO_ICMP;
	pkt->data[pkt->l4_off] = ICMP_ECHO_REQUEST;
	return pkt;
}

static struct pkt *echo6(uint8_t subnet)
{
	struct pkt *pkt = fake_udp6(0, fake_router, subnet, 254);

	pkt->kind = PKT_ICMP;
	pkt->ip_proto = PROTO_ICMPV6;
	pkt->data[pkt->l4_off] = ICMPV6_ECHO_REQUEST;
	return pkt;
}

static bool closes(const struct sw *sw)
{
	return sw->rx + sw->generated + sw->copied ==
	       sw->tx + sw->consumed + sw->dropped + sw->held;
}

static void expect_echo(struct sw *sw, struct pkt *pkt)
{
	uint64_t generated = sw->generated, consumed = sw->consumed;

	CU_ASSERT_EQUAL(lookup(sw, 0, pkt), SW_LOOKUP_ONE);
	CU_ASSERT_EQUAL(pkt->out_port, pkt->in_port);
	CU_ASSERT_EQUAL(pkt->edit, PKT_EDIT_ECHO);
	CU_ASSERT(pkt->flags & PKT_F_GENERATED);
	CU_ASSERT_EQUAL(sw->generated, generated + 1);
	CU_ASSERT_EQUAL(sw->consumed, consumed + 1);
	CU_ASSERT(closes(sw));
}

static void answers_ping(void)
{
	struct sw *sw = new_switch(two_subnets());
	struct pkt *pkt = echo4("10.1.0.254");

	pkt->data[HDR_ETH + IPV4_TTL] = 1; /* it has arrived */
	expect_echo(sw, pkt);
	expect_echo(sw, echo4("10.2.0.254")); /* of the other domain */
	expect_echo(sw, echo6(1));
	expect_echo(sw, echo6(2));
	CU_ASSERT_EQUAL(fake.ports[0].counters[SW_PORT_GENERATED], 4);
	CU_ASSERT_EQUAL(fake.ports[0].counters[SW_PORT_CONSUMED], 4);
	end(sw);
}

static void answers_no_odd_ping(void)
{
	struct sw *sw = new_switch(two_subnets());
	struct pkt *pkt = echo4("10.1.0.254");
	uint8_t ip[16];

	put_be16(pkt->data + HDR_ETH + IPV4_FRAG, 0x2000); /* a first fragment */
	expect_drop(lookup(sw, 0, pkt), SW_DROP_NOT_FOR_US, 0);
	pkt = echo4("10.1.0.254");
	pkt->data[pkt->l4_off] = ICMP_ECHO_ANSWER;
	expect_drop(lookup(sw, 0, pkt), SW_DROP_NOT_FOR_US, 0);
	pkt = echo4("10.1.0.254");
	fake_ip4(ip, "10.1.0.254"); /* from ourselves */
	memcpy(pkt->data + HDR_ETH + IPV4_SRC, ip + 12, 4);
	expect_drop(lookup(sw, 0, pkt), SW_DROP_NOT_FOR_US, 0);
	pkt = echo4("10.1.0.254");
	pkt->data[HDR_ETH + IPV4_SRC] = 239; /* from a group */
	expect_drop(lookup(sw, 0, pkt), SW_DROP_NOT_FOR_US, 0);
	pkt = echo6(1);
	pkt->l4_off += 8; /* behind an extension header */
	pkt->data[pkt->l4_off] = ICMPV6_ECHO_REQUEST;
	expect_drop(lookup(sw, 0, pkt), SW_DROP_NOT_FOR_US, 0);
	end(sw);
}

/* ---- ECMP ---- */

/* 10.9.0.0/16 over ports 2, 3, 4 with MACs 22, 23, 24. */
static struct sw *ecmp_switch(void)
{
	struct sw_route route = {.kind = SW_ROUTE_VIA, .len = 112, .n_via = 3};
	struct sw *sw;

	fake_ip4(route.prefix, "10.9.0.0");
	for (uint8_t i = 0; i < 3; i++) {
		route.via[i].port = 2 + i;
		route.via[i].has_mac = true;
		memcpy(route.via[i].mac, fake_mac(22 + i), 6);
	}
	sw = new_switch(fake_tables(&(struct sw_tables_spec){.n_routes = 1, .routes = &route}));
	sw->cfg.hash_fields = SW_HASH_DST_IP;
	return sw;
}

static uint16_t port_of(struct sw *sw, uint8_t host)
{
	struct pkt *pkt;
	char text[16];

	fake.n_pkts = 0;
	snprintf(text, sizeof(text), "10.9.0.%u", host);
	pkt = fake_udp4(0, fake_router, text);
	CU_ASSERT_EQUAL(lookup(sw, 0, pkt), SW_LOOKUP_ONE);
	CU_ASSERT_EQUAL(memcmp(pkt->dmac, fake_mac((uint8_t)(20 + pkt->out_port)), 6), 0);
	CU_ASSERT_EQUAL(pkt->edit, PKT_EDIT_ROUTE);
	return pkt->out_port;
}

/* Only the flows of the link that failed move, and they spread over both that are left. */
static void ecmp_is_resilient(void)
{
	struct sw *sw = ecmp_switch();
	uint16_t before[256], seen[FAKE_PORTS] = {0}, moved[FAKE_PORTS] = {0};

	for (int i = 0; i < 256; i++)
		seen[before[i] = port_of(sw, (uint8_t)i)]++;
	for (int i = 2; i < 5; i++)
		CU_ASSERT(seen[i] > 60);
	fake.ports[3].up = false;
	for (int i = 0; i < 256; i++) {
		uint16_t now = port_of(sw, (uint8_t)i);

		CU_ASSERT_NOT_EQUAL(now, 3);
		if (before[i] == 3)
			moved[now]++;
		else
			CU_ASSERT_EQUAL(now, before[i]);
	}
	CU_ASSERT(moved[2] > 25 && moved[4] > 25);
	end(sw);
}

static void ecmp_all_down(void)
{
	struct sw *sw = ecmp_switch();

	fake.ports[2].up = fake.ports[3].up = fake.ports[4].up = false;
	expect_drop(lookup(sw, 0, fake_udp4(0, fake_router, "10.9.0.1")), SW_DROP_LINK_DOWN, 2);
	end(sw);
}

/* A next hop without a MAC is asked for on its port alone: its address, or the destination's. */
static void via_is_resolved_on_its_port(void)
{
	struct sw_route routes[2] = {{.kind = SW_ROUTE_VIA, .len = 112, .n_via = 1},
				     {.kind = SW_ROUTE_VIA, .len = 112, .n_via = 1}};
	struct sw *sw;
	uint8_t ip[16];

	fake_ip4(routes[0].prefix, "10.9.0.0");
	fake_ip4(routes[1].prefix, "10.8.0.0");
	fake_ip4(routes[0].via[0].ip, "192.0.2.1");
	routes[0].via[0].port = 5;
	routes[1].via[0].port = 5;
	sw = new_switch(fake_tables(&(struct sw_tables_spec){.n_routes = 2, .routes = routes}));
	CU_ASSERT_EQUAL(lookup(sw, 0, fake_udp4(0, fake_router, "10.9.0.1")), SW_LOOKUP_TAKEN);
	CU_ASSERT_EQUAL(lookup(sw, 0, fake_udp4(0, fake_router, "10.8.0.1")), SW_LOOKUP_TAKEN);
	CU_ASSERT_EQUAL_FATAL(fake.n_gens, 2);
	CU_ASSERT_EQUAL(fake.gens[0].port, 5);
	fake_ip4(ip, "192.0.2.1");
	CU_ASSERT_EQUAL(memcmp(fake.gens[0].gen.dst_ip, ip, 16), 0);
	fake_ip4(ip, "10.8.0.1");
	CU_ASSERT_EQUAL(memcmp(fake.gens[1].gen.dst_ip, ip, 16), 0);
	lookup(sw, 1, fake_arp(5, fake_router, ARP_REPLY, fake_mac(5), "192.0.2.1", "0.0.0.0"));
	CU_ASSERT_EQUAL(fake.n_sent, 1);
	CU_ASSERT_EQUAL(fake.sent[0].port, 5);
	end(sw);
}

static const struct cu_case cases[] = {
	{"lookup__floods_then_learns", floods_then_learns},
	{"lookup__floods_groups", floods_groups},
	{"lookup__never_learns_group_or_router", never_learns_group_or_router},
	{"lookup__same_port", same_port},
	{"lookup__link_local", link_local},
	{"lookup__vlans_apart", vlans_apart},
	{"lookup__priority_tag_is_no_vlan", priority_tag_is_no_vlan},
	{"lookup__domains_apart", domains_apart},
	{"lookup__installed_wins", installed_wins},
	{"lookup__routes_both_families", routes_both_families},
	{"lookup__one_armed", one_armed},
	{"lookup__named_drops", named_drops},
	{"lookup__stray_neighbour_messages", stray_neighbour_messages},
	{"lookup__arp_for_gateway_is_taken", arp_for_gateway_is_taken},
	{"lookup__waits_for_neighbour", waits_for_neighbour},
	{"lookup__answers_ping", answers_ping},
	{"lookup__answers_no_odd_ping", answers_no_odd_ping},
	{"lookup__ecmp_is_resilient", ecmp_is_resilient},
	{"lookup__ecmp_all_down", ecmp_all_down},
	{"lookup__via_is_resolved_on_its_port", via_is_resolved_on_its_port},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("model/lookup", cases);
}
