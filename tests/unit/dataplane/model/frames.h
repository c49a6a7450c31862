/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames for the tests of parse, rewrite, gen and icrc: known ones, and how to make a parsed packet
 * of one. Every frame is a heap block of just its length, so that the address sanitizer sees a read
 * one byte past it. Single thread.
 */
#ifndef RY_TEST_FRAMES_H
#define RY_TEST_FRAMES_H

#include "dataplane/model/hdr.h"
#include "dataplane/model/sw_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_MAX 2048
#define TEST_DOMAIN 7
#define MACS "020000000002020000000001"
#define ETH4 MACS "0800"
#define ETH6 MACS "86dd"
#define ADDRS4 "0a0000010a000002"
#define ADDRS6 "fd000000000000000000000000000001fd000000000000000000000000000002"
/* IPv4, UDP, total length 28 + rest */
#define UDP4(total, udp_len)             \
	ETH4 "4500" total "000040004011" \
	     "0000" ADDRS4 "c00012b7" udp_len "0000"
#define BTH "1100ffff0000001300000000"
#define ZERO_16 "00000000000000000000000000000000"

/* A RoCEv2 frame and what is in it. */
struct known {
	const char *name, *hex;
	uint8_t opcode, dscp, ecn, hdr_len;
	uint32_t dest_qp;
};

static const struct known known[] = {
	/* scapy's test-suite, captured from a ConnectX-4 Lx */
	{"CNP",
	 "e41d2dab2bc27cfe90643b32080045c2003c718c4000401191610a0011010a001201000012b7002800008100ff"
	 "ff40000118000000000000000000000000000000000000000082fd002a",
	 0x81, 48, 2, 64, 0x118},
	{"UC SEND_ONLY",
	 "248a07a8fa22248a07a8fa22080045010040047840004011b4d5c0a80007c0a80007c00012b7002caca22460ff"
	 "ff000000d300cf17104630818be28935d90e9a95505401be885e50000078f353f3",
	 0x24, 0, 1, 54, 0xd3},
	/* captured between two Linux 6.1 rdma_rxe */
	{"ACK",
	 "5254000000025254000000010800450000308c74400040119a460a0000010a000002c14312b7001c0000"
	 "1100ffff00000013005ee54e1f0000019b3e5825",
	 0x11, 0, 0, 58, 0x13},
	{"NAK",
	 "52540000000252540000000108004500003093df4000401192db0a0000010a000002c16812b7001c0000"
	 "1100ffff00000014001657066000000511d194d6",
	 0x11, 0, 0, 58, 0x14},
	/* made with an independent implementation */
	{"WRITE_ONLY",
	 "0200000000020200000000010800456a007c00004000401126030a0100010a010002c12312b7006800000a00ff"
	 "ff000000118000000100007f00000010000000123400000040000102030405060708090a0b0c0d0e0f10111213"
	 "1415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f0f"
	 "ee6550",
	 0x0a, 26, 2, 64, 0x11},
	{"ACK to WRITE_ONLY",
	 "0200000000020200000000010800456a0030000040004011264f0a0100020a010001c12312b7001c0000"
	 "1100ffff00000012000000011f000001cf671831",
	 0x11, 26, 2, 58, 0x12},
	{"NAK to WRITE_ONLY",
	 "0200000000020200000000010800456a0030000040004011264f0a0100020a010001c12312b7001c0000"
	 "1100ffff000000120000000560000001c571c4f7",
	 0x11, 26, 2, 58, 0x12},
};
#define N_KNOWN (sizeof(known) / sizeof(known[0]))

enum { KNOWN_CNP, KNOWN_UC, KNOWN_ACK, KNOWN_NAK, KNOWN_WRITE };

static inline uint16_t hex_bytes(const char *hex, uint8_t *buf)
{
	char pair[3] = {0};
	uint16_t len = 0;

	for (; hex[0] != '\0'; hex += 2) {
		memcpy(pair, hex, 2);
		buf[len++] = (uint8_t)strtoul(pair, NULL, 16);
	}
	return len;
}

/* A one-port switch: all that parse looks at. */
static inline struct sw *one_port(void)
{
	static struct sw_port port;
	static struct sw sw;

	port.cfg.domain = TEST_DOMAIN;
	sw.ports = &port;
	sw.n_ports = 1;
	return &sw;
}

/* Parses a copy of the bytes; the descriptor comes in full of rubbish. frame_free(). */
static inline struct pkt frame_parse(const uint8_t *bytes, uint16_t len)
{
	struct pkt pkt, *burst = &pkt;

	memset(&pkt, 0xa5, sizeof(pkt));
	pkt.data = malloc(len);
	if (len > 0)
		memcpy(pkt.data, bytes, len);
	pkt.len = len;
	sw_parse(one_port(), 0, &burst, 1);
	return pkt;
}

static inline struct pkt hex_parse(const char *hex)
{
	uint8_t buf[FRAME_MAX];

	return frame_parse(buf, hex_bytes(hex, buf));
}

static inline void frame_free(struct pkt *pkt)
{
	free(pkt->data);
	pkt->data = NULL;
}

/* Says what it found when a frame is not of that kind with headers of that length. */
static inline int hex_is(const char *hex, enum pkt_kind kind, uint8_t hdr_len)
{
	struct pkt pkt = hex_parse(hex);
	int is = pkt.kind == kind && pkt.hdr_len == hdr_len;

	if (!is)
		printf("kind %d, hdr_len %d: %s\n", pkt.kind, pkt.hdr_len, hex);
	frame_free(&pkt);
	return is;
}

/* The same frame with an 802.1Q tag behind the MACs; takes pkt's place. */
static inline void frame_tag(struct pkt *pkt, uint16_t tci)
{
	uint8_t buf[FRAME_MAX];
	uint16_t len = pkt->len;

	memcpy(buf, pkt->data, ETH_TYPE);
	put_be16(buf + ETH_TYPE, ETHERTYPE_TAG);
	put_be16(buf + ETH_TYPE + 2, tci);
	memcpy(buf + ETH_TYPE + HDR_TAG, pkt->data + ETH_TYPE, len - ETH_TYPE);
	frame_free(pkt);
	*pkt = frame_parse(buf, len + HDR_TAG);
}

/* RFC 1071 over bytes, with a start value: 0xffff when the checksum inside is right. */
static inline uint16_t sum_over(uint32_t start, const uint8_t *p, uint32_t bytes)
{
	uint64_t sum = start;

	for (uint32_t i = 0; i < bytes; i++)
		sum += i % 2 ? p[i] : (uint32_t)p[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)sum;
}

static inline int ipv4_sum_right(const struct pkt *pkt)
{
	const uint8_t *ip = pkt->data + pkt->l3_off;

	return sum_over(0, ip, (ip[0] & 15) * 4U) == 0xffff;
}

/* xorshift64*: the same frames on every machine. */
static inline uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL;
}

#endif
