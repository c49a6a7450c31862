/* SPDX-License-Identifier: BSD-3-Clause */
/* The device stage: what the model has sent and the device has not taken yet, bounded, per port.
 *
 * The model owns departure times; a device that is slower than the declared rate makes frames late,
 * not lost: they wait here and count as held. Only when the stage is full are frames lost, as the
 * drop `device_full`, and then the run is not valid: the declared rate was wrong.
 * Times in ps of model time. Owner: the worker.
 */
#ifndef RY_RT_STAGE_H
#define RY_RT_STAGE_H

#include "late.h"
#include "dataplane/model/sw.h"

#include <rte_mbuf.h>
#include <stdint.h>

#define RT_STAGE 1024 /* frames; power of two */

/* Takes up to n frames and returns how many; the rest stay the caller's. */
typedef uint16_t rt_tx_fn(void *ctx, struct rte_mbuf **frames, uint16_t n);

/* What is known of a frame that waits: the device may free it before we can ask. */
struct rt_staged {
	uint64_t t_ps;       /* departure the model decided */
	uint32_t data_bytes; /* its length; 0 for PFC, which is not data */
};

/* Data frames that were lost. */
struct rt_lost {
	uint64_t frames, bytes;
	uint64_t prio[SW_PRIOS]; /* frames by priority */
};

struct rt_stage {
	struct rte_mbuf *ring[RT_STAGE];
	struct rt_staged about[RT_STAGE];
	uint32_t head, tail;           /* free-running, but back to 0 when it is empty: few lines
					* of the cache for a device that keeps up */
	uint32_t made;                 /* up to here frames are as the device wants them */
	struct rt_lost full, gone;     /* lost here: no room; the device went away */
	uint64_t full_any;             /* PFC included */
	rt_tx_fn *tx;
	void *ctx;
};

/* Departure of the oldest frame that waits; SW_NEVER when none. */
static inline uint64_t rt_stage_first(const struct rt_stage *stage)
{
	return stage->head == stage->tail ? SW_NEVER
					  : stage->about[stage->head & (RT_STAGE - 1)].t_ps;
}

/* Data frames that wait now, and their bytes. */
void rt_stage_waiting(const struct rt_stage *stage, uint64_t *frames, uint64_t *bytes);
/* Puts a frame of the model's in line; it is sent by the next flush. Its descriptor gives kind and
 * priority. A full stage frees it and counts. */
void rt_stage_push(struct rt_stage *stage, struct rte_mbuf *frame, uint64_t t_ps);
/* Offers all that waits to the device, in order, at model time now_ps; late may be NULL. Returns
 * the frames taken. */
uint32_t rt_stage_flush(struct rt_stage *stage, uint64_t now_ps, struct rt_late *late);
/* What waits goes nowhere any more: freed, and counted as gone. */
void rt_stage_lose(struct rt_stage *stage);
/* Frees what waits. At stop only. */
void rt_stage_drain(struct rt_stage *stage);

#endif
