/* SPDX-License-Identifier: BSD-3-Clause */
/* Config: is it possible, and what follows from it (cells, pool, slopes, quanta). */
#include "sw_int.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define DWRR_TURN_BYTES \
	1024 /* what the heaviest competing queue gets a turn: below a maximal frame */

/* Bounds far above any real switch, so that no sum or product below wraps around. */
#define MOST_BYTES (1ULL << 40)
#define MOST_LATENCY_PS 1000000000000ULL
#define MOST_AGEING_PS 1000000000000000000ULL /* 1,000,000 s, as switches take */
#define MOST_MACS (1u << 24)                  /* 256 MiB of table */
#define CERTAIN_PPB 1000000000
#define LEAST_WATCHDOG_PS 1000000ULL
#define MOST_WATCHDOG_PS 3600000000000000ULL
#define LEAST_RATE_BPS 1000 /* a pause of full quanta is 9 hours there */

static uint64_t cells_up(uint64_t bytes, uint32_t cell)
{
	return (bytes + cell - 1) / cell;
}

/* PGs that some DSCP or PCP reaches: only these get a reserve. */
static uint8_t reachable_pgs(const struct sw_qos *qos)
{
	uint8_t pgs = 0;

	if (qos->trust == SW_TRUST_DSCP)
		for (int d = 0; d < 64; d++)
			pgs |= 1u << qos->prio_to_pg[qos->dscp_to_prio[d]];
	else
		for (int p = 0; p < 8; p++)
			pgs |= 1u << qos->prio_to_pg[qos->pcp_to_prio[p]];
	return pgs;
}

static uint8_t lossless_pgs(const struct sw_qos *qos)
{
	uint8_t pgs = 0;

	for (int p = 0; p < SW_PRIOS; p++)
		if (qos->pfc_mask >> p & 1)
			pgs |= 1u << qos->prio_to_pg[p];
	return pgs;
}

static uint64_t set_aside(const struct sw_config *c, const struct sw_port_config *port, int pg,
			  uint64_t *headroom)
{
	uint8_t reachable = reachable_pgs(&c->qos);
	bool lossless = port->pfc && (lossless_pgs(&c->qos) & reachable) >> pg & 1;

	*headroom = lossless ? cells_up(port->headroom_bytes, c->buffer.cell_bytes) : 0;
	return reachable >> pg & 1 ? cells_up(c->buffer.reserved_bytes, c->buffer.cell_bytes) : 0;
}

static uint64_t all_set_aside(const struct sw_config *c, uint64_t *headroom)
{
	uint64_t reserved = 0, own;

	*headroom = 0;
	for (uint16_t i = 0; i < c->n_ports; i++)
		for (int pg = 0; pg < SW_PRIOS; pg++) {
			reserved += set_aside(c, &c->ports[i], pg, &own);
			*headroom += own;
		}
	/* Where no PG has headroom, nobody could take from the pool. */
	if (c->buffer.headroom_pool_bytes != 0 && *headroom != 0)
		*headroom = cells_up(c->buffer.headroom_pool_bytes, c->buffer.cell_bytes);
	return reserved + *headroom;
}

static int refuse(struct err *err, const char *path, uint64_t found, const char *expected)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)found);
	return err_set(err, ERR_USAGE, EINVAL, path, text, "%s", expected);
}

static int check_qos(const struct sw_qos *qos, struct err *err)
{
	if (qos->trust != SW_TRUST_DSCP && qos->trust != SW_TRUST_PCP)
		return refuse(err, "switch.trust", qos->trust, "dscp or pcp");
	for (int i = 0; i < 64; i++)
		if (qos->dscp_to_prio[i] >= SW_PRIOS)
			return refuse(err, "switch.dscp", qos->dscp_to_prio[i], "a priority 0..7");
	for (int i = 0; i < SW_PRIOS; i++) {
		char path[48];

		if (qos->pcp_to_prio[i] >= SW_PRIOS || qos->prio_to_pg[i] >= SW_PRIOS ||
		    qos->prio_to_queue[i] >= SW_PRIOS || qos->pfc_to_queue[i] >= SW_PRIOS)
			return refuse(err, "switch", 8, "maps to priorities, PGs and queues 0..7");
		if (!qos->sched[i].strict &&
		    (qos->sched[i].weight < 1 || qos->sched[i].weight > 100)) {
			snprintf(path, sizeof(path), "switch.scheduler.%d.dwrr", i);
			return refuse(err, path, qos->sched[i].weight, "a weight 1..100");
		}
	}
	return 0;
}

static int check_curve(int queue, const char *below, uint64_t min, uint64_t max, uint32_t ppb,
		       struct err *err)
{
	char path[48];

	if (min > max || max > MOST_BYTES) {
		snprintf(path, sizeof(path), "switch.ecn.%d%s.min", queue, below);
		return refuse(err, path, min, "at most max, which is at most 1 TiB, in bytes");
	}
	if (ppb > CERTAIN_PPB) {
		snprintf(path, sizeof(path), "switch.ecn.%d%s.probability", queue, below);
		return refuse(err, path, ppb, "at most 100%");
	}
	return 0;
}

static int check_red(const struct sw_qos *qos, struct err *err)
{
	int rc = 0;

	for (int q = 0; rc == 0 && q < SW_PRIOS; q++) {
		const struct sw_ecn *ecn = &qos->ecn[q];

		if (ecn->on)
			rc = check_curve(q, "", ecn->min_bytes, ecn->max_bytes,
					 ecn->probability_ppb, err);
		if (rc == 0 && ecn->drop.on)
			rc = check_curve(q, ".drop", ecn->drop.min_bytes, ecn->drop.max_bytes,
					 ecn->drop.probability_ppb, err);
	}
	return rc;
}

static int check_watchdog(const struct sw_watchdog *w, struct err *err)
{
	const struct {
		const char *path;
		uint64_t time_ps;
	} times[] = {{"switch.pfc.watchdog.detect", w->detect_ps},
		     {"switch.pfc.watchdog.restore", w->restore_ps},
		     {"switch.pfc.watchdog.poll", w->poll_ps}};

	for (int i = 0; w->on && i < 3; i++)
		if (times[i].time_ps < LEAST_WATCHDOG_PS || times[i].time_ps > MOST_WATCHDOG_PS)
			return refuse(err, times[i].path, times[i].time_ps / 1000,
				      "1 us to 1 h, in ns");
	return 0;
}

static int check_ports(const struct sw_config *c, struct err *err)
{
	if (c->n_ports == 0 || c->n_ports == PKT_NO_PORT)
		return refuse(err, "topology", c->n_ports, "a switch with 1 to 65534 ports");
	for (uint16_t i = 0; i < c->n_ports; i++) {
		const struct sw_port_config *port = &c->ports[i];

		if (port->rate_bps < LEAST_RATE_BPS || port->rate_bps > 8000000000000ULL)
			return refuse(err, port->name, port->rate_bps,
				      "a rate of at least 1 kb/s, at most 8 Tb/s");
		if (port->mtu_bytes < 68 || port->mtu_bytes > 65000)
			return refuse(err, port->name, port->mtu_bytes,
				      "an mtu of 68..65000 bytes");
		if (port->overhead_bytes > 1000)
			return refuse(err, port->name, port->overhead_bytes,
				      "an overhead of at most 1000 bytes");
		if (port->headroom_bytes > MOST_BYTES)
			return refuse(err, "switch.buffer.headroom", port->headroom_bytes,
				      "at most 1 TiB");
		if (port->edge && port->edge_bytes < port->mtu_bytes + 18)
			return refuse(err, port->name, port->edge_bytes,
				      "an edge buffer that takes one maximal frame");
		for (uint16_t j = 0; j < i; j++)
			if (strcmp(port->name, c->ports[j].name) == 0)
				return err_set(err, ERR_USAGE, EINVAL, "topology", port->name,
					       "port names that differ");
	}
	return 0;
}

static int check_buffer(const struct sw_buffer *b, struct err *err)
{
	if (b->cell_bytes < 1 || b->cell_bytes > 16384)
		return refuse(err, "switch.buffer.cell", b->cell_bytes, "1 to 16384 bytes");
	if (b->size_bytes > MOST_BYTES)
		return refuse(err, "switch.buffer.size", b->size_bytes, "at most 1 TiB");
	if (b->reserved_bytes > MOST_BYTES)
		return refuse(err, "switch.buffer.reserved", b->reserved_bytes, "at most 1 TiB");
	if (b->headroom_pool_bytes > MOST_BYTES)
		return refuse(err, "switch.buffer.headroom_pool", b->headroom_pool_bytes,
			      "at most 1 TiB");
	if (b->xon_offset_bytes > MOST_BYTES)
		return refuse(err, "switch.buffer.xon_offset", b->xon_offset_bytes,
			      "at most 1 TiB");
	if (b->alpha_q16 == 0 || b->alpha_q16 > 1024u << 16)
		return refuse(err, "switch.buffer.alpha", b->alpha_q16 >> 16, "1/65536 to 1024");
	if (b->lossy_alpha_q16 == 0 || b->lossy_alpha_q16 > 1024u << 16)
		return refuse(err, "switch.buffer.lossy_alpha", b->lossy_alpha_q16 >> 16,
			      "1/65536 to 1024");
	return 0;
}

/* What is set aside, and one maximal frame beside it. */
static int check_pool(const struct sw_config *c, struct err *err)
{
	const struct sw_buffer *b = &c->buffer;
	uint64_t size, aside, headroom;
	uint32_t largest = 0;

	for (uint16_t i = 0; i < c->n_ports; i++)
		if (c->ports[i].mtu_bytes + 18 > largest)
			largest = c->ports[i].mtu_bytes + 18;
	size = b->size_bytes / b->cell_bytes;
	aside = all_set_aside(c, &headroom);
	if (size < aside + cells_up(largest, b->cell_bytes)) {
		char found[64];

		snprintf(found, sizeof(found), "%llu bytes", (unsigned long long)b->size_bytes);
		return err_set(err, ERR_USAGE, EINVAL, "switch.buffer.size", found,
			       "at least %llu bytes: %llu set aside as reserved and %s for %u "
			       "ports, and one frame of %u; raise size or lower reserved or %s",
			       (unsigned long long)((aside + cells_up(largest, b->cell_bytes)) *
						    b->cell_bytes),
			       (unsigned long long)(aside * b->cell_bytes),
			       b->headroom_pool_bytes ? "headroom pool" : "headroom", c->n_ports,
			       largest, b->headroom_pool_bytes ? "headroom_pool" : "headroom");
	}
	return 0;
}

int sw_config_check(const struct sw_config *config, struct err *err)
{
	int rc = check_qos(&config->qos, err);

	if (rc == 0)
		rc = check_red(&config->qos, err);
	if (rc == 0)
		rc = check_watchdog(&config->qos.watchdog, err);
	if (rc == 0 && config->latency_ps > MOST_LATENCY_PS)
		rc = refuse(err, "switch.latency", config->latency_ps / 1000, "at most 1 s, in ns");
	if (rc == 0 && config->fdb_ageing_ps > MOST_AGEING_PS)
		rc = refuse(err, "switch.fdb_ageing", config->fdb_ageing_ps / 1000000000000,
			    "at most 1000000 s");
	if (rc == 0 && config->neigh_ageing_ps > MOST_AGEING_PS)
		rc = refuse(err, "switch.neighbour_ageing", config->neigh_ageing_ps / 1000000000000,
			    "at most 1000000 s");
	if (rc == 0 &&
	    ((config->fdb_size & (config->fdb_size - 1)) != 0 || config->fdb_size > MOST_MACS))
		rc = refuse(err, "switch.fdb_size", config->fdb_size,
			    "a power of two, at most 16777216");
	if (rc == 0)
		rc = check_ports(config, err);
	if (rc == 0)
		rc = check_buffer(&config->buffer, err);
	if (rc == 0)
		rc = check_pool(config, err);
	return rc;
}

static void apply_cell(struct sw *sw, uint32_t old_bytes)
{
	uint32_t cell = sw->cfg.buffer.cell_bytes;

	sw->cell_inverse = ((1ULL << 32) + cell - 1) / cell;
	if (old_bytes != 0 && old_bytes != cell)
		recount_cells(sw, old_bytes);
}

static void at_least(uint64_t *watermark, uint64_t level)
{
	if (*watermark < level)
		*watermark = level;
}

/* What was reserved before may now be shared, and a recount may find more: no watermark lies below
 * its level. */
static void raise_watermarks(struct sw *sw)
{
	at_least(&sw->max_used, sw->used);
	at_least(&sw->max_shared_used, sw->shared_used);
	at_least(&sw->max_headroom_used, sw->headroom_used);
	for (uint16_t i = 0; i < sw->n_ports; i++)
		for (int p = 0; p < SW_PRIOS; p++) {
			struct sw_queue *queue = &sw->ports[i].queues[p];
			struct sw_pg *pg = &sw->ports[i].pgs[p];

			at_least(&queue->max_cells, queue->cells);
			at_least(&pg->max_headroom, pg->headroom);
			if (pg->ingress > pg->reserved_size)
				at_least(&pg->max_shared, pg->ingress - pg->reserved_size);
		}
}

static void apply_buffer(struct sw *sw, const struct sw_config *c)
{
	const struct sw_buffer *b = &c->buffer;

	sw->shared_size = b->size_bytes / b->cell_bytes - all_set_aside(c, &sw->headroom_size);
	sw->headroom_limit = b->headroom_pool_bytes != 0 ? sw->headroom_size : UINT64_MAX;
	sw->xon_offset = cells_up(b->xon_offset_bytes, b->cell_bytes);
	sw->shared_used = 0;
	for (uint16_t i = 0; i < c->n_ports; i++)
		for (int g = 0; g < SW_PRIOS; g++) {
			struct sw_pg *pg = &sw->ports[i].pgs[g];

			pg->reserved_size = set_aside(c, &c->ports[i], g, &pg->headroom_size);
			pg->lossless = c->ports[i].pfc && (lossless_pgs(&c->qos) >> g & 1);
			if (pg->ingress > pg->reserved_size)
				sw->shared_used += pg->ingress - pg->reserved_size;
		}
	raise_watermarks(sw);
}

/* At 100 % max itself is sure: it is the one length where a chance below 2^32 would not be 1. */
static struct sw_curve curve_of(uint64_t min, uint64_t max, uint32_t ppb)
{
	uint64_t at_max = ((uint64_t)ppb << 32) / CERTAIN_PPB;
	struct sw_curve curve = {.min = min, .sure = max};

	if (min == max)
		return curve;
	if (ppb == CERTAIN_PPB) {
		curve.sure = max - 1;
		at_max = UINT32_MAX; /* the slope has 64 bits */
	}
	curve.slope = (uint64_t)(((unsigned __int128)at_max << 32) / (max - min));
	return curve;
}

static void apply_red(struct sw *sw, const struct sw_qos *qos)
{
	sw->red_enqueue = sw->red_dequeue = 0;
	for (int q = 0; q < SW_PRIOS; q++) {
		const struct sw_ecn *ecn = &qos->ecn[q];
		const struct sw_wred *drop = &ecn->drop;

		sw->red_enqueue |= (unsigned)((ecn->on && ecn->at_enqueue) || drop->on) << q;
		sw->red_dequeue |= (unsigned)(ecn->on && !ecn->at_enqueue) << q;
		if (ecn->on)
			sw->mark_curve[q] =
				curve_of(ecn->min_bytes, ecn->max_bytes, ecn->probability_ppb);
		if (drop->on)
			sw->drop_curve[q] =
				curve_of(drop->min_bytes, drop->max_bytes, drop->probability_ppb);
	}
}

static struct sw_class class_of(const struct sw_qos *qos, uint8_t prio)
{
	return (struct sw_class){prio, qos->prio_to_pg[prio], qos->prio_to_queue[prio]};
}

static void apply_classes(struct sw *sw, const struct sw_qos *qos)
{
	for (int i = 0; i < 64; i++)
		sw->by_dscp[i] = class_of(qos, qos->dscp_to_prio[i]);
	for (int i = 0; i < 8; i++)
		sw->by_pcp[i] = class_of(qos, qos->pcp_to_prio[i]);
}

static void apply_qos(struct sw *sw, const struct sw_qos *qos)
{
	sw->lossless_mask = qos->pfc_mask;
	sw->strict_mask = 0;
	apply_classes(sw, qos);
	apply_red(sw, qos);
	for (int q = 0; q < SW_PRIOS; q++) {
		sw->strict_mask |= (unsigned)qos->sched[q].strict << q;
		sw->queue_classes[q] = 0;
		for (int p = 0; p < SW_PRIOS; p++)
			sw->queue_classes[q] |= (qos->pfc_to_queue[p] == q) << p;
	}
	for (int mask = 1; mask < 256; mask++) {
		uint32_t heaviest = 1;

		for (int q = 0; q < SW_PRIOS; q++)
			if ((mask >> q & 1) && qos->sched[q].weight > heaviest)
				heaviest = qos->sched[q].weight;
		sw->dwrr_quantum[mask] = DWRR_TURN_BYTES / heaviest;
	}
}

void config_apply(struct sw *sw, const struct sw_config *c)
{
	uint32_t old_cell = sw->cfg.buffer.cell_bytes;

	for (uint16_t i = 0; i < c->n_ports; i++) {
		sw->ports[i].cfg = c->ports[i];
		sw->ports[i].wire = wire_of(c->ports[i].rate_bps);
	}
	sw->cfg = *c;
	sw->cfg.ports = NULL; /* borrowed for the call only: sw->ports[].cfg has them */
	apply_qos(sw, &c->qos);
	apply_cell(sw, old_cell);
	apply_buffer(sw, c);
}
