/* SPDX-License-Identifier: BSD-3-Clause */
/* The FDB's layout, for fdb.c and for recent.h, which notes that a learned MAC was seen again without
 * searching for it. */
#ifndef RY_FDB_H
#define RY_FDB_H

#include <stdint.h>

#define FDB_WAYS 4

struct fdb_entry {
	uint64_t key; /* MAC and domain */
	uint16_t vid;
	uint16_t port; /* PKT_NO_PORT when free */
	uint32_t age;  /* in the bucket: 0 = seen last, FDB_WAYS - 1 = longest ago */
};

struct fdb_bucket {
	struct fdb_entry ways[FDB_WAYS];
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct fdb_bucket) == 64, "a bucket is one cache line");

struct fdb {
	uint64_t generation; /* changes with every entry that comes, moves or goes */
	uint32_t mask;       /* of buckets */
	struct fdb_bucket buckets[];
};

/* The entry becomes the youngest of its bucket; the ages stay a permutation of 0..FDB_WAYS - 1. */
void fdb_touch(struct fdb_entry *entry);

/* Its frame came again. */
static inline void fdb_seen(struct fdb_entry *entry)
{
	if (entry->age != 0) /* the usual case leaves the line clean */
		fdb_touch(entry);
}

#endif
