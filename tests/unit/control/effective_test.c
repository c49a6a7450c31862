/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/effective.c"

#include "tests/unit/cu.h"

#include <glob.h>
#include <stdlib.h>

static bool same_watchdog(const struct sw_watchdog *x, const struct sw_watchdog *y)
{
	return x->on == y->on && x->forward == y->forward && x->idle_counts == y->idle_counts &&
	       x->detect_ps == y->detect_ps && x->restore_ps == y->restore_ps &&
	       x->poll_ps == y->poll_ps;
}

/* Everything but the places in the file. */
static bool same_switch(const struct scenario_switch *a, const struct scenario_switch *b)
{
	struct scenario_switch x = *a, y = *b;

	/* Printing normalises padding away: compare what the fields say. */
	x.line = y.line = x.col = y.col = 0;
	return strcmp(x.name, y.name) == 0 && strcmp(x.pipeline, y.pipeline) == 0 &&
	       strcmp(x.preset, y.preset) == 0 && x.latency_ps == y.latency_ps &&
	       x.fdb_ageing_ps == y.fdb_ageing_ps && x.neigh_ageing_ps == y.neigh_ageing_ps &&
	       x.buffer.size_bytes == y.buffer.size_bytes &&
	       x.buffer.cell_bytes == y.buffer.cell_bytes &&
	       x.buffer.alpha_q16 == y.buffer.alpha_q16 &&
	       x.buffer.lossy_alpha_q16 == y.buffer.lossy_alpha_q16 &&
	       x.buffer.reserved_bytes == y.buffer.reserved_bytes &&
	       x.buffer.xon_offset_bytes == y.buffer.xon_offset_bytes &&
	       x.buffer.headroom_pool_bytes == y.buffer.headroom_pool_bytes &&
	       x.headroom_auto == y.headroom_auto && x.headroom_bytes == y.headroom_bytes &&
	       x.hash_fields == y.hash_fields && x.qos.trust == y.qos.trust &&
	       memcmp(x.qos.dscp_to_prio, y.qos.dscp_to_prio, 64) == 0 &&
	       memcmp(x.qos.pcp_to_prio, y.qos.pcp_to_prio, 8) == 0 &&
	       memcmp(x.qos.prio_to_pg, y.qos.prio_to_pg, 8) == 0 &&
	       memcmp(x.qos.prio_to_queue, y.qos.prio_to_queue, 8) == 0 &&
	       memcmp(x.qos.pfc_to_queue, y.qos.pfc_to_queue, 8) == 0 &&
	       x.qos.pfc_mask == y.qos.pfc_mask && x.qos.pfc_asymmetric == y.qos.pfc_asymmetric &&
	       same_watchdog(&x.qos.watchdog, &y.qos.watchdog);
}

static bool same_queues(const struct sw_qos *a, const struct sw_qos *b)
{
	for (int q = 0; q < SW_PRIOS; q++) {
		const struct sw_ecn *x = &a->ecn[q], *y = &b->ecn[q];

		if (x->on != y->on || x->at_enqueue != y->at_enqueue ||
		    x->drop_not_ect != y->drop_not_ect || x->min_bytes != y->min_bytes ||
		    x->max_bytes != y->max_bytes || x->probability_ppb != y->probability_ppb ||
		    x->drop.on != y->drop.on || x->drop.min_bytes != y->drop.min_bytes ||
		    x->drop.max_bytes != y->drop.max_bytes ||
		    x->drop.probability_ppb != y->drop.probability_ppb ||
		    a->sched[q].strict != b->sched[q].strict ||
		    a->sched[q].weight != b->sched[q].weight)
			return false;
	}
	return true;
}

static bool same_link(const struct scenario_link *a, const struct scenario_link *b)
{
	return strcmp(a->a, b->a) == 0 && strcmp(a->b, b->b) == 0 && a->rate_bps == b->rate_bps &&
	       a->delay_ps == b->delay_ps && a->overhead_bytes == b->overhead_bytes &&
	       a->count == b->count;
}

static void same_topology(const struct scenario *a, const struct scenario *b)
{
	CU_ASSERT_STRING_EQUAL(a->name, b->name);
	CU_ASSERT_EQUAL(a->seed, b->seed);
	CU_ASSERT_EQUAL(a->topology, b->topology);
	CU_ASSERT_EQUAL(a->hosts, b->hosts);
	CU_ASSERT_EQUAL(a->left, b->left);
	CU_ASSERT_EQUAL(a->right, b->right);
	CU_ASSERT_TRUE(same_link(&a->link, &b->link));
	CU_ASSERT_TRUE(same_link(&a->middle, &b->middle) || a->topology != TOPO_DUMBBELL);
	CU_ASSERT_EQUAL_FATAL(a->n_custom_links, b->n_custom_links);
	CU_ASSERT_EQUAL_FATAL(a->n_custom_hosts, b->n_custom_hosts);
	CU_ASSERT_EQUAL_FATAL(a->n_custom_switches, b->n_custom_switches);
	for (uint32_t i = 0; i < a->n_custom_links; i++)
		CU_ASSERT_TRUE(same_link(&a->custom_links[i], &b->custom_links[i]));
	for (uint32_t i = 0; i < a->n_custom_hosts; i++)
		CU_ASSERT_STRING_EQUAL(a->custom_hosts[i], b->custom_hosts[i]);
}

static void same_hosts_and_ports(const struct scenario *a, const struct scenario *b)
{
	CU_ASSERT_EQUAL_FATAL(a->n_hosts, b->n_hosts);
	for (uint32_t i = 0; i < a->n_hosts; i++) {
		const struct scenario_host *x = &a->host_list[i], *y = &b->host_list[i];

		CU_ASSERT_STRING_EQUAL(x->name, y->name);
		CU_ASSERT_EQUAL(x->has_mac, y->has_mac);
		CU_ASSERT_EQUAL(x->has_ip4, y->has_ip4);
		CU_ASSERT_EQUAL(x->has_ip6, y->has_ip6);
		CU_ASSERT_EQUAL(memcmp(x->mac, y->mac, 6), 0);
		CU_ASSERT_EQUAL(memcmp(x->ip4, y->ip4, 16), 0);
		CU_ASSERT_EQUAL(memcmp(x->ip6, y->ip6, 16), 0);
		CU_ASSERT_EQUAL(x->pfc_response_ps, y->pfc_response_ps);
	}
	CU_ASSERT_EQUAL_FATAL(a->n_ports, b->n_ports);
	for (uint32_t i = 0; i < a->n_ports; i++) {
		const struct scenario_port *x = &a->ports[i], *y = &b->ports[i];

		CU_ASSERT_STRING_EQUAL(x->name, y->name);
		CU_ASSERT_STRING_EQUAL(x->dev, y->dev);
		CU_ASSERT_EQUAL(x->rate_bps, y->rate_bps);
		CU_ASSERT_EQUAL(x->mtu_bytes, y->mtu_bytes);
		CU_ASSERT_EQUAL(x->delay_ps, y->delay_ps);
		CU_ASSERT_EQUAL(x->edge, y->edge);
		CU_ASSERT_EQUAL(x->edge_bytes, y->edge_bytes);
		CU_ASSERT_EQUAL(x->pfc, y->pfc);
	}
}

static void same_routing(const struct scenario *a, const struct scenario *b)
{
	CU_ASSERT_EQUAL_FATAL(a->n_subnets, b->n_subnets);
	for (uint32_t i = 0; i < a->n_subnets; i++) {
		const struct scenario_subnet *x = &a->subnets[i], *y = &b->subnets[i];

		CU_ASSERT_EQUAL(memcmp(x->prefix, y->prefix, 16), 0);
		CU_ASSERT_EQUAL(x->len, y->len);
		CU_ASSERT_EQUAL(x->has_gateway, y->has_gateway);
		CU_ASSERT_EQUAL(memcmp(x->gateway, y->gateway, 16), 0);
		CU_ASSERT_EQUAL_FATAL(x->n_ports, y->n_ports);
		CU_ASSERT_EQUAL(memcmp(x->ports, y->ports, x->n_ports * SW_NAME), 0);
	}
	CU_ASSERT_EQUAL_FATAL(a->n_routes, b->n_routes);
	for (uint32_t i = 0; i < a->n_routes; i++) {
		const struct scenario_route *x = &a->routes[i], *y = &b->routes[i];

		CU_ASSERT_STRING_EQUAL(x->on, y->on);
		CU_ASSERT_EQUAL(memcmp(x->prefix, y->prefix, 16), 0);
		CU_ASSERT_EQUAL(x->len, y->len);
		CU_ASSERT_EQUAL_FATAL(x->n_via, y->n_via);
		CU_ASSERT_EQUAL(memcmp(x->via, y->via, x->n_via * SW_NAME), 0);
	}
}

static void same(const struct scenario *a, const struct scenario *b)
{
	same_topology(a, b);
	CU_ASSERT_TRUE(same_switch(&a->sw, &b->sw));
	CU_ASSERT_TRUE(same_queues(&a->sw.qos, &b->sw.qos));
	CU_ASSERT_EQUAL_FATAL(a->n_switches, b->n_switches);
	for (uint32_t i = 0; i < a->n_switches; i++) {
		CU_ASSERT_TRUE(same_switch(&a->switches[i], &b->switches[i]));
		CU_ASSERT_TRUE(same_queues(&a->switches[i].qos, &b->switches[i].qos));
	}
	same_hosts_and_ports(a, b);
	same_routing(a, b);
	CU_ASSERT_EQUAL(a->real.workers, b->real.workers);
	CU_ASSERT_EQUAL(a->real.dilate, b->real.dilate);
	CU_ASSERT_EQUAL(a->real.adaptive, b->real.adaptive);
	CU_ASSERT_EQUAL(a->real.late_ps, b->real.late_ps);
	CU_ASSERT_EQUAL(a->real.memory_bytes, b->real.memory_bytes);
	CU_ASSERT_EQUAL_FATAL(a->real.n_eal, b->real.n_eal);
	for (uint32_t i = 0; i < a->real.n_eal; i++)
		CU_ASSERT_STRING_EQUAL(a->real.eal[i], b->real.eal[i]);
}

/* Prints, loads what was printed, compares; what that prints is the same bytes. */
static void round_trip(const struct scenario *first)
{
	char *text = NULL, *again = NULL, why[1024];
	size_t len = 0, len2 = 0;
	struct scenario second;
	struct err err = {0};
	FILE *out = open_memstream(&text, &len);

	CU_ASSERT_EQUAL(scenario_effective(first, out), 0);
	fclose(out);
	if (scenario_parse(&second, text, len, "effective", &err) < 0) {
		CU_FAIL("what was printed does not load");
		printf("%s\n%s\n", err_text(&err, why, sizeof(why)), text);
	} else {
		same(first, &second);
		out = open_memstream(&again, &len2);
		scenario_effective(&second, out);
		fclose(out);
		CU_ASSERT_STRING_EQUAL(text, again);
		scenario_free(&second);
	}
	free(text);
	free(again);
}

static void text_round_trip(const char *text)
{
	struct scenario s;
	struct err err = {0};
	char why[1024];

	if (scenario_parse(&s, text, strlen(text), "t.yaml", &err) < 0) {
		CU_FAIL("the test's scenario does not load");
		printf("%s\n", err_text(&err, why, sizeof(why)));
		return;
	}
	round_trip(&s);
	scenario_free(&s);
}

static void files(void)
{
	struct scenario s;
	struct err err = {0};
	glob_t found;

	CU_ASSERT_EQUAL_FATAL(glob("scenarios/*.yaml", 0, NULL, &found), 0);
	glob("tests/system/*.yaml", GLOB_APPEND, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		CU_ASSERT_EQUAL_FATAL(scenario_load(&s, found.gl_pathv[i], &err), 0);
		round_trip(&s);
		scenario_free(&s);
	}
	CU_ASSERT_TRUE(found.gl_pathc >= 3);
	globfree(&found);
}

static void presets(void)
{
	static const char *const names[] = {"nvidia", "azure", "none"};
	char text[256];

	for (int i = 0; i < 3; i++) {
		snprintf(text, sizeof(text),
			 "railyard: 1\ntopology: {kind: star, hosts: 1}\nswitch: {preset: %s}\n",
			 names[i]);
		text_round_trip(text);
		/* What the user took away from a preset must stay away. */
		snprintf(text, sizeof(text),
			 "railyard: 1\ntopology: {kind: star, hosts: 1}\n"
			 "switch: {preset: %s, pfc: off, ecn: off, dscp: {0-63: 2}}\n",
			 names[i]);
		text_round_trip(text);
	}
}

static void everything(void)
{
	text_round_trip(
		"railyard: 1\nname: all\nseed: 18446744073709551615\n"
		"topology:\n"
		"  kind: custom\n"
		"  switches: [s1, s2]\n"
		"  hosts: [h1-h3]\n"
		"  link: {rate: 25Gbps, delay: 1500ns, overhead: 20B}\n"
		"  links: [{a: s1, b: h1}, {a: s1, b: h2, rate: 1Gbps}, {a: s2, b: h3},"
		" {a: s1, b: s2, count: 3, delay: 5us}]\n"
		"switch: {preset: none, trust: pcp, pcp: {0-3: 1}, hash: [dest_qp],"
		" buffer: {alpha: 1/3, headroom: 12345B, cell: 256B, lossy_alpha: 0.7,"
		" headroom_pool: 98765B},"
		" ecn: {2: {min: 1001B, max: 1001B, probability: 1/3, mark: enqueue, not_ect: drop},"
		" 3: {drop: {min: 77B, max: 3MB, probability: 1/7}}, 4: {mark: off, drop: {min: 1B,"
		" max: 1B}}}}\n"
		"switches: {s2: {preset: azure, pfc: {priorities: [0, 7], asymmetric: on,"
		" watchdog: {detect: 1s, restore: 3s, action: forward, idle_counts: on}},"
		" tc_to_queue: {1-2: 5}, pfc_to_queue: {7: 1}, pipeline: lossy}}\n"
		"host: {pfc_response: 3us}\n"
		"hosts: {h1: {mac: 02:00:00:00:00:77, ip6: 'fd01::9'}, h2: {ip: 10.1.0.7}}\n"
		"ports: {s1-h1: {dev: 'x \"y\\z', edge: emulate, pfc: on, edge_buffer: 9999B},"
		" s1-s2.2: {rate: unlimited, mtu: 9000, pfc: off}}\n"
		"subnets: [{prefix: 10.1.0.0/24, ports: [s1-h1, s1-h2], gateway: 10.1.0.1},"
		" {prefix: 'fd01::/64', ports: [s1-h1], gateway: off}]\n"
		"routes: [{on: s2, prefix: 0.0.0.0/0, via: [s2-s1, s2-s1.2]}, {on: s1, prefix: '::/0',"
		" via: [s1-s2]}]\n"
		"real: {workers: 2, dilate: 100, poll: adaptive, late: 10us, memory: 1GiB,"
		" eal: ['--lcores', '1,2']}\n");
	text_round_trip("railyard: 1\ntopology: {kind: dumbbell, left: 2, right: 3, "
			"middle: {rate: 10Gbps, delay: 50us}}\n");
}

static const struct cu_case cases[] = {
	{"scenario_effective__files", files},
	{"scenario_effective__presets", presets},
	{"scenario_effective__everything", everything},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/effective", cases);
}
