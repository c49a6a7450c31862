/* SPDX-License-Identifier: BSD-3-Clause */
/* soak_frames DIR: what the soak's hosts send, as pcap files that net_pcap repeats without end.
 *
 *	h1.pcap	lossless RoCEv2 to h3, ECT: what is marked and paused for
 *	h2.pcap	everything else: lossy, not-ECT, tagged, to nobody (flooded), to the router (TTL
 *		that expires, no route, ping, ARP), to h4, link-local, RoCEv1, runts, 802.3x
 *	h3.pcap	one frame, so that h3 is known
 *	h4.pcap	PFC without end: priority 3 shall not send, a storm
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LOSSLESS 26
#define FRAME_MAX 1600

enum what { ROCE, UDP, ICMP };

static FILE *out;
static uint8_t frame[FRAME_MAX];

static void put16(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static uint16_t sum16(const uint8_t *at, int n)
{
	uint32_t sum = 0;

	for (int i = 0; i < n; i += 2)
		sum += (uint32_t)at[i] << 8 | at[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t) ~(sum + (sum >> 16));
}

static void write_frame(uint32_t len)
{
	const uint32_t record[4] = {0, 0, len, len};

	fwrite(record, sizeof(record), 1, out);
	fwrite(frame, len, 1, out);
}

static void ether(uint8_t to, uint8_t from, uint32_t type)
{
	const uint8_t macs[12] = {0x02, 0, 0, 0, 0, to, 0x02, 0, 0, 0, 0, from};

	memset(frame, 0, sizeof(frame));
	memcpy(frame, macs, sizeof(macs));
	put16(frame + 12, type);
}

/* The router of the first switch in place of a host. */
static void to_router(void)
{
	const uint8_t mac[6] = {0x02, 0xff, 0, 0, 0, 1};

	memcpy(frame, mac, sizeof(mac));
}

static void ipv4(uint8_t *ip, uint32_t len, uint8_t tos, uint8_t ttl, enum what what, uint8_t from,
		 const uint8_t to[4])
{
	ip[0] = 0x45;
	ip[1] = tos;
	put16(ip + 2, len);
	ip[8] = ttl;
	ip[9] = what == ICMP ? 1 : 17;
	memcpy(ip + 12, (uint8_t[]){10, 0, 0, from}, 4);
	memcpy(ip + 16, to, 4);
	put16(ip + 10, sum16(ip, 20));
	if (what == ICMP) {
		ip[20] = 8;
		put16(ip + 22, sum16(ip + 20, (int)(len - 20)));
		return;
	}
	put16(ip + 20, 49152);
	put16(ip + 22, what == ROCE ? 4791 : 9);
	put16(ip + 24, len - 20);
	ip[28] = 0x07; /* BTH: RDMA WRITE MIDDLE */
	put16(ip + 30, 0xffff);
	ip[35] = 0x11;
}

/* From host to host: dscp, ECN bits, length of the whole frame. */
static void data(uint8_t from, uint8_t to, uint8_t dscp, uint8_t ecn, enum what what, uint32_t len)
{
	ether(to, from, 0x0800);
	ipv4(frame + 14, len - 14, (uint8_t)(dscp << 2 | ecn), 64, what, from,
	     (uint8_t[]){10, 0, 0, to});
	write_frame(len);
}

static void tagged(uint8_t from, uint8_t to, uint32_t len)
{
	ether(to, from, 0x8100);
	put16(frame + 14, 3 << 13 | 100);
	put16(frame + 16, 0x0800);
	ipv4(frame + 18, len - 18, LOSSLESS << 2 | 2, 64, ROCE, from, (uint8_t[]){10, 0, 0, to});
	write_frame(len);
}

static void routed(uint8_t ttl, const uint8_t to[4], enum what what)
{
	ether(0, 2, 0x0800);
	to_router();
	ipv4(frame + 14, 100, 2, ttl, what, 2, to);
	write_frame(114);
}

static void arp(void)
{
	const uint8_t request[] = {0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, 2, 10, 0, 0, 2};

	ether(0, 2, 0x0806);
	memset(frame, 0xff, 6);
	memcpy(frame + 14, request, sizeof(request));
	memcpy(frame + 38, (uint8_t[]){10, 0, 255, 254}, 4);
	write_frame(60);
}

static void mac_control(uint32_t opcode, uint8_t from, uint8_t vector, uint32_t quanta)
{
	const uint8_t group[6] = {0x01, 0x80, 0xc2, 0, 0, 0x01};

	ether(0, from, 0x8808);
	memcpy(frame, group, sizeof(group));
	put16(frame + 14, opcode);
	frame[17] = vector;
	for (int i = 0; i < 8; i++)
		put16(frame + 18 + 2 * i, vector >> i & 1 ? quanta : 0);
	write_frame(60);
}

static void others(void)
{
	static const uint8_t nowhere[4] = {192, 168, 7, 7}, gateway[4] = {10, 0, 255, 254};

	data(2, 3, LOSSLESS, 2, ROCE, 1082);
	data(2, 3, LOSSLESS, 0, ROCE, 700); /* not-ECT */
	data(2, 3, 0, 0, UDP, 1400);        /* lossy */
	data(2, 3, 0, 2, UDP, 60);
	data(2, 4, LOSSLESS, 2, ROCE, 1082); /* into the storm */
	data(2, 4, 0, 2, UDP, 300);
	data(2, 77, 0, 2, UDP, 200); /* to nobody: flooded */
	tagged(2, 3, 500);
	routed(1, nowhere, UDP);
	routed(64, nowhere, UDP);
	routed(64, gateway, ICMP);
	arp();
	ether(0, 2, 0x88cc); /* LLDP */
	memcpy(frame, (uint8_t[]){0x01, 0x80, 0xc2, 0, 0, 0x0e}, 6);
	write_frame(60);
	ether(3, 2, 0x8915); /* RoCEv1 */
	write_frame(100);
	ether(3, 2, 0x0800); /* IPv4 cut short */
	frame[14] = 0x4f;
	write_frame(40);
	mac_control(1, 2, 0, 0); /* 802.3x */
}

static int file(const char *dir, const char *name)
{
	/* libpcap's file format: magic for microseconds, 2.4, Ethernet */
	const uint32_t head[6] = {0xa1b2c3d4, 2 | 4 << 16, 0, 0, 65535, 1};
	char path[512];

	snprintf(path, sizeof(path), "%s/%s.pcap", dir, name);
	out = fopen(path, "wbe");
	if (out == NULL) {
		perror(path);
		return 1;
	}
	fwrite(head, sizeof(head), 1, out);
	return 0;
}

int main(int argc, char **argv)
{
	int i;

	if (argc != 2 || file(argv[1], "h1") != 0)
		return 1;
	for (i = 0; i < 32; i++)
		data(1, 3, LOSSLESS, i % 2 ? 1 : 2, ROCE, i % 4 ? 1082 : 62);
	fclose(out);
	if (file(argv[1], "h2") != 0)
		return 1;
	others();
	fclose(out);
	if (file(argv[1], "h3") != 0)
		return 1;
	data(3, 1, 0, 2, UDP, 60);
	fclose(out);
	if (file(argv[1], "h4") != 0)
		return 1;
	data(4, 1, 0, 2, UDP, 60);
	for (i = 0; i < 31; i++)
		mac_control(0x0101, 4, 1 << 3, 0xffff);
	return fclose(out) == 0 ? 0 : 1;
}
