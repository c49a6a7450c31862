/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours that say nothing any more. */
#include "dataplane/model/neigh.c"

#include "fake_sw.h"

#define AGE (300 * FAKE_S)

/* Gateway 10.1.0.254 in domain 1. */
static struct sw *new_switch(void)
{
	struct sw_gateway g = {.domain = 1};
	struct sw *sw;

	fake_ip4(g.ip, "10.1.0.254");
	sw = fake_new(fake_tables(&(struct sw_tables_spec){.n_gateways = 1, .gateways = &g}));
	sw->neigh = neigh_new();
	neigh_set_ageing(sw, 0, AGE);
	return sw;
}

static void end(struct sw *sw)
{
	neigh_free(sw->neigh);
	sw_tables_free((struct sw_tables *)sw->tables);
}

static void hear(struct sw *sw, uint64_t t_ps, uint8_t host, uint16_t port)
{
	struct neigh_fact fact = {
		.domain = 1, .port = port, .vid = PKT_NO_VLAN, .create = true, .override = true};

	fake_ip4(fact.ip, "10.1.0.0");
	fact.ip[15] = host;
	memcpy(fact.mac, fake_mac(host), 6);
	neigh_learn(sw, t_ps, &fact);
}

static bool known(struct sw *sw, uint64_t t_ps, uint8_t host)
{
	struct pkt *pkt = fake_udp4(3, fake_router, "10.1.0.1");
	uint8_t ip[16];

	fake_ip4(ip, "10.1.0.0");
	ip[15] = host;
	return neigh_resolve(sw, t_ps, pkt, ip, 1, PKT_NO_PORT);
}

/* Asked when it was silent for the whole time and again twice, a second apart; known all the while,
 * gone a second after the last. */
static void timeline(void)
{
	struct sw *sw = new_switch();

	hear(sw, 500, 1, 2);
	for (unsigned int i = 0; i < NEIGH_ASKS; i++) {
		uint64_t due = 500 + AGE + i * FAKE_S;

		CU_ASSERT_EQUAL(neigh_next(sw), due);
		neigh_timer(sw, due - 1);
		CU_ASSERT_EQUAL(fake.n_gens, 3 * i);
		neigh_timer(sw, due);
		CU_ASSERT_EQUAL(fake.n_gens, 3 * (i + 1)); /* the whole domain: it may have moved */
		CU_ASSERT_EQUAL(fake.gens[3 * i].t_ps, due);
		CU_ASSERT_EQUAL(fake.gens[3 * i].what, SW_REC_ARP_REQUEST);
		CU_ASSERT(known(sw, due, 1));
	}
	neigh_timer(sw, 500 + AGE + 3 * FAKE_S - 1);
	CU_ASSERT(known(sw, 0, 1));
	neigh_timer(sw, 500 + AGE + 3 * FAKE_S);
	CU_ASSERT_EQUAL(fake.n_gens, 9);
	CU_ASSERT_EQUAL(fake.n_drops, 0);
	CU_ASSERT_EQUAL(neigh_next(sw), SW_NEVER);
	CU_ASSERT_FALSE(known(sw, 500 + AGE + 4 * FAKE_S, 1));
	end(sw);
}

static void who_answers_stays(void)
{
	struct sw *sw = new_switch();

	hear(sw, 0, 1, 2);
	neigh_timer(sw, AGE + FAKE_S); /* asked twice */
	CU_ASSERT_EQUAL(fake.n_gens, 6);
	hear(sw, AGE + FAKE_S + 7, 1, 1); /* and has moved */
	CU_ASSERT_EQUAL(neigh_next(sw), 2 * AGE + FAKE_S + 7);
	neigh_timer(sw, 2 * AGE + FAKE_S + 6);
	CU_ASSERT_EQUAL(fake.n_gens, 6);
	neigh_timer(sw, 2 * AGE + FAKE_S + 7);
	CU_ASSERT_EQUAL(fake.n_gens, 9);
	CU_ASSERT(known(sw, 2 * AGE, 1));
	end(sw);
}

static void off_means_never(void)
{
	struct sw *sw = new_switch();

	neigh_set_ageing(sw, 0, 0);
	hear(sw, 0, 1, 2);
	CU_ASSERT_EQUAL(neigh_next(sw), SW_NEVER);
	neigh_timer(sw, UINT64_MAX - 1);
	CU_ASSERT(known(sw, 0, 1));
	end(sw);
}

/* Probes of many, all due by a shorter time, are a gap apart, from the time of the change on. */
static void shorter_is_no_burst(void)
{
	struct sw *sw = new_switch();
	uint64_t t = 100 * FAKE_S;

	for (uint8_t host = 1; host <= 3; host++)
		hear(sw, host, host, 2);
	neigh_set_ageing(sw, t, FAKE_S);
	CU_ASSERT_EQUAL(neigh_next(sw), t + 1);
	for (unsigned int i = 0; i < 3; i++) {
		neigh_timer(sw, t + 1 + i * NEIGH_GAP_PS);
		CU_ASSERT_EQUAL(fake.n_gens, 3 * (i + 1));
		CU_ASSERT_EQUAL(fake.gens[3 * i].t_ps, t + 1 + i * NEIGH_GAP_PS);
	}
	neigh_timer(sw, t + 1 + FAKE_S); /* the first again */
	CU_ASSERT_EQUAL(fake.n_gens, 12);
	hear(sw, t + FAKE_S + 2, 1, 2);
	CU_ASSERT_EQUAL(neigh_next(sw), t + 1 + FAKE_S + NEIGH_GAP_PS);
	end(sw);
}

/* A late call goes through all that was due, each at its own time. */
static void catches_up(void)
{
	struct sw *sw = new_switch();

	hear(sw, 0, 1, 2);
	hear(sw, 5, 2, 2);
	known(sw, 10, 9); /* a third is asked for the first time */
	neigh_timer(sw, 2 * AGE);
	CU_ASSERT_EQUAL_FATAL(fake.n_gens, 9 + 9 + 9);
	CU_ASSERT_EQUAL(fake.gens[6].t_ps, 2 * FAKE_S + 10);
	CU_ASSERT_EQUAL(fake.gens[9].t_ps, AGE);
	CU_ASSERT_EQUAL(fake.gens[12].t_ps, AGE + NEIGH_GAP_PS);
	CU_ASSERT_EQUAL(fake.gens[15].t_ps, AGE + FAKE_S);
	CU_ASSERT_EQUAL(fake.n_drops, 1); /* of the third */
	CU_ASSERT_EQUAL(neigh_next(sw), SW_NEVER);
	end(sw);
}

static void goes_with_its_port(void)
{
	struct sw *sw = new_switch();

	hear(sw, 0, 1, 2);
	neigh_timer(sw, AGE);
	neigh_flush_port(sw, AGE + 1, 2);
	CU_ASSERT_EQUAL(neigh_next(sw), SW_NEVER);
	CU_ASSERT_FALSE(known(sw, AGE + 2, 1));
	end(sw);
}

/* In a full table one that is probed makes room first: it has been silent for longest. */
static void makes_room(void)
{
	struct sw *sw = new_switch();
	struct neigh_fact fact = {.domain = 1, .port = 2, .create = true, .override = true};

	memcpy(fact.mac, fake_mac(1), 6);
	hear(sw, 0, 1, 2);
	for (unsigned int i = 1; i < NEIGH_SIZE; i++) {
		fake_ip4(fact.ip, "10.2.0.0");
		fact.ip[14] = (uint8_t)(i >> 8);
		fact.ip[15] = (uint8_t)i;
		neigh_learn(sw, FAKE_S, &fact);
	}
	neigh_timer(sw, AGE);
	hear(sw, AGE + 1, 2, 2);
	CU_ASSERT(known(sw, AGE + 2, 2));
	CU_ASSERT_EQUAL(neigh_next(sw), AGE + FAKE_S); /* of those heard at 1 s */
	end(sw);
}

struct rows {
	struct sw_neigh_row rows[8];
	unsigned int n;
};

static void take_row(void *arg, const struct sw_neigh_row *row)
{
	struct rows *rows = arg;

	rows->rows[rows->n++ % 8] = *row;
}

static void rows_say_age(void)
{
	struct sw *sw = new_switch();
	struct rows rows = {.n = 0};

	hear(sw, 5, 1, 2);
	neigh_timer(sw, AGE + 5);
	sw->now = AGE + 12;
	sw_neigh_each(sw, take_row, &rows);
	CU_ASSERT_EQUAL_FATAL(rows.n, 1);
	CU_ASSERT(rows.rows[0].resolved);
	CU_ASSERT_EQUAL(rows.rows[0].age_ps, AGE + 7);
	end(sw);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"neigh_timer__ageing_timeline", timeline},
		{"neigh_timer__who_answers_stays", who_answers_stays},
		{"neigh_timer__ageing_catches_up", catches_up},
		{"neigh_set_ageing__off_means_never", off_means_never},
		{"neigh_set_ageing__shorter_is_no_burst", shorter_is_no_burst},
		{"neigh_flush_port__goes_with_its_port", goes_with_its_port},
		{"neigh_create__probed_makes_room", makes_room},
		{"sw_neigh_each__rows_say_age", rows_say_age},
		{NULL, NULL},
	};

	return cu_main("model/neigh_age", cases);
}
