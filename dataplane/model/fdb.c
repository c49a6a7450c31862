/* SPDX-License-Identifier: BSD-3-Clause */
/* FDB: MACs learned from the frames that arrive, by (MAC, bridge domain, VLAN).
 *
 * Buckets of four, each one cache line: learning or finding a MAC touches one line. In a full bucket
 * the newcomer takes the place of the one that was seen longest ago; a port that has half of the bucket
 * replaces its own, so that one that makes up addresses cannot push out those behind the others. Order
 * and time of arrival are all that counts, so the same arrivals leave the same table.
 *
 * Ageing needs no timer: an entry says when its MAC was last seen, and one that is too old is not
 * found. Time is kept in ticks of 2^34 ps (17 ms), so that a busy MAC makes its line dirty once a tick
 * and no more; 30 bits of them are all the time there is. An entry goes at the first tick at which it
 * has surely been unseen for the whole ageing time: at most two ticks late.
 */
#include "fdb.h"
#include "addr.h"
#include "hash.h"
#include "sw_int.h"

#include <stdlib.h>

#define WAYS FDB_WAYS
#define NO_KEY UINT64_MAX /* the broadcast address is never learned */
#define NEVER UINT32_MAX  /* ticks are below 2^30 */

static inline uint64_t fdb_key(const uint8_t mac[6], uint16_t domain)
{
	return (uint64_t)domain << 48 | hash_load48(mac);
}

static inline uint32_t fdb_bucket_of(const struct fdb *fdb, uint64_t key, uint16_t vid)
{
	return (uint32_t)hash_mix(key, vid) & fdb->mask;
}

static inline bool too_old(const struct fdb *fdb, const struct fdb_entry *entry, uint32_t tick)
{
	return tick - (entry->seen >> FDB_RANK_BITS) >= fdb->ageing_ticks;
}

uint32_t fdb_bucket_at(const struct fdb *fdb, uint64_t key, uint16_t vid)
{
	return fdb_bucket_of(fdb, key, vid);
}

static void clear_bucket(struct fdb_bucket *bucket)
{
	for (uint32_t i = 0; i < WAYS; i++)
		bucket->ways[i] = (struct fdb_entry){.key = NO_KEY, .port = PKT_NO_PORT, .seen = i};
}

struct fdb *fdb_new(uint32_t size)
{
	uint32_t n = size < WAYS ? 1 : size / WAYS;
	struct fdb *fdb = aligned_alloc(64, sizeof(*fdb) + n * sizeof(fdb->buckets[0]));

	if (fdb == NULL)
		return NULL;
	fdb->mask = n - 1;
	fdb->generation = 1;
	fdb->ageing_ticks = NEVER;
	for (uint32_t i = 0; i < n; i++)
		clear_bucket(&fdb->buckets[i]);
	return fdb;
}

void fdb_free(struct fdb *fdb)
{
	free(fdb);
}

void fdb_touch(struct fdb_entry *entry)
{
	/* A bucket starts at its own size in memory. */
	struct fdb_bucket *bucket =
		(struct fdb_bucket *)((uintptr_t)entry & ~(uintptr_t)(sizeof(*bucket) - 1));
	uint32_t rank = fdb_rank(entry);

	for (int i = 0; i < WAYS; i++)
		bucket->ways[i].seen += fdb_rank(&bucket->ways[i]) < rank;
	entry->seen &= ~FDB_RANK_MASK;
}

static uint32_t ways_of(const struct fdb_bucket *bucket, uint16_t port)
{
	uint32_t n = 0;

	for (int i = 0; i < WAYS; i++)
		n += bucket->ways[i].port == port;
	return n;
}

/* A free one or one that is gone; else the oldest, of the port's own when it has its share. */
static struct fdb_entry *victim(const struct fdb *fdb, struct fdb_bucket *bucket, uint16_t port,
				uint32_t tick)
{
	bool own = ways_of(bucket, port) >= WAYS / 2;
	struct fdb_entry *oldest = NULL;

	for (int i = 0; i < WAYS; i++) {
		struct fdb_entry *entry = &bucket->ways[i];

		if (entry->port == PKT_NO_PORT || too_old(fdb, entry, tick))
			return entry;
		if (own && entry->port != port)
			continue;
		if (oldest == NULL || fdb_rank(entry) > fdb_rank(oldest))
			oldest = entry;
	}
	return oldest;
}

/* Its way in the bucket, -1 when it is not there. */
static inline int find(const struct fdb_bucket *bucket, uint64_t key, uint16_t vid)
{
	for (int i = 0; i < WAYS; i++)
		if (bucket->ways[i].key == key && bucket->ways[i].vid == vid)
			return i;
	return -1;
}

struct fdb_entry *fdb_learn(struct fdb *fdb, uint64_t t_ps, const uint8_t mac[6], uint16_t domain,
			    uint16_t vid, uint16_t port)
{
	uint64_t key = fdb_key(mac, domain);
	struct fdb_bucket *bucket = &fdb->buckets[fdb_bucket_of(fdb, key, vid)];
	int way = find(bucket, key, vid);
	uint32_t tick = fdb_tick(t_ps);
	struct fdb_entry *entry = way < 0 ? victim(fdb, bucket, port, tick) : &bucket->ways[way];

	if (way < 0 || entry->port != port) {
		entry->key = key;
		entry->vid = vid;
		entry->port = port;
		fdb->generation++;
	}
	fdb_seen(entry);
	if (entry->seen >> FDB_RANK_BITS != tick)
		entry->seen = tick << FDB_RANK_BITS;
	return entry;
}

uint16_t fdb_find(const struct fdb *fdb, uint64_t t_ps, const uint8_t mac[6], uint16_t domain,
		  uint16_t vid)
{
	uint64_t key = fdb_key(mac, domain);
	const struct fdb_bucket *bucket = &fdb->buckets[fdb_bucket_of(fdb, key, vid)];
	int way = find(bucket, key, vid);

	if (way < 0 || too_old(fdb, &bucket->ways[way], fdb_tick(t_ps)))
		return PKT_NO_PORT;
	return bucket->ways[way].port;
}

static void row_of(const struct fdb_entry *entry, struct sw_fdb_row *row)
{
	for (int i = 0; i < 6; i++)
		row->mac[i] = (uint8_t)(entry->key >> (8 * i));
	row->domain = (uint16_t)(entry->key >> 48);
	row->vid = entry->vid;
	row->port = entry->port;
	row->installed = false;
	row->age_ps = 0;
}

/* Its rank stays: ranks are a permutation. */
static void clear_entry(struct fdb *fdb, struct fdb_entry *entry)
{
	fdb->generation++;
	entry->key = NO_KEY;
	entry->port = PKT_NO_PORT;
	entry->seen &= FDB_RANK_MASK;
}

/* What is gone by the old time does not come back with a longer one. The time starts somewhere within
 * a tick and ends somewhere within one: hence one tick more. */
void fdb_set_ageing(struct fdb *fdb, uint64_t t_ps, uint64_t ageing_ps)
{
	uint32_t ticks =
		ageing_ps == 0 ? NEVER : fdb_tick(ageing_ps + (1ULL << FDB_TICK_BITS) - 1) + 1;

	if (ticks == fdb->ageing_ticks)
		return;
	for (uint32_t i = 0; i < (fdb->mask + 1) * WAYS; i++) {
		struct fdb_entry *entry = &fdb->buckets[i / WAYS].ways[i % WAYS];

		if (too_old(fdb, entry, fdb_tick(t_ps)))
			clear_entry(fdb, entry);
	}
	fdb->ageing_ticks = ticks;
}

void fdb_changed(struct fdb *fdb)
{
	fdb->generation++;
}

void fdb_flush_port(struct fdb *fdb, uint16_t port)
{
	for (uint32_t i = 0; i <= fdb->mask; i++)
		for (int k = 0; k < WAYS; k++)
			if (fdb->buckets[i].ways[k].port == port)
				clear_entry(fdb, &fdb->buckets[i].ways[k]);
}

void fdb_drop_contradicted(struct fdb *fdb, const struct sw_tables *tables)
{
	for (uint32_t i = 0; i < (fdb->mask + 1) * WAYS; i++) {
		struct fdb_entry *entry = &fdb->buckets[i / WAYS].ways[i % WAYS];
		struct sw_fdb_row row;
		uint16_t installed;

		if (entry->port == PKT_NO_PORT)
			continue;
		row_of(entry, &row);
		installed = tables_fdb(tables, row.mac, row.domain, row.vid);
		if (installed != PKT_NO_PORT && installed != entry->port)
			clear_entry(fdb, entry);
	}
}

static void each_installed(const struct sw_tables *tables,
			   void (*f)(void *arg, const struct sw_fdb_row *), void *arg)
{
	const struct sw_tables_spec *spec = sw_tables_spec(tables);

	for (uint32_t i = 0; i < spec->n_fdb; i++) {
		const struct sw_static_fdb *e = &spec->fdb[i];
		struct sw_fdb_row row = {
			.domain = e->domain, .vid = e->vid, .port = e->port, .installed = true};

		memcpy(row.mac, e->mac, 6);
		f(arg, &row);
	}
}

void sw_fdb_each(const struct sw *sw, void (*f)(void *arg, const struct sw_fdb_row *), void *arg)
{
	const struct fdb *fdb = sw->fdb;
	uint32_t tick = fdb_tick(sw->now);

	if (sw->tables != NULL)
		each_installed(sw->tables, f, arg);
	for (uint32_t i = 0; i < (fdb->mask + 1) * WAYS; i++) {
		const struct fdb_entry *entry = &fdb->buckets[i / WAYS].ways[i % WAYS];
		struct sw_fdb_row row;

		if (entry->port == PKT_NO_PORT || too_old(fdb, entry, tick))
			continue;
		row_of(entry, &row);
		row.age_ps = (uint64_t)(tick - (entry->seen >> FDB_RANK_BITS)) << FDB_TICK_BITS;
		if (sw->tables == NULL ||
		    tables_fdb(sw->tables, row.mac, row.domain, row.vid) == PKT_NO_PORT)
			f(arg, &row);
	}
}
