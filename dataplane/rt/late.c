/* SPDX-License-Identifier: BSD-3-Clause */
#include "late.h"

static uint64_t bucket_end(uint32_t bucket)
{
	uint32_t octave;

	if (bucket < RT_LATE_STEPS)
		return bucket;
	octave = bucket / RT_LATE_STEPS - 1;
	return (((uint64_t)RT_LATE_STEPS + bucket % RT_LATE_STEPS) << octave) +
	       (((uint64_t)1 << octave) - 1);
}

void rt_late_merge(struct rt_late *into, const struct rt_late *from)
{
	uint32_t i;

	into->count += from->count;
	for (i = 0; i < RT_LATE_BUCKETS; i++)
		into->buckets[i] += from->buckets[i];
	if (from->max_ps > into->max_ps)
		into->max_ps = from->max_ps;
}

uint64_t rt_late_quantile(const struct rt_late *late, uint32_t ppm)
{
	unsigned __int128 want = (unsigned __int128)late->count * ppm;
	unsigned __int128 seen = 0;
	uint64_t end;
	uint32_t i;

	for (i = 0; i < RT_LATE_BUCKETS; i++) {
		seen += (unsigned __int128)late->buckets[i] * 1000000;
		if (late->buckets[i] > 0 && seen >= want) {
			end = bucket_end(i);
			return end < late->max_ps ? end : late->max_ps;
		}
	}
	return 0;
}
