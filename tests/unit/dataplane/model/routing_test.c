/* SPDX-License-Identifier: BSD-3-Clause */
/* Bridge and router inside the whole switch: real bytes in, records out, the accounting closed. */
#include "rig.h"

#include "dataplane/model/hdr.h"
#include "tests/unit/cu.h"

#include <string.h>

#define S (1000 * RIG_MS)

struct bench {
	struct rig rig;
	struct sw_tables *tables;
};

static const uint8_t router_mac[6] = {2, 0, 0, 0, 0, 0xfe};

static void ip4(uint8_t ip[16], uint8_t subnet, uint8_t host)
{
	memcpy(ip, (uint8_t[16]){[10] = 0xff, 0xff, 10, subnet, 0, host}, 16);
}

static void ip6(uint8_t ip[16], uint8_t subnet, uint8_t host)
{
	memcpy(ip, (uint8_t[16]){0xfd, [7] = subnet, [15] = host}, 16);
}

static void mac_of(uint8_t mac[6], uint8_t host)
{
	memcpy(mac, (uint8_t[6]){2, 0, 0, 5, 0, host}, 6);
}

/* Ports 0 to 2 in domain 1 (10.1.0.0/24, fd00:0:0:1::/64), 3 and 4 in domain 2 (10.2, fd00:0:0:2),
 * the gateways at .254. */
static void start(struct bench *b)
{
	struct sw_route routes[4] = {{.len = 120}, {.len = 120}, {.len = 64}, {.len = 64}};
	struct sw_gateway gateways[4];
	struct sw_tables_spec spec = {
		.n_routes = 4, .routes = routes, .n_gateways = 4, .gateways = gateways};
	struct err err = {0};

	for (uint8_t i = 0; i < 4; i++) {
		routes[i].kind = SW_ROUTE_CONNECTED;
		routes[i].domain = 1 + i % 2;
		gateways[i] = (struct sw_gateway){.domain = 1 + i % 2};
		(i < 2 ? ip4 : ip6)(routes[i].prefix, 1 + i % 2, 0);
		(i < 2 ? ip4 : ip6)(gateways[i].ip, 1 + i % 2, 254);
	}
	rig_init(&b->rig, 5);
	for (int i = 0; i < 5; i++)
		b->rig.ports[i].domain = i < 3 ? 1 : 2;
	rig_start(&b->rig);
	b->tables = sw_tables_new(&spec, 5, &err);
	CU_ASSERT_FATAL(b->tables != NULL);
	sw_install(b->rig.sw, 0, b->tables);
}

static void stop(struct bench *b)
{
	rig_stop(&b->rig);
	sw_tables_free(b->tables);
}

/* What a host says: the same bytes that a switch would make. */
static void say(struct bench *b, uint64_t t_ps, uint16_t port, enum sw_rec_kind kind,
		const struct sw_gen *gen)
{
	struct sw_rec rec = {.kind = kind, .gen = *gen};
	uint8_t bytes[SW_GEN_MAX];
	uint16_t len = sw_gen_bytes(&rec, bytes);

	rig_one(&b->rig, t_ps, port, rig_raw(&b->rig, bytes, len));
}

/* Host says to the router: I have that address. */
static void answer(struct bench *b, uint64_t t_ps, uint16_t port, uint8_t subnet, uint8_t host,
		   bool v6)
{
	struct sw_gen gen = {.vid = PKT_NO_VLAN};

	mac_of(gen.src_mac, host);
	memcpy(gen.dst_mac, router_mac, 6);
	memcpy(gen.target_mac, router_mac, 6);
	(v6 ? ip6 : ip4)(gen.src_ip, subnet, host);
	(v6 ? ip6 : ip4)(gen.dst_ip, subnet, 254);
	say(b, t_ps, port, v6 ? SW_REC_NA : SW_REC_ARP_REPLY, &gen);
}

/* Host 7 of domain 1, port 0, to an address: UDP, or an echo request. */
static struct pkt *to_ip(struct bench *b, uint8_t subnet, uint8_t host, bool v6, bool echo)
{
	uint8_t bytes[100] = {0}, ip[16], *l3 = bytes + HDR_ETH;
	uint16_t ip_len = sizeof(bytes) - HDR_ETH;

	memcpy(bytes + ETH_DST, router_mac, 6);
	mac_of(bytes + ETH_SRC, 7);
	put_be16(bytes + ETH_TYPE, v6 ? ETHERTYPE_IPV6 : ETHERTYPE_IPV4);
	if (v6) {
		l3[0] = 0x60;
		put_be16(l3 + IPV6_LEN, ip_len - HDR_IPV6);
		l3[IPV6_NEXT] = echo ? PROTO_ICMPV6 : PROTO_UDP;
		l3[IPV6_HOPS] = 64;
		ip6(l3 + IPV6_SRC, 1, 7);
		ip6(l3 + IPV6_DST, subnet, host);
		l3 += HDR_IPV6;
	} else {
		l3[0] = 0x45;
		put_be16(l3 + IPV4_LEN, ip_len);
		l3[IPV4_TTL] = 64;
		l3[IPV4_PROTO] = echo ? PROTO_ICMP : PROTO_UDP;
		ip4(ip, 1, 7);
		memcpy(l3 + IPV4_SRC, ip + 12, 4);
		ip4(ip, subnet, host);
		memcpy(l3 + IPV4_DST, ip + 12, 4);
		l3 += HDR_IPV4;
	}
	if (echo)
		l3[ICMP_TYPE] = v6 ? ICMPV6_ECHO_REQUEST : ICMP_ECHO_REQUEST;
	else
		put_be16(l3 + UDP_LEN, HDR_UDP);
	return rig_raw(&b->rig, bytes, sizeof(bytes));
}

static void ping(bool v6)
{
	struct bench b;
	const struct sw_stats *s;

	start(&b);
	rig_one(&b.rig, RIG_US, 0, to_ip(&b, 1, 254, v6, true));
	rig_one(&b.rig, 2 * RIG_US, 0, to_ip(&b, 2, 254, v6, true));
	rig_to(&b.rig, RIG_MS);
	CU_ASSERT_EQUAL(rig_count(&b.rig, 0, SW_REC_FRAME), 2);
	s = rig_stats(&b.rig);
	CU_ASSERT(s->consumed == 2 && s->generated == 2 && s->tx == 2 && s->held == 0);
	stop(&b);
}

static void answers_ping(void)
{
	ping(false);
	ping(true);
}

static void resolves(bool v6)
{
	enum sw_rec_kind question = v6 ? SW_REC_NS : SW_REC_ARP_REQUEST;
	struct bench b;

	start(&b);
	for (int i = 0; i < 3; i++)
		rig_one(&b.rig, RIG_US + i, 0, to_ip(&b, 2, 9, v6, false));
	rig_to(&b.rig, RIG_US + 1200 * RIG_MS);
	CU_ASSERT_EQUAL(rig_stats(&b.rig)->held, 3);
	for (uint16_t port = 3; port < 5; port++) {
		CU_ASSERT_EQUAL_FATAL(rig_count(&b.rig, port, question), 2);
		CU_ASSERT_EQUAL(rig_nth(&b.rig, port, question, 0)->t_ps, RIG_US);
		CU_ASSERT_EQUAL(rig_nth(&b.rig, port, question, 1)->t_ps, RIG_US + S);
	}
	CU_ASSERT_EQUAL(rig_count(&b.rig, 1, question), 0);
	answer(&b, 1500 * RIG_MS, 4, 2, 9, v6);
	rig_one(&b.rig, 1600 * RIG_MS, 0, to_ip(&b, 2, 9, v6, false));
	rig_to(&b.rig, 5 * S);
	CU_ASSERT_EQUAL_FATAL(rig_count(&b.rig, 4, SW_REC_FRAME), 4);
	for (uint32_t i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(rig_nth(&b.rig, 4, SW_REC_FRAME, i)->id, 1 + i);
	CU_ASSERT_EQUAL(rig_nth(&b.rig, 4, SW_REC_FRAME, 0)->t_ps, 1500 * RIG_MS);
	CU_ASSERT_EQUAL(rig_count(&b.rig, 4, question), 2);
	CU_ASSERT_EQUAL(rig_stats(&b.rig)->held, 0);
	CU_ASSERT_EQUAL(rig_stats(&b.rig)->dropped, 0);
	stop(&b);
}

static void resolves_next_hop(void)
{
	resolves(false);
	resolves(true);
}

static void gives_up(void)
{
	struct bench b;
	const struct sw_stats *s;

	start(&b);
	for (int i = 0; i < 5; i++)
		rig_one(&b.rig, RIG_US + i, 0, to_ip(&b, 2, 9, false, false));
	CU_ASSERT_EQUAL(rig_stats(&b.rig)->drops[SW_DROP_NEIGHBOUR_FULL], 1);
	rig_to(&b.rig, RIG_US + 3 * S - 1);
	CU_ASSERT_EQUAL(rig_stats(&b.rig)->held, 4);
	rig_to(&b.rig, RIG_US + 3 * S);
	s = rig_stats(&b.rig);
	CU_ASSERT(s->held == 0 && s->drops[SW_DROP_NO_NEIGHBOUR] == 4);
	CU_ASSERT_EQUAL(rig_count(&b.rig, 3, SW_REC_ARP_REQUEST), 3);
	CU_ASSERT_EQUAL(sw_next(b.rig.sw), SW_NEVER);
	stop(&b);
}

/* What a wait leaves at the end of a run comes back, too. */
static void drains_what_waits(void)
{
	struct bench b;

	start(&b);
	rig_one(&b.rig, RIG_US, 0, to_ip(&b, 2, 9, false, false));
	rig_one(&b.rig, RIG_US, 0, to_ip(&b, 2, 8, false, false));
	rig_to(&b.rig, RIG_MS);
	CU_ASSERT_EQUAL(rig_stats(&b.rig)->held, 2);
	stop(&b);
}

static void broadcast(struct bench *b, uint64_t t_ps)
{
	uint8_t bytes[60] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, [12] = 0x88, 0xb5};

	mac_of(bytes + ETH_SRC, 7);
	rig_one(&b->rig, t_ps, 0, rig_raw(&b->rig, bytes, sizeof(bytes)));
}

static void floods_copies(void)
{
	struct bench b;

	start(&b);
	broadcast(&b, RIG_US);
	rig_to(&b.rig, RIG_MS);
	CU_ASSERT_EQUAL(rig_count(&b.rig, 1, SW_REC_FRAME), 1);
	CU_ASSERT_EQUAL(rig_count(&b.rig, 2, SW_REC_FRAME), 1);
	CU_ASSERT_EQUAL(rig_stats(&b.rig)->copied, 1);
	b.rig.refuse_copies = true;
	broadcast(&b, 2 * RIG_MS);
	rig_to(&b.rig, 3 * RIG_MS);
	CU_ASSERT_EQUAL(rig_count(&b.rig, 1, SW_REC_FRAME), 1);
	CU_ASSERT_EQUAL(rig_count(&b.rig, 2, SW_REC_FRAME), 2);
	CU_ASSERT_EQUAL(rig_stats(&b.rig)->drops[SW_DROP_NO_COPY], 1);
	stop(&b);
}

/* Where host 9 was learned goes down: what was learned there is asked for anew elsewhere. */
static void port_down_forgets(void)
{
	struct bench b;

	start(&b);
	answer(&b, RIG_US, 4, 2, 9, false);
	rig_link(&b.rig, RIG_MS, 4, false);
	rig_one(&b.rig, 2 * RIG_MS, 0, to_ip(&b, 2, 9, false, false));
	rig_to(&b.rig, 3 * RIG_MS);
	CU_ASSERT_EQUAL(rig_count(&b.rig, 3, SW_REC_ARP_REQUEST), 1);
	CU_ASSERT_EQUAL(rig_count(&b.rig, 4, SW_REC_ARP_REQUEST), 0);
	answer(&b, 4 * RIG_MS, 3, 2, 9, false);
	rig_to(&b.rig, 5 * RIG_MS);
	CU_ASSERT_EQUAL(rig_count(&b.rig, 3, SW_REC_FRAME), 1);
	stop(&b);
}

/* Port 4 leaves domain 2: nothing that was learned there is believed any longer. */
static void other_domain_forgets(void)
{
	struct bench b;

	start(&b);
	answer(&b, RIG_US, 4, 2, 9, false);
	b.rig.ports[4].domain = 1;
	CU_ASSERT_EQUAL(rig_set(&b.rig, RIG_MS), 0);
	rig_one(&b.rig, 2 * RIG_MS, 0, to_ip(&b, 2, 9, false, false));
	rig_to(&b.rig, 3 * RIG_MS);
	CU_ASSERT_EQUAL(rig_count(&b.rig, 3, SW_REC_ARP_REQUEST), 1);
	CU_ASSERT_EQUAL(rig_count(&b.rig, 4, SW_REC_FRAME), 0);
	stop(&b);
}

static const struct cu_case cases[] = {
	{"lookup__answers_ping", answers_ping},
	{"lookup__resolves_next_hop", resolves_next_hop},
	{"lookup__gives_up", gives_up},
	{"lookup__drains_what_waits", drains_what_waits},
	{"lookup__floods_copies", floods_copies},
	{"lookup__port_down_forgets", port_down_forgets},
	{"sw_set__other_domain_forgets", other_domain_forgets},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("model/routing", cases);
}
