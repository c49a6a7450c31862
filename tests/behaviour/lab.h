/* SPDX-License-Identifier: BSD-3-Clause */
/* A switch between scripted hosts, in virtual time: what the behaviour tests are written on.
 *
 *	struct lab lab;
 *	lab_open(&lab, "topology: {kind: star, hosts: 3}\n"        // the rest of a scenario file
 *		       "switch: {preset: azure}\n");
 *	uint32_t f = lab_flow(&lab, (struct lab_flow){.src = 1, .dst = 3, .dscp = 3, .len = 1024});
 *	lab_hold(&lab, 3, true);
 *	lab_to(&lab, lab.now + LAB_MS);
 *	CU_ASSERT_EQUAL(lab_drops(&lab), 0);
 *	lab_close(&lab);               // the accounting closed, every frame came back
 *
 * The switch is s1 of the scenario, made by the same code as `railyard check` and railyardd; hosts
 * are numbered from 1 as in the file (host k is at port s1-hk); their MACs and addresses are
 * installed. A host
 * serialises what its flows offer at its link's rate, keeps a class still from `pfc_response` after
 * the last bit of a PFC frame has arrived until the quanta are over, and goes on with the frame that
 * it is in the middle of. The cable's delay is on both ways; a frame has arrived with its last bit. A
 * host checks what it gets: the IPv4 checksum, the ICRC if asked, and every PFC frame as bytes.
 *
 * Times ps, lengths bytes without FCS. Control acts at lab.now. One thread.
 */
#ifndef RY_TEST_LAB_H
#define RY_TEST_LAB_H

#include "control/fabric.h"
#include "dataplane/model/sw_int.h"
#include "dataplane/sim/sim.h"

#include <CUnit/CUnit.h>

#define LAB_NS 1000ULL
#define LAB_US 1000000ULL
#define LAB_MS 1000000000ULL
#define LAB_S 1000000000000ULL

/* What a host offers. Frames of a flow have its number in IPv4's identification, count PSNs,
 * and say in the six bytes after the BTH when they were sent. */
struct lab_flow {
	uint16_t src, dst; /* hosts, from 1 */
	uint8_t dscp, ecn;
	uint16_t len;
	bool tagged;           /* with an 802.1Q tag, inside len: VLAN 0 and pcp */
	uint8_t pcp;
	bool routed;           /* to the switch's own MAC: it routes */
	uint8_t to[4];         /* routed, to this address; dst is 0 and may be any host */
	uint16_t sport;        /* 0 = one of its own */
	uint32_t qp;
	bool deaf;             /* goes on when its class is paused, as a packet generator does */
	uint32_t load_ppm;     /* of the link, overhead included; 0 = back to back */
	uint64_t start_ps;     /* 0 = now */
	uint64_t stop_ps;      /* offers nothing from then on; 0 = never */
	uint64_t count;        /* frames; 0 = no end */
	/* The lab's: */
	uint8_t prio;
	uint64_t due_ps;
	uint64_t sent, received, received_ce;
	uint64_t out_of_order; /* frames that came after a later one, or twice */
	uint32_t next_psn;
	uint64_t first_ps, last_ps; /* arrival at dst */
	uint64_t least_ps, most_ps, sum_ps; /* from the first bit sent to the last received */
	uint32_t next;              /* of the same host */
};

/* Frames given as bytes that a host sends in time, ahead of its flows: PFC, pause, nonsense. */
struct lab_storm {
	uint16_t host;
	uint8_t bytes[SW_MIN_FRAME];
	uint64_t period_ps;
	uint64_t start_ps, stop_ps; /* as a flow's */
	uint64_t count;
	uint64_t on_ps, off_ps; /* a duty cycle; on 0 = always */
	/* The lab's: */
	uint64_t due_ps, sent;
	uint32_t next;
};

/* A record of the switch, as a capture at its port shows it. */
struct lab_rec {
	uint64_t t_ps;
	uint16_t host; /* whose port it leaves by */
	uint16_t len;
	uint8_t kind; /* enum sw_rec_kind */
	uint8_t tos, ttl, queue;
	uint32_t flow, psn;
	struct sw_gen gen;
};

struct lab_item { /* on a cable */
	uint64_t at_ps;
	uint32_t what, psn; /* a flow, or a storm (lab_host.c) */
	uint8_t vector;
	uint16_t quanta[SW_PRIOS];
};

struct lab_cable {
	struct lab_item *items;
	uint32_t head, tail, size; /* size is a power of two */
};

struct lab_host {
	uint64_t free_ps; /* its link */
	uint32_t rem;
	uint64_t delay_ps, response_ps;
	struct wire wire;
	uint32_t overhead_bytes;
	uint64_t paused_until[SW_PRIOS];
	uint64_t pfc_seen[SW_PRIOS]; /* PFC frames with the class's bit */
	uint64_t last_pfc_ps;        /* when the switch sent the last one */
	uint64_t data_seen;
	uint32_t flows, storms; /* first of the list; LAB_NONE */
	struct lab_cable out, in;
};

#define LAB_NONE UINT32_MAX

struct lab {
	struct scenario scenario;
	struct fabric fabric;
	struct sw_tables *tables;
	struct sim_node *node;
	char *text;
	char *sets[64];
	uint32_t n_sets;
	uint64_t now, lookahead_ps;
	uint16_t n_hosts;
	struct due due;         /* hosts, from 0 */
	struct lab_host *hosts; /* [1..n_hosts] */
	struct lab_flow *flows; /* [0..n_flows): may move when one is added */
	struct lab_storm *storms;
	uint32_t n_flows, n_storms;
	bool keep; /* records, from now on */
	bool icrc; /* frames have one, and must arrive with it whole (it costs time) */
	struct lab_rec *recs;
	uint32_t n_recs, cap_recs;
	struct sw_stats stats;
	struct sw_port_stats *port_stats;
	uint8_t *frame; /* room for the longest */
};

/* ---- lab.c: the switch and time ---- */

void lab_open(struct lab *lab, const char *scenario);
/* Drains, checks the accounting and that every packet came back. */
void lab_close(struct lab *lab);
/* PATH=VALUE, as `railyard set`. */
void lab_set(struct lab *lab, const char *assignment);
/* -errno when it is refused; nothing has changed then. */
int lab_try_set(struct lab *lab, const char *assignment);
void lab_hold(struct lab *lab, uint16_t host, bool hold);
void lab_link(struct lab *lab, uint16_t host, bool up);
void lab_clear(struct lab *lab); /* watermarks */
/* Everything before t happens. */
void lab_to(struct lab *lab, uint64_t t_ps);
void lab_for(struct lab *lab, uint64_t ps);
/* Until nobody has anything to do; flows and storms must have an end, and no xoff may stand. */
void lab_settle(struct lab *lab);

/* ---- lab_host.c: what hosts do ---- */

uint32_t lab_flow(struct lab *lab, struct lab_flow flow);
uint32_t lab_storm(struct lab *lab, struct lab_storm storm);
/* n frames (at least one), back to back and deaf, from now; returns when the switch has them. */
uint32_t lab_burst(struct lab *lab, uint16_t src, uint16_t dst, uint8_t dscp, uint16_t len,
		   uint64_t n);
/* A PFC frame: quanta for every class of the low byte of vector. */
void lab_pfc_bytes(uint8_t bytes[SW_MIN_FRAME], uint16_t vector, uint16_t quanta);
/* One of them from a host, now; returns when the switch has it. */
void lab_pfc(struct lab *lab, uint16_t host, uint16_t vector, uint16_t quanta);
/* n frames of any bytes from a host, back to back; returns when the switch has them. */
void lab_raw(struct lab *lab, uint16_t host, const uint8_t bytes[SW_MIN_FRAME], uint64_t n);
/* The pause that keeps a class still for good: two frames in the time of full quanta. */
uint64_t lab_storm_period(const struct lab *lab, uint16_t host);
/* How long a host's link takes for a frame. */
uint64_t lab_wire_ps(const struct lab *lab, uint16_t host, uint32_t len);
uint64_t lab_quanta_ps(const struct lab *lab, uint16_t host, uint32_t quanta);

/* ---- between lab.c, lab_host.c, lab_receive.c and lab_frame.c ---- */

void lab_host_event(struct lab *lab, uint16_t host);
void lab_host_plan(struct lab *lab, uint16_t host);
void lab_host_receives(struct lab *lab, const struct sw_rec *rec);
struct lab_item *lab_cable_put(struct lab_cable *cable);
/* Into lab->frame; returns its length. */
uint16_t lab_put_frame(const struct lab *lab, uint32_t flow, uint32_t psn, uint64_t sent_ps);
bool lab_intact(const struct lab *lab, const struct pkt *pkt);
bool lab_valid_pfc(const struct lab *lab, const struct sw_rec *rec);

/* ---- lab.c: reading, at lab.now ---- */

const struct sw_stats *lab_stats(struct lab *lab);
const struct sw_port_stats *lab_port(struct lab *lab, uint16_t host);
const struct sw_pg_stats *lab_pg(struct lab *lab, uint16_t host, int pg);
const struct sw_queue_stats *lab_queue(struct lab *lab, uint16_t host, int queue);
uint64_t lab_prio(struct lab *lab, uint16_t host, enum sw_prio_counter counter, int prio);
uint64_t lab_drops(struct lab *lab);
/* Sum over all classes of PFC frames sent by a host's port. */
uint64_t lab_pfc_tx(struct lab *lab, uint16_t host);

#endif
