/* SPDX-License-Identifier: BSD-3-Clause */
/* Captures from words and back, for tests that drive railyardd with files at its ports.
 *
 *	frames make in.pcap <<END
 *	roce src=1 dst=2 dscp=3 ecn=2 len=1024 n=101
 *	pfc vector=0x08 quanta=65535 n=10
 *	END
 *	frames show out.pcap
 *
 * make: a line is a kind and what differs from the defaults. Hosts have the scenario's MACs and
 * addresses; dst=0 is the switch's own MAC, and to=N the address 10.9.0.N. n frames count PSNs on.
 *	roce src dst to dscp ecn len ttl psn qp sport n
 *	pfc vector quanta opcode zero (source) n
 *	raw (the bytes in hex) n
 * show: a line is a frame, with the capture's time in us and words of the same kind; ip and icrc say ok or
 * bad, pad whether all is zero behind the last field.
 */
#include "dataplane/model/hdr.h"
#include "dataplane/model/icrc.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 10000

static uint8_t frame[ROOM];

/* The value of word `key` in a line; text when it is not there. */
static const char *word(const char *line, const char *key, const char *text)
{
	static char value[2 * ROOM];
	size_t n = strlen(key);

	for (const char *at = line; (at = strstr(at, key)) != NULL; at += n)
		if (at > line && at[-1] == ' ' && at[n] == '=') {
			snprintf(value, sizeof(value), "%.*s", (int)strcspn(at + n + 1, " \n"),
				 at + n + 1);
			return value;
		}
	return text;
}

static uint32_t number(const char *line, const char *key, uint32_t otherwise)
{
	const char *text = word(line, key, NULL);

	return text == NULL ? otherwise : (uint32_t)strtoul(text, NULL, 0);
}

static uint16_t ip_sum(const uint8_t *ip)
{
	uint32_t sum = 0;

	for (int i = 0; i < HDR_IPV4; i += 2)
		sum += be16(ip + i);
	return sum_fold(sum);
}

static void put_mac(uint8_t *at, uint32_t host)
{
	const uint8_t mac[6] = {2, host == 0 ? 0xff : 0, 0, 0, 0, (uint8_t)(host == 0 ? 1 : host)};

	memcpy(at, mac, 6);
}

/* RDMA WRITE_ONLY, an ACK where that is too long; the ICRC is right. */
static uint16_t put_roce(const char *line, uint32_t psn)
{
	uint8_t *ip = frame + HDR_ETH, *udp = ip + HDR_IPV4, *bth = udp + HDR_UDP;
	uint32_t src = number(line, "src", 1), dst = number(line, "dst", 2), icrc;
	uint16_t len = (uint16_t)number(line, "len", 1024), ip_len = len - HDR_ETH;

	memset(frame, 0, len);
	put_mac(frame + ETH_DST, dst);
	put_mac(frame + ETH_SRC, src);
	put_be16(frame + ETH_TYPE, ETHERTYPE_IPV4);
	ip[0] = 0x45;
	ip[IPV4_TOS] = (uint8_t)(number(line, "dscp", 0) << 2 | number(line, "ecn", 0));
	put_be16(ip + IPV4_LEN, ip_len);
	put_be16(ip + 4, (uint16_t)psn);
	ip[IPV4_FRAG] = 0x40; /* don't */
	ip[IPV4_TTL] = (uint8_t)number(line, "ttl", 64);
	ip[IPV4_PROTO] = PROTO_UDP;
	memcpy(ip + IPV4_SRC, (const uint8_t[]){10, 0, 0, (uint8_t)src}, 4);
	memcpy(ip + IPV4_DST, (const uint8_t[]){10, 0, 0, (uint8_t)dst}, 4);
	if (dst == 0)
		memcpy(ip + IPV4_DST, (const uint8_t[]){10, 9, 0, (uint8_t)number(line, "to", 1)},
		       4);
	put_be16(ip + IPV4_SUM, (uint16_t)~ip_sum(ip));
	put_be16(udp + UDP_SPORT, (uint16_t)number(line, "sport", 49152));
	put_be16(udp + UDP_DPORT, UDP_PORT_ROCE);
	put_be16(udp + UDP_LEN, ip_len - HDR_IPV4);
	bth[BTH_OPCODE] = ip_len >= HDR_IPV4 + HDR_UDP + HDR_BTH + 16 + HDR_ICRC ? 0x0a : 0x11;
	put_be16(bth + 2, 0xffff);
	put_be16(bth + BTH_QP + 1, (uint16_t)number(line, "qp", 17));
	bth[9] = (uint8_t)(psn >> 16);
	put_be16(bth + 10, (uint16_t)psn);
	icrc = icrc_compute(frame, HDR_ETH, HDR_ETH + HDR_IPV4, len - HDR_ICRC);
	for (int i = 0; i < HDR_ICRC; i++)
		frame[len - HDR_ICRC + i] = (uint8_t)(icrc >> 8 * i);
	return len;
}

static uint16_t put_pfc(const char *line)
{
	static const uint8_t head[12] = {0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 9};
	uint32_t quanta = number(line, "quanta", 65535);

	memset(frame, 0, 60);
	memcpy(frame, head, sizeof(head));
	if (number(line, "zero", 0))
		memset(frame + ETH_SRC, 0, 6);
	put_be16(frame + ETH_TYPE, ETHERTYPE_MAC_CTL);
	put_be16(frame + MAC_CTL_OPCODE, (uint16_t)number(line, "opcode", MAC_CTL_PFC));
	put_be16(frame + PFC_VECTOR, (uint16_t)number(line, "vector", 0));
	for (int p = 0; p < 8; p++) /* whatever the vector says */
		put_be16(frame + PFC_QUANTA + 2 * p, (uint16_t)quanta);
	return 60;
}

static uint16_t put_raw(const char *hex)
{
	uint16_t n = 0;

	for (unsigned byte; n < ROOM && sscanf(hex + 2 * n, "%2x", &byte) == 1; n++)
		frame[n] = (uint8_t)byte;
	return n;
}

static uint16_t put_line(const char *line, uint32_t i)
{
	if (strncmp(line, "roce", 4) == 0)
		return put_roce(line, number(line, "psn", 0) + i);
	return strncmp(line, "pfc", 3) == 0 ? put_pfc(line) : put_raw(word(line, "bytes", ""));
}

static void make(FILE *out)
{
	/* Little-endian: magic, 2.4, no offset, whole frames, Ethernet. */
	const uint32_t head[6] = {0xa1b2c3d4, 0x00040002, 0, 0, 65535, 1};
	uint32_t seconds = 0;
	char line[2 * ROOM];

	fwrite(head, 4, 6, out);
	while (fgets(line, sizeof(line), stdin) != NULL)
		for (uint32_t i = 0, n = number(line, "n", 1); i < n; i++) {
			uint16_t len = put_line(line, i);
			const uint32_t record[4] = {seconds++, 0, len, len};

			fwrite(record, 4, 4, out);
			fwrite(frame, 1, len, out);
		}
}

static void show_mac(const char *key, const uint8_t *mac)
{
	printf(" %s=%02x:%02x:%02x:%02x:%02x:%02x", key, mac[0], mac[1], mac[2], mac[3], mac[4],
	       mac[5]);
}

static void show_roce(uint32_t len)
{
	const uint8_t *ip = frame + HDR_ETH, *bth = ip + HDR_IPV4 + HDR_UDP;
	uint32_t end = HDR_ETH + be16(ip + IPV4_LEN) - HDR_ICRC, icrc;
	bool ok = end + HDR_ICRC <= len;

	icrc = ok ? icrc_compute(frame, HDR_ETH, HDR_ETH + HDR_IPV4, end) : 0;
	for (uint32_t i = 0; i < HDR_ICRC && ok; i++)
		ok = frame[end + i] == (uint8_t)(icrc >> 8 * i);
	printf(" dscp=%d ecn=%d ttl=%d from=%d to=%d.%d psn=%u ip=%s icrc=%s", ip[IPV4_TOS] >> 2,
	       ip[IPV4_TOS] & 3, ip[IPV4_TTL], ip[IPV4_SRC + 3], ip[IPV4_DST + 1], ip[IPV4_DST + 3],
	       (unsigned)bth[9] << 16 | be16(bth + 10), ip_sum(ip) == 0xffff ? "ok" : "bad",
	       ok ? "ok" : "bad");
}

static void show_pfc(uint32_t len)
{
	bool pad = true;

	for (uint32_t i = HDR_PFC; i < len; i++)
		pad &= frame[i] == 0;
	printf(" opcode=%04x vector=%04x quanta=", be16(frame + MAC_CTL_OPCODE),
	       be16(frame + PFC_VECTOR));
	for (int p = 0; p < 8; p++)
		printf("%s%u", p ? "," : "", be16(frame + PFC_QUANTA + 2 * p));
	printf(" pad=%s", pad ? "ok" : "bad");
}

static void show(FILE *in)
{
	uint32_t record[4];

	if (fseek(in, 24, SEEK_SET) != 0)
		exit(1);
	while (fread(record, 4, 4, in) == 4 && record[2] <= ROOM) {
		uint16_t type;

		if (fread(frame, 1, record[2], in) != record[2])
			exit(1); /* it is still being written */
		type = be16(frame + ETH_TYPE);
		printf("%s us=%llu len=%u",
		       type == ETHERTYPE_IPV4      ? "roce"
		       : type == ETHERTYPE_MAC_CTL ? "pfc"
						   : "other",
		       record[0] * 1000000ULL + record[1], record[2]);
		show_mac("dst", frame);
		show_mac("src", frame + ETH_SRC);
		if (type == ETHERTYPE_IPV4)
			show_roce(record[2]);
		else if (type == ETHERTYPE_MAC_CTL)
			show_pfc(record[2]);
		putchar('\n');
	}
}

int main(int argc, char **argv)
{
	bool making = argc == 3 && strcmp(argv[1], "make") == 0;
	FILE *file = argc == 3 ? fopen(argv[2], making ? "wb" : "rb") : NULL;

	if (file == NULL) {
		fprintf(stderr, "frames make|show FILE\n");
		return 2;
	}
	if (making)
		make(file);
	else
		show(file);
	return fclose(file) != 0 || ferror(stdout);
}
