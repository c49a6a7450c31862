/* SPDX-License-Identifier: BSD-3-Clause */
#include "slab.h"

#include <stdlib.h>

#define CHUNK 1024 /* packets a chunk */

struct chunk {
	struct chunk *next;
	_Alignas(64) uint8_t items[];
};

struct slab {
	uint32_t room, item_bytes;
	struct chunk *chunks;
	struct pkt *free;
	uint64_t in_use;
};

struct slab *slab_new(uint32_t room)
{
	struct slab *slab = calloc(1, sizeof(*slab));

	if (slab == NULL)
		return NULL;
	slab->room = room;
	slab->item_bytes = (uint32_t)(sizeof(struct pkt) + room + 63) / 64 * 64;
	return slab;
}

void slab_free(struct slab *slab)
{
	if (slab == NULL)
		return;
	while (slab->chunks != NULL) {
		struct chunk *next = slab->chunks->next;

		free(slab->chunks);
		slab->chunks = next;
	}
	free(slab);
}

static int grow(struct slab *slab)
{
	size_t bytes = sizeof(struct chunk) + (size_t)CHUNK * slab->item_bytes;
	struct chunk *chunk = aligned_alloc(64, (bytes + 63) / 64 * 64);

	if (chunk == NULL)
		return -1;
	chunk->next = slab->chunks;
	slab->chunks = chunk;
	for (uint32_t i = 0; i < CHUNK; i++) {
		struct pkt *pkt = (struct pkt *)(chunk->items + (size_t)i * slab->item_bytes);

		pkt->next = slab->free;
		slab->free = pkt;
	}
	return 0;
}

struct pkt *slab_get(struct slab *slab, uint32_t len)
{
	struct pkt *pkt;

	if (len > slab->room || (slab->free == NULL && grow(slab) != 0))
		return NULL;
	pkt = slab->free;
	slab->free = pkt->next;
	slab->in_use++;
	*pkt = (struct pkt){.data = (uint8_t *)(pkt + 1), .len = (uint16_t)len};
	return pkt;
}

void slab_put(struct slab *slab, struct pkt *pkt)
{
	pkt->next = slab->free;
	slab->free = pkt;
	slab->in_use--;
}

uint64_t slab_in_use(const struct slab *slab)
{
	return slab->in_use;
}
