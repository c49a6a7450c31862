/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames that the switch makes itself (PFC, ARP, ND), and the copies of a flood. */
#include "frame.h"
#include "rt_int.h"

struct rte_mbuf *rt_gen_frame(struct rt_port *port, const struct sw_rec *rec)
{
	struct rte_mbuf *frame = rte_pktmbuf_alloc(port->pool);
	uint8_t bytes[SW_GEN_MAX];
	struct pkt *pkt;

	if (frame == NULL) {
		port->no_buffer++;
		if (rec->kind != SW_REC_PFC) {
			port->no_buffer_data++;
			port->no_buffer_bytes += sw_gen_bytes(rec, bytes);
		}
		return NULL;
	}
	pkt = rt_pkt(frame);
	memset(pkt, 0, sizeof(*pkt));
	pkt->kind = rec->kind == SW_REC_PFC ? PKT_PFC : PKT_ARP;
	pkt->data = rte_pktmbuf_mtod(frame, uint8_t *);
	pkt->len = sw_gen_bytes(rec, pkt->data);
	return frame;
}

struct pkt *rt_copy(void *ctx, const struct pkt *pkt)
{
	struct rt_switch *s = ctx;
	const struct rt_port *in = &s->ports[pkt->in_port];
	struct rte_mempool *pool = rt_frame((struct pkt *)pkt)->pool;

	/* Another's pool may have no room for a descriptor, and is not ours to empty. */
	if (in->foreign)
		pool = s->pool;
	return rt_frame_copy(pool, pkt);
}
