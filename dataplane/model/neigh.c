/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours: (address, domain) to MAC and port, and the frames that wait until one is known.
 *
 * An entry waits or is resolved. One that waits has been asked for: at once, then each second, three
 * times in all; a second after the last its frames are dropped and it is gone, so that a later frame
 * starts anew. It holds 4 frames. Every wait is a second long, so those that wait, in the order they
 * asked, are sorted by time: no heap.
 *
 * The scope of an entry is its domain or, where the route names the port of the next hop, that port
 * alone: two uplinks may lead to the same address. Static neighbours of the snapshot win.
 *
 * A resolved neighbour that has said nothing for the ageing time is probed: asked three times again, and
 * used all the while, since a frame that had to wait for the answer would be late for nothing. Only one
 * that does not answer goes. Probes of several are a millisecond apart, so that a shorter ageing time
 * does not make a burst of them. A resolved entry also goes with its port or, when all are in use, when
 * a new one needs the place of the one that has been silent for longest.
 */
#include "neigh.h"
#include "addr.h"

#define NEIGH_ASKS 3
#define NEIGH_WAIT_PS 1000000000000 /* 1 s */
#define NEIGH_GAP_PS 1000000000     /* 1 ms */

/* ---- asking ---- */

/* An address of the router MAC's own (RFC 4291, appendix A), for domains without a gateway. */
static void link_local_of(uint8_t ip[16], const uint8_t mac[6])
{
	const uint8_t own[16] = {0xfe,       0x80,   0,      0,    0,    0,      0,      0,
				 mac[0] ^ 2, mac[1], mac[2], 0xff, 0xfe, mac[3], mac[4], mac[5]};

	memcpy(ip, own, 16);
}

/* Asked from the gateway's address in that domain; without one ARP asks as a probe does, from
 * 0.0.0.0 (RFC 5227). */
static void fill_question(const struct sw *sw, const struct neigh_entry *entry, struct sw_gen *gen)
{
	const struct sw_gateway *gateway = tables_gateway_for(sw->tables, entry->ip, entry->domain);

	*gen = (struct sw_gen){.vid = entry->vid};
	memset(gen->dst_mac, 0xff, 6);
	memcpy(gen->src_mac, sw->cfg.router_mac, 6);
	memcpy(gen->dst_ip, entry->ip, 16);
	if (gateway != NULL)
		memcpy(gen->src_ip, gateway->ip, 16);
	else if (addr_is_v4(entry->ip))
		addr_from_v4(gen->src_ip, addr_zero);
	else
		link_local_of(gen->src_ip, sw->cfg.router_mac);
}

static void ask(struct sw *sw, uint64_t t_ps, struct neigh_entry *entry, enum neigh_state state)
{
	enum sw_rec_kind kind = addr_is_v4(entry->ip) ? SW_REC_ARP_REQUEST : SW_REC_NS;
	struct sw_gen gen;

	entry->asked++;
	entry->due_ps = t_ps + NEIGH_WAIT_PS;
	neigh_set_state(sw->neigh, entry, state);
	fill_question(sw, entry, &gen);
	for (uint16_t i = 0; i < sw->n_ports; i++) {
		bool here = entry->scope == PKT_NO_PORT ? sw->ports[i].cfg.domain == entry->domain
							: entry->scope == i;

		if (here && sw->ports[i].up)
			port_gen(sw, t_ps, i, kind, &gen);
	}
}

/* ---- frames that wait ---- */

static struct pkt *take_held(struct neigh_entry *entry)
{
	struct pkt *first = entry->held;

	entry->held = NULL;
	entry->held_last = NULL;
	entry->n_held = 0;
	return first;
}

void neigh_keep(struct neigh_entry *entry, struct pkt *pkt)
{
	pkt->next = NULL;
	if (entry->held == NULL)
		entry->held = pkt;
	else
		entry->held_last->next = pkt;
	entry->held_last = pkt;
	entry->n_held++;
}

static void hold(struct sw *sw, uint64_t t_ps, struct neigh_entry *entry, struct pkt *pkt)
{
	if (entry->n_held == NEIGH_HOLD) {
		sw_drop(sw, t_ps, pkt, SW_DROP_NEIGHBOUR_FULL, pkt->in_port);
		return;
	}
	neigh_keep(entry, pkt);
}

/* They go on as if they had arrived now. */
static void release(struct sw *sw, uint64_t t_ps, struct neigh_entry *entry, const uint8_t mac[6],
		    uint16_t port)
{
	struct pkt *pkt = take_held(entry), *next;

	for (; pkt != NULL; pkt = next) {
		next = pkt->next;
		pkt->next = NULL;
		pkt->t_ps = t_ps;
		pkt->edit |= PKT_EDIT_ROUTE;
		pkt->out_port = port;
		memcpy(pkt->dmac, mac, 6);
		if (sw->ports[port].up)
			sw->pipeline->enqueue(sw, t_ps, pkt);
		else
			sw_drop(sw, t_ps, pkt, SW_DROP_LINK_DOWN, port);
	}
}

static void give_up(struct sw *sw, uint64_t t_ps, struct neigh_entry *entry)
{
	struct pkt *pkt = take_held(entry), *next;

	neigh_forget(sw->neigh, entry);
	for (; pkt != NULL; pkt = next) {
		next = pkt->next;
		pkt->next = NULL;
		sw_drop(sw, t_ps, pkt, SW_DROP_NO_NEIGHBOUR, pkt->in_port);
	}
}

/* ---- what the other stages call ---- */

static const struct sw_static_neigh *installed(const struct sw *sw, const uint8_t ip[16],
					       uint16_t domain, uint16_t scope)
{
	const struct sw_static_neigh *found = tables_neigh(sw->tables, ip, domain);

	return found != NULL && (scope == PKT_NO_PORT || found->port == scope) ? found : NULL;
}

static inline bool use(struct pkt *pkt, const uint8_t mac[6], uint16_t port)
{
	memcpy(pkt->dmac, mac, 6);
	pkt->out_port = port;
	return true;
}

bool neigh_resolve(struct sw *sw, uint64_t t_ps, struct pkt *pkt, const uint8_t ip[16],
		   uint16_t domain, uint16_t port)
{
	const struct sw_static_neigh *fixed = installed(sw, ip, domain, port);
	struct neigh_entry *entry;

	if (fixed != NULL)
		return use(pkt, fixed->mac, fixed->port);
	entry = neigh_find(sw->neigh, ip, domain, port);
	if (entry != NULL && neigh_known(entry))
		return use(pkt, entry->mac, entry->port);
	if (entry == NULL)
		entry = neigh_create(sw->neigh, ip, domain, port);
	if (entry == NULL) {
		sw_drop(sw, t_ps, pkt, SW_DROP_NEIGHBOUR_FULL, pkt->in_port);
		return false;
	}
	if (entry->asked == 0) {
		entry->vid = pkt->vid;
		ask(sw, t_ps, entry, NEIGH_WAITING);
	}
	hold(sw, t_ps, entry, pkt);
	return false;
}

static void resolve(struct sw *sw, uint64_t t_ps, struct neigh_entry *entry,
		    const struct neigh_fact *fact)
{
	if (neigh_known(entry) && !fact->override && memcmp(entry->mac, fact->mac, 6) != 0)
		return;
	memcpy(entry->mac, fact->mac, 6);
	entry->port = fact->port;
	entry->vid = fact->vid;
	entry->heard_ps = t_ps;
	neigh_set_state(sw->neigh, entry, NEIGH_RESOLVED);
	release(sw, t_ps, entry, fact->mac, fact->port);
}

void neigh_learn(struct sw *sw, uint64_t t_ps, const struct neigh_fact *fact)
{
	/* On a port without a domain an address is known behind that port alone. */
	uint16_t wide = fact->domain == SW_NO_DOMAIN ? fact->port : PKT_NO_PORT;
	struct neigh_entry *entry;

	if (!addr_mac_is_unicast(fact->mac) || memcmp(fact->mac, sw->cfg.router_mac, 6) == 0 ||
	    !addr_is_unicast(fact->ip) || tables_own(sw->tables, fact->ip))
		return;
	entry = neigh_find(sw->neigh, fact->ip, fact->domain, wide);
	if (entry == NULL && fact->create && !installed(sw, fact->ip, fact->domain, PKT_NO_PORT))
		entry = neigh_create(sw->neigh, fact->ip, fact->domain, wide);
	if (entry != NULL)
		resolve(sw, t_ps, entry, fact);
	if (wide == fact->port)
		return;
	entry = neigh_find(sw->neigh, fact->ip, fact->domain, fact->port);
	if (entry != NULL)
		resolve(sw, t_ps, entry, fact);
}

bool neigh_is_behind(const struct sw *sw, const uint8_t ip[16], uint16_t domain, uint16_t port)
{
	const struct sw_static_neigh *fixed = installed(sw, ip, domain, PKT_NO_PORT);
	const struct neigh_entry *entry = neigh_find(sw->neigh, ip, domain, PKT_NO_PORT);

	if (fixed != NULL)
		return fixed->port == port;
	return entry != NULL && neigh_known(entry) && entry->port == port;
}

uint64_t neigh_next(const struct sw *sw)
{
	return sw->neigh->next_ps;
}

/* The first of the state's list is due: it is asked (again), or it has not answered three times. */
static void run_due(struct sw *sw, enum neigh_state state)
{
	struct neigh *neigh = sw->neigh;
	struct neigh_entry *entry = &neigh->entries[neigh->lists[state].first];
	uint64_t due = neigh_due(neigh, state);

	if (state == NEIGH_RESOLVED) {
		entry->asked = 0;
		neigh->probe_from_ps = due + NEIGH_GAP_PS;
		ask(sw, due, entry, NEIGH_PROBED);
	} else if (entry->asked < NEIGH_ASKS) {
		ask(sw, due, entry, state);
	} else {
		give_up(sw, due, entry);
	}
}

void neigh_timer(struct sw *sw, uint64_t t_ps)
{
	while (neigh_next(sw) <= t_ps) {
		enum neigh_state state = NEIGH_WAITING;

		while (neigh_due(sw->neigh, state) != neigh_next(sw))
			state++;
		run_due(sw, state);
	}
}

/* Those that are silent for longer than the new time are asked from now on, not from then. */
void neigh_set_ageing(struct sw *sw, uint64_t t_ps, uint64_t ageing_ps)
{
	struct neigh *neigh = sw->neigh;

	if (ageing_ps == neigh->ageing_ps)
		return;
	neigh->ageing_ps = ageing_ps;
	if (neigh->probe_from_ps <= t_ps)
		neigh->probe_from_ps = t_ps + 1; /* control comes after the timers of its time */
	neigh_reschedule(neigh);
}

void neigh_flush_port(struct sw *sw, uint64_t t_ps, uint16_t port)
{
	(void)t_ps;
	for (uint32_t i = 0; i < NEIGH_SIZE; i++) {
		struct neigh_entry *entry = &sw->neigh->entries[i];

		if (neigh_known(entry) && entry->port == port)
			neigh_forget(sw->neigh, entry);
	}
}

/* What the new tables (or none) make of an entry: static neighbours answer for it, and an address
 * that is the switch's own now is nobody's neighbour. */
static void judge(struct sw *sw, uint64_t t_ps, struct neigh_entry *entry)
{
	const struct sw_static_neigh *fixed;

	if (sw->tables == NULL || tables_own(sw->tables, entry->ip)) {
		give_up(sw, t_ps, entry);
		return;
	}
	fixed = installed(sw, entry->ip, entry->domain, entry->scope);
	if (fixed == NULL)
		return;
	release(sw, t_ps, entry, fixed->mac, fixed->port);
	neigh_forget(sw->neigh, entry);
}

void neigh_installed(struct sw *sw, uint64_t t_ps)
{
	for (uint32_t i = 0; i < NEIGH_SIZE; i++)
		if (sw->neigh->entries[i].state != NEIGH_FREE)
			judge(sw, t_ps, &sw->neigh->entries[i]);
}

struct pkt *neigh_drain(struct sw *sw)
{
	struct pkt *all = NULL, **end = &all;

	for (uint32_t i = 0; i < NEIGH_SIZE; i++) {
		struct neigh_entry *entry = &sw->neigh->entries[i];

		if (entry->state != NEIGH_WAITING)
			continue;
		*end = take_held(entry);
		while (*end != NULL)
			end = &(*end)->next;
		neigh_forget(sw->neigh, entry);
	}
	return all;
}
