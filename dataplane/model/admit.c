/* SPDX-License-Identifier: BSD-3-Clause */
/* Admit: may the frame have buffer? Counts are cells.
 *
 * Every ingress priority group (PG) has a reserve of its own; beyond it the frame takes from the
 * shared pool. A lossless PG may hold alpha x (what is free of the pool); what comes after that
 * goes to its headroom, and only a full headroom drops: the PG's own, or the pool that all headrooms
 * may share (headroom_limit). It is in xoff from the moment its shared
 * use reaches the threshold (or headroom is in use) until it has left headroom and lies xon_offset
 * below the threshold. xoff is judged on frames taken, before any limit that drops. The rules are
 * the ones that the public HPCC simulator's switch-mmu follows.
 *
 * A lossy frame is held against its egress queue instead: lossy_alpha x free.
 */
#include "sw_int.h"

static uint64_t free_cells(const struct sw *sw)
{
	return sw->shared_size > sw->shared_used ? sw->shared_size - sw->shared_used : 0;
}

static uint64_t share(const struct sw *sw, uint32_t alpha_q16)
{
	return (free_cells(sw) * alpha_q16) >> 16;
}

static uint64_t shared_of(const struct sw_pg *pg)
{
	return pg->ingress > pg->reserved_size ? pg->ingress - pg->reserved_size : 0;
}

/* The PG holds `total` cells in reserve and pool, `shared` of them in the pool. */
static void charge(struct sw *sw, struct sw_pg *pg, uint64_t total, uint64_t shared)
{
	sw->shared_used += shared - shared_of(pg);
	pg->ingress = total;
	if (shared > pg->max_shared)
		pg->max_shared = shared;
	if (sw->shared_used > sw->max_shared_used)
		sw->max_shared_used = sw->shared_used;
}

static bool charge_headroom(struct sw *sw, struct sw_pg *pg, uint32_t cells)
{
	uint64_t own = pg->headroom + cells, all = sw->headroom_used + cells;

	if (own > pg->headroom_size || all > sw->headroom_limit)
		return false;
	pg->headroom = own;
	if (own > pg->max_headroom)
		pg->max_headroom = own;
	sw->headroom_used = all;
	if (all > sw->max_headroom_used)
		sw->max_headroom_used = all;
	return true;
}

static bool admit_lossless(struct sw *sw, struct sw_pg *pg, uint32_t cells)
{
	uint64_t total = pg->ingress + cells, spare = free_cells(sw), shared;

	shared = total > pg->reserved_size ? total - pg->reserved_size : 0;
	if (shared == 0 || (shared <= (spare * sw->cfg.buffer.alpha_q16) >> 16 &&
			    shared - shared_of(pg) <= spare)) {
		charge(sw, pg, total, shared);
		return true;
	}
	return charge_headroom(sw, pg, cells);
}

static bool admit_lossy(struct sw *sw, struct sw_pg *pg, const struct sw_queue *queue,
			uint32_t cells)
{
	uint64_t total = pg->ingress + cells, shared;

	shared = total > pg->reserved_size ? total - pg->reserved_size : 0;
	if (shared > 0 && (queue->cells + cells > share(sw, sw->cfg.buffer.lossy_alpha_q16) ||
			   shared - shared_of(pg) > free_cells(sw)))
		return false;
	charge(sw, pg, total, shared);
	return true;
}

/* Shared use has reached the threshold, or headroom is in use. */
static bool past_xoff(const struct sw *sw, const struct sw_pg *pg)
{
	uint64_t shared = shared_of(pg);

	return pg->headroom > 0 || (shared > 0 && shared >= share(sw, sw->cfg.buffer.alpha_q16));
}

static bool below_xon(const struct sw *sw, const struct sw_pg *pg)
{
	uint64_t shared = shared_of(pg);

	return pg->headroom == 0 &&
	       (shared == 0 || shared + sw->xon_offset <= share(sw, sw->cfg.buffer.alpha_q16));
}

static bool too_long(const struct sw_port *out, const struct pkt *pkt)
{
	uint32_t most = out->cfg.mtu_bytes + 14 + (pkt->vid != PKT_NO_VLAN ? 4 : 0);

	return pkt->len > most;
}

bool admit(struct sw *sw, uint64_t t_ps, struct pkt *pkt, const struct sw_port *out,
	   const struct sw_queue *queue)
{
	struct sw_pg *pg = &sw->ports[pkt->in_port].pgs[pkt->pg];

	if (!out->up) {
		sw_drop(sw, t_ps, pkt, SW_DROP_LINK_DOWN, pkt->out_port);
		return false;
	}
	if (too_long(out, pkt)) {
		sw_drop(sw, t_ps, pkt, SW_DROP_MTU_EXCEEDED, pkt->out_port);
		return false;
	}
	pkt->cells = cells_of(sw, pkt->len);
	if (!pg->lossless) {
		if (!admit_lossy(sw, pg, queue, pkt->cells)) {
			sw_drop(sw, t_ps, pkt, SW_DROP_QUEUE_FULL, pkt->out_port);
			return false;
		}
	} else if (!admit_lossless(sw, pg, pkt->cells)) {
		/* Headroom below one frame: the peer is told to stop all the same. An empty PG is
		 * not: nothing would ever leave it and say xon. */
		if (!pg->xoff && pg->ingress > 0)
			pfc_xoff(sw, t_ps, pkt->in_port, pkt->pg);
		pg->dropped++;
		sw_drop(sw, t_ps, pkt, SW_DROP_HEADROOM_FULL, pkt->in_port);
		return false;
	}
	sw->used += pkt->cells;
	if (sw->used > sw->max_used)
		sw->max_used = sw->used;
	if (pg->lossless && !pg->xoff && past_xoff(sw, pg))
		pfc_xoff(sw, t_ps, pkt->in_port, pkt->pg);
	return true;
}

void admit_release(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	struct sw_pg *pg = &sw->ports[pkt->in_port].pgs[pkt->pg];
	uint64_t from_headroom = pg->headroom < pkt->cells ? pg->headroom : pkt->cells;
	uint64_t before = shared_of(pg);

	pg->headroom -= from_headroom;
	sw->headroom_used -= from_headroom;
	pg->ingress -= pkt->cells - from_headroom;
	sw->shared_used -= before - shared_of(pg);
	sw->used -= pkt->cells;
	if (pg->xoff && below_xon(sw, pg))
		pfc_xon(sw, t_ps, pkt->in_port, pkt->pg);
}

void admit_reconfigured(struct sw *sw, uint64_t t_ps, uint16_t port)
{
	for (uint8_t g = 0; g < SW_PRIOS; g++) {
		const struct sw_pg *pg = &sw->ports[port].pgs[g];

		if (pg->xoff && below_xon(sw, pg))
			pfc_xon(sw, t_ps, port, g);
		else if (pg->lossless && !pg->xoff && past_xoff(sw, pg))
			pfc_xoff(sw, t_ps, port, g);
	}
}
