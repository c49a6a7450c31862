/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes at all: cut, mutated, every opcode. */
#include "dataplane/model/parse.c"

#include "frames.h"
#include "tests/unit/cu.h"

/* What must hold of any bytes at all. */
static int sane(const struct pkt *pkt)
{
	uint32_t hdr_max = pkt->len < 64 ? pkt->len : 64;

	if (pkt->kind >= PKT_KINDS || pkt->hdr_len > hdr_max || pkt->domain != TEST_DOMAIN)
		return 0;
	if ((pkt->flags & PKT_F_L4) && pkt->l4_off + HDR_L4_MIN > pkt->len)
		return 0;
	if ((pkt->flags & PKT_F_L4) && (pkt->flags & PKT_F_FRAGMENT))
		return 0;
	if (pkt->kind == PKT_ROCE && pkt->l4_off + HDR_UDP + HDR_BTH > pkt->len)
		return 0;
	if (pkt->kind == PKT_ND && pkt->l4_off + HDR_ND > pkt->len)
		return 0;
	if (pkt->kind == PKT_PFC && pkt->len < HDR_PFC)
		return 0;
	if (pkt->kind == PKT_RUNT && (pkt->flags || pkt->l3_off || pkt->l4_off || pkt->dest_qp))
		return 0;
	return pkt->vid == PKT_NO_VLAN || pkt->vid < 4096;
}

/* Frames of every layer that parse knows, as seeds for cuts and mutations. */
static const char *const seeds[] = {
	ETH6 "66a12345"
	     "001c1140" ADDRS6 "c00012b7001c0000" BTH "1f00000100000000",
	ETH6 "60000000"
	     "00340040" ADDRS6 "3c00010400000000"
	     "2b010102000000000000000000000000"
	     "1100000000000000"
	     "c00012b700140000" BTH,
	ETH6 "60000000"
	     "001c2c40" ADDRS6 "1100000900000001"
	     "c00012b700140000" BTH,
	ETH6 "60000000"
	     "00183aff" ADDRS6 "8700000000000000" ZERO_16,
	ETH4 "4500001c000040004001"
	     "0000" ADDRS4 "0800f7ff00000000",
	ETH4 "45000028000040004006"
	     "0000" ADDRS4 "1f9000500000000000000000"
	     "50020000"
	     "00000000",
	ETH4 "46000018000040004059"
	     "0000" ADDRS4 "94040000",
	MACS "0806"
	     "0001080006040001"
	     "0200000000010a000001"
	     "0000000000000a000002",
	MACS "81006064"
	     "0806"
	     "0001080006040001"
	     "0200000000010a000001"
	     "0000000000000a000002",
	MACS "8808"
	     "0101"
	     "00ff" ZERO_16,
	MACS "81000005"
	     "8100"
	     "0006"
	     "0800",
};
#define N_SEEDS (sizeof(seeds) / sizeof(seeds[0]) + N_KNOWN)

static const char *seed_hex(size_t i)
{
	return i < N_KNOWN ? known[i].hex : seeds[i - N_KNOWN];
}

static void cut_anywhere(void)
{
	uint8_t buf[FRAME_MAX];

	for (size_t i = 0; i < N_SEEDS; i++) {
		uint16_t whole = hex_bytes(seed_hex(i), buf);

		for (uint16_t len = 0; len <= whole; len++) {
			struct pkt pkt = frame_parse(buf, len);

			if (!sane(&pkt))
				CU_FAIL("not sane");
			/* known frames end with the datagram: any cut shows */
			if (i < N_KNOWN)
				CU_ASSERT_EQUAL(pkt.kind, len == whole ? PKT_ROCE : PKT_RUNT);
			frame_free(&pkt);
		}
	}
}

static void mutated(void)
{
	uint8_t buf[FRAME_MAX];
	uint64_t random = 1;
	unsigned int kinds[PKT_KINDS] = {0}, insane = 0;

	for (int i = 0; i < 200000; i++) {
		uint16_t len = hex_bytes(seed_hex(next_random(&random) % N_SEEDS), buf);
		struct pkt pkt;

		for (uint64_t n = next_random(&random) % 4; n > 0; n--)
			buf[next_random(&random) % len] = (uint8_t)next_random(&random);
		if (next_random(&random) % 4 == 0)
			len = (uint16_t)(next_random(&random) % len);
		pkt = frame_parse(buf, len);
		insane += !sane(&pkt);
		if (sane(&pkt))
			kinds[pkt.kind]++;
		frame_free(&pkt);
	}
	CU_ASSERT_EQUAL(insane, 0);
	/* the walk got everywhere */
	for (int kind = 0; kind < PKT_KINDS; kind++)
		if (kind != PKT_PAUSE && kind != PKT_ROCEV1)
			CU_ASSERT(kinds[kind] > 10);
}

/* What parse_usual takes, the long way finds alike; mutations stay near the usual frame's edges. */
static void usual_is_the_same(void)
{
	uint8_t buf[FRAME_MAX];
	uint64_t random = 7;
	unsigned int taken = 0, differ = 0;

	for (int i = 0; i < 200000; i++) {
		uint16_t len = hex_bytes(known[next_random(&random) % N_KNOWN].hex, buf);
		struct pkt quick, whole;

		for (uint64_t n = next_random(&random) % 3; n > 0; n--)
			buf[next_random(&random) % 54 % len] ^=
				(uint8_t)(1 << next_random(&random) % 8);
		if (next_random(&random) % 4 == 0)
			len -= (uint16_t)(next_random(&random) % 8);
		whole = frame_parse(buf, len);
		quick = whole;
		if (parse_usual(&quick, whole.in_port, whole.domain)) {
			taken++;
			clear(&whole, quick.in_port, quick.domain);
			parse_type(&whole, ETHERTYPE_IPV4, HDR_ETH);
			differ += memcmp(&quick, &whole, sizeof(quick)) != 0;
		}
		frame_free(&whole);
	}
	CU_ASSERT(taken > 10000);
	CU_ASSERT_EQUAL(differ, 0);
}

static int is_known_opcode(int op)
{
	int rc_like = op & 0x1f;

	switch (op >> 5) {
	case 0: /* RC */
	case 5: /* XRC */
		return rc_like <= 0x14 || rc_like == 0x16 || rc_like == 0x17;
	case 1: /* UC */
		return rc_like <= 0x0b;
	case 2: /* RD */
		return rc_like <= 0x15;
	case 3: /* UD */
		return op == 0x64 || op == 0x65;
	default:
		return op == 0x81;
	}
}

/* Every opcode with 0 to 64 bytes behind the UDP header, lengths right: never a runt. */
static void every_opcode(void)
{
	uint8_t buf[FRAME_MAX] = {0};
	struct pkt pkt;

	hex_bytes(UDP4("0000", "0000"), buf);
	for (int op = 0; op < 256; op++) {
		for (uint16_t rest = 0; rest <= 64; rest++) {
			put_be16(buf + 14 + IPV4_LEN, 28U + rest);
			put_be16(buf + 34 + UDP_LEN, 8U + rest);
			buf[42] = (uint8_t)op;
			pkt = frame_parse(buf, 42 + rest);
			CU_ASSERT_EQUAL_FATAL(pkt.kind, rest < 12 ? PKT_UDP : PKT_ROCE);
			CU_ASSERT_FATAL(sane(&pkt));
			if (rest >= 12)
				CU_ASSERT_EQUAL(!(pkt.flags & PKT_F_UNKNOWN_OP),
						is_known_opcode(op));
			frame_free(&pkt);
		}
	}
}

static const struct cu_case cases[] = {
	{"sw_parse__cut_anywhere", cut_anywhere},
	{"sw_parse__mutated", mutated},
	{"sw_parse__every_opcode", every_opcode},
	{"parse_usual__is_the_same", usual_is_the_same},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("model/parse: any bytes", cases);
}
