/* SPDX-License-Identifier: BSD-3-Clause */
/* mbuf <-> struct pkt: the descriptor is the mbuf's private area, so neither needs a lookup.
 *
 * Zero copy: the model sees the mbuf's own bytes. Owner: the worker that has the frame.
 */
#ifndef RY_RT_FRAME_H
#define RY_RT_FRAME_H

#include "dataplane/model/pkt.h"

#include <rte_mbuf.h>

static inline struct pkt *rt_pkt(struct rte_mbuf *frame)
{
	return (struct pkt *)(frame + 1);
}

static inline struct rte_mbuf *rt_frame(struct pkt *pkt)
{
	return (struct rte_mbuf *)pkt - 1;
}

/* Where an mbuf keeps its dynamic timestamp. */
static inline uint64_t *rt_frame_stamp(struct rte_mbuf *frame, int offset)
{
	return (uint64_t *)(void *)((uint8_t *)frame + offset);
}

/* False: the pool has no room for the descriptor. Asked only of rings that others fill: it reads the
 * mbuf's second cache line. */
static inline int rt_frame_has_pkt(const struct rte_mbuf *frame)
{
	return frame->priv_size >= sizeof(struct pkt);
}

/* Makes a received frame the model's: puts a VLAN tag that the driver took off back, and points the
 * descriptor at the bytes. NULL when it cannot be used (several segments, no room for the tag): the caller
 * frees and counts it. */
struct pkt *rt_frame_in(struct rte_mbuf *frame);
/* The other way: lengths and start as the model left them. No offload is asked for: the flags are as
 * rt_frame_in left them. */
struct rte_mbuf *rt_frame_out(struct pkt *pkt);
/* A new frame with the same bytes and descriptor from pool; NULL when there is no buffer. */
struct pkt *rt_frame_copy(struct rte_mempool *pool, const struct pkt *pkt);

#endif
