/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/topology.c"

#include "tests/unit/cu.h"

static struct scenario s;
static struct topology t;
static struct err err;

static void build(const char *topology)
{
	char text[1024];

	topology_free(&t);
	scenario_free(&s);
	err = (struct err){0};
	snprintf(text, sizeof(text), "railyard: 1\ntopology: %s\n", topology);
	CU_ASSERT_EQUAL_FATAL(scenario_parse(&s, text, strlen(text), "t.yaml", &err), 0);
	CU_ASSERT_EQUAL_FATAL(topology_build(&t, &s, &err), 0);
}

static void star(void)
{
	build("{kind: star, hosts: 3}");
	CU_ASSERT_EQUAL(t.n_switches, 1);
	CU_ASSERT_EQUAL(t.n_hosts, 3);
	CU_ASSERT_EQUAL(t.n_ports, 3);
	CU_ASSERT_STRING_EQUAL(t.ports[2].name, "s1-h3");
	CU_ASSERT_EQUAL(t.ports[2].index, 2);
	CU_ASSERT_EQUAL(t.ports[2].host, 2);
	CU_ASSERT_EQUAL(t.ports[2].peer, -1);
	CU_ASSERT_EQUAL(topology_port(&t, "s1-h2"), 1);
	CU_ASSERT_EQUAL(topology_port(&t, "h2-s1"), -1);
	CU_ASSERT_EQUAL(topology_switch(&t, "s1"), 0);
	CU_ASSERT_EQUAL(topology_switch(&t, "h1"), -1);
	CU_ASSERT_EQUAL(topology_host(&t, "h3"), 2);
}

static void dumbbell(void)
{
	build("{kind: dumbbell, left: 2, right: 1, middle: {rate: 10Gbps, delay: 5us}}");
	CU_ASSERT_EQUAL(t.n_ports, 5);
	CU_ASSERT_STRING_EQUAL(t.ports[1].name, "s1-h2");
	CU_ASSERT_STRING_EQUAL(t.ports[2].name, "s2-h3");
	CU_ASSERT_STRING_EQUAL(t.ports[3].name, "s1-s2");
	CU_ASSERT_STRING_EQUAL(t.ports[4].name, "s2-s1");
	CU_ASSERT_EQUAL(t.ports[3].peer, 4);
	CU_ASSERT_EQUAL(t.ports[4].peer, 3);
	CU_ASSERT_EQUAL(t.ports[3].host, -1);
	CU_ASSERT_EQUAL(t.ports[3].rate_bps, 10000000000);
	CU_ASSERT_EQUAL(t.ports[0].rate_bps, 100000000000);
	CU_ASSERT_EQUAL(t.switch_ports[0], 3);
}

static void parallel(void)
{
	build("{kind: custom, switches: [a, b], hosts: [x], links: [{a: a, b: x}, "
	      "{a: a, b: b, count: 2}, {a: b, b: a}]}");
	CU_ASSERT_EQUAL(t.n_ports, 7);
	CU_ASSERT_TRUE(topology_port(&t, "a-b") >= 0);
	CU_ASSERT_TRUE(topology_port(&t, "a-b.2") >= 0);
	CU_ASSERT_TRUE(topology_port(&t, "b-a.3") >= 0);
	CU_ASSERT_EQUAL(topology_port(&t, "a-b.4"), -1);
	CU_ASSERT_STRING_EQUAL(t.ports[t.ports[topology_port(&t, "a-b.3")].peer].name, "b-a.3");
}

static void longest_names(void)
{
	build("{kind: custom, switches: [abcdefghijklmnopqrst, abcdefghijklmnopqrsu], hosts: [h], "
	      "links: [{a: abcdefghijklmnopqrst, b: h}, "
	      "{a: abcdefghijklmnopqrst, b: abcdefghijklmnopqrsu, count: 99}]}");
	CU_ASSERT_TRUE(topology_port(&t, "abcdefghijklmnopqrst-abcdefghijklmnopqrsu.99") > 0);
}

static void text(void)
{
	char buf[128];

	build("{kind: star, hosts: 2}");
	CU_ASSERT_STRING_EQUAL(topology_ports_text(&t, buf, sizeof(buf)), "s1-h1, s1-h2");
	build("{kind: star, hosts: 16}");
	CU_ASSERT_PTR_NOT_NULL(
		strstr(topology_ports_text(&t, buf, sizeof(buf)), "s1-h6 and 10 more"));
}

static void largest(void)
{
	build("{kind: star, hosts: 4096}");
	CU_ASSERT_EQUAL(t.n_ports, 4096);
	CU_ASSERT_EQUAL(topology_port(&t, "s1-h4096"), 4095);
	topology_free(&t);
	scenario_free(&s);
}

static const struct cu_case cases[] = {
	{"topology_build__star", star},
	{"topology_build__dumbbell", dumbbell},
	{"topology_build__parallel", parallel},
	{"topology_build__longest_names", longest_names},
	{"topology_ports_text__many", text},
	{"topology_build__largest", largest},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/topology", cases);
}
