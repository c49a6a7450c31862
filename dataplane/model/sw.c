/* SPDX-License-Identifier: BSD-3-Clause */
/* The switch's life: made, fed, controlled, freed; and the few acts that every stage shares. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sw_int.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FDB_DEFAULT 16384

/* Port indices in name order; ports mostly come sorted, so insertion is enough. */
static void order_by_name(struct sw *sw)
{
	for (uint16_t i = 0; i < sw->n_ports; i++) {
		uint16_t at = i;

		for (; at > 0; at--) {
			if (strcmp(sw->ports[sw->by_name[at - 1]].cfg.name,
				   sw->ports[i].cfg.name) <= 0)
				break;
			sw->by_name[at] = sw->by_name[at - 1];
		}
		sw->by_name[at] = i;
	}
}

/* A stream's start depends on the run's seed and the queue's name alone: another switch or port in
 * the run disturbs no stream. */
static void seed_streams(struct sw *sw)
{
	for (uint16_t i = 0; i < sw->n_ports; i++) {
		struct sw_port *port = &sw->ports[i];
		uint64_t seed = XXH64(port->cfg.name, strlen(port->cfg.name), sw->cfg.seed);

		for (uint8_t q = 0; q < SW_PRIOS; q++) {
			const uint8_t mark = q, drop = SW_PRIOS + q;

			port->queues[q].rng = XXH64(&mark, 1, seed);
			port->queues[q].drop_rng = XXH64(&drop, 1, seed);
		}
	}
}

static void init_ports(struct sw *sw)
{
	for (uint16_t i = 0; i < sw->n_ports; i++) {
		sw->ports[i].up = !sw->ports[i].cfg.down;
		sw->ports[i].refresh_at = SW_NEVER;
		sw->ports[i].pending_since = SW_NEVER;
		sw->ports[i].watch_at = SW_NEVER;
		sw->ports[i].edge.pfc_at = SW_NEVER;
		sw->ports[i].edge.on = sw->ports[i].cfg.edge;
		for (int q = 0; sw->latency != NULL && q < SW_PRIOS; q++)
			sw->ports[i].queues[q].latency = &sw->latency[i * SW_PRIOS + q];
	}
	order_by_name(sw);
	seed_streams(sw);
}

/* A pipeline without lossless PGs has no PFC, whatever the file says. */
static struct sw_config effective(const struct sw_config *config, const struct pipeline *pipeline)
{
	struct sw_config c = *config;

	if (!pipeline->lossless)
		c.qos.pfc_mask = 0;
	if (c.fdb_size == 0)
		c.fdb_size = FDB_DEFAULT;
	return c;
}

static struct sw *allocate(uint16_t n_ports, uint32_t fdb_size, bool latency)
{
	struct sw *sw = calloc(1, sizeof(*sw));

	if (sw == NULL)
		return NULL;
	sw->n_ports = n_ports;
	sw->ports = aligned_alloc(_Alignof(struct sw_port), n_ports * sizeof(*sw->ports));
	sw->flood = calloc(n_ports, sizeof(*sw->flood));
	sw->by_name = calloc(n_ports, sizeof(*sw->by_name));
	sw->fdb = fdb_new(fdb_size);
	sw->neigh = neigh_new();
	if (latency)
		sw->latency = calloc((size_t)n_ports * SW_PRIOS, sizeof(*sw->latency));
	if ((latency && sw->latency == NULL) || sw->ports == NULL || sw->flood == NULL ||
	    sw->by_name == NULL || sw->fdb == NULL || sw->neigh == NULL ||
	    due_init(&sw->departures, n_ports) != 0 || due_init(&sw->timers, n_ports) != 0) {
		sw_free(sw);
		return NULL;
	}
	memset(sw->ports, 0, n_ports * sizeof(*sw->ports));
	return sw;
}

struct sw *sw_new(const struct sw_config *config, const struct pipeline *pipeline,
		  const struct sw_env *env, struct err *err)
{
	struct sw_config c = effective(config, pipeline);
	struct sw *sw;

	if (sw_config_check(&c, err) != 0)
		return NULL;
	sw = allocate(c.n_ports, c.fdb_size, c.latency);
	if (sw == NULL) {
		err_set(err, ERR_ENVIRONMENT, ENOMEM, "switch", "no memory", "more memory");
		return NULL;
	}
	sw->pipeline = pipeline;
	sw->env = *env;
	config_apply(sw, &c);
	init_ports(sw);
	fdb_set_ageing(sw->fdb, 0, c.fdb_ageing_ps);
	neigh_set_ageing(sw, 0, c.neigh_ageing_ps);
	return sw;
}

void sw_free(struct sw *sw)
{
	if (sw == NULL)
		return;
	due_free(&sw->departures);
	due_free(&sw->timers);
	fdb_free(sw->fdb);
	neigh_free(sw->neigh);
	free(sw->by_name);
	free(sw->latency);
	free(sw->flood);
	free(sw->ports);
	free(sw);
}

/* All that is due before t has happened: the order of events is the model's, not the caller's. That an
 * advance to t was the last to run says it at once. */
static void assert_advanced(const struct sw *sw, uint64_t t_ps)
{
	bool advanced =
		sw->done_ps == t_ps || (t_ps >= sw->now && due_first(&sw->departures) >= t_ps &&
					due_first(&sw->timers) > t_ps);

	assert(advanced);
	(void)advanced;
}

void sw_rx(struct sw *sw, uint64_t t_ps, struct pkt **pkts, uint32_t n)
{
	assert_advanced(sw, t_ps);
	sw->now = t_ps;
	sw->pipeline->rx(sw, t_ps, pkts, n);
}

void sw_give_back(struct sw *sw, struct pkt *pkt)
{
	pkt->next = sw->dead;
	sw->dead = pkt;
}

void sw_consume(struct sw *sw, struct pkt *pkt)
{
	sw->held--;
	sw->consumed++;
	sw->ports[pkt->in_port].counters[SW_PORT_CONSUMED]++;
	sw_give_back(sw, pkt);
}

static void count_drop(struct sw *sw, enum sw_drop reason, uint16_t port, bool lossless)
{
	sw->dropped++;
	sw->dropped_lossless += lossless;
	sw->ports[port].drops[reason]++;
	sw->ports[port].counters[SW_PORT_DROPPED]++;
}

/* Lossless is what the frame's ingress promised: PFC on for its priority and on its port. */
static bool is_lossless(const struct sw *sw, const struct pkt *pkt)
{
	return sw->ports[pkt->in_port].cfg.pfc && (sw->lossless_mask >> pkt->prio & 1);
}

void sw_drop(struct sw *sw, uint64_t t_ps, struct pkt *pkt, enum sw_drop reason, uint16_t port)
{
	sw->held--;
	count_drop(sw, reason, port, is_lossless(sw, pkt));
	if (pkt->out_port == port && reason != SW_DROP_HEADROOM_FULL)
		sw->ports[port].queues[pkt->queue].counters[SW_QUEUE_DROPPED]++;
	if (sw->cfg.digest)
		digest_pkt(sw, port, t_ps, DIGEST_DROP, pkt, reason);
	sw_give_back(sw, pkt);
}

void sw_drop_copy(struct sw *sw, uint64_t t_ps, const struct pkt *of, enum sw_drop reason,
		  uint16_t port)
{
	count_drop(sw, reason, port, is_lossless(sw, of));
	if (sw->cfg.digest)
		digest_pkt(sw, port, t_ps, DIGEST_DROP, of, reason);
}

void sw_drop_gen(struct sw *sw, uint64_t t_ps, enum sw_rec_kind kind, const struct sw_gen *gen,
		 enum sw_drop reason, uint16_t port)
{
	const struct sw_rec rec = {.t_ps = t_ps, .port = port, .kind = kind, .gen = *gen};

	sw->generated++;
	sw->ports[port].counters[SW_PORT_GENERATED]++;
	count_drop(sw, reason, port, false);
	if (sw->cfg.digest)
		digest_gen(sw, &rec, reason);
}

struct pkt *sw_reap(struct sw *sw)
{
	struct pkt *chain = sw->dead;

	sw->dead = NULL;
	return chain;
}

struct pkt *sw_drain(struct sw *sw)
{
	struct pkt *pkt;

	for (uint16_t i = 0; i < sw->n_ports; i++) {
		for (int q = 0; q < SW_PRIOS; q++)
			while (sw->ports[i].queues[q].head != NULL)
				sw_give_back(sw, queue_pop(&sw->ports[i], &sw->ports[i].queues[q]));
		while ((pkt = edge_take(sw, i)) != NULL)
			sw_give_back(sw, pkt);
	}
	for (struct pkt *next, *chain = neigh_drain(sw); chain != NULL; chain = next) {
		next = chain->next;
		sw_give_back(sw, chain);
	}
	sw->held = 0;
	return sw_reap(sw);
}

const struct sw_tables *sw_install(struct sw *sw, uint64_t t_ps, const struct sw_tables *tables)
{
	const struct sw_tables *old = sw->tables;

	assert_advanced(sw, t_ps);
	sw->tables = tables;
	if (old != NULL) { /* the first are what the run starts with */
		sw->swaps++;
		if (sw->cfg.digest)
			digest_event(sw, PKT_NO_PORT, t_ps, SW_EVENT_SWAP);
	}
	if (tables != NULL)
		fdb_drop_contradicted(sw->fdb, tables);
	fdb_changed(sw->fdb);
	neigh_installed(sw, t_ps);
	return old;
}

const struct sw_tables *sw_tables_of(const struct sw *sw)
{
	return sw->tables;
}

static int needs_restart(struct err *err, const char *path)
{
	return err_set(err, ERR_USAGE, EINVAL, path, "a change",
		       "the value it was started with: this one needs `railyard down` and `up`");
}

static int same_shape(const struct sw *sw, const struct sw_config *c, struct err *err)
{
	if (c->n_ports != sw->n_ports || strcmp(c->name, sw->cfg.name) != 0)
		return needs_restart(err, "topology");
	for (uint16_t i = 0; i < c->n_ports; i++)
		if (strcmp(c->ports[i].name, sw->ports[i].cfg.name) != 0)
			return needs_restart(err, "topology");
	if (c->seed != sw->cfg.seed)
		return needs_restart(err, "seed");
	if (c->fdb_size != sw->cfg.fdb_size || c->digest != sw->cfg.digest ||
	    c->latency != sw->cfg.latency)
		return needs_restart(err, "switch");
	return 0;
}

/* A port makes good what its new configuration means for what it has and has told. */
static void settle_port(struct sw *sw, uint64_t t_ps, uint16_t index)
{
	struct sw_port *port = &sw->ports[index];

	if (port->free_at < t_ps)
		port->free_at = t_ps; /* a shorter latency frees nothing in the past */
	if (port->edge.on != port->cfg.edge)
		pfc_new_peer(port);
	pfc_reconfigured(sw, t_ps, index);
	admit_reconfigured(sw, t_ps, index);
	port_due(sw, index);
	port_timer_due(sw, index);
}

int sw_set(struct sw *sw, uint64_t t_ps, const struct sw_config *config, struct err *err)
{
	struct sw_config c = effective(config, sw->pipeline);
	struct sw_watchdog watchdog = sw->cfg.qos.watchdog;
	int rc = sw_config_check(&c, err);

	if (rc == 0)
		rc = same_shape(sw, &c, err);
	if (rc != 0)
		return rc;
	assert_advanced(sw, t_ps);
	if (sw->cfg.digest)
		digest_event(sw, PKT_NO_PORT, t_ps, SW_EVENT_SET);
	for (uint16_t i = 0; i < sw->n_ports; i++)
		if (c.ports[i].domain != sw->ports[i].cfg.domain) {
			fdb_flush_port(sw->fdb, i);
			neigh_flush_port(sw, t_ps, i);
		}
	config_apply(sw, &c);
	fdb_changed(sw->fdb);
	fdb_set_ageing(sw->fdb, t_ps, c.fdb_ageing_ps);
	neigh_set_ageing(sw, t_ps, c.neigh_ageing_ps);
	watchdog_reconfigured(sw, t_ps, &watchdog);
	for (uint16_t i = 0; i < sw->n_ports; i++)
		settle_port(sw, t_ps, i);
	for (uint16_t i = 0; i < sw->n_ports; i++) /* last: frames may go anywhere */
		if (sw->ports[i].edge.on != sw->ports[i].cfg.edge)
			edge_switched(sw, t_ps, i);
	return 0;
}

void sw_hold(struct sw *sw, uint64_t t_ps, uint16_t port, bool hold)
{
	assert_advanced(sw, t_ps);
	if (sw->cfg.digest && hold != sw->ports[port].held)
		digest_event(sw, port, t_ps, hold ? SW_EVENT_HOLD : SW_EVENT_RELEASE);
	sw->holds += hold && !sw->ports[port].held;
	sw->ports[port].held = hold;
	if (!hold && sw->ports[port].free_at < t_ps)
		sw->ports[port].free_at = t_ps; /* what waited leaves from now on, not from then */
	port_due(sw, port);
}

void sw_link(struct sw *sw, uint64_t t_ps, uint16_t port, bool up)
{
	assert_advanced(sw, t_ps);
	port_link(sw, t_ps, port, up);
}
