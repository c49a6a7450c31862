/* SPDX-License-Identifier: BSD-3-Clause */
/* Recount: the cell size changes under traffic. Frames keep what they are charged to; every count is
 * added up anew from the frames that lie in the queues. What waits in an edge or for a neighbour has
 * not been charged yet.
 *
 * Which of a PG's frames lie in headroom is not remembered anywhere: headroom keeps its bytes, as far
 * as frames are there, and a PG that had nothing else keeps it all there. Watermarks are turned into
 * new cells, rounded up.
 *
 * It goes through every queued frame once: control's act, not a frame's.
 */
#include "sw_int.h"

static void rescale(uint64_t *cells, uint32_t old_bytes, uint32_t new_bytes)
{
	*cells = (*cells * old_bytes + new_bytes - 1) / new_bytes;
}

/* The sum of a PG's frames is gathered in its ingress until `divide`. */
static void begin(struct sw_pg *pg, uint32_t old_bytes, uint32_t new_bytes)
{
	if (pg->ingress == 0)
		pg->headroom = UINT64_MAX;
	else
		rescale(&pg->headroom, old_bytes, new_bytes);
	pg->ingress = 0;
	rescale(&pg->max_shared, old_bytes, new_bytes);
	rescale(&pg->max_headroom, old_bytes, new_bytes);
}

static void count_queue(struct sw *sw, struct sw_queue *queue)
{
	queue->cells = 0;
	for (struct pkt *pkt = queue->head; pkt != NULL; pkt = pkt->next) {
		pkt->cells = cells_of(sw, pkt->len);
		queue->cells += pkt->cells;
		sw->ports[pkt->in_port].pgs[pkt->pg].ingress += pkt->cells;
	}
	sw->used += queue->cells;
}

static void divide(struct sw *sw, struct sw_pg *pg)
{
	if (pg->headroom > pg->ingress)
		pg->headroom = pg->ingress;
	pg->ingress -= pg->headroom;
	sw->headroom_used += pg->headroom;
}

void recount_cells(struct sw *sw, uint32_t old_bytes)
{
	uint32_t new_bytes = sw->cfg.buffer.cell_bytes;

	sw->used = 0;
	sw->headroom_used = 0;
	rescale(&sw->max_used, old_bytes, new_bytes);
	rescale(&sw->max_shared_used, old_bytes, new_bytes);
	rescale(&sw->max_headroom_used, old_bytes, new_bytes);
	for (uint16_t i = 0; i < sw->n_ports; i++)
		for (int g = 0; g < SW_PRIOS; g++)
			begin(&sw->ports[i].pgs[g], old_bytes, new_bytes);
	for (uint16_t i = 0; i < sw->n_ports; i++)
		for (int q = 0; q < SW_PRIOS; q++) {
			rescale(&sw->ports[i].queues[q].max_cells, old_bytes, new_bytes);
			count_queue(sw, &sw->ports[i].queues[q]);
		}
	for (uint16_t i = 0; i < sw->n_ports; i++)
		for (int g = 0; g < SW_PRIOS; g++)
			divide(sw, &sw->ports[i].pgs[g]);
}
