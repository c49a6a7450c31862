/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/daemon/running.c"
#include "bench.h"
#include "tests/unit/cu.h"

static void starts_and_stops(void)
{
	bench_up();
	CU_ASSERT_EQUAL(fake.n_switches, 2);
	CU_ASSERT_PTR_NOT_NULL(bench.tables[0]);
	/* rt has them. */
	CU_ASSERT_PTR_NULL(bench.fabric.switches[0].tables);
	fake.lost = 3;
	CU_ASSERT_EQUAL(running_stop(&bench), 3);
	CU_ASSERT_FALSE(fake.running);
	CU_ASSERT_PTR_NULL(bench.rt);
	CU_ASSERT_EQUAL(running_stop(&bench), 0);
	bench_down();
}

static void failed_start_keeps_tables(void)
{
	struct err err = {0};

	bench_load(bench_text);
	fake.start_fails = 1;
	CU_ASSERT_NOT_EQUAL(running_start(&bench, &err), 0);
	CU_ASSERT_EQUAL(err.status, ERR_ENVIRONMENT);
	CU_ASSERT_PTR_NULL(bench.rt);
	/* Freed with the fabric: a leak or a double free shows under ASan. */
	CU_ASSERT_PTR_NOT_NULL(bench.fabric.switches[0].tables);
	bench_down();
}

static void refusal(const char *path, const char *want_path, int line, int col)
{
	struct err err = {0};

	fake.start_fails = 1;
	fake.refuses = path;
	CU_ASSERT_NOT_EQUAL(running_start(&bench, &err), 0);
	CU_ASSERT_STRING_EQUAL(err.path, want_path);
	CU_ASSERT_STRING_EQUAL(err.file, want_path[0] ? bench.source.name : "");
	CU_ASSERT_EQUAL(err.line, line);
	CU_ASSERT_EQUAL(err.col, col);
	fake.start_fails = 0;
	fake.refuses = NULL;
}

/* What the machine refuses is somewhere in the file. */
static void failed_start_names_the_line(void)
{
	bench_load("railyard: 1\n"
		   "topology: {kind: dumbbell, left: 1, right: 1}\n"
		   "ports:\n"
		   "  s1-h1: {dev: net_null0}\n"
		   "  s2-h2: {dev: net_null1}\n"
		   "real: {poll: busy, memory: 1GiB}\n");
	refusal("s2-h2", "ports.s2-h2", 5, 3);
	refusal("real.memory", "real.memory", 6, 20);
	refusal("real.workers", "real.workers", 6, 1);
	refusal("", "", 0, 0);
	bench_down();
	/* A default has no line, its file it has. */
	bench_load(bench_text);
	refusal("real.memory", "real.memory", 0, 0);
	bench_down();
}

/* Ports held before anything is polled, by either name; an unknown one starts nothing. */
static void begins_held(void)
{
	struct err err = {0};

	bench_load(bench_text);
	bench.holds[0] = "s1-s2";
	bench.holds[1] = "h2-s2";
	bench.n_holds = 2;
	CU_ASSERT_EQUAL_FATAL(running_start(&bench, &err), 0);
	for (uint16_t sw = 0; sw < 2; sw++)
		for (uint16_t p = 0; p < bench.fabric.switches[sw].config.n_ports; p++) {
			const char *name = bench.fabric.switches[sw].ports[p].name;

			CU_ASSERT_EQUAL(fake.held[sw][p],
					strcmp(name, "s1-s2") == 0 || strcmp(name, "s2-h2") == 0);
		}
	bench_down();
	bench_load(bench_text);
	bench.holds[0] = "s1-h9";
	bench.n_holds = 1;
	CU_ASSERT_NOT_EQUAL(running_start(&bench, &err), 0);
	CU_ASSERT_EQUAL(err.status, ERR_USAGE);
	CU_ASSERT_STRING_EQUAL(err.path, "--hold");
	CU_ASSERT_FALSE(fake.running);
	bench_down();
}

static struct reader *reader(const char *name)
{
	struct err err = {0};
	struct reader *found = readers_find(&bench.readers, name, &err);

	CU_ASSERT_PTR_NOT_NULL_FATAL(found);
	return found;
}

static uint64_t mark_seen_by(const char *name)
{
	CU_ASSERT_EQUAL(running_snapshot(&bench, reader(name), TELEMETRY_RESULTS), 0);
	return bench.now.switches[1].ports[0].pgs[3].max_shared_bytes;
}

/* Frames in the histogram of queue 3 of a switch's first port. */
static uint64_t latencies(uint16_t sw)
{
	const struct sw_latency *latency = bench.now.switches[sw].stats.latency;

	return latency == NULL ? 0 : sw_latency_count(&latency[3]);
}

static void clears(void)
{
	bench_up();
	fake.rx = 10;
	fake.tx = 8;
	fake.held_frames = 2;
	CU_ASSERT_EQUAL(running_clear(&bench, reader(""), true, false), 0);
	/* What it was at the clear. */
	CU_ASSERT_EQUAL(bench.now.switches[1].stats.rx, 10);
	CU_ASSERT_EQUAL(fake.watermarks, 0);
	CU_ASSERT_EQUAL(running_snapshot(&bench, reader(""), TELEMETRY_RESULTS), 0);
	CU_ASSERT_EQUAL(bench.now.switches[1].stats.rx, 2);
	CU_ASSERT_EQUAL(bench.now.switches[1].stats.tx, 0);
	CU_ASSERT_EQUAL(latencies(1), 0);
	CU_ASSERT_TRUE(telemetry_closed(&bench.now.switches[1].stats));
	fake.rx = 15;
	fake.tx = 15;
	fake.held_frames = 0;
	running_snapshot(&bench, reader(""), TELEMETRY_RESULTS);
	CU_ASSERT_EQUAL(latencies(0), 7);
	CU_ASSERT_EQUAL(bench.now.switches[0].ports[0].counters[SW_PORT_RX_PACKETS], 5);
	CU_ASSERT_TRUE(telemetry_closed(&bench.now.switches[0].stats));
	/* Free-running for those who ask. */
	running_snapshot(&bench, NULL, TELEMETRY_RESULTS);
	CU_ASSERT_EQUAL(bench.now.switches[0].stats.rx, 15);
	CU_ASSERT_EQUAL(latencies(0), 15);
	running_snapshot(&bench, reader("other"), TELEMETRY_PGS); /* who does not ask gets none */
	CU_ASSERT_PTR_NULL(bench.now.switches[0].stats.latency);
	running_snapshot(&bench, reader("other"), TELEMETRY_RESULTS);
	CU_ASSERT_EQUAL(latencies(0), 15);
	CU_ASSERT_EQUAL(bench.now.switches[0].stats.rx, 15);
	CU_ASSERT_EQUAL(running_clear(&bench, reader(""), false, true), 0);
	CU_ASSERT_EQUAL(fake.watermarks, 2);
	bench_down();
}

/* Two readers: what one clears the other still has, and each has the largest since its own clear. */
static void readers_apart(void)
{
	bench_up();
	fake.mark = 100;
	CU_ASSERT_EQUAL(mark_seen_by("a"), 100);
	CU_ASSERT_EQUAL(running_clear(&bench, reader("a"), false, true), 0);
	CU_ASSERT_EQUAL(bench.now.switches[1].ports[0].pgs[3].max_shared_bytes, 100);
	fake.mark = 30; /* the switch's own starts again, whoever cleared it */
	CU_ASSERT_EQUAL(mark_seen_by("a"), 30);
	CU_ASSERT_EQUAL(mark_seen_by(""), 100);
	CU_ASSERT_EQUAL(running_clear(&bench, reader(""), false, true), 0);
	fake.mark = 20;
	CU_ASSERT_EQUAL(mark_seen_by("a"), 30);
	CU_ASSERT_EQUAL(mark_seen_by(""), 20);
	CU_ASSERT_EQUAL(running_clear(&bench, reader("a"), true, true), 0);
	fake.mark = 70;
	CU_ASSERT_EQUAL(mark_seen_by("a"), 70);
	CU_ASSERT_EQUAL(mark_seen_by(""), 70);
	/* Since the start: the persistent one, /metrics, and who comes later. */
	CU_ASSERT_EQUAL(mark_seen_by(READER_PERSISTENT), 100);
	CU_ASSERT_EQUAL(mark_seen_by("later"), 100);
	running_snapshot(&bench, NULL, TELEMETRY_RESULTS);
	CU_ASSERT_EQUAL(bench.now.switches[1].ports[0].pgs[3].max_shared_bytes, 100);
	CU_ASSERT_EQUAL(running_clear(&bench, reader(READER_PERSISTENT), false, true), 0);
	fake.mark = 5;
	CU_ASSERT_EQUAL(mark_seen_by(READER_PERSISTENT), 5);
	CU_ASSERT_EQUAL(mark_seen_by("later"), 100);
	CU_ASSERT_EQUAL(mark_seen_by("a"), 70);
	CU_ASSERT_FALSE(reader("later")->cleared);
	CU_ASSERT_TRUE(reader("a")->cleared);
	bench_down();
}

/* The second switch does not answer: the first was cleared, and nobody has lost anything, the one who
 * asked included. */
static void half_a_clear(void)
{
	bench_up();
	fake.mark = 100;
	fake.silent = 2;
	CU_ASSERT_EQUAL(running_clear(&bench, reader("a"), true, true), -ETIMEDOUT);
	CU_ASSERT_EQUAL(fake.watermarks, 1);
	fake.silent = 0;
	fake.mark = 1;
	running_snapshot(&bench, reader("a"), TELEMETRY_RESULTS);
	CU_ASSERT_EQUAL(bench.now.switches[0].ports[0].pgs[3].max_shared_bytes, 100);
	running_snapshot(&bench, reader("b"), TELEMETRY_RESULTS);
	CU_ASSERT_EQUAL(bench.now.switches[0].ports[0].pgs[3].max_shared_bytes, 100);
	CU_ASSERT_FALSE(reader("a")->cleared);
	bench_down();
}

static void readers_are_bounded(void)
{
	struct err err = {0};
	char name[40];

	bench_up();
	for (int i = 2; i < READERS_MAX; i++) {
		snprintf(name, sizeof(name), "reader_%d", i);
		reader(name);
	}
	CU_ASSERT_PTR_NULL(readers_find(&bench.readers, "one_more", &err));
	CU_ASSERT_EQUAL(err.status, ERR_USAGE);
	CU_ASSERT_STRING_EQUAL(err.path, "reader");
	reader("reader_2"); /* those that are there stay */
	for (int i = 0; i < 4; i++) {
		static const char *const bad[] = {"Grafana", "a b", "1st",
						  "a23456789a123456789a123456789a12"};

		err = (struct err){0};
		CU_ASSERT_PTR_NULL(readers_find(&bench.readers, bad[i], &err));
		CU_ASSERT_EQUAL(err.status, ERR_USAGE);
	}
	bench_down();
}

static const struct cu_case cases[] = {
	{"running_start__and_stop", starts_and_stops},
	{"running_start__failed_keeps_tables", failed_start_keeps_tables},
	{"running_start__failed_names_the_line", failed_start_names_the_line},
	{"running_start__begins_held", begins_held},
	{"running_clear__counters_and_watermarks", clears},
	{"running_clear__readers_apart", readers_apart},
	{"running_clear__half_a_clear", half_a_clear},
	{"readers_find__bounded", readers_are_bounded},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/daemon/running", cases);
}
