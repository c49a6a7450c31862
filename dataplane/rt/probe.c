/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "probe.h"

#include <stdio.h>
#include <string.h>

#define ETHER 14
#define TAG 4
#define MIN_FRAME 60
#define MARK 10        /* "RYST", a probe, a version, and four bytes of the run */
#define ROCE_PORT 4791 /* IANA roce */

static const uint8_t magic[] = {'R', 'Y', 'S', 'T'};

const struct rt_probe_name rt_probe_names[RT_PROBES] = {
	[RT_PROBE_MIN] = {"min", "60 B frame"},
	[RT_PROBE_JUMBO] = {"jumbo", "frame of the whole MTU"},
	[RT_PROBE_VLAN] = {"vlan", "802.1Q tag kept"},
	[RT_PROBE_DSCP] = {"dscp", "RoCEv2 with DSCP 26 kept"},
	[RT_PROBE_CE] = {"ce", "RoCEv2 with CE kept"},
	[RT_PROBE_PFC] = {"pfc", "802.1Qbb PFC frame"},
	[RT_PROBE_PAUSE] = {"pause", "802.3x pause frame"},
};

static void put16(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static void mark(uint8_t *at, enum rt_probe probe, uint64_t run)
{
	memcpy(at, magic, sizeof(magic));
	at[4] = (uint8_t)probe;
	at[5] = 1;
	put16(at + 6, (uint32_t)(run >> 16) & 0xffff);
	put16(at + 8, (uint32_t)run & 0xffff);
}

static uint32_t ipv4_sum(const uint8_t *header)
{
	uint32_t sum = 0, i;

	for (i = 0; i < 20; i += 2)
		sum += (uint32_t)header[i] << 8 | header[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	return ~(sum + (sum >> 16)) & 0xffff;
}

/* A RoCEv2 send (opcode 0x04) to a queue pair that nobody has; its ICRC is left 0. */
static void put_roce(uint8_t *ip, uint32_t len, uint8_t tos)
{
	static const uint8_t fixed[] = {
		0x45, 0, 0,   0,  0, 1, 0x40, 0,  64, 17,
		0,    0, 198, 18, 0, 1, 198,  18, 0,  2}; /* RFC 2544's test range */
	uint8_t *udp = ip + 20, *bth = udp + 8;

	memcpy(ip, fixed, sizeof(fixed));
	ip[1] = tos;
	put16(ip + 2, len);
	put16(ip + 10, ipv4_sum(ip));
	put16(udp, 49152);
	put16(udp + 2, ROCE_PORT);
	put16(udp + 4, len - 20);
	bth[0] = 0x04;
	put16(bth + 2, 0xffff);
	bth[7] = 1;
}

static void put_pause(uint8_t *frame, uint32_t opcode)
{
	static const uint8_t control[] = {0x01, 0x80, 0xc2, 0, 0, 0x01};

	memcpy(frame, control, sizeof(control));
	put16(frame + 12, 0x8808);
	put16(frame + 14, opcode);
	if (opcode == 0x0101)
		put16(frame + 16, 1 << 3); /* class 3, quanta 0: it may send */
}

uint32_t rt_probe_make(enum rt_probe probe, uint32_t mtu_bytes, uint64_t run, uint8_t *buf)
{
	static const uint8_t macs[] = {0x02, 0, 0, 0x5e, 0x57, 2, 0x02, 0, 0, 0x5e, 0x57, 1};
	uint32_t at = ETHER, len = MIN_FRAME, i;

	memset(buf, 0, RT_PROBE_MAX);
	memcpy(buf, macs, sizeof(macs));
	put16(buf + 12, 0x88b5); /* IEEE local experimental */
	switch (probe) {
	case RT_PROBE_JUMBO:
		len = mtu_bytes + ETHER > RT_PROBE_MAX ? RT_PROBE_MAX : mtu_bytes + ETHER;
		for (i = ETHER + MARK; i < len; i++)
			buf[i] = (uint8_t)i;
		break;
	case RT_PROBE_VLAN:
		put16(buf + 12, 0x8100);
		put16(buf + 14, 3 << 13 | 100);
		put16(buf + 16, 0x88b5);
		at += TAG;
		len += TAG;
		break;
	case RT_PROBE_DSCP:
	case RT_PROBE_CE:
		len = 128;
		put16(buf + 12, 0x0800);
		put_roce(buf + ETHER, len - ETHER, 26 << 2 | (probe == RT_PROBE_CE ? 3 : 2));
		at += 20 + 8 + 12;
		break;
	case RT_PROBE_PFC:
	case RT_PROBE_PAUSE:
		put_pause(buf, probe == RT_PROBE_PFC ? 0x0101 : 0x0001);
		at += 20;
		break;
	default:
		break;
	}
	mark(buf + at, probe, run);
	return len;
}

static uint32_t type_of(const uint8_t *frame)
{
	return (uint32_t)frame[12] << 8 | frame[13];
}

static void describe(const uint8_t *sent, const uint8_t *got, uint32_t len, char *how, size_t size)
{
	uint32_t i;

	for (i = 0; i < len - 1 && sent[i] == got[i]; i++)
		;
	if (type_of(sent) != type_of(got))
		snprintf(how, size, "ethertype 0x%04x -> 0x%04x%s", type_of(sent), type_of(got),
			 type_of(sent) == 0x8100 ? ": the VLAN tag is gone" : "");
	else if (type_of(sent) == 0x8100 && i < ETHER + 2)
		snprintf(how, size, "VLAN tag 0x%02x%02x -> 0x%02x%02x", sent[14], sent[15],
			 got[14], got[15]);
	else if (type_of(sent) == 0x0800 && sent[15] >> 2 != got[15] >> 2)
		snprintf(how, size, "DSCP %d -> %d", sent[15] >> 2, got[15] >> 2);
	else if (type_of(sent) == 0x0800 && sent[15] != got[15])
		snprintf(how, size, "ECN %d -> %d", sent[15] & 3, got[15] & 3);
	else
		snprintf(how, size, "byte %u: 0x%02x -> 0x%02x", i, sent[i], got[i]);
}

enum rt_probe_match rt_probe_match(const uint8_t *sent, uint32_t sent_len, const uint8_t *got,
				   uint32_t got_len, char *how, size_t size)
{
	const uint8_t *own = memmem(sent, sent_len, magic, sizeof(magic));

	if (own == NULL || got_len < MIN_FRAME - TAG || memmem(got, got_len, own, MARK) == NULL)
		return RT_MATCH_OTHER;
	if (got_len >= sent_len && memcmp(sent, got, sent_len) == 0)
		return RT_MATCH_SAME;
	describe(sent, got, got_len < sent_len ? got_len : sent_len, how, size);
	return RT_MATCH_ALTERED;
}
