/* SPDX-License-Identifier: BSD-3-Clause */
/* rewrite: writes into the frame's bytes what the stages noted in pkt->edit.
 *
 * Only MACs, ECN, TTL or hop limit and the IPv4 checksum change (an echo's answer apart, which is
 * the switch's own frame): all of them are outside the ICRC. Checksums are updated, not computed
 * (RFC 1624, eqn. 3): one that arrived wrong leaves wrong.
 */
#include "hdr.h"
#include "sw_int.h"

#include <string.h>

#define OWN_TTL 64 /* of frames that the switch itself makes */

/* The 16-bit word at `word` becomes `value`; the checksum at `sum` follows. */
static inline void replace16(uint8_t *word, uint16_t value, uint8_t *sum)
{
	uint32_t new = (uint16_t)~be16(sum);

	new += (uint16_t)~be16(word) + (uint32_t)value;
	put_be16(sum, (uint16_t)~sum_fold(new));
	put_be16(word, value);
}

static void edit_ce(const struct pkt *pkt)
{
	uint8_t *ip = pkt->data + pkt->l3_off;

	if (pkt->flags & PKT_F_V4)
		replace16(ip, be16(ip) | 3, ip + IPV4_SUM);
	else if (pkt->flags & PKT_F_V6)
		ip[1] |= 0x30; /* the traffic class straddles bytes 0 and 1 */
}

static void set_ttl(const struct pkt *pkt, uint8_t ttl)
{
	uint8_t *ip = pkt->data + pkt->l3_off;

	if (pkt->flags & PKT_F_V4)
		replace16(ip + IPV4_TTL, (uint16_t)(ttl << 8 | ip[IPV4_PROTO]), ip + IPV4_SUM);
	else if (pkt->flags & PKT_F_V6)
		ip[IPV6_HOPS] = ttl;
}

static uint8_t get_ttl(const struct pkt *pkt)
{
	return pkt->data[pkt->l3_off + (pkt->flags & PKT_F_V4 ? IPV4_TTL : IPV6_HOPS)];
}

static void swap(uint8_t *a, uint8_t *b, uint32_t bytes)
{
	uint8_t was[16];

	memcpy(was, a, bytes);
	memcpy(a, b, bytes);
	memcpy(b, was, bytes);
}

/* Swapped addresses leave both sums alone, the pseudo header's of ICMPv6 included. */
static void edit_echo(const struct pkt *pkt, const uint8_t router_mac[6])
{
	uint8_t *eth = pkt->data, *ip = eth + pkt->l3_off, *icmp = eth + pkt->l4_off;

	if (!(pkt->flags & PKT_F_L4))
		return;
	swap(eth + ETH_DST, eth + ETH_SRC, 6);
	if (eth[ETH_SRC] & 1) /* it had been sent to a group */
		memcpy(eth + ETH_SRC, router_mac, 6);
	if (pkt->flags & PKT_F_V4) {
		swap(ip + IPV4_SRC, ip + IPV4_DST, 4);
		replace16(icmp, ICMP_ECHO_ANSWER << 8 | icmp[ICMP_CODE], icmp + ICMP_SUM);
	} else {
		swap(ip + IPV6_SRC, ip + IPV6_DST, 16);
		replace16(icmp, ICMPV6_ECHO_ANSWER << 8 | icmp[ICMP_CODE], icmp + ICMP_SUM);
	}
	set_ttl(pkt, OWN_TTL);
}

/* What the switch itself sends has made no hop yet: its TTL stays. lookup has dropped frames whose
 * TTL would become 0. */
static void edit_route(const struct pkt *pkt, const uint8_t router_mac[6])
{
	memcpy(pkt->data + ETH_DST, pkt->dmac, 6);
	memcpy(pkt->data + ETH_SRC, router_mac, 6);
	if (!(pkt->edit & PKT_EDIT_ECHO))
		set_ttl(pkt, (uint8_t)(get_ttl(pkt) - 1));
}

void rewrite(struct pkt *pkt, const uint8_t router_mac[6])
{
	if (pkt->edit & PKT_EDIT_ECHO)
		edit_echo(pkt, router_mac);
	if (pkt->edit & PKT_EDIT_ROUTE)
		edit_route(pkt, router_mac);
	if (pkt->edit & PKT_EDIT_CE)
		edit_ce(pkt);
}
