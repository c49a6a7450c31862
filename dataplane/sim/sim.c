/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim.h"

#include "slab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 64   /* arrivals of one time that are handed over together */
#define OUT 256    /* records an advance */
#define ROOM 65000 /* the longest frame a slab takes: an mtu can be this */

struct sim_node {
	struct sw *sw;
	struct slab *slab;
	sim_sent sent;
	void *arg;
	uint64_t batch_t;
	uint32_t n_batch;
	struct pkt *batch[BATCH];
	struct sw_rec recs[OUT];
};

static struct pkt *copy(void *ctx, const struct pkt *pkt)
{
	struct sim_node *node = ctx;
	struct pkt *twin = slab_get(node->slab, pkt->len);
	uint8_t *data;

	if (twin == NULL)
		return NULL;
	data = twin->data;
	*twin = *pkt;
	twin->next = NULL;
	twin->data = data;
	memcpy(data, pkt->data, pkt->len);
	return twin;
}

static struct pkt *alloc(void *ctx, uint32_t len, uint32_t have)
{
	struct sim_node *node = ctx;

	(void)have; /* all of it */
	return slab_get(node->slab, len);
}

static void release(void *ctx, struct pkt *pkt)
{
	struct sim_node *node = ctx;

	slab_put(node->slab, pkt);
}

static uint32_t room_of(uint32_t mtu_bytes)
{
	uint32_t room = mtu_bytes + 64;

	if (room < 2048)
		room = 2048;
	return room < ROOM ? room : ROOM;
}

static uint32_t largest_mtu(const struct sw_config *config)
{
	uint32_t most = 0;

	for (uint16_t i = 0; i < config->n_ports; i++)
		if (config->ports[i].mtu_bytes > most)
			most = config->ports[i].mtu_bytes;
	return most;
}

/* A node without its switch. */
static struct sim_node *make(uint32_t mtu_bytes, sim_sent sent, void *arg, struct sw_env *env,
			     struct err *err)
{
	struct sim_node *node = calloc(1, sizeof(*node));

	if (node != NULL)
		node->slab = slab_new(room_of(mtu_bytes));
	if (node == NULL || node->slab == NULL) {
		free(node);
		err_set(err, ERR_ENVIRONMENT, ENOMEM, "", "no memory", "more memory");
		return NULL;
	}
	node->sent = sent;
	node->arg = arg;
	*env = (struct sw_env){.ctx = node, .copy = copy, .alloc = alloc, .release = release};
	return node;
}

static struct sim_node *finish(struct sim_node *node, struct sw *sw)
{
	node->sw = sw;
	if (sw != NULL)
		return node;
	slab_free(node->slab);
	free(node);
	return NULL;
}

struct sim_node *sim_node_new(const struct sw_config *config, const struct pipeline *pipeline,
			      const struct sw_tables *tables, sim_sent sent, void *arg,
			      struct err *err)
{
	struct sw_env env;
	struct sim_node *node = make(largest_mtu(config), sent, arg, &env, err);

	if (node != NULL)
		node = finish(node, sw_new(config, pipeline, &env, err));
	if (node != NULL)
		sw_install(node->sw, 0, tables);
	return node;
}

struct sim_node *sim_node_restore(const void *bytes, size_t n,
				  const struct pipeline *(*pipeline)(const char *name),
				  sim_sent sent, void *arg, struct err *err)
{
	struct sim_node *node;
	struct sw_about about;
	struct sw_env env;

	if (sw_checkpoint_about(bytes, n, &about, err) != 0)
		return NULL;
	node = make(about.largest_mtu_bytes, sent, arg, &env, err);
	return node == NULL ? NULL : finish(node, sw_restore(bytes, n, pipeline, &env, err));
}

static void reap(struct sim_node *node, struct pkt *chain)
{
	while (chain != NULL) {
		struct pkt *next = chain->next;

		slab_put(node->slab, chain);
		chain = next;
	}
}

uint64_t sim_node_free(struct sim_node *node)
{
	uint64_t leaked;

	for (uint32_t i = 0; i < node->n_batch; i++)
		slab_put(node->slab, node->batch[i]);
	reap(node, sw_reap(node->sw));
	reap(node, sw_drain(node->sw));
	leaked = slab_in_use(node->slab);
	sw_free(node->sw);
	slab_free(node->slab);
	free(node);
	return leaked;
}

static void advance(struct sim_node *node, uint64_t t_ps)
{
	struct sw_out out = {.cap = OUT, .recs = node->recs};
	enum sw_state state;

	do {
		state = sw_advance(node->sw, t_ps, &out);
		for (uint32_t i = 0; i < out.n; i++) {
			if (node->sent != NULL)
				node->sent(node->arg, &out.recs[i]);
			if (out.recs[i].pkt != NULL)
				slab_put(node->slab, out.recs[i].pkt);
		}
	} while (state == SW_MORE);
	reap(node, sw_reap(node->sw));
}

/* Hands over what arrived at batch_t. */
static void flush(struct sim_node *node)
{
	if (node->n_batch == 0)
		return;
	advance(node, node->batch_t);
	sw_rx(node->sw, node->batch_t, node->batch, node->n_batch);
	node->n_batch = 0;
}

int sim_node_arrive(struct sim_node *node, uint64_t t_ps, uint16_t port, const uint8_t *bytes,
		    uint32_t len)
{
	struct pkt *pkt;

	if (node->n_batch == BATCH || node->batch_t != t_ps)
		flush(node);
	if (len > ROOM)
		return -EMSGSIZE;
	pkt = slab_get(node->slab, len);
	if (pkt == NULL)
		return -ENOMEM;
	memcpy(pkt->data, bytes, len);
	sw_parse(node->sw, port, &pkt, 1);
	node->batch_t = t_ps;
	node->batch[node->n_batch++] = pkt;
	return 0;
}

void sim_node_run(struct sim_node *node, uint64_t t_ps)
{
	flush(node);
	advance(node, t_ps);
}

void sim_node_hold(struct sim_node *node, uint64_t t_ps, uint16_t port, bool hold)
{
	sim_node_run(node, t_ps);
	sw_hold(node->sw, t_ps, port, hold);
}

void sim_node_link(struct sim_node *node, uint64_t t_ps, uint16_t port, bool up)
{
	sim_node_run(node, t_ps);
	sw_link(node->sw, t_ps, port, up);
}

void sim_node_clear_watermarks(struct sim_node *node, uint64_t t_ps)
{
	sim_node_run(node, t_ps);
	sw_clear_watermarks(node->sw, t_ps);
}

int sim_node_set(struct sim_node *node, uint64_t t_ps, const struct sw_config *config,
		 struct err *err)
{
	sim_node_run(node, t_ps);
	return sw_set(node->sw, t_ps, config, err);
}

const struct sw_tables *sim_node_install(struct sim_node *node, uint64_t t_ps,
					 const struct sw_tables *tables)
{
	sim_node_run(node, t_ps);
	return sw_install(node->sw, t_ps, tables);
}

int sim_node_checkpoint(struct sim_node *node, uint64_t t_ps, const struct sw_writer *writer)
{
	sim_node_run(node, t_ps);
	return sw_checkpoint(node->sw, writer);
}

const struct sw_tables *sim_node_tables(const struct sim_node *node)
{
	return sw_tables_of(node->sw);
}

uint64_t sim_node_next(const struct sim_node *node)
{
	return node->n_batch > 0 ? node->batch_t : sw_next(node->sw);
}

void sim_node_stats(const struct sim_node *node, uint64_t t_ps, struct sw_stats *stats)
{
	sw_stats(node->sw, t_ps, stats);
}
