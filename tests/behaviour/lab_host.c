/* SPDX-License-Identifier: BSD-3-Clause */
#include "lab.h"

#include "dataplane/model/hdr.h"

#include <stdlib.h>
#include <string.h>

#define STORM 0x80000000u /* in lab_item.what */

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

/* ---- cables ---- */

struct lab_item *lab_cable_put(struct lab_cable *cable)
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
	*lab_cable_put(&host->out) = (struct lab_item){
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
		len = lab_put_frame(lab, item->what, item->psn,
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
