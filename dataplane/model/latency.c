/* SPDX-License-Identifier: BSD-3-Clause */
/* Latency: what a histogram of sw_latency says. The counting is latency_bucket in sw_int.h. */
#include "sw_int.h"

#define SUBS 8 /* buckets of a power of two */

/* The first value of a bucket, ps. */
static uint64_t begin_of(uint32_t bucket)
{
	uint64_t units = bucket;

	if (bucket >= SUBS)
		units = (uint64_t)(SUBS + bucket % SUBS) << (bucket / SUBS - 1);
	return units << SW_LATENCY_UNIT_BITS;
}

uint64_t sw_latency_end(uint32_t bucket)
{
	return bucket + 1 < SW_LATENCY_BUCKETS ? begin_of(bucket + 1) - 1 : UINT64_MAX;
}

uint64_t sw_latency_count(const struct sw_latency *latency)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < SW_LATENCY_BUCKETS; i++)
		count += latency->buckets[i];
	return count;
}

void sw_latency_add(struct sw_latency *to, const struct sw_latency *from)
{
	for (uint32_t i = 0; i < SW_LATENCY_BUCKETS; i++)
		to->buckets[i] += from->buckets[i];
}

uint64_t sw_latency_quantile(const struct sw_latency *latency, uint32_t ppm)
{
	unsigned __int128 want = (unsigned __int128)sw_latency_count(latency) * ppm;
	unsigned __int128 seen = 0;

	for (uint32_t i = 0; i < SW_LATENCY_BUCKETS; i++) {
		seen += (unsigned __int128)latency->buckets[i] * 1000000;
		if (latency->buckets[i] > 0 && seen >= want)
			return sw_latency_end(i);
	}
	return 0;
}
