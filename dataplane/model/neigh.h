/* SPDX-License-Identifier: BSD-3-Clause */
/* Between neigh.c (the table, frames that wait) and neigh_rx.c (ARP and ND that arrive). */
#ifndef RY_NEIGH_H
#define RY_NEIGH_H

#include "sw_int.h"

/* What a message says: ip is at mac, on the port and VLAN that the message came by. */
struct neigh_fact {
	uint8_t ip[16], mac[6];
	uint16_t domain, port, vid;
	bool create;   /* meant for us: worth an entry; else only an entry that exists is changed */
	bool override; /* may change the MAC of a resolved entry (RFC 4861, 4.4) */
};

/* Believes it (or not: addresses of our own, groups, what installed entries say already), and sends
 * the frames that waited for it. */
void neigh_learn(struct sw *sw, uint64_t t_ps, const struct neigh_fact *fact);

/* Whether ip is known to be behind this port. */
bool neigh_is_behind(const struct sw *sw, const uint8_t ip[16], uint16_t domain, uint16_t port);

#endif
