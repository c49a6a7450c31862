/* SPDX-License-Identifier: BSD-3-Clause */
/* A busy switch for the tests of checkpoints: everything that a switch can have is on, and acts drawn
 * from a seed happen to one or several benches alike. Include after rig.h. */
#ifndef RY_TEST_CHECKPOINT_BUSY_H
#define RY_TEST_CHECKPOINT_BUSY_H

#include "dataplane/model/hdr.h"
#include "rig.h"

#include <stdio.h>
#include <string.h>

#define BUSY_PORTS 5

static void busy_init(struct rig *rig, const char *pipeline)
{
	rig_init(rig, BUSY_PORTS);
	rig->pipeline = pipeline;
	rig->recount_every = 0;
	rig->config.latency = true;
	rig->config.latency_ps = 300 * RIG_NS;
	rig->config.fdb_ageing_ps = 200 * RIG_MS;
	rig->config.neigh_ageing_ps = 3 * RIG_MS;
	rig->config.buffer.size_bytes = 120000;
	rig->config.buffer.headroom_pool_bytes = 30000;
	rig->config.buffer.cell_bytes = 64;
	rig->config.qos.watchdog = (struct sw_watchdog){.on = true,
							.detect_ps = 100 * RIG_US,
							.restore_ps = 50 * RIG_US,
							.poll_ps = 20 * RIG_US};
	rig->config.qos.ecn[3] = (struct sw_ecn){
		.on = true, .min_bytes = 3000, .max_bytes = 30000, .probability_ppb = 200000000};
	rig->config.qos.ecn[1] = (struct sw_ecn){.on = true,
						 .at_enqueue = true,
						 .drop_not_ect = true,
						 .min_bytes = 3000,
						 .max_bytes = 30000,
						 .probability_ppb = 200000000,
						 .drop = {.on = true,
							  .min_bytes = 5000,
							  .max_bytes = 40000,
							  .probability_ppb = 100000000}};
	rig->config.qos.sched[7].strict = true;
	rig->config.qos.sched[2].weight = 5;
	for (int i = 0; i < BUSY_PORTS; i++) {
		rig->ports[i].rate_bps =
			i == 0 ? 2880000000 : 1000000000; /* a byte's time has a rest */
		rig->ports[i].edge_bytes = 20000;
		rig->ports[i].edge = i < 2;
		rig->ports[i].domain = i == 4;
	}
}

/* To 10.0.0.HOST through the router. */
static struct pkt *busy_routed(struct rig *rig, uint16_t in, uint8_t host, uint8_t dscp)
{
	static const uint8_t router[6] = {2, 0, 0, 0, 0, 0xfe};
	struct pkt *pkt = rig_frame(rig, in, 0, dscp, 2, 300);

	memcpy(pkt->data, router, 6);
	pkt->data[HDR_ETH + IPV4_DST + 3] = host;
	return pkt;
}

/* 10.0.0.HOST, at a port, asks for the gateway or answers it. */
static struct pkt *busy_arp(struct rig *rig, uint16_t port, uint8_t host, bool question)
{
	uint8_t bytes[60] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2,  0, 0, 9,   0,
			     host, 8,    6,    0,    1,    8,    0,  6, 4, 0,   question ? 1 : 2,
			     2,    0,    0,    9,    0,    host, 10, 0, 0, host};

	(void)port;
	bytes[HDR_ETH + ARP_TPA] = 10;
	bytes[HDR_ETH + ARP_TPA + 3] = 254;
	if (!question)
		memcpy(bytes, (uint8_t[6]){2, 0, 0, 0, 0, 0xfe}, 6);
	return rig_raw(rig, bytes, 60);
}

static void busy_ping(uint8_t *ip)
{
	ip[IPV4_PROTO] = PROTO_ICMP;
	ip[IPV4_SRC + 3] = 7;
	ip[IPV4_DST + 3] = 254;
	ip[HDR_IPV4] = ICMP_ECHO_REQUEST;
}

static struct pkt *busy_frame(struct rig *rig, uint64_t dice, uint16_t in)
{
	uint8_t dscp = dice >> 8 & 7, host = dice >> 12 & 7;
	struct pkt *pkt;

	switch (dice % 16) {
	case 0:
		return busy_routed(rig, in, 50 + host, dscp); /* nobody answers for it yet */
	case 1:
	case 2:
		return busy_arp(rig, in, 50 + host % 6, dice >> 16 & 1);
	case 3:
		pkt = busy_routed(rig, in, 254, dscp);
		busy_ping(pkt->data + HDR_ETH);
		return pkt;
	case 4:
		return rig_frame(rig, in, 20 + host, dscp, 2, 100); /* flooded */
	case 5:
		return rig_frame(rig, 20 + host, (in + 1) % BUSY_PORTS, dscp, 2, 100);
	default:
		return rig_frame(rig, in, host % BUSY_PORTS == in ? 4 - in : host % BUSY_PORTS,
				 dscp, dice >> 16 & 3, 60 + (dice >> 20) % 1400);
	}
}

static void busy_set(struct rig *rig, uint64_t t_ps, uint64_t dice)
{
	struct sw_config *c = &rig->config;

	switch (dice % 8) {
	case 0:
		rig->ports[0].edge = dice >> 8 & 1;
		break;
	case 1:
		rig->ports[2].edge = dice >> 8 & 1;
		break;
	case 2:
		c->fdb_ageing_ps = dice >> 8 & 1 ? 30 * RIG_MS : 200 * RIG_MS;
		break;
	case 3:
		c->neigh_ageing_ps = dice >> 8 & 1 ? RIG_MS : 3 * RIG_MS;
		break;
	case 4:
		c->qos.ecn[3].min_bytes = 2000 + (dice >> 8) % 2000;
		break;
	case 5:
		c->buffer.cell_bytes = dice >> 8 & 1 ? 64 : 256;
		break;
	case 6:
		c->qos.watchdog.forward = dice >> 8 & 1;
		c->qos.watchdog.on = (dice >> 9 & 3) != 0;
		break;
	default:
		c->latency_ps = (dice >> 8) % 500 * RIG_NS;
		break;
	}
	rig_set(rig, t_ps);
}

/* One thing happens at t. */
static void busy_act(struct rig *rig, uint64_t t_ps, uint64_t dice)
{
	uint16_t port = dice >> 32 & 3;

	if (dice % 100 < 78)
		rig_one(rig, t_ps, port, busy_frame(rig, dice >> 8, port));
	else if (dice % 100 < 84)
		rig_pfc(rig, t_ps, port, dice >> 40 & 0x18, dice >> 48 & 0x1ff);
	else if (dice % 100 < 88)
		rig_hold(rig, t_ps, port, dice >> 40 & 1);
	else if (dice % 100 < 90)
		rig_link(rig, t_ps, port, (dice >> 40 & 3) != 0);
	else if (dice % 100 < 94)
		busy_set(rig, t_ps, dice >> 40);
	else if (dice % 100 == 94) {
		rig_to(rig, t_ps);
		sw_install(rig->sw, t_ps, rig->tables);
	} else if (dice % 100 == 95)
		sw_clear_watermarks(rig->sw, t_ps);
	else
		rig_to(rig, t_ps);
}

/* The gap to the next act: mostly a frame's time, now and then long enough for what is rare. */
static uint64_t busy_gap(uint64_t dice)
{
	if (dice % 200 == 0)
		return dice >> 8 & 0xffffffff; /* up to 4 ms */
	return (dice >> 8) % (700 * RIG_NS);
}

#endif
