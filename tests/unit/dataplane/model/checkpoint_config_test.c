/* SPDX-License-Identifier: BSD-3-Clause */
/* What is set once and hardly ever does something: every field of the configuration, of installed
 * tables and of the switch's own frames has a value of its own, and comes back. */
#include "dataplane/model/checkpoint_config.c"

#include "rig.h"
#include "dataplane/model/tables_int.h"

#include "tests/unit/cu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PORTS 4

static uint64_t seed = 1;

static uint64_t draw(uint64_t least, uint64_t most)
{
	return least + rig_random(&seed) % (most - least + 1);
}

static bool toss(void)
{
	return draw(0, 1);
}

static void any_bytes(uint8_t *bytes, size_t n, uint8_t most)
{
	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)draw(0, most);
}

static void any_curve(uint64_t *min, uint64_t *max, uint32_t *ppb)
{
	*min = draw(1, 50000);
	*max = *min + draw(0, 50000);
	*ppb = (uint32_t)draw(1, 1000000000);
}

static void any_qos(struct sw_qos *q)
{
	q->trust = toss() ? SW_TRUST_PCP : SW_TRUST_DSCP;
	any_bytes(q->dscp_to_prio, sizeof(q->dscp_to_prio), 7);
	any_bytes(q->pcp_to_prio, sizeof(q->pcp_to_prio), 7);
	any_bytes(q->prio_to_pg, sizeof(q->prio_to_pg), 7);
	any_bytes(q->prio_to_queue, sizeof(q->prio_to_queue), 7);
	any_bytes(q->pfc_to_queue, sizeof(q->pfc_to_queue), 7);
	q->pfc_mask = (uint8_t)draw(0, 255);
	q->pfc_asymmetric = toss();
	q->watchdog.on = toss();
	q->watchdog.forward = toss();
	q->watchdog.idle_counts = toss();
	q->watchdog.detect_ps = draw(RIG_MS, 2 * RIG_MS);
	q->watchdog.restore_ps = draw(RIG_MS, 2 * RIG_MS);
	q->watchdog.poll_ps = draw(RIG_US, RIG_MS);
	for (int i = 0; i < SW_PRIOS; i++) {
		struct sw_ecn *e = &q->ecn[i];

		e->on = toss();
		e->at_enqueue = toss();
		e->drop_not_ect = toss();
		any_curve(&e->min_bytes, &e->max_bytes, &e->probability_ppb);
		e->drop.on = toss();
		any_curve(&e->drop.min_bytes, &e->drop.max_bytes, &e->drop.probability_ppb);
		q->sched[i].strict = toss();
		q->sched[i].weight = (uint8_t)draw(1, 100);
	}
}

static void any_port(struct sw_port_config *p, int i)
{
	snprintf(p->name, sizeof(p->name), "s1-h%d_%d", i, (int)draw(0, 999));
	p->rate_bps = draw(1000000, 1000000000000);
	p->overhead_bytes = (uint32_t)draw(0, 100);
	p->mtu_bytes = (uint32_t)draw(1000, 9000);
	p->headroom_bytes = draw(10000, 20000);
	p->domain = (uint16_t)draw(0, 65535);
	any_bytes(p->mac, sizeof(p->mac), 255);
	p->pfc = toss();
	p->edge = toss();
	p->edge_bytes = draw(10000, 100000);
	p->down = toss();
}

/* Zero between fields, so that structs may be compared as bytes. */
static void any_config(struct sw_config *c, struct sw_port_config ports[PORTS])
{
	memset(c, 0, sizeof(*c));
	memset(ports, 0, PORTS * sizeof(*ports));
	snprintf(c->name, sizeof(c->name), "s%d", (int)draw(1, 99));
	c->seed = rig_random(&seed);
	c->latency_ps = draw(0, 1000000);
	any_bytes(c->router_mac, sizeof(c->router_mac), 255);
	c->hash_fields = (uint32_t)draw(0, 63);
	c->hash_seed = rig_random(&seed);
	c->fdb_size = 1u << draw(2, 10);
	c->fdb_ageing_ps = draw(1, 1000000 * RIG_MS);
	c->neigh_ageing_ps = draw(1, 1000000 * RIG_MS);
	any_qos(&c->qos);
	c->buffer.size_bytes = draw(10000000, 20000000);
	c->buffer.cell_bytes = (uint32_t)draw(1, 512);
	c->buffer.alpha_q16 = (uint32_t)draw(1, 1000000);
	c->buffer.lossy_alpha_q16 = (uint32_t)draw(1, 1000000);
	c->buffer.reserved_bytes = draw(0, 10000);
	c->buffer.xon_offset_bytes = draw(0, 10000);
	c->buffer.headroom_pool_bytes = draw(0, 100000);
	c->n_ports = PORTS;
	c->ports = ports;
	c->digest = toss();
	c->latency = toss();
	for (int i = 0; i < PORTS; i++)
		any_port(&ports[i], i);
}

/* The switch of a configuration on a bench, and the one restored from it. */
static bool twins(struct rig *a, struct rig *b)
{
	struct err err = {0};
	size_t n;
	uint8_t *bytes;

	rig_init(a, PORTS);
	any_config(&a->config, a->ports);
	if (sw_config_check(&a->config, &err) != 0)
		return false;
	rig_start(a);
	bytes = rig_checkpoint(a, &n);
	CU_ASSERT_EQUAL_FATAL(rig_restore(b, a, bytes, n, &err), 0);
	free(bytes);
	return true;
}

static void every_setting(void)
{
	static struct rig a, b;
	int done = 0;

	for (int i = 0; i < 300; i++) {
		if (!twins(&a, &b))
			continue;
		done++;
		CU_ASSERT_EQUAL(memcmp(&a.sw->cfg, &b.sw->cfg, sizeof(a.sw->cfg)), 0);
		for (int p = 0; p < PORTS; p++)
			CU_ASSERT_EQUAL(memcmp(&a.sw->ports[p].cfg, &b.sw->ports[p].cfg,
					       sizeof(a.sw->ports[p].cfg)),
					0);
		rig_stop(&b);
		rig_stop(&a);
	}
	CU_ASSERT(done > 100);
}

/* ---- tables ---- */

static void any_ip(uint8_t ip[16])
{
	any_bytes(ip, 16, 255);
	ip[0] = 0xfd;
}

static void any_mac(uint8_t mac[6])
{
	any_bytes(mac, 6, 255);
	mac[0] = 2;
}

static struct sw_tables *any_tables(void)
{
	static struct sw_route routes[20];
	static struct sw_gateway gateways[5];
	static struct sw_static_fdb fdb[9];
	static struct sw_static_neigh neighs[7];
	struct sw_tables_spec spec = {.version = rig_random(&seed),
				      .n_routes = 20,
				      .n_gateways = 5,
				      .n_fdb = 9,
				      .n_neighs = 7,
				      .routes = routes,
				      .gateways = gateways,
				      .fdb = fdb,
				      .neighs = neighs};
	struct err err = {0};

	memset(routes, 0, sizeof(routes));
	for (int i = 0; i < 20; i++) {
		struct sw_route *r = &routes[i];

		any_ip(r->prefix);
		r->len = 128;
		r->kind = i % 3;
		r->domain = (uint16_t)draw(0, 65535);
		r->n_via = r->kind == SW_ROUTE_VIA ? (uint8_t)draw(1, SW_MAX_VIA) : 0;
		for (int v = 0; v < r->n_via; v++) {
			r->via[v].port = (uint16_t)draw(0, PORTS - 1);
			r->via[v].has_mac = toss();
			any_mac(r->via[v].mac);
			any_ip(r->via[v].ip);
		}
	}
	memset(gateways, 0, sizeof(gateways));
	for (int i = 0; i < 5; i++) {
		any_ip(gateways[i].ip);
		gateways[i].domain = (uint16_t)draw(0, 65535);
		gateways[i].proxy = toss();
	}
	for (int i = 0; i < 9; i++) {
		any_mac(fdb[i].mac);
		fdb[i].domain = (uint16_t)draw(0, 65535);
		fdb[i].vid = (uint16_t)draw(0, 4095);
		fdb[i].port = (uint16_t)draw(0, PORTS - 1);
	}
	for (int i = 0; i < 7; i++) {
		any_ip(neighs[i].ip);
		any_mac(neighs[i].mac);
		neighs[i].domain = (uint16_t)draw(0, 65535);
		neighs[i].port = (uint16_t)draw(0, PORTS - 1);
	}
	return sw_tables_new(&spec, PORTS, &err);
}

static void same_spec(const struct sw_tables_spec *x, const struct sw_tables_spec *y)
{
	CU_ASSERT(x->version == y->version && x->n_routes == y->n_routes &&
		  x->n_gateways == y->n_gateways && x->n_fdb == y->n_fdb &&
		  x->n_neighs == y->n_neighs);
	CU_ASSERT_EQUAL(memcmp(x->routes, y->routes, x->n_routes * sizeof(*x->routes)), 0);
	CU_ASSERT_EQUAL(memcmp(x->gateways, y->gateways, x->n_gateways * sizeof(*x->gateways)), 0);
	CU_ASSERT_EQUAL(memcmp(x->fdb, y->fdb, x->n_fdb * sizeof(*x->fdb)), 0);
	CU_ASSERT_EQUAL(memcmp(x->neighs, y->neighs, x->n_neighs * sizeof(*x->neighs)), 0);
}

static void every_entry(void)
{
	static struct rig a, b;
	struct err err = {0};
	size_t n;
	uint8_t *bytes;

	for (int i = 0; i < 50; i++) {
		rig_init(&a, PORTS);
		rig_start(&a);
		a.tables = any_tables();
		CU_ASSERT_PTR_NOT_NULL_FATAL(a.tables);
		sw_tables_free((struct sw_tables *)sw_install(a.sw, 0, a.tables));
		bytes = rig_checkpoint(&a, &n);
		CU_ASSERT_EQUAL_FATAL(rig_restore(&b, &a, bytes, n, &err), 0);
		free(bytes);
		same_spec(sw_tables_spec(a.tables), sw_tables_spec(b.tables));
		rig_stop(&b);
		rig_stop(&a);
	}
}

/* ---- frames of the switch's own that wait ---- */

static void every_answer(void)
{
	static struct rig a, b;
	struct err err = {0};
	size_t n;
	uint8_t *bytes;

	rig_init(&a, 2);
	rig_start(&a);
	for (int i = 0; i < SW_GEN_RING; i++) {
		struct sw_gen gen = {.vid = (uint16_t)draw(0, 4095), .pcp = (uint8_t)draw(0, 7)};

		any_bytes(gen.dst_mac, 6, 255);
		any_bytes(gen.src_mac, 6, 255);
		any_bytes(gen.dst_ip, 16, 255);
		any_bytes(gen.src_ip, 16, 255);
		any_bytes(gen.target_mac, 6, 255);
		gen.class_vector = (uint8_t)draw(0, 255);
		any_bytes((uint8_t *)gen.quanta, sizeof(gen.quanta), 255);
		port_gen(a.sw, 0, 1, SW_REC_ARP_REQUEST + i % 4, &gen);
	}
	bytes = rig_checkpoint(&a, &n);
	CU_ASSERT_EQUAL_FATAL(rig_restore(&b, &a, bytes, n, &err), 0);
	free(bytes);
	for (int i = 0; i < SW_GEN_RING; i++) {
		const struct sw_gen_item *x = &a.sw->ports[1].gens[i], *y = &b.sw->ports[1].gens[i];

		CU_ASSERT(x->kind == y->kind && memcmp(&x->gen, &y->gen, sizeof(x->gen)) == 0);
	}
	rig_stop(&b);
	rig_stop(&a);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"ck_config__every_setting", every_setting},
		{"ck_tables__every_entry", every_entry},
		{"ck_port__every_answer", every_answer},
		{NULL, NULL},
	};

	return cu_main("model/checkpoint_config", cases);
}
