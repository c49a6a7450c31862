/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/netaddr.c"

#include "tests/unit/cu.h"

static void prefix(const char *text, uint8_t ip[16], uint8_t *len)
{
	CU_ASSERT_TRUE_FATAL(netaddr_parse_prefix(text, ip, len));
}

static bool overlap(const char *x, const char *y)
{
	uint8_t a[16], b[16], la, lb;

	prefix(x, a, &la);
	prefix(y, b, &lb);
	CU_ASSERT_EQUAL(netaddr_overlap(a, la, b, lb), netaddr_overlap(b, lb, a, la));
	return netaddr_overlap(a, la, b, lb);
}

static void mac(void)
{
	char text[NETADDR_TEXT];
	uint8_t m[6];

	CU_ASSERT_TRUE(netaddr_parse_mac("02:00:00:00:0A:ff", m));
	CU_ASSERT_STRING_EQUAL(netaddr_print_mac(m, text), "02:00:00:00:0a:ff");
	CU_ASSERT_FALSE(netaddr_parse_mac("02:00:00:00:0a", m));
	CU_ASSERT_FALSE(netaddr_parse_mac("02:00:00:00:0a:ff:00", m));
	CU_ASSERT_FALSE(netaddr_parse_mac("02-00-00-00-0a-ff", m));
	CU_ASSERT_FALSE(netaddr_parse_mac("02:00:00:00:0a:fg", m));
	CU_ASSERT_FALSE(netaddr_parse_mac("2:0:0:0:a:ff", m));
	CU_ASSERT_FALSE(netaddr_parse_mac("", m));
}

static void ip(void)
{
	char text[NETADDR_TEXT];
	uint8_t a[16];

	CU_ASSERT_TRUE(netaddr_parse_ip("10.1.2.3", a));
	CU_ASSERT_TRUE(netaddr_is_v4(a));
	CU_ASSERT_STRING_EQUAL(netaddr_print_ip(a, text), "10.1.2.3");
	CU_ASSERT_TRUE(netaddr_parse_ip("fd00::1", a));
	CU_ASSERT_FALSE(netaddr_is_v4(a));
	CU_ASSERT_STRING_EQUAL(netaddr_print_ip(a, text), "fd00::1");
	CU_ASSERT_FALSE(netaddr_parse_ip("10.1.2", a));
	CU_ASSERT_FALSE(netaddr_parse_ip("10.1.2.256", a));
	CU_ASSERT_FALSE(netaddr_parse_ip("::ffff:10.1.2.3", a));
	CU_ASSERT_FALSE(netaddr_parse_ip("", a));
}

static void parse_prefix(void)
{
	char text[NETADDR_TEXT];
	uint8_t a[16], len;

	prefix("10.1.0.0/24", a, &len);
	CU_ASSERT_EQUAL(len, 120);
	CU_ASSERT_STRING_EQUAL(netaddr_print_prefix(a, len, text), "10.1.0.0/24");
	prefix("0.0.0.0/0", a, &len);
	CU_ASSERT_EQUAL(len, 96);
	prefix("::/0", a, &len);
	CU_ASSERT_EQUAL(len, 0);
	CU_ASSERT_STRING_EQUAL(netaddr_print_prefix(a, len, text), "::/0");
	CU_ASSERT_FALSE(netaddr_parse_prefix("10.1.0.0", a, &len));
	CU_ASSERT_FALSE(netaddr_parse_prefix("10.1.0.0/33", a, &len));
	CU_ASSERT_FALSE(netaddr_parse_prefix("10.1.0.0/08", a, &len));
	CU_ASSERT_FALSE(netaddr_parse_prefix("10.1.0.0/", a, &len));
	CU_ASSERT_FALSE(netaddr_parse_prefix("10.1.0.0/-1", a, &len));
	CU_ASSERT_FALSE(netaddr_parse_prefix("10.1.0.0/24/24", a, &len));
	CU_ASSERT_FALSE(netaddr_parse_prefix("fd00::/129", a, &len));
	CU_ASSERT_FALSE(netaddr_parse_prefix("fd00::/9999999999", a, &len));
}

static void mask(void)
{
	char text[NETADDR_TEXT];
	uint8_t a[16], len;

	prefix("10.1.2.3/20", a, &len);
	CU_ASSERT_TRUE(netaddr_mask(a, len));
	CU_ASSERT_STRING_EQUAL(netaddr_print_ip(a, text), "10.1.0.0");
	CU_ASSERT_FALSE(netaddr_mask(a, len));
	CU_ASSERT_FALSE(netaddr_mask(a, 128));
}

static void overlaps(void)
{
	CU_ASSERT_TRUE(overlap("10.1.0.0/16", "10.1.2.0/24"));
	CU_ASSERT_TRUE(overlap("10.1.2.0/24", "10.1.2.0/24"));
	CU_ASSERT_FALSE(overlap("10.1.2.0/24", "10.1.3.0/24"));
	CU_ASSERT_TRUE(overlap("fd00::/16", "fd00:1::/64"));
	CU_ASSERT_FALSE(overlap("::/0", "10.0.0.0/8"));
	CU_ASSERT_FALSE(overlap("::/0", "0.0.0.0/0"));
}

static void gateway_of(const char *text, const char *expected)
{
	char out[NETADDR_TEXT];
	uint8_t a[16], len, gw[16];

	prefix(text, a, &len);
	netaddr_gateway(a, len, gw);
	CU_ASSERT_STRING_EQUAL(netaddr_print_ip(gw, out), expected);
	CU_ASSERT_TRUE(netaddr_in(a, len, gw));
	CU_ASSERT_FALSE(netaddr_reserved(a, len, gw));
}

static void gateways(void)
{
	gateway_of("10.0.0.0/16", "10.0.255.254");
	gateway_of("10.1.0.0/24", "10.1.0.254");
	gateway_of("10.1.0.4/30", "10.1.0.6");
	gateway_of("fd00::/64", "fd00::fffe");
	gateway_of("fd00::10/124", "fd00::1e");
}

static void reserved(void)
{
	uint8_t a[16], len, x[16];

	prefix("10.1.0.0/24", a, &len);
	CU_ASSERT_TRUE(netaddr_reserved(a, len, a));
	netaddr_parse_ip("10.1.0.255", x);
	CU_ASSERT_TRUE(netaddr_reserved(a, len, x));
	netaddr_parse_ip("10.1.0.1", x);
	CU_ASSERT_FALSE(netaddr_reserved(a, len, x));
}

static void nth(void)
{
	char text[NETADDR_TEXT];
	uint8_t a[16], len, x[16];

	prefix("10.0.0.0/16", a, &len);
	CU_ASSERT_TRUE(netaddr_nth(a, len, 0x0102, x));
	CU_ASSERT_STRING_EQUAL(netaddr_print_ip(x, text), "10.0.1.2");
	CU_ASSERT_FALSE(netaddr_nth(a, len, 65536, x));
	prefix("fd00::/64", a, &len);
	CU_ASSERT_TRUE(netaddr_nth(a, len, 0x0102, x));
	CU_ASSERT_STRING_EQUAL(netaddr_print_ip(x, text), "fd00::102");
}

static void defaults(void)
{
	char text[NETADDR_TEXT];
	uint8_t m[6];

	netaddr_host_mac(0x0102, m);
	CU_ASSERT_STRING_EQUAL(netaddr_print_mac(m, text), "02:00:00:00:01:02");
	netaddr_router_mac(1, m);
	CU_ASSERT_STRING_EQUAL(netaddr_print_mac(m, text), "02:ff:00:00:00:01");
	netaddr_port_mac(1, 2, m);
	CU_ASSERT_STRING_EQUAL(netaddr_print_mac(m, text), "02:fe:00:01:00:02");
}

static const struct cu_case cases[] = {
	{"netaddr_parse_mac__forms", mac},
	{"netaddr_parse_ip__forms", ip},
	{"netaddr_parse_prefix__forms", parse_prefix},
	{"netaddr_mask__clears", mask},
	{"netaddr_overlap__families", overlaps},
	{"netaddr_gateway__last_or_fffe", gateways},
	{"netaddr_reserved__ends", reserved},
	{"netaddr_nth__carries", nth},
	{"netaddr_host_mac__contract", defaults},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/netaddr", cases);
}
