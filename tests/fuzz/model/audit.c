/* SPDX-License-Identifier: BSD-3-Clause */
/* The audit: the accounting closes, and every count of the buffer is what the queues add up to. */
#include "life.h"

#include "dataplane/model/neigh.h"

#include <string.h>

/* What lies in the queues, added up anew. */
struct recount {
	uint64_t packets, cells, shared, headroom;
	uint64_t pg[LIFE_PORTS][SW_PRIOS]; /* cells by ingress */
};

static void recount_queue(const struct life *life, uint16_t port, int q, struct recount *sum)
{
	const struct sw_queue *queue = &life->sw->ports[port].queues[q];
	uint64_t packets = 0, bytes = 0, cells = 0;
	uint32_t cell = life->config.buffer.cell_bytes;
	const struct pkt *last = NULL;

	for (const struct pkt *pkt = queue->head; pkt != NULL; pkt = pkt->next) {
		must(life, ((const struct fuzz_pkt *)pkt)->in_model);
		must(life, pkt->cells == (frame_bytes(pkt->len) + cell - 1) / cell);
		must(life, pkt->out_port == port && pkt->queue == q);
		packets++;
		bytes += frame_bytes(pkt->len);
		cells += pkt->cells;
		sum->pg[pkt->in_port][pkt->pg] += pkt->cells;
		last = pkt;
	}
	must(life, queue->last == last);
	must(life, queue->packets == packets && queue->bytes == bytes && queue->cells == cells);
	must(life, queue->max_cells >= cells);
	must(life, (packets > 0) == (life->sw->ports[port].active >> q & 1));
	sum->packets += packets;
	sum->cells += cells;
}

static uint64_t recount_edge(const struct life *life, const struct sw_edge *edge)
{
	uint64_t packets = edge->sending != NULL, all = packets ? edge->sending->len : 0;

	for (int p = 0; p < SW_PRIOS; p++) {
		uint64_t bytes = 0;

		for (const struct pkt *pkt = edge->head[p]; pkt != NULL; pkt = pkt->next) {
			bytes += pkt->len;
			packets++;
		}
		must(life, edge->bytes[p] == bytes);
		all += bytes;
	}
	must(life, edge->packets == packets && edge->all_bytes == all && edge->max_bytes >= all);
	return packets;
}

/* Or will be as soon as the wire is free; who is down is told nothing. */
static bool is_told(const struct life *life, const struct sw_port *port, int pg)
{
	const struct sw_qos *qos = &life->config.qos;
	uint8_t classes = port->pfc_told_xoff | port->pfc_pending;

	for (int p = 0; p < SW_PRIOS; p++)
		if (qos->prio_to_pg[p] == pg && (qos->pfc_mask >> p & 1) && !(classes >> p & 1))
			return !port->up;
	return true;
}

static void recount_pgs(const struct life *life, uint16_t index, struct recount *sum)
{
	const struct sw_port *port = &life->sw->ports[index];

	for (int g = 0; g < SW_PRIOS; g++) {
		const struct sw_pg *pg = &port->pgs[g];
		uint64_t shared =
			pg->ingress > pg->reserved_size ? pg->ingress - pg->reserved_size : 0;

		must(life, pg->ingress + pg->headroom == sum->pg[index][g]);
		must(life, pg->max_shared >= shared && pg->max_headroom >= pg->headroom);
		must(life, pg->lossless ? pg->xoff || pg->headroom == 0 : !pg->xoff);
		must(life, life->resized || pg->headroom <= pg->headroom_size);
		must(life, !pg->xoff || is_told(life, port, g));
		sum->shared += shared;
		sum->headroom += pg->headroom;
	}
}

static void recount(const struct life *life)
{
	const struct sw *sw = life->sw;
	struct recount sum = {0};
	uint64_t edge = 0;

	for (uint16_t i = 0; i < sw->n_ports; i++) {
		for (int q = 0; q < SW_PRIOS; q++)
			recount_queue(life, i, q, &sum);
		edge += recount_edge(life, &sw->ports[i].edge);
	}
	for (uint16_t i = 0; i < sw->n_ports; i++)
		recount_pgs(life, i, &sum);
	must(life, sw->used == sum.cells);
	must(life, sw->shared_used == sum.shared);
	must(life, sw->headroom_used == sum.headroom);
	must(life, sw->max_used >= sw->used && sw->max_shared_used >= sw->shared_used);
	must(life, sw->max_headroom_used >= sw->headroom_used);
	must(life, sum.packets + edge + life->waiting == sw->held);
}

/* ---- tables ---- */

static void take_fdb_row(void *arg, const struct sw_fdb_row *row)
{
	struct life *life = arg;

	must(life, row->port < life->config.n_ports && row->age_ps <= life->now_ps);
	must(life, row->installed || life->oracle.ports[row->port].up);
}

static void take_neigh_row(void *arg, const struct sw_neigh_row *row)
{
	struct life *life = arg;

	must(life,
	     row->port < life->config.n_ports || (!row->resolved && row->port == PKT_NO_PORT));
	must(life, row->installed || !row->resolved || life->oracle.ports[row->port].up);
	must(life, row->age_ps <= life->now_ps);
	must(life, row->waiting <= 4 && (!row->resolved || row->waiting == 0));
	life->waiting += row->waiting;
}

static void read_tables(struct life *life)
{
	life->waiting = 0;
	sw_fdb_each(life->sw, take_fdb_row, life);
	sw_neigh_each(life->sw, take_neigh_row, life);
	must(life, sw_tables_of(life->sw) == life->tables);
}

void audit_neighbours(const struct sw *sw, void (*f)(const struct life *life, struct pkt *chain),
		      const struct life *life)
{
	for (uint32_t i = 0; i < NEIGH_SIZE; i++)
		if (sw->neigh->entries[i].state != NEIGH_FREE)
			f(life, sw->neigh->entries[i].held);
}

/* ---- the accounting ---- */

static uint64_t sum_of_ports(const struct sw_stats *s, enum sw_port_counter counter)
{
	uint64_t sum = 0;

	for (uint16_t i = 0; i < s->n_ports; i++)
		sum += s->ports[i].counters[counter];
	return sum;
}

static void check_sums(const struct life *life, const struct sw_stats *s)
{
	must(life, s->rx == sum_of_ports(s, SW_PORT_RX_PACKETS));
	must(life, s->tx == sum_of_ports(s, SW_PORT_TX_PACKETS));
	must(life, s->dropped == sum_of_ports(s, SW_PORT_DROPPED));
	must(life, s->copied == sum_of_ports(s, SW_PORT_COPIED));
	must(life, s->consumed == sum_of_ports(s, SW_PORT_CONSUMED));
	must(life, s->generated == sum_of_ports(s, SW_PORT_GENERATED));
	for (uint16_t i = 0; i < s->n_ports; i++) {
		uint64_t named = 0;

		for (int d = 0; d < SW_DROPS; d++)
			named += s->ports[i].drops[d];
		must(life, named == s->ports[i].counters[SW_PORT_DROPPED]);
	}
}

static void check_identity(const struct life *life, const struct sw_stats *s)
{
	uint64_t named = 0;

	for (int d = 0; d < SW_DROPS; d++)
		named += s->drops[d];
	must(life, s->rx + s->generated + s->copied == s->tx + s->consumed + s->dropped + s->held);
	must(life, s->rx == life->data_fed);
	must(life, (int64_t)s->held == life->alive);
	must(life, s->dropped == named && s->dropped == s->dropped_lossless + s->dropped_lossy);
	must(life, s->tx == life->left);
	must(life, s->buffer_max_bytes >= s->buffer_bytes);
	must(life, s->shared_max_bytes >= s->shared_bytes);
	must(life, s->headroom_max_bytes >= s->headroom_bytes);
	if (!life->resized) {
		must(life, s->buffer_bytes <= s->buffer_size_bytes);
		must(life, s->headroom_bytes <= s->headroom_size_bytes);
	}
}

/* Every frame that left is in its queue's histogram. */
static void check_latency(const struct life *life, const struct sw_stats *s)
{
	struct sw_latency all = {0};

	for (uint16_t i = 0; i < s->n_ports && life->config.latency; i++)
		for (int q = 0; q < SW_PRIOS; q++) {
			const struct sw_latency *own = &s->latency[i * SW_PRIOS + q];
			uint64_t sent = s->ports[i].queues[q].counters[SW_QUEUE_TX_PACKETS];

			must(life, sw_latency_count(own) == sent);
			sw_latency_add(&all, own);
		}
	must(life, sw_latency_quantile(&all, 500000) <= sw_latency_quantile(&all, 1000000));
}

void audit(struct life *life)
{
	memset(life->latency, 0, sizeof(life->latency));
	life->stats = (struct sw_stats){.ports = life->port_stats, .latency = life->latency};
	sw_stats(life->sw, life->now_ps, &life->stats);
	check_identity(life, &life->stats);
	check_sums(life, &life->stats);
	check_latency(life, &life->stats);
	read_tables(life);
	recount(life);
	oracle_check(life);
	life->report->audits++;
}

/* ---- two readings ---- */

#define SAME(field) (memcmp(&a->field, &b->field, sizeof(a->field)) == 0)

static bool same_watchdog(const struct sw_watchdog_stats *a, const struct sw_watchdog_stats *b)
{
	return SAME(counters) && SAME(last) && a->detected_ps == b->detected_ps &&
	       a->restored_ps == b->restored_ps && a->detect_took_ps == b->detect_took_ps &&
	       a->restore_took_ps == b->restore_took_ps && a->stormed == b->stormed &&
	       a->watched == b->watched;
}

static bool same_queue(const struct sw_queue_stats *a, const struct sw_queue_stats *b)
{
	return SAME(counters) && a->packets == b->packets && a->bytes == b->bytes &&
	       a->buffer_bytes == b->buffer_bytes && a->max_bytes == b->max_bytes &&
	       a->paused_ps == b->paused_ps && a->paused == b->paused &&
	       a->lossless == b->lossless && same_watchdog(&a->watchdog, &b->watchdog);
}

static bool same_pg(const struct sw_pg_stats *a, const struct sw_pg_stats *b)
{
	return a->total_bytes == b->total_bytes && a->shared_bytes == b->shared_bytes &&
	       a->headroom_bytes == b->headroom_bytes &&
	       a->max_shared_bytes == b->max_shared_bytes &&
	       a->max_headroom_bytes == b->max_headroom_bytes && a->dropped == b->dropped &&
	       a->xoff == b->xoff;
}

static bool same_port(const struct sw_port_stats *a, const struct sw_port_stats *b)
{
	for (int i = 0; i < SW_PRIOS; i++)
		if (!same_queue(&a->queues[i], &b->queues[i]) || !same_pg(&a->pgs[i], &b->pgs[i]))
			return false;
	return SAME(counters) && SAME(drops) && SAME(prio) && SAME(digest) && SAME(edge_packets) &&
	       SAME(edge_bytes) && SAME(edge_max_bytes) && SAME(edge_paused_ps) && a->up == b->up &&
	       a->held == b->held;
}

bool audit_same(const struct sw_stats *a, const struct sw_stats *b)
{
	for (uint16_t i = 0; i < a->n_ports && i < b->n_ports; i++)
		if (!same_port(&a->ports[i], &b->ports[i]))
			return false;
	/* From rx to the sizes all are 64 bits wide. */
	return a->n_ports == b->n_ports && a->t_ps == b->t_ps && a->digest == b->digest &&
	       a->holds == b->holds && a->swaps == b->swaps &&
	       memcmp(&a->rx, &b->rx,
		      offsetof(struct sw_stats, headroom_pooled) - offsetof(struct sw_stats, rx)) ==
		       0;
}

bool life_ended_alike(const struct life_end *a, const struct life_end *b)
{
	return a->time_ps == b->time_ps && audit_same(&a->stats, &b->stats);
}

void audit_add(struct report *report, const struct sw_stats *s)
{
	report->sent += s->tx;
	report->generated += s->generated;
	report->copies += s->copied;
	for (int d = 0; d < SW_DROPS; d++)
		report->drops[d] += s->drops[d];
	for (uint16_t i = 0; i < s->n_ports; i++) {
		for (int c = 0; c < SW_PORT_COUNTERS; c++)
			report->port[c] += s->ports[i].counters[c];
		for (int p = 0; p < SW_PRIOS; p++) {
			for (int c = 0; c < SW_PRIO_COUNTERS; c++)
				report->prio[c] += s->ports[i].prio[c][p];
			for (int c = 0; c < SW_QUEUE_COUNTERS; c++)
				report->queue[c] += s->ports[i].queues[p].counters[c];
			for (int c = 0; c < SW_WATCHDOG_COUNTERS; c++)
				report->watchdog[c] += s->ports[i].queues[p].watchdog.counters[c];
		}
	}
}
