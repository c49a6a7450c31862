/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/rt/late.c"
#include "tests/unit/cu.h"

#include <stdlib.h>
#include <string.h>

static struct rt_late late;

static void empty_is_zero(void)
{
	memset(&late, 0, sizeof(late));
	CU_ASSERT_EQUAL(rt_late_quantile(&late, 999000), 0);
}

static void small_values_are_exact(void)
{
	uint64_t i;

	memset(&late, 0, sizeof(late));
	for (i = 1; i <= 10; i++)
		rt_late_add(&late, i);
	CU_ASSERT_EQUAL(rt_late_quantile(&late, 500000), 5);
	CU_ASSERT_EQUAL(rt_late_quantile(&late, 1000000), 10);
}

static void one_sixteenth_at_most(void)
{
	uint64_t value, got;
	int shift;

	for (shift = 0; shift < 64; shift++)
		for (value = (1ULL << shift) - (shift > 0); value < (1ULL << shift) + 3; value++) {
			memset(&late, 0, sizeof(late));
			rt_late_add(&late, value);
			late.max_ps = UINT64_MAX;
			got = rt_late_quantile(&late, 500000);
			CU_ASSERT_TRUE(got >= value);
			CU_ASSERT_TRUE(got - value <= value / 16);
		}
}

static void tail_is_found(void)
{
	int i;

	memset(&late, 0, sizeof(late));
	for (i = 0; i < 998; i++)
		rt_late_add(&late, 100);
	rt_late_add(&late, 5000000);
	rt_late_add(&late, 9000000);
	CU_ASSERT_TRUE(rt_late_quantile(&late, 500000) < 107);
	CU_ASSERT_TRUE(rt_late_quantile(&late, 998000) < 107);
	CU_ASSERT_TRUE(rt_late_quantile(&late, 999000) >= 5000000);
	CU_ASSERT_TRUE(rt_late_quantile(&late, 999000) < 5400000);
	CU_ASSERT_EQUAL(rt_late_quantile(&late, 1000000), 9000000);
	CU_ASSERT_EQUAL(late.max_ps, 9000000);
}

static void largest_value_has_a_bucket(void)
{
	memset(&late, 0, sizeof(late));
	rt_late_add(&late, UINT64_MAX);
	CU_ASSERT_EQUAL(late.buckets[RT_LATE_BUCKETS - 1], 1);
	CU_ASSERT_EQUAL(rt_late_quantile(&late, 500000), UINT64_MAX);
}

static void adds_up(void)
{
	static struct rt_late other;

	memset(&late, 0, sizeof(late));
	memset(&other, 0, sizeof(other));
	rt_late_add(&late, 3);
	rt_late_add(&other, 5);
	rt_late_add(&other, 900);
	rt_late_merge(&late, &other);
	CU_ASSERT_EQUAL(late.count, 3);
	CU_ASSERT_EQUAL(late.max_ps, 900);
	CU_ASSERT_EQUAL(rt_late_quantile(&late, 500000), 5);
}

static const struct cu_case cases[] = {
	{"rt_late_quantile__empty_is_zero", empty_is_zero},
	{"rt_late_quantile__small_values_are_exact", small_values_are_exact},
	{"rt_late_quantile__one_sixteenth_at_most", one_sixteenth_at_most},
	{"rt_late_quantile__tail_is_found", tail_is_found},
	{"rt_late_add__largest_value_has_a_bucket", largest_value_has_a_bucket},
	{"rt_late_merge__adds_up", adds_up},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("rt/late", cases);
}
