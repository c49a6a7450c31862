/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours: (address, domain) to MAC and port, and the frames that wait until one is known.
 *
 * An entry waits or is resolved. One that waits has been asked for: at once, then each second, three
 * times in all; a second after the last its frames are dropped and it is gone, so that a later frame
 * starts anew. It holds 4 frames. Every wait is a second long, so those that wait, in the order they
 * asked, are sorted by time: no heap.
 *
 * The scope of an entry is its domain or, where the route names the port of the next hop, that port
 * alone: two uplinks may lead to the same address. Static neighbours of the snapshot win. A resolved
 * entry stays until its port goes down or, when all are in use, until a new one needs the place of
 * the one that was confirmed longest ago.
 */
#include "neigh.h"
#include "addr.h"
#include "hash.h"

#include <assert.h>
#include <stdlib.h>

#define NEIGH_SIZE 4096u /* entries, power of two */
#define NEIGH_NONE UINT16_MAX
#define NEIGH_HOLD 4 /* frames */
#define NEIGH_ASKS 3
#define NEIGH_WAIT_PS 1000000000000 /* 1 s */

enum neigh_state { NEIGH_FREE, NEIGH_WAITING, NEIGH_RESOLVED, NEIGH_STATES };

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
	uint64_t due_ps;     /* waiting: when to ask again or give up */
	struct pkt *held, *held_last;
};

struct neigh_list {
	uint16_t first, last;
};

struct neigh {
	struct neigh_list
		lists[NEIGH_STATES]; /* waiting: soonest due first; resolved: oldest first */
	uint16_t chains[NEIGH_SIZE];
	struct neigh_entry entries[NEIGH_SIZE];
};

/* ---- the table ---- */

static void list_take(struct neigh *neigh, struct neigh_entry *entry)
{
	struct neigh_list *list = &neigh->lists[entry->state];

	if (entry->prev == NEIGH_NONE)
		list->first = entry->next;
	else
		neigh->entries[entry->prev].next = entry->next;
	if (entry->next == NEIGH_NONE)
		list->last = entry->prev;
	else
		neigh->entries[entry->next].prev = entry->prev;
}

static void list_append(struct neigh *neigh, struct neigh_entry *entry, enum neigh_state state)
{
	struct neigh_list *list = &neigh->lists[state];
	uint16_t i = (uint16_t)(entry - neigh->entries);

	entry->state = state;
	entry->prev = list->last;
	entry->next = NEIGH_NONE;
	if (list->last == NEIGH_NONE)
		list->first = i;
	else
		neigh->entries[list->last].next = i;
	list->last = i;
}

static void set_state(struct neigh *neigh, struct neigh_entry *entry, enum neigh_state state)
{
	list_take(neigh, entry);
	list_append(neigh, entry, state);
}

struct neigh *neigh_new(void)
{
	struct neigh *neigh = calloc(1, sizeof(*neigh));

	if (neigh == NULL)
		return NULL;
	for (int i = 0; i < NEIGH_STATES; i++)
		neigh->lists[i] = (struct neigh_list){NEIGH_NONE, NEIGH_NONE};
	for (uint32_t i = 0; i < NEIGH_SIZE; i++) {
		neigh->chains[i] = NEIGH_NONE;
		list_append(neigh, &neigh->entries[i], NEIGH_FREE);
	}
	return neigh;
}

void neigh_free(struct neigh *neigh)
{
	free(neigh);
}

/* By address and domain: the scopes of one address share a chain. */
static inline uint16_t *chain_of(const struct neigh *neigh, const uint8_t ip[16], uint16_t domain)
{
	uint64_t hash = hash_mix(hash_load64(ip) + domain, hash_load64(ip + 8));

	return (uint16_t *)&neigh->chains[hash & (NEIGH_SIZE - 1)];
}

static struct neigh_entry *find(const struct neigh *neigh, const uint8_t ip[16], uint16_t domain,
				uint16_t scope)
{
	uint16_t i = *chain_of(neigh, ip, domain);

	while (i != NEIGH_NONE) {
		const struct neigh_entry *entry = &neigh->entries[i];

		if (entry->scope == scope && entry->domain == domain &&
		    memcmp(entry->ip, ip, 16) == 0)
			return (struct neigh_entry *)entry;
		i = entry->chain;
	}
	return NULL;
}

static void forget(struct neigh *neigh, struct neigh_entry *entry)
{
	uint16_t *link = chain_of(neigh, entry->ip, entry->domain);

	assert(entry->n_held == 0);
	while (&neigh->entries[*link] != entry)
		link = &neigh->entries[*link].chain;
	*link = entry->chain;
	set_state(neigh, entry, NEIGH_FREE);
}

/* An entry in state waiting, not asked yet; NULL when all wait already. */
static struct neigh_entry *create(struct neigh *neigh, const uint8_t ip[16], uint16_t domain,
				  uint16_t scope)
{
	uint16_t *chain = chain_of(neigh, ip, domain);
	struct neigh_entry *entry;

	if (neigh->lists[NEIGH_FREE].first == NEIGH_NONE) {
		if (neigh->lists[NEIGH_RESOLVED].first == NEIGH_NONE)
			return NULL;
		forget(neigh, &neigh->entries[neigh->lists[NEIGH_RESOLVED].first]);
	}
	entry = &neigh->entries[neigh->lists[NEIGH_FREE].first];
	memcpy(entry->ip, ip, 16);
	entry->domain = domain;
	entry->scope = scope;
	entry->asked = 0;
	entry->chain = *chain;
	*chain = (uint16_t)(entry - neigh->entries);
	set_state(neigh, entry, NEIGH_WAITING);
	return entry;
}

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

static void ask(struct sw *sw, uint64_t t_ps, struct neigh_entry *entry)
{
	enum sw_rec_kind kind = addr_is_v4(entry->ip) ? SW_REC_ARP_REQUEST : SW_REC_NS;
	struct sw_gen gen;

	entry->asked++;
	entry->due_ps = t_ps + NEIGH_WAIT_PS;
	set_state(sw->neigh, entry, NEIGH_WAITING);
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

static void hold(struct sw *sw, uint64_t t_ps, struct neigh_entry *entry, struct pkt *pkt)
{
	if (entry->n_held == NEIGH_HOLD) {
		sw_drop(sw, t_ps, pkt, SW_DROP_NEIGHBOUR_FULL, pkt->in_port);
		return;
	}
	pkt->next = NULL;
	if (entry->held == NULL)
		entry->held = pkt;
	else
		entry->held_last->next = pkt;
	entry->held_last = pkt;
	entry->n_held++;
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
		sw->pipeline->enqueue(sw, t_ps, pkt);
	}
}

static void give_up(struct sw *sw, uint64_t t_ps, struct neigh_entry *entry)
{
	struct pkt *pkt = take_held(entry), *next;

	forget(sw->neigh, entry);
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
	entry = find(sw->neigh, ip, domain, port);
	if (entry != NULL && entry->state == NEIGH_RESOLVED)
		return use(pkt, entry->mac, entry->port);
	if (entry == NULL)
		entry = create(sw->neigh, ip, domain, port);
	if (entry == NULL) {
		sw_drop(sw, t_ps, pkt, SW_DROP_NEIGHBOUR_FULL, pkt->in_port);
		return false;
	}
	if (entry->asked == 0) {
		entry->vid = pkt->vid;
		ask(sw, t_ps, entry);
	}
	hold(sw, t_ps, entry, pkt);
	return false;
}

static void resolve(struct sw *sw, uint64_t t_ps, struct neigh_entry *entry,
		    const struct neigh_fact *fact)
{
	if (entry->state == NEIGH_RESOLVED && !fact->override &&
	    memcmp(entry->mac, fact->mac, 6) != 0)
		return;
	memcpy(entry->mac, fact->mac, 6);
	entry->port = fact->port;
	entry->vid = fact->vid;
	set_state(sw->neigh, entry, NEIGH_RESOLVED);
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
	entry = find(sw->neigh, fact->ip, fact->domain, wide);
	if (entry == NULL && fact->create && !installed(sw, fact->ip, fact->domain, PKT_NO_PORT))
		entry = create(sw->neigh, fact->ip, fact->domain, wide);
	if (entry != NULL)
		resolve(sw, t_ps, entry, fact);
	if (wide == fact->port)
		return;
	entry = find(sw->neigh, fact->ip, fact->domain, fact->port);
	if (entry != NULL)
		resolve(sw, t_ps, entry, fact);
}

bool neigh_is_behind(const struct sw *sw, const uint8_t ip[16], uint16_t domain, uint16_t port)
{
	const struct sw_static_neigh *fixed = installed(sw, ip, domain, PKT_NO_PORT);
	const struct neigh_entry *entry = find(sw->neigh, ip, domain, PKT_NO_PORT);

	if (fixed != NULL)
		return fixed->port == port;
	return entry != NULL && entry->state == NEIGH_RESOLVED && entry->port == port;
}

uint64_t neigh_next(const struct sw *sw)
{
	uint16_t first = sw->neigh->lists[NEIGH_WAITING].first;

	return first == NEIGH_NONE ? SW_NEVER : sw->neigh->entries[first].due_ps;
}

void neigh_timer(struct sw *sw, uint64_t t_ps)
{
	while (neigh_next(sw) <= t_ps) {
		uint16_t first = sw->neigh->lists[NEIGH_WAITING].first;
		struct neigh_entry *entry = &sw->neigh->entries[first];

		if (entry->asked < NEIGH_ASKS)
			ask(sw, entry->due_ps, entry);
		else
			give_up(sw, entry->due_ps, entry);
	}
}

void neigh_flush_port(struct sw *sw, uint64_t t_ps, uint16_t port)
{
	(void)t_ps;
	for (uint32_t i = 0; i < NEIGH_SIZE; i++) {
		struct neigh_entry *entry = &sw->neigh->entries[i];

		if (entry->state == NEIGH_RESOLVED && entry->port == port)
			forget(sw->neigh, entry);
	}
}

/* A resolved entry goes when an installed one says else or its address is our own now; one that
 * waits and is installed now has its answer. */
void neigh_installed(struct sw *sw, uint64_t t_ps)
{
	for (uint32_t i = 0; i < NEIGH_SIZE; i++) {
		struct neigh_entry *entry = &sw->neigh->entries[i];
		const struct sw_static_neigh *fixed;

		if (entry->state == NEIGH_FREE)
			continue;
		fixed = installed(sw, entry->ip, entry->domain, entry->scope);
		if (entry->state == NEIGH_WAITING && fixed != NULL)
			release(sw, t_ps, entry, fixed->mac, fixed->port);
		if (fixed != NULL ||
		    (entry->state == NEIGH_RESOLVED && tables_own(sw->tables, entry->ip)))
			forget(sw->neigh, entry);
	}
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
		forget(sw->neigh, entry);
	}
	return all;
}

static void each_installed(const struct sw *sw, void (*f)(void *arg, const struct sw_neigh_row *),
			   void *arg)
{
	const struct sw_tables_spec *spec = sw_tables_spec(sw->tables);

	for (uint32_t i = 0; i < spec->n_neighs; i++) {
		const struct sw_static_neigh *e = &spec->neighs[i];
		struct sw_neigh_row row = {.domain = e->domain,
					   .vid = PKT_NO_VLAN,
					   .port = e->port,
					   .installed = true,
					   .resolved = true};

		memcpy(row.ip, e->ip, 16);
		memcpy(row.mac, e->mac, 6);
		f(arg, &row);
	}
}

void sw_neigh_each(const struct sw *sw, void (*f)(void *arg, const struct sw_neigh_row *),
		   void *arg)
{
	if (sw->tables != NULL)
		each_installed(sw, f, arg);
	for (uint32_t i = 0; i < NEIGH_SIZE; i++) {
		const struct neigh_entry *entry = &sw->neigh->entries[i];
		bool resolved = entry->state == NEIGH_RESOLVED;
		struct sw_neigh_row row = {.domain = entry->domain,
					   .vid = entry->vid,
					   .port = resolved ? entry->port : entry->scope,
					   .resolved = resolved,
					   .waiting = entry->n_held};

		if (entry->state == NEIGH_FREE)
			continue;
		memcpy(row.ip, entry->ip, 16);
		if (resolved)
			memcpy(row.mac, entry->mac, 6);
		f(arg, &row);
	}
}
