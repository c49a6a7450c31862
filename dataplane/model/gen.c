/* SPDX-License-Identifier: BSD-3-Clause */
/* gen: the bytes of frames that the switch itself sends: PFC, ARP, neighbour discovery. */
#include "hdr.h"
#include "sw_int.h"

#include <string.h>

#define OPTION_BYTES 8 /* ND: a link-layer address option for Ethernet */
#define OPTION_SOURCE 1
#define OPTION_TARGET 2
#define NA_ROUTER 0x80
#define NA_SOLICITED 0x40
#define NA_OVERRIDE 0x20

static const uint8_t mac_broadcast[6] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
static const uint8_t mac_all_nodes[6] = {0x33, 0x33, 0, 0, 0, 1};
static const uint8_t mac_pfc[6] = {0x01, 0x80, 0xc2, 0, 0, 1};
static const uint8_t ip_unspecified[16];
static const uint8_t ip_all_nodes[16] = {0xff, 2, [15] = 1};

/* Ethernet header, with a tag if the record says so; returns its bytes. */
static uint16_t put_eth(const struct sw_gen *gen, uint8_t *buf, const uint8_t dst[6], uint16_t type)
{
	uint16_t off = ETH_TYPE;

	memcpy(buf + ETH_DST, dst, 6);
	memcpy(buf + ETH_SRC, gen->src_mac, 6);
	if (gen->vid != PKT_NO_VLAN) {
		put_be16(buf + off, ETHERTYPE_TAG);
		put_be16(buf + off + 2, (uint32_t)gen->pcp << 13 | (gen->vid & 0xfff));
		off += HDR_TAG;
	}
	put_be16(buf + off, type);
	return off + 2;
}

/* 802.1Qbb: class-enable vector, then a time for each class whether enabled or not. */
static uint16_t put_pfc(const struct sw_gen *gen, uint8_t *buf)
{
	memcpy(buf + ETH_DST, mac_pfc, 6);
	memcpy(buf + ETH_SRC, gen->src_mac, 6);
	put_be16(buf + ETH_TYPE, ETHERTYPE_MAC_CTL);
	put_be16(buf + MAC_CTL_OPCODE, MAC_CTL_PFC);
	put_be16(buf + PFC_VECTOR, gen->class_vector);
	for (int i = 0; i < SW_PRIOS; i++)
		put_be16(buf + PFC_QUANTA + 2 * i, gen->quanta[i]);
	return HDR_PFC;
}

static uint16_t put_arp(const struct sw_gen *gen, uint8_t *buf, uint16_t op)
{
	static const uint8_t ethernet_ipv4[6] = {0, 1, 8, 0, 6, 4};
	uint16_t off =
		put_eth(gen, buf, op == ARP_REQUEST ? mac_broadcast : gen->dst_mac, ETHERTYPE_ARP);
	uint8_t *arp = buf + off;

	memcpy(arp, ethernet_ipv4, 6);
	put_be16(arp + ARP_OP, op);
	memcpy(arp + ARP_SHA, gen->src_mac, 6);
	memcpy(arp + ARP_SPA, gen->src_ip + 12, 4); /* IPv4-mapped */
	memcpy(arp + ARP_THA, gen->target_mac, 6);
	memcpy(arp + ARP_TPA, gen->dst_ip + 12, 4);
	return off + HDR_ARP;
}

/* RFC 8200, 8.1: over the pseudo header (addresses, length, next header) and the message. */
static uint16_t icmpv6_sum(const uint8_t *ip, uint32_t bytes)
{
	uint32_t sum = PROTO_ICMPV6 + bytes;

	for (uint32_t i = IPV6_SRC; i < HDR_IPV6 + bytes; i += 2)
		sum += be16(ip + i);
	return (uint16_t)~sum_fold(sum);
}

/* IPv6 header and neighbour message with at most one option; returns the bytes. */
static uint16_t put_nd(uint8_t *ip, const uint8_t src[16], const uint8_t dst[16],
		       const uint8_t target[16], uint8_t type)
{
	uint8_t *icmp = ip + HDR_IPV6;

	ip[0] = 0x60;
	ip[IPV6_NEXT] = PROTO_ICMPV6;
	ip[IPV6_HOPS] = 255;
	memcpy(ip + IPV6_SRC, src, 16);
	memcpy(ip + IPV6_DST, dst, 16);
	icmp[ICMP_TYPE] = type;
	memcpy(icmp + ND_TARGET, target, 16);
	return HDR_ND;
}

static uint16_t put_option(uint8_t *option, uint8_t type, const uint8_t mac[6])
{
	option[0] = type;
	option[1] = 1; /* in units of 8 bytes */
	memcpy(option + 2, mac, 6);
	return OPTION_BYTES;
}

/* The message is whole: length and checksum; returns the bytes of header and message. */
static uint16_t finish_nd(uint8_t *ip, uint16_t bytes)
{
	put_be16(ip + IPV6_LEN, bytes);
	put_be16(ip + HDR_IPV6 + ICMP_SUM, icmpv6_sum(ip, bytes));
	return HDR_IPV6 + bytes;
}

/* RFC 4861, 4.3: asks for dst_ip at its solicited-node group; a source link-layer address only
 * where there is a source. */
static uint16_t put_ns(const struct sw_gen *gen, uint8_t *buf)
{
	const uint8_t *target = gen->dst_ip;
	const uint8_t group[16] = {0xff, 2, [11] = 1, 0xff, target[13], target[14], target[15]};
	const uint8_t group_mac[6] = {0x33, 0x33, 0xff, target[13], target[14], target[15]};
	uint16_t off = put_eth(gen, buf, group_mac, ETHERTYPE_IPV6);
	uint16_t bytes = put_nd(buf + off, gen->src_ip, group, target, ICMPV6_NS);

	if (memcmp(gen->src_ip, ip_unspecified, 16) != 0)
		bytes += put_option(buf + off + HDR_IPV6 + bytes, OPTION_SOURCE, gen->src_mac);
	return off + finish_nd(buf + off, bytes);
}

/* RFC 4861, 4.4 and 7.2.4: src_ip is at src_mac. Who asked without an address of his own (duplicate
 * address detection) is answered at all nodes, unsolicited. */
static uint16_t put_na(const struct sw_gen *gen, uint8_t *buf)
{
	bool to_all = memcmp(gen->dst_ip, ip_unspecified, 16) == 0;
	uint16_t off = put_eth(gen, buf, to_all ? mac_all_nodes : gen->dst_mac, ETHERTYPE_IPV6);
	uint8_t *ip = buf + off;
	uint16_t bytes = put_nd(ip, gen->src_ip, to_all ? ip_all_nodes : gen->dst_ip, gen->src_ip,
				ICMPV6_NA);

	ip[HDR_IPV6 + ND_FLAGS] = NA_ROUTER | NA_OVERRIDE | (to_all ? 0 : NA_SOLICITED);
	bytes += put_option(ip + HDR_IPV6 + bytes, OPTION_TARGET, gen->src_mac);
	return off + finish_nd(ip, bytes);
}

static uint16_t put_rec(const struct sw_rec *rec, uint8_t *buf)
{
	switch ((enum sw_rec_kind)rec->kind) {
	case SW_REC_PFC:
		return put_pfc(&rec->gen, buf);
	case SW_REC_ARP_REQUEST:
		return put_arp(&rec->gen, buf, ARP_REQUEST);
	case SW_REC_ARP_REPLY:
		return put_arp(&rec->gen, buf, ARP_REPLY);
	case SW_REC_NS:
		return put_ns(&rec->gen, buf);
	case SW_REC_NA:
		return put_na(&rec->gen, buf);
	case SW_REC_FRAME:
		break;
	}
	return 0;
}

uint16_t sw_gen_bytes(const struct sw_rec *rec, uint8_t *buf)
{
	uint16_t len;

	memset(buf, 0, SW_GEN_MAX);
	len = put_rec(rec, buf);
	return len > 0 && len < SW_MIN_FRAME ? SW_MIN_FRAME : len;
}
