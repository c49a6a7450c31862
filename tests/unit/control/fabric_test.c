/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/fabric.c"

#include "tests/unit/cu.h"

static struct scenario s;
static struct fabric f;
static struct err err;

static int build(const char *rest)
{
	char text[2048];

	fabric_free(&f);
	scenario_free(&s);
	err = (struct err){0};
	snprintf(text, sizeof(text), "railyard: 1\n%s", rest);
	CU_ASSERT_EQUAL_FATAL(scenario_parse(&s, text, strlen(text), "t.yaml", &err), 0);
	return fabric_build(&f, &s, &err);
}

static const struct sw_route *match(uint16_t sw, const char *address)
{
	uint8_t ip[16];

	CU_ASSERT_TRUE_FATAL(netaddr_parse_ip(address, ip));
	return sw_tables_match(f.switches[sw].tables, ip);
}

static bool has_gateway(uint16_t sw, const char *address, uint16_t domain)
{
	const struct sw_tables_spec *spec = sw_tables_spec(f.switches[sw].tables);
	uint8_t ip[16];

	netaddr_parse_ip(address, ip);
	for (uint32_t i = 0; i < spec->n_gateways; i++)
		if (memcmp(spec->gateways[i].ip, ip, 16) == 0)
			return spec->gateways[i].domain == domain;
	return false;
}

static void star(void)
{
	static const uint8_t router[6] = {0x02, 0xff, 0, 0, 0, 1}, host[6] = {0x02, 0, 0, 0, 0, 2};
	char text[NETADDR_TEXT];

	CU_ASSERT_EQUAL_FATAL(build("topology: {kind: star, hosts: 3}\n"), 0);
	CU_ASSERT_EQUAL(f.n_switches, 1);
	CU_ASSERT_EQUAL(f.n_hosts, 3);
	CU_ASSERT_EQUAL(f.n_links, 0);
	CU_ASSERT_EQUAL(f.n_real, 0);
	CU_ASSERT_STRING_EQUAL(f.switches[0].config.name, "s1");
	CU_ASSERT_STRING_EQUAL(f.switches[0].pipeline->name, "lossless");
	CU_ASSERT_EQUAL(memcmp(f.switches[0].config.router_mac, router, 6), 0);
	CU_ASSERT_EQUAL(memcmp(f.hosts[1].mac, host, 6), 0);
	CU_ASSERT_STRING_EQUAL(netaddr_print_ip(f.hosts[1].ip4, text), "10.0.0.2");
	CU_ASSERT_STRING_EQUAL(netaddr_print_ip(f.hosts[1].ip6, text), "fd00::2");
	CU_ASSERT_EQUAL(f.hosts[2].port, 2);
	CU_ASSERT_EQUAL(f.switches[0].ports[2].domain, 0);
	CU_ASSERT_EQUAL(f.switches[0].ports[2].mtu_bytes, 4200);
	CU_ASSERT_TRUE(f.switches[0].ports[2].pfc);
	CU_ASSERT_FALSE(f.switches[0].ports[2].edge);
	CU_ASSERT_TRUE(has_gateway(0, "10.0.255.254", 0));
	CU_ASSERT_TRUE(has_gateway(0, "fd00::fffe", 0));
	CU_ASSERT_EQUAL(match(0, "10.0.0.2")->kind, SW_ROUTE_CONNECTED);
	CU_ASSERT_PTR_NULL(match(0, "10.1.0.2"));
	CU_ASSERT_PTR_NOT_NULL(strstr(f.switches[0].headroom_terms[0], "cable 25000 B"));
}

static void real_ports(void)
{
	CU_ASSERT_EQUAL_FATAL(build("topology: {kind: star, hosts: 4}\n"
				    "ports:\n"
				    "  s1-h1: {dev: \"net_af_packet0,iface=a\", pfc: off}\n"
				    "  s1-h3: {dev: \"0000:3b:00.0\", rate: 200Gbps}\n"
				    "  s1-h4: {dev: \"net_tap0\", edge: off}\n"
				    "  s1-h2: {mtu: 1500}\n"),
			      0);
	CU_ASSERT_EQUAL_FATAL(f.n_real, 3);
	CU_ASSERT_STRING_EQUAL(f.real[0].name, "s1-h1");
	CU_ASSERT_EQUAL(f.real[0].edge, EDGE_EMULATE);
	CU_ASSERT_EQUAL(f.real[1].edge, EDGE_OFF);
	CU_ASSERT_EQUAL(f.real[1].port, 2);
	CU_ASSERT_EQUAL(f.real[2].edge, EDGE_OFF);
	CU_ASSERT_FALSE(f.switches[0].ports[0].pfc);
	CU_ASSERT_EQUAL(f.switches[0].ports[0].headroom_bytes, 0);
	CU_ASSERT_STRING_EQUAL(f.switches[0].headroom_terms[0], "");
	CU_ASSERT_TRUE(f.switches[0].ports[0].edge);
	CU_ASSERT_EQUAL(f.switches[0].ports[0].edge_bytes, 1u << 20);
	CU_ASSERT_EQUAL(f.switches[0].ports[1].mtu_bytes, 1500);
	CU_ASSERT_EQUAL(f.switches[0].ports[2].rate_bps, 200000000000);
	CU_ASSERT_TRUE(f.switches[0].ports[2].headroom_bytes >
		       f.switches[0].ports[1].headroom_bytes);
	CU_ASSERT_PTR_NULL(strstr(f.switches[0].headroom_terms[2], "worker 0 B"));
}

static void edges(void)
{
	CU_ASSERT_EQUAL(edge_for_dev("net_tap0,iface=x"), EDGE_EMULATE);
	CU_ASSERT_EQUAL(edge_for_dev("net_vhost0,iface=/tmp/s"), EDGE_EMULATE);
	CU_ASSERT_EQUAL(edge_for_dev("net_memif0"), EDGE_EMULATE);
	CU_ASSERT_EQUAL(edge_for_dev("net_virtio_user0,path=/dev/vhost-net"), EDGE_EMULATE);
	CU_ASSERT_EQUAL(edge_for_dev("net_ring0"), EDGE_OFF);
	CU_ASSERT_EQUAL(edge_for_dev("0000:3b:00.0"), EDGE_OFF);
}

static void routed(void)
{
	const struct sw_route *route;
	char text[NETADDR_TEXT];

	CU_ASSERT_EQUAL_FATAL(build("topology: {kind: star, hosts: 5}\n"
				    "ports: {s1-h4: {dev: net_tap0}}\n"
				    "subnets:\n"
				    "  - {prefix: 10.1.0.0/24, ports: [s1-h1, s1-h2]}\n"
				    "  - {prefix: fd01::/64, ports: [s1-h2, s1-h3]}\n"
				    "  - {prefix: 10.2.0.0/24, ports: [s1-h4], gateway: 10.2.0.1}\n"
				    "routes:\n"
				    "  - {on: s1, prefix: 10.9.0.0/16, via: [s1-h1, s1-h4]}\n"),
			      0);
	/* h1 h2 h3 hang together by their subnets, h4 alone, h5 in none. */
	CU_ASSERT_EQUAL(f.switches[0].ports[0].domain, 1);
	CU_ASSERT_EQUAL(f.switches[0].ports[1].domain, 1);
	CU_ASSERT_EQUAL(f.switches[0].ports[2].domain, 1);
	CU_ASSERT_EQUAL(f.switches[0].ports[3].domain, 2);
	CU_ASSERT_EQUAL(f.switches[0].ports[4].domain, 0);
	CU_ASSERT_TRUE(has_gateway(0, "10.1.0.254", 1));
	CU_ASSERT_TRUE(has_gateway(0, "fd01::fffe", 1));
	CU_ASSERT_TRUE(has_gateway(0, "10.2.0.1", 2));
	CU_ASSERT_TRUE(has_gateway(0, "10.0.255.254", 0));
	CU_ASSERT_EQUAL(match(0, "10.2.0.9")->domain, 2);
	CU_ASSERT_STRING_EQUAL(netaddr_print_ip(f.hosts[1].ip4, text), "10.1.0.2");
	CU_ASSERT_STRING_EQUAL(netaddr_print_ip(f.hosts[2].ip4, text), "10.0.0.3");
	/* 10.2.0.1 is the gateway: the fourth free address. */
	CU_ASSERT_STRING_EQUAL(netaddr_print_ip(f.hosts[3].ip4, text), "10.2.0.5");
	route = match(0, "10.9.1.1");
	CU_ASSERT_PTR_NOT_NULL_FATAL(route);
	CU_ASSERT_EQUAL(route->kind, SW_ROUTE_VIA);
	CU_ASSERT_EQUAL(route->n_via, 2);
	/* The simulated host's MAC is known, the real one's is asked for. */
	CU_ASSERT_TRUE(route->via[0].has_mac);
	CU_ASSERT_EQUAL(route->via[0].mac[5], 1);
	CU_ASSERT_FALSE(route->via[1].has_mac);
	CU_ASSERT_STRING_EQUAL(netaddr_print_ip(route->via[1].ip, text), "10.2.0.5");
}

static void default_gives_way(void)
{
	CU_ASSERT_EQUAL_FATAL(build("topology: {kind: star, hosts: 3}\n"
				    "subnets:\n"
				    "  - {prefix: 10.0.1.0/24, ports: [s1-h1]}\n"
				    "  - {prefix: 10.0.2.0/24, ports: [s1-h2]}\n"),
			      0);
	CU_ASSERT_FALSE(has_gateway(0, "10.0.255.254", 0));
	CU_ASSERT_TRUE(has_gateway(0, "fd00::fffe", 0));
	CU_ASSERT_PTR_NULL(match(0, "10.0.0.9"));
}

static void dumbbell(void)
{
	const struct sw_route *route;
	static const uint8_t router[6] = {0x02, 0xff, 0, 0, 0, 2};

	CU_ASSERT_EQUAL_FATAL(
		build("topology: {kind: dumbbell, left: 1, right: 1, middle: {delay: 9us}}\n"
		      "switches: {s2: {pipeline: lossy}}\n"
		      "routes: [{on: s1, prefix: \"fd09::/64\", via: [s1-s2]}]\n"),
		0);
	CU_ASSERT_EQUAL(f.n_switches, 2);
	CU_ASSERT_EQUAL_FATAL(f.n_links, 1);
	CU_ASSERT_EQUAL(f.links[0].sw[0], 0);
	CU_ASSERT_EQUAL(f.links[0].sw[1], 1);
	CU_ASSERT_EQUAL(f.links[0].port[0], 1);
	CU_ASSERT_EQUAL(f.links[0].port[1], 1);
	CU_ASSERT_EQUAL(f.links[0].delay_ps, 9000000);
	CU_ASSERT_EQUAL(f.switches[0].config.qos.pfc_mask, 1 << 3);
	CU_ASSERT_EQUAL(f.switches[1].config.qos.pfc_mask, 0);
	CU_ASSERT_NOT_EQUAL(f.switches[0].config.hash_seed, f.switches[1].config.hash_seed);
	route = match(0, "fd09::1");
	CU_ASSERT_PTR_NOT_NULL_FATAL(route);
	CU_ASSERT_EQUAL(memcmp(route->via[0].mac, router, 6), 0);
	CU_ASSERT_PTR_NULL(match(1, "fd09::1"));
}

static void indices(void)
{
	uint16_t sw = 9, port = 9;

	CU_ASSERT_EQUAL_FATAL(build("topology: {kind: dumbbell, left: 2, right: 1}\n"), 0);
	CU_ASSERT_EQUAL(fabric_switch_index(&f, "s2"), 1);
	CU_ASSERT_EQUAL(fabric_switch_index(&f, "s3"), -1);
	CU_ASSERT_EQUAL(fabric_port_index(&f, "s2-h3", &sw, &port), 0);
	CU_ASSERT_EQUAL(sw, 1);
	CU_ASSERT_EQUAL(port, 0);
	CU_ASSERT_EQUAL(fabric_port_index(&f, "s1:3", &sw, &port), 0);
	CU_ASSERT_EQUAL(sw, 0);
	CU_ASSERT_EQUAL(port, 2);
	CU_ASSERT_EQUAL(fabric_port_index(&f, "s1:4", &sw, &port), -1);
	CU_ASSERT_EQUAL(fabric_port_index(&f, "s1:0", &sw, &port), -1);
	CU_ASSERT_EQUAL(fabric_port_index(&f, "s1:1x", &sw, &port), -1);
	CU_ASSERT_EQUAL(fabric_port_index(&f, "h3-s2", &sw, &port), -1);
	CU_ASSERT_EQUAL(fabric_port_find(&f, "h3-s2", &sw, &port), 0);
	CU_ASSERT(sw == 1 && port == 0);
	CU_ASSERT_EQUAL(fabric_port_find(&f, "s1-h2", &sw, &port), 0);
	CU_ASSERT(sw == 0 && port == 1);
	CU_ASSERT_EQUAL(fabric_port_find(&f, "h9-s2", &sw, &port), -1);
	CU_ASSERT_EQUAL(fabric_port_find(&f, "nowhere", &sw, &port), -1);
}

static void pool_too_small(void)
{
	CU_ASSERT_TRUE(build("topology: {kind: star, hosts: 2}\n"
			     "switch:\n"
			     "  buffer: {size: 16KB}\n") < 0);
	CU_ASSERT_EQUAL(err.line, 4);
	CU_ASSERT_EQUAL(err.col, 18);
	CU_ASSERT_STRING_EQUAL(err.path, "switch.buffer.size");
	CU_ASSERT_PTR_NULL(f.switches);
}

/* What a real switch is made from is accepted by the model itself. */
static void model_takes_it(void)
{
	struct sw_env env = {0};
	struct sw *sw;

	CU_ASSERT_EQUAL_FATAL(build("topology: {kind: star, hosts: 2}\nswitch: {preset: azure}\n"),
			      0);
	sw = sw_new(&f.switches[0].config, f.switches[0].pipeline, &env, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(sw);
	sw_install(sw, 0, f.switches[0].tables);
	CU_ASSERT_PTR_EQUAL(sw_tables_of(sw), f.switches[0].tables);
	sw_free(sw);
	fabric_free(&f);
	scenario_free(&s);
}

static const struct cu_case cases[] = {
	{"fabric_build__star", star},
	{"fabric_build__real_ports", real_ports},
	{"edge_for_dev__kinds", edges},
	{"fabric_build__routed", routed},
	{"fabric_build__default_gives_way", default_gives_way},
	{"fabric_build__dumbbell", dumbbell},
	{"fabric_port_index__names_and_aliases", indices},
	{"fabric_build__pool_too_small", pool_too_small},
	{"fabric_build__model_takes_it", model_takes_it},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/fabric", cases);
}
