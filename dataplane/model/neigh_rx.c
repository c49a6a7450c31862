/* SPDX-License-Identifier: BSD-3-Clause */
/* ARP and neighbour discovery that arrive: answers for the gateways, and learns from what is said to
 * us or about an address that we know (RFC 826, 5227, 4861). What is between two hosts is bridged
 * on, like anything else.
 */
#include "addr.h"
#include "hdr.h"
#include "neigh.h"

#define ND_OPTION_SOURCE 1
#define ND_OPTION_TARGET 2

/* An ARP or ND message, the same fields for both. */
struct message {
	struct neigh_fact fact; /* what the sender says about itself */
	uint8_t target[16];     /* asked for, or whom an ARP reply is for */
	bool question;
	bool to_router; /* sent to the router MAC */
};

/* ---- reading ---- */

static void read_arp(struct message *m, const struct pkt *pkt)
{
	const uint8_t *arp = pkt->data + pkt->l3_off;

	m->question = be16(arp + ARP_OP) == ARP_REQUEST;
	addr_from_v4(m->fact.ip, arp + ARP_SPA);
	memcpy(m->fact.mac, arp + ARP_SHA, 6);
	addr_from_v4(m->target, arp + ARP_TPA);
	m->fact.override = true;
}

/* The link-layer address of an option, or the frame's source where the message has none. */
static const uint8_t *nd_mac(const struct pkt *pkt, uint8_t type)
{
	const uint8_t *ip = pkt->data + pkt->l3_off;
	uint32_t off = pkt->l4_off + (uint32_t)ND_OPTIONS;
	uint32_t end = pkt->l3_off + HDR_IPV6 + (uint32_t)be16(ip + IPV6_LEN);

	while (off + 8 <= end && pkt->data[off + 1] != 0) {
		if (pkt->data[off] == type && pkt->data[off + 1] == 1)
			return pkt->data + off + 2;
		off += pkt->data[off + 1] * 8U;
	}
	return pkt->data + ETH_SRC;
}

static void read_nd(struct message *m, const struct pkt *pkt)
{
	const uint8_t *ip = pkt->data + pkt->l3_off, *icmp = pkt->data + pkt->l4_off;

	m->question = icmp[ICMP_TYPE] == ICMPV6_NS;
	if (m->question) {
		memcpy(m->fact.ip, ip + IPV6_SRC, 16);
		memcpy(m->target, icmp + ND_TARGET, 16);
		memcpy(m->fact.mac, nd_mac(pkt, ND_OPTION_SOURCE), 6);
		m->fact.override = true;
	} else {
		memcpy(m->fact.ip, icmp + ND_TARGET, 16);
		memcpy(m->target, ip + IPV6_DST, 16);
		memcpy(m->fact.mac, nd_mac(pkt, ND_OPTION_TARGET), 6);
		m->fact.override = (icmp[ND_FLAGS] & 0x20) != 0;
	}
}

static void read_message(struct message *m, const struct sw *sw, const struct pkt *pkt)
{
	m->fact = (struct neigh_fact){.domain = pkt->domain, .port = pkt->in_port, .vid = pkt->vid};
	if (pkt->kind == PKT_ARP)
		read_arp(m, pkt);
	else
		read_nd(m, pkt);
	m->to_router = memcmp(pkt->data + ETH_DST, sw->cfg.router_mac, 6) == 0;
}

/* The route that would lead to the sender ends at the port's domain or names the port. Anybody else is
 * answered, but no frame would ever be sent to it by what it says of itself. */
static bool is_of_port(const struct sw *sw, const struct neigh_fact *fact)
{
	const struct sw_route *route = sw_tables_match(sw->tables, fact->ip);

	if (route == NULL || route->kind == SW_ROUTE_CROSS_RAIL)
		return false;
	if (route->kind == SW_ROUTE_CONNECTED)
		return route->domain == fact->domain;
	for (uint32_t i = 0; i < route->n_via; i++)
		if (route->via[i].port == fact->port)
			return true;
	return false;
}

/* ---- answering ---- */

/* A proxy answers for every address that a router could reach, but not when a host asks whether its
 * own is taken, nor for a host behind the very port, which answers itself. */
static bool answered_by_proxy(const struct sw *sw, const struct message *m)
{
	return tables_proxy(sw->tables, m->target, m->fact.domain) && addr_is_unicast(m->fact.ip) &&
	       addr_is_unicast(m->target) && !addr_is_link_local(m->target) &&
	       memcmp(m->fact.ip, m->target, 16) != 0 &&
	       !neigh_is_behind(sw, m->target, m->fact.domain, m->fact.port);
}

static void answer(struct sw *sw, uint64_t t_ps, const struct message *m, const struct pkt *pkt)
{
	struct sw_gen gen = {.vid = pkt->vid, .pcp = pkt->pcp};

	memcpy(gen.dst_mac, pkt->data + ETH_SRC, 6);
	memcpy(gen.src_mac, sw->cfg.router_mac, 6);
	memcpy(gen.target_mac, m->fact.mac, 6);
	memcpy(gen.dst_ip, m->fact.ip, 16);
	memcpy(gen.src_ip, m->target, 16);
	port_gen(sw, t_ps, pkt->in_port, pkt->kind == PKT_ARP ? SW_REC_ARP_REPLY : SW_REC_NA, &gen);
}

static bool rx_question(struct sw *sw, uint64_t t_ps, struct message *m, struct pkt *pkt)
{
	bool mine = tables_gateway(sw->tables, m->target, m->fact.domain) != NULL;
	bool answered = mine || answered_by_proxy(sw, m);

	m->fact.create = answered && is_of_port(sw, &m->fact);
	neigh_learn(sw, t_ps, &m->fact);
	if (!answered)
		return false;
	answer(sw, t_ps, m, pkt);
	return true;
}

static bool rx_answer(struct sw *sw, uint64_t t_ps, struct message *m)
{
	m->fact.create = m->to_router &&
			 tables_gateway(sw->tables, m->target, m->fact.domain) != NULL &&
			 is_of_port(sw, &m->fact);
	neigh_learn(sw, t_ps, &m->fact);
	return m->to_router;
}

bool neigh_rx(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	struct message m;

	if (sw->tables == NULL)
		return false;
	read_message(&m, sw, pkt);
	if (m.question ? !rx_question(sw, t_ps, &m, pkt) : !rx_answer(sw, t_ps, &m))
		return false;
	sw_consume(sw, pkt);
	return true;
}
