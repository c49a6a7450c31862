/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/sw.c"

#include "dataplane/model/hdr.h"
#include "rig.h"

#include "tests/unit/cu.h"

#define PORTS 5

/* ---- the identity: floods, copies, own frames, waits ---- */

static struct pkt *arp_request(struct rig *rig, uint16_t in, uint8_t target)
{
	uint8_t bytes[60] = {0xff, 0xff, 0xff, 0xff,        0xff, 0xff, 2, 0,
			     0,    1,    0,    (uint8_t)in, 8,    6,    0, 1,
			     8,    0,    6,    4,           0,    1,    2, 0,
			     0,    1,    0,    (uint8_t)in, 10,   0,    0, (uint8_t)(100 + in)};

	bytes[38] = 10;
	bytes[41] = target;
	return rig_raw(rig, bytes, sizeof(bytes));
}

/* To the router's MAC, for 10.0.0.2: someone must be asked. */
static struct pkt *routed(struct rig *rig, uint16_t in)
{
	struct pkt *pkt = rig_frame(rig, in, 0, 3, 2, 500);

	memcpy(pkt->data, rig->config.router_mac, 6);
	return pkt;
}

static void flood_copies(void)
{
	const struct sw_stats *s;
	struct rig rig;

	rig_init(&rig, PORTS);
	rig_start(&rig);
	rig_send(&rig, RIG_US, 0, 77, 3, 2, 500);
	rig_settle(&rig);
	s = rig_stats(&rig);
	CU_ASSERT(s->rx == 1 && s->copied == 3 && s->tx == 4 && s->held == 0);
	CU_ASSERT_EQUAL(s->buffer_bytes, 0);
	CU_ASSERT_EQUAL(s->buffer_max_bytes, 2000); /* each copy is charged */
	CU_ASSERT_EQUAL(s->ports[0].counters[SW_PORT_FLOODED], 1);
	for (int i = 1; i < PORTS; i++)
		CU_ASSERT_EQUAL(rig_count(&rig, i, SW_REC_FRAME), 1);
	rig_stop(&rig);
}

static void flood_without_copies(void)
{
	const struct sw_stats *s;
	struct rig rig;

	rig_init(&rig, PORTS);
	rig.refuse_copies = true;
	rig_start(&rig);
	rig_send(&rig, RIG_US, 0, 77, 3, 2, 500);
	rig_settle(&rig);
	s = rig_stats(&rig);
	CU_ASSERT(s->copied == 3 && s->tx == 1 && s->drops[SW_DROP_NO_COPY] == 3);
	CU_ASSERT_EQUAL(s->dropped_lossless, 3);
	rig_stop(&rig);
}

static void consumed_and_generated(void)
{
	const struct sw_stats *s;
	struct rig rig;

	rig_init(&rig, PORTS);
	rig_start(&rig);
	rig_one(&rig, RIG_US, 0, arp_request(&rig, 0, 254));
	rig_to(&rig, 2 * RIG_US);
	s = rig_stats(&rig);
	CU_ASSERT(s->rx == 1 && s->consumed == 1 && s->generated == 1 && s->tx == 1);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_ARP_REPLY), 1);
	rig_stop(&rig);
}

/* Frames that wait for a neighbour are held, then dropped by name, or sent when it answers. */
static void waits_for_a_neighbour(void)
{
	struct rig rig;

	rig_init(&rig, PORTS);
	rig_start(&rig);
	for (int i = 0; i < 6; i++)
		rig_one(&rig, RIG_US, 0, routed(&rig, 0));
	CU_ASSERT_EQUAL(rig_stats(&rig)->held, 4);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_NEIGHBOUR_FULL], 2);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_NO_NEIGHBOUR], 4);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_ARP_REQUEST), 3);
	rig_stop(&rig);
}

/* ---- drain: rig_stop checks that each frame came back once ---- */

static void drain_from_everywhere(void)
{
	struct rig rig;

	rig_init(&rig, PORTS);
	rig.ports[0].edge = true;
	rig_start(&rig);
	rig_hold(&rig, 0, 2, true);
	for (int i = 0; i < 30; i++) {
		rig_send(&rig, RIG_US, 0, 2, i % 8, 2, 500); /* edge */
		rig_send(&rig, RIG_US, 1, 2, i % 8, 2, 500); /* queues */
	}
	for (int i = 0; i < 3; i++)
		rig_one(&rig, RIG_US, 1, routed(&rig, 1)); /* a neighbour */
	rig_send(&rig, RIG_US, 1, 77, 3, 2, 500);          /* copies */
	rig_to(&rig, RIG_US + 200 * RIG_NS);
	CU_ASSERT(rig_stats(&rig)->held > 60);
	rig_stop(&rig);
}

/* Dropped frames that nobody reaped come back too. */
static void drain_with_dead_ones(void)
{
	struct pkt *chain;
	struct rig rig;
	int n = 0;

	rig_init(&rig, 2);
	rig_start(&rig);
	rig_send(&rig, RIG_US, 0, 1, 3, 2, 500);
	sw_link(rig.sw, RIG_US, 1, false); /* not through the rig: it would reap */
	chain = sw_drain(rig.sw);
	for (struct pkt *pkt = chain; pkt != NULL; pkt = pkt->next)
		n++;
	CU_ASSERT_EQUAL(n, 1);
	rig.sw->dead = chain;
	rig_to(&rig, 2 * RIG_US);
	rig_stop(&rig);
}

/* ---- sw_set: refused ---- */

struct change {
	const char *path;
	void (*make)(struct rig *rig);
};

static void change_port_name(struct rig *r)
{
	strcpy(r->ports[1].name, "other");
}
static void change_count(struct rig *r)
{
	r->config.n_ports = PORTS - 1;
}
static void change_seed(struct rig *r)
{
	r->config.seed++;
}
static void change_fdb(struct rig *r)
{
	r->config.fdb_size *= 2;
}
static void change_digest(struct rig *r)
{
	r->config.digest = false;
}
static void change_edge_bytes(struct rig *r)
{
	r->ports[1].edge = true;
	r->ports[1].edge_bytes = 100;
}
static void change_name(struct rig *r)
{
	strcpy(r->config.name, "s2");
}
/* Half of it is possible, and the other half is not. */
static void change_half(struct rig *r)
{
	r->config.buffer.alpha_q16 = 1;
	r->ports[0].rate_bps = 1000000;
	r->ports[PORTS - 1].rate_bps = 0;
}

static void refused_changes_nothing(void)
{
	static const struct change changes[] = {
		{"topology", change_port_name}, {"topology", change_count},
		{"seed", change_seed},          {"switch", change_fdb},
		{"switch", change_digest},      {"topology", change_name},
		{"s1-h01", change_edge_bytes},  {"s1-h04", change_half},
	};
	struct rig rig;

	rig_init(&rig, PORTS);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	for (int i = 0; i < 40; i++)
		rig_send(&rig, RIG_US, 0, 1, i % 8, 2, 1000);
	rig_to(&rig, 2 * RIG_US);
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct sw before = *rig.sw;
		struct sw_port *ports = malloc(sizeof(*ports) * PORTS);
		struct sw_config config = rig.config;
		struct sw_port_config port_configs[RIG_PORTS];
		struct err err = {0};

		memcpy(ports, rig.sw->ports, sizeof(*ports) * PORTS);
		memcpy(port_configs, rig.ports, sizeof(port_configs));
		changes[i].make(&rig);
		CU_ASSERT(sw_set(rig.sw, 2 * RIG_US, &rig.config, &err) < 0);
		CU_ASSERT_STRING_EQUAL(err.path, changes[i].path);
		CU_ASSERT_EQUAL(err.status, ERR_USAGE);
		CU_ASSERT_EQUAL(memcmp(&before, rig.sw, sizeof(before)), 0);
		CU_ASSERT_EQUAL(memcmp(ports, rig.sw->ports, sizeof(*ports) * PORTS), 0);
		rig.config = config;
		memcpy(rig.ports, port_configs, sizeof(port_configs));
		free(ports);
	}
	rig_stop(&rig);
}

/* ---- sw_set: under traffic; the rig recounts the buffer after every step ---- */

static void draw_qos(struct sw_qos *qos, uint64_t *rng, uint64_t what)
{
	uint8_t p = rig_random(rng) % 8, to = rig_random(rng) % 8;

	if (what == 0)
		qos->dscp_to_prio[p] = to;
	else if (what == 1)
		qos->prio_to_pg[p] = to;
	else if (what == 2)
		qos->prio_to_queue[p] = to;
	else if (what == 3)
		qos->pfc_to_queue[p] = to;
	else if (what == 4)
		qos->pfc_mask = rig_random(rng) % 4 == 0 ? 0 : rig_random(rng);
	else if (what == 5)
		qos->pfc_asymmetric = !qos->pfc_asymmetric;
	else if (what == 6)
		qos->sched[p] = (struct sw_sched){.strict = to < 2, .weight = 1 + to * 10};
	else if (what == 7)
		qos->trust = to < 2 ? SW_TRUST_PCP : SW_TRUST_DSCP;
	else if (what == 8)
		qos->ecn[p].drop = (struct sw_wred){.on = to > 3,
						    .min_bytes = to * 2000,
						    .max_bytes = to * 4000,
						    .probability_ppb = to * 100000000};
	else
		qos->ecn[p] = (struct sw_ecn){.on = to > 1,
					      .at_enqueue = to & 1,
					      .drop_not_ect = to == 7,
					      .min_bytes = to * 1000,
					      .max_bytes = to * 3000,
					      .probability_ppb = to * 100000000};
}

static void draw_buffer(struct sw_buffer *buffer, uint64_t *rng, uint64_t what)
{
	static const uint32_t cells[] = {1, 2, 60, 208, 256, 1000, 16384};
	uint64_t value = rig_random(rng);

	if (what == 0)
		buffer->alpha_q16 = 1 + value % 200000;
	else if (what == 1)
		buffer->lossy_alpha_q16 = 1 + value % 200000;
	else if (what == 2)
		buffer->reserved_bytes = value % 3000;
	else if (what == 3)
		buffer->xon_offset_bytes = value % 5000;
	else if (what == 4)
		buffer->headroom_pool_bytes = value % 3 == 0 ? 0 : 1 + value % 20000;
	else if (what == 5)
		buffer->cell_bytes = cells[value % 7];
	else
		buffer->size_bytes = 50000 + value % 400000;
}

static void draw_port(struct sw_port_config *port, uint64_t *rng, uint64_t what)
{
	static const uint64_t rates[] = {1000000000, 3000000000, 25000000000, 100000000000,
					 2880000000000};
	uint64_t value = rig_random(rng);

	if (what == 0)
		port->rate_bps = rates[value % 5];
	else if (what == 1)
		port->headroom_bytes = value % 8000;
	else if (what == 2)
		port->mtu_bytes = value % 3 == 0 ? 600 : 1500;
	else if (what == 3)
		port->pfc = !port->pfc;
	else if (what == 4)
		port->overhead_bytes = value % 40;
	else if (what == 5)
		port->edge_bytes = 2000 + value % 20000;
	else if (what == 6)
		port->domain = value % 4 == 0;
	else
		port->mac[5] = (uint8_t)value;
}

static void draw_change(struct rig *rig, uint64_t *rng)
{
	uint64_t draw = rig_random(rng) % 27;

	if (draw < 10)
		draw_qos(&rig->config.qos, rng, draw);
	else if (draw < 17)
		draw_buffer(&rig->config.buffer, rng, draw - 10);
	else if (draw < 25)
		draw_port(&rig->ports[rig_random(rng) % PORTS], rng, draw - 17);
	else if (draw == 25)
		rig->config.latency_ps = rig_random(rng) % 3 * 300 * RIG_NS;
	else
		rig->config.router_mac[5]++;
}

/* True when it was taken; a refused one is forgotten. */
static bool try_change(struct rig *rig, uint64_t t, uint64_t *rng)
{
	struct sw_config config = rig->config;
	struct sw_port_config ports[RIG_PORTS];

	memcpy(ports, rig->ports, sizeof(ports));
	draw_change(rig, rng);
	if (rig_set(rig, t) == 0)
		return true;
	rig->config = config;
	memcpy(rig->ports, ports, sizeof(ports));
	return false;
}

static void random_act(struct rig *rig, uint64_t t, uint64_t *rng, uint32_t *taken)
{
	uint64_t draw = rig_random(rng) % 100;
	uint16_t port = rig_random(rng) % PORTS, out = rig_random(rng) % PORTS;

	if (draw < 70)
		rig_send(rig, t, port, rig_random(rng) % 20 == 0 ? 77 : out, rig_random(rng) % 8,
			 rig_random(rng) % 4, 58 + rig_random(rng) % 1400);
	else if (draw < 74)
		rig_pfc(rig, t, port, (uint8_t)rig_random(rng), rig_random(rng) % 400);
	else if (draw < 78)
		rig_hold(rig, t, port, rig_random(rng) % 3 == 0);
	else if (draw < 80)
		rig_link(rig, t, port, rig_random(rng) % 4 != 0);
	else if (draw < 82)
		rig_one(rig, t, port, routed(rig, port));
	else if (draw < 83)
		rig_one(rig, t, port, arp_request(rig, port, out == 0 ? 254 : 2));
	else
		*taken += try_change(rig, t, rng);
}

/* Everything off and open: what was said is taken back, what is held leaves or is dropped. */
static void end_quietly(struct rig *rig, uint64_t t)
{
	const struct sw_stats *s;

	rig->config.qos.pfc_mask = 0;
	CU_ASSERT_EQUAL(rig_set(rig, t), 0);
	for (uint16_t i = 0; i < PORTS; i++) {
		rig_hold(rig, t, i, false);
		rig_link(rig, t, i, true);
	}
	rig_settle(rig);
	s = rig_stats(rig);
	CU_ASSERT(s->held == 0 && s->buffer_bytes == 0 && s->shared_bytes == 0);
	for (uint16_t i = 0; i < PORTS; i++)
		CU_ASSERT_EQUAL(rig->sw->ports[i].pfc_told_xoff, 0);
}

static void live_changes(const char *pipeline, uint64_t seed)
{
	uint64_t rng = seed, t = RIG_US;
	uint32_t taken = 0;
	struct rig rig;

	rig_init(&rig, PORTS);
	rig.pipeline = pipeline;
	rig.config.buffer.cell_bytes = seed % 2 ? 1 : 208;
	rig.config.buffer.size_bytes = 150000;
	for (int i = 0; i < PORTS; i++) {
		rig.ports[i].headroom_bytes = 3000;
		rig.ports[i].mtu_bytes = 1500;
		rig.ports[i].edge = i == 1;
		rig.ports[i].edge_bytes = 20000;
	}
	rig_start(&rig);
	for (int i = 0; i < 3000; i++, t += rig_random(&rng) % 150000)
		random_act(&rig, t, &rng, &taken);
	CU_ASSERT(taken > 100);
	CU_ASSERT(rig_stats(&rig)->tx > 200);
	end_quietly(&rig, t);
	rig_stop(&rig);
}

static void live_changes_close(void)
{
	for (uint64_t seed = 1; seed <= 20; seed++)
		live_changes(seed % 5 == 0 ? "lossy" : "lossless", seed);
}

/* A smaller pool than what is in use: nothing is evicted, nothing new gets in until it has drained. */
static void pool_below_use(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.qos.pfc_mask = 0;
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	for (int i = 0; i < 50; i++)
		rig_send(&rig, RIG_US, 0, 1, 0, 2, 1000);
	rig.config.buffer.size_bytes = 20000;
	CU_ASSERT_EQUAL(rig_set(&rig, 2 * RIG_US), 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->buffer_bytes, 50000);
	rig_send(&rig, 3 * RIG_US, 0, 1, 0, 2, 1000);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_QUEUE_FULL], 1);
	rig_hold(&rig, 4 * RIG_US, 1, false);
	rig_settle(&rig);
	rig_send(&rig, RIG_MS, 0, 1, 0, 2, 1000);
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 1);
	rig_stop(&rig);
}

/* A shorter latency frees nothing in the past. */
static void latency_shrinks(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.latency_ps = RIG_MS;
	rig_start(&rig);
	rig_send(&rig, RIG_US, 0, 1, 0, 2, 1000);
	rig.config.latency_ps = 0;
	CU_ASSERT_EQUAL(rig_set(&rig, 500 * RIG_US), 0);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig.recs[0].t_ps, 500 * RIG_US);
	rig_stop(&rig);
}

/* ---- life ---- */

static void order_of_names(void)
{
	static const char *const names[4] = {"d", "b", "a", "c"};
	static const uint16_t want[4] = {2, 1, 3, 0};
	struct rig rig;

	rig_init(&rig, 4);
	for (int i = 0; i < 4; i++)
		strcpy(rig.ports[i].name, names[i]);
	rig_start(&rig);
	CU_ASSERT_EQUAL(memcmp(rig.sw->by_name, want, sizeof(want)), 0);
	rig_stop(&rig);
}

static void swaps_are_counted(void)
{
	struct sw_tables_spec spec = {.version = 2};
	struct sw_tables *tables;
	struct err err = {0};
	struct rig rig;

	rig_init(&rig, 2);
	rig_start(&rig);
	CU_ASSERT_EQUAL(rig_stats(&rig)->swaps, 0);
	tables = sw_tables_new(&spec, 2, &err);
	CU_ASSERT_PTR_EQUAL(sw_install(rig.sw, 1, tables), rig.tables);
	CU_ASSERT_PTR_EQUAL(sw_tables_of(rig.sw), tables);
	CU_ASSERT_EQUAL(rig_stats(&rig)->swaps, 1);
	CU_ASSERT_PTR_EQUAL(sw_install(rig.sw, 2, rig.tables), tables);
	sw_tables_free(tables);
	rig_stop(&rig);
}

/* Frames of a way that was just used: what is installed or set holds from the next one on. */
static void ways_follow(void)
{
	struct sw_static_fdb fdb = {.vid = PKT_NO_VLAN, .port = 2};
	const struct sw_tables_spec spec = {.version = 2, .n_fdb = 1, .fdb = &fdb};
	struct sw_tables *moved;
	struct err err = {0};
	struct rig rig;

	rig_init(&rig, 3);
	rig_start(&rig);
	rig_send(&rig, 1000, 0, 1, 3, 2, 100);
	rig_to(&rig, RIG_US);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 1);
	memcpy(fdb.mac, sw_tables_spec(rig.tables)->fdb[1].mac, 6);
	fdb.domain = sw_tables_spec(rig.tables)->fdb[1].domain;
	moved = sw_tables_new(&spec, 3, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(moved);
	CU_ASSERT_PTR_EQUAL(sw_install(rig.sw, RIG_US, moved), rig.tables);
	rig_send(&rig, 2 * RIG_US, 0, 1, 3, 2, 100);
	rig_to(&rig, 3 * RIG_US);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 1);
	CU_ASSERT_EQUAL(rig_count(&rig, 2, SW_REC_FRAME), 1);
	rig.ports[0].domain = 9; /* alone there: nobody to send to */
	CU_ASSERT_EQUAL(rig_set(&rig, 3 * RIG_US), 0);
	rig_send(&rig, 4 * RIG_US, 0, 1, 3, 2, 100);
	rig_to(&rig, 5 * RIG_US);
	CU_ASSERT_EQUAL(rig_count(&rig, 2, SW_REC_FRAME), 1);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_NO_MEMBER], 1);
	CU_ASSERT_PTR_EQUAL(sw_install(rig.sw, 5 * RIG_US, rig.tables), moved);
	sw_tables_free(moved);
	rig_stop(&rig);
}

static void free_of_nothing(void)
{
	sw_free(NULL);
	CU_PASS("it returned");
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"sw_stats__flood_copies", flood_copies},
		{"sw_stats__flood_without_copies", flood_without_copies},
		{"sw_stats__consumed_and_generated", consumed_and_generated},
		{"sw_stats__waits_for_a_neighbour", waits_for_a_neighbour},
		{"sw_drain__from_everywhere", drain_from_everywhere},
		{"sw_drain__with_dead_ones", drain_with_dead_ones},
		{"sw_set__refused_changes_nothing", refused_changes_nothing},
		{"sw_set__live_changes_close", live_changes_close},
		{"sw_set__pool_below_use", pool_below_use},
		{"sw_set__latency_shrinks", latency_shrinks},
		{"sw_new__order_of_names", order_of_names},
		{"sw_install__swaps_are_counted", swaps_are_counted},
		{"sw_install__ways_follow", ways_follow},
		{"sw_free__of_nothing", free_of_nothing},
		{NULL, NULL},
	};

	return cu_main("model/sw", cases);
}
