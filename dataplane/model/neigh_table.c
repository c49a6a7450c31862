/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of neighbours: a fixed pool, hash chains, and a list for each state. */
#include "addr.h"
#include "hash.h"
#include "neigh.h"

#include <assert.h>
#include <stdlib.h>

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

uint64_t neigh_due(const struct neigh *neigh, enum neigh_state state)
{
	uint16_t first = neigh->lists[state].first;
	uint64_t silent;

	if (first == NEIGH_NONE || (state == NEIGH_RESOLVED && neigh->ageing_ps == 0))
		return SW_NEVER;
	if (state != NEIGH_RESOLVED)
		return neigh->entries[first].due_ps;
	silent = neigh->entries[first].heard_ps + neigh->ageing_ps;
	return silent > neigh->probe_from_ps ? silent : neigh->probe_from_ps;
}

void neigh_reschedule(struct neigh *neigh)
{
	neigh->next_ps = SW_NEVER;
	for (int state = NEIGH_WAITING; state < NEIGH_STATES; state++)
		if (neigh_due(neigh, state) < neigh->next_ps)
			neigh->next_ps = neigh_due(neigh, state);
}

void neigh_set_state(struct neigh *neigh, struct neigh_entry *entry, enum neigh_state state)
{
	list_take(neigh, entry);
	list_append(neigh, entry, state);
	neigh_reschedule(neigh);
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
	neigh_reschedule(neigh);
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

struct neigh_entry *neigh_find(const struct neigh *neigh, const uint8_t ip[16], uint16_t domain,
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

void neigh_forget(struct neigh *neigh, struct neigh_entry *entry)
{
	uint16_t *link = chain_of(neigh, entry->ip, entry->domain);

	assert(entry->n_held == 0);
	while (&neigh->entries[*link] != entry)
		link = &neigh->entries[*link].chain;
	*link = entry->chain;
	neigh_set_state(neigh, entry, NEIGH_FREE);
}

void neigh_link(struct neigh *neigh, struct neigh_entry *entry)
{
	uint16_t *chain = chain_of(neigh, entry->ip, entry->domain);

	entry->chain = *chain;
	*chain = (uint16_t)(entry - neigh->entries);
}

/* The one that was silent for longest; NULL when all wait. */
static struct neigh_entry *dispensable(struct neigh *neigh)
{
	uint16_t first = neigh->lists[NEIGH_PROBED].first;

	if (first == NEIGH_NONE)
		first = neigh->lists[NEIGH_RESOLVED].first;
	return first == NEIGH_NONE ? NULL : &neigh->entries[first];
}

/* An entry in state waiting, not asked yet; NULL when all wait already. */
struct neigh_entry *neigh_create(struct neigh *neigh, const uint8_t ip[16], uint16_t domain,
				 uint16_t scope)
{
	struct neigh_entry *entry;

	if (neigh->lists[NEIGH_FREE].first == NEIGH_NONE) {
		entry = dispensable(neigh);
		if (entry == NULL)
			return NULL;
		neigh_forget(neigh, entry);
	}
	entry = &neigh->entries[neigh->lists[NEIGH_FREE].first];
	memcpy(entry->ip, ip, 16);
	entry->domain = domain;
	entry->scope = scope;
	entry->asked = 0;
	entry->due_ps = SW_NEVER;
	neigh_link(neigh, entry);
	neigh_set_state(neigh, entry, NEIGH_WAITING);
	return entry;
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
		bool resolved = neigh_known(entry);
		struct sw_neigh_row row = {.domain = entry->domain,
					   .vid = entry->vid,
					   .port = resolved ? entry->port : entry->scope,
					   .resolved = resolved,
					   .waiting = entry->n_held,
					   .age_ps = resolved ? sw->now - entry->heard_ps : 0};

		if (entry->state == NEIGH_FREE)
			continue;
		memcpy(row.ip, entry->ip, 16);
		if (resolved)
			memcpy(row.mac, entry->mac, 6);
		f(arg, &row);
	}
}
