/* SPDX-License-Identifier: BSD-3-Clause */
/* How late frames left: a histogram of (time the device took it) - (time the model said).
 *
 * ps. Buckets are logarithmic with 16 steps an octave, so a quantile is read without sorting and is
 * at most 1/16 too high; the maximum is exact. Owner: the worker; others get values by message.
 */
#ifndef RY_RT_LATE_H
#define RY_RT_LATE_H

#include <stdint.h>

#define RT_LATE_STEPS 16
#define RT_LATE_BUCKETS (61 * RT_LATE_STEPS)

struct rt_late {
	uint64_t count, max_ps;
	uint64_t buckets[RT_LATE_BUCKETS];
};

/* Values below 16 have a bucket each; above, the four bits after the leading one choose the step. */
static inline uint32_t rt_late_bucket(uint64_t ps)
{
	uint32_t octave;

	if (ps < RT_LATE_STEPS)
		return (uint32_t)ps;
	octave = 63 - (uint32_t)__builtin_clzll(ps) - 4;
	return (octave + 1) * RT_LATE_STEPS + (uint32_t)((ps >> octave) & (RT_LATE_STEPS - 1));
}

static inline void rt_late_add(struct rt_late *late, uint64_t ps)
{
	late->count++;
	late->buckets[rt_late_bucket(ps)]++;
	if (ps > late->max_ps)
		late->max_ps = ps;
}

void rt_late_merge(struct rt_late *into, const struct rt_late *from);
/* The smallest bucket's upper end that at least ppm millionths of all stay under; 0 when empty. */
uint64_t rt_late_quantile(const struct rt_late *late, uint32_t ppm);

#endif
