/* SPDX-License-Identifier: BSD-3-Clause */
/* What lookup remembers must never be seen: the same frames and changes, once with memory and once
 * where every frame is searched for, end alike in every answer and in the FDB. */
#include "dataplane/model/lookup.c"

#include "fake_sw.h"

#define STEPS 4000
#define HOSTS 40 /* more than the small FDB holds: entries are pushed out by use */
#define ROWS 256

struct answer {
	enum sw_lookup way;
	uint16_t out_port;
	uint8_t edit, dmac[6];
	unsigned int drops;
	int why;
};

struct play {
	struct answer answers[STEPS];
	struct sw_fdb_row rows[ROWS];
	unsigned int n_rows;
};

static uint32_t draw(uint64_t *state, uint32_t n)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(*state >> 33) % n;
}

static void keep_row(void *arg, const struct sw_fdb_row *row)
{
	struct play *play = arg;

	if (play->n_rows < ROWS)
		play->rows[play->n_rows++] = *row;
}

/* Tables with some hosts installed at a port that depends on i, and one routed subnet. */
static struct sw_tables *tables_number(uint32_t i)
{
	struct sw_static_fdb f[4];
	struct sw_route r[3] = {{.kind = SW_ROUTE_VIA, .len = 120, .n_via = 2},
				{.kind = SW_ROUTE_CONNECTED, .len = 120, .domain = 2},
				{.kind = SW_ROUTE_CROSS_RAIL, .len = 120}};
	struct sw_static_neigh n[1] = {{.domain = 2, .port = 3}};
	struct sw_gateway g[1] = {{.domain = 1}};

	for (uint8_t k = 0; k < 4; k++) {
		f[k] = (struct sw_static_fdb){
			.domain = 1, .vid = PKT_NO_VLAN, .port = (uint16_t)((k + i) % 3)};
		memcpy(f[k].mac, fake_mac((uint8_t)(1 + 3 * k + i % 2)), 6);
	}
	r[0].via[0] = (struct sw_via){.port = 3, .has_mac = true};
	r[0].via[1] = (struct sw_via){.port = 4, .has_mac = true, .mac = {2, 9}};
	fake_ip4(r[0].prefix, "10.2.0.0");
	fake_ip4(r[1].prefix, i % 2 ? "10.3.0.0" : "10.4.0.0");
	fake_ip4(r[2].prefix, i % 2 ? "10.4.0.0" : "10.5.0.0");
	fake_ip4(n[0].ip, "10.3.0.7");
	memcpy(n[0].mac, fake_mac((uint8_t)(i % 7)), 6);
	fake_ip4(g[0].ip, "10.1.0.254");
	return fake_tables(&(struct sw_tables_spec){
		.n_fdb = 4, .fdb = f, .n_routes = 1, .routes = r, .n_gateways = 1, .gateways = g});
}

/* As sw_install, sw_set and sw_link do it. */
static void change(struct sw *sw, uint64_t *rng, uint32_t step)
{
	struct sw_tables *old = (struct sw_tables *)sw->tables;
	uint16_t port = (uint16_t)draw(rng, FAKE_PORTS - 1);

	switch (draw(rng, 4)) {
	case 0:
		sw->tables = tables_number(step);
		fdb_drop_contradicted(sw->fdb, sw->tables);
		fdb_changed(sw->fdb);
		sw_tables_free(old);
		break;
	case 1:
		sw->ports[port].up ^= true;
		fdb_flush_port(sw->fdb, port);
		break;
	case 2:
		fdb_flush_port(sw->fdb, port);
		sw->ports[port].cfg.domain = sw->ports[port].cfg.domain == 1 ? 2 : 1;
		fdb_changed(sw->fdb);
		break;
	default:
		sw->cfg.router_mac[5] ^= 3;
		fdb_changed(sw->fdb);
		break;
	}
}

static struct pkt *any_frame(struct sw *sw, uint64_t *rng)
{
	static const char *const targets[] = {"10.1.0.254", "10.2.0.7",  "10.2.0.8",
					      "10.3.0.7",   "10.3.0.8",  "10.4.0.1",
					      "10.5.0.1",   "224.0.0.1", "169.254.1.1"};
	uint16_t port = (uint16_t)draw(rng, FAKE_PORTS);
	const uint8_t *src = fake_mac((uint8_t)(1 + draw(rng, HOSTS)));
	const uint8_t *dst = fake_mac((uint8_t)(1 + draw(rng, HOSTS)));
	struct pkt *pkt;

	fake.n_pkts = 0;
	if (draw(rng, 4) == 0)
		dst = sw->cfg.router_mac;
	pkt = fake_udp4(port, dst, targets[draw(rng, sizeof(targets) / sizeof(targets[0]))]);
	pkt->data[HDR_ETH + IPV4_TTL] = (uint8_t)(draw(rng, 8) ? 64 : 1);
	memcpy(pkt->data + ETH_SRC, src, 6);
	if (draw(rng, 8) == 0)
		pkt->vid = (uint16_t)draw(rng, 3);
	if (draw(rng, 16) == 0)
		pkt->kind = PKT_ND;
	return pkt;
}

static void perform(struct play *play, uint64_t seed, bool remember)
{
	struct sw *sw = fake_new(NULL);
	uint64_t rng = seed;

	memset(play, 0, sizeof(*play));
	sw->fdb = fdb_new(16);
	sw->neigh = neigh_new();
	fdb_set_ageing(sw->fdb, 0, 1ULL << (FDB_TICK_BITS + 2));
	for (uint32_t i = 0; i < STEPS; i++) {
		struct answer *answer = &play->answers[i];
		struct pkt *pkt;

		if (draw(&rng, 40) == 0)
			change(sw, &rng, i);
		pkt = any_frame(sw, &rng);
		if (!remember) {
			memset(sw->recent, 0, sizeof(sw->recent));
			memset(sw->recent_hops, 0, sizeof(sw->recent_hops));
		}
		sw->now = (uint64_t)i << (FDB_TICK_BITS - 3); /* a few frames a tick: MACs age */
		answer->way = lookup(sw, sw->now, pkt);
		answer->out_port = pkt->out_port;
		answer->edit = pkt->edit;
		memcpy(answer->dmac, pkt->dmac, 6);
		answer->drops = fake.n_drops;
		answer->why =
			fake.n_drops > 0 ? fake.drops[(fake.n_drops - 1) % FAKE_LOG].what : -1;
	}
	sw_fdb_each(sw, keep_row, play);
	fdb_free(sw->fdb);
	neigh_free(sw->neigh);
	sw_tables_free((struct sw_tables *)sw->tables);
}

static bool same_row(const struct sw_fdb_row *a, const struct sw_fdb_row *b)
{
	return memcmp(a->mac, b->mac, 6) == 0 && a->domain == b->domain && a->vid == b->vid &&
	       a->port == b->port && a->installed == b->installed && a->age_ps == b->age_ps;
}

static void never_seen(void)
{
	static struct play with, without;
	unsigned int differ = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		perform(&with, seed, true);
		perform(&without, seed, false);
		CU_ASSERT_EQUAL(memcmp(with.answers, without.answers, sizeof(with.answers)), 0);
		CU_ASSERT_EQUAL(with.n_rows, without.n_rows);
		for (unsigned int i = 0; i < with.n_rows; i++)
			differ += !same_row(&with.rows[i], &without.rows[i]);
	}
	CU_ASSERT_EQUAL(differ, 0);
}

/* It must act as well: the second frame between two stations finds what the first left. */
static void acts(void)
{
	struct sw *sw = fake_new(NULL);
	const struct recent *recent;
	struct pkt *pkt;

	sw->fdb = fdb_new(16);
	sw->neigh = neigh_new();
	lookup(sw, 0, fake_frame(1, fake_mac(9), fake_mac(2)));
	pkt = fake_frame(0, fake_mac(2), fake_mac(1));
	CU_ASSERT_PTR_NULL(recent_find(sw, 0, pkt));
	CU_ASSERT_EQUAL(lookup(sw, 0, pkt), SW_LOOKUP_ONE);
	recent = recent_find(sw, 0, pkt);
	CU_ASSERT_PTR_NOT_NULL_FATAL(recent);
	CU_ASSERT_EQUAL(recent->out_port, 1);
	CU_ASSERT_PTR_NULL(recent_find(sw, 1ULL << FDB_TICK_BITS, pkt)); /* a tick later */
	fdb_flush_port(sw->fdb, 1);
	CU_ASSERT_PTR_NULL(recent_find(sw, 0, pkt));
	fdb_free(sw->fdb);
	neigh_free(sw->neigh);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"recent__never_seen", never_seen},
		{"recent__acts", acts},
		{NULL, NULL},
	};

	return cu_main("dataplane/model/recent", cases);
}
