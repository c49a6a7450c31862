/* SPDX-License-Identifier: BSD-3-Clause */
/* MAC and IP addresses: reading, printing, prefixes, and the defaults that every host and switch
 * has. IP addresses are 16 bytes, IPv4 as ::ffff:a.b.c.d; prefix lengths count in those 128 bits.
 * No state; any thread.
 */
#ifndef RY_NETADDR_H
#define RY_NETADDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NETADDR_TEXT 64 /* room for any printed address or prefix */

bool netaddr_parse_mac(const char *text, uint8_t mac[6]);
bool netaddr_parse_ip(const char *text, uint8_t ip[16]);
/* "10.1.0.0/24": host bits may be set, see netaddr_mask. */
bool netaddr_parse_prefix(const char *text, uint8_t ip[16], uint8_t *len);

/* All return buf[NETADDR_TEXT]. */
const char *netaddr_print_mac(const uint8_t mac[6], char *buf);
const char *netaddr_print_ip(const uint8_t ip[16], char *buf);
const char *netaddr_print_prefix(const uint8_t ip[16], uint8_t len, char *buf);

bool netaddr_is_v4(const uint8_t ip[16]);
/* Clears the bits past len; true if any was set. */
bool netaddr_mask(uint8_t ip[16], uint8_t len);
bool netaddr_in(const uint8_t prefix[16], uint8_t len, const uint8_t ip[16]);
/* IPv4 never overlaps IPv6, ::/0 included. */
bool netaddr_overlap(const uint8_t a[16], uint8_t a_len, const uint8_t b[16], uint8_t b_len);
/* The lowest or, in IPv4, the highest address of a prefix: no host may have it. */
bool netaddr_reserved(const uint8_t prefix[16], uint8_t len, const uint8_t ip[16]);

/* prefix + k; false when that is past its end. */
bool netaddr_nth(const uint8_t prefix[16], uint8_t len, uint32_t k, uint8_t ip[16]);
/* Where a gateway is unless told: 10.0.0.0/16 -> 10.0.255.254, 10.1.0.0/24 -> 10.1.0.254,
 * fd00::/64 -> fd00::fffe. */
void netaddr_gateway(const uint8_t prefix[16], uint8_t len, uint8_t ip[16]);

/* The prefixes that hosts have without `subnets:`: 10.0.0.0/16 and fd00::/64. */
void netaddr_default_prefix(bool v4, uint8_t prefix[16], uint8_t *len);

void netaddr_host_mac(uint32_t k, uint8_t mac[6]);                /* 02:00:00:00:HH:LL, k from 1 */
void netaddr_router_mac(uint32_t n, uint8_t mac[6]);              /* 02:ff:00:00:HH:LL, n from 1 */
void netaddr_port_mac(uint32_t n, uint32_t port, uint8_t mac[6]); /* 02:fe:..., source of its PFC */

#endif
