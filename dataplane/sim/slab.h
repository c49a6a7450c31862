/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets of virtual time: descriptor and bytes side by side, in chunks that grow and are reused.
 * One thread. */
#ifndef RY_SLAB_H
#define RY_SLAB_H

#include "dataplane/model/pkt.h"

#include <stdint.h>

struct slab;

/* room: bytes of a frame that a packet can hold. NULL when there is no memory. */
struct slab *slab_new(uint32_t room);
void slab_free(struct slab *slab);
/* A packet with data set, room for `room` bytes; NULL when there is no memory or len is larger. */
struct pkt *slab_get(struct slab *slab, uint32_t len);
void slab_put(struct slab *slab, struct pkt *pkt);
/* How many are out: 0 at the end of a run, or there is a leak. */
uint64_t slab_in_use(const struct slab *slab);

#endif
