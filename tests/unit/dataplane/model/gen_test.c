/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/gen.c"

#include "frames.h"
#include "tests/unit/cu.h"

#define ZERO_18 ZERO_16 "0000"
#define HOST_MAC                       \
	{                              \
		0x02, 0, 0, 0, 0, 0x11 \
	}
#define OUR_MAC                     \
	{                           \
		0x02, 0, 0, 0, 0, 1 \
	}
#define IPV4(last)                                \
	{                                         \
		[10] = 0xff, 0xff, 10, 0, 0, last \
	}
#define IPV6(last)                            \
	{                                     \
		0xfd, [13] = 0xaa, 0xbb, last \
	}

static int gen_is(const struct sw_rec *rec, const char *hex)
{
	uint8_t want[FRAME_MAX], got[SW_GEN_MAX];
	uint16_t len = hex_bytes(hex, want), made;

	memset(got, 0xa5, sizeof(got));
	made = sw_gen_bytes(rec, got);
	for (uint16_t i = 0; i < made && memcmp(want, got, len) != 0; i++)
		printf("%02x", got[i]);
	return made == len && memcmp(want, got, len) == 0;
}

static void pfc(void)
{
	struct sw_rec rec = {.kind = SW_REC_PFC,
			     .gen = {.vid = PKT_NO_VLAN, .src_mac = OUR_MAC, .class_vector = 0x08}};

	rec.gen.quanta[3] = 0xffff;
	CU_ASSERT(gen_is(&rec,
			 "0180c2000001020000000001880801010008000000000000ffff0000000000000000"
			 "0000000000000000000000000000000000000000000000000000"));
	rec.gen.quanta[3] = 0;
	CU_ASSERT(gen_is(&rec,
			 "0180c200000102000000000188080101000800000000000000000000000000000000"
			 "0000000000000000000000000000000000000000000000000000"));
	rec.gen.class_vector = 0x81;
	rec.gen.quanta[0] = 0x1234;
	rec.gen.quanta[7] = 0x5678;
	rec.gen.vid = 100; /* MAC control is never tagged */
	CU_ASSERT(gen_is(&rec,
			 "0180c200000102000000000188080101008112340000000000000000000000005678"
			 "0000000000000000000000000000000000000000000000000000"));
}

static void arp_request(void)
{
	struct sw_rec rec = {.kind = SW_REC_ARP_REQUEST,
			     .gen = {.vid = PKT_NO_VLAN,
				     .src_mac = OUR_MAC,
				     .src_ip = IPV4(1),
				     .dst_ip = IPV4(2)}};

	CU_ASSERT(gen_is(&rec, "ffffffffffff0200000000010806000108000604000102000000000"
			       "10a0000010000000000000a000002" ZERO_18));
}

static void arp_reply(void)
{
	struct sw_rec rec = {.kind = SW_REC_ARP_REPLY,
			     .gen = {.vid = 100,
				     .pcp = 3,
				     .dst_mac = HOST_MAC,
				     .src_mac = OUR_MAC,
				     .target_mac = HOST_MAC,
				     .src_ip = IPV4(1),
				     .dst_ip = IPV4(2)}};

	CU_ASSERT(gen_is(&rec,
			 "02000000001102000000000181006064080600010800060400020200000000010a000001"
			 "0200000000110a000002"
			 "0000000000000000000000000000"));
}

static struct pkt gen_parse(const struct sw_rec *rec)
{
	uint8_t buf[SW_GEN_MAX];

	return frame_parse(buf, sw_gen_bytes(rec, buf));
}

static int icmpv6_right(const struct pkt *pkt)
{
	uint32_t bytes = be16(pkt->data + pkt->l3_off + IPV6_LEN);
	uint32_t start = PROTO_ICMPV6 + bytes;

	start += sum_over(0, pkt->data + pkt->l3_off + IPV6_SRC, 32);
	return sum_over(start, pkt->data + pkt->l4_off, bytes) == 0xffff;
}

static void ns(void)
{
	struct sw_rec rec = {.kind = SW_REC_NS,
			     .gen = {.vid = PKT_NO_VLAN,
				     .src_mac = OUR_MAC,
				     .src_ip = IPV6(1),
				     .dst_ip = IPV6(2)}};
	struct pkt pkt = gen_parse(&rec);

	CU_ASSERT_EQUAL(pkt.kind, PKT_ND);
	CU_ASSERT_EQUAL(pkt.len, 86);
	CU_ASSERT(icmpv6_right(&pkt));
	put_be16(pkt.data + 56, 0);
	CU_ASSERT_EQUAL(memcmp(pkt.data, "\x33\x33\xff\xaa\xbb\x02\x02\0\0\0\0\x01\x86\xdd", 14),
			0);
	CU_ASSERT_EQUAL(memcmp(pkt.data + 14, "\x60\0\0\0\0\x20\x3a\xff", 8), 0);
	CU_ASSERT_EQUAL(memcmp(pkt.data + 22, rec.gen.src_ip, 16), 0);
	CU_ASSERT_EQUAL(memcmp(pkt.data + 38, "\xff\x02\0\0\0\0\0\0\0\0\0\x01\xff\xaa\xbb\x02", 16),
			0);
	CU_ASSERT_EQUAL(memcmp(pkt.data + 54, "\x87\0\0\0\0\0\0\0", 8), 0);
	CU_ASSERT_EQUAL(memcmp(pkt.data + 62, rec.gen.dst_ip, 16), 0);
	CU_ASSERT_EQUAL(memcmp(pkt.data + 78, "\x01\x01\x02\0\0\0\0\x01", 8), 0);
	frame_free(&pkt);
}

/* RFC 4861, 4.3: no source link-layer address when there is no source. */
static void ns_without_source(void)
{
	struct sw_rec rec = {.kind = SW_REC_NS,
			     .gen = {.vid = PKT_NO_VLAN, .src_mac = OUR_MAC, .dst_ip = IPV6(2)}};
	struct pkt pkt = gen_parse(&rec);

	CU_ASSERT_EQUAL(pkt.kind, PKT_ND);
	CU_ASSERT_EQUAL(pkt.len, 78);
	CU_ASSERT(icmpv6_right(&pkt));
	frame_free(&pkt);
}

static void na(void)
{
	struct sw_rec rec = {.kind = SW_REC_NA,
			     .gen = {.vid = 5,
				     .pcp = 1,
				     .dst_mac = HOST_MAC,
				     .src_mac = OUR_MAC,
				     .src_ip = IPV6(1),
				     .dst_ip = IPV6(2)}};
	struct pkt pkt = gen_parse(&rec);

	CU_ASSERT_EQUAL(pkt.kind, PKT_ND);
	CU_ASSERT_EQUAL(pkt.len, 90);
	CU_ASSERT_EQUAL(pkt.vid, 5);
	CU_ASSERT_EQUAL(pkt.pcp, 1);
	CU_ASSERT(icmpv6_right(&pkt));
	CU_ASSERT_EQUAL(memcmp(pkt.data, rec.gen.dst_mac, 6), 0);
	CU_ASSERT_EQUAL(memcmp(pkt.data + 26, rec.gen.src_ip, 16), 0);
	CU_ASSERT_EQUAL(memcmp(pkt.data + 42, rec.gen.dst_ip, 16), 0);
	CU_ASSERT_EQUAL(pkt.data[58], ICMPV6_NA);
	CU_ASSERT_EQUAL(pkt.data[62], 0xe0); /* router, solicited, override */
	CU_ASSERT_EQUAL(memcmp(pkt.data + 66, rec.gen.src_ip, 16), 0);
	CU_ASSERT_EQUAL(memcmp(pkt.data + 82, "\x02\x01\x02\0\0\0\0\x01", 8), 0);
	frame_free(&pkt);
}

/* RFC 4861, 7.2.4: duplicate address detection is answered to all, unsolicited. */
static void na_to_all(void)
{
	struct sw_rec rec = {.kind = SW_REC_NA,
			     .gen = {.vid = PKT_NO_VLAN,
				     .dst_mac = HOST_MAC,
				     .src_mac = OUR_MAC,
				     .src_ip = IPV6(1)}};
	struct pkt pkt = gen_parse(&rec);

	CU_ASSERT(icmpv6_right(&pkt));
	CU_ASSERT_EQUAL(memcmp(pkt.data, "\x33\x33\0\0\0\x01", 6), 0);
	CU_ASSERT_EQUAL(memcmp(pkt.data + 38, "\xff\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\x01", 16), 0);
	CU_ASSERT_EQUAL(pkt.data[58], 0xa0);
	frame_free(&pkt);
}

static void no_bytes_of_a_frame(void)
{
	struct sw_rec rec = {.kind = SW_REC_FRAME};
	uint8_t buf[SW_GEN_MAX];

	CU_ASSERT_EQUAL(sw_gen_bytes(&rec, buf), 0);
}

static const struct cu_case cases[] = {
	{"sw_gen_bytes__pfc", pfc},
	{"sw_gen_bytes__arp_request", arp_request},
	{"sw_gen_bytes__arp_reply", arp_reply},
	{"sw_gen_bytes__ns", ns},
	{"sw_gen_bytes__ns_without_source", ns_without_source},
	{"sw_gen_bytes__na", na},
	{"sw_gen_bytes__na_to_all", na_to_all},
	{"sw_gen_bytes__no_bytes_of_a_frame", no_bytes_of_a_frame},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("model/gen", cases);
}
