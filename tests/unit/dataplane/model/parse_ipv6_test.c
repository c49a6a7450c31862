/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/parse.c"

#include "frames.h"
#include "tests/unit/cu.h"

static void ipv6(void)
{
	struct pkt pkt =
		hex_parse(ETH6 "66a12345"
			       "001c1140" ADDRS6 "c00012b7001c0000" BTH "1f00000100000000");

	CU_ASSERT_EQUAL(pkt.kind, PKT_ROCE);
	CU_ASSERT_EQUAL(pkt.flags, PKT_F_V6 | PKT_F_L4);
	CU_ASSERT_EQUAL(pkt.dscp, 26);
	CU_ASSERT_EQUAL(pkt.ecn, 2);
	CU_ASSERT_EQUAL(pkt.l4_off, 54);
	CU_ASSERT_EQUAL(pkt.dest_qp, 0x13);
	CU_ASSERT_EQUAL(pkt.hdr_len, 64); /* 78, bounded */
	frame_tag(&pkt, 0x6064);
	CU_ASSERT_EQUAL(pkt.kind, PKT_ROCE);
	CU_ASSERT_EQUAL(pkt.l4_off, 58);
	frame_free(&pkt);
	CU_ASSERT(hex_is(ETH6 "60000000"
			      "00003b40" ADDRS6,
			 PKT_IP, 54));
	CU_ASSERT(hex_is(ETH6 "60000000"
			      "00003b40" ADDRS6 "000000",
			 PKT_IP, 54)); /* padding */
	CU_ASSERT(hex_is(ETH6 "60000000"
			      "00013b40" ADDRS6,
			 PKT_RUNT, 54));
	CU_ASSERT(hex_is(ETH6 "40000000"
			      "00003b40" ADDRS6,
			 PKT_RUNT, 54));
	CU_ASSERT(hex_is(ETH6 "60000000"
			      "00001140" ADDRS6,
			 PKT_RUNT, 54)); /* no UDP header */
	CU_ASSERT(hex_is(ETH6 "60000000"
			      "00003b40"
			      "fd00",
			 PKT_RUNT, 24));
}

static void ipv6_chain(void)
{
	/* hop-by-hop, destination options of 16 bytes, routing, then UDP */
	struct pkt pkt = hex_parse(ETH6 "60000000"
					"00340040" ADDRS6 "3c00010400000000"
					"2b010102000000000000000000000000"
					"1100000000000000"
					"c00012b700140000" BTH);

	CU_ASSERT_EQUAL(pkt.kind, PKT_ROCE);
	CU_ASSERT_EQUAL(pkt.l4_off, 54 + 32);
	CU_ASSERT_EQUAL(pkt.ip_proto, 17);
	CU_ASSERT_EQUAL(pkt.hdr_len, 64);
	frame_free(&pkt);
	/* an option header that says 16 where 8 are left, and one of which 4 are there */
	CU_ASSERT(hex_is(ETH6 "60000000"
			      "00080040" ADDRS6 "3b01010400000000",
			 PKT_RUNT, 62));
	CU_ASSERT(hex_is(ETH6 "60000000"
			      "00040040" ADDRS6 "3b000104",
			 PKT_RUNT, 58));
	/* behind ESP there is nothing to see */
	CU_ASSERT(hex_is(ETH6 "60000000"
			      "00083240" ADDRS6 "0000000000000000",
			 PKT_IP, 54));
}

/* A chain longer than is followed, and one whose end l4_off cannot say: opaque, not lost. */
static void ipv6_long_chain(void)
{
	uint8_t buf[FRAME_MAX] = {0};
	uint16_t len = hex_bytes(ETH6 "60000000"
				      "00503c40" ADDRS6,
				 buf);
	struct pkt pkt;

	for (int i = 0; i < 9; i++, len += 8)
		buf[len] = i < 8 ? PROTO_DEST_OPTIONS : PROTO_UDP;
	pkt = frame_parse(buf, len + 8);
	CU_ASSERT_EQUAL(pkt.kind, PKT_IP);
	CU_ASSERT_EQUAL(pkt.flags, PKT_F_V6);
	CU_ASSERT_EQUAL(pkt.ip_proto, PROTO_DEST_OPTIONS);
	frame_free(&pkt);

	buf[54] = PROTO_UDP;
	buf[55] = 25; /* 208 bytes: UDP at 262 */
	put_be16(buf + 14 + IPV6_LEN, 208 + 8);
	put_be16(buf + 262 + UDP_LEN, 8);
	pkt = frame_parse(buf, 270);
	CU_ASSERT_EQUAL(pkt.kind, PKT_IP);
	CU_ASSERT_EQUAL(pkt.flags, PKT_F_V6);
	CU_ASSERT_EQUAL(pkt.ip_proto, PROTO_UDP);
	frame_free(&pkt);
}

static void ipv6_fragments(void)
{
	struct pkt pkt = hex_parse(ETH6 "60000000"
					"001c2c40" ADDRS6 "1100000900000001"
					"c00012b700140000" BTH);

	CU_ASSERT_EQUAL(pkt.kind, PKT_IP);
	CU_ASSERT_EQUAL(pkt.flags, PKT_F_V6 | PKT_F_FRAGMENT);
	CU_ASSERT_EQUAL(pkt.ip_proto, 17);
	pkt.data[54 + 3] = 1; /* the first of several */
	put_be16(pkt.data + 62 + UDP_LEN, 2000);
	sw_parse(one_port(), 0, &(struct pkt *){&pkt}, 1);
	CU_ASSERT_EQUAL(pkt.kind, PKT_ROCE);
	CU_ASSERT_EQUAL(pkt.flags, PKT_F_V6 | PKT_F_L4);
	pkt.data[54 + 3] = 0; /* an atomic one (RFC 6946): the length must be right again */
	sw_parse(one_port(), 0, &(struct pkt *){&pkt}, 1);
	CU_ASSERT_EQUAL(pkt.kind, PKT_RUNT);
	CU_ASSERT_EQUAL(pkt.flags, 0);
	frame_free(&pkt);
}

static void nd(void)
{
	struct pkt pkt = hex_parse(ETH6 "60000000"
					"00183aff" ADDRS6 "8700000000000000"
					"fd000000000000000000000000000002");

	CU_ASSERT_EQUAL(pkt.kind, PKT_ND);
	CU_ASSERT_EQUAL(pkt.l4_off, 54);
	CU_ASSERT_EQUAL(pkt.flags, PKT_F_V6 | PKT_F_L4);
	pkt.data[54] = ICMPV6_NA;
	sw_parse(one_port(), 0, &(struct pkt *){&pkt}, 1);
	CU_ASSERT_EQUAL(pkt.kind, PKT_ND);
	pkt.data[54] = 133; /* router solicitation: a host's matter */
	sw_parse(one_port(), 0, &(struct pkt *){&pkt}, 1);
	CU_ASSERT_EQUAL(pkt.kind, PKT_ICMP);
	frame_free(&pkt);
	/* hop limit 254, code 1, target cut short: discarded by nodes, forwarded by us */
	CU_ASSERT(hex_is(ETH6 "60000000"
			      "00183afe" ADDRS6 "8700000000000000" ZERO_16,
			 PKT_ICMP, 62));
	CU_ASSERT(hex_is(ETH6 "60000000"
			      "00183aff" ADDRS6 "8701000000000000" ZERO_16,
			 PKT_ICMP, 62));
	CU_ASSERT(hex_is(ETH6 "60000000"
			      "00173aff" ADDRS6 "8700000000000000" ZERO_16,
			 PKT_ICMP, 62));
}

static const struct cu_case cases[] = {
	{"sw_parse__ipv6", ipv6},
	{"sw_parse__ipv6_chain", ipv6_chain},
	{"sw_parse__ipv6_long_chain", ipv6_long_chain},
	{"sw_parse__ipv6_fragments", ipv6_fragments},
	{"sw_parse__nd", nd},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("model/parse: IPv6", cases);
}
