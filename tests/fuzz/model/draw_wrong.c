/* SPDX-License-Identifier: BSD-3-Clause */
/* Configurations that must be refused: one thing of a good one is made wrong. */
#include "life.h"

#include <string.h>

#define GBPS 1000000000ULL
#define MOST_BYTES (1ULL << 40)

static void spoil_qos(struct source *s, struct sw_qos *qos)
{
	uint8_t *const maps[] = {qos->dscp_to_prio, qos->pcp_to_prio, qos->prio_to_pg,
				 qos->prio_to_queue, qos->pfc_to_queue};
	uint64_t *const times[] = {&qos->watchdog.detect_ps, &qos->watchdog.restore_ps,
				   &qos->watchdog.poll_ps};
	uint32_t what = draw(s, 7);

	if (what == 6) {
		qos->watchdog.on = true;
		*draw_of(s, times) =
			one_in(s, 2) ? draw(s, 1000000) : 3600000000000001 + draw(s, 9);
	} else if (what == 5) {
		qos->trust = SW_TRUST_PCP + 1 + draw(s, 5);
	} else {
		maps[what][draw(s, SW_PRIOS)] = (uint8_t)draw_between(s, SW_PRIOS, 255);
	}
}

static void spoil_sched(struct source *s, struct sw_qos *qos)
{
	qos->sched[draw(s, SW_PRIOS)] =
		(struct sw_sched){.weight = one_in(s, 2) ? 0 : (uint8_t)draw_between(s, 101, 255)};
}

static void spoil_red(struct source *s, struct sw_qos *qos)
{
	struct sw_ecn *ecn = &qos->ecn[draw(s, SW_PRIOS)];

	*ecn = (struct sw_ecn){.on = true};
	switch (draw(s, 5)) {
	case 0:
		ecn->min_bytes = 1 + draw(s, 1000000);
		break;
	case 1:
		ecn->max_bytes = MOST_BYTES + 1 + draw(s, 1000000);
		break;
	case 2:
		ecn->probability_ppb = 1000000001 + draw(s, 1000);
		break;
	case 3:
		ecn->drop = (struct sw_wred){.on = true, .min_bytes = 1};
		break;
	default:
		ecn->drop = (struct sw_wred){.on = true, .probability_ppb = UINT32_MAX};
	}
}

static void spoil_buffer(struct source *s, struct sw_buffer *b)
{
	uint64_t *const sizes[] = {&b->size_bytes, &b->reserved_bytes, &b->headroom_pool_bytes,
				   &b->xon_offset_bytes};
	uint32_t what = draw(s, 8);

	if (what < 4)
		*sizes[what] = MOST_BYTES + 1 + (one_in(s, 2) ? draw64(s) >> 2 : 0);
	else if (what == 4)
		b->cell_bytes = one_in(s, 2) ? 0 : draw_between(s, 16385, 1000000);
	else if (what == 5)
		b->alpha_q16 = one_in(s, 2) ? 0 : (1024 << 16) + 1 + draw(s, 1000);
	else if (what == 6)
		b->lossy_alpha_q16 = one_in(s, 2) ? 0 : (1024 << 16) + 1 + draw(s, 1000);
	else
		b->size_bytes = draw(s, 80); /* less than one frame */
}

static void spoil_port(struct source *s, struct sw_port_config *port)
{
	switch (draw(s, 7)) {
	case 0:
		port->rate_bps = draw(s, 1000);
		break;
	case 1:
		port->rate_bps = 8000 * GBPS + 1 + (draw64(s) >> 1);
		break;
	case 2:
		port->mtu_bytes = draw(s, 68);
		break;
	case 3:
		port->mtu_bytes = 65001 + draw(s, 1000000);
		break;
	case 4:
		port->overhead_bytes = 1001 + draw(s, 1000000);
		break;
	case 5:
		port->headroom_bytes = MOST_BYTES + 1;
		break;
	default:
		port->edge = true;
		port->edge_bytes = port->mtu_bytes + 17;
	}
}

/* What a running switch cannot change; a new one may well have it. */
static void spoil_shape(struct life *life, struct sw_config *c, struct sw_port_config *ports)
{
	struct source *s = life->source;
	struct sw_port_config *port = &ports[draw(s, c->n_ports)];

	switch (draw(s, 6)) {
	case 0:
		c->name[0] ^= 1;
		break;
	case 1:
		c->seed++;
		break;
	case 2:
		c->fdb_size = c->fdb_size == 8 ? 16 : 8;
		break;
	case 3:
		c->digest = !c->digest;
		break;
	case 4:
		port->name[1] ^= 1;
		break;
	default:
		c->latency = !c->latency;
	}
}

static void spoil_switch(struct source *s, struct sw_config *c, struct sw_port_config *ports)
{
	switch (draw(s, 6)) {
	case 0:
		c->latency_ps = 1000000000001 + draw(s, 1000);
		break;
	case 1:
		c->fdb_ageing_ps = 1000000000000000001 + draw(s, 1000);
		break;
	case 2:
		c->neigh_ageing_ps = UINT64_MAX - draw(s, 1000);
		break;
	case 3:
		c->fdb_size = one_in(s, 2) ? 3 + 2 * draw(s, 1000) : 1u << draw_between(s, 25, 31);
		break;
	case 4:
		c->n_ports = one_in(s, 2) ? 0 : PKT_NO_PORT;
		break;
	default:
		if (c->n_ports < 2)
			c->n_ports = 0;
		else
			memcpy(ports[1].name, ports[0].name, SW_NAME);
	}
}

void draw_wrong_config(struct life *life, struct sw_config *c, struct sw_port_config *ports)
{
	struct source *s = life->source;

	c->ports = ports;
	switch (draw(s, 7)) {
	case 0:
		spoil_qos(s, &c->qos);
		break;
	case 1:
		spoil_sched(s, &c->qos);
		break;
	case 2:
		spoil_red(s, &c->qos);
		break;
	case 3:
		spoil_buffer(s, &c->buffer);
		break;
	case 4:
		spoil_port(s, &ports[draw(s, c->n_ports)]);
		break;
	case 5:
		spoil_switch(s, c, ports);
		break;
	default:
		spoil_shape(life, c, ports);
	}
}
