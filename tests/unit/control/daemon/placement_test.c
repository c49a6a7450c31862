/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/daemon/placement.c"
#include "bench.h"
#include "tests/unit/cu.h"

static json_t *warnings(void)
{
	CU_ASSERT_EQUAL_FATAL(running_snapshot(&bench, NULL, 0), 0);
	return placement_warnings(&bench);
}

static void expect(const char *what)
{
	json_t *list = warnings();

	CU_ASSERT_EQUAL(json_array_size(list), what != NULL ? 1 : 0);
	if (what != NULL && json_array_size(list) == 1)
		CU_ASSERT_PTR_NOT_NULL(strstr(json_string_value(json_array_get(list, 0)), what));
	json_decref(list);
}

static void nothing_to_say(void)
{
	bench_up();
	fake.worker = (struct rt_worker_stats){.lcore = 1, .numa = 0, .n = 2};
	fake.port_numa = -1; /* a device of no node is nowhere far */
	expect(NULL);
	fake.port_numa = 0;
	expect(NULL);
	bench_down();
}

static void more_workers_than_switches(void)
{
	bench_up();
	fake.worker = (struct rt_worker_stats){.lcore = 1, .n = 2};
	bench.scenario.real.workers = 2;
	expect(NULL);
	bench.scenario.real.workers = 7;
	expect("real.workers asks for 7 workers: 2 run");
	bench_down();
}

static void another_node(void)
{
	json_t *list;

	bench_up();
	fake.worker = (struct rt_worker_stats){.lcore = 5, .numa = 1, .n = 2};
	fake.port_numa = 0;
	list = warnings();
	/* every port of both switches */
	CU_ASSERT_EQUAL(json_array_size(list),
			bench.now.switches[0].stats.n_ports + bench.now.switches[1].stats.n_ports);
	CU_ASSERT_PTR_NOT_NULL(strstr(json_string_value(json_array_get(list, 0)),
				      "is on NUMA node 0, its worker's CPU 5 on node 1"));
	json_decref(list);
	bench_down();
}

static void one_cpu_for_two(void)
{
	json_t *list;

	bench_up();
	CU_ASSERT_EQUAL_FATAL(running_snapshot(&bench, NULL, 0), 0);
	bench.now.switches[0].worker = (struct rt_worker_stats){.lcore = 3, .n = 2, .index = 0};
	bench.now.switches[1].worker = (struct rt_worker_stats){.lcore = 3, .n = 2, .index = 1};
	list = placement_warnings(&bench);
	CU_ASSERT_EQUAL(json_array_size(list), 1);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(json_string_value(json_array_get(list, 0)), "workers 0 and 1 share CPU 3"));
	json_decref(list);
	bench.now.switches[1].worker.lcore = 4;
	list = placement_warnings(&bench);
	CU_ASSERT_EQUAL(json_array_size(list), 0);
	json_decref(list);
	bench_down();
}

static const struct cu_case cases[] = {
	{"placement_warnings__nothing_to_say", nothing_to_say},
	{"placement_warnings__more_workers_than_switches", more_workers_than_switches},
	{"placement_warnings__another_node", another_node},
	{"placement_warnings__one_cpu_for_two", one_cpu_for_two},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("daemon/placement", cases);
}
