/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrivals: frames that were polled and are not yet due, one bounded FIFO a port.
 *
 * A real port's frame arrives at max(poll time, previous arrival + its wire time at the declared
 * rate): after a stalled poll the frames that piled up in the device must not look like a burst
 * faster than the wire. A frame that brings its own stamp (lockstep, replay, a cable) keeps it. The
 * switch sees arrivals in the order (time, port, order); a full FIFO means that its port is not
 * polled, so the device, not we, decides what is lost.
 * Times in ps. Owner: the worker.
 */
#ifndef RY_RT_ARRIVAL_H
#define RY_RT_ARRIVAL_H

#include "dataplane/model/pkt.h"
#include "dataplane/model/sw.h"

#include <stdbool.h>
#include <stdint.h>

#define RT_FIFO 1024 /* frames; power of two */

/* Wire time at a declared rate: a byte's time in 32.32 ps and the part below a ps that is carried. */
struct rt_wire {
	uint64_t byte_q32;
	uint32_t overhead_bytes, fraction;
};

/* The stamp stands beside the pointer: the search for the earliest must not wait for a descriptor. */
struct rt_arrival {
	uint64_t t_ps; /* never decreases along the ring */
	struct pkt *pkt;
};

struct rt_arrivals {
	struct rt_arrival ring[RT_FIFO];
	uint32_t head, tail;       /* free-running */
	uint64_t last_ps;          /* stamp of the newest frame ever put */
	uint64_t behind;           /* own stamps that were before last_ps and had to be raised */
	struct rt_wire wire;
};

void rt_wire_init(struct rt_wire *wire, uint64_t rate_bps, uint32_t overhead_bytes);
/* Time of one frame of len bytes (60 at least) on the wire; the remainder goes to the next call. */
uint64_t rt_wire_time(struct rt_wire *wire, uint32_t len_bytes);

static inline uint32_t rt_arrivals_room(const struct rt_arrivals *a)
{
	return RT_FIFO - (a->tail - a->head);
}

static inline uint64_t rt_arrivals_next(const struct rt_arrivals *a)
{
	return a->head == a->tail ? SW_NEVER : a->ring[a->head & (RT_FIFO - 1)].t_ps;
}

/* The caller has checked the room. smooth false: polled frames all get poll_ps. */
void rt_arrivals_put_polled(struct rt_arrivals *a, struct pkt **pkts, uint32_t n, uint64_t poll_ps,
			    bool smooth);
void rt_arrivals_put_stamped(struct rt_arrivals *a, struct pkt *pkt, uint64_t stamp_ps);
/* NULL when empty. */
struct pkt *rt_arrivals_pop(struct rt_arrivals *a);

/* next_ps[i]: time of port i's first frame, SW_NEVER when none; kept here so that the search for
 * the earliest reads one array. */
struct rt_merge {
	uint16_t n;
	struct rt_arrivals **fifos;
	uint64_t *next_ps;
};

/* Earliest stamp over all ports. */
static inline uint64_t rt_merge_next(const struct rt_merge *merge)
{
	uint64_t first = SW_NEVER;
	uint16_t i;

	for (i = 0; i < merge->n; i++)
		if (merge->next_ps[i] < first)
			first = merge->next_ps[i];
	return first;
}

/* Takes frames stamped t_ps, by port and order, up to cap; returns how many. The ports are asked
 * one by one: a processor guesses well which of them it is, and goes on before it knows. */
static inline uint32_t rt_merge_take(struct rt_merge *merge, uint64_t t_ps, struct pkt **out,
				     uint32_t cap)
{
	uint32_t n = 0;
	uint16_t i;

	for (i = 0; i < merge->n; i++) {
		struct rt_arrivals *a = merge->fifos[i];

		while (merge->next_ps[i] == t_ps) {
			if (n == cap)
				return n;
			out[n++] = a->ring[a->head++ & (RT_FIFO - 1)].pkt;
			/* It stood beside others' for a while, and is read soon. */
			__builtin_prefetch(a->ring[a->head & (RT_FIFO - 1)].pkt);
			merge->next_ps[i] = rt_arrivals_next(a);
		}
	}
	return n;
}

#endif
