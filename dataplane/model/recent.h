/* SPDX-License-Identifier: BSD-3-Clause */
/* Recent: where the last frames between two stations went, so that the next one finds its way by one
 * compare instead of four searches (installed and learned, source and destination).
 *
 * Direct-mapped, by source MAC, destination MAC, VLAN and ingress port. An entry holds as long as
 * nothing that lookup asks has changed: the FDB's generation says so, which tables, reconfiguration
 * and links count up too; and no longer than a tick of the FDB, so that MACs age. A hit has the very effects of a search: it is not part of the switch's
 * state, and a restored switch starts with none.
 */
#ifndef RY_RECENT_H
#define RY_RECENT_H

#include "fdb.h"
#include "hash.h"
#include "sw_int.h"

#define RECENT_ROUTED (PKT_NO_PORT - 1) /* out_port: the frame is for the router */

static inline struct recent *recent_slot(struct sw *sw, const struct pkt *pkt, uint64_t front,
					 uint32_t back)
{
	uint64_t mix = front ^ (uint64_t)back << 21 ^ (uint64_t)pkt->in_port << 37;

	mix *= 0x9e3779b97f4a7c15ULL;

	return &sw->recent[mix >> (64 - SW_RECENT_BITS)];
}

/* NULL when the frame must be looked up. */
static inline const struct recent *recent_find(struct sw *sw, uint64_t t_ps, const struct pkt *pkt)
{
	uint64_t front = hash_load64(pkt->data);
	uint32_t back = hash_load32(pkt->data + 8);
	struct recent *r = recent_slot(sw, pkt, front, back);

	if (r->front != front || r->back != back || r->vid != pkt->vid ||
	    r->in_port != pkt->in_port || r->generation != sw->fdb->generation ||
	    r->tick != fdb_tick(t_ps))
		return NULL;
	return r;
}

/* source: the learned entry of the frame's source, NULL when there is none to be kept young. */
static inline void recent_keep(struct sw *sw, uint64_t t_ps, const struct pkt *pkt,
			       struct fdb_entry *source, uint16_t out_port)
{
	uint64_t front = hash_load64(pkt->data);
	uint32_t back = hash_load32(pkt->data + 8);

	*recent_slot(sw, pkt, front, back) = (struct recent){
		.front = front,
		.back = back,
		.vid = pkt->vid,
		.in_port = pkt->in_port,
		.out_port = out_port,
		.tick = fdb_tick(t_ps),
		.generation = sw->fdb->generation,
		.source = source,
	};
}

/* ---- and where the last routed destinations lie ---- */

static inline struct recent_hop *recent_hop_slot(struct sw *sw, const uint8_t dst[16])
{
	uint64_t mix = (hash_load64(dst) ^ hash_load64(dst + 8)) * 0x9e3779b97f4a7c15ULL;

	return &sw->recent_hops[mix >> (64 - SW_RECENT_BITS)];
}

/* NULL when the destination must be searched for. */
static inline const struct recent_hop *recent_hop_find(struct sw *sw, const uint8_t dst[16])
{
	const struct recent_hop *hop = recent_hop_slot(sw, dst);

	if (hop->dst[0] != hash_load64(dst) || hop->dst[1] != hash_load64(dst + 8) ||
	    hop->generation != sw->fdb->generation)
		return NULL;
	return hop;
}

static inline void recent_hop_keep(struct sw *sw, const uint8_t dst[16],
				   const struct sw_route *route,
				   const struct sw_static_neigh *fixed)
{
	*recent_hop_slot(sw, dst) = (struct recent_hop){
		.dst = {hash_load64(dst), hash_load64(dst + 8)},
		.generation = sw->fdb->generation,
		.route = route,
		.fixed = fixed,
	};
}

#endif
