/* SPDX-License-Identifier: BSD-3-Clause */
#include "lab.h"

#include "dataplane/model/hdr.h"
#include "dataplane/model/icrc.h"

#include <stdlib.h>
#include <string.h>

#define STORM 0x80000000u /* in lab_item.what */
#define TEMPLATE 128      /* bytes of a frame that are not zero */

/* ---- times ---- */

uint64_t lab_wire_ps(const struct lab *lab, uint16_t host, uint32_t len)
{
	const struct lab_host *h = &lab->hosts[host];
	uint32_t rem = 0;

	return wire_time(h->wire, frame_bytes(len) + h->overhead_bytes, &rem);
}

uint64_t lab_quanta_ps(const struct lab *lab, uint16_t host, uint32_t quanta)
{
	uint32_t rem = 0;

	return wire_time(lab->hosts[host].wire, (uint64_t)quanta * SW_QUANTUM_BYTES, &rem);
}

uint64_t lab_storm_period(const struct lab *lab, uint16_t host)
{
	return lab_quanta_ps(lab, host, SW_PFC_QUANTA) / 2;
}

/* ---- frames ---- */

static void put_icrc(uint8_t *frame, uint32_t ip, uint32_t end)
{
	uint32_t icrc = icrc_compute(frame, ip, ip + HDR_IPV4, end);

	for (int i = 0; i < HDR_ICRC; i++)
		frame[end + i] = (uint8_t)(icrc >> 8 * i);
}

/* RDMA WRITE_ONLY where len has room for its headers, else an ACK. */
static uint16_t put_frame(const struct lab *lab, uint32_t index, uint32_t psn, uint64_t sent_ps)
{
	const struct lab_flow *flow = &lab->flows[index];
	const struct fabric_host *src = &lab->fabric.hosts[flow->src - 1];
	const struct fabric_host *dst = flow->dst ? &lab->fabric.hosts[flow->dst - 1] : NULL;
	uint8_t *ip = lab->frame + HDR_ETH + (flow->tagged ? HDR_TAG : 0), *udp = ip + HDR_IPV4;
	uint8_t *bth = udp + HDR_UDP;
	uint16_t ip_len = (uint16_t)(lab->frame + flow->len - ip);
	uint32_t sum = 0;

	memset(lab->frame, 0, lab->icrc ? flow->len : TEMPLATE);
	memcpy(lab->frame + ETH_DST,
	       flow->routed || dst == NULL ? lab->fabric.switches[0].config.router_mac : dst->mac,
	       6);
	memcpy(lab->frame + ETH_SRC, src->mac, 6);
	put_be16(lab->frame + ETH_TYPE, ETHERTYPE_TAG);
	put_be16(lab->frame + HDR_ETH, (uint16_t)(flow->pcp << 13));
	put_be16(ip - 2, ETHERTYPE_IPV4);
	ip[0] = 0x45;
	ip[IPV4_TOS] = (uint8_t)(flow->dscp << 2 | flow->ecn);
	put_be16(ip + IPV4_LEN, ip_len);
	ip[IPV4_TTL] = 64;
	ip[IPV4_PROTO] = PROTO_UDP;
	memcpy(ip + IPV4_SRC, src->ip4 + 12, 4);
	memcpy(ip + IPV4_DST, dst != NULL ? dst->ip4 + 12 : flow->to, 4);
	put_be16(ip + 4, (uint16_t)index);
	for (int i = 0; i < HDR_IPV4; i += 2)
		sum += be16(ip + i);
	put_be16(ip + IPV4_SUM, (uint16_t)~sum_fold(sum));
	put_be16(udp + UDP_SPORT, flow->sport);
	put_be16(udp + UDP_DPORT, UDP_PORT_ROCE);
	put_be16(udp + UDP_LEN, ip_len - HDR_IPV4);
	bth[BTH_OPCODE] = ip_len >= HDR_IPV4 + HDR_UDP + HDR_BTH + 16 + HDR_ICRC ? 0x0a : 0x11;
	put_be16(bth + BTH_QP + 1, (uint16_t)flow->qp);
	bth[BTH_QP] = (uint8_t)(flow->qp >> 16);
	put_be16(bth + 10, (uint16_t)psn);
	bth[9] = (uint8_t)(psn >> 16);
	for (int i = 0; i < 6; i++)
		bth[HDR_BTH + i] = (uint8_t)(sent_ps >> 8 * i);
	if (lab->icrc)
		put_icrc(lab->frame, (uint32_t)(ip - lab->frame), flow->len - HDR_ICRC);
	return flow->len;
}

void lab_pfc_bytes(uint8_t bytes[SW_MIN_FRAME], uint16_t vector, uint16_t quanta)
{
	static const uint8_t head[16] = {0x01, 0x80, 0xc2, 0, 0,    1,    2, 0,
					 0,    0,    0,    9, 0x88, 0x08, 1, 1};

	memset(bytes, 0, SW_MIN_FRAME);
	memcpy(bytes, head, sizeof(head));
	put_be16(bytes + PFC_VECTOR, vector);
	for (int p = 0; p < SW_PRIOS; p++)
		put_be16(bytes + PFC_QUANTA + 2 * p, vector >> p & 1 ? quanta : 0);
}

/* ---- cables ---- */

static struct lab_item *put(struct lab_cable *cable)
{
	if (cable->tail - cable->head == cable->size) {
		uint32_t size = cable->size == 0 ? 16 : 2 * cable->size;
		struct lab_item *items = calloc(size, sizeof(*items));

		for (uint32_t i = cable->head; i != cable->tail; i++)
			items[i & (size - 1)] = cable->items[i & (cable->size - 1)];
		free(cable->items);
		cable->items = items;
		cable->size = size;
	}
	return &cable->items[cable->tail++ & (cable->size - 1)];
}

static struct lab_item *first(const struct lab_cable *cable)
{
	return cable->head == cable->tail ? NULL : &cable->items[cable->head & (cable->size - 1)];
}

/* ---- what a host sends next ---- */

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static bool finished(const struct lab_flow *flow)
{
	return flow->count != 0 && flow->sent == flow->count;
}

static uint64_t flow_at(const struct lab_host *host, const struct lab_flow *flow)
{
	uint64_t at = flow->due_ps;

	if (finished(flow))
		return SW_NEVER;
	if (!flow->deaf)
		at = later(at, host->paused_until[flow->prio]);
	return flow->stop_ps != 0 && at >= flow->stop_ps ? SW_NEVER : at;
}

static uint64_t storm_at(const struct lab_storm *storm)
{
	if (storm->count != 0 && storm->sent == storm->count)
		return SW_NEVER;
	return storm->stop_ps != 0 && storm->due_ps >= storm->stop_ps ? SW_NEVER : storm->due_ps;
}

/* The flow that may send first; the one that waits longest among those. */
static uint64_t first_flow(const struct lab *lab, const struct lab_host *host, uint32_t *index)
{
	uint64_t best = SW_NEVER;

	*index = LAB_NONE;
	for (uint32_t i = host->flows; i != LAB_NONE; i = lab->flows[i].next) {
		uint64_t at = later(flow_at(host, &lab->flows[i]), host->free_ps);

		if (at < best || (at == best && at != SW_NEVER &&
				  lab->flows[i].due_ps < lab->flows[*index].due_ps)) {
			best = at;
			*index = i;
		}
	}
	return best;
}

static uint64_t first_storm(const struct lab *lab, const struct lab_host *host, uint32_t *index)
{
	uint64_t best = SW_NEVER;

	*index = LAB_NONE;
	for (uint32_t i = host->storms; i != LAB_NONE; i = lab->storms[i].next) {
		uint64_t at = later(storm_at(&lab->storms[i]), host->free_ps);

		if (at < best) {
			best = at;
			*index = i;
		}
	}
	return best;
}

void lab_host_plan(struct lab *lab, uint16_t number)
{
	const struct lab_host *host = &lab->hosts[number];
	const struct lab_item *out = first(&host->out), *in = first(&host->in);
	uint64_t next, at;
	uint32_t index;

	next = first_flow(lab, host, &index);
	at = first_storm(lab, host, &index);
	next = at < next ? at : next;
	next = out != NULL && out->at_ps < next ? out->at_ps : next;
	next = in != NULL && in->at_ps < next ? in->at_ps : next;
	due_set(&lab->due, number - 1u, next);
}

/* ---- what happens at t ---- */

static void serialise(struct lab_host *host, uint64_t t_ps, uint16_t len, uint32_t what,
		      uint32_t psn)
{
	host->free_ps =
		t_ps + wire_time(host->wire, frame_bytes(len) + host->overhead_bytes, &host->rem);
	*put(&host->out) = (struct lab_item){
		.at_ps = host->free_ps + host->delay_ps, .what = what, .psn = psn};
}

/* A flow with a load does not make up for what a pause took away. */
static void send_flow(struct lab *lab, struct lab_host *host, uint32_t index, uint64_t t_ps)
{
	struct lab_flow *flow = &lab->flows[index];
	uint64_t gap = lab_wire_ps(lab, flow->src, flow->len);

	serialise(host, t_ps, flow->len, index, (uint32_t)flow->sent);
	flow->sent++;
	if (flow->load_ppm == 0) {
		flow->due_ps = t_ps + 1;
		return;
	}
	gap = gap * 1000000 / flow->load_ppm;
	flow->due_ps = (t_ps - flow->due_ps > gap ? t_ps : flow->due_ps) + gap;
}

static void send_storm(struct lab *lab, struct lab_host *host, uint32_t index, uint64_t t_ps)
{
	struct lab_storm *storm = &lab->storms[index];
	uint64_t cycle = storm->on_ps + storm->off_ps, next = storm->due_ps + storm->period_ps;

	serialise(host, t_ps, SW_MIN_FRAME, index | STORM, 0);
	storm->sent++;
	if (storm->on_ps != 0 && (next - storm->start_ps) % cycle >= storm->on_ps)
		next += cycle - (next - storm->start_ps) % cycle;
	storm->due_ps = next;
}

/* A storm's frames have waited for the link, as a MAC's control frames do: they go first. */
static void send_one(struct lab *lab, struct lab_host *host, uint64_t t_ps)
{
	uint32_t flow, storm;
	uint64_t flow_ps = first_flow(lab, host, &flow);
	uint64_t storm_ps = first_storm(lab, host, &storm);

	if (storm_ps <= t_ps)
		send_storm(lab, host, storm, t_ps);
	else if (flow_ps <= t_ps)
		send_flow(lab, host, flow, t_ps);
}

static void arrive(struct lab *lab, uint16_t number, const struct lab_item *item)
{
	uint16_t len = SW_MIN_FRAME;

	if (item->what & STORM)
		memcpy(lab->frame, lab->storms[item->what & ~STORM].bytes, SW_MIN_FRAME);
	else
		len = put_frame(lab, item->what, item->psn,
				item->at_ps - lab->hosts[number].delay_ps -
					lab_wire_ps(lab, number, lab->flows[item->what].len));
	if (sim_node_arrive(lab->node, item->at_ps, number - 1, lab->frame, len) != 0)
		CU_FAIL_FATAL("no memory for a frame");
}

static void honour(struct lab *lab, uint16_t number, const struct lab_item *item)
{
	for (uint32_t mask = item->vector; mask != 0; mask &= mask - 1) {
		int p = __builtin_ctz(mask);

		lab->hosts[number].paused_until[p] =
			item->at_ps + lab_quanta_ps(lab, number, item->quanta[p]);
	}
}

void lab_host_event(struct lab *lab, uint16_t number)
{
	struct lab_host *host = &lab->hosts[number];
	uint64_t t_ps = due_first(&lab->due);
	const struct lab_item *in, *out;

	while ((in = first(&host->in)) != NULL && in->at_ps <= t_ps) {
		honour(lab, number, in);
		host->in.head++;
	}
	while ((out = first(&host->out)) != NULL && out->at_ps <= t_ps) {
		arrive(lab, number, out);
		host->out.head++;
	}
	if (host->free_ps <= t_ps)
		send_one(lab, host, t_ps);
	lab_host_plan(lab, number);
}

/* ---- what a host receives ---- */

/* Every PFC frame of the switch is one: 802.1Qbb, an xoff has time, an xon has none (A3.7). */
static bool valid_pfc(const struct lab *lab, const struct sw_rec *rec)
{
	static const uint8_t group[6] = {0x01, 0x80, 0xc2, 0, 0, 1}, pad[SW_MIN_FRAME - HDR_PFC];
	uint8_t bytes[SW_GEN_MAX];
	uint16_t vector;
	bool valid;

	valid = sw_gen_bytes(rec, bytes) == SW_MIN_FRAME;
	vector = be16(bytes + PFC_VECTOR);
	valid &= memcmp(bytes + ETH_DST, group, 6) == 0;
	valid &= memcmp(bytes + ETH_SRC, lab->fabric.switches[0].ports[rec->port].mac, 6) == 0;
	valid &= be16(bytes + ETH_TYPE) == ETHERTYPE_MAC_CTL;
	valid &= be16(bytes + MAC_CTL_OPCODE) == MAC_CTL_PFC;
	valid &= vector != 0 && vector < 0x100;
	for (int p = 0; p < SW_PRIOS; p++) {
		uint16_t quanta = be16(bytes + PFC_QUANTA + 2 * p);

		valid &= quanta == 0 || (quanta == SW_PFC_QUANTA && vector >> p & 1);
	}
	return valid && memcmp(bytes + HDR_PFC, pad, sizeof(pad)) == 0;
}

static void receive_pfc(struct lab *lab, struct lab_host *host, const struct sw_rec *rec)
{
	struct lab_item *item = put(&host->in);
	uint16_t number = rec->port + 1;

	CU_ASSERT_TRUE(valid_pfc(lab, rec));
	item->at_ps = rec->t_ps + lab_wire_ps(lab, number, SW_PFC_BYTES) + host->delay_ps +
		      host->response_ps;
	item->vector = rec->gen.class_vector;
	memcpy(item->quanta, rec->gen.quanta, sizeof(item->quanta));
	for (int p = 0; p < SW_PRIOS; p++)
		host->pfc_seen[p] += rec->gen.class_vector >> p & 1;
	host->last_pfc_ps = rec->t_ps;
	lab_host_plan(lab, number);
}

static bool intact(const struct lab *lab, const struct pkt *pkt)
{
	uint32_t sum = 0;

	for (int i = 0; i < HDR_IPV4; i += 2)
		sum += be16(pkt->data + pkt->l3_off + i);
	return sum_fold(sum) == 0xffff && (!lab->icrc || icrc_check(pkt) == ICRC_OK);
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
	if (!intact(lab, rec->pkt))
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

/* ---- what the test asks for ---- */

/* Bursts are many: those that are over are looked at no more. */
static void forget_finished(struct lab *lab, struct lab_host *host)
{
	uint32_t *at = &host->flows;

	while (*at != LAB_NONE)
		if (finished(&lab->flows[*at]))
			*at = lab->flows[*at].next;
		else
			at = &lab->flows[*at].next;
}

uint32_t lab_flow(struct lab *lab, struct lab_flow flow)
{
	const struct sw_qos *qos = &lab->fabric.switches[0].config.qos;
	struct lab_host *host = &lab->hosts[flow.src];

	forget_finished(lab, host);
	if ((lab->n_flows & (lab->n_flows - 1)) == 0)
		lab->flows = realloc(lab->flows, (lab->n_flows == 0 ? 1 : 2 * lab->n_flows) *
							 sizeof(*lab->flows));
	flow.prio = qos->trust == SW_TRUST_DSCP ? qos->dscp_to_prio[flow.dscp]
						: qos->pcp_to_prio[flow.pcp];
	if (flow.start_ps == 0)
		flow.start_ps = lab->now;
	if (flow.sport == 0)
		flow.sport = (uint16_t)(0xc000 | lab->n_flows);
	flow.due_ps = flow.start_ps;
	flow.next = host->flows;
	host->flows = lab->n_flows;
	lab->flows[lab->n_flows++] = flow;
	lab_host_plan(lab, flow.src);
	return lab->n_flows - 1;
}

uint32_t lab_storm(struct lab *lab, struct lab_storm storm)
{
	struct lab_host *host = &lab->hosts[storm.host];

	if ((lab->n_storms & (lab->n_storms - 1)) == 0)
		lab->storms = realloc(lab->storms, (lab->n_storms == 0 ? 1 : 2 * lab->n_storms) *
							   sizeof(*lab->storms));
	if (storm.start_ps == 0)
		storm.start_ps = lab->now;
	storm.due_ps = storm.start_ps;
	storm.next = host->storms;
	host->storms = lab->n_storms;
	lab->storms[lab->n_storms++] = storm;
	lab_host_plan(lab, storm.host);
	return lab->n_storms - 1;
}

/* Until the host has sent n of something and the switch has the last one. sent may move. */
static void deliver(struct lab *lab, uint16_t number, bool storm, uint32_t index, uint64_t n)
{
	while ((storm ? lab->storms[index].sent : lab->flows[index].sent) < n)
		lab_to(lab, due_first(&lab->due) + 1);
	lab_to(lab, lab->hosts[number].free_ps + lab->hosts[number].delay_ps + 1);
}

uint32_t lab_burst(struct lab *lab, uint16_t src, uint16_t dst, uint8_t dscp, uint16_t len,
		   uint64_t n)
{
	uint32_t index = lab_flow(lab, (struct lab_flow){.src = src,
							 .dst = dst,
							 .dscp = dscp,
							 .ecn = 2,
							 .len = len,
							 .deaf = true,
							 .count = n});

	deliver(lab, src, false, index, n);
	return index;
}

void lab_raw(struct lab *lab, uint16_t host, const uint8_t bytes[SW_MIN_FRAME], uint64_t n)
{
	struct lab_storm storm = {.host = host, .period_ps = 1, .count = n};
	uint32_t index;

	memcpy(storm.bytes, bytes, SW_MIN_FRAME);
	index = lab_storm(lab, storm);
	deliver(lab, host, true, index, n);
}

void lab_pfc(struct lab *lab, uint16_t host, uint16_t vector, uint16_t quanta)
{
	uint8_t bytes[SW_MIN_FRAME];

	lab_pfc_bytes(bytes, vector, quanta);
	lab_raw(lab, host, bytes, 1);
}
