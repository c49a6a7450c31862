/* SPDX-License-Identifier: BSD-3-Clause */
/* Digest: one number that says whether two runs did the same to every frame at the same time.
 * Per port, XXH64 over each event's record, chained; ports combined in name order. A record holds
 * time, direction, length, the headers as they are on the wire (64 B at most, no payload, no ICRC),
 * the drop's name and the mark; frames that were never made (a copy without memory, an answer without
 * room) are dropped there as others are. What is done to a port (link, hold) is a record of its own,
 * what is done to the switch (tables, configuration) begins the combination. Cadence, bursts and wall
 * time are not in it. Version 1. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sw_int.h"

#include <string.h>

#define DIGEST_BYTES 64

struct record {
	uint64_t t_ps;
	uint64_t
		name; /* XXH64 of the drop's or event's, so that lists may be reordered; 0 = none */
	uint32_t len;
	uint8_t dir, mark, n, kind;
	uint8_t bytes[DIGEST_BYTES];
};

static void chain(uint64_t *digest, const struct record *record)
{
	*digest = XXH64(record, offsetof(struct record, bytes) + record->n, *digest);
}

static uint64_t name_of(const struct sw_name *name)
{
	return XXH64(name->name, strlen(name->name), 0);
}

void digest_pkt(struct sw *sw, uint16_t port, uint64_t t_ps, enum digest_dir dir,
		const struct pkt *pkt, int drop)
{
	struct record record = {
		.t_ps = t_ps,
		.len = pkt->len,
		.dir = dir,
		.mark = (pkt->edit & PKT_EDIT_CE) != 0,
		.n = pkt->hdr_len < DIGEST_BYTES ? pkt->hdr_len : DIGEST_BYTES,
	};

	if (drop >= 0)
		record.name = name_of(&sw_drop_names[drop]);
	memcpy(record.bytes, pkt->data, record.n);
	chain(&sw->ports[port].digest, &record);
}

void digest_gen(struct sw *sw, const struct sw_rec *rec, int drop)
{
	uint8_t bytes[SW_GEN_MAX];
	struct record record = {.t_ps = rec->t_ps, .dir = DIGEST_TX, .kind = rec->kind};

	if (drop >= 0) {
		record.dir = DIGEST_DROP;
		record.name = name_of(&sw_drop_names[drop]);
	}
	record.len = sw_gen_bytes(rec, bytes);
	record.n = record.len < DIGEST_BYTES ? record.len : DIGEST_BYTES;
	memcpy(record.bytes, bytes, record.n);
	chain(&sw->ports[rec->port].digest, &record);
}

void digest_event(struct sw *sw, uint16_t port, uint64_t t_ps, enum sw_event event)
{
	struct record record = {
		.t_ps = t_ps, .dir = DIGEST_EVENT, .name = name_of(&sw_event_names[event])};

	chain(port == PKT_NO_PORT ? &sw->digest : &sw->ports[port].digest, &record);
}

uint64_t digest_all(const struct sw *sw)
{
	uint64_t all = sw->digest;

	for (uint16_t i = 0; i < sw->n_ports; i++) {
		uint64_t one = sw->ports[sw->by_name[i]].digest;

		all = XXH64(&one, sizeof(one), all);
	}
	return all;
}
