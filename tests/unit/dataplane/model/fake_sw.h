/* SPDX-License-Identifier: BSD-3-Clause */
/* A switch of bare ports for the tests of lookup and its tables: what the stages behind them would
 * do is only written down. Include after the .c under test.
 */
#ifndef RY_TEST_FAKE_SW_H
#define RY_TEST_FAKE_SW_H

#include "dataplane/model/addr.h"
#include "dataplane/model/hdr.h"
#include "dataplane/model/sw_int.h"
#include "tests/unit/cu.h"

#include <arpa/inet.h>
#include <stdlib.h>

#define FAKE_PORTS 6
#define FAKE_LOG 64
#define FAKE_S 1000000000000ull /* a second in ps */

struct fake_event {
	uint64_t t_ps;
	const struct pkt *pkt;
	uint16_t port;
	int what; /* drop: its name; gen: its kind */
	struct sw_gen gen;
};

static struct {
	struct sw sw;
	struct sw_port ports[FAKE_PORTS];
	uint16_t flood[FAKE_PORTS];
	struct pkt pkts[256], copies[FAKE_LOG];
	uint8_t bytes[256][128];
	unsigned int n_pkts, n_copies, copies_left;
	struct fake_event drops[FAKE_LOG], gens[FAKE_LOG], sent[FAKE_LOG];
	unsigned int n_drops, n_gens, n_sent, n_consumed;
} fake;

void sw_drop(struct sw *sw, uint64_t t_ps, struct pkt *pkt, enum sw_drop reason, uint16_t port)
{
	sw->held--;
	sw->dropped++;
	sw->ports[port].drops[reason]++;
	fake.drops[fake.n_drops++ % FAKE_LOG] =
		(struct fake_event){.t_ps = t_ps, .pkt = pkt, .port = port, .what = reason};
}

void sw_drop_copy(struct sw *sw, uint64_t t_ps, const struct pkt *of, enum sw_drop reason,
		  uint16_t port)
{
	sw->dropped++;
	sw->ports[port].drops[reason]++;
	fake.drops[fake.n_drops++ % FAKE_LOG] =
		(struct fake_event){.t_ps = t_ps, .pkt = of, .port = port, .what = reason};
}

void sw_consume(struct sw *sw, struct pkt *pkt)
{
	(void)pkt;
	sw->held--;
	sw->consumed++;
	fake.n_consumed++;
}

void port_gen(struct sw *sw, uint64_t t_ps, uint16_t port, enum sw_rec_kind kind,
	      const struct sw_gen *gen)
{
	(void)sw;
	fake.gens[fake.n_gens++ % FAKE_LOG] =
		(struct fake_event){.t_ps = t_ps, .port = port, .what = kind, .gen = *gen};
}

static void fake_enqueue(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	sw->held--;
	sw->tx++;
	fake.sent[fake.n_sent++ % FAKE_LOG] =
		(struct fake_event){.t_ps = t_ps, .pkt = pkt, .port = pkt->out_port};
}

static inline struct pkt *fake_copy(void *ctx, const struct pkt *pkt)
{
	(void)ctx;
	if (fake.copies_left == 0)
		return NULL;
	fake.copies_left--;
	fake.copies[fake.n_copies] = *pkt;
	return &fake.copies[fake.n_copies++];
}

static const struct pipeline fake_pipeline = {.name = "fake", .enqueue = fake_enqueue};
static const uint8_t fake_router[6] = {0x02, 0xff, 0, 0, 0, 0x01};

/* Host n's MAC. */
static inline const uint8_t *fake_mac(uint8_t n)
{
	static uint8_t macs[256][6];

	memcpy(macs[n], (uint8_t[6]){0x02, 0, 0, 0, 0, n}, 6);
	return macs[n];
}

/* All ports up, 0 to 2 in domain 1, 3 and 4 in domain 2, the last routed only. */
static inline struct sw *fake_new(const struct sw_tables *tables)
{
	struct sw *sw = &fake.sw;

	memset(&fake, 0, sizeof(fake));
	sw->pipeline = &fake_pipeline;
	sw->env.copy = fake_copy;
	sw->ports = fake.ports;
	sw->n_ports = FAKE_PORTS;
	sw->flood = fake.flood;
	sw->tables = tables;
	memcpy(sw->cfg.router_mac, fake_router, 6);
	for (int i = 0; i < FAKE_PORTS; i++) {
		fake.ports[i].up = true;
		fake.ports[i].cfg.domain = i < 3 ? 1 : 2;
	}
	fake.ports[FAKE_PORTS - 1].cfg.domain = SW_NO_DOMAIN;
	return sw;
}

/* An Ethernet frame that arrived; it counts as held. */
static inline struct pkt *fake_frame(uint16_t port, const uint8_t dst[6], const uint8_t src[6])
{
	unsigned int i = fake.n_pkts++;
	struct pkt *pkt = &fake.pkts[i];

	*pkt = (struct pkt){.data = fake.bytes[i],
			    .len = 100,
			    .in_port = port,
			    .out_port = PKT_NO_PORT,
			    .vid = PKT_NO_VLAN,
			    .domain = fake.ports[port].cfg.domain};
	memset(fake.bytes[i], 0, sizeof(fake.bytes[i]));
	memcpy(pkt->data + ETH_DST, dst, 6);
	memcpy(pkt->data + ETH_SRC, src, 6);
	pkt->l3_off = HDR_ETH;
	fake.sw.rx++;
	fake.sw.held++;
	return pkt;
}

static inline void fake_ip4(uint8_t ip[16], const char *text)
{
	uint8_t bytes[4];

	if (inet_pton(AF_INET, text, bytes) != 1)
		abort();
	addr_from_v4(ip, bytes);
}

/* fd00:0:0:SUBNET::HOST */
static inline void fake_ip6(uint8_t ip[16], uint8_t subnet, uint8_t host)
{
	memcpy(ip, (uint8_t[16]){0xfd, [7] = subnet, [15] = host}, 16);
}

static inline struct pkt *fake_arp(uint16_t port, const uint8_t dst[6], uint16_t op,
				   const uint8_t src_mac[6], const char *src, const char *target)
{
	struct pkt *pkt = fake_frame(port, dst, src_mac);
	uint8_t *arp = pkt->data + HDR_ETH, ip[16];

	pkt->kind = PKT_ARP;
	put_be16(arp + ARP_OP, op);
	memcpy(arp + ARP_SHA, src_mac, 6);
	fake_ip4(ip, src);
	memcpy(arp + ARP_SPA, ip + 12, 4);
	fake_ip4(ip, target);
	memcpy(arp + ARP_TPA, ip + 12, 4);
	return pkt;
}

static inline struct pkt *fake_udp4(uint16_t port, const uint8_t dst[6], const char *to)
{
	struct pkt *pkt = fake_frame(port, dst, fake_mac(200));
	uint8_t *l3 = pkt->data + HDR_ETH, ip[16];

	pkt->kind = PKT_UDP;
	pkt->flags = PKT_F_V4 | PKT_F_L4;
	pkt->ip_proto = PROTO_UDP;
	pkt->l4_off = HDR_ETH + HDR_IPV4;
	l3[0] = 0x45;
	l3[IPV4_TTL] = 64;
	fake_ip4(ip, "10.9.0.9");
	memcpy(l3 + IPV4_SRC, ip + 12, 4);
	fake_ip4(ip, to);
	memcpy(l3 + IPV4_DST, ip + 12, 4);
	return pkt;
}

static inline struct pkt *fake_udp6(uint16_t port, const uint8_t dst[6], uint8_t subnet,
				    uint8_t host)
{
	struct pkt *pkt = fake_frame(port, dst, fake_mac(200));
	uint8_t *l3 = pkt->data + HDR_ETH;

	pkt->kind = PKT_UDP;
	pkt->flags = PKT_F_V6 | PKT_F_L4;
	pkt->ip_proto = PROTO_UDP;
	pkt->l4_off = HDR_ETH + HDR_IPV6;
	l3[0] = 0x60;
	l3[IPV6_NEXT] = PROTO_UDP;
	l3[IPV6_HOPS] = 64;
	fake_ip6(l3 + IPV6_SRC, 9, 9);
	fake_ip6(l3 + IPV6_DST, subnet, host);
	return pkt;
}

static const uint8_t fake_broadcast[6] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/* A snapshot from one spec, or a failed assertion. */
static inline struct sw_tables *fake_tables(const struct sw_tables_spec *spec)
{
	struct err err = {0};
	struct sw_tables *tables = sw_tables_new(spec, FAKE_PORTS, &err);

	if (tables == NULL) {
		char text[1024];

		fprintf(stderr, "tables: %s\n", err_text(&err, text, sizeof(text)));
		abort();
	}
	return tables;
}

#endif
