/* SPDX-License-Identifier: BSD-3-Clause */
/* Configurations: mostly of the kind that people have, some at every edge of what is allowed. */
#include "life.h"

#include "pipelines/registry.h"

#include <stdio.h>
#include <string.h>

#define GBPS 1000000000ULL

static uint64_t draw_rate(struct source *s)
{
	static const uint64_t rates[] = {10000000,   GBPS,       10 * GBPS,   25 * GBPS,
					 100 * GBPS, 400 * GBPS, 2880 * GBPS, 8000 * GBPS};

	return one_in(s, 8) ? 1000000 + draw64(s) % (400 * GBPS) : draw_of(s, rates);
}

static uint32_t draw_cell(struct source *s)
{
	static const uint32_t cells[] = {1, 64, 80, 128, 144, 208, 254, 256};

	return one_in(s, 4) ? draw_between(s, 1, 256) : draw_of(s, cells);
}

static uint32_t draw_alpha(struct source *s)
{
	static const uint32_t edges[] = {1, 1 << 8, 1024 << 16};

	/* 1/128 .. 8 in powers of two. */
	return one_in(s, 24) ? draw_of(s, edges) : 1u << draw_between(s, 10, 19);
}

static uint64_t draw_knee(struct source *s)
{
	static const uint32_t most[] = {1, 2000, 20000, 200000, 2000000};

	return draw(s, draw_of(s, most));
}

static uint32_t draw_ppb(struct source *s)
{
	static const uint32_t edges[] = {0, 1, 10000000, 200000000, 999999999, 1000000000};

	return one_in(s, 2) ? draw_of(s, edges) : draw(s, 1000000001);
}

static void draw_ecn(struct source *s, struct sw_ecn *ecn)
{
	ecn->on = !one_in(s, 3);
	ecn->at_enqueue = one_in(s, 2);
	ecn->drop_not_ect = one_in(s, 4);
	ecn->min_bytes = draw_knee(s);
	ecn->max_bytes = ecn->min_bytes + (one_in(s, 6) ? 0 : draw_knee(s));
	ecn->probability_ppb = draw_ppb(s);
	ecn->drop.on = one_in(s, 6);
	ecn->drop.min_bytes = draw_knee(s);
	ecn->drop.max_bytes = ecn->drop.min_bytes + (one_in(s, 6) ? 0 : draw_knee(s));
	ecn->drop.probability_ppb = draw_ppb(s);
}

static void draw_red(struct source *s, struct sw_qos *qos)
{
	bool any = !one_in(s, 4);

	for (int q = 0; q < SW_PRIOS; q++) {
		qos->ecn[q].on = qos->ecn[q].drop.on = false;
		if (any && one_in(s, 2))
			draw_ecn(s, &qos->ecn[q]);
	}
}

static void draw_sched(struct source *s, struct sw_qos *qos)
{
	for (int q = 0; q < SW_PRIOS; q++)
		qos->sched[q] = (struct sw_sched){.strict = one_in(s, 4),
						  .weight = (uint8_t)draw_between(s, 1, 100)};
}

static void draw_map(struct source *s, uint8_t map[SW_PRIOS])
{
	bool identity = !one_in(s, 3);

	for (uint8_t p = 0; p < SW_PRIOS; p++)
		map[p] = identity ? p : (uint8_t)draw(s, SW_PRIOS);
}

static void draw_watchdog(struct source *s, struct sw_watchdog *w)
{
	static const uint64_t times[] = {1000000,    3333333,     10000000,
					 1000000000, 10000000000, 200000000000};

	*w = (struct sw_watchdog){.on = one_in(s, 2),
				  .forward = one_in(s, 3),
				  .idle_counts = one_in(s, 2),
				  .detect_ps = draw_of(s, times),
				  .restore_ps = draw_of(s, times),
				  .poll_ps = draw_of(s, times)};
}

static void draw_maps(struct source *s, struct sw_qos *qos)
{
	static const uint8_t masks[] = {0x08, 0x08, 0x18, 0x18, 0x00, 0xff};
	bool usual = !one_in(s, 3);

	qos->trust = one_in(s, 4) ? SW_TRUST_PCP : SW_TRUST_DSCP;
	for (int d = 0; d < 64; d++)
		qos->dscp_to_prio[d] = usual ? d / 8 : (uint8_t)draw(s, SW_PRIOS);
	draw_map(s, qos->pcp_to_prio);
	draw_map(s, qos->prio_to_pg);
	draw_map(s, qos->prio_to_queue);
	draw_map(s, qos->pfc_to_queue);
	qos->pfc_mask = one_in(s, 5) ? (uint8_t)draw(s, 256) : draw_of(s, masks);
	qos->pfc_asymmetric = one_in(s, 4);
	draw_watchdog(s, &qos->watchdog);
}

static uint64_t draw_ageing(struct source *s)
{
	static const uint64_t times[] = {0, 0, 1, 17000000000, 1000000000000, 300000000000000};

	return draw_of(s, times);
}

static void draw_switch(struct source *s, struct sw_config *c)
{
	static const uint64_t latencies[] = {0, 0, 500000, 1000000, 3};

	c->latency_ps = one_in(s, 12) ? draw64(s) % 100000000 : draw_of(s, latencies);
	c->hash_fields = draw(s, 64);
	c->hash_seed = draw64(s);
	c->router_mac[4] = one_in(s, 4);
	c->fdb_ageing_ps = draw_ageing(s);
	c->neigh_ageing_ps = draw_ageing(s);
}

static uint32_t draw_mtu(struct source *s)
{
	static const uint32_t mtus[] = {9000, 9000, 9000, 4200, 4200, 1500, 1500, 1500};

	if (one_in(s, 24))
		return draw_between(s, 68, 300);
	return one_in(s, 40) ? 65000 : draw_of(s, mtus);
}

static void draw_port(struct source *s, struct sw_port_config *port, uint64_t rate_bps)
{
	static const uint32_t overheads[] = {24, 24, 20, 0};
	static const uint32_t headrooms[] = {20000, 100000, 20000, 300, 0};
	static const uint16_t domains[] = {0, 0, 0, 0, 1, 1, SW_NO_DOMAIN};

	port->rate_bps = rate_bps;
	port->overhead_bytes = one_in(s, 8) ? draw(s, 1001) : draw_of(s, overheads);
	port->mtu_bytes = draw_mtu(s);
	port->headroom_bytes = draw_of(s, headrooms);
	port->domain = draw_of(s, domains);
	port->pfc = !one_in(s, 7);
	port->edge_bytes = port->mtu_bytes + 18 + draw_knee(s);
}

static void draw_ports(struct life *life)
{
	static const uint8_t wide[] = {2, 2, 3, 4, 5, 8, 16, 32};
	struct source *s = life->source;
	uint64_t rate = draw_rate(s);
	bool mixed = one_in(s, 3), edges = one_in(s, 4);

	life->config.n_ports = one_in(s, 4) ? draw_between(s, 1, LIFE_PORTS) : draw_of(s, wide);
	for (uint16_t i = 0; i < life->config.n_ports; i++) {
		struct sw_port_config *port = &life->ports[i];

		draw_port(s, port, mixed ? draw_rate(s) : rate);
		port->edge = edges && one_in(s, 2);
		port->down = one_in(s, 40);
		for (int k = 0; k < 6; k++)
			port->mac[k] = (uint8_t)(k == 0 ? 2 : k == 3 ? 2 : k == 5 ? i : 0);
		/* Not in name order. */
		snprintf(port->name, SW_NAME, "s1-h%02u", (i * 7 + 3) % LIFE_PORTS);
	}
}

/* The least size that is accepted, by asking. */
static uint64_t least_size(struct sw_config *c)
{
	uint64_t low = 0, high = 1ULL << 40;

	while (low < high) {
		struct err err = {0};

		c->buffer.size_bytes = (low + high) / 2;
		if (sw_config_check(c, &err) == 0)
			high = c->buffer.size_bytes;
		else
			low = c->buffer.size_bytes + 1;
	}
	return low;
}

static void draw_buffer(struct source *s, struct sw_config *c)
{
	static const uint32_t reserves[] = {0, 0, 1000, 4096};
	static const uint32_t offsets[] = {0, 3072, 3072, 100000};
	static const uint32_t rooms[] = {1, 20000, 100000, 300000, 300000, 1000000};
	struct sw_buffer *b = &c->buffer;

	b->cell_bytes = draw_cell(s);
	b->alpha_q16 = draw_alpha(s);
	b->lossy_alpha_q16 = draw_alpha(s);
	b->reserved_bytes = draw_of(s, reserves);
	b->xon_offset_bytes = draw_of(s, offsets);
	b->headroom_pool_bytes = one_in(s, 3) ? draw_between(s, 1, 100000) : 0;
	b->size_bytes = least_size(c) + draw_of(s, rooms);
}

void draw_config(struct life *life)
{
	static const uint32_t sizes[] = {0, 1, 4, 16, 64, 256};
	struct source *s = life->source;
	struct sw_config *c = &life->config;

	*c = (struct sw_config){.name = "s1",
				.seed = draw64(s),
				.router_mac = {2, 0, 0, 0, 0, 0xfe},
				.fdb_size = draw_of(s, sizes),
				.ports = life->ports,
				.digest = !one_in(s, 3),
				.latency = one_in(s, 2)};
	life->pipeline = pipeline_by_name(one_in(s, 4) ? "lossy" : "lossless");
	draw_ports(life);
	draw_maps(s, &c->qos);
	draw_sched(s, &c->qos);
	draw_red(s, &c->qos);
	draw_switch(s, c);
	draw_buffer(s, c);
}

/* ---- changes under traffic ---- */

static void change_port(struct life *life, struct sw_port_config *ports)
{
	struct source *s = life->source;
	struct sw_port_config *port = &ports[draw(s, life->config.n_ports)];
	uint16_t domain = port->domain;

	draw_port(s, port, one_in(s, 2) ? port->rate_bps : draw_rate(s));
	if (!one_in(s, 8))
		port->domain = domain;
	port->edge ^= one_in(s, 4);
}

static void change_buffer(struct source *s, struct sw_config *c)
{
	struct sw_buffer *b = &c->buffer;

	switch (draw(s, 6)) {
	case 0:
		b->cell_bytes = draw_cell(s);
		break;
	case 1:
		b->alpha_q16 = draw_alpha(s);
		break;
	case 2:
		b->lossy_alpha_q16 = draw_alpha(s);
		break;
	case 3: /* may be below what is in use */
		b->size_bytes = least_size(c) + draw(s, 200000);
		break;
	case 4:
		b->headroom_pool_bytes = one_in(s, 2) ? 0 : draw_between(s, 1, 100000);
		break;
	default:
		draw_buffer(s, c);
	}
}

void draw_change(struct life *life, struct sw_config *c, struct sw_port_config *ports)
{
	struct source *s = life->source;

	c->ports = ports;
	switch (draw(s, 8)) {
	case 0:
	case 1:
		change_port(life, ports);
		break;
	case 2:
	case 3:
		change_buffer(s, c);
		break;
	case 4:
		if (one_in(s, 2))
			draw_watchdog(s, &c->qos.watchdog);
		else
			draw_maps(s, &c->qos);
		break;
	case 5:
		draw_sched(s, &c->qos);
		break;
	case 6:
		draw_red(s, &c->qos);
		break;
	default:
		draw_switch(s, c);
	}
}
