/* SPDX-License-Identifier: BSD-3-Clause */
/* Mark: ECN by RED's curve on the instantaneous length of the egress queue, the frame judged not
 * counted (Floyd and Jacobson 1993 for the curve, RFC 3168 for what a mark is). At dequeue the
 * length is what the frame leaves behind; at enqueue what it finds.
 *
 * A frame that is not IP cannot say what it thinks of marks and is not judged.
 */
#include "sw_int.h"

#define ECN_NOT_ECT 0
#define ECN_CE 3

/* SplitMix64 (Steele, Lea, Flood 2014): one stream a queue, so that no queue disturbs another. */
static uint32_t draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (uint32_t)((z ^ (z >> 31)) >> 32);
}

static bool chosen(struct sw *sw, struct sw_queue *queue, uint8_t index)
{
	const struct sw_ecn *ecn = &sw->cfg.qos.ecn[index];
	uint64_t over, probability;

	if (queue->bytes <= ecn->min_bytes)
		return false;
	if (queue->bytes > ecn->max_bytes)
		return true;
	over = queue->bytes - ecn->min_bytes;
	probability = (uint64_t)(((unsigned __int128)over * sw->ecn_slope[index]) >> 32);
	return draw(&queue->rng) < probability;
}

static bool judge(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	struct sw_queue *queue = &sw->ports[pkt->out_port].queues[pkt->queue];

	if ((pkt->flags & (PKT_F_V4 | PKT_F_V6)) == 0 || pkt->ecn == ECN_CE)
		return true;
	if (!chosen(sw, queue, pkt->queue))
		return true;
	if (pkt->ecn != ECN_NOT_ECT) {
		pkt->edit |= PKT_EDIT_CE; /* counted when it leaves (advance.c) */
		return true;
	}
	if (!sw->cfg.qos.ecn[pkt->queue].drop_not_ect) {
		queue->counters[SW_QUEUE_ECN_NOT_ECT]++;
		return true;
	}
	sw_drop(sw, t_ps, pkt, SW_DROP_NOT_ECT, pkt->out_port);
	return false;
}

bool mark_enqueue(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	const struct sw_ecn *ecn = &sw->cfg.qos.ecn[pkt->queue];

	return !ecn->on || !ecn->at_enqueue || judge(sw, t_ps, pkt);
}

bool mark_dequeue(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	const struct sw_ecn *ecn = &sw->cfg.qos.ecn[pkt->queue];

	return !ecn->on || ecn->at_enqueue || judge(sw, t_ps, pkt);
}
