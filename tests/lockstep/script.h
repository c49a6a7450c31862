/* SPDX-License-Identifier: BSD-3-Clause */
/* A lockstep script: what arrives at a 32-port switch and what control does, with times. Recorded
 * once (record.c, jitter of a real clock), then played to the virtual and the real-time driver and
 * to programs of other compilers: all must end in the same digest. */
#ifndef RY_TEST_LOCKSTEP_SCRIPT_H
#define RY_TEST_LOCKSTEP_SCRIPT_H

#include "dataplane/model/pipeline.h"
#include "dataplane/model/sw.h"
#include "dataplane/model/tables.h"

#include <stdint.h>

#define SCRIPT_PORTS 32
#define SCRIPT_RATE_BPS 200000000ULL
#define SCRIPT_MAX_FRAME 1600

enum script_type {
	SCRIPT_ROCE, /* lossless data, ECT(0) or not-ECT */
	SCRIPT_ROCE_V6,
	SCRIPT_LOSSY,     /* UDP, DSCP 0 */
	SCRIPT_ROUTED,    /* RoCE to the other subnet, through the router */
	SCRIPT_TAGGED,    /* RoCE with an 802.1Q tag */
	SCRIPT_BROADCAST, /* flooded */
	SCRIPT_ARP,       /* asks the gateway */
	SCRIPT_PING,      /* echo request to the gateway */
	SCRIPT_PFC,       /* the peer pauses us */
	SCRIPT_RUNT,
	SCRIPT_FRAMES, /* those above are frames, those below control */
	SCRIPT_HOLD = SCRIPT_FRAMES,
	SCRIPT_RELEASE,
	SCRIPT_LINK_DOWN,
	SCRIPT_LINK_UP,
	SCRIPT_SWAP,
	SCRIPT_SET,
};

struct script_event {
	uint64_t t_ps;
	uint16_t port;
	uint16_t type;   /* enum script_type */
	uint32_t random; /* what the frame or act is made from */
};

struct script {
	uint64_t n;
	struct script_event *events; /* by time, then port */
};

/* -errno on failure. */
int script_load(struct script *script, const char *file);
void script_free(struct script *script);

/* The frame of an event, without FCS; returns its length. bytes has SCRIPT_MAX_FRAME. */
uint32_t script_frame(const struct script_event *event, uint8_t *bytes);

/* The switch that all of it is about. ports: SCRIPT_PORTS of them. variant 0 or 1: what SET swaps
 * between. */
struct sw_config script_config(struct sw_port_config *ports, int variant);
/* What SWAP swaps between; the caller frees. */
struct sw_tables *script_tables(int variant);

#endif
