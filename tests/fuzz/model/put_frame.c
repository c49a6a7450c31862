/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames as bytes, by kind. */
#include "put_frame.h"

#include "dataplane/model/hdr.h"
#include "dataplane/model/icrc.h"

#include <string.h>

#define ICRC_MAX 1100 /* longer frames mostly go without a right one: it takes time */

/* ---- pieces ---- */

static uint16_t put_eth(struct life *life, const struct talk *talk, uint8_t *b, uint16_t type)
{
	uint16_t off = ETH_TYPE;

	if (talk->routed) {
		memcpy(b + ETH_DST, life->config.router_mac, 6);
		b[ETH_DST + 4] ^= one_in(life->source, 64); /* what it was, or may become */
	} else {
		station_mac(b + ETH_DST, talk->out, talk->to);
	}
	station_mac(b + ETH_SRC, talk->in, talk->from);
	if (talk->tci != PKT_NO_VLAN) {
		put_be16(b + off, ETHERTYPE_TAG);
		put_be16(b + off + 2, talk->tci);
		off += HDR_TAG;
	}
	put_be16(b + off, type);
	return off + 2;
}

static void put_ipv4(const struct talk *talk, uint8_t *ip, uint32_t bytes, uint8_t proto)
{
	uint32_t sum = 0;

	memset(ip, 0, HDR_IPV4);
	ip[0] = 0x45;
	ip[IPV4_TOS] = talk->tos;
	put_be16(ip + IPV4_LEN, HDR_IPV4 + bytes);
	ip[IPV4_FRAG] = 0x40;
	ip[IPV4_TTL] = 64;
	ip[IPV4_PROTO] = proto;
	memcpy(ip + IPV4_SRC, talk->src + 12, 4);
	memcpy(ip + IPV4_DST, talk->dst + 12, 4);
	for (int i = 0; i < HDR_IPV4; i += 2)
		sum += be16(ip + i);
	put_be16(ip + IPV4_SUM, (uint16_t)~sum_fold(sum));
}

static void put_ipv6(const struct talk *talk, uint8_t *ip, uint32_t bytes, uint8_t proto)
{
	memset(ip, 0, HDR_IPV6);
	put_be16(ip, 0x6000 | talk->tos << 4);
	put_be16(ip + IPV6_LEN, bytes);
	ip[IPV6_NEXT] = proto;
	ip[IPV6_HOPS] = 64;
	memcpy(ip + IPV6_SRC, talk->src, 16);
	memcpy(ip + IPV6_DST, talk->dst, 16);
}

/* Headers up to the layer above IP, whose `bytes` are to follow; returns where. */
static uint16_t put_ip(struct life *life, const struct talk *talk, uint8_t *b, uint32_t bytes,
		       uint8_t proto)
{
	uint16_t off = put_eth(life, talk, b, talk->v6 ? ETHERTYPE_IPV6 : ETHERTYPE_IPV4);

	if (talk->v6)
		put_ipv6(talk, b + off, bytes, proto);
	else
		put_ipv4(talk, b + off, bytes, proto);
	return off + (talk->v6 ? HDR_IPV6 : HDR_IPV4);
}

uint16_t l2_l3_bytes(const struct talk *talk)
{
	return HDR_ETH + (talk->tci != PKT_NO_VLAN ? HDR_TAG : 0) +
	       (talk->v6 ? HDR_IPV6 : HDR_IPV4);
}

/* At least `least` bytes above IP, more when the frame shall be longer. */
static uint16_t l4_bytes(const struct talk *talk, uint16_t least)
{
	uint16_t below = l2_l3_bytes(talk);

	return talk->want > below + least ? talk->want - below : least;
}

/* ---- kinds ---- */

static uint8_t draw_opcode(struct source *s, uint16_t room)
{
	static const uint8_t usual[] = {0x04, 0x06, 0x07, 0x08, 0x0a, 0x0c, 0x10, 0x11, 0x11, 0x81};
	uint8_t opcode = one_in(s, 24) ? (uint8_t)draw(s, 256) : draw_of(s, usual);

	return bth_ext[opcode] <= room ? opcode : 0x04;
}

void put_roce(struct life *life, const struct talk *talk, struct frame *f)
{
	struct source *s = life->source;
	uint16_t bytes = l4_bytes(talk, HDR_UDP + HDR_BTH + HDR_ICRC + draw(s, 24));
	uint16_t l4 = put_ip(life, talk, f->bytes, bytes, PROTO_UDP);
	uint16_t l3 = l4 - (talk->v6 ? HDR_IPV6 : HDR_IPV4), end = l4 + bytes - HDR_ICRC;
	uint8_t *udp = f->bytes + l4, *bth = udp + HDR_UDP;
	uint32_t icrc;

	memset(udp, 0, bytes);
	put_be16(udp + UDP_SPORT, 49152 + draw(s, 64));
	put_be16(udp + UDP_DPORT, UDP_PORT_ROCE);
	put_be16(udp + UDP_LEN, bytes);
	bth[BTH_OPCODE] = draw_opcode(s, bytes - HDR_UDP - HDR_BTH - HDR_ICRC + 1);
	bth[BTH_QP + 2] = (uint8_t)draw(s, 32);
	f->len = l4 + bytes;
	if (f->len > ICRC_MAX && !one_in(s, 16))
		return;
	icrc = icrc_compute(f->bytes, l3, l4, end);
	for (int i = 0; i < HDR_ICRC; i++)
		f->bytes[end + i] = (uint8_t)(icrc >> (8 * i));
}

/* TCP, UDP, ICMP between hosts, or a protocol that nobody here knows. */
void put_other_ip(struct life *life, const struct talk *talk, struct frame *f)
{
	static const uint8_t protocols[] = {PROTO_TCP, PROTO_TCP, PROTO_UDP, PROTO_ICMP, 132};
	struct source *s = life->source;
	uint8_t proto = draw_of(s, protocols);
	uint16_t bytes = l4_bytes(talk, HDR_TCP), l4;

	if (proto == PROTO_ICMP && talk->v6)
		proto = PROTO_ICMPV6;
	l4 = put_ip(life, talk, f->bytes, bytes, proto);
	memset(f->bytes + l4, 0, bytes);
	put_be16(f->bytes + l4, 40000 + draw(s, 64));
	if (proto == PROTO_TCP)
		f->bytes[l4 + 12] = 0x50;
	else if (proto == PROTO_UDP)
		put_be16(f->bytes + l4 + UDP_LEN, bytes);
	f->len = l4 + bytes;
}

void put_rocev1(struct life *life, const struct talk *talk, struct frame *f)
{
	uint16_t off = put_eth(life, talk, f->bytes, ETHERTYPE_ROCEV1);

	f->len = talk->want > 80 ? talk->want : 80;
	memset(f->bytes + off, 0, f->len - off);
}

/* To the gateway of the station's own domain, or to one of another. */
void put_ping(struct life *life, struct talk *talk, struct frame *f)
{
	struct source *s = life->source;
	uint16_t domain = one_in(s, 6) ? (uint16_t)draw(s, DOMAINS) : life->ports[talk->in].domain;
	uint16_t bytes = HDR_ICMP + 32, l4;

	gateway_ip(talk->dst, domain, talk->v6);
	talk->routed = true;
	l4 = put_ip(life, talk, f->bytes, bytes, talk->v6 ? PROTO_ICMPV6 : PROTO_ICMP);
	memset(f->bytes + l4, 0, bytes);
	f->bytes[l4 + ICMP_TYPE] = talk->v6 ? ICMPV6_ECHO_REQUEST : ICMP_ECHO_REQUEST;
	if (one_in(s, 16))
		f->bytes[l4 + ICMP_TYPE]++; /* no request */
	f->len = l4 + bytes;
}

void put_arp(struct life *life, const struct talk *talk, struct frame *f, uint16_t op)
{
	uint16_t off = put_eth(life, talk, f->bytes, ETHERTYPE_ARP);
	uint8_t *arp = f->bytes + off;
	const uint8_t ethernet_ipv4[6] = {0, 1, 8, 0, 6, 4};

	if (op == ARP_REQUEST)
		memset(f->bytes + ETH_DST, 0xff, 6);
	memcpy(arp, ethernet_ipv4, 6);
	put_be16(arp + ARP_OP, op);
	station_mac(arp + ARP_SHA, talk->in, talk->from);
	memcpy(arp + ARP_SPA, talk->src + 12, 4);
	memset(arp + ARP_THA, 0, 6);
	memcpy(arp + ARP_TPA, talk->dst + 12, 4);
	f->len = off + HDR_ARP;
}

void put_nd(struct life *life, const struct talk *talk, struct frame *f, uint8_t type)
{
	struct source *s = life->source;
	bool option = !one_in(s, 4);
	uint16_t bytes = HDR_ND + (option ? 8 : 0);
	uint16_t off = put_ip(life, talk, f->bytes, bytes, PROTO_ICMPV6);
	uint8_t *icmp = f->bytes + off;

	f->bytes[off - HDR_IPV6 + IPV6_HOPS] = 255;
	memset(icmp, 0, bytes);
	icmp[ICMP_TYPE] = type;
	icmp[ND_FLAGS] = type == ICMPV6_NA ? (uint8_t)draw(s, 256) & 0xe0 : 0;
	memcpy(icmp + ND_TARGET, type == ICMPV6_NA ? talk->src : talk->dst, 16);
	if (option) {
		icmp[ND_OPTIONS] = type == ICMPV6_NA ? 2 : 1;
		icmp[ND_OPTIONS + 1] = 1;
		station_mac(icmp + ND_OPTIONS + 2, talk->in, talk->from);
	}
	if (type == ICMPV6_NS && one_in(s, 2))
		memset(f->bytes + ETH_DST, 0x33, 2);
	f->len = off + bytes;
}

/* Asks for the gateway, for another station, or for itself; or tells without being asked. */
void put_neighbour(struct life *life, struct talk *talk, struct frame *f)
{
	struct source *s = life->source;

	if (one_in(s, 2))
		gateway_ip(talk->dst,
			   one_in(s, 4) ? (uint16_t)draw(s, DOMAINS) : life->ports[talk->in].domain,
			   talk->v6);
	else if (one_in(s, 4))
		memcpy(talk->dst, talk->src, 16);
	if (one_in(s, 8)) /* an address that is being tried (RFC 5227, 4862) */
		memset(talk->src + (talk->v6 ? 0 : 12), 0, talk->v6 ? 16 : 4);
	if (talk->v6)
		put_nd(life, talk, f, one_in(s, 3) ? ICMPV6_NA : ICMPV6_NS);
	else
		put_arp(life, talk, f, one_in(s, 3) ? ARP_REPLY : ARP_REQUEST);
}

void put_pfc(struct life *life, struct frame *f)
{
	static const uint16_t quanta[] = {0, 1, 2, 100, 1000, 0xffff, 0xffff};
	struct source *s = life->source;
	const uint8_t head[16] = {0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 1, 0, 9, 0x88, 0x08, 1, 1};
	uint16_t time = draw_of(s, quanta);

	memset(f->bytes, 0, SW_MIN_FRAME);
	memcpy(f->bytes, head, sizeof(head));
	if (one_in(s, 8))
		memset(f->bytes + ETH_SRC, 0, 6);
	put_be16(f->bytes + PFC_VECTOR, one_in(s, 3) ? draw(s, 65536) : 1u << draw(s, SW_PRIOS));
	for (int p = 0; p < SW_PRIOS; p++)
		put_be16(f->bytes + PFC_QUANTA + 2 * p, one_in(s, 8) ? draw(s, 65536) : time);
	f->len = SW_MIN_FRAME;
}

void put_mac_control(struct life *life, struct frame *f)
{
	put_pfc(life, f);
	put_be16(f->bytes + MAC_CTL_OPCODE, one_in(life->source, 3) ? 2 : MAC_CTL_PAUSE);
}
