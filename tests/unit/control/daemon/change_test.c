/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/daemon/change.c"
#include "bench.h"
#include "tests/unit/cu.h"

static struct err err;

static int set(const char *a, const char *b)
{
	const char *sets[] = {a, b};

	memset(&err, 0, sizeof(err));
	return running_change(&bench, sets, b ? 2 : 1, &err);
}

static void applies(void)
{
	bench_up();
	CU_ASSERT_EQUAL(set("switches.s1.ecn.3.min=20KB", "switches.s1.ecn.3.max=80KB"), 0);
	CU_ASSERT_EQUAL(fake.sets, 2);
	CU_ASSERT_EQUAL(fake.config[0].qos.ecn[3].min_bytes, 20000);
	CU_ASSERT_NOT_EQUAL(fake.config[1].qos.ecn[3].min_bytes, 20000);
	CU_ASSERT_EQUAL(bench.fabric.switches[0].config.qos.ecn[3].max_bytes, 80000);
	CU_ASSERT_EQUAL(set("ports.s2-h2.rate=10Mbps", NULL), 0);
	/* What was set before still is. */
	CU_ASSERT_EQUAL(fake.config[0].qos.ecn[3].min_bytes, 20000);
	CU_ASSERT_EQUAL(bench.source.n_sets, 3);
	CU_ASSERT_EQUAL(set("switch.pfc=off", NULL), 0);
	CU_ASSERT_EQUAL(fake.config[0].qos.pfc_mask, 0);
	CU_ASSERT_EQUAL(fake.config[1].qos.pfc_mask, 0);
	bench_down();
}

/* Every knob of the buffer, under traffic; a buffer that was made smaller may grow back. */
static void buffer_knobs(void)
{
	const struct sw_config *c = &fake.config[0];

	bench_up();
	CU_ASSERT_EQUAL(set("switches.s1.buffer.size=8MiB", NULL), 0);
	CU_ASSERT_EQUAL(c->buffer.size_bytes, 8u << 20);
	CU_ASSERT_EQUAL(set("switches.s1.buffer.size=32MiB", NULL), 0);
	CU_ASSERT_EQUAL(c->buffer.size_bytes, 32u << 20);
	CU_ASSERT_EQUAL(set("switches.s1.buffer.cell=256B", NULL), 0);
	CU_ASSERT_EQUAL(c->buffer.cell_bytes, 256);
	CU_ASSERT_EQUAL(c->ports[0].headroom_bytes % 256, 0);
	CU_ASSERT_EQUAL(set("switches.s1.buffer.cell=1B", NULL), 0);
	CU_ASSERT_EQUAL(set("switches.s1.buffer.headroom_pool=300KB", NULL), 0);
	CU_ASSERT_EQUAL(c->buffer.headroom_pool_bytes, 300000);
	CU_ASSERT_EQUAL(set("switches.s1.buffer.headroom_pool=off", NULL), 0);
	CU_ASSERT_EQUAL(c->buffer.headroom_pool_bytes, 0);
	CU_ASSERT_EQUAL(set("switches.s1.ecn.3.drop={min: 2MB, max: 3MB}", NULL), 0);
	CU_ASSERT(c->qos.ecn[3].drop.on && c->qos.ecn[3].drop.max_bytes == 3000000);
	CU_ASSERT_EQUAL(set("switches.s1.ecn.3.drop=off", NULL), 0);
	CU_ASSERT_FALSE(c->qos.ecn[3].drop.on);
	CU_ASSERT_EQUAL(set("switches.s1.ecn.3.mark=off", NULL), 0);
	CU_ASSERT_FALSE(c->qos.ecn[3].on);
	CU_ASSERT_EQUAL(set("switches.s1.trust=pcp", "switches.s1.pcp={3: 4}"), 0);
	CU_ASSERT(c->qos.trust == SW_TRUST_PCP && c->qos.pcp_to_prio[3] == 4);
	CU_ASSERT_EQUAL(set("switches.s1.pfc.priorities=[]", NULL), 0);
	CU_ASSERT_EQUAL(c->qos.pfc_mask, 0);
	CU_ASSERT_NOT_EQUAL(set("switches.s1.buffer.headroom=0B", "switches.s1.pfc.priorities=[3]"),
			    0);
	CU_ASSERT_STRING_EQUAL(err.path, "switches.s1.buffer.headroom");
	bench_down();
}

static void watchdog(void)
{
	const struct sw_watchdog *w = &fake.config[0].qos.watchdog;

	bench_up();
	CU_ASSERT_EQUAL(set("switches.s1.pfc.watchdog=on", NULL), 0);
	CU_ASSERT_TRUE(w->on);
	CU_ASSERT_FALSE(fake.config[1].qos.watchdog.on);
	CU_ASSERT_EQUAL(set("switches.s1.pfc.watchdog={detect: 400ms}", NULL), 0);
	CU_ASSERT_EQUAL(w->detect_ps, 400000000000);
	CU_ASSERT_EQUAL(set("switches.s1.pfc.watchdog.poll=200ms",
			    "switches.s1.pfc.watchdog.action=forward"),
			0);
	CU_ASSERT_EQUAL(w->poll_ps, 200000000000);
	CU_ASSERT_TRUE(w->forward);
	CU_ASSERT_EQUAL(w->detect_ps, 400000000000);
	CU_ASSERT_NOT_EQUAL(set("switches.s1.pfc.watchdog.detect=40ms", NULL), 0);
	CU_ASSERT_STRING_EQUAL(err.path, "switches.s1.pfc.watchdog.detect");
	CU_ASSERT_EQUAL(set("switches.s1.pfc.watchdog=off", NULL), 0);
	CU_ASSERT_FALSE(w->on);
	bench_down();
}

static char *effective(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	scenario_effective(&bench.scenario, out);
	fclose(out);
	return text;
}

static void refused(const char *a, const char *b, const char *path)
{
	char *before = effective(), *after;
	struct sw_config config[2] = {fake.config[0], fake.config[1]};
	int sets = fake.sets;

	CU_ASSERT_NOT_EQUAL(set(a, b), 0);
	CU_ASSERT_EQUAL(err.status, ERR_USAGE);
	if (strcmp(err.path, path) != 0)
		printf("%s: %s\n", a, err.path);
	CU_ASSERT_STRING_EQUAL(err.path, path);
	after = effective();
	CU_ASSERT_STRING_EQUAL(before, after);
	CU_ASSERT_EQUAL(fake.sets, sets);
	CU_ASSERT_EQUAL(memcmp(config, fake.config, sizeof(config)), 0);
	CU_ASSERT_EQUAL(bench.source.n_sets, 0);
	free(before);
	free(after);
}

/* A refused change changes nothing, also when it comes after a good one. */
static void refuses_invalid(void)
{
	bench_up();
	refused("no_equals", NULL, "set");
	refused("=3", NULL, "set");
	refused("switches.s1.latency=1us", "switches.s1.latency=5", "switches.s1.latency");
	bench_down();
}

static void refuses_restart(void)
{
	bench_up();
	refused("name=other", NULL, "name");
	refused("seed=9", NULL, "seed");
	refused("real.dilate=2", NULL, "real.dilate");
	refused("real.poll=adaptive", NULL, "real.poll");
	refused("real.memory=1GiB", NULL, "real.memory");
	refused("real.eal=[--no-telemetry]", NULL, "real.eal");
	refused("topology.right=2", NULL, "topology");
	refused("topology.middle.delay=2us", NULL, "topology");
	refused("ports.s1-h1.dev=net_null7", NULL, "ports.s1-h1.dev");
	refused("ports.s1-h1.mtu=9000", NULL, "ports.s1-h1.mtu");
	refused("switches.s2.pipeline=lossy", NULL, "switches.s2.pipeline");
	refused("switches.s1.buffer.size=64MiB", NULL, "switches.s1.buffer.size");
	bench_down();
}

/* Should the second switch refuse after the first took it, the first gets its own back. */
static void rolls_back(void)
{
	uint64_t latency;

	bench_up();
	latency = fake.config[0].latency_ps;
	fake.refuse_set = 1;
	CU_ASSERT_NOT_EQUAL(set("switch.latency=7us", NULL), 0);
	CU_ASSERT_EQUAL(fake.sets, 2);
	CU_ASSERT_EQUAL(fake.config[0].latency_ps, latency);
	CU_ASSERT_EQUAL(bench.fabric.switches[0].config.latency_ps, latency);
	CU_ASSERT_EQUAL(bench.source.n_sets, 0);
	bench_down();
}

static void edge_is_live(void)
{
	uint64_t without;

	bench_up();
	without = fake.config[0].ports[0].headroom_bytes;
	CU_ASSERT_EQUAL(set("ports.s1-h1.edge=emulate", "ports.s1-h1.edge_buffer=64KiB"), 0);
	CU_ASSERT(bench.fabric.switches[0].config.ports[0].edge);
	CU_ASSERT_EQUAL(bench.fabric.switches[0].config.ports[0].edge_bytes, 65536);
	/* Its PFC acts after a frame's time: less headroom does. */
	CU_ASSERT(bench.fabric.switches[0].config.ports[0].headroom_bytes < without);
	CU_ASSERT_EQUAL(set("ports.s1-h1.edge=off", NULL), 0);
	CU_ASSERT_FALSE(bench.fabric.switches[0].config.ports[0].edge);
	CU_ASSERT_NOT_EQUAL(set("ports.s1-h1.edge=emulate", "ports.s1-h1.edge_buffer=100B"), 0);
	bench_down();
}

static void ageing_is_live(void)
{
	bench_up();
	CU_ASSERT_EQUAL(fake.config[0].fdb_ageing_ps, UINT64_C(300000000000000));
	CU_ASSERT_EQUAL(set("switch.fdb_ageing=10s", NULL), 0);
	CU_ASSERT_EQUAL(fake.config[0].fdb_ageing_ps, UINT64_C(10000000000000));
	CU_ASSERT_EQUAL(set("switches.s2.neighbour_ageing=off", NULL), 0);
	CU_ASSERT_EQUAL(fake.config[1].neigh_ageing_ps, 0);
	bench_down();
}

static void tables_follow(void)
{
	bench_up();
	CU_ASSERT_EQUAL(set("switch.latency=2us", NULL), 0);
	CU_ASSERT_PTR_EQUAL(bench.tables[0], fake.tables[0]);
	fake.installs = 0;
	CU_ASSERT_EQUAL(set("routes=[{on: s1, prefix: 10.9.0.0/16, via: [s1-s2]}]", NULL), 0);
	CU_ASSERT_TRUE(fake.installs > 0);
	CU_ASSERT_PTR_EQUAL(bench.tables[0], fake.tables[0]);
	CU_ASSERT_PTR_NULL(bench.fabric.switches[0].tables);
	bench_down();
}

static const struct cu_case cases[] = {
	{"running_change__applies", applies},
	{"running_change__buffer_knobs", buffer_knobs},
	{"running_change__watchdog", watchdog},
	{"running_change__refuses_invalid", refuses_invalid},
	{"running_change__refuses_restart", refuses_restart},
	{"running_change__rolls_back", rolls_back},
	{"running_change__ageing_is_live", ageing_is_live},
	{"running_change__edge_is_live", edge_is_live},
	{"running_change__tables_follow", tables_follow},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/daemon/change", cases);
}
