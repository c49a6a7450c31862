/* SPDX-License-Identifier: BSD-3-Clause */
/* parse: reads a frame's headers into its descriptor. First stage of every pipeline.
 *
 * A frame is PKT_RUNT only when its headers are cut short or contradict each other, as a switch or
 * NIC would find; padding behind the datagram is fine, and no checksum is judged. Every `off` and
 * `end` below counts bytes from data, and end <= len: nothing beyond len is read.
 */
#include "hdr.h"
#include "sw_int.h"

#define MAX_IPV6_EXT 8 /* a longer chain is opaque data: nobody sends one in earnest */
#define HDR_READ 64    /* hdr_len's bound */

/* The headers end at off. */
static inline void payload_at(struct pkt *pkt, uint32_t off)
{
	pkt->hdr_len = off < HDR_READ ? (uint8_t)off : HDR_READ;
}

/* What the layers above found is void; the tag stays, and the digest reads what there is. */
static void runt(struct pkt *pkt)
{
	pkt->kind = PKT_RUNT;
	pkt->flags = 0;
	pkt->dscp = 0;
	pkt->ecn = 0;
	pkt->l3_off = 0;
	pkt->l4_off = 0;
	pkt->ip_proto = 0;
	payload_at(pkt, pkt->len);
}

static inline void found_l4(struct pkt *pkt, enum pkt_kind kind, uint32_t off, uint32_t payload)
{
	pkt->kind = (uint8_t)kind;
	pkt->flags |= PKT_F_L4;
	pkt->l4_off = (uint8_t)off;
	payload_at(pkt, payload);
}

static inline void parse_bth(struct pkt *pkt, uint32_t off, uint32_t end)
{
	const uint8_t *bth = pkt->data + off;
	uint32_t ext = bth_ext[bth[BTH_OPCODE]];
	uint32_t payload = off + HDR_BTH;

	pkt->kind = PKT_ROCE;
	pkt->opcode = bth[BTH_OPCODE];
	pkt->dest_qp = be24(bth + BTH_QP);
	if (ext == 0)
		pkt->flags |= PKT_F_UNKNOWN_OP;
	else
		payload += ext - 1;
	payload_at(pkt, payload < end ? payload : end);
}

/* more: a first fragment, whose datagram ends elsewhere. */
static inline void parse_udp(struct pkt *pkt, uint32_t off, uint32_t end, bool more)
{
	const uint8_t *udp = pkt->data + off;
	uint32_t have = end - off, length;

	if (have < HDR_UDP) {
		if (!more)
			runt(pkt);
		return;
	}
	length = be16(udp + UDP_LEN);
	if (length < HDR_UDP || (length > have && !more)) {
		runt(pkt);
		return;
	}
	found_l4(pkt, PKT_UDP, off, off + HDR_UDP);
	if (length > have)
		length = have;
	if (be16(udp + UDP_DPORT) == UDP_PORT_ROCE && length >= HDR_UDP + HDR_BTH)
		parse_bth(pkt, off + HDR_UDP, off + length);
}

/* A switch has no business with a TCP header's shape: an odd data offset only bounds hdr_len. */
static void parse_tcp(struct pkt *pkt, uint32_t off, uint32_t end)
{
	uint32_t have = end - off, length = HDR_L4_MIN;

	if (have < HDR_L4_MIN)
		return;
	if (have >= HDR_TCP)
		length = (pkt->data[off + 12] >> 4) * 4U;
	if (length < HDR_L4_MIN)
		length = HDR_L4_MIN;
	found_l4(pkt, PKT_TCP, off, off + (length < have ? length : have));
}

/* A neighbour message that RFC 4861, 7.1 would have a node discard is no ND for us either: it is
 * forwarded like any ICMPv6. */
static bool is_nd(const struct pkt *pkt, uint32_t off, uint32_t end)
{
	const uint8_t *icmp = pkt->data + off;

	return (icmp[ICMP_TYPE] == ICMPV6_NS || icmp[ICMP_TYPE] == ICMPV6_NA) &&
	       icmp[ICMP_CODE] == 0 && end - off >= HDR_ND &&
	       pkt->data[pkt->l3_off + IPV6_HOPS] == 255;
}

static void parse_icmp(struct pkt *pkt, uint32_t off, uint32_t end, bool more)
{
	if (end - off < HDR_ICMP)
		return;
	if ((pkt->flags & PKT_F_V6) && !more && is_nd(pkt, off, end))
		found_l4(pkt, PKT_ND, off, off + HDR_ND);
	else
		found_l4(pkt, PKT_ICMP, off, off + HDR_ICMP);
}

static inline void parse_l4(struct pkt *pkt, uint32_t off, uint32_t end, bool more)
{
	if (pkt->ip_proto == PROTO_UDP)
		parse_udp(pkt, off, end, more);
	else if (pkt->ip_proto == PROTO_TCP)
		parse_tcp(pkt, off, end);
	else if (pkt->ip_proto == (pkt->flags & PKT_F_V4 ? PROTO_ICMP : PROTO_ICMPV6))
		parse_icmp(pkt, off, end, more);
}

static inline void found_ip(struct pkt *pkt, enum pkt_flag version, uint32_t off, uint8_t tos)
{
	pkt->kind = PKT_IP;
	pkt->flags = (uint8_t)version;
	pkt->l3_off = (uint8_t)off;
	pkt->dscp = tos >> 2;
	pkt->ecn = tos & 3;
}

static inline void parse_ipv4(struct pkt *pkt, uint32_t off)
{
	const uint8_t *ip = pkt->data + off;
	uint32_t have = pkt->len - off, hlen, total, frag;

	if (have < HDR_IPV4) {
		runt(pkt);
		return;
	}
	hlen = (ip[0] & 15) * 4U;
	total = be16(ip + IPV4_LEN);
	if (ip[0] >> 4 != 4 || hlen < HDR_IPV4 || total < hlen || total > have) {
		runt(pkt);
		return;
	}
	found_ip(pkt, PKT_F_V4, off, ip[IPV4_TOS]);
	pkt->ip_proto = ip[IPV4_PROTO];
	payload_at(pkt, off + hlen);
	frag = be16(ip + IPV4_FRAG);
	if (frag & 0x1fff)
		pkt->flags |= PKT_F_FRAGMENT;
	else
		parse_l4(pkt, off + hlen, off + total, frag & 0x2000);
}

static bool is_ipv6_ext(uint8_t next)
{
	return next == PROTO_HOP_BY_HOP || next == PROTO_ROUTING || next == PROTO_FRAGMENT ||
	       next == PROTO_DEST_OPTIONS;
}

/* Goes through the extension headers at *off, leaves ip_proto at the first other header. False: the
 * chain runs past the end. *more: a fragment header says that more follow. */
static bool skip_ipv6_ext(struct pkt *pkt, uint32_t *off, uint32_t end, bool *more)
{
	const uint8_t *ext;
	uint32_t length, frag;
	int i;

	for (i = 0; i < MAX_IPV6_EXT && is_ipv6_ext(pkt->ip_proto); i++) {
		if (end - *off < HDR_IPV6_EXT)
			return false;
		ext = pkt->data + *off;
		length = HDR_IPV6_EXT;
		if (pkt->ip_proto != PROTO_FRAGMENT)
			length += ext[1] * 8U;
		if (length > end - *off)
			return false;
		*off += length;
		frag = pkt->ip_proto == PROTO_FRAGMENT ? be16(ext + 2) : 0;
		pkt->ip_proto = ext[0];
		*more |= frag & 1;
		if (frag & 0xfff8) {
			pkt->flags |= PKT_F_FRAGMENT;
			return true;
		}
	}
	return true;
}

static void parse_ipv6(struct pkt *pkt, uint32_t off)
{
	const uint8_t *ip = pkt->data + off;
	uint32_t have = pkt->len - off, end;
	bool more = false;

	if (have < HDR_IPV6 || ip[0] >> 4 != 6 || be16(ip + IPV6_LEN) > have - HDR_IPV6) {
		runt(pkt);
		return;
	}
	end = off + HDR_IPV6 + be16(ip + IPV6_LEN);
	found_ip(pkt, PKT_F_V6, off, (uint8_t)(be16(ip) >> 4));
	pkt->ip_proto = ip[IPV6_NEXT];
	off += HDR_IPV6;
	if (!skip_ipv6_ext(pkt, &off, end, &more)) {
		runt(pkt);
		return;
	}
	payload_at(pkt, off);
	/* l4_off has one byte; a header further back is opaque. */
	if (!(pkt->flags & PKT_F_FRAGMENT) && off <= UINT8_MAX)
		parse_l4(pkt, off, end, more);
}

/* Only Ethernet and IPv4 are ARP to us; other hardware is opaque. */
static void parse_arp(struct pkt *pkt, uint32_t off)
{
	const uint8_t *arp = pkt->data + off;
	uint32_t have = pkt->len - off;

	if (have < ARP_SHA) {
		runt(pkt);
		return;
	}
	if (be32(arp) != 0x00010800 || be16(arp + 4) != 0x0604)
		return;
	if (have < HDR_ARP) {
		runt(pkt);
		return;
	}
	pkt->kind = PKT_ARP;
	pkt->l3_off = (uint8_t)off;
	payload_at(pkt, off + HDR_ARP);
}

/* MAC control is never tagged: behind a tag it is never honoured, and never data either. */
static void parse_mac_ctl(struct pkt *pkt, uint32_t off)
{
	uint16_t opcode;

	pkt->kind = PKT_MAC_CTL;
	if (pkt->len < off + 2) {
		runt(pkt);
		return;
	}
	opcode = be16(pkt->data + off);
	if (off != MAC_CTL_OPCODE || (opcode != MAC_CTL_PFC && opcode != MAC_CTL_PAUSE))
		return;
	if (pkt->len < (opcode == MAC_CTL_PFC ? HDR_PFC : HDR_PAUSE)) {
		runt(pkt);
		return;
	}
	pkt->kind = opcode == MAC_CTL_PFC ? PKT_PFC : PKT_PAUSE;
	payload_at(pkt, opcode == MAC_CTL_PFC ? HDR_PFC : HDR_PAUSE);
}

static inline void parse_type(struct pkt *pkt, uint16_t type, uint32_t off)
{
	payload_at(pkt, off);
	if (type == ETHERTYPE_IPV4)
		parse_ipv4(pkt, off);
	else if (type == ETHERTYPE_IPV6)
		parse_ipv6(pkt, off);
	else if (type == ETHERTYPE_ARP)
		parse_arp(pkt, off);
	else if (type == ETHERTYPE_MAC_CTL)
		parse_mac_ctl(pkt, off);
	else if (type == ETHERTYPE_ROCEV1)
		pkt->kind = PKT_ROCEV1;
}

/* One tag is read; what is behind the outer tag of 802.1ad, or a second one, is opaque. */
static void parse_tag(struct pkt *pkt, uint16_t type)
{
	const uint8_t *tag = pkt->data + HDR_ETH;

	if (pkt->len < HDR_ETH + HDR_TAG) {
		runt(pkt);
		return;
	}
	pkt->vid = be16(tag) & 0xfff;
	pkt->pcp = tag[0] >> 5;
	if (type == ETHERTYPE_STAG)
		payload_at(pkt, HDR_ETH + HDR_TAG);
	else
		parse_type(pkt, be16(tag + 2), HDR_ETH + HDR_TAG);
}

/* An untagged frame of which nothing is known yet. */
static inline void clear(struct pkt *pkt, uint16_t in_port, uint16_t domain)
{
	pkt->next = NULL;
	pkt->cells = 0;
	pkt->in_port = in_port;
	pkt->out_port = PKT_NO_PORT;
	pkt->vid = PKT_NO_VLAN;
	pkt->kind = PKT_OTHER;
	pkt->flags = 0;
	pkt->edit = 0;
	pkt->prio = 0;
	pkt->pg = 0;
	pkt->queue = 0;
	pkt->pcp = 0;
	pkt->dscp = 0;
	pkt->ecn = 0;
	pkt->l3_off = 0;
	pkt->l4_off = 0;
	pkt->ip_proto = 0;
	pkt->opcode = 0;
	pkt->hdr_len = 0;
	for (int i = 0; i < 6; i++)
		pkt->dmac[i] = 0;
	pkt->domain = domain;
	pkt->dest_qp = 0;
}

/* The frame that a RoCEv2 fabric mostly carries, in one go: untagged, IPv4 without options or
 * fragments, UDP to 4791 with a whole BTH of a known opcode. False: another; nothing is written.
 * All is read before anything is written: the compiler cannot know that bytes are no descriptor. */
static inline bool parse_usual(struct pkt *pkt, uint16_t in_port, uint16_t domain)
{
	enum { L3 = HDR_ETH, L4 = L3 + HDR_IPV4, BTH = L4 + HDR_UDP };
	const uint8_t *d = pkt->data;
	uint32_t have = pkt->len, total, length, ext, end, qp;
	uint8_t tos, opcode;

	if (have < BTH + HDR_BTH)
		return false;
	/* Type and IP version with length; flags, offset and protocol: each in one word. */
	if ((be32(d + ETH_TYPE) & 0xffffff00) != (ETHERTYPE_IPV4 << 16 | 0x4500) ||
	    (be32(d + L3 + IPV4_FRAG) & 0x3fff00ff) != PROTO_UDP ||
	    be16(d + L4 + UDP_DPORT) != UDP_PORT_ROCE)
		return false;
	total = be16(d + L3 + IPV4_LEN);
	length = be16(d + L4 + UDP_LEN);
	tos = d[L3 + IPV4_TOS];
	opcode = d[BTH + BTH_OPCODE];
	qp = be32(d + BTH + BTH_QP - 1) & 0xffffff;
	ext = bth_ext[opcode];
	end = BTH + HDR_BTH - 1 + ext; /* of the headers */
	if (total > have - L3 || length + HDR_IPV4 > total || length + L4 < end || ext == 0)
		return false;
	clear(pkt, in_port, domain);
	pkt->kind = PKT_ROCE;
	pkt->flags = PKT_F_V4 | PKT_F_L4;
	pkt->dscp = tos >> 2;
	pkt->ecn = tos & 3;
	pkt->l3_off = L3;
	pkt->l4_off = L4;
	pkt->ip_proto = PROTO_UDP;
	pkt->opcode = opcode;
	pkt->hdr_len = end < HDR_READ ? (uint8_t)end : HDR_READ;
	pkt->dest_qp = qp;
	return true;
}

void sw_parse(struct sw *sw, uint16_t in_port, struct pkt **pkts, uint32_t n)
{
	uint16_t domain = sw->ports[in_port].cfg.domain, type;
	struct pkt *pkt;

	for (uint32_t i = 0; i < n; i++) {
		pkt = pkts[i];
		if (parse_usual(pkt, in_port, domain))
			continue;
		clear(pkt, in_port, domain);
		if (pkt->len < HDR_ETH) {
			runt(pkt);
			continue;
		}
		type = be16(pkt->data + ETH_TYPE);
		if (type == ETHERTYPE_TAG || type == ETHERTYPE_STAG)
			parse_tag(pkt, type);
		else
			parse_type(pkt, type, HDR_ETH);
	}
}
