/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/parse.c"

#include "frames.h"
#include "tests/unit/cu.h"

static void known_frames(void)
{
	for (size_t i = 0; i < N_KNOWN; i++) {
		struct pkt pkt = hex_parse(known[i].hex);

		CU_ASSERT_EQUAL(pkt.kind, PKT_ROCE);
		CU_ASSERT_EQUAL(pkt.flags, PKT_F_V4 | PKT_F_L4);
		CU_ASSERT_EQUAL(pkt.opcode, known[i].opcode);
		CU_ASSERT_EQUAL(pkt.dest_qp, known[i].dest_qp);
		CU_ASSERT_EQUAL(pkt.dscp, known[i].dscp);
		CU_ASSERT_EQUAL(pkt.ecn, known[i].ecn);
		CU_ASSERT_EQUAL(pkt.hdr_len, known[i].hdr_len);
		CU_ASSERT_EQUAL(pkt.ip_proto, 17);
		CU_ASSERT_EQUAL(pkt.l3_off, 14);
		CU_ASSERT_EQUAL(pkt.l4_off, 34);
		CU_ASSERT_EQUAL(pkt.vid, PKT_NO_VLAN);
		frame_free(&pkt);
	}
}

static void whole_descriptor(void)
{
	struct pkt pkt = hex_parse(known[KNOWN_ACK].hex);
	uint8_t zeros[6] = {0};
	struct pkt rubbish;

	memset(&rubbish, 0xa5, sizeof(rubbish));
	CU_ASSERT_PTR_NULL(pkt.next);
	CU_ASSERT_EQUAL(pkt.cells, 0);
	CU_ASSERT_EQUAL(pkt.in_port, 0);
	CU_ASSERT_EQUAL(pkt.out_port, PKT_NO_PORT);
	CU_ASSERT_EQUAL(pkt.edit, 0);
	CU_ASSERT_EQUAL(pkt.prio, 0);
	CU_ASSERT_EQUAL(pkt.pg, 0);
	CU_ASSERT_EQUAL(pkt.queue, 0);
	CU_ASSERT_EQUAL(pkt.pcp, 0);
	CU_ASSERT_EQUAL(memcmp(pkt.dmac, zeros, 6), 0);
	CU_ASSERT_EQUAL(pkt.domain, TEST_DOMAIN);
	/* the driver's */
	CU_ASSERT_EQUAL(pkt.len, 62);
	CU_ASSERT_EQUAL(pkt.t_ps, rubbish.t_ps);
	CU_ASSERT_EQUAL(pkt.user, rubbish.user);
	frame_free(&pkt);
}

static void burst(void)
{
	struct pkt pkts[3], *ptrs[3];

	memset(pkts, 0, sizeof(pkts));
	for (int i = 0; i < 3; i++) {
		uint8_t buf[FRAME_MAX];

		pkts[i].len = hex_bytes(known[i].hex, buf);
		pkts[i].data = malloc(pkts[i].len);
		memcpy(pkts[i].data, buf, pkts[i].len);
		ptrs[i] = &pkts[i];
	}
	sw_parse(one_port(), 0, ptrs, 3);
	for (int i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(pkts[i].opcode, known[i].opcode);
		frame_free(&pkts[i]);
	}
}

static void tagged(void)
{
	struct pkt pkt = hex_parse(known[KNOWN_ACK].hex);

	frame_tag(&pkt, 0x6064);
	CU_ASSERT_EQUAL(pkt.kind, PKT_ROCE);
	CU_ASSERT_EQUAL(pkt.vid, 100);
	CU_ASSERT_EQUAL(pkt.pcp, 3);
	CU_ASSERT_EQUAL(pkt.l3_off, 18);
	CU_ASSERT_EQUAL(pkt.l4_off, 38);
	CU_ASSERT_EQUAL(pkt.hdr_len, 62);
	CU_ASSERT_EQUAL(pkt.dest_qp, 0x13);
	frame_tag(&pkt, 0xb00a); /* now it has two, the outer one with DEI */
	CU_ASSERT_EQUAL(pkt.kind, PKT_OTHER);
	CU_ASSERT_EQUAL(pkt.vid, 10);
	CU_ASSERT_EQUAL(pkt.pcp, 5);
	CU_ASSERT_EQUAL(pkt.l3_off, 0);
	CU_ASSERT_EQUAL(pkt.hdr_len, 18);
	put_be16(pkt.data + ETH_TYPE, ETHERTYPE_STAG);
	sw_parse(one_port(), 0, &(struct pkt *){&pkt}, 1);
	CU_ASSERT_EQUAL(pkt.kind, PKT_OTHER);
	CU_ASSERT_EQUAL(pkt.vid, 10);
	CU_ASSERT_EQUAL(pkt.flags, 0);
	CU_ASSERT_EQUAL(pkt.hdr_len, 18);
	frame_free(&pkt);
	CU_ASSERT(hex_is(MACS "8100", PKT_RUNT, 14));
	CU_ASSERT(hex_is(MACS "8100606408", PKT_RUNT, 17));
	CU_ASSERT(hex_is(MACS "81000000"
			      "88b5",
			 PKT_OTHER, 18)); /* a priority tag */
	CU_ASSERT(hex_is(MACS "88a8606408", PKT_RUNT, 17));
}

static void ethernet(void)
{
	CU_ASSERT(hex_is("", PKT_RUNT, 0));
	CU_ASSERT(hex_is("02000000000202000000000108", PKT_RUNT, 13));
	CU_ASSERT(hex_is(MACS "88b5", PKT_OTHER, 14));
	CU_ASSERT(hex_is(MACS "88b500", PKT_OTHER, 14));
	CU_ASSERT(hex_is(MACS "05dc"
			      "aaaa03",
			 PKT_OTHER, 14)); /* an 802.3 length, longer than the frame */
	CU_ASSERT(hex_is(MACS "0000", PKT_OTHER, 14));
	CU_ASSERT(hex_is(MACS "8915"
			      "60000000",
			 PKT_ROCEV1, 14));
	CU_ASSERT(hex_is(MACS "81006064"
			      "8915",
			 PKT_ROCEV1, 18));
}

static void arp(void)
{
	const char *request = MACS "0806"
				   "0001080006040001"
				   "0200000000010a000001"
				   "0000000000000a000002";
	struct pkt pkt = hex_parse(request);

	CU_ASSERT_EQUAL(pkt.kind, PKT_ARP);
	CU_ASSERT_EQUAL(pkt.l3_off, 14);
	CU_ASSERT_EQUAL(pkt.flags, 0);
	CU_ASSERT_EQUAL(pkt.hdr_len, 42);
	frame_tag(&pkt, 5);
	CU_ASSERT_EQUAL(pkt.kind, PKT_ARP);
	CU_ASSERT_EQUAL(pkt.l3_off, 18);
	frame_free(&pkt);
	CU_ASSERT(hex_is(MACS "0806"
			      "0001080006040001"
			      "0200000000010a000001"
			      "0000000000000a0000",
			 PKT_RUNT, 41));
	CU_ASSERT(hex_is(MACS "0806"
			      "00010800060400",
			 PKT_RUNT, 21));
	CU_ASSERT(hex_is(MACS "0806"
			      "0020080014040001",
			 PKT_OTHER, 14)); /* IP over InfiniBand */
	CU_ASSERT(hex_is(MACS "0806"
			      "000186dd06100001",
			 PKT_OTHER, 14));
}

static void ipv4(void)
{
	struct pkt pkt = hex_parse(ETH4 "48fd0024"
					"0000"
					"4000"
					"40110000" ADDRS4 "0101010101010101010101"
					"00"
					"003512340004"
					"0000");

	CU_ASSERT_EQUAL(pkt.kind, PKT_RUNT); /* UDP length 4 */
	CU_ASSERT_EQUAL(pkt.flags, 0);
	CU_ASSERT_EQUAL(pkt.l3_off, 0);
	CU_ASSERT_EQUAL(pkt.dscp, 0);
	put_be16(pkt.data + 14 + 32 + UDP_LEN, 8);
	put_be16(pkt.data + 14 + IPV4_LEN, 40);
	sw_parse(one_port(), 0, &(struct pkt *){&pkt}, 1);
	CU_ASSERT_EQUAL(pkt.kind, PKT_UDP);
	CU_ASSERT_EQUAL(pkt.dscp, 63);
	CU_ASSERT_EQUAL(pkt.ecn, 1);
	CU_ASSERT_EQUAL(pkt.l4_off, 46);
	CU_ASSERT_EQUAL(pkt.hdr_len, 54);
	frame_free(&pkt);
	CU_ASSERT(hex_is(ETH4 "45000014000040004059"
			      "0000" ADDRS4,
			 PKT_IP, 34)); /* OSPF */
	CU_ASSERT(hex_is(ETH4 "45000014000040004059"
			      "0000" ADDRS4 "00000000",
			 PKT_IP, 34)); /* padding */
	CU_ASSERT(hex_is(ETH4 "4500001400004000403a"
			      "0000" ADDRS4,
			 PKT_IP, 34)); /* ICMPv6 in IPv4 */
}

static void ipv4_runts(void)
{
	CU_ASSERT(hex_is(ETH4 "450000140000400040590000"
			      "0a000001"
			      "0a0000",
			 PKT_RUNT, 33));
	CU_ASSERT(hex_is(ETH4 "44000014000040004059"
			      "0000" ADDRS4,
			 PKT_RUNT, 34)); /* IHL 4 */
	CU_ASSERT(hex_is(ETH4 "65000014000040004059"
			      "0000" ADDRS4,
			 PKT_RUNT, 34)); /* version 6 */
	CU_ASSERT(hex_is(ETH4 "45000013000040004059"
			      "0000" ADDRS4,
			 PKT_RUNT, 34)); /* total < header */
	CU_ASSERT(hex_is(ETH4 "46000014000040004059"
			      "0000" ADDRS4 "00000000",
			 PKT_RUNT, 38));
	CU_ASSERT(hex_is(ETH4 "45000015000040004059"
			      "0000" ADDRS4,
			 PKT_RUNT, 34)); /* total > frame */
	CU_ASSERT(hex_is(ETH4 "4f000014000040004059"
			      "0000" ADDRS4,
			 PKT_RUNT, 34)); /* header > frame */
}

static void ipv4_fragments(void)
{
	struct pkt pkt = hex_parse(known[KNOWN_WRITE].hex);

	put_be16(pkt.data + 14 + IPV4_FRAG, 0x0001);
	sw_parse(one_port(), 0, &(struct pkt *){&pkt}, 1);
	CU_ASSERT_EQUAL(pkt.kind, PKT_IP);
	CU_ASSERT_EQUAL(pkt.flags, PKT_F_V4 | PKT_F_FRAGMENT);
	CU_ASSERT_EQUAL(pkt.hdr_len, 34);
	CU_ASSERT_EQUAL(pkt.ip_proto, 17);
	CU_ASSERT_EQUAL(pkt.dest_qp, 0);
	put_be16(pkt.data + 14 + IPV4_FRAG, 0x1000); /* the offset's highest bit alone */
	sw_parse(one_port(), 0, &(struct pkt *){&pkt}, 1);
	CU_ASSERT_EQUAL(pkt.flags, PKT_F_V4 | PKT_F_FRAGMENT);
	/* the first has ports and BTH, and a UDP length that goes past it */
	put_be16(pkt.data + 14 + IPV4_FRAG, 0x2000);
	put_be16(pkt.data + 34 + UDP_LEN, 4000);
	sw_parse(one_port(), 0, &(struct pkt *){&pkt}, 1);
	CU_ASSERT_EQUAL(pkt.kind, PKT_ROCE);
	CU_ASSERT_EQUAL(pkt.flags, PKT_F_V4 | PKT_F_L4);
	CU_ASSERT_EQUAL(pkt.dest_qp, 0x11);
	frame_free(&pkt);
	/* RFC 791 lets a first fragment end within the UDP header */
	CU_ASSERT(hex_is(ETH4 "4500001b000020004011"
			      "0000" ADDRS4 "c00012b7001400",
			 PKT_IP, 34));
	CU_ASSERT(hex_is(ETH4 "45000018000020004011"
			      "0000" ADDRS4 "c00012b7",
			 PKT_IP, 34));
	CU_ASSERT(hex_is(ETH4 "45000018000000004011"
			      "0000" ADDRS4 "c00012b7",
			 PKT_RUNT, 38));
}

static void udp_lengths(void)
{
	CU_ASSERT(hex_is(UDP4("001c", "0008"), PKT_UDP, 42));
	CU_ASSERT(hex_is(UDP4("001c", "0007"), PKT_RUNT, 42));
	CU_ASSERT(hex_is(UDP4("001c", "0000"), PKT_RUNT, 42));
	CU_ASSERT(hex_is(UDP4("001c", "0009"), PKT_RUNT, 42));
	CU_ASSERT(hex_is(UDP4("001c", "0009") "00", PKT_RUNT, 43)); /* padding is not data */
	CU_ASSERT(hex_is(UDP4("001d", "0008") "00", PKT_UDP, 42));
	/* a BTH but for its last byte, whole, whole but UDP says it is not */
	CU_ASSERT(hex_is(UDP4("0027", "0013") "1100ffff00000013000000", PKT_UDP, 42));
	CU_ASSERT(hex_is(UDP4("0028", "0014") "1100ffff0000001300000000", PKT_ROCE, 54));
	CU_ASSERT(hex_is(UDP4("0028", "0013") "1100ffff0000001300000000", PKT_UDP, 42));
	/* another port */
	CU_ASSERT(hex_is(ETH4 "45000028000040004011"
			      "0000" ADDRS4 "12b7c00000140000"
			      "1100ffff0000001300000000",
			 PKT_UDP, 42));
}

static void tcp_and_icmp(void)
{
#define TCP4(total, offset)              \
	ETH4 "4500" total "000040004006" \
	     "0000" ADDRS4 "1f9000500000000000000000" offset
	CU_ASSERT(hex_is(TCP4("0028", "50020000") "00000000", PKT_TCP, 54));
	CU_ASSERT(hex_is(TCP4("002c", "60020000") "00000000"
						  "02040000",
			 PKT_TCP, 58));
	CU_ASSERT(hex_is(TCP4("0028", "f0020000") "00000000", PKT_TCP,
			 54)); /* nonsense bounds only hdr_len */
	CU_ASSERT(hex_is(TCP4("0028", "10020000") "00000000", PKT_TCP, 42));
	CU_ASSERT(hex_is(ETH4 "4500001c000040004006"
			      "0000" ADDRS4 "1f90005000000000",
			 PKT_TCP, 42));
	CU_ASSERT(hex_is(ETH4 "4500001b000040004006"
			      "0000" ADDRS4 "1f900050000000",
			 PKT_IP, 34));
	CU_ASSERT(hex_is(ETH4 "4500001c000040004001"
			      "0000" ADDRS4 "0800f7ff00000000",
			 PKT_ICMP, 42));
	CU_ASSERT(hex_is(ETH4 "4500001b000040004001"
			      "0000" ADDRS4 "0800f7ff000000",
			 PKT_IP, 34));
	CU_ASSERT(hex_is(ETH6 "60000000"
			      "00083a40" ADDRS6 "8000000000000000",
			 PKT_ICMP, 62));
	CU_ASSERT(hex_is(ETH6 "60000000"
			      "00080140" ADDRS6 "0800000000000000",
			 PKT_IP, 54));
#undef TCP4
}

static void mac_control(void)
{
#define PAUSE_MACS "0180c2000001020000000001"
	CU_ASSERT(hex_is(PAUSE_MACS "8808"
				    "0101"
				    "00ff" ZERO_16,
			 PKT_PFC, 34));
	CU_ASSERT(hex_is(PAUSE_MACS "8808"
				    "0101"
				    "00ff" ZERO_16 "00000000",
			 PKT_PFC, 34));
	CU_ASSERT(hex_is(PAUSE_MACS "8808"
				    "0101"
				    "00ff"
				    "000000000000000000000000000000",
			 PKT_RUNT, 33));
	CU_ASSERT(hex_is(PAUSE_MACS "8808"
				    "0001"
				    "ffff",
			 PKT_PAUSE, 18));
	CU_ASSERT(hex_is(PAUSE_MACS "8808"
				    "0001"
				    "ff",
			 PKT_RUNT, 17));
	CU_ASSERT(hex_is(PAUSE_MACS "8808"
				    "0002"
				    "ffff",
			 PKT_MAC_CTL, 14));
	CU_ASSERT(hex_is(PAUSE_MACS "8808"
				    "00",
			 PKT_RUNT, 15));
	CU_ASSERT(hex_is(PAUSE_MACS "81006064"
				    "8808"
				    "0101"
				    "00ff" ZERO_16,
			 PKT_MAC_CTL, 18));
#undef PAUSE_MACS
}

/* In an untagged IPv4 frame BTH ends at 54: 10 bytes of extension headers can be told apart. */
static void extension_headers(void)
{
	static const struct {
		uint8_t opcode, ext;
	} cases[] = {{0x04, 0}, {0x03, 4}, {0x05, 4}, {0x0d, 4}, {0x0e, 0},  {0x11, 4},
		     {0x15, 0}, {0x16, 4}, {0x17, 4}, {0x64, 8}, {0x0a, 10}, {0x12, 10},
		     {0x24, 0}, {0x25, 4}, {0x4e, 4}, {0xa0, 4}, {0xff, 0}};
	struct pkt pkt = hex_parse(known[KNOWN_WRITE].hex);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		pkt.data[42] = cases[i].opcode;
		sw_parse(one_port(), 0, &(struct pkt *){&pkt}, 1);
		CU_ASSERT_EQUAL(pkt.hdr_len, 54 + cases[i].ext);
	}
	frame_free(&pkt);
}

static const struct cu_case cases[] = {
	{"sw_parse__known_frames", known_frames},
	{"sw_parse__whole_descriptor", whole_descriptor},
	{"sw_parse__burst", burst},
	{"sw_parse__tagged", tagged},
	{"sw_parse__ethernet", ethernet},
	{"sw_parse__arp", arp},
	{"sw_parse__ipv4", ipv4},
	{"sw_parse__ipv4_runts", ipv4_runts},
	{"sw_parse__ipv4_fragments", ipv4_fragments},
	{"sw_parse__udp_lengths", udp_lengths},
	{"sw_parse__tcp_and_icmp", tcp_and_icmp},
	{"sw_parse__mac_control", mac_control},
	{"sw_parse__extension_headers", extension_headers},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("model/parse", cases);
}
