/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames of the lab as bytes: made, and checked when they come back. */
#include "lab.h"

#include "dataplane/model/hdr.h"
#include "dataplane/model/icrc.h"

#include <string.h>

#define TEMPLATE 128 /* bytes of a frame that are not zero */

static void put_icrc(uint8_t *frame, uint32_t ip, uint32_t end)
{
	uint32_t icrc = icrc_compute(frame, ip, ip + HDR_IPV4, end);

	for (int i = 0; i < HDR_ICRC; i++)
		frame[end + i] = (uint8_t)(icrc >> 8 * i);
}

/* RDMA WRITE_ONLY where len has room for its headers, else an ACK. */
uint16_t lab_put_frame(const struct lab *lab, uint32_t index, uint32_t psn, uint64_t sent_ps)
{
	const struct lab_flow *flow = &lab->flows[index];
	const struct fabric_host *src = &lab->fabric.hosts[flow->src - 1];
	const struct fabric_host *dst = flow->dst ? &lab->fabric.hosts[flow->dst - 1] : NULL;
	uint8_t *ip = lab->frame + HDR_ETH + (flow->tagged ? HDR_TAG : 0), *udp = ip + HDR_IPV4;
	uint8_t *bth = udp + HDR_UDP;
	uint16_t ip_len = (uint16_t)(lab->frame + flow->len - ip);
	uint32_t sum = 0;

	memset(lab->frame, 0, lab->icrc ? flow->len : TEMPLATE);
	memcpy(lab->frame + ETH_DST,
	       flow->routed || dst == NULL ? lab->fabric.switches[0].config.router_mac : dst->mac,
	       6);
	memcpy(lab->frame + ETH_SRC, src->mac, 6);
	put_be16(lab->frame + ETH_TYPE, ETHERTYPE_TAG);
	put_be16(lab->frame + HDR_ETH, (uint16_t)(flow->pcp << 13));
	put_be16(ip - 2, ETHERTYPE_IPV4);
	ip[0] = 0x45;
	ip[IPV4_TOS] = (uint8_t)(flow->dscp << 2 | flow->ecn);
	put_be16(ip + IPV4_LEN, ip_len);
	ip[IPV4_TTL] = 64;
	ip[IPV4_PROTO] = PROTO_UDP;
	memcpy(ip + IPV4_SRC, src->ip4 + 12, 4);
	memcpy(ip + IPV4_DST, dst != NULL ? dst->ip4 + 12 : flow->to, 4);
	put_be16(ip + 4, (uint16_t)index);
	for (int i = 0; i < HDR_IPV4; i += 2)
		sum += be16(ip + i);
	put_be16(ip + IPV4_SUM, (uint16_t)~sum_fold(sum));
	put_be16(udp + UDP_SPORT, flow->sport);
	put_be16(udp + UDP_DPORT, UDP_PORT_ROCE);
	put_be16(udp + UDP_LEN, ip_len - HDR_IPV4);
	bth[BTH_OPCODE] = ip_len >= HDR_IPV4 + HDR_UDP + HDR_BTH + 16 + HDR_ICRC ? 0x0a : 0x11;
	put_be16(bth + BTH_QP + 1, (uint16_t)flow->qp);
	bth[BTH_QP] = (uint8_t)(flow->qp >> 16);
	put_be16(bth + 10, (uint16_t)psn);
	bth[9] = (uint8_t)(psn >> 16);
	for (int i = 0; i < 6; i++)
		bth[HDR_BTH + i] = (uint8_t)(sent_ps >> 8 * i);
	if (lab->icrc)
		put_icrc(lab->frame, (uint32_t)(ip - lab->frame), flow->len - HDR_ICRC);
	return flow->len;
}

void lab_pfc_bytes(uint8_t bytes[SW_MIN_FRAME], uint16_t vector, uint16_t quanta)
{
	static const uint8_t head[16] = {0x01, 0x80, 0xc2, 0, 0,    1,    2, 0,
					 0,    0,    0,    9, 0x88, 0x08, 1, 1};

	memset(bytes, 0, SW_MIN_FRAME);
	memcpy(bytes, head, sizeof(head));
	put_be16(bytes + PFC_VECTOR, vector);
	for (int p = 0; p < SW_PRIOS; p++)
		put_be16(bytes + PFC_QUANTA + 2 * p, vector >> p & 1 ? quanta : 0);
}

bool lab_intact(const struct lab *lab, const struct pkt *pkt)
{
	uint32_t sum = 0;

	for (int i = 0; i < HDR_IPV4; i += 2)
		sum += be16(pkt->data + pkt->l3_off + i);
	return sum_fold(sum) == 0xffff && (!lab->icrc || icrc_check(pkt) == ICRC_OK);
}

/* Every PFC frame of the switch is one: 802.1Qbb, an xoff has time, an xon has none (A3.7). */
bool lab_valid_pfc(const struct lab *lab, const struct sw_rec *rec)
{
	static const uint8_t group[6] = {0x01, 0x80, 0xc2, 0, 0, 1}, pad[SW_MIN_FRAME - HDR_PFC];
	uint8_t bytes[SW_GEN_MAX];
	uint16_t vector;
	bool valid;

	valid = sw_gen_bytes(rec, bytes) == SW_MIN_FRAME;
	vector = be16(bytes + PFC_VECTOR);
	valid &= memcmp(bytes + ETH_DST, group, 6) == 0;
	valid &= memcmp(bytes + ETH_SRC, lab->fabric.switches[0].ports[rec->port].mac, 6) == 0;
	valid &= be16(bytes + ETH_TYPE) == ETHERTYPE_MAC_CTL;
	valid &= be16(bytes + MAC_CTL_OPCODE) == MAC_CTL_PFC;
	valid &= vector != 0 && vector < 0x100;
	for (int p = 0; p < SW_PRIOS; p++) {
		uint16_t quanta = be16(bytes + PFC_QUANTA + 2 * p);

		valid &= quanta == 0 || (quanta == SW_PFC_QUANTA && vector >> p & 1);
	}
	return valid && memcmp(bytes + HDR_PFC, pad, sizeof(pad)) == 0;
}
