/* SPDX-License-Identifier: BSD-3-Clause */
/* ECMP hash: which of several next hops a flow takes.
 *
 * A fragment is hashed without ports, the first one too, so that all pieces of a datagram take one
 * path. Fields that a frame does not have count as 0.
 */
#include "hash.h"
#include "hdr.h"
#include "sw_int.h"

#define IPV4_FRAGMENT 0x3fff /* more fragments, or an offset (RFC 791) */

struct hash_ips {
	uint64_t src[2], dst[2];
};

static bool is_fragment(const struct pkt *pkt, const uint8_t *l3)
{
	if (pkt->flags & PKT_F_FRAGMENT)
		return true;
	if (pkt->flags & PKT_F_V4)
		return (be16(l3 + IPV4_FRAG) & IPV4_FRAGMENT) != 0;
	return l3[IPV6_NEXT] == PROTO_FRAGMENT;
}

static void load_ips(struct hash_ips *ips, const struct pkt *pkt, const uint8_t *l3)
{
	if (pkt->flags & PKT_F_V4) {
		*ips = (struct hash_ips){{hash_load32(l3 + IPV4_SRC), 0},
					 {hash_load32(l3 + IPV4_DST), 0}};
		return;
	}
	for (int i = 0; i < 2; i++) {
		ips->src[i] = hash_load64(l3 + IPV6_SRC + 8 * i);
		ips->dst[i] = hash_load64(l3 + IPV6_DST + 8 * i);
	}
}

/* Source port in the upper half, destination port in the lower; those that are not wanted 0. */
static uint32_t load_ports(const struct pkt *pkt, const uint8_t *l3, uint32_t fields)
{
	const uint8_t *l4 = pkt->data + pkt->l4_off;
	uint32_t ports = 0;

	if (!(pkt->flags & PKT_F_L4) || is_fragment(pkt, l3))
		return 0;
	if (pkt->kind != PKT_UDP && pkt->kind != PKT_TCP && pkt->kind != PKT_ROCE)
		return 0;
	if (fields & SW_HASH_SRC_PORT)
		ports = (uint32_t)be16(l4 + UDP_SPORT) << 16;
	if (fields & SW_HASH_DST_PORT)
		ports |= be16(l4 + UDP_DPORT);
	return ports;
}

uint64_t hash_flow(const struct sw *sw, const struct pkt *pkt)
{
	uint32_t fields = sw->cfg.hash_fields, qp = 0, ports = 0;
	const uint8_t *l3 = pkt->data + pkt->l3_off;
	uint64_t hash = hash_mix(sw->cfg.hash_seed, fields), proto = 0;
	struct hash_ips ips;

	if (!(pkt->flags & (PKT_F_V4 | PKT_F_V6)))
		return hash;
	load_ips(&ips, pkt, l3);
	if (fields & SW_HASH_SRC_IP)
		hash = hash_mix(hash ^ ips.src[0], ips.src[1]);
	if (fields & SW_HASH_DST_IP)
		hash = hash_mix(hash ^ ips.dst[0], ips.dst[1]);
	if (fields & SW_HASH_PROTO)
		proto = pkt->ip_proto;
	if (fields & (SW_HASH_SRC_PORT | SW_HASH_DST_PORT))
		ports = load_ports(pkt, l3, fields);
	if (fields & SW_HASH_DEST_QP && pkt->kind == PKT_ROCE)
		qp = pkt->dest_qp;
	hash = hash_mix(hash ^ ports, proto << 32 | qp);
	return hash_mix(hash, hash >> 32);
}

uint32_t hash_pick(const struct sw *sw, const struct pkt *pkt, uint32_t n)
{
	return hash_member(hash_flow(sw, pkt), n);
}
