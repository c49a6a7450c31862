/* SPDX-License-Identifier: BSD-3-Clause */
#include "frame.h"

#include <rte_ether.h>
#include <rte_memcpy.h>

struct pkt *rt_frame_in(struct rte_mbuf *frame)
{
	struct rte_mbuf *whole = frame;
	struct pkt *pkt = rt_pkt(frame);

	if (frame->nb_segs != 1)
		return NULL;
	/* rte_vlan_insert may exchange the mbuf only for a shared one, which it refuses. */
	if ((frame->ol_flags & RTE_MBUF_F_RX_VLAN_STRIPPED) && rte_vlan_insert(&whole) != 0)
		return NULL;
	frame->ol_flags = 0;
	pkt->next = NULL;
	pkt->data = rte_pktmbuf_mtod(frame, uint8_t *);
	pkt->len = frame->data_len;
	pkt->user = 0;
	return pkt;
}

struct rte_mbuf *rt_frame_out(struct pkt *pkt)
{
	struct rte_mbuf *frame = rt_frame(pkt);

	frame->data_off = (uint16_t)(pkt->data - (uint8_t *)frame->buf_addr);
	frame->data_len = pkt->len;
	frame->pkt_len = pkt->len;
	return frame;
}

struct pkt *rt_frame_copy(struct rte_mempool *pool, const struct pkt *pkt)
{
	struct rte_mbuf *frame = rte_pktmbuf_alloc(pool);
	struct pkt *copy;

	if (frame == NULL)
		return NULL;
	if (pkt->len > rte_pktmbuf_tailroom(frame)) {
		rte_pktmbuf_free(frame);
		return NULL;
	}
	copy = rt_pkt(frame);
	*copy = *pkt;
	copy->next = NULL;
	copy->data = rte_pktmbuf_mtod(frame, uint8_t *);
	rte_memcpy(copy->data, pkt->data, pkt->len);
	return copy;
}
