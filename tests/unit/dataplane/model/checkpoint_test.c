/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoint and restore: nothing is forgotten, whatever the switch was at; and the switch that comes
 * out does from then on what the other does. */
#include "dataplane/model/checkpoint.c"

#include "checkpoint_busy.h"
#include "dataplane/model/fdb.h"
#include "dataplane/model/neigh.h"

#include "tests/unit/cu.h"

/* ---- whether two switches are the same inside ---- */

static void same_pkt(const struct pkt *a, const struct pkt *b)
{
	struct pkt x = *a, y = *b;

	CU_ASSERT_EQUAL_FATAL(a->len, b->len);
	CU_ASSERT_EQUAL(memcmp(a->data, b->data, a->len < RIG_BYTES ? a->len : RIG_BYTES), 0);
	x.next = y.next = NULL;
	x.data = y.data = NULL;
	x.user = y.user = 0;
	CU_ASSERT_EQUAL(memcmp(&x, &y, sizeof(x)), 0);
}

static void same_list(const struct pkt *a, const struct pkt *b)
{
	for (; a != NULL && b != NULL; a = a->next, b = b->next)
		same_pkt(a, b);
	CU_ASSERT(a == NULL && b == NULL);
}

/* What is no state, or is compared apart: pointers, the ring of own frames; and the configuration,
 * whose padding is the caller's (checkpoint_config_test.c has it). */
static void blank_port(struct sw_port *port)
{
	memset(&port->cfg, 0, sizeof(port->cfg));
	memset(&port->wire, 0, sizeof(port->wire));
	memset(port->gens, 0, sizeof(port->gens));
	port->gen_tail -= port->gen_head;
	port->gen_head = 0;
	if (!port->up || port->active == 0)
		port->data_at = 0; /* found anew before it says anything */
	for (int i = 0; i < SW_PRIOS; i++) {
		port->queues[i].head = port->queues[i].last = NULL;
		port->queues[i].latency = NULL;
		port->edge.head[i] = port->edge.last[i] = NULL;
	}
	port->edge.sending = NULL;
}

static void same_port(const struct sw_port *a, const struct sw_port *b)
{
	static struct sw_port x, y;

	for (int i = 0; i < SW_PRIOS; i++) {
		same_list(a->queues[i].head, b->queues[i].head);
		same_list(a->edge.head[i], b->edge.head[i]);
	}
	same_list(a->edge.sending, b->edge.sending);
	for (uint32_t i = 0; i < a->gen_tail - a->gen_head; i++) {
		const struct sw_gen_item *g = &a->gens[(a->gen_head + i) % SW_GEN_RING];
		const struct sw_gen_item *h = &b->gens[(b->gen_head + i) % SW_GEN_RING];

		CU_ASSERT_EQUAL(g->kind, h->kind);
		CU_ASSERT_EQUAL(memcmp(&g->gen, &h->gen, sizeof(g->gen)), 0);
	}
	CU_ASSERT(a->wire.whole_ps == b->wire.whole_ps && a->wire.fraction == b->wire.fraction);
	memcpy(&x, a, sizeof(x)); /* padding too: it has always been zero */
	memcpy(&y, b, sizeof(y));
	blank_port(&x);
	blank_port(&y);
	CU_ASSERT_EQUAL(memcmp(&x, &y, sizeof(x)), 0);
}

static void same_fdb(const struct fdb *a, const struct fdb *b)
{
	CU_ASSERT(a->mask == b->mask && a->ageing_ticks == b->ageing_ticks);
	for (uint32_t i = 0; i < (a->mask + 1) * FDB_WAYS; i++) {
		const struct fdb_entry *x = &a->buckets[i / FDB_WAYS].ways[i % FDB_WAYS];
		const struct fdb_entry *y = &b->buckets[i / FDB_WAYS].ways[i % FDB_WAYS];

		CU_ASSERT(x->port == y->port && x->seen == y->seen && x->key == y->key);
		CU_ASSERT(x->port == PKT_NO_PORT || x->vid == y->vid);
	}
}

static void same_neigh(const struct neigh *a, const struct neigh *b)
{
	CU_ASSERT_EQUAL(memcmp(a->lists, b->lists, sizeof(a->lists)), 0);
	CU_ASSERT(a->ageing_ps == b->ageing_ps && a->probe_from_ps == b->probe_from_ps &&
		  a->next_ps == b->next_ps);
	for (uint32_t i = 0; i < NEIGH_SIZE; i++) {
		struct neigh_entry x, y;

		memcpy(&x, &a->entries[i], sizeof(x)); /* with its padding */
		memcpy(&y, &b->entries[i], sizeof(y));
		CU_ASSERT_FATAL(x.state == y.state && x.prev == y.prev && x.next == y.next);
		if (x.state == NEIGH_FREE)
			continue;
		same_list(x.held, y.held);
		x.held = x.held_last = y.held = y.held_last = NULL;
		x.chain = y.chain = 0;
		CU_ASSERT_EQUAL(memcmp(&x, &y, sizeof(x)), 0);
		CU_ASSERT_PTR_EQUAL(neigh_find(b, x.ip, x.domain, x.scope), &b->entries[i]);
	}
}

static uint64_t due_of(const struct due *due, uint32_t i)
{
	return i == due->favourite ? due->favourite_time : due->times[due->leaves + i];
}

static void blank_switch(struct sw *sw)
{
	memset(&sw->cfg, 0, sizeof(sw->cfg));
	memset(&sw->env, 0, sizeof(sw->env));
	memset(&sw->departures, 0, sizeof(sw->departures));
	memset(&sw->timers, 0, sizeof(sw->timers));
	memset(sw->recent, 0, sizeof(sw->recent));
	memset(sw->recent_hops, 0, sizeof(sw->recent_hops));
	sw->tables = NULL;
	sw->fdb = NULL;
	sw->neigh = NULL;
	sw->latency = NULL;
	sw->flood = sw->by_name = NULL;
	sw->n_flood = 0;
	sw->done_ps = 0; /* for assertions only */
	sw->ports = NULL;
}

static void same_switch(const struct sw *a, const struct sw *b)
{
	static struct sw x, y;

	for (uint16_t i = 0; i < a->n_ports; i++) {
		same_port(&a->ports[i], &b->ports[i]);
		CU_ASSERT_EQUAL(due_of(&a->departures, i), due_of(&b->departures, i));
		CU_ASSERT_EQUAL(due_of(&a->timers, i), due_of(&b->timers, i));
		CU_ASSERT_EQUAL(a->by_name[i], b->by_name[i]);
	}
	same_fdb(a->fdb, b->fdb);
	same_neigh(a->neigh, b->neigh);
	if (a->latency != NULL)
		CU_ASSERT_EQUAL(memcmp(a->latency, b->latency,
				       a->n_ports * (size_t)SW_PRIOS * sizeof(*a->latency)),
				0);
	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	blank_switch(&x);
	blank_switch(&y);
	CU_ASSERT_EQUAL(memcmp(&x, &y, sizeof(x)), 0);
}

/* ---- two lives ---- */

/* What left since the last time; frames by what can be seen of them. */
static void same_records(struct rig *a, struct rig *b)
{
	CU_ASSERT_EQUAL_FATAL(a->n_recs, b->n_recs);
	for (uint32_t i = 0; i < a->n_recs; i++) {
		a->recs[i].id = b->recs[i].id = 0;
		if (a->recs[i].kind == SW_REC_FRAME)
			a->recs[i].gen = b->recs[i].gen = (struct sw_gen){0};
		CU_ASSERT_EQUAL(memcmp(&a->recs[i], &b->recs[i], sizeof(a->recs[i])), 0);
	}
	a->n_recs = b->n_recs = 0;
}

static void same_checkpoints(const struct rig *a, const struct rig *b)
{
	size_t n, m;
	uint8_t *x = rig_checkpoint(a, &n), *y = rig_checkpoint(b, &m);

	CU_ASSERT_EQUAL_FATAL(n, m);
	CU_ASSERT_EQUAL(memcmp(x, y, n), 0);
	free(x);
	free(y);
}

/* b goes out, and a restored one comes in for it. */
static void renew(struct rig *b)
{
	struct rig old = *b;
	struct err err = {0};
	char text[1024];
	size_t n;
	uint8_t *bytes = rig_checkpoint(&old, &n);

	old.config.ports = old.ports;
	if (rig_restore(b, &old, bytes, n, &err) != 0)
		fprintf(stderr, "%s\n", err_text(&err, text, sizeof(text)));
	CU_ASSERT_EQUAL_FATAL(err.status, ERR_NONE);
	same_switch(old.sw, b->sw);
	rig_stop(&old);
	free(bytes);
}

static void two_lives(const char *pipeline, uint64_t seed, uint32_t acts, uint32_t renew_every)
{
	static struct rig a, b;
	uint64_t t = 0;

	busy_init(&a, pipeline);
	busy_init(&b, pipeline);
	rig_start(&a);
	rig_start(&b);
	for (uint32_t i = 0; i < acts; i++) {
		uint64_t dice = rig_random(&seed) << 24 ^ rig_random(&seed);

		t += busy_gap(rig_random(&seed));
		busy_act(&a, t, dice);
		busy_act(&b, t, dice);
		same_records(&a, &b);
		if (rig_random(&seed) % renew_every != 0)
			continue;
		renew(&b);
		rig_check(&b);
		same_switch(a.sw, b.sw);
		same_checkpoints(&a, &b);
	}
	rig_to(&a, t + 10000 * RIG_MS);
	rig_to(&b, t + 10000 * RIG_MS);
	same_records(&a, &b);
	same_switch(a.sw, b.sw);
	CU_ASSERT_EQUAL(rig_stats(&a)->digest, rig_stats(&b)->digest);
	rig_stop(&a);
	rig_stop(&b);
}

static void lossless(void)
{
	for (uint64_t seed = 1; seed <= 6; seed++)
		two_lives("lossless", seed, 3000, 60);
}

static void lossy(void)
{
	two_lives("lossy", 7, 3000, 60);
}

static void after_every_act(void)
{
	two_lives("lossless", 8, 1500, 1);
}

/* The acts above must bring about everything that a checkpoint has to keep. */
static void all_is_there(void)
{
	static struct rig rig;
	uint64_t seed = 1, t = 0, gens = 0, edge = 0, waiting = 0, probed = 0, storms = 0, xoff = 0,
		 headroom = 0, pfc_on_its_way = 0, learned = 0;

	busy_init(&rig, "lossless");
	rig_start(&rig);
	for (uint32_t i = 0; i < 6000; i++) {
		t += busy_gap(rig_random(&seed));
		busy_act(&rig, t, rig_random(&seed) << 24 ^ rig_random(&seed));
		for (int p = 0; p < BUSY_PORTS; p++) {
			const struct sw_port *port = &rig.sw->ports[p];

			gens += port->gen_head != port->gen_tail;
			edge += port->edge.packets > 1;
			pfc_on_its_way += port->edge.pfc_at != SW_NEVER;
			xoff += port->pgs[3].xoff;
			headroom += port->pgs[3].headroom > 0;
		}
		storms += rig.sw->storms != 0;
		waiting += rig.sw->neigh->lists[NEIGH_WAITING].first != NEIGH_NONE;
		probed += rig.sw->neigh->lists[NEIGH_PROBED].first != NEIGH_NONE;
		for (uint32_t k = 0; k <= rig.sw->fdb->mask; k++)
			learned += rig.sw->fdb->buckets[k].ways[0].port != PKT_NO_PORT;
	}
	CU_ASSERT(gens > 0 && edge > 0 && waiting > 0 && probed > 0 && learned > 0);
	CU_ASSERT(storms > 0 && xoff > 0 && headroom > 0 && pfc_on_its_way > 0);
	rig_stop(&rig);
}

/* Before anything has happened, with no tables, and at rest. */
static void empty(void)
{
	struct rig a, b;
	struct err err = {0};
	size_t n;
	uint8_t *bytes;

	busy_init(&a, "lossy");
	a.config.latency = false;
	rig_start(&a);
	bytes = rig_checkpoint(&a, &n);
	CU_ASSERT_EQUAL_FATAL(rig_restore(&b, &a, bytes, n, &err), 0);
	same_switch(a.sw, b.sw);
	free(bytes);
	rig_stop(&b);
	sw_install(a.sw, 0, NULL);
	bytes = rig_checkpoint(&a, &n);
	CU_ASSERT_EQUAL_FATAL(rig_restore(&b, &a, bytes, n, &err), 0);
	CU_ASSERT_PTR_NULL(sw_tables_of(b.sw));
	same_switch(a.sw, b.sw);
	free(bytes);
	rig_stop(&b);
	rig_stop(&a);
}

/* A writer that fails ends it. */
static int full_disk(void *ctx, const void *bytes, size_t n)
{
	(void)bytes;
	*(size_t *)ctx += n;
	return *(size_t *)ctx > 5000 ? -28 : 0;
}

static void writer_fails(void)
{
	size_t written = 0;
	const struct sw_writer writer = {&written, full_disk};
	struct rig rig;

	busy_init(&rig, "lossless");
	rig_start(&rig);
	CU_ASSERT_EQUAL(sw_checkpoint(rig.sw, &writer), -28);
	rig_stop(&rig);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"sw_checkpoint__all_is_there", all_is_there},
		{"sw_checkpoint__lossless", lossless},
		{"sw_checkpoint__lossy", lossy},
		{"sw_checkpoint__after_every_act", after_every_act},
		{"sw_checkpoint__empty", empty},
		{"sw_checkpoint__writer_fails", writer_fails},
		{NULL, NULL},
	};

	return cu_main("model/checkpoint", cases);
}
