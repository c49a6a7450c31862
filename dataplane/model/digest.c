/* SPDX-License-Identifier: BSD-3-Clause */
/* Digest: one number that says whether two runs did the same to every frame at the same time.
 * Per port, XXH64 over each event's record, chained; ports combined in name order. A record holds
 * time, direction, length, the headers as they are on the wire (64 B at most, no payload, no ICRC),
 * the drop's name and the mark. Cadence, bursts and wall time are not in it. Version 1. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sw_int.h"

#include <string.h>

#define DIGEST_BYTES 64

struct record {
	uint64_t t_ps;
	uint64_t drop; /* XXH64 of the drop's name, so that the list may be reordered; 0 = none */
	uint32_t len;
	uint8_t dir, mark, n, kind;
	uint8_t bytes[DIGEST_BYTES];
};

static void chain(struct sw *sw, uint16_t port, const struct record *record)
{
	sw->ports[port].digest =
		XXH64(record, offsetof(struct record, bytes) + record->n, sw->ports[port].digest);
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

	if (drop >= 0) {
		const char *name = sw_drop_names[drop].name;

		record.drop = XXH64(name, strlen(name), 0);
	}
	memcpy(record.bytes, pkt->data, record.n);
	chain(sw, port, &record);
}

void digest_gen(struct sw *sw, const struct sw_rec *rec)
{
	uint8_t bytes[SW_GEN_MAX];
	struct record record = {.t_ps = rec->t_ps, .dir = DIGEST_TX, .kind = rec->kind};

	record.len = sw_gen_bytes(rec, bytes);
	record.n = record.len < DIGEST_BYTES ? record.len : DIGEST_BYTES;
	memcpy(record.bytes, bytes, record.n);
	chain(sw, rec->port, &record);
}

uint64_t digest_all(const struct sw *sw)
{
	uint64_t all = 0;

	for (uint16_t i = 0; i < sw->n_ports; i++) {
		uint64_t one = sw->ports[sw->by_name[i]].digest;

		all = XXH64(&one, sizeof(one), all);
	}
	return all;
}
