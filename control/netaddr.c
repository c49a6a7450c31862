/* SPDX-License-Identifier: BSD-3-Clause */
#include "netaddr.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool netaddr_parse_mac(const char *text, uint8_t mac[6])
{
	if (strlen(text) != 17)
		return false;
	for (int i = 0; i < 6; i++, text += 3) {
		int high = hex(text[0]), low = hex(text[1]);

		if (high < 0 || low < 0 || text[2] != (i < 5 ? ':' : '\0'))
			return false;
		mac[i] = (uint8_t)(high << 4 | low);
	}
	return true;
}

bool netaddr_parse_ip(const char *text, uint8_t ip[16])
{
	if (inet_pton(AF_INET, text, ip + 12) == 1) {
		memcpy(ip, mapped, 12);
		return true;
	}
	/* ::ffff:1.2.3.4 would be taken for IPv4 further down. */
	return inet_pton(AF_INET6, text, ip) == 1 && !netaddr_is_v4(ip);
}

bool netaddr_parse_prefix(const char *text, uint8_t ip[16], uint8_t *len)
{
	const char *slash = strchr(text, '/');
	char address[NETADDR_TEXT];
	unsigned long value, most;
	size_t digits;

	if (slash == NULL || (size_t)(slash - text) >= sizeof(address))
		return false;
	memcpy(address, text, (size_t)(slash - text));
	address[slash - text] = '\0';
	digits = strspn(slash + 1, "0123456789");
	if (!netaddr_parse_ip(address, ip) || digits == 0 || digits > 3 ||
	    slash[1 + digits] != '\0' || (digits > 1 && slash[1] == '0'))
		return false;
	value = strtoul(slash + 1, NULL, 10);
	most = netaddr_is_v4(ip) ? 32 : 128;
	*len = (uint8_t)(value + 128 - most);
	return value <= most;
}

const char *netaddr_print_mac(const uint8_t m[6], char *buf)
{
	snprintf(buf, NETADDR_TEXT, "%02x:%02x:%02x:%02x:%02x:%02x", m[0], m[1], m[2], m[3], m[4],
		 m[5]);
	return buf;
}

const char *netaddr_print_ip(const uint8_t ip[16], char *buf)
{
	if (netaddr_is_v4(ip))
		inet_ntop(AF_INET, ip + 12, buf, NETADDR_TEXT);
	else
		inet_ntop(AF_INET6, ip, buf, NETADDR_TEXT);
	return buf;
}

const char *netaddr_print_prefix(const uint8_t ip[16], uint8_t len, char *buf)
{
	size_t n = strlen(netaddr_print_ip(ip, buf));

	snprintf(buf + n, NETADDR_TEXT - n, "/%d", netaddr_is_v4(ip) ? len - 96 : len);
	return buf;
}

bool netaddr_is_v4(const uint8_t ip[16])
{
	return memcmp(ip, mapped, 12) == 0;
}

bool netaddr_mask(uint8_t ip[16], uint8_t len)
{
	bool set = false;

	for (int i = 0; i < 16; i++) {
		int keep = len - 8 * i;
		uint8_t bits = keep >= 8 ? 0 : keep <= 0 ? 0xff : (uint8_t)(0xff >> keep);

		set |= (ip[i] & bits) != 0;
		ip[i] &= (uint8_t)~bits;
	}
	return set;
}

bool netaddr_in(const uint8_t prefix[16], uint8_t len, const uint8_t ip[16])
{
	uint8_t masked[16];

	memcpy(masked, ip, 16);
	netaddr_mask(masked, len);
	return netaddr_is_v4(prefix) == netaddr_is_v4(ip) && memcmp(masked, prefix, 16) == 0;
}

bool netaddr_overlap(const uint8_t a[16], uint8_t a_len, const uint8_t b[16], uint8_t b_len)
{
	return a_len <= b_len ? netaddr_in(a, a_len, b) : netaddr_in(b, b_len, a);
}

/* The last address of the prefix. */
static void last(const uint8_t prefix[16], uint8_t len, uint8_t ip[16])
{
	for (int i = 0; i < 16; i++) {
		int keep = len - 8 * i;

		ip[i] = prefix[i] | (keep >= 8 ? 0 : keep <= 0 ? 0xff : (uint8_t)(0xff >> keep));
	}
}

bool netaddr_reserved(const uint8_t prefix[16], uint8_t len, const uint8_t ip[16])
{
	uint8_t high[16];

	last(prefix, len, high);
	return memcmp(ip, prefix, 16) == 0 || (netaddr_is_v4(ip) && memcmp(ip, high, 16) == 0);
}

bool netaddr_nth(const uint8_t prefix[16], uint8_t len, uint32_t k, uint8_t ip[16])
{
	uint32_t carry = k;

	memcpy(ip, prefix, 16);
	for (int i = 15; i >= 0 && carry != 0; i--) {
		carry += ip[i];
		ip[i] = (uint8_t)carry;
		carry >>= 8;
	}
	return netaddr_in(prefix, len, ip);
}

void netaddr_gateway(const uint8_t prefix[16], uint8_t len, uint8_t ip[16])
{
	if (!netaddr_is_v4(prefix) && len <= 112) {
		memcpy(ip, prefix, 16);
		ip[14] = 0xff;
		ip[15] = 0xfe;
		return;
	}
	last(prefix, len, ip);
	ip[15]--;
}

void netaddr_default_prefix(bool v4, uint8_t prefix[16], uint8_t *len)
{
	netaddr_parse_prefix(v4 ? "10.0.0.0/16" : "fd00::/64", prefix, len);
}

static void numbered(uint8_t second, uint32_t high, uint32_t low, uint8_t mac[6])
{
	mac[0] = 0x02;
	mac[1] = second;
	mac[2] = (uint8_t)(high >> 8);
	mac[3] = (uint8_t)high;
	mac[4] = (uint8_t)(low >> 8);
	mac[5] = (uint8_t)low;
}

void netaddr_host_mac(uint32_t k, uint8_t mac[6])
{
	numbered(0x00, 0, k, mac);
}

void netaddr_router_mac(uint32_t n, uint8_t mac[6])
{
	numbered(0xff, 0, n, mac);
}

void netaddr_port_mac(uint32_t n, uint32_t port, uint8_t mac[6])
{
	numbered(0xfe, n, port, mac);
}
