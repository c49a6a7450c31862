/* SPDX-License-Identifier: BSD-3-Clause */
/* Queue: a port's eight FIFOs of descriptors. The buffer was charged by admit; here only order and
 * length are kept. */
#include "sw_int.h"

void queue_push(struct sw *sw, struct pkt *pkt, struct sw_port *port, struct sw_queue *queue)
{
	struct pkt *last = queue->last;

	pkt->next = NULL;
	queue->last = pkt;
	queue->packets++;
	queue->bytes += frame_bytes(pkt->len);
	queue->cells += pkt->cells;
	if (queue->cells > queue->max_cells)
		queue->max_cells = queue->cells;
	if (last != NULL) { /* behind others: when the port sends next is settled */
		last->next = pkt;
		return;
	}
	queue->head = pkt;
	port->active |= 1u << pkt->queue;
	port_due(sw, pkt->out_port);
}

struct pkt *queue_pop(struct sw_port *port, struct sw_queue *queue)
{
	struct pkt *pkt = queue->head, *next = pkt->next;

	queue->head = next;
	pkt->next = NULL;
	queue->packets--;
	queue->bytes -= frame_bytes(pkt->len);
	queue->cells -= pkt->cells;
	if (next != NULL) { /* of a long queue, out of the cache: the one after it */
		__builtin_prefetch(next->next);
	} else {
		queue->last = NULL;
		queue->deficit_bytes = 0; /* an idle queue saves nothing up */
		port->active &= ~(1u << pkt->queue);
	}
	return pkt;
}
