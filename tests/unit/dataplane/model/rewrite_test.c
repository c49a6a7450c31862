/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/rewrite.c"

#include "frames.h"
#include "tests/unit/cu.h"

static const uint8_t router[6] = {0x02, 0, 0, 0, 0, 0xfe};
static const uint8_t next_hop[6] = {0x02, 0, 0, 0, 0, 0x99};

#define PING4                           \
	MACS "0800"                     \
	     "4500001c0000400040110000" \
	     "0a0000010a000002"         \
	     "0800f7fd00010001"
#define PING6                                   \
	MACS "86dd"                             \
	     "66a12345"                         \
	     "000a3a40"                         \
	     "fd000000000000000000000000000001" \
	     "fd000000000000000000000000000002" \
	     "8000000000010001"                 \
	     "abcd"

static void edit(struct pkt *pkt, int edits)
{
	pkt->edit = (uint8_t)edits;
	memcpy(pkt->dmac, next_hop, 6);
	rewrite(pkt, router);
}

/* Bytes that differ from the original, MACs not counted. */
static unsigned int changed(const struct pkt *pkt, const struct pkt *was)
{
	unsigned int n = 0;

	for (int i = ETH_TYPE; i < pkt->len; i++)
		n += pkt->data[i] != was->data[i];
	return n;
}

static void nothing(void)
{
	struct pkt pkt = hex_parse(known[KNOWN_WRITE].hex), was = hex_parse(known[KNOWN_WRITE].hex);

	edit(&pkt, 0);
	CU_ASSERT_EQUAL(memcmp(pkt.data, was.data, pkt.len), 0);
	frame_free(&pkt);
	frame_free(&was);
}

/* The published pair: 2603 becomes 2702 when 6a becomes 6b and 64 becomes 63. */
static void ce_and_route(void)
{
	struct pkt pkt = hex_parse(known[KNOWN_WRITE].hex), was = hex_parse(known[KNOWN_WRITE].hex);
	uint8_t *ip = pkt.data + 14;

	edit(&pkt, PKT_EDIT_CE | PKT_EDIT_ROUTE);
	CU_ASSERT_EQUAL(be16(ip + IPV4_SUM), 0x2702);
	CU_ASSERT_EQUAL(ip[IPV4_TOS], 0x6b);
	CU_ASSERT_EQUAL(ip[IPV4_TTL], 63);
	CU_ASSERT_EQUAL(memcmp(pkt.data, next_hop, 6), 0);
	CU_ASSERT_EQUAL(memcmp(pkt.data + 6, router, 6), 0);
	CU_ASSERT_EQUAL(changed(&pkt, &was), 4);
	frame_free(&pkt);
	frame_free(&was);
}

static void one_edit(void)
{
	struct pkt pkt = hex_parse(known[KNOWN_WRITE].hex), was = hex_parse(known[KNOWN_WRITE].hex);

	edit(&pkt, PKT_EDIT_CE);
	CU_ASSERT_EQUAL(pkt.data[14 + IPV4_TOS], 0x6b);
	CU_ASSERT_EQUAL(memcmp(pkt.data, was.data, 12), 0);
	CU_ASSERT_EQUAL(changed(&pkt, &was), 2); /* ToS, and the sum's low byte */
	CU_ASSERT(ipv4_sum_right(&pkt));
	edit(&pkt, PKT_EDIT_CE); /* again: nothing more */
	CU_ASSERT_EQUAL(changed(&pkt, &was), 2);
	CU_ASSERT(ipv4_sum_right(&pkt));
	frame_free(&pkt);
	pkt = hex_parse(known[KNOWN_WRITE].hex);
	edit(&pkt, PKT_EDIT_ROUTE);
	CU_ASSERT_EQUAL(pkt.data[14 + IPV4_TOS], 0x6a);
	CU_ASSERT_EQUAL(pkt.data[14 + IPV4_TTL], 63);
	CU_ASSERT(ipv4_sum_right(&pkt));
	frame_free(&pkt);
	frame_free(&was);
}

/* Incremental sums against the whole one: every identification (so every sum, the two zeros of
 * ones' complement among them) with any ToS and TTL. */
static void every_checksum(void)
{
	struct pkt pkt = hex_parse(known[KNOWN_WRITE].hex);
	uint8_t *ip = pkt.data + 14;
	uint64_t random = 2;
	unsigned int wrong = 0;

	for (uint32_t id = 0; id < 65536; id++) {
		put_be16(ip + 4, id);
		ip[IPV4_TOS] = (uint8_t)next_random(&random);
		ip[IPV4_TTL] = (uint8_t)(1 + next_random(&random) % 255);
		put_be16(ip + IPV4_SUM, 0);
		put_be16(ip + IPV4_SUM, (uint16_t)~sum_over(0, ip, 20));
		edit(&pkt, 1 + id % 3);
		wrong += !ipv4_sum_right(&pkt);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	frame_free(&pkt);
}

static void wrong_checksum_stays_wrong(void)
{
	struct pkt pkt = hex_parse(known[KNOWN_WRITE].hex);

	put_be16(pkt.data + 14 + IPV4_SUM, 0x2604);
	edit(&pkt, PKT_EDIT_CE | PKT_EDIT_ROUTE);
	CU_ASSERT_EQUAL(be16(pkt.data + 14 + IPV4_SUM), 0x2703);
	frame_free(&pkt);
}

static void tagged(void)
{
	struct pkt pkt = hex_parse(known[KNOWN_WRITE].hex);

	frame_tag(&pkt, 0x6064);
	edit(&pkt, PKT_EDIT_CE | PKT_EDIT_ROUTE);
	CU_ASSERT_EQUAL(be32(pkt.data + 12), 0x81006064);
	CU_ASSERT_EQUAL(be16(pkt.data + 18 + IPV4_SUM), 0x2702);
	CU_ASSERT_EQUAL(memcmp(pkt.data, next_hop, 6), 0);
	frame_free(&pkt);
}

static void ipv6(void)
{
	struct pkt pkt = hex_parse(PING6), was = hex_parse(PING6);

	edit(&pkt, PKT_EDIT_CE | PKT_EDIT_ROUTE);
	CU_ASSERT_EQUAL(be32(pkt.data + 14), 0x66b12345); /* class 6a to 6b, flow label as it was */
	CU_ASSERT_EQUAL(pkt.data[14 + IPV6_HOPS], 63);
	CU_ASSERT_EQUAL(changed(&pkt, &was), 2);
	frame_free(&pkt);
	frame_free(&was);
}

/* A flooded or bridged frame without IP may be marked by a queue that does not look: no harm. */
static void ce_without_ip(void)
{
	struct pkt pkt = hex_parse(MACS "88b50000000000000000"),
		   was = hex_parse(MACS "88b50000000000000000");

	edit(&pkt, PKT_EDIT_CE);
	CU_ASSERT_EQUAL(memcmp(pkt.data, was.data, pkt.len), 0);
	frame_free(&pkt);
	frame_free(&was);
}

static void echo_ipv4(void)
{
	struct pkt pkt = hex_parse(PING4);
	uint8_t *ip = pkt.data + 14;

	ip[IPV4_PROTO] = PROTO_ICMP;
	put_be16(ip + IPV4_SUM, 0);
	ip[IPV4_TTL] = 7;
	put_be16(ip + IPV4_SUM, (uint16_t)~sum_over(0, ip, 20));
	sw_parse(one_port(), 0, &(struct pkt *){&pkt}, 1);
	CU_ASSERT_EQUAL(sum_over(0, pkt.data + 34, 8), 0xffff);
	edit(&pkt, PKT_EDIT_ECHO);
	CU_ASSERT_EQUAL(be32(ip + IPV4_SRC), 0x0a000002);
	CU_ASSERT_EQUAL(be32(ip + IPV4_DST), 0x0a000001);
	CU_ASSERT_EQUAL(ip[IPV4_TTL], 64);
	CU_ASSERT(ipv4_sum_right(&pkt));
	CU_ASSERT_EQUAL(pkt.data[34], ICMP_ECHO_ANSWER);
	CU_ASSERT_EQUAL(sum_over(0, pkt.data + 34, 8), 0xffff);
	CU_ASSERT_EQUAL(be32(pkt.data + 38), 0x00010001);
	CU_ASSERT_EQUAL(pkt.data[5], 1);
	CU_ASSERT_EQUAL(pkt.data[11], 2);
	frame_free(&pkt);
}

static uint16_t icmpv6_sum(const struct pkt *pkt, uint32_t bytes)
{
	uint32_t start = PROTO_ICMPV6 + bytes;

	start += sum_over(0, pkt->data + pkt->l3_off + IPV6_SRC, 32);
	return sum_over(start, pkt->data + pkt->l4_off, bytes);
}

static void echo_ipv6(void)
{
	struct pkt pkt = hex_parse(PING6);

	CU_ASSERT_EQUAL_FATAL(pkt.kind, PKT_ICMP);
	put_be16(pkt.data + 54 + ICMP_SUM, (uint16_t)~icmpv6_sum(&pkt, 10));
	CU_ASSERT_EQUAL(icmpv6_sum(&pkt, 10), 0xffff);
	edit(&pkt, PKT_EDIT_ECHO);
	CU_ASSERT_EQUAL(pkt.data[54], ICMPV6_ECHO_ANSWER);
	CU_ASSERT_EQUAL(pkt.data[14 + IPV6_SRC + 15], 2);
	CU_ASSERT_EQUAL(pkt.data[14 + IPV6_DST + 15], 1);
	CU_ASSERT_EQUAL(pkt.data[14 + IPV6_HOPS], 64);
	CU_ASSERT_EQUAL(icmpv6_sum(&pkt, 10), 0xffff);
	frame_free(&pkt);
}

/* The answer goes through a router's port: its MACs, but no hop of its own; and marked on the way. */
static void echo_and_others(void)
{
	struct pkt pkt = hex_parse(PING6);

	edit(&pkt, PKT_EDIT_ECHO | PKT_EDIT_ROUTE | PKT_EDIT_CE);
	CU_ASSERT_EQUAL(pkt.data[14 + IPV6_HOPS], 64);
	CU_ASSERT_EQUAL(memcmp(pkt.data, next_hop, 6), 0);
	CU_ASSERT_EQUAL(memcmp(pkt.data + 6, router, 6), 0);
	CU_ASSERT_EQUAL(pkt.data[15], 0xb1);
	frame_free(&pkt);
}

static void echo_to_group(void)
{
	struct pkt pkt = hex_parse(PING6);

	pkt.data[0] = 0x33;
	edit(&pkt, PKT_EDIT_ECHO);
	CU_ASSERT_EQUAL(memcmp(pkt.data + 6, router, 6), 0);
	CU_ASSERT_EQUAL(pkt.data[5], 1);
	frame_free(&pkt);
}

static const struct cu_case cases[] = {
	{"rewrite__nothing", nothing},
	{"rewrite__ce_and_route", ce_and_route},
	{"rewrite__one_edit", one_edit},
	{"rewrite__every_checksum", every_checksum},
	{"rewrite__wrong_checksum_stays_wrong", wrong_checksum_stays_wrong},
	{"rewrite__tagged", tagged},
	{"rewrite__ipv6", ipv6},
	{"rewrite__ce_without_ip", ce_without_ip},
	{"rewrite__echo_ipv4", echo_ipv4},
	{"rewrite__echo_ipv6", echo_ipv6},
	{"rewrite__echo_and_others", echo_and_others},
	{"rewrite__echo_to_group", echo_to_group},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("model/rewrite", cases);
}
