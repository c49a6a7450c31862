/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/rt/clock.c"
#include "tests/unit/cu.h"

#define GHZ 1000000000ULL

static void exact_on_round_rates(void)
{
	struct rt_clock clock;

	rt_clock_start(&clock, 1000, GHZ, 1, false);
	CU_ASSERT_EQUAL(rt_clock_at(&clock, 1000), 0);
	CU_ASSERT_EQUAL(rt_clock_at(&clock, 1001), 1000);
	CU_ASSERT_EQUAL(rt_clock_at(&clock, 1000 + GHZ), 1000000000000ULL);
}

static void long_runs_do_not_drift(void)
{
	struct rt_clock clock;
	uint64_t week = 7 * 86400ULL, hz = 2593993000ULL, want = week * 1000000000000ULL, got;

	rt_clock_start(&clock, 5, hz, 1, false);
	got = rt_clock_at(&clock, 5 + week * hz);
	CU_ASSERT_TRUE(got <= want);
	/* 2^-32 ps a tick at most: under 0.4 us in a week */
	CU_ASSERT_TRUE(want - got < 400000);
}

static void before_the_start_is_zero(void)
{
	struct rt_clock clock;

	rt_clock_start(&clock, 1000, GHZ, 1, false);
	CU_ASSERT_EQUAL(rt_clock_at(&clock, 900), 0);
}

static void dilated(void)
{
	struct rt_clock clock;

	rt_clock_start(&clock, 0, GHZ, 100, false);
	CU_ASSERT_EQUAL(rt_clock_at(&clock, 100000), 1000000);
	CU_ASSERT_EQUAL(rt_clock_wall_ns(&clock, 1000000), 100000);
	rt_clock_start(&clock, 0, GHZ, 0, false);
	CU_ASSERT_EQUAL(clock.dilate, 1);
}

static void manual_stands_still(void)
{
	struct rt_clock clock;

	rt_clock_start(&clock, 0, GHZ, 1, true);
	CU_ASSERT_EQUAL(rt_clock_now(&clock), 0);
	atomic_store(&clock.manual_ps, 77);
	CU_ASSERT_EQUAL(rt_clock_now(&clock), 77);
	CU_ASSERT_EQUAL(rt_clock_now(&clock), 77);
}

static void never_saturates(void)
{
	struct rt_clock clock;

	rt_clock_start(&clock, 0, GHZ, 4000, false);
	CU_ASSERT_EQUAL(rt_clock_wall_ns(&clock, UINT64_MAX), UINT64_MAX);
}

static const struct cu_case cases[] = {
	{"rt_clock_at__exact_on_round_rates", exact_on_round_rates},
	{"rt_clock_at__long_runs_do_not_drift", long_runs_do_not_drift},
	{"rt_clock_at__before_the_start_is_zero", before_the_start_is_zero},
	{"rt_clock_at__dilated", dilated},
	{"rt_clock_now__manual_stands_still", manual_stands_still},
	{"rt_clock_wall_ns__saturates", never_saturates},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("rt/clock", cases);
}
