/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables in a checkpoint: what is installed, as the spec it was built from; learned MACs with the very
 * place and rank in their bucket, which say who makes room for whom; neighbours with their place in the
 * table and in the list of their state, since everything that goes through them does so in that
 * order. */
#include "addr.h"
#include "checkpoint.h"
#include "fdb.h"
#include "hash.h"
#include "neigh.h"

#include <stdlib.h>

/* A new field belongs into the function that bears the struct's name, and SW_CHECKPOINT_VERSION goes
 * up; then the size here may follow. */
_Static_assert(sizeof(struct sw_via) == 26, "see above");
_Static_assert(sizeof(struct sw_route) == 1692, "see above");
_Static_assert(sizeof(struct sw_gateway) == 20, "see above");
_Static_assert(sizeof(struct sw_static_fdb) == 12, "see above");
_Static_assert(sizeof(struct sw_static_neigh) == 26, "see above");
_Static_assert(sizeof(struct sw_tables_spec) == 56, "see above");
_Static_assert(sizeof(struct fdb_entry) == 16, "see above");
_Static_assert(sizeof(struct neigh_entry) == 72, "see above");

/* ---- installed ---- */

static void via(struct ck *ck, struct sw_via *v)
{
	ck_u16(ck, &v->port);
	ck_bool(ck, &v->has_mac);
	ck_bytes(ck, v->mac, sizeof(v->mac));
	ck_bytes(ck, v->ip, sizeof(v->ip));
}

static void route(struct ck *ck, struct sw_route *r)
{
	uint8_t kind = (uint8_t)r->kind;

	ck_bytes(ck, r->prefix, sizeof(r->prefix));
	ck_u8(ck, &r->len);
	ck_u8(ck, &kind);
	ck_check(ck, kind <= SW_ROUTE_CROSS_RAIL, "a kind of route that is none");
	if (ck_reading(ck))
		r->kind = kind;
	ck_u16(ck, &r->domain);
	ck_u8(ck, &r->n_via);
	ck_check(ck, r->n_via <= SW_MAX_VIA, "a route with too many next hops");
	for (int i = 0; i < r->n_via && i < SW_MAX_VIA; i++)
		via(ck, &r->via[i]);
}

static void gateway(struct ck *ck, struct sw_gateway *g)
{
	ck_bytes(ck, g->ip, sizeof(g->ip));
	ck_u16(ck, &g->domain);
	ck_bool(ck, &g->proxy);
}

static void static_fdb(struct ck *ck, struct sw_static_fdb *f)
{
	ck_bytes(ck, f->mac, sizeof(f->mac));
	ck_u16(ck, &f->domain);
	ck_u16(ck, &f->vid);
	ck_u16(ck, &f->port);
}

static void static_neigh(struct ck *ck, struct sw_static_neigh *n)
{
	ck_bytes(ck, n->ip, sizeof(n->ip));
	ck_bytes(ck, n->mac, sizeof(n->mac));
	ck_u16(ck, &n->domain);
	ck_u16(ck, &n->port);
}

/* The four arrays of a spec, their items apart. */
struct arrays {
	struct sw_route *routes;
	struct sw_gateway *gateways;
	struct sw_static_fdb *fdb;
	struct sw_static_neigh *neighs;
};

/* Reading: room for n items that take at least `least` bytes each. */
static void *room(struct ck *ck, uint32_t n, size_t least, size_t size)
{
	void *items;

	if (!ck_room(ck, n, least))
		return NULL;
	items = calloc((size_t)n + 1, size);
	ck->no_memory |= items == NULL;
	return items;
}

static void counts(struct ck *ck, struct sw_tables_spec *s)
{
	ck_u64(ck, &s->version);
	ck_u32(ck, &s->n_routes);
	ck_u32(ck, &s->n_gateways);
	ck_u32(ck, &s->n_fdb);
	ck_u32(ck, &s->n_neighs);
}

static void items(struct ck *ck, const struct sw_tables_spec *s, const struct arrays *a)
{
	for (uint32_t i = 0; a->routes != NULL && i < s->n_routes; i++)
		route(ck, &a->routes[i]);
	for (uint32_t i = 0; a->gateways != NULL && i < s->n_gateways; i++)
		gateway(ck, &a->gateways[i]);
	for (uint32_t i = 0; a->fdb != NULL && i < s->n_fdb; i++)
		static_fdb(ck, &a->fdb[i]);
	for (uint32_t i = 0; a->neighs != NULL && i < s->n_neighs; i++)
		static_neigh(ck, &a->neighs[i]);
}

static void write_spec(struct ck *ck, const struct sw_tables_spec *from)
{
	struct sw_tables_spec s = *from;
	const struct arrays a = {
		(struct sw_route *)from->routes, (struct sw_gateway *)from->gateways,
		(struct sw_static_fdb *)from->fdb, (struct sw_static_neigh *)from->neighs};

	counts(ck, &s);
	items(ck, &s, &a);
}

/* The snapshot checks every entry anew. */
static void read_spec(struct ck *ck, struct sw *sw)
{
	struct sw_tables_spec s = {0};
	struct arrays a = {NULL, NULL, NULL, NULL};
	struct err err = {0};

	counts(ck, &s);
	s.routes = a.routes = room(ck, s.n_routes, 21, sizeof(*a.routes));
	s.gateways = a.gateways = room(ck, s.n_gateways, 19, sizeof(*a.gateways));
	s.fdb = a.fdb = room(ck, s.n_fdb, 12, sizeof(*a.fdb));
	s.neighs = a.neighs = room(ck, s.n_neighs, 26, sizeof(*a.neighs));
	items(ck, &s, &a);
	if (ck_check(ck, true, "")) {
		sw->tables = sw_tables_new(&s, sw->n_ports, &err);
		ck->no_memory = sw->tables == NULL && err.status == ERR_ENVIRONMENT;
		ck_check(ck, sw->tables != NULL, "tables that cannot be");
	}
	free(a.routes);
	free(a.gateways);
	free(a.fdb);
	free(a.neighs);
}

void ck_tables(struct ck *ck, struct sw *sw)
{
	bool there = sw->tables != NULL;

	ck_bool(ck, &there);
	if (!there)
		return;
	if (ck_reading(ck))
		read_spec(ck, sw);
	else
		write_spec(ck, sw_tables_spec(sw->tables));
}

/* ---- learned MACs ---- */

/* As fdb_new leaves it: most are, and are not written. */
static bool is_pristine(const struct fdb_bucket *bucket)
{
	for (uint32_t i = 0; i < FDB_WAYS; i++)
		if (bucket->ways[i].port != PKT_NO_PORT || bucket->ways[i].seen != i)
			return false;
	return true;
}

static void fdb_entry(struct ck *ck, const struct sw *sw, struct fdb_entry *e, uint32_t bucket)
{
	ck_u16(ck, &e->port);
	ck_u32(ck, &e->seen);
	if (e->port == PKT_NO_PORT)
		return;
	ck_u64(ck, &e->key);
	ck_u16(ck, &e->vid);
	ck_check(ck,
		 e->port < sw->n_ports && fdb_bucket_at(sw->fdb, e->key, e->vid) == bucket &&
			 e->seen >> FDB_RANK_BITS <= fdb_tick(sw->now),
		 "a learned address that cannot be");
}

static void bucket(struct ck *ck, const struct sw *sw, uint32_t index)
{
	struct fdb_bucket *b = &sw->fdb->buckets[index];
	uint32_t ranks = 0;

	for (int i = 0; i < FDB_WAYS; i++) {
		fdb_entry(ck, sw, &b->ways[i], index);
		ranks |= 1u << fdb_rank(&b->ways[i]);
	}
	ck_check(ck, ranks == (1u << FDB_WAYS) - 1, "a bucket without an order");
}

void ck_fdb(struct ck *ck, struct sw *sw)
{
	uint32_t n = 0, index = 0, next = 0;

	for (uint32_t i = 0; !ck_reading(ck) && i <= sw->fdb->mask; i++)
		n += !is_pristine(&sw->fdb->buckets[i]);
	ck_u32(ck, &n);
	for (; ck_check(ck, true, "") && n > 0; n--) {
		while (!ck_reading(ck) && is_pristine(&sw->fdb->buckets[index]))
			index++;
		ck_u32(ck, &index);
		if (!ck_check(ck, index >= next && index <= sw->fdb->mask, "a bucket out of turn"))
			return;
		bucket(ck, sw, index);
		next = ++index;
	}
}

/* ---- neighbours ---- */

static void neigh_frames(struct ck *ck, struct sw *sw, struct neigh_entry *e)
{
	struct pkt *pkt;
	uint8_t n = e->n_held;

	ck_u8(ck, &n);
	if (!ck_check(ck, n <= NEIGH_HOLD && (n == 0 || e->state == NEIGH_WAITING),
		      "frames that wait for nobody"))
		return;
	for (pkt = e->held; !ck_reading(ck) && pkt != NULL; pkt = pkt->next)
		ck_write_frame(ck, sw, pkt);
	while (ck_reading(ck) && n-- > 0 && (pkt = ck_read_frame(ck, sw)) != NULL)
		neigh_keep(e, pkt);
}

static void neigh_entry(struct ck *ck, struct sw *sw, struct neigh_entry *e)
{
	ck_bytes(ck, e->ip, sizeof(e->ip));
	ck_u16(ck, &e->domain);
	ck_u16(ck, &e->scope);
	ck_u16(ck, &e->port);
	ck_u16(ck, &e->vid);
	ck_bytes(ck, e->mac, sizeof(e->mac));
	ck_u8(ck, &e->asked);
	ck_u64(ck, &e->due_ps);
	ck_u64(ck, &e->heard_ps);
	ck_check(ck, e->scope < sw->n_ports || e->scope == PKT_NO_PORT, "a scope that is no port");
	ck_check(ck, !neigh_known(e) || e->port < sw->n_ports, "a neighbour at no port");
	ck_check(ck, !neigh_known(e) || e->heard_ps <= sw->now, "a neighbour of the future");
}

/* One more of a state's list: its place in the table, and all of it unless it is free. seen: places
 * that have been. */
static void member(struct ck *ck, struct sw *sw, enum neigh_state state, uint16_t *place,
		   bool seen[NEIGH_SIZE])
{
	struct neigh_entry *e;

	ck_u16(ck, place);
	if (!ck_check(ck, *place < NEIGH_SIZE && !seen[*place], "a neighbour twice"))
		return;
	seen[*place] = true;
	e = &sw->neigh->entries[*place];
	if (ck_reading(ck))
		neigh_set_state(sw->neigh, e, state);
	if (state == NEIGH_FREE)
		return;
	neigh_entry(ck, sw, e);
	if (ck_reading(ck)) /* whatever was wrong with it: it is in a list */
		neigh_link(sw->neigh, e);
	neigh_frames(ck, sw, e);
}

static void list(struct ck *ck, struct sw *sw, enum neigh_state state, bool seen[NEIGH_SIZE])
{
	uint16_t n = 0, place = sw->neigh->lists[state].first;

	for (uint16_t i = place; !ck_reading(ck) && i != NEIGH_NONE; i = sw->neigh->entries[i].next)
		n++;
	ck_u16(ck, &n);
	for (; ck_check(ck, true, "") && n > 0; n--) {
		member(ck, sw, state, &place, seen);
		if (!ck_reading(ck))
			place = sw->neigh->entries[place].next;
	}
}

/* Those of a list are due one after the other. */
static bool is_in_order(const struct neigh *neigh, enum neigh_state state)
{
	uint64_t last = 0;

	for (uint16_t i = neigh->lists[state].first; i != NEIGH_NONE; i = neigh->entries[i].next) {
		const struct neigh_entry *e = &neigh->entries[i];
		uint64_t time = state == NEIGH_RESOLVED ? e->heard_ps : e->due_ps;

		if (time < last)
			return false;
		last = time;
	}
	return true;
}

void ck_neigh(struct ck *ck, struct sw *sw)
{
	bool seen[NEIGH_SIZE] = {false}, whole = true;

	ck_u64(ck, &sw->neigh->probe_from_ps);
	for (enum neigh_state state = NEIGH_WAITING; state < NEIGH_STATES; state++) {
		list(ck, sw, state, seen);
		ck_check(ck, is_in_order(sw->neigh, state), "neighbours out of turn");
	}
	list(ck, sw, NEIGH_FREE, seen);
	for (uint32_t i = 0; i < NEIGH_SIZE; i++)
		whole &= seen[i];
	ck_check(ck, whole, "a neighbour that is nowhere");
	if (ck_reading(ck))
		neigh_reschedule(sw->neigh);
}
