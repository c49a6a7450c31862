/* SPDX-License-Identifier: BSD-3-Clause */
/* Queue: a port's eight FIFOs of descriptors. The buffer was charged by admit; here only order and
 * length are kept. */
#include "sw_int.h"

void queue_push(struct sw *sw, struct pkt *pkt)
{
	struct sw_port *port = &sw->ports[pkt->out_port];
	struct sw_queue *queue = &port->queues[pkt->queue];

	pkt->next = NULL;
	if (queue->head == NULL)
		queue->head = pkt;
	else
		queue->last->next = pkt;
	queue->last = pkt;
	queue->packets++;
	queue->bytes += frame_bytes(pkt->len);
	queue->cells += pkt->cells;
	if (queue->cells > queue->max_cells)
		queue->max_cells = queue->cells;
	port->active |= 1u << pkt->queue;
	port_due(sw, pkt->out_port);
}

struct pkt *queue_pop(struct sw *sw, uint16_t port_index, uint8_t index)
{
	struct sw_port *port = &sw->ports[port_index];
	struct sw_queue *queue = &port->queues[index];
	struct pkt *pkt = queue->head;

	queue->head = pkt->next;
	pkt->next = NULL;
	queue->packets--;
	queue->bytes -= frame_bytes(pkt->len);
	queue->cells -= pkt->cells;
	if (queue->head == NULL) {
		queue->last = NULL;
		queue->deficit_bytes = 0; /* an idle queue saves nothing up */
		port->active &= ~(1u << index);
	}
	return pkt;
}
