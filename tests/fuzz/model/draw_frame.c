/* SPDX-License-Identifier: BSD-3-Clause */
/* Who talks to whom: stations send RoCEv2 above all, and now and then what no station should. */
#include "put_frame.h"

#include "dataplane/model/hdr.h"

#include <string.h>

static uint16_t draw_length(struct source *s)
{
	static const uint8_t weights[] = {60, 20, 12, 6, 2, 0};
	static const uint16_t from[] = {62, 200, 1000, 4000, 8000},
			      to[] = {200, 600, 1500, 4200, 9018};
	uint32_t kind = draw_weighted(s, weights);

	return one_in(s, 4000) ? (uint16_t)draw_between(s, 9019, FRAME_MAX - 100)
			       : (uint16_t)draw_between(s, from[kind], to[kind]);
}

static uint8_t draw_tos(struct source *s)
{
	static const uint8_t dscps[] = {0, 8, 24, 26, 26, 26, 32, 48};
	uint8_t dscp = one_in(s, 3) ? (uint8_t)draw(s, 64) : draw_of(s, dscps);

	return (uint8_t)(dscp << 2 | draw(s, 4));
}

static uint8_t prio_of(const struct life *life, const struct talk *talk)
{
	const struct sw_qos *qos = &life->config.qos;

	if (qos->trust == SW_TRUST_DSCP)
		return qos->dscp_to_prio[talk->tos >> 2];
	return qos->pcp_to_prio[talk->tci == PKT_NO_VLAN ? 0 : talk->tci >> 13];
}

static void draw_ports_of(struct life *life, struct talk *talk)
{
	struct source *s = life->source;
	uint16_t n = life->config.n_ports;

	talk->in = (uint16_t)draw(s, n);
	talk->out = draw(s, 8) < life->heat ? life->hot : (uint16_t)draw(s, n);
	if (talk->out == talk->in && n > 1 && !one_in(s, 16))
		talk->out = (uint16_t)((talk->in + 1 + draw(s, n - 1)) % n);
	talk->from = draw(s, STATIONS);
	talk->to = draw(s, STATIONS);
}

/* Addresses that nobody has, nobody may have, or that are elsewhere. */
static void draw_strange_dst(struct life *life, struct talk *talk)
{
	struct source *s = life->source;
	static const uint8_t nets[] = {20, 20, 20, 20, 10, 30, 10, 101, 224, 169};
	uint8_t *ip = talk->dst + (talk->v6 ? 0 : 12);
	uint8_t net = life->scans && !one_in(s, 8) ? 10 : draw_of(s, nets);

	talk->routed = true;
	for (int i = 0; i < (talk->v6 ? 16 : 4); i++)
		ip[i] = (uint8_t)draw(s, 256);
	if (talk->v6) {
		ip[0] = net == 224 ? 0xff : net == 169 ? 0xfe : 0xfd;
		ip[1] = net == 169 ? 0x80 : net == 10 ? 0 : net;
		ip[2] = 0;
		ip[3] = (uint8_t)draw(s, DOMAINS + 1);
	} else {
		ip[0] = net == 101 ? 10 : net;
		ip[1] = net == 101 ? 101 : net == 169 ? 254 : (uint8_t)draw(s, DOMAINS + 1);
	}
}

static void draw_talk(struct life *life, struct talk *talk)
{
	struct source *s = life->source;
	uint16_t domain;

	*talk = (struct talk){.tci = PKT_NO_VLAN};
	draw_ports_of(life, talk);
	talk->v6 = one_in(s, 4);
	talk->tos = draw_tos(s);
	if (one_in(s, 5))
		talk->tci = (uint16_t)(draw(s, 8) << 13 | draw(s, 3));
	/* A polite station sends nothing of a class that it was told to stop. */
	for (int i = 0; i < 8 && life->polite; i++) {
		if ((life->oracle.ports[talk->in].told >> prio_of(life, talk) & 1) == 0)
			break;
		talk->in = (uint16_t)draw(s, life->config.n_ports);
		talk->tos = draw_tos(s);
	}
	domain = life->ports[talk->in].domain;
	if (domain == SW_NO_DOMAIN || domain != life->ports[talk->out].domain)
		talk->routed = !one_in(s, 16);
	else
		talk->routed = one_in(s, 4);
	talk->want = draw_length(s);
	if (talk->want > life->ports[talk->out].mtu_bytes + HDR_ETH && !one_in(s, 16))
		talk->want = 62;
	station_ip(life, talk->src, talk->in, talk->from, talk->v6);
	station_ip(life, talk->dst, talk->out, talk->to, talk->v6);
	if (life->scans ? !one_in(s, 4) : one_in(s, 40))
		draw_strange_dst(life, talk);
}

/* Of a MAC that is nobody's, everybody's, or a bridge's own. */
static void spoil_macs(struct source *s, struct frame *f)
{
	static const uint8_t bridge[5] = {0x01, 0x80, 0xc2, 0, 0};

	switch (draw(s, 6)) {
	case 0:
		memcpy(f->bytes, bridge, 5);
		break;
	case 1:
		memset(f->bytes, 0xff, 6);
		break;
	case 2:
		f->bytes[0] |= 1;
		break;
	case 3:
		f->bytes[5] ^= 0x40; /* not known */
		break;
	case 4:
		memset(f->bytes + ETH_SRC, 0, 6);
		break;
	default: /* a new source: the table of MACs is small */
		f->bytes[ETH_SRC + 4] = (uint8_t)draw(s, 256);
		f->bytes[ETH_SRC + 3] = (uint8_t)draw(s, 256);
	}
}

/* The TTL that the switch may not pass on. */
static void spoil_ttl(struct source *s, const struct talk *talk, struct frame *f)
{
	uint16_t l3 = l2_l3_bytes(talk) - (talk->v6 ? HDR_IPV6 : HDR_IPV4);
	uint8_t ttl = (uint8_t)draw(s, 3);

	f->bytes[l3 + (talk->v6 ? IPV6_HOPS : IPV4_TTL)] = ttl;
}

static void draw_data(struct life *life, struct frame *f)
{
	static const uint8_t weights[] = {170, 16, 4, 2, 5, 0};
	struct source *s = life->source;
	struct talk talk;
	uint32_t kind = draw_weighted(s, weights);

	draw_talk(life, &talk);
	if (kind == 2)
		talk.routed = false;
	if (life->asks) {
		talk.in = life->hot;
		kind = 4;
	}
	if (kind == 0)
		put_roce(life, &talk, f);
	else if (kind == 1)
		put_other_ip(life, &talk, f);
	else if (kind == 2)
		put_rocev1(life, &talk, f);
	else if (kind == 3)
		put_ping(life, &talk, f);
	else
		put_neighbour(life, &talk, f);
	if (one_in(s, 40))
		spoil_macs(s, f);
	else if (kind == 0 && one_in(s, 200))
		spoil_ttl(s, &talk, f);
	f->port = talk.in;
}

void draw_frame(struct life *life, struct frame *f)
{
	static const uint8_t weights[] = {212, 6, 1, 37, 0};
	struct source *s = life->source;
	uint32_t kind = draw_weighted(s, weights);

	f->valid = kind != 3;
	if (kind == 1 || kind == 2) {
		f->port = (uint16_t)draw(s, life->config.n_ports);
		if (kind == 1)
			put_pfc(life, f);
		else
			put_mac_control(life, f);
		return;
	}
	draw_data(life, f);
	if (kind == 3)
		draw_mutant(life, f);
}

/* What was asked for is on that port; who asks is the gateway, or nobody known. */
void answer_frame(struct life *life, const struct answer *answer, struct frame *f)
{
	const struct sw_gen *gen = &answer->rec.gen;
	const uint8_t *ip = gen->dst_ip;
	struct talk talk = {.in = answer->port, .routed = true, .tci = PKT_NO_VLAN};

	talk.v6 = answer->rec.kind == SW_REC_NS;
	talk.from = talk.v6 ? ip[15] - 1u : ip[15] - 1u;
	talk.from %= STATIONS;
	memcpy(talk.src, ip, 16);
	memcpy(talk.dst, gen->src_ip, 16);
	if (gen->vid != PKT_NO_VLAN)
		talk.tci = gen->vid;
	if (talk.v6)
		put_nd(life, &talk, f, ICMPV6_NA);
	else
		put_arp(life, &talk, f, ARP_REPLY);
	f->port = answer->port;
	f->valid = true;
}
