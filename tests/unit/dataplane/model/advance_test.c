/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/advance.c"

#include "rig.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/cu.h"

/* ---- rule 2: at one time timers, control, arrivals by port and order, departures ---- */

static void arrivals_before_departures(void)
{
	struct rig rig;

	rig_init(&rig, 4);
	rig.config.qos.sched[7].strict = true;
	rig_start(&rig);
	rig_send(&rig, RIG_US, 0, 3, 0, 2, 1000);
	rig_send(&rig, RIG_US, 1, 3, 0, 2, 1000);
	rig_send(&rig, RIG_US, 2, 3, 7, 2, 1000); /* same time, later in order: but it is strict */
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig.recs[0].id, 3);
	CU_ASSERT_EQUAL(rig.recs[0].t_ps, RIG_US);
	CU_ASSERT_EQUAL(rig.recs[1].id, 1);
	CU_ASSERT_EQUAL(rig.recs[2].id, 2);
	rig_stop(&rig);
}

/* The port gets free at the very time at which a better frame arrives. */
static void arrival_at_the_end_of_a_frame(void)
{
	struct rig rig;

	rig_init(&rig, 3);
	rig.config.qos.sched[7].strict = true;
	rig_start(&rig);
	rig_send(&rig, RIG_US, 0, 2, 0, 2, 1000);
	rig_send(&rig, RIG_US, 0, 2, 0, 2, 1000);
	rig_send(&rig, RIG_US + 81920, 1, 2, 7, 2, 1000);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig.recs[1].id, 3);
	CU_ASSERT_EQUAL(rig.recs[1].t_ps, RIG_US + 81920);
	rig_stop(&rig);
}

static void control_before_departures(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.latency_ps = 500 * RIG_NS;
	rig_start(&rig);
	rig_send(&rig, RIG_US, 0, 1, 0, 2, 1000);
	rig_hold(&rig, 1500 * RIG_NS, 1, true); /* the very time at which it would leave */
	rig_to(&rig, RIG_MS);
	CU_ASSERT_EQUAL(rig.n_recs, 0);
	rig_stop(&rig);
}

static void pause_before_departures(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.latency_ps = 500 * RIG_NS;
	rig_start(&rig);
	rig_send(&rig, RIG_US, 0, 1, 3, 2, 1000);
	rig_pfc(&rig, 1500 * RIG_NS, 1, 0x08, 0xffff);
	rig_to(&rig, 2 * RIG_US);
	CU_ASSERT_EQUAL(rig.n_recs, 0);
	rig_stop(&rig);
}

/* A frame that leaves the edge of port 1 at t is before one that arrives at port 0 at t. */
static void timers_before_arrivals(void)
{
	struct rig rig;

	rig_init(&rig, 3);
	rig.ports[1].edge = true;
	rig_start(&rig);
	rig_send(&rig, RIG_US, 1, 2, 0, 2, 1000);
	rig_send(&rig, RIG_US + 81920, 0, 2, 0, 2, 1000);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig.recs[0].id, 1);
	CU_ASSERT_EQUAL(rig.recs[0].t_ps, RIG_US + 81920);
	CU_ASSERT_EQUAL(rig.recs[1].id, 2);
	rig_stop(&rig);
}

/* ... and before control: the edge hands over at t, then the link goes down. */
static void timers_before_control(void)
{
	struct rig rig;

	rig_init(&rig, 3);
	rig.ports[1].edge = true;
	rig_start(&rig);
	rig_send(&rig, RIG_US, 1, 2, 0, 2, 1000);
	rig_link(&rig, RIG_US + 81920, 1, false);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig.n_recs, 1);
	rig_stop(&rig);
}

/* Equal departures come by port. */
static void departures_by_port(void)
{
	struct rig rig;

	rig_init(&rig, 4);
	rig_start(&rig);
	for (int out = 3; out > 0; out--)
		rig_send(&rig, RIG_US, 0, out, 0, 2, 1000);
	rig_settle(&rig);
	for (int i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(rig.recs[i].port, i + 1);
	rig_stop(&rig);
}

/* Only what is due strictly before t starts. */
static void next_says_when(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.latency_ps = 500 * RIG_NS;
	rig_start(&rig);
	CU_ASSERT_EQUAL(sw_next(rig.sw), SW_NEVER);
	rig_send(&rig, RIG_US, 0, 1, 0, 2, 1000);
	CU_ASSERT_EQUAL(sw_next(rig.sw), 1500 * RIG_NS);
	rig_to(&rig, 1500 * RIG_NS);
	CU_ASSERT_EQUAL(rig.n_recs, 0);
	CU_ASSERT_EQUAL(sw_next(rig.sw), 1500 * RIG_NS);
	rig_to(&rig, 1500 * RIG_NS + 1);
	CU_ASSERT_EQUAL(rig.n_recs, 1);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(sw_next(rig.sw), SW_NEVER);
	rig_stop(&rig);
}

/* ---- any cadence, any bursts: the same records and the same digest ---- */

enum act {
	ACT_FRAME,
	ACT_PFC,
	ACT_HOLD,
	ACT_RELEASE,
	ACT_DOWN,
	ACT_UP,
	ACT_SET,
	ACT_FLOOD,
	ACT_ROUTE
};

struct event {
	uint64_t t_ps;
	enum act act;
	uint16_t port, out, len;
	uint8_t prio, ecn;
};

#define EVENTS 3000
#define PORTS 6

static int by_time_and_port(const void *a, const void *b)
{
	const struct event *x = a, *y = b;
	bool xc = x->act >= ACT_HOLD && x->act <= ACT_SET,
	     yc = y->act >= ACT_HOLD && y->act <= ACT_SET;

	if (x->t_ps != y->t_ps)
		return x->t_ps < y->t_ps ? -1 : 1;
	if (xc != yc)
		return xc ? -1 : 1;
	if (x->port != y->port)
		return x->port < y->port ? -1 : 1;
	return x->len != y->len ? (x->len < y->len ? -1 : 1) : (int)x->out - (int)y->out;
}

static enum act draw_act(uint64_t draw)
{
	static const enum act rare[] = {
		ACT_PFC,     ACT_PFC,     ACT_PFC,     ACT_HOLD,  ACT_HOLD, ACT_RELEASE,
		ACT_RELEASE, ACT_RELEASE, ACT_RELEASE, ACT_DOWN,  ACT_UP,   ACT_UP,
		ACT_UP,      ACT_UP,      ACT_SET,     ACT_FLOOD, ACT_ROUTE};

	return draw % 100 < 88 ? ACT_FRAME : rare[draw / 100 % (sizeof(rare) / sizeof(rare[0]))];
}

/* Times on a grid that frames' ends hit too: many ties. */
static void script(struct event *events, uint64_t seed)
{
	for (int i = 0; i < EVENTS; i++)
		events[i] = (struct event){
			.t_ps = RIG_US + rig_random(&seed) % 4000 * 20480,
			.act = draw_act(rig_random(&seed)),
			.port = rig_random(&seed) % PORTS,
			.out = rig_random(&seed) % 3 == 0 ? rig_random(&seed) % PORTS : 0,
			.len = rig_random(&seed) % 4 == 0 ? 58 + rig_random(&seed) % 1400 : 1000,
			.prio = rig_random(&seed) % 8,
			.ecn = rig_random(&seed) % 4,
		};
	qsort(events, EVENTS, sizeof(*events), by_time_and_port);
}

static void begin(struct rig *rig, bool digest)
{
	rig_init(rig, PORTS);
	rig->config.digest = digest;
	rig->config.latency_ps = 4 * 20480;
	rig->config.buffer.cell_bytes = 208;
	rig->config.buffer.size_bytes = 60000 + 2 * PORTS * 8000;
	rig->config.buffer.xon_offset_bytes = 2000;
	for (int i = 0; i < PORTS; i++) {
		rig->ports[i].headroom_bytes = 8000;
		rig->ports[i].mtu_bytes = 1500;
		rig->ports[i].rate_bps = i < 3 ? 100000000000 : i == 3 ? 40000000000 : 17000000000;
	}
	rig->ports[2].edge = true;
	rig->ports[2].edge_bytes = 8000;
	for (int q = 0; q < SW_PRIOS; q++) {
		rig->config.qos.sched[q].weight = 1 + q;
		rig->config.qos.ecn[q] = (struct sw_ecn){.on = true,
							 .at_enqueue = q & 1,
							 .drop_not_ect = q == 5 || q == 7,
							 .min_bytes = 1000,
							 .max_bytes = 10000,
							 .probability_ppb = 300000000};
		rig->config.qos.ecn[q].drop = (struct sw_wred){.on = q == 1 || q == 4,
							       .min_bytes = 2000,
							       .max_bytes = 20000,
							       .probability_ppb = 500000000};
	}
	rig->config.qos.sched[6].strict = true;
	rig->recount_every = 50;
}

static struct pkt *frame_of(struct rig *rig, const struct event *e)
{
	struct pkt *pkt;

	if (e->act == ACT_PFC) {
		const uint16_t quanta[SW_PRIOS] = {[3] = e->len, [4] = e->len / 2};

		return rig_pfc_frame(rig, e->prio * 8, quanta, false);
	}
	pkt = rig_frame(rig, e->port, e->act == ACT_FLOOD ? 99 : e->out, e->prio, e->ecn, e->len);
	if (e->act == ACT_ROUTE)
		memcpy(pkt->data, rig->config.router_mac, 6);
	return pkt;
}

static void control(struct rig *rig, const struct event *e)
{
	if (e->act == ACT_HOLD || e->act == ACT_RELEASE) {
		rig_hold(rig, e->t_ps, e->port, e->act == ACT_HOLD);
	} else if (e->act == ACT_DOWN || e->act == ACT_UP) {
		rig_link(rig, e->t_ps, e->port, e->act == ACT_UP);
	} else {
		rig->config.buffer.alpha_q16 = e->len * 60;
		rig->config.buffer.cell_bytes = e->prio & 4 ? 208 : 64;
		rig->config.buffer.headroom_pool_bytes = e->ecn & 1 ? 20000 : 0;
		rig->config.qos.pfc_mask = e->prio & 1 ? 0x18 : 0x08;
		rig->config.latency_ps = e->ecn * 20480;
		rig->ports[e->port].rate_bps = e->prio & 2 ? 100000000000 : 25000000000;
		CU_ASSERT_EQUAL(rig_set(rig, e->t_ps), 0);
	}
}

enum cadence { AT_EVENTS, RANDOM, EVERY_EDGE, ONE_OUT, CADENCES };

/* How the driver spends the time before the next event. */
static void wait_for(struct rig *rig, uint64_t t_ps, enum cadence cadence, uint64_t *rng)
{
	uint64_t now = rig->sw->now, next;

	if (cadence == RANDOM)
		while (now < t_ps) {
			now += 1 + rig_random(rng) % 30000;
			rig_to(rig, now < t_ps ? now : t_ps);
		}
	while (cadence == EVERY_EDGE && (next = sw_next(rig->sw)) < t_ps)
		for (uint64_t t = next > now ? next - 1 : now; t <= next + 1 && t <= t_ps; t++)
			if (t >= rig->sw->now)
				rig_to(rig, t);
}

static bool is_control(const struct event *e)
{
	return e->act >= ACT_HOLD && e->act <= ACT_SET;
}

static void play(struct rig *rig, const struct event *events, enum cadence cadence, bool bursts)
{
	uint64_t rng = 7;

	for (int i = 0; i < EVENTS;) {
		const struct event *e = &events[i];
		struct pkt *burst[64];
		uint32_t n = 0;

		wait_for(rig, e->t_ps, cadence, &rng);
		if (is_control(e)) {
			control(rig, e);
			i++;
			continue;
		}
		do {
			burst[n++] = frame_of(rig, &events[i++]);
		} while (bursts && n < 64 && i < EVENTS && events[i].t_ps == e->t_ps &&
			 events[i].port == e->port && !is_control(&events[i]));
		rig_rx(rig, e->t_ps, e->port, burst, n);
	}
	for (uint16_t i = 0; i < PORTS; i++) {
		rig_link(rig, RIG_MS, i, true);
		rig_hold(rig, RIG_MS, i, false);
	}
	rig_settle(rig);
}

static bool same_rec(const struct rig_rec *a, const struct rig_rec *b)
{
	return a->t_ps == b->t_ps && a->port == b->port && a->kind == b->kind && a->len == b->len &&
	       a->id == b->id && a->ecn == b->ecn && a->queue == b->queue &&
	       a->gen.class_vector == b->gen.class_vector &&
	       memcmp(a->gen.quanta, b->gen.quanta, sizeof(a->gen.quanta)) == 0;
}

static void compare(const struct rig *a, const struct rig *b)
{
	uint32_t differ = 0;

	CU_ASSERT_EQUAL_FATAL(a->n_recs, b->n_recs);
	for (uint32_t i = 0; i < a->n_recs; i++)
		differ += !same_rec(&a->recs[i], &b->recs[i]);
	CU_ASSERT_EQUAL(differ, 0);
}

/* The script must reach what it is for. */
static void acted(const struct sw_stats *s)
{
	uint64_t marked = 0, xoff = 0, paused = 0;

	for (int i = 0; i < PORTS; i++)
		for (int q = 0; q < SW_PRIOS; q++) {
			marked += s->ports[i].queues[q].counters[SW_QUEUE_ECN_MARKED];
			xoff += s->ports[i].prio[SW_PRIO_XOFF_EPISODES][q];
			paused += s->ports[i].prio[SW_PRIO_PFC_RX_HONOURED][q];
		}
	CU_ASSERT(marked > 0 && xoff > 5 && paused > 5);
	CU_ASSERT(s->tx > 400 && s->held == 0 && s->copied > 0 && s->generated > 0);
	CU_ASSERT(s->drops[SW_DROP_LINK_DOWN] > 0 && s->drops[SW_DROP_NOT_ECT] > 0);
	CU_ASSERT(s->drops[SW_DROP_QUEUE_FULL] > 0 && s->drops[SW_DROP_WRED] > 0);
}

static void any_cadence(void)
{
	static struct event events[EVENTS];

	for (uint64_t seed = 1; seed <= 6; seed++) {
		struct rig first, other;
		uint64_t digest;

		script(events, seed);
		begin(&first, true);
		rig_start(&first);
		play(&first, events, AT_EVENTS, true);
		acted(rig_stats(&first));
		digest = rig_stats(&first)->digest;
		for (int c = 0; c < CADENCES; c++) {
			begin(&other, true);
			other.out_cap = c == ONE_OUT ? 1 : 64;
			rig_start(&other);
			play(&other, events, (enum cadence)c, false);
			compare(&first, &other);
			CU_ASSERT_EQUAL(rig_stats(&other)->digest, digest);
			rig_stop(&other);
		}
		rig_stop(&first);
	}
}

/* The digest only looks. */
static void digest_disturbs_nothing(void)
{
	static struct event events[EVENTS];
	struct rig with, without;

	script(events, 9);
	begin(&with, true);
	begin(&without, false);
	rig_start(&with);
	rig_start(&without);
	play(&with, events, AT_EVENTS, true);
	play(&without, events, AT_EVENTS, true);
	compare(&with, &without);
	rig_stop(&with);
	rig_stop(&without);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"sw_advance__arrivals_before_departures", arrivals_before_departures},
		{"sw_advance__arrival_at_the_end_of_a_frame", arrival_at_the_end_of_a_frame},
		{"sw_advance__control_before_departures", control_before_departures},
		{"sw_advance__pause_before_departures", pause_before_departures},
		{"sw_advance__timers_before_arrivals", timers_before_arrivals},
		{"sw_advance__timers_before_control", timers_before_control},
		{"sw_advance__departures_by_port", departures_by_port},
		{"sw_next__says_when", next_says_when},
		{"sw_advance__any_cadence", any_cadence},
		{"sw_advance__digest_disturbs_nothing", digest_disturbs_nothing},
		{NULL, NULL},
	};

	return cu_main("model/advance", cases);
}
