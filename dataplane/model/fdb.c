/* SPDX-License-Identifier: BSD-3-Clause */
/* FDB: MACs learned from the frames that arrive, by (MAC, bridge domain, VLAN).
 *
 * Buckets of four, each one cache line: learning or finding a MAC touches one line. In a full bucket
 * the newcomer takes the place of the one that was seen longest ago. Order of arrival is all that
 * counts, so the same arrivals leave the same table. There is no ageing: entries go with their port.
 */
#include "fdb.h"
#include "addr.h"
#include "hash.h"
#include "sw_int.h"

#include <stdlib.h>

#define WAYS FDB_WAYS
#define NO_KEY UINT64_MAX /* the broadcast address is never learned */

static inline uint64_t fdb_key(const uint8_t mac[6], uint16_t domain)
{
	return (uint64_t)domain << 48 | hash_load48(mac);
}

static inline uint32_t fdb_bucket_of(const struct fdb *fdb, uint64_t key, uint16_t vid)
{
	return (uint32_t)hash_mix(key, vid) & fdb->mask;
}

static void clear_bucket(struct fdb_bucket *bucket)
{
	for (uint32_t i = 0; i < WAYS; i++)
		bucket->ways[i] = (struct fdb_entry){.key = NO_KEY, .port = PKT_NO_PORT, .age = i};
}

struct fdb *fdb_new(uint32_t size)
{
	uint32_t n = size < WAYS ? 1 : size / WAYS;
	struct fdb *fdb = aligned_alloc(64, sizeof(*fdb) + n * sizeof(fdb->buckets[0]));

	if (fdb == NULL)
		return NULL;
	fdb->mask = n - 1;
	fdb->generation = 1;
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
	uint32_t age = entry->age;

	for (int i = 0; i < WAYS; i++)
		bucket->ways[i].age += bucket->ways[i].age < age;
	entry->age = 0;
}

/* The oldest, a free one first. */
static struct fdb_entry *victim(struct fdb_bucket *bucket)
{
	struct fdb_entry *oldest = &bucket->ways[0];

	for (int i = 0; i < WAYS; i++) {
		if (bucket->ways[i].port == PKT_NO_PORT)
			return &bucket->ways[i];
		if (bucket->ways[i].age > oldest->age)
			oldest = &bucket->ways[i];
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

struct fdb_entry *fdb_learn(struct fdb *fdb, const uint8_t mac[6], uint16_t domain, uint16_t vid,
			    uint16_t port)
{
	uint64_t key = fdb_key(mac, domain);
	struct fdb_bucket *bucket = &fdb->buckets[fdb_bucket_of(fdb, key, vid)];
	int way = find(bucket, key, vid);
	struct fdb_entry *entry = way < 0 ? victim(bucket) : &bucket->ways[way];

	if (way < 0 || entry->port != port) {
		entry->key = key;
		entry->vid = vid;
		entry->port = port;
		fdb->generation++;
	}
	fdb_seen(entry);
	return entry;
}

uint16_t fdb_find(const struct fdb *fdb, const uint8_t mac[6], uint16_t domain, uint16_t vid)
{
	uint64_t key = fdb_key(mac, domain);
	const struct fdb_bucket *bucket = &fdb->buckets[fdb_bucket_of(fdb, key, vid)];
	int way = find(bucket, key, vid);

	return way < 0 ? PKT_NO_PORT : bucket->ways[way].port;
}

static void row_of(const struct fdb_entry *entry, struct sw_fdb_row *row)
{
	for (int i = 0; i < 6; i++)
		row->mac[i] = (uint8_t)(entry->key >> (8 * i));
	row->domain = (uint16_t)(entry->key >> 48);
	row->vid = entry->vid;
	row->port = entry->port;
	row->installed = false;
}

/* Its age stays: ages are a permutation. */
static void clear_entry(struct fdb *fdb, struct fdb_entry *entry)
{
	fdb->generation++;
	entry->key = NO_KEY;
	entry->port = PKT_NO_PORT;
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

	if (sw->tables != NULL)
		each_installed(sw->tables, f, arg);
	for (uint32_t i = 0; i < (fdb->mask + 1) * WAYS; i++) {
		const struct fdb_entry *entry = &fdb->buckets[i / WAYS].ways[i % WAYS];
		struct sw_fdb_row row;

		if (entry->port == PKT_NO_PORT)
			continue;
		row_of(entry, &row);
		if (sw->tables == NULL ||
		    tables_fdb(sw->tables, row.mac, row.domain, row.vid) == PKT_NO_PORT)
			f(arg, &row);
	}
}
