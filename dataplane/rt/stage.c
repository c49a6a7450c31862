/* SPDX-License-Identifier: BSD-3-Clause */
#include "stage.h"
#include "frame.h"

static bool is_data(const struct pkt *pkt)
{
	return pkt->kind != PKT_PFC && pkt->kind != PKT_PAUSE && pkt->kind != PKT_MAC_CTL;
}

static void lose(struct rt_stage *stage, struct rte_mbuf *frame)
{
	const struct pkt *pkt = rt_pkt(frame);

	stage->full_any++;
	if (is_data(pkt)) {
		stage->full++;
		stage->full_bytes += pkt->len;
		stage->full_prio[pkt->prio & (SW_PRIOS - 1)]++;
	}
	rte_pktmbuf_free(frame);
}

void rt_stage_push(struct rt_stage *stage, struct rte_mbuf *frame, uint64_t t_ps)
{
	const struct pkt *pkt = rt_pkt(frame);
	uint32_t at = stage->tail & (RT_STAGE - 1);

	if (stage->tail - stage->head == RT_STAGE) {
		lose(stage, frame);
		return;
	}
	stage->ring[at] = frame;
	stage->t_ps[at] = t_ps;
	stage->data_bytes[at] = is_data(pkt) ? pkt->len : 0;
	if (stage->data_bytes[at] > 0) {
		stage->staged++;
		stage->staged_bytes += pkt->len;
	}
	stage->tail++;
}

/* The device owns the frame already, and may have freed it: only what was noted is read. */
static void taken(struct rt_stage *stage, uint64_t now_ps, struct rt_late *late)
{
	uint32_t at = stage->head++ & (RT_STAGE - 1);

	if (stage->data_bytes[at] > 0) {
		stage->staged--;
		stage->staged_bytes -= stage->data_bytes[at];
	}
	if (late != NULL)
		rt_late_add(late, now_ps > stage->t_ps[at] ? now_ps - stage->t_ps[at] : 0);
}

uint32_t rt_stage_flush(struct rt_stage *stage, uint64_t now_ps, struct rt_late *late)
{
	uint32_t total = 0;

	while (stage->head != stage->tail) {
		uint32_t at = stage->head & (RT_STAGE - 1);
		uint32_t n = stage->tail - stage->head;
		uint16_t done, i;

		if (n > RT_STAGE - at)
			n = RT_STAGE - at;
		done = stage->tx(stage->ctx, &stage->ring[at], (uint16_t)n);
		for (i = 0; i < done; i++)
			taken(stage, now_ps, late);
		total += done;
		if (done < n)
			break;
	}
	return total;
}

void rt_stage_drain(struct rt_stage *stage)
{
	while (stage->head != stage->tail)
		rte_pktmbuf_free(stage->ring[stage->head++ & (RT_STAGE - 1)]);
	stage->staged = 0;
	stage->staged_bytes = 0;
}
