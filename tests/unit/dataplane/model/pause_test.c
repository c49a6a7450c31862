/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/pause.c"

#include "tests/unit/cu.h"

static void runs_out(void)
{
	struct sw_pause pause = {0};

	CU_ASSERT_EQUAL(pause_total(&pause, 50), 0);
	pause_set(&pause, 100, 300);
	CU_ASSERT_EQUAL(pause_total(&pause, 100), 0);
	CU_ASSERT_EQUAL(pause_total(&pause, 250), 150);
	CU_ASSERT_EQUAL(pause_total(&pause, 300), 200);
	CU_ASSERT_EQUAL(pause_total(&pause, 1000), 200);
}

static void later_replaces(void)
{
	struct sw_pause pause = {0};

	pause_set(&pause, 100, 300);
	pause_set(&pause, 200, 500); /* refreshed while it ran */
	CU_ASSERT_EQUAL(pause_total(&pause, 500), 400);
	pause_set(&pause, 700, 800); /* 200 ps open in between */
	CU_ASSERT_EQUAL(pause_total(&pause, 900), 500);
	pause_set(&pause, 900, 2000);
	pause_set(&pause, 950, 950); /* resumed early */
	CU_ASSERT_EQUAL(pause_total(&pause, 2000), 550);
}

static void resume_without_pause(void)
{
	struct sw_pause pause = {0};

	pause_set(&pause, 100, 100);
	CU_ASSERT_EQUAL(pause_total(&pause, 200), 0);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"pause_total__runs_out", runs_out},
		{"pause_set__later_replaces", later_replaces},
		{"pause_set__resume_without_pause", resume_without_pause},
		{NULL, NULL},
	};

	return cu_main("model/pause", cases);
}
