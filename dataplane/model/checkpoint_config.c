/* SPDX-License-Identifier: BSD-3-Clause */
/* The configuration in a checkpoint: all that sw_new is told. Whether it can work, sw_new says. */
#include "checkpoint.h"

/* A new field of these structs belongs into the function below that bears its name, and
 * SW_CHECKPOINT_VERSION goes up; then the size here may follow. A checkpoint that leaves it out would
 * restore a switch that behaves otherwise. */
_Static_assert(sizeof(struct sw_wred) == 32, "see above");
_Static_assert(sizeof(struct sw_ecn) == 64, "see above");
_Static_assert(sizeof(struct sw_sched) == 2, "see above");
_Static_assert(sizeof(struct sw_watchdog) == 32, "see above");
_Static_assert(sizeof(struct sw_qos) == 664, "see above");
_Static_assert(sizeof(struct sw_buffer) == 48, "see above");
_Static_assert(sizeof(struct sw_port_config) == 104, "see above");
_Static_assert(sizeof(struct sw_config) == 848, "see above");

static void wred(struct ck *ck, struct sw_wred *w)
{
	ck_bool(ck, &w->on);
	ck_u64(ck, &w->min_bytes);
	ck_u64(ck, &w->max_bytes);
	ck_u32(ck, &w->probability_ppb);
}

static void ecn(struct ck *ck, struct sw_ecn *e)
{
	ck_bool(ck, &e->on);
	ck_bool(ck, &e->at_enqueue);
	ck_bool(ck, &e->drop_not_ect);
	ck_u64(ck, &e->min_bytes);
	ck_u64(ck, &e->max_bytes);
	ck_u32(ck, &e->probability_ppb);
	wred(ck, &e->drop);
}

static void watchdog(struct ck *ck, struct sw_watchdog *w)
{
	ck_bool(ck, &w->on);
	ck_bool(ck, &w->forward);
	ck_bool(ck, &w->idle_counts);
	ck_u64(ck, &w->detect_ps);
	ck_u64(ck, &w->restore_ps);
	ck_u64(ck, &w->poll_ps);
}

static void qos(struct ck *ck, struct sw_qos *q)
{
	bool pcp = q->trust == SW_TRUST_PCP;

	ck_bool(ck, &pcp);
	if (ck_reading(ck))
		q->trust = pcp ? SW_TRUST_PCP : SW_TRUST_DSCP;
	ck_bytes(ck, q->dscp_to_prio, sizeof(q->dscp_to_prio));
	ck_bytes(ck, q->pcp_to_prio, sizeof(q->pcp_to_prio));
	ck_bytes(ck, q->prio_to_pg, sizeof(q->prio_to_pg));
	ck_bytes(ck, q->prio_to_queue, sizeof(q->prio_to_queue));
	ck_bytes(ck, q->pfc_to_queue, sizeof(q->pfc_to_queue));
	ck_u8(ck, &q->pfc_mask);
	ck_bool(ck, &q->pfc_asymmetric);
	watchdog(ck, &q->watchdog);
	for (int i = 0; i < SW_PRIOS; i++) {
		ecn(ck, &q->ecn[i]);
		ck_bool(ck, &q->sched[i].strict);
		ck_u8(ck, &q->sched[i].weight);
	}
}

static void buffer(struct ck *ck, struct sw_buffer *b)
{
	ck_u64(ck, &b->size_bytes);
	ck_u32(ck, &b->cell_bytes);
	ck_u32(ck, &b->alpha_q16);
	ck_u32(ck, &b->lossy_alpha_q16);
	ck_u64(ck, &b->reserved_bytes);
	ck_u64(ck, &b->xon_offset_bytes);
	ck_u64(ck, &b->headroom_pool_bytes);
}

void ck_port_config(struct ck *ck, struct sw_port_config *p)
{
	ck_name(ck, p->name);
	ck_u64(ck, &p->rate_bps);
	ck_u32(ck, &p->overhead_bytes);
	ck_u32(ck, &p->mtu_bytes);
	ck_u64(ck, &p->headroom_bytes);
	ck_u16(ck, &p->domain);
	ck_bytes(ck, p->mac, sizeof(p->mac));
	ck_bool(ck, &p->pfc);
	ck_bool(ck, &p->edge);
	ck_u64(ck, &p->edge_bytes);
	ck_bool(ck, &p->down);
}

void ck_config(struct ck *ck, struct sw_config *c)
{
	ck_name(ck, c->name);
	ck_u64(ck, &c->seed);
	ck_u64(ck, &c->latency_ps);
	ck_bytes(ck, c->router_mac, sizeof(c->router_mac));
	ck_u32(ck, &c->hash_fields);
	ck_u64(ck, &c->hash_seed);
	ck_u32(ck, &c->fdb_size);
	ck_u64(ck, &c->fdb_ageing_ps);
	ck_u64(ck, &c->neigh_ageing_ps);
	qos(ck, &c->qos);
	buffer(ck, &c->buffer);
	ck_bool(ck, &c->digest);
	ck_bool(ck, &c->latency);
}
