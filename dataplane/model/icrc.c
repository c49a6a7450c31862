/* SPDX-License-Identifier: BSD-3-Clause */
/* icrc: CRC-32 over 64 bits of ones (the LRH that Ethernet does not have) and the datagram, with
 * every field that may change on the way taken as ones. */
#include "icrc.h"

#include "hdr.h"
#include "icrc_table.h"

#include <string.h>

#define AFTER_ONES 0xdebb20e3U /* the register after the 8 bytes of ones */
#define L4_BYTES (HDR_UDP + HDR_BTH)
#define MASKED_MAX (UINT8_MAX + L4_BYTES) /* l4_off is at most 255 */

static inline uint32_t le32(const uint8_t *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* Eight bytes a step, each in the table that puts it as far back as it is from the step's end. */
static uint32_t crc_run(uint32_t crc, const uint8_t *p, uint32_t bytes)
{
	const uint32_t(*t)[256] = icrc_table;
	uint32_t a, b;

	for (; bytes >= 8; bytes -= 8, p += 8) {
		a = crc ^ le32(p);
		b = le32(p + 4);
		crc = t[7][a & 0xff] ^ t[6][a >> 8 & 0xff] ^ t[5][a >> 16 & 0xff] ^ t[4][a >> 24] ^
		      t[3][b & 0xff] ^ t[2][b >> 8 & 0xff] ^ t[1][b >> 16 & 0xff] ^ t[0][b >> 24];
	}
	for (; bytes > 0; bytes--)
		crc = crc >> 8 ^ t[0][(crc ^ *p++) & 0xff];
	return crc;
}

static void mask_ip(uint8_t *ip)
{
	if (ip[0] >> 4 == 4) {
		ip[IPV4_TOS] = 0xff;
		ip[IPV4_TTL] = 0xff;
		memset(ip + IPV4_SUM, 0xff, 2);
	} else {
		ip[0] |= 0x0f; /* traffic class and flow label: all but the version */
		memset(ip + 1, 0xff, 3);
		ip[IPV6_HOPS] = 0xff;
	}
}

uint32_t icrc_compute(const uint8_t *frame, uint32_t l3_off, uint32_t l4_off, uint32_t end)
{
	uint8_t masked[MASKED_MAX];
	uint32_t l4 = l4_off - l3_off, bytes = l4 + L4_BYTES, crc;

	memcpy(masked, frame + l3_off, bytes);
	mask_ip(masked);
	memset(masked + l4 + UDP_SUM, 0xff, 2);
	masked[l4 + HDR_UDP + BTH_ECN] = 0xff;
	crc = crc_run(AFTER_ONES, masked, bytes);
	return ~crc_run(crc, frame + l3_off + bytes, end - l3_off - bytes);
}

static uint32_t datagram_end(const struct pkt *pkt)
{
	const uint8_t *ip = pkt->data + pkt->l3_off;

	if (pkt->flags & PKT_F_V4)
		return pkt->l3_off + be16(ip + IPV4_LEN);
	return pkt->l3_off + (uint32_t)HDR_IPV6 + be16(ip + IPV6_LEN);
}

enum icrc icrc_check(const struct pkt *pkt)
{
	uint32_t end;

	if (pkt->kind != PKT_ROCE)
		return ICRC_NONE;
	end = pkt->l4_off + be16(pkt->data + pkt->l4_off + UDP_LEN);
	/* A first fragment has ports and BTH, but its ICRC is in the last one. */
	if (end > datagram_end(pkt) || end < pkt->l4_off + (uint32_t)L4_BYTES + HDR_ICRC)
		return ICRC_NONE;
	end -= HDR_ICRC;
	return icrc_compute(pkt->data, pkt->l3_off, pkt->l4_off, end) == le32(pkt->data + end)
		       ? ICRC_OK
		       : ICRC_BAD;
}
