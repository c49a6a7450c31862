/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/neigh.c"

#include "fake_sw.h"

/* Gateways 10.1.0.254 and fd00:0:0:1::fe in domain 1, 10.2.0.254 in domain 2. */
static struct sw_tables *gateways(const struct sw_static_neigh *neighs, uint32_t n)
{
	struct sw_gateway g[3] = {{.domain = 1}, {.domain = 1}, {.domain = 2}};

	fake_ip4(g[0].ip, "10.1.0.254");
	fake_ip6(g[1].ip, 1, 254);
	fake_ip4(g[2].ip, "10.2.0.254");
	return fake_tables(&(struct sw_tables_spec){
		.n_gateways = 3, .gateways = g, .n_neighs = n, .neighs = neighs});
}

static struct sw *new_switch(void)
{
	struct sw *sw = fake_new(gateways(NULL, 0));

	sw->neigh = neigh_new();
	return sw;
}

static void end(struct sw *sw)
{
	neigh_free(sw->neigh);
	sw_tables_free((struct sw_tables *)sw->tables);
}

static const uint8_t *ip(const char *text)
{
	static uint8_t bytes[16];

	fake_ip4(bytes, text);
	return bytes;
}

/* A frame to 10.1.0.HOST that arrives at t on port 3. */
static struct pkt *send_to(struct sw *sw, uint64_t t_ps, const char *host, bool resolved)
{
	struct pkt *pkt = fake_udp4(3, fake_router, host);

	CU_ASSERT_EQUAL(neigh_resolve(sw, t_ps, pkt, ip(host), 1, PKT_NO_PORT), resolved);
	return pkt;
}

static struct neigh_fact fact_of(const char *host, uint8_t mac, uint16_t port)
{
	struct neigh_fact fact = {.domain = fake.ports[port].cfg.domain,
				  .port = port,
				  .vid = PKT_NO_VLAN,
				  .create = true,
				  .override = true};

	fake_ip4(fact.ip, host);
	memcpy(fact.mac, fake_mac(mac), 6);
	return fact;
}

static void learn(struct sw *sw, uint64_t t_ps, const char *host, uint8_t mac, uint16_t port)
{
	struct neigh_fact fact = fact_of(host, mac, port);

	neigh_learn(sw, t_ps, &fact);
}

static void asks_whole_domain_at_once(void)
{
	struct sw *sw = new_switch();
	uint8_t gateway[16];

	fake.ports[1].up = false;
	send_to(sw, 7, "10.1.0.1", false);
	CU_ASSERT_EQUAL_FATAL(fake.n_gens, 2); /* ports 0 and 2 */
	CU_ASSERT_EQUAL(fake.gens[0].port, 0);
	CU_ASSERT_EQUAL(fake.gens[1].port, 2);
	CU_ASSERT_EQUAL(fake.gens[0].t_ps, 7);
	CU_ASSERT_EQUAL(fake.gens[0].what, SW_REC_ARP_REQUEST);
	fake_ip4(gateway, "10.1.0.254");
	CU_ASSERT_EQUAL(memcmp(fake.gens[0].gen.src_ip, gateway, 16), 0);
	CU_ASSERT_EQUAL(memcmp(fake.gens[0].gen.dst_ip, ip("10.1.0.1"), 16), 0);
	CU_ASSERT_EQUAL(memcmp(fake.gens[0].gen.src_mac, fake_router, 6), 0);
	CU_ASSERT_EQUAL(fake.gens[0].gen.vid, PKT_NO_VLAN);
	CU_ASSERT_EQUAL(sw->held, 1);
	end(sw);
}

static void asks_ipv6(void)
{
	struct sw *sw = new_switch();
	struct pkt *pkt = fake_udp6(3, fake_router, 1, 7);
	uint8_t target[16], gateway[16];

	fake_ip6(target, 1, 7);
	fake_ip6(gateway, 1, 254);
	CU_ASSERT_FALSE(neigh_resolve(sw, 0, pkt, target, 1, PKT_NO_PORT));
	CU_ASSERT_EQUAL_FATAL(fake.n_gens, 3);
	CU_ASSERT_EQUAL(fake.gens[0].what, SW_REC_NS);
	CU_ASSERT_EQUAL(memcmp(fake.gens[0].gen.dst_ip, target, 16), 0);
	CU_ASSERT_EQUAL(memcmp(fake.gens[0].gen.src_ip, gateway, 16), 0);
	end(sw);
}

/* Domain 2 has no IPv6 gateway: asked from the router's link-local address. The last port has no
 * IPv4 gateway either: asked like a probe. */
static void asks_without_gateway(void)
{
	static const uint8_t link_local[16] = {0xfe, 0x80, [8] = 0, 0xff, 0, 0xff, 0xfe, 0, 0, 1};
	struct sw *sw = new_switch();
	struct pkt *pkt = fake_udp6(0, fake_router, 2, 7);
	uint8_t target[16], zero[16];

	fake_ip6(target, 2, 7);
	CU_ASSERT_FALSE(neigh_resolve(sw, 0, pkt, target, 2, PKT_NO_PORT));
	CU_ASSERT_EQUAL(memcmp(fake.gens[0].gen.src_ip, link_local, 16), 0);
	fake.n_gens = 0;
	pkt = fake_udp4(0, fake_router, "10.9.0.1");
	CU_ASSERT_FALSE(neigh_resolve(sw, 0, pkt, ip("10.9.0.1"), SW_NO_DOMAIN, 5));
	CU_ASSERT_EQUAL_FATAL(fake.n_gens, 1);
	CU_ASSERT_EQUAL(fake.gens[0].port, 5);
	fake_ip4(zero, "0.0.0.0");
	CU_ASSERT_EQUAL(memcmp(fake.gens[0].gen.src_ip, zero, 16), 0);
	end(sw);
}

static void asks_in_the_frames_vlan(void)
{
	struct sw *sw = new_switch();
	struct pkt *pkt = fake_udp4(3, fake_router, "10.1.0.1");

	pkt->vid = 42;
	CU_ASSERT_FALSE(neigh_resolve(sw, 0, pkt, ip("10.1.0.1"), 1, PKT_NO_PORT));
	CU_ASSERT_EQUAL(fake.gens[0].gen.vid, 42);
	end(sw);
}

/* Asked at 0, 1 and 2 s, dropped at 3 s; a later frame starts anew. */
static void timeline(void)
{
	struct sw *sw = new_switch();
	struct pkt *pkt = send_to(sw, 500, "10.1.0.1", false);

	for (unsigned int i = 1; i < NEIGH_ASKS; i++) {
		uint64_t due = 500 + i * FAKE_S;

		CU_ASSERT_EQUAL(neigh_next(sw), due);
		neigh_timer(sw, due - 1);
		CU_ASSERT_EQUAL(fake.n_gens, 3 * i);
		neigh_timer(sw, due);
		CU_ASSERT_EQUAL(fake.n_gens, 3 * (i + 1));
		CU_ASSERT_EQUAL(fake.gens[3 * i].t_ps, due);
	}
	CU_ASSERT_EQUAL(neigh_next(sw), 500 + 3 * FAKE_S);
	CU_ASSERT_EQUAL(fake.n_drops, 0);
	neigh_timer(sw, 500 + 3 * FAKE_S);
	CU_ASSERT_EQUAL(fake.n_gens, 9);
	CU_ASSERT_EQUAL_FATAL(fake.n_drops, 1);
	CU_ASSERT_EQUAL(fake.drops[0].what, SW_DROP_NO_NEIGHBOUR);
	CU_ASSERT_EQUAL(fake.drops[0].port, 3);
	CU_ASSERT_EQUAL(fake.drops[0].t_ps, 500 + 3 * FAKE_S);
	CU_ASSERT_PTR_EQUAL(fake.drops[0].pkt, pkt);
	CU_ASSERT_EQUAL(neigh_next(sw), SW_NEVER);
	CU_ASSERT_EQUAL(sw->held, 0);
	send_to(sw, 500 + 4 * FAKE_S, "10.1.0.1", false);
	CU_ASSERT_EQUAL(fake.n_gens, 12);
	CU_ASSERT_EQUAL(neigh_next(sw), 500 + 5 * FAKE_S);
	end(sw);
}

/* A late call makes up for all that was due, each at its own time. */
static void timer_catches_up(void)
{
	struct sw *sw = new_switch();

	send_to(sw, 0, "10.1.0.1", false);
	send_to(sw, 5, "10.1.0.2", false);
	neigh_timer(sw, 10 * FAKE_S);
	CU_ASSERT_EQUAL_FATAL(fake.n_gens, 18);
	CU_ASSERT_EQUAL(fake.gens[6].t_ps, FAKE_S);
	CU_ASSERT_EQUAL(fake.gens[9].t_ps, FAKE_S + 5);
	CU_ASSERT_EQUAL(fake.gens[12].t_ps, 2 * FAKE_S);
	CU_ASSERT_EQUAL_FATAL(fake.n_drops, 2);
	CU_ASSERT_EQUAL(fake.drops[0].t_ps, 3 * FAKE_S);
	CU_ASSERT_EQUAL(fake.drops[1].t_ps, 3 * FAKE_S + 5);
	end(sw);
}

static void holds_four(void)
{
	struct sw *sw = new_switch();
	struct pkt *fifth;

	for (int i = 0; i < 4; i++)
		send_to(sw, i, "10.1.0.1", false);
	CU_ASSERT_EQUAL(fake.n_drops, 0);
	fifth = send_to(sw, 4, "10.1.0.1", false);
	CU_ASSERT_EQUAL_FATAL(fake.n_drops, 1);
	CU_ASSERT_EQUAL(fake.drops[0].what, SW_DROP_NEIGHBOUR_FULL);
	CU_ASSERT_PTR_EQUAL(fake.drops[0].pkt, fifth);
	CU_ASSERT_EQUAL(fake.n_gens, 3); /* asked once for all of them */
	CU_ASSERT_EQUAL(sw->held, 4);
	neigh_timer(sw, 9 * FAKE_S);
	CU_ASSERT_EQUAL(fake.n_drops, 5);
	CU_ASSERT_EQUAL(sw->held, 0);
	end(sw);
}

static void releases_in_order(void)
{
	struct sw *sw = new_switch();
	struct pkt *pkts[4];

	for (int i = 0; i < 4; i++)
		pkts[i] = send_to(sw, i, "10.1.0.1", false);
	learn(sw, 99, "10.1.0.1", 11, 2);
	CU_ASSERT_EQUAL_FATAL(fake.n_sent, 4);
	for (int i = 0; i < 4; i++) {
		CU_ASSERT_PTR_EQUAL(fake.sent[i].pkt, pkts[i]);
		CU_ASSERT_EQUAL(fake.sent[i].t_ps, 99);
		CU_ASSERT_EQUAL(pkts[i]->t_ps, 99);
		CU_ASSERT_EQUAL(pkts[i]->out_port, 2);
		CU_ASSERT_EQUAL(pkts[i]->edit, PKT_EDIT_ROUTE);
		CU_ASSERT_EQUAL(memcmp(pkts[i]->dmac, fake_mac(11), 6), 0);
		CU_ASSERT_PTR_NULL(pkts[i]->next);
	}
	CU_ASSERT_EQUAL(neigh_next(sw), SW_NEVER);
	CU_ASSERT_EQUAL(send_to(sw, 100, "10.1.0.1", true)->out_port, 2);
	CU_ASSERT_EQUAL(sw->held, 1);
	end(sw);
}

static void static_wins(void)
{
	struct sw_static_neigh fixed = {.domain = 1, .port = 0};
	struct sw *sw = new_switch();
	struct pkt *pkt;

	sw_tables_free((struct sw_tables *)sw->tables);
	fake_ip4(fixed.ip, "10.1.0.1");
	memcpy(fixed.mac, fake_mac(77), 6);
	sw->tables = gateways(&fixed, 1);
	learn(sw, 0, "10.1.0.1", 11, 2);
	pkt = send_to(sw, 1, "10.1.0.1", true);
	CU_ASSERT_EQUAL(pkt->out_port, 0);
	CU_ASSERT_EQUAL(memcmp(pkt->dmac, fake_mac(77), 6), 0);
	end(sw);
}

static void believes_no_nonsense(void)
{
	struct sw *sw = new_switch();
	struct neigh_fact fact = fact_of("10.1.0.1", 11, 2);

	fact.mac[0] = 3;
	neigh_learn(sw, 0, &fact);
	memset(fact.mac, 0, 6);
	neigh_learn(sw, 0, &fact);
	memcpy(fact.mac, fake_router, 6);
	neigh_learn(sw, 0, &fact);
	learn(sw, 0, "10.1.0.254", 11, 2); /* our own */
	learn(sw, 0, "10.2.0.254", 11, 2); /* in another domain */
	learn(sw, 0, "224.0.0.1", 11, 2);
	learn(sw, 0, "0.0.0.0", 11, 2);
	CU_ASSERT_EQUAL(sw->neigh->lists[NEIGH_RESOLVED].first, NEIGH_NONE);
	send_to(sw, 0, "10.1.0.1", false);
	end(sw);
}

static void only_known_unless_for_us(void)
{
	struct sw *sw = new_switch();
	struct neigh_fact fact = fact_of("10.1.0.1", 11, 2);

	fact.create = false;
	neigh_learn(sw, 0, &fact);
	send_to(sw, 1, "10.1.0.1", false);
	neigh_learn(sw, 2, &fact);
	CU_ASSERT_EQUAL(fake.n_sent, 1);
	fact = fact_of("10.1.0.1", 12, 1);
	fact.create = false;
	neigh_learn(sw, 3, &fact);
	CU_ASSERT_EQUAL(send_to(sw, 4, "10.1.0.1", true)->out_port, 1);
	end(sw);
}

static void override_needed_to_change(void)
{
	struct sw *sw = new_switch();
	struct neigh_fact fact = fact_of("10.1.0.1", 12, 1);

	learn(sw, 0, "10.1.0.1", 11, 2);
	fact.override = false;
	neigh_learn(sw, 1, &fact);
	CU_ASSERT_EQUAL(send_to(sw, 2, "10.1.0.1", true)->out_port, 2);
	memcpy(fact.mac, fake_mac(11), 6); /* the same host, on another port now */
	neigh_learn(sw, 3, &fact);
	CU_ASSERT_EQUAL(send_to(sw, 4, "10.1.0.1", true)->out_port, 1);
	end(sw);
}

/* One address behind two ports: each asks and learns for itself. */
static void scopes_apart(void)
{
	struct sw *sw = new_switch();
	struct pkt *a = fake_udp4(3, fake_router, "10.1.0.1"), *b;

	CU_ASSERT_FALSE(neigh_resolve(sw, 0, a, ip("10.1.0.1"), 1, 0));
	CU_ASSERT_EQUAL(fake.n_gens, 1);
	b = fake_udp4(3, fake_router, "10.1.0.1");
	CU_ASSERT_FALSE(neigh_resolve(sw, 0, b, ip("10.1.0.1"), 1, 1));
	CU_ASSERT_EQUAL_FATAL(fake.n_gens, 2);
	CU_ASSERT_EQUAL(fake.gens[1].port, 1);
	learn(sw, 1, "10.1.0.1", 11, 1);
	CU_ASSERT_EQUAL_FATAL(fake.n_sent, 1);
	CU_ASSERT_PTR_EQUAL(fake.sent[0].pkt, b);
	learn(sw, 1, "10.1.0.1", 12, 0);
	CU_ASSERT_EQUAL_FATAL(fake.n_sent, 2);
	CU_ASSERT_EQUAL(fake.sent[1].port, 0);
	CU_ASSERT(neigh_resolve(sw, 2, b, ip("10.1.0.1"), 1, 1));
	CU_ASSERT_EQUAL(memcmp(b->dmac, fake_mac(11), 6), 0);
	end(sw);
}

static void domains_apart(void)
{
	struct sw *sw = new_switch();

	learn(sw, 0, "10.1.0.1", 11, 3); /* domain 2 */
	send_to(sw, 1, "10.1.0.1", false);
	CU_ASSERT(neigh_resolve(sw, 1, fake_udp4(0, fake_router, "10.1.0.1"), ip("10.1.0.1"), 2,
				PKT_NO_PORT));
	end(sw);
}

static void port_down_forgets(void)
{
	struct sw *sw = new_switch();

	learn(sw, 0, "10.1.0.1", 11, 1);
	learn(sw, 0, "10.1.0.2", 12, 2);
	send_to(sw, 1, "10.1.0.3", false);
	neigh_flush_port(sw, 2, 1);
	send_to(sw, 3, "10.1.0.2", true);
	send_to(sw, 3, "10.1.0.1", false);
	CU_ASSERT_EQUAL(neigh_next(sw), 1 + FAKE_S); /* the question goes on */
	end(sw);
}

/* All entries in use: the one confirmed longest ago makes room; when all wait, nobody does. */
static void full_table(void)
{
	struct sw *sw = new_switch();
	char text[24];

	for (unsigned int i = 0; i < NEIGH_SIZE; i++) {
		snprintf(text, sizeof(text), "10.1.%u.%u", 1 + i / 250, 1 + i % 250);
		learn(sw, 0, text, 11, 0);
	}
	learn(sw, 1, "10.1.1.1", 11, 0); /* confirmed again: 10.1.1.2 is the oldest now */
	learn(sw, 2, "10.1.200.1", 11, 0);
	send_to(sw, 3, "10.1.1.1", true);
	send_to(sw, 3, "10.1.200.1", true);
	fake.n_gens = 0;
	send_to(sw, 3, "10.1.1.2", false); /* takes the place of 10.1.1.3 */
	CU_ASSERT_EQUAL(fake.n_gens, 3);
	send_to(sw, 3, "10.1.1.4", true);
	CU_ASSERT_EQUAL(fake.n_drops, 0);
	end(sw);
}

static void all_wait(void)
{
	struct sw *sw = new_switch();
	struct pkt *pkt = fake_udp4(3, fake_router, "10.1.0.1");
	uint8_t target[16];

	for (unsigned int i = 0; i < NEIGH_SIZE; i++) {
		fake_ip4(target, "10.1.0.0");
		target[14] = (uint8_t)(1 + i / 250);
		target[15] = (uint8_t)(1 + i % 250);
		CU_ASSERT_PTR_NOT_NULL(neigh_create(sw->neigh, target, 1, PKT_NO_PORT));
	}
	CU_ASSERT_FALSE(neigh_resolve(sw, 0, pkt, ip("10.1.0.1"), 1, PKT_NO_PORT));
	CU_ASSERT_EQUAL_FATAL(fake.n_drops, 1);
	CU_ASSERT_EQUAL(fake.drops[0].what, SW_DROP_NEIGHBOUR_FULL);
	end(sw);
}

static void swap_tables(struct sw *sw, uint64_t t_ps, struct sw_tables *tables)
{
	sw_tables_free((struct sw_tables *)sw->tables);
	sw->tables = tables;
	neigh_installed(sw, t_ps);
}

/* A swap keeps what it does not contradict. */
static void swap_contradicts(void)
{
	struct sw_static_neigh fixed[2] = {{.domain = 1, .port = 2}, {.domain = 1, .port = 1}};
	struct sw *sw = new_switch();
	struct pkt *waits = send_to(sw, 0, "10.1.0.1", false);

	learn(sw, 0, "10.1.0.2", 12, 0);
	learn(sw, 0, "10.1.0.3", 13, 0);
	fake_ip4(fixed[0].ip, "10.1.0.1");
	fake_ip4(fixed[1].ip, "10.1.0.2");
	memcpy(fixed[0].mac, fake_mac(77), 6);
	memcpy(fixed[1].mac, fake_mac(78), 6);
	swap_tables(sw, 5, gateways(fixed, 2));
	CU_ASSERT_EQUAL_FATAL(fake.n_sent, 1);
	CU_ASSERT_PTR_EQUAL(fake.sent[0].pkt, waits);
	CU_ASSERT_EQUAL(fake.sent[0].port, 2);
	CU_ASSERT_EQUAL(neigh_next(sw), SW_NEVER);
	swap_tables(sw, 6, gateways(NULL, 0)); /* what was contradicted is gone */
	send_to(sw, 7, "10.1.0.2", false);
	CU_ASSERT_EQUAL(send_to(sw, 7, "10.1.0.3", true)->out_port, 0);
	end(sw);
}

static void swap_releases_to_a_port_that_is_down(void)
{
	struct sw_static_neigh fixed = {.domain = 1, .port = 2};
	struct sw *sw = new_switch();

	send_to(sw, 0, "10.1.0.1", false);
	fake.ports[2].up = false;
	fake_ip4(fixed.ip, "10.1.0.1");
	memcpy(fixed.mac, fake_mac(77), 6);
	swap_tables(sw, 5, gateways(&fixed, 1));
	CU_ASSERT_EQUAL(fake.n_sent, 0);
	CU_ASSERT_EQUAL_FATAL(fake.n_drops, 1);
	CU_ASSERT_EQUAL(fake.drops[0].what, SW_DROP_LINK_DOWN);
	CU_ASSERT_EQUAL(fake.drops[0].port, 2);
	CU_ASSERT_EQUAL(sw->held, 0);
	end(sw);
}

static void no_tables_no_neighbours(void)
{
	struct sw *sw = new_switch();

	send_to(sw, 0, "10.1.0.1", false);
	learn(sw, 0, "10.1.0.2", 12, 0);
	swap_tables(sw, 5, NULL);
	CU_ASSERT_EQUAL_FATAL(fake.n_drops, 1);
	CU_ASSERT_EQUAL(fake.drops[0].what, SW_DROP_NO_NEIGHBOUR);
	CU_ASSERT_EQUAL(neigh_next(sw), SW_NEVER);
	CU_ASSERT_EQUAL(sw->neigh->lists[NEIGH_RESOLVED].first, NEIGH_NONE);
	end(sw);
}

static void drains_all(void)
{
	struct sw *sw = new_switch();
	struct pkt *a = send_to(sw, 0, "10.1.0.1", false), *b = send_to(sw, 0, "10.1.0.2", false);
	struct pkt *c = send_to(sw, 0, "10.1.0.1", false), *chain = neigh_drain(sw);

	CU_ASSERT_PTR_EQUAL_FATAL(chain, a);
	CU_ASSERT_PTR_EQUAL_FATAL(chain->next, c);
	CU_ASSERT_PTR_EQUAL_FATAL(chain->next->next, b);
	CU_ASSERT_PTR_NULL(b->next);
	CU_ASSERT_EQUAL(neigh_next(sw), SW_NEVER);
	CU_ASSERT_PTR_NULL(neigh_drain(sw));
	end(sw);
}

struct rows {
	struct sw_neigh_row rows[8];
	unsigned int n;
};

static void take_row(void *arg, const struct sw_neigh_row *row)
{
	struct rows *rows = arg;

	rows->rows[rows->n++ % 8] = *row;
}

static void each_in_order(void)
{
	struct sw_static_neigh fixed = {.domain = 1, .port = 2};
	struct sw *sw = new_switch();
	struct rows rows = {.n = 0};

	fake_ip4(fixed.ip, "10.1.0.9");
	memcpy(fixed.mac, fake_mac(99), 6);
	swap_tables(sw, 0, gateways(&fixed, 1));
	learn(sw, 0, "10.1.0.2", 12, 1);
	send_to(sw, 0, "10.1.0.1", false);
	send_to(sw, 0, "10.1.0.1", false);
	sw_neigh_each(sw, take_row, &rows);
	CU_ASSERT_EQUAL_FATAL(rows.n, 3);
	CU_ASSERT(rows.rows[0].installed && rows.rows[0].resolved);
	CU_ASSERT_EQUAL(rows.rows[0].port, 2);
	CU_ASSERT(!rows.rows[1].installed && rows.rows[1].resolved);
	CU_ASSERT_EQUAL(memcmp(rows.rows[1].mac, fake_mac(12), 6), 0);
	CU_ASSERT_EQUAL(rows.rows[1].port, 1);
	CU_ASSERT(!rows.rows[2].installed && !rows.rows[2].resolved);
	CU_ASSERT_EQUAL(rows.rows[2].waiting, 2);
	end(sw);
}

static const struct cu_case cases[] = {
	{"neigh_resolve__asks_whole_domain_at_once", asks_whole_domain_at_once},
	{"neigh_resolve__asks_ipv6", asks_ipv6},
	{"neigh_resolve__asks_without_gateway", asks_without_gateway},
	{"neigh_resolve__asks_in_the_frames_vlan", asks_in_the_frames_vlan},
	{"neigh_resolve__holds_four", holds_four},
	{"neigh_resolve__static_wins", static_wins},
	{"neigh_resolve__scopes_apart", scopes_apart},
	{"neigh_resolve__domains_apart", domains_apart},
	{"neigh_resolve__all_wait", all_wait},
	{"neigh_timer__timeline", timeline},
	{"neigh_timer__catches_up", timer_catches_up},
	{"neigh_learn__releases_in_order", releases_in_order},
	{"neigh_learn__believes_no_nonsense", believes_no_nonsense},
	{"neigh_learn__only_known_unless_for_us", only_known_unless_for_us},
	{"neigh_learn__override_needed_to_change", override_needed_to_change},
	{"neigh_learn__full_table", full_table},
	{"neigh_flush_port__forgets", port_down_forgets},
	{"neigh_installed__swap_contradicts", swap_contradicts},
	{"neigh_installed__port_down", swap_releases_to_a_port_that_is_down},
	{"neigh_installed__no_tables", no_tables_no_neighbours},
	{"neigh_drain__drains_all", drains_all},
	{"sw_neigh_each__in_order", each_in_order},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("model/neigh", cases);
}
