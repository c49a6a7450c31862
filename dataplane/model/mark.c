/* SPDX-License-Identifier: BSD-3-Clause */
/* Mark: RED on the instantaneous length of the egress queue (Floyd and Jacobson 1993 for the curve,
 * RFC 3168 for what a mark is). The length is the one right after: at enqueue the frame is in it, as
 * where tail drop is judged; at dequeue it is what the frame leaves behind. sw.h says what the mark
 * curve and the drop curve are.
 *
 * A frame that is not IP cannot say what it thinks of marks: the mark curve does not judge it.
 */
#include "sw_int.h"

#define ECN_NOT_ECT 0
#define ECN_CE 3

/* SplitMix64 (Steele, Lea, Flood 2014): streams of its own for each queue, so that none disturbs
 * another. */
static uint32_t draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (uint32_t)((z ^ (z >> 31)) >> 32);
}

static bool chosen(const struct sw_curve *curve, uint64_t bytes, uint64_t *rng)
{
	uint64_t chance;

	if (bytes <= curve->min)
		return false;
	if (bytes > curve->sure)
		return true;
	chance = (uint64_t)(((unsigned __int128)(bytes - curve->min) * curve->slope) >> 32);
	return draw(rng) < chance;
}

SW_ASIDE static bool drop(struct sw *sw, uint64_t t_ps, struct pkt *pkt, enum sw_drop reason)
{
	uint64_t *counters = sw->ports[pkt->out_port].queues[pkt->queue].counters;

	counters[SW_QUEUE_WRED_DROPPED]++;
	counters[SW_QUEUE_WRED_DROPPED_BYTES] += pkt->len;
	sw_drop(sw, t_ps, pkt, reason, pkt->out_port);
	return false;
}

static inline bool judge_mark(struct sw *sw, uint64_t t_ps, struct pkt *pkt, struct sw_queue *queue,
			      uint64_t bytes)
{
	if ((pkt->flags & (PKT_F_V4 | PKT_F_V6)) == 0 || pkt->ecn == ECN_CE)
		return true;
	if (!chosen(&sw->mark_curve[pkt->queue], bytes, &queue->rng))
		return true;
	if (pkt->ecn != ECN_NOT_ECT) {
		pkt->edit |= PKT_EDIT_CE; /* counted when it leaves (advance.c) */
		return true;
	}
	if (sw->cfg.qos.ecn[pkt->queue].drop_not_ect)
		return drop(sw, t_ps, pkt, SW_DROP_NOT_ECT);
	queue->counters[SW_QUEUE_ECN_NOT_ECT]++;
	return true;
}

bool mark_enqueue(struct sw *sw, uint64_t t_ps, struct pkt *pkt, struct sw_queue *queue)
{
	const struct sw_ecn *ecn = &sw->cfg.qos.ecn[pkt->queue];
	uint64_t bytes;

	if ((sw->red_enqueue >> pkt->queue & 1) == 0)
		return true;
	bytes = queue->bytes + frame_bytes(pkt->len);
	if (ecn->drop.on && chosen(&sw->drop_curve[pkt->queue], bytes, &queue->drop_rng))
		return drop(sw, t_ps, pkt, SW_DROP_WRED);
	return !ecn->on || !ecn->at_enqueue || judge_mark(sw, t_ps, pkt, queue, bytes);
}

bool mark_dequeue(struct sw *sw, uint64_t t_ps, struct pkt *pkt, struct sw_queue *queue)
{
	if ((sw->red_dequeue >> pkt->queue & 1) == 0)
		return true;
	return judge_mark(sw, t_ps, pkt, queue, queue->bytes);
}
