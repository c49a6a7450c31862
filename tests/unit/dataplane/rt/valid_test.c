/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/rt/valid.c"
#include "tests/unit/cu.h"

#include <string.h>

static struct rt_health health;
static char why[256];

static bool ask(uint64_t bound, uint32_t dilate)
{
	why[0] = '\0';
	return rt_verdict(&health, bound, dilate, why, sizeof(why));
}

static void clean_run(void)
{
	memset(&health, 0, sizeof(health));
	rt_late_add(&health.late, 500);
	CU_ASSERT_TRUE(ask(1000, 1));
	CU_ASSERT_EQUAL(why[0], '\0');
}

static void late_names_a_dilation(void)
{
	memset(&health, 0, sizeof(health));
	rt_late_add(&health.late, 12300000000);
	CU_ASSERT_FALSE(ask(1000000000, 1));
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "12300.0 us at worst"));
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "dilate: 13"));
}

static void rare_lateness_is_allowed(void)
{
	int i;

	memset(&health, 0, sizeof(health));
	for (i = 0; i < 9999; i++)
		rt_late_add(&health.late, 100);
	rt_late_add(&health.late, 5000000000);
	CU_ASSERT_TRUE(ask(1000000, 1));
}

static void losses_outside_the_model(void)
{
	memset(&health, 0, sizeof(health));
	health.full = 3;
	CU_ASSERT_FALSE(ask(1000, 4));
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "3 frames"));
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "dilate: 8"));
	health.full = 0;
	health.no_buffer = 2;
	CU_ASSERT_FALSE(ask(1000, 1));
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "real.memory"));
	health.no_buffer = 0;
	health.behind = 1;
	CU_ASSERT_FALSE(ask(1000, 1));
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "past"));
}

static void bound_by_way_of_polling(void)
{
	CU_ASSERT_EQUAL(rt_late_bound(77, RT_POLL_BUSY, 10), 77);
	CU_ASSERT_TRUE(rt_late_bound(0, RT_POLL_BUSY, 1) < rt_late_bound(0, RT_POLL_ADAPTIVE, 1));
	CU_ASSERT_EQUAL(rt_late_bound(0, RT_POLL_BUSY, 10) * 10, rt_late_bound(0, RT_POLL_BUSY, 1));
}

static const struct cu_case cases[] = {
	{"rt_verdict__clean_run", clean_run},
	{"rt_verdict__late_names_a_dilation", late_names_a_dilation},
	{"rt_verdict__rare_lateness_is_allowed", rare_lateness_is_allowed},
	{"rt_verdict__losses_outside_the_model", losses_outside_the_model},
	{"rt_late_bound__by_way_of_polling", bound_by_way_of_polling},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("rt/valid", cases);
}
