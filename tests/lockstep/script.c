/* SPDX-License-Identifier: BSD-3-Clause */
#include "script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int script_load(struct script *script, const char *file)
{
	FILE *in = fopen(file, "rb");
	long size;

	if (in == NULL)
		return -errno;
	fseek(in, 0, SEEK_END);
	size = ftell(in);
	rewind(in);
	script->n = (uint64_t)size / sizeof(*script->events);
	script->events = malloc((size_t)size + 1);
	if (script->events == NULL ||
	    fread(script->events, sizeof(*script->events), script->n, in) != script->n) {
		fclose(in);
		return -EIO;
	}
	fclose(in);
	return 0;
}

void script_free(struct script *script)
{
	free(script->events);
}

static void put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void mac_of(uint8_t *p, uint32_t host)
{
	memcpy(p, (uint8_t[6]){2, 0, 0, 0, 0, (uint8_t)(host + 1)}, 6);
}

static const uint8_t router_mac[6] = {2, 0xff, 0, 0, 0, 1};

/* Ports 0..15 are 10.1.0.0/24, the others 10.2.0.0/24. */
static void ip_of(uint8_t *p, uint32_t host)
{
	memcpy(p, (uint8_t[4]){10, host < 16 ? 1 : 2, 0, (uint8_t)(host + 1)}, 4);
}

static void checksum(uint8_t *ip)
{
	uint32_t sum = 0;

	put16(ip + 10, 0);
	for (int i = 0; i < 20; i += 2)
		sum += (uint32_t)ip[i] << 8 | ip[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	put16(ip + 10, ~sum & 0xffff);
}

struct header {
	uint8_t tos, proto, ttl;
	uint32_t src, dst, payload;
};

static uint32_t ipv4(uint8_t *p, const struct header *h)
{
	memset(p, 0, 20);
	p[0] = 0x45;
	p[1] = h->tos;
	put16(p + 2, 20 + h->payload);
	p[6] = 0x40;
	p[8] = h->ttl;
	p[9] = h->proto;
	ip_of(p + 12, h->src);
	ip_of(p + 16, h->dst);
	checksum(p);
	return 20;
}

static uint32_t ipv6(uint8_t *p, const struct header *h)
{
	memset(p, 0, 40);
	p[0] = 0x60 | h->tos >> 4;
	p[1] = (uint8_t)(h->tos << 4);
	put16(p + 4, h->payload);
	p[6] = h->proto;
	p[7] = h->ttl;
	p[8] = p[24] = 0xfd;
	p[9] = p[25] = h->src < 16 ? 1 : 2;
	p[23] = (uint8_t)(h->src + 1);
	p[39] = (uint8_t)(h->dst + 1);
	return 40;
}

/* RC WRITE middle: UDP, BTH, payload left as it is. */
static void roce(uint8_t *p, uint32_t udp_len, uint32_t random)
{
	memset(p, 0, 20);
	put16(p, 0xc000 | (random & 0xfff));
	put16(p + 2, 4791);
	put16(p + 4, udp_len);
	p[8] = 0x07;
	put16(p + 10, 0xffff);
	p[15] = 0x11;
	put16(p + 18, random >> 8 & 0xffff);
}

/* Most frames go to a few hot hosts of the same subnet: queues stand there. */
static uint32_t destination(const struct script_event *e)
{
	uint32_t base = e->port < 16 ? 0 : 16;
	uint32_t to = (e->random & 3) != 0 ? e->random >> 2 & 3 : e->random >> 4 & 15;

	return base + (to + (base + to == e->port)) % 16;
}

static uint32_t ip_frame(const struct script_event *e, uint8_t *f, uint32_t off)
{
	static const uint16_t sizes[8] = {16, 64, 256, 1024, 1024, 1024, 1024, 1040};
	struct header h = {.ttl = 64, .proto = 17, .src = e->port, .dst = destination(e)};
	uint32_t payload = 20 + sizes[e->random >> 8 & 7];
	bool v6 = e->type == SCRIPT_ROCE_V6;

	h.tos = (26 << 2) | ((e->random >> 12 & 7) != 0 ? 2 : 0);
	if (e->type == SCRIPT_LOSSY)
		h.tos = e->random >> 12 & 1 ? 2 : 0;
	if (e->type == SCRIPT_ROUTED) {
		h.dst = (e->port + 16 + (e->random >> 16 & 7)) % 32;
		h.ttl = (e->random >> 20 & 31) == 0 ? 1 : 64;
	}
	h.payload = payload;
	mac_of(f, h.dst);
	if (e->type == SCRIPT_ROUTED)
		memcpy(f, router_mac, 6);
	put16(f + off - 2, v6 ? 0x86dd : 0x0800);
	off += v6 ? ipv6(f + off, &h) : ipv4(f + off, &h);
	roce(f + off, payload, e->random);
	if (e->type == SCRIPT_LOSSY)
		put16(f + off + 2, 5000);
	return off + payload;
}

static uint32_t arp(const struct script_event *e, uint8_t *f)
{
	memset(f, 0xff, 6);
	put16(f + 12, 0x0806);
	memcpy(f + 14, (uint8_t[]){0, 1, 8, 0, 6, 4, 0, 1}, 8);
	mac_of(f + 22, e->port);
	ip_of(f + 28, e->port);
	memset(f + 32, 0, 6);
	ip_of(f + 38, 252);
	f[39] = e->port < 16 ? 1 : 2;
	return 60;
}

static uint32_t ping(const struct script_event *e, uint8_t *f)
{
	struct header h = {.ttl = 64, .proto = 1, .src = e->port, .dst = e->port, .payload = 40};

	memcpy(f, router_mac, 6);
	put16(f + 12, 0x0800);
	ipv4(f + 14, &h);
	f[14 + 19] = 253;
	checksum(f + 14);
	memset(f + 34, 0, 40);
	f[34] = 8;
	put16(f + 36, 0xf7ff);
	return 74;
}

static uint32_t pfc(const struct script_event *e, uint8_t *f)
{
	memset(f, 0, 60);
	memcpy(f, (uint8_t[6]){1, 0x80, 0xc2, 0, 0, 1}, 6);
	put16(f + 12, 0x8808);
	put16(f + 14, 0x0101);
	put16(f + 16, 1u << 3 | (e->random & 1));
	put16(f + 18 + 6, e->random & 2 ? e->random >> 2 & 255 : 0);
	return 60;
}

uint32_t script_frame(const struct script_event *e, uint8_t *f)
{
	memset(f, 0, 128);
	mac_of(f + 6, e->port);
	switch (e->type) {
	case SCRIPT_TAGGED:
		put16(f + 12, 0x8100);
		put16(f + 14, 0x6000 | (100 + (e->random & 1)));
		return ip_frame(e, f, 18);
	case SCRIPT_BROADCAST: {
		uint32_t len = ip_frame(e, f, 14);

		memset(f, 0xff, 6);
		return len;
	}
	case SCRIPT_ARP:
		return arp(e, f);
	case SCRIPT_PING:
		return ping(e, f);
	case SCRIPT_PFC:
		return pfc(e, f);
	case SCRIPT_RUNT:
		ip_frame(e, f, 14);
		return 14 + 10 + (e->random & 7);
	default:
		return ip_frame(e, f, 14);
	}
}

struct sw_config script_config(struct sw_port_config *ports, int variant)
{
	struct sw_config c = {
		.name = "s1",
		.seed = 1,
		.latency_ps = 500000,
		.hash_fields = SW_HASH_SRC_IP | SW_HASH_DST_IP | SW_HASH_SRC_PORT | SW_HASH_DEST_QP,
		.hash_seed = 7,
		/* Short, so that MACs and neighbours do go within a recording. */
		.fdb_ageing_ps = variant ? 40000000000 : 30000000000,
		.neigh_ageing_ps = variant ? 30000000000 : 20000000000,
		.n_ports = SCRIPT_PORTS,
		.ports = ports,
		.digest = true,
		.buffer = {.size_bytes = 3000000,
			   .cell_bytes = variant ? 64 : 208,
			   .headroom_pool_bytes = variant ? 300000 : 0,
			   .alpha_q16 = 65536 / 8,
			   .lossy_alpha_q16 = 65536 / 16,
			   .reserved_bytes = 2048,
			   .xon_offset_bytes = 3072},
	};

	memcpy(c.router_mac, router_mac, 6);
	for (int d = 0; d < 64; d++)
		c.qos.dscp_to_prio[d] = d == 26 ? 3 : 0;
	for (int p = 0; p < 8; p++) {
		c.qos.pcp_to_prio[p] = c.qos.prio_to_pg[p] = c.qos.prio_to_queue[p] =
			c.qos.pfc_to_queue[p] = (uint8_t)p;
		c.qos.sched[p] = (struct sw_sched){.strict = p == 6, .weight = p == 3 ? 60 : 40};
	}
	c.qos.pfc_mask = 1 << 3;
	/* Times as short as the script's pauses, so that some of them are storms. */
	c.qos.watchdog = (struct sw_watchdog){.on = true,
					      .forward = variant != 0,
					      .detect_ps = 550000000,
					      .restore_ps = 50000000,
					      .poll_ps = 50000000};
	c.qos.ecn[3] = (struct sw_ecn){.on = true,
				       .min_bytes = variant ? 20000 : 40000,
				       .max_bytes = 160000,
				       .probability_ppb = 200000000};
	c.qos.ecn[3].drop = (struct sw_wred){
		.on = true, .min_bytes = 150000, .max_bytes = 400000, .probability_ppb = 100000000};
	c.qos.ecn[0] = (struct sw_ecn){.on = true,
				       .at_enqueue = true,
				       .drop_not_ect = true,
				       .min_bytes = 30000,
				       .max_bytes = 30000,
				       .probability_ppb = 1000000000};
	for (int i = 0; i < SCRIPT_PORTS; i++) {
		ports[i] = (struct sw_port_config){.rate_bps = SCRIPT_RATE_BPS,
						   .overhead_bytes = 24,
						   .mtu_bytes = 1500,
						   .headroom_bytes = 20000,
						   .domain = i < 16 ? 0 : 1,
						   .pfc = i != 9,
						   .edge = i >= 4 && i < (variant ? 6 : 8),
						   .edge_bytes = 60000};
		snprintf(ports[i].name, sizeof(ports[i].name), "s1-h%d", i + 1);
		ports[i].mac[0] = 2;
		ports[i].mac[5] = (uint8_t)i;
	}
	return c;
}

static void mapped(uint8_t *ip, uint8_t b, uint8_t d)
{
	memset(ip, 0, 16);
	ip[10] = ip[11] = 0xff;
	ip[12] = 10;
	ip[13] = b;
	ip[15] = d;
}

struct sw_tables *script_tables(int variant)
{
	struct sw_route routes[3] = {0};
	struct sw_gateway gateways[2] = {0};
	struct sw_static_neigh neighs[12] = {0};
	struct sw_tables_spec spec = {.version = (uint64_t)variant,
				      .n_routes = 3,
				      .n_gateways = 2,
				      .n_neighs = 12,
				      .routes = routes,
				      .gateways = gateways,
				      .neighs = neighs};
	struct err err = {0};
	struct sw_tables *tables;

	for (int s = 0; s < 2; s++) {
		mapped(routes[s].prefix, (uint8_t)(s + 1), 0);
		routes[s].len = 120;
		routes[s].kind = SW_ROUTE_CONNECTED;
		routes[s].domain = (uint16_t)s;
		mapped(gateways[s].ip, (uint8_t)(s + 1), 253);
		gateways[s].domain = (uint16_t)s;
	}
	/* Hosts 1..2 of subnet 1 are reached by one of two ports, which two the variant says. */
	mapped(routes[2].prefix, 1, 0);
	routes[2].len = 126;
	routes[2].kind = SW_ROUTE_VIA;
	routes[2].n_via = 2;
	for (int v = 0; v < 2; v++) {
		routes[2].via[v].port = (uint16_t)(variant ? 2 + v : v);
		routes[2].via[v].has_mac = true;
		mac_of(routes[2].via[v].mac, routes[2].via[v].port);
	}
	/* Some neighbours are installed; the others must be asked for, and only a few answer. */
	for (int i = 0; i < 12; i++) {
		int host = i < 6 ? 4 + i : 16 + i - 6;

		mapped(neighs[i].ip, host < 16 ? 1 : 2, (uint8_t)(host + 1));
		mac_of(neighs[i].mac, (uint32_t)host);
		neighs[i].domain = host < 16 ? 0 : 1;
		neighs[i].port = (uint16_t)host;
	}
	tables = sw_tables_new(&spec, SCRIPT_PORTS, &err);
	if (tables == NULL) {
		char text[1024];

		fprintf(stderr, "lockstep tables: %s\n", err_text(&err, text, sizeof(text)));
		exit(2);
	}
	return tables;
}
