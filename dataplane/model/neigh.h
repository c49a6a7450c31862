/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours from inside: neigh_table.c (entries), neigh.c (frames that wait, questions) and
 * neigh_rx.c (ARP and ND that arrive). Owned by the switch; its thread.
 */
#ifndef RY_NEIGH_H
#define RY_NEIGH_H

#include "sw_int.h"

#define NEIGH_SIZE 4096u /* entries, power of two */
#define NEIGH_NONE UINT16_MAX
#define NEIGH_HOLD 4 /* frames that may wait for one */

/* PROBED: resolved and used as such, but silent for so long that it was asked again. */
enum neigh_state { NEIGH_FREE, NEIGH_WAITING, NEIGH_RESOLVED, NEIGH_PROBED, NEIGH_STATES };

struct neigh_entry {
	uint8_t ip[16];
	uint16_t domain;
	uint16_t scope;     /* the only port it may be behind; PKT_NO_PORT: any of the domain */
	uint16_t port, vid; /* resolved: where it is; waiting: vid is the one to ask in */
	uint8_t mac[6];
	uint8_t state; /* enum neigh_state: the list that it is in */
	uint8_t asked; /* times */
	uint8_t n_held;
	uint16_t chain;      /* next of the same hash */
	uint16_t prev, next; /* in the list of its state */
	uint64_t due_ps;     /* waiting, probed: when to ask again or give up */
	uint64_t heard_ps;   /* resolved: when it last spoke of itself */
	struct pkt *held, *held_last;
};

struct neigh_list {
	uint16_t first, last;
};

struct neigh {
	struct neigh_list lists
		[NEIGH_STATES]; /* waiting, probed: soonest due first; resolved: longest silent first */
	uint64_t ageing_ps;     /* 0 = never */
	uint64_t probe_from_ps; /* no resolved one is asked before */
	uint64_t next_ps;       /* when something is due, kept by neigh_set_state */
	uint16_t chains[NEIGH_SIZE];
	struct neigh_entry entries[NEIGH_SIZE];
};

/* ---- neigh_table.c ---- */

/* NULL when there is none. */
struct neigh_entry *neigh_find(const struct neigh *neigh, const uint8_t ip[16], uint16_t domain,
			       uint16_t scope);
/* An entry that waits and was not asked for yet. The resolved one that was confirmed longest ago
 * makes room; NULL when all wait. */
struct neigh_entry *neigh_create(struct neigh *neigh, const uint8_t ip[16], uint16_t domain,
				 uint16_t scope);
/* Takes it out of the table; it holds no frames any more. */
void neigh_forget(struct neigh *neigh, struct neigh_entry *entry);
/* Its address and domain are set: from now on it is found. */
void neigh_link(struct neigh *neigh, struct neigh_entry *entry);
/* Moves it to the end of that state's list; its times are set. */
void neigh_set_state(struct neigh *neigh, struct neigh_entry *entry, enum neigh_state state);
/* When the first of a state's list is due; SW_NEVER when it is empty. */
uint64_t neigh_due(const struct neigh *neigh, enum neigh_state state);
/* Times that hold for all have changed. */
void neigh_reschedule(struct neigh *neigh);

/* Its MAC and port are known. */
static inline bool neigh_known(const struct neigh_entry *entry)
{
	return entry->state >= NEIGH_RESOLVED;
}

/* ---- neigh.c ---- */

/* One more frame waits for it. */
void neigh_keep(struct neigh_entry *entry, struct pkt *pkt);

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
