/* SPDX-License-Identifier: BSD-3-Clause */
#include "arrival.h"

#define MIN_FRAME_BYTES 60 /* IEEE 802.3 without FCS: shorter frames are padded on the wire */

void rt_wire_init(struct rt_wire *wire, uint64_t rate_bps, uint32_t overhead_bytes)
{
	unsigned __int128 bits_ps = (unsigned __int128)8 * 1000000000000u << 32;

	wire->byte_q32 = (uint64_t)(bits_ps / rate_bps);
	wire->overhead_bytes = overhead_bytes;
	wire->fraction = 0;
}

uint64_t rt_wire_time(struct rt_wire *wire, uint32_t len_bytes)
{
	uint32_t len = len_bytes < MIN_FRAME_BYTES ? MIN_FRAME_BYTES : len_bytes;
	unsigned __int128 q32 = (unsigned __int128)wire->byte_q32 * (len + wire->overhead_bytes);

	q32 += wire->fraction;
	wire->fraction = (uint32_t)q32;
	return (uint64_t)(q32 >> 32);
}

void rt_arrivals_put_polled(struct rt_arrivals *a, struct pkt **pkts, uint32_t n, uint64_t poll_ps,
			    bool smooth)
{
	struct rt_wire wire = a->wire;
	uint64_t t_ps = a->last_ps;
	uint32_t tail = a->tail, i;

	for (i = 0; i < n; i++) {
		if (smooth)
			t_ps += rt_wire_time(&wire, pkts[i]->len);
		if (poll_ps > t_ps) {
			wire.fraction = 0; /* the wire was idle in between */
			t_ps = poll_ps;
		}
		pkts[i]->t_ps = t_ps;
		a->ring[tail++ & (RT_FIFO - 1)] = (struct rt_arrival){t_ps, pkts[i]};
	}
	a->wire.fraction = wire.fraction;
	a->last_ps = t_ps;
	a->tail = tail;
}

void rt_arrivals_put_stamped(struct rt_arrivals *a, struct pkt *pkt, uint64_t stamp_ps)
{
	if (stamp_ps < a->last_ps) {
		a->behind++;
		stamp_ps = a->last_ps;
	}
	pkt->t_ps = stamp_ps;
	a->last_ps = stamp_ps;
	a->ring[a->tail++ & (RT_FIFO - 1)] = (struct rt_arrival){stamp_ps, pkt};
}

struct pkt *rt_arrivals_pop(struct rt_arrivals *a)
{
	return a->head == a->tail ? NULL : a->ring[a->head++ & (RT_FIFO - 1)].pkt;
}
