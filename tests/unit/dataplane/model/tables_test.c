/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/tables.c"
#include "dataplane/model/tables_new.c"

#include "fake_sw.h"

static struct sw_route route4(const char *prefix, uint8_t len)
{
	struct sw_route route = {.len = 96 + len, .kind = SW_ROUTE_CONNECTED, .domain = 1};

	fake_ip4(route.prefix, prefix);
	return route;
}

/* The error of a spec that must be refused, at that place. */
static void refused(const struct sw_tables_spec *spec, const char *path, const char *found)
{
	struct err err = {0};

	CU_ASSERT_PTR_NULL(sw_tables_new(spec, FAKE_PORTS, &err));
	CU_ASSERT_EQUAL(err.status, ERR_USAGE);
	CU_ASSERT_STRING_EQUAL(err.path, path);
	CU_ASSERT_STRING_EQUAL(err.found, found);
	CU_ASSERT(err.expected[0] != '\0');
}

static void refused_routes(const struct sw_route *routes, uint32_t n, const char *path,
			   const char *found)
{
	refused(&(struct sw_tables_spec){.n_routes = n, .routes = routes}, path, found);
}

static void refuses_routes(void)
{
	struct sw_route routes[2] = {route4("10.0.0.0", 24), route4("10.1.0.0", 24)};

	routes[1].len = 129;
	refused_routes(routes, 2, "routes[1].prefix", "129");
	routes[1] = route4("10.1.0.1", 24);
	refused_routes(routes, 2, "routes[1].prefix", "10.1.0.1/24");
	routes[1] = routes[0];
	refused_routes(routes, 2, "routes[1].prefix", "10.0.0.0/24");
	routes[1] = (struct sw_route){.prefix = {0xfd, [15] = 1}, .len = 64};
	refused_routes(routes, 2, "routes[1].prefix", "fd00::1/64");
}

static void refuses_via(void)
{
	struct sw_route routes[2] = {route4("10.0.0.0", 24), route4("10.1.0.0", 24)};

	routes[1].kind = SW_ROUTE_VIA;
	refused_routes(routes, 2, "routes[1].via", "0");
	routes[1].n_via = SW_MAX_VIA + 1;
	refused_routes(routes, 2, "routes[1].via", "65");
	routes[1].n_via = 2;
	routes[1].via[1].port = FAKE_PORTS;
	refused_routes(routes, 2, "routes[1].via[1].port", "6");
}

static void refuses_gateways(void)
{
	struct sw_gateway gateways[2] = {{.domain = 1}, {.domain = 1}};
	struct sw_tables_spec spec = {.n_gateways = 2, .gateways = gateways};

	fake_ip4(gateways[0].ip, "10.0.0.1");
	fake_ip4(gateways[1].ip, "10.0.0.1");
	refused(&spec, "gateways[1].ip", "10.0.0.1");
	fake_ip4(gateways[1].ip, "224.0.0.1");
	refused(&spec, "gateways[1].ip", "224.0.0.1");
}

static void refuses_fdb(void)
{
	struct sw_static_fdb fdb[2] = {{{2, 0, 0, 0, 0, 1}, 1, 10, 0},
				       {{2, 0, 0, 0, 0, 1}, 1, 10, 1}};
	struct sw_tables_spec spec = {.n_fdb = 2, .fdb = fdb};

	refused(&spec, "fdb[1].mac", "02:00:00:00:00:01");
	fdb[1].vid = 11;
	fdb[1].port = 77;
	refused(&spec, "fdb[1].port", "77");
	fdb[1].port = 1;
	fdb[1].mac[0] = 3;
	refused(&spec, "fdb[1].mac", "03:00:00:00:00:01");
}

static void refuses_neighbours(void)
{
	struct sw_static_neigh neighs[2] = {{.mac = {2}, .domain = 1}, {.mac = {4}, .domain = 1}};
	struct sw_tables_spec spec = {.n_neighs = 2, .neighs = neighs};

	fake_ip4(neighs[0].ip, "10.0.0.1");
	fake_ip4(neighs[1].ip, "10.0.0.1");
	refused(&spec, "neighbours[1].ip", "10.0.0.1");
	neighs[1].port = FAKE_PORTS;
	refused(&spec, "neighbours[1].port", "6");
	neighs[1].port = 0;
	neighs[1].mac[0] = 0;
	refused(&spec, "neighbours[1].mac", "00:00:00:00:00:00");
	neighs[1].mac[0] = 4;
	fake_ip4(neighs[1].ip, "0.0.0.0");
	refused(&spec, "neighbours[1].ip", "0.0.0.0");
}

/* The caller's arrays may go. */
static void copies_the_spec(void)
{
	struct sw_route route = route4("10.0.0.0", 24);
	struct sw_tables_spec spec = {.version = 9, .n_routes = 1, .routes = &route};
	struct sw_tables *tables = fake_tables(&spec);
	uint8_t ip[16];

	fake_ip4(ip, "10.0.0.77");
	memset(&route, 0xee, sizeof(route));
	CU_ASSERT_EQUAL(sw_tables_spec(tables)->version, 9);
	CU_ASSERT_PTR_NOT_EQUAL(sw_tables_spec(tables)->routes, &route);
	CU_ASSERT_PTR_NOT_NULL_FATAL(sw_tables_match(tables, ip));
	CU_ASSERT_EQUAL(sw_tables_match(tables, ip)->domain, 1);
	sw_tables_free(tables);
}

static void longest_wins(void)
{
	struct sw_route routes[4] = {route4("0.0.0.0", 0), route4("10.0.0.0", 8),
				     route4("10.0.7.0", 24), route4("10.0.7.7", 32)};
	static const char *const ips[4] = {"192.0.2.1", "10.0.8.7", "10.0.7.8", "10.0.7.7"};
	struct sw_tables *tables;

	for (uint16_t i = 0; i < 4; i++)
		routes[i].domain = i;
	tables = fake_tables(&(struct sw_tables_spec){.n_routes = 4, .routes = routes});
	for (uint16_t i = 0; i < 4; i++) {
		uint8_t ip[16];

		fake_ip4(ip, ips[i]);
		CU_ASSERT_PTR_NOT_NULL_FATAL(sw_tables_match(tables, ip));
		CU_ASSERT_EQUAL(sw_tables_match(tables, ip)->domain, i);
	}
	sw_tables_free(tables);
}

static void no_entries(void)
{
	struct sw_tables *tables = fake_tables(&(struct sw_tables_spec){.version = 1});
	uint8_t ip[16], mac[6] = {2};

	fake_ip4(ip, "10.0.0.1");
	CU_ASSERT_PTR_NULL(sw_tables_match(tables, ip));
	CU_ASSERT_PTR_NULL(tables_gateway(tables, ip, 1));
	CU_ASSERT_PTR_NULL(tables_gateway_for(tables, ip, 1));
	CU_ASSERT_PTR_NULL(tables_neigh(tables, ip, 1));
	CU_ASSERT_FALSE(tables_own(tables, ip));
	CU_ASSERT_FALSE(tables_proxy(tables, ip, 1));
	CU_ASSERT_EQUAL(tables_fdb(tables, mac, 1, PKT_NO_VLAN), PKT_NO_PORT);
	sw_tables_free(tables);
}

static void fdb_by_whole_key(void)
{
	struct sw_static_fdb fdb[200];
	struct sw_tables *tables;
	int wrong = 0;

	for (uint16_t i = 0; i < 200; i++)
		fdb[i] =
			(struct sw_static_fdb){{2, 0, 0, 0, 0, i % 50}, i / 100, i / 50 % 2, i % 6};
	tables = fake_tables(&(struct sw_tables_spec){.n_fdb = 200, .fdb = fdb});
	for (uint16_t i = 0; i < 200; i++)
		wrong += tables_fdb(tables, fdb[i].mac, fdb[i].domain, fdb[i].vid) != fdb[i].port;
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(tables_fdb(tables, fdb[0].mac, 2, 0), PKT_NO_PORT);
	CU_ASSERT_EQUAL(tables_fdb(tables, fdb[0].mac, 0, PKT_NO_VLAN), PKT_NO_PORT);
	sw_tables_free(tables);
}

static void neighbour_by_domain(void)
{
	struct sw_static_neigh neighs[2] = {{.mac = {2}, .domain = 1, .port = 0},
					    {.mac = {4}, .domain = 2, .port = 3}};
	struct sw_tables *tables;
	uint8_t ip[16];

	fake_ip4(ip, "10.0.0.1");
	memcpy(neighs[0].ip, ip, 16);
	memcpy(neighs[1].ip, ip, 16);
	tables = fake_tables(&(struct sw_tables_spec){.n_neighs = 2, .neighs = neighs});
	CU_ASSERT_EQUAL(tables_neigh(tables, ip, 1)->mac[0], 2);
	CU_ASSERT_EQUAL(tables_neigh(tables, ip, 2)->mac[0], 4);
	CU_ASSERT_PTR_NULL(tables_neigh(tables, ip, 3));
	sw_tables_free(tables);
}

/* Two subnets in domain 1, one address in both domains, IPv6 beside them. */
static struct sw_tables *with_gateways(void)
{
	struct sw_gateway g[5] = {{.domain = 1},
				  {.domain = 1},
				  {.domain = 2, .proxy = true},
				  {.domain = 1},
				  {.domain = 2}};

	fake_ip4(g[0].ip, "10.1.0.254");
	fake_ip4(g[1].ip, "10.2.0.254");
	fake_ip4(g[2].ip, "10.1.0.254");
	fake_ip6(g[3].ip, 1, 254);
	fake_ip6(g[4].ip, 2, 254);
	return fake_tables(&(struct sw_tables_spec){.n_gateways = 5, .gateways = g});
}

static void gateway_by_domain(void)
{
	struct sw_tables *tables = with_gateways();
	uint8_t a[16], b[16], c[16];

	fake_ip4(a, "10.1.0.254");
	fake_ip4(b, "10.2.0.254");
	fake_ip6(c, 1, 254);
	CU_ASSERT_FALSE(tables_gateway(tables, a, 1)->proxy);
	CU_ASSERT(tables_gateway(tables, a, 2)->proxy);
	CU_ASSERT_PTR_NULL(tables_gateway(tables, b, 2));
	CU_ASSERT_PTR_NOT_NULL(tables_gateway(tables, c, 1));
	CU_ASSERT(tables_own(tables, b));
	b[15]--;
	CU_ASSERT_FALSE(tables_own(tables, b));
	sw_tables_free(tables);
}

/* In domain 1 the address is asked for from that gateway. */
static void asked_from(const struct sw_tables *tables, const uint8_t ip[16], const uint8_t want[16])
{
	const struct sw_gateway *gateway = tables_gateway_for(tables, ip, 1);

	CU_ASSERT_PTR_NOT_NULL_FATAL(gateway);
	if (gateway != NULL)
		CU_ASSERT_EQUAL(memcmp(gateway->ip, want, 16), 0);
}

static void nearest_gateway_asks(void)
{
	struct sw_tables *tables = with_gateways();
	uint8_t ip[16], want[16];

	fake_ip4(ip, "10.2.0.7");
	fake_ip4(want, "10.2.0.254");
	asked_from(tables, ip, want);
	fake_ip4(ip, "10.1.0.7");
	fake_ip4(want, "10.1.0.254");
	asked_from(tables, ip, want);
	fake_ip6(ip, 1, 7);
	fake_ip6(want, 1, 254);
	asked_from(tables, ip, want);
	CU_ASSERT_PTR_NULL(tables_gateway_for(tables, ip, 3));
	sw_tables_free(tables);
}

static void proxy_by_family(void)
{
	struct sw_tables *tables = with_gateways();
	uint8_t v4[16], v6[16];

	fake_ip4(v4, "192.0.2.1");
	fake_ip6(v6, 9, 9);
	CU_ASSERT(tables_proxy(tables, v4, 2));
	CU_ASSERT_FALSE(tables_proxy(tables, v6, 2));
	CU_ASSERT_FALSE(tables_proxy(tables, v4, 1));
	sw_tables_free(tables);
}

static const struct cu_case cases[] = {
	{"sw_tables_new__refuses_routes", refuses_routes},
	{"sw_tables_new__refuses_via", refuses_via},
	{"sw_tables_new__refuses_gateways", refuses_gateways},
	{"sw_tables_new__refuses_fdb", refuses_fdb},
	{"sw_tables_new__refuses_neighbours", refuses_neighbours},
	{"sw_tables_new__copies_the_spec", copies_the_spec},
	{"sw_tables_new__no_entries", no_entries},
	{"sw_tables_match__longest_wins", longest_wins},
	{"tables_fdb__by_whole_key", fdb_by_whole_key},
	{"tables_neigh__by_domain", neighbour_by_domain},
	{"tables_gateway__by_domain", gateway_by_domain},
	{"tables_gateway_for__nearest_asks", nearest_gateway_asks},
	{"tables_proxy__by_family", proxy_by_family},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("model/tables", cases);
}
