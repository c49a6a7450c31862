/* SPDX-License-Identifier: BSD-3-Clause */
/* Wire formats as offsets, and readers of big-endian fields.
 *
 * Frames start at any alignment, so fields are put together from bytes (the compiler makes one load
 * and a byte swap of it) and never read through a cast. Offsets and sizes are in bytes. Nothing here
 * checks bounds: parse.c does, once. IEEE 802.3, 802.1Q, 802.1Qbb; RFC 826, 791, 8200, 768, 4443,
 * 4861; InfiniBand Architecture 1.2.1 with Annex A17 (RoCEv2).
 */
#ifndef RY_HDR_H
#define RY_HDR_H

#include <stdint.h>

enum {
	HDR_ETH = 14, /* bytes of each header, without options */
	HDR_TAG = 4,
	HDR_ARP = 28, /* Ethernet and IPv4 */
	HDR_IPV4 = 20,
	HDR_IPV6 = 40,
	HDR_IPV6_EXT = 8, /* the least that an extension header has */
	HDR_UDP = 8,
	HDR_TCP = 20,
	HDR_ICMP = 8,
	HDR_ND = 24, /* a solicitation or advertisement without options */
	HDR_BTH = 12,
	HDR_ICRC = 4,
	HDR_PAUSE = 18, /* Ethernet header, opcode, one quanta field */
	HDR_PFC = 34,   /* Ethernet header, opcode, class vector, eight quanta fields */
	HDR_L4_MIN = 8, /* UDP, TCP and ICMP: ports or type are in the first 8 */
};

enum {
	ETHERTYPE_IPV4 = 0x0800,
	ETHERTYPE_ARP = 0x0806,
	ETHERTYPE_TAG = 0x8100,
	ETHERTYPE_IPV6 = 0x86dd,
	ETHERTYPE_MAC_CTL = 0x8808,
	ETHERTYPE_STAG = 0x88a8, /* the outer tag of 802.1ad */
	ETHERTYPE_ROCEV1 = 0x8915,
};

enum { MAC_CTL_PAUSE = 0x0001, MAC_CTL_PFC = 0x0101 };

enum {
	PROTO_HOP_BY_HOP = 0,
	PROTO_ICMP = 1,
	PROTO_TCP = 6,
	PROTO_UDP = 17,
	PROTO_ROUTING = 43,
	PROTO_FRAGMENT = 44,
	PROTO_ICMPV6 = 58,
	PROTO_DEST_OPTIONS = 60,
};

enum {
	ICMP_ECHO_ANSWER = 0,
	ICMP_ECHO_REQUEST = 8,
	ICMPV6_ECHO_REQUEST = 128,
	ICMPV6_ECHO_ANSWER = 129,
	ICMPV6_NS = 135,
	ICMPV6_NA = 136,
};

enum { ARP_REQUEST = 1, ARP_REPLY = 2 };

enum { UDP_PORT_ROCE = 4791 };

/* Where a field lies, from the start of its own header. */
enum {
	ETH_DST = 0,
	ETH_SRC = 6,
	ETH_TYPE = 12,
	MAC_CTL_OPCODE = 14, /* these three from the start of the frame: never tagged */
	PFC_VECTOR = 16,
	PFC_QUANTA = 18,
	ARP_OP = 6,
	ARP_SHA = 8,
	ARP_SPA = 14,
	ARP_THA = 18,
	ARP_TPA = 24,
	IPV4_TOS = 1,
	IPV4_LEN = 2,
	IPV4_FRAG = 6,
	IPV4_TTL = 8,
	IPV4_PROTO = 9,
	IPV4_SUM = 10,
	IPV4_SRC = 12,
	IPV4_DST = 16,
	IPV6_LEN = 4,
	IPV6_NEXT = 6,
	IPV6_HOPS = 7,
	IPV6_SRC = 8,
	IPV6_DST = 24,
	UDP_SPORT = 0,
	UDP_DPORT = 2,
	UDP_LEN = 4,
	UDP_SUM = 6,
	ICMP_TYPE = 0,
	ICMP_CODE = 1,
	ICMP_SUM = 2,
	ND_FLAGS = 4,
	ND_TARGET = 8,
	ND_OPTIONS = 24,
	BTH_OPCODE = 0,
	BTH_ECN = 4, /* FECN, BECN and 6 reserved bits */
	BTH_QP = 5,
};

/* 1 + the bytes of the headers between BTH and payload, by BTH opcode; 0: no such opcode. bth.c. */
extern const uint8_t bth_ext[256];

static inline uint16_t be16(const uint8_t *p)
{
	return (uint16_t)((uint32_t)p[0] << 8 | p[1]);
}

static inline uint32_t be24(const uint8_t *p)
{
	return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

static inline uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline void put_be16(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)(value >> 8);
	p[1] = (uint8_t)value;
}

/* Folds a sum of 16-bit words (at most 2^32 - 1) to the ones' complement 16 bits of RFC 1071. */
static inline uint16_t sum_fold(uint32_t sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)(sum + (sum >> 16));
}

#endif
