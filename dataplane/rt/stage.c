/* SPDX-License-Identifier: BSD-3-Clause */
#include "stage.h"
#include "frame.h"

static bool is_data(const struct pkt *pkt)
{
	return pkt->kind != PKT_PFC && pkt->kind != PKT_PAUSE && pkt->kind != PKT_MAC_CTL;
}

static void lose(struct rt_lost *lost, struct rte_mbuf *frame)
{
	const struct pkt *pkt = rt_pkt(frame);

	if (is_data(pkt)) {
		lost->frames++;
		lost->bytes += pkt->len;
		lost->prio[pkt->prio & (SW_PRIOS - 1)]++;
	}
	rte_pktmbuf_free(frame);
}

void rt_stage_push(struct rt_stage *stage, struct rte_mbuf *frame, uint64_t t_ps)
{
	const struct pkt *pkt = rt_pkt(frame);
	uint32_t at = stage->tail & (RT_STAGE - 1);
	uint32_t bytes = is_data(pkt) ? pkt->len : 0;

	if (stage->tail - stage->head == RT_STAGE) {
		stage->full_any++;
		lose(&stage->full, frame);
		return;
	}
	/* A frame that stood in a queue is cold: its two lines are fetched while others are decided,
	 * and written when it goes (make). */
	__builtin_prefetch(frame, 1);
	__builtin_prefetch((const char *)frame + 64, 1);
	stage->ring[at] = frame;
	stage->about[at] = (struct rt_staged){t_ps, bytes};
	stage->tail++;
}

void rt_stage_waiting(const struct rt_stage *stage, uint64_t *frames, uint64_t *bytes)
{
	uint32_t i;

	*frames = *bytes = 0;
	for (i = stage->head; i != stage->tail; i++) {
		uint32_t data = stage->about[i & (RT_STAGE - 1)].data_bytes;

		*frames += data > 0;
		*bytes += data;
	}
}

static void make(struct rt_stage *stage)
{
	for (; stage->made != stage->tail; stage->made++)
		rt_frame_out(rt_pkt(stage->ring[stage->made & (RT_STAGE - 1)]));
}

/* The device owns these n frames already, and may have freed them: only what was noted is read. */
static void taken(struct rt_stage *stage, uint32_t n, uint64_t now_ps, struct rt_late *late)
{
	const struct rt_staged *about = &stage->about[stage->head & (RT_STAGE - 1)];
	uint32_t i;

	for (i = 0; late != NULL && i < n; i++)
		rt_late_add(late, now_ps > about[i].t_ps ? now_ps - about[i].t_ps : 0);
	stage->head += n;
	if (stage->head == stage->tail)
		stage->head = stage->tail = stage->made = 0;
}

uint32_t rt_stage_flush(struct rt_stage *stage, uint64_t now_ps, struct rt_late *late)
{
	uint32_t total = 0;

	make(stage);
	while (stage->head != stage->tail) {
		uint32_t at = stage->head & (RT_STAGE - 1);
		uint32_t n = stage->tail - stage->head;
		uint16_t done;

		if (n > RT_STAGE - at)
			n = RT_STAGE - at;
		done = stage->tx(stage->ctx, &stage->ring[at], (uint16_t)n);
		taken(stage, done, now_ps, late);
		total += done;
		if (done < n)
			break;
	}
	return total;
}

void rt_stage_lose(struct rt_stage *stage)
{
	while (stage->head != stage->tail)
		lose(&stage->gone, stage->ring[stage->head++ & (RT_STAGE - 1)]);
	stage->head = stage->tail = stage->made = 0;
}

void rt_stage_drain(struct rt_stage *stage)
{
	while (stage->head != stage->tail)
		rte_pktmbuf_free(stage->ring[stage->head++ & (RT_STAGE - 1)]);
	stage->head = stage->tail = stage->made = 0;
}
