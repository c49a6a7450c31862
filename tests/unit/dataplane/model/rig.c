/* SPDX-License-Identifier: BSD-3-Clause */
#include "rig.h"

#include "dataplane/model/hdr.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rig_pkt {
	struct pkt pkt; /* first: the model's pointer is ours */
	bool in_model;
	uint8_t bytes[RIG_BYTES];
};

uint64_t rig_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state * 0x2545f4914f6cdd1dULL >> 16;
}

/* ---- frames ---- */

static void host_mac(uint8_t mac[6], uint16_t host)
{
	const uint8_t bytes[6] = {2, 0, 0, 1, (uint8_t)(host >> 8), (uint8_t)host};

	memcpy(mac, bytes, 6);
}

static struct rig_pkt *make(struct rig *rig, uint16_t len)
{
	struct rig_pkt *made = calloc(1, sizeof(*made));

	made->pkt.data = made->bytes;
	made->pkt.len = len;
	made->pkt.user = ++rig->made;
	return made;
}

struct pkt *rig_raw(struct rig *rig, const uint8_t *bytes, uint16_t len)
{
	struct rig_pkt *made = make(rig, len);

	memcpy(made->bytes, bytes, len < RIG_BYTES ? len : RIG_BYTES);
	return &made->pkt;
}

/* RDMA WRITE_ONLY where len has room for its headers, else an ACK. */
static void put_roce(uint8_t *ip, uint16_t ip_len, uint8_t tos)
{
	uint8_t *udp = ip + HDR_IPV4, *bth = udp + HDR_UDP;
	uint32_t sum = 0;

	ip[0] = 0x45;
	ip[IPV4_TOS] = tos;
	put_be16(ip + IPV4_LEN, ip_len);
	ip[IPV4_TTL] = 64;
	ip[IPV4_PROTO] = PROTO_UDP;
	ip[IPV4_SRC] = ip[IPV4_DST] = 10;
	ip[IPV4_DST + 3] = 2;
	for (int i = 0; i < HDR_IPV4; i += 2)
		sum += be16(ip + i);
	put_be16(ip + IPV4_SUM, (uint16_t)~sum_fold(sum));
	put_be16(udp + UDP_SPORT, 49152);
	put_be16(udp + UDP_DPORT, UDP_PORT_ROCE);
	put_be16(udp + UDP_LEN, ip_len - HDR_IPV4);
	bth[BTH_OPCODE] = ip_len >= HDR_IPV4 + HDR_UDP + HDR_BTH + 16 + HDR_ICRC ? 0x0a : 0x11;
	bth[BTH_QP + 2] = 0x11;
}

struct pkt *rig_frame(struct rig *rig, uint16_t in, uint16_t out, uint8_t dscp, uint8_t ecn,
		      uint16_t len)
{
	struct rig_pkt *made = make(rig, len);
	/* Padding of short frames is behind the datagram. */
	uint16_t ip_len = len - HDR_ETH;

	host_mac(made->bytes + ETH_DST, out);
	host_mac(made->bytes + ETH_SRC, in);
	put_be16(made->bytes + ETH_TYPE, ETHERTYPE_IPV4);
	put_roce(made->bytes + HDR_ETH, ip_len, (uint8_t)(dscp << 2 | ecn));
	return &made->pkt;
}

struct pkt *rig_pfc_frame(struct rig *rig, uint16_t vector, const uint16_t quanta[SW_PRIOS],
			  bool zero_source)
{
	uint8_t bytes[SW_MIN_FRAME] = {0x01, 0x80, 0xc2, 0, 0,    1,    2, 0,
				       0,    0,    0,    9, 0x88, 0x08, 1, 1};

	if (zero_source)
		memset(bytes + ETH_SRC, 0, 6);
	put_be16(bytes + PFC_VECTOR, vector);
	for (int p = 0; p < SW_PRIOS; p++)
		put_be16(bytes + PFC_QUANTA + 2 * p, quanta[p]);
	return rig_raw(rig, bytes, sizeof(bytes));
}

static struct pkt *copy(void *ctx, const struct pkt *pkt)
{
	struct rig *rig = ctx;
	struct rig_pkt *made;

	if (rig->refuse_copies)
		return NULL;
	made = malloc(sizeof(*made));
	memcpy(made, pkt, sizeof(*made)); /* the whole rig_pkt */
	made->pkt.data = made->bytes;
	rig->alive++;
	return &made->pkt;
}

static void came_back(struct rig *rig, struct pkt *pkt)
{
	struct rig_pkt *made = (struct rig_pkt *)pkt;

	CU_ASSERT_FATAL(made->in_model);
	made->in_model = false;
	rig->alive--;
	free(made);
}

static uint32_t have(void *ctx, const struct pkt *pkt)
{
	(void)ctx;
	return pkt->len < RIG_BYTES ? pkt->len : RIG_BYTES;
}

static struct pkt *alloc(void *ctx, uint32_t len, uint32_t n)
{
	struct rig *rig = ctx;
	struct rig_pkt *made;

	(void)len;
	if (n > RIG_BYTES || rig->allocs_left == 0)
		return NULL;
	rig->allocs_left--;
	made = calloc(1, sizeof(*made));
	made->pkt.data = made->bytes;
	made->in_model = true;
	rig->alive++;
	return &made->pkt;
}

static void release(void *ctx, struct pkt *pkt)
{
	came_back(ctx, pkt);
}

static struct sw_env env_of(struct rig *rig)
{
	return (struct sw_env){
		.ctx = rig, .copy = copy, .have = have, .alloc = alloc, .release = release};
}

/* ---- life ---- */

static void default_qos(struct sw_qos *qos)
{
	for (int d = 0; d < 64; d++)
		qos->dscp_to_prio[d] = d < SW_PRIOS ? d : 0;
	for (int p = 0; p < SW_PRIOS; p++) {
		qos->pcp_to_prio[p] = p;
		qos->prio_to_pg[p] = p;
		qos->prio_to_queue[p] = p;
		qos->pfc_to_queue[p] = p;
		qos->sched[p].weight = 1;
	}
	qos->pfc_mask = 0x18;
}

void rig_init(struct rig *rig, uint16_t n_ports)
{
	*rig = (struct rig){.pipeline = "lossless",
			    .out_cap = 64,
			    .recount_every = 1,
			    .allocs_left = UINT32_MAX};
	rig->config = (struct sw_config){
		.name = "s1",
		.seed = 1,
		.router_mac = {2, 0, 0, 0, 0, 0xfe},
		.fdb_size = 64,
		.buffer = {.size_bytes = 1000000,
			   .cell_bytes = 1,
			   .alpha_q16 = 65536,
			   .lossy_alpha_q16 = 65536},
		.n_ports = n_ports,
		.ports = rig->ports,
		.digest = true,
	};
	default_qos(&rig->config.qos);
	for (uint16_t i = 0; i < n_ports; i++) {
		rig->ports[i] = (struct sw_port_config){.rate_bps = 100000000000,
							.overhead_bytes = 24,
							.mtu_bytes = 9000,
							.headroom_bytes = 20000,
							.mac = {2, 0, 0, 2, 0, (uint8_t)i},
							.pfc = true,
							.edge_bytes = 100000};
		snprintf(rig->ports[i].name, SW_NAME, "s1-h%02u", i);
	}
}

void rig_start(struct rig *rig)
{
	struct sw_static_fdb fdb[RIG_PORTS];
	/* 10.0.0.0/24 is one hop away, and the switch is 10.0.0.254. */
	const struct sw_route connected = {
		.prefix = {[10] = 0xff, 0xff, 10}, .len = 120, .kind = SW_ROUTE_CONNECTED};
	const struct sw_gateway gateway = {.ip = {[10] = 0xff, 0xff, 10, [15] = 254}};
	struct sw_tables_spec spec = {.n_fdb = rig->config.n_ports,
				      .fdb = fdb,
				      .n_routes = 1,
				      .routes = &connected,
				      .n_gateways = 1,
				      .gateways = &gateway};
	struct sw_env env = env_of(rig);
	struct err err = {0};
	char text[600];

	for (uint16_t i = 0; i < rig->config.n_ports; i++) {
		fdb[i] = (struct sw_static_fdb){
			.domain = rig->ports[i].domain, .vid = PKT_NO_VLAN, .port = i};
		host_mac(fdb[i].mac, i);
	}
	rig->config.ports = rig->ports;
	rig->sw = sw_new(&rig->config, pipeline_by_name(rig->pipeline), &env, &err);
	if (rig->sw == NULL)
		fprintf(stderr, "rig_start: %s\n", err_text(&err, text, sizeof(text)));
	CU_ASSERT_FATAL(rig->sw != NULL);
	rig->tables = sw_tables_new(&spec, rig->config.n_ports, &err);
	CU_ASSERT_FATAL(rig->tables != NULL);
	CU_ASSERT_PTR_NULL(sw_install(rig->sw, 0, rig->tables));
}

static void take_chain(struct rig *rig, struct pkt *pkt)
{
	struct pkt *next;

	for (; pkt != NULL; pkt = next) {
		next = pkt->next;
		came_back(rig, pkt);
	}
}

void rig_stop(struct rig *rig)
{
	rig_check(rig);
	rig_discard(rig);
}

void rig_discard(struct rig *rig)
{
	take_chain(rig, sw_drain(rig->sw));
	CU_ASSERT_EQUAL(rig->alive, 0);
	CU_ASSERT_PTR_NULL(sw_reap(rig->sw));
	CU_ASSERT_PTR_NULL(sw_drain(rig->sw));
	sw_free(rig->sw);
	sw_tables_free(rig->tables);
	free(rig->recs);
	rig->recs = NULL;
}

/* ---- checkpoints ---- */

struct bytes {
	uint8_t *at;
	size_t n, room;
};

static int append(void *ctx, const void *bytes, size_t n)
{
	struct bytes *b = ctx;

	if (b->n + n > b->room) {
		b->room = 2 * (b->n + n);
		b->at = realloc(b->at, b->room);
	}
	memcpy(b->at + b->n, bytes, n);
	b->n += n;
	return 0;
}

uint8_t *rig_checkpoint(const struct rig *rig, size_t *n)
{
	struct bytes bytes = {NULL, 0, 0};
	const struct sw_writer writer = {&bytes, append};

	CU_ASSERT_EQUAL(sw_checkpoint(rig->sw, &writer), 0);
	*n = bytes.n;
	return bytes.at;
}

int rig_restore(struct rig *rig, const struct rig *from, const void *bytes, size_t n,
		struct err *err)
{
	struct sw_env env = env_of(rig);

	*rig = *from;
	rig->config.ports = rig->ports;
	rig->alive = 0;
	rig->recs = NULL;
	rig->n_recs = rig->cap_recs = 0;
	rig->sw = sw_restore(bytes, n, pipeline_by_name, &env, err);
	if (rig->sw == NULL) {
		CU_ASSERT_EQUAL(rig->alive, 0);
		CU_ASSERT_NOT_EQUAL(err->status, ERR_NONE);
		return -1;
	}
	rig->tables = (struct sw_tables *)sw_tables_of(rig->sw);
	return 0;
}

/* ---- checks ---- */

/* What lies in the queues, added up anew. */
struct recount {
	uint64_t packets, cells, shared, headroom;
	uint64_t pg[RIG_PORTS][SW_PRIOS]; /* cells by ingress */
};

static void recount_queue(const struct sw *sw, uint16_t port, int q, struct recount *sum)
{
	const struct sw_queue *queue = &sw->ports[port].queues[q];
	uint64_t packets = 0, bytes = 0, cells = 0;
	uint32_t cell = sw->cfg.buffer.cell_bytes;

	for (const struct pkt *pkt = queue->head; pkt != NULL; pkt = pkt->next) {
		CU_ASSERT_EQUAL(pkt->cells, (frame_bytes(pkt->len) + cell - 1) / cell);
		CU_ASSERT(pkt->out_port == port && pkt->queue == q);
		packets++;
		bytes += frame_bytes(pkt->len);
		cells += pkt->cells;
		sum->pg[pkt->in_port][pkt->pg] += pkt->cells;
	}
	CU_ASSERT(queue->packets == packets && queue->bytes == bytes && queue->cells == cells);
	CU_ASSERT(queue->max_cells >= cells);
	CU_ASSERT_EQUAL(packets > 0, sw->ports[port].active >> q & 1);
	sum->packets += packets;
	sum->cells += cells;
}

static uint64_t recount_edge(const struct sw_edge *edge)
{
	uint64_t packets = edge->sending != NULL, all = packets ? edge->sending->len : 0;

	for (int p = 0; p < SW_PRIOS; p++) {
		uint64_t bytes = 0;

		for (const struct pkt *pkt = edge->head[p]; pkt != NULL; pkt = pkt->next) {
			bytes += pkt->len;
			packets++;
		}
		CU_ASSERT_EQUAL(edge->bytes[p], bytes);
		all += bytes;
	}
	CU_ASSERT(edge->packets == packets && edge->all_bytes == all);
	return packets;
}

static void recount_pgs(const struct sw *sw, uint16_t port, struct recount *sum)
{
	for (int g = 0; g < SW_PRIOS; g++) {
		const struct sw_pg *pg = &sw->ports[port].pgs[g];
		uint64_t shared =
			pg->ingress > pg->reserved_size ? pg->ingress - pg->reserved_size : 0;

		CU_ASSERT_EQUAL(pg->ingress + pg->headroom, sum->pg[port][g]);
		CU_ASSERT(pg->max_shared >= shared && pg->max_headroom >= pg->headroom);
		sum->shared += shared;
		sum->headroom += pg->headroom;
	}
}

static void recount(const struct rig *rig)
{
	const struct sw *sw = rig->sw;
	struct recount sum = {0};
	uint64_t edge = 0;

	for (uint16_t i = 0; i < sw->n_ports; i++) {
		for (int q = 0; q < SW_PRIOS; q++)
			recount_queue(sw, i, q, &sum);
		edge += recount_edge(&sw->ports[i].edge);
	}
	for (uint16_t i = 0; i < sw->n_ports; i++)
		recount_pgs(sw, i, &sum);
	CU_ASSERT_EQUAL(sw->used, sum.cells);
	CU_ASSERT_EQUAL(sw->shared_used, sum.shared);
	CU_ASSERT_EQUAL(sw->headroom_used, sum.headroom);
	CU_ASSERT(sw->max_used >= sw->used && sw->max_shared_used >= sw->shared_used);
	CU_ASSERT(sw->max_headroom_used >= sw->headroom_used);
	CU_ASSERT(sum.packets + edge <= sw->held); /* the rest waits for a neighbour */
}

static uint64_t sum_of_ports(const struct sw_stats *s, enum sw_port_counter counter)
{
	uint64_t sum = 0;

	for (uint16_t i = 0; i < s->n_ports; i++)
		sum += s->ports[i].counters[counter];
	return sum;
}

const struct sw_stats *rig_stats(struct rig *rig)
{
	rig->stats = (struct sw_stats){.ports = rig->port_stats};
	sw_stats(rig->sw, rig->sw->now, &rig->stats);
	return &rig->stats;
}

void rig_check(struct rig *rig)
{
	const struct sw_stats *s = rig_stats(rig);
	uint64_t named = 0;

	for (int d = 0; d < SW_DROPS; d++)
		named += s->drops[d];
	CU_ASSERT_EQUAL(s->rx + s->generated + s->copied,
			s->tx + s->consumed + s->dropped + s->held);
	CU_ASSERT_EQUAL(s->rx, rig->data_in);
	CU_ASSERT_EQUAL(s->dropped, named);
	CU_ASSERT_EQUAL(s->dropped, s->dropped_lossless + s->dropped_lossy);
	CU_ASSERT_EQUAL(s->rx, sum_of_ports(s, SW_PORT_RX_PACKETS));
	CU_ASSERT_EQUAL(s->tx, sum_of_ports(s, SW_PORT_TX_PACKETS));
	CU_ASSERT_EQUAL(s->dropped, sum_of_ports(s, SW_PORT_DROPPED));
	CU_ASSERT_EQUAL(s->copied, sum_of_ports(s, SW_PORT_COPIED));
	CU_ASSERT_EQUAL(s->consumed, sum_of_ports(s, SW_PORT_CONSUMED));
	CU_ASSERT_EQUAL(s->generated, sum_of_ports(s, SW_PORT_GENERATED));
	CU_ASSERT_EQUAL((int64_t)s->held, rig->alive);
	CU_ASSERT(s->buffer_max_bytes >= s->buffer_bytes);
	if (rig->recount_every != 0)
		recount(rig);
}

static void step_done(struct rig *rig)
{
	take_chain(rig, sw_reap(rig->sw));
	if (rig->recount_every != 0 && ++rig->steps % rig->recount_every == 0)
		rig_check(rig);
}

/* ---- time ---- */

static void keep(struct rig *rig, const struct sw_rec *rec)
{
	struct rig_rec *kept;

	if (rig->n_recs == rig->cap_recs) {
		rig->cap_recs = rig->cap_recs == 0 ? 1024 : 2 * rig->cap_recs;
		rig->recs = realloc(rig->recs, rig->cap_recs * sizeof(*rig->recs));
	}
	kept = &rig->recs[rig->n_recs++];
	*kept = (struct rig_rec){.t_ps = rec->t_ps, .port = rec->port, .kind = rec->kind};
	if (rec->pkt == NULL) {
		kept->gen = rec->gen;
		return;
	}
	kept->in_port = rec->pkt->in_port;
	kept->len = rec->pkt->len;
	kept->queue = rec->pkt->queue;
	kept->id = rec->pkt->user;
	kept->ecn =
		rec->pkt->flags & PKT_F_V4 ? rec->pkt->data[rec->pkt->l3_off + IPV4_TOS] & 3 : 0;
	came_back(rig, rec->pkt);
}

void rig_to(struct rig *rig, uint64_t t_ps)
{
	struct sw_rec recs[64];
	struct sw_out out = {.cap = rig->out_cap, .recs = recs};
	enum sw_state state;

	do {
		state = sw_advance(rig->sw, t_ps, &out);
		CU_ASSERT(out.n <= out.cap);
		CU_ASSERT(state == SW_DONE || out.n == out.cap);
		for (uint32_t i = 0; i < out.n; i++) {
			CU_ASSERT(recs[i].t_ps < t_ps);
			CU_ASSERT(rig->n_recs == 0 ||
				  rig->recs[rig->n_recs - 1].t_ps <= recs[i].t_ps);
			keep(rig, &recs[i]);
		}
	} while (state == SW_MORE);
	step_done(rig);
}

void rig_rx(struct rig *rig, uint64_t t_ps, uint16_t port, struct pkt **pkts, uint32_t n)
{
	rig_to(rig, t_ps);
	sw_parse(rig->sw, port, pkts, n);
	for (uint32_t i = 0; i < n; i++) {
		bool control = pkts[i]->kind == PKT_PFC || pkts[i]->kind == PKT_PAUSE ||
			       pkts[i]->kind == PKT_MAC_CTL;

		((struct rig_pkt *)pkts[i])->in_model = true;
		rig->alive++;
		rig->data_in += !control;
		rig->control_in += control;
	}
	sw_rx(rig->sw, t_ps, pkts, n);
	step_done(rig);
}

void rig_one(struct rig *rig, uint64_t t_ps, uint16_t port, struct pkt *pkt)
{
	rig_rx(rig, t_ps, port, &pkt, 1);
}

void rig_send(struct rig *rig, uint64_t t_ps, uint16_t in, uint16_t out, uint8_t dscp, uint8_t ecn,
	      uint16_t len)
{
	rig_one(rig, t_ps, in, rig_frame(rig, in, out, dscp, ecn, len));
}

void rig_pfc(struct rig *rig, uint64_t t_ps, uint16_t port, uint8_t vector, uint16_t quanta)
{
	uint16_t all[SW_PRIOS];

	for (int p = 0; p < SW_PRIOS; p++)
		all[p] = vector >> p & 1 ? quanta : 0;
	rig_one(rig, t_ps, port, rig_pfc_frame(rig, vector, all, false));
}

void rig_hold(struct rig *rig, uint64_t t_ps, uint16_t port, bool hold)
{
	rig_to(rig, t_ps);
	sw_hold(rig->sw, t_ps, port, hold);
	step_done(rig);
}

void rig_link(struct rig *rig, uint64_t t_ps, uint16_t port, bool up)
{
	rig_to(rig, t_ps);
	sw_link(rig->sw, t_ps, port, up);
	step_done(rig);
}

int rig_set(struct rig *rig, uint64_t t_ps)
{
	struct err err = {0};
	int rc;

	rig_to(rig, t_ps);
	rc = sw_set(rig->sw, t_ps, &rig->config, &err);
	CU_ASSERT_EQUAL(rc != 0, err.status != ERR_NONE);
	step_done(rig);
	return rc;
}

void rig_settle(struct rig *rig)
{
	uint64_t next;

	while ((next = sw_next(rig->sw)) != SW_NEVER)
		rig_to(rig, next + 1);
}

/* ---- records ---- */

uint32_t rig_count(const struct rig *rig, uint16_t port, enum sw_rec_kind kind)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < rig->n_recs; i++)
		n += rig->recs[i].port == port && rig->recs[i].kind == kind;
	return n;
}

const struct rig_rec *rig_nth(const struct rig *rig, uint16_t port, enum sw_rec_kind kind,
			      uint32_t i)
{
	for (uint32_t r = 0; r < rig->n_recs; r++)
		if (rig->recs[r].port == port && rig->recs[r].kind == kind && i-- == 0)
			return &rig->recs[r];
	return NULL;
}
