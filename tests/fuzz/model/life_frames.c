/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames on the heap: made, copied for floods, counted out and in. */
#include "life.h"

#include <stdlib.h>
#include <string.h>

struct fuzz_pkt *life_new_pkt(struct life *life, const uint8_t *bytes, uint16_t len)
{
	struct fuzz_pkt *made = calloc(1, sizeof(*made));

	must(life, made != NULL);
	made->pkt.data = malloc(len > 0 ? len : 1);
	made->pkt.len = made->len = len;
	must(life, made->pkt.data != NULL);
	memcpy(made->pkt.data, bytes, len);
	if (len <= LOOK_MAX) {
		made->was = malloc(LOOK_MAX);
		must(life, made->was != NULL);
		memcpy(made->was, bytes, len);
	}
	return made;
}

static void free_pkt(struct fuzz_pkt *made)
{
	free(made->pkt.data);
	free(made->was);
	free(made);
}

struct pkt *life_copy(void *ctx, const struct pkt *pkt)
{
	const struct fuzz_pkt *from = (const struct fuzz_pkt *)pkt;
	struct life *life = ctx;
	struct fuzz_pkt *made;
	uint8_t *data;

	if (life->refuse_copies) {
		life->report->refused_copies++;
		return NULL;
	}
	made = life_new_pkt(life, pkt->data, pkt->len);
	if (from->was != NULL)
		memcpy(made->was, from->was, from->len);
	made->id = from->id;
	made->icrc = from->icrc;
	made->in_model = true;
	data = made->pkt.data;
	made->pkt = *pkt;
	made->pkt.data = data;
	life->alive++;
	return &made->pkt;
}

void life_take_back(struct life *life, struct pkt *pkt)
{
	struct fuzz_pkt *made = (struct fuzz_pkt *)pkt;

	must(life, made->in_model);
	made->in_model = false;
	life->alive--;
	free_pkt(made);
}

void life_take_back_all(struct life *life, struct pkt *pkt)
{
	for (struct pkt *next; pkt != NULL; pkt = next) {
		next = pkt->next;
		life_take_back(life, pkt);
	}
}
