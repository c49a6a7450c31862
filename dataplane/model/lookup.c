/* SPDX-License-Identifier: BSD-3-Clause */
/* Lookup: where a frame goes. In this order:
 *
 *	01:80:c2:00:00:0x           dropped: a bridge never forwards it
 *	source MAC                  learned
 *	ARP, ND that concern us     neigh_rx
 *	router MAC                  routed: own addresses, TTL, longest prefix, next hop, its MAC
 *	anything else               bridged: installed MACs, learned MACs, else flooded
 *
 * Ports are VLAN-transparent: a frame keeps its tag, bridged or routed, and the VLAN id only keeps
 * learned MACs apart. A routed frame may leave by the port it came from (a one-armed router), a
 * bridged one never.
 */
#include "addr.h"
#include "hash.h"
#include "hdr.h"
#include "recent.h"

SW_ASIDE static enum sw_lookup drop(struct sw *sw, uint64_t t_ps, struct pkt *pkt,
				    enum sw_drop reason)
{
	uint16_t port = reason == SW_DROP_LINK_DOWN ? pkt->out_port : pkt->in_port;

	sw_drop(sw, t_ps, pkt, reason, port);
	return SW_LOOKUP_TAKEN;
}

/* Its way is known; the port may be down all the same. */
static enum sw_lookup go(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	if (sw->ports[pkt->out_port].up)
		return SW_LOOKUP_ONE;
	return drop(sw, t_ps, pkt, SW_DROP_LINK_DOWN);
}

/* ---- bridging ---- */

static bool is_router(const struct sw *sw, const uint8_t mac[6])
{
	return memcmp(mac, sw->cfg.router_mac, 6) == 0 && !addr_mac_is_zero(mac);
}

/* IEEE 802.1Q, table 8-1: sixteen addresses that end at the nearest bridge. */
static bool is_link_local(const uint8_t mac[6])
{
	static const uint8_t group[5] = {0x01, 0x80, 0xc2, 0, 0};

	return memcmp(mac, group, 5) == 0 && mac[5] < 16;
}

/* The VLAN that tells MACs apart. A tag with VLAN id 0 carries a priority and no VLAN (IEEE 802.1Q,
 * 6.9): a host that tags only its RoCE traffic so is learned from all it sends. */
static uint16_t vlan_of(const struct pkt *pkt)
{
	return pkt->vid == 0 ? PKT_NO_VLAN : pkt->vid;
}

static uint16_t installed_port(const struct sw *sw, const uint8_t mac[6], const struct pkt *pkt)
{
	if (sw->tables == NULL)
		return PKT_NO_PORT;
	return tables_fdb(sw->tables, mac, pkt->domain, vlan_of(pkt));
}

/* The source's learned entry, NULL when it is not to be learned. */
static struct fdb_entry *learn(struct sw *sw, uint64_t t_ps, const struct pkt *pkt)
{
	const uint8_t *mac = pkt->data + ETH_SRC;

	if (pkt->domain == SW_NO_DOMAIN || !addr_mac_is_unicast(mac) || is_router(sw, mac))
		return NULL;
	if (installed_port(sw, mac, pkt) != PKT_NO_PORT)
		return NULL;
	return fdb_learn(sw->fdb, t_ps, mac, pkt->domain, vlan_of(pkt), pkt->in_port);
}

static enum sw_lookup flood_list(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	sw->n_flood = 0;
	for (uint16_t i = 0; i < sw->n_ports && pkt->domain != SW_NO_DOMAIN; i++)
		if (i != pkt->in_port && sw->ports[i].up && sw->ports[i].cfg.domain == pkt->domain)
			sw->flood[sw->n_flood++] = i;
	return sw->n_flood > 0 ? SW_LOOKUP_FLOOD : drop(sw, t_ps, pkt, SW_DROP_NO_MEMBER);
}

static enum sw_lookup bridge(struct sw *sw, uint64_t t_ps, struct pkt *pkt,
			     struct fdb_entry *source)
{
	const uint8_t *mac = pkt->data + ETH_DST;
	uint16_t port = PKT_NO_PORT;

	if (!(mac[0] & 1)) {
		port = installed_port(sw, mac, pkt);
		if (port == PKT_NO_PORT)
			port = fdb_find(sw->fdb, t_ps, mac, pkt->domain, vlan_of(pkt));
	}
	if (port == PKT_NO_PORT)
		return flood_list(sw, t_ps, pkt);
	if (port == pkt->in_port)
		return drop(sw, t_ps, pkt, SW_DROP_SAME_PORT);
	recent_keep(sw, t_ps, pkt, source, port);
	pkt->out_port = port;
	return go(sw, t_ps, pkt);
}

/* ---- routing ---- */

/* Source and destination as 16 bytes. */
static void read_ips(const struct pkt *pkt, uint8_t src[16], uint8_t dst[16])
{
	const uint8_t *ip = pkt->data + pkt->l3_off;

	if (pkt->flags & PKT_F_V4) {
		addr_from_v4(src, ip + IPV4_SRC);
		addr_from_v4(dst, ip + IPV4_DST);
	} else {
		memcpy(src, ip + IPV6_SRC, 16);
		memcpy(dst, ip + IPV6_DST, 16);
	}
}

/* A whole echo request: no fragment, no IPv6 extension header, a sender that can be answered. */
static bool is_echo_request(const struct pkt *pkt, const uint8_t src[16])
{
	const uint8_t *ip = pkt->data + pkt->l3_off, *icmp = pkt->data + pkt->l4_off;

	if (pkt->kind != PKT_ICMP || !(pkt->flags & PKT_F_L4) || !addr_is_unicast(src))
		return false;
	if (pkt->flags & PKT_F_V4)
		return icmp[ICMP_TYPE] == ICMP_ECHO_REQUEST && (be16(ip + IPV4_FRAG) & 0x3fff) == 0;
	return icmp[ICMP_TYPE] == ICMPV6_ECHO_REQUEST && icmp == ip + HDR_IPV6;
}

/* To an address of the switch itself. The answer rides on the request: one frame is consumed and
 * one generated, so that what is held stays the same. */
SW_ASIDE static enum sw_lookup to_switch(struct sw *sw, uint64_t t_ps, struct pkt *pkt,
					 const uint8_t src[16])
{
	struct sw_port *port = &sw->ports[pkt->in_port];

	if (!is_echo_request(pkt, src) || tables_own(sw->tables, src))
		return drop(sw, t_ps, pkt, SW_DROP_NOT_FOR_US);
	sw->consumed++;
	port->counters[SW_PORT_CONSUMED]++;
	sw->generated++;
	port->counters[SW_PORT_GENERATED]++;
	pkt->edit |= PKT_EDIT_ECHO;
	pkt->flags |= PKT_F_GENERATED;
	pkt->out_port = pkt->in_port;
	return SW_LOOKUP_ONE;
}

static uint8_t ttl(const struct pkt *pkt)
{
	return pkt->data[pkt->l3_off + (pkt->flags & PKT_F_V4 ? IPV4_TTL : IPV6_HOPS)];
}

/* Resilient: the hash is over all members, so that flows of those that are up stay where they are
 * when another goes down; only that one's flows are spread anew. NULL when none is up. */
static const struct sw_via *pick(const struct sw *sw, const struct sw_route *route,
				 const struct pkt *pkt)
{
	uint64_t hash = hash_flow(sw, pkt);
	const struct sw_via *via = &route->via[hash_member(hash, route->n_via)];
	const struct sw_via *up[SW_MAX_VIA];
	uint32_t n = 0;

	if (sw->ports[via->port].up)
		return via;
	for (uint32_t i = 0; i < route->n_via; i++)
		if (sw->ports[route->via[i].port].up)
			up[n++] = &route->via[i];
	/* Mixed again: the flows that come here share the upper bits of their hash. */
	return n == 0 ? NULL : up[hash_member(hash_mix(hash, n), n)];
}

static enum sw_lookup route_via(struct sw *sw, uint64_t t_ps, struct pkt *pkt,
				const struct sw_route *route, const uint8_t dst[16])
{
	const struct sw_via *via = pick(sw, route, pkt);
	const uint8_t *hop;

	if (via == NULL) {
		pkt->out_port = route->via[0].port;
		return drop(sw, t_ps, pkt, SW_DROP_LINK_DOWN);
	}
	if (via->has_mac) {
		memcpy(pkt->dmac, via->mac, 6);
		pkt->out_port = via->port;
		pkt->edit |= PKT_EDIT_ROUTE;
		return SW_LOOKUP_ONE;
	}
	hop = memcmp(via->ip, addr_zero, 16) == 0 ? dst : via->ip;
	if (!neigh_resolve(sw, t_ps, pkt, hop, sw->ports[via->port].cfg.domain, via->port))
		return SW_LOOKUP_TAKEN;
	pkt->edit |= PKT_EDIT_ROUTE;
	return SW_LOOKUP_ONE;
}

/* fixed: the destination's installed neighbour on a connected route, NULL when it must be found. */
static inline enum sw_lookup route_on(struct sw *sw, uint64_t t_ps, struct pkt *pkt,
				      const uint8_t dst[16], const struct sw_route *route,
				      const struct sw_static_neigh *fixed)
{
	if (route->kind == SW_ROUTE_VIA)
		return route_via(sw, t_ps, pkt, route, dst);
	if (fixed != NULL) {
		memcpy(pkt->dmac, fixed->mac, 6);
		pkt->out_port = fixed->port;
	} else if (!neigh_resolve(sw, t_ps, pkt, dst, route->domain, PKT_NO_PORT)) {
		return SW_LOOKUP_TAKEN;
	}
	pkt->edit |= PKT_EDIT_ROUTE;
	return go(sw, t_ps, pkt);
}

/* Groups and link-local addresses are never routed. */
SW_ASIDE static enum sw_lookup search_route(struct sw *sw, uint64_t t_ps, struct pkt *pkt,
					    const uint8_t src[16], const uint8_t dst[16])
{
	const struct sw_static_neigh *fixed = NULL;
	const struct sw_route *route;

	if (tables_own(sw->tables, dst))
		return to_switch(sw, t_ps, pkt, src);
	if (!addr_is_unicast(dst) || addr_is_link_local(dst))
		return drop(sw, t_ps, pkt, SW_DROP_NOT_FOR_US);
	if (ttl(pkt) <= 1)
		return drop(sw, t_ps, pkt, SW_DROP_TTL_EXPIRED);
	route = sw_tables_match(sw->tables, dst);
	if (route == NULL)
		return drop(sw, t_ps, pkt, SW_DROP_NO_ROUTE);
	if (route->kind == SW_ROUTE_CROSS_RAIL)
		return drop(sw, t_ps, pkt, SW_DROP_CROSS_RAIL);
	if (route->kind == SW_ROUTE_CONNECTED)
		fixed = tables_neigh(sw->tables, dst, route->domain);
	recent_hop_keep(sw, dst, route, fixed);
	return route_on(sw, t_ps, pkt, dst, route, fixed);
}

/* A frame to the router MAC. Neighbour discovery that neigh_rx did not take is for nobody (RFC 4861
 * forbids to forward it). */
static inline enum sw_lookup route(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	const struct recent_hop *hop;
	uint8_t src[16], dst[16];

	if (!(pkt->flags & (PKT_F_V4 | PKT_F_V6)) || pkt->kind == PKT_ND)
		return drop(sw, t_ps, pkt, SW_DROP_NOT_FOR_US);
	if (sw->tables == NULL)
		return drop(sw, t_ps, pkt, SW_DROP_NO_ROUTE);
	read_ips(pkt, src, dst);
	hop = recent_hop_find(sw, dst);
	if (hop == NULL)
		return search_route(sw, t_ps, pkt, src, dst);
	if (ttl(pkt) <= 1)
		return drop(sw, t_ps, pkt, SW_DROP_TTL_EXPIRED);
	return route_on(sw, t_ps, pkt, dst, hop->route, hop->fixed);
}

SW_ASIDE static enum sw_lookup search(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	const uint8_t *dst = pkt->data + ETH_DST;
	struct fdb_entry *source;

	/* As it is now: the frame may have been parsed before it was changed. */
	pkt->domain = sw->ports[pkt->in_port].cfg.domain;
	if (is_link_local(dst))
		return drop(sw, t_ps, pkt, SW_DROP_LINK_LOCAL);
	source = learn(sw, t_ps, pkt);
	if ((pkt->kind == PKT_ARP || pkt->kind == PKT_ND) && neigh_rx(sw, t_ps, pkt))
		return SW_LOOKUP_TAKEN;
	if (!is_router(sw, dst))
		return bridge(sw, t_ps, pkt, source);
	recent_keep(sw, t_ps, pkt, source, RECENT_ROUTED);
	return route(sw, t_ps, pkt);
}

enum sw_lookup lookup(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	const struct recent *recent = recent_find(sw, t_ps, pkt);

	if (recent == NULL || pkt->kind == PKT_ARP || pkt->kind == PKT_ND)
		return search(sw, t_ps, pkt);
	if (recent->source != NULL)
		fdb_seen(recent->source);
	if (recent->out_port == RECENT_ROUTED)
		return route(sw, t_ps, pkt);
	pkt->out_port = recent->out_port;
	return go(sw, t_ps, pkt);
}
