/* SPDX-License-Identifier: BSD-3-Clause */
/* What a MAC or a 16-byte address is (IPv4 as ::ffff:a.b.c.d). Pure functions, any thread. */
#ifndef RY_ADDR_H
#define RY_ADDR_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const uint8_t addr_v4_prefix[12] = {[10] = 0xff, 0xff}; /* RFC 4291, 2.5.5.2 */
static const uint8_t addr_zero[16];

/* Two whole words: read back as such at once, pieces would have to reach the cache first. */
static inline void addr_from_v4(uint8_t ip[16], const uint8_t v4[4])
{
	uint64_t words[2] = {0};
	uint32_t host;

	memcpy(&host, v4, sizeof(host));
	words[1] = htole64((uint64_t)le32toh(host) << 32 | 0xffff0000);
	memcpy(ip, words, sizeof(words));
}

static inline bool addr_is_v4(const uint8_t ip[16])
{
	return memcmp(ip, addr_v4_prefix, 12) == 0;
}

/* 0.0.0.0 or :: */
static inline bool addr_is_unspecified(const uint8_t ip[16])
{
	return memcmp(ip + 12, addr_zero, 4) == 0 &&
	       (addr_is_v4(ip) || memcmp(ip, addr_zero, 12) == 0);
}

/* One host's: neither unspecified nor a group's, nor IPv4's class E with 255.255.255.255. */
static inline bool addr_is_unicast(const uint8_t ip[16])
{
	if (addr_is_unspecified(ip))
		return false;
	return addr_is_v4(ip) ? ip[12] < 224 : ip[0] != 0xff;
}

/* 169.254.0.0/16 (RFC 3927) or fe80::/10: never routed. */
static inline bool addr_is_link_local(const uint8_t ip[16])
{
	if (addr_is_v4(ip))
		return ip[12] == 169 && ip[13] == 254;
	return ip[0] == 0xfe && (ip[1] & 0xc0) == 0x80;
}

static inline bool addr_mac_is_zero(const uint8_t mac[6])
{
	return memcmp(mac, addr_zero, 6) == 0;
}

/* One station's: no group bit, not zero. */
static inline bool addr_mac_is_unicast(const uint8_t mac[6])
{
	return !(mac[0] & 1) && !addr_mac_is_zero(mac);
}

#endif
