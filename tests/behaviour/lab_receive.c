/* SPDX-License-Identifier: BSD-3-Clause */
/* What hosts get: data is counted, PFC goes down the cable to where it acts. */
#include "lab.h"

#include "dataplane/model/hdr.h"

#include <stdlib.h>
#include <string.h>

static void receive_pfc(struct lab *lab, struct lab_host *host, const struct sw_rec *rec)
{
	struct lab_item *item = lab_cable_put(&host->in);
	uint16_t number = rec->port + 1;

	CU_ASSERT_TRUE(lab_valid_pfc(lab, rec));
	item->at_ps = rec->t_ps + lab_wire_ps(lab, number, SW_PFC_BYTES) + host->delay_ps +
		      host->response_ps;
	item->vector = rec->gen.class_vector;
	memcpy(item->quanta, rec->gen.quanta, sizeof(item->quanta));
	for (int p = 0; p < SW_PRIOS; p++)
		host->pfc_seen[p] += rec->gen.class_vector >> p & 1;
	host->last_pfc_ps = rec->t_ps;
	lab_host_plan(lab, number);
}

static void receive_data(struct lab *lab, const struct sw_rec *rec, struct lab_rec *out)
{
	const uint8_t *ip = rec->pkt->data + rec->pkt->l3_off, *udp = ip + HDR_IPV4;
	const uint8_t *bth = udp + HDR_UDP;
	struct lab_flow *flow;
	uint64_t took = 0;

	out->len = rec->pkt->len;
	out->queue = rec->pkt->queue;
	out->tos = ip[IPV4_TOS];
	out->ttl = ip[IPV4_TTL];
	out->flow = be16(ip + 4);
	out->psn = (uint32_t)bth[9] << 16 | be16(bth + 10);
	if (out->flow >= lab->n_flows ||
	    (lab->flows[out->flow].dst != 0 && lab->flows[out->flow].dst != rec->port + 1))
		CU_FAIL_FATAL("a frame that no flow sent there");
	if (!lab_intact(lab, rec->pkt))
		CU_FAIL("a frame with a wrong checksum or ICRC");
	flow = &lab->flows[out->flow];
	lab->hosts[out->host].data_seen++;
	flow->last_ps =
		rec->t_ps + lab_wire_ps(lab, out->host, out->len) + lab->hosts[out->host].delay_ps;
	for (int i = 5; i >= 0; i--)
		took = took << 8 | bth[HDR_BTH + i];
	took = flow->last_ps - took;
	flow->sum_ps += took;
	flow->most_ps = took > flow->most_ps ? took : flow->most_ps;
	if (flow->received == 0 || took < flow->least_ps)
		flow->least_ps = took;
	if (flow->received++ == 0)
		flow->first_ps = flow->last_ps;
	flow->received_ce += (out->tos & 3) == 3;
	flow->out_of_order += out->psn < flow->next_psn;
	if (out->psn >= flow->next_psn)
		flow->next_psn = out->psn + 1;
}

void lab_host_receives(struct lab *lab, const struct sw_rec *rec)
{
	struct lab_host *host = &lab->hosts[rec->port + 1];
	struct lab_rec kept = {.t_ps = rec->t_ps,
			       .host = rec->port + 1,
			       .kind = rec->kind,
			       .len = SW_MIN_FRAME,
			       .gen = rec->gen};

	if (rec->kind == SW_REC_PFC)
		receive_pfc(lab, host, rec);
	else if (rec->kind == SW_REC_FRAME)
		receive_data(lab, rec, &kept);
	if (!lab->keep)
		return;
	if (lab->n_recs == lab->cap_recs) {
		lab->cap_recs = lab->cap_recs == 0 ? 1024 : 2 * lab->cap_recs;
		lab->recs = realloc(lab->recs, lab->cap_recs * sizeof(*lab->recs));
	}
	lab->recs[lab->n_recs++] = kept;
}
