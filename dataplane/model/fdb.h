/* SPDX-License-Identifier: BSD-3-Clause */
/* The FDB's layout, for fdb.c and for recent.h, which notes that a learned MAC was seen again without
 * searching for it. */
#ifndef RY_FDB_H
#define RY_FDB_H

#include <stdint.h>

#define FDB_WAYS 4
#define FDB_TICK_BITS 34 /* a tick is 2^34 ps */
#define FDB_RANK_BITS 2
#define FDB_RANK_MASK 3u

struct fdb_entry {
	uint64_t key; /* MAC and domain */
	uint16_t vid;
	uint16_t port; /* PKT_NO_PORT when free */
	uint32_t seen; /* tick << 2 | rank in the bucket: 0 = seen last, FDB_WAYS - 1 = first */
};

struct fdb_bucket {
	struct fdb_entry ways[FDB_WAYS];
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct fdb_bucket) == 64, "a bucket is one cache line");

struct fdb {
	uint64_t generation;   /* changes with every entry that comes, moves or goes */
	uint32_t mask;         /* of buckets */
	uint32_t ageing_ticks; /* unseen for as many: gone */
	struct fdb_bucket buckets[];
};

static inline uint32_t fdb_tick(uint64_t t_ps)
{
	return (uint32_t)(t_ps >> FDB_TICK_BITS);
}

static inline uint32_t fdb_rank(const struct fdb_entry *entry)
{
	return entry->seen & FDB_RANK_MASK;
}

/* Where a key is looked for. */
uint32_t fdb_bucket_at(const struct fdb *fdb, uint64_t key, uint16_t vid);

/* The entry becomes the youngest of its bucket; the ranks stay a permutation of 0..FDB_WAYS - 1. */
void fdb_touch(struct fdb_entry *entry);

/* Its frame came again, in the tick in which it was learned. */
static inline void fdb_seen(struct fdb_entry *entry)
{
	if (fdb_rank(entry) != 0) /* the usual case leaves the line clean */
		fdb_touch(entry);
}

#endif
