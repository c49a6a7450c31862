/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/icrc.c"

#include "frames.h"
#include "tests/unit/cu.h"

#define GOLDEN "tests/data/rxe-golden.pcap" /* 80 frames of two Linux 6.1 rdma_rxe */
#define GOLDEN_FRAMES 80

static const uint8_t router[6] = {0x02, 0, 0, 0, 0, 0xfe};

/* CRC-32 bit by bit, another way than the table's. */
static uint32_t reference_crc(const uint8_t *p, uint32_t bytes)
{
	uint32_t crc = 0xffffffff;

	for (uint32_t i = 0; i < bytes * 8; i++)
		crc = crc >> 1 ^ ((crc ^ p[i / 8] >> i % 8) & 1 ? 0xedb88320 : 0);
	return ~crc;
}

static void edit(struct pkt *pkt, int edits)
{
	pkt->edit = (uint8_t)edits;
	rewrite(pkt, router);
}

static void put_icrc(struct pkt *pkt)
{
	uint32_t end = pkt->l4_off + (uint32_t)be16(pkt->data + pkt->l4_off + UDP_LEN) - HDR_ICRC;
	uint32_t value = icrc_compute(pkt->data, pkt->l3_off, pkt->l4_off, end);

	for (int i = 0; i < 4; i++)
		pkt->data[end + (uint32_t)i] = (uint8_t)(value >> 8 * i);
}

static void table(void)
{
	uint8_t bytes[9] = {0};

	for (int k = 0; k < 8; k++) {
		for (int i = 0; i < 256; i++) {
			uint32_t crc = (uint32_t)i;

			for (int bit = 0; bit < 8 * (k + 1); bit++)
				crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
			CU_ASSERT_EQUAL_FATAL(icrc_table[k][i], crc);
		}
	}
	/* the check value of CRC-32/ISO-HDLC */
	memcpy(bytes, "123456789", 9);
	CU_ASSERT_EQUAL(~crc_run(0xffffffff, bytes, 9), 0xcbf43926);
	CU_ASSERT_EQUAL(reference_crc(bytes, 9), 0xcbf43926);
}

static void after_ones(void)
{
	static const uint8_t ones[8] = {255, 255, 255, 255, 255, 255, 255, 255};

	CU_ASSERT_EQUAL(crc_run(0xffffffff, ones, 8), AFTER_ONES);
}

/* The CNP's stream as it is after masking, by hand. */
static void masked_stream(void)
{
	uint8_t stream[FRAME_MAX];
	uint16_t bytes = hex_bytes("ffffffffffffffff45ff003c718c4000ff11ffff0a0011010a001201"
				   "000012b70028ffff8100ffffff00011800000000" ZERO_16,
				   stream);
	struct pkt pkt = hex_parse(known[KNOWN_CNP].hex);

	CU_ASSERT_EQUAL(reference_crc(stream, bytes), 0x2a00fd82);
	CU_ASSERT_EQUAL(icrc_compute(pkt.data, 14, 34, 70), 0x2a00fd82);
	frame_free(&pkt);
}

static void known_frames(void)
{
	for (size_t i = 0; i < N_KNOWN; i++) {
		struct pkt pkt = hex_parse(known[i].hex);

		CU_ASSERT_EQUAL(icrc_check(&pkt), ICRC_OK);
		edit(&pkt, PKT_EDIT_CE | PKT_EDIT_ROUTE);
		CU_ASSERT_EQUAL(icrc_check(&pkt), ICRC_OK);
		frame_tag(&pkt, 0x6064);
		CU_ASSERT_EQUAL(icrc_check(&pkt), ICRC_OK);
		frame_free(&pkt);
	}
}

static void wrong_polynomial(void)
{
	struct pkt pkt = hex_parse(known[KNOWN_CNP].hex);

	hex_bytes("2d41f4a2", pkt.data + 70); /* CRC-32C */
	CU_ASSERT_EQUAL(icrc_check(&pkt), ICRC_BAD);
	frame_free(&pkt);
}

/* Is a bit of the frame outside the ICRC's cover? tos and so on count from l3. */
static int is_free(const struct pkt *pkt, int at, int bit)
{
	int ip = at - pkt->l3_off, udp = at - pkt->l4_off;

	if (ip < 0 || udp == UDP_SUM || udp == UDP_SUM + 1 || udp == HDR_UDP + BTH_ECN)
		return 1;
	if (pkt->flags & PKT_F_V4)
		return ip == IPV4_TOS || ip == IPV4_TTL || ip == IPV4_SUM || ip == IPV4_SUM + 1;
	return (ip == 0 && bit < 4) || (ip > 0 && ip < 4) || ip == IPV6_HOPS;
}

/* Every single bit: what a switch may change leaves the ICRC right, anything else does not. */
static void flip_every_bit(struct pkt *pkt)
{
	unsigned int wrong = 0;

	CU_ASSERT_EQUAL(icrc_check(pkt), ICRC_OK);
	for (int i = 0; i < pkt->len * 8; i++) {
		enum icrc want = is_free(pkt, i / 8, i % 8) ? ICRC_OK : ICRC_BAD;
		uint32_t l4 = (uint32_t)i / 8 - pkt->l4_off;

		if (l4 == UDP_LEN || l4 == UDP_LEN + 1 || (i / 8 == pkt->l3_off && i % 8 >= 4))
			continue; /* where the ICRC is, and which masks: parse's to judge */
		if ((pkt->flags & PKT_F_V4) &&
		    (i / 8 == pkt->l3_off + IPV4_LEN || i / 8 == pkt->l3_off + IPV4_LEN + 1))
			continue;
		if ((pkt->flags & PKT_F_V6) &&
		    (i / 8 == pkt->l3_off + IPV6_LEN || i / 8 == pkt->l3_off + IPV6_LEN + 1))
			continue;
		pkt->data[i / 8] ^= (uint8_t)(1 << i % 8);
		wrong += icrc_check(pkt) != want;
		pkt->data[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* An IPv4 frame without options as IPv6, its ICRC made anew. */
static struct pkt as_ipv6(const struct pkt *pkt)
{
	static const char header[] = MACS "86dd"
					  "66a12345"
					  "00001140"
					  "fd000000000000000000000000000001"
					  "fd000000000000000000000000000002";
	uint8_t buf[FRAME_MAX];
	uint16_t off = hex_bytes(header, buf), udp_len = be16(pkt->data + 34 + UDP_LEN);
	struct pkt out;

	memcpy(buf + off, pkt->data + 34, udp_len);
	put_be16(buf + 14 + IPV6_LEN, udp_len);
	out = frame_parse(buf, off + udp_len);
	put_icrc(&out);
	return out;
}

static void every_bit(void)
{
	struct pkt pkt = hex_parse(known[KNOWN_WRITE].hex), v6 = as_ipv6(&pkt);

	flip_every_bit(&pkt);
	flip_every_bit(&v6);
	frame_tag(&pkt, 0x6064);
	flip_every_bit(&pkt);
	frame_free(&pkt);
	frame_free(&v6);
}

/* Against the stream written down by hand: nothing of the code under test in it. */
static void ipv6_reference(void)
{
	uint8_t stream[FRAME_MAX];
	uint16_t bytes = hex_bytes("ffffffffffffffff"
				   "6fffffff"
				   "001c11ff"
				   "fd000000000000000000000000000001"
				   "fd000000000000000000000000000002"
				   "c14312b7001cffff"
				   "1100ffffff00001300"
				   "5ee54e"
				   "1f000001",
				   stream);
	struct pkt v4 = hex_parse(known[KNOWN_ACK].hex), v6 = as_ipv6(&v4);

	CU_ASSERT_EQUAL(le32(v6.data + v6.len - 4), reference_crc(stream, bytes));
	frame_free(&v4);
	frame_free(&v6);
}

/* Options are covered as they are. */
static void ipv4_options(void)
{
	struct pkt pkt = hex_parse(MACS "0800"
					"464500340001400040110000"
					"0a0000010a000002"
					"94040000"
					"c00012b7001c0000" BTH "1f00000100000000");
	uint8_t stream[FRAME_MAX];
	uint16_t bytes = hex_bytes("ffffffffffffffff"
				   "46ff003400014000ff11ffff"
				   "0a0000010a000002"
				   "94040000"
				   "c00012b7001cffff"
				   "1100ffffff00001300000000"
				   "1f000001",
				   stream);

	put_icrc(&pkt);
	CU_ASSERT_EQUAL(le32(pkt.data + pkt.len - 4), reference_crc(stream, bytes));
	CU_ASSERT_EQUAL(icrc_check(&pkt), ICRC_OK);
	frame_free(&pkt);
}

static void padding(void)
{
	uint8_t buf[FRAME_MAX] = {0};
	uint16_t len = hex_bytes(known[KNOWN_ACK].hex, buf);
	struct pkt pkt = frame_parse(buf, len + 18);

	CU_ASSERT_EQUAL(icrc_check(&pkt), ICRC_OK);
	frame_free(&pkt);
	/* between the end of UDP and the end of IP */
	put_be16(buf + 14 + IPV4_LEN, len - 14U + 3);
	pkt = frame_parse(buf, len + 18);
	put_icrc(&pkt);
	CU_ASSERT_EQUAL(icrc_check(&pkt), ICRC_OK);
	frame_free(&pkt);
}

static void none(void)
{
	struct pkt pkt = hex_parse(known[KNOWN_ACK].hex);

	/* a BTH and three bytes */
	put_be16(pkt.data + 34 + UDP_LEN, 23);
	sw_parse(one_port(), 0, &(struct pkt *){&pkt}, 1);
	CU_ASSERT_EQUAL(pkt.kind, PKT_ROCE);
	CU_ASSERT_EQUAL(icrc_check(&pkt), ICRC_NONE);
	/* the first of several fragments */
	put_be16(pkt.data + 34 + UDP_LEN, 1000);
	put_be16(pkt.data + 14 + IPV4_FRAG, 0x2000);
	sw_parse(one_port(), 0, &(struct pkt *){&pkt}, 1);
	CU_ASSERT_EQUAL(pkt.kind, PKT_ROCE);
	CU_ASSERT_EQUAL(icrc_check(&pkt), ICRC_NONE);
	/* no RoCE */
	put_be16(pkt.data + 12, 0x88b5);
	sw_parse(one_port(), 0, &(struct pkt *){&pkt}, 1);
	CU_ASSERT_EQUAL(icrc_check(&pkt), ICRC_NONE);
	frame_free(&pkt);
}

/* One frame that real hosts exchanged, in every shape that the switch can give it. */
static void check_golden(const uint8_t *bytes, uint16_t len)
{
	for (int edits = 0; edits < 4; edits++) {
		struct pkt pkt = frame_parse(bytes, len), v6 = as_ipv6(&pkt);

		CU_ASSERT_EQUAL(pkt.kind, PKT_ROCE);
		CU_ASSERT_EQUAL(pkt.flags, PKT_F_V4 | PKT_F_L4);
		CU_ASSERT_EQUAL(icrc_check(&pkt), ICRC_OK);
		edit(&pkt, edits);
		edit(&v6, edits);
		CU_ASSERT_EQUAL(icrc_check(&pkt), ICRC_OK);
		CU_ASSERT_EQUAL(icrc_check(&v6), ICRC_OK);
		CU_ASSERT(ipv4_sum_right(&pkt));
		frame_tag(&pkt, 0x6064);
		frame_tag(&v6, 0x6064);
		edit(&pkt, edits);
		edit(&v6, edits);
		CU_ASSERT_EQUAL(icrc_check(&pkt), ICRC_OK);
		CU_ASSERT_EQUAL(icrc_check(&v6), ICRC_OK);
		CU_ASSERT(ipv4_sum_right(&pkt));
		pkt.data[pkt.len - 5] ^= 1;
		CU_ASSERT_EQUAL(icrc_check(&pkt), ICRC_BAD);
		frame_free(&pkt);
		frame_free(&v6);
	}
}

static void golden_capture(void)
{
	FILE *file = fopen(GOLDEN, "rb");
	uint8_t header[24], record[16], bytes[FRAME_MAX];
	uint32_t len;
	int n = 0;

	CU_ASSERT_FATAL(file != NULL && fread(header, sizeof(header), 1, file) == 1);
	CU_ASSERT_EQUAL_FATAL(le32(header), 0xa1b2c3d4); /* pcap, little-endian */
	for (; fread(record, sizeof(record), 1, file) == 1; n++) {
		len = le32(record + 8);
		CU_ASSERT_FATAL(len <= FRAME_MAX && len == le32(record + 12));
		CU_ASSERT_FATAL(fread(bytes, len, 1, file) == 1);
		check_golden(bytes, (uint16_t)len);
	}
	CU_ASSERT_EQUAL(n, GOLDEN_FRAMES);
	fclose(file);
}

/* Any bytes that parse takes for RoCE: nothing outside the frame is read. */
static void cut_and_mutated(void)
{
	uint8_t buf[FRAME_MAX];
	uint64_t random = 3;
	unsigned int ok = 0, bad = 0;

	for (int i = 0; i < 100000; i++) {
		uint16_t len = hex_bytes(known[next_random(&random) % N_KNOWN].hex, buf);
		struct pkt pkt;

		if (i % 2)
			buf[next_random(&random) % len] = (uint8_t)next_random(&random);
		if (i % 3 == 0) {
			len = (uint16_t)(34 + next_random(&random) % (len - 34U));
			put_be16(buf + 14 + IPV4_LEN, len - 14U);
			put_be16(buf + 34 + UDP_LEN, len - 34U);
		}
		pkt = frame_parse(buf, len);
		ok += icrc_check(&pkt) == ICRC_OK;
		bad += icrc_check(&pkt) == ICRC_BAD;
		frame_free(&pkt);
	}
	CU_ASSERT(ok > 20000);
	CU_ASSERT(bad > 20000);
}

static const struct cu_case cases[] = {
	{"icrc_table__bit_by_bit", table},
	{"icrc_compute__after_ones", after_ones},
	{"icrc_compute__masked_stream", masked_stream},
	{"icrc_compute__ipv6_reference", ipv6_reference},
	{"icrc_compute__ipv4_options", ipv4_options},
	{"icrc_check__known_frames", known_frames},
	{"icrc_check__wrong_polynomial", wrong_polynomial},
	{"icrc_check__every_bit", every_bit},
	{"icrc_check__padding", padding},
	{"icrc_check__none", none},
	{"icrc_check__golden_capture", golden_capture},
	{"icrc_check__cut_and_mutated", cut_and_mutated},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("model/icrc", cases);
}
