/* SPDX-License-Identifier: BSD-3-Clause */
#include "frames.h"

#include <stdio.h>
#include <string.h>

#define FRAME_MAX 4200
#define ETHER 14
#define IPV4 20
#define UDP 8

/* BTH 12, ICRC 4; the payload of a MIDDLE has no other header. */
static const struct bench_size sizes[] = {
	{"ack", 62, 1500, 0x11},
	{"1024", ETHER + IPV4 + UDP + 12 + 1024 + 4, 1500, 0x07},
	{"4096", ETHER + IPV4 + UDP + 12 + 4096 + 4, 4200, 0x07},
};

const struct bench_size *bench_size(const char *name)
{
	for (uint32_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (strcmp(sizes[i].name, name) == 0)
			return &sizes[i];
	return NULL;
}

static void put16(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static uint16_t ipv4_sum(const uint8_t *ip)
{
	uint32_t sum = 0;

	for (int i = 0; i < IPV4; i += 2)
		sum += (uint32_t)ip[i] << 8 | ip[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t) ~(sum + (sum >> 16));
}

static void fill(uint8_t *frame, const struct bench_size *size, uint8_t from, uint8_t to,
		 uint32_t flow)
{
	const uint8_t ether[ETHER] = {0x02, 0, 0, 0, 0, to, 0x02, 0, 0, 0, 0, from, 0x08, 0x00};
	const uint8_t ipv4[IPV4] = {0x45, 26 << 2 | 2, 0,  0, 0, 0,    0x40, 0, 64, 17,
				    0,    0,           10, 0, 0, from, 10,   0, 0,  to};
	uint8_t *ip = frame + ETHER, *udp = ip + IPV4, *bth = udp + UDP;

	memset(frame, 0, size->frame_bytes);
	memcpy(frame, ether, ETHER);
	memcpy(ip, ipv4, IPV4);
	put16(ip + 2, size->frame_bytes - ETHER);
	put16(ip + 10, ipv4_sum(ip));
	put16(udp, 49152 + flow);
	put16(udp + 2, 4791);
	put16(udp + 4, (uint32_t)size->frame_bytes - ETHER - IPV4);
	bth[0] = size->opcode;
	put16(bth + 2, 0xffff);
	bth[7] = (uint8_t)(0x11 + flow); /* destination QP */
}

int bench_frames_write(const char *file, const struct bench_size *size, uint8_t from, uint8_t to)
{
	/* libpcap's file format: magic for microseconds, 2.4, Ethernet */
	const uint32_t head[6] = {0xa1b2c3d4, 2 | 4 << 16, 0, 0, 65535, 1};
	const uint32_t record[4] = {0, 0, size->frame_bytes, size->frame_bytes};
	uint8_t frame[FRAME_MAX];
	FILE *out = fopen(file, "wbe");
	int ok = out != NULL && fwrite(head, sizeof(head), 1, out) == 1;

	for (uint32_t i = 0; ok && i < BENCH_FRAMES; i++) {
		fill(frame, size, from, to, i);
		ok = fwrite(record, sizeof(record), 1, out) == 1 &&
		     fwrite(frame, size->frame_bytes, 1, out) == 1;
	}
	if (out != NULL && fclose(out) != 0)
		ok = 0;
	return ok ? 0 : -1;
}
